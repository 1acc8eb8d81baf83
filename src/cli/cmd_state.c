/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat state: the values that a session shows, those of its user and of the application among them. Layer: cli. */
#include "cmd_state.h"
#include "arguments.h"
#include "group.h"
#include "json_out.h"
#include "terminal.h"
#include "values_out.h"

void cli_state_print(const agentchat_session *session, const char *key)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "key", key);
    cli_json_raw(&json, "value", agentchat_state_get(agentchat_session_state(session), key));
    cli_json_count(&json, "revision", agentchat_session_revision(session, key));
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

bool cli_state_check_key(const cli_store *s, const char *key)
{
    agentchat_error err;
    agentchat_status status = agentchat_key_check(agentchat_str_from(key), &err);

    if (status < 0) {
        (void)fprintf(stderr, "agentchat %s: ", s->self->name);
        cli_print_error(stderr, NULL, status, &err);
    }
    return status >= 0;
}

int cli_state_no_key(const cli_store *s, const char *key)
{
    (void)fprintf(stderr, "agentchat %s: there is no key ", s->self->name);
    (void)cli_put(stderr, agentchat_str_from(key));
    (void)fputc('\n', stderr);
    return CLI_NO;
}

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
        cli_put_value(stdout, (agentchat_str){text.ptr, text.len});
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
    agentchat_session *session = cli_session_open(&s, CLI_READ, 0);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_status printed = print_all(session, as_json, &s.err);
    agentchat_session_free(session);
    cli_store_close(&s);
    return printed < 0 ? cli_store_fail(&s, printed) : CLI_FINE;
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
            "exit status: 0 fine, 2 there is no such session, or error\n",
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
    if (!cli_state_check_key(&s, key))
        return CLI_ERROR;
    agentchat_session *session = cli_session_open(&s, CLI_READ, 0);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_str value = agentchat_state_get(agentchat_session_state(session), key);
    if (value.ptr == NULL)
        status = cli_state_no_key(&s, key);
    else
        status = CLI_FINE;
    if (value.ptr != NULL && as_json)
        cli_state_print(session, key);
    else if (value.ptr != NULL)
        cli_put_value(stdout, value);
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
            "exit status: 0 fine, 1 there is no such key, 2 there is no such session, or error\n",
    .run = run_get,
};

/* ---- the group -------------------------------------------------------------------------------------------------- */

static const cli_command *const commands[] = {&cli_state_all, &cli_state_get, &cli_state_set, &cli_state_add,
                                              &cli_state_delete};

static int run(int argc, char **argv)
{
    static const cli_group group = {"state",
                                    "Keys of a session stand as they are; app: and user: in front of a key say that "
                                    "it is shared by all\nsessions of the application or of the user. Every change is "
                                    "an event of the session.\n" CLI_ABOUT_STORE,
                                    commands, sizeof commands / sizeof commands[0]};

    return cli_group_run(&group, argc, argv);
}

const cli_command cli_state_group = {
    .name = "state",
    .summary = "look at and change the state that a session shows",
    .run = run,
};
