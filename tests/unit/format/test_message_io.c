/* SPDX-License-Identifier: Apache-2.0 */
/* Messages as JSON text through the public functions. What a message may say is tested with its reader:
   native/test_message_json.c. */
#include "support/test_support.h"

#define ONE "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"a\"}],\"later\":[1, 2]}"

static agentchat_str view(const agentchat_bytes *bytes)
{
    return (agentchat_str){bytes->ptr, bytes->len};
}

static void test_message_io__a_message_comes_back(void **state)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_message *message = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_message_read(NULL, AGENTCHAT_STR(" " ONE "\n"), &message, &report, &err), &err);
    assert_int_equal(agentchat_report_count(report), 0);
    assert_non_null(report);
    test_ok(agentchat_message_write(message, &text, &err), &err);
    test_ok(agentchat_message_write(message, &text, &err), &err); /* appends */
    assert_str(view(&text), ONE ONE);
    agentchat_report_free(report);
    agentchat_message_unref(message);
    agentchat_bytes_clear(&text);
}

static void test_message_io__a_list_comes_back(void **state)
{
    static const char *const cases[] = {"[]", "[" ONE "]", "[" ONE "," ONE ",null,{}]"};
    static const size_t counts[] = {0, 1, 4};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        agentchat_bytes text = AGENTCHAT_BYTES_INIT;
        agentchat_messages *list = NULL;
        agentchat_error err;

        test_ok(agentchat_messages_read(NULL, agentchat_str_from(cases[i]), &list, NULL, &err), &err);
        assert_int_equal(agentchat_messages_count(list), counts[i]);
        test_ok(agentchat_messages_write(list, &text, &err), &err);
        assert_str(view(&text), cases[i]);
        agentchat_messages_unref(list);
        agentchat_bytes_clear(&text);
    }
}

/* A history: many segments of a list, messages of many arenas. */
static void test_message_io__a_history_of_a_chat_comes_back(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_messages *list = NULL;
    agentchat_error err;

    (void)state;
    for (int i = 0; i < 300; i++)
        test_ok(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("text"), &err), &err);
    test_ok(agentchat_messages_write(agentchat_chat_history(chat), &text, &err), &err);
    test_ok(agentchat_messages_read(NULL, view(&text), &list, NULL, &err), &err);
    assert_int_equal(agentchat_messages_count(list), 300);
    assert_str(agentchat_message_text(agentchat_messages_at(list, 299)), "text");
    agentchat_messages_unref(list);
    agentchat_bytes_clear(&text);
    agentchat_chat_free(chat);
}

static void test_message_io__errors_have_locations(void **state)
{
    static const struct {
        const char *text;
        agentchat_status status;
        const char *path;
        uint32_t column;
    } cases[] = {
        {"", AGENTCHAT_E_SYNTAX, "", 1},         {"{}", AGENTCHAT_E_SCHEMA, "", 1},
        {"[{},1]", AGENTCHAT_E_SCHEMA, "/1", 5}, {"[{\"role\":1}]", AGENTCHAT_E_SCHEMA, "/0/role", 10},
        {"[{},]", AGENTCHAT_E_SYNTAX, NULL, 5},  {"[] x", AGENTCHAT_E_SYNTAX, "", 4},
        {"[{}", AGENTCHAT_E_SYNTAX, NULL, 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_messages *list = (agentchat_messages *)1;
        agentchat_report *report = NULL;
        agentchat_error err;

        test_fails(agentchat_messages_read(NULL, agentchat_str_from(cases[i].text), &list, &report, &err), &err,
                   cases[i].status, cases[i].path, NULL);
        assert_int_equal(err.column, cases[i].column);
        assert_null(list);
        assert_non_null(report);
        agentchat_report_free(report);
    }
}

static void test_message_io__refuses_what_is_not_given(void **state)
{
    agentchat_message *message = (agentchat_message *)1;
    agentchat_messages *list = (agentchat_messages *)1;
    agentchat_report *report = (agentchat_report *)1;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_message_read(NULL, (agentchat_str){NULL, 0}, &message, &report, &err), &err,
               AGENTCHAT_E_INVALID, "", "no JSON text");
    assert_null(message);
    assert_null(report);
    test_fails(agentchat_messages_read(NULL, agentchat_str_null(), &list, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "no JSON text");
    assert_null(list);
    test_fails(agentchat_message_read(NULL, AGENTCHAT_STR("{}"), NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    test_fails(agentchat_messages_read(NULL, AGENTCHAT_STR("[]"), NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    test_fails(agentchat_message_write(NULL, &text, &err), &err, AGENTCHAT_E_INVALID, "", "message must not be NULL");
    test_fails(agentchat_messages_write(NULL, &text, &err), &err, AGENTCHAT_E_INVALID, "", "messages must not be NULL");
    test_ok(agentchat_messages_read(NULL, AGENTCHAT_STR("[{}]"), &list, NULL, &err), &err);
    test_fails(agentchat_messages_write(list, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    test_fails(agentchat_message_write(agentchat_messages_at(list, 0), NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    agentchat_messages_unref(list);
}

static void test_message_io__reports_what_was_left_out(void **state)
{
    agentchat_messages *list = NULL;
    agentchat_report *report = NULL;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_messages_read(NULL,
                                    AGENTCHAT_STR("[{},{\"role\":\"user\",\"extras\":[{\"from\":\"mars\",\"name\":"
                                                  "\"x\",\"value\":1,\"note\":2}]}]"),
                                    &list, &report, &err),
            &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS), 1);
    agentchat_report_free(report);
    agentchat_messages_unref(list);
}

static void test_message_io__keeps_to_the_limits(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_messages *list;
    agentchat_message *message;
    agentchat_error err;
    agentchat_env *env;

    (void)state;
    limits.max_messages = 2;
    limits.max_bytes = 60;
    limits.max_depth = 4;
    options.limits = &limits;
    env = test_env(&options);
    test_ok(agentchat_messages_read(env, AGENTCHAT_STR("[{},{}]"), &list, NULL, &err), &err);
    agentchat_messages_unref(list);
    test_fails(agentchat_messages_read(env, AGENTCHAT_STR("[{},{},{}]"), &list, NULL, &err), &err, AGENTCHAT_E_LIMIT,
               "/2", NULL);
    test_fails(agentchat_messages_read(env, AGENTCHAT_STR("[" ONE "]"), &list, NULL, &err), &err, AGENTCHAT_E_LIMIT, "",
               "the messages have more than 60 bytes");
    test_fails(agentchat_message_read(env, AGENTCHAT_STR("{\"x\":[[[[0]]]]}"), &message, NULL, &err), &err,
               AGENTCHAT_E_LIMIT, NULL, NULL);
    agentchat_env_free(env);
}

static agentchat_status there_and_back(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_messages *list = NULL;
    agentchat_report *report = NULL;
    agentchat_status status;

    (void)user;
    status = agentchat_messages_read(env, AGENTCHAT_STR("[" ONE "," ONE ",{\"items\":[{\"type\":\"new\"}]}]"), &list,
                                     &report, err);
    if (status >= 0)
        status = agentchat_messages_write(list, &text, err);
    agentchat_report_free(report);
    agentchat_bytes_clear(&text);
    agentchat_messages_unref(list);
    return status;
}

static void test_message_io__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(there_and_back, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_io__a_message_comes_back),
        cmocka_unit_test(test_message_io__a_list_comes_back),
        cmocka_unit_test(test_message_io__a_history_of_a_chat_comes_back),
        cmocka_unit_test(test_message_io__errors_have_locations),
        cmocka_unit_test(test_message_io__refuses_what_is_not_given),
        cmocka_unit_test(test_message_io__reports_what_was_left_out),
        cmocka_unit_test(test_message_io__keeps_to_the_limits),
        cmocka_unit_test(test_message_io__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
