/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions out of a store and into one. */
#include "cli/command/command.h"

#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/session/session.h"
#include "cli/show/show.h"
#include "cli/terminal/terminal.h"
#include "cli/text/text.h"
#include <string.h>

/* ==== agentchat session export: a session as a file, in native format or that of an ADK ========================== */

typedef struct export_job {
    cli_store store;
    const char *output; /* "-" is standard output */
    const char *to;
    bool fail_on_loss, keep_times, as_json, lines;
    agentchat_report *report;
} export_job;

static void export_print_json(const export_job *j, agentchat_status status)
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

static agentchat_status write_out(export_job *j, const agentchat_session *session)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_error *err = &j->store.err;
    cli_output output;
    agentchat_status status;

    if (strcmp(j->output, "-") != 0 && cli_store_lies_in(&j->store, j->output))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the output is the store itself");
    options.format = j->to;
    options.fail_on_loss = j->fail_on_loss;
    options.lines = j->lines;
    options.keep_times = j->keep_times;
    status = cli_output_open(&output, j->output, err);
    if (status >= 0)
        status = agentchat_session_export(session, output.sink, &options, &j->report, err);
    cli_output_close(&output);
    return status;
}

static int export_session(export_job *j)
{
    agentchat_session *session = cli_store_open_session(&j->store, CLI_READ, NULL);

    if (session == NULL)
        return CLI_ERROR;
    agentchat_status status = write_out(j, session);
    if (j->as_json) {
        export_print_json(j, status);
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

static int export_run(int argc, char **argv)
{
    export_job j = {.store = {.self = &cli_session_export}, .output = "-", .to = "agentchat"};
    const cli_switch switches[] = {{"to", NULL, &j.to},
                                   {"output", NULL, &j.output},
                                   {"fail-on-loss", &j.fail_on_loss, NULL},
                                   {"keep-times", &j.keep_times, NULL},
                                   {"lines", &j.lines, NULL},
                                   {"json", &j.as_json, NULL}};
    int status = cli_arguments(j.store.self, argc, argv, "STORE APP USER ID", switches, 6);

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
            "  --lines         JSON lines: the events alone, each on a line of its own\n"
            "  --keep-times    adk: times of events stay as they are; without it, one that is not after that of the\n"
            "                  event before is raised by the least that a double can hold\n"
            "  --fail-on-loss  write nothing when something would be lost\n"
            "  --json          the report as one JSON object on standard error\n"
            "                  (schema: agentchat check --schema cli-session-export)\n"
            "\n"
            "exit status: 0 written, 1 not written because of --fail-on-loss, 2 error\n",
    .run = export_run,
};

/* ==== agentchat session import: files of sessions into a store, each all or nothing ============================== */

typedef struct import_job {
    cli_store store;
    bool fail_on_loss, as_json;
    bool is_over; /* the store cannot be opened */
    cli_progress progress;
} import_job;

static void import_print_json(const char *file, const agentchat_session *session, const agentchat_report *report,
                              agentchat_status status, const agentchat_error *err)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "file", file);
    cli_json_bool(&json, "ok", status >= 0);
    if (status >= 0) {
        const agentchat_session_id *who = agentchat_session_get_id(session);

        cli_json_cstr(&json, "app", who->app);
        cli_json_cstr(&json, "user", who->user);
        cli_json_cstr(&json, "id", who->id);
        cli_json_count(&json, "sequence", agentchat_session_sequence(session));
    } else {
        cli_json_error(&json, status, err);
    }
    cli_json_report(&json, report, NULL);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* `APP USER ID  FILE`, and on standard error what reading lost, below the file's name. false: out of memory. */
static bool print(const import_job *j, const char *file, const agentchat_session *session,
                  const agentchat_report *report, agentchat_status status, const agentchat_error *err)
{
    if (status >= 0) {
        const agentchat_session_id *who = agentchat_session_get_id(session);
        const char *const names[] = {who->app, who->user, who->id, "", file};

        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            (void)cli_put(stdout, agentchat_str_from(names[i]));
            (void)fputc(i + 1 < sizeof names / sizeof names[0] ? ' ' : '\n', stdout);
        }
        if (agentchat_report_count(report) > 0) {
            (void)cli_put(stderr, agentchat_str_from(file));
            (void)fputs(":\n", stderr);
        }
    } else if (err->source[0] != '\0') {
        (void)cli_store_fail(&j->store, status);
    } else {
        cli_error_print(stderr, file, status, err);
    }
    return cli_report_print(stderr, 2, report, NULL);
}

static int exit_of(agentchat_status status)
{
    if (status >= 0)
        return CLI_SUCCESS;
    return status == AGENTCHAT_E_LOSS || status == AGENTCHAT_E_EXISTS ? CLI_NO : CLI_ERROR;
}

/* Opens the store for the first file that is there, so that none is made for nothing. false: the reason has been
   reported. */
static bool has_store(import_job *j)
{
    j->is_over = j->store.store == NULL && !cli_store_open(&j->store, CLI_MAKE);
    return !j->is_over;
}

static int import_file(import_job *j, const char *name)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_source *source = NULL;
    agentchat_session *session = NULL;
    agentchat_report *report = NULL;
    agentchat_error *err = &j->store.err;
    agentchat_status status = cli_progress_open(&j->progress, name, &source, err);

    if (status >= 0 && !has_store(j)) {
        agentchat_source_free(source);
        return CLI_ERROR;
    }
    options.as = j->store.who;
    options.fail_on_loss = j->fail_on_loss;
    if (status >= 0)
        status = agentchat_session_import(j->store.store, source, &options, &session, &report, err);
    agentchat_source_free(source);
    cli_progress_hide(&j->progress);
    int result = exit_of(status);
    if (j->as_json)
        import_print_json(name, session, report, status, err);
    else if (!print(j, name, session, report, status, err))
        result = CLI_ERROR;
    agentchat_report_free(report);
    agentchat_session_free(session);
    return result;
}

static int import_run(int argc, char **argv)
{
    import_job j = {.store = {.self = &cli_session_import}};
    const cli_switch switches[] = {{"app", NULL, &j.store.who.app},
                                   {"user", NULL, &j.store.who.user},
                                   {"fail-on-loss", &j.fail_on_loss, NULL},
                                   {"json", &j.as_json, NULL}};
    int status = cli_arguments(j.store.self, argc, argv, "STORE FILE...", switches, 4);
    size_t files = 0;

    if (status != CLI_GO_ON)
        return status;
    j.store.name = argv[1];
    while (argv[2 + files] != NULL)
        files++;
    if (!cli_store_check_names(&j.store))
        return CLI_ERROR;
    cli_progress_begin(&j.progress, files);
    status = CLI_SUCCESS;
    for (size_t i = 0; i < files && !j.is_over; i++)
        status = cli_command_worse(status, import_file(&j, argv[2 + i]));
    cli_store_close(&j.store);
    return status;
}

const cli_command cli_session_import = {
    .name = "session import",
    .summary = "read files of sessions into a store",
    .help = "usage: agentchat session import [OPTION...] STORE FILE...\n"
            "\n"
            "Reads each FILE into the store, all of it or nothing, and prints APP USER ID  FILE. A file holds one\n"
            "session: in native format, as an ADK writes it (*.session.json, camelCase or snake_case), or as an\n"
            "ADK's REST interface answers. What cannot be kept is said on standard error. A file that cannot be\n"
            "read does not stop the others. An SQLite file that is not there is made.\n"
            "\n"
            "  --app APP       the application, where a file names none or another is wanted\n"
            "  --user USER     the user, in the same way\n"
            "  --fail-on-loss  import nothing of a file of which something would be lost\n"
            "  --json          one JSON object per file (schema: agentchat check --schema cli-session-import)\n"
            "\n"
            "exit status: 0 success, 1 a session is there already or something would be lost, 2 error\n",
    .run = import_run,
};
