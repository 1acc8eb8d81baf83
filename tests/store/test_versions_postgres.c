/* SPDX-License-Identifier: Apache-2.0 */
/* Schemas of programs of another version: nothing is written to them. */
#include "support/postgres/test_postgres.h"

#include "support/test_support.h"
#include <agentchat/session.h>
#include <agentchat/store.h>

static char *database;

static int set_up(void **state)
{
    agentchat_error err;

    (void)state;
    test_postgres_run(database, "DROP SCHEMA IF EXISTS agentchat CASCADE");
    test_ok(agentchat_store_init(NULL, database, NULL, &err), &err);
    return 0;
}

static void expect_refused(const char *message)
{
    agentchat_store *store = NULL;
    agentchat_error err;

    test_fails(agentchat_store_open(NULL, database, NULL, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, message);
    test_fails(agentchat_store_init(NULL, database, NULL, &err), &err, AGENTCHAT_E_VERSION, NULL, message);
}

static void test_versions__a_newer_store_is_left_alone(void **state)
{
    static const char *const newer[] = {"UPDATE agentchat.store SET format = 3, reader = 3, writer = 3",
                                        "UPDATE agentchat.service SET version = 4, reader = 4, writer = 4",
                                        "UPDATE agentchat.service SET version = 4, reader = 2, writer = 4"};
    agentchat_session_id who = {"shop", "alice", "s1"};

    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        agentchat_store *open = NULL;
        agentchat_session *session = NULL;
        agentchat_error err;

        (void)set_up(state);
        test_ok(agentchat_store_open(NULL, database, NULL, &open, &err), &err);
        test_ok(agentchat_session_create(open, &who, NULL, &session, &err), &err);
        test_postgres_run(database, newer[i]);
        if (i > 0)
            test_fails(agentchat_session_add(session, "count", 1, NULL, &err), &err, AGENTCHAT_E_VERSION, NULL,
                       "must not write");
        expect_refused("must not write");
        assert_int_equal(test_postgres_count(database, "SELECT max(seq) FROM agentchat.session WHERE id = 's1'"), 0);
        agentchat_session_free(session);
        agentchat_store_close(open);
    }
}

/* What programs made before the first release is not read, and the message says so. */
static void test_versions__an_older_store_is_refused(void **state)
{
    static const struct {
        const char *change, *message;
    } older[] = {
        {"UPDATE agentchat.service SET version = 2, reader = 2, writer = 2 WHERE name = 'session'",
         "session tables of version 2, of a program before the first release"},
        {"DROP TABLE agentchat.service; UPDATE agentchat.store SET format = 1, reader = 1, writer = 1",
         "layout 1, of a program before the first release"},
    };

    for (size_t i = 0; i < sizeof older / sizeof *older; i++) {
        (void)set_up(state);
        test_postgres_run(database, older[i].change);
        expect_refused(older[i].message);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_versions__a_newer_store_is_left_alone),
        cmocka_unit_test(test_versions__an_older_store_is_refused),
    };
    int failed;

    test_postgres_begin("store.versions.postgres");
    database = test_postgres_database();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(database);
    return failed;
}
