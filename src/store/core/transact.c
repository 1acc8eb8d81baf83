/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions: queueing statements, running them as batches, trying again. */
#include "store/core/sql.h"

#include "base/buf.h"
#include "base/error.h"
#include <string.h>

/* ---- queueing ------------------------------------------------------------------------------------------------- */

void aci_transact_add(aci_tx *tx, const aci_statement *statement, aci_sql_row_fn row, void *user)
{
    void *requests = tx->requests;
    aci_sql_request request = {0};

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

static void add_value(aci_tx *tx, aci_sql_value value)
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

static void add_span(aci_tx *tx, aci_sql_type type, agentchat_str span)
{
    aci_sql_value value = {ACI_SQL_NULL, 0, {NULL, 0}};

    if (span.ptr != NULL) {
        value.type = type;
        value.text = span;
    }
    add_value(tx, value);
}

void aci_transact_text(aci_tx *tx, agentchat_str text)
{
    add_span(tx, ACI_SQL_TEXT, text);
}

void aci_transact_bytes(aci_tx *tx, agentchat_str bytes)
{
    add_span(tx, ACI_SQL_BYTES, bytes);
}

void aci_transact_integer(aci_tx *tx, int64_t integer)
{
    add_value(tx, ACI_INT(integer));
}

void aci_transact_bind(aci_tx *tx, const aci_sql_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (values[i].type == ACI_SQL_INTEGER)
            add_value(tx, values[i]);
        else
            add_span(tx, values[i].type, values[i].text);
    }
}

/* ---- running -------------------------------------------------------------------------------------------------- */

typedef struct row_call { /* what a row function is called through, so that it may fail in any batch */
    aci_tx *tx;
    aci_sql_row_fn row;
    void *user;
} row_call;

static agentchat_status call_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
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

/* The service that a transaction works for: the one whose statement comes first. */
static const aci_service *service_of(const aci_tx *tx)
{
    return aci_services[tx->count > 0 ? tx->requests[0].statement->service - 1 : 0];
}

/* The bit that stands for it in store->lacks. */
static unsigned bit_of(const aci_service *service)
{
    return 1u << (service->version.of[0].number - 1);
}

static agentchat_status check_version(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_tx *tx = user;
    const aci_service *service = tx->allowed > 0 && tx->also != NULL ? tx->also : tx->service;
    const aci_sql_tables *tables = &service->tables[tx->store->driver->dialect];
    int64_t numbers[3] = {0, 0, 0};
    aci_sql_version version;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < 3 && status >= 0; i++)
        status = aci_transact_column_integer(columns, count, i, &numbers[i], err);
    if (status < 0)
        return status;
    for (size_t i = 0; i < 3; i++)
        numbers[i] = numbers[i] < 0 || numbers[i] > INT32_MAX ? INT32_MAX : numbers[i];
    version = (aci_sql_version){(uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2]};
    status = aci_sql_layout_check(&version, tables->count, tables->name, tx->writes, err);
    tx->allowed += status >= 0;
    if (status < 0)
        aci_pool_source(tx->store, tx->connection, err);
    return status;
}

/* The version was not what the store was thought to have when it was opened: the next attempt looks anew. */
static void take_newer(aci_tx *tx)
{
    (void)atomic_fetch_and(&tx->store->lacks, ~bit_of(tx->service));
    tx->outcome = ACI_SQL_TRANSIENT;
    tx->row_status = aci_fail(&tx->row_error, AGENTCHAT_E_BUSY, "others bring the store up to date");
}

/* After the batch that has asked for the version. */
static void refuse_unless_allowed(aci_tx *tx)
{
    bool is_allowed = tx->allowed == tx->first;
    const char *name = (tx->allowed > 0 && tx->also != NULL ? tx->also : tx->service)->tables[0].name;

    if (tx->row_status < 0 || (is_allowed && !tx->expects_no_tables))
        return;
    agentchat_error_clear(&tx->row_error);
    if (is_allowed)
        take_newer(tx);
    else
        tx->row_status = aci_fail(&tx->row_error, AGENTCHAT_E_VERSION, "the store has no %s tables", name);
    aci_pool_source(tx->store, tx->connection, &tx->row_error);
}

static agentchat_status run_batch(aci_tx *tx, unsigned flags, row_call *calls, agentchat_error *err)
{
    size_t at = 0;

    for (size_t i = 0; i < tx->count; i++) {
        aci_sql_request *request = &tx->requests[i];

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
    tx->outcome = ACI_SQL_FINAL;
    return tx->store->driver->run(tx->connection, flags, tx->requests, tx->count, &tx->outcome, err);
}

/* The version's statement goes before the others of the first batch: what comes back of them then can be trusted. It
   has no parameters, so theirs stay where they are. */
static void put_version_first(aci_tx *tx, const aci_service *service)
{
    aci_sql_request request;

    aci_transact_add(tx, &service->version, check_version, tx);
    if (tx->failed)
        return;
    request = tx->requests[tx->count - 1];
    memmove(tx->requests + 1, tx->requests, (tx->count - 1) * sizeof(*tx->requests));
    tx->requests[0] = request;
}

static void put_versions_first(aci_tx *tx)
{
    tx->service = service_of(tx);
    tx->expects_no_tables = (atomic_load(&tx->store->lacks) & bit_of(tx->service)) != 0;
    tx->allowed = 0;
    if (tx->expects_no_tables) /* what was queued cannot be run */
        tx->count = tx->value_count = 0;
    if (tx->also != NULL)
        put_version_first(tx, tx->also);
    put_version_first(tx, tx->service);
}

void aci_transact_also(aci_tx *tx, const aci_service *service)
{
    tx->also = service;
}

agentchat_status aci_transact_run(aci_tx *tx, bool commit, agentchat_error *err)
{
    agentchat_status status = aci_sql_call_go_on(tx->store, &tx->call, err);
    unsigned flags;
    size_t size;
    row_call *calls;

    if (status < 0)
        return status;
    commit = commit && !tx->is_shared;
    flags = commit ? ACI_SQL_COMMIT : 0;
    tx->first = tx->begun ? 0 : tx->also != NULL ? 2 : 1;
    if (!tx->begun) {
        if (commit && tx->writes)
            return aci_fail(err, AGENTCHAT_E_INTERNAL, "a transaction that writes has to look before it commits");
        flags |= tx->writes ? ACI_SQL_BEGIN_WRITE : ACI_SQL_BEGIN_READ;
        put_versions_first(tx);
    }
    size = tx->count * sizeof(*calls);
    calls = tx->failed || size == 0 ? NULL : aci_alloc(tx->store->env, size);
    if (tx->failed || (size > 0 && calls == NULL))
        return aci_fail_nomem(err);
    tx->begun = true;
    tx->row_status = AGENTCHAT_OK;
    status = run_batch(tx, flags, calls, err);
    aci_free(tx->store->env, calls, size);
    if (tx->first > 0 && status >= 0)
        refuse_unless_allowed(tx);
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

uint64_t aci_transact_changed(const aci_tx *tx, size_t index)
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
   answer was lost, have committed. A database may show that before it is as durable as was asked for. */
static bool rests_on_others(const aci_tx *tx, agentchat_status status)
{
    if (!tx->writes || !tx->begun)
        return false;
    if (status >= 0)
        return !tx->ended;
    return tx->outcome == ACI_SQL_FINAL &&
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
    aci_pool_allow(store, tx->connection, deadline_ms);
    tx->begun = tx->ended = tx->failed = false;
    tx->count = tx->value_count = 0;
    tx->also = NULL;
    status = work(tx, user, err);
    if (rests_on_others(tx, status))
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
    int64_t deadline = aci_sql_clock_ms() + store->wait_ms;
    agentchat_status status;
    agentchat_error doubt; /* of a commit that may have been one */

    agentchat_error_clear(&doubt);
    for (unsigned attempts = 0;; attempts++) {
        tx->outcome = ACI_SQL_FINAL;
        status = attempt(tx, deadline, work, user, err);
        if (status == AGENTCHAT_E_CANCELLED && tx->repeated) { /* not that nothing was changed: nobody knows */
            *err = doubt;
            return (agentchat_status)doubt.code;
        }
        if (status >= 0 || tx->outcome == ACI_SQL_FINAL || aci_sql_clock_ms() >= deadline)
            return status;
        if (tx->outcome == ACI_SQL_UNCERTAIN) {
            tx->repeated = true;
            doubt = *err;
        }
        agentchat_error_clear(err);
        aci_sql_clock_pause(attempts);
    }
}

agentchat_status aci_transact_in(agentchat_store *store, const aci_sql_call *call, bool writes, aci_work work,
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
    return status < 0 && tx.repeated && tx.outcome != ACI_SQL_FINAL ? fail_unknown(status, err) : status;
}

agentchat_status aci_transact(agentchat_store *store, bool writes, aci_work work, void *user, agentchat_error *err)
{
    aci_sql_call call = aci_sql_call_begin(store, false);

    return aci_transact_in(store, &call, writes, work, user, err);
}

/* ---- columns -------------------------------------------------------------------------------------------------- */

agentchat_status aci_transact_column_integer(const aci_sql_value *columns, size_t count, size_t index, int64_t *out,
                                             agentchat_error *err)
{
    if (index >= count || columns[index].type != ACI_SQL_INTEGER)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "column %zu of a row of the store is no integer", index + 1);
    *out = columns[index].integer;
    return AGENTCHAT_OK;
}

agentchat_status aci_transact_column_text(const aci_sql_value *columns, size_t count, size_t index, agentchat_str *out,
                                          agentchat_error *err)
{
    if (index >= count || columns[index].type != ACI_SQL_TEXT)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "column %zu of a row of the store is no text", index + 1);
    *out = columns[index].text;
    return AGENTCHAT_OK;
}

agentchat_status aci_transact_column_bytes(const aci_sql_value *columns, size_t count, size_t index, agentchat_str *out,
                                           agentchat_error *err)
{
    if (index >= count || columns[index].type != ACI_SQL_BYTES)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "column %zu of a row of the store is not bytes", index + 1);
    *out = columns[index].text;
    return AGENTCHAT_OK;
}
