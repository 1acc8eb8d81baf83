/* SPDX-License-Identifier: Apache-2.0 */
/* Bringing older files up to date: nothing is lost, whoever is killed, reads or does the same meanwhile. */
#include "unit/store/sqlite/sqlite_support.h"
#include "unit/store/sqlite/sqlite_vfs.h"

#include "store/migration.h"
#include <stdio.h>
#include <unistd.h>

#define CHANGES (TEST_VFS_WRITE | TEST_VFS_SYNC | TEST_VFS_TRUNCATE | TEST_VFS_DELETE | TEST_VFS_OPEN)

typedef struct old_file {
    scene *s;
    char url[4200];
    char *expected;
} old_file;

static void remove_files(const scene *s)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        snprintf(name, sizeof name, "%s%s", s->path, suffixes[i]);
        unlink(name);
    }
}

static void make_old(const old_file *f)
{
    char *sql = migration_data("layout-1.sqlite.sql");

    remove_files(f->s);
    raw_run(f->s->path, sql);
    free(sql);
}

static old_file begin(void **state)
{
    old_file f = {*state, "", migration_data("layout-1.sqlite.sessions")};

    snprintf(f.url, sizeof f.url, "sqlite:%s", f.s->path);
    make_old(&f);
    return f;
}

static void end(old_file *f)
{
    free(f->expected);
}

static void test_migration__keeps_everything(void **state)
{
    old_file f = begin(state);

    migration_expect(f.url, false, f.expected);
    assert_int_equal(raw_ask(f.s->path, "SELECT format * 100 + reader * 10 + writer FROM store"), 222);
    assert_int_equal(raw_ask(f.s->path, "SELECT version FROM service WHERE name = 'session'"), 2);
    assert_int_equal(raw_ask(f.s->path, "PRAGMA user_version"), 2);
    migration_expect(f.url, true, f.expected);
    migration_expect(f.url, false, f.expected);
    migration_write(f.url);
    end(&f);
}

/* Layout 2 as it was when sessions had no checksums. */
static void test_migration__of_sessions_without_checksums(void **state)
{
    static const char layout_2[] =
        "CREATE TABLE service(name TEXT NOT NULL, version INTEGER NOT NULL, reader INTEGER NOT NULL,"
        " writer INTEGER NOT NULL, PRIMARY KEY(name)) STRICT, WITHOUT ROWID;"
        "UPDATE store SET format = 2, reader = 2, writer = 2; INSERT INTO service VALUES('session', 1, 1, 1);"
        "PRAGMA user_version = 2";
    old_file f = begin(state);

    raw_run(f.s->path, layout_2);
    migration_expect(f.url, true, f.expected);
    assert_int_equal(raw_ask(f.s->path, "SELECT version FROM service WHERE name = 'session'"), 1);
    migration_expect(f.url, false, f.expected);
    assert_int_equal(raw_ask(f.s->path, "SELECT version FROM service WHERE name = 'session'"), 2);
    assert_int_equal(raw_ask(f.s->path, "SELECT COUNT(*) FROM event WHERE sum IS NOT NULL"), 0);
    migration_write(f.url);
    end(&f);
}

static void test_migration__is_not_for_who_reads(void **state)
{
    old_file f = begin(state);
    size_t len, len_after;
    char *before = test_file_read(f.s->path, &len), *after;

    migration_expect(f.url, true, f.expected);
    after = test_file_read(f.s->path, &len_after);
    assert_int_equal(len, len_after);
    assert_memory_equal(before, after, len);
    free(before);
    free(after);
    end(&f);
}

/* A store that was opened to read when it had layout 1 reads on when others have brought it up to date. */
static void test_migration__under_a_reader(void **state)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    old_file f = begin(state);
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_error err;

    options.read_only = true;
    test_ok(agentchat_store_open(NULL, f.url, &options, &store, &err), &err);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){"shop", "alice", "s1"}, NULL, &session, &err), &err);
    migration_expect(f.url, false, f.expected);
    test_ok(agentchat_session_refresh(session, &err), &err);
    raw_run(f.s->path, "UPDATE service SET version = 3, reader = 3, writer = 3");
    test_fails(agentchat_session_refresh(session, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not read");
    agentchat_session_free(session);
    agentchat_store_close(store);
    end(&f);
}

static void open_and_close(void *user)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    test_ok(agentchat_store_open(NULL, user, NULL, &store, &err), &err);
    agentchat_store_close(store);
}

static void test_migration__by_several_at_once_happens_once(void **state)
{
    old_file f = begin(state);

    for (int round = 0; round < 10; round++) {
        make_old(&f);
        migration_together(4, open_and_close, f.url);
        migration_expect(f.url, false, f.expected);
    }
    end(&f);
}

/* ---- killed ----------------------------------------------------------------------------------------------------- */

static uint64_t kill_at, seen;

static void count(unsigned kind, const char *name, const void *bytes, size_t len, uint64_t at)
{
    (void)kind;
    (void)name;
    (void)bytes;
    (void)len;
    (void)at;
    if (seen++ == kill_at)
        _exit(die());
}

static int bring_up(void *user)
{
    test_vfs_watcher = count;
    open_and_close(user);
    return 0;
}

/* At each write, flush, cut and removal. Whoever comes then reads what was there, in the old layout or the new one, and
   who may write goes on with it. */
static void test_migration__that_is_killed_is_gone_on_with(void **state)
{
    old_file f = begin(state);
    size_t kills = 0;

    for (kill_at = 0;; kill_at++) {
        int result;

        make_old(&f);
        seen = 0;
        result = in_child(bring_up, f.url);
        if (result == 0)
            break;
        assert_int_equal(result, -9);
        kills++;
        migration_expect(f.url, true, f.expected);
        migration_expect(f.url, false, f.expected);
        assert_int_equal(raw_ask(f.s->path, "SELECT format FROM store"), 2);
        migration_write(f.url);
    }
    print_message("killed at %zu points\n", kills);
    assert_true(kills > 5);
    end(&f);
}

/* The same for a store that is made: there is none or all of it for who reads. */
static void test_making__that_is_killed_is_gone_on_with(void **state)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    old_file f = begin(state);
    size_t kills = 0;

    options.read_only = true;
    for (kill_at = 0;; kill_at++) {
        agentchat_store *store = NULL;
        agentchat_error err;
        int result;

        remove_files(f.s);
        seen = 0;
        result = in_child(bring_up, f.url);
        if (result == 0)
            break;
        assert_int_equal(result, -9);
        kills++;
        if (agentchat_store_open(NULL, f.url, &options, &store, &err) < 0)
            assert_int_equal(err.code, AGENTCHAT_E_NOTFOUND);
        agentchat_store_close(store);
        open_and_close(f.url);
        assert_int_equal(raw_ask(f.s->path, "SELECT count(*) FROM service"), 2);
        assert_int_equal(raw_ask(f.s->path, "SELECT count(*) FROM session"), 0);
    }
    print_message("killed at %zu points\n", kills);
    assert_true(kills > 10);
    end(&f);
}

/* ---- programs of another age ------------------------------------------------------------------------------------ */

/* The driver as a program of layout 1 had it: that layout is the only one, and no service has a version of its own. */
static void test_migration__a_program_of_layout_1_is_too_old_for_it(void **state)
{
    static const aci_sql_layout layout_1[] = {
        {1, "CREATE TABLE store(format INTEGER NOT NULL, reader INTEGER NOT NULL, writer INTEGER NOT NULL) STRICT",
         false, 0}};
    static const aci_sql_host old = {layout_1, 1, NULL, 0, NULL};
    static const aci_sql_statement look = {0, 0, "SELECT format, reader, writer FROM store"};
    aci_sql_request request = {.statement = &look};
    aci_sqlite_database *database = NULL;
    aci_sql_versions versions;
    aci_sql_outcome outcome;
    void *connection = NULL;
    old_file f = begin(state);
    aci_sql_host host = old;
    agentchat_error err;

    migration_expect(f.url, false, f.expected);
    host.interrupts = scene_host.interrupts;
    agentchat_error_clear(&err);
    test_ok(aci_sqlite_database_new(NULL, f.s->path, &f.s->options, &database, &err), &err);
    aci_sqlite_driver.attach(database, &host);
    test_ok(aci_sqlite_driver.connect(database, 1000, &connection, &outcome, &err), &err);
    test_ok(aci_sqlite_driver.version(connection, &versions, &outcome, &err), &err);
    assert_int_equal(versions.store.format, 2);
    assert_true(versions.store.reader > 1 && versions.store.writer > 1); /* what it goes by, in every transaction */
    test_ok(aci_sqlite_driver.run(connection, READ_ALL, &request, 1, &outcome, &err), &err);
    aci_sqlite_driver.disconnect(connection);
    aci_sqlite_driver.free(database);
    end(&f);
}

/* This program as the older one, and a store that a newer one has changed: nothing is written. */
static void test_migration__a_newer_store_is_left_alone(void **state)
{
    static const char *const newer[] = {"UPDATE store SET format = 3, reader = 3, writer = 3",
                                        "UPDATE service SET version = 3, reader = 3, writer = 3",
                                        "UPDATE service SET version = 3, reader = 2, writer = 3"};
    old_file f = begin(state);
    agentchat_error err;

    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        agentchat_store *open = NULL, *store = NULL;
        agentchat_session *session = NULL;
        size_t len, len_after;
        char *before, *after;

        make_old(&f);
        test_ok(agentchat_store_open(NULL, f.url, NULL, &open, &err), &err);
        test_ok(agentchat_session_get(open, &(agentchat_session_id){"shop", "alice", "s1"}, NULL, &session, &err),
                &err);
        raw_run(f.s->path, newer[i]);
        if (i > 0) /* one that was open finds out by the row of its service */
            test_fails(agentchat_session_add(session, "count", 1, NULL, &err), &err, AGENTCHAT_E_VERSION, NULL,
                       "must not write");
        agentchat_session_free(session);
        agentchat_store_close(open);
        before = test_file_read(f.s->path, &len);
        test_fails(agentchat_store_open(NULL, f.url, NULL, &store, &err), &err, AGENTCHAT_E_VERSION, NULL,
                   "must not write");
        after = test_file_read(f.s->path, &len_after);
        assert_int_equal(len, len_after);
        assert_memory_equal(before, after, len);
        free(before);
        free(after);
    }
    end(&f);
}

/* Thread tables of before the first release are not brought up to date, and the message says so. */
static void test_migration__of_thread_tables_that_were_never_released(void **state)
{
    old_file f = begin(state);
    agentchat_store *store = NULL;
    agentchat_error err;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;

    migration_expect(f.url, false, f.expected);
    raw_run(f.s->path, "UPDATE service SET version = 1, reader = 1, writer = 1 WHERE name = 'thread'");
    for (size_t i = 0; i < 2; i++) {
        options.read_only = i == 1;
        test_fails(agentchat_store_open(NULL, f.url, &options, &store, &err), &err, AGENTCHAT_E_VERSION, NULL,
                   "thread tables of version 1, of a program before the first release");
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SCENE(test_migration__keeps_everything),
        ON_SCENE(test_migration__of_sessions_without_checksums),
        ON_SCENE(test_migration__is_not_for_who_reads),
        ON_SCENE(test_migration__under_a_reader),
        ON_SCENE(test_migration__by_several_at_once_happens_once),
        ON_SCENE(test_migration__a_program_of_layout_1_is_too_old_for_it),
        ON_SCENE(test_migration__a_newer_store_is_left_alone),
        ON_SCENE(test_migration__of_thread_tables_that_were_never_released),
        cmocka_unit_test_setup_teardown(test_migration__that_is_killed_is_gone_on_with, scene_set_up_vfs,
                                        scene_tear_down),
        cmocka_unit_test_setup_teardown(test_making__that_is_killed_is_gone_on_with, scene_set_up_vfs, scene_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
