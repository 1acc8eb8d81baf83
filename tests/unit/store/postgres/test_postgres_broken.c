/* SPDX-License-Identifier: Apache-2.0 */
/* Connections that break while their server lives: what is known about the transaction then. */
#include "postgres_support.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

static char *database;

static int set_up(void **state)
{
    (void)state;
    pg_make_notes(database);
    return 0;
}

static void assert_lost(aci_postgres_connection *c, agentchat_status status, const agentchat_error *err,
                        const aci_sql_outcome *outcome, aci_sql_outcome expected)
{
    test_fails(status, err, AGENTCHAT_E_IO, NULL, NULL);
    assert_int_equal(*outcome, expected);
    assert_non_null(strstr(err->source, "/agentchat_"));
    assert_false(aci_postgres_driver.is_alive(c));
}

/* ---- one connection ends -------------------------------------------------------------------------------------- */

static void terminate(int64_t backend)
{
    char statement[128];

    snprintf(statement, sizeof statement, "SELECT pg_terminate_backend(%lld, 5000)", (long long)backend);
    test_postgres_run(database, statement);
}

static void test_broken__an_idle_connection_that_was_terminated_may_be_tried_again(void **state)
{
    aci_postgres_connection *c = pg_open(database, 10000);
    aci_sql_versions version;
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    terminate(backend_of(c));
    assert_lost(c, note_write(c, 1, "one", &outcome, &err), &err, &outcome, ACI_SQL_TRANSIENT);
    assert_string_equal(err.sqlstate, "57P01");
    assert_string_equal(err.message, "the server was lost: it was shut down");
    pg_close(c);
    c = pg_open(database, 10000);
    terminate(backend_of(c));
    agentchat_error_clear(&err);
    test_fails(aci_postgres_driver.version(c, &version, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
               "it was shut down");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    pg_close(c);
    c = pg_open(database, 10000);
    terminate(backend_of(c));
    agentchat_error_clear(&err);
    test_fails(aci_postgres_driver.install(c, &(aci_sql_step){-1, 0, "SELECT 1"}, &outcome, &err), &err, AGENTCHAT_E_IO,
               NULL, "it was shut down");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    pg_close(c);
}

static void test_broken__a_statement_that_terminates_its_connection_has_not_been_committed(void **state)
{
    static const aci_sql_statement suicide = {1, 21, "SELECT pg_terminate_backend(pg_backend_pid())"};
    aci_postgres_connection *c = pg_open(database, 10000);
    aci_sql_value one[] = {integer_of(1), text_of("one")};
    aci_sql_request requests[] = {request_of(&note_insert, one, 2), request_of(&suicide, NULL, 0)};
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    assert_lost(c, aci_postgres_driver.run(c, WRITE_ALL, requests, 2, &outcome, &err), &err, &outcome,
                ACI_SQL_TRANSIENT);
    assert_string_equal(err.sqlstate, "57P01");
    pg_close(c);
    c = pg_open(database, 10000);
    assert_int_equal(notes_in(c), 0);
    pg_close(c);
}

/* The server's last message in place of the answer to COMMIT: it may come a moment before the commit, or after it. */
static void test_broken__a_commit_that_ends_its_connection_is_uncertain(void **state)
{
    aci_postgres_connection *c = pg_open(database, 10000);
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    test_postgres_run(database,
                      "CREATE FUNCTION agentchat.end_it() RETURNS TRIGGER AS $$ BEGIN "
                      "PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END $$ "
                      "LANGUAGE plpgsql; CREATE CONSTRAINT TRIGGER last AFTER INSERT ON agentchat.note "
                      "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION agentchat.end_it()");
    assert_lost(c, note_write(c, 1, "one", &outcome, &err), &err, &outcome, ACI_SQL_UNCERTAIN);
    assert_string_equal(err.sqlstate, "57P01");
    pg_close(c);
}

static void test_broken__servers_that_do_not_keep_idle_connections(void **state)
{
    static const char *const limits[] = {"idle_session_timeout", "idle_in_transaction_session_timeout"};
    static const char *const states[] = {"57P05", "25P03"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        static const struct timespec moment = {0, 400000000};
        char parameters[100];
        char *url;
        aci_postgres_connection *c;
        aci_sql_outcome outcome;
        agentchat_error err;

        snprintf(parameters, sizeof parameters, "options=-c%%20%s%%3D100", limits[i]);
        url = test_postgres_url_with(database, NULL, parameters);
        c = pg_open(url, 10000);
        if (i == 1)
            test_ok(pg_one(c, ACI_SQL_BEGIN_WRITE, request_of(&note_count, NULL, 0), &outcome, &err), &err);
        (void)nanosleep(&moment, NULL);
        assert_lost(c, pg_one(c, i == 0 ? WRITE_ALL : 0, request_of(&note_count, NULL, 0), &outcome, &err), &err,
                    &outcome, ACI_SQL_TRANSIENT);
        assert_string_equal(err.sqlstate, states[i]);
        pg_close(c);
        free(url);
    }
}

/* ---- the wire ------------------------------------------------------------------------------------------------- */

static void test_broken__a_commit_that_did_not_arrive_is_uncertain(void **state)
{
    test_proxy *proxy = test_proxy_new(database);
    aci_postgres_connection *c = pg_open(test_proxy_url(proxy), 10000);
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    test_proxy_set(proxy, TEST_PROXY_CUT_BEFORE);
    assert_lost(c, note_write(c, 1, "one", &outcome, &err), &err, &outcome, ACI_SQL_UNCERTAIN);
    assert_non_null(strstr(err.message, "the server was lost while committing: "));
    test_proxy_set(proxy, TEST_PROXY_PASS);
    pg_close(c);
    c = pg_open(test_proxy_url(proxy), 10000);
    assert_int_equal(notes_in(c), 0);
    pg_close(c);
    test_proxy_free(proxy);
}

static void test_broken__a_commit_whose_answer_was_lost_is_uncertain(void **state)
{
    test_proxy *proxy = test_proxy_new(database);
    aci_postgres_connection *c = pg_open(test_proxy_url(proxy), 10000);
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    test_proxy_set(proxy, TEST_PROXY_CUT_AFTER);
    assert_lost(c, note_write(c, 1, "one", &outcome, &err), &err, &outcome, ACI_SQL_UNCERTAIN);
    test_proxy_set(proxy, TEST_PROXY_PASS);
    pg_close(c);
    c = pg_open(test_proxy_url(proxy), 10000);
    assert_int_equal(notes_in(c), 1);
    pg_close(c);
    test_proxy_free(proxy);
}

/* What a fake server makes of a batch with one statement that it answers as `script` says. */
static agentchat_status write_on_fake(const char *script, unsigned flags, aci_sql_outcome *outcome, bool *is_alive,
                                      agentchat_error *err)
{
    test_fake *fake = test_fake_new(script);
    aci_postgres_connection *c = pg_open(test_fake_url(fake), 3000);
    aci_sql_value one[] = {integer_of(1), text_of("one")};
    agentchat_status status = pg_one(c, flags, request_of(&note_insert, one, 2), outcome, err);

    *is_alive = aci_postgres_driver.is_alive(c);
    pg_close(c);
    test_fake_free(fake);
    return status;
}

#define WRITTEN TEST_FAKE_SETTLED "sync;" TEST_FAKE_RUN("BEGIN") TEST_FAKE_RUN("INSERT 0 1")

static void test_broken__a_commit_that_was_answered_is_done_whatever_becomes_of_the_connection(void **state)
{
    static const char *const endings[] = {
        WRITTEN TEST_FAKE_RUN("COMMIT"),
        WRITTEN TEST_FAKE_RUN("COMMIT") "say:Z",
        WRITTEN TEST_FAKE_RUN("COMMIT") "error:FATAL,57P01,terminating connection",
        WRITTEN TEST_FAKE_RUN("COMMIT") "pooler:FATAL,08P01,server conn crashed?",
    };

    (void)state;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
        bool is_alive = true;
        agentchat_error err;

        test_ok(write_on_fake(endings[i], WRITE_ALL, &outcome, &is_alive, &err), &err);
        assert_int_equal(outcome, ACI_SQL_FINAL);
        assert_false(is_alive);
    }
}

/* A pooler that loses its server says so in place of the first answer that it has not handed on; the server may have
   done all of the batch by then. */
static void test_broken__a_pooler_that_has_lost_its_server_leaves_a_commit_uncertain(void **state)
{
    static const struct {
        const char *script, *sqlstate;
        aci_sql_outcome outcome;
    } cases[] = {
        {TEST_FAKE_SETTLED "sync;pooler:FATAL,08P01,it is gone", "08P01", ACI_SQL_UNCERTAIN},
        {TEST_FAKE_SETTLED "sync;pooler:ERROR,08P01,it is gone", "08P01", ACI_SQL_UNCERTAIN},
        {TEST_FAKE_SETTLED "sync;pooler:FATAL,57P01,it is gone", "57P01", ACI_SQL_UNCERTAIN},
        {TEST_FAKE_SETTLED "sync;" TEST_FAKE_RUN("BEGIN") "error:FATAL,08006,it is gone", "08006", ACI_SQL_UNCERTAIN},
        {TEST_FAKE_SETTLED "sync;" TEST_FAKE_RUN("BEGIN") "error:ERROR,40003,it is gone;ready;hang", "40003",
         ACI_SQL_UNCERTAIN},
        {WRITTEN "pooler:FATAL,08P01,it is gone", "08P01", ACI_SQL_UNCERTAIN},
        /* A server's own last message does say it. */
        {TEST_FAKE_SETTLED "sync;" TEST_FAKE_RUN("BEGIN") "error:FATAL,57P01,it is gone", "57P01", ACI_SQL_TRANSIENT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const unsigned without_commit[] = {ACI_SQL_BEGIN_WRITE, READ_ALL};
        aci_sql_outcome outcome;
        bool is_alive = true;
        agentchat_error err;

        test_fails(write_on_fake(cases[i].script, WRITE_ALL, &outcome, &is_alive, &err), &err, AGENTCHAT_E_IO, NULL,
                   "it is gone");
        assert_string_equal(err.sqlstate, cases[i].sqlstate);
        assert_int_equal(outcome, cases[i].outcome);
        assert_false(is_alive);
        for (size_t j = 0; j < 2; j++) {
            test_fails(write_on_fake(cases[i].script, without_commit[j], &outcome, &is_alive, &err), &err,
                       AGENTCHAT_E_IO, NULL, "it is gone");
            assert_int_equal(outcome, ACI_SQL_TRANSIENT);
        }
    }
}

static void test_broken__a_server_that_says_nothing_is_given_up(void **state)
{
    test_proxy *proxy = test_proxy_new(database);
    aci_postgres_connection *c = pg_open(test_proxy_url(proxy), 100);
    aci_sql_outcome outcome;
    agentchat_error err;
    int64_t begun;

    (void)state;
    test_proxy_set(proxy, TEST_PROXY_MUTE);
    begun = aci_postgres_now_ms();
    assert_lost(c, note_write(c, 1, "one", &outcome, &err), &err, &outcome, ACI_SQL_UNCERTAIN);
    assert_string_equal(err.message,
                        "the server was lost while committing: it said nothing for 2050 ms (a standby that it "
                        "waits for may be down)");
    assert_in_range(aci_postgres_now_ms() - begun, 2050, 20000);
    assert_lost(c, note_write(c, 1, "one", &outcome, &err), &err, &outcome, ACI_SQL_TRANSIENT);
    pg_close(c);
    begun = aci_postgres_now_ms();
    test_fails(pg_connect(test_proxy_url(proxy), 100, &c, &outcome, &err), &err, AGENTCHAT_E_IO, NULL,
               "the server did not let us in within "); /* what is left of the 100 ms by then */
    assert_in_range(aci_postgres_now_ms() - begun, 100, 20000);
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    test_proxy_free(proxy);
}

/* A statement may take longer than others may keep us waiting: 2,050 ms here, of which it uses 900. */
static void test_broken__a_server_that_is_busy_is_not_given_up(void **state)
{
    static const aci_sql_statement sleep = {1, 22, "SELECT pg_sleep(0.9) IS NULL"};
    aci_postgres_connection *c = pg_open(database, 100);
    aci_sql_outcome outcome;
    agentchat_error err;

    (void)state;
    test_ok(pg_one(c, READ_ALL, request_of(&sleep, NULL, 0), &outcome, &err), &err);
    pg_close(c);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_broken__an_idle_connection_that_was_terminated_may_be_tried_again, set_up),
        cmocka_unit_test_setup(test_broken__a_statement_that_terminates_its_connection_has_not_been_committed, set_up),
        cmocka_unit_test_setup(test_broken__a_commit_that_ends_its_connection_is_uncertain, set_up),
        cmocka_unit_test_setup(test_broken__servers_that_do_not_keep_idle_connections, set_up),
        cmocka_unit_test_setup(test_broken__a_commit_that_did_not_arrive_is_uncertain, set_up),
        cmocka_unit_test_setup(test_broken__a_commit_whose_answer_was_lost_is_uncertain, set_up),
        cmocka_unit_test_setup(test_broken__a_commit_that_was_answered_is_done_whatever_becomes_of_the_connection,
                               set_up),
        cmocka_unit_test_setup(test_broken__a_pooler_that_has_lost_its_server_leaves_a_commit_uncertain, set_up),
        cmocka_unit_test_setup(test_broken__a_server_that_says_nothing_is_given_up, set_up),
        cmocka_unit_test_setup(test_broken__a_server_that_is_busy_is_not_given_up, set_up),
    };

    (void)signal(SIGPIPE, SIG_DFL); /* it would end the program: no write to a dead connection may raise it */
    test_postgres_begin("unit.postgres_broken");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
