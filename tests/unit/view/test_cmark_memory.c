/* SPDX-License-Identifier: Apache-2.0 */
/* cmark's memory from an environment: what it promises cmark, what runs out, what is left, and jobs inside jobs. */
#include "support/test_support.h"

#include "view/cmark_memory.h"

enum { BLOCKS = 20 };

/* Blocks of every size, zeroed, aligned, resized to and fro, some given back and some not. */
static void use_memory(cmark_mem *mem, void *user)
{
    unsigned char *blocks[BLOCKS];

    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = mem->calloc(i, 7);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < 7 * i; k++) {
            assert_int_equal(blocks[i][k], 0);
            blocks[i][k] = (unsigned char)(i + k);
        }
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t size = i % 2 == 0 ? 1000 : 3 * i;

        blocks[i] = mem->realloc(blocks[i], size);
        for (size_t k = 0; k < 7 * i && k < size; k++)
            assert_int_equal(blocks[i][k], (i + k) % 256);
    }
    mem->free(mem->realloc(NULL, 10));
    mem->free(NULL);
    mem->free(blocks[BLOCKS - 1]); /* the newest, the oldest, one between */
    mem->free(blocks[0]);
    mem->free(blocks[7]);
    ++*(int *)user;
}

static agentchat_status run(const agentchat_env *env, void *user, agentchat_error *err)
{
    int done = 0;

    (void)user;
    if (aci_cmark_memory_run(env, SIZE_MAX, use_memory, &done) == ACI_CMARK_DONE) {
        assert_int_equal(done, 1);
        return AGENTCHAT_OK;
    }
    assert_int_equal(done, 0); /* it was left in the middle */
    return agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
}

static void test_cmark_memory__is_all_given_back(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_error err;

    (void)state;
    assert_int_equal(run(env, NULL, &err), AGENTCHAT_OK);
    assert_int_equal(oom.live_blocks, 0);
    assert_true(oom.calls >= 2 * BLOCKS);
    agentchat_env_free(env);
}

static void test_cmark_memory__runs_out_anywhere(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(run, NULL) >= 2 * BLOCKS);
}

/* Sizes that no memory has, and that wrap. */
static void want_too_much(cmark_mem *mem, void *user)
{
    (void)mem->calloc(1, 10);
    if (*(int *)user == 0)
        (void)mem->calloc(SIZE_MAX / 2, 3);
    else if (*(int *)user == 1)
        (void)mem->calloc(1, SIZE_MAX - 8);
    else
        (void)mem->realloc(mem->calloc(1, 10), SIZE_MAX);
    fail_msg("there is no such memory");
}

static void test_cmark_memory__sizes_that_wrap(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        test_oom oom = {.fail_at = UINT64_MAX};
        agentchat_env *env = test_oom_env(&oom);

        assert_int_equal(aci_cmark_memory_run(env, SIZE_MAX, want_too_much, &i), ACI_CMARK_TOO_MUCH);
        assert_int_equal(oom.live_blocks, 0);
        agentchat_env_free(env);
    }
}

/* A bound is on what is there at one time, and holds to the byte. */
typedef struct within {
    size_t blocks, taken;
} within;

static void take_and_give(cmark_mem *mem, void *user)
{
    within *w = user;

    for (size_t i = 0; i < 100; i++)
        mem->free(mem->calloc(1, 1000));
    for (; w->taken < w->blocks; w->taken++)
        (void)mem->calloc(1, 1000);
}

static void test_cmark_memory__has_a_bound(void **state)
{
    static const size_t most[] = {0, 999, 10000, 20000};

    (void)state;
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        test_oom oom = {.fail_at = UINT64_MAX};
        agentchat_env *env = test_oom_env(&oom);
        uint64_t before = oom.live_bytes;
        within w = {SIZE_MAX, 0};

        oom.peak_bytes = before;
        assert_int_equal(aci_cmark_memory_run(env, most[i], take_and_give, &w), ACI_CMARK_TOO_MUCH);
        assert_true(oom.peak_bytes - before <= most[i]);
        assert_int_equal(oom.live_bytes, before);
        w = (within){w.taken, 0};
        assert_int_equal(aci_cmark_memory_run(env, most[i], take_and_give, &w),
                         i < 2 ? ACI_CMARK_TOO_MUCH : ACI_CMARK_DONE);
        agentchat_env_free(env);
    }
}

/* A job inside a job: what writes a page may write another one to its own stream. */
typedef struct inner {
    const agentchat_env *env;
    bool runs_out, done;
} inner;

static void use_inner(cmark_mem *mem, void *user)
{
    int more = 0;

    mem->free(mem->calloc(3, 3));
    if (((inner *)user)->runs_out)
        want_too_much(mem, &more);
}

static void use_both(cmark_mem *mem, void *user)
{
    inner *i = user;
    char *mine = mem->calloc(1, 4);

    memcpy(mine, "abc", 4);
    assert_int_equal(aci_cmark_memory_run(i->env, SIZE_MAX, use_inner, i),
                     i->runs_out ? ACI_CMARK_TOO_MUCH : ACI_CMARK_DONE);
    mine = mem->realloc(mine, 100);
    assert_string_equal(mine, "abc");
    mem->free(mem->calloc(1, 1));
    i->done = true;
}

static void test_cmark_memory__jobs_inside_jobs(void **state)
{
    (void)state;
    for (int runs_out = 0; runs_out < 2; runs_out++) {
        test_oom outer_oom = {.fail_at = UINT64_MAX}, inner_oom = {.fail_at = UINT64_MAX};
        agentchat_env *env = test_oom_env(&outer_oom);
        inner i = {test_oom_env(&inner_oom), runs_out != 0, false};

        assert_int_equal(aci_cmark_memory_run(env, SIZE_MAX, use_both, &i), ACI_CMARK_DONE);
        assert_true(i.done);
        assert_int_equal(outer_oom.live_blocks, 0);
        assert_int_equal(inner_oom.live_blocks, 0);
        assert_int_equal(outer_oom.calls, 3);
        agentchat_env_free((agentchat_env *)i.env);
        agentchat_env_free(env);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cmark_memory__is_all_given_back), cmocka_unit_test(test_cmark_memory__runs_out_anywhere),
        cmocka_unit_test(test_cmark_memory__sizes_that_wrap),   cmocka_unit_test(test_cmark_memory__has_a_bound),
        cmocka_unit_test(test_cmark_memory__jobs_inside_jobs),
    };

    return cmocka_run_group_tests_name("cmark_memory", tests, NULL, NULL);
}
