/* SPDX-License-Identifier: Apache-2.0 */
/* src/store/sqlite/run.c: who copies the log into the file, and how a log that has become long becomes short. */
#include "sqlite_support.h"
#include "sqlite_vfs.h"

#include <string.h>
#include <sys/stat.h>

enum { PAGES = 1500, CUT = 8 << 20, LIMIT = 16 << 20 };

static size_t copied; /* pages that were written into the file itself */

static void watch(unsigned kind, const char *name, const void *bytes, size_t len, uint64_t at)
{
    (void)bytes;
    (void)len;
    (void)at;
    copied += kind == TEST_VFS_WRITE && strstr(name, "-wal") == NULL;
}

static int tear_down(void **state)
{
    test_vfs_watcher = NULL;
    return scene_tear_down(state);
}

static int64_t id_of_next;

static void write_notes(aci_sqlite_connection *c, size_t count, size_t len)
{
    char *text = malloc(len);
    aci_sql_value params[2];
    agentchat_error err;

    assert_non_null(text);
    memset(text, 'a', len);
    for (size_t i = 0; i < count; i++) {
        params[0] = integer_of(id_of_next++);
        params[1] = text_of((agentchat_str){text, len});
        test_ok(run_note(c, WRITE_ALL, &note_insert, params, 2, NULL, NULL, NULL, &err), &err);
    }
    free(text);
}

/* What has been copied when the connection has written a note. */
static size_t copied_by_a_note(aci_sqlite_connection *c)
{
    copied = 0;
    test_vfs_watcher = watch;
    write_notes(c, 1, 10);
    test_vfs_watcher = NULL;
    return copied;
}

/* A log of many pages that was not copied, because somebody has read meanwhile. */
static void make_long_log(const scene *s, aci_sqlite_connection *writer, size_t notes, size_t len)
{
    aci_sqlite_connection *reader = scene_open(s);

    (void)notes_in(reader, ACI_SQL_BEGIN_READ);
    write_notes(writer, notes, len);
    (void)notes_in(reader, ACI_SQL_COMMIT);
    scene_close(reader);
}

static void who_has_written_little_leaves_it(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *much = scene_open_tables(s), *little = scene_open(s);

    make_long_log(s, much, 100, 40000);
    little->written_pages = 0;
    assert_int_equal(copied_by_a_note(little), 0);
    assert_int_equal(copied_by_a_note(little), 0);
    little->written_pages = 1000;
    assert_true(copied_by_a_note(little) > PAGES);
    assert_int_equal(little->written_pages, 0);
    scene_close(little);
    scene_close(much);
}

static void calls_that_take_long_copy_it(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *much = scene_open_tables(s), *call = scene_open(s);

    make_long_log(s, much, 100, 40000);
    call->written_pages = 0;
    call->call.unbounded = true;
    assert_true(copied_by_a_note(call) > PAGES);
    scene_close(call);
    scene_close(much);
}

static void who_has_read_for_long_copies_it(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *much = scene_open_tables(s), *call = scene_open(s);

    for (int is_long = 0; is_long < 2; is_long++) {
        call->call.unbounded = is_long != 0;
        (void)notes_in(call, ACI_SQL_BEGIN_READ);
        write_notes(much, 100, 40000);
        call->began_us = 0;
        copied = 0;
        test_vfs_watcher = watch;
        aci_sqlite_end(call);
        test_vfs_watcher = NULL;
        assert_int_equal(copied > PAGES, is_long);
    }
    scene_close(call);
    scene_close(much);
}

static int64_t size_of_log(const scene *s)
{
    char name[ACI_SQLITE_LONGEST_PATH + ACI_SQLITE_LONGEST_SUFFIX];
    struct stat info;

    snprintf(name, sizeof name, "%s-wal", s->path);
    assert_int_equal(stat(name, &info), 0);
    return info.st_size;
}

/* In one piece it could take so long that others would notice it. */
static void a_long_log_is_cut_piece_by_piece(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    int64_t size, expected;
    unsigned pieces = 0;

    make_long_log(s, c, 200, 100000);
    c->call.unbounded = true;
    write_notes(c, 1, 10); /* copies it all */
    size = size_of_log(s);
    assert_true(size > LIMIT + 2 * CUT);
    while (size > LIMIT) {
        expected = size - CUT > LIMIT ? size - CUT : LIMIT;
        write_notes(c, 1, 10); /* begins the log anew */
        size = size_of_log(s);
        assert_int_equal(size, expected);
        write_notes(c, 1, 1000000); /* so much that it is copied */
        pieces++;
    }
    assert_true(pieces > 2);
    assert_int_equal(raw_ask(s->path, "SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
    scene_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_has_written_little_leaves_it, scene_set_up_vfs, tear_down),
        cmocka_unit_test_setup_teardown(calls_that_take_long_copy_it, scene_set_up_vfs, tear_down),
        cmocka_unit_test_setup_teardown(who_has_read_for_long_copies_it, scene_set_up_vfs, tear_down),
        cmocka_unit_test_setup_teardown(a_long_log_is_cut_piece_by_piece, scene_set_up_vfs, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
