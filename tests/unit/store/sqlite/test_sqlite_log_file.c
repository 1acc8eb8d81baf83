/* SPDX-License-Identifier: Apache-2.0 */
/* src/store/sqlite/file.c: a commit is written to the log at once, and nothing before it. */
#include "sqlite_support.h"
#include "sqlite_vfs.h"

#include <string.h>

enum { TURNS = 60, MANY = 2000 };

static size_t writes, bytes_written;

static void watch(unsigned kind, const char *name, const void *bytes, size_t len, uint64_t at)
{
    const char *suffix = strrchr(name, '-');

    (void)bytes;
    (void)at;
    if (kind != TEST_VFS_WRITE || suffix == NULL || strcmp(suffix, "-wal") != 0)
        return;
    writes++;
    bytes_written += len;
}

static void watch_from_now_on(void)
{
    writes = bytes_written = 0;
    test_vfs_watcher = watch;
}

static int tear_down(void **state)
{
    test_vfs_watcher = NULL;
    return scene_tear_down(state);
}

static void fill(char *text, size_t size, int64_t seed)
{
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + (char)((seed + (int64_t)i) % 26));
}

static void insert(aci_sqlite_connection *c, unsigned flags, int64_t id)
{
    char text[700];
    agentchat_error err;
    aci_sql_value params[2] = {integer_of(id), text_of((agentchat_str){text, sizeof text})};

    fill(text, sizeof text, id);
    assert_int_equal(run_note(c, flags, &note_insert, params, 2, NULL, NULL, NULL, &err), AGENTCHAT_OK);
}

static int64_t notes_of_others(const scene *s)
{
    return raw_ask(s->path, "SELECT COUNT(*) FROM note");
}

static void one_write_a_commit(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);

    insert(c, WRITE_ALL, 0);
    for (int64_t i = 1; i < TURNS; i++) {
        watch_from_now_on();
        insert(c, WRITE_ALL, i);
        assert_int_equal(writes, 1);
        assert_true(bytes_written % (4096 + 24) == 0);
        test_vfs_watcher = NULL;
        assert_int_equal(notes_of_others(s), i + 1);
    }
    scene_close(c);
}

/* Many more pages than the cache is to hold. */
static void nothing_before_the_commit(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);

    assert_int_equal(aci_sqlite_exec(c, "PRAGMA cache_size=10"), SQLITE_OK);
    for (int round = 0; round < 2; round++) {
        watch_from_now_on();
        for (int64_t i = 0; i < MANY; i++)
            insert(c, i == 0 ? ACI_SQL_BEGIN_WRITE : 0, i);
        assert_int_equal(writes, 0);
        if (round == 0) {
            aci_sqlite_rollback(c);
            assert_int_equal(writes, 0);
            assert_int_equal(notes_of_others(s), 0);
        }
    }
    insert(c, ACI_SQL_COMMIT, MANY);
    assert_true(writes > 1); /* it does not fit into the buffer */
    test_vfs_watcher = NULL;
    assert_int_equal(notes_of_others(s), MANY + 1);
    assert_int_equal(raw_ask(s->path, "SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
    scene_close(c);
}

/* What one has in mind of the log is not what stands there when the other has begun it anew. */
static void connections_that_take_turns(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *both[2] = {scene_open_tables(s), scene_open(s)};
    uint64_t random = 7;

    for (int64_t i = 0; i < 10 * TURNS; i++) {
        uint64_t number = next_random(&random);
        aci_sqlite_connection *c = both[number % 2];

        if (number / 2 % 4 == 0) {
            insert(c, ACI_SQL_BEGIN_WRITE, i);
            aci_sqlite_rollback(c);
        }
        insert(c, WRITE_ALL, i);
        assert_int_equal(notes_in(both[number / 8 % 2], READ_ALL), i + 1);
        if (number / 16 % 8 == 0)
            assert_int_equal(raw_ask(s->path, "PRAGMA wal_checkpoint(RESTART)"), 0);
        assert_int_equal(notes_of_others(s), i + 1);
    }
    assert_int_equal(raw_ask(s->path, "SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
    scene_close(both[0]);
    scene_close(both[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_write_a_commit, scene_set_up_vfs, tear_down),
        cmocka_unit_test_setup_teardown(nothing_before_the_commit, scene_set_up_vfs, tear_down),
        cmocka_unit_test_setup_teardown(connections_that_take_turns, scene_set_up_vfs, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
