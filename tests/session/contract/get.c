/* SPDX-License-Identifier: Apache-2.0 */
/* Getting sessions: which events come, in which order, and what a handle without events does. */
#include "session/contract/contract.h"

#include <stdio.h>

#define NS(seconds) (INT64_C(1000000000) * (seconds))

/* Events e1 to e6 of the times 3, 1, 5, 5, 2, 4 seconds: their orders by sequence number and by time differ. */
static agentchat_session *six_events(scene *s)
{
    static const int seconds[] = {3, 1, 5, 5, 2, 4};
    agentchat_session *session = scene_create(s, "u", "s", NULL);
    char id[16], time[40];

    for (int i = 0; i < 6; i++) {
        snprintf(id, sizeof id, "e%d", i + 1);
        snprintf(time, sizeof time, "1970-01-01T00:00:0%dZ", seconds[i]);
        (void)scene_append_at(s, session, id, NULL, time);
    }
    return session;
}

static void test_get__filters_by_time_and_sequence_number_then_takes_the_last(void **state)
{
    static const struct {
        agentchat_session_get_options options;
        const char *events;
    } rows[] = {
        {{.last = 0}, "e1 e2 e3 e4 e5 e6"},
        {{.last = 6}, "e1 e2 e3 e4 e5 e6"},
        {{.last = 100}, "e1 e2 e3 e4 e5 e6"},
        {{.last = 2}, "e5 e6"},
        {{.last = 1}, "e6"},
        {{.no_events = true}, ""},
        {{.after_sequence = 4}, "e5 e6"},
        {{.after_sequence = 6}, ""},
        {{.after_sequence = 1000}, ""},
        {{.after_sequence = UINT64_MAX}, ""},
        {{.last = 1, .after_sequence = 4}, "e6"},
        {{.no_events = true, .after_sequence = 4}, ""},
        {{.since_ns = NS(3), .has_since = true}, "e1 e3 e4 e6"},
        {{.since_ns = NS(3) + 1, .has_since = true}, "e3 e4 e6"},
        {{.since_ns = NS(5), .has_since = true}, "e3 e4"},
        {{.since_ns = NS(5) + 1, .has_since = true}, ""},
        {{.since_ns = INT64_MAX, .has_since = true}, ""},
        {{.since_ns = INT64_MIN + 1, .has_since = true}, "e1 e2 e3 e4 e5 e6"},
        {{.since_ns = NS(-1), .has_since = true}, "e1 e2 e3 e4 e5 e6"},
        {{.last = 2, .since_ns = NS(3), .has_since = true}, "e4 e6"},
        {{.no_events = true, .since_ns = NS(3), .has_since = true}, ""},
        {{.after_sequence = 3, .since_ns = NS(3), .has_since = true}, "e4 e6"},
        {{.last = 1, .after_sequence = 3, .since_ns = NS(3), .has_since = true}, "e6"},
        {{.after_sequence = 3, .since_ns = NS(5), .has_since = true}, "e4"},
        {{.last = 5, .after_sequence = 4, .since_ns = NS(5), .has_since = true}, ""},
    };
    scene *s = *state;
    agentchat_session *session = six_events(s);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        agentchat_session *found = scene_get_with(s, "u", "s", rows[i].options);

        expect_events(found, rows[i].events);
        assert_int_equal(agentchat_session_sequence(found), 6);
        agentchat_session_free(found);
    }
    agentchat_session_free(session);
}

static void test_get__order_is_that_of_appending_not_of_time(void **state)
{
    scene *s = *state;
    agentchat_session *session = six_events(s), *found = scene_get(s, "u", "s");

    for (size_t i = 0; i < 6; i++)
        assert_int_equal(agentchat_event_sequence(agentchat_session_event(found, i)), i + 1);
    agentchat_session_free(found);
    agentchat_session_free(session);
}

static void test_get__state_is_complete_whatever_events_come(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"x\":1}"), *found;

    (void)scene_append(s, session, "e1", "y=2");
    (void)scene_append(s, session, "e2", "x=3");
    found = scene_get_with(s, "u", "s", (agentchat_session_get_options){.no_events = true});
    expect_state(found, "{\"app:a\":1,\"x\":3,\"y\":2}");
    assert_int_equal(agentchat_session_sequence(found), 2);
    assert_int_equal(agentchat_session_revision(found, "x"), agentchat_session_revision(session, "x"));
    agentchat_session_free(found);
    agentchat_session_free(session);
}

static void test_get__a_handle_without_events_collects_none(void **state)
{
    scene *s = *state;
    agentchat_session *other = scene_create(s, "u", "s", NULL);
    agentchat_session *session = scene_get_with(s, "u", "s", (agentchat_session_get_options){.no_events = true});

    (void)scene_append(s, other, "e1", "a=1");
    (void)scene_append(s, session, "e2", "b=2");
    expect_events(session, "");
    expect_state(session, "{\"a\":1,\"b\":2}");
    test_ok(agentchat_session_refresh(session, &s->err), &s->err);
    expect_events(session, "");
    assert_int_equal(agentchat_session_sequence(session), 2);
    agentchat_session_free(session);
    agentchat_session_free(other);
}

static void test_get__a_handle_whose_filter_let_none_through_collects(void **state)
{
    scene *s = *state;
    agentchat_session *other = six_events(s);
    agentchat_session *session = scene_get_with(s, "u", "s", (agentchat_session_get_options){.after_sequence = 6});

    (void)scene_append(s, other, "e7", NULL);
    test_ok(agentchat_session_refresh(session, &s->err), &s->err);
    expect_events(session, "e7");
    (void)scene_append(s, session, "e8", NULL);
    expect_events(session, "e7 e8");
    agentchat_session_free(session);
    agentchat_session_free(other);
}

static void test_get__options_need_their_size(void **state)
{
    scene *s = *state;
    agentchat_session_get_options options = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    agentchat_session *session = NULL;

    agentchat_session_free(scene_create(s, "u", "s", NULL));
    options.struct_size = 0;
    expect_fails(
        s, agentchat_session_get(s->store, &(agentchat_session_id){s->app, "u", "s"}, &options, &session, &s->err),
        AGENTCHAT_E_INVALID, NULL);
    assert_null(session);
}

static void test_get__needs_every_name(void **state)
{
    scene *s = *state;
    agentchat_session *session = (agentchat_session *)s;

    expect_fails(s,
                 agentchat_session_get(s->store, &(agentchat_session_id){s->app, "u", NULL}, NULL, &session, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    assert_null(session);
    expect_fails(s, agentchat_session_get(s->store, &(agentchat_session_id){NULL, "u", "s"}, NULL, &session, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_session_get(NULL, &(agentchat_session_id){s->app, "u", "s"}, NULL, &session, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
    expect_fails(s, agentchat_session_get(s->store, &(agentchat_session_id){s->app, "u", "s"}, NULL, NULL, &s->err),
                 AGENTCHAT_E_INVALID, NULL);
}

static void test_get__looking_at_no_handle_is_harmless(void **state)
{
    (void)state;
    assert_null(agentchat_session_get_id(NULL));
    assert_int_equal(agentchat_session_sequence(NULL), 0);
    assert_int_equal(agentchat_session_updated_us(NULL), 0);
    assert_int_equal(agentchat_session_event_count(NULL), 0);
    assert_null(agentchat_session_event(NULL, 0));
    assert_null(agentchat_session_state(NULL));
    assert_int_equal(agentchat_session_revision(NULL, "k"), 0);
    assert_null(agentchat_invocation_id(NULL));
    agentchat_invocation_end(NULL);
    agentchat_session_free(NULL);
}

static void test_get__scope_state_needs_no_session(void **state)
{
    scene *s = *state;
    agentchat_session *session = scene_create(s, "u", "s", "{\"app:a\":1,\"user:b\":2,\"c\":3}");
    agentchat_state *map = NULL;

    test_ok(agentchat_session_delete(s->store, &(agentchat_session_id){s->app, "u", "s"}, &s->err), &s->err);
    test_ok(agentchat_scope_state(s->store, s->app, "u", &map, &s->err), &s->err);
    expect_map(map, "{\"app:a\":1,\"user:b\":2}");
    agentchat_state_free(map);
    test_ok(agentchat_scope_state(s->store, s->app, NULL, &map, &s->err), &s->err);
    expect_map(map, "{\"app:a\":1}");
    agentchat_state_free(map);
    test_ok(agentchat_scope_state(s->store, s->app, "nobody", &map, &s->err), &s->err);
    expect_map(map, "{\"app:a\":1}");
    agentchat_state_free(map);
    agentchat_session_free(session);
}

static void test_get__options_of_zeros_ask_for_everything(void **state)
{
    scene *s = *state;
    agentchat_session *session = six_events(s), *plain = scene_get(s, "u", "s");
    agentchat_session *zeros = scene_get_with(s, "u", "s", (agentchat_session_get_options){.last = 0});

    expect_events(plain, "e1 e2 e3 e4 e5 e6");
    expect_events(zeros, "e1 e2 e3 e4 e5 e6");
    (void)scene_append(s, zeros, "e7", NULL); /* it collects as well */
    expect_events(zeros, "e1 e2 e3 e4 e5 e6 e7");
    agentchat_session_free(zeros);
    agentchat_session_free(plain);
    agentchat_session_free(session);
}

static void test_get__a_time_counts_when_its_flag_says_so(void **state)
{
    scene *s = *state;
    agentchat_session *session = six_events(s);
    agentchat_session *without = scene_get_with(s, "u", "s", (agentchat_session_get_options){.since_ns = INT64_MAX});
    agentchat_session *none =
        scene_get_with(s, "u", "s", (agentchat_session_get_options){.last = 3, .no_events = true});

    expect_events(without, "e1 e2 e3 e4 e5 e6");
    expect_events(none, ""); /* no_events rules */
    agentchat_session_free(none);
    agentchat_session_free(without);
    agentchat_session_free(session);
}

int contract_get(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_get__filters_by_time_and_sequence_number_then_takes_the_last),
        SCENE_TEST(test_get__order_is_that_of_appending_not_of_time),
        SCENE_TEST(test_get__state_is_complete_whatever_events_come),
        SCENE_TEST(test_get__a_handle_without_events_collects_none),
        SCENE_TEST(test_get__a_handle_whose_filter_let_none_through_collects),
        SCENE_TEST(test_get__options_need_their_size),
        SCENE_TEST(test_get__options_of_zeros_ask_for_everything),
        SCENE_TEST(test_get__a_time_counts_when_its_flag_says_so),
        SCENE_TEST(test_get__needs_every_name),
        SCENE_TEST(test_get__looking_at_no_handle_is_harmless),
        SCENE_TEST(test_get__scope_state_needs_no_session),
    };

    return CONTRACT_GROUP("get", tests);
}
