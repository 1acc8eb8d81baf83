/* SPDX-License-Identifier: Apache-2.0 */
/* Stores: making one of a driver, and the layout of its tables. */
#include "store/core/sql.h"

#include "base/buf.h"
#include "base/error.h"
#include <stddef.h>
#include <string.h>

/* ==== the tables that say which versions all others have, and bringing a store up to date ======================== */

/* docs/stores.md describes them.

   `service` has a row for each service that has tables: their version and the lowest that a program must know to
   read them and to write to them. Each step from one version to the next is a transaction of its own, which records
   the new version; who is killed in between has done some of them, and the next one goes on.

   `store` has the number of this layout. A later change of these two tables raises the numbers of all services as
   well, which is what transactions look at. */

enum { MOST_STEPS = 1000, NO_SERVICE = -1 };

/* Layout 1 was never released. */
static const aci_sql_layout layouts[] = {
    [ACI_SQL_SQLITE] = {2,
                        "CREATE TABLE store(format INTEGER NOT NULL, reader INTEGER NOT NULL, writer INTEGER NOT NULL)"
                        " STRICT;\n"
                        "CREATE TABLE service(name TEXT NOT NULL, version INTEGER NOT NULL, reader INTEGER NOT NULL,"
                        " writer INTEGER NOT NULL, PRIMARY KEY(name)) STRICT, WITHOUT ROWID;\n"
                        "INSERT INTO store VALUES(2, 2, 2);\n"},
    [ACI_SQL_POSTGRES] = {2,
                          "CREATE TABLE store(format BIGINT NOT NULL, reader BIGINT NOT NULL, writer BIGINT NOT NULL);"
                          "\nCREATE TABLE service(name TEXT COLLATE \"C\" NOT NULL, version BIGINT NOT NULL,"
                          " reader BIGINT NOT NULL, writer BIGINT NOT NULL, PRIMARY KEY(name));\n"
                          "INSERT INTO store VALUES(2, 2, 2);\n"},
};

/* ---- whether a program is new enough -------------------------------------------------------------------------- */

static agentchat_status fail_older(const char *what, uint32_t version, agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_VERSION,
                    "the store has %s %lu, of a program before the first release; this one does not read it: make a new"
                    " store",
                    what, (unsigned long)version);
}

agentchat_status aci_sql_layout_check(const aci_sql_version *version, uint32_t known, const char *of, bool writes,
                                      agentchat_error *err)
{
    agentchat_status status;

    if ((writes ? version->writer : version->reader) <= known)
        return AGENTCHAT_OK;
    status =
        aci_fail(err, AGENTCHAT_E_VERSION, "the store has %s %s%lu; this program knows up to %lu and must not %s it",
                 of != NULL ? of : "layout", of != NULL ? "tables of version " : "", (unsigned long)version->format,
                 (unsigned long)known, writes ? "write to" : "read");
    if (err != NULL)
        err->native = (int32_t)version->format;
    return status;
}

static agentchat_status check_all(const agentchat_store *store, const aci_sql_versions *found, agentchat_error *err)
{
    bool writes = !store->read_only;
    agentchat_status status = aci_sql_layout_check(&found->store, store->host.layout.format, NULL, writes, err);

    if (status >= 0 && found->store.format < store->host.layout.format)
        status = fail_older("layout", found->store.format, err);
    for (size_t i = 0; i < store->host.service_count && status >= 0; i++) {
        const aci_sql_tables *tables = &store->tables[i];
        uint32_t version = found->services[i].format;

        status = aci_sql_layout_check(&found->services[i], tables->count, tables->name, writes, err);
        if (status >= 0 && !aci_sql_was_released(tables, version)) {
            char what[80];

            (void)snprintf(what, sizeof what, "%s tables of version", tables->name);
            status = fail_older(what, version, err);
        }
    }
    return status;
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

/* The statement that records a version of a service. */
static bool add_record(aci_buf *out, const aci_sql_tables *tables, uint32_t version)
{
    const aci_sql_migration *migration = &tables->migrations[version - 1];
    char text[320];

    (void)snprintf(text, sizeof text,
                   "INSERT INTO service(name, version, reader, writer) VALUES('%s', %lu, %lu, %lu) ON CONFLICT(name)"
                   " DO UPDATE SET version = excluded.version, reader = excluded.reader, writer = excluded.writer",
                   tables->name, (unsigned long)version, (unsigned long)migration->reader,
                   (unsigned long)migration->writer);
    return aci_buf_add(out, text, strlen(text) + 1);
}

/* The step of a service from a version to the one after it. */
static bool add_service_step(const aci_sql_tables *tables, uint32_t version, aci_buf *text)
{
    const char *script;

    while (!aci_sql_was_released(tables, version + 1))
        version++;
    script = tables->migrations[version].script;
    return aci_buf_add(text, script, strlen(script)) && add_record(text, tables, version + 1);
}

/* The next step of a store that is not up to date; false: it is, or there is no memory for it. */
static bool next_step(const agentchat_store *store, const aci_sql_versions *found, aci_buf *text, aci_sql_step *step,
                      bool *ok)
{
    size_t i = 0;

    text->len = 0;
    *ok = true;
    if (found->store.format == 0) {
        *ok = aci_buf_add(text, store->host.layout.script, strlen(store->host.layout.script) + 1);
        *step = (aci_sql_step){NO_SERVICE, 0, text->ptr};
        return *ok;
    }
    while (i < store->host.service_count && found->services[i].format >= store->tables[i].count)
        i++;
    if (i == store->host.service_count)
        return false;
    *ok = add_service_step(&store->tables[i], found->services[i].format, text);
    *step = (aci_sql_step){(int)i, found->services[i].format, text->ptr};
    return *ok;
}

/* Whether there is nothing in it yet: it is new, or was left by a program that was killed while it made it. */
static bool is_empty(const agentchat_store *store, const aci_sql_versions *found)
{
    for (size_t i = 0; i < store->host.service_count; i++) {
        if (found->services[i].format > 0)
            return false;
    }
    return found->store.format == 0 || !found->has_others;
}

/* What a store that is not up to date is to who may not change it. */
static agentchat_status take_older(agentchat_store *store, const aci_sql_versions *found, agentchat_error *err)
{
    if (is_empty(store, found))
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no store here (agentchat store init makes one)");
    if (!store->read_only)
        return aci_fail(err, AGENTCHAT_E_VERSION,
                        "the store was made by an older version; agentchat store init brings its tables up to date");
    for (size_t i = 0; i < store->host.service_count; i++)
        if (found->services[i].format == 0)
            (void)atomic_fetch_or(&store->lacks, 1u << i);
    return AGENTCHAT_OK;
}

static agentchat_status bring_up(agentchat_store *store, void *connection, bool may_install, aci_buf *text,
                                 aci_sql_outcome *outcome, agentchat_error *err)
{
    for (int steps = 0; steps < MOST_STEPS; steps++) {
        aci_sql_versions found;
        aci_sql_step step = {0};
        agentchat_status status;
        bool ok = true;

        memset(&found, 0, sizeof found);
        status = store->driver->version(connection, &found, outcome, err);
        if (status >= 0)
            *outcome = ACI_SQL_FINAL;
        if (status >= 0 && found.store.format > 0)
            status = check_all(store, &found, err);
        if (status < 0)
            return status;
        if (!next_step(store, &found, text, &step, &ok))
            return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
        if (!may_install || store->read_only)
            return take_older(store, &found, err);
        status = store->driver->install(connection, &step, outcome, err);
        if (status < 0)
            return status;
    }
    return aci_fail(err, AGENTCHAT_E_INTERNAL, "the store's tables do not get up to date");
}

/* Making tables on a server succeeds only when tables that it finds there are as durable as ones that it has just made.
   Opening a file needs no such check: what is written to it later becomes durable together with its tables. */
static agentchat_status prepare_on(agentchat_store *store, void *connection, bool may_install, aci_sql_outcome *outcome,
                                   agentchat_error *err)
{
    agentchat_status status;
    aci_buf text;

    aci_buf_init(&text, store->env, SIZE_MAX);
    status = bring_up(store, connection, may_install, &text, outcome, err);
    aci_buf_clear(&text);
    if (status >= 0 && may_install && !store->read_only && store->driver->dialect == ACI_SQL_POSTGRES)
        status = store->driver->confirm(connection, outcome, err);
    return status;
}

/* Looks at what the database holds; makes or brings up to date the tables where may_install says so. */
static agentchat_status layout_prepare(agentchat_store *store, bool may_install, agentchat_error *err)
{
    int64_t deadline = aci_sql_clock_ms() + store->wait_ms;
    aci_sql_call call = aci_sql_call_begin(store, true);

    for (unsigned attempts = 0;; attempts++) {
        aci_sql_outcome outcome = ACI_SQL_FINAL;
        void *connection = NULL;
        agentchat_status status = aci_pool_take(store, &call, deadline, &connection, &outcome, err);

        if (status >= 0) {
            aci_pool_allow(store, connection, deadline);
            status = prepare_on(store, connection, may_install, &outcome, err);
            if (status < 0)
                aci_pool_source(store, connection, err);
            aci_pool_give(store, connection);
        }
        if (status >= 0 || outcome == ACI_SQL_FINAL || aci_sql_clock_ms() >= deadline)
            return status;
        agentchat_error_clear(err);
        aci_sql_clock_pause(attempts);
    }
}

/* ==== A store made of a driver, and what backends need of the environment ======================================== */

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
    store->host.layout = layouts[store->driver->dialect];
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
    store->memory_ttl_us = options->memory_ttl_us;
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
    status = layout_prepare(store, options->may_install, err);
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
