/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring: AgentChatSerializerTests of Semantic Kernel, the five cases of decision record 0048, and what a
   channel is given afterwards. */
#include "unit/chat/chat_mock.h"

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    (void)err;
    *out = agentchat_chat_new(NULL);
    add_agent(*out, speaker(NULL, "Inner", "inner"));
    return AGENTCHAT_OK;
}

static agentchat_agent *aggregator(const char *name)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = name;
    options.make = make_inner;
    return agentchat_aggregator_new(NULL, &options);
}

static void expect_counts(const agentchat_snapshot *snapshot, size_t participants, size_t messages, size_t channels)
{
    assert_int_equal(agentchat_snapshot_participant_count(snapshot), participants);
    assert_int_equal(agentchat_snapshot_message_count(snapshot), messages);
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
    verify_saved(agentchat_chat_new(NULL), 0, 0, 0);
}

static void test_serialized_chat__without_agents(void **state)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);

    (void)state;
    add_text(chat, "test");
    verify_saved(chat, 0, 1, 0);
}

static agentchat_chat *two_agents(void)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);

    add_agent(chat, speaker(NULL, "First", "1st"));
    add_agent(chat, speaker(NULL, "Second", "2nd"));
    return chat;
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
    agentchat_chat *chat = agentchat_chat_new(NULL);
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator(NULL));
    add_text(chat, "test");
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    verify_saved(chat, 1, 2, 1);
}

/* Saves a chat with one user message and one turn; takes the chat over. */
static agentchat_snapshot *saved(agentchat_chat *chat)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    add_text(chat, "test");
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    snapshot = through_bytes(capture(chat));
    agentchat_chat_free(chat);
    return snapshot;
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
    assert_int_equal(agentchat_report_at(report, 2).kind, AGENTCHAT_REPORT_CHANNEL_RESTORED);
    assert_int_equal(agentchat_report_at(report, 2).match, AGENTCHAT_MATCH_KEY);
    assert_str(agentchat_report_at(report, 2).path, "/channels/0");
    assert_str(agentchat_report_at(report, 2).key, "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=");
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
    agentchat_chat *chat = agentchat_chat_new(NULL);

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

/* Restoring is refused, changes nothing, and the chat stays usable. */
static void refuse(agentchat_chat *chat, const agentchat_snapshot *snapshot, agentchat_status expected,
                   const char *message)
{
    char *before = picture(chat), *after;
    agentchat_report *report = NULL;
    agentchat_error err;

    test_fails(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err, expected, "", message);
    assert_null(report);
    after = picture(chat);
    assert_string_equal(before, after);
    free(before);
    free(after);
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
    chat = agentchat_chat_new(NULL); /* a channel without any message */
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

static void test_restore__after_a_reset(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents());
    agentchat_chat *chat = two_agents();
    agentchat_error err;

    (void)state;
    invoke(chat, "Second");
    test_ok(agentchat_chat_reset(chat, &err), &err);
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    assert_channel_texts(chat, 0, "test;1st;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_restore__into_a_chat_without_agents(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents()), *empty;
    agentchat_chat *chat = agentchat_chat_new(NULL);
    agentchat_error err;

    (void)state;
    empty = capture(chat);
    refuse(chat, empty, AGENTCHAT_E_NO_AGENTS, "no agents"); /* also when the source was empty */
    refuse(chat, snapshot, AGENTCHAT_E_NO_AGENTS, "no agents");
    add_text(chat, "x");
    refuse(chat, snapshot, AGENTCHAT_E_NO_AGENTS, "no agents");
    test_ok(agentchat_chat_reset(chat, &err), &err);
    test_fails(agentchat_chat_restore(chat, NULL, NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "no snapshot");
    add_agent(chat, speaker(NULL, "First", "1st"));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    assert_texts(agentchat_chat_history(chat), "test;1st;");
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(empty);
    agentchat_chat_free(chat);
}

static void test_restore__enhanced(void **state)
{
    agentchat_snapshot *snapshot = saved(two_agents());
    agentchat_chat *chat = two_agents();
    agentchat_report *report = NULL;
    mock m = {.says = "m"};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, &report, &err), &err);
    assert_int_equal(agentchat_report_count_of(report, AGENTCHAT_REPORT_CHANNEL_EXTRA), 1);
    assert_int_equal(m.creates + m.restores, 0);
    add_text(chat, "more");
    assert_int_equal(m.receives, 0);
    invoke(chat, "M");
    assert_string_equal(m.given, "test;1st;more;");
    assert_int_equal(m.last_batch, 3);
    assert_channel_texts(chat, 0, "test;1st;more;m;");
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

/* A snapshot of a history agent and a mock that has said "m" and knows "1;h;". */
static agentchat_snapshot *with_mock(void)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);
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
    agentchat_chat *chat = agentchat_chat_new(NULL), *next = agentchat_chat_new(NULL);
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
    agentchat_chat *chat = agentchat_chat_new(NULL);
    mock m = {.says = "m", .fail_restore = 1};
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
    add_text(chat, "2");
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_fails(agentchat_chat_invoke(chat, "M", &err), &err, AGENTCHAT_E_CALLBACK, "",
               "could not be restored: restore is down");
    assert_int_equal(agentchat_chat_kept_count(chat), 1);
    m.fail_receive = 1;
    test_fails(agentchat_chat_invoke(chat, "M", &err), &err, AGENTCHAT_E_CALLBACK, "", "receive is down");
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
    agentchat_chat *chat = agentchat_chat_new(NULL);
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
    agentchat_chat *chat = agentchat_chat_new(NULL);
    agentchat_agent *agent = mock_agent(NULL, "M", m);
    agentchat_snapshot_builder *b = agentchat_snapshot_builder_new(NULL, NULL);
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    for (int i = 0; i < 3; i++) {
        agentchat_message *message = NULL;

        test_ok(agentchat_message_new_text(NULL, "user", NULL, (agentchat_str){&"abc"[i], 1}, &message, &err), &err);
        agentchat_snapshot_builder_add_message(b, message);
        agentchat_message_unref(message);
    }
    agentchat_snapshot_builder_set_channel(b, agentchat_agent_channel_key(agent), AGENTCHAT_STR(MOCK_TYPE),
                                           AGENTCHAT_STATE_TEXT, AGENTCHAT_STR("old;"), synced);
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

/* A kept list of messages that does not say how far it got is placed by its newest message. */
static void test_restore__kept_list_of_unknown_position(void **state)
{
    agentchat_chat *source = two_agents(), *chat = agentchat_chat_new(NULL);
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
    list[0] = agentchat_snapshot_message(snapshot, 0);
    list[1] = agentchat_snapshot_message(snapshot, 1);
    test_ok(agentchat_messages_new(NULL, list, 2, &seen, &err), &err);
    claimer = speaker(NULL, "Late", "late");
    b = agentchat_snapshot_builder_new(NULL, snapshot);
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
    agentchat_messages_free(seen);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(stale);
    agentchat_chat_free(source);
    agentchat_chat_free(chat);
}

static void test_restore__pending_goes_through_save_and_restore(void **state)
{
    agentchat_chat *chat = agentchat_chat_new(NULL), *next = agentchat_chat_new(NULL);
    mock m = {.says = "m"}, fresh = {.says = "m"};
    agentchat_report *report = NULL;
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
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
    options.report = &report;
    test_ok(agentchat_chat_capture(chat, &options, &snapshot, &err), &err);
    assert_int_equal(agentchat_report_count(report), 1);
    assert_str(agentchat_report_at(report, 0).path, "/channels/0/pending");
    assert_non_null(strstr(agentchat_report_at(report, 0).text.ptr, "2 messages are pending"));
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
    test_fails(agentchat_chat_invoke(next, "M", &err), &err, AGENTCHAT_E_CALLBACK, "", "receive is down");
    invoke(next, "M");
    assert_string_equal(fresh.given, "1;h;");
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

static void test_restore__turn_completion_and_values(void **state)
{
    agentchat_chat *chat = two_agents(), *next = agentchat_chat_new(NULL), *fewer = agentchat_chat_new(NULL);
    agentchat_str absent = {NULL, 0}, type;
    agentchat_snapshot *snapshot, *again;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    agentchat_chat_set_complete(chat, true);
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR("{\"n\":1.50}"), &err), &err);
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("b"), AGENTCHAT_STR("image/png"), AGENTCHAT_STR("\x89"), &err),
            &err);
    snapshot = through_bytes(capture(chat));
    assert_int_equal(agentchat_snapshot_next_turn(snapshot), 1);
    agentchat_chat_free(chat);
    /* In another order: the turn stays the second agent's. */
    add_agent(next, speaker(NULL, "Second", "2nd"));
    add_agent(next, speaker(NULL, "First", "1st"));
    test_ok(agentchat_chat_set_value(next, AGENTCHAT_STR("a"), absent, AGENTCHAT_STR("0"), &err), &err);
    test_ok(agentchat_chat_set_value(next, AGENTCHAT_STR("own"), absent, AGENTCHAT_STR("1"), &err), &err);
    test_ok(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), &err);
    assert_true(agentchat_chat_is_complete(next));
    assert_str(agentchat_chat_value(next, AGENTCHAT_STR("a"), NULL), "{\"n\":1.50}");
    assert_str(agentchat_chat_value(next, AGENTCHAT_STR("b"), &type), "\x89");
    assert_str(type, "image/png");
    assert_str(agentchat_chat_value(next, AGENTCHAT_STR("own"), NULL), "1");
    agentchat_chat_set_complete(next, false);
    test_ok(agentchat_chat_invoke_next(next, &err), &err);
    assert_texts(agentchat_chat_history(next), "1st;2nd;");
    again = capture(next);
    agentchat_chat_free(next); /* the snapshot outlives the chat, values included */
    assert_str(agentchat_snapshot_value(again, AGENTCHAT_STR("b"), NULL), "\x89");
    /* The agent whose turn it was is gone: the place in the order wraps round. */
    add_agent(fewer, speaker(NULL, "Other", "o"));
    test_ok(agentchat_chat_restore(fewer, snapshot, NULL, NULL, &err), &err);
    agentchat_chat_set_complete(fewer, false);
    test_ok(agentchat_chat_invoke_next(fewer, &err), &err);
    assert_texts(agentchat_chat_history(fewer), "1st;o;");
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(again);
    agentchat_chat_free(fewer);
}

static void test_restore__equivalent_chat_saves_the_same_bytes(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_chat *chat = agentchat_chat_new(NULL), *next = agentchat_chat_new(NULL);
    mock m = {.says = "m"}, n = {.says = "m"};
    const char *names[3] = {"H", "G", "M"};
    char *first, *second;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    add_agent(chat, aggregator("G"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    for (int i = 0; i < 3; i++)
        invoke(chat, names[i]);
    snapshot = through_bytes(capture(chat));
    add_agent(next, speaker(NULL, "H", "h"));
    add_agent(next, aggregator("G"));
    /* Ids are the host's to set; with equal ones the files are equal but for the chat inside, whose agents are new. */
    add_agent(next, mock_agent(NULL, "M", &n));
    test_ok(agentchat_chat_restore(next, snapshot, NULL, NULL, &err), &err);
    for (int i = 0; i < 3; i++) {
        invoke(chat, names[i]);
        invoke(next, names[i]);
    }
    assert_string_equal(m.given, "1;h;inner;h;inner;");
    assert_string_equal(n.given, "h;inner;");
    assert_channel_texts(chat, 0, "1;h;inner;m;h;inner;m;");
    assert_channel_texts(next, 0, "1;h;inner;m;h;inner;m;");
    assert_channel_texts(chat, 1, "1;h;inner;m;h;inner;m;");
    assert_channel_texts(next, 1, "1;h;inner;m;h;inner;m;");
    first = picture(next);
    second = picture(next);
    assert_string_equal(first, second); /* deterministic */
    free(first);
    free(second);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

/* By way of Semantic Kernel's own format, with something pending, as written by default and strictly. */
static void through_semantic_kernel(bool strict, const char *given)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_chat *chat = agentchat_chat_new(NULL), *next = agentchat_chat_new(NULL);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot = NULL, *read = NULL;
    mock m = {.says = "m"}, fresh = {.says = "m"};
    agentchat_error err;

    add_agent(chat, speaker(NULL, "H", "h"));
    add_agent(chat, aggregator("G"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    invoke(chat, "H");
    invoke(chat, "G");
    invoke(chat, "M");
    m.fail_receive = -1;
    add_text(chat, "2");
    snapshot = capture(chat);
    options.format = AGENTCHAT_FORMAT_SEMANTIC_KERNEL;
    options.strict = strict;
    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, &err), &err);
    test_ok(agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, NULL, &read, &err), &err);
    assert_int_equal(agentchat_snapshot_format(read), AGENTCHAT_FORMAT_SEMANTIC_KERNEL);
    add_agent(next, speaker(NULL, "H", "h"));
    add_agent(next, aggregator("G"));
    add_agent(next, mock_agent(NULL, "M", &fresh));
    test_ok(agentchat_chat_restore(next, read, NULL, NULL, &err), &err);
    invoke(next, "G");
    invoke(next, "M");
    assert_texts(agentchat_chat_history(next), "1;h;inner;m;2;inner;m;");
    assert_channel_texts(next, 0, "1;h;inner;m;2;inner;m;");
    assert_channel_texts(next, 1, "1;h;inner;m;2;inner;m;");
    assert_string_equal(fresh.given, given);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(read);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
}

static void test_restore__through_semantic_kernels_format(void **state)
{
    (void)state;
    through_semantic_kernel(false, "2;inner;");
    through_semantic_kernel(true, "inner;"); /* .NET has no place for what is pending: the writer reports the loss */
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
        cmocka_unit_test(test_restore__after_a_reset),
        cmocka_unit_test(test_restore__into_a_chat_without_agents),
        cmocka_unit_test(test_restore__enhanced),
        cmocka_unit_test(test_restore__reduced_state_is_kept_and_saved_again),
        cmocka_unit_test(test_restore__kept_state_is_claimed_by_an_agent_that_joins),
        cmocka_unit_test(test_restore__reset_drops_kept_states),
        cmocka_unit_test(test_restore__channel_is_given_what_followed),
        cmocka_unit_test(test_restore__kept_list_of_unknown_position),
        cmocka_unit_test(test_restore__pending_goes_through_save_and_restore),
        cmocka_unit_test(test_restore__turn_completion_and_values),
        cmocka_unit_test(test_restore__equivalent_chat_saves_the_same_bytes),
        cmocka_unit_test(test_restore__through_semantic_kernels_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
