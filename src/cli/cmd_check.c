/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat check: whether files are sound chats, and what is in them; or a schema. Layer: cli. */
#include "cli.h"
#include "json_out.h"
#include "report_out.h"
#include "schemas.h"
#include "terminal.h"
#include <string.h>

static int print_schema(const char *name)
{
    static const char *const formats[][2] = {{"agentchat", "agentchat-1"}, {"session", "session-1"}};

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(name, formats[i][0]) == 0)
            name = formats[i][1];
    }
    for (size_t i = 0; i < cli_schema_count; i++) {
        if (strcmp(cli_schemas[i].name, name) == 0) {
            (void)fwrite(cli_schemas[i].text, 1, cli_schemas[i].len, stdout);
            return CLI_FINE;
        }
    }
    return cli_usage(cli_check.name, "there is no schema \"%s\"", name);
}

static void print_facts(const cli_file *file)
{
    const agentchat_snapshot *snapshot = file->snapshot;

    (void)cli_put(stdout, agentchat_str_from(file->name));
    (void)printf(": %s, ", agentchat_format_name(agentchat_snapshot_format(snapshot)));
    cli_print_count(stdout, agentchat_snapshot_participant_count(snapshot), "participant, ", "participants, ");
    cli_print_count(stdout, agentchat_snapshot_message_count(snapshot), "message, ", "messages, ");
    cli_print_count(stdout, agentchat_snapshot_channel_count(snapshot), "channel, ok\n", "channels, ok\n");
}

static void print_json(const cli_file *file)
{
    cli_json json = {.out = stdout};
    const agentchat_snapshot *snapshot = file->snapshot;

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "file", file->name);
    cli_json_bool(&json, "ok", snapshot != NULL);
    if (snapshot != NULL) {
        cli_json_cstr(&json, "format", agentchat_format_name(agentchat_snapshot_format(snapshot)));
        cli_json_count(&json, "participants", agentchat_snapshot_participant_count(snapshot));
        cli_json_count(&json, "messages", agentchat_snapshot_message_count(snapshot));
        cli_json_count(&json, "channels", agentchat_snapshot_channel_count(snapshot));
        cli_json_count(&json, "values", agentchat_snapshot_value_count(snapshot));
        cli_json_bool(&json, "complete", agentchat_snapshot_is_complete(snapshot));
        cli_json_report(&json, file->report, NULL);
    } else {
        cli_json_error(&json, file->status, &file->err);
    }
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int check_file(const char *name, bool as_json)
{
    cli_file file;
    bool ok = cli_file_read(&file, name);
    int status = ok ? CLI_FINE : cli_is_bad_content(file.status) ? CLI_NO : CLI_ERROR;

    if (as_json) {
        print_json(&file);
    } else if (ok) {
        print_facts(&file);
        if (!cli_report_print(stdout, 2, file.report, NULL))
            status = CLI_ERROR;
    } else {
        /* That a file is bad is the answer; that it cannot be read is an error. */
        cli_print_error(status == CLI_NO ? stdout : stderr, name, file.status, &file.err);
    }
    cli_file_close(&file);
    return status;
}

static int run(int argc, char **argv)
{
    enum { OPT_SCHEMA = CLI_OPT_FIRST };
    static const struct option options[] = {
        CLI_OPTION_HELP, CLI_OPTION_JSON, {"schema", optional_argument, NULL, OPT_SCHEMA}, {NULL, 0, NULL, 0}};
    bool as_json = false, want_schema = false;
    const char *schema = NULL;
    int status = CLI_FINE;

    for (int option; (option = cli_option(argc, argv, options)) != -1;) {
        if (option == CLI_OPT_HELP)
            return cli_help(&cli_check);
        if (option == CLI_OPT_JSON) {
            as_json = true;
        } else if (option == OPT_SCHEMA) {
            want_schema = true;
            schema = optarg;
        } else {
            return CLI_ERROR;
        }
    }
    if (want_schema) {
        if (schema == NULL && optind < argc)
            schema = argv[optind++];
        if (optind < argc)
            return cli_usage(cli_check.name, "--schema takes one name and no files");
        return print_schema(schema == NULL ? "agentchat" : schema);
    }
    if (optind >= argc)
        return cli_usage(cli_check.name, "no file is given");
    for (int i = optind; i < argc; i++)
        status = cli_worse(status, check_file(argv[i], as_json));
    return status;
}

const cli_command cli_check = {
    .name = "check",
    .summary = "tell whether files are sound chats, and what is in them",
    .help = "usage: agentchat check [--json] FILE...\n"
            "       agentchat check --schema [NAME]\n"
            "\n"
            "Reads each FILE completely and prints one line: its format and what it holds, or the first thing\n"
            "that is wrong with it as FILE:LINE:COLUMN: POINTER: what is wrong. Below a sound file stand the\n"
            "notes and losses of reading it.\n"
            "\n"
            "  --json     one JSON object per file (schema: agentchat check --schema cli-check)\n"
            "  --schema   print a JSON schema: agentchat (the default), session, semantic-kernel, or cli-COMMAND\n"
            "             for the --json output of a command\n"
            "\n"
            "exit status: 0 all are sound, 1 one is not, 2 one cannot be read\n",
    .run = run,
};
