/* SPDX-License-Identifier: Apache-2.0 */
/* Statements that do not end by themselves: they are cancelled, or have run for long enough. */
#include "sqlite_support.h"

#include <signal.h>
#include <sys/time.h>

static const aci_sql_statement endless = {
    1, 9, "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"};
static const aci_sql_statement endless_write = {
    1, 10,
    "INSERT INTO note(id, text) WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    " SELECT x + 10, 'x' FROM n WHERE x < 3 OR x < 0"};

static void on_alarm(int number)
{
    (void)number;
    (void)atomic_fetch_add(&scene_interrupts, 1);
}

static void set_alarm(long microseconds)
{
    struct itimerval soon = {{0, 0}, {0, microseconds}};

    assert_true(signal(SIGALRM, on_alarm) != SIG_ERR);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
}

/* A call begins on the connection. */
static void serve(aci_sqlite_connection *c, bool unbounded)
{
    aci_sql_call call = {(uint32_t)atomic_load(&scene_interrupts), unbounded};

    aci_sqlite_driver.serve(c, &call);
}

static void expect_end(aci_sqlite_connection *c, unsigned flags, const aci_sql_statement *statement,
                       agentchat_status status, const char *message)
{
    agentchat_error err;

    test_fails(run_note(c, flags, statement, NULL, 0, NULL, NULL, NULL, &err), &err, status, NULL, message);
    assert_true(aci_sqlite_driver.is_alive(c));
    serve(c, false);
    assert_int_equal(notes_in(c, READ_ALL), 1);
}

static void test_interrupt__ends_a_statement_and_changes_nothing(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;

    serve(c, false);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    set_alarm(20000);
    expect_end(c, READ_ALL, &endless, AGENTCHAT_E_CANCELLED, "the call was cancelled");
    serve(c, true);
    set_alarm(20000);
    expect_end(c, WRITE_ALL, &endless_write, AGENTCHAT_E_CANCELLED, "it has changed nothing");
    test_ok(note_write(c, 2, AGENTCHAT_STR("b"), &err), &err);
    scene_close(c);
}

static void test_interrupt__of_the_past_does_not_end_a_call(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    agentchat_error err;

    on_alarm(0);
    serve(c, false);
    for (int64_t i = 0; i < 2000; i++)
        test_ok(note_write(c, i, AGENTCHAT_STR("a"), &err), &err);
    assert_int_equal(notes_in(c, READ_ALL), 2000);
    scene_close(c);
}

static void test_interrupt__ends_waiting_for_others(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s), *other = scene_open(s);
    aci_sql_outcome outcome = ACI_SQL_UNCERTAIN;
    agentchat_error err;

    agentchat_error_clear(&err);
    serve(c, false);
    serve(other, true);
    test_ok(aci_sqlite_driver.run(other, ACI_SQL_BEGIN_WRITE, NULL, 0, &outcome, &err), &err);
    set_alarm(20000);
    test_fails(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err, AGENTCHAT_E_CANCELLED, NULL, "cancelled");
    aci_sqlite_driver.rollback(other);
    serve(c, false);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    scene_close(other);
    scene_close(c);
}

static void test_interrupt__a_statement_has_its_time(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c;
    agentchat_error err;

    s->options.statement_ms = 50;
    c = scene_open_tables(s);
    serve(c, false);
    test_ok(note_write(c, 1, AGENTCHAT_STR("a"), &err), &err);
    expect_end(c, READ_ALL, &endless, AGENTCHAT_E_LIMIT, "it ran for longer than 50 ms");
    expect_end(c, WRITE_ALL, &endless_write, AGENTCHAT_E_LIMIT, "it ran for longer than 50 ms");
    serve(c, true); /* such a call has none, and can be cancelled */
    set_alarm(200000);
    expect_end(c, READ_ALL, &endless, AGENTCHAT_E_CANCELLED, "cancelled");
    scene_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_SCENE(test_interrupt__ends_a_statement_and_changes_nothing),
        ON_SCENE(test_interrupt__of_the_past_does_not_end_a_call),
        ON_SCENE(test_interrupt__ends_waiting_for_others),
        ON_SCENE(test_interrupt__a_statement_has_its_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
