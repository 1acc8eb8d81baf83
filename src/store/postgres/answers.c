/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The answers to a batch, in the order of what was sent. One answer is taken at a time, so that sending can stop for
 * it.
 *
 * After a failure the server skips everything up to the end of the pipeline, and says so for each command.
 */
#include "batch.h"

#include <stdlib.h>
#include <string.h>

/* Whether the COMMIT of what was written is under way. */
static bool commits(const aci_postgres_batch *b)
{
    return b->commit_sent && b->c->writes;
}

/* After the answer to COMMIT everything is known: what is lost then is the connection only. */
void aci_postgres_lose(aci_postgres_batch *b)
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
    aci_postgres_prepared *slot = aci_postgres_prepared_find(b->c, aci_postgres_command(b, b->answered));

    return slot != NULL && slot->state == ACI_POSTGRES_SENT && slot->sent_by == b->answered ? slot : NULL;
}

/* After the last result of an answer. */
static void end_answer(aci_postgres_batch *b)
{
    aci_postgres_prepared *slot = is_at_end(b) ? NULL : awaited_slot(b);

    if (is_at_end(b)) {
        aci_postgres_lose(b); /* libpq has nothing more to give, and yet the end was not there */
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
        aci_postgres_lose(b);
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

void aci_postgres_read_next(aci_postgres_batch *b)
{
    PGresult *result = NULL;

    prepare_to_read(b);
    if (!aci_postgres_next(b->c, &result))
        aci_postgres_lose(b);
    else if (result == NULL)
        end_answer(b);
    else
        take(b, result);
    PQclear(result);
}

void aci_postgres_read_ready(aci_postgres_batch *b)
{
    while (!b->c->is_lost && !b->synced && (!is_at_end(b) || b->sync_sent)) {
        prepare_to_read(b);
        if (PQisBusy(b->c->conn))
            return;
        aci_postgres_read_next(b);
    }
}
