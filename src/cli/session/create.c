/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat session create: a new session, with its first state. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/session/name.h"
#include "cli/session/session.h"
#include "cli/text/error.h"

/* The first state; NULL stays NULL. false: the text is none, which has been reported. */
static bool read_state(const char *text, agentchat_state **out)
{
    agentchat_error err;
    agentchat_status status = AGENTCHAT_OK;

    *out = NULL;
    if (text != NULL)
        status = agentchat_state_read(NULL, agentchat_str_from(text), out, &err);
    if (status < 0) {
        (void)fprintf(stderr, "agentchat %s: ", cli_session_create.name);
        cli_error_print(stderr, "--state", status, &err);
    }
    return status >= 0;
}

static int create(cli_store *s, const agentchat_state *initial, bool as_json)
{
    agentchat_session *session = NULL;

    if (!cli_store_check_names(s) || !cli_store_open(s, CLI_MAKE))
        return CLI_ERROR;
    agentchat_status made = agentchat_session_create(s->store, &s->who, initial, &session, &s->err);
    int status = made < 0 ? cli_store_fail(s, made) : CLI_SUCCESS;
    if (made >= 0)
        cli_session_name_print(s->who.app, s->who.user, agentchat_session_get_id(session)->id, as_json);
    agentchat_session_free(session);
    cli_store_close(s);
    return status;
}

static int run(int argc, char **argv)
{
    const char *text = NULL;
    bool as_json = false;
    cli_store s = {.self = &cli_session_create};
    const cli_switch switches[] = {{"id", NULL, &s.who.id}, {"state", NULL, &text}, {"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER", switches, 3);
    agentchat_state *initial = NULL;

    if (status != CLI_GO_ON)
        return status;
    s.name = argv[1];
    s.who.app = argv[2];
    s.who.user = argv[3];
    if (!read_state(text, &initial))
        return CLI_ERROR;
    status = create(&s, initial, as_json);
    agentchat_state_free(initial);
    return status;
}

const cli_command cli_session_create = {
    .name = "session create",
    .summary = "make a session and print its id",
    .help = "usage: agentchat session create [--id ID] [--state JSON] [--json] STORE APP USER\n"
            "\n"
            "Makes a session and prints its id. An SQLite file that is not there is made.\n"
            "\n"
            "  --id ID       its id; without it one is made\n"
            "  --state JSON  its first state, an object: app: and user: keys go to the application and the user,\n"
            "                temp: keys are left out\n"
            "  --json        one JSON object (schema: agentchat check --schema cli-session-create)\n"
            "\n"
            "exit status: 0 success, 1 there is a session of that id, 2 error\n",
    .run = run,
};
