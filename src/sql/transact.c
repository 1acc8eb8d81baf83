/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions: queueing statements, running them as batches, trying again. Layer 4. */
#include "sql/sql.h"

#include "base/buf.h"
#include "base/error.h"
#include <string.h>

/* ---- queueing ------------------------------------------------------------------------------------------------- */

void aci_tx_add(aci_tx *tx, const aci_statement *statement, agentchat_sql_row_fn row, void *user)
{
    void *requests = tx->requests;
    agentchat_sql_request request = {0};

    tx->skips = statement->of[tx->store->driver->dialect].text == NULL;
    if (tx->skips)
        return;
    if (tx->failed || !aci_grow(tx->store->env, &requests, &tx->cap, tx->count, sizeof(*tx->requests))) {
        tx->failed = true;
        return;
    }
    tx->requests = requests;
    request.statement = &statement->of[tx->store->driver->dialect];
    request.row = row;
    request.user = user;
    tx->requests[tx->count++] = request;
}

static void add_value(aci_tx *tx, agentchat_sql_value value)
{
    void *values = tx->values;

    if (tx->skips)
        return;
    if (tx->failed || !aci_grow(tx->store->env, &values, &tx->value_cap, tx->value_count, sizeof(*tx->values))) {
        tx->failed = true;
        return;
    }
    tx->values = values;
    tx->values[tx->value_count++] = value;
    tx->requests[tx->count - 1].param_count++;
}

void aci_tx_text(aci_tx *tx, agentchat_str text)
{
    agentchat_sql_value value = {AGENTCHAT_SQL_NULL, 0, {NULL, 0}};

    if (text.ptr != NULL) {
        value.type = AGENTCHAT_SQL_TEXT;
        value.text = text;
    }
    add_value(tx, value);
}

void aci_tx_integer(aci_tx *tx, int64_t integer)
{
    agentchat_sql_value value = {AGENTCHAT_SQL_INTEGER, 0, {NULL, 0}};

    value.integer = integer;
    add_value(tx, value);
}

/* ---- running -------------------------------------------------------------------------------------------------- */

typedef struct row_call { /* what a row function is called through, so that it may fail in any batch */
    aci_tx *tx;
    agentchat_sql_row_fn row;
    void *user;
} row_call;

static agentchat_status call_row(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    const row_call *call = user;
    aci_tx *tx = call->tx;

    (void)err;
    if (tx->row_status >= 0) {
        agentchat_error_clear(&tx->row_error);
        tx->row_status = call->row(call->user, columns, count, &tx->row_error);
    }
    return AGENTCHAT_OK;
}

static agentchat_status check_version(void *user, const agentchat_sql_value *columns, size_t count,
                                      agentchat_error *err)
{
    const aci_tx *tx = user;
    int64_t format = 0, needed = 0;
    agentchat_status status = aci_column_integer(columns, count, 0, &format, err);

    if (status >= 0)
        status = aci_column_integer(columns, count, tx->writes ? 2 : 1, &needed, err);
    if (status < 0 || needed <= (int64_t)ACI_LAYOUT)
        return status;
    status = aci_fail(err, AGENTCHAT_E_VERSION,
                      "the store has layout %lld now; this program knows up to %lu and must not %s it",
                      (long long)format, (unsigned long)ACI_LAYOUT, tx->writes ? "write to" : "read");
    err->native = (int32_t)format;
    aci_store_source(tx->store, tx->connection, err);
    return status;
}

static agentchat_status run_batch(aci_tx *tx, unsigned flags, row_call *calls, agentchat_error *err)
{
    size_t at = 0;

    for (size_t i = 0; i < tx->count; i++) {
        agentchat_sql_request *request = &tx->requests[i];

        request->params = request->param_count > 0 ? tx->values + at : NULL;
        at += request->param_count;
        if (request->row == NULL)
            continue;
        calls[i].tx = tx;
        calls[i].row = request->row;
        calls[i].user = request->user;
        request->row = call_row;
        request->user = &calls[i];
    }
    tx->outcome = AGENTCHAT_SQL_FINAL;
    return tx->store->driver->run(tx->connection, flags, tx->requests, tx->count, &tx->outcome, err);
}

/* The version's statement goes before the others of the first batch: what comes back of them then can be trusted. It
   has no parameters, so theirs stay where they are. */
static void put_version_first(aci_tx *tx)
{
    agentchat_sql_request request;

    aci_tx_add(tx, &aci_layout_version, check_version, tx);
    if (tx->failed)
        return;
    request = tx->requests[tx->count - 1];
    memmove(tx->requests + 1, tx->requests, (tx->count - 1) * sizeof(*tx->requests));
    tx->requests[0] = request;
}

agentchat_status aci_tx_run(aci_tx *tx, bool commit, agentchat_error *err)
{
    unsigned flags = commit ? AGENTCHAT_SQL_COMMIT : 0;
    agentchat_status status = aci_call_go_on(tx->store, &tx->call, err);
    size_t size;
    row_call *calls;

    if (status < 0)
        return status;
    tx->first = tx->begun ? 0 : 1;
    if (!tx->begun) {
        if (commit && tx->writes)
            return aci_fail(err, AGENTCHAT_E_INTERNAL, "a transaction that writes has to look before it commits");
        flags |= tx->writes ? AGENTCHAT_SQL_BEGIN_WRITE : AGENTCHAT_SQL_BEGIN_READ;
        put_version_first(tx);
    }
    size = tx->count * sizeof(*calls);
    calls = tx->failed || size == 0 ? NULL : aci_alloc(tx->store->env, size);
    if (tx->failed || (size > 0 && calls == NULL))
        return aci_fail_nomem(err);
    tx->begun = true;
    tx->row_status = AGENTCHAT_OK;
    status = run_batch(tx, flags, calls, err);
    aci_free(tx->store->env, calls, size);
    tx->ran = tx->count;
    tx->count = tx->value_count = 0;
    if (status < 0 || commit)
        tx->ended = true;
    if (status >= 0 && tx->row_status < 0 && !(commit && tx->writes)) {
        status = tx->row_status;
        if (err != NULL && err->code == 0)
            *err = tx->row_error;
    }
    return status;
}

uint64_t aci_tx_changed(const aci_tx *tx, size_t index)
{
    return index + tx->first < tx->ran ? tx->requests[index + tx->first].changed : 0;
}

/* ---- trying --------------------------------------------------------------------------------------------------- */

static void clear(aci_tx *tx)
{
    const agentchat_env *env = tx->store->env;

    aci_free(env, tx->requests, tx->cap * sizeof(*tx->requests));
    aci_free(env, tx->values, tx->value_cap * sizeof(*tx->values));
}

/* Whether the work has come to its result by looking, so that the caller will rely on what others, or an attempt whose
   answer was lost, have committed. A database may show that before it is kept as it was told to keep it. */
static bool rests_on_others(const aci_tx *tx, agentchat_status status)
{
    if (!tx->writes || !tx->begun)
        return false;
    if (status >= 0)
        return !tx->ended;
    return tx->outcome == AGENTCHAT_SQL_FINAL &&
           (status == AGENTCHAT_E_EXISTS || status == AGENTCHAT_E_CONFLICT || status == AGENTCHAT_E_NOTFOUND);
}

/* Keeps `status`, the result, unless what it rests on cannot be confirmed. */
static agentchat_status confirm(aci_tx *tx, agentchat_status status, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status confirmed;

    agentchat_error_clear(&why);
    confirmed = tx->store->driver->confirm(tx->connection, &tx->outcome, &why);
    if (confirmed >= 0)
        return status;
    *err = why;
    return confirmed;
}

static agentchat_status attempt(aci_tx *tx, int64_t deadline_ms, aci_work work, void *user, agentchat_error *err)
{
    agentchat_store *store = tx->store;
    agentchat_status status = aci_pool_take(store, &tx->call, deadline_ms, &tx->connection, &tx->outcome, err);

    if (status < 0)
        return status;
    aci_store_allow(store, tx->connection, deadline_ms);
    tx->begun = tx->ended = tx->failed = false;
    tx->count = tx->value_count = 0;
    status = work(tx, user, err);
    if (aci_store_confirms(store) && rests_on_others(tx, status))
        status = confirm(tx, status, err);
    else if (tx->begun && !tx->ended)
        store->driver->rollback(tx->connection);
    (void)aci_pool_give(store, tx->connection);
    return status;
}

/* The time is over, and an attempt whose answer was lost may have been committed: nobody may take the last failure,
   that others held a lock, for a promise that nothing was written. */
static agentchat_status fail_unknown(agentchat_status status, agentchat_error *err)
{
    agentchat_error last = *err;

    if (status != AGENTCHAT_E_BUSY)
        return status;
    agentchat_error_clear(err);
    status = aci_fail(err, AGENTCHAT_E_IO, "it is not known whether this was written: %s", last.message);
    err->native = last.native;
    memcpy(err->sqlstate, last.sqlstate, sizeof last.sqlstate);
    memcpy(err->source, last.source, sizeof last.source);
    return status;
}

/* What is tried until it succeeds, cannot, or may not any more. */
static agentchat_status try_on(aci_tx *tx, aci_work work, void *user, agentchat_error *err)
{
    agentchat_store *store = tx->store;
    int64_t deadline = aci_clock_ms() + store->wait_ms;
    agentchat_status status;
    agentchat_error doubt; /* of a commit that may have been one */

    for (unsigned attempts = 0;; attempts++) {
        tx->outcome = AGENTCHAT_SQL_FINAL;
        status = attempt(tx, deadline, work, user, err);
        if (status == AGENTCHAT_E_CANCELLED && tx->repeated) { /* not that nothing was changed: nobody knows */
            *err = doubt;
            return (agentchat_status)doubt.code;
        }
        if (status >= 0 || tx->outcome == AGENTCHAT_SQL_FINAL || aci_clock_ms() >= deadline)
            return status;
        if (tx->outcome == AGENTCHAT_SQL_UNCERTAIN) {
            tx->repeated = true;
            doubt = *err;
        }
        agentchat_error_clear(err);
        aci_wait_a_moment(attempts);
    }
}

agentchat_status aci_transact_in(agentchat_store *store, const agentchat_sql_call *call, bool writes, aci_work work,
                                 void *user, agentchat_error *err)
{
    agentchat_error own;
    agentchat_status status;
    aci_tx tx;

    if (writes && store->read_only)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the store was opened for reading only");
    if (err == NULL) {
        agentchat_error_clear(&own);
        err = &own;
    }
    memset(&tx, 0, sizeof tx);
    tx.store = store;
    tx.call = *call;
    tx.writes = writes;
    status = try_on(&tx, work, user, err);
    clear(&tx);
    return status < 0 && tx.repeated && tx.outcome != AGENTCHAT_SQL_FINAL ? fail_unknown(status, err) : status;
}

agentchat_status aci_transact(agentchat_store *store, bool writes, aci_work work, void *user, agentchat_error *err)
{
    agentchat_sql_call call = aci_call_begin(store, false);

    return aci_transact_in(store, &call, writes, work, user, err);
}

/* ---- columns -------------------------------------------------------------------------------------------------- */

agentchat_status aci_column_integer(const agentchat_sql_value *columns, size_t count, size_t index, int64_t *out,
                                    agentchat_error *err)
{
    if (index >= count || columns[index].type != AGENTCHAT_SQL_INTEGER)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "column %zu of a row of the store is no integer", index + 1);
    *out = columns[index].integer;
    return AGENTCHAT_OK;
}

agentchat_status aci_column_text(const agentchat_sql_value *columns, size_t count, size_t index, agentchat_str *out,
                                 agentchat_error *err)
{
    if (index >= count || columns[index].type != AGENTCHAT_SQL_TEXT)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "column %zu of a row of the store is no text", index + 1);
    *out = columns[index].text;
    return AGENTCHAT_OK;
}
