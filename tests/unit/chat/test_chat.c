/* SPDX-License-Identifier: Apache-2.0 */
/* A chat's life: what AgentChatTests, AgentChannelTests and parts of AgentGroupChatTests of Semantic Kernel assert, and
   the refusals of each call. */
#include "chat_mock.h"

static void test_agent_chat__lifecycle(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;
    mock m = {.says = "hi"};

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    assert_texts(agentchat_chat_history(chat), "");
    assert_channel_texts(chat, 0, "");
    add_text(chat, "1");
    add_text(chat, "2");
    assert_texts(agentchat_chat_history(chat), "1;2;");
    assert_channel_texts(chat, 0, ""); /* the agent has not joined */
    add_text(chat, "3");
    invoke(chat, "A");
    assert_texts(agentchat_chat_history(chat), "1;2;3;a;");
    assert_channel_texts(chat, 0, "1;2;3;a;");
    invoke(chat, "A");
    assert_channel_texts(chat, 0, "1;2;3;a;a;");
    assert_int_equal(agentchat_chat_message_count(chat), 5);
    assert_str(agentchat_message_text(agentchat_chat_newest(chat, 4)), "1");
    assert_null(agentchat_chat_newest(chat, 5));
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "M");
    assert_channel_texts(chat, 0, "1;2;3;a;a;hi;");
    assert_string_equal(m.given, "1;2;3;a;a;");
    test_ok(agentchat_chat_reset(chat, &err), &err);
    assert_texts(agentchat_chat_history(chat), "");
    assert_channel_texts(chat, 0, "");
    assert_int_equal(m.invokes, 1);
    assert_int_equal(m.frees, 1);
    assert_int_equal(agentchat_chat_agent_count(chat), 2);
    invoke(chat, "M");
    assert_channel_texts(chat, 0, "hi;");
    agentchat_chat_free(chat);
    assert_int_equal(m.frees, 2);
}

static agentchat_status say_system(mock *m, agentchat_replies *out, agentchat_error *err)
{
    agentchat_message *message = NULL;

    test_ok(agentchat_message_new_text(agentchat_replies_env(out), "SYSTEM", (agentchat_str){NULL, 0},
                                       AGENTCHAT_STR("obey"), &message, err),
            err);
    m->seen_status = agentchat_replies_add(out, message, err);
    agentchat_message_unref(message);
    return m->seen_status;
}

static void test_agent_chat__rejects_system_message(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "x", .during = say_system};
    agentchat_message *both[2] = {NULL, NULL};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_fails(agentchat_chat_add_text(chat, "system", AGENTCHAT_STR("x"), &err), &err, AGENTCHAT_E_INVALID, "",
               "system");
    test_fails(agentchat_chat_add_text(chat, "SyStem", AGENTCHAT_STR("x"), &err), &err, AGENTCHAT_E_INVALID, "",
               "system");
    test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("a"), &both[0], &err),
            &err);
    test_ok(agentchat_message_new_text(NULL, "system", (agentchat_str){NULL, 0}, AGENTCHAT_STR("b"), &both[1], &err),
            &err);
    test_fails(agentchat_chat_add_messages(chat, (const agentchat_message *const *)both, 2, &err), &err,
               AGENTCHAT_E_INVALID, "", "system");
    assert_int_equal(agentchat_chat_message_count(chat), 0);
    /* The chat stays usable, and "developer" is welcome. */
    test_ok(agentchat_chat_add_text(chat, "developer", AGENTCHAT_STR("x"), &err), &err);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_INVALID, "", "system");
    assert_int_equal(m.seen_status, AGENTCHAT_E_INVALID);
    assert_texts(agentchat_chat_history(chat), "x;");
    agentchat_message_unref(both[0]);
    agentchat_message_unref(both[1]);
    agentchat_chat_free(chat);
}

/* Tries every operation of its own chat while that is running it. */
static agentchat_status try_all(mock *m, agentchat_replies *out, agentchat_error *err)
{
    agentchat_chat *chat = m->chat;
    agentchat_agent *extra = speaker(NULL, "X", "x");
    const agentchat_messages *list = NULL;
    agentchat_snapshot *snapshot = NULL, *empty = NULL;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_error e;

    (void)out;
    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &e), &e);
    test_ok(agentchat_snapshot_builder_finish(test_snapshot_builder(NULL, NULL), &empty, &e), &e);
    test_fails(agentchat_chat_add_agent(chat, extra, &e), &e, AGENTCHAT_E_BUSY, "", "another operation");
    test_fails(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("x"), &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_invoke_agent(chat, agentchat_chat_agent(chat, 0), &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_run(chat, NULL, &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_invoke_next(chat, &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &list, &e), &e, AGENTCHAT_E_BUSY, "",
               NULL);
    test_fails(agentchat_chat_reset(chat, &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_set_value(chat, AGENTCHAT_STR("a"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("1"), &e), &e,
               AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    assert_null(snapshot);
    test_fails(agentchat_chat_save(chat, sink, NULL, NULL, &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_save_file(chat, "/nowhere/x", NULL, NULL, &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    test_fails(agentchat_chat_restore(chat, empty, NULL, NULL, &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    /* Looking is allowed. */
    assert_int_equal(agentchat_chat_message_count(chat), 1);
    assert_int_equal(agentchat_chat_agent_count(chat), 1);
    m->seen_status = AGENTCHAT_E_BUSY;
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(empty);
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "enough");
}

static void test_agent_chat__throws_when_active(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "x", .during = try_all, .chat = chat};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "", "enough");
    assert_int_equal(m.seen_status, AGENTCHAT_E_BUSY);
    m.during = NULL; /* the flag was given back although the invocation failed */
    invoke(chat, "M");
    assert_texts(agentchat_chat_history(chat), "1;x;");
    agentchat_chat_free(chat);
}

/* AgentChannelTests.VerifyAgentChannelUpcast, ChatHistoryChannelTests.VerifyAgentIsChatHistoryAgent. */
static void test_agent_channel__refuses_an_agent_of_another_type(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    const char *key = AGENTCHAT_TYPE_HISTORY_CHANNEL;
    mock m = {.says = "x"};
    agentchat_error err;

    (void)state;
    options.name = AGENTCHAT_STR("Wrong");
    options.channel = &mock_type;
    options.keys = &key;
    options.key_count = 1;
    options.user = &m;
    add_agent(chat, speaker(NULL, "Right", "r"));
    add_agent(chat, test_agent_new(NULL, &options));
    invoke(chat, "Right");
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Wrong"), &err), &err, AGENTCHAT_E_INVALID, "",
               "not its type");
    assert_int_equal(m.invokes, 0);
    assert_texts(agentchat_chat_history(chat), "r;");
    agentchat_chat_free(chat);
}

static void test_chat__agents(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL), *other = test_chat_new(NULL);
    agentchat_agent *first = speaker(NULL, "A", "1"), *same = speaker(NULL, "B", "2"),
                    *outside = speaker(NULL, "A", "3");
    agentchat_error err;

    (void)state;
    test_ok(agentchat_agent_set_id(first, AGENTCHAT_STR("one"), &err), &err);
    test_ok(agentchat_agent_set_id(same, AGENTCHAT_STR("one"), &err), &err);
    add_agent(chat, first);
    test_fails(agentchat_chat_add_agent(chat, same, &err), &err, AGENTCHAT_E_EXISTS, "", "one");
    /* An agent that some chat owns is neither taken nor released. */
    test_fails(agentchat_chat_add_agent(chat, first, &err), &err, AGENTCHAT_E_EXISTS, "", "in a chat already");
    test_fails(agentchat_chat_add_agent(other, first, &err), &err, AGENTCHAT_E_EXISTS, "", "in a chat already");
    test_fails(agentchat_chat_add_agent(chat, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "agent must not be NULL");
    test_fails(agentchat_chat_invoke_agent(chat, outside, &err), &err, AGENTCHAT_E_NOTFOUND, "", "not in the chat");
    test_fails(agentchat_chat_invoke_agent(chat, NULL, &err), &err, AGENTCHAT_E_NOTFOUND, "", "not in the chat");
    assert_ptr_equal(agentchat_chat_agent(chat, 0), first);
    assert_null(agentchat_chat_agent(chat, 1));
    test_ok(agentchat_chat_invoke_agent(chat, first, &err), &err);
    assert_str(agentchat_message_name(agentchat_chat_newest(chat, 0)), "A");
    assert_str(agentchat_message_role(agentchat_chat_newest(chat, 0)), "assistant");
    agentchat_agent_free(outside);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static void test_chat__invoke_by_name_and_id(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent *agents[3] = {speaker(NULL, "Same", "first"), speaker(NULL, "Same", "second"),
                                  speaker(NULL, "Odd", "third")};
    const char *ids[3] = {"id-1", "id-2", "Same-3"};
    agentchat_agent *late;
    agentchat_error err;

    (void)state;
    for (int i = 0; i < 3; i++) {
        test_ok(agentchat_agent_set_id(agents[i], agentchat_str_from(ids[i]), &err), &err);
        add_agent(chat, agents[i]);
    }
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Same"), &err), &err, AGENTCHAT_E_INVALID, "",
               "2 agents are named Same; use an id: id-1, id-2");
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Nobody"), &err), &err, AGENTCHAT_E_NOTFOUND, "", "Nobody");
    test_fails(agentchat_chat_invoke(chat, (agentchat_str){NULL, 0}, &err), &err, AGENTCHAT_E_INVALID, "", "no name");
    invoke(chat, "id-2");
    invoke(chat, "Odd");
    late = speaker(NULL, "Late", "fourth");
    test_ok(agentchat_agent_set_id(late, AGENTCHAT_STR("Odd"), &err), &err);
    add_agent(chat, late);
    invoke(chat, "Odd"); /* an id goes before a name */
    assert_texts(agentchat_chat_history(chat), "second;third;fourth;");
    agentchat_chat_free(chat);
}

static void test_chat__ambiguous_name_cuts_the_list_of_ids(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;

    (void)state;
    for (int i = 0; i < 50; i++)
        add_agent(chat, speaker(NULL, "Many", "x"));
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Many"), &err), &err, AGENTCHAT_E_INVALID, "",
               "50 agents are named Many");
    assert_non_null(strstr(err.message, "\xE2\x80\xA6"));
    agentchat_chat_free(chat);
}

static void test_chat__null_chat_is_invalid(void **state)
{
    agentchat_error err;
    agentchat_snapshot *snapshot = NULL;
    const agentchat_messages *list = NULL;
    mock m = {.says = NULL};

    (void)state;
    test_fails(agentchat_chat_add_agent(NULL, mock_agent(NULL, "M", &m), &err), &err, AGENTCHAT_E_INVALID, "",
               "chat must not be NULL");
    test_fails(agentchat_chat_add_agent(NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "agent must not be NULL");
    test_fails(agentchat_agent_set_id(NULL, AGENTCHAT_STR("x"), &err), &err, AGENTCHAT_E_INVALID, "",
               "agent must not be NULL");
    test_fails(agentchat_chat_new(NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    test_fails(agentchat_chat_add_text(NULL, "user", AGENTCHAT_STR("x"), &err), &err, AGENTCHAT_E_INVALID, "",
               "chat must not be NULL");
    test_fails(agentchat_chat_invoke(NULL, AGENTCHAT_STR("x"), &err), &err, AGENTCHAT_E_INVALID, "",
               "chat must not be NULL");
    test_fails(agentchat_chat_run(NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "chat must not be NULL");
    test_fails(agentchat_chat_reset(NULL, &err), &err, AGENTCHAT_E_INVALID, "", "chat must not be NULL");
    test_fails(agentchat_chat_capture(NULL, NULL, &snapshot, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "chat must not be NULL");
    test_fails(agentchat_chat_restore(NULL, NULL, NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "chat must not be NULL");
    test_fails(agentchat_chat_save_file(NULL, "x", NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "chat must not be NULL");
    test_fails(agentchat_chat_channel_history(NULL, NULL, &list, &err), &err, AGENTCHAT_E_INVALID, "",
               "chat must not be NULL");
    assert_null(agentchat_chat_inner(NULL, NULL));
    assert_int_equal(agentchat_chat_agent_count(NULL), 0);
    assert_int_equal(agentchat_chat_message_count(NULL), 0);
    assert_int_equal(agentchat_chat_kept_count(NULL), 0);
    agentchat_chat_free(NULL);
}

static agentchat_status say_more(mock *m, agentchat_replies *out, agentchat_error *err)
{
    agentchat_message_builder *b = test_message_builder(agentchat_replies_env(out), "assistant", "M");
    agentchat_message *call = NULL;
    agentchat_status status;

    assert_ptr_equal(agentchat_agent_user(agentchat_replies_agent(out)), m);
    agentchat_message_builder_add_call(b, AGENTCHAT_STR("c1"), AGENTCHAT_STR("P"), AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{}"));
    status = agentchat_message_builder_finish(b, &call, err);
    if (status >= 0)
        status = agentchat_replies_add(out, call, err);
    assert_int_equal(agentchat_chat_message_count(m->chat), 1); /* it has joined at once */
    agentchat_message_unref(call);
    return status;
}

static void test_chat__replies_of_a_failing_invoke_stay_and_are_delivered(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "half", .during = say_more, .fail_invoke = 1, .chat = chat}, other = {.says = NULL};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, mock_agent(NULL, "O", &other));
    invoke(chat, "O");
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "could not answer: invoke is down");
    assert_texts(agentchat_chat_history(chat), ";half;");
    assert_string_equal(other.given, ";half;");
    assert_string_equal(m.given, ""); /* never its own */
    m.during = NULL;
    invoke(chat, "M");
    assert_string_equal(other.given, ";half;half;");
    agentchat_chat_free(chat);
}

/* Three messages: without a name, with a null one, and with another's. */
static agentchat_status say_as(mock *m, agentchat_replies *out, agentchat_error *err)
{
    static const char *const names[] = {"", ",\"name\":null", ",\"name\":\"Other\""};
    agentchat_status status = AGENTCHAT_OK;

    (void)m;
    for (size_t i = 0; i < 3 && status >= 0; i++) {
        agentchat_message *message = NULL;
        char json[100];

        (void)snprintf(json, sizeof json, "{\"role\":\"assistant\"%s,\"items\":[]}", names[i]);
        status = agentchat_message_read(NULL, agentchat_str_from(json), &message, NULL, err);
        if (status >= 0)
            status = agentchat_replies_add(out, message, err);
        agentchat_message_unref(message);
    }
    return status;
}

static void test_chat__what_an_agent_says_without_a_name_gets_its_name(void **state)
{
    static const char *const expected[] = {"M", "M", "Other"};
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = NULL, .during = say_as};

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "M");
    assert_int_equal(agentchat_chat_message_count(chat), 3);
    for (size_t i = 0; i < 3; i++)
        assert_str(agentchat_message_name(agentchat_messages_at(agentchat_chat_history(chat), i)), expected[i]);
    agentchat_chat_free(chat);
}

static void test_chat__failing_create_and_first_receive_leave_no_channel(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "x", .fail_create = 1, .fail_receive = 1};
    agentchat_error err;
    char *before;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    before = picture(chat);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "could not be made: create is down");
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "could not receive messages: receive is down");
    assert_int_equal(m.frees, 1);
    {
        char *after = picture(chat);

        assert_string_equal(before, after);
        free(after);
    }
    invoke(chat, "M");
    assert_string_equal(m.given, "1;");
    free(before);
    agentchat_chat_free(chat);
}

static agentchat_status mock_reset(void *self, agentchat_error *err)
{
    mock_channel *channel = self;

    channel->m->resets++;
    if (mock_fails(&channel->m->fail_reset))
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "reset is down");
    channel->seen[0] = '\0';
    return AGENTCHAT_OK;
}

static void test_chat__reset_that_fails_loses_nothing(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_channel_type type = mock_type;
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    mock m = {.says = "m", .fail_reset = 1};
    agentchat_error err;

    (void)state;
    type.reset = mock_reset;
    options.channel = &type;
    options.name = AGENTCHAT_STR("M");
    options.user = &m;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, test_agent_new(NULL, &options));
    add_text(chat, "1");
    invoke(chat, "A");
    invoke(chat, "M");
    test_fails(agentchat_chat_reset(chat, &err), &err, AGENTCHAT_E_CALLBACK, "", "could not be emptied: reset is down");
    assert_texts(agentchat_chat_history(chat), "1;a;m;");
    assert_channel_texts(chat, 0, "1;a;m;"); /* it was emptied, and is given everything again */
    test_ok(agentchat_chat_reset(chat, &err), &err);
    assert_int_equal(m.frees, 0);
    assert_int_equal(m.creates, 1);
    assert_int_equal(agentchat_chat_message_count(chat), 0);
    add_text(chat, "2");
    assert_string_equal(m.given, "1;a;2;");
    agentchat_chat_free(chat);
    assert_int_equal(m.frees, 1);
}

static void test_chat__history_view_needs_a_history_function(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent *outside = speaker(NULL, "X", "x");
    const agentchat_messages *list = NULL;
    mock m = {.says = "x"};
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    test_ok(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &list, &err), &err);
    assert_int_equal(agentchat_messages_count(list), 0);
    invoke(chat, "M");
    test_fails(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &list, &err), &err,
               AGENTCHAT_E_UNSUPPORTED, "", "no view");
    assert_null(list);
    test_fails(agentchat_chat_channel_history(chat, outside, &list, &err), &err, AGENTCHAT_E_NOTFOUND, "", NULL);
    agentchat_agent_free(outside);
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agent_chat__lifecycle),
        cmocka_unit_test(test_agent_chat__rejects_system_message),
        cmocka_unit_test(test_agent_chat__throws_when_active),
        cmocka_unit_test(test_agent_channel__refuses_an_agent_of_another_type),
        cmocka_unit_test(test_chat__agents),
        cmocka_unit_test(test_chat__invoke_by_name_and_id),
        cmocka_unit_test(test_chat__ambiguous_name_cuts_the_list_of_ids),
        cmocka_unit_test(test_chat__null_chat_is_invalid),
        cmocka_unit_test(test_chat__replies_of_a_failing_invoke_stay_and_are_delivered),
        cmocka_unit_test(test_chat__what_an_agent_says_without_a_name_gets_its_name),
        cmocka_unit_test(test_chat__failing_create_and_first_receive_leave_no_channel),
        cmocka_unit_test(test_chat__reset_that_fails_loses_nothing),
        cmocka_unit_test(test_chat__history_view_needs_a_history_function),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
