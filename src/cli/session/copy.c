/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat session copy: a session once more, under another id. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/session/name.h"
#include "cli/session/session.h"

static int run(int argc, char **argv)
{
    const char *new_id = NULL;
    bool as_json = false;
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;
    cli_store s = {.self = &cli_session_copy};
    const cli_switch switches[] = {{"id", NULL, &new_id}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    if (!cli_store_open(&s, CLI_CHANGE))
        return CLI_ERROR;
    agentchat_status done = agentchat_session_copy(s.store, &s.who, new_id, &made, &s.err);
    if (done < 0)
        status = cli_store_fail_session(&s, done);
    else
        status = CLI_SUCCESS;
    if (done >= 0)
        cli_session_name_print(s.who.app, s.who.user, made.ptr, as_json);
    agentchat_bytes_clear(&made);
    cli_store_close(&s);
    return status;
}

const cli_command cli_session_copy = {
    .name = "session copy",
    .summary = "copy a session to another id, and print that",
    .help = "usage: agentchat session copy [--id NEW] [--json] STORE APP USER ID\n"
            "\n"
            "Copies a session of a user, its events with their sequence numbers and its own state, to another id\n"
            "of the same user, and prints that id.\n"
            "\n"
            "  --id NEW   the id of the copy; without it one is made\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-session-copy)\n"
            "\n"
            "exit status: 0 success, 1 there is a session of the new id, 2 error\n",
    .run = run,
};
