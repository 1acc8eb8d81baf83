/* SPDX-License-Identifier: Apache-2.0 */
/* Stores as a whole: what lasts, what two of one database see, what may be done to one that is opened for reading. */
#include "session/contract/contract.h"

#include <pthread.h>

static void test_store__tells_its_backend(void **state)
{
    scene *s = *state;

    assert_string_equal(agentchat_store_backend(s->store), s->kind == STORE_POSTGRES ? "postgresql" : "sqlite");
}

static void test_store__keeps_everything_when_it_is_closed(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"user:b\":2,\"c\":1.50}"), *again;
    int64_t updated;

    if (!scene_is_shared(s)) {
        agentchat_session_free(session);
        skip();
    }
    (void)scene_append_at(s, session, "e1", "n+=3 app:a=10", "2001-02-03T04:05:06.000000007Z");
    (void)scene_append(s, session, "e2", "-c");
    updated = agentchat_session_updated_us(session);
    agentchat_session_free(session);
    scene_reopen(s);
    again = scene_get(s, "u", "s");
    expect_state(again, "{\"app:a\":10,\"user:b\":2,\"n\":3}");
    expect_events(again, "e1 e2");
    assert_int_equal(agentchat_session_sequence(again), 2);
    assert_true(agentchat_session_updated_us(again) == updated);
    assert_int_equal(agentchat_session_revision(again, "app:a"), 2);
    assert_str(agentchat_event_change(agentchat_session_event(again, 0), 1)->value, "3");
    (void)scene_append(s, again, "e3", "n+=1");
    test_ok(agentchat_session_rewind(again, "e1", NULL, &s->err), &s->err);
    expect_state(again, "{\"app:a\":10,\"user:b\":2,\"c\":1.50,\"n\":3}");
    agentchat_session_free(again);
}

static void test_store__in_memory_ends_when_it_is_closed(void **state)
{
    scene *s = *state;

    if (scene_is_shared(s))
        skip();
    agentchat_session_free(scene_create(s, "u", "s", NULL));
    scene_reopen(s);
    expect_missing(s, "u", "s");
}

static void test_store__two_in_memory_are_two(void **state)
{
    scene *s = *state;
    agentchat_store *first = s->store, *second;

    if (scene_is_shared(s))
        skip();
    agentchat_session_free(scene_create(s, "u", "s", NULL));
    second = scene_open(s, NULL);
    s->store = second;
    expect_missing(s, "u", "s");
    s->store = first;
    agentchat_store_close(second);
    expect_stored(s, "u", "s", "{}", "");
}

static void test_store__two_of_one_database_see_the_same(void **state)
{
    scene *s = *state;
    agentchat_store *first = s->store, *second;
    agentchat_session *one, *two;

    if (!scene_is_shared(s))
        skip();
    second = scene_open(s, NULL);
    one = scene_create(s, "u", "s", "{\"k\":1}");
    s->store = second;
    two = scene_get(s, "u", "s");
    (void)scene_append(s, two, "e1", "k=2 app:n+=1");
    (void)scene_append(s, one, "e2", "app:n+=1");
    expect_state(one, "{\"k\":2,\"app:n\":2}");
    expect_events(one, "e1 e2");
    test_ok(agentchat_session_refresh(two, &s->err), &s->err);
    expect_events(two, "e1 e2");
    test_ok(agentchat_session_delete(second, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
    expect_fails(s, agentchat_session_refresh(one, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    agentchat_session_free(one);
    agentchat_session_free(two);
    s->store = first;
    agentchat_store_close(second);
}

static void test_store__for_reading_only_reads(void **state)
{
    scene *s = *state;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *writing = s->store, *reading;
    agentchat_session *session, *made = (agentchat_session *)s;
    agentchat_state *wanted;

    if (!scene_is_shared(s))
        skip();
    session = scene_create(s, "u", "s", "{\"k\":1}");
    (void)scene_append(s, session, "e1", "app:a=1");
    agentchat_session_free(session);
    options.read_only = true;
    reading = scene_open(s, &options);
    s->store = reading;
    expect_stored(s, "u", "s", "{\"app:a\":1,\"k\":1}", "e1");
    session = scene_get(s, "u", "s");
    wanted = scene_state(s, "{}");
    expect_fails(s, agentchat_session_set(session, "k", AGENTCHAT_STR("2"), &s->err), AGENTCHAT_E_INVALID,
                 "for reading only");
    expect_fails(s, agentchat_session_add(session, "n", 1, NULL, &s->err), AGENTCHAT_E_INVALID, "for reading only");
    expect_fails(s, agentchat_session_delete_key(session, "k", &s->err), AGENTCHAT_E_INVALID, "for reading only");
    expect_fails(s, agentchat_session_rewind(session, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, "for reading only");
    expect_fails(s, agentchat_session_apply_state(session, wanted, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "for reading only");
    expect_fails(s, agentchat_session_create(reading, &(agentchat_session_id){s->app, "u", "t"}, NULL, &made, &s->err),
                 AGENTCHAT_E_INVALID, "for reading only");
    assert_null(made);
    expect_fails(s, agentchat_session_copy(reading, &(agentchat_session_id){s->app, "u", "s"}, NULL, NULL, &s->err),
                 AGENTCHAT_E_INVALID, "for reading only");
    expect_fails(s, agentchat_session_delete(reading, &(agentchat_session_id){s->app, "u", "s"}, &s->err),
                 AGENTCHAT_E_INVALID, "for reading only");
    expect_fails(s, agentchat_user_delete(reading, s->app, "u", NULL, &s->err), AGENTCHAT_E_INVALID,
                 "for reading only");
    expect_state(session, "{\"app:a\":1,\"k\":1}");
    test_ok(agentchat_session_refresh(session, &s->err), &s->err);
    expect_sound(reading);
    agentchat_state_free(wanted);
    agentchat_session_free(session);
    s->store = writing;
    expect_stored(s, "u", "s", "{\"app:a\":1,\"k\":1}", "e1");
    agentchat_store_close(reading);
}

/* ---- threads ---------------------------------------------------------------------------------------------------- */

enum { THREADS = 4, STEPS = 50 };

typedef struct worker {
    scene *s;
    int number;
    const char *complaint;
} worker;

/* Each with handles of its own on one store; more threads than connections. */
static void *work(void *argument)
{
    worker *w = argument;
    scene *s = w->s;
    agentchat_session *session = NULL;
    agentchat_error err;
    int64_t before = 0;

    if (agentchat_session_get(s->store, &(agentchat_session_id){s->app, "u", "s"}, NULL, &session, &err) < 0) {
        w->complaint = "cannot get";
        return NULL;
    }
    for (int i = 0; i < STEPS && w->complaint == NULL; i++) {
        int64_t sum = 0;

        if (agentchat_session_add(session, i % 2 == 0 ? "n" : "app:n", 1, &sum, &err) < 0) {
            w->complaint = "cannot add";
            agentchat_error_print(&err, stderr);
        }
        if (i % 2 == 0 && sum <= before)
            w->complaint = "a sum that did not grow";
        before = i % 2 == 0 ? sum : before;
    }
    agentchat_session_free(session);
    return NULL;
}

static void test_store__is_shared_by_threads(void **state)
{
    scene *s = *state;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    pthread_t threads[THREADS];
    worker workers[THREADS];
    agentchat_session *session;

    options.max_connections = 2;
    agentchat_store_close(s->store);
    s->store = scene_open(s, &options);
    s->step_us = 0; /* the clock is read by all of them */
    agentchat_session_free(scene_create(s, "u", "s", NULL));
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){s, i, NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        if (workers[i].complaint != NULL)
            fail_msg("thread %d: %s", i, workers[i].complaint);
    session = scene_get(s, "u", "s");
    expect_state(session, "{\"n\":100,\"app:n\":100}");
    assert_int_equal(agentchat_session_event_count(session), 200);
    assert_int_equal(agentchat_session_sequence(session), 200);
    agentchat_session_free(session);
}

int contract_store(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_store__tells_its_backend),
        SCENE_TEST(test_store__keeps_everything_when_it_is_closed),
        SCENE_TEST(test_store__in_memory_ends_when_it_is_closed),
        SCENE_TEST(test_store__two_in_memory_are_two),
        SCENE_TEST(test_store__two_of_one_database_see_the_same),
        SCENE_TEST(test_store__for_reading_only_reads),
        SCENE_TEST(test_store__is_shared_by_threads),
    };

    return CONTRACT_GROUP("store", tests);
}
