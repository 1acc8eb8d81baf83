/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server that has to wait for a standby, and the standby is down: nothing may be acknowledged before the standby has
 * it, however the waiting ends: by a connection that is lost, a server that is restarted, an administrator who ends it.
 *
 * AGENTCHAT_TEST_FAILOVERS: how many times the server is lost for good and the standby takes its place (0).
 */
#include "session/failover/writes.h"
#include "support/postgres/test_postgres.h"

#include <agentchat/postgres.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { MOST_WRITES = 32 };

typedef struct writer {
    const kind *kind;
    agentchat_store *store;
    char user[32];
    pthread_t thread;
    atomic_bool is_done;
    agentchat_status status;
    agentchat_error err;
} writer;

typedef struct pair {
    test_postgres_pair servers;
    writer writers[MOST_WRITES];
} pair;

static void pause_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};

    (void)nanosleep(&time, NULL);
}

/* ---- the servers ------------------------------------------------------------------------------------------------ */

static agentchat_store *open_store(const char *url, bool read_only)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;

    options.wait_ms = 120000;
    options.max_connections = 1;
    options.read_only = read_only;
    test_ok(agentchat_postgres_open(NULL, url, &options, &store, &err), &err);
    return store;
}

static void make_pair(pair *p)
{
    memset(p, 0, sizeof *p);
    p->servers = test_postgres_pair_new();
}

static void free_pair(pair *p)
{
    test_postgres_pair_free(&p->servers);
}

/* ---- the writers ------------------------------------------------------------------------------------------------ */

static void *act(void *user)
{
    writer *w = user;

    w->status = w->kind->act(w->store, w->user, &w->err);
    atomic_store(&w->is_done, true);
    return NULL;
}

/* Writers whose sessions are there, and with whom the standby goes. */
static void make_writers(pair *p)
{
    char *both = test_postgres_pair_url(&p->servers, "&target_session_attrs=read-write");
    char *unawaited = test_postgres_url_with(p->servers.primary->url, NULL, "options=-c%20synchronous_commit%3Dlocal");
    agentchat_store *hasty = open_store(unawaited, false);

    assert_true(kind_count <= MOST_WRITES);
    for (size_t i = 0; i < kind_count; i++) {
        writer *w = &p->writers[i];

        w->kind = &kinds[i];
        snprintf(w->user, sizeof w->user, "%s", kinds[i].name);
        w->store = open_store(both, false);
        writes_prepare(w->store, w->user);
    }
    test_postgres_server_do(p->servers.standby, "down immediate");
    for (size_t i = 0; i < kind_count; i++) {
        agentchat_error err;

        if (kinds[i].before != NULL)
            test_ok(kinds[i].before(hasty, p->writers[i].user, &err), &err);
    }
    agentchat_store_close(hasty);
    free(unawaited);
    free(both);
    for (size_t i = 0; i < kind_count; i++)
        assert_int_equal(pthread_create(&p->writers[i].thread, NULL, act, &p->writers[i]), 0);
}

static void expect_none_done(pair *p, const char *when)
{
    char count[16];

    snprintf(count, sizeof count, "%zu", kind_count);
    test_postgres_await(p->servers.primary->url, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
                        count);
    pause_ms(200);
    for (size_t i = 0; i < kind_count; i++) {
        const writer *w = &p->writers[i];

        if (atomic_load(&w->is_done))
            fail_msg("%s: acknowledged (%d %s) without a standby, %s", w->kind->name, (int)w->status, w->err.message,
                     when);
    }
}

static void strike(pair *p, const char *function)
{
    char statement[200];

    snprintf(statement, sizeof statement, "SELECT %s(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
             function);
    test_postgres_run(p->servers.primary->url, statement);
}

/* Everything is acknowledged; was_lost: the standby knows nothing of what was done before. */
static void join_writers(pair *p, bool was_lost)
{
    for (size_t i = 0; i < kind_count; i++) {
        writer *w = &p->writers[i];

        assert_int_equal(pthread_join(w->thread, NULL), 0);
        if (w->status < 0 ? was_lost || w->status != w->kind->found : !was_lost && w->kind->found < 0)
            fail_msg("%s: %d %s", w->kind->name, (int)w->status, w->err.message);
    }
}

/* What was acknowledged is there on the standby, which may be busy with it for a moment. */
static void expect_kept(pair *p)
{
    agentchat_store *store = open_store(p->servers.standby->url, true);

    for (size_t i = 0; i < kind_count; i++) {
        const writer *w = &p->writers[i];

        for (int tries = 0; tries < 500 && !w->kind->is_done(store, w->user); tries++)
            pause_ms(20);
        if (!w->kind->is_done(store, w->user))
            fail_msg("%s: acknowledged and not there", w->kind->name);
    }
    agentchat_store_close(store);
}

static void close_writers(pair *p)
{
    for (size_t i = 0; i < kind_count; i++)
        agentchat_store_close(p->writers[i].store);
}

/* ---- tests ------------------------------------------------------------------------------------------------------ */

/* Whoever does not wait for ever learns that it is not known, and later that it was done. */
static void test_failover__the_wait_for_a_standby_has_an_end(void **state)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_error err;
    pair p;

    (void)state;
    make_pair(&p);
    options.wait_ms = 2000;
    test_ok(agentchat_postgres_open(NULL, p.servers.primary->url, &options, &store, &err), &err);
    writes_prepare(store, "u");
    test_postgres_server_do(p.servers.standby, "down immediate");
    for (size_t i = 0; i < 2; i++) { /* committed here, then found */
        struct timespec begun = {0, 0}, ended = {0, 0};

        (void)clock_gettime(CLOCK_MONOTONIC, &begun);
        agentchat_error_clear(&err);
        test_fails(kinds[0].act(store, "u", &err), &err, AGENTCHAT_E_IO, NULL,
                   i == 0 ? "the server was lost while committing" : "the server did not confirm within");
        assert_non_null(strstr(err.message, "standby"));
        (void)clock_gettime(CLOCK_MONOTONIC, &ended);
        assert_in_range(ended.tv_sec - begun.tv_sec, 1, 4);
        test_postgres_run(p.servers.primary->url,
                          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = "
                          "'SyncRep'");
        pause_ms(200);
    }
    test_postgres_server_do(p.servers.standby, "up");
    agentchat_error_clear(&err);
    test_fails(kinds[0].act(store, "u", &err), &err, AGENTCHAT_E_EXISTS, NULL, NULL);
    agentchat_store_close(store);
    free_pair(&p);
}

static void test_failover__nothing_is_acknowledged_without_the_standby(void **state)
{
    pair p;

    (void)state;
    make_pair(&p);
    make_writers(&p);
    expect_none_done(&p, "while all wait");
    strike(&p, "pg_terminate_backend");
    expect_none_done(&p, "after the connections were lost");
    strike(&p, "pg_cancel_backend");
    expect_none_done(&p, "after the waits were ended");
    test_postgres_server_do(p.servers.standby, "up");
    join_writers(&p, false);
    expect_kept(&p);
    close_writers(&p);
    free_pair(&p);
}

/* What was committed on the lost server only is as if it had never been: who waits writes it once more. */
static void test_failover__what_was_acknowledged_survives_the_loss_of_the_server(void **state)
{
    uint64_t times = test_number("AGENTCHAT_TEST_FAILOVERS", 0);

    (void)state;
    if (times == 0)
        skip();
    for (uint64_t i = 0; i < times; i++) {
        pair p;

        make_pair(&p);
        make_writers(&p);
        expect_none_done(&p, "while all wait");
        if (i % 3 == 0) {
            strike(&p, "pg_terminate_backend");
            expect_none_done(&p, "after the connections were lost");
        } else if (i % 3 == 1) {
            test_postgres_server_do(p.servers.primary, "kill");
            test_postgres_server_do(p.servers.primary, "up");
            expect_none_done(&p, "after the server was restarted");
        }
        test_postgres_server_do(p.servers.primary, "kill");
        test_postgres_server_do(p.servers.standby, "up");
        test_postgres_server_do(p.servers.standby, "promote");
        join_writers(&p, true);
        expect_kept(&p);
        close_writers(&p);
        free_pair(&p);
    }
}

/* A standby in place of the server: reading works, and who writes learns why not. */
static void test_failover__a_standby_takes_no_writes_and_says_so(void **state)
{
    static const char clear[] = "the server accepts no writes (a standby, or default_transaction_read_only is on)";
    agentchat_store *writing, *on_standby;
    agentchat_error err;
    pair p;

    (void)state;
    make_pair(&p);
    writing = open_store(p.servers.primary->url, false);
    writes_prepare(writing, "u");
    agentchat_store_close(writing);
    test_postgres_await(p.servers.standby->url, "SELECT count(*) FROM agentchat.event", "1");
    on_standby = open_store(p.servers.standby->url, false);
    for (size_t i = 0; i < kind_count; i++) {
        agentchat_error_clear(&err);
        test_fails(kinds[i].act(on_standby, "u", &err), &err, AGENTCHAT_E_IO, NULL, clear);
        assert_string_equal(err.sqlstate, "25006");
    }
    agentchat_error_clear(&err);
    test_fails(agentchat_postgres_init(NULL, p.servers.standby->url, NULL, &err), &err, AGENTCHAT_E_IO, NULL, clear);
    agentchat_store_close(on_standby);
    free_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failover__nothing_is_acknowledged_without_the_standby),
        cmocka_unit_test(test_failover__the_wait_for_a_standby_has_an_end),
        cmocka_unit_test(test_failover__a_standby_takes_no_writes_and_says_so),
        cmocka_unit_test(test_failover__what_was_acknowledged_survives_the_loss_of_the_server),
    };

    test_postgres_begin("session.failover.postgres");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
