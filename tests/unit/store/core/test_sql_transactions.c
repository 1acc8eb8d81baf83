/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions: what goes to the driver, when they are rolled back, what they may not do. */
#include "mock_driver.h"

static void test_store__a_transaction_looks_then_commits(void **state)
{
    stage s;

    (void)state;
    stage_open(&s);
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err);
    assert_int_equal(s.j.calls, 1);
    assert_int_equal(s.j.rows, 1);
    assert_int_equal(s.p.run_count, 2);
    assert_int_equal(s.p.flags[0], ACI_SQL_BEGIN_WRITE);
    assert_int_equal(s.p.flags[1], ACI_SQL_COMMIT);
    assert_int_equal(s.p.statements[0], 3);
    assert_int_equal(s.p.statements[1], 1);
    assert_int_equal(s.p.rollbacks, 0);
    s.j = (job){.commits = false};
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err); /* nothing was committed */
    assert_int_equal(s.p.confirm_count, 1);
    test_ok(aci_transact(s.store, false, work, &s.j, &s.err), &s.err);
    assert_int_equal(s.p.flags[3], ACI_SQL_BEGIN_READ | ACI_SQL_COMMIT);
    assert_int_equal(s.p.rollbacks, 0);
    assert_int_equal(s.p.opened, 1); /* one connection served all of it */
    stage_close(&s);
}

static void test_store__a_failure_rolls_back_and_is_not_repeated(void **state)
{
    stage s;

    (void)state;
    stage_open(&s);
    s.j.fails = AGENTCHAT_E_CONFLICT;
    test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, AGENTCHAT_E_CONFLICT, NULL, "of its own");
    assert_int_equal(s.j.calls, 1);
    assert_int_equal(s.p.confirm_count, 1); /* which ends the transaction, too */
    agentchat_error_clear(&s.err);
    s.j = (job){.commits = true, .fails_in_row = true};
    test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, AGENTCHAT_E_CORRUPT, NULL, "column 2");
    assert_int_equal(s.j.calls, 1);
    assert_int_equal(s.p.rollbacks, 1);
    agentchat_error_clear(&s.err);
    s.p.runs[s.p.run_count] = (answer){AGENTCHAT_E_IO, ACI_SQL_FINAL};
    s.j = (job){.commits = true};
    test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, AGENTCHAT_E_IO, NULL, "as prescribed");
    assert_int_equal(s.j.calls, 1);
    assert_int_equal(s.p.rollbacks, 1); /* the driver has rolled back itself */
    stage_close(&s);
}

static void test_store__every_transaction_asks_whether_it_still_may(void **state)
{
    stage s;

    (void)state;
    stage_open(&s);
    s.p.writer = 9;
    test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, AGENTCHAT_E_VERSION, NULL, "must not write");
    assert_string_equal(s.err.source, "mock source");
    assert_int_equal(s.p.run_count, 1); /* nothing was written */
    assert_int_equal(s.p.rollbacks, 1);
    agentchat_error_clear(&s.err);
    test_ok(aci_transact(s.store, false, work, &s.j, &s.err), &s.err);
    stage_close(&s);
}

static void test_store__a_store_for_reading_refuses_to_write(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    job j = {0};
    agentchat_error err;

    (void)state;
    test_ok(open_mock(&p, 0, true, false, &store, &err), &err);
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_INVALID, NULL, "for reading");
    assert_int_equal(j.calls, 0);
    agentchat_store_close(store);
}

/* Reads as a service would. */
static agentchat_status read_of(agentchat_store *store, bool of_threads, job *j, agentchat_error *err)
{
    *j = (job){.of_threads = of_threads};
    agentchat_error_clear(err);
    return aci_transact(store, false, work, j, err);
}

static void test_store__reads_one_without_the_tables_of_a_service(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;
    job j;

    (void)state;
    p.versions.services[1] = (aci_sql_version){0, 0, 0};
    test_ok(open_mock(&p, 200, true, false, &store, &err), &err);
    test_ok(read_of(store, false, &j, &err), &err);
    for (int i = 0; i < 2; i++) {
        test_fails(read_of(store, true, &j, &err), &err, AGENTCHAT_E_VERSION, NULL, "the store has no thread tables");
        assert_string_equal(err.source, "mock source");
        assert_int_equal(j.calls, 1);
        assert_int_equal(j.rows, 0);
    }
    assert_int_equal(p.statements[p.run_count - 1], 1); /* nothing was asked of tables that are not there */
    test_ok(read_of(store, false, &j, &err), &err);
    p.versions.services[1] = (aci_sql_version){1, 1, 1}; /* others bring it up to date */
    test_ok(read_of(store, true, &j, &err), &err);
    assert_int_equal(j.calls, 2);
    assert_int_equal(j.rows, 1);
    test_ok(read_of(store, true, &j, &err), &err);
    assert_int_equal(j.calls, 1);
    agentchat_store_close(store);
}

static agentchat_status commit_at_once(aci_tx *tx, void *user, agentchat_error *err)
{
    (void)user;
    aci_transact_add(tx, &some, NULL, NULL);
    return aci_transact_run(tx, true, err);
}

static void test_store__writing_without_looking_is_a_bug(void **state)
{
    mock p = sound();
    agentchat_store *store = open_sound(&p);
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_fails(aci_transact(store, true, commit_at_once, NULL, &err), &err, AGENTCHAT_E_INTERNAL, NULL, NULL);
    assert_int_equal(p.run_count, 0);
    agentchat_store_close(store);
}

static agentchat_status transact_once(const agentchat_env *env, void *user, agentchat_error *err)
{
    aci_sql_store_options options = {false, false, 0, 1, 0};
    job j = {.commits = true};
    agentchat_store *store = NULL;
    agentchat_status status = aci_driver_store(env, &mock_driver, user, &options, &store, err);

    if (status >= 0)
        status = aci_transact(store, true, work, &j, err);
    agentchat_store_close(store);
    return status;
}

static void test_store__a_transaction_survives_every_failed_allocation(void **state)
{
    mock p = sound();

    (void)state;
    assert_true(test_oom_sweep(transact_once, &p) >= 5);
    assert_int_equal(p.opened, p.closed);
}

static void test_column__of_another_type_is_damage(void **state)
{
    static const aci_sql_value columns[] = {{ACI_SQL_NULL, 0, {NULL, 0}},
                                            {ACI_SQL_INTEGER, 7, {NULL, 0}},
                                            {ACI_SQL_TEXT, 0, {"t", 1}},
                                            {ACI_SQL_BYTES, 0, {"b", 1}}};
    agentchat_str span;
    int64_t number = 0;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        agentchat_error_clear(&err);
        assert_int_equal(aci_transact_column_integer(columns, 4, i, &number, &err),
                         i == 1 ? AGENTCHAT_OK : AGENTCHAT_E_CORRUPT);
        assert_int_equal(aci_transact_column_text(columns, 4, i, &span, &err),
                         i == 2 ? AGENTCHAT_OK : AGENTCHAT_E_CORRUPT);
        assert_int_equal(aci_transact_column_bytes(columns, 4, i, &span, &err),
                         i == 3 ? AGENTCHAT_OK : AGENTCHAT_E_CORRUPT);
    }
    assert_int_equal(number, 7);
    assert_string_equal(span.ptr, "b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__a_transaction_looks_then_commits),
        cmocka_unit_test(test_store__a_failure_rolls_back_and_is_not_repeated),
        cmocka_unit_test(test_store__every_transaction_asks_whether_it_still_may),
        cmocka_unit_test(test_store__a_store_for_reading_refuses_to_write),
        cmocka_unit_test(test_store__reads_one_without_the_tables_of_a_service),
        cmocka_unit_test(test_store__writing_without_looking_is_a_bug),
        cmocka_unit_test(test_store__a_transaction_survives_every_failed_allocation),
        cmocka_unit_test(test_column__of_another_type_is_damage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
