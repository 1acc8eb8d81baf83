/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the SQLite driver: new ones, other programs', none at all, and reading where nothing may be written. */
#include "sqlite_support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/mount.h>
#endif

#define READ_ALL (AGENTCHAT_SQL_BEGIN_READ | AGENTCHAT_SQL_COMMIT)

static bool exists(const char *path, const char *suffix)
{
    char name[4096];
    struct stat info;

    snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &info) == 0;
}

static agentchat_status version_of(const scene *s, agentchat_sql_version *out, agentchat_error *err)
{
    aci_sqlite_connection *c = NULL;
    agentchat_sql_outcome outcome = AGENTCHAT_SQL_UNCERTAIN;
    agentchat_status status = scene_connect(s, &c, err);

    if (status >= 0) {
        status = aci_sqlite_driver.version(c, out, &outcome, err);
        assert_int_equal(outcome, AGENTCHAT_SQL_FINAL);
    }
    scene_close(c);
    return status;
}

/* ---- new files --------------------------------------------------------------------------------------------------- */

static void test_files__a_new_file_is_made_for_its_owner_only(void **state)
{
    scene *s = *state;
    mode_t mask = umask(022);
    aci_sqlite_connection *c = scene_open(s);
    agentchat_sql_version version;
    agentchat_sql_outcome outcome;
    agentchat_error err;
    struct stat info;

    umask(mask);
    agentchat_error_clear(&err);
    test_ok(aci_sqlite_driver.version(c, &version, &outcome, &err), &err);
    assert_int_equal(version.format, 0);
    assert_int_equal(stat(s->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    scene_close(c);
    assert_int_equal(stat(s->path, &info), 0);
    assert_int_equal(info.st_size, 0); /* nothing is written before the tables */

    c = scene_open_tables(s);
    test_ok(aci_sqlite_driver.version(c, &version, &outcome, &err), &err);
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
    agentchat_sql_outcome outcome;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(aci_sqlite_driver.install(c, 0, sqlite_script, &outcome, &err), &err);
    test_ok(aci_sqlite_driver.install(c, 2, "syntax error", &outcome, &err), &err);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    /* From 3 to 4. */
    test_ok(
        aci_sqlite_driver.install(c, 3, "UPDATE store SET format = 4; CREATE TABLE more(x) STRICT;", &outcome, &err) < 0
            ? AGENTCHAT_OK
            : AGENTCHAT_E_INTERNAL,
        NULL); /* STRICT wants a type */
    agentchat_error_clear(&err);
    assert_int_equal(notes_in(c, READ_ALL), 1);
    assert_int_equal(raw_ask(s->path, "SELECT format FROM store"), 3);
    test_ok(aci_sqlite_driver.install(c, 3, "UPDATE store SET format = 4; CREATE TABLE more(x ANY) STRICT;", &outcome,
                                      &err),
            &err);
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
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;

    scene_close(c);
    raw_run(s->path, "CREATE TRIGGER evil AFTER INSERT ON note BEGIN DELETE FROM note; END;");
    c = scene_open(s);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    assert_int_equal(notes_in(c, READ_ALL), 1);
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

/* ---- names ------------------------------------------------------------------------------------------------------- */

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
        agentchat_sql_outcome outcome;
        void *later = NULL;
        agentchat_error err;

        assert_true(exists(names[i], ""));
        /* A host that changes its directory does not change where the store is. */
        assert_int_equal(chdir("/"), 0);
        agentchat_error_clear(&err);
        test_ok(aci_sqlite_driver.connect(c->database, &later, &outcome, &err), &err);
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

/* ---- other programs' files --------------------------------------------------------------------------------------- */

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
    raw_run(path, "CREATE TABLE sessions(x); CREATE TABLE \"events\x1b[31m\"(x)");
}

static void write_other_version(const char *path)
{
    raw_run(path, "PRAGMA user_version=7");
}

static void write_no_store(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463; CREATE TABLE t(x)");
}

static void write_empty_store(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463; CREATE TABLE store(format, reader, writer)");
}

static void write_odd_store(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463; CREATE TABLE store(format, reader, writer);"
                  "INSERT INTO store VALUES('one', 1, 1)");
}

static void write_two_stores(const char *path)
{
    raw_run(path, "PRAGMA application_id=0x61677463; CREATE TABLE store(format, reader, writer);"
                  "INSERT INTO store VALUES(1, 1, 1), (2, 1, 1)");
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
        {write_no_store, AGENTCHAT_E_CORRUPT, "no such table: store"},
        {write_empty_store, AGENTCHAT_E_CORRUPT, "does not hold one version"},
        {write_odd_store, AGENTCHAT_E_CORRUPT, "does not hold one version"},
        {write_two_stores, AGENTCHAT_E_CORRUPT, "does not hold one version"},
    };
    scene *s = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        agentchat_sql_version version;
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
    agentchat_sql_version version;
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

/* ---- reading only ------------------------------------------------------------------------------------------------ */

static void test_files__reading_makes_no_file(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c;
    agentchat_sql_version version;
    agentchat_error err;
    struct stat before, after;

    s->options.read_only = true;
    test_fails(scene_connect(s, &c, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "there is no such file");
    assert_null(c);
    assert_int_equal(err.native, ENOENT);
    assert_false(exists(s->path, ""));

    s->options.read_only = false;
    c = scene_open_tables(s);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    scene_close(c);
    assert_int_equal(stat(s->path, &before), 0);
    s->options.read_only = true;
    c = scene_open(s);
    assert_int_equal(notes_in(c, READ_ALL), 1);
    test_fails(note_write(c, 2, AGENTCHAT_STR("b"), &err), &err, AGENTCHAT_E_IO, NULL, "cannot be written");
    scene_close(c);
    test_ok(version_of(s, &version, &err), &err);
    /* What reading needs beside the file is gone again. */
    assert_false(exists(s->path, "-wal"));
    assert_false(exists(s->path, "-shm"));
    assert_int_equal(stat(s->path, &after), 0);
    assert_int_equal(after.st_mtime, before.st_mtime);
    assert_int_equal(after.st_size, before.st_size);
}

static void test_files__reading_beside_a_writer(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *writer = scene_open_tables(s), *reader;
    agentchat_error err;

    test_ok(note_write(writer, 1, AGENTCHAT_STR("a"), &err), &err);
    s->options.read_only = true;
    reader = scene_open(s);
    assert_int_equal(notes_in(reader, READ_ALL), 1);
    test_ok(note_write(writer, 2, AGENTCHAT_STR("b"), &err), &err);
    assert_int_equal(notes_in(reader, READ_ALL), 2);
    scene_close(writer);
    assert_int_equal(notes_in(reader, READ_ALL), 2);
    scene_close(reader);
    reader = scene_open(s);
    assert_int_equal(notes_in(reader, READ_ALL), 2);
    scene_close(reader);
}

/* What a process that was killed leaves, in a directory that may be written or not. */
static int leave_log(void *user)
{
    const scene *s = user;
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;

    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    return die();
}

static void test_files__reading_leaves_the_log_of_a_killed_process(void **state)
{
    scene *s = *state, linked = *s;
    char *log = test_path(s->dir, "store.db-wal");
    aci_sqlite_connection *c;
    size_t before, after;
    char *old, *now;

    assert_int_equal(in_child(leave_log, s), -SIGKILL);
    old = test_file_read(log, &before);
    assert_true(before > 0);
    s->options.read_only = linked.options.read_only = true;
    c = scene_open(s);
    assert_int_equal(notes_in(c, READ_ALL), 1);
    scene_close(c);
    linked.path = test_path(s->dir, "link.db"); /* the log lies beside what the link means */
    assert_int_equal(symlink("store.db", linked.path), 0);
    c = scene_open(&linked);
    assert_int_equal(notes_in(c, READ_ALL), 1);
    scene_close(c);
    free(linked.path);
    now = test_file_read(log, &after);
    assert_int_equal(after, before);
    assert_memory_equal(now, old, before);
    s->options.read_only = false;
    c = scene_open(s);
    assert_int_equal(notes_in(c, READ_ALL), 1);
    scene_close(c);
    assert_false(exists(s->path, "-wal"));
    free(old);
    free(now);
    free(log);
}

enum { COULD_NOT = 77 };

#define CHILD_WANTS(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                    \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

static int read_in_closed_directory(void *user)
{
    scene *s = user;
    aci_sqlite_connection *c = NULL;
    agentchat_sql_version version;
    agentchat_sql_outcome outcome;
    agentchat_status status;
    agentchat_error err;

    if (!become_ordinary())
        return COULD_NOT;
    /* Without the files beside it SQLite cannot read it: a clear error, for each way to open it. */
    s->options.read_only = true;
    status = scene_connect(s, &c, &err);
    if (status >= 0)
        status = aci_sqlite_driver.version(c, &version, &outcome, &err);
    CHILD_WANTS(status == AGENTCHAT_E_IO);
    CHILD_WANTS(strstr(err.message, "files beside it are needed, and its directory cannot be written") != NULL);
    CHILD_WANTS(err.native == SQLITE_READONLY_DIRECTORY);
    scene_close(c);
    s->options.read_only = false;
    status = scene_connect(s, &c, &err);
    if (status >= 0)
        status = aci_sqlite_driver.version(c, &version, &outcome, &err);
    CHILD_WANTS(status == AGENTCHAT_E_IO);
    scene_close(c);
    return 0;
}

static void test_files__a_directory_that_cannot_be_written(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    int result;

    scene_close(c);
    assert_int_equal(chmod(s->path, 0644), 0);
    assert_int_equal(chmod(s->dir, 0555), 0);
    result = in_child(read_in_closed_directory, s);
    assert_int_equal(chmod(s->dir, 0755), 0);
    if (result == COULD_NOT)
        skip();
    assert_int_equal(result, 0);
}

static int read_beside_closed_files(void *user)
{
    scene *s = user;
    aci_sqlite_connection *c = NULL;
    agentchat_error err;

    if (!become_ordinary())
        return COULD_NOT;
    s->options.read_only = true;
    CHILD_WANTS(scene_connect(s, &c, &err) == AGENTCHAT_OK);
    CHILD_WANTS(notes_in(c, READ_ALL) == 1);
    scene_close(c);
    s->options.read_only = false;
    CHILD_WANTS(scene_connect(s, &c, &err) == AGENTCHAT_E_IO);
    CHILD_WANTS(strcmp(err.message, "the file may be read but not written") == 0);
    CHILD_WANTS(c == NULL);
    return 0;
}

static int hold_open(const scene *s, int say, int wait_for)
{
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;
    char byte = 'x';

    CHILD_WANTS(note_write(c, 1, AGENTCHAT_STR("a"), &err) == AGENTCHAT_OK);
    CHILD_WANTS(write(say, &byte, 1) == 1);
    CHILD_WANTS(read(wait_for, &byte, 1) == 0);
    scene_close(c);
    return 0;
}

static void test_files__reading_another_users_open_file(void **state)
{
    scene *s = *state;
    char *log = test_path(s->dir, "store.db-wal"), *index = test_path(s->dir, "store.db-shm");
    int said[2], waits[2], result, status;
    pid_t holder;
    char byte;

    assert_int_equal(pipe(said), 0);
    assert_int_equal(pipe(waits), 0);
    holder = fork();
    assert_true(holder >= 0);
    if (holder == 0) {
        close(waits[1]);
        _exit(hold_open(s, said[1], waits[0]));
    }
    assert_int_equal(read(said[0], &byte, 1), 1);
    assert_int_equal(chmod(s->path, 0444), 0);
    assert_int_equal(chmod(log, 0444), 0);
    assert_int_equal(chmod(index, 0444), 0);
    assert_int_equal(chmod(s->dir, 0555), 0);
    result = in_child(read_beside_closed_files, s);
    assert_int_equal(chmod(s->dir, 0755), 0);
    close(waits[1]); /* ends the holder */
    assert_int_equal(waitpid(holder, &status, 0), holder);
    assert_int_equal(status, 0);
    close(waits[0]);
    close(said[0]);
    close(said[1]);
    free(log);
    free(index);
    if (result == COULD_NOT)
        skip();
    assert_int_equal(result, 0);
}

#if defined(__linux__)
static int read_on_fixed_file_system(void *user)
{
    scene *s = user;
    aci_sqlite_connection *c = NULL;
    agentchat_error err;

    if (!mount_small(s->dir, "size=1m", 0))
        return COULD_NOT;
    c = scene_open_tables(s);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    scene_close(c);
    CHILD_WANTS(mount("none", s->dir, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) == 0);
    s->options.read_only = true;
    c = scene_open(s);
    CHILD_WANTS(notes_in(c, READ_ALL) == 1);
    scene_close(c);
    s->options.read_only = false;
    CHILD_WANTS(scene_connect(s, &c, &err) == AGENTCHAT_E_IO);
    CHILD_WANTS(strcmp(err.message, "the file may be read but not written") == 0);
    return 0;
}

static int read_log_on_fixed_file_system(void *user)
{
    scene *s = user;
    aci_sqlite_connection *c = NULL;
    agentchat_sql_version version;
    agentchat_sql_outcome outcome;
    agentchat_status status;
    agentchat_error err;
    char *index = test_path(s->dir, "store.db-shm");

    if (!mount_small(s->dir, "size=1m", 0))
        return COULD_NOT;
    CHILD_WANTS(in_child(leave_log, s) == -SIGKILL);
    CHILD_WANTS(unlink(index) == 0);
    free(index);
    CHILD_WANTS(mount("none", s->dir, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) == 0);
    s->options.read_only = true;
    status = scene_connect(s, &c, &err);
    if (status >= 0)
        status = aci_sqlite_driver.version(c, &version, &outcome, &err);
    CHILD_WANTS(status == AGENTCHAT_E_IO); /* never the state without what stands in the log */
    scene_close(c);
    return 0;
}
#endif

static void test_files__a_file_system_that_cannot_be_written(void **state)
{
#if defined(__linux__)
    int result = in_child(read_on_fixed_file_system, *state);

    if (result == COULD_NOT)
        skip();
    assert_int_equal(result, 0);
    assert_int_equal(in_child(read_log_on_fixed_file_system, *state), 0);
#else
    (void)state;
    skip();
#endif
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

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
    agentchat_sql_version version;
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

#define ON_SCENE(test) cmocka_unit_test_setup_teardown(test, scene_set_up, scene_tear_down)

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
        ON_SCENE(test_files__foreign_files_are_refused_and_left_alone),
        ON_SCENE(test_files__a_foreign_log_stays_where_it_is),
        ON_SCENE(test_files__reading_makes_no_file),
        ON_SCENE(test_files__reading_beside_a_writer),
        ON_SCENE(test_files__reading_leaves_the_log_of_a_killed_process),
        ON_SCENE(test_files__a_directory_that_cannot_be_written),
        ON_SCENE(test_files__reading_another_users_open_file),
        ON_SCENE(test_files__a_file_system_that_cannot_be_written),
        ON_SCENE(test_files__no_descriptor_is_left_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
