/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/arena.c. */
#include "support/test_support.h"

#include "base/arena.h"
#include <pthread.h>

static void test_home__memory_is_aligned_and_separate(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_home *home = aci_home_new(env, 0);
    unsigned char *blocks[500];
    size_t sizes[500];

    (void)state;
    assert_non_null(home);
    assert_ptr_equal(aci_home_env(home), env);
    for (size_t i = 0; i < 500; i++) {
        sizes[i] = 1 + i * 37 % 900;
        if (i == 250)
            sizes[i] = 3u << 20;
        blocks[i] = i % 3 == 0 ? (unsigned char *)aci_home_text(home, sizes[i]) : aci_home_alloc(home, sizes[i]);
        assert_non_null(blocks[i]);
        if (i % 3 != 0)
            assert_int_equal((uintptr_t)blocks[i] % 8, 0);
        memset(blocks[i], (int)(i & 0xFF), sizes[i]);
    }
    for (size_t i = 0; i < 500; i++) {
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(blocks[i][j], i & 0xFF);
    }
    aci_home_unref(home);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
}

static void test_home__a_small_one_costs_one_allocation(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_home *home = aci_home_new(env, 200);

    (void)state;
    assert_non_null(aci_home_alloc(home, 100));
    assert_non_null(aci_home_text(home, 100));
    assert_true(oom.calls == 1);
    assert_true(oom.live_bytes < 400);
    assert_non_null(aci_home_text(home, 1));
    assert_true(oom.calls == 2);
    aci_home_unref(home);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
}

static void test_home__blocks_double_up_to_a_mebibyte(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_home *home = aci_home_new(env, 0);

    (void)state;
    for (size_t i = 0; i < (8u << 20) / 1000; i++)
        assert_non_null(aci_home_text(home, 1000));
    /* 4 KiB to 512 KiB are nine blocks with one MiB in all; seven or eight of one MiB follow. */
    assert_in_range(oom.calls, 15, 18);
    assert_true(oom.live_bytes < 10u << 20);
    aci_home_unref(home);
    agentchat_env_free(env);
}

static void test_home__a_large_request_leaves_the_current_block_in_use(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_home *home = aci_home_new(env, 0);
    char *a = aci_home_text(home, 10), *b;

    (void)state;
    assert_non_null(aci_home_alloc(home, 1u << 20));
    b = aci_home_text(home, 10);
    assert_ptr_equal(b, a + 10);
    assert_true(oom.calls == 2);
    assert_null(aci_home_alloc(home, SIZE_MAX - 4));
    assert_null(aci_home_text(home, SIZE_MAX));
    aci_home_unref(home);
    assert_null(aci_home_new(env, SIZE_MAX - 8));
    agentchat_env_free(env);
}

static void test_home__text_can_be_shrunk(void **state)
{
    aci_home *home = aci_home_new(NULL, 0);
    char *a = aci_home_text(home, 100), *b;

    (void)state;
    aci_home_text_shrink(home, a, 100, 3);
    b = aci_home_text(home, 5);
    assert_ptr_equal(b, a + 3);
    aci_home_text_shrink(home, a, 3, 0); /* no longer the last one: nothing happens */
    assert_ptr_equal(aci_home_text(home, 1), b + 5);
    aci_home_unref(home);
}

static void test_home__copies_keep_absent_and_null(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_home *home = aci_home_new(env, 16);
    bool ok = true;
    agentchat_str copy;
    char text[] = "hello";

    (void)state;
    assert_null(aci_home_copy(home, (agentchat_str){NULL, 0}, &ok).ptr);
    assert_true(agentchat_str_is_null(aci_home_copy(home, agentchat_str_null(), &ok)));
    copy = aci_home_copy(home, AGENTCHAT_STR(""), &ok);
    assert_non_null(copy.ptr);
    assert_int_equal(copy.len, 0);
    assert_false(agentchat_str_is_null(copy));
    copy = aci_home_copy(home, agentchat_str_from(text), &ok);
    text[0] = 'j';
    assert_str(copy, "hello");
    assert_true(ok);
    oom.fail_at = oom.calls;
    copy = aci_home_copy(home, AGENTCHAT_STR("this is longer than what is left"), &ok);
    assert_null(copy.ptr);
    assert_int_equal(copy.len, 0);
    assert_false(ok);
    aci_home_unref(home);
    agentchat_env_free(env);
}

static void test_home__rewind_frees_what_came_later(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_home *home = aci_home_new(env, 0);
    char *before, *large, *after;
    aci_home_mark mark, empty = aci_home_get_mark(home);
    uint64_t live;

    (void)state;
    before = aci_home_text(home, 5);
    memcpy(before, "early", 5);
    large = aci_home_text(home, 100000);
    memset(large, 'L', 100000);
    mark = aci_home_get_mark(home);
    live = oom.live_blocks;
    for (int round = 0; round < 3; round++) {
        after = aci_home_text(home, 1);
        for (int i = 0; i < 100; i++)
            assert_non_null(aci_home_alloc(home, 700));
        assert_non_null(aci_home_alloc(home, 3u << 20));
        assert_true(oom.live_blocks > live);
        aci_home_rewind(home, mark);
        assert_int_equal(oom.live_blocks, live);
        assert_ptr_equal(aci_home_text(home, 1), after);
        aci_home_rewind(home, mark);
    }
    assert_memory_equal(before, "early", 5);
    assert_int_equal(large[99999], 'L');
    aci_home_rewind(home, empty);
    assert_int_equal(oom.live_blocks, 1);
    assert_ptr_equal(aci_home_text(home, 1), before);
    aci_home_unref(home);
    assert_int_equal(oom.live_blocks, 0);
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

static void attach_note(aci_home *home, int *destroyed)
{
    note *n = aci_alloc(aci_home_env(home), sizeof *n);

    assert_non_null(n);
    *n = (note){{NULL, sizeof *n, destroyed != NULL ? note_destroy : NULL}, destroyed};
    aci_home_attach(home, &n->base);
}

static void test_home__attached_blocks_end_with_it(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_home *home = aci_home_new(env, 0);
    int destroyed = 0;

    (void)state;
    attach_note(home, &destroyed);
    attach_note(home, NULL);
    attach_note(home, &destroyed);
    assert_ptr_equal(aci_home_ref(home), home);
    assert_null(aci_home_ref(NULL));
    aci_home_unref(home);
    assert_int_equal(destroyed, 0);
    aci_home_unref(home);
    aci_home_unref(NULL);
    assert_int_equal(destroyed, 2);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
}

#define THREADS 4
#define ROUNDS 2000

static void *attach_and_release(void *argument)
{
    aci_home *home = argument;

    for (int i = 0; i < ROUNDS; i++) {
        note *n = aci_alloc(aci_home_env(home), sizeof *n);

        aci_home_ref(home);
        if (n != NULL) {
            *n = (note){{NULL, sizeof *n, NULL}, NULL};
            aci_home_attach(home, &n->base);
        }
        aci_home_unref(home);
    }
    aci_home_unref(home);
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

static void test_home__threads_may_share_it(void **state)
{
    agentchat_allocator allocator = {counting_alloc, NULL, counting_free, NULL};
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    pthread_t threads[THREADS];
    agentchat_env *env;
    aci_home *home;

    (void)state;
    options.allocator = &allocator;
    env = agentchat_env_new(&options);
    assert_non_null(env);
    home = aci_home_new(env, 0);
    assert_non_null(home);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, attach_and_release, aci_home_ref(home)), 0);
    aci_home_unref(home);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    agentchat_env_free(env);
    assert_true(live_now == 0);
}

static agentchat_status fill_home(const agentchat_env *env, void *user, agentchat_error *err)
{
    aci_home *home = aci_home_new(env, 64);
    bool ok = home != NULL;

    (void)user;
    (void)err;
    for (size_t i = 0; ok && i < 20; i++)
        ok = aci_home_alloc(home, 600) != NULL && aci_home_text(home, 5000) != NULL;
    if (ok)
        aci_home_copy(home, (agentchat_str){"12345678", 8}, &ok);
    aci_home_unref(home);
    return ok ? AGENTCHAT_OK : AGENTCHAT_E_NOMEM;
}

static void test_home__survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(fill_home, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_home__memory_is_aligned_and_separate),
        cmocka_unit_test(test_home__a_small_one_costs_one_allocation),
        cmocka_unit_test(test_home__blocks_double_up_to_a_mebibyte),
        cmocka_unit_test(test_home__a_large_request_leaves_the_current_block_in_use),
        cmocka_unit_test(test_home__text_can_be_shrunk),
        cmocka_unit_test(test_home__copies_keep_absent_and_null),
        cmocka_unit_test(test_home__rewind_frees_what_came_later),
        cmocka_unit_test(test_home__attached_blocks_end_with_it),
        cmocka_unit_test(test_home__threads_may_share_it),
        cmocka_unit_test(test_home__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
