/* SPDX-License-Identifier: Apache-2.0 */
/* A chat that runs by itself (AgentGroupChatTests of Semantic Kernel), and named values. */
#include "chat_mock.h"

typedef struct runner {
    agentchat_chat *chat;
    int selections, checks;
    size_t pick; /* agent to select; SIZE_MAX: nobody */
    int complete_after;
    agentchat_status fails;
    const agentchat_agent *outside;
} runner;

static agentchat_status pick(void *user, const agentchat_chat *chat, const agentchat_agent **out, agentchat_error *err)
{
    runner *r = user;
    agentchat_error e;

    r->selections++;
    test_fails(agentchat_chat_invoke(r->chat, AGENTCHAT_STR("A"), &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    if (r->fails < 0)
        return agentchat_error_set(err, r->fails, "nobody knows");
    if (r->outside != NULL) {
        *out = r->outside;
        return AGENTCHAT_OK;
    }
    if (r->pick == SIZE_MAX)
        return AGENTCHAT_DONE;
    *out = agentchat_chat_agent(chat, r->pick);
    return AGENTCHAT_OK;
}

static agentchat_status complete(void *user, const agentchat_chat *chat, const agentchat_agent *spoke, bool *out,
                                 agentchat_error *err)
{
    runner *r = user;

    (void)chat;
    assert_non_null(spoke);
    r->checks++;
    if (r->fails < 0)
        return r->fails; /* without a word: the library finds one */
    (void)err;
    *out = r->complete_after != 0 && r->checks >= r->complete_after;
    return AGENTCHAT_OK;
}

static agentchat_chat *three(void)
{
    agentchat_chat *chat = test_chat_new(NULL);

    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, speaker(NULL, "B", "b"));
    add_agent(chat, speaker(NULL, "C", "c"));
    return chat;
}

static void test_group_chat__default_state(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    (void)state;
    assert_int_equal(agentchat_chat_agent_count(chat), 0);
    assert_false(agentchat_chat_is_complete(chat));
    agentchat_chat_set_complete(chat, true);
    assert_true(agentchat_chat_is_complete(chat));
    test_fails(agentchat_chat_run(chat, NULL, &err), &err, AGENTCHAT_E_NO_AGENTS, "", "no agents");
    test_ok(agentchat_chat_reset(chat, &err), &err);
    assert_false(agentchat_chat_is_complete(chat));
    test_fails(agentchat_chat_invoke_next(chat, &err), &err, AGENTCHAT_E_NO_AGENTS, "", "no agents");
    agentchat_chat_free(chat);
}

static void test_group_chat__round_robin(void **state)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;
    agentchat_chat *chat = three();
    agentchat_error err;

    (void)state;
    options.max_turns = 4;
    test_ok(agentchat_chat_run(chat, &options, &err), &err);
    assert_texts(agentchat_chat_history(chat), "a;b;c;a;");
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    invoke(chat, "A"); /* by name: the round robin stays where it is */
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_texts(agentchat_chat_history(chat), "a;b;c;a;b;a;c;");
    test_ok(agentchat_chat_run(chat, NULL, &err), &err);
    assert_int_equal(agentchat_chat_message_count(chat), 7 + 99);
    options.struct_size = 0;
    test_fails(agentchat_chat_run(chat, &options, &err), &err, AGENTCHAT_E_INVALID, "", "struct_size");
    agentchat_chat_free(chat);
}

static void test_group_chat__complete_chat_needs_a_reset(void **state)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;
    agentchat_chat *chat = three();
    agentchat_error err;

    (void)state;
    agentchat_chat_set_complete(chat, true);
    options.max_turns = 9;
    test_fails(agentchat_chat_run(chat, &options, &err), &err, AGENTCHAT_E_INVALID, "", "complete");
    assert_int_equal(agentchat_chat_message_count(chat), 0);
    invoke(chat, "B"); /* a single agent may still speak */
    options.reset_complete = true;
    test_ok(agentchat_chat_run(chat, &options, &err), &err);
    assert_texts(agentchat_chat_history(chat), "b;a;b;c;a;b;c;a;b;c;");
    assert_false(agentchat_chat_is_complete(chat));
    agentchat_chat_free(chat);
}

static void test_group_chat__selection(void **state)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;
    agentchat_chat *chat = three();
    agentchat_agent *outside = speaker(NULL, "X", "x");
    runner r = {.chat = chat, .pick = 1};
    agentchat_error err;

    (void)state;
    options.select = pick;
    options.user = &r;
    options.max_turns = 2;
    test_ok(agentchat_chat_run(chat, &options, &err), &err);
    assert_texts(agentchat_chat_history(chat), "b;b;");
    r.pick = SIZE_MAX;
    assert_int_equal(agentchat_chat_run(chat, &options, &err), AGENTCHAT_OK);
    assert_int_equal(r.selections, 3);
    r.pick = 7; /* no such agent: NULL */
    test_fails(agentchat_chat_run(chat, &options, &err), &err, AGENTCHAT_E_INVALID, "", "not in the chat");
    r.outside = outside;
    test_fails(agentchat_chat_run(chat, &options, &err), &err, AGENTCHAT_E_INVALID, "", "not in the chat");
    r.fails = AGENTCHAT_E_IO;
    test_fails(agentchat_chat_run(chat, &options, &err), &err, AGENTCHAT_E_IO, "", "nobody knows");
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_texts(agentchat_chat_history(chat), "b;b;a;");
    agentchat_agent_free(outside);
    agentchat_chat_free(chat);
}

static void test_group_chat__termination(void **state)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;
    agentchat_chat *chat = three();
    runner r = {.chat = chat, .complete_after = 2};
    agentchat_error err;

    (void)state;
    options.is_complete = complete;
    options.user = &r;
    assert_int_equal(agentchat_chat_run(chat, &options, &err), AGENTCHAT_DONE);
    assert_texts(agentchat_chat_history(chat), "a;b;");
    assert_true(agentchat_chat_is_complete(chat));
    options.reset_complete = true;
    options.max_turns = 1;
    assert_int_equal(agentchat_chat_run(chat, &options, &err), AGENTCHAT_DONE);
    r.fails = AGENTCHAT_E_CALLBACK;
    test_fails(agentchat_chat_run(chat, &options, &err), &err, AGENTCHAT_E_CALLBACK, "", "completion");
    agentchat_chat_free(chat);
}

static agentchat_status finish(mock *m, agentchat_replies *out, agentchat_error *err)
{
    (void)out;
    (void)err;
    agentchat_chat_set_complete(m->chat, true);
    return AGENTCHAT_OK;
}

static void test_group_chat__an_agent_may_end_the_run(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "done", .during = finish, .chat = chat};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    assert_int_equal(agentchat_chat_run(chat, NULL, &err), AGENTCHAT_DONE);
    assert_int_equal(m.invokes, 1);
    agentchat_chat_free(chat);
}

static void test_group_chat__a_failed_turn_can_be_had_again(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = NULL, .fail_invoke = 1};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, speaker(NULL, "B", "b"));
    test_fails(agentchat_chat_invoke_next(chat, &err), &err, AGENTCHAT_E_CALLBACK, "", "invoke is down");
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_int_equal(m.invokes, 2);
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_texts(agentchat_chat_history(chat), "b;");
    agentchat_chat_free(chat);
}

static void test_values__set_get_remove(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_str absent = {NULL, 0}, type;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR(" {\"x\":1} "), &err), &err);
    test_ok(
        agentchat_chat_set_value(chat, AGENTCHAT_STR("b"), AGENTCHAT_STR("text/plain"), AGENTCHAT_STR("\xFF"), &err),
        &err);
    assert_str(agentchat_chat_value(chat, AGENTCHAT_STR("a"), &type), "{\"x\":1}");
    assert_null(type.ptr);
    assert_str(agentchat_chat_value(chat, AGENTCHAT_STR("b"), &type), "\xFF");
    assert_str(type, "text/plain");
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR("null"), &err), &err);
    assert_str(agentchat_chat_value(chat, AGENTCHAT_STR("a"), NULL), "null");
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), absent, absent, &err), &err);
    assert_null(agentchat_chat_value(chat, AGENTCHAT_STR("a"), &type).ptr);
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), absent, absent, &err), &err);
    test_fails(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR("{"), &err), &err,
               AGENTCHAT_E_INVALID, NULL, NULL);
    test_fails(agentchat_chat_set_value(chat, AGENTCHAT_STR(""), absent, AGENTCHAT_STR("1"), &err), &err,
               AGENTCHAT_E_INVALID, "", "not empty");
    test_fails(agentchat_chat_set_value(chat, AGENTCHAT_STR("\xFF"), absent, AGENTCHAT_STR("1"), &err), &err,
               AGENTCHAT_E_INVALID, "", "UTF-8");
    test_fails(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), AGENTCHAT_STR(""), AGENTCHAT_STR("1"), &err), &err,
               AGENTCHAT_E_INVALID, "", "media type");
    test_fails(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), absent, agentchat_str_null(), &err), &err,
               AGENTCHAT_E_INVALID, "", "null");
    assert_null(agentchat_chat_value(chat, AGENTCHAT_STR("a"), NULL).ptr);
    assert_null(agentchat_chat_value(NULL, AGENTCHAT_STR("a"), &type).ptr);
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group_chat__default_state),
        cmocka_unit_test(test_group_chat__round_robin),
        cmocka_unit_test(test_group_chat__complete_chat_needs_a_reset),
        cmocka_unit_test(test_group_chat__selection),
        cmocka_unit_test(test_group_chat__termination),
        cmocka_unit_test(test_group_chat__an_agent_may_end_the_run),
        cmocka_unit_test(test_group_chat__a_failed_turn_can_be_had_again),
        cmocka_unit_test(test_values__set_get_remove),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
