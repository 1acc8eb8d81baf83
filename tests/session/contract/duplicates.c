/* SPDX-License-Identifier: Apache-2.0 */
/* Appending an event whose id is there already: a retry, or a mistake. */
#include "session/contract/contract.h"

static void test_duplicates__the_same_event_again_is_success_with_its_sequence_number(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event = scene_event(s, "e1", "k=1 n+=5 app:n+=1 temp:t=1", "2026-01-01T00:00:00Z");
    uint64_t sequence = 0;

    test_ok(agentchat_session_append(session, event, NULL, &sequence, &s->err), &s->err);
    assert_int_equal(sequence, 1);
    (void)scene_append(s, session, "e2", "k=2");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(agentchat_session_append(session, event, NULL, &sequence, &s->err), AGENTCHAT_OK);
        assert_int_equal(sequence, 1);
    }
    expect_stored(s, "u", "s", "{\"k\":2,\"n\":5,\"app:n\":1}", "e1 e2");
    expect_state(session, "{\"k\":2,\"n\":5,\"app:n\":1}");
    expect_events(session, "e1 e2");
    assert_int_equal(agentchat_session_sequence(session), 2);
    assert_int_equal(agentchat_session_revision(session, "app:n"), 1);
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

static void test_duplicates__what_the_store_fills_in_may_differ(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event = scene_event(s, "e1", "k=1", NULL); /* no time, no invocation */
    uint64_t sequence = 0;

    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    s->now_us += 1000000;
    test_ok(agentchat_session_append(session, event, NULL, &sequence, &s->err), &s->err);
    assert_int_equal(sequence, 1);
    expect_stored(s, "u", "s", "{\"k\":1}", "e1");
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

static void test_duplicates__another_content_is_a_conflict(void **state)
{
    static const struct {
        const char *changes, *time;
    } others[] = {
        {"k=2", "2026-01-01T00:00:00Z"}, {"k=1.0", "2026-01-01T00:00:00Z"}, {"k=1 l=1", "2026-01-01T00:00:00Z"},
        {NULL, "2026-01-01T00:00:00Z"},  {"k=1", "2026-01-01T00:00:01Z"},   {"k=1", "2026-01-01T00:00:00.0Z"},
        {"-k", "2026-01-01T00:00:00Z"},  {"k+=1", "2026-01-01T00:00:00Z"},  {"user:k=1", "2026-01-01T00:00:00Z"},
    };
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    (void)scene_append_at(s, session, "e1", "k=1", "2026-01-01T00:00:00Z");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        agentchat_event *event = scene_event(s, "e1", others[i].changes, others[i].time);
        uint64_t sequence = 7;

        expect_fails(s, agentchat_session_append(session, event, NULL, &sequence, &s->err), AGENTCHAT_E_CONFLICT,
                     "event id e1 belongs to an event of other content");
        assert_int_equal(sequence, 0);
        agentchat_event_unref(event);
    }
    expect_stored(s, "u", "s", "{\"k\":1}", "e1");
    expect_state(session, "{\"k\":1}");
    agentchat_session_free(session);
}

/* A time stays the same however often it is retried; only what the event does not say itself may differ. */
static void test_duplicates__a_given_time_may_not_be_left_out_later(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event = scene_event(s, "e1", "k=1", NULL);

    (void)scene_append_at(s, session, "e1", "k=1", "2026-01-01T00:00:00Z");
    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    expect_stored(s, "u", "s", "{\"k\":1}", "e1");
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

static void test_duplicates__differ_in_temp_keys_only(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *other = scene_event(s, "e1", "k=1 temp:y=2", "2026-01-01T00:00:00Z");

    (void)scene_append_at(s, session, "e1", "k=1 temp:x=1", "2026-01-01T00:00:00Z");
    test_ok(agentchat_session_append(session, other, NULL, NULL, &s->err), &s->err);
    expect_stored(s, "u", "s", "{\"k\":1}", "e1");
    agentchat_event_unref(other);
    agentchat_session_free(session);
}

/* The answer to the first attempt was lost: the retry is no conflict, although its expectations no longer hold. */
static void test_duplicates__a_retry_with_expectations_succeeds(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":0}"), *retrying = scene_get(s, "u", "s");
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    agentchat_event *event = scene_event(s, "e1", "k=1", NULL);
    uint64_t sequence = 0;

    options.has_expect_sequence = true;
    options.expect_key = "k";
    options.expect_revision = 1;
    test_ok(agentchat_session_append(session, event, &options, NULL, &s->err), &s->err);
    (void)scene_append(s, session, "e2", "k=2");
    test_ok(agentchat_session_append(retrying, event, &options, &sequence, &s->err), &s->err);
    assert_int_equal(sequence, 1);
    expect_events(retrying, "e1 e2");
    expect_state(retrying, "{\"k\":2}");
    agentchat_event_unref(event);
    agentchat_session_free(session);
    agentchat_session_free(retrying);
}

static void test_duplicates__a_sum_that_would_fail_now_does_not_matter(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event = scene_event(s, "e1", "n+=1", NULL);

    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    (void)scene_append(s, session, "e2", "n=\"text\"");
    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    expect_stored(s, "u", "s", "{\"n\":\"text\"}", "e1 e2");
    agentchat_event_unref(event);
    agentchat_session_free(session);
}

static void test_duplicates__equal_ids_in_other_sessions_are_other_events(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s1", NULL), *two = scene_create(s, "u", "s2", NULL);

    (void)scene_append(s, one, "e1", "k=1");
    (void)scene_append(s, two, "e1", "k=2");
    expect_stored(s, "u", "s1", "{\"k\":1}", "e1");
    expect_stored(s, "u", "s2", "{\"k\":2}", "e1");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_duplicates__an_id_that_was_rewound_is_free_again(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    (void)scene_append(s, session, "e1", "k=1");
    (void)scene_append(s, session, "e2", "k=2");
    test_ok(agentchat_session_rewind(session, "e1", NULL, &s->err), &s->err);
    assert_true(scene_append(s, session, "e2", "k=3") > 2);
    expect_stored(s, "u", "s", "{\"k\":3}", "e1 e2");
    agentchat_session_free(session);
}

static void test_duplicates__other_content_and_extras_are_compared(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event =
        scene_read_event(s, "{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"role\":\"user\","
                            "\"items\":[{\"type\":\"text\",\"text\":\"hi\"}]},\"more\":{\"a\":1}}");
    agentchat_event *words =
        scene_read_event(s, "{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"role\":\"user\","
                            "\"items\":[{\"type\":\"text\",\"text\":\"ho\"}]},\"more\":{\"a\":1}}");
    agentchat_event *extra =
        scene_read_event(s, "{\"id\":\"e1\",\"author\":\"a\",\"content\":{\"role\":\"user\","
                            "\"items\":[{\"type\":\"text\",\"text\":\"hi\"}]},\"more\":{\"a\":2}}");

    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &s->err), &s->err);
    expect_fails(s, agentchat_session_append(session, words, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT, "e1");
    expect_fails(s, agentchat_session_append(session, extra, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT, "e1");
    expect_stored(s, "u", "s", "{}", "e1");
    agentchat_event_unref(event);
    agentchat_event_unref(words);
    agentchat_event_unref(extra);
    agentchat_session_free(session);
}

int contract_duplicates(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_duplicates__the_same_event_again_is_success_with_its_sequence_number),
        SCENE_TEST(test_duplicates__what_the_store_fills_in_may_differ),
        SCENE_TEST(test_duplicates__another_content_is_a_conflict),
        SCENE_TEST(test_duplicates__a_given_time_may_not_be_left_out_later),
        SCENE_TEST(test_duplicates__differ_in_temp_keys_only),
        SCENE_TEST(test_duplicates__a_retry_with_expectations_succeeds),
        SCENE_TEST(test_duplicates__a_sum_that_would_fail_now_does_not_matter),
        SCENE_TEST(test_duplicates__equal_ids_in_other_sessions_are_other_events),
        SCENE_TEST(test_duplicates__an_id_that_was_rewound_is_free_again),
        SCENE_TEST(test_duplicates__other_content_and_extras_are_compared),
    };

    return CONTRACT_GROUP("duplicates", tests);
}
