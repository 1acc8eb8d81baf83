/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is not there: the driver's own, which comes from the environment, and libpq's, which comes from malloc.
   Neither may crash, leak, hang, or claim of a transaction what is not so. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "postgres_support.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>

static char *database;

/* ---- libpq's memory: the program's malloc, which fails on demand -------------------------------------------- */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_OWN_MALLOC 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define HAS_OWN_MALLOC 0
#endif
#ifndef HAS_OWN_MALLOC
#define HAS_OWN_MALLOC 1
#endif

static _Thread_local struct {
    bool is_armed, all_after;
    unsigned long calls, fail_at, failures;
    long live_blocks, most_blocks; /* since it was armed */
    size_t largest_block;
    unsigned long long moved; /* bytes, by memmove */
} chaos;

#if HAS_OWN_MALLOC
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static bool fails_now(void)
{
    unsigned long call = chaos.calls;

    if (!chaos.is_armed)
        return false;
    chaos.calls++;
    if (call != chaos.fail_at && !(chaos.all_after && call > chaos.fail_at))
        return false;
    chaos.failures++;
    errno = ENOMEM;
    return true;
}

static void count_block(size_t size, long change)
{
    if (!chaos.is_armed)
        return;
    chaos.live_blocks += change;
    if (chaos.live_blocks > chaos.most_blocks)
        chaos.most_blocks = chaos.live_blocks;
    if (size > chaos.largest_block)
        chaos.largest_block = size;
}

void *malloc(size_t size)
{
    count_block(size, 1);
    return fails_now() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    count_block(size, 1);
    return fails_now() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    count_block(size, block == NULL);
    return fails_now() ? NULL : __libc_realloc(block, size);
}

void *memmove(void *to, const void *from, size_t size)
{
    static void *(*real)(void *, const void *, size_t);

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "memmove");
    if (chaos.is_armed)
        chaos.moved += size;
    return real(to, from, size);
}

void free(void *block)
{
    if (block != NULL)
        count_block(0, -1);
    __libc_free(block);
}
#endif

static void arm(unsigned long fail_at, bool all_after)
{
    chaos.calls = chaos.failures = 0;
    chaos.live_blocks = chaos.most_blocks = 0;
    chaos.largest_block = 0;
    chaos.moved = 0;
    chaos.fail_at = fail_at;
    chaos.all_after = all_after;
    chaos.is_armed = true;
}

/* Whether anything failed. */
static bool disarm(void)
{
    chaos.is_armed = false;
    return chaos.failures > 0;
}

/* ---- the scenarios -------------------------------------------------------------------------------------------- */

/* Writes a note and reads what is there, in one batch: everything that a batch can have. */
static agentchat_status write_and_read(aci_postgres_connection *c, int64_t id, rows *got, aci_sql_outcome *outcome,
                                       agentchat_error *err)
{
    aci_sql_value note[] = {integer_of(id), text_of("a note")};
    aci_sql_request requests[3];

    requests[0] = request_of(&note_insert, note, 2);
    requests[1] = request_rows(&note_select, note, 1, got);
    requests[2] = request_of(&note_update, note, 2);
    agentchat_error_clear(err);
    return aci_postgres_driver.run(c, WRITE_ALL, requests, 3, outcome, err);
}

static void test_memory__of_libpq_while_connecting(void **state)
{
    (void)state;
    if (!HAS_OWN_MALLOC)
        skip();
    for (int all_after = 0; all_after < 2; all_after++) {
        for (unsigned long n = 0;; n++) {
            aci_postgres_connection *c = NULL;
            aci_sql_outcome outcome;
            agentchat_error err;
            agentchat_status status;
            bool failed;

            arm(n, all_after != 0);
            status = pg_connect(database, 2000, &c, &outcome, &err);
            failed = disarm();
            if (status >= 0) {
                assert_true(aci_postgres_driver.is_alive(c));
                (void)notes_in(c);
                pg_close(c);
            } else if (status != AGENTCHAT_E_NOMEM) {
                fail_msg("allocation %lu: %s: %s", n, agentchat_status_name(status), err.message);
            }
            if (!failed)
                break;
        }
    }
}

static void test_memory__of_libpq_in_a_batch(void **state)
{
    int64_t id = 0;

    (void)state;
    if (!HAS_OWN_MALLOC)
        skip();
    for (int all_after = 0; all_after < 2; all_after++) {
        for (unsigned long n = 0;; n++) {
            aci_postgres_connection *c = pg_open(database, 2000);
            aci_sql_outcome outcome = ACI_SQL_FINAL;
            agentchat_error err;
            agentchat_status status;
            char question[100];
            bool failed, is_there;
            rows got;

            id++;
            arm(n, all_after != 0);
            status = write_and_read(c, id, &got, &outcome, &err);
            failed = disarm();
            if (status < 0 && status != AGENTCHAT_E_NOMEM)
                fail_msg("allocation %lu: %s: %s", n, agentchat_status_name(status), err.message);
            if (aci_postgres_driver.is_alive(c))
                (void)notes_in(c);
            pg_close(c);
            snprintf(question, sizeof question, "SELECT count(*) FROM agentchat.note WHERE id = %d", (int)id);
            is_there = test_postgres_count(database, question) == 1;
            if (status >= 0)
                assert_true(is_there);
            else if (outcome != ACI_SQL_UNCERTAIN)
                assert_false(is_there);
            if (!failed)
                break;
        }
    }
}

/* The server sleeps over the first statement while 40 MB of others wait, and then gives 30 MB back. */
static void test_memory__of_libpq_does_not_grow_with_the_batch(void **state)
{
    enum { COUNT = 2000, LEN = 20000 };
    static const aci_sql_statement sleep = {1, 20, "SELECT pg_sleep(0.3) IS NULL"};
    static const aci_sql_statement series = {1, 21, "SELECT repeat('x', 3000) FROM generate_series(1, 10000)"};
    aci_postgres_connection *c;
    aci_sql_request *requests;
    aci_sql_value text[] = {text_of("")};
    static const aci_sql_statement take = {1, 22, "SELECT length($1)"};
    aci_sql_outcome outcome;
    agentchat_error err;
    agentchat_status status;
    char *long_text;
    rows got;

    (void)state;
    if (!HAS_OWN_MALLOC)
        skip();
    c = pg_open(database, 10000);
    requests = calloc(COUNT + 2, sizeof *requests);
    long_text = malloc(LEN);
    memset(long_text, 'x', LEN);
    text[0].text = (agentchat_str){long_text, LEN};
    requests[0] = request_of(&sleep, NULL, 0);
    for (size_t i = 1; i <= COUNT; i++)
        requests[i] = request_of(&take, text, 1);
    requests[COUNT + 1] = request_rows(&series, NULL, 0, &got);
    agentchat_error_clear(&err);
    arm(ULONG_MAX, false);
    status = aci_postgres_driver.run(c, READ_ALL, requests, COUNT + 2, &outcome, &err);
    (void)disarm();
    test_ok(status, &err);
    assert_int_equal(got.count, 10000);
    assert_true(chaos.largest_block < (size_t)1 << 20);
    assert_true(chaos.most_blocks < 2 * COUNT + 100); /* libpq remembers each command that is under way */
    pg_close(c);
    free(requests);
    free(long_text);
}

/* A large value goes out in many parts, and none of them makes libpq move the rest. */
static void test_memory__of_libpq_is_not_moved_for_each_part_of_a_large_value(void **state)
{
    static const size_t len = (size_t)32 << 20;
    static const aci_sql_statement length = {1, 23, "SELECT length($1), $1"};
    aci_postgres_connection *c;
    aci_sql_value text[] = {text_of("")};
    char *long_text;
    aci_sql_outcome outcome;
    agentchat_error err;
    agentchat_status status;
    rows got;

    (void)state;
    if (!HAS_OWN_MALLOC)
        skip();
    c = pg_open(database, 10000);
    long_text = malloc(len);
    memset(long_text, 'x', len);
    text[0].text = (agentchat_str){long_text, len};
    agentchat_error_clear(&err);
    arm(ULONG_MAX, false);
    status = pg_one(c, READ_ALL, request_rows(&length, text, 1, &got), &outcome, &err);
    (void)disarm();
    test_ok(status, &err);
    assert_string_equal(got.text, "I33554432 Txxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx |");
    assert_true(chaos.moved < 4 * len);
    pg_close(c);
    free(long_text);
}

/* ---- the driver's memory -------------------------------------------------------------------------------------- */

static agentchat_status connect_once(const agentchat_env *env, void *user, agentchat_error *err)
{
    aci_postgres *server = NULL;
    void *connection = NULL;
    aci_sql_outcome outcome;
    agentchat_status status = aci_postgres_new(env, database, 2000, &server, err);

    (void)user;
    if (status < 0) {
        assert_null(server);
        return status;
    }
    status = aci_postgres_driver.connect(server, server->wait_ms, &connection, &outcome, err);
    if (status >= 0)
        aci_postgres_driver.disconnect(connection);
    else
        assert_null(connection);
    aci_postgres_driver.free(server);
    return status;
}

static void test_memory__of_the_driver(void **state)
{
    (void)state;
    assert_int_equal(test_oom_sweep(connect_once, NULL), 3);
}

static agentchat_status init_and_open(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_store *store = NULL;
    agentchat_status status;

    (void)user;
    test_postgres_run(database, "DROP SCHEMA IF EXISTS agentchat CASCADE");
    status = agentchat_postgres_init(env, database, NULL, err);
    if (status >= 0)
        status = agentchat_postgres_open(env, database, NULL, &store, err);
    if (status < 0)
        assert_null(store);
    agentchat_store_close(store);
    return status;
}

static void test_memory__of_opening(void **state)
{
    (void)state;
    assert_in_range(test_oom_sweep(init_and_open, NULL), 6, 100);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory__of_libpq_while_connecting),
        cmocka_unit_test(test_memory__of_libpq_in_a_batch),
        cmocka_unit_test(test_memory__of_libpq_does_not_grow_with_the_batch),
        cmocka_unit_test(test_memory__of_libpq_is_not_moved_for_each_part_of_a_large_value),
        cmocka_unit_test(test_memory__of_the_driver),
        cmocka_unit_test(test_memory__of_opening),
    };

    test_postgres_begin("unit.postgres_memory");
    database = test_postgres_database();
    pg_make_notes(database);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
