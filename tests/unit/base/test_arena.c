/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/arena.c. */
#include "support/test_support.h"

#include "base/arena.h"
#include <pthread.h>

static void test_arena__memory_is_aligned_and_separate(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_arena *arena = aci_arena_new(env, 0);
    unsigned char *blocks[500];
    size_t sizes[500];

    (void)state;
    assert_non_null(arena);
    assert_ptr_equal(aci_arena_env(arena), env);
    for (size_t i = 0; i < 500; i++) {
        sizes[i] = 1 + i * 37 % 900;
        if (i == 250)
            sizes[i] = 3u << 20;
        blocks[i] = i % 3 == 0 ? (unsigned char *)aci_arena_text(arena, sizes[i]) : aci_arena_alloc(arena, sizes[i]);
        assert_non_null(blocks[i]);
        if (i % 3 != 0)
            assert_int_equal((uintptr_t)blocks[i] % 8, 0);
        memset(blocks[i], (int)(i & 0xFF), sizes[i]);
    }
    for (size_t i = 0; i < 500; i++) {
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(blocks[i][j], i & 0xFF);
    }
    aci_arena_unref(arena);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
}

static void test_arena__a_small_one_costs_one_allocation(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_arena *arena = aci_arena_new(env, 200);

    (void)state;
    assert_non_null(aci_arena_alloc(arena, 100));
    assert_non_null(aci_arena_text(arena, 100));
    assert_true(oom.calls == 1);
    assert_true(oom.live_bytes < 400);
    assert_non_null(aci_arena_text(arena, 1));
    assert_true(oom.calls == 2);
    aci_arena_unref(arena);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
}

static void test_arena__blocks_double_up_to_a_mebibyte(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_arena *arena = aci_arena_new(env, 0);

    (void)state;
    for (size_t i = 0; i < (8u << 20) / 1000; i++)
        assert_non_null(aci_arena_text(arena, 1000));
    /* 4 KiB to 512 KiB are nine blocks with one MiB in all; seven or eight of one MiB follow. */
    assert_in_range(oom.calls, 15, 18);
    assert_true(oom.live_bytes < 10u << 20);
    aci_arena_unref(arena);
    agentchat_env_free(env);
}

static void test_arena__a_large_request_leaves_the_current_block_in_use(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_arena *arena = aci_arena_new(env, 0);
    char *a = aci_arena_text(arena, 10), *b;

    (void)state;
    assert_non_null(aci_arena_alloc(arena, 1u << 20));
    b = aci_arena_text(arena, 10);
    assert_ptr_equal(b, a + 10);
    assert_true(oom.calls == 2);
    assert_null(aci_arena_alloc(arena, SIZE_MAX - 4));
    assert_null(aci_arena_text(arena, SIZE_MAX));
    aci_arena_unref(arena);
    assert_null(aci_arena_new(env, SIZE_MAX - 8));
    agentchat_env_free(env);
}

static void test_arena__text_can_be_shrunk(void **state)
{
    aci_arena *arena = aci_arena_new(NULL, 0);
    char *a = aci_arena_text(arena, 100), *b;

    (void)state;
    aci_arena_text_shrink(arena, a, 100, 3);
    b = aci_arena_text(arena, 5);
    assert_ptr_equal(b, a + 3);
    aci_arena_text_shrink(arena, a, 3, 0); /* no longer the last one: nothing happens */
    assert_ptr_equal(aci_arena_text(arena, 1), b + 5);
    aci_arena_unref(arena);
}

static void test_arena__copies_keep_absent_and_null(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_arena *arena = aci_arena_new(env, 16);
    bool ok = true;
    agentchat_str copy;
    char text[] = "hello";

    (void)state;
    assert_null(aci_arena_copy(arena, (agentchat_str){NULL, 0}, &ok).ptr);
    assert_true(agentchat_str_is_null(aci_arena_copy(arena, agentchat_str_null(), &ok)));
    copy = aci_arena_copy(arena, AGENTCHAT_STR(""), &ok);
    assert_non_null(copy.ptr);
    assert_int_equal(copy.len, 0);
    assert_false(agentchat_str_is_null(copy));
    copy = aci_arena_copy(arena, agentchat_str_from(text), &ok);
    text[0] = 'j';
    assert_str(copy, "hello");
    assert_true(ok);
    oom.fail_at = oom.calls;
    copy = aci_arena_copy(arena, AGENTCHAT_STR("this is longer than what is left"), &ok);
    assert_null(copy.ptr);
    assert_int_equal(copy.len, 0);
    assert_false(ok);
    aci_arena_unref(arena);
    agentchat_env_free(env);
}

typedef struct note {
    aci_attached base;
    int *destroyed;
} note;

static void note_destroy(aci_attached *self)
{
    ++*((note *)self)->destroyed;
}

static void attach_note(aci_arena *arena, int *destroyed)
{
    note *n = aci_alloc(aci_arena_env(arena), sizeof *n);

    assert_non_null(n);
    *n = (note){{NULL, sizeof *n, destroyed != NULL ? note_destroy : NULL}, destroyed};
    aci_arena_attach(arena, &n->base);
}

static void test_arena__attached_blocks_end_with_it(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_arena *arena = aci_arena_new(env, 0);
    int destroyed = 0;

    (void)state;
    attach_note(arena, &destroyed);
    attach_note(arena, NULL);
    attach_note(arena, &destroyed);
    assert_ptr_equal(aci_arena_ref(arena), arena);
    assert_null(aci_arena_ref(NULL));
    aci_arena_unref(arena);
    assert_int_equal(destroyed, 0);
    aci_arena_unref(arena);
    aci_arena_unref(NULL);
    assert_int_equal(destroyed, 2);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
}

#define THREADS 4
#define ROUNDS 2000

static void *attach_and_release(void *argument)
{
    aci_arena *arena = argument;

    for (int i = 0; i < ROUNDS; i++) {
        note *n = aci_alloc(aci_arena_env(arena), sizeof *n);

        aci_arena_ref(arena);
        if (n != NULL) {
            *n = (note){{NULL, sizeof *n, NULL}, NULL};
            aci_arena_attach(arena, &n->base);
        }
        aci_arena_unref(arena);
    }
    aci_arena_unref(arena);
    return NULL;
}

static _Atomic(uint64_t) live_now;

static void *counting_alloc(void *user, size_t size)
{
    (void)user;
    live_now++;
    return malloc(size);
}

static void counting_free(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    live_now--;
    free(block);
}

static void test_arena__threads_may_share_it(void **state)
{
    agentchat_allocator allocator = {.struct_size = sizeof allocator, .alloc = counting_alloc, .free = counting_free};
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    pthread_t threads[THREADS];
    agentchat_env *env;
    aci_arena *arena;

    (void)state;
    options.allocator = &allocator;
    env = test_env(&options);
    arena = aci_arena_new(env, 0);
    assert_non_null(arena);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, attach_and_release, aci_arena_ref(arena)), 0);
    aci_arena_unref(arena);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    agentchat_env_free(env);
    assert_true(live_now == 0);
}

static agentchat_status fill_arena(const agentchat_env *env, void *user, agentchat_error *err)
{
    aci_arena *arena = aci_arena_new(env, 64);
    bool ok = arena != NULL;

    (void)user;
    (void)err;
    for (size_t i = 0; ok && i < 20; i++)
        ok = aci_arena_alloc(arena, 600) != NULL && aci_arena_text(arena, 5000) != NULL;
    if (ok)
        aci_arena_copy(arena, (agentchat_str){"12345678", 8}, &ok);
    aci_arena_unref(arena);
    return ok ? AGENTCHAT_OK : AGENTCHAT_E_NOMEM;
}

static void test_arena__survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(fill_arena, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena__memory_is_aligned_and_separate),
        cmocka_unit_test(test_arena__a_small_one_costs_one_allocation),
        cmocka_unit_test(test_arena__blocks_double_up_to_a_mebibyte),
        cmocka_unit_test(test_arena__a_large_request_leaves_the_current_block_in_use),
        cmocka_unit_test(test_arena__text_can_be_shrunk),
        cmocka_unit_test(test_arena__copies_keep_absent_and_null),
        cmocka_unit_test(test_arena__attached_blocks_end_with_it),
        cmocka_unit_test(test_arena__threads_may_share_it),
        cmocka_unit_test(test_arena__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
