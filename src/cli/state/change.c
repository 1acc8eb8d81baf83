/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat state set, add and delete: each is an event of the session, by author "system". */
#include "cli/command/arguments.h"
#include "cli/io/store.h"
#include "cli/json/writer.h"
#include "cli/state/key.h"
#include "cli/state/state.h"
#include "cli/text/error.h"
#include "cli/text/number.h"
#include <string.h>

/* ---- set -------------------------------------------------------------------------------------------------------- */

/* Whether a map would take the value: the text is JSON. false: what is wrong with it has been reported. */
static bool check_value(const cli_store *s, const char *key, const char *value)
{
    agentchat_state *state = NULL;
    agentchat_error err;
    agentchat_str span;
    agentchat_status status = agentchat_json_check(NULL, agentchat_str_from(value), &span, &err);

    if (status == AGENTCHAT_E_SYNTAX) {
        agentchat_error said;

        (void)agentchat_error_set(&said, status, "the value of %.200s is not JSON; quote it, or use --text: %s", key,
                                  err.message);
        memcpy(err.message, said.message, sizeof err.message); /* where it is stays */
    } else {
        status = agentchat_state_new(NULL, &state, &err);
        if (status >= 0)
            status = agentchat_state_set(state, key, agentchat_str_from(value), &err);
        agentchat_state_free(state);
    }
    if (status >= 0)
        return true;
    (void)fprintf(stderr, "agentchat %s: ", s->self->name);
    cli_error_print(stderr, err.line != 0 ? "JSON" : NULL, status, &err);
    return false;
}

static int run_set(int argc, char **argv)
{
    bool as_json = false, is_text = false;
    cli_store s = {.self = &cli_state_set};
    const cli_switch switches[] = {{"json", &as_json, NULL}, {"text", &is_text, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID KEY JSON", switches, 2);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    const char *key = argv[5], *value = argv[6];
    if (!(is_text ? cli_key_check(&s, key) : check_value(&s, key, value)))
        return CLI_ERROR;
    agentchat_session *session = cli_store_open_session(&s, CLI_CHANGE, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_status done =
        (is_text ? agentchat_session_set_text : agentchat_session_set)(session, key, agentchat_str_from(value), &s.err);
    status = done < 0 ? cli_store_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0 && as_json)
        cli_key_print(session, key);
    agentchat_session_free(session);
    cli_store_close(&s);
    return status;
}

const cli_command cli_state_set = {
    .name = "state set",
    .summary = "set a value",
    .help = "usage: agentchat state set [OPTION...] STORE APP USER ID KEY JSON\n"
            "\n"
            "Sets KEY to a value, which is JSON text: 5, true, '\"text\"', '{\"a\": [1, 2]}'. It is kept as it is\n"
            "spelled.\n"
            "\n"
            "  --text     the value is a text, without quotes: Ann, not '\"Ann\"'\n"
            "  --json     print the value and its revision (schema: agentchat check --schema cli-state-set)\n"
            "\n"
            "exit status: 0 success, 2 the value is not JSON, there is no such session, or error\n",
    .run = run_set,
};

/* ---- add -------------------------------------------------------------------------------------------------------- */

static int run_add(int argc, char **argv)
{
    bool as_json = false;
    int64_t amount = 0, sum = 0;
    cli_store s = {.self = &cli_state_add};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID KEY N", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    const char *key = argv[5];
    if (!cli_number_integer(argv[6], &amount))
        return cli_command_usage(s.self->name, "N must be an integer of at most 64 bits, not \"%s\"", argv[6]);
    if (!cli_key_check(&s, key))
        return CLI_ERROR;
    agentchat_session *session = cli_store_open_session(&s, CLI_CHANGE, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_status done = agentchat_session_add(session, key, amount, &sum, &s.err);
    status = done < 0 ? cli_store_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0 && as_json)
        cli_key_print(session, key);
    else if (done >= 0)
        (void)printf("%lld\n", (long long)sum);
    agentchat_session_free(session);
    cli_store_close(&s);
    return status;
}

const cli_command cli_state_add = {
    .name = "state add",
    .summary = "add to a counter, and print the sum",
    .help = "usage: agentchat state add [--json] STORE APP USER ID KEY N\n"
            "\n"
            "Adds the integer N, which may be negative, to KEY, which counts as 0 when it is not there, and\n"
            "prints the sum. Every amount counts, whoever adds at the same time.\n"
            "\n"
            "  --json     print the sum and its revision (schema: agentchat check --schema cli-state-add)\n"
            "\n"
            "exit status: 0 success, 2 the value is not an integer, there is no such session, or error\n",
    .run = run_add,
};

/* ---- delete ----------------------------------------------------------------------------------------------------- */

static void print_deleted(const char *key)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "key", key);
    cli_json_bool(&json, "deleted", true);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int run_delete(int argc, char **argv)
{
    bool as_json = false;
    cli_store s = {.self = &cli_state_delete};
    const cli_switch switches[] = {{"json", &as_json, NULL}};
    int status = cli_arguments(s.self, argc, argv, "STORE APP USER ID KEY", switches, 1);

    if (status != CLI_GO_ON)
        return status;
    cli_store_take(&s, argv);
    const char *key = argv[5];
    if (!cli_key_check(&s, key))
        return CLI_ERROR;
    agentchat_session *session = cli_store_open_session(&s, CLI_CHANGE, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    /* The key may have been there and gone since: the call decides, and the session was there. */
    agentchat_status done = agentchat_session_delete_key(session, key, &s.err);
    if (done == AGENTCHAT_E_NOTFOUND && s.err.source[0] == '\0')
        status = cli_key_missing(&s, key);
    else
        status = done < 0 ? cli_store_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0 && as_json)
        print_deleted(key);
    agentchat_session_free(session);
    cli_store_close(&s);
    return status;
}

const cli_command cli_state_delete = {
    .name = "state delete",
    .summary = "take a key out",
    .help = "usage: agentchat state delete [--json] STORE APP USER ID KEY\n"
            "\n"
            "Takes KEY out of the state.\n"
            "\n"
            "  --json     one JSON object (schema: agentchat check --schema cli-state-delete)\n"
            "\n"
            "exit status: 0 success, 1 there is no such key, 2 there is no such session, or error\n",
    .run = run_delete,
};
