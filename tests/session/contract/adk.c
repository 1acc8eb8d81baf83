/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the session services of other frameworks are tested for, test by test, by the names that those tests have: the
 * ten steps of ADK-Rust's contract, its further tests, and those of adk-python and adk-go. Where ours promises more or
 * something else, the test says so.
 */
#include "session/contract/contract.h"

#include <stdio.h>

#define T1 "2026-03-01T10:00:00.123456789Z"
#define T2 "2026-03-01T10:00:01.123456789Z"

static int64_t ns_of(scene *s, const char *time)
{
    agentchat_event *event = scene_event(s, "x", NULL, time);
    int64_t ns = agentchat_event_time_ns(event);

    agentchat_event_unref(event);
    return ns;
}

static size_t count_of_list(scene *s, const char *app, const char *user, const char *id)
{
    agentchat_session_list *list = NULL;
    size_t found = 0;

    test_ok(agentchat_session_list_read(s->store, app, user, 0, NULL, &list, &s->err), &s->err);
    for (size_t i = 0; i < agentchat_session_list_count(list); i++) {
        agentchat_session_info info = agentchat_session_list_at(list, i);

        found += id == NULL || strcmp(info.id.ptr, id) == 0;
    }
    agentchat_session_list_free(list);
    return found;
}

/* ---- adk-session/tests/common/session_contract.rs --------------------------------------------------------------- */

static agentchat_session *contract_session(scene *s, const char *user)
{
    return scene_create(s, user, NULL, "{\"app:a\":1,\"user:u\":2,\"s\":3,\"temp:create\":4}");
}

static void test_session_contract__1_unknown_ids_and_empty_users(void **state)
{
    scene *s = *state;
    agentchat_session *session = NULL;

    expect_missing(s, "user1", "no-such-session");
    expect_fails(s, agentchat_session_get(s->store, s->app, "", "s1", NULL, &session, &s->err), AGENTCHAT_E_INVALID,
                 "user");
    assert_null(session);
}

static void test_session_contract__2_create_makes_an_id(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_session(s, "user1");

    assert_true(strlen(agentchat_session_id(session)) > 0);
    assert_string_equal(agentchat_session_app(session), s->app);
    assert_string_equal(agentchat_session_user(session), "user1");
    agentchat_session_free(session);
}

static void test_session_contract__3_get_shows_three_scopes(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_session(s, "user1");

    expect_stored(s, "user1", agentchat_session_id(session), "{\"app:a\":1,\"user:u\":2,\"s\":3}", "");
    agentchat_session_free(session);
}

static agentchat_session *contract_events(scene *s)
{
    agentchat_session *session = contract_session(s, "user1");

    (void)scene_append_at(s, session, "e1", "s=10 temp:x=1", T1);
    (void)scene_append_at(s, session, "e2", "s=20 user:u=21", T2);
    return session;
}

static void test_session_contract__4_append_two_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_events(s);

    expect_stored(s, "user1", agentchat_session_id(session), "{\"app:a\":1,\"user:u\":21,\"s\":20}", "e1 e2");
    agentchat_session_free(session);
}

static void test_session_contract__5_num_recent_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_events(s);
    agentchat_session *recent = scene_get_with(s, "user1", agentchat_session_id(session), 1, 0, INT64_MIN);

    expect_events(recent, "e2");
    assert_str(agentchat_event_get(agentchat_session_event(recent, 0), AGENTCHAT_EVENT_TIME), T2);
    assert_true(agentchat_event_time_ns(agentchat_session_event(recent, 0)) == ns_of(s, T2));
    agentchat_session_free(recent);
    agentchat_session_free(session);
}

static void test_session_contract__6_after_is_inclusive(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_events(s);
    int64_t t2 = ns_of(s, T2);
    agentchat_session *at = scene_get_with(s, "user1", agentchat_session_id(session), AGENTCHAT_ALL_EVENTS, 0, t2);
    agentchat_session *behind =
        scene_get_with(s, "user1", agentchat_session_id(session), AGENTCHAT_ALL_EVENTS, 0, t2 + 1);

    expect_events(at, "e2");
    assert_str(agentchat_event_get(agentchat_session_event(at, 0), AGENTCHAT_EVENT_TIME), T2);
    expect_events(behind, "");
    agentchat_session_free(at);
    agentchat_session_free(behind);
    agentchat_session_free(session);
}

static void test_session_contract__7_list_contains_the_session(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_events(s);

    assert_int_equal(count_of_list(s, s->app, "user1", agentchat_session_id(session)), 1);
    agentchat_session_free(session);
}

static void test_session_contract__8_users_are_kept_apart(void **state)
{
    scene *s = *state;
    agentchat_session *one = contract_session(s, "user1"), *two = contract_session(s, "user2");

    expect_missing(s, "user2", agentchat_session_id(one));
    expect_missing(s, "user1", agentchat_session_id(two));
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_session_contract__9_lists_are_kept_apart(void **state)
{
    scene *s = *state;
    agentchat_session *one = contract_session(s, "user1"), *two = contract_session(s, "user2"), *other = NULL;
    char app[80];

    snprintf(app, sizeof app, "%s-other", s->app);
    test_ok(agentchat_session_create(s->store, app, "user1", NULL, NULL, &other, &s->err), &s->err);
    assert_int_equal(count_of_list(s, s->app, "user2", NULL), 1);
    assert_int_equal(count_of_list(s, s->app, "user2", agentchat_session_id(two)), 1);
    assert_int_equal(count_of_list(s, s->app, "user1", agentchat_session_id(other)), 0);
    assert_int_equal(count_of_list(s, app, "user1", agentchat_session_id(one)), 0);
    assert_int_equal(count_of_list(s, app, NULL, agentchat_session_id(other)), 1);
    agentchat_session_free(one);
    agentchat_session_free(two);
    agentchat_session_free(other);
}

static void test_session_contract__10_delete(void **state)
{
    scene *s = *state;
    agentchat_session *one = contract_session(s, "user1"), *two = contract_session(s, "user2");
    agentchat_session *three = contract_session(s, "user1");

    test_ok(agentchat_session_delete(s->store, s->app, "user1", agentchat_session_id(one), &s->err), &s->err);
    test_ok(agentchat_session_delete(s->store, s->app, "user2", agentchat_session_id(two), &s->err), &s->err);
    test_ok(agentchat_session_delete(s->store, s->app, "user1", agentchat_session_id(three), &s->err), &s->err);
    expect_missing(s, "user1", agentchat_session_id(one));
    expect_missing(s, "user2", agentchat_session_id(two));
    expect_missing(s, "user1", agentchat_session_id(three));
    agentchat_session_free(one);
    agentchat_session_free(two);
    agentchat_session_free(three);
}

/* ---- other tests of ADK-Rust ------------------------------------------------------------------------------------ */

static void test_inmemory_tests__create_and_get(void **state)
{
    scene *s = *state;
    agentchat_session *made = scene_create(s, "user1", "session1", NULL), *found;

    assert_string_equal(agentchat_session_id(made), "session1");
    assert_string_equal(agentchat_session_app(made), s->app);
    assert_string_equal(agentchat_session_user(made), "user1");
    found = scene_get(s, "user1", "session1");
    assert_string_equal(agentchat_session_id(found), "session1");
    agentchat_session_free(made);
    agentchat_session_free(found);
}

static void test_inmemory_tests__state_scoping(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "user1", "s1", "{\"app:key\":\"a\",\"user:key\":\"u\",\"key\":\"s\"}");

    expect_key(session, "app:key", "\"a\"");
    expect_key(session, "user:key", "\"u\"");
    expect_key(session, "key", "\"s\"");
    agentchat_session_free(session);
}

static void test_inmemory_tests__append_event(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "user1", "s1", NULL);

    (void)scene_append(s, session, "e1", NULL);
    expect_stored(s, "user1", "s1", "{}", "e1");
    agentchat_session_free(session);
}

static void test_inmemory_tests__list(void **state)
{
    scene *s = *state;

    agentchat_session_free(scene_create(s, "user1", "s1", NULL));
    agentchat_session_free(scene_create(s, "user1", "s2", NULL));
    assert_int_equal(count_of_list(s, s->app, "user1", NULL), 2);
}

static void test_inmemory_tests__delete(void **state)
{
    scene *s = *state;

    agentchat_session_free(scene_create(s, "user1", "s1", NULL));
    test_ok(agentchat_session_delete(s->store, s->app, "user1", "s1", &s->err), &s->err);
    expect_missing(s, "user1", "s1");
}

static void test_sqlite_tests__append_event_persists_state_and_identity(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "user1", "s1", NULL), *found;
    int64_t before = agentchat_session_updated_us(session);

    s->now_us += 1000;
    (void)scene_append(s, session, "e1", "app:a=1 user:u=2 own=3 temp:t=4");
    found = scene_get(s, "user1", "s1");
    expect_state(found, "{\"app:a\":1,\"user:u\":2,\"own\":3}");
    assert_true(agentchat_session_updated_us(found) > before);
    assert_string_equal(agentchat_session_user(found), "user1");
    agentchat_session_free(found);
    agentchat_session_free(session);
}

static void test_sqlite_tests__delete_cleans_up_events_for_recreated_session(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "user1", "s1", "{\"old\":1}");

    (void)scene_append(s, session, "e1", "more=2");
    test_ok(agentchat_session_delete(s->store, s->app, "user1", "s1", &s->err), &s->err);
    agentchat_session_free(session);
    session = scene_create(s, "user1", "s1", "{\"new\":3}");
    expect_stored(s, "user1", "s1", "{\"new\":3}", "");
    assert_int_equal(agentchat_session_sequence(session), 0);
    agentchat_session_free(session);
}

/* One id under two applications and two users: four sessions, and what is done to one shows in no other. */
static void test_identity_isolation_tests__equal_ids_never_cross(void **state)
{
    static const char *const users[] = {"user1", "user2"};
    scene *s = *state;
    agentchat_session *sessions[2][2] = {{NULL, NULL}, {NULL, NULL}};
    char apps[2][80];

    for (size_t a = 0; a < 2; a++) {
        snprintf(apps[a], sizeof apps[a], "%s-%zu", s->app, a);
        for (size_t u = 0; u < 2; u++)
            test_ok(agentchat_session_create(s->store, apps[a], users[u], "same", NULL, &sessions[a][u], &s->err),
                    &s->err);
    }
    for (size_t a = 0; a < 2; a++) {
        for (size_t u = 0; u < 2; u++) {
            char id[16];

            snprintf(id, sizeof id, "e%zu%zu", a, u);
            (void)scene_append(s, sessions[a][u], id, "k=1");
        }
    }
    for (size_t a = 0; a < 2; a++) {
        for (size_t u = 0; u < 2; u++) {
            char id[16];

            snprintf(id, sizeof id, "e%zu%zu", a, u);
            test_ok(agentchat_session_refresh(sessions[a][u], &s->err), &s->err);
            expect_events(sessions[a][u], id);
        }
    }
    test_ok(agentchat_session_delete(s->store, apps[0], "user1", "same", &s->err), &s->err);
    expect_fails(s, agentchat_session_refresh(sessions[0][0], &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    for (size_t i = 1; i < 4; i++)
        test_ok(agentchat_session_refresh(sessions[i / 2][i % 2], &s->err), &s->err);
    for (size_t i = 0; i < 4; i++)
        agentchat_session_free(sessions[i / 2][i % 2]);
}

/* ---- adk-python: tests/unittests/sessions/test_session_service.py ----------------------------------------------- */

static void test_session_service__get_empty_session(void **state)
{
    expect_missing(*state, "user", "1234");
}

static void test_session_service__create_get_session(void **state)
{
    scene *s = *state;
    agentchat_session *made = scene_create(s, "user", NULL, "{\"key\":\"value\"}"), *found;

    found = scene_get(s, "user", agentchat_session_id(made));
    assert_string_equal(agentchat_session_id(found), agentchat_session_id(made));
    assert_true(agentchat_session_updated_us(found) == agentchat_session_updated_us(made));
    assert_true(agentchat_session_updated_us(found) <= s->now_us);
    expect_state(found, "{\"key\":\"value\"}");
    test_ok(agentchat_session_delete(s->store, s->app, "user", agentchat_session_id(made), &s->err), &s->err);
    expect_missing(s, "user", agentchat_session_id(made));
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
        assert_int_equal(count_of_list(s, s->app, "user", id), 1);
    }
    assert_int_equal(count_of_list(s, s->app, "user", NULL), 5);
}

static void test_session_service__list_sessions_all_users(void **state)
{
    scene *s = *state;

    agentchat_session_free(scene_create(s, "user1", "a1", NULL));
    agentchat_session_free(scene_create(s, "user1", "b1", NULL));
    agentchat_session_free(scene_create(s, "user2", "a2", NULL));
    assert_int_equal(count_of_list(s, s->app, "user1", NULL), 2);
    assert_int_equal(count_of_list(s, s->app, "user2", NULL), 1);
    assert_int_equal(count_of_list(s, s->app, NULL, NULL), 3);
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

    expect_fails(s, agentchat_session_create(s->store, s->app, "u1", "same", NULL, &two, &s->err), AGENTCHAT_E_EXISTS,
                 "already");
    assert_null(two);
    agentchat_session_free(one);
}

static void test_session_service__append_event_bytes(void **state)
{
    static const char bytes[] = "\x00\x01\xFF\xFEtest";
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL), *again;
    agentchat_builder *message = agentchat_builder_new(s->env, "user", NULL);
    agentchat_event_builder *builder = agentchat_event_builder_new(s->env, "user");
    agentchat_message *content = NULL;
    agentchat_event *event = NULL;
    agentchat_str data;

    agentchat_builder_add_data(message, AGENTCHAT_ITEM_BINARY, AGENTCHAT_STR("application/octet-stream"),
                               (agentchat_str){bytes, sizeof bytes - 1});
    test_ok(agentchat_builder_finish(message, &content, &s->err), &s->err);
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
    test_ok(
        agentchat_event_write(agentchat_session_event(session, 0), AGENTCHAT_FORMAT_AGENTCHAT, NULL, &live, &s->err),
        &s->err);
    test_ok(
        agentchat_event_write(agentchat_session_event(again, 0), AGENTCHAT_FORMAT_AGENTCHAT, NULL, &stored, &s->err),
        &s->err);
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
    found = scene_get_with(s, "u1", "s1", 3, 0, INT64_MIN);
    expect_events(found, "e3 e4 e5");
    agentchat_session_free(found);
    found = scene_get_with(s, "u1", "s1", AGENTCHAT_ALL_EVENTS, 0, INT64_C(4000000000));
    expect_events(found, "e4 e5");
    agentchat_session_free(found);
    found = scene_get_with(s, "u1", "s1", 3, 0, INT64_C(4000000000));
    expect_events(found, "e4 e5");
    agentchat_session_free(found);
    found = scene_get_with(s, "u1", "s1", 0, 0, INT64_MIN);
    expect_events(found, "");
    agentchat_session_free(found);
    found = scene_get_with(s, "u1", "s1", AGENTCHAT_ALL_EVENTS, 0, INT64_C(7000000000));
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
    options.expect_sequence = agentchat_session_sequence(two);
    expect_fails(s, agentchat_session_append(two, event, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT, "sequence");
    expect_events(two, "theirs");
    expect_stored(s, "u1", "s1", "{\"k\":1}", "theirs");
    agentchat_event_unref(event);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

/* ---- adk-go: session/sessiontestsuite --------------------------------------------------------------------------- */

static void test_sessiontestsuite__append_to_a_missing_session_fails(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL);
    agentchat_event *event = scene_event(s, "e1", "k=1", NULL);
    uint64_t sequence = 7;

    test_ok(agentchat_session_delete(s->store, s->app, "u1", "s1", &s->err), &s->err);
    expect_fails(s, agentchat_session_append(session, event, NULL, &sequence, &s->err), AGENTCHAT_E_NOTFOUND,
                 "there is no session");
    assert_int_equal(sequence, 0);
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

static void test_sessiontestsuite__delete_respects_user(void **state)
{
    scene *s = *state;

    agentchat_session_free(scene_create(s, "u1", "same", NULL));
    expect_fails(s, agentchat_session_delete(s->store, s->app, "u2", "same", &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_stored(s, "u1", "same", "{}", "");
}

static void test_sessiontestsuite__append_keeps_existing_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL);

    (void)scene_append(s, session, "e1", NULL);
    (void)scene_append(s, session, "e2", NULL);
    agentchat_session_free(session);
    session = scene_get(s, "u1", "s1");
    (void)scene_append(s, session, "e3", NULL);
    expect_events(session, "e1 e2 e3");
    expect_stored(s, "u1", "s1", "{}", "e1 e2 e3");
    agentchat_session_free(session);
}

int contract_adk(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_session_contract__1_unknown_ids_and_empty_users),
        SCENE_TEST(test_session_contract__2_create_makes_an_id),
        SCENE_TEST(test_session_contract__3_get_shows_three_scopes),
        SCENE_TEST(test_session_contract__4_append_two_events),
        SCENE_TEST(test_session_contract__5_num_recent_events),
        SCENE_TEST(test_session_contract__6_after_is_inclusive),
        SCENE_TEST(test_session_contract__7_list_contains_the_session),
        SCENE_TEST(test_session_contract__8_users_are_kept_apart),
        SCENE_TEST(test_session_contract__9_lists_are_kept_apart),
        SCENE_TEST(test_session_contract__10_delete),
        SCENE_TEST(test_inmemory_tests__create_and_get),
        SCENE_TEST(test_inmemory_tests__state_scoping),
        SCENE_TEST(test_inmemory_tests__append_event),
        SCENE_TEST(test_inmemory_tests__list),
        SCENE_TEST(test_inmemory_tests__delete),
        SCENE_TEST(test_sqlite_tests__append_event_persists_state_and_identity),
        SCENE_TEST(test_sqlite_tests__delete_cleans_up_events_for_recreated_session),
        SCENE_TEST(test_identity_isolation_tests__equal_ids_never_cross),
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
        SCENE_TEST(test_sessiontestsuite__append_to_a_missing_session_fails),
        SCENE_TEST(test_sessiontestsuite__delete_respects_user),
        SCENE_TEST(test_sessiontestsuite__append_keeps_existing_events),
    };

    return CONTRACT_GROUP("adk", tests);
}
