/* SPDX-License-Identifier: Apache-2.0 */
/* Appending on a condition: the session's sequence, the revision of a key. */
#include "session/contract/contract.h"

#include <pthread.h>
#include <stdio.h>

static agentchat_status append_if(scene *s, agentchat_session *session, const char *id, const char *changes,
                                  agentchat_append_options options, uint64_t *sequence)
{
    agentchat_event *event = scene_event(s, id, changes, NULL);
    agentchat_status status = agentchat_session_append(session, event, &options, sequence, &s->err);

    agentchat_event_unref(event);
    return status;
}

static agentchat_append_options at_sequence(uint64_t sequence)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;

    options.has_expect_sequence = true;
    options.expect_sequence = sequence;
    return options;
}

static agentchat_append_options at_revision(const char *key, uint64_t revision)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;

    options.expect_key = key;
    options.expect_revision = revision;
    return options;
}

static void test_expect__the_right_sequence_appends(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    uint64_t sequence = 0;

    test_ok(append_if(s, session, "e1", "k=1", at_sequence(0), &sequence), &s->err);
    assert_int_equal(sequence, 1);
    test_ok(append_if(s, session, "e2", "k=2", at_sequence(1), &sequence), &s->err);
    assert_int_equal(sequence, 2);
    expect_stored(s, "u", "s", "{\"k\":2}", "e1 e2");
    agentchat_session_free(session);
}

static void test_expect__a_stale_writer_gets_a_conflict_and_sees_what_happened(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":0}"), *two = scene_get(s, "u", "s");
    uint64_t sequence = 7;

    (void)scene_append(s, one, "e1", "k=1 app:a=1 user:b=1");
    expect_fails(s, append_if(s, two, "mine", "k=9 app:a=9 user:b=9", at_sequence(0), &sequence), AGENTCHAT_E_CONFLICT,
                 "the session's sequence is 1, not 0 as expected");
    assert_int_equal(sequence, 0);
    assert_true(agentchat_status_is_retryable(AGENTCHAT_E_CONFLICT));
    expect_state(two, "{\"k\":1,\"app:a\":1,\"user:b\":1}");
    expect_events(two, "e1");
    assert_int_equal(agentchat_session_sequence(two), 1);
    assert_int_equal(agentchat_session_revision(two, "app:a"), 1);
    expect_stored(s, "u", "s", "{\"k\":1,\"app:a\":1,\"user:b\":1}", "e1");
    test_ok(append_if(s, two, "mine", "k=9", at_sequence(agentchat_session_sequence(two)), &sequence), &s->err);
    expect_stored(s, "u", "s", "{\"k\":9,\"app:a\":1,\"user:b\":1}", "e1 mine");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_expect__a_sequence_of_the_future_is_a_conflict(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    expect_fails(s, append_if(s, session, "e1", NULL, at_sequence(1), NULL), AGENTCHAT_E_CONFLICT, "sequence");
    expect_fails(s, append_if(s, session, "e1", NULL, at_sequence(UINT64_MAX - 1), NULL), AGENTCHAT_E_CONFLICT,
                 "sequence");
    expect_stored(s, "u", "s", "{}", "");
    agentchat_session_free(session);
}

static void test_expect__after_a_rewind_the_old_sequence_is_a_conflict(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", NULL), *two;

    (void)scene_append(s, one, "e1", NULL);
    (void)scene_append(s, one, "e2", NULL);
    two = scene_get(s, "u", "s");
    test_ok(agentchat_session_rewind(one, "e1", NULL, &s->err), &s->err);
    expect_fails(s, append_if(s, two, "e3", NULL, at_sequence(2), NULL), AGENTCHAT_E_CONFLICT, "sequence");
    expect_events(two, "e1");
    test_ok(append_if(s, two, "e3", NULL, at_sequence(agentchat_session_sequence(two)), NULL), &s->err);
    expect_stored(s, "u", "s", "{}", "e1 e3");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_expect__the_revision_of_a_key_in_each_scope(void **state)
{
    static const char *const keys[] = {"k", "user:k", "app:k"};
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":1,\"user:k\":1,\"app:k\":1}");
    agentchat_session *two = scene_get(s, "u", "s");

    for (size_t i = 0; i < 3; i++) {
        char changes[64], id[16];

        snprintf(changes, sizeof changes, "%s=2", keys[i]);
        snprintf(id, sizeof id, "one-%zu", i);
        test_ok(append_if(s, one, id, changes, at_revision(keys[i], agentchat_session_revision(one, keys[i])), NULL),
                &s->err);
        snprintf(changes, sizeof changes, "%s=3", keys[i]);
        snprintf(id, sizeof id, "two-%zu", i);
        expect_fails(
            s, append_if(s, two, id, changes, at_revision(keys[i], agentchat_session_revision(two, keys[i])), NULL),
            AGENTCHAT_E_CONFLICT, "the revision of key");
        expect_key(two, keys[i], "2");
        test_ok(append_if(s, two, id, changes, at_revision(keys[i], agentchat_session_revision(two, keys[i])), NULL),
                &s->err);
        expect_key(two, keys[i], "3");
    }
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_expect__revision_zero_means_absent(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    test_ok(append_if(s, session, "e1", "app:lock=1", at_revision("app:lock", 0), NULL), &s->err);
    expect_fails(s, append_if(s, session, "e2", "app:lock=2", at_revision("app:lock", 0), NULL), AGENTCHAT_E_CONFLICT,
                 "app:lock");
    (void)scene_append(s, session, "e3", "-app:lock");
    test_ok(append_if(s, session, "e4", "app:lock=3", at_revision("app:lock", 0), NULL), &s->err);
    agentchat_session_free(session);
}

static void test_expect__a_key_that_is_not_changed_can_be_expected(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"user:mode\":\"a\"}");
    uint64_t revision = agentchat_session_revision(session, "user:mode");

    test_ok(append_if(s, session, "e1", "k=1", at_revision("user:mode", revision), NULL), &s->err);
    (void)scene_append(s, session, "e2", "user:mode=\"b\"");
    expect_fails(s, append_if(s, session, "e3", "k=2", at_revision("user:mode", revision), NULL), AGENTCHAT_E_CONFLICT,
                 "user:mode");
    expect_key(session, "k", "1");
    agentchat_session_free(session);
}

static void test_expect__a_revision_is_never_used_again(void **state)
{
    static const char *const keys[] = {"k", "user:k", "app:k"};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    for (size_t i = 0; i < 3; i++) {
        uint64_t highest = 0;

        for (int round = 0; round < 5; round++) {
            char changes[64], id[16];

            snprintf(changes, sizeof changes, "%s=%d", keys[i], round);
            snprintf(id, sizeof id, "e%zu-%d", i, round);
            (void)scene_append(s, session, id, changes);
            assert_true(agentchat_session_revision(session, keys[i]) > highest);
            highest = agentchat_session_revision(session, keys[i]);
            if (round % 2 == 0) {
                snprintf(changes, sizeof changes, "-%s", keys[i]);
                snprintf(id, sizeof id, "d%zu-%d", i, round);
                (void)scene_append(s, session, id, changes);
                assert_int_equal(agentchat_session_revision(session, keys[i]), 0);
            }
            if (round == 3)
                test_ok(agentchat_session_rewind(session, NULL, NULL, &s->err), &s->err);
        }
    }
    agentchat_session_free(session);
}

static void test_expect__both_at_once(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1}");
    agentchat_append_options options = at_revision("k", 1);

    options.has_expect_sequence = true;
    options.expect_sequence = 1;
    expect_fails(s, append_if(s, session, "e1", "k=2", options, NULL), AGENTCHAT_E_CONFLICT, "sequence");
    options.expect_sequence = 0;
    test_ok(append_if(s, session, "e1", "k=2", options, NULL), &s->err);
    options.expect_sequence = 1;
    expect_fails(s, append_if(s, session, "e2", "k=3", options, NULL), AGENTCHAT_E_CONFLICT, "key");
    agentchat_session_free(session);
}

static void test_expect__a_key_that_cannot_be_is_invalid(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    expect_fails(s, append_if(s, session, "e1", NULL, at_revision("", 0), NULL), AGENTCHAT_E_INVALID, "key");
    expect_fails(s, append_if(s, session, "e1", NULL, at_revision("app:", 0), NULL), AGENTCHAT_E_INVALID, "prefix");
    expect_fails(s, append_if(s, session, "e1", NULL, at_revision("temp:x", 0), NULL), AGENTCHAT_E_INVALID, "temp:");
    expect_stored(s, "u", "s", "{}", "");
    agentchat_session_free(session);
}

typedef struct crossing {
    agentchat_session *session;
    agentchat_event *event;
    agentchat_append_options options;
    agentchat_status status;
    pthread_barrier_t *start;
} crossing;

static void *append_crossing(void *user)
{
    crossing *c = user;

    (void)pthread_barrier_wait(c->start);
    c->status = agentchat_session_append(c->session, c->event, &c->options, NULL, NULL);
    return NULL;
}

/* Of two appends in two sessions, each of which expects that what the other one sets is not there, one is first. */
static void test_expect__of_two_that_exclude_each_other_one_appends(void **state)
{
    scene *s = *state;

    s->step_us = 0; /* the clock is looked at by two threads */
    for (int round = 0; round < 20; round++) {
        char user[16], app_key[32], changes[2][48];
        pthread_barrier_t start;
        pthread_t threads[2];
        crossing both[2];

        snprintf(user, sizeof user, "u%d", round);
        snprintf(app_key, sizeof app_key, "app:k%d", round);
        snprintf(changes[0], sizeof changes[0], "%s=1", app_key);
        snprintf(changes[1], sizeof changes[1], "user:k=1");
        assert_int_equal(pthread_barrier_init(&start, NULL, 2), 0);
        for (int i = 0; i < 2; i++) {
            both[i].session = scene_create(s, user, i == 0 ? "one" : "two", NULL);
            both[i].event = scene_event(s, NULL, changes[i], NULL);
            both[i].options = at_revision(i == 0 ? "user:k" : app_key, 0);
            both[i].start = &start;
        }
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, append_crossing, &both[i]), 0);
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(both[0].status == AGENTCHAT_OK || both[1].status == AGENTCHAT_OK);
        assert_true(both[0].status == AGENTCHAT_E_CONFLICT || both[1].status == AGENTCHAT_E_CONFLICT);
        for (int i = 0; i < 2; i++) {
            agentchat_event_unref(both[i].event);
            agentchat_session_free(both[i].session);
        }
        assert_int_equal(pthread_barrier_destroy(&start), 0);
    }
}

static void test_expect__options_of_zeros_expect_nothing(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_append_options zeros = {.struct_size = sizeof zeros};

    (void)scene_append(s, session, "e1", "k=1");
    test_ok(append_if(s, session, "e2", "k=2", zeros, NULL), &s->err);
    zeros.expect_sequence = 77; /* without its flag it says nothing */
    test_ok(append_if(s, session, "e3", "k=3", zeros, NULL), &s->err);
    zeros.expect_sequence = 0;
    zeros.has_expect_sequence = true;
    expect_fails(s, append_if(s, session, "e4", "k=4", zeros, NULL), AGENTCHAT_E_CONFLICT, "sequence");
    expect_stored(s, "u", "s", "{\"k\":3}", "e1 e2 e3");
    agentchat_session_free(session);
}

int contract_expectations(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_expect__the_right_sequence_appends),
        SCENE_TEST(test_expect__a_stale_writer_gets_a_conflict_and_sees_what_happened),
        SCENE_TEST(test_expect__a_sequence_of_the_future_is_a_conflict),
        SCENE_TEST(test_expect__options_of_zeros_expect_nothing),
        SCENE_TEST(test_expect__after_a_rewind_the_old_sequence_is_a_conflict),
        SCENE_TEST(test_expect__the_revision_of_a_key_in_each_scope),
        SCENE_TEST(test_expect__revision_zero_means_absent),
        SCENE_TEST(test_expect__a_key_that_is_not_changed_can_be_expected),
        SCENE_TEST(test_expect__a_revision_is_never_used_again),
        SCENE_TEST(test_expect__both_at_once),
        SCENE_TEST(test_expect__a_key_that_cannot_be_is_invalid),
        SCENE_TEST(test_expect__of_two_that_exclude_each_other_one_appends),
    };

    return CONTRACT_GROUP("expectations", tests);
}
