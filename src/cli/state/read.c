/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat state all and get: the values that a session shows. */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/io/value.h"
#include "cli/json/writer.h"
#include "cli/state/key.h"
#include "cli/state/state.h"

/* ---- all -------------------------------------------------------------------------------------------------------- */

static agentchat_status print_all(const agentchat_session *session, bool as_json, agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status = agentchat_state_write(agentchat_session_state(session), &text, err);
    cli_json json = {.out = stdout};

    if (status >= 0 && as_json) {
        cli_json_begin(&json, NULL, '{');
        cli_json_count(&json, "sequence", agentchat_session_sequence(session));
        cli_json_raw(&json, "state", (agentchat_str){text.ptr, text.len});
        cli_json_end(&json, '}');
        cli_json_line(&json);
    } else if (status >= 0) {
        cli_value_put(stdout, (agentchat_str){text.ptr, text.len});
    }
    agentchat_bytes_clear(&text);
    return status;
}

static int run_all(int argc, char **argv)
{
    bool as_json = false;
    cli_store s = {.self = &cli_state_all};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    agentchat_session *session = cli_store_open_session(&s, CLI_READ, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_status printed = print_all(session, as_json, &s.err);
    agentchat_session_free(session);
    cli_store_close(&s);
    return printed < 0 ? cli_store_fail(&s, printed) : CLI_SUCCESS;
}

const cli_command cli_state_all = {
    .name = "state all",
    .summary = "print all values as one JSON object",
    .help = "usage: agentchat state all [--json] STORE APP USER ID\n"
            "\n"
            "Prints the state that a session shows as one JSON object: its own keys, and those of its user and of\n"
            "the application with user: and app: in front. Values are spelled as they were set.\n"
            "\n"
            "  --json     with the session's sequence (schema: agentchat check --schema cli-state-all)\n"
            "\n"
            "exit status: 0 success, 2 there is no such session, or error\n",
    .run = run_all,
};

/* ---- get -------------------------------------------------------------------------------------------------------- */

static int run_get(int argc, char **argv)
{
    bool as_json = false;
    cli_store s = {.self = &cli_state_get};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID KEY", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    const char *key = argv[5];
    if (!cli_key_check(&s, key))
        return CLI_ERROR;
    agentchat_session *session = cli_store_open_session(&s, CLI_READ, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_str value = agentchat_state_get(agentchat_session_state(session), key);
    if (value.ptr == NULL)
        status = cli_key_missing(&s, key);
    else
        status = CLI_SUCCESS;
    if (value.ptr != NULL && as_json)
        cli_key_print(session, key);
    else if (value.ptr != NULL)
        cli_value_put(stdout, value);
    agentchat_session_free(session);
    cli_store_close(&s);
    return status;
}

const cli_command cli_state_get = {
    .name = "state get",
    .summary = "print one value",
    .help = "usage: agentchat state get [--json] STORE APP USER ID KEY\n"
            "\n"
            "Prints the value of KEY, JSON as it is spelled. user: or app: in front of a key says that it is the\n"
            "user's or the application's.\n"
            "\n"
            "  --json     with its revision (schema: agentchat check --schema cli-state-get)\n"
            "\n"
            "exit status: 0 success, 1 there is no such key, 2 there is no such session, or error\n",
    .run = run_get,
};
