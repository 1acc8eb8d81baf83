/* SPDX-License-Identifier: Apache-2.0 */
/* Copying sessions. */
#include "session/contract/contract.h"

static void test_copy__has_events_sequence_numbers_and_own_state(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1,\"app:a\":1,\"user:b\":1}"), *copy;

    (void)scene_append(s, session, "e1", "k=2");
    (void)scene_append(s, session, "gone", "k=3");
    test_ok(agentchat_session_rewind(session, "e1", NULL, &s->err), &s->err);
    (void)scene_append_at(s, session, "e2", "n+=5 app:a+=1", "2001-02-03T04:05:06.789Z");
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, "copy", NULL, &s->err),
            &s->err);
    copy = scene_get(s, "u", "copy");
    expect_state(copy, "{\"k\":2,\"n\":5,\"app:a\":2,\"user:b\":1}");
    expect_events(copy, "e1 e2");
    assert_int_equal(agentchat_session_sequence(copy), agentchat_session_sequence(session));
    for (size_t i = 0; i < 2; i++) {
        const agentchat_event *mine = agentchat_session_event(copy, i), *theirs = agentchat_session_event(session, i);

        assert_int_equal(agentchat_event_sequence(mine), agentchat_event_sequence(theirs));
        assert_true(agentchat_str_equal(agentchat_event_get(mine, AGENTCHAT_EVENT_TIME),
                                        agentchat_event_get(theirs, AGENTCHAT_EVENT_TIME)));
    }
    assert_int_equal(agentchat_session_revision(copy, "n"), agentchat_session_revision(session, "n"));
    agentchat_session_free(copy);
    agentchat_session_free(session);
}

static void test_copy__goes_its_own_way(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1}"), *copy;

    (void)scene_append(s, session, "e1", "k=2");
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, "copy", NULL, &s->err),
            &s->err);
    copy = scene_get(s, "u", "copy");
    (void)scene_append(s, copy, "e2", "k=30 l=1");
    (void)scene_append(s, session, "e2", "k=3");
    expect_stored(s, "u", "s", "{\"k\":3}", "e1 e2");
    expect_stored(s, "u", "copy", "{\"k\":30,\"l\":1}", "e1 e2");
    test_ok(agentchat_session_rewind(copy, NULL, NULL, &s->err), &s->err);
    expect_stored(s, "u", "copy", "{\"k\":1}", "");
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
    expect_stored(s, "u", "copy", "{\"k\":1}", "");
    test_ok(agentchat_session_refresh(copy, &s->err), &s->err);
    agentchat_session_free(copy);
    agentchat_session_free(session);
}

static void test_copy__a_made_id_is_returned(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1}");
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;

    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, "given", &made, &s->err),
            &s->err);
    assert_string_equal(made.ptr, "given");
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, NULL, &made, &s->err), &s->err);
    assert_int_equal(made.len, 5 + 36);
    expect_stored(s, "u", made.ptr + 5, "{\"k\":1}", "");
    agentchat_bytes_clear(&made);
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, NULL, NULL, &s->err), &s->err);
    agentchat_session_free(session);
}

static void test_copy__failures_change_nothing(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1}");
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;
    static const struct {
        const char *user, *id, *new_id;
        agentchat_status status;
        const char *message;
    } rows[] = {
        {"u", "none", "new", AGENTCHAT_E_NOTFOUND, "there is no session none"},
        {"other", "s", "new", AGENTCHAT_E_NOTFOUND, "there is no session s"},
        {"u", "s", "there", AGENTCHAT_E_EXISTS, "there is a session there already"},
        {"u", "s", "s", AGENTCHAT_E_EXISTS, "there is a session s already"},
        {"u", "s", "", AGENTCHAT_E_INVALID, "empty"},
    };

    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, "there", &made, &s->err),
            &s->err);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_fails(s,
                     agentchat_session_copy(s->store, &(agentchat_session_id){s->app, rows[i].user, rows[i].id},
                                            rows[i].new_id, &made, &s->err),
                     rows[i].status, rows[i].message);
        assert_string_equal(made.ptr, "there");
        assert_int_equal(made.len, 5);
    }
    expect_missing(s, "u", "new");
    expect_stored(s, "u", "there", "{\"k\":1}", "");
    expect_stored(s, "u", "s", "{\"k\":1}", "");
    agentchat_bytes_clear(&made);
    agentchat_session_free(session);
}

static int no_random(void *user, void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return -1;
}

/* An environment without random bytes: neither a number nor an id can be made for the copy. */
static void test_copy__without_random_bytes_leaves_the_callers_text(void **state)
{
    static const char *const new_ids[] = {"longer than the text", "c", NULL};
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_bytes made = AGENTCHAT_BYTES_INIT;
    agentchat_store *store = NULL;
    agentchat_env *env;
    scene *s = *state;

    options.random = no_random;
    env = test_env(&options);
    test_ok(agentchat_store_open(env, s->url, NULL, &store, &s->err), &s->err);
    for (size_t i = 0; i < sizeof new_ids / sizeof *new_ids; i++) {
        for (int full = 0; full < 2; full++) { /* also when there is no text yet */
            char text[] = "abc";

            made.ptr = full ? text : NULL;
            made.len = made.cap = full ? 3 : 0;
            expect_fails(
                s, agentchat_session_copy(store, &(agentchat_session_id){s->app, "u", "s"}, new_ids[i], &made, &s->err),
                AGENTCHAT_E_INTERNAL, "random");
            assert_int_equal(made.len, full ? 3 : 0);
            assert_string_equal(full ? made.ptr : "abc", "abc");
        }
    }
    agentchat_store_close(store);
    agentchat_env_free(env);
}

static void test_copy__of_a_long_session(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *copy;

    for (int i = 0; i < 400; i++)
        (void)scene_append(s, session, NULL, i % 2 == 0 ? "n+=1" : "app:n+=1");
    test_ok(agentchat_session_copy(s->store, &(agentchat_session_id){s->app, "u", "s"}, "copy", NULL, &s->err),
            &s->err);
    copy = scene_get(s, "u", "copy");
    assert_int_equal(agentchat_session_event_count(copy), 400);
    expect_state(copy, "{\"n\":200,\"app:n\":200}");
    agentchat_session_free(copy);
    agentchat_session_free(session);
}

int contract_copy(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_copy__has_events_sequence_numbers_and_own_state),
        SCENE_TEST(test_copy__goes_its_own_way),
        SCENE_TEST(test_copy__a_made_id_is_returned),
        SCENE_TEST(test_copy__failures_change_nothing),
        SCENE_TEST(test_copy__without_random_bytes_leaves_the_callers_text),
        SCENE_TEST(test_copy__of_a_long_session),
    };

    return CONTRACT_GROUP("copy", tests);
}
