/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of the tables in a file, and making them in a new one. Backend of SQLite.
 *
 * A file is new when it has no tables and no marks; a program that was killed while it made the tables leaves one.
 */
#include "backends/sqlite/driver.h"

#include <string.h>

static bool to_number(sqlite3_stmt *statement, int column, uint32_t *out)
{
    int64_t value = sqlite3_column_int64(statement, column);

    *out = (uint32_t)value;
    return sqlite3_column_type(statement, column) == SQLITE_INTEGER && value >= 1 && value <= INT32_MAX;
}

agentchat_status aci_sqlite_read_numbers(aci_sqlite_connection *c, agentchat_sql_version *out,
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

/* In a transaction, whose beginning has looked at the schema. */
static agentchat_status find_version(aci_sqlite_connection *c, agentchat_sql_version *out,
                                     agentchat_sql_outcome *outcome, agentchat_error *err)
{
    memset(out, 0, sizeof *out);
    return c->is_store ? aci_sqlite_read_numbers(c, out, outcome, err) : AGENTCHAT_OK;
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
        aci_sqlite_allow_copy(c, true);
        code = aci_sqlite_exec_waiting(c, "VACUUM");
        aci_sqlite_allow_copy(c, false);
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
    status = aci_sqlite_read_numbers(c, &made, outcome, err);
    if (status < 0)
        return status;
    snprintf(text, sizeof text, "PRAGMA application_id=%d; PRAGMA user_version=%lu", ACI_SQLITE_APPLICATION_ID,
             (unsigned long)made.format);
    code = aci_sqlite_exec(c, text);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot make the tables", outcome, err);
    return aci_sqlite_look_at_schema(c, outcome, err); /* what was made is what is known */
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
