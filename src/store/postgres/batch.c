/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running a batch: everything is sent as a pipeline, then the answers are read (answers.c).
 *
 * When much is to be sent, answers are read on the way: a server whose answers nobody reads stops reading.
 *
 * What was begun is rolled back after a failure, by a second round trip. What is lost while a COMMIT may be under way
 * is UNCERTAIN.
 */
#include "batch.h"

#include <inttypes.h>
#include <string.h>

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
    aci_postgres_prepared *slot = aci_postgres_prepared_find(b->c, request);
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
    (void)aci_postgres_prepared_name(slot, &name);
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
        if (held_up < 0 || !aci_postgres_receive(b->c, true)) {
            aci_postgres_read_ready(b);
            aci_postgres_lose(b);
        } else {
            aci_postgres_read_ready(b);
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
        aci_postgres_read_ready(b);
        aci_postgres_lose(b);
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
        aci_postgres_lose(b);
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
        aci_postgres_read_next(&b);
    settle(&b);
    /* Rows that could not be taken, and a COMMIT that nevertheless came after them. */
    *outcome = b.status < 0 && b.has_committed && b.c->writes ? ACI_SQL_UNCERTAIN : b.outcome;
    return b.status;
}
