/* SPDX-License-Identifier: Apache-2.0 */
/* What a transaction has only seen is not reported before the driver has confirmed that it is durable. */
#include "mock_driver.h"

static void open_mocked(stage *s, bool may_install)
{
    aci_sql_store_options options = {false, may_install, 200, 2, 0};

    s->p = sound();
    s->j = (job){.commits = false};
    agentchat_error_clear(&s->err);
    test_ok(aci_driver_store(NULL, &mock_driver, &s->p, &options, &s->store, &s->err), &s->err);
}

static void test_confirm__a_commit_needs_none_and_reading_neither(void **state)
{
    stage s;

    (void)state;
    open_mocked(&s, false);
    s.j.commits = true;
    test_ok(aci_transact(s.store, true, work, &s.j, &s.err), &s.err);
    test_ok(aci_transact(s.store, false, work, &s.j, &s.err), &s.err);
    assert_int_equal(s.p.confirm_count, 0);
    assert_int_equal(s.p.rollbacks, 0);
    stage_close(&s);
}

static void test_confirm__a_result_that_was_found_does(void **state)
{
    static const agentchat_status found[] = {AGENTCHAT_OK, AGENTCHAT_E_EXISTS, AGENTCHAT_E_CONFLICT,
                                             AGENTCHAT_E_NOTFOUND};

    (void)state;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        stage s;

        open_mocked(&s, false);
        s.j.fails = found[i];
        assert_int_equal(aci_transact(s.store, true, work, &s.j, &s.err), found[i]);
        assert_string_equal(s.err.message, found[i] < 0 ? "of its own" : "");
        assert_int_equal(s.j.calls, 1);
        assert_int_equal(s.p.confirm_count, 1);
        assert_int_equal(s.p.rollbacks, 0); /* confirming ends the transaction */
        stage_close(&s);
    }
}

static void test_confirm__another_failure_says_nothing_of_what_is_there(void **state)
{
    static const agentchat_status others[] = {AGENTCHAT_E_NOMEM, AGENTCHAT_E_LIMIT, AGENTCHAT_E_CORRUPT};

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        stage s;

        open_mocked(&s, false);
        s.j.fails = others[i];
        test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, others[i], NULL, "of its own");
        assert_int_equal(s.p.confirm_count, 0);
        assert_int_equal(s.p.rollbacks, 1);
        stage_close(&s);
    }
}

/* Whatever was found is looked for again: it may be gone with the server that has shown it. */
static void test_confirm__what_could_not_be_confirmed_is_looked_up_again(void **state)
{
    static const agentchat_status found[] = {AGENTCHAT_OK, AGENTCHAT_E_EXISTS};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        stage s;

        open_mocked(&s, false);
        s.j.fails = found[i];
        s.p.dead_after_failure = true;
        s.p.confirms[0] = (answer){AGENTCHAT_E_IO, ACI_SQL_TRANSIENT};
        assert_int_equal(aci_transact(s.store, true, work, &s.j, &s.err), found[i]);
        assert_int_equal(s.j.calls, 2);
        assert_false(s.j.repeated); /* nothing of its own may have been committed */
        assert_int_equal(s.p.confirm_count, 2);
        assert_int_equal(s.p.opened, 2);
        stage_close(&s);
    }
}

static void test_confirm__what_cannot_be_confirmed_is_not_said(void **state)
{
    static const agentchat_status found[] = {AGENTCHAT_OK, AGENTCHAT_E_NOTFOUND};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        stage s;

        open_mocked(&s, false);
        s.j.fails = found[i];
        s.p.confirms[0] = (answer){AGENTCHAT_E_IO, ACI_SQL_FINAL};
        test_fails(aci_transact(s.store, true, work, &s.j, &s.err), &s.err, AGENTCHAT_E_IO, NULL, "as prescribed");
        assert_int_equal(s.j.calls, 1);
        stage_close(&s);
    }
}

static void test_confirm__tables_that_were_there_are_confirmed_to_who_would_make_them(void **state)
{
    aci_sql_store_options options = {false, true, 200, 2, 0};
    agentchat_store *store = NULL;
    agentchat_error err;
    stage s;

    (void)state;
    open_mocked(&s, true);
    assert_int_equal(s.p.install_count, 0);
    assert_int_equal(s.p.confirm_count, 1);
    stage_close(&s);
    open_mocked(&s, false);
    assert_int_equal(s.p.confirm_count, 0);
    stage_close(&s);
    s.p = sound();
    s.p.confirms[0] = (answer){AGENTCHAT_E_IO, ACI_SQL_FINAL};
    test_fails(aci_driver_store(NULL, &mock_driver, &s.p, &options, &store, &err), &err, AGENTCHAT_E_IO, NULL,
               "as prescribed");
    assert_null(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_confirm__a_commit_needs_none_and_reading_neither),
        cmocka_unit_test(test_confirm__a_result_that_was_found_does),
        cmocka_unit_test(test_confirm__another_failure_says_nothing_of_what_is_there),
        cmocka_unit_test(test_confirm__what_could_not_be_confirmed_is_looked_up_again),
        cmocka_unit_test(test_confirm__what_cannot_be_confirmed_is_not_said),
        cmocka_unit_test(test_confirm__tables_that_were_there_are_confirmed_to_who_would_make_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
