/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring: AgentChatSerializerTests of Semantic Kernel. */
#include "restore_test.h"

static void expect_counts(const agentchat_snapshot *snapshot, size_t participants, size_t messages, size_t channels)
{
    assert_int_equal(agentchat_snapshot_participant_count(snapshot), participants);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), messages);
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), channels);
}

static void verify_saved(agentchat_chat *chat, size_t participants, size_t messages, size_t channels)
{
    agentchat_snapshot *snapshot = capture(chat);

    expect_counts(snapshot, participants, messages, channels);
    snapshot = through_bytes(snapshot);
    expect_counts(snapshot, participants, messages, channels);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_serialized_chat__empty(void **state)
{
    (void)state;
    verify_saved(test_chat_new(NULL), 0, 0, 0);
}

static void test_serialized_chat__without_agents(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);

    (void)state;
    add_text(chat, "test");
    verify_saved(chat, 0, 1, 0);
}

static void test_serialized_chat__with_agents(void **state)
{
    agentchat_chat *chat = two_agents();

    (void)state;
    add_text(chat, "test");
    invoke(chat, "First");
    verify_saved(chat, 2, 2, 1); /* one channel, shared */
}

static void test_serialized_chat__with_aggregator(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator(NULL));
    add_text(chat, "test");
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    verify_saved(chat, 1, 2, 1);
}

static void test_deserialized_chat__with_agents(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents());
    agentchat_chat *chat = two_agents();
    agentchat_report *report = NULL;
    agentchat_error err;

    (void)state;
    expect_counts(snapshot, 2, 2, 1);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
    assert_int_equal(agentchat_report_count(report), 3);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_PARTICIPANT_MATCHED), 2);
    assert_int_equal(agentchat_report_at(report, 2)->kind, AGENTCHAT_REPORT_CHANNEL_RESTORED);
    assert_int_equal(agentchat_report_at(report, 2)->match, AGENTCHAT_MATCH_KEY);
    assert_str(agentchat_report_at(report, 2)->path, "/channels/0");
    assert_str(agentchat_report_at(report, 2)->key, "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=");
    assert_int_equal(agentchat_chat_message_count(chat), 2);
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_texts(agentchat_chat_history(chat), "test;1st;2nd;"); /* the round robin goes on where it stood */
    assert_channel_texts(chat, 0, "test;1st;2nd;");
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static agentchat_chat *with_group(void)
{
    agentchat_chat *chat = test_chat_new(NULL);

    add_agent(chat, aggregator("Group"));
    return chat;
}

static void test_deserialized_chat__with_aggregator(void **state)
{
    agentchat_snapshot *snapshot = saved(with_group());
    agentchat_chat *chat = with_group();

    (void)state;
    {
        agentchat_error err;

        test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    }
    assert_texts(agentchat_chat_history(chat), "test;inner;");
    invoke(chat, "Group");
    assert_texts(agentchat_chat_history(chat), "test;inner;inner;");
    assert_channel_texts(chat, 0, "test;inner;inner;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_deserialized_chat__with_activity(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents());
    agentchat_chat *chat = two_agents();

    (void)state;
    invoke(chat, "First");
    refuse(chat, snapshot, AGENTCHAT_E_IN_USE, "unused");
    invoke(chat, "Second");
    agentchat_chat_free(chat);
    chat = test_chat_new(NULL); /* a channel without any message */
    add_agent(chat, speaker(NULL, "Silent", NULL));
    invoke(chat, "Silent");
    refuse(chat, snapshot, AGENTCHAT_E_IN_USE, "unused");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_deserialized_chat__with_user_message(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents());
    agentchat_chat *chat = two_agents();

    (void)state;
    add_text(chat, "test");
    refuse(chat, snapshot, AGENTCHAT_E_IN_USE, "unused");
    invoke(chat, "Second");
    assert_texts(agentchat_chat_history(chat), "test;2nd;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_serialized_chat__empty),
        cmocka_unit_test(test_serialized_chat__without_agents),
        cmocka_unit_test(test_serialized_chat__with_agents),
        cmocka_unit_test(test_serialized_chat__with_aggregator),
        cmocka_unit_test(test_deserialized_chat__with_agents),
        cmocka_unit_test(test_deserialized_chat__with_aggregator),
        cmocka_unit_test(test_deserialized_chat__with_activity),
        cmocka_unit_test(test_deserialized_chat__with_user_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
