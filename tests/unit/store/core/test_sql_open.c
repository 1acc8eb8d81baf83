/* SPDX-License-Identifier: Apache-2.0 */
/* Opening stores over a driver: versions, installing, waiting for a server. */
#include "mock_driver.h"

static void test_store__opens_what_is_there_and_closes_all_of_it(void **state)
{
    mock p = sound();
    agentchat_store *store = open_sound(&p);

    (void)state;
    assert_string_equal(agentchat_store_backend(store), "mock");
    agentchat_store_close(store);
    assert_int_equal(p.opened, 1);
    assert_int_equal(p.closed, 1);
    assert_int_equal(p.freed, 1);
    assert_int_equal(p.install_count, 0);
    agentchat_store_close(NULL);
}

static void test_store__installs_only_where_it_may(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    memset(&p.versions, 0, sizeof p.versions);
    test_fails(open_mock(&p, 0, false, false, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "no store here");
    assert_null(store);
    assert_string_equal(err.source, "mock source");
    assert_int_equal(p.freed, 1);
    test_fails(open_mock(&p, 0, true, true, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "no store here");
    assert_int_equal(p.install_count, 0);
    test_ok(open_mock(&p, 0, false, true, &store, &err), &err);
    assert_int_equal(p.install_count, 4); /* the tables of versions, sessions, threads and memory */
    agentchat_store_close(store);
    assert_int_equal(p.freed, 3);
}

static void test_store__refuses_a_layout_that_it_is_too_old_for(void **state)
{
    static const aci_sql_version newer = {4, 2, 3};
    mock p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.versions.store = newer;
    test_fails(open_mock(&p, 0, false, true, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not write");
    assert_int_equal(err.native, 4);
    assert_string_equal(err.source, "mock source");
    test_ok(open_mock(&p, 0, true, false, &store, &err), &err); /* reading is still allowed */
    agentchat_store_close(store);
    p.versions.store.reader = 3;
    test_fails(open_mock(&p, 0, true, false, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not read");
}

static void test_store__refuses_tables_of_a_service_that_it_is_too_old_for(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.versions.services[0] = (aci_sql_version){4, 1, 4};
    test_fails(open_mock(&p, 0, false, true, &store, &err), &err, AGENTCHAT_E_VERSION, NULL,
               "the store has session tables of version 4; this program knows up to 3 and must not write");
    assert_int_equal(err.native, 4);
    assert_int_equal(p.install_count, 0);
    test_ok(open_mock(&p, 0, true, false, &store, &err), &err);
    agentchat_store_close(store);
    p.versions.services[0].reader = 4;
    test_fails(open_mock(&p, 0, true, false, &store, &err), &err, AGENTCHAT_E_VERSION, NULL, "must not read");
}

static void test_store__refuses_what_was_never_released(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.versions.services[0] = (aci_sql_version){1, 1, 1};
    for (int may_install = 0; may_install < 2; may_install++) {
        test_fails(open_mock(&p, 0, false, may_install, &store, &err), &err, AGENTCHAT_E_VERSION, NULL,
                   "session tables of version 1, of a program before the first release");
        test_fails(open_mock(&p, 0, true, may_install, &store, &err), &err, AGENTCHAT_E_VERSION, NULL,
                   "make a new store");
    }
    assert_int_equal(p.install_count, 0);
}

/* Who was killed in between leaves the tables of versions alone. */
static void test_store__goes_on_with_what_was_begun(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.versions.services[0].format = p.versions.services[1].format = p.versions.services[2].format = 0;
    test_fails(open_mock(&p, 0, true, false, &store, &err), &err, AGENTCHAT_E_NOTFOUND, NULL, "no store here");
    p.installs[0] = (answer){AGENTCHAT_E_IO, ACI_SQL_UNCERTAIN};
    test_ok(open_mock(&p, 1000, false, true, &store, &err), &err);
    assert_int_equal(p.install_count, 4);
    assert_int_equal(p.versions.services[0].format, 3);
    assert_int_equal(p.versions.services[1].format, 3);
    agentchat_store_close(store);
}

static void test_store__waits_for_a_server_that_starts(void **state)
{
    mock p = sound();
    agentchat_store *store = NULL;
    agentchat_error err;

    (void)state;
    p.connects[0] = p.connects[1] = (answer){AGENTCHAT_E_IO, ACI_SQL_TRANSIENT};
    test_ok(open_mock(&p, 1000, false, false, &store, &err), &err);
    assert_int_equal(err.code, 0);
    assert_int_equal(p.connect_count, 3);
    agentchat_store_close(store);
    p = sound();
    for (size_t i = 0; i < 8; i++)
        p.connects[i] = (answer){AGENTCHAT_E_IO, ACI_SQL_TRANSIENT};
    test_fails(open_mock(&p, 1, false, false, &store, &err), &err, AGENTCHAT_E_IO, NULL, "as prescribed");
    assert_null(store);
    assert_int_equal(p.freed, 1);
}

static agentchat_status open_and_close(const agentchat_env *env, void *user, agentchat_error *err)
{
    aci_sql_store_options options = {false, false, 0, 3, 0};
    agentchat_store *store = NULL;
    agentchat_status status = aci_driver_store(env, &mock_driver, user, &options, &store, err);

    agentchat_store_close(store);
    return status;
}

static void test_store__opening_survives_every_failed_allocation(void **state)
{
    mock p = sound();

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
        cmocka_unit_test(test_store__refuses_tables_of_a_service_that_it_is_too_old_for),
        cmocka_unit_test(test_store__refuses_what_was_never_released),
        cmocka_unit_test(test_store__goes_on_with_what_was_begun),
        cmocka_unit_test(test_store__waits_for_a_server_that_starts),
        cmocka_unit_test(test_store__opening_survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
