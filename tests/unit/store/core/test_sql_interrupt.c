/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are cancelled: between batches, between attempts, and while they wait for a connection. */
#include "mock_driver.h"
#include <signal.h>
#include <sys/time.h>

static agentchat_status cancelled_half_way(aci_tx *tx, void *user, agentchat_error *err)
{
    agentchat_status status;

    aci_transact_add(tx, &some, NULL, NULL);
    status = aci_transact_run(tx, false, err);
    agentchat_store_interrupt(tx->store);
    if (status < 0)
        return status;
    ++*(size_t *)user;
    aci_transact_add(tx, &some, NULL, NULL);
    return aci_transact_run(tx, true, err);
}

static void test_interrupt__ends_a_call_between_batches(void **state)
{
    size_t calls = 0;
    stage s;

    (void)state;
    stage_open(&s);
    agentchat_store_interrupt(s.store); /* before the call: none of its business */
    test_fails(aci_transact(s.store, true, cancelled_half_way, &calls, &s.err), &s.err, AGENTCHAT_E_CANCELLED, NULL,
               "it has changed nothing");
    assert_int_equal(calls, 1);
    assert_int_equal(s.p.run_count, 1);
    assert_int_equal(s.p.rollbacks, 1);
    agentchat_error_clear(&s.err);
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err);
    stage_close(&s);
}

static void test_interrupt__ends_what_is_tried_again(void **state)
{
    size_t calls = 0;
    stage s;

    (void)state;
    stage_open(&s);
    s.store->wait_ms = 60000;
    s.p.runs[0] = (answer){AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT};
    test_fails(aci_transact(s.store, true, cancelled_half_way, &calls, &s.err), &s.err, AGENTCHAT_E_CANCELLED, NULL,
               "cancelled");
    assert_int_equal(calls, 0);
    assert_int_equal(s.p.run_count, 1);
    stage_close(&s);
}

/* Whether the commit took effect is unknown, so it is not said that nothing was changed. */
static void test_interrupt__does_not_deny_a_commit_that_may_have_been_one(void **state)
{
    size_t calls = 0;
    stage s;

    (void)state;
    stage_open(&s);
    s.store->wait_ms = 60000;
    s.p.runs[0] = (answer){AGENTCHAT_E_IO, ACI_SQL_UNCERTAIN};
    test_fails(aci_transact(s.store, true, cancelled_half_way, &calls, &s.err), &s.err, AGENTCHAT_E_IO, NULL,
               "as prescribed");
    assert_int_equal(s.p.run_count, 1);
    stage_close(&s);
}

static agentchat_store *alarmed;

static void on_alarm(int number)
{
    (void)number;
    agentchat_store_interrupt(alarmed);
}

static agentchat_status nested(aci_tx *tx, void *user, agentchat_error *err)
{
    return aci_transact(tx->store, false, nested, user, err);
}

static void test_interrupt__by_a_signal_ends_waiting_for_a_connection(void **state)
{
    struct itimerval soon = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
    stage s;

    (void)state;
    stage_open(&s);
    s.store->wait_ms = 60000;
    alarmed = s.store;
    assert_true(signal(SIGALRM, on_alarm) != SIG_ERR);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    test_fails(aci_transact(s.store, false, nested, NULL, &s.err), &s.err, AGENTCHAT_E_CANCELLED, NULL, "cancelled");
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    stage_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interrupt__ends_a_call_between_batches),
        cmocka_unit_test(test_interrupt__ends_what_is_tried_again),
        cmocka_unit_test(test_interrupt__does_not_deny_a_commit_that_may_have_been_one),
        cmocka_unit_test(test_interrupt__by_a_signal_ends_waiting_for_a_connection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
