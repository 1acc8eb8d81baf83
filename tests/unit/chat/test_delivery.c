/* SPDX-License-Identifier: Apache-2.0 */
/* What channels are given, in which order, and what happens when they do not accept it: BroadcastQueueTests of Semantic
   Kernel, without its endless retry and its lost failures. */
#include "chat_mock.h"

#include "chat/queue.h"

static void test_broadcast_queue__receive(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;
    mock m = {.says = NULL};

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_ok(agentchat_chat_add_messages(chat, NULL, 0, &err), &err); /* no channel: nothing to deliver to */
    assert_int_equal(m.receives, 0);
    invoke(chat, "M"); /* nothing was said: an empty history is not sent */
    assert_int_equal(m.receives, 0);
    test_ok(agentchat_chat_add_messages(chat, NULL, 0, &err), &err);
    assert_int_equal(m.receives, 1);
    assert_int_equal(m.last_batch, 0);
    add_text(chat, "1");
    assert_int_equal(m.receives, 2);
    assert_int_equal(m.last_batch, 1);
    assert_string_equal(m.given, "1;");
    agentchat_chat_free(chat);
}

static void test_broadcast_queue__failure(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "x"};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "M");
    m.fail_receive = -1;
    add_text(chat, "1"); /* the message is in the chat; the failure is not the caller's */
    assert_int_equal(m.receives, 1);
    for (int i = 0; i < 3; i++) {
        test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "",
                   "could not receive messages: receive is down");
        assert_non_null(strstr(err.message, MOCK_TYPE));
        assert_non_null(strstr(err.message, agentchat_agent_channel_key(agentchat_chat_agent(chat, 0)).ptr));
        assert_int_equal(m.receives, 2 + i); /* tried once, not in a loop */
    }
    assert_int_equal(m.invokes, 1);
    add_text(chat, "2");
    assert_int_equal(m.receives, 5); /* the head is tried, what follows it waits */
    m.fail_receive = 0;
    invoke(chat, "M");
    assert_string_equal(m.given, "1;2;");
    assert_int_equal(m.receives, 7); /* two batches, as they came */
    assert_int_equal(m.last_batch, 1);
    agentchat_chat_free(chat);
}

static void test_broadcast_queue__batch_is_offered_in_full_again(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_message *batch[3] = {NULL};
    const char *words[3] = {"1", "2", "3"};
    mock m = {.says = NULL};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "M");
    for (int i = 0; i < 3; i++)
        test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, agentchat_str_from(words[i]),
                                           &batch[i], &err),
                &err);
    m.fail_receive = 1;
    test_ok(agentchat_chat_add_messages(chat, (const agentchat_message *const *)batch, 3, &err), &err);
    assert_int_equal(m.last_batch, 3);
    add_text(chat, "4");
    assert_string_equal(m.given, "1;2;3;4;");
    for (int i = 0; i < 3; i++)
        agentchat_message_unref(batch[i]);
    test_fails(agentchat_chat_add_messages(chat, (const agentchat_message *const[]){NULL}, 1, &err), &err,
               AGENTCHAT_E_INVALID, "", "NULL");
    agentchat_chat_free(chat);
}

/* Ten agents with ten channels: each is given every foreign message once, none its own. */
static void test_broadcast_queue__many_channels(void **state)
{
    enum { COUNT = 10 };
    agentchat_chat *chat = test_chat_new(NULL);
    mock mocks[COUNT] = {{.says = NULL}};
    char names[COUNT][2], expected[64];

    (void)state;
    for (int i = 0; i < COUNT; i++) {
        names[i][0] = (char)('a' + i);
        names[i][1] = '\0';
        mocks[i].says = names[i];
        add_agent(chat, mock_agent(NULL, names[i], &mocks[i]));
    }
    for (int i = 0; i < COUNT; i++)
        invoke(chat, names[i]);
    for (int i = 0; i < COUNT; i++)
        invoke(chat, names[COUNT - 1 - i]);
    for (int i = 0; i < COUNT; i++) {
        expected[0] = '\0';
        for (int k = 0; k < 2 * COUNT; k++) {
            int who = k < COUNT ? k : 2 * COUNT - 1 - k;

            if (who != i)
                mock_note(expected, sizeof expected, agentchat_str_from(names[who]));
        }
        assert_string_equal(mocks[i].given, expected);
    }
    agentchat_chat_free(chat);
}

static void test_delivery__shared_channel_serves_the_invoked_agent(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    mock first = {.says = "first"}, second = {.says = "second"};

    (void)state;
    options.channel = &mock_type;
    options.name = AGENTCHAT_STR("1");
    options.user = &first;
    add_agent(chat, test_agent_new(NULL, &options));
    options.name = AGENTCHAT_STR("2");
    options.user = &second;
    add_agent(chat, test_agent_new(NULL, &options));
    invoke(chat, "1");
    invoke(chat, "2");
    assert_int_equal(first.creates, 1);
    assert_int_equal(second.creates, 0);
    assert_int_equal(second.invokes, 1);
    assert_int_equal(first.receives, 0); /* the channel said both itself */
    assert_texts(agentchat_chat_history(chat), "first;second;");
    agentchat_chat_free(chat);
}

static void test_queue__ranges(void **state)
{
    aci_queue queue = {0};
    const agentchat_env *env = aci_env(NULL);

    (void)state;
    for (size_t i = 0; i < 20; i++)
        if (i % 5 != 4)
            assert_true(aci_queue_add_position(&queue, env, i));
    assert_int_equal(queue.count, 4);
    assert_int_equal(aci_queue_message_count(&queue), 16);
    assert_int_equal(queue.list[1].first, 5);
    assert_int_equal(queue.list[1].count, 4);
    aci_queue_drop(&queue, 1);
    assert_int_equal(queue.list[0].first, 5);
    aci_queue_clear(&queue, env);
    assert_int_equal(aci_queue_message_count(&queue), 0);
    aci_queue_clear(&queue, env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broadcast_queue__receive),
        cmocka_unit_test(test_broadcast_queue__failure),
        cmocka_unit_test(test_broadcast_queue__batch_is_offered_in_full_again),
        cmocka_unit_test(test_broadcast_queue__many_channels),
        cmocka_unit_test(test_delivery__shared_channel_serves_the_invoked_agent),
        cmocka_unit_test(test_queue__ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
