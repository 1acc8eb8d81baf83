/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program is killed while it makes a file, or switches one to the log: at each write, flush, cut and removal, with
 * the files left as they are then, or with half of the write. Whatever it leaves, the next program makes the store.
 */
#include "sqlite_support.h"
#include "sqlite_vfs.h"

#include <unistd.h>

#define CHANGES (TEST_VFS_WRITE | TEST_VFS_SYNC | TEST_VFS_TRUNCATE | TEST_VFS_DELETE | TEST_VFS_OPEN)

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

static int make(void *user)
{
    test_vfs_watcher = count;
    scene_close(scene_open_tables(user));
    return 0;
}

static void remove_files(const scene *s)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];

    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        snprintf(name, sizeof name, "%s%s", s->path, suffixes[i]);
        unlink(name);
    }
}

/* Reading finds a store or none; making one afterwards leaves a store that works. */
static void look_and_make(scene *s)
{
    aci_sql_version version = {0, 0, 0};
    aci_sqlite_connection *c;
    agentchat_error err;

    s->options.read_only = true;
    if (access(s->path, F_OK) == 0) {
        test_ok(version_of(s, &version, &err), &err);
        assert_true(version.format == 0 || version.format == 3);
    }
    s->options.read_only = false;
    c = scene_open_tables(s);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    assert_int_equal(notes_in(c, READ_ALL), 1);
    scene_close(c);
    assert_int_equal(raw_ask(s->path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
    assert_false(exists(s->path, "-journal"));
}

static size_t kill_everywhere(scene *s, void (*prepare)(const scene *s))
{
    size_t kills = 0;

    for (kill_at = 0;; kill_at++) {
        int result;

        remove_files(s);
        if (prepare != NULL)
            prepare(s);
        seen = 0;
        result = in_child(make, s);
        if (result == 0)
            break;
        assert_int_equal(result, -9);
        kills++;
        look_and_make(s);
    }
    print_message("killed at %zu points\n", kills);
    return kills;
}

static void test_making__a_new_file(void **state)
{
    assert_true(kill_everywhere(*state, NULL) > 10);
}

static void make_empty_database(const scene *s)
{
    raw_run(s->path, "PRAGMA page_size=1024; VACUUM");
}

static void test_making__in_an_empty_database_of_another_program(void **state)
{
    assert_true(kill_everywhere(*state, make_empty_database) > 10);
}

static void make_store_without_log(const scene *s)
{
    aci_sqlite_connection *c = scene_open_tables(s);

    scene_close(c);
    raw_run(s->path, "PRAGMA journal_mode=DELETE");
}

static void test_making__a_store_that_goes_back_to_its_log(void **state)
{
    assert_true(kill_everywhere(*state, make_store_without_log) > 3);
}

/* What was written of the first page, without the journal that would undo it. */
static void test_making__what_has_no_journal_is_named(void **state)
{
    scene *s = *state;
    size_t len, lens[] = {16, 99, 100, 511};
    char *bytes;

    make_store_without_log(s);
    bytes = test_file_read(s->path, &len);
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        aci_sql_version version;
        agentchat_error err;

        remove_files(s);
        test_file_write(s->path, bytes, lens[i]);
        test_fails(version_of(s, &version, &err), &err, AGENTCHAT_E_CORRUPT, NULL, "damaged");
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_making__a_new_file, scene_set_up_vfs, scene_tear_down),
        cmocka_unit_test_setup_teardown(test_making__in_an_empty_database_of_another_program, scene_set_up_vfs,
                                        scene_tear_down),
        cmocka_unit_test_setup_teardown(test_making__a_store_that_goes_back_to_its_log, scene_set_up_vfs,
                                        scene_tear_down),
        cmocka_unit_test_setup_teardown(test_making__what_has_no_journal_is_named, scene_set_up_vfs, scene_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
