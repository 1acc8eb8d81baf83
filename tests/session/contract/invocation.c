/* SPDX-License-Identifier: Apache-2.0 */
/* Invocations and what lives in them: temp: keys, and the events that belong to them. */
#include "session/contract/contract.h"

static void test_invocation__temp_keys_need_one(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    expect_fails(s, agentchat_session_set(session, "temp:t", AGENTCHAT_STR("1"), &s->err), AGENTCHAT_E_INVALID,
                 "temp:t");
    expect_fails(s, agentchat_session_add(session, "temp:t", 1, NULL, &s->err), AGENTCHAT_E_INVALID, "temp:t");
    expect_fails(s, agentchat_session_delete_key(session, "temp:t", &s->err), AGENTCHAT_E_INVALID, "temp:t");
    (void)scene_append(s, session, "e1", "temp:t=1 k=1");
    expect_state(session, "{\"k\":1}");
    agentchat_session_free(session);
}

static void test_invocation__temp_keys_are_set_counted_and_deleted_without_events(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    int64_t sum = 0;

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    test_ok(agentchat_session_set(session, "temp:a", AGENTCHAT_STR("\"x\""), &s->err), &s->err);
    test_ok(agentchat_session_add(session, "temp:n", 3, &sum, &s->err), &s->err);
    test_ok(agentchat_session_add(session, "temp:n", 4, &sum, &s->err), &s->err);
    assert_int_equal(sum, 7);
    expect_state(session, "{\"temp:a\":\"x\",\"temp:n\":7}");
    test_ok(agentchat_session_delete_key(session, "temp:a", &s->err), &s->err);
    expect_fails(s, agentchat_session_delete_key(session, "temp:a", &s->err), AGENTCHAT_E_NOTFOUND, "temp:a");
    expect_fails(s, agentchat_session_set(session, "temp:b", AGENTCHAT_STR("{"), &s->err), AGENTCHAT_E_INVALID, NULL);
    expect_state(session, "{\"temp:n\":7}");
    assert_int_equal(agentchat_session_event_count(session), 0);
    assert_int_equal(agentchat_session_revision(session, "temp:n"), 0);
    expect_stored(s, "u", "s", "{}", "");
    agentchat_session_free(session);
}

static void test_invocation__events_change_temp_keys_too(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    (void)scene_append(s, session, "e1", "temp:a=1 temp:n+=2 temp:x=9 k=3");
    (void)scene_append(s, session, "e2", "temp:n+=40 -temp:x");
    expect_state(session, "{\"temp:a\":1,\"temp:n\":42,\"k\":3}");
    expect_stored(s, "u", "s", "{\"k\":3}", "e1 e2");
    agentchat_session_free(session);
}

static void test_invocation__an_event_that_fails_leaves_temp_keys_as_they_are(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":\"text\"}");
    agentchat_event *event = scene_event(s, "e1", "temp:a=2 temp:b=3 -temp:c k+=1", NULL);
    agentchat_event *wrong = scene_event(s, "e2", "temp:a+=1 l=1", NULL);

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    test_ok(agentchat_session_set(session, "temp:a", AGENTCHAT_STR("1.5"), &s->err), &s->err);
    test_ok(agentchat_session_set(session, "temp:c", AGENTCHAT_STR("1"), &s->err), &s->err);
    expect_fails(s, agentchat_session_append(session, event, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, "k");
    expect_fails(s, agentchat_session_append(session, wrong, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, "temp:a");
    expect_state(session, "{\"k\":\"text\",\"temp:a\":1.5,\"temp:c\":1}");
    expect_stored(s, "u", "s", "{\"k\":\"text\"}", "");
    agentchat_event_unref(event);
    agentchat_event_unref(wrong);
    agentchat_session_free(session);
}

static void test_invocation__ending_takes_all_temp_keys(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1}");
    char key[32];

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof key, "temp:%d", i);
        test_ok(agentchat_session_set(session, key, AGENTCHAT_STR("1"), &s->err), &s->err);
        if (i % 50 == 0)
            (void)scene_append(s, session, NULL, "k+=1");
    }
    assert_int_equal(agentchat_state_count(agentchat_session_state(session)), 501);
    agentchat_invocation_end(session);
    expect_state(session, "{\"k\":11}");
    agentchat_invocation_end(session);
    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    expect_state(session, "{\"k\":11}");
    agentchat_session_free(session);
}

static void test_invocation__is_one_at_a_time_on_a_handle(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *other = scene_get(s, "u", "s");

    assert_null(agentchat_invocation_id(session));
    test_ok(agentchat_invocation_begin(session, "first", &s->err), &s->err);
    expect_fails(s, agentchat_invocation_begin(session, "second", &s->err), AGENTCHAT_E_BUSY, "invocation");
    assert_string_equal(agentchat_invocation_id(session), "first");
    test_ok(agentchat_invocation_begin(other, "second", &s->err), &s->err);
    agentchat_invocation_end(session);
    assert_null(agentchat_invocation_id(session));
    assert_string_equal(agentchat_invocation_id(other), "second");
    test_ok(agentchat_invocation_begin(session, "third", &s->err), &s->err);
    agentchat_session_free(session);
    agentchat_session_free(other);
}

static void test_invocation__temp_keys_belong_to_one_handle(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", NULL), *two = scene_get(s, "u", "s");

    test_ok(agentchat_invocation_begin(one, NULL, &s->err), &s->err);
    test_ok(agentchat_invocation_begin(two, NULL, &s->err), &s->err);
    (void)scene_append(s, one, "e1", "temp:t=1 k=1");
    test_ok(agentchat_session_refresh(two, &s->err), &s->err);
    expect_state(two, "{\"k\":1}");
    (void)scene_append(s, two, "e2", "temp:t=2 k=2");
    test_ok(agentchat_session_refresh(one, &s->err), &s->err);
    expect_state(one, "{\"temp:t\":1,\"k\":2}");
    expect_state(two, "{\"temp:t\":2,\"k\":2}");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_invocation__events_without_one_belong_to_it(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    agentchat_event *own = scene_read_event(s, "{\"id\":\"e3\",\"author\":\"a\",\"invocation\":\"own\"}");

    test_ok(agentchat_invocation_begin(session, "inv-1", &s->err), &s->err);
    (void)scene_append(s, session, "e1", NULL);
    test_ok(agentchat_session_set(session, "k", AGENTCHAT_STR("1"), &s->err), &s->err);
    test_ok(agentchat_session_append(session, own, NULL, NULL, &s->err), &s->err);
    again = scene_get(s, "u", "s");
    assert_str(agentchat_event_get(agentchat_session_event(again, 0), AGENTCHAT_EVENT_INVOCATION), "inv-1");
    assert_str(agentchat_event_get(agentchat_session_event(again, 1), AGENTCHAT_EVENT_INVOCATION), "inv-1");
    assert_str(agentchat_event_get(agentchat_session_event(again, 2), AGENTCHAT_EVENT_INVOCATION), "own");
    agentchat_event_unref(own);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_invocation__ids_are_checked(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    expect_fails(s, agentchat_invocation_begin(session, "", &s->err), AGENTCHAT_E_INVALID, "invocation id");
    expect_fails(s, agentchat_invocation_begin(session, "\xFF", &s->err), AGENTCHAT_E_INVALID, "UTF-8");
    expect_fails(s, agentchat_invocation_begin(NULL, "x", &s->err), AGENTCHAT_E_INVALID, NULL);
    assert_null(agentchat_invocation_id(session));
    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    assert_int_equal(strlen(agentchat_invocation_id(session)), 36);
    agentchat_session_free(session);
}

static void test_invocation__rewinding_leaves_temp_keys(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);

    test_ok(agentchat_invocation_begin(session, NULL, &s->err), &s->err);
    (void)scene_append(s, session, "e1", "temp:t=1 k=1");
    (void)scene_append(s, session, "e2", "temp:t=2 k=2");
    test_ok(agentchat_session_rewind(session, "e1", NULL, &s->err), &s->err);
    expect_state(session, "{\"temp:t\":2,\"k\":1}");
    agentchat_session_free(session);
}

int contract_invocation(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_invocation__temp_keys_need_one),
        SCENE_TEST(test_invocation__temp_keys_are_set_counted_and_deleted_without_events),
        SCENE_TEST(test_invocation__events_change_temp_keys_too),
        SCENE_TEST(test_invocation__an_event_that_fails_leaves_temp_keys_as_they_are),
        SCENE_TEST(test_invocation__ending_takes_all_temp_keys),
        SCENE_TEST(test_invocation__is_one_at_a_time_on_a_handle),
        SCENE_TEST(test_invocation__temp_keys_belong_to_one_handle),
        SCENE_TEST(test_invocation__events_without_one_belong_to_it),
        SCENE_TEST(test_invocation__ids_are_checked),
        SCENE_TEST(test_invocation__rewinding_leaves_temp_keys),
    };

    return CONTRACT_GROUP("invocation", tests);
}
