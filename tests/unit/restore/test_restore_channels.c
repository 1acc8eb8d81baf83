/* SPDX-License-Identifier: Apache-2.0 */
/* States of channels that are kept for an agent that is not there yet, and what a channel is given afterwards. */
#include "restore_test.h"

/* A snapshot of a history agent and a mock that has said "m" and knows "1;h;". */
static agentchat_snapshot *with_mock(void)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m"};
    agentchat_snapshot *snapshot;

    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, speaker(NULL, "H", "h"));
    add_text(chat, "1");
    invoke(chat, "H");
    invoke(chat, "M");
    snapshot = through_bytes(capture(chat));
    agentchat_chat_free(chat);
    return snapshot;
}

static void test_restore__reduced_state_is_kept_and_saved_again(void **state)
{
    agentchat_snapshot *snapshot = with_mock(), *again;
    agentchat_chat *chat = test_chat_new(NULL), *next = test_chat_new(NULL);
    agentchat_report *report = NULL;
    mock m = {.says = "m"};
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_KEPT), 1);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_PARTICIPANT_MISSING), 1);
    assert_int_equal(agentchat_chat_kept_count(chat), 1);
    assert_str(agentchat_channel_state_type(agentchat_chat_kept(chat, 0)), MOCK_TYPE);
    assert_null(agentchat_chat_kept(chat, 1));
    agentchat_snapshot_unref(snapshot); /* the chat holds what it needs */
    add_text(chat, "2");
    invoke(chat, "H");
    again = through_bytes(capture(chat));
    assert_int_equal(agentchat_snapshot_channel_count(again), 2);
    assert_str(agentchat_channel_state_type(agentchat_snapshot_channel(again, 1)), MOCK_TYPE);
    assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(again, 1)), "1;h;m;");
    assert_int_equal(agentchat_channel_state_synced(agentchat_snapshot_channel(again, 1)), 3);
    agentchat_chat_free(chat);
    /* Restored for its agent, the channel is given what it missed. */
    add_agent(next, mock_agent(NULL, "M", &m));
    test_ok(agentchat_chat_restore(next, again, NULL, NULL, &err), &err);
    assert_int_equal(m.receives, 0);
    invoke(next, "M");
    assert_string_equal(m.given, "2;h;");
    agentchat_snapshot_unref(again);
    agentchat_report_free(report);
    agentchat_chat_free(next);
}

static void test_restore__kept_state_is_claimed_by_an_agent_that_joins(void **state)
{
    agentchat_snapshot *snapshot = with_mock(), *after;
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .fail_restore = 1};
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    add_text(chat, "2");
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "could not be restored: restore is down");
    assert_int_equal(agentchat_chat_kept_count(chat), 1);
    m.fail_receive = 1;
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "receive is down");
    invoke(chat, "M");
    assert_int_equal(m.restores, 2);
    assert_int_equal(m.creates, 0);
    assert_string_equal(m.given, "2;"); /* only what followed, and that once */
    assert_int_equal(agentchat_chat_kept_count(chat), 0);
    after = capture(chat);
    assert_int_equal(agentchat_snapshot_channel_count(after), 2);
    assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(after, 1)), "1;h;m;2;m;");
    agentchat_snapshot_unref(after);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_restore__reset_drops_kept_states(void **state)
{
    agentchat_snapshot *snapshot = with_mock();
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m"};
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    test_ok(agentchat_chat_reset(chat, &err), &err);
    assert_int_equal(agentchat_chat_kept_count(chat), 0);
    assert_null(agentchat_chat_kept(chat, 0));
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "M");
    assert_int_equal(m.restores, 0);
    assert_int_equal(m.creates, 1);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

/* Restores a chat whose only channel's state says how far it got, or not, and returns what the channel is given. */
static const char *given_after(size_t synced, mock *m)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent *agent = mock_agent(NULL, "M", m);
    agentchat_snapshot_builder *b = test_snapshot_builder(NULL, NULL);
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    for (int i = 0; i < 3; i++) {
        agentchat_message *message = NULL;

        test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, (agentchat_str){&"abc"[i], 1},
                                           &message, &err),
                &err);
        agentchat_snapshot_builder_add_message(b, message);
        agentchat_message_unref(message);
    }
    agentchat_snapshot_builder_set_channel(b, agentchat_agent_channel_key(agent), AGENTCHAT_STR(MOCK_TYPE),
                                           AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("old;"), synced);
    test_ok(agentchat_snapshot_builder_finish(b, &snapshot, &err), &err);
    add_agent(chat, agent);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    assert_int_equal(m->receives, 0); /* not before it is used */
    invoke(chat, "M");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    return m->given;
}

static void test_restore__channel_is_given_what_followed(void **state)
{
    mock unknown = {.says = NULL}, all = {.says = NULL}, one = {.says = NULL}, none = {.says = NULL};

    (void)state;
    assert_string_equal(given_after(AGENTCHAT_SYNCED_UNKNOWN, &unknown), ""); /* up to date, as .NET takes it */
    assert_string_equal(given_after(3, &all), "");
    assert_string_equal(given_after(2, &one), "c;");
    assert_string_equal(given_after(0, &none), "a;b;c;");
}

/* The position of a kept list of messages that does not say how far it got is that of its newest message. */
static void test_restore__kept_list_of_unknown_position(void **state)
{
    agentchat_chat *source = two_agents(), *chat = test_chat_new(NULL);
    agentchat_snapshot *snapshot, *stale = NULL;
    agentchat_snapshot_builder *b;
    mock m = {.says = "m"};
    agentchat_messages *seen = NULL;
    agentchat_agent *claimer;
    const agentchat_message *list[2];
    agentchat_error err;

    (void)state;
    add_text(source, "1");
    add_text(source, "2");
    add_text(source, "3");
    snapshot = capture(source);
    list[0] = agentchat_messages_at(agentchat_snapshot_history(snapshot), 0);
    list[1] = agentchat_messages_at(agentchat_snapshot_history(snapshot), 1);
    test_ok(agentchat_messages_new(NULL, list, 2, &seen, &err), &err);
    claimer = speaker(NULL, "Late", "late");
    b = test_snapshot_builder(NULL, snapshot);
    agentchat_snapshot_builder_set_channel_messages(b, agentchat_agent_channel_key(claimer),
                                                    AGENTCHAT_STR(AGENTCHAT_TYPE_HISTORY_CHANNEL), seen,
                                                    AGENTCHAT_SYNCED_UNKNOWN);
    test_ok(agentchat_snapshot_builder_finish(b, &stale, &err), &err);
    stale = through_bytes(stale); /* no shared objects: equal messages will do */
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_ok(agentchat_chat_restore(chat, stale, NULL, NULL, &err), &err);
    add_text(chat, "4");
    add_agent(chat, claimer);
    invoke(chat, "Late");
    assert_channel_texts(chat, 1, "1;2;3;4;late;");
    agentchat_messages_unref(seen);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(stale);
    agentchat_chat_free(source);
    agentchat_chat_free(chat);
}

static void test_restore__pending_goes_through_save_and_restore(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL), *next = test_chat_new(NULL);
    mock m = {.says = "m"}, fresh = {.says = "m"};
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot = NULL;
    const agentchat_channel_state *channel;
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, speaker(NULL, "H", "h"));
    invoke(chat, "M");
    m.fail_receive = -1;
    add_text(chat, "1");
    invoke(chat, "H");
    test_ok(agentchat_chat_capture(chat, NULL, &snapshot, &report, &err), &err);
    assert_int_equal(agentchat_report_count(report), 1);
    assert_str(agentchat_report_at(report, 0)->path, "/channels/0/pending");
    assert_non_null(strstr(agentchat_report_at(report, 0)->text.ptr, "2 messages are pending"));
    snapshot = through_bytes(snapshot);
    channel = agentchat_snapshot_channel(snapshot, 0);
    assert_int_equal(agentchat_channel_state_synced(channel), 3);
    assert_int_equal(agentchat_channel_state_pending_count(channel), 2);
    assert_int_equal(agentchat_channel_state_pending(channel, 0), 1);
    assert_int_equal(agentchat_channel_state_pending(channel, 1), 2);
    assert_str(agentchat_channel_state_data(channel), "m;");
    m.fail_receive = 0;
    invoke(chat, "M");
    assert_string_equal(m.given, "1;h;");
    add_agent(next, mock_agent(NULL, "M", &fresh));
    test_ok(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), &err);
    fresh.fail_receive = 1;
    test_fails(agentchat_chat_invoke(next, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "receive is down");
    invoke(next, "M");
    assert_string_equal(fresh.given, "1;h;");
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restore__reduced_state_is_kept_and_saved_again),
        cmocka_unit_test(test_restore__kept_state_is_claimed_by_an_agent_that_joins),
        cmocka_unit_test(test_restore__reset_drops_kept_states),
        cmocka_unit_test(test_restore__channel_is_given_what_followed),
        cmocka_unit_test(test_restore__kept_list_of_unknown_position),
        cmocka_unit_test(test_restore__pending_goes_through_save_and_restore),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
