/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the session service of ADK-Rust is tested for, test by test, by the names that those tests have: the ten
 * steps of its contract and its further tests. Where ours promises more or something else, the test says so.
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

/* ---- adk-session/tests/common/session_contract.rs -------------------------------------------------------------- */

static agentchat_session *contract_session(scene *s, const char *user)
{
    return scene_create(s, user, NULL, "{\"app:a\":1,\"user:u\":2,\"s\":3,\"temp:create\":4}");
}

static void test_session_contract__1_unknown_ids_and_empty_users(void **state)
{
    scene *s = *state;
    agentchat_session *session = NULL;

    expect_missing(s, "user1", "no-such-session");
    expect_fails(s, agentchat_session_get(s->store, &(agentchat_session_id){s->app, "", "s1"}, NULL, &session, &s->err),
                 AGENTCHAT_E_INVALID, "user");
    assert_null(session);
}

static void test_session_contract__2_create_makes_an_id(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_session(s, "user1");

    assert_true(strlen(agentchat_session_get_id(session)->id) > 0);
    assert_string_equal(agentchat_session_get_id(session)->app, s->app);
    assert_string_equal(agentchat_session_get_id(session)->user, "user1");
    agentchat_session_free(session);
}

static void test_session_contract__3_get_shows_three_scopes(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_session(s, "user1");

    expect_stored(s, "user1", agentchat_session_get_id(session)->id, "{\"app:a\":1,\"user:u\":2,\"s\":3}", "");
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

    expect_stored(s, "user1", agentchat_session_get_id(session)->id, "{\"app:a\":1,\"user:u\":21,\"s\":20}", "e1 e2");
    agentchat_session_free(session);
}

static void test_session_contract__5_num_recent_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_events(s);
    agentchat_session *recent =
        scene_get_with(s, "user1", agentchat_session_get_id(session)->id, (agentchat_session_get_options){.last = 1});

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
    agentchat_session *at = scene_get_with(s, "user1", agentchat_session_get_id(session)->id,
                                           (agentchat_session_get_options){.since_ns = t2, .has_since = true});
    agentchat_session *after = scene_get_with(s, "user1", agentchat_session_get_id(session)->id,
                                              (agentchat_session_get_options){.since_ns = t2 + 1, .has_since = true});

    expect_events(at, "e2");
    assert_str(agentchat_event_get(agentchat_session_event(at, 0), AGENTCHAT_EVENT_TIME), T2);
    expect_events(after, "");
    agentchat_session_free(at);
    agentchat_session_free(after);
    agentchat_session_free(session);
}

static void test_session_contract__7_list_contains_the_session(void **state)
{
    scene *s = *state;
    agentchat_session *session = contract_events(s);

    assert_int_equal(scene_count(s, s->app, "user1", agentchat_session_get_id(session)->id), 1);
    agentchat_session_free(session);
}

static void test_session_contract__8_users_are_kept_apart(void **state)
{
    scene *s = *state;
    agentchat_session *one = contract_session(s, "user1"), *two = contract_session(s, "user2");

    expect_missing(s, "user2", agentchat_session_get_id(one)->id);
    expect_missing(s, "user1", agentchat_session_get_id(two)->id);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_session_contract__9_lists_are_kept_apart(void **state)
{
    scene *s = *state;
    agentchat_session *one = contract_session(s, "user1"), *two = contract_session(s, "user2"), *other = NULL;
    char app[80];

    snprintf(app, sizeof app, "%s-other", s->app);
    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){app, "user1", NULL}, NULL, &other, &s->err),
            &s->err);
    assert_int_equal(scene_count(s, s->app, "user2", NULL), 1);
    assert_int_equal(scene_count(s, s->app, "user2", agentchat_session_get_id(two)->id), 1);
    assert_int_equal(scene_count(s, s->app, "user1", agentchat_session_get_id(other)->id), 0);
    assert_int_equal(scene_count(s, app, "user1", agentchat_session_get_id(one)->id), 0);
    assert_int_equal(scene_count(s, app, NULL, agentchat_session_get_id(other)->id), 1);
    agentchat_session_free(one);
    agentchat_session_free(two);
    agentchat_session_free(other);
}

static void test_session_contract__10_delete(void **state)
{
    scene *s = *state;
    agentchat_session *one = contract_session(s, "user1"), *two = contract_session(s, "user2");
    agentchat_session *three = contract_session(s, "user1");

    test_ok(agentchat_session_delete(
                s->store, &(agentchat_session_id){s->app, "user1", agentchat_session_get_id(one)->id}, &s->err),
            &s->err);
    test_ok(agentchat_session_delete(
                s->store, &(agentchat_session_id){s->app, "user2", agentchat_session_get_id(two)->id}, &s->err),
            &s->err);
    test_ok(agentchat_session_delete(
                s->store, &(agentchat_session_id){s->app, "user1", agentchat_session_get_id(three)->id}, &s->err),
            &s->err);
    expect_missing(s, "user1", agentchat_session_get_id(one)->id);
    expect_missing(s, "user2", agentchat_session_get_id(two)->id);
    expect_missing(s, "user1", agentchat_session_get_id(three)->id);
    agentchat_session_free(one);
    agentchat_session_free(two);
    agentchat_session_free(three);
}

/* ---- other tests ----------------------------------------------------------------------------------------------- */

static void test_inmemory_tests__create_and_get(void **state)
{
    scene *s = *state;
    agentchat_session *made = scene_create(s, "user1", "session1", NULL), *found;

    assert_string_equal(agentchat_session_get_id(made)->id, "session1");
    assert_string_equal(agentchat_session_get_id(made)->app, s->app);
    assert_string_equal(agentchat_session_get_id(made)->user, "user1");
    found = scene_get(s, "user1", "session1");
    assert_string_equal(agentchat_session_get_id(found)->id, "session1");
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
    assert_int_equal(scene_count(s, s->app, "user1", NULL), 2);
}

static void test_inmemory_tests__delete(void **state)
{
    scene *s = *state;

    agentchat_session_free(scene_create(s, "user1", "s1", NULL));
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "user1", "s1"}, &s->err), &s->err);
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
    assert_string_equal(agentchat_session_get_id(found)->user, "user1");
    agentchat_session_free(found);
    agentchat_session_free(session);
}

static void test_sqlite_tests__delete_cleans_up_events_for_recreated_session(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "user1", "s1", "{\"old\":1}");

    (void)scene_append(s, session, "e1", "more=2");
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "user1", "s1"}, &s->err), &s->err);
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
            test_ok(agentchat_session_create(s->store, &(agentchat_session_id){apps[a], users[u], "same"}, NULL,
                                             &sessions[a][u], &s->err),
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
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){apps[0], "user1", "same"}, &s->err), &s->err);
    expect_fails(s, agentchat_session_refresh(sessions[0][0], &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    for (size_t i = 1; i < 4; i++)
        test_ok(agentchat_session_refresh(sessions[i / 2][i % 2], &s->err), &s->err);
    for (size_t i = 0; i < 4; i++)
        agentchat_session_free(sessions[i / 2][i % 2]);
}

int contract_adk_rust(void)
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
    };

    return CONTRACT_GROUP("adk_rust", tests);
}
