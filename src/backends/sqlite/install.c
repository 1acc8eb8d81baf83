/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a file holds, and making the tables in a new one. Backend of SQLite.
 *
 * A file is new when it has no tables and no marks; it is ours when it has our application_id. Everything else belongs
 * to somebody else and is left as it is.
 */
#include "backends/sqlite/driver.h"

#include <string.h>

#define SHOWN_ROOM 80

/* ---- what is there --------------------------------------------------------------------------------------------- */

typedef struct contents {
    int64_t application_id, user_version, tables;
    char first[SHOWN_ROOM]; /* the name of a table or whatever else there is */
} contents;

static int look_into(aci_sqlite_connection *c, contents *out)
{
    sqlite3_stmt *statement = NULL;
    int code;

    memset(out, 0, sizeof *out);
    code = aci_sqlite_ask(c, "PRAGMA application_id", &out->application_id);
    if (code == SQLITE_OK)
        code = aci_sqlite_ask(c, "PRAGMA user_version", &out->user_version);
    if (code == SQLITE_OK)
        code = aci_sqlite_prepare(c, "SELECT count(*), min(name) FROM sqlite_schema", false, &statement);
    if (code != SQLITE_OK)
        return code;
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        const unsigned char *name = sqlite3_column_text(statement, 1);

        out->tables = sqlite3_column_int64(statement, 0);
        aci_sqlite_printable(name != NULL ? (const char *)name : "", out->first, sizeof out->first);
    }
    (void)sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static agentchat_status refuse(aci_sqlite_connection *c, const contents *found, agentchat_error *err)
{
    if (found->application_id != 0)
        (void)agentchat_error_set(err, AGENTCHAT_E_SCHEMA,
                                  "this is the database of another program (its application_id is 0x%08lx)",
                                  (unsigned long)(uint32_t)found->application_id);
    else if (found->tables > 1)
        (void)agentchat_error_set(err, AGENTCHAT_E_SCHEMA,
                                  "this is the database of another program (it holds \"%s\" and %lld more)",
                                  found->first, (long long)found->tables - 1);
    else if (found->tables == 1)
        (void)agentchat_error_set(err, AGENTCHAT_E_SCHEMA, "this is the database of another program (it holds \"%s\")",
                                  found->first);
    else
        (void)agentchat_error_set(err, AGENTCHAT_E_SCHEMA,
                                  "this is the database of another program (its user_version is %lld)",
                                  (long long)found->user_version);
    /* Closing it must not move anything from its log into it either; without one it removes what opening has made. */
    if (c->had_log)
        (void)sqlite3_db_config(c->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)NULL);
    return aci_sqlite_source(c->database, AGENTCHAT_E_SCHEMA, err);
}

static bool to_number(sqlite3_stmt *statement, int column, uint32_t *out)
{
    int64_t value = sqlite3_column_int64(statement, column);

    *out = (uint32_t)value;
    return sqlite3_column_type(statement, column) == SQLITE_INTEGER && value >= 1 && value <= INT32_MAX;
}

static agentchat_status read_numbers(aci_sqlite_connection *c, agentchat_sql_version *out,
                                     agentchat_sql_outcome *outcome, agentchat_error *err)
{
    sqlite3_stmt *statement = NULL;
    int code = aci_sqlite_prepare(c, "SELECT format, reader, writer FROM store", false, &statement);
    bool good = false;

    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        good = to_number(statement, 0, &out->format) && to_number(statement, 1, &out->reader) &&
               to_number(statement, 2, &out->writer);
    if (code == SQLITE_ROW)
        code = good ? sqlite3_step(statement) : SQLITE_OK;
    good = good && code == SQLITE_DONE;
    (void)sqlite3_finalize(statement);
    if (good)
        return AGENTCHAT_OK;
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
        return aci_sqlite_fail_on(c, code, "cannot read the version of the tables", outcome, err);
    (void)agentchat_error_set(err, AGENTCHAT_E_CORRUPT, "the table \"store\" does not hold one version");
    return aci_sqlite_source(c->database, AGENTCHAT_E_CORRUPT, err);
}

/* In a transaction, so that all of it is of one moment. */
static agentchat_status find_version(aci_sqlite_connection *c, agentchat_sql_version *out,
                                     agentchat_sql_outcome *outcome, agentchat_error *err)
{
    contents found;
    int code = look_into(c, &found);

    memset(out, 0, sizeof *out);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    if (found.application_id == ACI_SQLITE_APPLICATION_ID)
        return read_numbers(c, out, outcome, err);
    if (found.application_id == 0 && found.user_version == 0 && found.tables == 0)
        return AGENTCHAT_OK;
    return refuse(c, &found, err);
}

agentchat_status aci_sqlite_version(void *connection, agentchat_sql_version *out, agentchat_sql_outcome *outcome,
                                    agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_status status;

    *outcome = AGENTCHAT_SQL_FINAL;
    memset(out, 0, sizeof *out);
    aci_sqlite_start_waiting(c);
    status = aci_sqlite_begin(c, false, outcome, err);
    if (status < 0)
        return status;
    status = find_version(c, out, outcome, err);
    if (status >= 0)
        return aci_sqlite_commit(c, outcome, err);
    aci_sqlite_rollback(c);
    return status;
}

/* ---- making the tables ----------------------------------------------------------------------------------------- */

/* What a file gets for good and only before its first table: the way to give pages back (where another program has made
   the empty database, it is made anew), and the write-ahead log. */
static agentchat_status lay_out(aci_sqlite_connection *c, agentchat_sql_outcome *outcome, agentchat_error *err)
{
    int64_t mode = 0;
    int code;

    if (c->database->path == NULL)
        return AGENTCHAT_OK;
    code = aci_sqlite_exec_waiting(c, "PRAGMA auto_vacuum=INCREMENTAL");
    if (code == SQLITE_OK)
        code = aci_sqlite_ask(c, "PRAGMA auto_vacuum", &mode);
    if (code == SQLITE_OK && mode != 2) {
        (void)sqlite3_limit(c->db, SQLITE_LIMIT_ATTACHED, 1); /* for its copy */
        code = aci_sqlite_exec_waiting(c, "VACUUM");
        (void)sqlite3_limit(c->db, SQLITE_LIMIT_ATTACHED, 0);
    }
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot prepare the new file", outcome, err);
    return aci_sqlite_use_log(c, outcome, err);
}

static agentchat_status run_script(aci_sqlite_connection *c, const char *script, agentchat_sql_outcome *outcome,
                                   agentchat_error *err)
{
    agentchat_sql_version made = {0, 0, 0};
    agentchat_status status;
    char text[96];
    int code = aci_sqlite_exec(c, script);

    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot make the tables", outcome, err);
    status = read_numbers(c, &made, outcome, err);
    if (status < 0)
        return status;
    snprintf(text, sizeof text, "PRAGMA application_id=%d; PRAGMA user_version=%lu", ACI_SQLITE_APPLICATION_ID,
             (unsigned long)made.format);
    code = aci_sqlite_exec(c, text);
    return code == SQLITE_OK ? AGENTCHAT_OK : aci_sqlite_fail_on(c, code, "cannot make the tables", outcome, err);
}

agentchat_status aci_sqlite_install(void *connection, uint32_t from, const char *script, agentchat_sql_outcome *outcome,
                                    agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_sql_version now;
    agentchat_status status = aci_sqlite_version(c, &now, outcome, err);

    if (status < 0 || now.format != from)
        return status;
    if (from == 0)
        status = lay_out(c, outcome, err);
    if (status >= 0)
        status = aci_sqlite_begin(c, true, outcome, err);
    if (status < 0)
        return status;
    status = find_version(c, &now, outcome, err);
    if (status >= 0 && now.format == from)
        status = run_script(c, script, outcome, err);
    if (status < 0) {
        aci_sqlite_rollback(c);
        return status;
    }
    status = aci_sqlite_commit(c, outcome, err);
    if (status >= 0)
        (void)aci_sqlite_prepare_own(c); /* else they are prepared when they are needed */
    return status;
}
