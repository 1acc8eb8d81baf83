/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupting a chat: from another thread, from a signal, in the middle of a run, of a delivery, of a chat inside. */
#include "chat_mock.h"

#include <pthread.h>
#include <signal.h>

static agentchat_chat *target; /* of the signal handler */

static void on_signal(int number)
{
    (void)number;
    agentchat_chat_interrupt(target);
}

static void *interrupt_elsewhere(void *user)
{
    agentchat_chat_interrupt(user);
    return NULL;
}

/* Waits as a call to a model does, until it is told to end. */
static agentchat_status wait_for_interruption(mock *m, agentchat_replies *out, agentchat_error *err)
{
    pthread_t thread;

    assert_false(agentchat_replies_is_interrupted(out));
    assert_int_equal(pthread_create(&thread, NULL, interrupt_elsewhere, m->chat), 0);
    while (!agentchat_replies_is_interrupted(out))
        sched_yield();
    assert_int_equal(pthread_join(thread, NULL), 0);
    return agentchat_error_set(err, AGENTCHAT_E_CANCELLED, "the model was not waited for");
}

static agentchat_status raise_signal(mock *m, agentchat_replies *out, agentchat_error *err)
{
    (void)m;
    (void)out;
    (void)err;
    return raise(SIGUSR1) == 0 ? AGENTCHAT_OK : AGENTCHAT_E_CALLBACK;
}

static void test_interrupt__of_an_answer(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .during = wait_for_interruption, .chat = chat};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    assert_int_equal(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), AGENTCHAT_E_CANCELLED);
    assert_non_null(strstr(err.message, "the model was not waited for"));
    assert_int_equal(agentchat_chat_message_count(chat), 0);
    m.during = NULL;
    invoke(chat, "M"); /* the next operation is not affected */
    assert_texts(agentchat_chat_history(chat), "m;");
    agentchat_chat_free(chat);
}

/* The answer that was being given is kept; the others' turns and deliveries are not begun. */
static void test_interrupt__of_a_run_by_a_signal(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .during = raise_signal}, other = {.says = "o"};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, mock_agent(NULL, "O", &other));
    invoke(chat, "O");
    target = chat;
    assert_true(signal(SIGUSR1, on_signal) != SIG_ERR);
    assert_int_equal(agentchat_chat_run(chat, NULL, &err), AGENTCHAT_E_CANCELLED);
    assert_int_equal(m.invokes, 1);
    assert_int_equal(other.invokes, 1); /* before the run */
    assert_texts(agentchat_chat_history(chat), "o;m;");
    assert_string_equal(other.given, ""); /* queued still */
    m.during = NULL;
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_string_equal(other.given, "m;");
    assert_texts(agentchat_chat_history(chat), "o;m;o;");
    agentchat_chat_free(chat);
}

static void test_interrupt__without_an_operation(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    agentchat_chat_interrupt(NULL);
    agentchat_chat_interrupt(chat);
    invoke(chat, "A");
    assert_texts(agentchat_chat_history(chat), "a;");
    agentchat_chat_free(chat);
}

/* ---- a chat inside ------------------------------------------------------------------------------------------------
 */

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, mock_agent(NULL, "M", user));
    add_agent(*out, speaker(NULL, "I", "i"));
    return AGENTCHAT_OK;
}

static agentchat_status run_on(void *user, agentchat_chat *inner, agentchat_error *err)
{
    (void)user;
    return agentchat_chat_run(inner, NULL, err);
}

static void inside(agentchat_aggregator_mode mode, const char *outer)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .during = raise_signal};
    agentchat_error err;

    options.name = AGENTCHAT_STR("G");
    options.mode = mode;
    options.make = make_inner;
    options.run = run_on;
    options.user = &m;
    add_agent(chat, test_aggregator_new(NULL, &options));
    target = chat; /* the outer one is interrupted */
    assert_true(signal(SIGUSR1, on_signal) != SIG_ERR);
    assert_int_equal(agentchat_chat_invoke(chat, AGENTCHAT_STR("G"), &err), AGENTCHAT_E_CANCELLED);
    assert_int_equal(m.invokes, 1);
    assert_texts(agentchat_chat_history(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0))), "m;");
    assert_texts(agentchat_chat_history(chat), outer);
    agentchat_chat_free(chat);
}

static void test_interrupt__of_a_chat_inside(void **state)
{
    (void)state;
    inside(AGENTCHAT_AGGREGATOR_FLAT, "m;");
    inside(AGENTCHAT_AGGREGATOR_NESTED, "");
}

/* ---- a restore ----------------------------------------------------------------------------------------------------
 */

static agentchat_status interrupting_load(void *agent, const agentchat_channel_load *in, void **out,
                                          agentchat_error *err)
{
    agentchat_chat_interrupt(((mock *)agent)->chat);
    return mock_load(agent, in, out, err);
}

static void test_interrupt__of_a_restore(void **state)
{
    agentchat_channel_type type = mock_type;
    agentchat_chat *chat = test_chat_new(NULL), *next = test_chat_new(NULL);
    mock m = {.says = "m"}, n = {.says = "n"};
    const char *keys[] = {MOCK_TYPE, "M"};
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, speaker(NULL, "A", "a"));
    invoke(chat, "M");
    invoke(chat, "A");
    snapshot = capture(chat);
    n.chat = next;
    type.load = interrupting_load;
    options.name = AGENTCHAT_STR("M");
    options.channel = &type;
    options.keys = keys;
    options.key_count = 2;
    options.user = &n;
    add_agent(next, test_agent_new(NULL, &options));
    add_agent(next, speaker(NULL, "A", "a"));
    assert_int_equal(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), AGENTCHAT_E_CANCELLED);
    assert_int_equal(agentchat_chat_message_count(next), 0); /* as it was */
    assert_int_equal(n.frees, n.restores);
    n.chat = NULL;
    test_ok(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), &err);
    assert_texts(agentchat_chat_history(next), "m;a;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupt__of_an_answer),         cmocka_unit_test(test_interrupt__of_a_run_by_a_signal),
        cmocka_unit_test(test_interrupt__without_an_operation), cmocka_unit_test(test_interrupt__of_a_chat_inside),
        cmocka_unit_test(test_interrupt__of_a_restore),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
