/* SPDX-License-Identifier: Apache-2.0 */
/* A store made of a driver, and what backends need of the environment. */
#include "store/core/sql.h"

#include "base/error.h"
#include <stddef.h>

enum { DEFAULT_WAIT_MS = 30000, DEFAULT_CONNECTIONS = 8, MOST_CONNECTIONS = 1000 };

void *aci_driver_alloc(const agentchat_env *env, size_t size)
{
    return aci_alloc_zero(aci_env(env), size);
}

void aci_driver_free(const agentchat_env *env, void *block, size_t size)
{
    aci_free(aci_env(env), block, size);
}

static uint32_t count_interrupts(const aci_sql_host *host)
{
    const char *store = (const char *)host - offsetof(agentchat_store, host);

    return (uint32_t)atomic_load(&((const agentchat_store *)(const void *)store)->interrupts);
}

/* What the driver is given of the store, before it is asked for anything. */
static void attach(agentchat_store *store)
{
    aci_layout_describe(store->driver->dialect, &store->host);
    for (size_t i = 0; i < aci_service_count; i++)
        store->tables[i] = aci_services[i]->tables[store->driver->dialect];
    store->host.services = store->tables;
    store->host.service_count = aci_service_count;
    store->host.interrupts = count_interrupts;
    atomic_init(&store->interrupts, 0);
    store->driver->attach(store->self, &store->host);
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

static agentchat_store *store_new(const agentchat_env *env, const aci_sql_driver *driver, void *self,
                                  const aci_sql_store_options *options)
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

agentchat_status aci_driver_store(const agentchat_env *env, const aci_sql_driver *driver, void *self,
                                  const aci_sql_store_options *options, agentchat_store **out, agentchat_error *err)
{
    agentchat_status status;
    agentchat_store *store;

    agentchat_error_clear(err);
    *out = NULL;
    store = store_new(aci_env(env), driver, self, options);
    if (store == NULL) {
        driver->free(self);
        return aci_fail_nomem(err);
    }
    attach(store);
    status = aci_layout_prepare(store, options->may_install, err);
    if (status < 0)
        agentchat_store_close(store);
    else
        *out = store;
    return status;
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

void agentchat_store_options_init(agentchat_store_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

const char *agentchat_store_backend(const agentchat_store *store)
{
    return store != NULL ? store->driver->name : "";
}
