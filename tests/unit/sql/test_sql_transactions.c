/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions: what goes to the driver, when they are rolled back, what they may not do. */
#include "puppet.h"

static void test_store__a_transaction_looks_then_commits(void **state)
{
    stage s;

    (void)state;
    stage_open(&s);
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err);
    assert_int_equal(s.j.calls, 1);
    assert_int_equal(s.j.rows, 1);
    assert_int_equal(s.p.run_count, 2);
    assert_int_equal(s.p.flags[0], AGENTCHAT_SQL_BEGIN_WRITE);
    assert_int_equal(s.p.flags[1], AGENTCHAT_SQL_COMMIT);
    assert_int_equal(s.p.statements[0], 3);
    assert_int_equal(s.p.statements[1], 1);
    assert_int_equal(s.p.rollbacks, 0);
    s.j = (job){.commits = false};
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err); /* nothing was committed */
    assert_int_equal(s.p.rollbacks, 1);
    test_ok(aci_transact(s.store, false, work, &s.j, &s.err), &s.err);
    assert_int_equal(s.p.flags[3], AGENTCHAT_SQL_BEGIN_READ | AGENTCHAT_SQL_COMMIT);
    assert_int_equal(s.p.rollbacks, 1);
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
    assert_int_equal(s.p.rollbacks, 1);
    agentchat_error_clear(&s.err);
    s.j = (job){.commits = true, .fails_in_row = true};
    test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, AGENTCHAT_E_CORRUPT, NULL, "column 2");
    assert_int_equal(s.j.calls, 1);
    assert_int_equal(s.p.rollbacks, 2);
    agentchat_error_clear(&s.err);
    s.p.runs[s.p.run_count] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_FINAL};
    s.j = (job){.commits = true};
    test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, AGENTCHAT_E_IO, NULL, "as told");
    assert_int_equal(s.j.calls, 1);
    assert_int_equal(s.p.rollbacks, 2); /* the driver has rolled back itself */
    stage_close(&s);
}

static void test_store__every_transaction_asks_whether_it_still_may(void **state)
{
    stage s;

    (void)state;
    stage_open(&s);
    s.p.writer = 9;
    test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, AGENTCHAT_E_VERSION, NULL, "must not write");
    assert_string_equal(s.err.source, "theatre");
    assert_int_equal(s.p.run_count, 1); /* nothing was written */
    assert_int_equal(s.p.rollbacks, 1);
    agentchat_error_clear(&s.err);
    test_ok(aci_transact(s.store, false, work, &s.j, &s.err), &s.err);
    stage_close(&s);
}

static void test_store__a_store_for_reading_refuses_to_write(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    job j = {0};
    agentchat_error err;

    (void)state;
    test_ok(open_puppet(&p, 0, true, false, &store, &err), &err);
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_INVALID, NULL, "for reading");
    assert_int_equal(j.calls, 0);
    agentchat_store_close(store);
}

static agentchat_status commit_at_once(aci_tx *tx, void *user, agentchat_error *err)
{
    (void)user;
    aci_tx_add(tx, &some, NULL, NULL);
    return aci_tx_run(tx, true, err);
}

static void test_store__writing_without_looking_is_a_bug(void **state)
{
    puppet p = sound();
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
    agentchat_sql_store_options options = {sizeof options, false, false, 0, 1};
    job j = {.commits = true};
    agentchat_store *store = NULL;
    agentchat_status status = agentchat_sql_store(env, &puppet_driver, user, &options, &store, err);

    if (status >= 0)
        status = aci_transact(store, true, work, &j, err);
    agentchat_store_close(store);
    return status;
}

static void test_store__a_transaction_survives_every_failed_allocation(void **state)
{
    puppet p = sound();

    (void)state;
    assert_true(test_oom_sweep(transact_once, &p) >= 5);
    assert_int_equal(p.opened, p.closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__a_transaction_looks_then_commits),
        cmocka_unit_test(test_store__a_failure_rolls_back_and_is_not_repeated),
        cmocka_unit_test(test_store__every_transaction_asks_whether_it_still_may),
        cmocka_unit_test(test_store__a_store_for_reading_refuses_to_write),
        cmocka_unit_test(test_store__writing_without_looking_is_a_bug),
        cmocka_unit_test(test_store__a_transaction_survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
