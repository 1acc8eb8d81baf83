/* SPDX-License-Identifier: Apache-2.0 */
/* A database on the PostgreSQL server of the tests. */
#include "session/server.h"

#include "support/postgres/test_postgres.h"

#include <agentchat/store.h>

static char *url;

static void forget(void)
{
    free(url);
}

void server_begin(const char *name)
{
    test_postgres_begin(name);
}

const char *server_url(void)
{
    agentchat_error err;

    if (url == NULL) {
        url = test_postgres_database();
        (void)atexit(forget);
        test_ok(agentchat_store_init(NULL, url, NULL, &err), &err);
    }
    return url;
}
