/* SPDX-License-Identifier: Apache-2.0 */
/* Reading only: beside a writer, beside a log that was left, and where nothing may be written. */
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

static void test_files__reading_makes_no_file(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c;
    aci_sql_version version;
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

/* ---- where nothing may be written ------------------------------------------------------------------------------ */

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
    aci_sql_version version;
    aci_sql_outcome outcome;
    agentchat_status status;
    agentchat_error err;

    if (!become_ordinary())
        return COULD_NOT;
    /* Without the files beside it SQLite cannot read it: a clear error, for each way to open it. */
    s->options.read_only = true;
    status = scene_connect(s, &c, &err);
    if (status >= 0)
        status = scene_version(c, &version, &outcome, &err);
    CHILD_WANTS(status == AGENTCHAT_E_IO);
    CHILD_WANTS(strstr(err.message, "files beside it are needed, and its directory cannot be written") != NULL);
    CHILD_WANTS(err.native == SQLITE_READONLY_DIRECTORY);
    scene_close(c);
    s->options.read_only = false;
    status = scene_connect(s, &c, &err);
    if (status >= 0)
        status = scene_version(c, &version, &outcome, &err);
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
    CHILD_WANTS(strcmp(err.message, "the file may be read but not written: open it with read_only") == 0);
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
    CHILD_WANTS(strcmp(err.message, "the file may be read but not written: open it with read_only") == 0);
    return 0;
}

static int read_log_on_fixed_file_system(void *user)
{
    scene *s = user;
    aci_sqlite_connection *c = NULL;
    aci_sql_version version;
    aci_sql_outcome outcome;
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
        status = scene_version(c, &version, &outcome, &err);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SCENE(test_files__reading_makes_no_file),
        ON_SCENE(test_files__reading_beside_a_writer),
        ON_SCENE(test_files__reading_leaves_the_log_of_a_killed_process),
        ON_SCENE(test_files__a_directory_that_cannot_be_written),
        ON_SCENE(test_files__reading_another_users_open_file),
        ON_SCENE(test_files__a_file_system_that_cannot_be_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
