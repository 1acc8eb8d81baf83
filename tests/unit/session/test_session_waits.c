/* SPDX-License-Identifier: Apache-2.0 */
/* How long a call on PostgreSQL waits for others: one deadline for all of it, however many wait and for however many
   locks. */
#include "support/postgres/test_postgres.h"
#include "support/test_support.h"
#include <agentchat/postgres.h>
#include <agentchat/session.h>
#include <libpq-fe.h>
#include <pthread.h>
#include <time.h>

enum { WAIT_MS = 2000, LONGEST_MS = 2800 };

static char *database;

static int64_t now_ms(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    (void)nanosleep(&time, NULL);
}

/* ---- who holds locks -------------------------------------------------------------------------------------------- */

static PGconn *hold(const char *statement)
{
    PGconn *conn = PQconnectdb(database);

    PQclear(PQexec(conn, "SET search_path = agentchat; BEGIN"));
    PQclear(PQexec(conn, statement));
    assert_int_equal(PQtransactionStatus(conn), PQTRANS_INTRANS);
    return conn;
}

#define HOLD_SESSION "SELECT 1 FROM session WHERE id = 's' FOR UPDATE"
#define HOLD_APP "INSERT INTO scope VALUES('app', '', 1, 0) ON CONFLICT(app, usr) DO UPDATE SET rev = scope.rev"
#define HOLD_USER "INSERT INTO scope VALUES('app', 'u', 1, 0) ON CONFLICT(app, usr) DO UPDATE SET rev = scope.rev"

typedef struct release { /* lets go of locks, one after the other */
    PGconn *held[3];
    long after_ms;
} release;

static void *let_go(void *user)
{
    release *r = user;

    for (size_t i = 0; i < 3; i++) {
        pause_ms(r->after_ms);
        PQfinish(r->held[i]);
    }
    return NULL;
}

/* ---- who waits -------------------------------------------------------------------------------------------------- */

typedef struct waiter {
    pthread_t thread;
    long after_ms;
    int64_t took_ms;
    agentchat_status status;
    agentchat_error err;
} waiter;

static void *wait_there(void *user)
{
    waiter *w = user;
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_event_builder *builder = test_event_builder(NULL, "user");
    agentchat_session *session = NULL;
    agentchat_store *store = NULL;
    agentchat_event *event = NULL;
    int64_t begun;

    options.wait_ms = WAIT_MS;
    pause_ms(w->after_ms);
    agentchat_event_builder_add_state(builder, "app:n", 1);
    agentchat_event_builder_add_state(builder, "user:n", 1);
    w->status = agentchat_event_builder_finish(builder, &event, &w->err);
    if (w->status >= 0)
        w->status = agentchat_postgres_open(NULL, database, &options, &store, &w->err);
    if (w->status >= 0)
        w->status = agentchat_session_get(store, &(agentchat_session_id){"app", "u", "s"}, NULL, &session, &w->err);
    begun = now_ms();
    if (w->status >= 0)
        w->status = agentchat_session_append(session, event, NULL, NULL, &w->err);
    w->took_ms = now_ms() - begun;
    agentchat_session_free(session);
    agentchat_store_close(store);
    agentchat_event_unref(event);
    return NULL;
}

static void start(waiter *w, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        w[i].after_ms = 150 * (long)i;
        assert_int_equal(pthread_create(&w[i].thread, NULL, wait_there, &w[i]), 0);
    }
}

static void join(waiter *w, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(pthread_join(w[i].thread, NULL), 0);
}

static void expect_busy(waiter *w)
{
    test_fails(w->status, &w->err, AGENTCHAT_E_BUSY, NULL, "others held what is needed for too long");
    assert_in_range(w->took_ms, WAIT_MS - 50, LONGEST_MS);
}

static int set_up(void **state)
{
    agentchat_session *session = NULL;
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_postgres_run(database, "DROP SCHEMA IF EXISTS agentchat CASCADE");
    test_ok(agentchat_postgres_init(NULL, database, NULL, &err), &err);
    test_ok(agentchat_postgres_open(NULL, database, NULL, &store, &err), &err);
    test_ok(agentchat_session_create(store, &(agentchat_session_id){"app", "u", "s"}, NULL, &session, &err), &err);
    agentchat_session_free(session);
    agentchat_store_close(store);
    return 0;
}

/* Who queues after others waits twice, for its turn and for the lock. */
static void test_waits__all_who_wait_for_one_lock_end_with_their_deadline(void **state)
{
    PGconn *holder = hold(HOLD_SESSION);
    waiter waiters[4];

    (void)state;
    start(waiters, 4);
    join(waiters, 4);
    for (size_t i = 0; i < 4; i++)
        expect_busy(&waiters[i]);
    PQfinish(holder);
}

/* Three locks that are given back in turn, each in less than the wait, but not all of them. */
static void test_waits__locks_one_after_the_other_have_one_deadline(void **state)
{
    release r = {{hold(HOLD_SESSION), hold(HOLD_APP), hold(HOLD_USER)}, 1200};
    pthread_t thread;
    waiter w;

    (void)state;
    start(&w, 1);
    assert_int_equal(pthread_create(&thread, NULL, let_go, &r), 0);
    join(&w, 1);
    expect_busy(&w);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void test_waits__locks_that_are_given_back_in_time_are_got(void **state)
{
    release r = {{hold(HOLD_SESSION), hold(HOLD_APP), hold(HOLD_USER)}, 400};
    waiter waiters[3];
    pthread_t thread;

    (void)state;
    start(waiters, 3);
    assert_int_equal(pthread_create(&thread, NULL, let_go, &r), 0);
    join(waiters, 3);
    for (size_t i = 0; i < 3; i++)
        test_ok(waiters[i].status, &waiters[i].err);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(test_postgres_count(database, "SELECT seq FROM agentchat.session"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_waits__all_who_wait_for_one_lock_end_with_their_deadline, set_up),
        cmocka_unit_test_setup(test_waits__locks_one_after_the_other_have_one_deadline, set_up),
        cmocka_unit_test_setup(test_waits__locks_that_are_given_back_in_time_are_got, set_up),
    };

    test_postgres_begin("unit.session_waits");
    database = test_postgres_database();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
