/* SPDX-License-Identifier: Apache-2.0 */
/* Making sessions. */
#include "session/contract/contract.h"

static void test_create__a_made_id_is_a_random_uuid(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", NULL, NULL), *two = scene_create(s, "u", NULL, NULL);
    const char *id = agentchat_session_get_id(one)->id;

    assert_int_equal(strlen(id), 36);
    assert_int_equal(strspn(id, "0123456789abcdef-"), 36);
    assert_int_equal(id[14], '4');
    assert_string_not_equal(id, agentchat_session_get_id(two)->id);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_create__a_new_session_is_empty_and_of_now(void **state)
{
    scene *s = *state;
    int64_t now = s->now_us;
    agentchat_session *session;

    s->step_us = 0;
    session = scene_create(s, "u", "s", NULL);
    expect_state(session, "{}");
    expect_events(session, "");
    assert_int_equal(agentchat_session_sequence(session), 0);
    assert_true(agentchat_session_updated_us(session) == now);
    assert_null(agentchat_invocation_id(session));
    agentchat_session_free(session);
}

static void test_create__an_existing_id_changes_nothing(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"app:a\":1,\"user:b\":1,\"c\":1}"), *two = one;
    agentchat_state *other = scene_state(s, "{\"app:a\":2,\"user:b\":2,\"c\":2,\"app:new\":2}");

    (void)scene_append(s, one, "e1", NULL);
    expect_fails(s, agentchat_session_create(s->store, &(agentchat_session_id){s->app, "u", "s"}, other, &two, &s->err),
                 AGENTCHAT_E_EXISTS, "there is a session s already");
    assert_null(two);
    expect_stored(s, "u", "s", "{\"app:a\":1,\"user:b\":1,\"c\":1}", "e1");
    test_ok(agentchat_session_refresh(one, &s->err), &s->err);
    expect_state(one, "{\"app:a\":1,\"user:b\":1,\"c\":1}");
    agentchat_state_free(other);
    agentchat_session_free(one);
}

static void test_create__initial_state_has_revisions(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s1", "{\"app:a\":1,\"user:b\":1,\"c\":1}"), *two;

    assert_int_equal(agentchat_session_revision(one, "app:a"), 1);
    assert_int_equal(agentchat_session_revision(one, "user:b"), 1);
    assert_int_equal(agentchat_session_revision(one, "c"), 1);
    assert_int_equal(agentchat_session_revision(one, "none"), 0);
    two = scene_create(s, "u", "s2", "{\"app:a\":2}");
    assert_int_equal(agentchat_session_revision(two, "app:a"), 2);
    assert_int_equal(agentchat_session_revision(two, "user:b"), 1);
    assert_int_equal(agentchat_session_revision(two, "c"), 0);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_create__initial_state_of_temp_keys_alone_is_none(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"temp:a\":1,\"temp:b\":2}");

    expect_state(session, "{}");
    expect_stored(s, "u", "s", "{}", "");
    agentchat_session_free(session);
}

static void test_create__large_initial_state_comes_back(void **state)
{
    scene *s = *state;
    agentchat_state *initial = scene_state(s, "{}");
    agentchat_session *session = NULL, *again;
    char key[32], value[32];

    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "%s%d", i % 3 == 0 ? "app:" : i % 3 == 1 ? "user:" : "", i);
        snprintf(value, sizeof value, "[%d]", i);
        test_ok(agentchat_state_set(initial, key, agentchat_str_from(value), &s->err), &s->err);
    }
    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){s->app, "u", "s"}, initial, &session, &s->err),
            &s->err);
    again = scene_get(s, "u", "s");
    assert_int_equal(agentchat_state_count(agentchat_session_state(session)), 1000);
    assert_int_equal(agentchat_state_count(agentchat_session_state(again)), 1000);
    for (int i = 0; i < 1000; i++) {
        snprintf(key, sizeof key, "%s%d", i % 3 == 0 ? "app:" : i % 3 == 1 ? "user:" : "", i);
        snprintf(value, sizeof value, "[%d]", i);
        expect_key(again, key, value);
        expect_key(session, key, value);
    }
    agentchat_state_free(initial);
    agentchat_session_free(session);
    agentchat_session_free(again);
}

static void test_create__needs_store_names_and_out(void **state)
{
    scene *s = *state;
    agentchat_session *out = (agentchat_session *)s;

    expect_fails(s, agentchat_session_create(NULL, &(agentchat_session_id){s->app, "u", "s"}, NULL, &out, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    assert_null(out);
    expect_fails(s, agentchat_session_create(s->store, &(agentchat_session_id){NULL, "u", "s"}, NULL, &out, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_session_create(s->store, &(agentchat_session_id){s->app, NULL, "s"}, NULL, &out, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_session_create(s->store, &(agentchat_session_id){s->app, "u", "s"}, NULL, NULL, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    expect_missing(s, "u", "s");
}

int contract_create(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_create__a_made_id_is_a_random_uuid),
        SCENE_TEST(test_create__a_new_session_is_empty_and_of_now),
        SCENE_TEST(test_create__an_existing_id_changes_nothing),
        SCENE_TEST(test_create__initial_state_has_revisions),
        SCENE_TEST(test_create__initial_state_of_temp_keys_alone_is_none),
        SCENE_TEST(test_create__large_initial_state_comes_back),
        SCENE_TEST(test_create__needs_store_names_and_out),
    };

    return CONTRACT_GROUP("create", tests);
}
