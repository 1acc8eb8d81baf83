/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for others: locks that are not given back, deadlocks, waiters that are gone. */
#include "postgres_support.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *database;

static int set_up(void **state)
{
    (void)state;
    pg_make_notes(database);
    test_postgres_run(database, "INSERT INTO agentchat.note VALUES(1, 'one'), (2, 'two')");
    return 0;
}

/* Changes a note, which locks it until the transaction ends. */
static agentchat_status change(aci_postgres_connection *c, unsigned flags, int64_t id, aci_sql_outcome *outcome,
                               agentchat_error *err)
{
    aci_sql_value params[] = {integer_of(id), text_of("changed")};

    return pg_one(c, flags, request_of(&note_update, params, 2), outcome, err);
}

static void await_waiters(const char *number)
{
    test_postgres_await(database,
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = "
                        "current_database()",
                        number);
}

/* The server waits for a part of the time and then says that it is still there. */
static void test_locks__a_server_that_waits_says_so(void **state)
{
    aci_postgres_connection *holder = pg_open(database, 5000), *waiter = pg_open(database, 1200);
    aci_sql_outcome outcome;
    agentchat_error err;
    int64_t begun;

    (void)state;
    test_ok(change(holder, ACI_SQL_BEGIN_WRITE, 1, &outcome, &err), &err);
    begun = aci_postgres_now_ms();
    test_fails(change(waiter, WRITE_ALL, 1, &outcome, &err), &err, AGENTCHAT_E_BUSY, NULL,
               "others held what is needed for too long: canceling statement due to lock timeout");
    assert_in_range(aci_postgres_now_ms() - begun, 300, 1100);
    assert_string_equal(err.sqlstate, "55P03");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    assert_true(aci_postgres_driver.is_alive(waiter));
    /* With less time left it waits for less, and then for the usual time again. */
    aci_postgres_driver.allow(waiter, 200);
    begun = aci_postgres_now_ms();
    test_fails(change(waiter, WRITE_ALL, 1, &outcome, &err), &err, AGENTCHAT_E_BUSY, NULL, "others held");
    assert_in_range(aci_postgres_now_ms() - begun, 100, 250);
    aci_postgres_driver.allow(waiter, 1200);
    begun = aci_postgres_now_ms();
    test_fails(change(waiter, WRITE_ALL, 1, &outcome, &err), &err, AGENTCHAT_E_BUSY, NULL, "others held");
    assert_in_range(aci_postgres_now_ms() - begun, 300, 1100);
    test_ok(change(waiter, WRITE_ALL, 2, &outcome, &err), &err);
    test_ok(change(holder, ACI_SQL_COMMIT, 1, &outcome, &err), &err);
    test_ok(change(waiter, WRITE_ALL, 1, &outcome, &err), &err);
    pg_close(waiter);
    pg_close(holder);
}

typedef struct other {
    aci_postgres_connection *c;
    unsigned flags;
    int64_t id;
    agentchat_status status;
    aci_sql_outcome outcome;
    agentchat_error err;
} other;

static void *change_there(void *user)
{
    other *o = user;

    o->status = change(o->c, o->flags, o->id, &o->outcome, &o->err);
    return NULL;
}

static void test_locks__a_lock_that_is_given_back_in_time_is_got(void **state)
{
    aci_postgres_connection *holder = pg_open(database, 5000);
    other o = {.c = pg_open(database, 5000), .flags = WRITE_ALL, .id = 1};
    aci_sql_outcome outcome;
    agentchat_error err;
    pthread_t thread;

    (void)state;
    test_ok(change(holder, ACI_SQL_BEGIN_WRITE, 1, &outcome, &err), &err);
    assert_int_equal(pthread_create(&thread, NULL, change_there, &o), 0);
    await_waiters("1");
    aci_postgres_driver.rollback(holder);
    assert_int_equal(pthread_join(thread, NULL), 0);
    test_ok(o.status, &o.err);
    pg_close(o.c);
    pg_close(holder);
}

/* Gives two locks back, one after the other, in less than the waiter's patience each. */
typedef struct holders {
    aci_postgres_connection *c[2];
} holders;

static void *give_back_slowly(void *user)
{
    static const struct timespec while_held = {0, 900000000};
    holders *h = user;

    for (size_t i = 0; i < 2; i++) {
        (void)nanosleep(&while_held, NULL);
        aci_postgres_driver.rollback(h->c[i]);
    }
    return NULL;
}

/* The wait for each lock is limited by the server, so it is no silence that speaks of its end, however many there are
   in a batch. */
static void test_locks__several_in_one_batch_are_waited_for_one_by_one(void **state)
{
    aci_postgres_connection *waiter = pg_open(database, 10000);
    holders h = {{pg_open(database, 5000), pg_open(database, 5000)}};
    aci_sql_value one[] = {integer_of(1), text_of("mine")}, two[] = {integer_of(2), text_of("mine")};
    aci_sql_request requests[] = {request_of(&note_update, one, 2), request_of(&note_update, two, 2)};
    aci_sql_outcome outcome;
    agentchat_error err;
    pthread_t thread;

    (void)state;
    waiter->patience_ms = 1500;
    for (size_t i = 0; i < 2; i++)
        test_ok(change(h.c[i], ACI_SQL_BEGIN_WRITE, 1 + (int64_t)i, &outcome, &err), &err);
    assert_int_equal(pthread_create(&thread, NULL, give_back_slowly, &h), 0);
    test_ok(aci_postgres_driver.run(waiter, WRITE_ALL, requests, 2, &outcome, &err), &err);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(requests[0].changed + requests[1].changed, 2);
    pg_close(waiter);
    pg_close(h.c[0]);
    pg_close(h.c[1]);
}

static void test_locks__of_two_in_a_deadlock_one_may_try_again(void **state)
{
    aci_postgres_connection *here = pg_open(database, 10000);
    other o = {.c = pg_open(database, 10000), .flags = ACI_SQL_BEGIN_WRITE, .id = 2};
    aci_sql_outcome outcome;
    agentchat_status status;
    agentchat_error err;
    pthread_t thread;

    (void)state;
    test_ok(change(here, ACI_SQL_BEGIN_WRITE, 1, &outcome, &err), &err);
    (void)change_there(&o);
    test_ok(o.status, &o.err);
    o.flags = ACI_SQL_COMMIT;
    o.id = 1;
    assert_int_equal(pthread_create(&thread, NULL, change_there, &o), 0);
    await_waiters("1");
    status = change(here, ACI_SQL_COMMIT, 2, &outcome, &err);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true((status < 0) != (o.status < 0));
    if (status >= 0) {
        status = o.status;
        outcome = o.outcome;
        err = o.err;
    }
    test_fails(status, &err, AGENTCHAT_E_BUSY, NULL, "deadlock detected");
    assert_string_equal(err.sqlstate, "40P01");
    assert_int_equal(outcome, ACI_SQL_TRANSIENT);
    assert_true(aci_postgres_driver.is_alive(here));
    assert_true(aci_postgres_driver.is_alive(o.c));
    pg_close(o.c);
    pg_close(here);
}

static pid_t wait_in_a_child(void)
{
    pid_t child = fork();

    if (child == 0) {
        aci_postgres_connection *c = pg_open(database, 60000);
        aci_sql_outcome outcome;
        agentchat_error err;

        (void)change(c, WRITE_ALL, 1, &outcome, &err);
        _exit(0);
    }
    return child;
}

/* The write of a client that is gone must not be done later, when somebody else has long gone on. */
static void test_locks__the_server_does_not_wait_for_who_is_gone(void **state)
{
    aci_postgres_connection *holder = pg_open(database, 5000);
    aci_sql_outcome outcome;
    agentchat_error err;
    pid_t child;

    (void)state;
    test_ok(change(holder, ACI_SQL_BEGIN_WRITE, 1, &outcome, &err), &err);
    child = wait_in_a_child();
    await_waiters("1");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    await_waiters("0");
    pg_close(holder); /* has not committed */
    assert_int_equal(test_postgres_count(database, "SELECT count(*) FROM agentchat.note WHERE text = 'changed'"), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_locks__a_server_that_waits_says_so, set_up),
        cmocka_unit_test_setup(test_locks__a_lock_that_is_given_back_in_time_is_got, set_up),
        cmocka_unit_test_setup(test_locks__several_in_one_batch_are_waited_for_one_by_one, set_up),
        cmocka_unit_test_setup(test_locks__of_two_in_a_deadlock_one_may_try_again, set_up),
        cmocka_unit_test_setup(test_locks__the_server_does_not_wait_for_who_is_gone, set_up),
    };

    test_postgres_begin("unit.postgres_locks");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
