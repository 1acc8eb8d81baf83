/* SPDX-License-Identifier: Apache-2.0 */
/* Opening stores over a driver: versions, installing, waiting for a server, arguments. */
#include "puppet.h"
#include <stddef.h>

static void test_store__opens_what_is_there_and_closes_all_of_it(void **state)
{
    puppet p = sound();
    agentchat_store *store = open_sound(&p);

    (void)state;
    assert_string_equal(agentchat_store_backend(store), "puppet");
    agentchat_store_close(store);
    assert_int_equal(p.opened, 1);
    assert_int_equal(p.closed, 1);
    assert_int_equal(p.freed, 1);
    assert_int_equal(p.installs, 0);
    agentchat_store_close(NULL);
}

static void test_store__installs_only_where_it_may(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.version = (agentchat_sql_version){0, 0, 0};
    test_fails(open_puppet(&p, 0, false, false, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "no store here");
    assert_null(store);
    assert_string_equal(err.source, "theatre");
    assert_int_equal(p.freed, 1);
    test_fails(open_puppet(&p, 0, true, true, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "no store here");
    assert_int_equal(p.installs, 0);
    test_ok(open_puppet(&p, 0, false, true, &store, &err), &err);
    assert_int_equal(p.installs, 1);
    agentchat_store_close(store);
    assert_int_equal(p.freed, 3);
}

static void test_store__refuses_a_layout_that_it_is_too_old_for(void **state)
{
    static const agentchat_sql_version newer = {3, 1, 2};
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.version = newer;
    test_fails(open_puppet(&p, 0, false, true, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not write");
    assert_int_equal(err.native, 3);
    assert_string_equal(err.source, "theatre");
    test_ok(open_puppet(&p, 0, true, false, &store, &err), &err); /* reading is still allowed */
    agentchat_store_close(store);
    p.version.reader = 2;
    test_fails(open_puppet(&p, 0, true, false, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not read");
}

static void test_store__a_driver_may_be_older_than_its_last_member(void **state)
{
    agentchat_sql_driver older = puppet_driver;
    agentchat_sql_store_options options = {sizeof options, false, false, 0, 0};
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.version = (agentchat_sql_version){0, 0, 0};
    older.struct_size = offsetof(agentchat_sql_driver, source);
    test_fails(agentchat_sql_store(NULL, &older, &p, &options, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, NULL);
    assert_string_equal(err.source, "");
    older.struct_size = sizeof older;
    older.source = NULL;
    test_fails(agentchat_sql_store(NULL, &older, &p, &options, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, NULL);
    assert_string_equal(err.source, "");
    older.struct_size = offsetof(agentchat_sql_driver, free);
    test_fails(agentchat_sql_store(NULL, &older, &p, &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "driver");
}

static void test_store__waits_for_a_server_that_starts(void **state)
{
    puppet p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.connects[0] = p.connects[1] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_TRANSIENT};
    test_ok(open_puppet(&p, 1000, false, false, &store, &err), &err);
    assert_int_equal(err.code, 0);
    assert_int_equal(p.connect_count, 3);
    agentchat_store_close(store);
    p = sound();
    for (size_t i = 0; i < 8; i++)
        p.connects[i] = (answer){AGENTCHAT_E_IO, AGENTCHAT_SQL_TRANSIENT};
    test_fails(open_puppet(&p, 1, false, false, &store, &err), &err, AGENTCHAT_E_IO, NULL, "as told");
    assert_null(store);
    assert_int_equal(p.freed, 1);
}

static void test_store__checks_its_arguments_and_still_takes_the_driver_over(void **state)
{
    puppet p = sound();
    agentchat_sql_store_options options = {sizeof options, false, false, 0, 0};
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_sql_store(NULL, NULL, &p, &options, &store, &err), &err, AGENTCHAT_E_INVALID, NULL, "driver");
    test_fails(agentchat_sql_store(NULL, &puppet_driver, &p, NULL, &store, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "options");
    assert_int_equal(p.freed, 1);
    test_fails(agentchat_sql_store(NULL, &puppet_driver, &p, &options, NULL, &err), &err, AGENTCHAT_E_INVALID, NULL,
               "out");
    assert_int_equal(p.freed, 2);
}

static agentchat_status open_and_close(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_sql_store_options options = {sizeof options, false, false, 0, 3};
    agentchat_store *store = NULL;
    agentchat_status status = agentchat_sql_store(env, &puppet_driver, user, &options, &store, err);

    agentchat_store_close(store);
    return status;
}

static void test_store__opening_survives_every_failed_allocation(void **state)
{
    puppet p = sound();

    (void)state;
    assert_true(test_oom_sweep(open_and_close, &p) >= 2);
    assert_true(p.freed >= 3);
    assert_int_equal(p.opened, p.closed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store__opens_what_is_there_and_closes_all_of_it),
        cmocka_unit_test(test_store__installs_only_where_it_may),
        cmocka_unit_test(test_store__refuses_a_layout_that_it_is_too_old_for),
        cmocka_unit_test(test_store__a_driver_may_be_older_than_its_last_member),
        cmocka_unit_test(test_store__waits_for_a_server_that_starts),
        cmocka_unit_test(test_store__checks_its_arguments_and_still_takes_the_driver_over),
        cmocka_unit_test(test_store__opening_survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
