/* SPDX-License-Identifier: Apache-2.0 */
/* Bringing a schema of layout 1 up to date: by `store init` only, and nothing is lost, whoever is killed. */
#include "support/postgres/test_postgres.h"

#include "store/migration.h"
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char *database, *script, *expected;

static void make_old(void)
{
    test_postgres_run(database, "DROP SCHEMA IF EXISTS agentchat CASCADE");
    test_postgres_run(database, script);
}

static int set_up(void **state)
{
    (void)state;
    make_old();
    return 0;
}

static void init(void *user)
{
    agentchat_error err;

    test_ok(agentchat_store_init(NULL, user, NULL, &err), &err);
}

static void expect_layout(long long format)
{
    assert_int_equal(test_postgres_count(database, "SELECT format FROM agentchat.store"), format);
}

static void test_migration__keeps_everything(void **state)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_store_open(NULL, database, NULL, &store, &err), &err, AGENTCHAT_E_VERSION, NULL,
               "agentchat store init");
    migration_expect(database, true, expected);
    expect_layout(1);
    init(database);
    expect_layout(2);
    assert_int_equal(test_postgres_count(database, "SELECT version FROM agentchat.service WHERE name = 'session'"), 2);
    migration_expect(database, true, expected);
    migration_expect(database, false, expected);
    init(database);
    migration_write(database);
}

static void test_migration__under_a_reader(void **state)
{
    agentchat_store_options options = AGENTCHAT_STORE_OPTIONS_INIT;
    agentchat_store *store = NULL;
    agentchat_session *session = NULL;
    agentchat_error err;

    (void)state;
    options.read_only = true;
    test_ok(agentchat_store_open(NULL, database, &options, &store, &err), &err);
    test_ok(agentchat_session_get(store, &(agentchat_session_id){"shop", "alice", "s1"}, NULL, &session, &err), &err);
    init(database);
    test_ok(agentchat_session_refresh(session, &err), &err);
    test_postgres_run(database, "UPDATE agentchat.service SET version = 3, reader = 3, writer = 3");
    test_fails(agentchat_session_refresh(session, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not read");
    agentchat_session_free(session);
    agentchat_store_close(store);
}

static void test_migration__by_several_at_once_happens_once(void **state)
{
    (void)state;
    for (int round = 0; round < 3; round++) {
        make_old();
        migration_together(4, init, database);
        expect_layout(2);
    }
    migration_expect(database, false, expected);
}

static int64_t now_us(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* At so many moments of the time that it takes. */
static void test_migration__that_is_killed_is_gone_on_with(void **state)
{
    enum { KILLS = 24 };
    int old = 0, killed = 0;
    int64_t took = now_us();

    (void)state;
    migration_together(1, init, database);
    took = now_us() - took;
    for (int i = 0; i < KILLS; i++) {
        struct timespec pause = {0, (long)(took * 1000 * (i + 1) / KILLS % 1000000000)};
        int status = 0;
        pid_t child;

        make_old();
        child = fork();
        if (child == 0) {
            init(database);
            _exit(0);
        }
        (void)nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        killed += WIFSIGNALED(status) != 0;
        migration_expect(database, true, expected); /* in the old layout or the new one */
        old += test_postgres_count(database, "SELECT format FROM agentchat.store") == 1;
        init(database);
        expect_layout(2);
        migration_expect(database, false, expected);
    }
    print_message("%d killed, %d of them before the commit\n", killed, old);
    assert_true(killed > 0);
}

static void test_migration__a_newer_store_is_left_alone(void **state)
{
    static const char *const newer[] = {"UPDATE agentchat.store SET format = 3, reader = 3, writer = 3",
                                        "UPDATE agentchat.service SET version = 3, reader = 3, writer = 3",
                                        "UPDATE agentchat.service SET version = 3, reader = 2, writer = 3"};

    (void)state;
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        agentchat_store *open = NULL, *store = NULL;
        agentchat_session *session = NULL;
        agentchat_error err;

        make_old();
        init(database);
        test_ok(agentchat_store_open(NULL, database, NULL, &open, &err), &err);
        test_ok(agentchat_session_get(open, &(agentchat_session_id){"shop", "alice", "s1"}, NULL, &session, &err),
                &err);
        test_postgres_run(database, newer[i]);
        if (i > 0)
            test_fails(agentchat_session_add(session, "count", 1, NULL, &err), &err, AGENTCHAT_E_VERSION, NULL,
                       "must not write");
        test_fails(agentchat_store_open(NULL, database, NULL, &store, &err), &err, AGENTCHAT_E_VERSION, NULL,
                   "must not write");
        test_fails(agentchat_store_init(NULL, database, NULL, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not write");
        assert_int_equal(test_postgres_count(database, "SELECT max(seq) FROM agentchat.session WHERE id = 's1'"), 7);
        agentchat_session_free(session);
        agentchat_store_close(open);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_migration__keeps_everything, set_up),
        cmocka_unit_test_setup(test_migration__under_a_reader, set_up),
        cmocka_unit_test_setup(test_migration__by_several_at_once_happens_once, set_up),
        cmocka_unit_test_setup(test_migration__that_is_killed_is_gone_on_with, set_up),
        cmocka_unit_test_setup(test_migration__a_newer_store_is_left_alone, set_up),
    };
    int failed;

    test_postgres_begin("store.migration.postgres");
    database = test_postgres_database();
    script = migration_data("layout-1.postgres.sql");
    expected = migration_data("layout-1.postgres.sessions");
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(database);
    free(script);
    free(expected);
    return failed;
}
