/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat session export: a session as a file, in native format or that of an ADK. */
#include "cli/command/arguments.h"
#include "cli/command/format.h"
#include "cli/io/output.h"
#include "cli/io/store.h"
#include "cli/json/writer.h"
#include "cli/session/session.h"
#include "cli/show/report.h"
#include "cli/text/error.h"
#include <string.h>

typedef struct job {
    cli_store store;
    const char *output; /* "-" is standard output */
    const char *to;
    bool fail_on_loss, keep_times, as_json;
    agentchat_report *report;
} job;

static void print_json(const job *j, agentchat_status status)
{
    cli_json json = {.out = stderr};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "output", j->output);
    cli_json_cstr(&json, "to", j->to);
    cli_json_bool(&json, "ok", status >= 0);
    if (status < 0)
        cli_json_error(&json, status, &j->store.err);
    cli_json_report(&json, j->report, NULL);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static agentchat_status write_out(job *j, const agentchat_session *session)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_error *err = &j->store.err;
    cli_output output;
    agentchat_status status;

    if (strcmp(j->output, "-") != 0 && cli_store_lies_in(&j->store, j->output))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the output is the store itself");
    options.format = j->to;
    options.fail_on_loss = j->fail_on_loss;
    options.keep_times = j->keep_times;
    status = cli_output_open(&output, j->output, err);
    if (status >= 0)
        status = agentchat_session_export(session, output.sink, &options, &j->report, err);
    cli_output_close(&output);
    return status;
}

static int export_session(job *j)
{
    agentchat_session *session = cli_store_open_session(&j->store, CLI_READ, NULL);

    if (session == NULL)
        return CLI_ERROR;
    agentchat_status status = write_out(j, session);
    if (j->as_json) {
        print_json(j, status);
    } else {
        if (!cli_report_print(stderr, 0, j->report, NULL))
            status = agentchat_error_set(&j->store.err, AGENTCHAT_E_NOMEM, "out of memory");
        if (status < 0)
            cli_error_print(stderr, cli_output_name(j->output), status, &j->store.err);
    }
    agentchat_report_free(j->report);
    agentchat_session_free(session);
    cli_store_close(&j->store);
    return status >= 0 ? CLI_SUCCESS : status == AGENTCHAT_E_LOSS ? CLI_NO : CLI_ERROR;
}

static int run(int argc, char **argv)
{
    job j = {.store = {.self = &cli_session_export}, .output = "-", .to = "agentchat"};
    const cli_switch switches[] = {{"to", NULL, &j.to},
                                   {"output", NULL, &j.output},
                                   {"fail-on-loss", &j.fail_on_loss, NULL},
                                   {"keep-times", &j.keep_times, NULL},
                                   {"json", &j.as_json, NULL}};
    int status = cli_arguments(j.store.self, argc, argv, "STORE APP USER ID", switches, 5);

    if (status != CLI_GO_ON)
        return status;
    if (!cli_format_is_written(j.store.self, j.to, AGENTCHAT_HOLDS_SESSION))
        return CLI_ERROR;
    cli_store_take(&j.store, argv);
    return export_session(&j);
}

const cli_command cli_session_export = {
    .name = "session export",
    .summary = "write a session to a file",
    .help = "usage: agentchat session export [OPTION...] STORE APP USER ID\n"
            "\n"
            "Writes a session with its events and its state to standard output or a file. The file is replaced\n"
            "atomically, and only when all went well. What the format cannot hold is said on standard error:\n"
            "  1 loss: /events/4/actions  what is lost\n"
            "\n"
            "  --to FORMAT     agentchat, which loses nothing (the default), adk: camelCase *.session.json, or\n"
            "                  adk-rust: events as ADK-Rust reads them\n"
            "  --output FILE   the file; without it, or with -, standard output\n"
            "  --keep-times    adk: times of events stay as they are; without it, one that is not after that of the\n"
            "                  event before is raised by the least that a double can hold\n"
            "  --fail-on-loss  write nothing when something would be lost\n"
            "  --json          the report as one JSON object on standard error\n"
            "                  (schema: agentchat check --schema cli-session-export)\n"
            "\n"
            "exit status: 0 written, 1 not written because of --fail-on-loss, 2 error\n",
    .run = run,
};
