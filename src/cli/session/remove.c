/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat session delete, delete-user and rewind: what takes something out of a store. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/json/writer.h"
#include "cli/session/session.h"
#include "cli/text/put.h"

/* `2 sessions deleted`, or as the member `name`. */
static void print_removed(bool as_json, const char *name, uint64_t count, const char *one, const char *many)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        cli_put_count(stdout, (size_t)count, one, many);
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_count(&json, name, count);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* ---- delete ----------------------------------------------------------------------------------------------------- */

static int run_delete(int argc, char **argv)
{
    bool as_json = false;
    cli_store s = {.self = &cli_session_delete};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_session_delete(s.store, &s.who, &s.err);
    if (done < 0)
        status = cli_store_fail_session(&s, done);
    else
        status = CLI_SUCCESS;
    if (done >= 0 && as_json)
        print_removed(true, "sessions", 1, "", "");
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_delete = {
    .name = "session delete",
    .summary = "delete a session with its events and its own state",
    .help = "usage: agentchat session delete [--json] STORE APP USER ID\n"
            "\n"
            "Deletes a session with its events and its own state. State of the user and of the application stays.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-session-delete)\n"
            "\n"
            "exit status: 0 success, 2 there is no such session, or error\n",
    .run = run_delete,
};

/* ---- delete-user ------------------------------------------------------------------------------------------------ */

static int run_delete_user(int argc, char **argv)
{
    bool as_json = false;
    uint64_t sessions = 0;
    cli_store s = {.self = &cli_session_delete_user};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    s.who.app = argv[2];
    s.who.user = argv[3];
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_user_delete(s.store, s.who.app, s.who.user, &sessions, &s.err);
    if (done < 0)
        status = cli_store_fail(&s, done);
    else
        status = CLI_SUCCESS;
    if (done >= 0)
        print_removed(as_json, "sessions", sessions, "session deleted\n", "sessions deleted\n");
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_delete_user = {
    .name = "session delete-user",
    .summary = "delete all that an application holds of a user",
    .help = "usage: agentchat session delete-user [--json] STORE APP USER\n"
            "\n"
            "Deletes all that an application holds of a user: sessions, events, their state, and the state of the\n"
            "user. Prints how many sessions that were; none is no error.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-session-delete-user)\n"
            "\n"
            "exit status: 0 success, 2 error\n",
    .run = run_delete_user,
};

/* ---- rewind ----------------------------------------------------------------------------------------------------- */

static int run_rewind(int argc, char **argv)
{
    bool as_json = false;
    uint64_t removed = 0;
    cli_store s = {.self = &cli_session_rewind};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID EVENT", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    agentchat_session *session = cli_store_open_session(&s, CLI_CHANGE, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_status done = agentchat_session_rewind(session, argv[5], &removed, &s.err);
    if (done < 0)
        status = cli_store_fail(&s, done);
    else
        status = CLI_SUCCESS;
    if (done >= 0)
        print_removed(as_json, "events", removed, "event removed\n", "events removed\n");
    agentchat_session_free(session);
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_rewind = {
    .name = "session rewind",
    .summary = "remove the events after one, and undo what they changed",
    .help = "usage: agentchat session rewind [--json] STORE APP USER ID EVENT\n"
            "\n"
            "Removes the events after the one of that id, and gives the session's own keys the values that they\n"
            "had then. State of the user and of the application stays. Prints how many events went.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-session-rewind)\n"
            "\n"
            "exit status: 0 success, 2 there is no such session or event, or error\n",
    .run = run_rewind,
};
