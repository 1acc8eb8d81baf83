/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat thread export: a checkpoint's chat as a file, in any format. */
#include "cli/command/arguments.h"
#include "cli/command/format.h"
#include "cli/io/output.h"
#include "cli/io/thread.h"
#include "cli/json/writer.h"
#include "cli/show/report.h"
#include "cli/text/error.h"
#include "cli/thread/thread.h"
#include <string.h>

typedef struct job {
    cli_thread thread;
    const char *at;     /* NULL: the newest one */
    const char *output; /* "-" is standard output */
    const char *to;
    bool strict, fail_on_loss, as_json;
    agentchat_report *report;
} job;

static void print_json(const job *j, const agentchat_checkpoint *checkpoint, agentchat_status status)
{
    cli_json json = {.out = stderr};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "id", agentchat_checkpoint_get_info(checkpoint)->id);
    cli_json_cstr(&json, "output", j->output);
    cli_json_cstr(&json, "to", j->to);
    cli_json_bool(&json, "ok", status >= 0);
    if (status < 0)
        cli_json_error(&json, status, &j->thread.store.err);
    cli_json_report(&json, j->report, NULL);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static agentchat_status write_out(job *j, const agentchat_snapshot *snapshot)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_error *err = &j->thread.store.err;
    cli_output output;
    agentchat_status status;

    if (strcmp(j->output, "-") != 0 && cli_store_lies_in(&j->thread.store, j->output))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the output is the store itself");
    options.format = j->to;
    options.strict = j->strict;
    options.fail_on_loss = j->fail_on_loss;
    status = cli_output_open(&output, j->output, err);
    if (status >= 0)
        status = agentchat_snapshot_write(snapshot, output.sink, &options, &j->report, err);
    cli_output_close(&output);
    if (status < 0 && status != AGENTCHAT_E_LOSS) { /* it is of a file that nobody has, and not why */
        agentchat_report_free(j->report);
        j->report = NULL;
    }
    return status;
}

static int export_checkpoint(job *j)
{
    agentchat_checkpoint *checkpoint = cli_thread_open(&j->thread, j->at);

    if (checkpoint == NULL)
        return CLI_ERROR;
    agentchat_status status = write_out(j, agentchat_checkpoint_snapshot(checkpoint));
    if (j->as_json) {
        print_json(j, checkpoint, status);
    } else {
        if (!cli_report_print(stderr, 0, j->report, NULL))
            status = agentchat_error_set(&j->thread.store.err, AGENTCHAT_E_NOMEM, "out of memory");
        if (status < 0)
            cli_error_print(stderr, cli_output_name(j->output), status, &j->thread.store.err);
    }
    agentchat_report_free(j->report);
    agentchat_checkpoint_free(checkpoint);
    cli_store_close(&j->thread.store);
    return status >= 0 ? CLI_SUCCESS : status == AGENTCHAT_E_LOSS ? CLI_NO : CLI_ERROR;
}

static int run(int argc, char **argv)
{
    job j = {.thread = {.store = {.self = &cli_thread_export}}, .output = "-", .to = "agentchat"};
    const cli_switch switches[] = {{"at", NULL, &j.at},
                                   {"to", NULL, &j.to},
                                   {"output", NULL, &j.output},
                                   {"strict", &j.strict, NULL},
                                   {"fail-on-loss", &j.fail_on_loss, NULL},
                                   {"namespace", NULL, &j.thread.ns},
                                   {"json", &j.as_json, NULL}};
    const cli_command *self = j.thread.store.self;
    int status = cli_arguments(self, argc, argv, "STORE THREAD", switches, sizeof switches / sizeof switches[0]);

    if (status != CLI_GO_ON)
        return status;
    if (!cli_format_is_written(self, j.to, AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY))
        return CLI_ERROR;
    if (j.strict && !agentchat_format_find(j.to)->has_strict)
        return cli_command_usage(self->name, "--strict is not for --to %s", j.to);
    cli_thread_take(&j.thread, argv);
    return export_checkpoint(&j);
}

const cli_command cli_thread_export = {
    .name = "thread export",
    .summary = "write the chat of a checkpoint to a file",
    .help = "usage: agentchat thread export [OPTION...] STORE THREAD\n"
            "\n"
            "Writes the chat of the newest checkpoint to standard output or a file. The file is replaced\n"
            "atomically, and only when all went well. What the format cannot hold is said on standard error:\n"
            "  1 loss: /history/4/items/2  what is lost\n"
            "\n"
            "  --at ID         of this checkpoint\n"
            "  --to FORMAT     agentchat, which loses nothing (the default), or another (agentchat formats lists\n"
            "                  them)\n"
            "  --output FILE   the file; without it, or with -, standard output\n"
            "  --strict        semantic-kernel: exactly what .NET writes, nothing added, nothing repaired\n"
            "  --fail-on-loss  write nothing when something would be lost\n"
            "  --namespace NS  a checkpoint of this namespace\n"
            "  --json          the report as one JSON object on standard error\n"
            "                  (schema: agentchat check --schema cli-thread-export)\n"
            "\n"
            "exit status: 0 written, 1 not written because of --fail-on-loss, 2 error\n",
    .run = run,
};
