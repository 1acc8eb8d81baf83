/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat convert: from any format to any, and what that changed or lost. */
#include "cli/chat/chat.h"
#include "cli/command/arguments.h"
#include "cli/command/format.h"
#include "cli/io/input.h"
#include "cli/io/output.h"
#include "cli/io/stored.h"
#include "cli/json/writer.h"
#include "cli/show/report.h"
#include "cli/text/error.h"

typedef struct job {
    const char *in, *out, *to;
    bool strict, fail_on_loss, as_json;
    agentchat_report *read, *written;
} job;

static void print_json(const job *j, agentchat_status status, const agentchat_error *err)
{
    cli_json json = {.out = stderr};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "in", j->in);
    cli_json_cstr(&json, "out", j->out);
    cli_json_cstr(&json, "to", j->to);
    cli_json_bool(&json, "ok", status >= 0);
    if (status < 0)
        cli_json_error(&json, status, err);
    cli_json_report(&json, j->read, j->written);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static agentchat_status write_out(job *j, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    cli_output output;
    agentchat_status status;

    if (cli_stored_lies_in(j->out))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the output is the store itself");
    status = cli_output_open(&output, j->out, err);
    options.format = j->to;
    options.strict = j->strict;
    options.fail_on_loss = j->fail_on_loss;
    if (status >= 0)
        status = agentchat_snapshot_write(snapshot, output.sink, &options, &j->written, err);
    cli_output_close(&output);
    if (status < 0 && status != AGENTCHAT_E_LOSS) { /* it is of a file that nobody has, and not why */
        agentchat_report_free(j->written);
        j->written = NULL;
    }
    return status;
}

static int convert(job *j)
{
    cli_input file;
    const char *failed = j->in;
    bool ok = cli_input_read(&file, j->in);
    agentchat_status status = file.status;
    agentchat_error err = file.err;

    j->read = ok ? file.report : NULL;
    if (ok && j->fail_on_loss && agentchat_report_count_of(j->read, AGENTCHAT_REPORT_LOSS) > 0) {
        status = agentchat_error_set(&err, AGENTCHAT_E_LOSS, "reading loses something, so nothing was written");
    } else if (ok) {
        failed = cli_output_name(j->out);
        status = write_out(j, file.snapshot, &err);
    }
    if (j->as_json) {
        print_json(j, status, &err);
    } else {
        if (!cli_report_print(stderr, 0, j->read, j->written))
            status = agentchat_error_set(&err, AGENTCHAT_E_NOMEM, "out of memory");
        if (status < 0)
            cli_error_print(stderr, failed, status, &err);
    }
    agentchat_report_free(j->written);
    cli_input_close(&file);
    return status >= 0 ? CLI_SUCCESS : status == AGENTCHAT_E_LOSS ? CLI_NO : CLI_ERROR;
}

static int run(int argc, char **argv)
{
    job j = {.to = NULL};
    const char *copies = NULL;
    const cli_switch switches[] = {{"to", NULL, &j.to},
                                   {"strict", &j.strict, NULL},
                                   {"fail-on-loss", &j.fail_on_loss, NULL},
                                   {"max-copies", NULL, &copies},
                                   {"json", &j.as_json, NULL}};
    int status = cli_arguments(&cli_convert, argc, argv, "IN OUT", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (j.to == NULL)
        return cli_command_usage(cli_convert.name, "--to is missing: the format to write");
    if (!cli_format_is_written(&cli_convert, j.to, AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY))
        return CLI_ERROR;
    if (j.strict && !agentchat_format_find(j.to)->has_strict)
        return cli_command_usage(cli_convert.name, "--strict is not for --to %s", j.to);
    if (copies != NULL && !cli_input_max_copies(&cli_convert, copies))
        return CLI_ERROR;
    j.in = argv[1];
    j.out = argv[2];
    return convert(&j);
}

const cli_command cli_convert = {
    .name = "convert",
    .summary = "write a chat in another format, and say what that changes",
    .help =
        "usage: agentchat convert --to FORMAT [OPTION...] IN OUT\n"
        "\n"
        "Reads IN and writes OUT in FORMAT, one that `agentchat formats` says chats are written in. OUT is replaced\n"
        "atomically, and only when all went well; - is standard output. Of a session the chat of its events is\n"
        "written (agentchat session import reads session files). What had to be repaired for FORMAT's\n"
        "readers, and what FORMAT cannot hold, is said on standard error:\n"
        "  1 loss: /history/4/items/2  what is lost\n"
        "\n"
        "  --strict        semantic-kernel: exactly what .NET writes, nothing added, nothing repaired\n"
        "  --fail-on-loss  write nothing when something would be lost\n"
        "  --max-copies N  let channels repeat the history up to N times IN's size, not 16\n"
        "  --json          the report as one JSON object on standard error\n"
        "                  (schema: agentchat check --schema cli-convert)\n"
        "\n"
        "exit status: 0 written, 1 not written because of --fail-on-loss, 2 error\n",
    .run = run,
};
