/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of the PostgreSQL driver that fail: what is undone, what is said, and that the connection is of use still. */
#include "batch_scene.h"

static void test_batch__a_failure_in_the_middle_undoes_all(void **state)
{
    aci_sql_value one[] = {integer_of(1), text_of("one")}, two[] = {integer_of(2), text_of("two")};
    aci_sql_value zero[] = {integer_of(0)};
    scene *s = *state;

    /* The statement that fails is the first, in the middle, the last; each time with all to be prepared and with none.
     */
    for (int round = 0; round < 2; round++) {
        for (size_t failing = 0; failing < 3; failing++) {
            aci_sql_request requests[3];
            rows got;

            requests[0] = request_of(&note_insert, one, 2);
            requests[1] = request_of(&note_insert, two, 2);
            requests[2] = request_rows(&note_count, NULL, 0, &got);
            requests[failing] = request_of(&note_fail, zero, 1);
            test_fails(run(s, WRITE_ALL, requests, 3), &s->err, AGENTCHAT_E_IO, NULL, "division by zero");
            assert_string_equal(s->err.sqlstate, "22012");
            assert_non_null(strstr(s->err.source, "/agentchat_"));
            assert_int_equal(s->outcome, ACI_SQL_FINAL);
            assert_int_equal(notes_in(s->c), 0);
            assert_usable(s);
        }
    }
}

static void test_batch__a_statement_that_cannot_be_prepared_is_damage(void **state)
{
    static const aci_sql_statement wrong = {1, 29, "SELECT * FROM no_such_table"};
    aci_sql_value one[] = {integer_of(1), text_of("one")};
    aci_sql_request requests[3];
    rows got;
    scene *s = *state;

    for (int round = 0; round < 2; round++) {
        requests[0] = request_of(&note_insert, one, 2);
        requests[1] = request_rows(&wrong, NULL, 0, &got);
        requests[2] = request_rows(&note_count, NULL, 0, &got);
        test_fails(run(s, WRITE_ALL, requests, 3), &s->err, AGENTCHAT_E_CORRUPT, NULL,
                   "the tables are not what they should be: relation \"no_such_table\" does not exist");
        assert_string_equal(s->err.sqlstate, "42P01");
        assert_usable(s);
    }
    /* When it can be prepared later, it is. */
    test_postgres_run(database, "CREATE TABLE agentchat.no_such_table(x BIGINT)");
    requests[1] = request_rows(&wrong, NULL, 0, &got);
    test_ok(run(s, READ_ALL, requests + 1, 2), &s->err);
}

static void test_batch__a_duplicate_exists(void **state)
{
    scene *s = *state;

    test_ok(note_write(s->c, 1, "one", &s->outcome, &s->err), &s->err);
    test_fails(note_write(s->c, 1, "secret value", &s->outcome, &s->err), &s->err, AGENTCHAT_E_EXISTS, NULL,
               "duplicate key value violates unique constraint \"note_pkey\"");
    assert_string_equal(s->err.sqlstate, "23505");
    assert_int_equal(s->outcome, ACI_SQL_FINAL);
    assert_usable(s);
}

/* A constraint that is checked by the COMMIT itself: nothing is uncertain about it. */
static void test_batch__a_commit_that_is_refused_is_no_uncertain_one(void **state)
{
    scene *s = *state;

    test_postgres_run(database,
                      "ALTER TABLE agentchat.note ADD CONSTRAINT late UNIQUE(text) DEFERRABLE INITIALLY DEFERRED");
    test_ok(note_write(s->c, 1, "same", &s->outcome, &s->err), &s->err);
    test_fails(note_write(s->c, 2, "same", &s->outcome, &s->err), &s->err, AGENTCHAT_E_EXISTS, NULL, "\"late\"");
    assert_int_equal(s->outcome, ACI_SQL_FINAL);
    assert_int_equal(notes_in(s->c), 1);
    assert_usable(s);
}

static agentchat_status refuse_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    int *left = user;

    (void)columns;
    (void)count;
    return (*left)-- > 0 ? AGENTCHAT_OK : agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "enough");
}

static void test_batch__a_row_function_ends_the_batch(void **state)
{
    static const aci_sql_statement series = {1, 30, "SELECT generate_series(1, 10000)"};
    aci_sql_request requests[3];
    rows after;
    int left = 5;
    scene *s = *state;

    requests[0] = request_of(&note_insert, (aci_sql_value[]){integer_of(1), text_of("x")}, 2);
    requests[1] = request_of(&series, NULL, 0);
    requests[1].row = refuse_row;
    requests[1].user = &left;
    requests[2] = request_rows(&note_count, NULL, 0, &after);
    test_fails(run(s, ACI_SQL_BEGIN_WRITE, requests, 3), &s->err, AGENTCHAT_E_CALLBACK, NULL, "enough");
    assert_int_equal(left, -1); /* not called again */
    assert_int_equal(after.count, 0);
    assert_int_equal(notes_in(s->c), 0);
    assert_usable(s);
}

/* It must not do that. What has been committed is not denied. */
static void test_batch__a_row_function_that_fails_where_it_must_not_leaves_it_open(void **state)
{
    aci_sql_request requests[2];
    int left = 0;
    scene *s = *state;

    requests[0] = request_of(&note_insert, (aci_sql_value[]){integer_of(1), text_of("x")}, 2);
    requests[1] = request_of(&note_count, NULL, 0);
    requests[1].row = refuse_row;
    requests[1].user = &left;
    test_fails(run(s, WRITE_ALL, requests, 2), &s->err, AGENTCHAT_E_CALLBACK, NULL, "enough");
    assert_int_equal(s->outcome, ACI_SQL_UNCERTAIN);
    left = 0;
    test_fails(run(s, READ_ALL, requests + 1, 1), &s->err, AGENTCHAT_E_CALLBACK, NULL, "enough");
    assert_int_equal(s->outcome, ACI_SQL_FINAL);
    assert_int_equal(notes_in(s->c), 1);
}

static void test_batch__a_commit_that_was_a_rollback_is_none(void **state)
{
    scene *s = *state;

    test_ok(run(s, ACI_SQL_BEGIN_WRITE, NULL, 0), &s->err);
    PQclear(PQexec(s->c->conn, "SELECT 1 / 0")); /* without the driver's knowledge */
    test_fails(run(s, ACI_SQL_COMMIT, NULL, 0), &s->err, AGENTCHAT_E_IO, NULL,
               "the server rolled the transaction back");
    assert_int_equal(s->outcome, ACI_SQL_FINAL);
    assert_usable(s);
}

static void test_batch__a_message_of_the_servers_is_made_harmless(void **state)
{
    static const aci_sql_statement raise = {1, 31, "SELECT raise($1)"};
    aci_sql_value text[] = {text_of("two\nlines\tand \x1B[31m red\xE2\x80\xAE\xC2\x9B\x7F end  of\r\nit")};
    char longer[1600];
    scene *s = *state;

    test_postgres_run(
        database,
        "CREATE FUNCTION agentchat.raise(what TEXT) RETURNS INT AS $$ BEGIN "
        "RAISE EXCEPTION USING MESSAGE = what, DETAIL = 'secret', ERRCODE = 'XX001'; END $$ LANGUAGE plpgsql");
    test_fails(pg_one(s->c, READ_ALL, request_of(&raise, text, 1), &s->outcome, &s->err), &s->err, AGENTCHAT_E_CORRUPT,
               NULL, "two lines and ?[31m red??? end of it");
    assert_string_equal(s->err.sqlstate, "XX001");
    memset(longer, 'x', sizeof longer);
    for (size_t i = 0; i + 3 < sizeof longer; i += 3)
        memcpy(longer + i, "\xE2\x82\xAC", 3);
    longer[1599] = '\0';
    text[0] = text_of(longer);
    assert_int_equal(pg_one(s->c, READ_ALL, request_of(&raise, text, 1), &s->outcome, &s->err), AGENTCHAT_E_CORRUPT);
    assert_in_range(strlen(s->err.message), 1020, 1023);
    assert_memory_equal(s->err.message + strlen(s->err.message) - 3, "\xE2\x82\xAC", 3);
    assert_usable(s);
}

static void test_batch__each_sqlstate_has_its_meaning(void **state)
{
    static const struct {
        const char *sqlstate;
        agentchat_status status;
        aci_sql_outcome outcome;
    } cases[] = {
        {"40001", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT}, {"40P01", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT},
        {"55P03", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT}, {"53300", AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT},
        {"53100", AGENTCHAT_E_IO, ACI_SQL_FINAL},       {"53200", AGENTCHAT_E_NOMEM, ACI_SQL_FINAL},
        {"23505", AGENTCHAT_E_EXISTS, ACI_SQL_FINAL},   {"XX001", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL},
        {"XX002", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL},  {"XX000", AGENTCHAT_E_IO, ACI_SQL_FINAL},
        {"54000", AGENTCHAT_E_LIMIT, ACI_SQL_FINAL},    {"57014", AGENTCHAT_E_IO, ACI_SQL_FINAL},
        {"57P01", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT},   {"57P03", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT},
        {"08006", AGENTCHAT_E_IO, ACI_SQL_TRANSIENT},   {"42703", AGENTCHAT_E_CORRUPT, ACI_SQL_FINAL},
        {"42501", AGENTCHAT_E_IO, ACI_SQL_FINAL},       {"58030", AGENTCHAT_E_IO, ACI_SQL_FINAL},
    };
    static const aci_sql_statement raise = {1, 32, "SELECT raise($1)"};
    scene *s = *state;

    test_postgres_run(database, "CREATE FUNCTION agentchat.raise(code TEXT) RETURNS INT AS $$ BEGIN "
                                "RAISE EXCEPTION USING MESSAGE = 'because', ERRCODE = code; END $$ LANGUAGE plpgsql");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        aci_sql_value code[] = {text_of(cases[i].sqlstate)};

        test_fails(pg_one(s->c, WRITE_ALL, request_of(&raise, code, 1), &s->outcome, &s->err), &s->err, cases[i].status,
                   NULL, "because");
        assert_string_equal(s->err.sqlstate, cases[i].sqlstate);
        assert_int_equal(s->outcome, cases[i].outcome);
        assert_usable(s);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_batch__a_failure_in_the_middle_undoes_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_statement_that_cannot_be_prepared_is_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_duplicate_exists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_commit_that_is_refused_is_no_uncertain_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_row_function_ends_the_batch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_row_function_that_fails_where_it_must_not_leaves_it_open, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_commit_that_was_a_rollback_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__a_message_of_the_servers_is_made_harmless, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_batch__each_sqlstate_has_its_meaning, set_up, tear_down),
    };

    test_postgres_begin("unit.postgres_failures");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
