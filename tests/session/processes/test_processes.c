/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many processes on one store: together, killed at random, with a server that is restarted under them.
 *
 *     test_session_processes sqlite|postgres [FILTER]
 *
 * AGENTCHAT_TEST_SECONDS: how long each part takes (1); AGENTCHAT_TEST_INCREMENTS: how often each process counts (60).
 */
#include "session/processes/verdict.h"
#include "session/processes/worker.h"
#include "session/server.h"
#include "store/core/sql.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct crew {
    char *dir;
    char url[4200], app[64];
    pid_t processes[WORKERS];
} crew;

static void pause_ms(long ms)
{
    struct timespec rest = {ms / 1000, ms % 1000 * 1000000L};

    nanosleep(&rest, NULL);
}

static int64_t part_ms(void)
{
    return (int64_t)test_number("AGENTCHAT_TEST_SECONDS", 1) * 1000;
}

/* ---- crews ------------------------------------------------------------------------------------------------------ */

/* A store with the sessions of the workers. Nothing of it stays open: what a process has open must not be carried over
   a fork. */
static void crew_begin(crew *c, const char *url, const char *parameters)
{
    static unsigned number;
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_error err;

    memset(c, 0, sizeof *c);
    c->dir = test_dir_make();
    snprintf(c->app, sizeof c->app, "app-%ld-%u", (long)getpid(), number++);
    if (url != NULL)
        snprintf(c->url, sizeof c->url, "%s", url);
    else
        snprintf(c->url, sizeof c->url, "sqlite:%s/sessions.db%s", c->dir, parameters);
    test_ok(agentchat_store_open(NULL, c->url, NULL, &store, &err), &err);
    for (int i = 0; i < SESSIONS; i++) {
        char user[16], id[16];

        worker_session_name(i, user, id);
        test_ok(agentchat_session_create(store, &(agentchat_session_id){c->app, user, id}, NULL, &session, &err), &err);
        agentchat_session_free(session);
    }
    agentchat_store_close(store);
}

/* On the server of the test, or in a file. */
static void crew_begin_here(crew *c, const char *parameters)
{
    crew_begin(c, scene_kind() == STORE_POSTGRES ? server_url() : NULL, parameters);
}

static void crew_end(crew *c)
{
    test_dir_remove(c->dir);
}

/* This program, to be run again. */
static const char *program(void)
{
    static char path[4096];

    if (path[0] == '\0')
        assert_true(readlink("/proc/self/exe", path, sizeof path - 1) > 0);
    return path;
}

static void start(crew *c, int worker, const char *mode, int64_t until_ms, unsigned long most)
{
    const char *name = program();
    char number[16], until[24], events[24];

    snprintf(number, sizeof number, "%d", worker);
    snprintf(until, sizeof until, "%" PRId64, until_ms);
    snprintf(events, sizeof events, "%lu", most);
    c->processes[worker] = fork();
    assert_true(c->processes[worker] >= 0);
    if (c->processes[worker] == 0) {
        execl(name, "worker", "--worker", mode, c->url, c->app, c->dir, number, until, events, (char *)NULL);
        _exit(127);
    }
}

static void start_all(crew *c, const char *mode, int64_t until_ms, unsigned long most)
{
    for (int i = 0; i < WORKERS; i++)
        start(c, i, mode, until_ms, most);
}

static void wait_for_all(crew *c)
{
    int failed = 0;

    for (int i = 0; i < WORKERS; i++) {
        int result;

        assert_int_equal(waitpid(c->processes[i], &result, 0), c->processes[i]);
        failed += !WIFEXITED(result) || WEXITSTATUS(result) != 0;
    }
    assert_int_equal(failed, 0); /* each says why on standard error */
}

static size_t check_events(crew *c)
{
    agentchat_store *store = NULL;
    agentchat_error err;
    size_t events;

    test_ok(agentchat_store_open(NULL, c->url, NULL, &store, &err), &err);
    events = verdict_of_appending(store, c->app, c->dir);
    agentchat_store_close(store);
    return events;
}

/* ---- together --------------------------------------------------------------------------------------------------- */

static void test_processes__appending_together_lose_and_double_nothing(void **state)
{
    size_t events;
    crew c;

    (void)state;
    crew_begin_here(&c, "");
    start_all(&c, "append", worker_now_ms() + part_ms(), 0);
    wait_for_all(&c);
    events = check_events(&c);
    print_message("%zu events\n", events);
    assert_in_range(events, WORKERS, SIZE_MAX);
    crew_end(&c);
}

static void test_processes__counting_together_miss_nothing(void **state)
{
    unsigned long each = test_number("AGENTCHAT_TEST_INCREMENTS", 60);
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_error err;
    char sums[3][24];
    crew c;

    (void)state;
    crew_begin_here(&c, "?synchronous=normal");
    start_all(&c, "count", 0, each);
    wait_for_all(&c);
    for (unsigned long i = 0; i < 3; i++) /* the three counters in turn */
        snprintf(sums[i], sizeof sums[i], "%lu", WORKERS * ((each + 2 - i) / 3));
    test_ok(agentchat_store_open(NULL, c.url, NULL, &store, &err), &err);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){c.app, "u0", "s0"}, NULL, &session, &err), &err);
    expect_key(session, "app:count", sums[0]);
    expect_key(session, "user:count", sums[1]);
    expect_key(session, "count", sums[2]);
    assert_int_equal(agentchat_session_event_count(session), WORKERS * each);
    agentchat_session_free(session);
    agentchat_store_close(store);
    crew_end(&c);
}

static void test_processes__complete_states_are_never_mixed(void **state)
{
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_error err;
    agentchat_str mark, value;
    crew c;

    (void)state;
    crew_begin_here(&c, "?synchronous=normal");
    start_all(&c, "apply", worker_now_ms() + part_ms(), 0);
    wait_for_all(&c);
    test_ok(agentchat_store_open(NULL, c.url, NULL, &store, &err), &err);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){c.app, "u0", "s0"}, NULL, &session, &err), &err);
    print_message("%zu states\n", agentchat_session_event_count(session));
    assert_in_range(agentchat_session_event_count(session), WORKERS + 1, SIZE_MAX);
    /* At every moment, which going back shows, all keys came from the same process in the same round. */
    for (size_t back = 0; back < 200 && agentchat_session_event_count(session) > 1; back++) {
        size_t keys = 0;
        char id[64];

        mark = agentchat_state_get(agentchat_session_state(session), "mark");
        for (size_t at = 0; agentchat_state_next(agentchat_session_state(session), &at, NULL, &value); keys++)
            assert_true(agentchat_str_equal(value, mark));
        assert_int_equal(keys, 1 + 5 - (size_t)__builtin_popcount((unsigned)((mark.ptr[0] - '0') & 7)) -
                                   (size_t)__builtin_popcount((unsigned)((mark.ptr[0] - '0') & 3)));
        snprintf(
            id, sizeof id, AGENTCHAT_STR_FMT,
            AGENTCHAT_STR_ARG(agentchat_event_get(
                agentchat_session_event(session, agentchat_session_event_count(session) - 2), AGENTCHAT_EVENT_ID)));
        test_ok(agentchat_session_rewind(session, id, NULL, &err), &err);
    }
    agentchat_session_free(session);
    agentchat_store_close(store);
    crew_end(&c);
}

/* Checks the store while others write to it: nothing is ever half done, and nothing that is only new is taken for
   damage. */
static void look_until(crew *c, int64_t until_ms)
{
    agentchat_store *store = NULL;
    agentchat_error err;
    size_t looks = 0;

    test_ok(agentchat_store_open(NULL, c->url, NULL, &store, &err), &err);
    do {
        expect_sound(store);
        looks++;
    } while (worker_now_ms() < until_ms);
    agentchat_store_close(store);
    print_message("checked %zu times\n", looks);
}

/* Each worker has done something of what it tried. */
static void expect_all_busy(crew *c)
{
    for (int i = 0; i < WORKERS; i++) {
        uint64_t *sequences;

        assert_in_range(worker_acknowledged(c->dir, i, &sequences), WORKER_LEAST, SIZE_MAX);
        free(sequences);
    }
}

static void come_and_go_together(const char *mode)
{
    int64_t until;
    agentchat_store *store = NULL;
    agentchat_error err;
    crew c;

    crew_begin_here(&c, "?synchronous=normal");
    until = worker_now_ms() + part_ms();
    start_all(&c, mode, until, 0);
    look_until(&c, until);
    wait_for_all(&c);
    expect_all_busy(&c);
    test_ok(agentchat_store_open(NULL, c.url, NULL, &store, &err), &err);
    expect_sound(store);
    agentchat_store_close(store);
    crew_end(&c);
}

static void test_processes__making_and_deleting_together_leave_a_sound_store(void **state)
{
    (void)state;
    come_and_go_together("churn");
}

static void test_processes__one_name_has_one_session_at_a_time(void **state)
{
    (void)state;
    come_and_go_together("race");
}

/* Half of the workers write, the others read beside them. */
static void test_processes__reading_sees_one_moment(void **state)
{
    int64_t until;
    crew c;

    (void)state;
    crew_begin_here(&c, "?synchronous=normal");
    until = worker_now_ms() + part_ms();
    for (int i = 0; i < WORKERS; i++)
        start(&c, i, i % 2 == 0 ? "same" : "look", until, 0);
    wait_for_all(&c);
    expect_all_busy(&c);
    crew_end(&c);
}

/* ---- killed ----------------------------------------------------------------------------------------------------- */

static void test_processes__killed_at_random_lose_nothing_acknowledged(void **state)
{
    int64_t until = worker_now_ms() + part_ms();
    unsigned random = 2026;
    size_t kills = 0, events;
    crew c;

    (void)state;
    crew_begin_here(&c, "?synchronous=normal");
    start_all(&c, "append", 0, 0);
    while (worker_now_ms() < until) {
        int worker, result;

        random = random * 1664525u + 1013904223u;
        pause_ms(5 + (long)(random >> 20) % 40);
        worker = (int)(random >> 8) % WORKERS;
        assert_int_equal(kill(c.processes[worker], SIGKILL), 0);
        assert_int_equal(waitpid(c.processes[worker], &result, 0), c.processes[worker]);
        assert_true(WIFSIGNALED(result)); /* it had not ended by itself */
        kills++;
        start(&c, worker, "append", 0, 0);
    }
    for (int i = 0; i < WORKERS; i++) { /* each has begun something; its next run finds out whether it was done */
        int result;

        assert_int_equal(kill(c.processes[i], SIGKILL), 0);
        assert_int_equal(waitpid(c.processes[i], &result, 0), c.processes[i]);
    }
    for (int i = 0; i < WORKERS; i++) {
        uint64_t *sequences;
        size_t done = worker_acknowledged(c.dir, i, &sequences);

        free(sequences);
        start(&c, i, "append", 0, done + 1);
    }
    wait_for_all(&c);
    events = check_events(&c);
    print_message("%zu kills, %zu events\n", kills + WORKERS, events);
    assert_in_range(events, WORKERS, SIZE_MAX);
    crew_end(&c);
}

#ifdef SESSION_WITH_SERVER
#include "support/postgres/test_postgres.h"

static void expect_no_session(agentchat_store *store, const crew *c, const char *user, const char *id)
{
    agentchat_session *session = NULL;
    agentchat_error err;

    test_fails(agentchat_session_get(store, &(agentchat_session_id){c->app, user, id}, NULL, &session, &err), &err,
               AGENTCHAT_E_NOTFOUND, NULL, NULL);
}

/* Deletes the user "late", who has the session "first", while another process is in the middle of a transaction that
   began before: after it nothing of the user is left, and nothing without its owner. statements: %s is the
   application, three times. */
static void delete_a_user_during(const char *statements)
{
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_state *state = NULL;
    agentchat_error err;
    uint64_t sessions = 0;
    char text[1024];
    pid_t other;
    int result;
    crew c;

    crew_begin_here(&c, "");
    assert_in_range(snprintf(text, sizeof text, statements, c.app, c.app, c.app), 1, (int)sizeof text - 1);
    test_ok(agentchat_store_open(NULL, c.url, NULL, &store, &err), &err);
    test_ok(agentchat_state_read(NULL, AGENTCHAT_STR("{\"user:k\":1,\"k\":1}"), &state, &err), &err);
    test_ok(agentchat_session_create(store, &(agentchat_session_id){c.app, "late", "first"}, state, &session, &err),
            &err);
    agentchat_state_free(state);
    agentchat_session_free(session);
    agentchat_store_close(store);
    other = fork();
    if (other == 0) {
        test_postgres_run(c.url, text);
        _exit(0);
    }
    test_postgres_await(c.url, "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'", "1");
    test_ok(agentchat_store_open(NULL, c.url, NULL, &store, &err), &err);
    test_ok(agentchat_user_delete(store, c.app, "late", &sessions, &err), &err);
    assert_int_equal(waitpid(other, &result, 0), other);
    assert_int_equal(result, 0);
    assert_int_equal(sessions, 2);
    expect_no_session(store, &c, "late", "first");
    expect_no_session(store, &c, "late", "s");
    test_ok(agentchat_scope_state(store, c.app, "late", &state, &err), &err);
    expect_map(state, "{}");
    agentchat_state_free(state);
    expect_sound(store);
    agentchat_store_close(store);
    crew_end(&c);
}

/* The other one makes a session with a key of the user: it has raised the revision of the user's state, and adds the
   key then. */
static void test_processes__deleting_a_user_waits_for_a_session_that_is_being_made(void **state)
{
    (void)state;
    if (scene_kind() != STORE_POSTGRES)
        skip();
    delete_a_user_during("SET search_path=agentchat; BEGIN;"
                         "INSERT INTO session VALUES('%s', 'late', 's', 42, 42, 0, 0, 1, 1, 0);"
                         "UPDATE scope SET rev = rev + 1 WHERE app = '%s' AND usr = 'late';"
                         "SELECT pg_sleep(1);"
                         "INSERT INTO state VALUES('%s', 'late', '', 'added', '1', 2, 0); COMMIT");
}

/* The other one copies a session: it holds that one alone. */
static void test_processes__deleting_a_user_waits_for_a_copy_that_is_being_made(void **state)
{
    (void)state;
    if (scene_kind() != STORE_POSTGRES)
        skip();
    delete_a_user_during("SET search_path=agentchat; BEGIN;"
                         "SELECT num FROM session WHERE app = '%s' AND usr = 'late' AND id = 'first' FOR UPDATE;"
                         "INSERT INTO session VALUES('%s', 'late', 's', 42, 42, 0, 0, 1, 1, 0);"
                         "SELECT pg_sleep(1);"
                         "INSERT INTO state VALUES('%s', 'late', 's', 'k', '1', 1, 0); COMMIT");
}

/* The checksum of a row of two texts and an integer. */
static long long row_sum(const char *a, const char *b, int64_t number)
{
    aci_table_sum sum;
    int64_t value = 0;

    aci_table_sum_begin(&sum);
    aci_table_sum_text(&sum, agentchat_str_from(a));
    aci_table_sum_text(&sum, agentchat_str_from(b));
    aci_table_sum_integer(&sum, number);
    assert_int_equal(aci_table_sum_end(&sum, &value, NULL), AGENTCHAT_OK);
    return value;
}

/* Another process changes the application's state while a rewind puts together what the handle shows: between its look
   at the revision and its look at the keys. What the handle shows fits together then. */
static void test_processes__a_rewind_shows_complete_scopes(void **state)
{
    static const char change[] = "SET search_path=agentchat; BEGIN; LOCK TABLE state IN ACCESS EXCLUSIVE MODE;"
                                 "UPDATE scope SET rev = 2, sum = %lld WHERE app = '%s' AND usr = '';"
                                 "INSERT INTO state VALUES('%s', '', '', 'added', '1', 2, %lld);"
                                 "SELECT pg_sleep(1); COMMIT";
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_event_builder *builder;
    agentchat_event *event = NULL;
    agentchat_error err;
    char text[1024];
    pid_t other;
    int result;
    crew c;

    (void)state;
    if (scene_kind() != STORE_POSTGRES)
        skip();
    crew_begin_here(&c, "");
    snprintf(text, sizeof text, change, row_sum(c.app, "", 2), c.app, c.app, row_sum("added", "1", 2));
    test_ok(agentchat_store_open(NULL, c.url, NULL, &store, &err), &err);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){c.app, "u0", "s0"}, NULL, &session, &err), &err);
    test_ok(agentchat_session_set(session, "app:k", AGENTCHAT_STR("1"), &err), &err);
    builder = test_event_builder(NULL, "a");
    test_ok(agentchat_event_builder_finish(builder, &event, &err), &err);
    test_ok(agentchat_session_append(session, event, NULL, NULL, &err), &err);
    agentchat_event_unref(event);
    other = fork();
    if (other == 0) {
        test_postgres_run(c.url, text);
        _exit(0);
    }
    test_postgres_await(c.url, "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'", "1");
    test_ok(agentchat_session_rewind(session, NULL, NULL, &err), &err);
    assert_int_equal(waitpid(other, &result, 0), other);
    assert_int_equal(result, 0);
    expect_key(session, "app:added", "1");
    assert_int_equal(agentchat_session_revision(session, "app:added"), 2);
    assert_int_equal(agentchat_session_revision(session, "app:k"), 1);
    test_ok(agentchat_session_refresh(session, &err), &err);
    expect_state(session, "{\"app:k\":1,\"app:added\":1}");
    agentchat_session_free(session);
    agentchat_store_close(store);
    crew_end(&c);
}

/* Restarted gently, at once, and by killing all of it; the server has something to lose. */
static void test_processes__a_server_that_is_restarted_loses_and_doubles_nothing(void **state)
{
    static const char *const how[] = {"restart fast", "restart immediate", "kill"};
    test_postgres_server *server;
    agentchat_error err;
    size_t events;
    crew c;

    (void)state;
    if (scene_kind() != STORE_POSTGRES)
        skip();
    server = test_postgres_server_new(true);
    test_ok(agentchat_store_init(NULL, server->url, NULL, &err), &err);
    crew_begin(&c, server->url, "");
    start_all(&c, "append", worker_now_ms() + part_ms() + 6000, 0);
    for (int i = 0; i < 3; i++) {
        pause_ms((long)part_ms() / 4 + 300);
        test_postgres_server_do(server, how[i]);
        if (i == 2)
            test_postgres_server_do(server, "up");
    }
    wait_for_all(&c);
    events = check_events(&c);
    print_message("%zu events\n", events);
    assert_in_range(events, WORKERS, SIZE_MAX);
    crew_end(&c);
    test_postgres_server_free(server);
}
#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_processes__appending_together_lose_and_double_nothing),
        cmocka_unit_test(test_processes__counting_together_miss_nothing),
        cmocka_unit_test(test_processes__complete_states_are_never_mixed),
        cmocka_unit_test(test_processes__making_and_deleting_together_leave_a_sound_store),
        cmocka_unit_test(test_processes__one_name_has_one_session_at_a_time),
        cmocka_unit_test(test_processes__reading_sees_one_moment),
        cmocka_unit_test(test_processes__killed_at_random_lose_nothing_acknowledged),
#ifdef SESSION_WITH_SERVER
        cmocka_unit_test(test_processes__deleting_a_user_waits_for_a_session_that_is_being_made),
        cmocka_unit_test(test_processes__deleting_a_user_waits_for_a_copy_that_is_being_made),
        cmocka_unit_test(test_processes__a_rewind_shows_complete_scopes),
        cmocka_unit_test(test_processes__a_server_that_is_restarted_loses_and_doubles_nothing),
#endif
    };

    if (argc == 9 && strcmp(argv[1], "--worker") == 0) {
        worker_job job = {
            argv[2], argv[3], argv[4], argv[5], atoi(argv[6]), strtoll(argv[7], NULL, 10), strtoul(argv[8], NULL, 10)};

        return worker_run(&job);
    }
    if (!scene_program("session.processes", argc, argv) || scene_kind() == STORE_MEMORY)
        return 2;
    return cmocka_run_group_tests_name("processes", tests, NULL, NULL);
}
