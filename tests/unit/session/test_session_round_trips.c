/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often sessions on PostgreSQL wait for the server, counted on the wire; and what becomes of them when the
 * connection is cut around a commit.
 */
#include "support/postgres/test_postgres.h"
#include "support/postgres/test_proxy.h"
#include "support/test_support.h"
#include <agentchat/postgres.h>
#include <agentchat/session.h>

typedef struct scene {
    test_proxy *proxy;
    agentchat_store *store;
    agentchat_session *session;
    char *database;
} scene;

static void open_scene(scene *s)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_error err;

    memset(s, 0, sizeof *s);
    s->database = test_postgres_database();
    test_ok(agentchat_postgres_init(NULL, s->database, NULL, &err), &err);
    s->proxy = test_proxy_new(s->database);
    options.wait_ms = 10000;
    test_ok(agentchat_postgres_open(NULL, test_proxy_url(s->proxy), &options, &s->store, &err), &err);
    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){"shop", "ana", "s1"}, NULL, &s->session, &err),
            &err);
}

static void close_scene(scene *s)
{
    agentchat_session_free(s->session);
    agentchat_store_close(s->store);
    test_proxy_free(s->proxy);
    free(s->database);
}

/* An event that changes three scopes and counts in one. */
static agentchat_event *make_event(const char *id)
{
    agentchat_event_builder *builder = test_event_builder(NULL, "user");
    agentchat_event *event = NULL;
    agentchat_error err;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(id));
    agentchat_event_builder_set_state(builder, "app:theme", AGENTCHAT_STR("\"dark\""));
    agentchat_event_builder_set_state(builder, "user:language", AGENTCHAT_STR("\"de\""));
    agentchat_event_builder_set_state(builder, "topic", AGENTCHAT_STR("1"));
    agentchat_event_builder_add_state(builder, "count", 1);
    test_ok(agentchat_event_builder_finish(builder, &event, &err), &err);
    return event;
}

static void append(agentchat_session *session, const char *id)
{
    agentchat_event *event = make_event(id);
    agentchat_error err;

    test_ok(agentchat_session_append(session, event, NULL, NULL, &err), &err);
    agentchat_event_unref(event);
}

/* An event that changes one key of the session, if one of the application's is as it was. */
static void append_if_unchanged(agentchat_session *session, const char *key)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    agentchat_event_builder *builder = test_event_builder(NULL, "user");
    agentchat_event *event = NULL;
    agentchat_error err;

    options.expect_key = key;
    options.expect_revision = agentchat_session_revision(session, key);
    agentchat_event_builder_set_state(builder, "topic", AGENTCHAT_STR("3"));
    test_ok(agentchat_event_builder_finish(builder, &event, &err), &err);
    test_ok(agentchat_session_append(session, event, &options, NULL, &err), &err);
    agentchat_event_unref(event);
}

static void test_session_round_trips__an_append_waits_twice(void **state)
{
    agentchat_session_get_options last = AGENTCHAT_SESSION_GET_OPTIONS_INIT;
    agentchat_session *other = NULL;
    agentchat_error err;
    scene s;

    (void)state;
    open_scene(&s);
    append(s.session, "first"); /* the first one has to prepare its statements, in the same round trips */
    (void)test_proxy_round_trips(s.proxy);
    append(s.session, "second");
    assert_int_equal(test_proxy_round_trips(s.proxy), 2);
    test_ok(agentchat_session_set(s.session, "topic", AGENTCHAT_STR("2"), &err), &err);
    assert_int_equal(test_proxy_round_trips(s.proxy), 2);
    append(s.session, "second"); /* it is there: looked up, and confirmed */
    assert_int_equal(test_proxy_round_trips(s.proxy), 2);
    append_if_unchanged(s.session, "app:theme");
    assert_int_equal(test_proxy_round_trips(s.proxy), 2);
    last.last = 10;
    test_ok(agentchat_session_get(s.store, &(agentchat_session_id){"shop", "ana", "s1"}, &last, &other, &err), &err);
    assert_int_equal(test_proxy_round_trips(s.proxy), 1);
    append(other, "third");
    (void)test_proxy_round_trips(s.proxy);
    append(s.session, "fourth"); /* this handle has not seen the third */
    assert_int_equal(test_proxy_round_trips(s.proxy), 2);
    assert_int_equal(agentchat_session_event_count(s.session), 6);
    test_ok(agentchat_session_refresh(other, &err), &err);
    assert_int_equal(test_proxy_round_trips(s.proxy), 1);
    assert_str(agentchat_state_get(agentchat_session_state(other), "count"), "4");
    agentchat_session_free(other);
    close_scene(&s);
}

static void cut_during_append(test_proxy_mode mode)
{
    agentchat_session *fresh = NULL;
    agentchat_error err;
    scene s;

    open_scene(&s);
    append(s.session, "first");
    test_proxy_set(s.proxy, mode);
    append(s.session, "second");
    test_ok(agentchat_session_get(s.store, &(agentchat_session_id){"shop", "ana", "s1"}, NULL, &fresh, &err), &err);
    assert_int_equal(agentchat_session_event_count(fresh), 2);
    assert_int_equal(agentchat_session_sequence(fresh), 2);
    assert_str(agentchat_state_get(agentchat_session_state(fresh), "count"), "2");
    assert_str(agentchat_state_get(agentchat_session_state(s.session), "count"), "2");
    assert_int_equal(agentchat_session_event_count(s.session), 2);
    agentchat_session_free(fresh);
    close_scene(&s);
}

static void test_session_round_trips__a_commit_that_did_not_arrive_is_done(void **state)
{
    (void)state;
    cut_during_append(TEST_PROXY_CUT_BEFORE);
}

static void test_session_round_trips__a_commit_whose_answer_was_lost_is_not_done_twice(void **state)
{
    (void)state;
    cut_during_append(TEST_PROXY_CUT_AFTER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_round_trips__an_append_waits_twice),
        cmocka_unit_test(test_session_round_trips__a_commit_that_did_not_arrive_is_done),
        cmocka_unit_test(test_session_round_trips__a_commit_whose_answer_was_lost_is_not_done_twice),
    };

    test_postgres_begin("unit.session_round_trips");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
