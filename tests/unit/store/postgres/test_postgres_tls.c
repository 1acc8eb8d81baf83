/* SPDX-License-Identifier: Apache-2.0 */
/* A server with TLS, and what is said when it, or it and the client, cannot be trusted: at once, since waiting changes
   nothing, and never with the advice to trust it unseen. */
#define _GNU_SOURCE /* asprintf */
#include "postgres_support.h"

#include <stdio.h>

static test_postgres_server *server;
static char *tls, *port; /* the directory of its certificates */

/* The URL of the server for a user as "user:password", at a host, with more options; %s in them is the directory of the
   certificates. free(). */
static char *url_of(const char *user, const char *host, const char *options)
{
    char *head = NULL, *rest = NULL, *url = NULL;
    const char *at = strstr(options, "%s"), *second = at != NULL ? strstr(at + 2, "%s") : NULL;
    const char *third = second != NULL ? strstr(second + 2, "%s") : NULL;

    assert_true(asprintf(&head, "postgresql://%s@%s:%s/postgres?hostaddr=127.0.0.1", user, host, port) > 0);
    if (third != NULL)
        assert_true(asprintf(&rest, "%.*s%s%.*s%s%.*s%s%s", (int)(at - options), options, tls, (int)(second - at - 2),
                             at + 2, tls, (int)(third - second - 2), second + 2, tls, third + 2) > 0);
    else if (at != NULL)
        assert_true(asprintf(&rest, "%.*s%s%s", (int)(at - options), options, tls, at + 2) > 0);
    else
        assert_true(asprintf(&rest, "%s", options) >= 0);
    assert_true(asprintf(&url, "%s&%s", head, rest) > 0);
    free(head);
    free(rest);
    return url;
}

#define TRUSTING "sslmode=verify-full&sslrootcert=%s/ca.crt"

static void test_tls__servers_and_clients_that_trust_each_other(void **state)
{
    static const struct {
        const char *user, *host, *options;
    } cases[] = {
        {"agentchat", "localhost", "sslmode=require"},
        {"agentchat", "localhost", TRUSTING},
        {"agentchat", "127.0.0.1", "sslmode=verify-ca&sslrootcert=%s/ca.crt"},
        {"secret:right", "localhost", TRUSTING},
        {"certified", "localhost", TRUSTING "&sslcert=%s/client.crt&sslkey=%s/client.key"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *url = url_of(cases[i].user, cases[i].host, cases[i].options);
        aci_postgres_connection *c = pg_open(url, 3000);

        assert_true(PQsslInUse(c->conn));
        pg_close(c);
        free(url);
    }
}

typedef struct refused {
    const char *user, *host, *options, *message;
} refused;

static void assert_refused(const refused *r)
{
    static agentchat_status (*const connects[])(const char *, uint32_t, aci_postgres_connection **, aci_sql_outcome *,
                                                agentchat_error *) = {pg_connect, pg_connect_first};
    char *url = url_of(r->user, r->host, r->options);

    for (size_t i = 0; i < 2; i++) {
        aci_postgres_connection *c = NULL;
        aci_sql_outcome outcome;
        agentchat_error err;
        int64_t begun = aci_postgres_now_ms();

        test_fails(connects[i](url, 30000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL, r->message);
        assert_int_equal(outcome, ACI_SQL_FINAL);
        assert_in_range(aci_postgres_now_ms() - begun, 0, 10000);
        assert_non_null(strstr(err.source, r->host));
        assert_null(strstr(err.message, "sslmode to"));
        assert_null(strstr(err.message, "disable"));
        assert_null(strstr(err.message, "hush"));
    }
    free(url);
}

static void test_tls__what_cannot_be_trusted_is_said_at_once(void **state)
{
    static const refused cases[] = {
        {"agentchat", "localhost", "sslmode=verify-full&sslrootcert=%s/other.crt",
         "the server's certificate is not one that sslrootcert vouches for"},
        {"agentchat", "localhost", "sslmode=verify-full&sslrootcert=%s/other.crt", "/other.crt"},
        {"agentchat", "localhost", "sslmode=verify-ca&sslrootcert=%s/other.crt",
         "the server's certificate is not one that sslrootcert vouches for"},
        {"agentchat", "127.0.0.1", TRUSTING, "the server's certificate is made out to another host: \"localhost\""},
        {"agentchat", "127.0.0.1", TRUSTING, "does not match host name \"127.0.0.1\""},
        {"agentchat", "localhost", "sslmode=verify-full&sslrootcert=%s/missing.crt",
         "the file of the trusted certificates (sslrootcert) cannot be used: \"/"},
        {"agentchat", "localhost", "sslmode=verify-full&sslrootcert=%s/missing.crt", "/missing.crt\" does not exist"},
        {"agentchat", "localhost", "sslmode=require&sslrootcert=%s/ca.key",
         "the file of the trusted certificates (sslrootcert) cannot be used: \"/"},
        {"certified", "localhost", TRUSTING "&sslcert=%s/missing.crt&sslkey=%s/client.key",
         "the server does not let this user in from here"},
        {"certified", "localhost", TRUSTING "&sslcert=%s/client.crt&sslkey=%s/missing.key",
         "the file of the client's private key (sslkey) cannot be used: \"/"},
        {"certified", "localhost", TRUSTING "&sslcert=%s/log&sslkey=%s/client.key",
         "the file of the client certificate (sslcert) cannot be used: \"/"},
        {"certified", "localhost", TRUSTING "&sslcert=%s/client.crt&sslkey=%s/foreign.key",
         "the file of the client's private key (sslkey) cannot be used: \"/"},
        {"certified", "localhost", TRUSTING "&sslcert=%s/foreign.crt&sslkey=%s/foreign.key",
         "the server refuses the client certificate (sslcert), or wants one: /"},
        {"certified", "localhost", "sslmode=require&sslcert=/none", "the server does not let this user in from here"},
        {"secret:hush", "localhost", TRUSTING, "the server rejects the password"},
        {"secret", "localhost", TRUSTING "&passfile=/nowhere", "the server asks for a password, and there is none"},
        {"stranger", "localhost", TRUSTING,
         "the server does not let this user in from here (its roles and its "
         "pg_hba.conf decide): no pg_hba.conf entry for host"},
        {"agentchat", "localhost", "sslmode=disable", "no pg_hba.conf entry for host"},
        {"agentchat", "localhost", "sslmode=require&ssl_min_protocol_version=TLSv1&ssl_max_protocol_version=TLSv1",
         "TLS could not be agreed upon"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(&cases[i]);
}

static void test_tls__a_server_without_it_is_not_used(void **state)
{
    static const char *const modes[] = {"sslmode=require", TRUSTING};

    (void)state;
    test_postgres_run(server->url, "ALTER SYSTEM SET ssl = off");
    test_postgres_server_do(server, "restart fast");
    for (size_t i = 0; i < 2; i++)
        assert_refused(
            &(refused){"agentchat", "localhost", modes[i], "the server offers no TLS, which sslmode asks for"});
    test_postgres_run(server->url, "ALTER SYSTEM RESET ssl");
    test_postgres_server_do(server, "restart fast");
}

/* Of several hosts, one that could be another day is waited for by a store that is open. */
static void test_tls__of_several_hosts_one_may_come_back(void **state)
{
    char url[1024];
    aci_postgres_connection *c = NULL;
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    snprintf(url, sizeof url,
             "postgresql://agentchat@127.0.0.1:1,127.0.0.1:%s/postgres?sslmode=verify-full&sslrootcert=%s/ca.crt", port,
             tls);
    test_fails(pg_connect(url, 3000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL, "is made out to another host");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    test_fails(pg_connect_first(url, 3000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
               "is made out to another host");
    assert_int_equal(outcome, ACI_SQL_FINAL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tls__servers_and_clients_that_trust_each_other),
        cmocka_unit_test(test_tls__what_cannot_be_trusted_is_said_at_once),
        cmocka_unit_test(test_tls__a_server_without_it_is_not_used),
        cmocka_unit_test(test_tls__of_several_hosts_one_may_come_back),
    };
    int status;

    test_postgres_begin("unit.postgres_tls");
    server = test_postgres_server_tls();
    {
        char *dir = test_postgres_server_value(server, "dir");

        tls = test_path(dir, "tls");
        free(dir);
    }
    port = test_postgres_server_value(server, "port");
    test_postgres_run(server->url, "CREATE ROLE secret LOGIN PASSWORD 'right'; CREATE ROLE certified LOGIN");
    status = cmocka_run_group_tests(tests, NULL, NULL);
    test_postgres_server_free(server);
    free(tls);
    free(port);
    return status;
}
