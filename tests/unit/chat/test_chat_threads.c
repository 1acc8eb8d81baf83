/* SPDX-License-Identifier: Apache-2.0 */
/* One operation at a time, also across threads: AgentGroupChatTests.VerifyGroupAgentChatConcurrency, made certain. */
#include "chat_mock.h"

#include <pthread.h>

enum { THREADS = 8 };

static void *invoke_elsewhere(void *user)
{
    agentchat_chat *chat = user;
    agentchat_error err;
    agentchat_status status = agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err);

    return (void *)(intptr_t)(status == AGENTCHAT_E_BUSY && err.code == AGENTCHAT_E_BUSY);
}

/* Runs while the chat is active: every other thread must be turned away. */
static agentchat_status crowd(mock *m, agentchat_replies *out, agentchat_error *err)
{
    pthread_t threads[THREADS];

    (void)out;
    (void)err;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, invoke_elsewhere, m->chat), 0);
    for (int i = 0; i < THREADS; i++) {
        void *busy = NULL;

        assert_int_equal(pthread_join(threads[i], &busy), 0);
        assert_int_equal((intptr_t)busy, 1);
    }
    return AGENTCHAT_OK;
}

static void test_group_chat__concurrency(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .during = crowd, .chat = chat};

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "M");
    assert_int_equal(m.invokes, 1);
    assert_texts(agentchat_chat_history(chat), "m;");
    agentchat_chat_free(chat);
}

/* A turn in two calls keeps the others out, too, whichever thread began it. */
static void test_group_chat__concurrency_of_a_turn(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .chat = chat};
    agentchat_turn *turn = NULL;
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_ok(agentchat_turn_begin(chat, AGENTCHAT_STR("M"), &turn, &err), &err);
    assert_int_equal(crowd(&m, NULL, NULL), AGENTCHAT_OK);
    test_ok(agentchat_turn_add_text(turn, AGENTCHAT_STR("n"), &err), &err);
    test_ok(agentchat_turn_end(turn, &err), &err);
    assert_texts(agentchat_chat_history(chat), "n;");
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group_chat__concurrency),
        cmocka_unit_test(test_group_chat__concurrency_of_a_turn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
