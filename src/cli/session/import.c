/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat session import: files of sessions into a store, each all or nothing. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/json/writer.h"
#include "cli/session/session.h"
#include "cli/show/report.h"
#include "cli/terminal/progress.h"
#include "cli/text/error.h"
#include "cli/text/put.h"

typedef struct job {
    cli_store store;
    bool fail_on_loss, as_json;
    bool is_over; /* the store cannot be opened */
    cli_progress progress;
} job;

static void print_json(const char *file, const agentchat_session *session, const agentchat_report *report,
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
static bool print(const job *j, const char *file, const agentchat_session *session, const agentchat_report *report,
                  agentchat_status status, const agentchat_error *err)
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
static bool has_store(job *j)
{
    j->is_over = j->store.store == NULL && !cli_store_open(&j->store, CLI_MAKE);
    return !j->is_over;
}

static int import_file(job *j, const char *name)
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
        print_json(name, session, report, status, err);
    else if (!print(j, name, session, report, status, err))
        result = CLI_ERROR;
    agentchat_report_free(report);
    agentchat_session_free(session);
    return result;
}

static int run(int argc, char **argv)
{
    job j = {.store = {.self = &cli_session_import}};
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
    .run = run,
};
