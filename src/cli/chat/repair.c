/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat repair: a chat that a model's provider accepts; and what `agentchat check --for` says of one. */
#include "cli/chat/chat.h"

#include "cli/io/io.h"
#include "cli/show/show.h"
#include "cli/text/text.h"
#include <agentchat/repair.h>
#include <string.h>

const agentchat_repair_profile *cli_repair_profile(const cli_command *self, const char *name)
{
    const agentchat_repair_profile *profile = agentchat_repair_profile_find(name);

    if (profile == NULL)
        (void)cli_command_usage(self->name, "--for takes openai-chat, openai-responses or anthropic, not \"%s\"", name);
    return profile;
}

typedef struct job {
    const char *in, *out, *to;
    const agentchat_repair_profile *profile;
    agentchat_repair_options options;
    bool dry_run, as_json;
    agentchat_snapshot *repaired;
    agentchat_report *read, *changes, *edited, *written;
} job;

static void print_json(const job *j, agentchat_status status, const agentchat_error *err)
{
    const agentchat_report *const reports[] = {j->read, j->changes, j->edited, j->written};
    cli_json json = {.out = stderr};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "in", j->in);
    cli_json_cstr(&json, "for", j->profile->name);
    cli_json_bool(&json, "ok", status >= 0);
    if (status < 0)
        cli_json_error(&json, status, err);
    else
        cli_json_count(&json, "changes",
                       agentchat_report_count_of(j->changes, AGENTCHAT_REPORT_REPAIR) +
                           agentchat_report_count_of(j->changes, AGENTCHAT_REPORT_LOSS));
    cli_json_reports(&json, reports, sizeof reports / sizeof *reports);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static agentchat_status repair(job *j, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    agentchat_list_edit *edit = NULL;
    agentchat_status status;

    j->options.from = agentchat_snapshot_format(snapshot);
    status = agentchat_repair(cli_input_env(), agentchat_snapshot_history(snapshot), j->profile, &j->options, NULL,
                              &edit, &j->changes, err);
    if (status >= 0)
        status = agentchat_snapshot_edit(cli_input_env(), snapshot, edit, &j->repaired, &j->edited, err);
    agentchat_list_edit_free(edit);
    return status;
}

const char *cli_chat_format(const agentchat_snapshot *snapshot)
{
    const agentchat_format *format = agentchat_format_find(agentchat_snapshot_format(snapshot));

    return format != NULL && (format->writes & (AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY)) != 0 ? format->name
                                                                                                      : "agentchat";
}

static agentchat_status write_out(job *j, agentchat_error *err)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    options.format = j->to;
    options.strict = true;
    return cli_output_chat(j->out, j->repaired, &options, &j->written, err);
}

static int repair_file(job *j)
{
    const char *failed = j->in;
    cli_input file;
    bool ok = cli_input_read(&file, j->in);
    agentchat_status status = file.status;
    agentchat_error err = file.err;

    j->read = ok ? file.report : NULL;
    if (ok) {
        j->to = cli_chat_format(file.snapshot);
        status = repair(j, file.snapshot, &err);
    }
    if (ok && status >= 0 && !j->dry_run) {
        failed = cli_output_name(j->out);
        status = write_out(j, &err);
    }
    if (j->as_json)
        print_json(j, status, &err);
    else if (status < 0)
        cli_error_print(stderr, failed, status, &err);
    else if (!cli_report_print(stderr, 0, j->read, j->changes) || !cli_report_print(stderr, 0, j->edited, j->written))
        status = AGENTCHAT_E_NOMEM;
    agentchat_report_free(j->changes);
    agentchat_report_free(j->edited);
    agentchat_report_free(j->written);
    agentchat_snapshot_unref(j->repaired);
    cli_input_close(&file);
    return status >= 0 ? CLI_SUCCESS : CLI_ERROR;
}

static int repair_run(int argc, char **argv)
{
    job j = {.options = AGENTCHAT_REPAIR_OPTIONS_INIT};
    const char *profile = NULL;
    const cli_switch switches[] = {{"for", NULL, &profile},
                                   {"complete", &j.options.complete, NULL},
                                   {"dry-run", &j.dry_run, NULL},
                                   {"json", &j.as_json, NULL}};
    int status = cli_arguments(&cli_repair, argc, argv, "IN [OUT]", switches, 4);

    if (status != CLI_GO_ON)
        return status;
    if (profile == NULL)
        return cli_command_usage(cli_repair.name, "--for is missing: whose rules count");
    j.profile = cli_repair_profile(&cli_repair, profile);
    if (j.profile == NULL)
        return CLI_ERROR;
    j.in = argv[1];
    j.out = argv[2] != NULL ? argv[2] : "-";
    return repair_file(&j);
}

const cli_command cli_repair = {
    .name = "repair",
    .summary = "make a chat one that a model's provider accepts",
    .help = "usage: agentchat repair --for PROFILE [OPTION...] IN [OUT]\n"
            "\n"
            "Reads IN, changes what the provider would refuse, and writes OUT in IN's format; without OUT, and for -,\n"
            "that is standard output. Calls without a result get a failed one, results are moved after their calls,\n"
            "those without a call become texts, ids and names get other characters. What was changed is said on\n"
            "standard error. A chat that is accepted stays as it is, and so does one that was repaired.\n"
            "\n"
            "  --for PROFILE  openai-chat, openai-responses or anthropic\n"
            "  --complete     calls of the last turn, which still wait, get failed results, too\n"
            "  --dry-run      write nothing\n"
            "  --json         the report as one JSON object on standard error\n"
            "                 (schema: agentchat check --schema cli-repair)\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = repair_run,
};
