/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the session service of adk-python is tested for, test by test, by the names that those tests have: its
 * tests/unittests/sessions/test_session_service.py. Where ours promises more or something else, the test says so.
 */
#include "session/contract/contract.h"

#include <stdio.h>

static void test_session_service__get_empty_session(void **state)
{
    expect_missing(*state, "user", "1234");
}

static void test_session_service__create_get_session(void **state)
{
    scene *s = *state;
    agentchat_session *made = scene_create(s, "user", NULL, "{\"key\":\"value\"}"), *found;

    found = scene_get(s, "user", agentchat_session_get_id(made)->id);
    assert_string_equal(agentchat_session_get_id(found)->id, agentchat_session_get_id(made)->id);
    assert_true(agentchat_session_updated_us(found) == agentchat_session_updated_us(made));
    assert_true(agentchat_session_updated_us(found) <= s->now_us);
    expect_state(found, "{\"key\":\"value\"}");
    test_ok(agentchat_session_delete(
                s->store, &(agentchat_session_id){s->app, "user", agentchat_session_get_id(made)->id}, &s->err),
            &s->err);
    expect_missing(s, "user", agentchat_session_get_id(made)->id);
    agentchat_session_free(made);
    agentchat_session_free(found);
}

static void test_session_service__create_and_list_sessions(void **state)
{
    scene *s = *state;
    char id[16];

    for (int i = 0; i < 5; i++) {
        snprintf(id, sizeof id, "session%d", i);
        agentchat_session_free(scene_create(s, "user", id, "{\"key\":1}"));
    }
    for (int i = 0; i < 5; i++) {
        snprintf(id, sizeof id, "session%d", i);
        assert_int_equal(scene_count(s, s->app, "user", id), 1);
    }
    assert_int_equal(scene_count(s, s->app, "user", NULL), 5);
}

static void test_session_service__list_sessions_all_users(void **state)
{
    scene *s = *state;

    agentchat_session_free(scene_create(s, "user1", "a1", NULL));
    agentchat_session_free(scene_create(s, "user1", "b1", NULL));
    agentchat_session_free(scene_create(s, "user2", "a2", NULL));
    assert_int_equal(scene_count(s, s->app, "user1", NULL), 2);
    assert_int_equal(scene_count(s, s->app, "user2", NULL), 1);
    assert_int_equal(scene_count(s, s->app, NULL, NULL), 3);
}

static void test_session_service__app_state_is_shared_by_all_users_of_app(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u1", "s1", "{\"app:k1\":\"v1\"}"), *two;

    (void)scene_append(s, one, "e1", "app:k2=\"v2\"");
    two = scene_create(s, "u2", "s2", NULL);
    expect_state(two, "{\"app:k1\":\"v1\",\"app:k2\":\"v2\"}");
    (void)scene_append(s, two, "e2", "app:k3=\"v3\"");
    expect_stored(s, "u1", "s1", "{\"app:k1\":\"v1\",\"app:k2\":\"v2\",\"app:k3\":\"v3\"}", "e1");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_session_service__user_state_is_shared_only_by_user_sessions(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u1", "s1", "{\"user:k1\":\"v1\"}");
    agentchat_session *two = scene_create(s, "u1", "s2", NULL), *other = scene_create(s, "u2", "s3", NULL);

    (void)scene_append(s, one, "e1", "user:k2=\"v2\"");
    expect_stored(s, "u1", "s2", "{\"user:k1\":\"v1\",\"user:k2\":\"v2\"}", "");
    expect_stored(s, "u2", "s3", "{}", "");
    agentchat_session_free(one);
    agentchat_session_free(two);
    agentchat_session_free(other);
}

static void test_session_service__session_state_is_not_shared(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u1", "s1", "{\"sk1\":\"v1\"}");

    (void)scene_append(s, one, "e1", "sk2=\"v2\"");
    agentchat_session_free(scene_create(s, "u1", "s1b", NULL));
    expect_stored(s, "u1", "s1", "{\"sk1\":\"v1\",\"sk2\":\"v2\"}", "e1");
    expect_stored(s, "u1", "s1b", "{}", "");
    agentchat_session_free(one);
}

/* There the live session shows it; here only during an invocation. */
static void test_session_service__temp_state_is_not_persisted_in_state_or_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL), *again;

    test_ok(agentchat_invocation_begin(session, "inv1", &s->err), &s->err);
    (void)scene_append(s, session, "e1", "temp:k1=\"v1\" sk=\"v2\"");
    expect_key(session, "temp:k1", "\"v1\"");
    expect_key(session, "sk", "\"v2\"");
    again = scene_get(s, "u1", "s1");
    expect_state(again, "{\"sk\":\"v2\"}");
    assert_int_equal(agentchat_event_change_count(agentchat_session_event(again, 0)), 1);
    assert_int_equal(agentchat_event_change_count(agentchat_session_event(session, 0)), 1);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_session_service__temp_state_visible_across_sequential_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL);

    test_ok(agentchat_invocation_begin(session, "inv1", &s->err), &s->err);
    (void)scene_append(s, session, "e1", "temp:out=\"first\"");
    expect_key(session, "temp:out", "\"first\"");
    (void)scene_append(s, session, "e2", "other=1");
    expect_key(session, "temp:out", "\"first\"");
    agentchat_session_free(session);
}

static void test_session_service__get_session_respects_user_id(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u1", "same", NULL), *two = scene_create(s, "u2", "same", NULL);

    (void)scene_append(s, one, "e1", NULL);
    expect_stored(s, "u1", "same", "{}", "e1");
    expect_stored(s, "u2", "same", "{}", "");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_session_service__create_session_with_existing_id_raises_error(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u1", "same", NULL), *two = one;

    expect_fails(s,
                 agentchat_session_create(s->store, &(agentchat_session_id){s->app, "u1", "same"}, NULL, &two, &s->err),
                 AGENTCHAT_E_EXISTS, "already");
    assert_null(two);
    agentchat_session_free(one);
}

static void test_session_service__append_event_bytes(void **state)
{
    static const char bytes[] = "\x00\x01\xFF\xFEtest";
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL), *again;
    agentchat_message_builder *message = test_message_builder(s->env, "user", NULL);
    agentchat_event_builder *builder = test_event_builder(s->env, "user");
    agentchat_message *content = NULL;
    agentchat_event *event = NULL;
    agentchat_str data;

    agentchat_message_builder_add_data(message, AGENTCHAT_ITEM_BINARY, AGENTCHAT_STR("application/octet-stream"),
                                       (agentchat_str){bytes, sizeof bytes - 1});
    test_ok(agentchat_message_builder_finish(message, &content, &s->err), &s->err);
    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("e1"));
    agentchat_event_builder_set_content(builder, content);
    test_ok(agentchat_event_builder_finish(builder, &event, &s->err), &s->err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    again = scene_get(s, "u1", "s1");
    test_ok(agentchat_item_bytes(agentchat_message_item(agentchat_event_content(agentchat_session_event(again, 0)), 0),
                                 &data, &s->err),
            &s->err);
    assert_int_equal(data.len, sizeof bytes - 1);
    assert_memory_equal(data.ptr, bytes, sizeof bytes - 1);
    agentchat_message_unref(content);
    agentchat_event_unref(event);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

/* Every field filled in: what the handle shows and what is read again are the same, byte by byte. */
static void test_session_service__append_event_complete(void **state)
{
    static const char complete[] =
        "{\"id\":\"e1\",\"invocation\":\"inv\",\"author\":\"agent\",\"time\":\"2026-03-01T10:00:00.123456789+02:00\","
        "\"branch\":\"a.b\",\"content\":{\"role\":\"assistant\",\"items\":[{\"type\":\"text\",\"text\":\"hello\"}]},"
        "\"actions\":{\"statedelta\":{\"k\":1.50,\"o\":{\"b\":1,\"a\":2}},\"statedelete\":[\"gone\"],"
        "\"stateadd\":{\"n\":3},\"artifacts\":{\"f.txt\":2},\"transfer\":\"other\",\"escalate\":true,"
        "\"skipsummarization\":false,\"compaction\":{\"from\":1}},\"longrunning\":[\"c1\",\"c2\"]}";
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", "{\"gone\":1}"), *again;
    agentchat_event *event = scene_read_event(s, complete);
    agentchat_bytes live = AGENTCHAT_BYTES_INIT, stored = AGENTCHAT_BYTES_INIT;

    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    again = scene_get(s, "u1", "s1");
    test_ok(agentchat_event_write(agentchat_session_event(session, 0), "agentchat", &live, NULL, &s->err), &s->err);
    test_ok(agentchat_event_write(agentchat_session_event(again, 0), "agentchat", &stored, NULL, &s->err), &s->err);
    assert_string_equal(stored.ptr, live.ptr);
    assert_str(agentchat_event_get(agentchat_session_event(again, 0), AGENTCHAT_EVENT_TIME),
               "2026-03-01T10:00:00.123456789+02:00");
    assert_str(agentchat_event_get(agentchat_session_event(again, 0), AGENTCHAT_EVENT_TRANSFER), "other");
    expect_state(again, "{\"k\":1.50,\"o\":{\"b\":1,\"a\":2},\"n\":3}");
    agentchat_bytes_clear(&live);
    agentchat_bytes_clear(&stored);
    agentchat_event_unref(event);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

/* There it is the event's time; here the time of the write, which never goes back. */
static void test_session_service__session_last_update_time_updates_on_event(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL), *again;

    s->now_us += 5000000;
    s->step_us = 0;
    (void)scene_append_at(s, session, "e1", NULL, "2001-01-01T00:00:00Z");
    assert_true(agentchat_session_updated_us(session) == s->now_us);
    again = scene_get(s, "u1", "s1");
    assert_true(agentchat_session_updated_us(again) == s->now_us);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_session_service__get_session_with_config(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL), *found;
    char id[16], time[40];

    for (int i = 1; i <= 5; i++) {
        snprintf(id, sizeof id, "e%d", i);
        snprintf(time, sizeof time, "1970-01-01T00:00:0%dZ", i);
        (void)scene_append_at(s, session, id, NULL, time);
    }
    found = scene_get_with(s, "u1", "s1", (agentchat_session_get_options){.last = 3});
    expect_events(found, "e3 e4 e5");
    agentchat_session_free(found);
    found = scene_get_with(s, "u1", "s1",
                           (agentchat_session_get_options){.since_ns = INT64_C(4000000000), .has_since = true});
    expect_events(found, "e4 e5");
    agentchat_session_free(found);
    found = scene_get_with(
        s, "u1", "s1", (agentchat_session_get_options){.last = 3, .since_ns = INT64_C(4000000000), .has_since = true});
    expect_events(found, "e4 e5");
    agentchat_session_free(found);
    found = scene_get_with(s, "u1", "s1", (agentchat_session_get_options){.no_events = true});
    expect_events(found, "");
    agentchat_session_free(found);
    found = scene_get_with(s, "u1", "s1",
                           (agentchat_session_get_options){.since_ns = INT64_C(7000000000), .has_since = true});
    expect_events(found, "");
    agentchat_session_free(found);
    agentchat_session_free(session);
}

static void test_session_service__partial_events_are_not_persisted(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL);
    agentchat_event *event = scene_read_event(
        s, "{\"id\":\"e1\",\"author\":\"agent\",\"partial\":true,\"actions\":{\"statedelta\":{\"k\":1}}}");
    uint64_t sequence = 7;

    assert_int_equal(agentchat_session_append(session, event, NULL, &sequence, &s->err), AGENTCHAT_DONE);
    assert_int_equal(sequence, 0);
    expect_state(session, "{}");
    expect_events(session, "");
    expect_stored(s, "u1", "s1", "{}", "");
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

static void test_session_service__append_event_when_session_is_same_ref_as_storage_session(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL);

    (void)scene_append(s, session, "e1", NULL);
    expect_events(session, "e1");
    expect_stored(s, "u1", "s1", "{}", "e1");
    agentchat_session_free(session);
}

static void test_session_service__a_stale_writer_is_rejected(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u1", "s1", NULL), *two = scene_get(s, "u1", "s1");
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    agentchat_event *event = scene_event(s, "mine", "k=2", NULL);

    (void)scene_append(s, one, "theirs", "k=1");
    options.has_expect_sequence = true;
    options.expect_sequence = agentchat_session_sequence(two);
    expect_fails(s, agentchat_session_append(two, event, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT, "sequence");
    expect_events(two, "theirs");
    expect_stored(s, "u1", "s1", "{\"k\":1}", "theirs");
    agentchat_event_unref(event);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

int contract_adk_python(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_session_service__get_empty_session),
        SCENE_TEST(test_session_service__create_get_session),
        SCENE_TEST(test_session_service__create_and_list_sessions),
        SCENE_TEST(test_session_service__list_sessions_all_users),
        SCENE_TEST(test_session_service__app_state_is_shared_by_all_users_of_app),
        SCENE_TEST(test_session_service__user_state_is_shared_only_by_user_sessions),
        SCENE_TEST(test_session_service__session_state_is_not_shared),
        SCENE_TEST(test_session_service__temp_state_is_not_persisted_in_state_or_events),
        SCENE_TEST(test_session_service__temp_state_visible_across_sequential_events),
        SCENE_TEST(test_session_service__get_session_respects_user_id),
        SCENE_TEST(test_session_service__create_session_with_existing_id_raises_error),
        SCENE_TEST(test_session_service__append_event_bytes),
        SCENE_TEST(test_session_service__append_event_complete),
        SCENE_TEST(test_session_service__session_last_update_time_updates_on_event),
        SCENE_TEST(test_session_service__get_session_with_config),
        SCENE_TEST(test_session_service__partial_events_are_not_persisted),
        SCENE_TEST(test_session_service__append_event_when_session_is_same_ref_as_storage_session),
        SCENE_TEST(test_session_service__a_stale_writer_is_rejected),
    };

    return CONTRACT_GROUP("adk_python", tests);
}
