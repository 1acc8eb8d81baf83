/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The power fails: sqlite_power.h makes the states in which a disk may come up. With full durability the file holds
 * what was acknowledged, and at most the one transaction more that was on its way. With normal durability it holds what
 * some transaction had left, never a mixture.
 */
#include "sqlite_power.h"
#include "sqlite_support.h"
#include "sqlite_vfs.h"

/* ---- what is recorded -------------------------------------------------------------------------------------------- */

#define INSTALLED (UINT64_C(1) << 63)

static void change(aci_sqlite_connection *c, uint64_t *notes, int64_t id, bool writes, size_t len)
{
    static char text[30000];
    aci_sql_value params[] = {integer_of(id), text_of((agentchat_str){text, len})};
    agentchat_error err;

    memset(text, 'p', sizeof text);
    test_ok(
        run_note(c, WRITE_ALL, writes ? &note_insert : &note_delete, params, writes ? 2 : 1, NULL, NULL, NULL, &err),
        &err);
    *notes ^= UINT64_C(1) << id;
    test_power_acknowledge(*notes);
}

/* Two connections one after the other, so that the log is begun, filled, moved into the file, removed and begun again;
   a short way to a checkpoint, so that it is used again from its beginning, too. */
static void record_work(const scene *s)
{
    uint64_t notes = INSTALLED;
    aci_sqlite_connection *c;

    test_power_begin();
    c = scene_open_tables(s);
    test_power_acknowledge(notes);
    for (int64_t id = 1; id <= 5; id++)
        change(c, &notes, id, true, id == 3 ? 30000 : 100);
    change(c, &notes, 3, false, 0);
    scene_close(c);
    c = scene_open(s);
    assert_int_equal(sqlite3_wal_autocheckpoint(c->db, 12), SQLITE_OK);
    for (int64_t id = 10; id <= 20; id++)
        change(c, &notes, id, true, id % 4 == 0 ? 9000 : 100);
    for (int64_t id = 10; id <= 20; id += 3)
        change(c, &notes, id, false, 0);
    scene_close(c);
    test_power_end();
}

/* ---- what it holds ----------------------------------------------------------------------------------------------- */

static agentchat_status take_note(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    (void)err;
    assert_int_equal(count, 2);
    *(uint64_t *)user |= UINT64_C(1) << columns[0].integer;
    return AGENTCHAT_OK;
}

static agentchat_status take_finding(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)part;
    (void)err;
    *(bool *)user |= problem.ptr != NULL;
    return AGENTCHAT_OK;
}

/* TEST_POWER_DAMAGED: it is. */
static uint64_t notes_on_disk(void *user)
{
    const scene *s = user;
    aci_sql_value zero = integer_of(0);
    aci_sql_version version = {0};
    aci_sql_outcome outcome;
    aci_sqlite_connection *c = NULL;
    agentchat_error err;
    uint64_t notes = INSTALLED;
    bool is_damaged = false;

    if (scene_connect(s, &c, &err) < 0 || scene_version(c, &version, &outcome, &err) < 0)
        is_damaged = true;
    else if (version.format == 0)
        notes = 0;
    else if (run_note(c, READ_ALL, &note_select, &zero, 1, take_note, &notes, NULL, &err) < 0)
        is_damaged = true;
    if (c == NULL || aci_sqlite_driver.check(c, take_finding, &is_damaged, &err) < 0)
        is_damaged = true;
    scene_close(c);
    return is_damaged ? TEST_POWER_DAMAGED : notes;
}

static test_power_tally crash_everywhere(scene *s)
{
    return test_power_crash(s->path, &(test_power_amount){.step_every = 1, .random = 3}, notes_on_disk, s);
}

static void test_power__full_durability_keeps_what_was_acknowledged(void **state)
{
    test_power_tally t;

    record_work(*state);
    t = crash_everywhere(*state);
    assert_int_equal(t.damaged, 0);
    assert_int_equal(t.outdated, 0);
}

static void test_power__normal_durability_keeps_complete_transactions(void **state)
{
    scene *s = *state;
    test_power_tally t;

    s->options.durability = AGENTCHAT_DURABILITY_NORMAL;
    record_work(s);
    t = crash_everywhere(s);
    assert_int_equal(t.damaged, 0);
    assert_true(t.outdated > 0); /* which shows that full durability is not for free, and that this test sees it */
}

/* With one flush left out the same look at the states finds damage. */
static void test_power__a_missing_flush_is_seen(void **state)
{
    size_t damaged = 0;

    record_work(*state);
    test_power_forget_flushes();
    damaged = crash_everywhere(*state).damaged;
    assert_true(damaged > 0);
}

/* What another program has left unflushed in the log is flushed before it is reported to anybody. */
static void test_power__what_others_left_is_flushed_before_it_is_confirmed(void **state)
{
    static const agentchat_durability durabilities[] = {AGENTCHAT_DURABILITY_FULL, AGENTCHAT_DURABILITY_NORMAL};
    scene *s = *state;
    aci_sql_outcome outcome;
    agentchat_error err;

    for (size_t i = 0; i < 2; i++) {
        aci_sqlite_connection *other, *c;
        bool flushed;

        s->options.durability = AGENTCHAT_DURABILITY_NORMAL;
        other = i == 0 ? scene_open_tables(s) : scene_open(s);
        s->options.durability = durabilities[i];
        c = scene_open(s);
        test_ok(note_write(other, (int64_t)i + 1, AGENTCHAT_STR("unflushed"), &err), &err);
        assert_int_equal(notes_in(c, ACI_SQL_BEGIN_WRITE), i + 1); /* it is seen, and the transaction is open */
        test_power_begin();
        test_ok(aci_sqlite_confirm(c, &outcome, &err), &err);
        test_power_end();
        flushed = test_power_flushes() > 0;
        assert_int_equal(flushed, durabilities[i] == AGENTCHAT_DURABILITY_FULL);
        assert_int_equal(test_power_steps() > 0, flushed); /* and who does not flush writes nothing either */
        assert_int_equal(notes_in(c, READ_ALL), i + 1);
        test_power_forget();
        scene_close(c);
        scene_close(other);
    }
}

static int tear_down(void **state)
{
    test_power_forget();
    return scene_tear_down(state);
}

#define ON_DISK(test) cmocka_unit_test_setup_teardown(test, scene_set_up_vfs, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_DISK(test_power__full_durability_keeps_what_was_acknowledged),
        ON_DISK(test_power__normal_durability_keeps_complete_transactions),
        ON_DISK(test_power__a_missing_flush_is_seen),
        ON_DISK(test_power__what_others_left_is_flushed_before_it_is_confirmed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
