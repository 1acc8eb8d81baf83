/* SPDX-License-Identifier: Apache-2.0 */
/* Running batches in transactions; copying the log into the file. */
#include "store/sqlite/driver.h"

#include <limits.h>
#include <stdio.h>

/* ==== copying the write-ahead log into the file ================================================================== */

/* Backend of SQLite.

   SQLite by itself has every commit do that once the log has 1,000 pages, whoever has written them. When one call
   has written much, or has read for long, so that the log could not begin anew, whoever puts a few pages next would
   do all of that call's work. So who copies a log is who has written a part of it; and calls that may take long do
   it whenever they have ended a transaction. Copying keeps nobody from writing. */

enum {
    LONG_LOG = 1000,         /* pages; SQLite's own number */
    LONG_LOG_OF_CALLS = 250, /* that may take long */
    MOST_ROUNDS = 8,
    LONG_READ_US = 20000
};

static int note_length(void *connection, sqlite3 *db, const char *name, int pages)
{
    aci_sqlite_connection *c = connection;

    (void)db;
    (void)name;
    c->log_pages = pages;
    return SQLITE_OK;
}

void aci_sqlite_watch_log(aci_sqlite_connection *c)
{
    /* Of many connections that write alike, or that write a little and close, one has its turn every 1,000 pages. */
    c->written_pages = (int)(c->random % LONG_LOG);
    (void)sqlite3_wal_hook(c->db, note_length, c);
}

/* A log that somebody reads cannot be copied. Were it flushed when he has ended, all at once, who appends to it would
   have to wait for that. */
static void flush_log(const aci_sqlite_connection *c)
{
    sqlite3_file *log = NULL;

    if (sqlite3_file_control(c->db, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log != NULL &&
        log->pMethods != NULL)
        (void)log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
}

/* What cannot be copied is for the next time. Long calls copy what others add meanwhile, too, until little is left. */
static void copy_log(aci_sqlite_connection *c)
{
    int length = 0, copied = 0, before, code;
    unsigned rounds = 0;

    c->written_pages = 0;
    do {
        before = copied;
        code = sqlite3_wal_checkpoint_v2(c->db, NULL, SQLITE_CHECKPOINT_PASSIVE, &length, &copied);
        if (code != SQLITE_OK || !c->call.unbounded)
            return;
    } while (length - copied >= LONG_LOG && copied > before && ++rounds < MOST_ROUNDS);
    if (length - copied >= LONG_LOG)
        flush_log(c);
}

/* Copies the log, when it is long, and it is this connection's turn. To be called after each commit that has written,
   and after a transaction that has read. */
static void sqlite_log_after_writing(aci_sqlite_connection *c)
{
    int pages = 0, highest = 0;

    if (c->log_pages == 0)
        return;
    (void)sqlite3_db_status(c->db, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1);
    c->written_pages = pages < INT_MAX - c->written_pages ? c->written_pages + pages : INT_MAX;
    if (c->call.unbounded ? c->log_pages >= LONG_LOG_OF_CALLS
                          : c->log_pages >= LONG_LOG && c->written_pages >= LONG_LOG)
        copy_log(c);
}

static void sqlite_log_after_reading(aci_sqlite_connection *c)
{
    if (c->call.unbounded && !c->database->read_only && c->database->path != NULL &&
        aci_sqlite_now_us() - c->began_us >= LONG_READ_US)
        copy_log(c);
}

/* ==== giving space back ========================================================================================== */

/* Backend of SQLite.

   SQLite keeps pages that become free inside the file, with the text that stood on them. They are cut off as soon
   as a transaction has freed them: the first few in that very transaction, which costs no commit of its own, and
   the rest after it in pieces, between which others get their turn. The work is as much as what was deleted, and is
   that of who has deleted it. Of what others have left, who perhaps were killed, each commit cuts off a little, and
   calls that may take long all of it. */

enum {
    PAUSE_US = 2000, /* longer than those sleep who wait for the lock */
    AT_ONCE = 64,
    PIECE = 128,
    OF_OTHERS = 8
};

static int shrink(aci_sqlite_connection *c, int64_t pages, int64_t *left)
{
    char text[48];
    int code;

    snprintf(text, sizeof text, "PRAGMA incremental_vacuum(%d)", (int)pages);
    code = aci_sqlite_exec(c, text);
    return code == SQLITE_OK ? aci_sqlite_ask_own(c, ACI_SQLITE_OWN_FREE_PAGES, left) : code;
}

/* Gives pages that the transaction has freed back to the file system: some before the commit, and after it *more. */
static int sqlite_shrink_before(aci_sqlite_connection *c, int64_t *more)
{
    int64_t free_pages = 0, mine, left = 0;
    int code;

    *more = 0;
    if (c->database->path == NULL)
        return SQLITE_OK;
    code = aci_sqlite_ask_own(c, ACI_SQLITE_OWN_FREE_PAGES, &free_pages);
    if (code != SQLITE_OK || free_pages == 0)
        return code;
    if (c->call.unbounded)
        mine = free_pages;
    else
        mine = OF_OTHERS + (free_pages > c->free_pages ? free_pages - c->free_pages : 0);
    code = shrink(c, mine < AT_ONCE ? mine : AT_ONCE, &left);
    if (mine > AT_ONCE)
        *more = mine - AT_ONCE < left ? mine - AT_ONCE : left;
    return code;
}

/* What is left when it fails is for the next time. */
static void sqlite_shrink_after(aci_sqlite_connection *c, int64_t more)
{
    int64_t before, left = INT64_MAX;

    do {
        before = left;
        aci_sqlite_start_statement(c);
        if (aci_sqlite_step_own(c, ACI_SQLITE_OWN_BEGIN_WRITE) != SQLITE_OK ||
            shrink(c, more < PIECE ? more : PIECE, &left) != SQLITE_OK ||
            aci_sqlite_step_own(c, ACI_SQLITE_OWN_COMMIT) != SQLITE_OK)
            break;
        sqlite_log_after_writing(c);
        more -= PIECE;
        if (left > 0 && more > 0)
            (void)c->database->base->xSleep(c->database->base, PAUSE_US);
    } while (more > 0 && left > 0 && left < before);
    aci_sqlite_rollback(c);
}

/* ==== beginning and ending transactions ========================================================================== */

/* Backend of SQLite.

   A transaction that may write takes the lock for it at its beginning, so that it never finds out half way that
   somebody else was faster. One that reads sees the state of its first statement until it ends, however much others
   write. Whatever fails ends the transaction: afterwards the connection is idle, or dead when not even that was
   possible. */

agentchat_status aci_sqlite_look_at_schema(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    int64_t counter = 0;
    agentchat_status status;
    int code;

    /* It is the first statement of a transaction that reads, which may find others in the way. */
    do
        code = aci_sqlite_ask_own(c, ACI_SQLITE_OWN_SCHEMA_COUNTER, &counter);
    while (aci_sqlite_is_busy(code) && aci_sqlite_wait(c, 0) != 0);
    if (code != SQLITE_OK)
        return aci_sqlite_fail_on(c, code, "cannot read the file", outcome, err);
    if (counter == c->schema_counter)
        return AGENTCHAT_OK;
    c->schema_counter = -1;
    status = aci_sqlite_inspect(c, outcome, err);
    if (status >= 0)
        c->schema_counter = counter;
    return status;
}

/* What is written to a file that was deleted or replaced would go nowhere, or into the other one's log. */
static agentchat_status check_file(aci_sqlite_connection *c, agentchat_error *err)
{
    agentchat_status status = aci_sqlite_same_file(c->database, c->db, err);

    if (status >= 0) {
        aci_sqlite_note_shared(c);
        return status;
    }
    aci_sqlite_rollback(c);
    aci_sqlite_start_waiting(c);
    if (aci_sqlite_is_replaced(c->database))
        aci_sqlite_take_log_along(c);
    c->dead = true;
    return status;
}

agentchat_status aci_sqlite_begin(aci_sqlite_connection *c, bool writes, aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status;
    int code;

    if (c->dead) {
        (void)agentchat_error_set(err, AGENTCHAT_E_IO, "the connection to the file is of no use any more");
        return aci_sqlite_source(c->database, AGENTCHAT_E_IO, err);
    }
    if (c->state != ACI_SQLITE_IDLE) {
        aci_sqlite_rollback(c);
        return aci_sqlite_fail_on(c, SQLITE_MISUSE, "a transaction begins inside another one", outcome, err);
    }
    code = aci_sqlite_step_own(c, writes ? ACI_SQLITE_OWN_BEGIN_WRITE : ACI_SQLITE_OWN_BEGIN_READ);
    if (code != SQLITE_OK) {
        status = aci_sqlite_fail_on(c, code, "cannot begin a transaction", outcome, err);
    } else {
        c->state = writes ? ACI_SQLITE_WRITING : ACI_SQLITE_READING;
        c->began_us = aci_sqlite_now_us();
        status = writes ? check_file(c, err) : AGENTCHAT_OK;
        if (status >= 0)
            status = aci_sqlite_look_at_schema(c, outcome, err);
    }
    if (status >= 0 && writes) {
        code = aci_sqlite_ask_own(c, ACI_SQLITE_OWN_FREE_PAGES, &c->free_pages);
        if (code != SQLITE_OK)
            status = aci_sqlite_fail_on(c, code, "cannot begin a transaction", outcome, err);
    }
    if (status < 0)
        aci_sqlite_rollback(c);
    return status;
}

void aci_sqlite_end(void *connection)
{
    aci_sqlite_connection *c = connection;
    bool reads = c->state == ACI_SQLITE_READING;

    aci_sqlite_rollback(c);
    if (reads && !c->dead)
        sqlite_log_after_reading(c);
}

/* Writes a page as it is, so that committing writes to the log, and flushes it where the store does that. */
static int write_nothing_new(aci_sqlite_connection *c)
{
    int64_t format = 0;
    char text[48];
    int code = aci_sqlite_ask(c, "PRAGMA user_version", &format);

    if (code != SQLITE_OK)
        return code;
    snprintf(text, sizeof text, "PRAGMA user_version=%ld", (long)format);
    return aci_sqlite_exec(c, text);
}

/* When the log could not be flushed, what was to be committed may stand in it in full. Nobody sees it, but if every
   process that has the file open were killed now, the next one would find it there and regard it as committed. A
   transaction that changes nothing is written over it. false: that was not possible either. */
static bool bury(aci_sqlite_connection *c)
{
    int code;

    c->guard = ACI_SQLITE_ENDING;
    code = aci_sqlite_exec(c, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK)
        code = write_nothing_new(c);
    if (code == SQLITE_OK)
        code = aci_sqlite_exec(c, "COMMIT");
    c->guard = ACI_SQLITE_ORDINARY;
    aci_sqlite_rollback(c);
    /* What was written but not flushed is in the other file as well. */
    return code == SQLITE_OK || code == SQLITE_IOERR_FSYNC;
}

/* A commit failed. What was not written in full is not in the log; anything else may be. */
static void clean_up(aci_sqlite_connection *c, int code, aci_sql_outcome *outcome)
{
    bool is_partial = (code & 0xFF) == SQLITE_FULL || code == SQLITE_IOERR_WRITE;

    if (c->database->path == NULL || aci_sqlite_is_busy(code))
        return;
    if ((c->dead || !bury(c)) && !is_partial)
        *outcome = ACI_SQL_UNCERTAIN;
}

agentchat_status aci_sqlite_commit(aci_sqlite_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    bool writes = c->state == ACI_SQLITE_WRITING, has_begun = false;
    int64_t more = 0;
    agentchat_status status;
    int code = SQLITE_OK;

    if (c->state == ACI_SQLITE_IDLE)
        return aci_sqlite_fail_on(c, SQLITE_MISUSE, "a commit without a transaction", outcome, err);
    aci_sqlite_start_statement(c);
    if (writes)
        code = sqlite_shrink_before(c, &more);
    if (code == SQLITE_OK) {
        has_begun = true;
        code = aci_sqlite_step_own(c, ACI_SQLITE_OWN_COMMIT);
    }
    if (code != SQLITE_OK) {
        status = aci_sqlite_fail_on(c, code, "cannot commit", outcome, err);
        aci_sqlite_rollback(c);
        if (writes && has_begun)
            clean_up(c, code, outcome);
        return status;
    }
    c->state = ACI_SQLITE_IDLE;
    if (!writes) {
        sqlite_log_after_reading(c);
        return AGENTCHAT_OK;
    }
    sqlite_log_after_writing(c);
    if (more > 0)
        sqlite_shrink_after(c, more);
    return AGENTCHAT_OK;
}

/* What others have committed can be seen before it is flushed, when a writer was killed in between or does not flush at
   all. A flush of the log flushes that too. */
agentchat_status aci_sqlite_confirm(void *connection, aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_sqlite_connection *c = connection;
    agentchat_status status;
    int code;

    *outcome = ACI_SQL_FINAL;
    aci_sqlite_rollback(c);
    if (c->database->path == NULL || c->database->durability == AGENTCHAT_DURABILITY_NORMAL)
        return AGENTCHAT_OK;
    aci_sqlite_start_waiting(c);
    status = aci_sqlite_begin(c, true, outcome, err);
    if (status < 0)
        return status;
    code = write_nothing_new(c);
    if (code == SQLITE_OK) {
        status = aci_sqlite_commit(c, outcome, err);
    } else {
        status = aci_sqlite_fail_on(c, code, "cannot write to the file's log", outcome, err);
        aci_sqlite_rollback(c);
    }
    if (*outcome == ACI_SQL_UNCERTAIN) /* nothing was to be committed that could be missing */
        *outcome = ACI_SQL_FINAL;
    return status;
}

/* ==== batches of statements in a transaction ===================================================================== */

/* Backend of SQLite. */

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
