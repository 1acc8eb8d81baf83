/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are being made, and files of programs of another version: nothing is written to those. */
#include "unit/store/sqlite/sqlite_support.h"
#include "unit/store/sqlite/sqlite_vfs.h"

#include <agentchat/session.h>
#include <agentchat/store.h>
#include <stdio.h>
#include <unistd.h>

#define CHANGES (TEST_VFS_WRITE | TEST_VFS_SYNC | TEST_VFS_TRUNCATE | TEST_VFS_DELETE | TEST_VFS_OPEN)

static void remove_files(const scene *s)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        snprintf(name, sizeof name, "%s%s", s->path, suffixes[i]);
        unlink(name);
    }
}

static void open_and_close(void *user)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    test_ok(agentchat_store_open(NULL, user, NULL, &store, &err), &err);
    agentchat_store_close(store);
}

/* Opening a file fails, and changes nothing. */
static void expect_refused(const scene *s, bool read_only, const char *message)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;
    size_t len, len_after;
    char *before = test_file_read(s->path, &len), *after;

    options.read_only = read_only;
    test_fails(agentchat_store_open(NULL, s->path, &options, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, message);
    after = test_file_read(s->path, &len_after);
    assert_int_equal(len, len_after);
    assert_memory_equal(before, after, len);
    free(before);
    free(after);
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

/* At each write, flush, cut and removal: a reader finds no store or all of it, and the next one makes it. */
static void test_making__that_is_killed_is_gone_on_with(void **state)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    scene *s = *state;
    size_t kills = 0;

    options.read_only = true;
    for (kill_at = 0;; kill_at++) {
        agentchat_store *store = NULL;
        agentchat_error err;
        int result;

        remove_files(s);
        seen = 0;
        result = in_child(bring_up, s->path);
        if (result == 0)
            break;
        assert_int_equal(result, -9);
        kills++;
        if (agentchat_store_open(NULL, s->path, &options, &store, &err) < 0)
            assert_int_equal(err.code, AGENTCHAT_E_NOTFOUND);
        agentchat_store_close(store);
        open_and_close(s->path);
        assert_int_equal(raw_ask(s->path, "SELECT count(*) FROM service"), 3);
        assert_int_equal(raw_ask(s->path, "SELECT count(*) FROM session"), 0);
    }
    print_message("killed at %zu points\n", kills);
    assert_true(kills > 10);
}

/* ---- programs of another age ------------------------------------------------------------------------------------ */

static void test_versions__a_newer_store_is_left_alone(void **state)
{
    static const char *const newer[] = {"UPDATE store SET format = 3, reader = 3, writer = 3",
                                        "UPDATE service SET version = 4, reader = 4, writer = 4",
                                        "UPDATE service SET version = 4, reader = 2, writer = 4"};
    agentchat_session_id who = {"shop", "alice", "s1"};
    scene *s = *state;

    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        agentchat_store *open = NULL;
        agentchat_session *session = NULL;
        agentchat_error err;

        remove_files(s);
        test_ok(agentchat_store_open(NULL, s->path, NULL, &open, &err), &err);
        test_ok(agentchat_session_create(open, &who, NULL, &session, &err), &err);
        raw_run(s->path, newer[i]);
        if (i > 0) /* one that was open finds out by the row of its service */
            test_fails(agentchat_session_add(session, "count", 1, NULL, &err), &err, AGENTCHAT_E_VERSION, NULL,
                       "must not write");
        agentchat_session_free(session);
        agentchat_store_close(open);
        expect_refused(s, false, "must not write");
    }
}

/* What programs made before the first release is not read, and the message says so. */
static void test_versions__an_older_store_is_refused(void **state)
{
    static const struct {
        const char *change, *message;
    } older[] = {
        {"UPDATE service SET version = 2, reader = 2, writer = 2 WHERE name = 'thread'",
         "thread tables of version 2, of a program before the first release"},
        {"UPDATE service SET version = 2, reader = 2, writer = 2 WHERE name = 'session'",
         "session tables of version 2, of a program before the first release"},
        {"DROP TABLE service; UPDATE store SET format = 1, reader = 1, writer = 1; PRAGMA user_version = 1",
         "layout 1, of a program before the first release"},
    };
    scene *s = *state;

    for (size_t i = 0; i < sizeof older / sizeof *older; i++) {
        remove_files(s);
        open_and_close(s->path);
        raw_run(s->path, older[i].change);
        expect_refused(s, false, older[i].message);
        expect_refused(s, true, older[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SCENE(test_versions__a_newer_store_is_left_alone),
        ON_SCENE(test_versions__an_older_store_is_refused),
        cmocka_unit_test_setup_teardown(test_making__that_is_killed_is_gone_on_with, scene_set_up_vfs, scene_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
