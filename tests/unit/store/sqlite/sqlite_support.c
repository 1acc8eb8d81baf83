/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes for the tests of the SQLite driver. */
#if defined(__linux__)
#define _GNU_SOURCE /* unshare() */
#endif
#include "sqlite_support.h"
#include "sqlite_vfs.h"

#include <grp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#include <sys/mount.h>
#endif

#define NOBODY 65534

const char sqlite_script[] =
    "CREATE TABLE store(format INTEGER NOT NULL, reader INTEGER NOT NULL, writer INTEGER NOT NULL) STRICT;"
    "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;"
    "CREATE INDEX note_text ON note(text);"
    "INSERT INTO store(format, reader, writer) VALUES(3, 2, 3);";

atomic_uint scene_interrupts;

static uint32_t count_interrupts(const aci_sql_host *host)
{
    (void)host;
    return (uint32_t)atomic_load(&scene_interrupts);
}

const aci_sql_host scene_host = {{3, sqlite_script}, NULL, 0, count_interrupts};

const aci_sql_statement note_insert = {1, 1, "INSERT INTO note(id, text) VALUES($1, $2)"};
const aci_sql_statement note_delete = {1, 2, "DELETE FROM note WHERE id = $1"};
const aci_sql_statement note_clear = {1, 3, "DELETE FROM note"};
const aci_sql_statement note_count = {1, 4, "SELECT count(*), max(id) FROM note"};
const aci_sql_statement note_select = {1, 5, "SELECT id, text FROM note WHERE id >= $1 ORDER BY id"};

int scene_set_up(void **state)
{
    scene *s = calloc(1, sizeof *s);

    assert_non_null(s);
    s->dir = test_dir_make();
    s->path = test_path(s->dir, "store.db");
    s->options = (agentchat_store_options)AGENTCHAT_STORE_OPTIONS_INIT;
    s->options.wait_ms = 20000;
    *state = s;
    return 0;
}

int scene_set_up_fast(void **state)
{
    const char *before = getenv("TMPDIR");
    int result;

    if (before != NULL || access("/dev/shm", W_OK | X_OK) != 0)
        return scene_set_up(state);
    assert_int_equal(setenv("TMPDIR", "/dev/shm", 1), 0);
    result = scene_set_up(state);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    return result;
}

int scene_set_up_vfs(void **state)
{
    int result = scene_set_up_fast(state);

    test_vfs_install();
    test_vfs_state = (test_vfs){.fail_at = UINT64_MAX, .without_flushes = true};
    return result;
}

int scene_tear_down(void **state)
{
    scene *s = *state;

    test_dir_remove(s->dir);
    free(s->path);
    free(s);
    return 0;
}

/* ---- connections ------------------------------------------------------------------------------------------------ */

static agentchat_status connect_to(const scene *s, const char *path, aci_sqlite_connection **out, agentchat_error *err)
{
    aci_sqlite_database *database = NULL;
    aci_sql_outcome outcome;
    void *connection = NULL;
    agentchat_status status = aci_sqlite_database_new(s->env, path, &s->options, &database, err);

    *out = NULL;
    if (status >= 0)
        aci_sqlite_driver.attach(database, &scene_host);
    if (status >= 0 && path != NULL && !s->options.read_only)
        status = aci_sqlite_make_file(database, err);
    if (status >= 0)
        status = aci_sqlite_driver.connect(database, database->wait_ms, &connection, &outcome, err);
    if (status < 0)
        aci_sqlite_free(database);
    *out = connection;
    return status;
}

agentchat_status scene_connect(const scene *s, aci_sqlite_connection **out, agentchat_error *err)
{
    agentchat_error_clear(err);
    return connect_to(s, s->path, out, err);
}

aci_sqlite_connection *scene_open(const scene *s)
{
    aci_sqlite_connection *c = NULL;
    agentchat_error err;

    test_ok(scene_connect(s, &c, &err), &err);
    return c;
}

aci_sqlite_connection *scene_open_tables(const scene *s)
{
    aci_sqlite_connection *c = scene_open(s);
    aci_sql_outcome outcome;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(scene_install(c, 0, sqlite_script, &outcome, &err), &err);
    return c;
}

aci_sqlite_connection *memory_open(void)
{
    scene s = {.options = AGENTCHAT_STORE_OPTIONS_INIT};
    aci_sqlite_connection *c = NULL;
    aci_sql_outcome outcome;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(connect_to(&s, NULL, &c, &err), &err);
    test_ok(scene_install(c, 0, sqlite_script, &outcome, &err), &err);
    return c;
}

void scene_close(aci_sqlite_connection *c)
{
    aci_sqlite_database *database = c != NULL ? c->database : NULL;

    if (c != NULL)
        aci_sqlite_driver.disconnect(c);
    aci_sqlite_driver.free(database);
}

agentchat_status scene_install(aci_sqlite_connection *c, uint32_t from, const char *script, aci_sql_outcome *outcome,
                               agentchat_error *err)
{
    aci_sql_step step = {-1, from, script};

    return aci_sqlite_driver.install(c, &step, outcome, err);
}

agentchat_status scene_version(aci_sqlite_connection *c, aci_sql_version *out, aci_sql_outcome *outcome,
                               agentchat_error *err)
{
    aci_sql_versions versions;
    agentchat_status status;

    memset(&versions, 0, sizeof versions);
    status = aci_sqlite_driver.version(c, &versions, outcome, err);
    *out = versions.store;
    return status;
}

bool exists(const char *path, const char *suffix)
{
    char name[4096];
    struct stat info;

    snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &info) == 0;
}

agentchat_status version_of(const scene *s, aci_sql_version *out, agentchat_error *err)
{
    aci_sqlite_connection *c = NULL;
    aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
    agentchat_status status = scene_connect(s, &c, err);

    if (status >= 0) {
        status = scene_version(c, out, &outcome, err);
        assert_int_equal(outcome, ACI_SQL_FINAL);
    }
    scene_close(c);
    return status;
}

/* ---- notes ------------------------------------------------------------------------------------------------------ */

aci_sql_value integer_of(int64_t integer)
{
    return (aci_sql_value){ACI_SQL_INTEGER, integer, {NULL, 0}};
}

aci_sql_value text_of(agentchat_str text)
{
    return (aci_sql_value){ACI_SQL_TEXT, 0, text};
}

agentchat_status run_note(aci_sqlite_connection *c, unsigned flags, const aci_sql_statement *statement,
                          const aci_sql_value *params, size_t param_count, aci_sql_row_fn row, void *user,
                          uint64_t *changed, agentchat_error *err)
{
    aci_sql_request request = {statement, params, param_count, row, user, 99};
    aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_sqlite_driver.run(c, flags, &request, 1, &outcome, err);
    if (changed != NULL)
        *changed = request.changed;
    return status;
}

agentchat_status note_write(aci_sqlite_connection *c, int64_t id, agentchat_str text, agentchat_error *err)
{
    aci_sql_value params[] = {integer_of(id), text_of(text)};

    return run_note(c, ACI_SQL_BEGIN_WRITE | ACI_SQL_COMMIT, &note_insert, params, 2, NULL, NULL, NULL, err);
}

static agentchat_status take_count(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    (void)err;
    assert_int_equal(count, 2);
    *(int64_t *)user = columns[0].integer;
    return AGENTCHAT_OK;
}

int64_t notes_in(aci_sqlite_connection *c, unsigned flags)
{
    agentchat_error err;
    int64_t count = -1;

    test_ok(run_note(c, flags, &note_count, NULL, 0, take_count, &count, NULL, &err), &err);
    return count;
}

/* ---- past the driver --------------------------------------------------------------------------------------------- */

static void raw(const char *path, const char *sql, int64_t *answer)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int code;

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL), SQLITE_OK);
    if (answer == NULL) {
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    } else {
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
        code = sqlite3_step(statement);
        assert_int_equal(code, SQLITE_ROW);
        *answer = sqlite3_column_int64(statement, 0);
        sqlite3_finalize(statement);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int64_t raw_ask(const char *path, const char *sql)
{
    int64_t answer = 0;

    raw(path, sql, &answer);
    return answer;
}

void raw_run(const char *path, const char *sql)
{
    raw(path, sql, NULL);
}

uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

int in_child(child_work work, void *user)
{
    int result;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(work(user));
    assert_int_equal(waitpid(child, &result, 0), child);
    return WIFSIGNALED(result) ? -WTERMSIG(result) : WEXITSTATUS(result);
}

int die(void)
{
    /* Another program takes the place of this one: to files and locks that is the same as death, and a tool that
       watches memory does not take what was in use for lost. */
    (void)execl("/bin/sh", "sh", "-c", "kill -9 $$", (char *)NULL);
    return 1;
}

bool become_ordinary(void)
{
    if (geteuid() != 0)
        return true;
#if defined(__linux__)
    if (setgroups(0, NULL) != 0)
        return false;
#endif
    return setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
}

bool mount_small(const char *dir, const char *options, unsigned long flags)
{
#if defined(__linux__)
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", dir, "tmpfs", flags, options) == 0;
#else
    (void)dir;
    (void)options;
    (void)flags;
    return false;
#endif
}
