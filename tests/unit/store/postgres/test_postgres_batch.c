/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of the PostgreSQL driver: values, rows, numbers, transactions, round trips. */
#include "batch_scene.h"

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void test_batch__values_come_back_as_they_went_in(void **state)
{
    static const aci_sql_statement echo = {1, 20, "SELECT $1, $2, $3, $2 || '!', $1 > 0, $4::text"};
    aci_sql_value params[] = {integer_of(INT64_MIN), text_of("h\xC3\xA9\\'\"$1\n\xF0\x9F\x98\x80"), null_value(),
                              null_value()};
    scene *s = *state;
    rows got;

    test_ok(pg_one(s->c, READ_ALL, request_rows(&echo, params, 4, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I-9223372036854775808 Th\xC3\xA9\\'\"$1\n\xF0\x9F\x98\x80 N "
                                  "Th\xC3\xA9\\'\"$1\n\xF0\x9F\x98\x80! I0 N |");
    params[0] = integer_of(INT64_MAX);
    params[1] = text_of("");
    params[2] = text_of(NULL); /* a text all the same: empty */
    test_ok(pg_one(s->c, READ_ALL, request_rows(&echo, params, 4, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I9223372036854775807 T T T! I1 N |");
}

static void test_batch__the_types_of_values_decide_whatever_came_first(void **state)
{
    static const aci_sql_statement sum = {1, 21, "SELECT $1 + 1"};
    static const aci_sql_statement is_null = {1, 22, "SELECT $1 IS NULL, coalesce($1, $2)"};
    aci_sql_value null_first[] = {null_value()}, large[] = {integer_of(INT64_C(1) << 40)};
    aci_sql_value text[] = {text_of("a"), text_of("b")}, number[] = {integer_of(1), integer_of(2)};
    scene *s = *state;
    rows got;

    /* By itself the server would take $1 for a number of 32 bits. */
    test_ok(pg_one(s->c, READ_ALL, request_rows(&sum, null_first, 1, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "N |");
    test_ok(pg_one(s->c, READ_ALL, request_rows(&sum, large, 1, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I1099511627777 |");
    test_ok(pg_one(s->c, READ_ALL, request_rows(&is_null, text, 2, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I0 Ta |");
    test_ok(pg_one(s->c, READ_ALL, request_rows(&is_null, number, 2, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I0 I1 |");
    test_ok(pg_one(s->c, READ_ALL, request_rows(&is_null, text, 2, &got), &s->outcome, &s->err), &s->err);
    assert_string_equal(got.text, "I0 Ta |");
}

static void test_batch__a_text_that_the_server_cannot_hold_is_invalid(void **state)
{
    static const struct {
        const char *text;
        size_t len;
    } cases[] = {{"a\0b", 3}, {"\xFF", 1}, {"\xED\xA0\x80", 3}, {"\xC3", 1}};
    scene *s = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aci_sql_value params[] = {integer_of(1), text_of("")};

        params[1].text = (agentchat_str){cases[i].text, cases[i].len};
        test_fails(pg_one(s->c, WRITE_ALL, request_of(&note_insert, params, 2), &s->outcome, &s->err), &s->err,
                   AGENTCHAT_E_INVALID, NULL, "a text is no UTF-8 or has a NUL in it: ");
        assert_string_equal(s->err.sqlstate, "22021");
        assert_int_equal(s->outcome, ACI_SQL_FINAL);
        assert_usable(s);
    }
    assert_int_equal(notes_in(s->c), 0);
}

static void test_batch__a_column_that_no_store_has_is_damage(void **state)
{
    static const struct {
        aci_sql_statement statement;
        const char *message;
    } cases[] = {
        {{1, 23, "SELECT 1, 1.5"}, "column 2 of a row has the type 1700, which no store has"},
        {{1, 24, "SELECT '00'::bit(8)"}, "column 1 of a row has the type 1560, which no store has"},
        {{1, 25, "SELECT now(), 1"}, "column 1 of a row has the type 1184, which no store has"},
        {{1, 26,
          "SELECT 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,"
          "36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65"},
         "a row has 65 columns, more than 64"},
    };
    scene *s = *state;
    rows got;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_fails(pg_one(s->c, READ_ALL, request_rows(&cases[i].statement, NULL, 0, &got), &s->outcome, &s->err),
                   &s->err, AGENTCHAT_E_CORRUPT, NULL, cases[i].message);
        assert_int_equal(s->outcome, ACI_SQL_FINAL);
        assert_int_equal(got.count, 0);
        assert_usable(s);
    }
}

/* ---- batches ---------------------------------------------------------------------------------------------------- */

static void test_batch__results_and_numbers_go_to_their_requests(void **state)
{
    static const aci_sql_statement returning = {1, 27, "INSERT INTO note(id, text) VALUES(9, 'nine') RETURNING text"};
    aci_sql_value one[] = {integer_of(1), text_of("one")}, two[] = {integer_of(2), null_value()};
    aci_sql_value uno[] = {integer_of(1), text_of("uno")}, all[] = {integer_of(0)}, from[] = {integer_of(2)};
    rows before, after, returned;
    aci_sql_request requests[] = {
        request_of(&note_insert, one, 2),
        request_of(&note_insert, two, 2),
        request_rows(&note_select, all, 1, &before),
        request_of(&note_update, uno, 2),
        request_rows(&returning, NULL, 0, &returned),
        request_of(&note_delete, from, 1),
        request_rows(&note_select, all, 1, &after),
    };
    static const uint64_t changed[] = {1, 1, 0, 1, 1, 2, 0};
    scene *s = *state;

    test_ok(run(s, WRITE_ALL, requests, 7), &s->err);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(requests[i].changed, changed[i]);
    assert_string_equal(before.text, "I1 Tone |I2 N |");
    assert_string_equal(returned.text, "Tnine |");
    assert_string_equal(after.text, "I1 Tuno |");
    assert_int_equal(test_postgres_count(database, "SELECT count(*) FROM agentchat.note"), 1);
}

static void test_batch__rows_that_nobody_wants_are_left_out(void **state)
{
    aci_sql_value all[] = {integer_of(0)};
    aci_sql_request requests[] = {request_of(&note_select, all, 1), request_of(&note_count, NULL, 0)};
    scene *s = *state;

    test_ok(note_write(s->c, 1, "one", &s->outcome, &s->err), &s->err);
    test_ok(run(s, READ_ALL, requests, 2), &s->err);
    assert_int_equal(requests[0].changed, 0);
}

static void test_batch__a_transaction_goes_over_several_batches(void **state)
{
    aci_sql_value one[] = {integer_of(1), text_of("one")};
    aci_sql_request requests[] = {request_of(&note_insert, one, 2)};
    rows got;
    scene *s = *state;

    test_ok(run(s, ACI_SQL_BEGIN_WRITE, requests, 1), &s->err);
    assert_false(aci_postgres_driver.is_alive(s->c)); /* not to be given to somebody else */
    requests[0] = request_rows(&note_count, NULL, 0, &got);
    test_ok(run(s, 0, requests, 1), &s->err);
    assert_string_equal(got.text, "I1 |");
    assert_int_equal(test_postgres_count(database, "SELECT count(*) FROM agentchat.note"), 0);
    test_ok(run(s, ACI_SQL_COMMIT, NULL, 0), &s->err);
    assert_int_equal(test_postgres_count(database, "SELECT count(*) FROM agentchat.note"), 1);
    assert_usable(s);
}

static void test_batch__rolling_back_leaves_nothing(void **state)
{
    aci_sql_value one[] = {integer_of(1), text_of("one")};
    aci_sql_request requests[] = {request_of(&note_insert, one, 2)};
    scene *s = *state;

    test_ok(run(s, ACI_SQL_BEGIN_WRITE, requests, 1), &s->err);
    aci_postgres_driver.rollback(s->c);
    assert_int_equal(notes_in(s->c), 0);
    assert_usable(s);
    aci_postgres_driver.rollback(s->c); /* nothing is open: nothing happens */
    assert_usable(s);
}

static void test_batch__disconnecting_leaves_nothing(void **state)
{
    aci_sql_value one[] = {integer_of(1), text_of("one")};
    aci_sql_request requests[] = {request_of(&note_insert, one, 2)};
    scene *s = *state;

    test_ok(run(s, ACI_SQL_BEGIN_WRITE, requests, 1), &s->err);
    pg_close(s->c);
    s->c = pg_open(database, 5000);
    assert_int_equal(notes_in(s->c), 0);
}

static void test_batch__readers_see_one_state_and_cannot_write(void **state)
{
    aci_sql_value one[] = {integer_of(1), text_of("one")};
    aci_sql_request requests[1];
    rows got;
    scene *s = *state;

    requests[0] = request_rows(&note_count, NULL, 0, &got);
    test_ok(run(s, ACI_SQL_BEGIN_READ, requests, 1), &s->err);
    test_postgres_run(database, "INSERT INTO agentchat.note VALUES(5, 'five')");
    requests[0] = request_rows(&note_count, NULL, 0, &got);
    test_ok(run(s, 0, requests, 1), &s->err);
    assert_string_equal(got.text, "I0 |");
    requests[0] = request_of(&note_insert, one, 2);
    test_fails(run(s, 0, requests, 1), &s->err, AGENTCHAT_E_IO, NULL, "the server accepts no writes");
    assert_string_equal(s->err.sqlstate, "25006");
    assert_int_equal(notes_in(s->c), 1);
}

static void test_batch__writers_see_what_others_have_committed(void **state)
{
    static const aci_sql_statement level = {1, 28, "SELECT current_setting('transaction_isolation')"};
    aci_sql_request requests[2];
    rows got, mode;
    scene *s = *state;

    requests[0] = request_rows(&note_count, NULL, 0, &got);
    requests[1] = request_rows(&level, NULL, 0, &mode);
    test_ok(run(s, ACI_SQL_BEGIN_WRITE, requests, 2), &s->err);
    assert_string_equal(mode.text, "Tread committed |");
    test_postgres_run(database, "INSERT INTO agentchat.note VALUES(5, 'five')");
    requests[0] = request_rows(&note_count, NULL, 0, &got);
    test_ok(run(s, ACI_SQL_COMMIT, requests, 1), &s->err);
    assert_string_equal(got.text, "I1 |");
}

static void test_batch__calls_out_of_order_are_refused(void **state)
{
    aci_sql_request requests[1];
    rows got;
    scene *s = *state;

    requests[0] = request_rows(&note_count, NULL, 0, &got);
    test_fails(run(s, ACI_SQL_COMMIT, requests, 1), &s->err, AGENTCHAT_E_INVALID, NULL, "no transaction is open");
    test_ok(run(s, ACI_SQL_BEGIN_WRITE, NULL, 0), &s->err);
    test_fails(run(s, ACI_SQL_BEGIN_READ, requests, 1), &s->err, AGENTCHAT_E_INVALID, NULL,
               "a transaction is open already");
    assert_usable(s); /* the transaction is over, as after every failure */
}

/* ---- round trips ------------------------------------------------------------------------------------------------ */

/* What the driver counts is what passes on the wire. */
static void test_round_trips__a_batch_is_one(void **state)
{
    test_proxy *proxy = test_proxy_new(database);
    aci_postgres_connection *c = pg_open(test_proxy_url(proxy), 5000);
    aci_sql_outcome outcome;
    aci_sql_request requests[20];
    aci_sql_value params[20][2], zero[] = {integer_of(0)};
    agentchat_error err;
    rows got;

    (void)state;
    agentchat_error_clear(&err);
    (void)test_proxy_round_trips(proxy);
    assert_int_equal(c->round_trips, 1); /* the settings */
    for (size_t i = 0; i < 20; i++) {
        params[i][0] = integer_of((int64_t)i);
        params[i][1] = text_of("x");
        requests[i] =
            i % 2 == 0 ? request_of(&note_insert, params[i], 2) : request_rows(&note_select, params[i], 1, &got);
    }
    test_ok(aci_postgres_driver.run(c, WRITE_ALL, requests, 20, &outcome, &err), &err);
    assert_int_equal(test_proxy_round_trips(proxy), 1);
    assert_int_equal(c->round_trips, 2);
    test_ok(aci_postgres_driver.run(c, ACI_SQL_BEGIN_READ, NULL, 0, &outcome, &err), &err);
    test_ok(aci_postgres_driver.run(c, ACI_SQL_COMMIT, requests + 1, 1, &outcome, &err), &err);
    assert_int_equal(test_proxy_round_trips(proxy), 2);
    assert_int_equal(c->round_trips, 4);
    /* A failure takes a second one, to roll back; calling for that when nothing is open takes none. */
    test_fails(pg_one(c, WRITE_ALL, request_of(&note_fail, zero, 1), &outcome, &err), &err, AGENTCHAT_E_IO, NULL, NULL);
    aci_postgres_driver.rollback(c);
    assert_true(aci_postgres_driver.is_alive(c));
    assert_int_equal(test_proxy_round_trips(proxy), 2);
    assert_int_equal(c->round_trips, 6);
    assert_int_equal(atomic_load(&c->server->round_trips), 6);
    pg_close(c);
    test_proxy_free(proxy);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_batch__values_come_back_as_they_went_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__the_types_of_values_decide_whatever_came_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_text_that_the_server_cannot_hold_is_invalid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_column_that_no_store_has_is_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__results_and_numbers_go_to_their_requests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__rows_that_nobody_wants_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_transaction_goes_over_several_batches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__rolling_back_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__disconnecting_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__readers_see_one_state_and_cannot_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__writers_see_what_others_have_committed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__calls_out_of_order_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_round_trips__a_batch_is_one, set_up, tear_down),
    };

    test_postgres_begin("unit.postgres_batch");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
