/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions and chats: events to history and back. */
#include "session/contract/contract.h"

static agentchat_message *message_of(scene *s, const char *role, const char *name, const char *id, const char *text)
{
    agentchat_message_builder *builder = test_message_builder(s->env, role, name);
    agentchat_message *message = NULL;

    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_ID, agentchat_str_from(id));
    agentchat_message_builder_add_text(builder, agentchat_str_from(text));
    test_ok(agentchat_message_builder_finish(builder, &message, &s->err), &s->err);
    return message;
}

static void append_message(scene *s, agentchat_session *session, const char *author, const char *id,
                           agentchat_message *message)
{
    agentchat_event_builder *builder = test_event_builder(s->env, author);
    agentchat_event *event = NULL;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(id));
    agentchat_event_builder_set_content(builder, message);
    test_ok(agentchat_event_builder_finish(builder, &event, &s->err), &s->err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    agentchat_event_unref(event);
    agentchat_message_unref(message);
}

static void test_bridge__events_become_a_history(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"k\":1.50}"), *again;
    agentchat_snapshot *snapshot = NULL;
    agentchat_event *null;

    append_message(s, session, "user", "e1", message_of(s, "user", NULL, NULL, "hello"));
    (void)scene_append(s, session, "e2", "k=2.50"); /* no content */
    null = scene_read_event(s, "{\"author\":\"a\",\"content\":null}");
    test_ok(agentchat_session_append(session, null, NULL, NULL, &s->err), &s->err);
    agentchat_event_unref(null);
    append_message(s, session, "Desk", "e3", message_of(s, "assistant", "Own", "own-id", "hi"));
    again = scene_get(s, "u", "s");
    test_ok(agentchat_session_snapshot(again, AGENTCHAT_STR("state"), &snapshot, &s->err), &s->err);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 2);
    {
        const agentchat_message *first = agentchat_messages_at(agentchat_snapshot_history(snapshot), 0);
        const agentchat_message *second = agentchat_messages_at(agentchat_snapshot_history(snapshot), 1);

        assert_str(agentchat_message_get(first, AGENTCHAT_FIELD_NAME), "user");
        assert_str(agentchat_message_get(first, AGENTCHAT_FIELD_ID), "e1");
        assert_int_equal(agentchat_message_get(first, AGENTCHAT_FIELD_TIME).len, 27);
        assert_str(agentchat_message_text(first), "hello");
        assert_str(agentchat_message_get(second, AGENTCHAT_FIELD_NAME), "Own");
        assert_str(agentchat_message_get(second, AGENTCHAT_FIELD_ID), "own-id");
    }
    assert_int_equal(agentchat_snapshot_value_count(snapshot), 1);
    agentchat_snapshot_unref(snapshot);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_bridge__the_copy_of_the_state_has_no_temp_keys(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"user:b\":2,\"k\":1.50}");
    agentchat_snapshot *snapshot = NULL;
    agentchat_str value;
    agentchat_state *map = NULL;

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    test_ok(agentchat_session_set(session, "temp:secret", AGENTCHAT_STR("1"), &s->err), &s->err);
    test_ok(agentchat_session_snapshot(session, AGENTCHAT_STR("the state"), &snapshot, &s->err), &s->err);
    assert_str(agentchat_snapshot_value_name(snapshot, 0), "the state");
    value = agentchat_snapshot_value(snapshot, AGENTCHAT_STR("the state"), NULL);
    test_ok(agentchat_state_read(s->env, value, &map, &s->err), &s->err);
    expect_map(map, "{\"app:a\":1,\"user:b\":2,\"k\":1.50}");
    agentchat_state_free(map);
    agentchat_snapshot_unref(snapshot);
    test_ok(agentchat_session_snapshot(session, agentchat_str_from(NULL), &snapshot, &s->err), &s->err);
    assert_int_equal(agentchat_snapshot_value_count(snapshot), 0);
    agentchat_snapshot_unref(snapshot);
    agentchat_session_free(session);
}

static void test_bridge__a_history_becomes_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    agentchat_message *messages[2] = {message_of(s, "user", NULL, "m1", "hello"),
                                      message_of(s, "assistant", "Desk", "m2", "hi")};
    agentchat_snapshot *snapshot = NULL;

    for (int i = 0; i < 2; i++) {
        agentchat_event *event = NULL;

        test_ok(agentchat_event_from_message(s->env, messages[i], "inv", &event, &s->err), &s->err);
        test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
        agentchat_event_unref(event);
    }
    again = scene_get(s, "u", "s");
    expect_events(again, "m1 m2");
    assert_str(agentchat_event_get(agentchat_session_event(again, 0), AGENTCHAT_EVENT_AUTHOR), "user");
    assert_str(agentchat_event_get(agentchat_session_event(again, 1), AGENTCHAT_EVENT_AUTHOR), "Desk");
    test_ok(agentchat_session_snapshot(again, agentchat_str_from(NULL), &snapshot, &s->err), &s->err);
    assert_str(agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(snapshot), 1)), "hi");
    agentchat_snapshot_unref(snapshot);
    for (int i = 0; i < 2; i++)
        agentchat_message_unref(messages[i]);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_bridge__of_an_empty_session_is_an_empty_chat(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_snapshot *snapshot = NULL;

    test_ok(agentchat_session_snapshot(session, agentchat_str_from(NULL), &snapshot, &s->err), &s->err);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 0);
    agentchat_snapshot_unref(snapshot);
    expect_fails(s, agentchat_session_snapshot(NULL, agentchat_str_from(NULL), &snapshot, &s->err), AGENTCHAT_E_INVALID,
                 NULL);
    assert_null(snapshot);
    agentchat_session_free(session);
}

int contract_bridge(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_bridge__events_become_a_history),
        SCENE_TEST(test_bridge__the_copy_of_the_state_has_no_temp_keys),
        SCENE_TEST(test_bridge__a_history_becomes_events),
        SCENE_TEST(test_bridge__of_an_empty_session_is_an_empty_chat),
    };

    return CONTRACT_GROUP("bridge", tests);
}
