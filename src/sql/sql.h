/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store: its connections, transactions made of batches, and the layout of its tables. Layer 4.
 *
 * A piece of work is a function that queues statements and runs them in batches; aci_transact() gives it a connection
 * and, where the database says that it may succeed if tried again, calls it again. So a piece of work must be able to
 * start anew: it changes nothing outside but its own results.
 */
#ifndef ACI_SQL_SQL_H
#define ACI_SQL_SQL_H

#include "base/env.h"
#include <agentchat/sys/sql.h>
#include <pthread.h>
#include <stdatomic.h>

/* The layout that this version makes and understands (src/sql/layout.c). */
#define ACI_LAYOUT 1u

/* A statement as each dialect spells it, by agentchat_sql_dialect; text NULL: that one needs none. */
typedef struct aci_statement {
    agentchat_sql_statement of[2];
} aci_statement;

struct agentchat_store {
    const agentchat_env *env;
    const agentchat_sql_driver *driver;
    void *self;              /* the driver's */
    agentchat_sql_host host; /* what the driver is told of the store */
    atomic_uint interrupts;  /* counted up by signal handlers, too */
    bool read_only;
    uint32_t wait_ms;
    /* ---- under the lock ---- */
    pthread_mutex_t lock;
    pthread_cond_t freed; /* a connection came back, or its place became free */
    void **idle;          /* connections that nobody uses; room for `most` of them */
    uint32_t idle_count;
    uint32_t open; /* connections that are idle, in use, or being opened */
    uint32_t most;
};

/* Opens a connection. */
agentchat_status aci_store_connect(agentchat_store *store, int64_t deadline_ms, void **connection,
                                   agentchat_sql_outcome *outcome, agentchat_error *err);
/* Lets a connection wait for others until the deadline. */
void aci_store_allow(const agentchat_store *store, void *connection, int64_t deadline_ms);
/* Says in an error what the connection leads to, where the driver can tell and nobody has said. */
void aci_store_source(const agentchat_store *store, void *connection, agentchat_error *err);

/* Whether the driver has to be asked to confirm what was seen, and asking it. */
bool aci_store_confirms(const agentchat_store *store);

/* ---- calls ---------------------------------------------------------------------------------------------------- */

/* What a public call begins with that makes more than one transaction; aci_transact() does it for those of one. */
agentchat_sql_call aci_call_begin(const agentchat_store *store, bool unbounded);
/* Whether it has been cancelled since. */
bool aci_call_is_cancelled(const agentchat_store *store, const agentchat_sql_call *call);
/* E_CANCELLED when it was. */
agentchat_status aci_call_go_on(const agentchat_store *store, const agentchat_sql_call *call, agentchat_error *err);

/* ---- transactions --------------------------------------------------------------------------------------------- */

typedef struct aci_tx {
    agentchat_store *store;
    agentchat_sql_call call;
    void *connection;
    bool writes;
    bool begun;    /* the transaction has been begun */
    bool ended;    /* it is over: committed, or lost by a failure */
    bool repeated; /* an earlier attempt may have been committed although that was not confirmed */
    bool failed;   /* out of memory while queueing */
    bool skips;    /* the statement queued last is none in this dialect: its parameters go nowhere */
    agentchat_sql_request *requests;
    size_t count, cap;
    size_t ran, first;           /* statements of the last batch; 1 when the version's was put before them */
    agentchat_sql_value *values; /* parameters of all requests, one behind the other */
    size_t value_count, value_cap;
    agentchat_sql_outcome outcome; /* of the batch that failed */
    agentchat_status row_status;   /* the first failure of a row function */
    agentchat_error row_error;
} aci_tx;

/* A piece of work. It must run its last batch with commit; else what it wrote is rolled back.

   Work that writes may also find that there is nothing to do: it was done before, or stands in the way (E_EXISTS,
   E_CONFLICT, E_NOTFOUND). The caller is told so only when what was seen is kept as firmly as a commit would be. */
typedef agentchat_status (*aci_work)(aci_tx *tx, void *user, agentchat_error *err);
/* Runs work in a transaction, and again for as long as the database says that it may succeed and the store's wait is
   not over: one deadline for a connection, for locks and for a server that has gone. */
agentchat_status aci_transact(agentchat_store *store, bool writes, aci_work work, void *user, agentchat_error *err);
/* The same as a part of a call that has begun before. */
agentchat_status aci_transact_in(agentchat_store *store, const agentchat_sql_call *call, bool writes, aci_work work,
                                 void *user, agentchat_error *err);

/* Queues a statement, then its parameters in their order. Texts are borrowed until the batch has run. Row functions may
   fail: aci_tx_run() then fails after the batch with their first error; but not when it has committed what was written,
   which stands: then it tells by tx->row_status alone. */
void aci_tx_add(aci_tx *tx, const aci_statement *statement, agentchat_sql_row_fn row, void *user);
void aci_tx_text(aci_tx *tx, agentchat_str text); /* absent: NULL */
void aci_tx_integer(aci_tx *tx, int64_t value);
/* Runs what is queued as one batch. The first batch of a transaction that writes must not be the one that commits: it
   checks whether this program may write at all. */
agentchat_status aci_tx_run(aci_tx *tx, bool commit, agentchat_error *err);
/* Rows that statement `index` of the last batch changed, counted from 0 as they were queued. */
uint64_t aci_tx_changed(const aci_tx *tx, size_t index);

/* Columns of a row, for row functions: E_CORRUPT when there is no such column or it has another type. */
agentchat_status aci_column_integer(const agentchat_sql_value *columns, size_t count, size_t index, int64_t *out,
                                    agentchat_error *err);
agentchat_status aci_column_text(const agentchat_sql_value *columns, size_t count, size_t index, agentchat_str *out,
                                 agentchat_error *err);

/* ---- connections ---------------------------------------------------------------------------------------------- */

/* Milliseconds that only ever grow. */
int64_t aci_clock_ms(void);
/* Waits for a moment that grows with the number of attempts and is never quite the same. */
void aci_wait_a_moment(unsigned attempts);
/* A connection for a call: an idle one or a new one. Waits until deadline_ms for one to come back or for the right
   to open one, and for it to be opened where the driver can tell. */
agentchat_status aci_pool_take(agentchat_store *store, const agentchat_sql_call *call, int64_t deadline_ms,
                               void **connection, agentchat_sql_outcome *outcome, agentchat_error *err);
/* Gives it back. One that is not alive is closed, and those that are idle with it: what has ended the one has probably
   ended them too, and each would have to be found out on its own. Returns whether it was alive. */
bool aci_pool_give(agentchat_store *store, void *connection);
void aci_pool_close(agentchat_store *store);

/* ---- layout --------------------------------------------------------------------------------------------------- */

/* Looks at what the database holds; makes or brings up to date the tables where may_install says so. */
agentchat_status aci_layout_prepare(agentchat_store *store, bool may_install, agentchat_error *err);
/* Every layout that was ever made, the newest last. */
const agentchat_sql_layout *aci_layouts(agentchat_sql_dialect dialect, size_t *count);
/* What every transaction does first: whether a program of this version may read, or write. */
extern const aci_statement aci_layout_version;

#endif
