/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the session service of adk-go is tested for, test by test, by the names that those tests have: its
 * session/sessiontestsuite.
 */
#include "session/contract/contract.h"

static void test_sessiontestsuite__append_to_a_missing_session_fails(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u1", "s1", NULL);
    agentchat_event *event = scene_event(s, "e1", "k=1", NULL);
    uint64_t sequence = 7;

    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u1", "s1"}, &s->err), &s->err);
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
    expect_fails(s, agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u2", "same"}, &s->err),
                 AGENTCHAT_E_NOTFOUND, NULL);
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

int contract_adk_go(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_sessiontestsuite__append_to_a_missing_session_fails),
        SCENE_TEST(test_sessiontestsuite__delete_respects_user),
        SCENE_TEST(test_sessiontestsuite__append_keeps_existing_events),
    };

    return CONTRACT_GROUP("adk_go", tests);
}
