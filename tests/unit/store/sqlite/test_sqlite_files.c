/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the SQLite driver: new ones, what it sets in them, and what their names may be. */
#include "sqlite_support.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- new files ------------------------------------------------------------------------------------------------- */

static void test_files__a_new_file_is_made_for_its_owner_only(void **state)
{
    scene *s = *state;
    mode_t mask = umask(022);
    aci_sqlite_connection *c = scene_open(s);
    aci_sql_version version;
    aci_sql_outcome outcome;
    agentchat_error err;
    struct stat info;

    umask(mask);
    agentchat_error_clear(&err);
    test_ok(scene_version(c, &version, &outcome, &err), &err);
    assert_int_equal(version.format, 0);
    assert_int_equal(stat(s->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    scene_close(c);
    assert_int_equal(stat(s->path, &info), 0);
    assert_int_equal(info.st_size, 0); /* nothing is written before the tables */

    c = scene_open_tables(s);
    test_ok(scene_version(c, &version, &outcome, &err), &err);
    assert_int_equal(version.format, 3);
    assert_int_equal(version.reader, 2);
    assert_int_equal(version.writer, 3);
    assert_true(exists(s->path, "-wal"));
    scene_close(c);
    assert_false(exists(s->path, "-wal"));
    assert_false(exists(s->path, "-shm"));
    assert_int_equal(raw_ask(s->path, "PRAGMA application_id"), 0x61677463);
    assert_int_equal(raw_ask(s->path, "PRAGMA user_version"), 3);
    assert_int_equal(raw_ask(s->path, "PRAGMA auto_vacuum"), 2);
    assert_int_equal(raw_ask(s->path, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
    assert_int_equal(raw_ask(s->path, "SELECT count(*) FROM sqlite_schema WHERE name = 'note'"), 1);
}

static void test_files__an_empty_database_becomes_a_store(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c;

    /* Somebody has opened it with another tool, which wrote a first page. */
    raw_run(s->path, "CREATE TABLE t(x); DROP TABLE t;");
    assert_int_equal(raw_ask(s->path, "PRAGMA auto_vacuum"), 0);
    c = scene_open_tables(s);
    scene_close(c);
    assert_int_equal(raw_ask(s->path, "PRAGMA auto_vacuum"), 2);
    assert_int_equal(raw_ask(s->path, "SELECT format FROM store"), 3);
}

static void test_files__installing_twice_does_nothing(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    aci_sql_outcome outcome;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(scene_install(c, 0, sqlite_script, &outcome, &err), &err);
    test_ok(scene_install(c, 2, "syntax error", &outcome, &err), &err);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    /* From 3 to 4. */
    test_ok(scene_install(c, 3, "UPDATE store SET format = 4; CREATE TABLE more(x) STRICT;", &outcome, &err) < 0
                ? AGENTCHAT_OK
                : AGENTCHAT_E_INTERNAL,
            NULL); /* STRICT wants a type */
    agentchat_error_clear(&err);
    assert_int_equal(notes_in(c, READ_ALL), 1);
    assert_int_equal(raw_ask(s->path, "SELECT format FROM store"), 3);
    test_ok(scene_install(c, 3, "UPDATE store SET format = 4; CREATE TABLE more(x ANY) STRICT;", &outcome, &err), &err);
    scene_close(c);
    assert_int_equal(raw_ask(s->path, "SELECT format FROM store"), 4);
    assert_int_equal(raw_ask(s->path, "PRAGMA user_version"), 4);
    assert_int_equal(raw_ask(s->path, "SELECT count(*) FROM note"), 1);
}

static void test_files__a_connection_trusts_nothing(void **state)
{
    static const struct {
        const char *sql;
        int64_t value;
    } settings[] = {
        {"PRAGMA synchronous", 2},
        {"PRAGMA trusted_schema", 0},
        {"PRAGMA cell_size_check", 1},
        {"PRAGMA mmap_size", 0},
        {"PRAGMA temp_store", 2},
        {"PRAGMA secure_delete", 2},
        {"PRAGMA journal_size_limit", 16777216},
    };
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    int64_t value;

    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        value = -1;
        (void)aci_sqlite_ask(c, settings[i].sql, &value); /* mmap_size has no row where there is no mmap */
        if (value != settings[i].value && !(i == 3 && value == -1))
            fail_msg("%s is %lld", settings[i].sql, (long long)value);
    }
    assert_int_equal(aci_sqlite_exec(c, "ATTACH ':memory:' AS other"), SQLITE_ERROR);
    assert_int_equal(aci_sqlite_exec(c, "SELECT load_extension('x')"), SQLITE_ERROR);
    assert_int_equal(aci_sqlite_exec(c, "SELECT \"x\" FROM note"), SQLITE_ERROR);
    assert_int_equal(aci_sqlite_exec(c, "PRAGMA writable_schema=ON"), SQLITE_OK);
    assert_int_equal(aci_sqlite_exec(c, "DELETE FROM sqlite_schema"), SQLITE_ERROR);
    scene_close(c);
    s->options.durability = AGENTCHAT_DURABILITY_NORMAL;
    c = scene_open(s);
    assert_int_equal(aci_sqlite_ask(c, "PRAGMA synchronous", &value), SQLITE_OK);
    assert_int_equal(value, 1);
    scene_close(c);
}

static void test_files__triggers_of_a_file_do_not_run(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *none = NULL;
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;

    scene_close(c);
    raw_run(s->path, "CREATE TRIGGER evil AFTER INSERT ON note BEGIN DELETE FROM note; END;");
    test_fails(scene_connect(s, &none, &err), &err, AGENTCHAT_E_SCHEMA, NULL,
               "the trigger \"evil\" belongs to no store");
    raw_run(s->path, "DROP TRIGGER evil");
    c = scene_open(s);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    /* Somebody adds it while the file is open. */
    raw_run(s->path, "CREATE TRIGGER evil AFTER INSERT ON note BEGIN DELETE FROM note; END;");
    test_fails(note_write(c, 2, AGENTCHAT_STR("b"), &err), &err, AGENTCHAT_E_SCHEMA, NULL, "the trigger \"evil\"");
    raw_run(s->path, "DROP TRIGGER evil");
    test_ok(note_write(c, 2, AGENTCHAT_STR("b"), &err), &err);
    assert_int_equal(notes_in(c, READ_ALL), 2);
    scene_close(c);
}

static void test_files__a_file_taken_out_of_log_mode_goes_back(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);

    scene_close(c);
    raw_run(s->path, "PRAGMA journal_mode=DELETE");
    s->options.read_only = true;
    c = scene_open(s); /* reading leaves it */
    scene_close(c);
    assert_int_equal(raw_ask(s->path, "SELECT journal_mode = 'delete' FROM pragma_journal_mode"), 1);
    s->options.read_only = false;
    c = scene_open(s);
    scene_close(c);
    assert_int_equal(raw_ask(s->path, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

static void test_files__a_name_is_taken_as_it_stands(void **state)
{
    static const char *const names[] = {":memory:", "file:x?mode=memory", "a b%20c#d?e=f", "-", "\xC3\xA9.db"};
    scene *s = *state;
    char here[4096];

    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(s->dir), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        scene named = {.dir = s->dir, .path = strdup(names[i]), .options = s->options};
        aci_sqlite_connection *c = scene_open_tables(&named), *second;
        aci_sql_outcome outcome;
        void *later = NULL;
        agentchat_error err;

        assert_true(exists(names[i], ""));
        /* A host that changes its directory does not change where the store is. */
        assert_int_equal(chdir("/"), 0);
        agentchat_error_clear(&err);
        test_ok(aci_sqlite_driver.connect(c->database, c->database->wait_ms, &later, &outcome, &err), &err);
        second = later;
        assert_int_equal(notes_in(second, READ_ALL), 0);
        aci_sqlite_driver.disconnect(second);
        scene_close(c);
        assert_int_equal(chdir(s->dir), 0);

        named.options.read_only = true;
        c = scene_open(&named);
        assert_int_equal(notes_in(c, READ_ALL), 0);
        scene_close(c);
        free(named.path);
    }
    assert_int_equal(chdir(here), 0);
}

static void test_files__what_cannot_be_a_store_says_so(void **state)
{
    scene *s = *state;
    char *fifo = test_path(s->dir, "fifo"), *below = test_path(s->dir, "none/store.db");
    scene cases[] = {{.path = s->dir}, {.path = fifo}, {.path = below}, {.path = (char[4096]){"/"}}};
    static const char *const messages[] = {"this is no regular file", "this is no regular file",
                                           "cannot make the file: No such file or directory", "the file's path has"};
    aci_sqlite_connection *c;
    agentchat_error err;

    assert_int_equal(mkfifo(fifo, 0600), 0);
    memset(cases[3].path + 1, 'x', 1000);
    for (size_t i = 0; i < 4; i++) {
        cases[i].options = s->options;
        test_fails(scene_connect(&cases[i], &c, &err), &err, AGENTCHAT_E_IO, NULL, messages[i]);
        assert_true(err.source[0] != '\0');
        cases[i].options.read_only = true;
        test_fails(scene_connect(&cases[i], &c, &err), &err, i == 2 ? AGENTCHAT_E_NOTFOUND : AGENTCHAT_E_IO, NULL,
                   i == 2 ? "there is no such file" : messages[i]);
    }
    assert_memory_equal(err.source, "\xE2\x80\xA6xxx", 6); /* a long name keeps its tail */
    assert_int_equal(strlen(err.source), sizeof err.source - 1);
    free(fifo);
    free(below);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SCENE(test_files__a_new_file_is_made_for_its_owner_only),
        ON_SCENE(test_files__an_empty_database_becomes_a_store),
        ON_SCENE(test_files__installing_twice_does_nothing),
        ON_SCENE(test_files__a_connection_trusts_nothing),
        ON_SCENE(test_files__triggers_of_a_file_do_not_run),
        ON_SCENE(test_files__a_file_taken_out_of_log_mode_goes_back),
        ON_SCENE(test_files__a_name_is_taken_as_it_stands),
        ON_SCENE(test_files__what_cannot_be_a_store_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
