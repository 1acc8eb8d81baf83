/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file system that fails: each call of it alone and with all later ones, a process that is killed after the failure,
 * a limit on the size of files, and a disk that is full. What was acknowledged is there afterwards, and nothing else.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "sqlite_support.h"
#include "sqlite_vfs.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define NOTES 6

/* What a child has found out; shared with its parent. */
typedef struct diary {
    int uncertain;         /* the note of which nobody can know, or 0 */
    bool there[NOTES + 1]; /* notes whose writing was acknowledged, and whose deleting was not */
    bool installed;
    agentchat_status first;  /* the first failure */
    aci_sql_outcome outcome; /* and what is known after it */
    agentchat_error err;
    uint64_t calls, failures;
} diary;

typedef struct attempt {
    const scene *s;
    diary *d;
    unsigned kinds;
    uint64_t fail_at;
    bool all_after, killed;
    int error_number;
} attempt;

static diary *diary_new(void)
{
    diary *d = mmap(NULL, sizeof *d, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    assert_true(d != MAP_FAILED);
    return d;
}

/* Notes a failure. Whether to go on. */
static bool note_failure(const attempt *a, agentchat_status status, aci_sql_outcome outcome, const agentchat_error *err)
{
    diary *d = a->d;

    if (status >= 0)
        return true;
    if (d->first >= 0) {
        d->first = status;
        d->outcome = outcome;
        d->err = *err;
    }
    return !a->killed;
}

static agentchat_status change(aci_sqlite_connection *c, int64_t id, bool writes, aci_sql_outcome *outcome,
                               agentchat_error *err)
{
    static char text[20000];
    aci_sql_value params[] = {integer_of(id), text_of((agentchat_str){text, id == 4 ? sizeof text : 10})};
    aci_sql_request request = {writes ? &note_insert : &note_delete, params, writes ? 2 : 1, NULL, NULL, 0};

    memset(text, 't', sizeof text);
    agentchat_error_clear(err);
    return aci_sqlite_driver.run(c, WRITE_ALL, &request, 1, outcome, err);
}

/* Writes all notes and deletes the second and the large one. */
static void change_notes(const attempt *a, aci_sqlite_connection **connection)
{
    static const int ids[] = {1, 2, 3, -2, 4, 5, -4, 6};
    aci_sql_outcome outcome = ACI_SQL_FINAL;
    agentchat_error err;

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        int id = ids[i] > 0 ? ids[i] : -ids[i];
        agentchat_status status;

        if (ids[i] < 0 && !a->d->there[id])
            continue;
        status = change(*connection, id, ids[i] > 0, &outcome, &err);
        if (status >= 0)
            a->d->there[id] = ids[i] > 0;
        else if (outcome == ACI_SQL_UNCERTAIN)
            a->d->uncertain = id;
        if (!note_failure(a, status, outcome, &err))
            return;
        if (!aci_sqlite_driver.is_alive(*connection)) {
            scene_close(*connection);
            status = scene_connect(a->s, connection, &err);
            if (!note_failure(a, status, ACI_SQL_FINAL, &err) || status < 0)
                return;
        }
    }
}

static int work(void *user)
{
    const attempt *a = user;
    aci_sqlite_connection *c = NULL;
    aci_sql_outcome outcome = ACI_SQL_FINAL;
    aci_sql_version version;
    agentchat_status status;
    agentchat_error err;

    memset(a->d, 0, sizeof *a->d);
    test_vfs_state = (test_vfs){.kinds = a->kinds,
                                .fail_at = a->fail_at,
                                .all_after = a->all_after,
                                .error_number = a->error_number,
                                .without_flushes = true};
    status = scene_connect(a->s, &c, &err);
    if (status >= 0)
        status = scene_install(c, 0, sqlite_script, &outcome, &err);
    a->d->installed = status >= 0;
    if (note_failure(a, status, outcome, &err) && status >= 0)
        change_notes(a, &c);
    if (c != NULL && !(a->killed && a->d->first < 0)) {
        agentchat_error_clear(&err);
        status = scene_version(c, &version, &outcome, &err);
        (void)note_failure(a, status, outcome, &err);
    }
    a->d->calls = test_vfs_state.calls;
    if (a->killed && a->d->first < 0)
        return die();
    scene_close(c);
    a->d->calls = test_vfs_state.calls;
    a->d->failures = test_vfs_state.failures;
    return 0;
}

/* ---- what must hold afterwards ----------------------------------------------------------------------------------- */

static agentchat_status take_id(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    bool *there = user;

    (void)err;
    assert_int_equal(count, 2);
    assert_in_range(columns[0].integer, 1, NOTES);
    there[columns[0].integer] = true;
    return AGENTCHAT_OK;
}

static void check_notes(const scene *s, const diary *d, const char *what, unsigned long n)
{
    bool there[NOTES + 1] = {false};
    aci_sql_value from = integer_of(0);
    aci_sqlite_connection *c = scene_open(s);
    aci_sql_outcome outcome;
    aci_sql_version version;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(scene_version(c, &version, &outcome, &err), &err);
    if (version.format == 0) {
        assert_false(d->installed);
        test_ok(scene_install(c, 0, sqlite_script, &outcome, &err), &err);
    }
    test_ok(run_note(c, READ_ALL, &note_select, &from, 1, take_id, there, NULL, &err), &err);
    for (int id = 1; id <= NOTES; id++) {
        if (there[id] != d->there[id] && id != d->uncertain)
            fail_msg("%s %lu: note %d is %s, but was %s (%s)", what, n, id, there[id] ? "there" : "missing",
                     d->there[id] ? "acknowledged" : "not", d->err.message);
    }
    test_ok(note_write(c, 77, AGENTCHAT_STR("works again"), &err), &err);
    scene_close(c);
    assert_int_equal(raw_ask(s->path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
}

static void remove_files(const scene *s)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];

    for (size_t i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", s->path, suffixes[i]);
        unlink(name);
    }
}

static void sweep(const scene *s, bool all_after, bool killed, int error_number)
{
    diary *d = diary_new();
    unsigned long failed = 0, uncertain = 0, n;

    for (n = 0;; n++) {
        attempt a = {s, d, TEST_VFS_ALL, n, all_after, killed, error_number};
        int result;

        remove_files(s);
        result = in_child(work, &a);
        assert_int_equal(result, killed && d->first < 0 ? -SIGKILL : 0);
        if (d->first < 0) {
            failed++;
            if (d->first != AGENTCHAT_E_IO)
                fail_msg("call %lu: %s, %s", n, agentchat_status_name(d->first), d->err.message);
            uncertain += d->outcome == ACI_SQL_UNCERTAIN;
            assert_true(d->outcome == ACI_SQL_FINAL || d->outcome == ACI_SQL_UNCERTAIN);
            assert_true(d->err.native != 0 && d->err.source[0] != '\0');
        }
        check_notes(s, d, "call", n);
        if (d->calls <= n)
            break;
    }
    print_message("%lu calls of the file system, of which %lu make something fail, %lu of them uncertain\n", n, failed,
                  uncertain);
    /* Only where nothing can be written any more may it remain open what stands in the log. */
    assert_true(all_after || uncertain == 0);
    assert_true(n > 100 && failed > 30);
    munmap(d, sizeof *d);
}

static void test_faults__each_call_alone(void **state)
{
    sweep(*state, false, false, EIO);
}

static void test_faults__each_call_and_all_later_ones(void **state)
{
    sweep(*state, true, false, EIO);
}

/* The next process finds in the log what the failed commit has left there. */
static void test_faults__killed_after_the_failure(void **state)
{
    sweep(*state, false, true, EIO);
    sweep(*state, false, true, ENOSPC);
}

static void test_faults__a_full_disk_says_so(void **state)
{
    scene *s = *state;
    diary *d = diary_new();
    attempt a = {s, d, TEST_VFS_WRITE, 12, true, false, ENOSPC};

    assert_int_equal(in_child(work, &a), 0);
    assert_int_equal(d->first, AGENTCHAT_E_IO);
    assert_non_null(strstr(d->err.message, "the disk is full"));
    assert_int_equal(d->err.native, SQLITE_FULL);
    check_notes(s, d, "write", 12);
    remove_files(s);
    a = (attempt){s, d, TEST_VFS_SYNC, 5, true, false, EIO};
    assert_int_equal(in_child(work, &a), 0);
    assert_int_equal(d->first, AGENTCHAT_E_IO);
    assert_non_null(strstr(d->err.message, ": Input/output error"));
    assert_int_equal(d->err.native, SQLITE_IOERR_FSYNC);
    munmap(d, sizeof *d);
}

/* ---- limits of the system ---------------------------------------------------------------------------------------- */

static int work_within_limit(void *user)
{
    const attempt *a = user;
    struct rlimit limit = {a->fail_at, RLIM_INFINITY};
    attempt plain = *a;

    if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR || setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return COULD_NOT;
    plain.fail_at = UINT64_MAX;
    return work(&plain);
}

static void test_faults__a_limit_on_the_size_of_files(void **state)
{
    scene *s = *state;
    diary *d = diary_new();
    size_t failed = 0;

    /* Every size of the log up to the largest, and more than that. */
    for (unsigned long limit = 0; limit < 200000; limit += limit < 12000 ? 509 : 4111) {
        attempt a = {s, d, 0, limit, false, false, 0};

        remove_files(s);
        assert_int_equal(in_child(work_within_limit, &a), 0);
        failed += d->first < 0;
        if (d->first < 0 && d->first != AGENTCHAT_E_IO)
            fail_msg("limit %lu: %s, %s", limit, agentchat_status_name(d->first), d->err.message);
        check_notes(s, d, "limit", limit);
    }
    assert_true(failed > 20);
    munmap(d, sizeof *d);
}

#if defined(__linux__)
/* Fills a small disk, gives room, goes on. */
static int fill_disk(void *user)
{
    static char text[3000], much[900000];
    const scene *s = user;
    aci_sqlite_connection *c;
    char *ballast = test_path(s->dir, "ballast");
    agentchat_error err;
    int64_t id = 1;

    memset(text, 'f', sizeof text);
    if (!mount_small(s->dir, "size=2000k", 0))
        return COULD_NOT;
    test_file_write(ballast, much, sizeof much);
    c = scene_open_tables(s);
    while (note_write(c, id, (agentchat_str){text, sizeof text}, &err) >= 0)
        id++;
    if (err.code != (int32_t)AGENTCHAT_E_IO || strstr(err.message, "the disk is full") == NULL || id < 10)
        return 1;
    if (note_write(c, id, (agentchat_str){text, sizeof text}, &err) >= 0)
        return 2;
    if (notes_in(c, READ_ALL) != id - 1)
        return 3;
    scene_close(c); /* there is no room to write the log into the file: it stays a log */
    c = scene_open(s);
    if (notes_in(c, READ_ALL) != id - 1)
        return 4;
    if (unlink(ballast) != 0)
        return 5;
    scene_close(c); /* now there is */
    c = scene_open(s);
    if (note_write(c, id, AGENTCHAT_STR("short"), &err) < 0)
        return 6;
    if (run_note(c, WRITE_ALL, &note_clear, NULL, 0, NULL, NULL, NULL, &err) < 0)
        return 7; /* deleting makes room */
    for (int64_t next = 1; next < 10; next++) {
        if (note_write(c, next, (agentchat_str){text, sizeof text}, &err) < 0)
            return 8;
    }
    scene_close(c);
    free(ballast);
    return 0;
}
#endif

static void test_faults__a_disk_that_becomes_full(void **state)
{
#if defined(__linux__)
    int result = in_child(fill_disk, *state);

    if (result == COULD_NOT)
        skip();
    assert_int_equal(result, 0);
#else
    (void)state;
    skip();
#endif
}

#define ON_FAULTS(test) cmocka_unit_test_setup_teardown(test, scene_set_up_vfs, scene_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_FAULTS(test_faults__each_call_alone),
        ON_FAULTS(test_faults__each_call_and_all_later_ones),
        ON_FAULTS(test_faults__killed_after_the_failure),
        ON_FAULTS(test_faults__a_full_disk_says_so),
        ON_FAULTS(test_faults__a_limit_on_the_size_of_files),
        ON_FAULTS(test_faults__a_disk_that_becomes_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
