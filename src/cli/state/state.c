/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat state and agentchat template. */
#include "cli/state/state.h"

#include "cli/command/command.h"
#include "cli/io/io.h"
#include "cli/json/json.h"
#include "cli/text/text.h"
#include <agentchat/template.h>
#include <string.h>

/* ==== key ======================================================================================================== */

/* `{"key": …, "value": …, "revision": …}` of a key as the handle shows it. */
static void key_print(const agentchat_session *session, const char *key)
{
    cli_json json = {.out = stdout};

    cli_json_begin(&json, NULL, '{');
    cli_json_cstr(&json, "key", key);
    cli_json_raw(&json, "value", agentchat_state_get(agentchat_session_state(session), key));
    cli_json_count(&json, "revision", agentchat_session_revision(session, key));
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

/* A key that breaks the rules is nobody's: not even the store is opened for it. false: it has been reported. */
static bool key_check(const cli_store *s, const char *key)
{
    agentchat_error err;
    agentchat_status status = agentchat_key_check(key, &err);

    if (status < 0) {
        (void)fprintf(stderr, "agentchat %s: ", s->self->name);
        cli_error_print(stderr, NULL, status, &err);
    }
    return status >= 0;
}

/* Says that the key is not there and returns the exit status. */
static int key_missing(const cli_store *s, const char *key)
{
    (void)fprintf(stderr, "agentchat %s: there is no key ", s->self->name);
    (void)cli_put(stderr, agentchat_str_from(key));
    (void)fputc('\n', stderr);
    return CLI_NO;
}

/* ==== agentchat state set, add and delete: each is an event of the session, by author "system" =================== */

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
    if (!(is_text ? key_check(&s, key) : check_value(&s, key, value)))
        return CLI_ERROR;
    agentchat_session *session = cli_store_open_session(&s, CLI_CHANGE, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_status done =
        (is_text ? agentchat_session_set_text : agentchat_session_set)(session, key, agentchat_str_from(value), &s.err);
    status = done < 0 ? cli_store_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0 && as_json)
        key_print(session, key);
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
    if (!key_check(&s, key))
        return CLI_ERROR;
    agentchat_session *session = cli_store_open_session(&s, CLI_CHANGE, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_status done = agentchat_session_add(session, key, amount, &sum, &s.err);
    status = done < 0 ? cli_store_fail(&s, done) : CLI_SUCCESS;
    if (done >= 0 && as_json)
        key_print(session, key);
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
    if (!key_check(&s, key))
        return CLI_ERROR;
    agentchat_session *session = cli_store_open_session(&s, CLI_CHANGE, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    /* The key may have been there and gone since: the call decides, and the session was there. */
    agentchat_status done = agentchat_session_delete_key(session, key, &s.err);
    if (done == AGENTCHAT_E_NOTFOUND && s.err.source[0] == '\0')
        status = key_missing(&s, key);
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

/* ==== agentchat state all and get: the values that a session shows =============================================== */

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
    if (!key_check(&s, key))
        return CLI_ERROR;
    agentchat_session *session = cli_store_open_session(&s, CLI_READ, &cli_store_state_only);
    if (session == NULL)
        return CLI_ERROR;
    agentchat_str value = agentchat_state_get(agentchat_session_state(session), key);
    if (value.ptr == NULL)
        status = key_missing(&s, key);
    else
        status = CLI_SUCCESS;
    if (value.ptr != NULL && as_json)
        key_print(session, key);
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

/* ==== state ====================================================================================================== */
/* agentchat state: the values that a session shows, those of its user and of the application among them. */

static const cli_command *const commands[] = {&cli_state_all, &cli_state_get, &cli_state_set, &cli_state_add,
                                              &cli_state_delete};

static int state_run(int argc, char **argv)
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
    .run = state_run,
};

/* ==== agentchat template: an instruction with a session's values put in ========================================== */

static void print(agentchat_str text, bool as_json)
{
    cli_json json = {.out = stdout};

    if (!as_json) {
        cli_value_put_text(stdout, text);
        return;
    }
    cli_json_begin(&json, NULL, '{');
    cli_json_text(&json, "text", text);
    cli_json_end(&json, '}');
    cli_json_line(&json);
}

static int render(cli_store *s, const char *template_text, const agentchat_template_options *options, bool as_json)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_session *session = cli_store_open_session(s, CLI_READ, &cli_store_state_only);
    int result = CLI_SUCCESS;

    if (session == NULL)
        return CLI_ERROR;
    agentchat_status status = agentchat_template_render(agentchat_session_state(session),
                                                        agentchat_str_from(template_text), options, &text, &s->err);
    if (status >= 0) {
        print(text.ptr != NULL ? (agentchat_str){text.ptr, text.len} : AGENTCHAT_STR(""), as_json);
    } else {
        (void)fprintf(stderr, "agentchat %s: ", s->self->name);
        cli_error_print(stderr, "TEXT", status, &s->err);
        result = status == AGENTCHAT_E_NOTFOUND ? CLI_NO : CLI_ERROR;
    }
    agentchat_bytes_clear(&text);
    agentchat_session_free(session);
    cli_store_close(s);
    return result;
}

/* false: there is no such dialect. */
static bool dialect_of(const char *name, agentchat_template_dialect *out)
{
    static const char *const names[] = {"agentchat", "adk-rust", "adk-python"}; /* as they are numbered */

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        *out = (agentchat_template_dialect)i;
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

static int template_run(int argc, char **argv)
{
    bool as_json = false;
    const char *name = "agentchat";
    agentchat_template_options options = AGENTCHAT_TEMPLATE_OPTIONS_INIT;
    cli_store s = {.self = &cli_template};
    const cli_switch switches[] = {
        {"json", &as_json, NULL}, {"dialect", NULL, &name}, {"keep-missing", &options.keep_missing, NULL}};
    int status =
        cli_arguments(s.self, argc, argv, "STORE APP USER ID TEXT", switches, sizeof switches / sizeof *switches);

    if (status != CLI_GO_ON)
        return status;
    if (!dialect_of(name, &options.dialect))
        return cli_command_usage(s.self->name, "there is no dialect \"%s\", but agentchat, adk-python and adk-rust",
                                 name);
    cli_store_take(&s, argv);
    return render(&s, argv[5], &options, as_json);
}

const cli_command cli_template = {
    .name = "template",
    .summary = "put the values of a session into an instruction",
    .help = "usage: agentchat template [OPTION...] STORE APP USER ID TEXT\n"
            "\n"
            "Prints TEXT with the values of a session in place of {key}, {user:key} and {app:key}. What follows\n"
            "the longest key that is there, separated by dots, is a path into its value: {user:preferences.theme}.\n"
            "{key?} is nothing when the key is missing, {{key}} is {key} itself, other braces are text.\n"
            "STORE is sqlite:FILE, a plain file name, which means the same, or postgresql://...\n"
            "\n"
            "  --dialect NAME  agentchat, which is the above (the default), or adk-python or adk-rust: TEXT becomes\n"
            "                  what these libraries make of it; there are no artifacts\n"
            "  --keep-missing  what has no value stays as it is written: for text that is not of your own making\n"
            "  --json          one JSON object (schema: agentchat check --schema cli-template)\n"
            "\n"
            "exit status: 0 success, 1 keys are missing, which are named, 2 error\n",
    .run = template_run,
};
