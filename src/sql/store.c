/* SPDX-License-Identifier: Apache-2.0 */
/* A store made of a driver, and what backends need of the environment. Layer 4. */
#include "sql/sql.h"

#include "base/error.h"
#include <stddef.h>

enum { DEFAULT_WAIT_MS = 30000, DEFAULT_CONNECTIONS = 8, MOST_CONNECTIONS = 1000 };

void *agentchat_sys_alloc(const agentchat_env *env, size_t size)
{
    return aci_alloc_zero(aci_env(env), size);
}

void agentchat_sys_free(const agentchat_env *env, void *block, size_t size)
{
    aci_free(aci_env(env), block, size);
}

void aci_store_source(const agentchat_store *store, void *connection, agentchat_error *err)
{
    const agentchat_sql_driver *driver = store->driver;

    if (driver->struct_size > offsetof(agentchat_sql_driver, source) && driver->source != NULL)
        aci_error_source(err, driver->source(connection));
}

/* What is left of a wait; a driver is given at least one millisecond. */
static uint32_t left_until(int64_t deadline_ms)
{
    int64_t left = deadline_ms - aci_clock_ms();

    return left < 1 ? 1 : left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

void aci_store_allow(const agentchat_store *store, void *connection, int64_t deadline_ms)
{
    const agentchat_sql_driver *driver = store->driver;

    if (driver->struct_size > offsetof(agentchat_sql_driver, allow) && driver->allow != NULL)
        driver->allow(connection, left_until(deadline_ms));
}

agentchat_status aci_store_connect(agentchat_store *store, int64_t deadline_ms, void **connection,
                                   agentchat_sql_outcome *outcome, agentchat_error *err)
{
    const agentchat_sql_driver *driver = store->driver;

    if (driver->struct_size > offsetof(agentchat_sql_driver, connect_within) && driver->connect_within != NULL)
        return driver->connect_within(store->self, left_until(deadline_ms), connection, outcome, err);
    return driver->connect(store->self, connection, outcome, err);
}

bool aci_store_confirms(const agentchat_store *store)
{
    const agentchat_sql_driver *driver = store->driver;

    return driver->struct_size > offsetof(agentchat_sql_driver, confirm) && driver->confirm != NULL;
}

/* ---- cancelling ------------------------------------------------------------------------------------------------ */

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may count up only what needs no lock");

void agentchat_store_interrupt(agentchat_store *store)
{
    if (store != NULL)
        (void)atomic_fetch_add(&store->interrupts, 1);
}

static uint32_t count_interrupts(const agentchat_sql_host *host)
{
    const char *store = (const char *)host - offsetof(agentchat_store, host);

    return (uint32_t)atomic_load(&((const agentchat_store *)(const void *)store)->interrupts);
}

agentchat_sql_call aci_call_begin(const agentchat_store *store, bool unbounded)
{
    return (agentchat_sql_call){(uint32_t)atomic_load(&store->interrupts), unbounded};
}

bool aci_call_is_cancelled(const agentchat_store *store, const agentchat_sql_call *call)
{
    return (uint32_t)atomic_load(&store->interrupts) != call->interrupts;
}

agentchat_status aci_call_go_on(const agentchat_store *store, const agentchat_sql_call *call, agentchat_error *err)
{
    if (!aci_call_is_cancelled(store, call))
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CANCELLED, "the call was cancelled; it has changed nothing");
}

/* ---- making one ------------------------------------------------------------------------------------------------ */

/* What the driver is told of the store, before it is asked for anything. */
static void attach(agentchat_store *store)
{
    const agentchat_sql_driver *driver = store->driver;

    store->host.struct_size = sizeof store->host;
    store->host.layouts = aci_layouts(driver->dialect, &store->host.layout_count);
    store->host.interrupts = count_interrupts;
    atomic_init(&store->interrupts, 0);
    if (driver->struct_size > offsetof(agentchat_sql_driver, attach) && driver->attach != NULL)
        driver->attach(store->self, &store->host);
}

static bool init_lock(agentchat_store *store)
{
    pthread_condattr_t monotonic;
    bool done;

    if (pthread_mutex_init(&store->lock, NULL) != 0)
        return false;
    done = pthread_condattr_init(&monotonic) == 0;
    if (done) {
        done = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
               pthread_cond_init(&store->freed, &monotonic) == 0;
        (void)pthread_condattr_destroy(&monotonic);
    }
    if (!done)
        (void)pthread_mutex_destroy(&store->lock);
    return done;
}

static agentchat_store *store_new(const agentchat_env *env, const agentchat_sql_driver *driver, void *self,
                                  const agentchat_sql_store_options *options)
{
    uint32_t most = options->max_connections != 0 ? options->max_connections : DEFAULT_CONNECTIONS;
    agentchat_store *store = aci_alloc_zero(env, sizeof(*store));

    if (store == NULL)
        return NULL;
    store->env = env;
    store->driver = driver;
    store->self = self;
    store->read_only = options->read_only;
    store->wait_ms = options->wait_ms != 0 ? options->wait_ms : DEFAULT_WAIT_MS;
    store->most = most < MOST_CONNECTIONS ? most : MOST_CONNECTIONS;
    store->idle = aci_alloc_zero(env, store->most * sizeof(*store->idle));
    if (store->idle != NULL && init_lock(store))
        return store;
    aci_free(env, store->idle, store->most * sizeof(*store->idle));
    aci_free(env, store, sizeof(*store));
    return NULL;
}

agentchat_status agentchat_sql_store(const agentchat_env *env, const agentchat_sql_driver *driver, void *self,
                                     const agentchat_sql_store_options *options, agentchat_store **out,
                                     agentchat_error *err)
{
    agentchat_sql_store_options loaded;
    agentchat_status status;
    agentchat_store *store;

    agentchat_error_clear(err);
    if (out != NULL)
        *out = NULL;
    if (driver == NULL || driver->struct_size < offsetof(agentchat_sql_driver, source))
        return aci_fail(err, AGENTCHAT_E_INVALID, "a driver with its struct_size is needed");
    status = out != NULL && options != NULL ? aci_options_load(&loaded, sizeof loaded, options, err)
                                            : aci_fail(err, AGENTCHAT_E_INVALID, "out and options must not be NULL");
    if (status < 0) {
        driver->free(self);
        return status;
    }
    store = store_new(aci_env(env), driver, self, &loaded);
    if (store == NULL) {
        driver->free(self);
        return aci_fail_nomem(err);
    }
    attach(store);
    status = aci_layout_prepare(store, loaded.may_install, err);
    if (status < 0) {
        agentchat_store_close(store);
        return status;
    }
    *out = store;
    return AGENTCHAT_OK;
}

void agentchat_store_close(agentchat_store *store)
{
    const agentchat_env *env;

    if (store == NULL)
        return;
    env = store->env;
    aci_pool_close(store);
    store->driver->free(store->self);
    (void)pthread_cond_destroy(&store->freed);
    (void)pthread_mutex_destroy(&store->lock);
    aci_free(env, store->idle, store->most * sizeof(*store->idle));
    aci_free(env, store, sizeof(*store));
}

const char *agentchat_store_backend(const agentchat_store *store)
{
    return store != NULL ? store->driver->name : "";
}
