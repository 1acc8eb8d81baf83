/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other programs, and files that are none: refused, left as they are, and closed again. */
#include "sqlite_support.h"

#include <unistd.h>

#define STORE "CREATE TABLE store(format INTEGER NOT NULL, reader INTEGER NOT NULL, writer INTEGER NOT NULL) STRICT;"

static void write_text(const char *path)
{
    test_file_write(path, "My notes.\nThey are no database, but they are long enough to be looked at.\n", 75);
}

static void write_other_id(const char *path)
{
    raw_run(path, "PRAGMA application_id=252006674; CREATE TABLE t(x)"); /* Fossil's */
}

static void write_other_tables(const char *path)
{
    raw_run(path, "CREATE TABLE \"events\x1b[31m\"(x); CREATE TABLE sessions(x)");
}

static void write_other_version(const char *path)
{
    raw_run(path, "PRAGMA user_version=7");
}

static void write_no_store(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463; CREATE TABLE t(x)");
}

static void write_other_store(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463; CREATE TABLE store(format, reader, writer);"
                  "INSERT INTO store VALUES(3, 2, 3)");
}

static void write_empty_store(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463;" STORE);
}

static void write_odd_store(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463;" STORE "INSERT INTO store VALUES(0, 1, 1)");
}

static void write_two_stores(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463;" STORE "INSERT INTO store VALUES(1, 1, 1), (2, 1, 1)");
}

static void write_other_with_log(const char *path)
{
    raw_run(path, "PRAGMA journal_mode=WAL; CREATE TABLE sessions(x)");
}

static void test_files__foreign_files_are_refused_and_left_alone(void **state)
{
    static const struct {
        void (*write)(const char *path);
        agentchat_status status;
        const char *message;
    } cases[] = {
        {write_text, AGENTCHAT_E_CORRUPT, "the file is no SQLite database, or its beginning is damaged"},
        {write_other_id, AGENTCHAT_E_SCHEMA, "another program (its application_id is 0x0f055112)"},
        {write_other_tables, AGENTCHAT_E_SCHEMA, "another program (it holds \"events?[31m\" and 1 more)"},
        {write_other_with_log, AGENTCHAT_E_SCHEMA, "another program (it holds \"sessions\")"},
        {write_other_version, AGENTCHAT_E_SCHEMA, "another program (its user_version is 7)"},
        {write_no_store, AGENTCHAT_E_SCHEMA, "the table \"store\" is missing"},
        {write_other_store, AGENTCHAT_E_SCHEMA, "the table \"store\" is not as a store has it"},
        {write_empty_store, AGENTCHAT_E_CORRUPT, "does not hold one version"},
        {write_odd_store, AGENTCHAT_E_CORRUPT, "does not hold one version"},
        {write_two_stores, AGENTCHAT_E_CORRUPT, "does not hold one version"},
    };
    scene *s = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aci_sql_version version;
        agentchat_error err;
        size_t before, after;
        char *old, *now;

        cases[i].write(s->path);
        old = test_file_read(s->path, &before);
        for (int reading = 0; reading < 2; reading++) {
            s->options.read_only = reading != 0;
            test_fails(version_of(s, &version, &err), &err, cases[i].status, NULL, cases[i].message);
            assert_non_null(strstr(err.source, "store.db"));
        }
        s->options.read_only = false;
        now = test_file_read(s->path, &after);
        if (cases[i].status == AGENTCHAT_E_SCHEMA || i == 0) {
            assert_int_equal(after, before);
            assert_memory_equal(now, old, before);
        }
        assert_false(exists(s->path, "-wal"));
        assert_false(exists(s->path, "-shm"));
        assert_false(exists(s->path, "-journal"));
        free(old);
        free(now);
        assert_int_equal(unlink(s->path), 0);
    }
}

static void test_files__a_foreign_log_stays_where_it_is(void **state)
{
    scene *s = *state;
    char *log = test_path(s->dir, "store.db-wal"), *copy = test_path(s->dir, "copy.db"), *copied_log;
    aci_sql_version version;
    agentchat_error err;
    sqlite3 *db = NULL;
    size_t len, log_len, after;
    char *bytes, *log_bytes, *now;

    /* What a program that was killed leaves. */
    assert_int_equal(sqlite3_open(s->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode=WAL; CREATE TABLE t(x)", NULL, NULL, NULL), SQLITE_OK);
    bytes = test_file_read(s->path, &len);
    log_bytes = test_file_read(log, &log_len);
    sqlite3_close(db);
    free(s->path);
    s->path = copy;
    copied_log = test_path(s->dir, "copy.db-wal");
    test_file_write(copy, bytes, len);
    test_file_write(copied_log, log_bytes, log_len);

    test_fails(version_of(s, &version, &err), &err, AGENTCHAT_E_SCHEMA, NULL, "(it holds \"t\")");
    now = test_file_read(copy, &after);
    assert_int_equal(after, len);
    assert_memory_equal(now, bytes, len);
    free(now);
    now = test_file_read(copied_log, &after);
    assert_int_equal(after, log_len);
    assert_memory_equal(now, log_bytes, log_len);
    free(now);
    free(bytes);
    free(log_bytes);
    free(log);
    free(copied_log);
}

/* ---- descriptors ----------------------------------------------------------------------------------------------- */

static int next_descriptor(void)
{
    int fd = dup(0);

    close(fd);
    return fd;
}

static void test_files__no_descriptor_is_left_open(void **state)
{
    scene *s = *state;
    int before = next_descriptor();
    aci_sqlite_connection *first = scene_open_tables(s), *second = scene_open(s);
    aci_sql_version version;
    agentchat_error err;

    test_ok(note_write(second, 1, AGENTCHAT_STR("a"), &err), &err);
    assert_int_equal(notes_in(first, READ_ALL), 1);
    scene_close(first);
    scene_close(second);
    assert_int_equal(next_descriptor(), before);
    write_text(s->path);
    assert_true(version_of(s, &version, &err) < 0);
    assert_int_equal(next_descriptor(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SCENE(test_files__foreign_files_are_refused_and_left_alone),
        ON_SCENE(test_files__a_foreign_log_stays_where_it_is),
        ON_SCENE(test_files__no_descriptor_is_left_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
