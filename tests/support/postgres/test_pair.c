/* SPDX-License-Identifier: Apache-2.0 */
/* A server and its standby. */
#define _GNU_SOURCE /* asprintf */
#include "support/postgres/test_postgres.h"

#include <agentchat/postgres.h>
#include <stdio.h>

test_postgres_pair test_postgres_pair_new(void)
{
    test_postgres_pair pair;
    agentchat_error err;

    pair.primary = test_postgres_server_new(true);
    test_ok(agentchat_postgres_init(NULL, pair.primary->url, NULL, &err), &err);
    pair.standby = test_postgres_server_standby(pair.primary);
    test_postgres_run(pair.primary->url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    test_postgres_run(pair.primary->url, "SELECT pg_reload_conf()");
    test_postgres_await(pair.primary->url, "SELECT sync_state FROM pg_stat_replication", "sync");
    return pair;
}

char *test_postgres_pair_url(const test_postgres_pair *pair, const char *parameters)
{
    char *first = test_postgres_server_value(pair->primary, "dir"),
         *second = test_postgres_server_value(pair->standby, "dir");
    char *url = NULL;

    assert_true(asprintf(&url, "postgresql:///postgres?host=%s/socket,%s/socket&user=agentchat%s", first, second,
                         parameters) > 0);
    free(first);
    free(second);
    return url;
}

void test_postgres_pair_free(test_postgres_pair *pair)
{
    test_postgres_server_free(pair->standby);
    test_postgres_server_free(pair->primary);
}
