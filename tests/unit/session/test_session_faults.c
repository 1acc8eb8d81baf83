/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every call of the session service while its database fails at call n: before anything happened, or with the answer to
 * a commit lost, whether the commit was carried out or not. What may be tried again gives the same results as if
 * nothing had happened, nothing is done twice, and a failure that is final leaves store and handle as they were.
 */
#include "session/session.h"
#include "support/test_support.h"
#include <agentchat/sqlite.h>
#include <stdio.h>

/* ---- a driver that fails at call n ---------------------------------------------------------------------------- */

typedef enum fault {
    FAILS_FOR_GOOD, /* before the batch; the same again would fail again */
    FAILS_FOR_NOW,  /* before the batch; the transaction may be tried again */
    LOST_UNDONE,    /* the answer to a commit is lost, and it was not carried out */
    LOST_AND_DONE,  /* the answer to a commit is lost, but it was carried out */
    FAULT_COUNT
} fault;

static struct {
    const agentchat_sql_driver *real;
    fault what;
    size_t at; /* the run that fails, from 0; SIZE_MAX: none */
    size_t runs;
    bool writing;
    bool struck, struck_ever; /* in this step; in all of them */
    bool at_commit;           /* it is not a run of that number that fails, but the next commit of a write */
    void (*between)(void *);  /* what others do before the transaction is tried again; then NULL */
    void *user;
} plan;

static agentchat_status strike(agentchat_status status, agentchat_sql_outcome outcome, agentchat_sql_outcome *out,
                               agentchat_error *err)
{
    plan.struck = plan.struck_ever = true;
    *out = outcome;
    return agentchat_error_set(err, status, "as planned");
}

static bool is_commit_of_a_write(unsigned flags)
{
    return plan.writing && (flags & AGENTCHAT_SQL_COMMIT) != 0;
}

/* Others come in between a lost answer and the next attempt. */
static void let_others_in(void)
{
    void (*between)(void *) = plan.between;

    if (between == NULL || !plan.struck)
        return;
    plan.between = NULL;
    between(plan.user);
}

static bool strikes_now(unsigned flags)
{
    bool strikes = plan.at_commit ? !plan.struck : plan.runs == plan.at;

    plan.runs++;
    return strikes && (plan.what < LOST_UNDONE || is_commit_of_a_write(flags));
}

static agentchat_status faulty_run(void *connection, unsigned flags, agentchat_sql_request *requests, size_t count,
                                   agentchat_sql_outcome *outcome, agentchat_error *err)
{
    bool begins = (flags & (AGENTCHAT_SQL_BEGIN_READ | AGENTCHAT_SQL_BEGIN_WRITE)) != 0;
    agentchat_status status;
    bool strikes;

    if (begins) {
        let_others_in();
        plan.writing = (flags & AGENTCHAT_SQL_BEGIN_WRITE) != 0;
    }
    strikes = strikes_now(flags);
    if (strikes && plan.what != LOST_AND_DONE) {
        if (!begins)
            plan.real->rollback(connection);
        if (plan.what == FAILS_FOR_GOOD)
            return strike(AGENTCHAT_E_IO, AGENTCHAT_SQL_FINAL, outcome, err);
        if (plan.what == FAILS_FOR_NOW)
            return strike(AGENTCHAT_E_BUSY, AGENTCHAT_SQL_TRANSIENT, outcome, err);
        return strike(AGENTCHAT_E_IO, AGENTCHAT_SQL_UNCERTAIN, outcome, err);
    }
    status = plan.real->run(connection, flags, requests, count, outcome, err);
    return strikes && status >= 0 ? strike(AGENTCHAT_E_IO, AGENTCHAT_SQL_UNCERTAIN, outcome, err) : status;
}

/* ---- what is done, and how it shows --------------------------------------------------------------------------- */

typedef struct scene {
    agentchat_env *env;
    agentchat_store *store;
    agentchat_session *session, *other;
    agentchat_event *event;
    char *log;
    size_t len, cap;
    uint64_t random;
    int64_t clock;
    char *dir; /* of the store's file; NULL: it is in memory, and has one connection */
} scene;

static void say(scene *s, const char *format, ...)
{
    va_list args;
    int len;

    if (s->cap - s->len < 20000) {
        s->cap += 40000;
        s->log = realloc(s->log, s->cap);
        assert_non_null(s->log);
    }
    va_start(args, format);
    len = vsnprintf(s->log + s->len, s->cap - s->len, format, args);
    va_end(args);
    assert_in_range(len, 0, 19999);
    s->len += (size_t)len;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Keys and values in one order, whether a change or a look at the store put them there. */
static void say_state(scene *s, const agentchat_state *state)
{
    char *lines[32];
    size_t count = 0, at = 0;
    agentchat_str key, value;

    while (agentchat_state_next(state, &at, &key, &value)) {
        assert_in_range(count, 0, 31);
        lines[count] = malloc(key.len + value.len + 2);
        assert_non_null(lines[count]);
        sprintf(lines[count++], "%s=" AGENTCHAT_STR_FMT, key.ptr, AGENTCHAT_STR_ARG(value));
    }
    qsort(lines, count, sizeof *lines, compare_texts);
    for (size_t i = 0; i < count; i++) {
        say(s, " %s", lines[i]);
        free(lines[i]);
    }
}

static void say_session(scene *s, const agentchat_session *session)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    if (session == NULL) {
        say(s, "no handle\n");
        return;
    }
    say(s, "%s sequence %llu state", agentchat_session_id(session),
        (unsigned long long)agentchat_session_sequence(session));
    say_state(s, agentchat_session_state(session));
    say(s, " events");
    for (size_t i = 0; i < agentchat_session_event_count(session); i++) {
        text.len = 0;
        test_ok(
            agentchat_event_write(agentchat_session_event(session, i), AGENTCHAT_FORMAT_AGENTCHAT, NULL, &text, &err),
            &err);
        say(s, " %llu %s", (unsigned long long)agentchat_event_sequence(agentchat_session_event(session, i)), text.ptr);
    }
    say(s, " theme@%llu topic@%llu\n", (unsigned long long)agentchat_session_revision(session, "app:theme"),
        (unsigned long long)agentchat_session_revision(session, "topic"));
    agentchat_bytes_clear(&text);
}

/* Everything that the store holds, as a fresh look at it shows. */
static void say_store(scene *s)
{
    static const char *const ids[] = {"s1", "copy", "brought"};
    agentchat_error err;

    for (size_t i = 0; i < 3; i++) {
        agentchat_session *session = NULL;
        agentchat_status status = agentchat_session_get(s->store, "shop", "ana", ids[i], NULL, &session, &err);

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
    agentchat_state *initial = agentchat_state_new(s->env);
    agentchat_status status;

    test_ok(agentchat_state_set(initial, "app:theme", AGENTCHAT_STR("\"dark\""), err), err);
    test_ok(agentchat_state_set(initial, "user:language", AGENTCHAT_STR("\"de\""), err), err);
    test_ok(agentchat_state_set(initial, "topic", AGENTCHAT_STR("1"), err), err);
    status = agentchat_session_create(s->store, "shop", "ana", "s1", initial, &s->session, err);
    agentchat_state_free(initial);
    return status;
}

static agentchat_status step_get(scene *s, agentchat_error *err)
{
    agentchat_session_free(s->other);
    return agentchat_session_get(s->store, "shop", "ana", "s1", NULL, &s->other, err);
}

static agentchat_status step_append(scene *s, agentchat_error *err)
{
    uint64_t sequence = 0;
    agentchat_status status = agentchat_session_append(s->session, s->event, NULL, &sequence, err);

    if (status >= 0)
        say(s, "at %llu\n", (unsigned long long)sequence);
    return status;
}

static agentchat_status step_append_behind(scene *s, agentchat_error *err)
{
    agentchat_event_builder *builder = agentchat_event_builder_new(s->env, "desk");
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
    agentchat_event_builder *builder = agentchat_event_builder_new(s->env, "desk");
    agentchat_event *event = NULL;
    agentchat_status status;

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
    return agentchat_session_copy(s->store, "shop", "ana", "s1", "copy", NULL, err);
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
    agentchat_event_builder *builder = agentchat_event_builder_new(s->env, "desk");
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
    (void)err;
    agentchat_invocation_end(s->session);
    return AGENTCHAT_OK;
}

static agentchat_status step_list(scene *s, agentchat_error *err)
{
    agentchat_session_list *list = NULL;
    agentchat_status status = agentchat_session_list_read(s->store, "shop", NULL, 0, NULL, &list, err);

    for (size_t i = 0; i < agentchat_session_list_count(list); i++)
        say(s, "listed %s\n", agentchat_session_list_at(list, i).id.ptr);
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

    options.id = "brought";
    test_ok(agentchat_sink_memory(s->env, &file, &sink, err), err);
    test_ok(agentchat_session_export(s->session, sink, NULL, err), err);
    agentchat_sink_free(sink);
    test_ok(agentchat_source_memory(s->env, (agentchat_str){file.ptr, file.len}, &source, err), err);
    status = agentchat_session_import(s->store, source, &options, &brought, err);
    agentchat_source_free(source);
    if (status >= 0)
        say_session(s, brought);
    agentchat_session_free(brought);
    agentchat_bytes_clear(&file);
    return status;
}

static agentchat_status step_delete(scene *s, agentchat_error *err)
{
    return agentchat_session_delete(s->store, "shop", "ana", "copy", err);
}

static agentchat_status step_delete_user(scene *s, agentchat_error *err)
{
    uint64_t sessions = 0;
    agentchat_status status = agentchat_user_delete(s->store, "shop", "ana", &sessions, err);

    if (status >= 0)
        say(s, "%llu sessions went\n", (unsigned long long)sessions);
    return status;
}

static const step steps[] = {step_create, step_get,        step_append, step_append_behind,    step_conflict,
                             step_add,    step_delete_key, step_begin,  step_append_temporary, step_apply_state,
                             step_end,    step_refresh,    step_copy,   step_rewind,           step_list,
                             step_scope,  step_import,     step_delete, step_delete_user};

/* ---- one run -------------------------------------------------------------------------------------------------- */

static int count_up(void *user, void *bytes, size_t size) /* "random" bytes that are the same in every run */
{
    scene *s = user;

    for (size_t i = 0; i < size; i++) {
        s->random = s->random * 6364136223846793005u + 1442695040888963407u;
        ((unsigned char *)bytes)[i] = (unsigned char)(s->random >> 56);
    }
    return 0;
}

static int64_t tell_time(void *user)
{
    return ((scene *)user)->clock;
}

static void make_event(scene *s)
{
    agentchat_event_builder *builder = agentchat_event_builder_new(s->env, "user");
    agentchat_error err;

    agentchat_event_builder_set(builder, AGENTCHAT_EVENT_ID, AGENTCHAT_STR("e1"));
    agentchat_event_builder_set_state(builder, "app:theme", AGENTCHAT_STR("\"blue\""));
    agentchat_event_builder_set_state(builder, "user:seen", AGENTCHAT_STR("true"));
    agentchat_event_builder_set_state(builder, "topic", AGENTCHAT_STR("1.50"));
    agentchat_event_builder_add_state(builder, "count", 2);
    test_ok(agentchat_event_builder_finish(builder, &s->event, &err), &err);
}

static void open_scene(scene *s, bool in_file, agentchat_sql_driver *faulty)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_error err;
    char path[4096];

    memset(s, 0, sizeof *s);
    s->dir = in_file ? test_dir_make() : NULL;
    snprintf(path, sizeof path, "%s/sessions.db", in_file ? s->dir : "");
    s->clock = 1795292121000000;
    options.now_us = tell_time;
    options.random = count_up;
    options.user = s;
    s->env = agentchat_env_new(&options);
    assert_non_null(s->env);
    test_ok(agentchat_sqlite_open(s->env, in_file ? path : NULL, NULL, &s->store, &err), &err);
    plan.real = s->store->driver;
    *faulty = *plan.real;
    faulty->run = faulty_run;
    s->store->driver = faulty;
    make_event(s);
}

static void close_scene(scene *s)
{
    s->store->driver = plan.real;
    agentchat_event_unref(s->event);
    agentchat_session_free(s->session);
    agentchat_session_free(s->other);
    agentchat_store_close(s->store);
    agentchat_env_free(s->env);
    free(s->log);
    if (s->dir != NULL)
        test_dir_remove(s->dir);
}

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
    agentchat_sql_driver faulty;
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

/* ---- others between a lost answer and the next attempt -------------------------------------------------------- */

/* From here on the answer to the next commit is lost, and `between` is done before the transaction is tried again. */
static void lose_next_answer(scene *s, fault what, void (*between)(void *))
{
    plan.what = what;
    plan.at_commit = true;
    plan.struck = false;
    plan.between = between;
    plan.user = s;
}

static void begin_lost(scene *s, agentchat_sql_driver *faulty)
{
    agentchat_error err;

    memset(&plan, 0, sizeof plan);
    plan.at = SIZE_MAX;
    open_scene(s, true, faulty);
    test_ok(agentchat_session_create(s->store, "shop", "ana", "s1", NULL, &s->session, &err), &err);
}

static void append_topic(scene *s, agentchat_session *session, const char *id, const char *value)
{
    agentchat_event_builder *builder = agentchat_event_builder_new(s->env, "desk");
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
    test_ok(agentchat_session_get(s->store, "shop", "ana", "s1", NULL, &fresh, &err), &err);
    expect_session(s, fresh, expected);
    agentchat_session_free(fresh);
}

static void test_session_faults__a_repeated_rewind_takes_nothing_that_came_behind_it(void **state)
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
        agentchat_sql_driver faulty;
        agentchat_error err;
        uint64_t removed = 7;
        scene s;

        begin_lost(&s, &faulty);
        append_topic(&s, s.session, "e1", "1");
        append_topic(&s, s.session, "e2", "2");
        append_topic(&s, s.session, "e3", "3");
        test_ok(agentchat_session_get(s.store, "shop", "ana", "s1", NULL, &s.other, &err), &err);
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

    test_ok(agentchat_session_create(s->store, "shop", "ana", "s1", NULL, &s->other, &err), &err);
    append_topic(s, s->other, "new", "1");
}

static void test_session_faults__a_repeated_deletion_leaves_what_was_made_behind_it(void **state)
{
    agentchat_sql_driver faulty;
    agentchat_error err;
    scene s;

    (void)state;
    begin_lost(&s, &faulty);
    lose_next_answer(&s, LOST_AND_DONE, make_anew);
    test_ok(agentchat_session_delete(s.store, "shop", "ana", "s1", &err), &err);
    assert_true(plan.struck);
    test_ok(agentchat_session_refresh(s.other, &err), &err);
    expect_session(&s, s.other, "events new, state topic=1");
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_session_faults__no_failure_of_the_database_shows_twice),
        cmocka_unit_test(test_session_faults__a_repeated_rewind_takes_nothing_that_came_behind_it),
        cmocka_unit_test(test_session_faults__a_repeated_deletion_leaves_what_was_made_behind_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
