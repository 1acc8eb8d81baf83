/* SPDX-License-Identifier: Apache-2.0 */
/* Connections of a store, and the time that calls have. */
#include "store/core/sql.h"

#include "base/error.h"
#include <time.h>

/* ==== calls, and cancelling those that run ======================================================================= */

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may count up only what needs no lock");

void agentchat_store_interrupt(agentchat_store *store)
{
    if (store != NULL)
        (void)atomic_fetch_add(&store->interrupts, 1);
}

aci_sql_call aci_sql_call_begin(const agentchat_store *store, bool unbounded)
{
    return (aci_sql_call){(uint32_t)atomic_load(&store->interrupts), unbounded};
}

/* Whether it has been cancelled since. */
static bool sql_call_is_cancelled(const agentchat_store *store, const aci_sql_call *call)
{
    return (uint32_t)atomic_load(&store->interrupts) != call->interrupts;
}

agentchat_status aci_sql_call_go_on(const agentchat_store *store, const aci_sql_call *call, agentchat_error *err)
{
    if (!sql_call_is_cancelled(store, call))
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CANCELLED, "the call was cancelled; it has changed nothing");
}

/* ==== time that only ever grows, and pauses between attempts ===================================================== */

int64_t aci_sql_clock_ms(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void aci_sql_clock_pause(unsigned attempts)
{
    struct timespec now = {0, 0}, pause;
    long most = 1000000L << (attempts < 6 ? attempts : 6); /* 1 ms, then twice as long each time, at most 64 ms */

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    pause.tv_sec = 0;
    pause.tv_nsec = most / 2 + (now.tv_nsec / 64 * 7919) % (most / 2);
    (void)nanosleep(&pause, NULL);
}

/* ==== connections of a store: each thread that has something to do gets one of its own =========================== */

#define LONGEST_NAP_MS 20

#define LONGEST_NAP_MS 20

void aci_pool_source(const agentchat_store *store, void *connection, agentchat_error *err)
{
    const char *source = store->driver->source(connection);

    if (source != NULL)
        aci_error_source(err, source);
}

/* What is left of a wait; a driver is given at least one millisecond. */
static uint32_t left_until(int64_t deadline_ms)
{
    int64_t left = deadline_ms - aci_sql_clock_ms();

    return left < 1 ? 1 : left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

void aci_pool_allow(const agentchat_store *store, void *connection, int64_t deadline_ms)
{
    store->driver->allow(connection, left_until(deadline_ms));
}

/* Waits until a connection comes back, the deadline is over, or some time has passed: who cancels a call may not wake
   anybody. false: the deadline is over. */
static bool wait_for_one(agentchat_store *store, int64_t deadline_ms)
{
    int64_t left = deadline_ms - aci_sql_clock_ms();
    struct timespec until = {0, 0};

    if (left <= 0)
        return false;
    if (left > LONGEST_NAP_MS)
        left = LONGEST_NAP_MS;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(left / 1000);
    until.tv_nsec += (long)(left % 1000) * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    (void)pthread_cond_timedwait(&store->freed, &store->lock, &until);
    return true;
}

/* Takes an idle connection, or the right to open one (*connection is NULL then). */
static agentchat_status take_slot(agentchat_store *store, const aci_sql_call *call, int64_t deadline_ms,
                                  void **connection, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    *connection = NULL;
    (void)pthread_mutex_lock(&store->lock);
    while (status >= 0 && store->idle_count == 0 && store->open >= store->most) {
        status = aci_sql_call_go_on(store, call, err);
        if (status >= 0 && !wait_for_one(store, deadline_ms)) {
            status = aci_fail(err, AGENTCHAT_E_BUSY, "all %lu connections of the store were in use for %lu ms",
                              (unsigned long)store->most, (unsigned long)store->wait_ms);
        }
    }
    if (status >= 0) {
        if (store->idle_count > 0)
            *connection = store->idle[--store->idle_count];
        else
            store->open++;
    }
    (void)pthread_mutex_unlock(&store->lock);
    return status;
}

static void leave_slot(agentchat_store *store)
{
    (void)pthread_mutex_lock(&store->lock);
    store->open--;
    (void)pthread_cond_signal(&store->freed);
    (void)pthread_mutex_unlock(&store->lock);
}

agentchat_status aci_pool_take(agentchat_store *store, const aci_sql_call *call, int64_t deadline_ms, void **connection,
                               aci_sql_outcome *outcome, agentchat_error *err)
{
    agentchat_status status = take_slot(store, call, deadline_ms, connection, err);

    *outcome = ACI_SQL_FINAL;
    if (status < 0)
        return status;
    if (*connection == NULL) {
        status = store->driver->connect(store->self, left_until(deadline_ms), connection, outcome, err);
        if (status < 0) {
            leave_slot(store);
            return status;
        }
    }
    store->driver->serve(*connection, call);
    return AGENTCHAT_OK;
}

static void close_one(agentchat_store *store, void *connection)
{
    store->driver->disconnect(connection);
    leave_slot(store);
}

static void *take_idle(agentchat_store *store)
{
    void *connection;

    (void)pthread_mutex_lock(&store->lock);
    connection = store->idle_count > 0 ? store->idle[--store->idle_count] : NULL;
    (void)pthread_mutex_unlock(&store->lock);
    return connection;
}

bool aci_pool_give(agentchat_store *store, void *connection)
{
    if (!store->driver->is_alive(connection)) {
        do
            close_one(store, connection);
        while ((connection = take_idle(store)) != NULL);
        return false;
    }
    (void)pthread_mutex_lock(&store->lock);
    store->idle[store->idle_count++] = connection;
    (void)pthread_cond_signal(&store->freed);
    (void)pthread_mutex_unlock(&store->lock);
    return true;
}

void aci_pool_close(agentchat_store *store)
{
    while (store->idle_count > 0)
        store->driver->disconnect(store->idle[--store->idle_count]);
    store->open = 0;
}

agentchat_status aci_pool_scrub(agentchat_store *store, const aci_sql_call *call, agentchat_error *err)
{
    int64_t deadline_ms = aci_sql_clock_ms() + store->wait_ms;
    aci_sql_outcome outcome;
    void *connection = NULL;
    agentchat_status status = AGENTCHAT_OK;

    if (store->driver->scrub == NULL)
        return AGENTCHAT_OK;
    status = aci_pool_take(store, call, deadline_ms, &connection, &outcome, err);
    if (status < 0)
        return status;
    aci_pool_allow(store, connection, deadline_ms);
    status = store->driver->scrub(connection, err);
    (void)aci_pool_give(store, connection);
    return status;
}
