/* SPDX-License-Identifier: Apache-2.0 */
/* Going back to an earlier event. */
#include "session/contract/contract.h"

static uint64_t rewind_to(scene *s, agentchat_session *session, const char *event_id)
{
    uint64_t removed = 7;

    test_ok(agentchat_session_rewind(session, event_id, &removed, &s->err), &s->err);
    return removed;
}

static void test_rewind__gives_own_keys_their_old_values(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"a\":1.50,\"b\":{\"x\":null},\"c\":3}");

    (void)scene_append(s, session, "e1", "a=2 d=4");
    (void)scene_append(s, session, "e2", "a=3 -b d=5 e=6");
    (void)scene_append(s, session, "e3", "-a c+=10 -d -e f=7");
    assert_int_equal(rewind_to(s, session, "e1"), 2);
    expect_state(session, "{\"a\":2,\"b\":{\"x\":null},\"c\":3,\"d\":4}");
    expect_events(session, "e1");
    expect_stored(s, "u", "s", "{\"a\":2,\"b\":{\"x\":null},\"c\":3,\"d\":4}", "e1");
    agentchat_session_free(session);
}

static void test_rewind__to_no_event_gives_the_initial_state(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"a\":1.50,\"b\":null,\"app:x\":1}");

    (void)scene_append(s, session, "e1", "a=2 -b c=3");
    (void)scene_append(s, session, "e2", "a=3 b=4 app:x=2");
    assert_int_equal(rewind_to(s, session, NULL), 2);
    expect_stored(s, "u", "s", "{\"a\":1.50,\"b\":null,\"app:x\":2}", "");
    expect_events(session, "");
    agentchat_session_free(session);
}

static void test_rewind__leaves_app_and_user_state(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"user:b\":1,\"c\":1}");

    (void)scene_append(s, session, "e1", "app:a=2 user:b=2 c=2 app:n+=5");
    assert_int_equal(rewind_to(s, session, NULL), 1);
    expect_stored(s, "u", "s", "{\"app:a\":2,\"user:b\":2,\"app:n\":5,\"c\":1}", "");
    agentchat_session_free(session);
}

static void test_rewind__to_the_last_event_changes_nothing(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    int64_t updated;

    (void)scene_append(s, session, "e1", "k=1");
    updated = agentchat_session_updated_us(session);
    assert_int_equal(rewind_to(s, session, "e1"), 0);
    expect_stored(s, "u", "s", "{\"k\":1}", "e1");
    assert_int_equal(agentchat_session_sequence(session), 1);
    assert_true(agentchat_session_updated_us(session) == updated);
    agentchat_session_free(session);
}

static void test_rewind__of_an_empty_session_changes_nothing(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1}");

    assert_int_equal(rewind_to(s, session, NULL), 0);
    expect_stored(s, "u", "s", "{\"k\":1}", "");
    agentchat_session_free(session);
}

static void test_rewind__to_an_unknown_event_is_notfound(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    uint64_t removed = 7;

    (void)scene_append(s, session, "e1", "k=1");
    expect_fails(s, agentchat_session_rewind(session, "none", &removed, &s->err), AGENTCHAT_E_NOTFOUND,
                 "there is no event none");
    assert_int_equal(removed, 0);
    expect_fails(s, agentchat_session_rewind(session, "", &removed, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_stored(s, "u", "s", "{\"k\":1}", "e1");
    (void)scene_append(s, session, "e2", NULL);
    assert_int_equal(rewind_to(s, session, "e1"), 1);
    expect_fails(s, agentchat_session_rewind(session, "e2", &removed, &s->err), AGENTCHAT_E_NOTFOUND, "e2");
    expect_fails(s, agentchat_session_rewind(NULL, "e1", &removed, &s->err), AGENTCHAT_E_INVALID, NULL);
    agentchat_session_free(session);
}

static void test_rewind__uses_no_sequence_number_twice(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *again;
    uint64_t sequence;

    (void)scene_append(s, session, "e1", NULL);
    (void)scene_append(s, session, "e2", NULL);
    (void)scene_append(s, session, "e3", NULL);
    (void)rewind_to(s, session, "e1");
    assert_true(agentchat_session_sequence(session) >= 3);
    sequence = scene_append(s, session, "e4", NULL);
    assert_true(sequence > 3);
    again = scene_get(s, "u", "s");
    expect_events(again, "e1 e4");
    assert_int_equal(agentchat_event_sequence(agentchat_session_event(again, 1)), sequence);
    agentchat_session_free(again);
    agentchat_session_free(session);
}

static void test_rewind__restored_keys_have_new_revisions(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1}");
    uint64_t first = agentchat_session_revision(session, "k"), second;

    (void)scene_append(s, session, "e1", "k=2");
    second = agentchat_session_revision(session, "k");
    (void)rewind_to(s, session, NULL);
    expect_key(session, "k", "1");
    assert_true(agentchat_session_revision(session, "k") > second && second > first);
    agentchat_session_free(session);
}

static void test_rewind__twice_goes_further_back(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":0}");

    for (int i = 1; i <= 6; i++) {
        char id[16], changes[32];

        snprintf(id, sizeof id, "e%d", i);
        snprintf(changes, sizeof changes, "k=%d k%d=1", i, i);
        (void)scene_append(s, session, id, changes);
    }
    assert_int_equal(rewind_to(s, session, "e4"), 2);
    (void)scene_append(s, session, "e7", "k=70 k1=2 -k2");
    (void)scene_append(s, session, "e8", "k=80 k5=9");
    assert_int_equal(rewind_to(s, session, "e7"), 1);
    expect_state(session, "{\"k\":70,\"k1\":2,\"k3\":1,\"k4\":1}");
    assert_int_equal(rewind_to(s, session, "e2"), 3);
    expect_stored(s, "u", "s", "{\"k\":2,\"k1\":1,\"k2\":1}", "e1 e2");
    assert_int_equal(rewind_to(s, session, NULL), 2);
    expect_stored(s, "u", "s", "{\"k\":0}", "");
    agentchat_session_free(session);
}

static void test_rewind__looks_at_the_store_not_at_the_handle(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", NULL), *two = scene_get(s, "u", "s");

    (void)scene_append(s, one, "e1", "k=1");
    (void)scene_append(s, one, "e2", "k=2 app:a=1");
    assert_int_equal(rewind_to(s, two, "e1"), 1);
    expect_events(two, "e1");
    expect_state(two, "{\"k\":1,\"app:a\":1}");
    test_ok(agentchat_session_refresh(one, &s->err), &s->err);
    expect_events(one, "e1");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_rewind__takes_the_filtered_handles_events_too(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL), *part;
    char id[16];

    for (int i = 1; i <= 9; i++) {
        snprintf(id, sizeof id, "e%d", i);
        (void)scene_append(s, session, id, "n+=1");
    }
    part = scene_get_with(s, "u", "s", (agentchat_session_get_options){.last = 4});
    expect_events(part, "e6 e7 e8 e9");
    assert_int_equal(rewind_to(s, part, "e7"), 2);
    expect_events(part, "e6 e7");
    assert_int_equal(rewind_to(s, part, "e2"), 5);
    expect_events(part, "");
    expect_state(part, "{\"n\":2}");
    agentchat_session_free(part);
    agentchat_session_free(session);
}

static void test_rewind__of_many_events_and_large_values(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"text\":\"\"}");
    char changes[1200], id[16];

    for (int i = 0; i < 300; i++) {
        snprintf(id, sizeof id, "e%d", i);
        snprintf(changes, sizeof changes, "text=\"%0*d\" n+=1 k%d=%d", 1000, i, i % 7, i);
        (void)scene_append(s, session, id, changes);
    }
    assert_int_equal(rewind_to(s, session, "e3"), 296);
    expect_key(session, "n", "4");
    expect_key(session, "k3", "3");
    expect_key(session, "k4", NULL);
    assert_int_equal(rewind_to(s, session, NULL), 4);
    expect_stored(s, "u", "s", "{\"text\":\"\"}", "");
    agentchat_session_free(session);
}

/* Keys that look like JSON syntax, escapes and lists of the effect. */
static void test_rewind__keys_and_values_of_every_spelling_come_back(void **state)
{
    static const char initial[] = "{\"\\\"\":\"\\u0041\",\"[\":[1, 2],\"\xC3\xA9\\\\\":{\"a\":1,\"a\":2},\"\\n\":-0.0}";
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", initial);
    agentchat_state *empty = scene_state(s, "{}");

    test_ok(agentchat_session_apply_state(session, empty, NULL, &s->err), &s->err);
    expect_state(session, "{}");
    assert_int_equal(rewind_to(s, session, NULL), 1);
    expect_stored(s, "u", "s", initial, "");
    agentchat_state_free(empty);
    agentchat_session_free(session);
}

int contract_rewind(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_rewind__gives_own_keys_their_old_values),
        SCENE_TEST(test_rewind__to_no_event_gives_the_initial_state),
        SCENE_TEST(test_rewind__leaves_app_and_user_state),
        SCENE_TEST(test_rewind__to_the_last_event_changes_nothing),
        SCENE_TEST(test_rewind__of_an_empty_session_changes_nothing),
        SCENE_TEST(test_rewind__to_an_unknown_event_is_notfound),
        SCENE_TEST(test_rewind__uses_no_sequence_number_twice),
        SCENE_TEST(test_rewind__restored_keys_have_new_revisions),
        SCENE_TEST(test_rewind__twice_goes_further_back),
        SCENE_TEST(test_rewind__looks_at_the_store_not_at_the_handle),
        SCENE_TEST(test_rewind__takes_the_filtered_handles_events_too),
        SCENE_TEST(test_rewind__of_many_events_and_large_values),
        SCENE_TEST(test_rewind__keys_and_values_of_every_spelling_come_back),
    };

    return CONTRACT_GROUP("rewind", tests);
}
