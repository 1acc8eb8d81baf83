/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's table, and what its connections are opened with. */
#include "driver.h"

#include <string.h>

agentchat_status aci_postgres_new(const agentchat_env *env, const char *url, uint32_t wait_ms, aci_postgres **out,
                                  agentchat_error *err)
{
    size_t size = strlen(url) + 1;
    agentchat_status status = aci_postgres_check_url(url, err);
    aci_postgres *server;

    *out = NULL;
    if (status < 0)
        return status;
    server = aci_driver_alloc(env, sizeof *server);
    if (server == NULL)
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    server->url = aci_driver_alloc(env, size);
    if (server->url == NULL) {
        aci_driver_free(env, server, sizeof *server);
        return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
    }
    memcpy(server->url, url, size);
    server->url_size = size;
    server->env = env;
    server->wait_ms = wait_ms;
    atomic_init(&server->was_reached, false);
    atomic_init(&server->round_trips, 0);
    *out = server;
    return AGENTCHAT_OK;
}

static void release(void *self)
{
    aci_postgres *server = self;

    aci_postgres_wipe(server->url, server->url_size);
    aci_driver_free(server->env, server->url, server->url_size);
    aci_driver_free(server->env, server, sizeof *server);
}

/* A server looks after its own files. */
static agentchat_status check(void *connection, agentchat_store_check_fn each, void *user, agentchat_error *err)
{
    (void)connection;
    (void)each;
    (void)user;
    (void)err;
    return AGENTCHAT_OK;
}

static const char *source(void *connection)
{
    const aci_postgres_connection *c = connection;

    return c->source;
}

static void attach(void *self, const aci_sql_host *host)
{
    aci_postgres *server = self;

    server->host = host;
}

/* A call that is cancelled ends between its batches. */
static void serve(void *connection, const aci_sql_call *call)
{
    (void)connection;
    (void)call;
}

const aci_sql_driver aci_postgres_driver = {
    .name = "postgresql",
    .dialect = ACI_SQL_POSTGRES,
    .attach = attach,
    .connect = aci_postgres_connect,
    .disconnect = aci_postgres_disconnect,
    .is_alive = aci_postgres_is_alive,
    .source = source,
    .serve = serve,
    .allow = aci_postgres_allow,
    .run = aci_postgres_run,
    .rollback = aci_postgres_rollback,
    .confirm = aci_postgres_confirm,
    .version = aci_postgres_version,
    .install = aci_postgres_install,
    .check = check,
    .free = release,
};
