/* SPDX-License-Identifier: Apache-2.0 */
/* Single changes of state, which are events too: setting, counting, deleting, applying a complete state. */
#include "session/contract/contract.h"

static void test_change__setting_appends_an_event_by_system(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    const agentchat_event *event;

    test_ok(agentchat_session_set(session, "k", AGENTCHAT_STR(" [1, 2] "), &s->err), &s->err);
    assert_int_equal(agentchat_session_event_count(session), 1);
    event = agentchat_session_event(session, 0);
    assert_str(agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR), "system");
    assert_int_equal(agentchat_event_change_count(event), 1);
    assert_int_equal(agentchat_event_change(event, 0)->kind, AGENTCHAT_CHANGE_SET);
    assert_str(agentchat_event_change(event, 0)->value, "[1, 2]");
    assert_null(agentchat_event_content(event));
    expect_key(session, "k", "[1, 2]");
    agentchat_session_free(session);
}

static void test_change__setting_works_in_every_scope(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *other = scene_create(s, "u", "s2", NULL);

    test_ok(agentchat_session_set(session, "app:k", AGENTCHAT_STR("1"), &s->err), &s->err);
    test_ok(agentchat_session_set(session, "user:k", AGENTCHAT_STR("2"), &s->err), &s->err);
    test_ok(agentchat_session_set(session, "k", AGENTCHAT_STR("3"), &s->err), &s->err);
    expect_state(session, "{\"app:k\":1,\"user:k\":2,\"k\":3}");
    expect_stored(s, "u", "s2", "{\"app:k\":1,\"user:k\":2}", "");
    agentchat_session_free(session);
    agentchat_session_free(other);
}

static void test_change__setting_refuses_what_is_no_json(void **state)
{
    static const char *const bad[] = {"",         " ",   "x",  "{",   "{\"a\":1",  "1 2",
                                      "\"\x01\"", "nul", "01", "'a'", "{\"a\":1,}"};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_fails(s, agentchat_session_set(session, "k", agentchat_str_from(bad[i]), &s->err), AGENTCHAT_E_INVALID,
                     "the value of k is not JSON; quote it, or use agentchat_session_set_text");
    expect_fails(s, agentchat_session_set(session, "k", (agentchat_str){NULL, 0}, &s->err), AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_session_set(session, NULL, AGENTCHAT_STR("1"), &s->err), AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_session_set(NULL, "k", AGENTCHAT_STR("1"), &s->err), AGENTCHAT_E_INVALID, NULL);
    expect_stored(s, "u", "s", "{}", "");
    agentchat_session_free(session);
}

static void test_change__counters_count_in_every_scope(void **state)
{
    static const char *const keys[] = {"n", "user:n", "app:n"};
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", NULL), *two = scene_get(s, "u", "s");
    int64_t sum = 7;

    for (size_t i = 0; i < 3; i++) {
        test_ok(agentchat_session_add(one, keys[i], 5, &sum, &s->err), &s->err);
        assert_int_equal(sum, 5);
        test_ok(agentchat_session_add(two, keys[i], -7, &sum, &s->err), &s->err);
        assert_int_equal(sum, -2);
        test_ok(agentchat_session_add(one, keys[i], 0, &sum, &s->err), &s->err);
        assert_int_equal(sum, -2);
        test_ok(agentchat_session_add(one, keys[i], 1, NULL, &s->err), &s->err);
    }
    expect_state(one, "{\"n\":-1,\"user:n\":-1,\"app:n\":-1}");
    assert_int_equal(agentchat_session_event_count(one), 12);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_change__a_counter_that_cannot_count_says_so(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"text\":\"1\",\"top\":9223372036854775807}");
    int64_t sum = 7;

    expect_fails(s, agentchat_session_add(session, "text", 1, &sum, &s->err), AGENTCHAT_E_INVALID, "text");
    assert_int_equal(sum, 0);
    expect_fails(s, agentchat_session_add(session, "top", 1, &sum, &s->err), AGENTCHAT_E_LIMIT, "top");
    test_ok(agentchat_session_add(session, "top", -1, &sum, &s->err), &s->err);
    assert_true(sum == INT64_MAX - 1);
    expect_state(session, "{\"text\":\"1\",\"top\":9223372036854775806}");
    assert_int_equal(agentchat_session_event_count(session), 1);
    agentchat_session_free(session);
}

static void test_change__deleting_removes_a_key(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"a\":null,\"user:a\":2,\"app:a\":3,\"b\":4}");

    test_ok(agentchat_session_delete_key(session, "a", &s->err), &s->err);
    test_ok(agentchat_session_delete_key(session, "user:a", &s->err), &s->err);
    test_ok(agentchat_session_delete_key(session, "app:a", &s->err), &s->err);
    expect_state(session, "{\"b\":4}");
    assert_int_equal(agentchat_session_event_count(session), 3);
    assert_int_equal(agentchat_event_change(agentchat_session_event(session, 2), 0)->kind, AGENTCHAT_CHANGE_DELETE);
    agentchat_session_free(session);
}

static void test_change__deleting_what_is_not_there_appends_nothing(void **state)
{
    static const char *const keys[] = {"none", "user:none", "app:none"};
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"b\":4}");

    for (size_t i = 0; i < 3; i++)
        expect_fails(s, agentchat_session_delete_key(session, keys[i], &s->err), AGENTCHAT_E_NOTFOUND, keys[i]);
    expect_stored(s, "u", "s", "{\"b\":4}", "");
    agentchat_session_free(session);
}

/* What counts is what is stored, not what the handle shows. */
static void test_change__deleting_looks_at_the_store(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":1}"), *two = scene_get(s, "u", "s");

    test_ok(agentchat_session_delete_key(one, "k", &s->err), &s->err);
    expect_fails(s, agentchat_session_delete_key(two, "k", &s->err), AGENTCHAT_E_NOTFOUND, "k");
    test_ok(agentchat_session_set(one, "l", AGENTCHAT_STR("1"), &s->err), &s->err);
    test_ok(agentchat_session_delete_key(two, "l", &s->err), &s->err);
    expect_state(two, "{}");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_change__applying_a_state_makes_one_event_of_the_difference(void **state)
{
    scene *s = *state;
    agentchat_session *session =
        scene_create(s, "u", "s", "{\"same\":1,\"other\":2,\"gone\":3,\"app:a\":4,\"user:u\":5}");
    agentchat_state *wanted =
        scene_state(s, "{\"same\":1,\"other\":20,\"new\":6,\"app:a\":40,\"app:b\":7,\"temp:t\":8}");
    const agentchat_event *event;
    agentchat_session *again;
    uint64_t sequence = 0;

    test_ok(agentchat_session_apply_state(session, wanted, &sequence, &s->err), &s->err);
    assert_int_equal(sequence, 1);
    event = agentchat_session_event(session, 0);
    assert_int_equal(agentchat_event_change_count(event), 3);
    expect_state(session, "{\"same\":1,\"other\":20,\"new\":6,\"app:a\":4,\"user:u\":5}");
    again = scene_get(s, "u", "s");
    expect_state(again, "{\"same\":1,\"other\":20,\"new\":6,\"app:a\":4,\"user:u\":5}");
    assert_int_equal(agentchat_session_event_count(again), 1);
    agentchat_session_free(again);
    agentchat_state_free(wanted);
    agentchat_session_free(session);
}

static void test_change__applying_the_state_that_is_there_appends_nothing(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1,\"app:a\":1}");
    agentchat_state *wanted = scene_state(s, "{\"k\":1}");
    uint64_t sequence = 7;

    test_ok(agentchat_session_apply_state(session, wanted, &sequence, &s->err), &s->err);
    assert_int_equal(sequence, 0);
    assert_int_equal(agentchat_session_sequence(session), 0);
    agentchat_state_free(wanted);
    wanted = scene_state(s, "{}");
    test_ok(agentchat_session_apply_state(session, wanted, &sequence, &s->err), &s->err);
    assert_int_equal(sequence, 1);
    expect_state(session, "{\"app:a\":1}");
    agentchat_state_free(wanted);
    agentchat_session_free(session);
}

static void test_change__applying_compares_with_what_others_made_of_it(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":1}"), *two = scene_get(s, "u", "s");
    agentchat_state *wanted = scene_state(s, "{\"k\":1}");

    (void)scene_append(s, one, "e1", "k=2 l=3");
    test_ok(agentchat_session_apply_state(two, wanted, NULL, &s->err), &s->err);
    expect_state(two, "{\"k\":1}");
    test_ok(agentchat_session_refresh(one, &s->err), &s->err);
    expect_state(one, "{\"k\":1}");
    agentchat_state_free(wanted);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_change__applying_leaves_temp_keys_of_the_invocation(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1}");
    agentchat_state *wanted = scene_state(s, "{\"k\":2}");

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    test_ok(agentchat_session_set(session, "temp:t", AGENTCHAT_STR("1"), &s->err), &s->err);
    test_ok(agentchat_session_apply_state(session, wanted, NULL, &s->err), &s->err);
    expect_state(session, "{\"k\":2,\"temp:t\":1}");
    agentchat_state_free(wanted);
    agentchat_session_free(session);
}

int contract_change(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_change__setting_appends_an_event_by_system),
        SCENE_TEST(test_change__setting_works_in_every_scope),
        SCENE_TEST(test_change__setting_refuses_what_is_no_json),
        SCENE_TEST(test_change__counters_count_in_every_scope),
        SCENE_TEST(test_change__a_counter_that_cannot_count_says_so),
        SCENE_TEST(test_change__deleting_removes_a_key),
        SCENE_TEST(test_change__deleting_what_is_not_there_appends_nothing),
        SCENE_TEST(test_change__deleting_looks_at_the_store),
        SCENE_TEST(test_change__applying_a_state_makes_one_event_of_the_difference),
        SCENE_TEST(test_change__applying_the_state_that_is_there_appends_nothing),
        SCENE_TEST(test_change__applying_compares_with_what_others_made_of_it),
        SCENE_TEST(test_change__applying_leaves_temp_keys_of_the_invocation),
    };

    return CONTRACT_GROUP("change", tests);
}
