/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Others at the same file: processes and threads that write, create, open and close at the same time, or are killed.
 * AGENTCHAT_TEST_ROUNDS multiplies the work.
 */
#include "sqlite_support.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES 6

static int rounds(int each)
{
    const char *text = getenv("AGENTCHAT_TEST_ROUNDS");

    return each * (text != NULL ? atoi(text) : 1);
}

static void sleep_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};

    nanosleep(&time, NULL);
}

/* ---- one that holds the lock ------------------------------------------------------------------------------------- */

static sqlite3 *hold(const char *path, const char *sql)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    return db;
}

static void test_busy__a_locked_file_is_busy_when_the_wait_is_over(void **state)
{
    scene *s = *state;
    aci_sql_value params[] = {integer_of(1), text_of(AGENTCHAT_STR("a"))};
    aci_sql_request request = {&note_insert, params, 2, NULL, NULL, 0};
    aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
    aci_sqlite_connection *c;
    agentchat_error err;
    sqlite3 *other;
    int64_t begun;

    s->options.wait_ms = 150;
    c = scene_open_tables(s);
    other = hold(s->path, "BEGIN IMMEDIATE");
    begun = aci_sqlite_now_us();
    agentchat_error_clear(&err);
    test_fails(aci_sqlite_driver.run(c, WRITE_ALL, &request, 1, &outcome, &err), &err, AGENTCHAT_E_BUSY, NULL,
               "cannot begin a transaction: others held the file for longer than 150 ms");
    assert_true(aci_sqlite_now_us() - begun >= 150000);
    assert_true(aci_sqlite_now_us() - begun < 10000000);
    assert_int_equal(err.native, SQLITE_BUSY);
    assert_non_null(strstr(err.source, "store.db"));
    assert_int_equal(outcome, ACI_SQL_FINAL); /* there is no time left to try again in */
    assert_true(aci_sqlite_driver.is_alive(c));
    assert_int_equal(notes_in(c, READ_ALL), 0); /* who reads does not wait */
    sqlite3_close(other);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    scene_close(c);
}

static void test_busy__a_new_file_that_others_hold(void **state)
{
    scene *s = *state;
    aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
    aci_sqlite_connection *c;
    agentchat_error err;
    sqlite3 *other;

    s->options.wait_ms = 50;
    c = scene_open(s);
    other = hold(s->path, "BEGIN IMMEDIATE"); /* what keeps the switch to a log from being made */
    agentchat_error_clear(&err);
    test_fails(scene_install(c, 0, sqlite_script, &outcome, &err), &err, AGENTCHAT_E_BUSY, NULL, "longer than 50 ms");
    sqlite3_close(other);
    other = hold(s->path, "BEGIN EXCLUSIVE"); /* and from being read */
    agentchat_error_clear(&err);
    test_fails(scene_install(c, 0, sqlite_script, &outcome, &err), &err, AGENTCHAT_E_BUSY, NULL, "longer than 50 ms");
    assert_int_equal(outcome, ACI_SQL_FINAL);
    sqlite3_close(other);
    agentchat_error_clear(&err);
    test_ok(scene_install(c, 0, sqlite_script, &outcome, &err), &err);
    scene_close(c);
}

static int hold_and_say(const scene *s, int say)
{
    sqlite3 *db = hold(s->path, "BEGIN IMMEDIATE; INSERT INTO note VALUES(1, 'theirs')");

    if (write(say, "x", 1) != 1)
        return 1;
    sleep_ms(300);
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
    return 0;
}

static void test_busy__waiting_ends_when_the_lock_is_free(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;
    int channel[2], result;
    char byte;
    pid_t child;

    scene_close(c); /* a connection does not outlive a fork */
    assert_int_equal(pipe(channel), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(hold_and_say(s, channel[1]));
    assert_int_equal(read(channel[0], &byte, 1), 1);
    c = scene_open(s);
    test_ok(note_write(c, 2, AGENTCHAT_STR("ours"), &err), &err);
    assert_int_equal(notes_in(c, READ_ALL), 2);
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
    close(channel[0]);
    close(channel[1]);
    scene_close(c);
}

/* ---- many that write --------------------------------------------------------------------------------------------- */

static agentchat_status take_greatest(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    (void)err;
    assert_int_equal(count, 2);
    *(int64_t *)user = columns[1].type == ACI_SQL_NULL ? 0 : columns[1].integer;
    return AGENTCHAT_OK;
}

/* Appends one note after the last in a transaction of two batches. */
static agentchat_status append(aci_sqlite_connection *c, agentchat_error *err)
{
    aci_sql_value params[] = {integer_of(0), text_of(AGENTCHAT_STR("appended"))};
    int64_t greatest = 0;
    agentchat_status status =
        run_note(c, ACI_SQL_BEGIN_WRITE, &note_count, NULL, 0, take_greatest, &greatest, NULL, err);

    if (status < 0)
        return status;
    params[0] = integer_of(greatest + 1);
    return run_note(c, ACI_SQL_COMMIT, &note_insert, params, 2, NULL, NULL, NULL, err);
}

typedef struct crowd {
    const scene *s;
    int go; /* read end of a pipe: who sees its end begins */
    int count;
} crowd;

static int say(const char *what, const agentchat_error *err)
{
    fprintf(stderr, "%s: ", what);
    agentchat_error_print(err, stderr);
    return 1;
}

typedef int (*member_work)(const crowd *crowd);

/* Runs work in many processes at the same time. */
static void run_crowd(const scene *s, member_work work, int count)
{
    pid_t children[PROCESSES];
    int channel[2], result;

    assert_int_equal(pipe(channel), 0);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            crowd member = {s, channel[0], count};
            char byte;

            close(channel[1]);
            if (read(channel[0], &byte, 1) != 0)
                _exit(2);
            _exit(work(&member));
        }
    }
    close(channel[0]);
    close(channel[1]);
    for (int i = 0; i < PROCESSES; i++) {
        assert_int_equal(waitpid(children[i], &result, 0), children[i]);
        assert_int_equal(result, 0);
    }
}

static int append_many(const crowd *member)
{
    aci_sqlite_connection *c = NULL;
    agentchat_error err;

    if (scene_connect(member->s, &c, &err) < 0)
        return say("connect", &err);
    for (int i = 0; i < member->count; i++) {
        if (append(c, &err) < 0)
            return say("append", &err);
    }
    scene_close(c);
    return 0;
}

static void check_sequence(const scene *s, int64_t expected)
{
    assert_int_equal(raw_ask(s->path, "SELECT count(*) FROM note"), expected);
    assert_int_equal(raw_ask(s->path, "SELECT max(id) FROM note"), expected);
    assert_int_equal(raw_ask(s->path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
}

static void test_busy__processes_append_without_gaps(void **state)
{
    scene *s = *state;
    int count = rounds(60);

    scene_close(scene_open_tables(s));
    run_crowd(s, append_many, count);
    check_sequence(s, (int64_t)count * PROCESSES);
}

static int open_append_close(const crowd *member)
{
    for (int i = 0; i < member->count; i++) {
        aci_sqlite_connection *c = NULL;
        agentchat_error err;

        if (scene_connect(member->s, &c, &err) < 0)
            return say("connect", &err);
        if (append(c, &err) < 0)
            return say("append", &err);
        scene_close(c);
    }
    return 0;
}

/* The last one to close removes the log while others open it. */
static void test_busy__opening_and_closing_at_the_same_time(void **state)
{
    scene *s = *state;
    int count = rounds(25);

    scene_close(scene_open_tables(s));
    run_crowd(s, open_append_close, count);
    check_sequence(s, (int64_t)count * PROCESSES);
}

static int create_and_append(const crowd *member)
{
    aci_sqlite_connection *c = NULL;
    aci_sql_outcome outcome;
    agentchat_error err;

    if (scene_connect(member->s, &c, &err) < 0)
        return say("connect", &err);
    if (scene_install(c, 0, sqlite_script, &outcome, &err) < 0)
        return say("install", &err);
    if (append(c, &err) < 0)
        return say("append", &err);
    scene_close(c);
    return 0;
}

static void test_busy__processes_create_one_file(void **state)
{
    scene *s = *state;
    char name[32];

    for (int i = 0; i < rounds(25); i++) {
        scene one = *s;

        snprintf(name, sizeof name, "new-%d.db", i);
        one.path = test_path(s->dir, name);
        run_crowd(&one, create_and_append, 1);
        check_sequence(&one, PROCESSES);
        assert_int_equal(raw_ask(one.path, "PRAGMA auto_vacuum"), 2);
        assert_int_equal(raw_ask(one.path, "SELECT count(*) FROM store"), 1);
        assert_int_equal(raw_ask(one.path, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
        free(one.path);
    }
}

#define PER_PROCESS 1000000 /* ids of one process */

static int append_for_a_while(const crowd *member)
{
    aci_sqlite_connection *c = NULL;
    aci_sql_value params[] = {integer_of((int64_t)getpid() * PER_PROCESS), text_of(AGENTCHAT_STR("mine"))};
    int64_t end = aci_sqlite_now_us() + (int64_t)member->count * 1000;
    agentchat_error err;

    if (scene_connect(member->s, &c, &err) < 0)
        return say("connect", &err);
    for (; aci_sqlite_now_us() < end; params[0].integer++) {
        if (run_note(c, WRITE_ALL, &note_insert, params, 2, NULL, NULL, NULL, &err) < 0)
            return say("append", &err);
    }
    scene_close(c);
    return 0;
}

/* All want a turn all the time; who gets the fewest gets a fair part of them still. */
static void test_busy__nobody_starves(void **state)
{
    scene *s = *state;
    int64_t fewest, all;

    s->options.durability = AGENTCHAT_DURABILITY_NORMAL;
    scene_close(scene_open_tables(s));
    run_crowd(s, append_for_a_while, rounds(1500));
    all = raw_ask(s->path, "SELECT count(*) FROM note");
    fewest = raw_ask(s->path, "SELECT min(n) FROM (SELECT count(*) AS n FROM note GROUP BY id / 1000000)");
    assert_int_equal(raw_ask(s->path, "SELECT count(DISTINCT id / 1000000) FROM note"), PROCESSES);
    print_message("%lld appends, the fewest of one process %lld\n", (long long)all, (long long)fewest);
    assert_true(fewest * PROCESSES * 3 >= all); /* SQLite's own timeout gives a quarter, and less with time */
}

/* ---- killed ones ------------------------------------------------------------------------------------------------- */

static void test_busy__killed_processes_leave_complete_transactions(void **state)
{
    scene *s = *state;
    uint32_t random = 7;
    int64_t count = 0;
    int result;

    scene_close(scene_open_tables(s));
    for (int i = 0; i < rounds(25); i++) {
        pid_t first = fork(), second;
        crowd member = {s, -1, 1000000};

        if (first == 0)
            _exit(append_many(&member));
        second = fork();
        if (second == 0)
            _exit(open_append_close(&member));
        assert_true(first > 0 && second > 0);
        random = random * 1103515245 + 12345;
        sleep_ms((long)(random >> 16) % 30);
        assert_int_equal(kill(first, SIGKILL), 0);
        assert_int_equal(kill(second, SIGKILL), 0);
        assert_int_equal(waitpid(first, &result, 0), first);
        assert_true(WIFSIGNALED(result));
        assert_int_equal(waitpid(second, &result, 0), second);
        assert_true(WIFSIGNALED(result));
        check_sequence(s, raw_ask(s->path, "SELECT max(id) IS NULL FROM note") == 1
                              ? 0
                              : raw_ask(s->path, "SELECT max(id) FROM note"));
        assert_true(raw_ask(s->path, "SELECT count(*) FROM note") >= count);
        count = raw_ask(s->path, "SELECT count(*) FROM note");
    }
    assert_true(count > 0);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

typedef struct thread_work {
    aci_sqlite_database *database;
    int count;
    agentchat_error err;
} thread_work;

static void *append_in_thread(void *user)
{
    thread_work *work = user;
    aci_sql_outcome outcome;
    void *connection = NULL;

    agentchat_error_clear(&work->err);
    if (aci_sqlite_driver.connect(work->database, work->database->wait_ms, &connection, &outcome, &work->err) < 0)
        return NULL;
    for (int i = 0; i < work->count && append(connection, &work->err) >= 0; i++) {
    }
    aci_sqlite_driver.disconnect(connection);
    return NULL;
}

static void test_busy__threads_append_without_gaps(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    thread_work works[4];
    pthread_t threads[4];

    for (int i = 0; i < 4; i++) {
        works[i] = (thread_work){.database = c->database, .count = rounds(50)};
        assert_int_equal(pthread_create(&threads[i], NULL, append_in_thread, &works[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(works[i].err.code, 0);
    }
    assert_int_equal(notes_in(c, READ_ALL), (int64_t)4 * rounds(50));
    scene_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SCENE(test_busy__a_locked_file_is_busy_when_the_wait_is_over),
        ON_SCENE(test_busy__a_new_file_that_others_hold),
        ON_SCENE(test_busy__waiting_ends_when_the_lock_is_free),
        ON_SCENE(test_busy__processes_append_without_gaps),
        ON_SCENE(test_busy__opening_and_closing_at_the_same_time),
        ON_SCENE(test_busy__processes_create_one_file),
        ON_SCENE(test_busy__nobody_starves),
        ON_SCENE(test_busy__killed_processes_leave_complete_transactions),
        ON_SCENE(test_busy__threads_append_without_gaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
