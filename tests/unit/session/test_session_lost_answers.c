/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to a commit is lost, and others change the session before the transaction is tried again. */
#include "fault_scene.h"

/* From here on the answer to the next commit is lost, and `between` is done before the transaction is tried again. */
static void lose_next_answer(scene *s, fault what, void (*between)(void *))
{
    plan.what = what;
    plan.at_commit = true;
    plan.struck = false;
    plan.between = between;
    plan.user = s;
}

static void begin_lost(scene *s, aci_sql_driver *faulty)
{
    agentchat_error err;

    memset(&plan, 0, sizeof plan);
    plan.at = SIZE_MAX;
    open_scene(s, true, faulty);
    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){"shop", "ana", "s1"}, NULL, &s->session, &err),
            &err);
}

static void append_topic(scene *s, agentchat_session *session, const char *id, const char *value)
{
    agentchat_event_builder *builder = test_event_builder(s->env, "desk");
    agentchat_event *event = NULL;
    agentchat_error err;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, agentchat_str_from(id));
    agentchat_event_builder_set_state(builder, "topic", agentchat_str_from(value));
    test_ok(agentchat_event_builder_finish(builder, &event, &err), &err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &err), &err);
    agentchat_event_unref(event);
}

static void append_later(void *user)
{
    scene *s = user;

    append_topic(s, s->other, "later", "9");
}

static void rewind_further(void *user)
{
    scene *s = user;
    agentchat_error err;

    test_ok(agentchat_session_rewind(s->other, NULL, NULL, &err), &err);
}

static void expect_session(scene *s, const agentchat_session *session, const char *expected)
{
    s->len = 0;
    say(s, "events");
    for (size_t i = 0; i < agentchat_session_event_count(session); i++)
        say(s, " " AGENTCHAT_STR_FMT,
            AGENTCHAT_STR_ARG(agentchat_event_get(agentchat_session_event(session, i), AGENTCHAT_EVENT_ID)));
    say(s, ", state");
    say_state(s, agentchat_session_state(session));
    assert_string_equal(s->log, expected);
}

/* What the handle of the call shows, and what another one finds. */
static void expect_found(scene *s, const char *expected)
{
    agentchat_session *fresh = NULL;
    agentchat_error err;

    assert_true(plan.struck);
    expect_session(s, s->session, expected);
    test_ok(agentchat_session_get(s->store, &(agentchat_session_id){"shop", "ana", "s1"}, NULL, &fresh, &err), &err);
    expect_session(s, fresh, expected);
    agentchat_session_free(fresh);
}

static void test_session_faults__a_repeated_rewind_removes_nothing_that_came_after_it(void **state)
{
    static const struct {
        fault what;
        void (*between)(void *);
        uint64_t removed;
        const char *expected;
    } rows[] = {
        {LOST_AND_DONE, NULL, 2, "events e1, state topic=1"},
        {LOST_AND_DONE, append_later, 2, "events e1 later, state topic=9"},
        {LOST_AND_DONE, rewind_further, 2, "events, state"},
        {LOST_UNDONE, NULL, 2, "events e1, state topic=1"},
        {LOST_UNDONE, append_later, 3, "events e1, state topic=1"}, /* that one came before it */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        aci_sql_driver faulty;
        agentchat_error err;
        uint64_t removed = 7;
        scene s;

        begin_lost(&s, &faulty);
        append_topic(&s, s.session, "e1", "1");
        append_topic(&s, s.session, "e2", "2");
        append_topic(&s, s.session, "e3", "3");
        test_ok(agentchat_session_get(s.store, &(agentchat_session_id){"shop", "ana", "s1"}, NULL, &s.other, &err),
                &err);
        lose_next_answer(&s, rows[i].what, rows[i].between);
        test_ok(agentchat_session_rewind(s.session, "e1", &removed, &err), &err);
        assert_int_equal(removed, rows[i].removed);
        expect_found(&s, rows[i].expected);
        close_scene(&s);
    }
}

static void make_anew(void *user)
{
    scene *s = user;
    agentchat_error err;

    test_ok(agentchat_session_create(s->store, &(agentchat_session_id){"shop", "ana", "s1"}, NULL, &s->other, &err),
            &err);
    append_topic(s, s->other, "new", "1");
}

static void test_session_faults__a_repeated_deletion_leaves_what_was_made_after_it(void **state)
{
    aci_sql_driver faulty;
    agentchat_error err;
    scene s;

    (void)state;
    begin_lost(&s, &faulty);
    lose_next_answer(&s, LOST_AND_DONE, make_anew);
    test_ok(agentchat_session_delete(s.store, &(agentchat_session_id){"shop", "ana", "s1"}, &err), &err);
    assert_true(plan.struck);
    test_ok(agentchat_session_refresh(s.other, &err), &err);
    expect_session(&s, s.other, "events new, state topic=1");
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_faults__a_repeated_rewind_removes_nothing_that_came_after_it),
        cmocka_unit_test(test_session_faults__a_repeated_deletion_leaves_what_was_made_after_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
