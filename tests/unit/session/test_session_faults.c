/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every call of the session service while its database fails at call n: before anything happened, or with the answer to
 * a commit lost, whether the commit was carried out or not. What may be tried again gives the same results as if
 * nothing had happened, nothing is done twice, and a failure that is final leaves store and handle as they were.
 */
#include "fault_scene.h"

#include <stdio.h>

/* ---- what is done ---------------------------------------------------------------------------------------------- */

/* Everything that the store holds, as a fresh look at it shows. */
static void say_store(scene *s)
{
    static const char *const ids[] = {"s1", "copy", "brought"};
    agentchat_error err;

    for (size_t i = 0; i < 3; i++) {
        agentchat_session *session = NULL;
        agentchat_status status =
            agentchat_session_get(s->store, &(agentchat_session_id){"shop", "ana", ids[i]}, NULL, &session, &err);

        if (status < 0)
            say(s, "%s: %s\n", ids[i], agentchat_status_name(status));
        else
            say_session(s, session);
        agentchat_session_free(session);
    }
}

typedef agentchat_status (*step)(scene *s, agentchat_error *err);

static agentchat_status step_create(scene *s, agentchat_error *err)
{
    agentchat_state *initial = test_state(s->env);
    agentchat_status status;

    test_ok(agentchat_state_set(initial, "app:theme", AGENTCHAT_STR("\"dark\""), err), err);
    test_ok(agentchat_state_set(initial, "user:language", AGENTCHAT_STR("\"de\""), err), err);
    test_ok(agentchat_state_set(initial, "topic", AGENTCHAT_STR("1"), err), err);
    status =
        agentchat_session_create(s->store, &(agentchat_session_id){"shop", "ana", "s1"}, initial, &s->session, err);
    agentchat_state_free(initial);
    return status;
}

static agentchat_status step_get(scene *s, agentchat_error *err)
{
    agentchat_session_free(s->other);
    return agentchat_session_get(s->store, &(agentchat_session_id){"shop", "ana", "s1"}, NULL, &s->other, err);
}

static agentchat_status step_append(scene *s, agentchat_error *err)
{
    uint64_t sequence = 0;
    agentchat_status status = agentchat_session_append(s->session, s->event, NULL, &sequence, err);

    if (status >= 0)
        say(s, "at %llu\n", (unsigned long long)sequence);
    return status;
}

static agentchat_status step_append_after(scene *s, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(s->env, "desk");
    agentchat_event *event = NULL;
    agentchat_status status;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("e2"));
    agentchat_event_builder_set_state(builder, "app:theme", AGENTCHAT_STR("\"light\""));
    agentchat_event_builder_set_state(builder, "topic", AGENTCHAT_STR("[2]"));
    test_ok(agentchat_event_builder_finish(builder, &event, err), err);
    status = agentchat_session_append(s->other, event, NULL, NULL, err); /* this handle has not seen the first one */
    agentchat_event_unref(event);
    return status;
}

static agentchat_status step_conflict(scene *s, agentchat_error *err)
{
    agentchat_append_options options = AGENTCHAT_APPEND_OPTIONS_INIT;
    agentchat_event_builder *builder = test_event_builder(s->env, "desk");
    agentchat_event *event = NULL;
    agentchat_status status;

    options.has_expect_sequence = true;
    options.expect_sequence = 77;
    test_ok(agentchat_event_builder_finish(builder, &event, err), err);
    status = agentchat_session_append(s->session, event, &options, NULL, err);
    agentchat_event_unref(event);
    if (status != AGENTCHAT_E_CONFLICT)
        return status;
    say(s, "conflict: %s\n", err->message);
    agentchat_error_clear(err);
    return AGENTCHAT_OK;
}

static agentchat_status step_add(scene *s, agentchat_error *err)
{
    int64_t sum = 0;
    agentchat_status status = agentchat_session_add(s->session, "user:visits", 3, &sum, err);

    if (status >= 0)
        say(s, "sum %lld\n", (long long)sum);
    return status;
}

static agentchat_status step_delete_key(scene *s, agentchat_error *err)
{
    return agentchat_session_delete_key(s->session, "user:language", err);
}

static agentchat_status step_refresh(scene *s, agentchat_error *err)
{
    return agentchat_session_refresh(s->other, err);
}

static agentchat_status step_copy(scene *s, agentchat_error *err)
{
    return agentchat_session_copy(s->store, &(agentchat_session_id){"shop", "ana", "s1"}, "copy", NULL, err);
}

static agentchat_status step_rewind(scene *s, agentchat_error *err)
{
    uint64_t removed = 7;
    agentchat_status status = agentchat_session_rewind(s->session, "e1", &removed, err);

    if (status >= 0)
        say(s, "%llu events went\n", (unsigned long long)removed);
    return status;
}

static agentchat_status step_begin(scene *s, agentchat_error *err)
{
    test_ok(agentchat_invocation_begin(s->session, "i1", err), err);
    test_ok(agentchat_session_set(s->session, "temp:gone", AGENTCHAT_STR("1"), err), err);
    return agentchat_session_set(s->session, "temp:count", AGENTCHAT_STR("2"), err);
}

static agentchat_status step_append_temporary(scene *s, agentchat_error *err)
{
    agentchat_event_builder *builder = test_event_builder(s->env, "desk");
    agentchat_event *event = NULL;
    agentchat_status status;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("e3"));
    agentchat_event_builder_set_state(builder, "temp:step", AGENTCHAT_STR("\"draft\""));
    agentchat_event_builder_add_state(builder, "temp:count", 40);
    agentchat_event_builder_delete_state(builder, "temp:gone");
    agentchat_event_builder_set_state(builder, "topic", AGENTCHAT_STR("3"));
    test_ok(agentchat_event_builder_finish(builder, &event, err), err);
    status = agentchat_session_append(s->session, event, NULL, NULL, err);
    agentchat_event_unref(event);
    return status;
}

static agentchat_status step_apply_state(scene *s, agentchat_error *err)
{
    agentchat_state *wanted = NULL;
    agentchat_status status;
    uint64_t sequence = 0;

    test_ok(agentchat_state_read(s->env, AGENTCHAT_STR("{\"topic\":4,\"new\":true}"), &wanted, err), err);
    status = agentchat_session_apply_state(s->session, wanted, &sequence, err);
    agentchat_state_free(wanted);
    if (status >= 0)
        say(s, "at %llu\n", (unsigned long long)sequence);
    return status;
}

static agentchat_status step_end(scene *s, agentchat_error *err)
{
    agentchat_error_clear(err);
    agentchat_invocation_end(s->session);
    return AGENTCHAT_OK;
}

static agentchat_status step_list(scene *s, agentchat_error *err)
{
    agentchat_session_list *list = NULL;
    agentchat_status status = agentchat_session_list_read(s->store, "shop", NULL, &list, err);

    for (size_t i = 0; i < agentchat_session_list_count(list); i++)
        say(s, "listed %s\n", agentchat_session_list_at(list, i)->id);
    agentchat_session_list_free(list);
    return status;
}

static agentchat_status step_scope(scene *s, agentchat_error *err)
{
    agentchat_state *state = NULL;
    agentchat_status status = agentchat_scope_state(s->store, "shop", "ana", &state, err);

    if (status >= 0)
        say(s, "scopes hold %zu keys\n", agentchat_state_count(state));
    agentchat_state_free(state);
    return status;
}

static agentchat_status step_import(scene *s, agentchat_error *err)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_bytes file = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_source *source = NULL;
    agentchat_session *brought = NULL;
    agentchat_status status;

    options.as.id = "brought";
    test_ok(agentchat_sink_memory(s->env, &file, &sink, err), err);
    test_ok(agentchat_session_export(s->session, sink, NULL, NULL, err), err);
    agentchat_sink_free(sink);
    test_ok(agentchat_source_memory(s->env, (agentchat_str){file.ptr, file.len}, &source, err), err);
    status = agentchat_session_import(s->store, source, &options, &brought, NULL, err);
    agentchat_source_free(source);
    if (status >= 0)
        say_session(s, brought);
    agentchat_session_free(brought);
    agentchat_bytes_clear(&file);
    return status;
}

static agentchat_status step_delete(scene *s, agentchat_error *err)
{
    return agentchat_session_delete(s->store, &(agentchat_session_id){"shop", "ana", "copy"}, err);
}

static agentchat_status step_delete_user(scene *s, agentchat_error *err)
{
    uint64_t sessions = 0;
    agentchat_status status = agentchat_user_delete(s->store, "shop", "ana", &sessions, err);

    if (status >= 0)
        say(s, "%llu sessions went\n", (unsigned long long)sessions);
    return status;
}

static const step steps[] = {step_create, step_get,        step_append, step_append_after,     step_conflict,
                             step_add,    step_delete_key, step_begin,  step_append_temporary, step_apply_state,
                             step_end,    step_refresh,    step_copy,   step_rewind,           step_list,
                             step_scope,  step_import,     step_delete, step_delete_user};

/* ---- one run --------------------------------------------------------------------------------------------------- */

/* How a handle and the store look, without the fault striking now. */
static char *picture(scene *s)
{
    scene looker = *s;
    size_t at = plan.at;

    plan.at = SIZE_MAX;
    looker.log = NULL;
    looker.len = looker.cap = 0;
    say_session(&looker, s->session);
    say_store(&looker);
    plan.at = at;
    return looker.log;
}

/* One step; a failure that is final must show nowhere, and then the step is done once more. */
static void do_step(scene *s, step what)
{
    char *before = picture(s);
    agentchat_error err;
    agentchat_status status;

    plan.struck = false;
    s->clock += 1000;
    s->random = (uint64_t)s->clock; /* the same ids when the step is done once more */
    status = what(s, &err);
    if (status < 0 && plan.struck && plan.what == FAILS_FOR_GOOD) {
        char *after;

        assert_int_equal(status, AGENTCHAT_E_IO);
        assert_string_equal(err.message, "as planned");
        plan.at = SIZE_MAX;
        after = picture(s);
        assert_string_equal(after, before);
        free(after);
        s->random = (uint64_t)s->clock;
        status = what(s, &err);
    }
    free(before);
    test_ok(status, &err);
    say_session(s, s->session);
}

static char *run_all(fault what, size_t at, size_t *runs)
{
    aci_sql_driver faulty;
    char *log;
    scene s;

    memset(&plan, 0, sizeof plan);
    plan.what = what;
    plan.at = SIZE_MAX;
    open_scene(&s, false, &faulty);
    plan.runs = 0;
    plan.at = at;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        do_step(&s, steps[i]);
        say(&s, "after step %zu\n", i);
    }
    *runs = plan.runs;
    plan.at = SIZE_MAX;
    say_store(&s);
    log = strdup(s.log);
    close_scene(&s);
    return log;
}

/* The first line that is another one. */
static void print_difference(int what, size_t at, const char *log, const char *expected)
{
    const char *line = log, *wanted = expected;

    if (strcmp(log, expected) == 0)
        return;
    while (strcspn(line, "\n") == strcspn(wanted, "\n") && memcmp(line, wanted, strcspn(line, "\n") + 1) == 0) {
        line += strcspn(line, "\n") + 1;
        wanted += strcspn(wanted, "\n") + 1;
    }
    print_message("failure of kind %d at run %zu:\n  shows    %.*s\n  expected %.*s\n", what, at,
                  (int)strcspn(line, "\n"), line, (int)strcspn(wanted, "\n"), wanted);
}

static void test_session_faults__no_failure_of_the_database_shows_twice(void **state)
{
    size_t runs = 0, ignored, same = 0, struck[FAULT_COUNT] = {0};
    char *expected = run_all(FAILS_FOR_GOOD, SIZE_MAX, &runs);

    (void)state;
    assert_non_null(strstr(expected, " topic=1.50"));
    assert_non_null(strstr(expected, "sum 3"));
    assert_non_null(strstr(expected, "conflict: "));
    assert_non_null(strstr(expected, " temp:count=42 temp:step=\"draft\""));
    assert_in_range(runs, 40, 2000);
    for (int what = 0; what < FAULT_COUNT; what++) {
        for (size_t at = 0; at < runs; at++) {
            char *log = run_all((fault)what, at, &ignored);

            same += strcmp(log, expected) == 0;
            struck[what] += plan.struck_ever;
            print_difference(what, at, log, expected);
            free(log);
        }
    }
    assert_int_equal(same, runs * FAULT_COUNT);
    assert_in_range(struck[FAILS_FOR_GOOD], sizeof steps / sizeof *steps, runs); /* the looks in between do not fail */
    assert_int_equal(struck[FAILS_FOR_NOW], struck[FAILS_FOR_GOOD]);
    assert_in_range(struck[LOST_UNDONE], 10, runs); /* each commit of a write */
    assert_int_equal(struck[LOST_AND_DONE], struck[LOST_UNDONE]);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_faults__no_failure_of_the_database_shows_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
