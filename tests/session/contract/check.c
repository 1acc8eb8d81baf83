/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a store in which nothing is wrong. What is broken is in tests/session/damage. */
#include "session/contract/contract.h"

#include <stdio.h>

typedef struct parts {
    const char *wanted; /* a part to look for */
    size_t found, problems, calls;
    size_t stop_at; /* call at which DONE is said, from 1; 0: never */
    agentchat_status fail_with;
} parts;

static agentchat_status note_part(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    parts *p = user;

    p->calls++;
    p->problems += problem.ptr != NULL;
    if (p->wanted != NULL && part.len == strlen(p->wanted) && memcmp(part.ptr, p->wanted, part.len) == 0)
        p->found++;
    if (p->fail_with != AGENTCHAT_OK)
        return agentchat_error_set(err, p->fail_with, "the caller is not well");
    return p->stop_at != 0 && p->calls >= p->stop_at ? AGENTCHAT_DONE : AGENTCHAT_OK;
}

static void test_check__finds_nothing_wrong_and_names_sessions(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"user:b\":1,\"k\":1}");
    char name[128];
    parts p = {0};

    (void)scene_append(s, session, "e1", "k=2 n+=1 app:n+=1 user:b=2");
    (void)scene_append(s, session, "e2", "-k");
    test_ok(agentchat_session_rewind(session, "e1", NULL, &s->err), &s->err);
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, "copy", NULL, &s->err),
            &s->err);
    snprintf(name, sizeof name, "session %s/u/s", s->app);
    p.wanted = name;
    test_ok(agentchat_store_check(s->store, note_part, &p, &s->err), &s->err);
    assert_int_equal(p.found, 1);
    assert_int_equal(p.problems, 0);
    agentchat_session_free(session);
}

static void test_check__is_sound_after_everything_that_can_be_done(void **state)
{
    scene *s = *state;
    agentchat_session *session;
    char id[16];

    for (int i = 0; i < 12; i++) {
        snprintf(id, sizeof id, "s%d", i);
        session = scene_create(s, i % 2 == 0 ? "u" : "v", id, "{\"app:a\":1,\"user:b\":1,\"k\":1}");
        for (int j = 0; j < 5; j++)
            (void)scene_append(s, session, NULL, j % 2 == 0 ? "k=2 user:b=2 -app:a" : "-k app:a=3 x+=1");
        if (i % 3 == 0)
            test_ok(agentchat_session_rewind(session, NULL, NULL, &s->err), &s->err);
        if (i % 4 == 0)
            test_ok(
                agentchat_session_delete(
                    s->store, &(agentchat_session_id){s->app, agentchat_session_get_id(session)->user, id}, &s->err),
                &s->err);
        agentchat_session_free(session);
    }
    test_ok(agentchat_user_delete(s->store, s->app, "v", NULL, &s->err), &s->err);
    expect_sound(s->store);
}

static void test_check__of_many_sessions_events_and_keys(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char changes[64];
    parts p = {0};

    for (int i = 0; i < 1100; i++) { /* more than two of the check's pages */
        snprintf(changes, sizeof changes, "k%d=%d", i, i);
        (void)scene_append(s, session, NULL, changes);
    }
    for (int i = 0; i < 20; i++)
        agentchat_session_free(scene_create(s, "u", NULL, NULL));
    test_ok(agentchat_store_check(s->store, note_part, &p, &s->err), &s->err);
    assert_true(p.calls >= 21);
    assert_int_equal(p.problems, 0);
    agentchat_session_free(session);
}

static void test_check__stops_when_asked(void **state)
{
    scene *s = *state;
    parts p = {0};

    for (int i = 0; i < 4; i++)
        agentchat_session_free(scene_create(s, "u", NULL, "{\"k\":1}"));
    for (size_t at = 1; at <= 5; at++) {
        p = (parts){.stop_at = at};
        test_ok(agentchat_store_check(s->store, note_part, &p, &s->err), &s->err);
        assert_int_equal(p.calls, at);
    }
}

static void test_check__hands_the_callers_failure_on(void **state)
{
    scene *s = *state;
    parts p = {.fail_with = AGENTCHAT_E_CALLBACK};

    agentchat_session_free(scene_create(s, "u", "s", NULL));
    expect_fails(s, agentchat_store_check(s->store, note_part, &p, &s->err), AGENTCHAT_E_CALLBACK,
                 "the caller is not well");
    assert_int_equal(p.calls, 1);
    expect_fails(s, agentchat_store_check(s->store, NULL, &p, &s->err), AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_store_check(NULL, note_part, &p, &s->err), AGENTCHAT_E_INVALID, NULL);
}

/* No transaction is open while the caller's function runs: it may use the store. */
static agentchat_status use_store(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    scene *s = user;
    agentchat_session *session = NULL;
    agentchat_status status =
        agentchat_session_get(s->store, &(agentchat_session_id){s->app, "u", "s"}, NULL, &session, err);

    (void)part;
    (void)problem;
    if (status >= 0)
        status = agentchat_session_add(session, "n", 1, NULL, err);
    agentchat_session_free(session);
    return status;
}

static void test_check__the_callers_function_may_use_the_store(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    test_ok(agentchat_store_check(s->store, use_store, s, &s->err), &s->err);
    test_ok(agentchat_session_refresh(session, &s->err), &s->err);
    assert_true(agentchat_session_sequence(session) >= 1);
    agentchat_session_free(session);
}

static agentchat_status interrupt_store(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)part;
    (void)problem;
    (void)err;
    agentchat_store_interrupt(user);
    return AGENTCHAT_OK;
}

static void test_check__is_cancelled(void **state)
{
    scene *s = *state;
    parts p = {0};

    agentchat_session_free(scene_create(s, "u", "s", "{\"k\":1}"));
    test_fails(agentchat_store_check(s->store, interrupt_store, s->store, &s->err), &s->err, AGENTCHAT_E_CANCELLED,
               NULL, "cancelled");
    test_ok(agentchat_store_check(s->store, note_part, &p, &s->err), &s->err);
    assert_true(p.calls > 0);
}

int contract_check(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_check__finds_nothing_wrong_and_names_sessions),
        SCENE_TEST(test_check__is_sound_after_everything_that_can_be_done),
        SCENE_TEST(test_check__of_many_sessions_events_and_keys),
        SCENE_TEST(test_check__stops_when_asked),
        SCENE_TEST(test_check__hands_the_callers_failure_on),
        SCENE_TEST(test_check__the_callers_function_may_use_the_store),
        SCENE_TEST(test_check__is_cancelled),
    };

    return CONTRACT_GROUP("check", tests);
}
