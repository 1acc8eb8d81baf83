/* SPDX-License-Identifier: Apache-2.0 */
/* Servers that end, and connections that break: what is known about the transaction then. On a server of its own. */
#include "postgres_support.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static test_postgres_server *server;

/* Runs "server WHAT" as soon as a statement is found asleep, so that it meets a batch under way. */
typedef struct blow {
    const char *what;
    bool waits;
    pthread_t thread;
} blow;

static void *strike(void *user)
{
    blow *b = user;

    if (b->waits)
        test_postgres_await(server->url, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'", "1");
    test_postgres_server_do(server, b->what);
    return NULL;
}

static void strike_soon(blow *b, const char *what, bool waits)
{
    b->what = what;
    b->waits = waits;
    assert_int_equal(pthread_create(&b->thread, NULL, strike, b), 0);
}

static void struck(blow *b)
{
    assert_int_equal(pthread_join(b->thread, NULL), 0);
}

static int set_up(void **state)
{
    (void)state;
    if (PQping(server->url) != PQPING_OK) /* a test has failed in the middle */
        test_postgres_server_do(server, "again");
    pg_make_notes(server->url);
    return 0;
}

static void assert_lost(aci_postgres_connection *c, agentchat_status status, const agentchat_error *err,
                        const aci_sql_outcome *outcome, aci_sql_outcome expected)
{
    test_fails(status, err, AGENTCHAT_E_IO, NULL, NULL);
    assert_int_equal(*outcome, expected);
    assert_non_null(strstr(err->source, "/postgres"));
    assert_false(aci_postgres_driver.is_alive(c));
}

/* A connection again, as soon as the server lets one in. */
static aci_postgres_connection *open_again(void)
{
    for (int tries = 0; tries < 500; tries++) {
        static const struct timespec moment = {0, 20000000};
        aci_postgres_connection *c = NULL;
        aci_sql_outcome outcome;
        agentchat_error err;
        agentchat_status status = pg_connect(server->url, 10000, &c, &outcome, &err);

        if (status >= 0)
            return c;
        assert_int_equal(status, AGENTCHAT_E_IO);
        assert_int_equal(outcome, ACI_SQL_TRANSIENT);
        (void)nanosleep(&moment, NULL);
    }
    fail_msg("the server does not come back");
    return NULL;
}

/* ---- the server ends ------------------------------------------------------------------------------------------ */

static const char *const endings[] = {"down fast", "down immediate", "kill"};

/* Connections in every state that the end of their server can meet. */
typedef struct crowd {
    aci_postgres_connection *idle, *between, *within, *committing, *reading;
} crowd;

static void crowd_open(crowd *all)
{
    aci_sql_value one[] = {integer_of(1001), text_of("one")}, two[] = {integer_of(1002), text_of("two")};
    aci_sql_outcome outcome;
    agentchat_error err;

    all->idle = open_again();
    all->between = open_again();
    all->within = open_again();
    all->committing = open_again();
    all->reading = open_again();
    test_ok(pg_one(all->within, ACI_SQL_BEGIN_WRITE, request_of(&note_insert, one, 2), &outcome, &err), &err);
    test_ok(pg_one(all->committing, ACI_SQL_BEGIN_WRITE, request_of(&note_insert, two, 2), &outcome, &err), &err);
    test_ok(pg_one(all->reading, ACI_SQL_BEGIN_READ, request_of(&note_count, NULL, 0), &outcome, &err), &err);
}

static void crowd_close(crowd *all)
{
    pg_close(all->idle);
    pg_close(all->between);
    pg_close(all->within);
    pg_close(all->committing);
    pg_close(all->reading);
}

/* says_so: the server has announced its end to its clients, as the answer to whatever they would say next. */
static void assert_crowd_lost(crowd *all, const char *sqlstate, bool says_so)
{
    aci_sql_value three[] = {integer_of(1003), text_of("three")};
    aci_sql_outcome outcome;
    agentchat_error err;

    assert_false(aci_postgres_driver.is_alive(all->idle));
    /* Before a transaction begins, a connection that is gone is found out: nothing is uncertain. */
    assert_lost(all->between, note_write(all->between, 1000, "lost", &outcome, &err), &err, &outcome,
                ACI_SQL_TRANSIENT);
    assert_string_equal(err.sqlstate, sqlstate);
    assert_lost(all->between, note_write(all->between, 1000, "lost", &outcome, &err), &err, &outcome,
                ACI_SQL_TRANSIENT);
    /* Without a COMMIT nothing has been committed. */
    assert_lost(all->within, pg_one(all->within, 0, request_of(&note_insert, three, 2), &outcome, &err), &err, &outcome,
                ACI_SQL_TRANSIENT);
    aci_postgres_driver.rollback(all->within); /* nothing to do it on, and no harm */
    /* A COMMIT may have been done, unless an answer to what was before it says no. */
    assert_lost(all->committing,
                pg_one(all->committing, ACI_SQL_COMMIT, request_of(&note_insert, three, 2), &outcome, &err), &err,
                &outcome, says_so ? ACI_SQL_TRANSIENT : ACI_SQL_UNCERTAIN);
    /* A reader has nothing to be uncertain about. */
    assert_lost(all->reading, pg_one(all->reading, ACI_SQL_COMMIT, request_of(&note_count, NULL, 0), &outcome, &err),
                &err, &outcome, ACI_SQL_TRANSIENT);
}

static void test_lost__a_server_that_has_ended(void **state)
{
    static const char *const states[] = {"57P01", "57P01", ""};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        aci_postgres_connection *c = open_again();
        aci_sql_outcome outcome;
        agentchat_error err;
        crowd all;

        test_ok(note_write(c, (int64_t)i, "before", &outcome, &err), &err);
        pg_close(c);
        crowd_open(&all);
        test_postgres_server_do(server, endings[i]);
        assert_crowd_lost(&all, states[i], i == 0);
        test_postgres_server_do(server, "up");
        crowd_close(&all);
        c = open_again();
        assert_int_equal(notes_in(c), i + 1);
        pg_close(c);
    }
}

static void test_lost__a_server_that_ends_within_a_batch(void **state)
{
    static const aci_sql_statement sleep = {1, 20, "SELECT pg_sleep(60) IS NULL"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        aci_postgres_connection *c = open_again();
        aci_sql_value one[] = {integer_of(1), text_of("one")};
        aci_sql_request requests[] = {request_of(&note_insert, one, 2), request_of(&sleep, NULL, 0)};
        aci_sql_outcome outcome;
        agentchat_error err;
        agentchat_status status;
        blow b;

        agentchat_error_clear(&err);
        strike_soon(&b, endings[i], true);
        status = aci_postgres_driver.run(c, WRITE_ALL, requests, 2, &outcome, &err);
        struck(&b);
        assert_lost(c, status, &err, &outcome, i == 0 ? ACI_SQL_TRANSIENT : ACI_SQL_UNCERTAIN);
        pg_close(c);
        test_postgres_server_do(server, "up");
        c = open_again();
        assert_int_equal(notes_in(c), 0);
        pg_close(c);
    }
}

static void test_lost__a_server_that_waits_for_its_clients_serves_them(void **state)
{
    aci_postgres_connection *c = open_again(), *late = NULL;
    aci_sql_outcome outcome = ACI_SQL_FINAL;
    agentchat_error err;
    agentchat_status status = AGENTCHAT_OK;
    blow b;

    (void)state;
    strike_soon(&b, "down smart", false);
    for (int tries = 0; tries < 500 && status >= 0; tries++) {
        aci_sql_outcome other;
        agentchat_error there;

        pg_close(late);
        status = pg_connect(server->url, 10000, &late, &outcome, &err);
        test_ok(note_write(c, tries, "still here", &other, &there), &there);
    }
    test_fails(status, &err, AGENTCHAT_E_IO, NULL, "the database system is shutting down");
    assert_string_equal(err.sqlstate, "57P03");
    test_fails(pg_connect(server->url, 10000, &late, &outcome, &err), &err, AGENTCHAT_E_IO, NULL, NULL);
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    pg_close(c);
    struck(&b);
    test_fails(pg_connect(server->url, 10000, &late, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
               "the server cannot be reached: No such file or directory");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    test_postgres_server_do(server, "up");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_lost__a_server_that_has_ended, set_up),
        cmocka_unit_test_setup(test_lost__a_server_that_ends_within_a_batch, set_up),
        cmocka_unit_test_setup(test_lost__a_server_that_waits_for_its_clients_serves_them, set_up),
    };
    int status;

    (void)signal(SIGPIPE, SIG_DFL); /* it would end the program: no write to a dead connection may raise it */
    test_postgres_begin("unit.postgres_lost");
    server = test_postgres_server_new(false);
    status = cmocka_run_group_tests(tests, NULL, NULL);
    test_postgres_server_free(server);
    return status;
}
