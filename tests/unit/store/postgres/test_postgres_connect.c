/* SPDX-License-Identifier: Apache-2.0 */
/* Connecting: who is let in and what is said otherwise, and the settings of a connection. */
#include "postgres_support.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static char *database;
static char *directory; /* of the server's socket */

typedef struct refusal {
    const char *url, *sqlstate, *message;
    agentchat_status status;
    aci_sql_outcome outcome;
} refusal;

static void assert_refused(const refusal *r)
{
    aci_postgres_connection *c = NULL;
    aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
    agentchat_error err;

    test_fails(pg_connect(r->url, 3000, &c, &outcome, &err), &err, r->status, NULL, r->message);
    assert_null(c);
    assert_string_equal(err.sqlstate, r->sqlstate);
    assert_int_equal(outcome, r->outcome);
    assert_null(strstr(err.message, "hush"));
    assert_null(strstr(err.source, "hush"));
    assert_null(strchr(err.source, '@'));
    assert_null(strchr(err.message, '\n'));
}

__attribute__((format(printf, 2, 3))) static const char *text(char buffer[512], const char *pattern, ...)
{
    va_list arguments;

    va_start(arguments, pattern);
    vsnprintf(buffer, 512, pattern, arguments);
    va_end(arguments);
    return buffer;
}

static void test_connect__passwords(void **state)
{
    aci_postgres_connection *c;
    char url[512];

    (void)state;
    test_postgres_run(database,
                      "DO $$ BEGIN CREATE ROLE secret LOGIN PASSWORD 'right'; EXCEPTION WHEN duplicate_object "
                      "THEN NULL; END $$");
    c = pg_open(text(url, "postgresql://secret:right@/postgres?host=%s", directory), 3000);
    pg_close(c);
    assert_refused(&(refusal){text(url, "postgresql://secret:hush@/postgres?host=%s", directory), "28P01",
                              "password authentication failed for user \"secret\"", AGENTCHAT_E_IO, ACI_SQL_FINAL});
    assert_refused(&(refusal){text(url, "postgresql://secret@/postgres?host=%s&passfile=/nowhere", directory), "",
                              "the server asks for a password, and there is none", AGENTCHAT_E_IO, ACI_SQL_FINAL});
}

static void test_connect__what_is_not_there(void **state)
{
    char url[512];

    (void)state;
    assert_refused(&(refusal){text(url, "host=%s user=agentchat dbname=no_such_database", directory), "3D000",
                              "database \"no_such_database\" does not exist", AGENTCHAT_E_IO, ACI_SQL_FINAL});
    assert_refused(&(refusal){text(url, "host=%s user=no_such_role dbname=postgres", directory), "28000",
                              "role \"no_such_role\" does not exist", AGENTCHAT_E_IO, ACI_SQL_FINAL});
    assert_refused(&(refusal){"host=/no/such/directory user=x password=hush", "",
                              "the server cannot be reached: No such file or directory", AGENTCHAT_E_IO,
                              ACI_SQL_TRANSIENT});
    assert_refused(&(refusal){"postgresql://x:hush@127.0.0.1:1/db", "",
                              "the server cannot be reached: Connection refused", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT});
    assert_refused(
        &(refusal){"hostaddr=999.1.1.1 user=x password=hush", "", "999.1.1.1", AGENTCHAT_E_IO, ACI_SQL_FINAL});
    assert_refused(&(refusal){text(url, "host=%s user=x sslmode=no_mode", directory), "",
                              "the server cannot be reached: invalid sslmode value", AGENTCHAT_E_IO, ACI_SQL_FINAL});
}

/* A store that is being opened waits for a server that is there, not for one that is not: the name may be wrong. */
static void test_connect__opening_waits_only_for_a_server_that_is_there(void **state)
{
    static const struct {
        const char *script;
        aci_sql_outcome outcome;
    } cases[] = {
        {"error:FATAL,57P03,the database system is starting up", ACI_SQL_TRANSIENT},
        {"error:FATAL,57P03,the database system is shutting down", ACI_SQL_TRANSIENT},
        {"error:FATAL,53300,sorry, too many clients already", ACI_SQL_TRANSIENT},
        {"error:FATAL,28P01,password authentication failed", ACI_SQL_FINAL},
        {"error:FATAL,28000,no pg_hba.conf entry", ACI_SQL_FINAL},
        {"error:FATAL,3D000,database does not exist", ACI_SQL_FINAL},
        {"", ACI_SQL_TRANSIENT}, /* somebody was there */
    };
    static const char *const nobody[] = {"host=/no/such/directory user=x", "postgresql://x@127.0.0.1:1/db",
                                         "host=/no/such/directory,127.0.0.1 port=1 user=x"};
    aci_postgres_connection *c = NULL;
    aci_sql_outcome outcome;
    agentchat_error err;
    char url[512];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_fake *fake = test_fake_new(cases[i].script);

        assert_true(pg_connect_first(test_fake_url(fake), 3000, &c, &outcome, &err) < 0);
        assert_int_equal(outcome, cases[i].outcome);
        /* Who is not there does not change what another says. */
        snprintf(url, sizeof url, "host=%s,/no/such/directory user=x", test_fake_host(fake));
        assert_true(pg_connect_first(url, 3000, &c, &outcome, &err) < 0);
        assert_int_equal(outcome, cases[i].outcome);
        test_fake_free(fake);
    }
    for (size_t i = 0; i < sizeof nobody / sizeof nobody[0]; i++) {
        test_fails(pg_connect_first(nobody[i], 3000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
                   "the server cannot be reached: ");
        assert_int_equal(outcome, ACI_SQL_FINAL);
        test_fails(pg_connect(nobody[i], 3000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
                   "the server cannot be reached: ");
        assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    }
}

/* A standby may be promoted; who opens a store learns at once that it accepts no writes. */
static void test_connect__hosts_that_are_not_as_is_asked_for(void **state)
{
    char url[512];
    aci_postgres_connection *c = NULL;
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    text(url, "host=%s user=agentchat dbname=postgres target_session_attrs=standby", directory);
    test_fails(pg_connect_first(url, 3000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
               "no host is as target_session_attrs asks: ");
    assert_int_equal(outcome, ACI_SQL_FINAL);
    test_fails(pg_connect(url, 3000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL, "target_session_attrs");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    /* Of several, it may be about to take the place of one that is gone. */
    text(url, "host=/no/such/directory,%s user=agentchat dbname=postgres target_session_attrs=standby", directory);
    test_fails(pg_connect_first(url, 3000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL, "target_session_attrs");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
}

#define SIXTY "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void test_connect__the_source_is_host_and_database(void **state)
{
    static const struct {
        const char *url, *source;
    } cases[] = {
        {"postgresql://me:hush@127.0.0.1:1/db", "127.0.0.1:1/db"},
        {"postgresql://me:hush@127.0.0.1/db?port=1", "127.0.0.1:1/db"},
        {"host=/no/such/directory user=me password=hush dbname=d", "/no/such/directory/d"},
        {"host=/no/such/directory user=me dbname=" SIXTY SIXTY SIXTY SIXTY "0123456789",
         "\xE2\x80\xA6y/" SIXTY SIXTY SIXTY SIXTY "0123456789"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aci_postgres_connection *c = NULL;
        aci_sql_outcome outcome;
        agentchat_error err;

        assert_int_equal(pg_connect(cases[i].url, 3000, &c, &outcome, &err), AGENTCHAT_E_IO);
        assert_string_equal(err.source, cases[i].source);
        assert_int_not_equal(err.native, 0);
    }
}

static void test_connect__of_several_hosts_one_is_enough(void **state)
{
    char url[512];
    aci_postgres_connection *c =
        pg_open(text(url, "host=/no/such/directory,%s user=agentchat dbname=postgres", directory), 3000);

    (void)state;
    assert_string_equal(c->source, text(url, "%s/postgres", directory));
    pg_close(c);
    /* One that may come back makes the failure worth trying again. */
    assert_refused(&(refusal){text(url, "host=/no/such/directory,%s user=agentchat dbname=nothing", directory), "3D000",
                              "does not exist", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT});
}

/* A host that accepts connections and then says nothing has its part of the time, no more. */
static void test_connect__of_several_hosts_a_silent_one_is_passed_over(void **state)
{
    test_fake *silent = test_fake_new("hang"), *other = test_fake_new("hang");
    const char *patterns[] = {"host=%s,%s user=agentchat dbname=postgres",
                              "host=/no/such,%s,%s user=agentchat dbname=postgres",
                              "host=%2$s,%1$s target_session_attrs=prefer-standby user=agentchat dbname=postgres"};
    aci_postgres_connection *c = NULL;
    aci_sql_outcome outcome;
    agentchat_error err;
    char url[512], source[512];
    int64_t begun;

    (void)state;
    text(source, "%s/postgres", directory);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        snprintf(url, sizeof url, patterns[i], test_fake_host(silent), directory);
        c = pg_open(url, 1000);
        assert_string_equal(c->source, source);
        pg_close(c);
    }
    text(url, "host=%s,%s user=agentchat dbname=nothing", test_fake_host(silent), directory);
    test_fails(pg_connect(url, 1000, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL, "does not exist");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT); /* the other may come back */
    begun = aci_postgres_now_ms();
    text(url, "host=%s,%s user=x", test_fake_host(silent), test_fake_host(other));
    test_fails(pg_connect(url, 200, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL, "did not let us in within 200 ms");
    assert_in_range(aci_postgres_now_ms() - begun, 200, 20000);
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    test_fake_free(silent);
    test_fake_free(other);
}

static int listen_on_loopback(char port[16])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(port, 16, "%d", (int)ntohs(address.sin_port));
    return listener;
}

/* Hosts are distinguished by their ports and addresses too; port 1 is nobody's. */
static void test_connect__a_silent_host_is_passed_over_with_its_port_and_address(void **state)
{
    static const char *const patterns[] = {
        "hostaddr=127.0.0.1,127.0.0.1 port=%s,1", "hostaddr=127.0.0.1,127.0.0.1,127.0.0.1 port=%s,1,1",
        "host=a,a hostaddr=127.0.0.1,127.0.0.1 port=%s,1", "host=a,b hostaddr=127.0.0.1,127.0.0.1 port=1,%s",
        "postgresql://127.0.0.1:%s,127.0.0.1:1/db"};
    char port[16];
    int listener = listen_on_loopback(port);

    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        aci_postgres_connection *c = NULL;
        aci_sql_outcome outcome;
        agentchat_error err;
        char url[512];

        snprintf(url, sizeof url, patterns[i], port);
        test_fails(pg_connect(url, 200, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
                   "the server cannot be reached: Connection refused");
        assert_int_equal(outcome, ACI_SQL_TRANSIENT);
        assert_non_null(strstr(err.source, ":1/"));
    }
    close(listener);
}

static void test_connect__databases_of_other_encodings_are_not_served(void **state)
{
    static const char *const encodings[] = {"LATIN1", "SQL_ASCII"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char properties[128], message[128], *url;

        snprintf(properties, sizeof properties, "ENCODING '%s' TEMPLATE template0", encodings[i]);
        snprintf(message, sizeof message, "the database's encoding is %s, it has to be UTF8", encodings[i]);
        url = test_postgres_database_with(properties);
        assert_refused(&(refusal){url, "", message, AGENTCHAT_E_UNSUPPORTED, ACI_SQL_FINAL});
        free(url);
    }
}

static void test_connect__old_servers_are_not_served(void **state)
{
    test_proxy *proxy = test_proxy_new(database);

    (void)state;
    test_proxy_set(proxy, TEST_PROXY_OLD);
    assert_refused(&(refusal){test_proxy_url(proxy), "", "the server is PostgreSQL 14, 15 is the oldest that will do",
                              AGENTCHAT_E_UNSUPPORTED, ACI_SQL_FINAL});
    test_proxy_free(proxy);
}

static void test_connect__a_server_that_is_full_may_be_tried_again(void **state)
{
    char url[512];

    (void)state;
    test_postgres_run(database,
                      "DO $$ BEGIN CREATE ROLE crowd LOGIN CONNECTION LIMIT 0; EXCEPTION WHEN duplicate_object "
                      "THEN NULL; END $$");
    assert_refused(&(refusal){text(url, "host=%s user=crowd dbname=postgres", directory), "53300",
                              "too many connections for role \"crowd\"", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT});
}

/* Something else listens there and says nothing. */
static void test_connect__what_is_no_server(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    char *dir = test_dir_make();
    char url[512];
    aci_postgres_connection *c = NULL;
    aci_sql_outcome outcome;
    agentchat_error err;
    int64_t begun = aci_postgres_now_ms();

    (void)state;
    snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.PGSQL.5432", dir);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    text(url, "host=%s user=x password=hush", dir);
    test_fails(pg_connect(url, 200, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL, "did not let us in within 200 ms");
    assert_in_range(aci_postgres_now_ms() - begun, 200, 20000);
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    close(listener);
    assert_refused(
        &(refusal){url, "", "the server cannot be reached: Connection refused", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT});
    test_dir_remove(dir);
}

static void assert_fake_refused(const char *script, const refusal *expected)
{
    test_fake *fake = test_fake_new(script);
    refusal r = *expected;

    r.url = test_fake_url(fake);
    assert_refused(&r);
    test_fake_free(fake);
}

static void test_connect__what_speaks_another_language(void **state)
{
    (void)state;
    assert_fake_refused(
        "say:HTTP/1.0 400 Bad Request",
        &(refusal){NULL, "", "what answers there is no PostgreSQL server", AGENTCHAT_E_IO, ACI_SQL_FINAL});
    assert_fake_refused("", &(refusal){NULL, "", "the server cannot be reached: ", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT});
}

static void test_connect__what_does_not_say_what_it_is(void **state)
{
    static const char *const answers[] = {
        "in;sync;parsed;bound;columns:2;done:SELECT 0;ready;hang",
        "in;sync;parsed;bound;columns:1;row:150000;done:SELECT 1;ready;hang",
        "in;sync;parsed;bound;columns:2;row:150000,UTF8;row:150000,UTF8;done:SELECT 2;ready;sync;ready;hang",
        "in;sync;parsed;bound;nothing;done:SELECT 1;ready;sync;ready;hang",
    };

    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        assert_fake_refused(answers[i],
                            &(refusal){NULL, "", "the server did not say what it is", AGENTCHAT_E_IO, ACI_SQL_FINAL});
}

static void test_connect__a_connection_that_ends_while_it_is_set_up(void **state)
{
    static const char *const endings[] = {
        "in",
        "in;sync",
        "in;sync;parsed;bound",
        "in;sync;parsed;bound;columns:2;row:150000,UTF8;done:SELECT 1",
        TEST_FAKE_SERVER,
        TEST_FAKE_SERVER "sync;parsed",
        TEST_FAKE_SERVER "sync;parsed;bound;columns:1;row:1s;done:SELECT 1",
        TEST_FAKE_SERVER "sync;error:FATAL,57P01,terminating connection",
    };

    (void)state;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        assert_fake_refused(endings[i],
                            &(refusal){NULL, "", "the server was lost: ", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT});
    assert_fake_refused("in;sync;error:FATAL,57P01,terminating connection",
                        &(refusal){NULL, "57P01", "terminating connection", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT});
    /* What is known by then is what is said. */
    assert_fake_refused("in;sync;parsed;bound;columns:2;row:140000,UTF8;done:SELECT 1;ready",
                        &(refusal){NULL, "", "the server is PostgreSQL 14", AGENTCHAT_E_UNSUPPORTED, ACI_SQL_FINAL});
}

static void test_connect__a_server_that_cannot_watch_its_clients_will_do(void **state)
{
    test_fake *fake = test_fake_new(TEST_FAKE_SERVER "sync;error:ERROR,22023,no such thing here;ready;hang");
    aci_postgres_connection *c = pg_open(test_fake_url(fake), 3000);

    (void)state;
    assert_true(aci_postgres_driver.is_alive(c));
    pg_close(c);
    test_fake_free(fake);
}

static void assert_setting_in(aci_postgres_connection *c, unsigned flags, const char *name, const char *expected)
{
    static const aci_sql_statement setting = {1, 20, "SELECT current_setting($1)"};
    aci_sql_value params[] = {text_of(name)};
    aci_sql_outcome outcome;
    agentchat_error err;
    char row[128];
    rows got;

    test_ok(pg_one(c, flags, request_rows(&setting, params, 1, &got), &outcome, &err), &err);
    snprintf(row, sizeof row, "T%s |", expected);
    assert_string_equal(got.text, row);
}

static void assert_setting(aci_postgres_connection *c, const char *name, const char *expected)
{
    assert_setting_in(c, READ_ALL, name, expected);
}

static void test_settings__are_ours_whatever_the_server_and_the_user_say(void **state)
{
    char *url = test_postgres_url_with(
        database, NULL, "client_encoding=LATIN1&options=-c%20search_path%3Dpublic%20-c%20work_mem%3D8MB");
    aci_postgres_connection *c;

    (void)state;
    test_postgres_run(database,
                      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET lock_timeout = 7', current_database());"
                      "EXECUTE format('ALTER DATABASE %I SET standard_conforming_strings = off', current_database());"
                      "EXECUTE format('ALTER DATABASE %I SET client_min_messages = notice', current_database());"
                      "EXECUTE format('ALTER DATABASE %I SET statement_timeout = 45678', current_database());"
                      "EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', "
                      "current_database()); END $$");
    c = pg_open(url, 4321);
    assert_setting(c, "search_path", "agentchat, pg_temp");
    assert_setting(c, "client_encoding", "UTF8");
    assert_setting(c, "lock_timeout", "1080ms");
    assert_setting(c, "standard_conforming_strings", "on");
    assert_setting(c, "client_min_messages", "warning");
    assert_setting(c, "client_connection_check_interval", "1s");
    assert_setting(c, "transaction_isolation", "repeatable read");
    assert_setting(c, "transaction_read_only", "on");
    assert_setting_in(c, WRITE_ALL, "transaction_isolation", "read committed");
    assert_setting_in(c, WRITE_ALL, "transaction_read_only", "off");
    assert_setting(c, "application_name", "agentchat");
    /* These are the user's and the server's. */
    assert_setting(c, "work_mem", "8MB");
    assert_setting(c, "statement_timeout", "45678ms");
    assert_int_equal(c->patience_ms, 2160 + 2000);
    pg_close(c);
    free(url);
}

/* A library prints nothing, and libpq would: a server that is asked to reports everything that it does. */
static void test_settings__nothing_is_printed(void **state)
{
    char *dir = test_dir_make(), *path = test_path(dir, "printed"), *printed;
    int standard_error = dup(STDERR_FILENO), file = open(path, O_WRONLY | O_CREAT, 0600);
    char *url = test_postgres_url_with(database, NULL, "options=-c%20client_min_messages%3Ddebug5");
    aci_postgres_connection *c;
    size_t len = 1;

    (void)state;
    pg_make_notes(database);
    assert_true(dup2(file, STDERR_FILENO) >= 0);
    close(file);
    c = pg_open(url, 3000);
    (void)notes_in(c);
    pg_close(c);
    fflush(stderr);
    assert_true(dup2(standard_error, STDERR_FILENO) >= 0);
    close(standard_error);
    printed = test_file_read(path, &len);
    assert_string_equal(printed, "");
    free(printed);
    free(path);
    test_dir_remove(dir);
    free(url);
}

static void test_settings__a_temporary_table_hides_none_of_ours(void **state)
{
    aci_postgres_connection *c = pg_open(database, 3000);
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    pg_make_notes(database);
    PQclear(PQexec(c->conn, "CREATE TEMPORARY TABLE note(id BIGINT)"));
    test_ok(note_write(c, 1, "one", &outcome, &err), &err);
    assert_int_equal(notes_in(c), 1);
    pg_close(c);
}

static void test_settings__a_database_that_is_read_only_can_be_read(void **state)
{
    char *url = test_postgres_url_with(database, NULL, "options=-c%20default_transaction_read_only%3Don");
    aci_postgres_connection *c;
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    pg_make_notes(database);
    c = pg_open(url, 3000);
    assert_int_equal(notes_in(c), 0);
    test_fails(
        note_write(c, 1, "one", &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
        "the server accepts no writes (a standby, or default_transaction_read_only is on): cannot execute INSERT");
    assert_string_equal(err.sqlstate, "25006");
    assert_int_equal(outcome, ACI_SQL_FINAL);
    agentchat_error_clear(&err);
    test_fails(aci_postgres_driver.install(c, &(aci_sql_step){-1, 0, "SELECT 1"}, &outcome, &err), &err,
               AGENTCHAT_E_SCHEMA, NULL, NULL);
    test_postgres_run(database, "DROP SCHEMA agentchat CASCADE");
    agentchat_error_clear(&err);
    test_fails(aci_postgres_driver.install(c, &(aci_sql_step){-1, 0, "SELECT 1"}, &outcome, &err), &err, AGENTCHAT_E_IO,
               NULL, "the server accepts no writes");
    pg_close(c);
    free(url);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connect__passwords),
        cmocka_unit_test(test_connect__what_is_not_there),
        cmocka_unit_test(test_connect__opening_waits_only_for_a_server_that_is_there),
        cmocka_unit_test(test_connect__hosts_that_are_not_as_is_asked_for),
        cmocka_unit_test(test_connect__the_source_is_host_and_database),
        cmocka_unit_test(test_connect__of_several_hosts_one_is_enough),
        cmocka_unit_test(test_connect__of_several_hosts_a_silent_one_is_passed_over),
        cmocka_unit_test(test_connect__a_silent_host_is_passed_over_with_its_port_and_address),
        cmocka_unit_test(test_connect__databases_of_other_encodings_are_not_served),
        cmocka_unit_test(test_connect__old_servers_are_not_served),
        cmocka_unit_test(test_connect__a_server_that_is_full_may_be_tried_again),
        cmocka_unit_test(test_connect__what_is_no_server),
        cmocka_unit_test(test_connect__what_speaks_another_language),
        cmocka_unit_test(test_connect__what_does_not_say_what_it_is),
        cmocka_unit_test(test_connect__a_connection_that_ends_while_it_is_set_up),
        cmocka_unit_test(test_connect__a_server_that_cannot_watch_its_clients_will_do),
        cmocka_unit_test(test_settings__are_ours_whatever_the_server_and_the_user_say),
        cmocka_unit_test(test_settings__nothing_is_printed),
        cmocka_unit_test(test_settings__a_temporary_table_hides_none_of_ours),
        cmocka_unit_test(test_settings__a_database_that_is_read_only_can_be_read),
    };
    const char *host;

    test_postgres_begin("unit.postgres_connect");
    database = test_postgres_database();
    host = strstr(database, "host=") + 5;
    directory = strndup(host, strcspn(host, "&"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
