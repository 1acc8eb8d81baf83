/* SPDX-License-Identifier: Apache-2.0 */
/* Handles are views: as of their last call, brought up to date by the next, never changed without the caller's
   knowledge. */
#include "session/contract/contract.h"

static void test_handle__shows_nothing_new_before_its_next_call(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":1}"), *two = scene_get(s, "u", "s");
    const agentchat_state *before = agentchat_session_state(two);

    (void)scene_append(s, one, "e1", "k=2 app:a=1");
    expect_state(two, "{\"k\":1}");
    expect_events(two, "");
    assert_ptr_equal(agentchat_session_state(two), before);
    assert_int_equal(agentchat_session_sequence(two), 0);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_handle__refreshing_shows_events_and_state_of_others(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":1,\"gone\":1}"), *two = scene_get(s, "u", "s");

    (void)scene_append(s, one, "e1", "k=2 -gone");
    (void)scene_append(s, one, "e2", "app:a=1 user:b=2 c=3");
    test_ok(agentchat_session_refresh(two, &s->err), &s->err);
    expect_state(two, "{\"k\":2,\"app:a\":1,\"user:b\":2,\"c\":3}");
    expect_events(two, "e1 e2");
    assert_int_equal(agentchat_session_sequence(two), 2);
    assert_true(agentchat_session_updated_us(two) == agentchat_session_updated_us(one));
    assert_int_equal(agentchat_session_revision(two, "c"), agentchat_session_revision(one, "c"));
    assert_int_equal(agentchat_session_revision(two, "gone"), 0);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_handle__refreshing_shows_what_other_sessions_did_to_wider_scopes(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s1", "{\"app:a\":1,\"user:b\":1}");
    agentchat_session *two = scene_create(s, "u", "s2", NULL), *other = scene_create(s, "v", "s3", NULL);

    (void)scene_append(s, two, "e1", "user:b=2 user:c=3 mine=1");
    (void)scene_append(s, other, "e2", "-app:a app:d=4 user:b=9");
    expect_state(one, "{\"app:a\":1,\"user:b\":1}");
    test_ok(agentchat_session_refresh(one, &s->err), &s->err);
    expect_state(one, "{\"app:d\":4,\"user:b\":2,\"user:c\":3}");
    expect_events(one, "");
    agentchat_session_free(one);
    agentchat_session_free(two);
    agentchat_session_free(other);
}

static void test_handle__refreshing_without_news_keeps_everything(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"k\":1,\"app:a\":2}");

    (void)scene_append(s, session, "e1", "l=2");
    for (int i = 0; i < 3; i++) {
        test_ok(agentchat_session_refresh(session, &s->err), &s->err);
        expect_state(session, "{\"k\":1,\"app:a\":2,\"l\":2}");
        expect_events(session, "e1");
        assert_int_equal(agentchat_session_sequence(session), 1);
    }
    agentchat_session_free(session);
}

static void test_handle__appending_shows_what_others_did_before(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":1}"), *two = scene_get(s, "u", "s");

    (void)scene_append(s, one, "e1", "k=2 app:a=1 user:b=1 gone=1");
    (void)scene_append(s, one, "e2", "-gone");
    assert_int_equal(scene_append(s, two, "e3", "mine=1 app:a+=1"), 3);
    expect_state(two, "{\"k\":2,\"app:a\":2,\"user:b\":1,\"mine\":1}");
    expect_events(two, "e1 e2 e3");
    assert_int_equal(agentchat_session_sequence(two), 3);
    assert_int_equal(agentchat_session_revision(two, "app:a"), 2);
    assert_int_equal(agentchat_session_revision(two, "user:b"), 1);
    expect_stored(s, "u", "s", "{\"k\":2,\"app:a\":2,\"user:b\":1,\"mine\":1}", "e1 e2 e3");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_handle__every_change_shows_what_others_did(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", NULL), *two = scene_get(s, "u", "s");

    test_ok(agentchat_session_set(one, "a", AGENTCHAT_STR("1"), &s->err), &s->err);
    test_ok(agentchat_session_set(two, "b", AGENTCHAT_STR("2"), &s->err), &s->err);
    expect_state(two, "{\"a\":1,\"b\":2}");
    test_ok(agentchat_session_add(one, "app:c", 3, NULL, &s->err), &s->err);
    expect_state(one, "{\"a\":1,\"b\":2,\"app:c\":3}");
    test_ok(agentchat_session_delete_key(two, "a", &s->err), &s->err);
    expect_state(two, "{\"b\":2,\"app:c\":3}");
    assert_int_equal(agentchat_session_event_count(two), 4);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_handle__others_may_change_the_scope_that_an_append_changes(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s1", "{\"app:a\":1,\"user:b\":1}");
    agentchat_session *two = scene_create(s, "u", "s2", NULL);

    (void)scene_append(s, one, "e1", "app:x=1 user:x=1 -app:a");
    (void)scene_append(s, two, "e1", "app:y=2 user:y=2");
    expect_state(two, "{\"app:x\":1,\"app:y\":2,\"user:b\":1,\"user:x\":1,\"user:y\":2}");
    test_ok(agentchat_session_refresh(one, &s->err), &s->err);
    expect_state(one, "{\"app:x\":1,\"app:y\":2,\"user:b\":1,\"user:x\":1,\"user:y\":2}");
    assert_int_equal(agentchat_session_revision(one, "app:y"), 3);
    assert_int_equal(agentchat_session_revision(two, "app:x"), 2);
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_handle__loses_events_that_others_rewound(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":0}"), *two, *three, *four;

    (void)scene_append(s, one, "e1", "k=1");
    (void)scene_append(s, one, "e2", "k=2");
    (void)scene_append(s, one, "e3", "k=3 l=3");
    two = scene_get(s, "u", "s");
    three = scene_get_with(s, "u", "s", (agentchat_session_get_options){.last = 2});
    four = scene_get_with(s, "u", "s", (agentchat_session_get_options){.no_events = true});
    test_ok(agentchat_session_rewind(one, "e1", NULL, &s->err), &s->err);
    (void)scene_append(s, one, "e4", "m=4");
    test_ok(agentchat_session_refresh(two, &s->err), &s->err);
    test_ok(agentchat_session_refresh(three, &s->err), &s->err);
    (void)scene_append(s, four, "e5", "n=5");
    expect_state(two, "{\"k\":1,\"m\":4}");
    expect_events(two, "e1 e4");
    expect_events(three, "e4");
    expect_state(four, "{\"k\":1,\"m\":4,\"n\":5}");
    expect_events(four, "");
    (void)scene_append(s, two, "e6", NULL);
    expect_events(two, "e1 e4 e5 e6");
    agentchat_session_free(one);
    agentchat_session_free(two);
    agentchat_session_free(three);
    agentchat_session_free(four);
}

static void test_handle__appending_after_a_rewind_of_others_loses_their_events(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", NULL), *two;

    (void)scene_append(s, one, "e1", "k=1");
    (void)scene_append(s, one, "e2", "k=2");
    two = scene_get(s, "u", "s");
    test_ok(agentchat_session_rewind(one, NULL, NULL, &s->err), &s->err);
    (void)scene_append(s, two, "e3", "l=3");
    expect_events(two, "e3");
    expect_state(two, "{\"l\":3}");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_handle__of_a_deleted_session_is_notfound_and_unchanged(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", "{\"k\":1}");
    agentchat_state *wanted = scene_state(s, "{}");

    (void)scene_append(s, one, "e1", "app:a=1");
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
    expect_fails(s, agentchat_session_refresh(one, &s->err), AGENTCHAT_E_NOTFOUND, "there is no session");
    expect_fails(s, agentchat_session_set(one, "k", AGENTCHAT_STR("2"), &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_session_set(one, "app:a", AGENTCHAT_STR("2"), &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_session_add(one, "user:n", 2, NULL, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_session_delete_key(one, "k", &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_session_apply_state(one, wanted, NULL, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_session_rewind(one, "e1", NULL, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_state(one, "{\"k\":1,\"app:a\":1}");
    expect_events(one, "e1");
    assert_string_equal(agentchat_session_get_id(one)->id, "s");
    agentchat_state_free(wanted);
    wanted = NULL;
    test_ok(agentchat_scope_state(s->store, s->app, "u", &wanted, &s->err), &s->err);
    expect_map(wanted, "{\"app:a\":1}");
    agentchat_state_free(wanted);
    agentchat_session_free(one);
}

static void test_handle__does_not_belong_to_a_session_made_again_under_its_id(void **state)
{
    scene *s = *state;
    agentchat_session *old = scene_create(s, "u", "s", "{\"k\":1}"), *new;

    (void)scene_append(s, old, "e1", "k=2");
    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
    new = scene_create(s, "u", "s", "{\"k\":10}");
    (void)scene_append(s, new, "e1", "k=20");
    expect_fails(s, agentchat_session_refresh(old, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_session_set(old, "k", AGENTCHAT_STR("3"), &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_session_rewind(old, NULL, NULL, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_state(old, "{\"k\":2}");
    expect_events(old, "e1");
    expect_stored(s, "u", "s", "{\"k\":20}", "e1");
    agentchat_session_free(old);
    agentchat_session_free(new);
}

static void test_handle__two_of_one_session_see_each_others_events_in_order(void **state)
{
    scene *s = *state;
    agentchat_session *one = scene_create(s, "u", "s", NULL), *two = scene_get(s, "u", "s");
    char id[16], wanted[512] = "";

    for (int i = 0; i < 40; i++) {
        snprintf(id, sizeof id, "e%d", i);
        (void)scene_append(s, i % 3 == 0 ? one : two, id, i % 5 == 0 ? "app:n+=1 n+=1" : "n+=1");
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s", i > 0 ? " " : "", id);
    }
    test_ok(agentchat_session_refresh(one, &s->err), &s->err);
    test_ok(agentchat_session_refresh(two, &s->err), &s->err);
    expect_events(one, wanted);
    expect_events(two, wanted);
    expect_state(one, "{\"n\":40,\"app:n\":8}");
    expect_state(two, "{\"n\":40,\"app:n\":8}");
    agentchat_session_free(one);
    agentchat_session_free(two);
}

static void test_handle__outlives_nothing_of_its_own_but_the_store(void **state)
{
    scene *s = *state;
    agentchat_session *session;
    char app[64], user[8] = "u", id[8] = "s";

    memcpy(app, s->app, sizeof app);
    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){app, user, id}, NULL, &session, &s->err),
            &s->err);
    memset(app, 'x', sizeof app - 1);
    memset(user, 'x', sizeof user - 1);
    memset(id, 'x', sizeof id - 1);
    assert_string_equal(agentchat_session_get_id(session)->app, s->app);
    assert_string_equal(agentchat_session_get_id(session)->user, "u");
    assert_string_equal(agentchat_session_get_id(session)->id, "s");
    (void)scene_append(s, session, "e1", "k=1");
    expect_stored(s, "u", "s", "{\"k\":1}", "e1");
    agentchat_session_free(session);
}

static void test_handle__events_may_be_kept_longer_than_it(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    agentchat_event *event;

    (void)scene_append(s, session, "e1", "k=1");
    event = agentchat_event_ref(agentchat_session_event(session, 0));
    agentchat_session_free(session);
    assert_str(agentchat_event_get(event, AGENTCHAT_EVENT_ID), "e1");
    assert_str(agentchat_event_change(event, 0)->value, "1");
    agentchat_event_unref(event);
}

int contract_handles(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_handle__shows_nothing_new_before_its_next_call),
        SCENE_TEST(test_handle__refreshing_shows_events_and_state_of_others),
        SCENE_TEST(test_handle__refreshing_shows_what_other_sessions_did_to_wider_scopes),
        SCENE_TEST(test_handle__refreshing_without_news_keeps_everything),
        SCENE_TEST(test_handle__appending_shows_what_others_did_before),
        SCENE_TEST(test_handle__every_change_shows_what_others_did),
        SCENE_TEST(test_handle__others_may_change_the_scope_that_an_append_changes),
        SCENE_TEST(test_handle__loses_events_that_others_rewound),
        SCENE_TEST(test_handle__appending_after_a_rewind_of_others_loses_their_events),
        SCENE_TEST(test_handle__of_a_deleted_session_is_notfound_and_unchanged),
        SCENE_TEST(test_handle__does_not_belong_to_a_session_made_again_under_its_id),
        SCENE_TEST(test_handle__two_of_one_session_see_each_others_events_in_order),
        SCENE_TEST(test_handle__outlives_nothing_of_its_own_but_the_store),
        SCENE_TEST(test_handle__events_may_be_kept_longer_than_it),
    };

    return CONTRACT_GROUP("handles", tests);
}
