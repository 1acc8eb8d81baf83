/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Out of memory: each allocation of SQLite failing, alone and with all later ones, and each of the driver's. SQLite has
 * one allocator for the whole process, which is set before anything else.
 */
#include "sqlite_support.h"

#include <agentchat/sqlite.h>
#include <stdio.h>
#include <unistd.h>

static sqlite3_mem_methods real;
static test_oom faults = {.fail_at = UINT64_MAX};

static void *failing_malloc(int size)
{
    return test_oom_fails_now(&faults) ? NULL : real.xMalloc(size);
}

static void *failing_realloc(void *block, int size)
{
    return test_oom_fails_now(&faults) ? NULL : real.xRealloc(block, size);
}

static void set_allocator(void)
{
    sqlite3_mem_methods methods;

    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) != SQLITE_OK)
        abort();
    methods = real;
    methods.xMalloc = failing_malloc;
    methods.xRealloc = failing_realloc;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK || sqlite3_initialize() != SQLITE_OK)
        abort();
}

/* ---- one run of everything --------------------------------------------------------------------------------------- */

static agentchat_status take_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    (void)columns;
    (void)err;
    *(size_t *)user += count;
    return AGENTCHAT_OK;
}

static agentchat_status take_part(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    (void)user;
    (void)part;
    if (problem.ptr != NULL)
        return agentchat_error_set(err, AGENTCHAT_E_CORRUPT, "%s", problem.ptr);
    return AGENTCHAT_OK;
}

static agentchat_status use(aci_sqlite_connection *c, agentchat_error *err)
{
    static char text[10000];
    aci_sql_value note[] = {integer_of(1), text_of((agentchat_str){text, sizeof text})}, zero = integer_of(0);
    aci_sql_outcome outcome = ACI_SQL_FINAL;
    size_t columns = 0;
    agentchat_status status = scene_install(c, 0, sqlite_script, &outcome, err);

    memset(text, 't', sizeof text);
    if (status >= 0)
        status = run_note(c, WRITE_ALL, &note_insert, note, 2, NULL, NULL, NULL, err);
    if (status >= 0)
        status = run_note(c, READ_ALL, &note_select, &zero, 1, take_row, &columns, NULL, err);
    if (status >= 0)
        assert_int_equal(columns, 2);
    if (status >= 0)
        status = run_note(c, WRITE_ALL, &note_delete, note, 1, NULL, NULL, NULL, err);
    if (status >= 0)
        status = aci_sqlite_driver.check(c, take_part, NULL, err);
    if (status == AGENTCHAT_E_NOMEM) {
        /* With memory again the connection works, or it says that it does not. */
        agentchat_error other;

        faults.held = true;
        agentchat_error_clear(&other);
        if (aci_sqlite_driver.is_alive(c) && scene_install(c, 0, sqlite_script, &outcome, &other) >= 0)
            (void)notes_in(c, READ_ALL);
        assert_int_equal(other.code, 0);
        faults.held = false;
    }
    return status;
}

static agentchat_status open_and_use(const scene *s, agentchat_error *err)
{
    aci_sqlite_connection *c = NULL;
    agentchat_status status = scene_connect(s, &c, err);

    if (status >= 0)
        status = use(c, err);
    scene_close(c);
    return status;
}

static void remove_file(const scene *s)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];

    for (size_t i = 0; s->path != NULL && i < 4; i++) {
        snprintf(name, sizeof name, "%s%s", s->path, suffixes[i]);
        unlink(name);
    }
}

static void run_failing(const scene *s, bool all_after)
{
    sqlite3_int64 before;
    uint64_t failed = 0;

    faults = (test_oom){.fail_at = UINT64_MAX};
    if (s->path != NULL) {
        agentchat_error err;

        test_ok(open_and_use(s, &err), &err);
    }
    before = sqlite3_memory_used();
    for (uint64_t n = 0;; n++) {
        agentchat_error err;
        agentchat_status status;
        bool reached;

        remove_file(s);
        faults = (test_oom){.fail_at = n, .all_after = all_after};
        status = open_and_use(s, &err);
        reached = faults.calls > n;
        faults = (test_oom){.fail_at = UINT64_MAX};
        if (status < 0 && (status != AGENTCHAT_E_NOMEM || err.code != (int32_t)status || !reached))
            fail_msg("allocation %llu: %s, \"%s\" (%d)", (unsigned long long)n, agentchat_status_name(status),
                     err.message, (int)err.native);
        if (sqlite3_memory_used() != before)
            fail_msg("allocation %llu: %lld bytes leaked", (unsigned long long)n,
                     (long long)(sqlite3_memory_used() - before));
        failed += status < 0;
        if (!reached)
            break;
    }
    print_message("%llu failures%s\n", (unsigned long long)failed, all_after ? ", each with all later ones" : "");
    assert_true(failed > 100);
}

static void test_oom__in_a_file(void **state)
{
    run_failing(*state, false);
    run_failing(*state, true);
}

static void test_oom__in_memory(void **state)
{
    scene memory = *(scene *)*state;

    memory.path = NULL;
    run_failing(&memory, false);
    run_failing(&memory, true);
}

/* Rows of a statement that is under way: the text of a column may be what there is no memory for. */
static void test_oom__while_rows_are_read(void **state)
{
    scene *s = *state;
    aci_sqlite_connection *c = scene_open_tables(s);
    aci_sql_value zero = integer_of(0);
    agentchat_error err;
    char text[9000];

    memset(text, 'x', sizeof text);
    for (int64_t id = 1; id < 6; id++)
        test_ok(note_write(c, id, (agentchat_str){text, sizeof text}, &err), &err);
    for (uint64_t n = 0;; n++) {
        size_t columns = 0;
        agentchat_status status;

        scene_close(c); /* nothing is cached */
        c = scene_open(s);
        faults = (test_oom){.fail_at = n};
        status = run_note(c, READ_ALL, &note_select, &zero, 1, take_row, &columns, NULL, &err);
        if (faults.calls <= n)
            n = UINT64_MAX - 1;
        faults = (test_oom){.fail_at = UINT64_MAX};
        if (status < 0)
            test_fails(status, &err, AGENTCHAT_E_NOMEM, NULL, "out of memory");
        else
            assert_int_equal(columns, 10);
        assert_true(aci_sqlite_driver.is_alive(c));
        assert_int_equal(notes_in(c, READ_ALL), 5);
        if (n == UINT64_MAX - 1)
            break;
    }
    scene_close(c);
}

/* ---- the driver's own allocations -------------------------------------------------------------------------------- */

static agentchat_status open_with(const agentchat_env *env, void *user, agentchat_error *err)
{
    const scene *s = user;
    agentchat_store *store = NULL;
    agentchat_status status;

    remove_file(s);
    status = agentchat_sqlite_open(env, s->path, &s->options, &store, err);
    agentchat_store_close(store);
    return status;
}

static void test_oom__of_the_environment(void **state)
{
    scene *s = *state, memory = *s;

    assert_true(test_oom_sweep(open_with, s) >= 4);
    memory.path = NULL;
    assert_true(test_oom_sweep(open_with, &memory) >= 3);
}

static int set_up(void **state)
{
    int result = scene_set_up_vfs(state);

    faults = (test_oom){.fail_at = UINT64_MAX};
    return result;
}

#define ON_OOM(test) cmocka_unit_test_setup_teardown(test, set_up, scene_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_OOM(test_oom__in_a_file),
        ON_OOM(test_oom__in_memory),
        ON_OOM(test_oom__while_rows_are_read),
        ON_OOM(test_oom__of_the_environment),
    };

    set_allocator();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
