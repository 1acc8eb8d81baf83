/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting sessions and users. */
#include "session/contract/contract.h"

static void test_delete__takes_the_session_and_leaves_wider_scopes(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s1", "{\"app:a\":1,\"user:b\":2,\"c\":3}");
    agentchat_session *other = scene_create(s, "u", "s2", "{\"c\":4}");

    (void)scene_append(s, session, "e1", "app:a=10");
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s1"}, &s->err), &s->err);
    expect_missing(s, "u", "s1");
    expect_stored(s, "u", "s2", "{\"app:a\":10,\"user:b\":2,\"c\":4}", "");
    agentchat_session_free(session);
    agentchat_session_free(other);
}

static void test_delete__of_what_is_not_there_is_notfound(void **state)
{
    scene *s = *state;

    expect_fails(s, agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "none"}, &s->err),
                 AGENTCHAT_E_NOTFOUND, "there is no session none");
    agentchat_session_free(scene_create(s, "u", "s", NULL));
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
    expect_fails(s, agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err),
                 AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", NULL}, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_session_delete(NULL, &(agentchat_session_id){s->app, "u", "s"}, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
}

static void test_delete__a_session_made_again_starts_anew(void **state)
{
    scene *s = *state;
    agentchat_session *session;

    for (int round = 0; round < 3; round++) {
        session = scene_create(s, "u", "s", "{\"k\":1}");
        assert_int_equal(agentchat_session_sequence(session), 0);
        assert_int_equal(scene_append(s, session, "e1", "k=2 l=1"), 1);
        expect_stored(s, "u", "s", "{\"k\":2,\"l\":1}", "e1");
        test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
        agentchat_session_free(session);
    }
}

static void test_delete_user__takes_sessions_and_the_users_state(void **state)
{
    scene *s = *state;
    agentchat_session *sessions[3], *bob = scene_create(s, "bob", "s0", "{\"user:b\":1,\"c\":1}");
    agentchat_state *map = NULL;
    char id[16];
    uint64_t count = 7;

    for (int i = 0; i < 3; i++) {
        snprintf(id, sizeof id, "s%d", i);
        sessions[i] = scene_create(s, "alice", id, "{\"app:a\":1,\"user:b\":2,\"c\":3}");
        (void)scene_append(s, sessions[i], "e1", "user:n+=1");
    }
    test_ok(agentchat_user_delete(s->store, s->app, "alice", &count, &s->err), &s->err);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) {
        snprintf(id, sizeof id, "s%d", i);
        expect_missing(s, "alice", id);
        expect_fails(s, agentchat_session_refresh(sessions[i], &s->err), AGENTCHAT_E_NOTFOUND, NULL);
        agentchat_session_free(sessions[i]);
    }
    test_ok(agentchat_scope_state(s->store, s->app, "alice", &map, &s->err), &s->err);
    expect_map(map, "{\"app:a\":1}");
    agentchat_state_free(map);
    expect_stored(s, "bob", "s0", "{\"app:a\":1,\"user:b\":1,\"c\":1}", "");
    agentchat_session_free(bob);
}

static void test_delete_user__of_nothing_is_success(void **state)
{
    scene *s = *state;
    uint64_t count = 7;

    test_ok(agentchat_user_delete(s->store, s->app, "nobody", &count, &s->err), &s->err);
    assert_int_equal(count, 0);
    test_ok(agentchat_user_delete(s->store, s->app, "nobody", NULL, &s->err), &s->err);
    expect_fails(s, agentchat_user_delete(s->store, s->app, "", &count, &s->err), AGENTCHAT_E_INVALID, "user");
    expect_fails(s, agentchat_user_delete(s->store, s->app, NULL, &count, &s->err), AGENTCHAT_E_INVALID, NULL);
}

static void test_delete_user__takes_state_without_sessions(void **state)
{
    scene *s = *state;
    agentchat_state *map = NULL;
    uint64_t count = 7;

    agentchat_session_free(scene_create(s, "u", "s", "{\"user:b\":1}"));
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
    test_ok(agentchat_user_delete(s->store, s->app, "u", &count, &s->err), &s->err);
    assert_int_equal(count, 0);
    test_ok(agentchat_scope_state(s->store, s->app, "u", &map, &s->err), &s->err);
    expect_map(map, "{}");
    agentchat_state_free(map);
}

static void test_delete_user__the_user_can_come_back(void **state)
{
    scene *s = *state;
    agentchat_session *session;

    agentchat_session_free(scene_create(s, "u", "s", "{\"user:b\":1,\"user:c\":1}"));
    test_ok(agentchat_user_delete(s->store, s->app, "u", NULL, &s->err), &s->err);
    session = scene_create(s, "u", "s", "{\"user:b\":2}");
    (void)scene_append(s, session, "e1", "user:n+=1");
    expect_stored(s, "u", "s", "{\"user:b\":2,\"user:n\":1}", "e1");
    expect_sound(s->store);
    agentchat_session_free(session);
}

int contract_delete(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_delete__takes_the_session_and_leaves_wider_scopes),
        SCENE_TEST(test_delete__of_what_is_not_there_is_notfound),
        SCENE_TEST(test_delete__a_session_made_again_starts_anew),
        SCENE_TEST(test_delete_user__takes_sessions_and_the_users_state),
        SCENE_TEST(test_delete_user__of_nothing_is_success),
        SCENE_TEST(test_delete_user__takes_state_without_sessions),
        SCENE_TEST(test_delete_user__the_user_can_come_back),
    };

    return CONTRACT_GROUP("delete", tests);
}
