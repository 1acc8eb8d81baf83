/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions that are tried again, for how long, and what becomes of lost connections. */
#include "mock_driver.h"

static void test_store__tries_again_what_may_succeed(void **state)
{
    stage s;

    (void)state;
    stage_open(&s);
    s.p.dead_after_failure = true;
    s.p.runs[0] = (answer){AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT};
    s.p.runs[2] = (answer){AGENTCHAT_E_IO, ACI_SQL_TRANSIENT};
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err);
    assert_int_equal(s.err.code, 0);
    assert_int_equal(s.j.calls, 3);
    assert_false(s.j.repeated);
    assert_int_equal(s.p.opened, 3); /* the dead ones were replaced */
    assert_int_equal(s.p.closed, 2);
    stage_close(&s);
}

static void test_store__says_when_an_attempt_may_have_been_committed(void **state)
{
    stage s;

    (void)state;
    stage_open(&s);
    s.p.runs[1] = (answer){AGENTCHAT_E_IO, ACI_SQL_UNCERTAIN};
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err);
    assert_int_equal(s.j.calls, 2);
    assert_true(s.j.repeated);
    stage_close(&s);
}

static void test_store__gives_up_when_the_wait_is_over(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    job j = {.commits = true};
    agentchat_error err;

    (void)state;
    test_ok(open_mock(&p, 1, false, false, &store, &err), &err);
    for (size_t i = 0; i < 16; i++)
        p.runs[i] = (answer){AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT};
    agentchat_error_clear(&err);
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_BUSY, NULL, "as prescribed");
    assert_in_range(j.calls, 1, 4);
    agentchat_store_close(store);
}

/* One deadline for a call, whatever uses the time up. */
static void test_store__a_lost_connection_does_not_let_the_wait_begin_anew(void **state)
{
    static const aci_sql_outcome outcomes[] = {ACI_SQL_TRANSIENT, ACI_SQL_UNCERTAIN};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        mock p = sound();
        agentchat_store *store = NULL;
        job j = {.commits = true};
        agentchat_error err;

        p.dead_after_failure = true;
        p.failing_takes_ms = 60;
        p.runs[1] = (answer){AGENTCHAT_E_IO, outcomes[i]};
        test_ok(open_mock(&p, 40, false, false, &store, &err), &err);
        test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_IO, NULL, "as prescribed");
        assert_int_equal(j.calls, 1);
        agentchat_store_close(store);
    }
}

/* That others held a lock in the last attempt does not mean that none before has written. */
static void test_store__a_wait_that_ends_after_an_uncertain_commit_says_so(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    job j = {.commits = true};
    agentchat_error err;

    (void)state;
    p.runs[1] = (answer){AGENTCHAT_E_IO, ACI_SQL_UNCERTAIN};
    for (size_t i = 2; i < 16; i++)
        p.runs[i] = (answer){AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT};
    test_ok(open_mock(&p, 20, false, false, &store, &err), &err);
    test_fails(aci_transact(store, true, work, &j, &err), &err, AGENTCHAT_E_IO, NULL,
               "it is not known whether this was written: as prescribed");
    assert_true(j.repeated);
    agentchat_store_close(store);
}

static agentchat_status work_beside(aci_tx *tx, void *user, agentchat_error *err)
{
    job j = {.commits = true};
    agentchat_status status = work(tx, user, err);

    return status >= 0 ? aci_transact(tx->store, true, work, &j, err) : status;
}

static void test_store__a_loss_closes_the_idle_connections_too(void **state)
{
    stage s;

    (void)state;
    stage_open(&s);
    test_ok(aci_transact(s.store, true, work_beside, &s.j, &s.err), &s.err);
    assert_int_equal(s.p.opened, 2);
    assert_int_equal(s.p.closed, 0);
    s.p.dead_after_failure = true;
    s.p.runs[s.p.run_count] = (answer){AGENTCHAT_E_IO, ACI_SQL_TRANSIENT};
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err);
    assert_int_equal(s.p.closed, 2);
    assert_int_equal(s.p.opened, 3);
    test_ok(aci_transact(s.store, true, work_beside, &s.j, &s.err), &s.err); /* their slots are free */
    assert_int_equal(s.p.opened, 4);
    stage_close(&s);
    assert_int_equal(s.p.closed, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__tries_again_what_may_succeed),
        cmocka_unit_test(test_store__says_when_an_attempt_may_have_been_committed),
        cmocka_unit_test(test_store__gives_up_when_the_wait_is_over),
        cmocka_unit_test(test_store__a_lost_connection_does_not_let_the_wait_begin_anew),
        cmocka_unit_test(test_store__a_wait_that_ends_after_an_uncertain_commit_says_so),
        cmocka_unit_test(test_store__a_loss_closes_the_idle_connections_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
