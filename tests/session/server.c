/* SPDX-License-Identifier: Apache-2.0 */
/* A database on the PostgreSQL server of the tests; with AGENTCHAT_TEST_TLS one on a server of the program's own, which
   is reached over TCP with TLS. */
#define _GNU_SOURCE /* asprintf */
#include "session/server.h"

#include "support/postgres/test_postgres.h"

#include <agentchat/store.h>
#include <stdio.h>

static char *url;
static test_postgres_server *with_tls;

static void forget(void)
{
    free(url);
    if (with_tls != NULL)
        test_postgres_server_free(with_tls);
}

/* Its certificate is checked, and its name. */
static char *url_with_tls(void)
{
    char *dir, *port, *made = NULL;

    with_tls = test_postgres_server_tls();
    dir = test_postgres_server_value(with_tls, "dir");
    port = test_postgres_server_value(with_tls, "port");
    assert_true(asprintf(&made,
                         "postgresql://agentchat@localhost:%s/postgres?hostaddr=127.0.0.1&sslmode=verify-full"
                         "&sslrootcert=%s/tls/ca.crt",
                         port, dir) > 0);
    free(dir);
    free(port);
    return made;
}

void server_begin(const char *name)
{
    test_postgres_begin(name);
}

const char *server_url(void)
{
    agentchat_error err;

    if (url == NULL) {
        url = getenv("AGENTCHAT_TEST_TLS") != NULL ? url_with_tls() : test_postgres_database();
        (void)atexit(forget);
        test_ok(agentchat_store_init(NULL, url, NULL, &err), &err);
    }
    return url;
}

bool server_has_extension(const char *name)
{
    char statement[200];

    (void)snprintf(statement, sizeof statement, "SELECT COUNT(*) FROM pg_available_extensions WHERE name = '%s'", name);
    return test_postgres_count(server_url(), statement) > 0;
}
