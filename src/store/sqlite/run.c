/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of statements in a transaction. Backend of SQLite. */
#include "store/sqlite/driver.h"

#define MOST_COLUMNS 64
#define SMALL_BULK (UINT64_C(16) << 20) /* bytes of rows that any file may give */
#define LARGEST_PAGE 65536
#define LEAST_ROW 8

/* ---- one statement --------------------------------------------------------------------------------------------- */

static int bind(sqlite3_stmt *statement, int index, const aci_sql_value *value)
{
    switch (value->type) {
    case ACI_SQL_INTEGER:
        return sqlite3_bind_int64(statement, index, value->integer);
    case ACI_SQL_TEXT:
        return sqlite3_bind_text64(statement, index, value->text.ptr != NULL ? value->text.ptr : "", value->text.len,
                                   SQLITE_STATIC, SQLITE_UTF8);
    case ACI_SQL_BYTES: /* without any, a NULL pointer would be NULL */
        return sqlite3_bind_blob64(statement, index, value->text.len > 0 ? value->text.ptr : "", value->text.len,
                                   SQLITE_STATIC);
    case ACI_SQL_NULL:
        break;
    }
    return sqlite3_bind_null(statement, index);
}

static int bind_all(sqlite3_stmt *statement, const aci_sql_request *request)
{
    int code = SQLITE_OK;

    /* "$1" is a name to SQLite; names are numbered by where they first occur, which is their order. */
    if ((size_t)sqlite3_bind_parameter_count(statement) != request->param_count)
        return SQLITE_RANGE;
    for (size_t i = 0; i < request->param_count && code == SQLITE_OK; i++)
        code = bind(statement, (int)i + 1, &request->params[i]);
    return code;
}

static agentchat_status fail_column(const aci_sqlite_connection *c, int index, const char *what, agentchat_error *err)
{
    (void)agentchat_error_set(err, AGENTCHAT_E_CORRUPT, "column %d of a row holds %s", index + 1, what);
    return aci_sqlite_source(c->database, AGENTCHAT_E_CORRUPT, err);
}

static agentchat_status read_column(const aci_sqlite_connection *c, sqlite3_stmt *statement, int index,
                                    aci_sql_value *out, agentchat_error *err)
{
    *out = (aci_sql_value){ACI_SQL_NULL, 0, {NULL, 0}};
    switch (sqlite3_column_type(statement, index)) {
    case SQLITE_NULL:
        return AGENTCHAT_OK;
    case SQLITE_INTEGER:
        out->type = ACI_SQL_INTEGER;
        out->integer = sqlite3_column_int64(statement, index);
        return AGENTCHAT_OK;
    case SQLITE_TEXT:
        out->type = ACI_SQL_TEXT;
        out->text.ptr = (const char *)sqlite3_column_text(statement, index);
        if (out->text.ptr == NULL)
            return aci_sqlite_fail_nomem(c->database, err);
        out->text.len = (size_t)sqlite3_column_bytes(statement, index);
        return aci_sqlite_is_text(out->text.ptr, out->text.len)
                   ? AGENTCHAT_OK
                   : fail_column(c, index, "text that is no UTF-8, or has a NUL in it", err);
    case SQLITE_FLOAT:
        return fail_column(c, index, "a number that is no integer", err);
    default:
        out->type = ACI_SQL_BYTES;
        out->text.len = (size_t)sqlite3_column_bytes(statement, index);
        out->text.ptr = out->text.len > 0 ? sqlite3_column_blob(statement, index) : "";
        return out->text.ptr != NULL ? AGENTCHAT_OK : aci_sqlite_fail_nomem(c->database, err);
    }
}

static agentchat_status give_row(const aci_sqlite_connection *c, sqlite3_stmt *statement,
                                 const aci_sql_request *request, agentchat_error *err)
{
    aci_sql_value columns[MOST_COLUMNS];
    int count = sqlite3_column_count(statement);
    agentchat_status status = AGENTCHAT_OK;

    if (request->row == NULL)
        return AGENTCHAT_OK;
    if (count > MOST_COLUMNS)
        return aci_sqlite_fail(c->database, NULL, SQLITE_RANGE, "a row has too many columns", NULL, err);
    for (int i = 0; i < count && status >= 0; i++)
        status = read_column(c, statement, i, &columns[i], err);
    return status < 0 ? status : request->row(request->user, columns, (size_t)count, err);
}

/* Every statement gives a row of a table once at most. Pages that occur several times in a tree give theirs again and
   again: more than the file can hold. */
typedef struct bulk {
    uint64_t bytes, most;
} bulk;

static agentchat_status weigh_row(aci_sqlite_connection *c, sqlite3_stmt *statement, bulk *given, agentchat_error *err)
{
    int64_t pages = 0;

    given->bytes += LEAST_ROW;
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        int type = sqlite3_column_type(statement, i);

        if (type == SQLITE_TEXT || type == SQLITE_BLOB)
            given->bytes += (uint64_t)sqlite3_column_bytes(statement, i);
    }
    if (given->bytes <= given->most)
        return AGENTCHAT_OK;
    if (given->most == SMALL_BULK && aci_sqlite_ask_own(c, ACI_SQLITE_OWN_PAGES, &pages) == SQLITE_OK && pages > 0)
        given->most += (uint64_t)pages * LARGEST_PAGE;
    if (given->bytes <= given->most)
        return AGENTCHAT_OK;
    (void)agentchat_error_set(err, AGENTCHAT_E_CORRUPT,
                              "the file is damaged: a statement gives more than the file holds");
    if (err != NULL)
        err->native = SQLITE_CORRUPT;
    return aci_sqlite_source(c->database, AGENTCHAT_E_CORRUPT, err);
}

static agentchat_status step_all(aci_sqlite_connection *c, sqlite3_stmt *statement, aci_sql_request *request,
                                 aci_sql_outcome *outcome, agentchat_error *err)
{
    bool writes = sqlite3_stmt_readonly(statement) == 0;
    bool first = true;
    bulk given = {0, SMALL_BULK};

    aci_sqlite_start_statement(c);
    if (writes && c->state != ACI_SQLITE_WRITING)
        return aci_sqlite_fail_on(c, SQLITE_MISUSE, "a statement writes in a transaction that only reads", outcome,
                                  err);
    for (;;) {
        int code = sqlite3_step(statement);
        agentchat_status status;

        if (code == SQLITE_DONE)
            break;
        if (code != SQLITE_ROW) {
            /* The first statement of a transaction that reads may find others in the way where SQLite does not wait. */
            if (first && !writes && aci_sqlite_is_busy(code) && aci_sqlite_wait(c, 0) != 0) {
                (void)sqlite3_reset(statement);
                continue;
            }
            return aci_sqlite_fail_on(c, code, "cannot run a statement", outcome, err);
        }
        first = false;
        status = weigh_row(c, statement, &given, err);
        if (status >= 0)
            status = give_row(c, statement, request, err);
        if (status < 0)
            return status;
    }
    request->changed = writes ? (uint64_t)sqlite3_changes64(c->db) : 0;
    return AGENTCHAT_OK;
}

static agentchat_status run_one(aci_sqlite_connection *c, aci_sql_request *request, aci_sql_outcome *outcome,
                                agentchat_error *err)
{
    sqlite3_stmt *statement = NULL;
    agentchat_status status = aci_sqlite_prepared_of(c, request->statement, &statement, outcome, err);
    int code;

    request->changed = 0;
    if (status < 0)
        return status;
    code = bind_all(statement, request);
    if (code != SQLITE_OK)
        status = aci_sqlite_fail_on(c, code, "cannot bind a statement's parameters", outcome, err);
    else
        status = step_all(c, statement, request, outcome, err);
    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement); /* the texts are the caller's and end with the call */
    return status;
}

/* ---- a batch --------------------------------------------------------------------------------------------------- */

agentchat_status aci_sqlite_run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                                aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_status status = AGENTCHAT_OK;

    *outcome = ACI_SQL_FINAL;
    aci_sqlite_start_waiting(c);
    if ((flags & (ACI_SQL_BEGIN_READ | ACI_SQL_BEGIN_WRITE)) != 0)
        status = aci_sqlite_begin(c, (flags & ACI_SQL_BEGIN_WRITE) != 0, outcome, err);
    else if (c->state == ACI_SQLITE_IDLE)
        status = aci_sqlite_fail_on(c, SQLITE_MISUSE, "a batch without a transaction", outcome, err);
    if (status < 0)
        return status;
    for (size_t i = 0; i < count && status >= 0; i++)
        status = run_one(c, &requests[i], outcome, err);
    if (status < 0) {
        aci_sqlite_rollback(c);
        return status;
    }
    return (flags & ACI_SQL_COMMIT) != 0 ? aci_sqlite_commit(c, outcome, err) : AGENTCHAT_OK;
}
