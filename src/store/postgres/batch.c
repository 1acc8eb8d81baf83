/* SPDX-License-Identifier: Apache-2.0 */
/* Running batches. */
#include "driver.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ==== waiting for the server ===================================================================================== */

int64_t aci_postgres_now_ms(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool aci_postgres_poll(int socket, short events, int64_t timeout_ms, short *ready)
{
    int64_t deadline = aci_postgres_now_ms() + timeout_ms;

    for (;;) {
        struct pollfd watched = {socket, events, 0};
        int64_t left = deadline - aci_postgres_now_ms();
        int found;

        if (left < 0)
            left = 0;
        found = poll(&watched, 1, left < 1000000 ? (int)left : 1000000);
        *ready = watched.revents;
        if (found > 0)
            return true;
        if ((found < 0 && errno != EINTR && errno != EAGAIN) || aci_postgres_now_ms() >= deadline)
            return false;
    }
}

void aci_postgres_count(aci_postgres_connection *c)
{
    c->round_trips++;
    atomic_fetch_add_explicit(&c->server->round_trips, 1, memory_order_relaxed);
}

/* How long it may say nothing now. After the deadline, what is under way has the time of an answer. */
static int64_t silence_allowed(const aci_postgres_connection *c)
{
    int64_t left = c->deadline_ms - aci_postgres_now_ms(), spare = c->patience_ms / 8;

    if (left < spare)
        left = spare;
    return left < c->patience_ms ? left : c->patience_ms;
}

/* Waits for the server, which may say nothing for the connection's patience, then reads what it said. false: the
   connection is lost, though what was said before may still be there. */
static bool postgres_receive(aci_postgres_connection *c, bool also_when_writable)
{
    int64_t allowed = silence_allowed(c);
    short ready = 0, events = (short)(also_when_writable ? POLLIN | POLLOUT : POLLIN);

    if (PQsocket(c->conn) < 0)
        return false;
    if (!aci_postgres_poll(PQsocket(c->conn), events, allowed, &ready)) {
        c->is_silent = true;
        c->is_late = allowed < c->patience_ms;
        c->silence_ms = allowed;
        return false;
    }
    c->is_heard = c->is_heard || (ready & POLLIN) != 0;
    return (ready & ~POLLOUT) == 0 || PQconsumeInput(c->conn) == 1;
}

bool aci_postgres_next(aci_postgres_connection *c, PGresult **result)
{
    *result = NULL;
    while (PQisBusy(c->conn)) {
        bool is_unsent = PQflush(c->conn) > 0;

        /* After a loss, what the server said before it may still make a result. */
        if (aci_postgres_lacks_memory(c) || (!postgres_receive(c, is_unsent) && PQisBusy(c->conn)))
            return false;
    }
    *result = PQgetResult(c->conn);
    return true;
}

agentchat_status aci_postgres_query(aci_postgres_connection *c, const char *text, bool commits, PGresult **out,
                                    aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    PGresult *result = NULL, *last = NULL;

    if (out != NULL)
        *out = NULL;
    if (!PQsendQuery(c->conn, text))
        return aci_postgres_fail_lost(c, commits, outcome, err);
    aci_postgres_count(c);
    for (;;) {
        ExecStatusType kind;

        if (!aci_postgres_next(c, &result)) {
            if (status >= 0)
                status = aci_postgres_fail_lost(c, commits, outcome, err);
            break;
        }
        if (result == NULL)
            break;
        PQclear(last);
        last = result;
        kind = PQresultStatus(result);
        if (kind != PGRES_COMMAND_OK && kind != PGRES_TUPLES_OK && status >= 0)
            status = aci_postgres_fail_result(c, result, commits, outcome, err);
        if (c->is_lost)
            break;
    }
    if (status >= 0 && out != NULL) {
        *out = last;
        last = NULL;
    }
    PQclear(last);
    return status;
}

/* ==== how long a server may keep us waiting ====================================================================== */

/* A server that waits for a lock is as silent as one that has gone. So it is made to wait for a part of the time
   only and to say so, and is then asked again: it is known to be alive, and one that has gone is found out while
   there is time left to turn to another. A statement that locks a row may wait twice, for its turn among those who
   wait and then for who holds the row, each for lock_timeout: four times that is the full wait. */

enum { LEAST_SPARE_MS = 2000 };

uint32_t aci_postgres_lock_ms(int64_t wait_ms)
{
    int64_t part = wait_ms / 4;

    return part < 1 ? 1 : part < INT32_MAX ? (uint32_t)part : INT32_MAX;
}

int64_t aci_postgres_patience(uint32_t wait_ms)
{
    int64_t spare = wait_ms / 4;

    return wait_ms / 2 + (spare > LEAST_SPARE_MS ? spare : LEAST_SPARE_MS);
}

void aci_postgres_allow(void *connection, uint32_t wait_ms)
{
    aci_postgres_connection *c = connection;

    c->deadline_ms = aci_postgres_now_ms() + wait_ms;
}

agentchat_status aci_postgres_limit_locks(aci_postgres_connection *c, aci_sql_outcome *outcome, agentchat_error *err)
{
    uint32_t usual = aci_postgres_lock_ms(c->server->wait_ms);
    int64_t left = (c->deadline_ms - aci_postgres_now_ms()) / 2; /* it may wait twice */
    uint32_t wanted = left >= usual ? usual : left < 1 ? 1 : (uint32_t)left;
    agentchat_status status;
    char text[64];

    if (wanted == c->lock_ms)
        return AGENTCHAT_OK;
    snprintf(text, sizeof text, "SET lock_timeout = %lu", (unsigned long)wanted);
    status = aci_postgres_query(c, text, false, NULL, outcome, err);
    if (status >= 0)
        c->lock_ms = wanted;
    return status;
}

/* ==== ending transactions, and whether a connection can be used afterwards ======================================= */

void aci_postgres_rollback(void *connection)
{
    aci_postgres_connection *c = connection;
    aci_sql_outcome outcome = ACI_SQL_FINAL;

    c->in_transaction = false;
    if (c->is_lost || PQtransactionStatus(c->conn) == PQTRANS_IDLE)
        return;
    if (aci_postgres_query(c, "ROLLBACK", false, NULL, &outcome, NULL) < 0 ||
        PQtransactionStatus(c->conn) != PQTRANS_IDLE)
        c->is_lost = true;
}

/* A commit waits for the standbys when it has written to the log, and then for all that is in the log before it. So it
   writes a message that nobody reads: that needs no table and no row, of which there may be none any more. A standby
   refuses the first function in words that say what it is; it would refuse the second in others. */
static const char confirmation[] = "ROLLBACK;BEGIN ISOLATION LEVEL READ COMMITTED;"
                                   "SELECT pg_catalog.pg_current_xact_id(),"
                                   " pg_catalog.pg_logical_emit_message(true, 'agentchat', ''::pg_catalog.text);"
                                   "COMMIT";

agentchat_status aci_postgres_confirm(void *connection, aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_postgres_connection *c = connection;
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    *outcome = ACI_SQL_FINAL;
    c->in_transaction = c->is_unawaited = c->is_heard = false;
    status = aci_postgres_query(c, confirmation, false, NULL, outcome, &why);
    if (status >= 0 && !c->is_unawaited)
        return AGENTCHAT_OK;
    aci_postgres_rollback(c); /* does nothing where all was done */
    if (status >= 0) {
        *outcome = ACI_SQL_TRANSIENT;
        return aci_postgres_fail_unawaited(c, err);
    }
    if (c->is_silent)
        return aci_postgres_fail(c, AGENTCHAT_E_IO, err,
                                 "the server did not confirm within %lld ms what it holds (a standby that it waits for "
                                 "may be down)",
                                 (long long)c->silence_ms);
    if (err != NULL)
        *err = why;
    return status;
}

bool aci_postgres_is_alive(void *connection)
{
    aci_postgres_connection *c = connection;
    short ready = 0;

    /* An idle connection has nothing to say, but a server that ends says so and closes it. */
    while (!c->is_lost && PQsocket(c->conn) >= 0 && aci_postgres_poll(PQsocket(c->conn), POLLIN, 0, &ready)) {
        if (PQconsumeInput(c->conn) != 1 || PQisBusy(c->conn) || c->goodbye[0] != '\0')
            c->is_lost = true;
    }
    return !c->is_lost && PQsocket(c->conn) >= 0 && PQstatus(c->conn) == CONNECTION_OK &&
           PQtransactionStatus(c->conn) == PQTRANS_IDLE;
}

/* ==== which statements the server has prepared on a connection =================================================== */

/* A statement is prepared with the types of the parameters that it is first run with, and once more when it is run
   with others: so what the server makes of it never depends on which of its uses came first. NULL leaves the type
   to the server. A preparation lasts although the transaction fails, but not one that the server skipped because
   something before it had failed: batch.c marks them ready by the answers only. */

enum { LEAST_SLOTS = 128 }; /* a power of two */

static void types_of(const aci_sql_request *request, uint64_t types[2])
{
    types[0] = types[1] = 0;
    for (size_t i = 0; i < request->param_count; i++)
        types[i / 32] |= (uint64_t)request->params[i].type << (i % 32 * 2);
}

/* The slot of a statement that is the same, or the free one where it would stand; the table has free ones. */
static aci_postgres_prepared *slot_of(aci_postgres_prepared *table, size_t cap, const aci_sql_statement *statement,
                                      const uint64_t types[2])
{
    uint64_t hash = (aci_sql_text_hash(statement->text) * 31 + types[0]) * 31 + types[1];
    size_t at = (size_t)((hash * UINT64_C(0x9E3779B97F4A7C15)) >> 32);

    for (;; at++) {
        aci_postgres_prepared *slot = &table[at & (cap - 1)];

        if (slot->statement.text == NULL || (slot->types[0] == types[0] && slot->types[1] == types[1] &&
                                             strcmp(slot->statement.text, statement->text) == 0))
            return slot;
    }
}

/* Keeps at least a half of the table free. */
static bool reserve(aci_postgres_connection *c)
{
    const agentchat_env *env = c->server->env;
    size_t cap = c->prepared_cap > 0 ? c->prepared_cap * 2 : LEAST_SLOTS;
    aci_postgres_prepared *table;

    if (c->prepared_count * 2 < c->prepared_cap)
        return true;
    table = aci_driver_alloc(env, cap * sizeof *table);
    if (table == NULL)
        return false;
    for (size_t i = 0; i < c->prepared_cap; i++) {
        const aci_postgres_prepared *old = &c->prepared[i];

        if (old->statement.text != NULL)
            *slot_of(table, cap, &old->statement, old->types) = *old;
    }
    aci_driver_free(env, c->prepared, c->prepared_cap * sizeof *c->prepared);
    c->prepared = table;
    c->prepared_cap = cap;
    return true;
}

/* The slot of a statement with parameters of these types, which stays where it is until the next call of this; NULL
   when there is none and no memory for another. */
static aci_postgres_prepared *postgres_prepared_find(aci_postgres_connection *c, const aci_sql_request *request)
{
    aci_postgres_prepared *slot = NULL;
    uint64_t types[2];
    size_t size;
    char *text;

    types_of(request, types);
    if (c->prepared_cap > 0)
        slot = slot_of(c->prepared, c->prepared_cap, request->statement, types);
    if (slot != NULL && slot->statement.text != NULL)
        return slot;
    if (!reserve(c))
        return NULL;
    size = strlen(request->statement->text) + 1;
    text = aci_driver_alloc(c->server->env, size);
    if (text == NULL)
        return NULL;
    slot = slot_of(c->prepared, c->prepared_cap, request->statement, types);
    slot->statement = *request->statement;
    slot->statement.text = memcpy(text, request->statement->text, size);
    slot->types[0] = types[0];
    slot->types[1] = types[1];
    slot->variant = (uint32_t)++c->prepared_count;
    return slot;
}

static const char *postgres_prepared_name(const aci_postgres_prepared *prepared, aci_postgres_name *buffer)
{
    snprintf(buffer->text, sizeof buffer->text, "agentchat_%lu_%lu_%lu", (unsigned long)prepared->statement.service,
             (unsigned long)prepared->statement.number, (unsigned long)prepared->variant);
    return buffer->text;
}

void aci_postgres_prepared_clear(aci_postgres_connection *c)
{
    for (size_t i = 0; i < c->prepared_cap; i++) {
        char *text = (char *)(uintptr_t)c->prepared[i].statement.text;

        if (text != NULL)
            aci_driver_free(c->server->env, text, strlen(text) + 1);
    }
    aci_driver_free(c->server->env, c->prepared, c->prepared_cap * sizeof *c->prepared);
}

/* ==== the answers to a batch, in the order of what was sent ====================================================== */

/* One answer is taken at a time, so that sending can stop for it.

   After a failure the server skips everything up to the end of the pipeline, and says so for each command. */

/* Whether the COMMIT of what was written is under way. */
static bool commits(const aci_postgres_batch *b)
{
    return b->commit_sent && b->c->writes;
}

/* The connection is lost: fails the batch, unless something has before or its COMMIT has been answered, after which
   everything is known. */
static void postgres_lose(aci_postgres_batch *b)
{
    if (b->status >= 0 && !b->has_committed)
        b->status = aci_postgres_fail_lost(b->c, commits(b), &b->outcome, b->err);
    b->c->is_lost = true;
}

/* ---- which command it is that is answered --------------------------------------------------------------------- */

/* Whether everything that was sent is answered, but for the end of the pipeline. */
static bool is_at_end(const aci_postgres_batch *b)
{
    return b->answered == b->sent;
}

static bool is_at_commit(const aci_postgres_batch *b)
{
    return b->commit_sent && b->answered + 1 == aci_postgres_commands(b);
}

/* The slot of the statement that is prepared for the present command; NULL when it is its execution that is answered.
 */
static aci_postgres_prepared *awaited_slot(const aci_postgres_batch *b)
{
    aci_postgres_prepared *slot = postgres_prepared_find(b->c, aci_postgres_command(b, b->answered));

    return slot != NULL && slot->state == ACI_POSTGRES_SENT && slot->sent_by == b->answered ? slot : NULL;
}

/* After the last result of an answer. */
static void end_answer(aci_postgres_batch *b)
{
    aci_postgres_prepared *slot = is_at_end(b) ? NULL : awaited_slot(b);

    if (is_at_end(b)) {
        postgres_lose(b); /* libpq has nothing more to give, and yet the end was not there */
    } else if (slot != NULL) {
        slot->state = b->is_prepared ? ACI_POSTGRES_READY : ACI_POSTGRES_UNPREPARED;
        b->is_prepared = false;
    } else {
        b->answered++;
        b->is_row_mode = false;
    }
}

/* ---- rows ----------------------------------------------------------------------------------------------------- */

/* Numbers come with the highest byte first, as all that a result holds in binary form. */
static int64_t number_of(const char *bytes, int len)
{
    uint64_t number = ((unsigned char)bytes[0] & 0x80) != 0 ? UINT64_MAX : 0;

    for (int i = 0; i < len; i++)
        number = number << 8 | (unsigned char)bytes[i];
    return (int64_t)number;
}

/* false: the server has sent no number of that size. */
static bool take_integer(const PGresult *result, int row, int column, int size, aci_sql_value *out)
{
    if (PQfformat(result, column) != 1 || PQgetlength(result, row, column) != size)
        return false;
    out->type = ACI_SQL_INTEGER;
    out->integer = number_of(PQgetvalue(result, row, column), size);
    return true;
}

static bool take_span(const PGresult *result, int row, int column, aci_sql_type type, aci_sql_value *out)
{
    out->type = type;
    out->text.ptr = PQgetvalue(result, row, column);
    out->text.len = (size_t)PQgetlength(result, row, column);
    return true;
}

/* false: the column has a type that no store has, such as a number that may be no integer. */
static bool take_value(const PGresult *result, int row, int column, aci_sql_value *out)
{
    memset(out, 0, sizeof *out);
    if (PQgetisnull(result, row, column))
        return true;
    switch (PQftype(result, column)) {
    case OID_BOOL:
        return take_integer(result, row, column, 1, out);
    case OID_INT2:
        return take_integer(result, row, column, 2, out);
    case OID_INT4:
        return take_integer(result, row, column, 4, out);
    case OID_INT8:
        return take_integer(result, row, column, 8, out);
    case OID_BYTEA:
        return take_span(result, row, column, ACI_SQL_BYTES, out) && PQfformat(result, column) == 1;
    case OID_TEXT:
    case OID_BPCHAR:
    case OID_VARCHAR:
    case OID_NAME:
        return take_span(result, row, column, ACI_SQL_TEXT, out);
    default:
        return false;
    }
}

static agentchat_status take_row(const aci_postgres_batch *b, const PGresult *result, int row)
{
    const aci_sql_request *request = aci_postgres_command(b, b->answered);
    aci_sql_value columns[ACI_POSTGRES_MOST_COLUMNS];
    int count = PQnfields(result);

    if (count > ACI_POSTGRES_MOST_COLUMNS)
        return aci_postgres_fail(b->c, AGENTCHAT_E_CORRUPT, b->err, "a row has %d columns, more than %d", count,
                                 ACI_POSTGRES_MOST_COLUMNS);
    for (int column = 0; column < count; column++) {
        if (!take_value(result, row, column, &columns[column]))
            return aci_postgres_fail(b->c, AGENTCHAT_E_CORRUPT, b->err,
                                     "column %d of a row has the type %u, which no store has", column + 1,
                                     (unsigned)PQftype(result, column));
    }
    return request->row(request->user, columns, (size_t)count, b->err);
}

static void take_rows(aci_postgres_batch *b, const PGresult *result)
{
    int rows = aci_postgres_command(b, b->answered)->row != NULL ? PQntuples(result) : 0;

    for (int row = 0; row < rows && b->status >= 0; row++) {
        agentchat_status status = take_row(b, result, row);

        if (status < 0)
            b->status = status;
    }
}

/* ---- one answer ----------------------------------------------------------------------------------------------- */

/* The number after INSERT, UPDATE and the like; a SELECT's is that of its rows, which changed nothing. */
static uint64_t changed_by(PGresult *result)
{
    return strncmp(PQcmdStatus(result), "SELECT", 6) != 0 ? strtoull(PQcmdTuples(result), NULL, 10) : 0;
}

static void take_done(aci_postgres_batch *b, PGresult *result)
{
    size_t index = aci_postgres_request_of(b, b->answered);

    if (awaited_slot(b) != NULL) {
        b->is_prepared = true;
    } else if (index < b->count) {
        b->requests[index].changed = changed_by(result);
    } else if (is_at_commit(b)) {
        b->has_committed = strcmp(PQcmdStatus(result), "COMMIT") == 0;
        if (!b->has_committed && b->status >= 0)
            b->status = aci_postgres_fail(b->c, AGENTCHAT_E_IO, b->err, "the server rolled the transaction back");
        else if (b->c->is_unawaited && b->status >= 0) /* to be looked up, and waited for there */
            b->status = aci_postgres_fail_unawaited(b->c, b->err);
    }
}

/* Whether what was written may be committed in spite of a failure. What a server has not answered before its last word
   has not been done, but for a COMMIT: that may be done a moment before its answer is lost. */
static bool may_be_done(const aci_postgres_batch *b, const PGresult *result)
{
    return commits(b) && (is_at_commit(b) || aci_postgres_leaves_open(result));
}

static void take_failure(aci_postgres_batch *b, const PGresult *result)
{
    bool is_own = PQresultErrorField(result, PG_DIAG_SQLSTATE) == NULL; /* libpq's: there are no answers to be had */

    if (is_own || b->has_committed)
        postgres_lose(b);
    else if (b->status >= 0)
        b->status = aci_postgres_fail_result(b->c, result, may_be_done(b, result), &b->outcome, b->err);
}

/* Takes what PQgetResult() gave. */
static void take(aci_postgres_batch *b, PGresult *result)
{
    switch ((int)PQresultStatus(result)) { /* libpq's enumeration grows */
    case PGRES_SINGLE_TUPLE:
        take_rows(b, result);
        break;
    case PGRES_TUPLES_OK:
        take_rows(b, result);
        take_done(b, result);
        break;
    case PGRES_COMMAND_OK:
    case PGRES_EMPTY_QUERY:
        take_done(b, result);
        break;
    case PGRES_PIPELINE_ABORTED:
        break;
    case PGRES_PIPELINE_SYNC:
        b->synced = true;
        break;
    default:
        take_failure(b, result);
        break;
    }
}

/* Before the first look at an answer with rows: without this libpq collects all of them. */
static void prepare_to_read(aci_postgres_batch *b)
{
    if (!b->is_row_mode && !is_at_end(b) && aci_postgres_command(b, b->answered)->row != NULL &&
        awaited_slot(b) == NULL) {
        (void)PQsetSingleRowMode(b->c->conn);
        b->is_row_mode = true;
    }
}

/* Reads one answer or a part of it, waiting for it. */
static void postgres_read_next(aci_postgres_batch *b)
{
    PGresult *result = NULL;

    prepare_to_read(b);
    if (!aci_postgres_next(b->c, &result))
        postgres_lose(b);
    else if (result == NULL)
        end_answer(b);
    else
        take(b, result);
    PQclear(result);
}

/* Reads what is there without waiting. */
static void postgres_read_ready(aci_postgres_batch *b)
{
    while (!b->c->is_lost && !b->synced && (!is_at_end(b) || b->sync_sent)) {
        prepare_to_read(b);
        if (PQisBusy(b->c->conn))
            return;
        postgres_read_next(b);
    }
}

/* ==== running a batch: everything is sent as a pipeline, then the answers are read (batch.c) =================== */

/* When much is to be sent, answers are read on the way: a server whose answers nobody reads stops reading.

   What was begun is rolled back after a failure, by a second round trip. What is lost while a COMMIT may be under
   way is UNCERTAIN. */

/* libpq sends by itself now and then but never says that it is held up; it is asked after this many bytes. */
#define FLUSH_AT ((size_t)256 * 1024)
/* From this size on a command is sent with libpq waiting by itself: see send_large(). */
#define LARGE ((size_t)8 * 1024 * 1024)
/* The server accepts no message of 1 GiB; this leaves room for what libpq puts around the values. */
#define MOST_BYTES ((size_t)1024 * 1024 * 1024 - 64 * 1024)
enum { BINARY = 1 };     /* format of parameters and of all results */
#define COMMAND_BYTES 64 /* what a request takes besides its values, roughly */

/* The driver's own statements, prepared like the others. */
enum { OWN_SERVICE = 65535 };
static const aci_sql_statement begin_read = {OWN_SERVICE, 0, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"};
static const aci_sql_statement begin_write = {OWN_SERVICE, 1, "BEGIN ISOLATION LEVEL READ COMMITTED"};
static const aci_sql_statement commit = {OWN_SERVICE, 2, "COMMIT"};
static const aci_sql_request begin_read_request = {.statement = &begin_read};
static const aci_sql_request begin_write_request = {.statement = &begin_write};
static const aci_sql_request commit_request = {.statement = &commit};

/* ---- sending -------------------------------------------------------------------------------------------------- */

/* The parameters of a request as libpq wants them. Texts and bytes are sent as they lie there: their binary form is the
   same, and has a length instead of an end. */
typedef struct parameters {
    Oid types[ACI_POSTGRES_MOST_PARAMS];
    const char *values[ACI_POSTGRES_MOST_PARAMS];
    int lengths[ACI_POSTGRES_MOST_PARAMS];
    int formats[ACI_POSTGRES_MOST_PARAMS];
    char digits[ACI_POSTGRES_MOST_PARAMS][24];
} parameters;

static void set_parameters(parameters *p, const aci_sql_request *request)
{
    for (size_t i = 0; i < request->param_count; i++) {
        const aci_sql_value *value = &request->params[i];

        p->types[i] = 0;
        p->values[i] = NULL;
        p->lengths[i] = p->formats[i] = 0;
        switch (value->type) {
        case ACI_SQL_INTEGER:
            snprintf(p->digits[i], sizeof p->digits[i], "%" PRId64, value->integer);
            p->types[i] = OID_INT8;
            p->values[i] = p->digits[i];
            break;
        case ACI_SQL_TEXT:
        case ACI_SQL_BYTES:
            p->types[i] = value->type == ACI_SQL_TEXT ? OID_TEXT : OID_BYTEA;
            p->values[i] = value->text.ptr != NULL ? value->text.ptr : "";
            p->lengths[i] = (int)value->text.len;
            p->formats[i] = BINARY;
            break;
        case ACI_SQL_NULL:
            break;
        }
    }
}

static size_t bytes_of(const aci_sql_request *request)
{
    size_t bytes = COMMAND_BYTES;

    for (size_t i = 0; i < request->param_count; i++) {
        aci_sql_type type = request->params[i].type;
        size_t len = type == ACI_SQL_TEXT || type == ACI_SQL_BYTES ? request->params[i].text.len : 0;

        if (len > MOST_BYTES - bytes)
            return MOST_BYTES + 1;
        bytes += len;
    }
    return bytes;
}

static bool send_command(aci_postgres_batch *b, size_t command)
{
    const aci_sql_request *request = aci_postgres_command(b, command);
    PGconn *conn = b->c->conn;
    aci_postgres_prepared *slot = postgres_prepared_find(b->c, request);
    int count = (int)request->param_count;
    aci_postgres_name name = {""};
    parameters p;

    set_parameters(&p, request);
    b->unasked += bytes_of(request);
    if (slot == NULL) {
        if (!PQsendQueryParams(conn, request->statement->text, count, p.types, p.values, p.lengths, p.formats, BINARY))
            return false;
        b->sent++;
        return true;
    }
    (void)postgres_prepared_name(slot, &name);
    if (slot->state == ACI_POSTGRES_UNPREPARED) {
        if (!PQsendPrepare(conn, name.text, request->statement->text, count, p.types))
            return false;
        slot->state = ACI_POSTGRES_SENT;
        slot->sent_by = command;
        b->unasked += strlen(request->statement->text);
    }
    if (!PQsendQueryPrepared(conn, name.text, count, p.values, p.lengths, p.formats, BINARY))
        return false;
    b->sent++;
    return true;
}

/* Sends a command. In a transaction that writes, the server is asked for the answer to each statement at once: each may
   wait for locks for as long as lock_timeout allows, and a server that kept the answers back until the end of the
   batch would be taken to be gone after a few such waits. */
static bool send_next(aci_postgres_batch *b, size_t command)
{
    bool may_wait = b->c->writes && aci_postgres_request_of(b, command) < b->count;
    bool is_last = command + 1 == aci_postgres_commands(b);

    return send_command(b, command) && (!may_wait || is_last || PQsendFlushRequest(b->c->conn) == 1);
}

/* Waits until libpq has got rid of what it was given, reading answers meanwhile. */
static void flush(aci_postgres_batch *b)
{
    int held_up;

    b->unasked = 0;
    while (!b->c->is_lost && (held_up = PQflush(b->c->conn)) != 0) {
        if (held_up < 0 || !postgres_receive(b->c, true)) {
            postgres_read_ready(b);
            postgres_lose(b);
        } else {
            postgres_read_ready(b);
        }
    }
}

/* A socket takes a large command in many parts, and where libpq must not wait, it moves all that is left to the start
   of its memory for each of them: time grows with the square of the size. So it may wait here. What is not sent within
   the connection's patience then fails over TCP all the same (tcp_user_timeout); a server on this machine is stopped by
   somebody, or reads. */
static bool send_large(aci_postgres_batch *b, size_t command)
{
    PGconn *conn = b->c->conn;

    flush(b); /* nothing of what was before may be left when libpq begins to wait */
    return b->c->is_lost || (PQsetnonblocking(conn, 0) == 0 && send_next(b, command) && PQflush(conn) == 0 &&
                             PQsetnonblocking(conn, 1) == 0);
}

static void send_all(aci_postgres_batch *b)
{
    size_t count = aci_postgres_commands(b);
    bool is_sent = PQenterPipelineMode(b->c->conn) == 1;

    for (size_t i = 0; is_sent && i < count && b->status >= 0 && !b->c->is_lost; i++) {
        b->commit_sent = aci_postgres_command(b, i) == b->commit;
        is_sent = bytes_of(aci_postgres_command(b, i)) < LARGE ? send_next(b, i) : send_large(b, i);
        if (b->unasked >= FLUSH_AT)
            flush(b);
    }
    if (is_sent && !b->c->is_lost)
        is_sent = b->sync_sent = PQpipelineSync(b->c->conn) == 1;
    if (!is_sent && !b->c->is_lost) {
        postgres_read_ready(b);
        postgres_lose(b);
    }
}

/* ---- the complete batch --------------------------------------------------------------------------------------- */

static agentchat_status refuse(const aci_postgres_batch *b, const char *what)
{
    return aci_postgres_fail(b->c, AGENTCHAT_E_INVALID, b->err, "%s", what);
}

/* What must be right before anything is sent. */
static agentchat_status check(const aci_postgres_batch *b)
{
    if (b->begin != NULL && b->c->in_transaction)
        return refuse(b, "a transaction is open already");
    if (b->begin == NULL && !b->c->in_transaction)
        return refuse(b, "no transaction is open");
    for (size_t i = 0; i < b->count; i++) {
        if (b->requests[i].param_count > ACI_POSTGRES_MOST_PARAMS)
            return refuse(b, "a statement has too many parameters");
        if (bytes_of(&b->requests[i]) > MOST_BYTES)
            return aci_postgres_fail(b->c, AGENTCHAT_E_LIMIT, b->err,
                                     "a value is larger than PostgreSQL accepts (1 GiB)");
    }
    return AGENTCHAT_OK;
}

/* Whatever the batch came to, the connection is fit for another one afterwards, or lost. */
static void settle(aci_postgres_batch *b)
{
    aci_postgres_connection *c = b->c;

    if (!c->is_lost && PQexitPipelineMode(c->conn) != 1)
        postgres_lose(b);
    if (b->status >= 0) {
        c->in_transaction = b->commit == NULL;
        return;
    }
    if (!c->is_lost)
        aci_postgres_rollback(c);
    c->in_transaction = false;
}

agentchat_status aci_postgres_run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                                  aci_sql_outcome *outcome, agentchat_error *err)
{
    aci_postgres_batch b = {0};

    b.c = connection;
    b.requests = requests;
    b.count = count;
    b.err = err;
    if ((flags & (ACI_SQL_BEGIN_READ | ACI_SQL_BEGIN_WRITE)) != 0)
        b.begin = (flags & ACI_SQL_BEGIN_WRITE) != 0 ? &begin_write_request : &begin_read_request;
    if ((flags & ACI_SQL_COMMIT) != 0)
        b.commit = &commit_request;
    for (size_t i = 0; i < count; i++)
        requests[i].changed = 0;
    b.status = check(&b);
    *outcome = ACI_SQL_FINAL;
    if (b.status < 0) {
        if (b.c->in_transaction)
            aci_postgres_rollback(b.c);
        return b.status;
    }
    if (b.begin != NULL) {
        b.c->writes = b.begin == &begin_write_request;
        /* A server that ended while the connection was idle is found out now, before anything can become uncertain. */
        if (!aci_postgres_is_alive(b.c))
            return aci_postgres_fail_lost(b.c, false, outcome, err);
        b.status = aci_postgres_limit_locks(b.c, outcome, err);
        if (b.status < 0)
            return b.status;
    }
    b.c->is_unawaited = b.c->is_heard = false;
    aci_postgres_count(b.c);
    send_all(&b);
    while (!b.c->is_lost && !b.synced)
        postgres_read_next(&b);
    settle(&b);
    /* Rows that could not be taken, and a COMMIT that nevertheless came after them. */
    *outcome = b.status < 0 && b.has_committed && b.c->writes ? ACI_SQL_UNCERTAIN : b.outcome;
    return b.status;
}
