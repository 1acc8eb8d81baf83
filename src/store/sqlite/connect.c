/* SPDX-License-Identifier: Apache-2.0 */
/* Opening stores and connections, making tables, checking a file. */
#include "store/sqlite/driver.h"

#include <agentchat/sqlite.h>
#include <string.h>

/* ==== opening and closing a connection, and what each connection sets up for itself ============================== */

/* Backend of SQLite.

   A file may come from anywhere: no other files are opened for it (file.c), its schema is compared before any of it
   is used (schema.c), pages are looked at before they are used, and nothing runs for ever (statement.c). Nothing is
   written to a file that is not known to be ours. */

/* None of these change the file. A log that has become large is cut when it begins anew. Intermediate results stay in
   memory, so that no text gets into temporary files. A file that another program cuts off must not end this one, so it
   is not mapped. Only commits write to the log (file.c). */
static const char settings[] = "PRAGMA mmap_size=0;"
                               "PRAGMA cache_spill=OFF;"
                               "PRAGMA cell_size_check=ON;"
                               "PRAGMA temp_store=MEMORY;"
                               "PRAGMA secure_delete=FAST;"
                               "PRAGMA journal_size_limit=16777216;"
                               "PRAGMA checkpoint_fullfsync=ON;";

/* To be done when the schema has been compared: SQLite reads it for that. */
static int set_durability(aci_sqlite_connection *c)
{
    if (c->database->read_only)
        return SQLITE_OK;
    if (c->database->durability == AGENTCHAT_DURABILITY_NORMAL)
        return aci_sqlite_exec_waiting(c, "PRAGMA synchronous=NORMAL");
    return aci_sqlite_exec_waiting(c, "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON");
}

/* A store that another program has taken out of write-ahead log mode goes back into it. */
static agentchat_status keep_log_mode(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    const aci_sqlite_database *database = c->database;

    if (database->read_only || database->path == NULL || !c->is_store ||
        !aci_sqlite_may_use(database, &c->versions, true))
        return AGENTCHAT_OK;
    return aci_sqlite_use_log(c, outcome, err);
}

/* The first transaction compares the schema. */
static agentchat_status look_inside(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = aci_sqlite_begin(c, false, outcome, err);

    return status < 0 ? status : aci_sqlite_commit(c, outcome, err);
}

agentchat_status aci_sqlite_use_log(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    bool is_log = false;
    int code = aci_sqlite_set_log_mode(c, &is_log);

    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot switch the file to a write-ahead log", outcome, err);
    if (!is_log) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the file system cannot hold the file's write-ahead log");
        return aci_sqlite_source(c->database, AGENTCHAT_E_IO, err);
    }
    code = set_durability(c);
    return code == SQLITE_OK ? AGENTCHAT_OK
                             : aci_sqlite_fail_on(c, code, "cannot set the file's durability", outcome, err);
}

static agentchat_status connect_to(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status;
    int code;

    c->had_log = c->database->path != NULL && aci_sqlite_has_log(c->database);
    status = aci_sqlite_open_file(c->database, &c->db, outcome, err);
    if (status < 0)
        return status;
    code = aci_sqlite_set_guard(c);
    if (code == SQLITE_OK)
        code = aci_sqlite_prepare_own(c);
    if (code == SQLITE_OK)
        code = aci_sqlite_exec_waiting(c, settings);
    if (code == SQLITE_OK && c->database->read_only)
        code = aci_sqlite_exec_waiting(c, "PRAGMA query_only=ON");
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    aci_sqlite_watch_log(c);
    status = look_inside(c, outcome, err);
    if (status < 0)
        return status;
    status = keep_log_mode(c, outcome, err);
    if (status < 0)
        return status;
    code = set_durability(c);
    return code == SQLITE_OK ? AGENTCHAT_OK : aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
}

static agentchat_status sqlite_connect(void *self, uint32_t wait_ms, void **connection, aci_sql_outcome *outcome,
                                       agentchat_error *err)
{
    aci_sqlite_database *database = self;
    aci_sqlite_connection *c;
    agentchat_status status;

    *connection = NULL;
    *outcome = ACI_SQL_FINAL;
    if (database->path == NULL && database->connected) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the store in memory is gone with its connection");
        return aci_sqlite_source(database, AGENTCHAT_E_IO, err);
    }
    c = aci_driver_alloc(database->env, sizeof *c);
    if (c == NULL)
        return aci_sqlite_fail_nomem(database, err);
    c->database = database;
    c->wait_ms = wait_ms;
    c->random = ((uint64_t)aci_sqlite_now_us() << 20) ^ (uint64_t)(uintptr_t)c ^ 1;
    c->random |= 1;
    c->schema_counter = -1;
    if (database->host != NULL)
        c->call.interrupts = database->host->interrupts(database->host);
    aci_sqlite_start_waiting(c);
    status = connect_to(c, outcome, err);
    if (status < 0) {
        aci_sqlite_disconnect(c);
        return status;
    }
    if (database->path == NULL)
        database->connected = true;
    *connection = c;
    return AGENTCHAT_OK;
}

void aci_sqlite_disconnect(void *connection)
{
    aci_sqlite_connection *c = connection;

    aci_sqlite_finalize_all(c);
    (void)sqlite3_close(c->db); /* rolls back; the last connection of all writes the log into the file and removes it */
    aci_driver_free(c->database->env, c, sizeof *c);
}

static bool sqlite_is_alive(void *connection)
{
    const aci_sqlite_connection *c = connection;

    return !c->dead;
}

static const char *sqlite_source_of(void *connection)
{
    const aci_sqlite_connection *c = connection;

    return c->database->name;
}

/* ==== the versions of the tables in a file, making them and changing them ======================================== */

/* Backend of SQLite.

   A file is new when it has no tables and no marks; a program that was killed while it made the tables leaves one. */

/* In a transaction, whose beginning has looked at the schema. */
static agentchat_status find_versions(aci_sqlite_connection *c, aci_sql_versions *out, aci_sql_outcome *outcome,
                                      agentchat_error *err)
{
    agentchat_status status;

    memset(out, 0, sizeof *out);
    if (!c->is_store)
        return AGENTCHAT_OK;
    status = aci_sqlite_read_store(c, &out->store, outcome, err);
    return status < 0 ? status : aci_sqlite_read_services(c, out, outcome, err);
}

static agentchat_status sqlite_version(void *connection, aci_sql_versions *out, aci_sql_outcome *outcome,
                                       agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_status status;

    *outcome = ACI_SQL_FINAL;
    memset(out, 0, sizeof *out);
    aci_sqlite_start_waiting(c);
    status = aci_sqlite_begin(c, false, outcome, err);
    if (status < 0)
        return status;
    status = find_versions(c, out, outcome, err);
    if (status >= 0)
        return aci_sqlite_commit(c, outcome, err);
    aci_sqlite_rollback(c);
    return status;
}

/* ---- making the tables ----------------------------------------------------------------------------------------- */

/* What a file gets for good and only before its first table: the way to give pages back (where another program has made
   the empty database, it is made anew), and the write-ahead log. Until it has the log, whose ends can be told from what
   lost power leaves of them, everything is flushed in its order, at any durability. */
static agentchat_status lay_out(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    int64_t mode = 0;
    int code;

    if (c->database->path == NULL)
        return AGENTCHAT_OK;
    code = aci_sqlite_exec_waiting(c, "PRAGMA synchronous=FULL; PRAGMA auto_vacuum=INCREMENTAL");
    if (code == SQLITE_OK)
        code = aci_sqlite_ask(c, "PRAGMA auto_vacuum", &mode);
    if (code == SQLITE_OK && mode != 2) {
        aci_sqlite_allow_copy(c, true);
        code = aci_sqlite_exec_waiting(c, "VACUUM");
        aci_sqlite_allow_copy(c, false);
    }
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot prepare the new file", outcome, err);
    return aci_sqlite_use_log(c, outcome, err);
}

static agentchat_status run_script(aci_sqlite_connection *c, const char *script, aci_sql_outcome *outcome,
                                   agentchat_error *err)
{
    aci_sql_version made = {0, 0, 0};
    agentchat_status status;
    char text[96];
    int code = aci_sqlite_exec(c, script);

    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot make the tables", outcome, err);
    status = aci_sqlite_read_store(c, &made, outcome, err);
    if (status < 0)
        return status;
    snprintf(text, sizeof text, "PRAGMA application_id=%d; PRAGMA user_version=%lu", ACI_SQLITE_APPLICATION_ID,
             (unsigned long)made.format);
    code = aci_sqlite_exec(c, text);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot make the tables", outcome, err);
    return aci_sqlite_look_at_schema(c, outcome, err); /* what was made is what is known */
}

static bool is_due(const aci_sql_step *step, const aci_sql_versions *now)
{
    return (step->service < 0 ? now->store.format : now->services[step->service].format) == step->from;
}

static agentchat_status sqlite_install(void *connection, const aci_sql_step *step, aci_sql_outcome *outcome,
                                       agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    aci_sql_versions now;
    agentchat_status status = sqlite_version(c, &now, outcome, err);

    if (status < 0 || !is_due(step, &now))
        return status;
    if (now.store.format == 0)
        status = lay_out(c, outcome, err);
    if (status >= 0)
        status = aci_sqlite_begin(c, true, outcome, err);
    if (status < 0)
        return status;
    status = find_versions(c, &now, outcome, err);
    if (status >= 0 && is_due(step, &now))
        status = run_script(c, step->script, outcome, err);
    if (status < 0) {
        aci_sqlite_rollback(c);
        return status;
    }
    status = aci_sqlite_commit(c, outcome, err);
    if (status >= 0)
        (void)aci_sqlite_prepare_own(c); /* else they are prepared when they are needed */
    return status;
}

/* ==== looking for damage below the tables ======================================================================== */

/* Backend of SQLite.

   What SQLite finds is collected first and reported when its statement is over, so that no function of the caller's
   runs inside a transaction. */

#define MOST_FINDINGS 100
#define FINDING_ROOM 200
#define PAGES_HEAD "*** in database" /* of a finding about pages, not rows */

typedef struct findings {
    bool is_intact;
    size_t count, unknown_count;
    char at[MOST_FINDINGS][FINDING_ROOM];
    char unknown[MOST_FINDINGS][FINDING_ROOM]; /* what a newer version has added */
} findings;

/* SQLite gives several problems as the lines of one text. */
static void collect_lines(findings *f, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        char line[FINDING_ROOM];

        snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), text);
        if (len > 0 && strncmp(line, PAGES_HEAD, sizeof PAGES_HEAD - 1) != 0 && f->count < MOST_FINDINGS)
            aci_sqlite_printable(line, f->at[f->count++], FINDING_ROOM);
        text += len + (text[len] == '\n');
    }
}

static int collect(aci_sqlite_connection *c, findings *f)
{
    sqlite3_stmt *statement = NULL;
    char text[48];
    int code;

    snprintf(text, sizeof text, "PRAGMA integrity_check(%d)", MOST_FINDINGS);
    code = aci_sqlite_prepare(c, text, false, &statement);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        const char *finding;

        code = sqlite3_step(statement);
        if (code != SQLITE_ROW)
            break;
        finding = (const char *)sqlite3_column_text(statement, 0);
        if (finding == NULL)
            code = SQLITE_NOMEM;
        else if (strcmp(finding, "ok") == 0)
            f->is_intact = true;
        else
            collect_lines(f, finding);
        /* Rows of pages that are damaged may come again and again. */
        if (finding != NULL && strncmp(finding, PAGES_HEAD, sizeof PAGES_HEAD - 1) == 0)
            code = SQLITE_DONE;
    }
    (void)sqlite3_finalize(statement);
    return code;
}

static void collect_unknown(void *user, const char *type, const char *name)
{
    findings *f = user;
    char text[FINDING_ROOM];

    if (f->unknown_count == MOST_FINDINGS)
        return;
    snprintf(text, sizeof text, "unknown %s %s", type, name);
    aci_sqlite_printable(text, f->unknown[f->unknown_count++], FINDING_ROOM);
}

static agentchat_status report(const findings *f, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < f->unknown_count && status == AGENTCHAT_OK; i++)
        status = each(user, agentchat_str_from(f->unknown[i]), (agentchat_str){NULL, 0}, err);
    if (status == AGENTCHAT_OK && f->is_intact && f->count == 0)
        return each(user, AGENTCHAT_STR("file"), (agentchat_str){NULL, 0}, err);
    for (size_t i = 0; i < f->count && status == AGENTCHAT_OK; i++)
        status = each(user, AGENTCHAT_STR("file"), agentchat_str_from(f->at[i]), err);
    return status;
}

static agentchat_status look_through(aci_sqlite_connection *c, findings *f, aci_sql_outcome *outcome,
                                     agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    int code;

    agentchat_error_clear(err);
    if (c->is_store && aci_sqlite_may_hold_more(c->database, &c->versions))
        status = aci_sqlite_each_unknown(c, collect_unknown, f, err);
    if (status < 0)
        return status;
    code = collect(c, f);
    return code == SQLITE_DONE ? AGENTCHAT_OK : aci_sqlite_fail_on(c, code, "cannot check the file", outcome, err);
}

static agentchat_status sqlite_check(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    aci_sql_outcome outcome;
    agentchat_status status, reported;
    agentchat_error why;
    findings *f = aci_driver_alloc(c->database->env, sizeof *f);

    if (f == NULL)
        return aci_sqlite_fail_nomem(c->database, err);
    aci_sqlite_start_waiting(c);
    status = aci_sqlite_begin(c, false, &outcome, err);
    if (status >= 0) {
        status = look_through(c, f, &outcome, &why);
        aci_sqlite_rollback(c);
        reported = report(f, each, user, err); /* what could be seen, in any case */
        if (reported != AGENTCHAT_OK)
            status = reported;
        else if (status < 0 && err != NULL)
            *err = why;
    }
    aci_driver_free(c->database->env, f, sizeof *f);
    return status;
}

/* Pages that are free are cut off, and the log, which has pages as they were, is emptied. Deleted rows were overwritten
   (secure_delete). */
static agentchat_status sqlite_scrub(void *connection, agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    aci_sql_outcome outcome;
    int code;

    if (c->database->path == NULL)
        return AGENTCHAT_OK;
    aci_sqlite_start_waiting(c);
    code = aci_sqlite_exec_waiting(c, "PRAGMA incremental_vacuum");
    if (code == SQLITE_OK)
        code = sqlite3_wal_checkpoint_v2(c->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return code == SQLITE_OK
               ? AGENTCHAT_OK
               : aci_sqlite_fail_on(c, code, "cannot remove what was deleted from the file and its log", &outcome, err);
}

/* ==== opening a store in SQLite: the options, the table of the driver ============================================ */

/* Backend of SQLite. */

/* An options struct is never this large; trusting a larger number would read past the end of the caller's. */
#define HIGHEST_STRUCT_SIZE 4096
#define OLDEST_SQLITE 3040000

const aci_sql_driver aci_sqlite_driver = {
    .name = "sqlite",
    .dialect = ACI_SQL_SQLITE,
    .connect = sqlite_connect,
    .run = aci_sqlite_run,
    .rollback = aci_sqlite_end,
    .is_alive = sqlite_is_alive,
    .disconnect = aci_sqlite_disconnect,
    .version = sqlite_version,
    .install = sqlite_install,
    .check = sqlite_check,
    .scrub = sqlite_scrub,
    .free = aci_sqlite_free,
    .attach = aci_sqlite_attach,
    .source = sqlite_source_of,
    .serve = aci_sqlite_serve,
    .allow = aci_sqlite_allow,
    .confirm = aci_sqlite_confirm,
};

static agentchat_status load_options(agentchat_store_options *out, const agentchat_store_options *given,
                                     agentchat_error *err)
{
    const unsigned char *bytes = (const unsigned char *)given;
    size_t size = 0;

    *out = (agentchat_store_options)AGENTCHAT_STORE_OPTIONS_INIT;
    if (given == NULL)
        return AGENTCHAT_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size || size > HIGHEST_STRUCT_SIZE)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "struct_size of the options is not set; start them with their INIT macro");
    for (size_t i = sizeof *out; i < size; i++) {
        if (bytes[i] != 0)
            return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                       "the options ask for something that this version of the library lacks");
    }
    memcpy(out, given, size < sizeof *out ? size : sizeof *out);
    out->struct_size = sizeof *out;
    if (out->durability != AGENTCHAT_DURABILITY_FULL && out->durability != AGENTCHAT_DURABILITY_NORMAL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the options have the unknown durability %d",
                                   (int)out->durability);
    return AGENTCHAT_OK;
}

static agentchat_status check_sqlite(agentchat_error *err)
{
    if (sqlite3_libversion_number() < OLDEST_SQLITE)
        return agentchat_error_set(err, AGENTCHAT_E_UNSUPPORTED, "SQLite 3.40 or newer is needed; this is %s",
                                   sqlite3_libversion());
    if (sqlite3_threadsafe() == 0)
        return agentchat_error_set(err, AGENTCHAT_E_UNSUPPORTED,
                                   "this SQLite was built for programs of one thread only");
    return AGENTCHAT_OK;
}

static agentchat_status check_arguments(const char *path, const agentchat_store_options *options, agentchat_error *err)
{
    if (path == NULL && options->read_only)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "a store in memory is new and cannot be read only");
    if (path != NULL && path[0] == '\0')
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "the file's name is empty");
    if (path != NULL && (strncmp(path, "sqlite:", 7) == 0 || strncmp(path, "file:", 5) == 0 ||
                         strcmp(path, "memory:") == 0 || strstr(path, "://") != NULL))
        return agentchat_error_set(err, AGENTCHAT_E_INVALID,
                                   "this takes the name of a file, not a URL: agentchat_store_open() takes both");
    return check_sqlite(err);
}

agentchat_status agentchat_sqlite_open(const agentchat_env *env, const char *path,
                                       const agentchat_store_options *options, agentchat_store **out,
                                       agentchat_error *err)
{
    aci_sql_store_options sql;
    agentchat_store_options loaded;
    aci_sqlite_database *database = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_INVALID, "out must not be NULL");
    *out = NULL;
    status = load_options(&loaded, options, err);
    if (status >= 0)
        status = check_arguments(path, &loaded, err);
    if (status >= 0)
        status = aci_sqlite_database_new(env, path, &loaded, &database, err);
    if (status < 0)
        return status;
    if (path != NULL && !loaded.read_only)
        status = aci_sqlite_make_file(database, err);
    if (status < 0) {
        aci_sqlite_free(database);
        return status;
    }
    sql.read_only = loaded.read_only;
    sql.may_install = !loaded.read_only;
    sql.wait_ms = database->wait_ms;
    sql.memory_ttl_us = loaded.memory_ttl_us;
    sql.max_connections = path != NULL ? loaded.max_connections : 1;
    status = aci_driver_store(env, &aci_sqlite_driver, database, &sql, out, err);
    return status < 0 ? aci_sqlite_source_name(path, status, err) : status;
}
