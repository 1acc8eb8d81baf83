/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller's functions report reaches the caller, and what they may call while a chat is at work or being freed.
 */
#include "chat_mock.h"

#define LONG_CAUSE 900

static char long_cause[LONG_CAUSE + 1];

static agentchat_status fail_at_length(mock *m, agentchat_replies *out, agentchat_error *err)
{
    agentchat_status status = agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "%s", long_cause);

    (void)m;
    (void)out;
    err->native = 429;
    return status;
}

/* Tries something that fails, and goes on without it. */
static agentchat_status recover(mock *m, agentchat_replies *out, agentchat_error *err)
{
    (void)m;
    (void)out;
    (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the first server does not answer");
    return AGENTCHAT_OK;
}

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    *out = test_chat_new(NULL);
    return agentchat_chat_add_agent(*out, mock_agent(NULL, "Inner", user), err);
}

static void assert_named(const agentchat_error *err, const char *opening)
{
    assert_memory_equal(err->message, opening, strlen(opening));
    assert_string_equal(err->message + strlen(opening), long_cause);
    assert_int_equal(err->native, 429);
}

static void test_callbacks__the_error_of_an_answer_names_the_agent_and_keeps_its_cause(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.during = fail_at_length}, nameless = {.during = fail_at_length};
    agentchat_aggregator_options team = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_agent *unnamed = mock_agent(NULL, NULL, &nameless);
    char opening[80];
    agentchat_error err;

    (void)state;
    memset(long_cause, 'c', LONG_CAUSE);
    team.name = AGENTCHAT_STR("Team");
    team.make = make_inner;
    team.user = &m;
    snprintf(opening, sizeof opening, "agent %s could not answer: ", agentchat_agent_id(unnamed).ptr);
    add_agent(chat, mock_agent(NULL, "Poet", &m));
    add_agent(chat, test_aggregator_new(NULL, &team));
    add_agent(chat, unnamed);

    assert_int_equal(agentchat_chat_invoke(chat, AGENTCHAT_STR("Poet"), &err), AGENTCHAT_E_CALLBACK);
    assert_named(&err, "agent Poet could not answer: ");
    assert_int_equal(agentchat_chat_invoke_next(chat, &err), AGENTCHAT_E_CALLBACK);
    assert_named(&err, "agent Poet could not answer: ");
    assert_int_equal(agentchat_chat_invoke(chat, AGENTCHAT_STR("Team"), &err), AGENTCHAT_E_CALLBACK);
    assert_named(&err, "agent Team could not answer: agent Inner could not answer: ");
    assert_int_equal(agentchat_chat_invoke_agent(chat, unnamed, &err), AGENTCHAT_E_CALLBACK);
    assert_named(&err, opening);
    assert_int_equal(agentchat_chat_invoke(chat, AGENTCHAT_STR("Poet"), NULL), AGENTCHAT_E_CALLBACK);
    agentchat_chat_free(chat);
}

static void test_callbacks__what_an_answer_recovered_from_is_not_reported(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.during = recover, .says = "x"};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_ok(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err);
    assert_int_equal(err.code, 0);
    m.fail_receive = 1;
    add_text(chat, "1");
    m.fail_receive = 1;
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "could not receive messages: receive is down");
    agentchat_chat_free(chat);
}

/* Calls all that a chat has: operations and views. */
static void use_chat(mock *m)
{
    agentchat_snapshot *snapshot = NULL;
    const agentchat_messages *messages = NULL;
    agentchat_error err;

    m->seen_status = agentchat_chat_add_text(m->chat, "user", AGENTCHAT_STR("goodbye"), &err);
    assert_int_equal(agentchat_chat_invoke(m->chat, AGENTCHAT_STR("A"), &err), AGENTCHAT_E_BUSY);
    assert_int_equal(agentchat_chat_reset(m->chat, &err), AGENTCHAT_E_BUSY);
    assert_int_equal(agentchat_chat_capture(m->chat, NULL, &snapshot, NULL, &err), AGENTCHAT_E_BUSY);
    for (size_t i = 0; i < agentchat_chat_agent_count(m->chat); i++) {
        const agentchat_agent *agent = agentchat_chat_agent(m->chat, i);

        assert_null(agentchat_chat_inner(m->chat, agent));
        assert_true(agentchat_agent_name(agent).len > 0);
        assert_int_equal(agentchat_chat_channel_history(m->chat, agent, &messages, &err), AGENTCHAT_E_BUSY);
    }
    (void)agentchat_messages_count(agentchat_chat_history(m->chat));
    (void)agentchat_chat_newest(m->chat, 0);
}

static agentchat_chat *three_of(mock *m)
{
    static const char *const names[] = {"A", "B", "C"};
    agentchat_chat *chat = test_chat_new(NULL);

    *m = (mock){.says = "x", .on_free = use_chat, .chat = chat};
    for (size_t i = 0; i < 3; i++) {
        add_agent(chat, mock_agent(NULL, names[i], m));
        invoke(chat, names[i]);
    }
    return chat;
}

static void test_callbacks__a_chat_that_is_freed_refuses_its_channels(void **state)
{
    mock m;

    (void)state;
    agentchat_chat_free(three_of(&m));
    assert_int_equal(m.frees, 3);
    assert_int_equal(m.seen_status, AGENTCHAT_E_BUSY);
}

static void test_callbacks__a_chat_that_is_reset_refuses_its_channels(void **state)
{
    agentchat_error err;
    agentchat_chat *chat;
    mock m;

    (void)state;
    chat = three_of(&m);
    test_ok(agentchat_chat_reset(chat, &err), &err); /* this type has no reset: its channels are freed */
    assert_int_equal(m.frees, 3);
    assert_int_equal(m.seen_status, AGENTCHAT_E_BUSY);
    m.on_free = NULL;
    invoke(chat, "B");
    assert_texts(agentchat_chat_history(chat), "x;");
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_callbacks__the_error_of_an_answer_names_the_agent_and_keeps_its_cause),
        cmocka_unit_test(test_callbacks__what_an_answer_recovered_from_is_not_reported),
        cmocka_unit_test(test_callbacks__a_chat_that_is_freed_refuses_its_channels),
        cmocka_unit_test(test_callbacks__a_chat_that_is_reset_refuses_its_channels),
    };

    return cmocka_run_group_tests_name("chat_callbacks", tests, NULL, NULL);
}
