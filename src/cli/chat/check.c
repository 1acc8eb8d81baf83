/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat check: whether files are valid chats, and what is in them; or a schema. */
#include "cli/chat/chat.h"
#include "cli/chat/schemas.h"
#include "cli/command/arguments.h"
#include "cli/io/document.h"
#include "cli/json/writer.h"
#include "cli/show/report.h"
#include "cli/text/error.h"
#include "cli/text/put.h"
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
            return CLI_SUCCESS;
        }
    }
    return cli_command_usage(cli_check.name, "there is no schema \"%s\"", name);
}

static void print_facts(const cli_document *file)
{
    const agentchat_snapshot *snapshot = agentchat_document_snapshot(file->document);

    (void)cli_put(stdout, agentchat_str_from(file->name));
    (void)printf(": %s, ", agentchat_document_format(file->document));
    if (snapshot == NULL) {
        if (agentchat_document_session(file->document) != NULL)
            (void)fputs("a session, ", stdout);
        cli_put_count(stdout, agentchat_document_event_count(file->document), "event, ok\n", "events, ok\n");
        return;
    }
    cli_put_count(stdout, agentchat_snapshot_participant_count(snapshot), "participant, ", "participants, ");
    cli_put_count(stdout, agentchat_messages_count(agentchat_snapshot_history(snapshot)), "message, ", "messages, ");
    cli_put_count(stdout, agentchat_snapshot_channel_count(snapshot), "channel, ok\n", "channels, ok\n");
}

static void print_json_facts(cli_json *json, const cli_document *file)
{
    const agentchat_snapshot *snapshot = agentchat_document_snapshot(file->document);

    cli_json_cstr(json, "kind", agentchat_document_kind_name(agentchat_document_get_kind(file->document)));
    cli_json_cstr(json, "format", agentchat_document_format(file->document));
    if (snapshot != NULL) {
        cli_json_count(json, "participants", agentchat_snapshot_participant_count(snapshot));
        cli_json_count(json, "messages", agentchat_messages_count(agentchat_snapshot_history(snapshot)));
        cli_json_count(json, "channels", agentchat_snapshot_channel_count(snapshot));
        cli_json_count(json, "values", agentchat_snapshot_value_count(snapshot));
        cli_json_bool(json, "complete", agentchat_snapshot_is_complete(snapshot));
    } else {
        cli_json_count(json, "events", agentchat_document_event_count(file->document));
    }
    cli_json_report(json, file->report, NULL);
}

static void print_json(const cli_document *file)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "file", file->name);
    cli_json_bool(&json, "ok", file->document != NULL);
    if (file->document != NULL)
        print_json_facts(&json, file);
    else
        cli_json_error(&json, file->status, &file->err);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int check_file(const char *name, bool as_json)
{
    cli_document file;
    bool ok = cli_document_read(&file, name);
    int status = ok ? CLI_SUCCESS : cli_document_is_bad(file.status) ? CLI_NO : CLI_ERROR;

    if (as_json) {
        print_json(&file);
    } else if (ok) {
        print_facts(&file);
        if (!cli_report_print(stdout, 2, file.report, NULL))
            status = CLI_ERROR;
    } else {
        /* That a file is bad is the answer; that it cannot be read is an error. */
        cli_error_print(status == CLI_NO ? stdout : stderr, name, file.status, &file.err);
    }
    cli_document_close(&file);
    return status;
}

static int run(int argc, char **argv)
{
    bool as_json = false, want_schema = false;
    const char *schema = NULL;
    const cli_switch switches[] = {{"json", &as_json, NULL}, {"schema", &want_schema, &schema}};
    int status = cli_arguments(&cli_check, argc, argv, "[FILE]...", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    argv++;
    if (want_schema) {
        if (schema == NULL && *argv != NULL)
            schema = *argv++;
        if (*argv != NULL)
            return cli_command_usage(cli_check.name, "--schema takes one name and no files");
        return print_schema(schema == NULL ? "agentchat" : schema);
    }
    if (*argv == NULL)
        return cli_command_usage(cli_check.name, "FILE is missing");
    for (status = CLI_SUCCESS; *argv != NULL; argv++)
        status = cli_command_worse(status, check_file(*argv, as_json));
    return status;
}

const cli_command cli_check = {
    .name = "check",
    .summary = "check whether files are valid chats, sessions or events",
    .help = "usage: agentchat check [--json] FILE...\n"
            "       agentchat check --schema [NAME]\n"
            "\n"
            "Reads each FILE completely, a chat, a history, the file of a session, an event, or events one a\n"
            "line, and prints one line: its format and what it holds, or the first thing that is wrong with it as\n"
            "FILE:LINE:COLUMN: POINTER: what is wrong. Below a valid file stand the notes and losses of reading\n"
            "it.\n"
            "\n"
            "  --json     one JSON object per file (schema: agentchat check --schema cli-check)\n"
            "  --schema   print a JSON schema: agentchat (the default), session, semantic-kernel,\n"
            "             verify-expectation, verify-manifest, or cli-COMMAND for the --json output of a command\n"
            "\n"
            "exit status: 0 all are valid, 1 one is not, 2 one cannot be read\n",
    .run = run,
};
