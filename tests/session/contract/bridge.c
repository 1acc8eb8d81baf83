/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions and chats: events to history and back. */
#include "session/contract/contract.h"

#include <stdio.h>

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
    agentchat_report *report = NULL;
    agentchat_event *null;

    append_message(s, session, "user", "e1", message_of(s, "user", NULL, NULL, "hello"));
    (void)scene_append(s, session, "e2", "k=2.50"); /* no content */
    null = scene_read_event(s, "{\"author\":\"a\",\"content\":null}");
    test_ok(agentchat_session_append(session, null, NULL, NULL, &s->err), &s->err);
    agentchat_event_unref(null);
    append_message(s, session, "Desk", "e3", message_of(s, "assistant", "Own", "own-id", "hi"));
    again = scene_get(s, "u", "s");
    test_ok(agentchat_session_snapshot(again, AGENTCHAT_STR("state"), &snapshot, &report, &s->err), &s->err);
    assert_str(agentchat_report_at(report, 2)->path,
               "/events/1"); /* after the session and the invocation of its first */
    agentchat_report_free(report);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 2);
    {
        const agentchat_message *first = agentchat_messages_at(agentchat_snapshot_history(snapshot), 0);
        const agentchat_message *second = agentchat_messages_at(agentchat_snapshot_history(snapshot), 1);

        assert_null(agentchat_message_get(first, AGENTCHAT_FIELD_NAME).ptr); /* the role says it */
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
    test_ok(agentchat_session_snapshot(session, AGENTCHAT_STR("the state"), &snapshot, NULL, &s->err), &s->err);
    assert_str(agentchat_snapshot_value_name(snapshot, 0), "the state");
    value = agentchat_snapshot_value(snapshot, AGENTCHAT_STR("the state"), NULL);
    test_ok(agentchat_state_read(s->env, value, &map, &s->err), &s->err);
    expect_map(map, "{\"app:a\":1,\"user:b\":2,\"k\":1.50}");
    agentchat_state_free(map);
    agentchat_snapshot_unref(snapshot);
    test_ok(agentchat_session_snapshot(session, agentchat_str_from(NULL), &snapshot, NULL, &s->err), &s->err);
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
    test_ok(agentchat_session_snapshot(again, agentchat_str_from(NULL), &snapshot, NULL, &s->err), &s->err);
    assert_str(agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(snapshot), 1)), "hi");
    agentchat_snapshot_unref(snapshot);
    for (int i = 0; i < 2; i++)
        agentchat_message_unref(messages[i]);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void expect_digest(scene *s, const agentchat_snapshot *left, const agentchat_snapshot *right)
{
    char one[AGENTCHAT_DIGEST_LEN + 1], other[AGENTCHAT_DIGEST_LEN + 1];

    test_ok(agentchat_snapshot_digest(left, true, one, &s->err), &s->err);
    test_ok(agentchat_snapshot_digest(right, true, other, &s->err), &s->err);
    assert_string_equal(one, other);
}

/* What a message says survives the way into a session and back, where it has an id and a time. */
static void test_bridge__a_history_comes_back_from_its_events(void **state)
{
    static const char text[] =
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":["
        "{\"role\":\"user\",\"id\":\"m1\",\"time\":\"2026-01-02T03:04:05Z\",\"items\":[{\"type\":"
        "\"text\",\"text\":\"hi\"}]},"
        "{\"role\":\"assistant\",\"name\":\"Desk\",\"model\":\"m\",\"id\":\"m2\",\"time\":"
        "\"2026-01-02T03:04:06Z\",\"metadata\":{\"a\":1.50}},"
        "{\"role\":\"tool\",\"id\":\"m3\",\"time\":\"2026-01-02T03:04:07Z\",\"items\":[{\"type\":"
        "\"result\",\"id\":\"c\",\"result\":1}]}],"
        "\"participants\":[{\"id\":\"Desk\",\"name\":\"Desk\"}],\"channels\":[]}";
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    agentchat_snapshot *before, *after;

    test_ok(agentchat_snapshot_read_memory(s->env, agentchat_str_from(text), NULL, &before, NULL, &s->err), &s->err);
    for (size_t i = 0; i < agentchat_messages_count(agentchat_snapshot_history(before)); i++) {
        agentchat_event *event;

        test_ok(agentchat_event_from_message(s->env, agentchat_messages_at(agentchat_snapshot_history(before), i), NULL,
                                             &event, &s->err),
                &s->err);
        test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
        agentchat_event_unref(event);
    }
    again = scene_get(s, "u", "s");
    test_ok(agentchat_session_snapshot(again, AGENTCHAT_STR("state"), &after, NULL, &s->err), &s->err);
    expect_digest(s, before, after);
    agentchat_snapshot_unref(before);
    agentchat_snapshot_unref(after);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

/* Everything that a session's file has is the same from the store: `temp:` keys are in neither. */
static void test_bridge__a_file_gives_the_same_chat(void **state)
{
    static const char text[] =
        "{\"id\":\"s\",\"appName\":\"%s\",\"userId\":\"u\",\"state\":{\"k\":1.50,\"app:a\":[1],\"temp:t\":2},"
        "\"events\":[{\"id\":\"e1\",\"invocationId\":\"i\",\"author\":\"user\",\"timestamp\":1767323045.5,\"content\":{"
        "\"role\":\"user\",\"parts\":[{\"text\":\"hi\"}]}},"
        "{\"id\":\"e2\",\"invocationId\":\"i\",\"author\":\"desk\",\"timestamp\":1767323046.5,\"partial\":true,"
        "\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"wa\"}]}},"
        "{\"id\":\"e3\",\"invocationId\":\"i\",\"author\":\"desk\",\"timestamp\":1767323047.5,\"content\":{\"role\":"
        "\"model\",\"parts\":[{\"functionCall\":{\"id\":\"c\",\"name\":\"f\",\"args\":{}}}]},\"actions\":{"
        "\"stateDelta\":{"
        "\"temp:t\":3,\"k\":1.50}}},"
        "{\"id\":\"e4\",\"invocationId\":\"i\",\"author\":\"user\",\"timestamp\":1767323048.5,\"actions\":{"
        "\"compaction\":{"
        "\"startTimestamp\":1.0,\"endTimestamp\":2.0,\"compactedContent\":{\"parts\":[{\"text\":\"sum\"}]}}}}],"
        "\"lastUpdateTime\":1767323048.5}";
    scene *s = *state;
    char document[sizeof text + sizeof s->app];
    agentchat_snapshot *of_store, *of_file;
    agentchat_session *session, *again;
    agentchat_session_file *file;
    agentchat_source *source;

    (void)snprintf(document, sizeof document, text, s->app);
    for (int i = 0; i < 2; i++) {
        test_ok(agentchat_source_memory(s->env, agentchat_str_from(document), &source, &s->err), &s->err);
        if (i == 0)
            test_ok(agentchat_session_import(s->store, source, NULL, &session, NULL, &s->err), &s->err);
        else
            test_ok(agentchat_session_file_read(s->env, source, NULL, &file, NULL, &s->err), &s->err);
        agentchat_source_free(source);
    }
    again = scene_get(s, "u", "s");
    test_ok(agentchat_session_snapshot(again, AGENTCHAT_STR("state"), &of_store, NULL, &s->err), &s->err);
    test_ok(agentchat_session_file_snapshot(file, AGENTCHAT_STR("state"), &of_file, NULL, &s->err), &s->err);
    expect_digest(s, of_store, of_file);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(of_file)), 2);
    for (int i = 0; i < 2; i++) {
        agentchat_state *map = NULL;

        test_ok(agentchat_state_read(
                    s->env, agentchat_snapshot_value(i == 0 ? of_store : of_file, AGENTCHAT_STR("state"), NULL), &map,
                    &s->err),
                &s->err);
        expect_map(map, "{\"k\":1.50,\"app:a\":[1]}");
        agentchat_state_free(map);
    }
    agentchat_snapshot_unref(of_store);
    agentchat_snapshot_unref(of_file);
    agentchat_session_file_free(file);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_bridge__of_an_empty_session_is_an_empty_chat(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_snapshot *snapshot = NULL;

    test_ok(agentchat_session_snapshot(session, agentchat_str_from(NULL), &snapshot, NULL, &s->err), &s->err);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 0);
    agentchat_snapshot_unref(snapshot);
    expect_fails(s, agentchat_session_snapshot(NULL, agentchat_str_from(NULL), &snapshot, NULL, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    assert_null(snapshot);
    agentchat_session_free(session);
}

int contract_bridge(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_bridge__events_become_a_history),
        SCENE_TEST(test_bridge__the_copy_of_the_state_has_no_temp_keys),
        SCENE_TEST(test_bridge__a_history_becomes_events),
        SCENE_TEST(test_bridge__a_history_comes_back_from_its_events),
        SCENE_TEST(test_bridge__a_file_gives_the_same_chat),
        SCENE_TEST(test_bridge__of_an_empty_session_is_an_empty_chat),
    };

    return CONTRACT_GROUP("bridge", tests);
}
