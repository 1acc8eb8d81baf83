/* SPDX-License-Identifier: Apache-2.0 */
/* Prepared statements of the PostgreSQL driver: once each, after failures, any number of them. */
#include "batch_scene.h"

#include <stdio.h>

static void test_prepared__each_statement_is_prepared_once(void **state)
{
    static const aci_sql_statement prepared = {
        1, 33, "SELECT count(*) FROM pg_prepared_statements WHERE statement ~ '^(INSERT|SELECT)'"};
    aci_sql_request requests[3];
    rows got;
    scene *s = *state;

    for (int round = 0; round < 3; round++) {
        aci_sql_value one[] = {integer_of(round), text_of("x")}, two[] = {integer_of(round + 10), text_of("y")};

        requests[0] = request_of(&note_insert, one, 2);
        requests[1] = request_of(&note_insert, two, 2);
        requests[2] = request_rows(&prepared, NULL, 0, &got);
        test_ok(run(s, WRITE_ALL, requests, 3), &s->err);
        assert_string_equal(got.text, "I2 |");
    }
}

static void test_prepared__what_a_failure_skipped_is_prepared_later(void **state)
{
    aci_sql_value zero[] = {integer_of(0)}, one[] = {integer_of(1), text_of("x")};
    aci_sql_value two[] = {integer_of(2), text_of("y")};
    aci_sql_request requests[4];
    scene *s = *state;

    requests[0] = request_of(&note_fail, zero, 1);
    requests[1] = request_of(&note_insert, one, 2); /* never reaches the server's attention */
    requests[2] = request_of(&note_insert, two, 2);
    requests[3] = request_of(&note_delete, zero, 1);
    test_fails(run(s, WRITE_ALL, requests, 4), &s->err, AGENTCHAT_E_IO, NULL, "division by zero");
    test_ok(run(s, WRITE_ALL, requests + 1, 2), &s->err);
    assert_int_equal(notes_in(s->c), 2);
    test_ok(run(s, WRITE_ALL, requests + 3, 1), &s->err);
    assert_int_equal(requests[3].changed, 2);
}

/* As many as there are: of texts that go away, and with all kinds of parameters. */
static void test_prepared__there_is_no_limit_to_them(void **state)
{
    static const aci_sql_statement count = {9, 1,
                                            "SELECT count(*), count(DISTINCT name) FROM pg_prepared_statements"
                                            " WHERE statement LIKE 'SELECT $1%'"};
    scene *s = *state;
    rows got = {0};

    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 2000; i++) {
            aci_sql_value param = i % 4 < 2 ? integer_of(1) : text_of("x");
            char expected[32], text[64];
            aci_sql_statement statement = {1, 0, text};

            snprintf(text, sizeof text, "SELECT $1, 'of %s' -- %u", i % 2 == 0 ? "one" : "another", (unsigned)(i / 4));
            snprintf(expected, sizeof expected, "%s Tof %s |", i % 4 < 2 ? "I1" : "Tx", i % 2 == 0 ? "one" : "another");
            got = (rows){0};
            test_ok(pg_one(s->c, READ_ALL, request_rows(&statement, &param, 1, &got), &s->outcome, &s->err), &s->err);
            assert_string_equal(got.text, expected);
        }
    }
    got = (rows){0};
    test_ok(pg_one(s->c, READ_ALL, request_rows(&count, NULL, 0, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I2000 I2000 |");
}

static void test_prepared__a_server_that_forgets_them_is_named_and_left(void **state)
{
    scene *s = *state;
    void *again = NULL;

    test_ok(note_write(s->c, 1, "x", &s->outcome, &s->err), &s->err);
    PQclear(PQexec(s->c->conn, "DEALLOCATE ALL")); /* what a pooler does between its clients */
    test_fails(note_write(s->c, 2, "x", &s->outcome, &s->err), &s->err, AGENTCHAT_E_IO, NULL,
               "a connection pooler must work by session");
    assert_string_equal(s->err.sqlstate, "26000");
    assert_int_equal(s->outcome, ACI_SQL_FINAL);
    assert_false(aci_postgres_driver.is_alive(s->c));
    test_fails(note_write(s->c, 2, "x", &s->outcome, &s->err), &s->err, AGENTCHAT_E_IO, NULL, "not fit for use");
    assert_int_equal(s->outcome, ACI_SQL_TRANSIENT);
    agentchat_error_clear(&s->err);
    test_ok(aci_postgres_driver.connect(s->c->server, s->c->server->wait_ms, &again, &s->outcome, &s->err), &s->err);
    test_ok(note_write(again, 2, "x", &s->outcome, &s->err), &s->err);
    aci_postgres_driver.disconnect(again);
}

static void test_prepared__too_many_parameters_are_refused(void **state)
{
    static const aci_sql_statement wide = {1, 35, "SELECT $1"};
    aci_sql_value params[65];
    scene *s = *state;

    for (size_t i = 0; i < 65; i++)
        params[i] = integer_of(1);
    test_fails(pg_one(s->c, READ_ALL, request_of(&wide, params, 65), &s->outcome, &s->err), &s->err,
               AGENTCHAT_E_INVALID, NULL, "a statement has too many parameters");
    assert_usable(s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_prepared__each_statement_is_prepared_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_prepared__what_a_failure_skipped_is_prepared_later, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_prepared__there_is_no_limit_to_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_prepared__a_server_that_forgets_them_is_named_and_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_prepared__too_many_parameters_are_refused, set_up, tear_down),
    };

    test_postgres_begin("unit.postgres_prepared");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
