/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/env.c. */
#include "support/test_support.h"

#include "base/env.h"

static void test_env__null_is_the_default(void **state)
{
    const agentchat_env *env = aci_env(NULL);

    (void)state;
    assert_non_null(env);
    assert_ptr_equal(env, aci_env(NULL));
    assert_ptr_equal(aci_env(env), env);
    assert_true(env->limits.max_bytes == ACI_DEFAULT_MAX_BYTES);
    assert_true(env->limits.max_messages == ACI_DEFAULT_MAX_MESSAGES);
    assert_int_equal(env->limits.max_depth, ACI_DEFAULT_MAX_DEPTH);
}

static void test_env__takes_options(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;

    (void)state;
    limits.max_bytes = 1000;
    options.limits = &limits;
    env = test_env(&options);
    assert_true(env->limits.max_bytes == 1000);
    assert_int_equal(env->limits.max_depth, ACI_DEFAULT_MAX_DEPTH);
    agentchat_env_free(env);
    env = test_env(NULL);
    agentchat_env_free(env);
    agentchat_env_free(NULL);
}

static void refuse(const agentchat_env_options *options, agentchat_status expected, const char *message)
{
    agentchat_env *env = (agentchat_env *)(uintptr_t)1;
    agentchat_error err;

    test_fails(agentchat_env_new(options, &env, &err), &err, expected, "", message);
    assert_null(env);
}

static void test_env__refuses_bad_options(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_allocator allocator = aci_env(NULL)->allocator;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_env_new(NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    options.struct_size = 0;
    refuse(&options, AGENTCHAT_E_INVALID, "struct_size of the options is not set");
    options.struct_size = SIZE_MAX;
    refuse(&options, AGENTCHAT_E_INVALID, "struct_size");
    options.struct_size = sizeof options;
    options.limits = &limits;
    limits.max_depth = ACI_HIGHEST_MAX_DEPTH + 1;
    refuse(&options, AGENTCHAT_E_INVALID, "max_depth is 10001");
    limits.max_depth = 0;
    limits.struct_size = 0;
    refuse(&options, AGENTCHAT_E_INVALID, "struct_size of the limits is not set");
    options.limits = NULL;
    options.allocator = &allocator;
    allocator.alloc = NULL;
    refuse(&options, AGENTCHAT_E_INVALID, "the allocator lacks alloc");
    allocator = aci_env(NULL)->allocator;
    allocator.free = NULL;
    refuse(&options, AGENTCHAT_E_INVALID, "the allocator lacks free");
    allocator = aci_env(NULL)->allocator;
    allocator.struct_size = 0;
    refuse(&options, AGENTCHAT_E_INVALID, "struct_size of the allocator is not set");
}

static void *no_memory(void *user, size_t size)
{
    (void)user;
    (void)size;
    return NULL;
}

static void test_env__reports_lack_of_memory(void **state)
{
    agentchat_allocator allocator = aci_env(NULL)->allocator;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;

    (void)state;
    allocator.alloc = no_memory;
    options.allocator = &allocator;
    refuse(&options, AGENTCHAT_E_NOMEM, "out of memory");
}

static void count(void *user)
{
    ++*(int *)user;
}

/* Once each: when the environment goes, and when it was never made. */
static void test_env__releases_what_it_was_given(void **state)
{
    struct {
        agentchat_env_options options;
        int more;
    } newer = {.options = AGENTCHAT_ENV_OPTIONS_INIT, .more = 1};
    int clocks = 0, memories = 0;
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_allocator allocator = aci_env(NULL)->allocator;
    agentchat_env_options *options = &newer.options;
    agentchat_env *env;

    (void)state;
    allocator.user = &memories;
    allocator.free_user = count;
    options->allocator = &allocator;
    options->limits = &limits;
    options->user = &clocks;
    options->free_user = count;
    env = test_env(options);
    assert_true(clocks == 0 && memories == 0);
    agentchat_env_free(env);
    assert_true(clocks == 1 && memories == 1);
    limits.max_depth = ACI_HIGHEST_MAX_DEPTH + 1;
    refuse(options, AGENTCHAT_E_INVALID, "max_depth");
    assert_true(clocks == 2 && memories == 2);
    limits.max_depth = 0;
    options->struct_size = sizeof newer;
    refuse(options, AGENTCHAT_E_INVALID, "this version of the library lacks");
    assert_true(clocks == 3 && memories == 3);
    options->struct_size = sizeof *options;
    assert_int_equal(agentchat_env_new(options, NULL, NULL), AGENTCHAT_E_INVALID);
    assert_true(clocks == 4 && memories == 4);
    allocator.alloc = no_memory;
    refuse(options, AGENTCHAT_E_NOMEM, "out of memory");
    assert_true(clocks == 5 && memories == 5);
}

static void test_limits__are_checked_and_completed(void **state)
{
    agentchat_limits given = AGENTCHAT_LIMITS_INIT, out;
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_env_limits_load(NULL, NULL, &out, &err), &err);
    assert_true(out.max_bytes == ACI_DEFAULT_MAX_BYTES);
    assert_int_equal(out.max_copies, ACI_DEFAULT_MAX_COPIES);
    given.max_messages = 7;
    given.max_depth = ACI_HIGHEST_MAX_DEPTH;
    test_ok(aci_env_limits_load(NULL, &given, &out, &err), &err);
    assert_true(out.max_messages == 7);
    assert_int_equal(out.max_depth, ACI_HIGHEST_MAX_DEPTH);
    assert_true(out.max_bytes == ACI_DEFAULT_MAX_BYTES);
    given.max_depth++;
    test_fails(aci_env_limits_load(NULL, &given, &out, &err), &err, AGENTCHAT_E_INVALID, "",
               "max_depth is 10001, but at most 10000 is allowed");
    agentchat_error_clear(&err);
    given.max_depth = 0;
    given.max_copies = 3;
    test_ok(aci_env_limits_load(NULL, &given, &out, &err), &err);
    assert_int_equal(out.max_copies, 3);
    given.struct_size = 3;
    test_fails(aci_env_limits_load(NULL, &given, &out, &err), &err, AGENTCHAT_E_INVALID, "", "struct_size");
}

typedef struct options_v1 {
    size_t struct_size;
    uint64_t first;
} options_v1;

typedef struct options_v2 {
    size_t struct_size;
    uint64_t first, second;
} options_v2;

static void test_options__of_older_and_newer_callers_are_read(void **state)
{
    options_v1 old = {sizeof old, 11}, from_new;
    options_v2 new = {sizeof new, 21, 0}, from_old;
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_env_options_load(&from_old, sizeof from_old, &old, &err), &err);
    assert_true(from_old.first == 11 && from_old.second == 0);
    assert_int_equal(from_old.struct_size, sizeof from_old);
    test_ok(aci_env_options_load(&from_new, sizeof from_new, &new, &err), &err);
    assert_true(from_new.first == 21);
    assert_int_equal(from_new.struct_size, sizeof from_new);
    new.second = 1;
    test_fails(aci_env_options_load(&from_new, sizeof from_new, &new, &err), &err, AGENTCHAT_E_INVALID, "",
               "this version of the library lacks");
    test_ok(aci_env_options_load(&from_new, sizeof from_new, NULL, NULL), NULL);
    assert_true(from_new.first == 0);
}

static void test_options__init_zeroes_all_but_the_size(void **state)
{
    agentchat_limits limits, expected = AGENTCHAT_LIMITS_INIT;
    unsigned char larger[sizeof limits + 8];

    (void)state;
    memset(&limits, 0xAA, sizeof limits);
    agentchat_limits_init(&limits, sizeof limits);
    assert_memory_equal(&limits, &expected, sizeof limits);
    memset(larger, 0xAA, sizeof larger); /* of a newer header */
    aci_env_options_init(larger, sizeof larger);
    test_ok(aci_env_options_load(&limits, sizeof limits, larger, NULL), NULL);
    memset(larger, 0xAA, sizeof larger);
    aci_env_options_init(larger, 3); /* no room for a size */
    assert_int_equal(larger[0], 0xAA);
    aci_env_options_init(NULL, sizeof limits);
}

static void test_alloc__works_without_realloc(void **state)
{
    agentchat_allocator allocator;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *counting = test_oom_env(&oom), *env;
    char *block;

    (void)state;
    allocator = counting->allocator;
    allocator.realloc = NULL;
    options.allocator = &allocator;
    env = test_env(&options);
    block = aci_realloc(env, NULL, 0, 4);
    assert_non_null(block);
    memcpy(block, "abc", 4);
    block = aci_realloc(env, block, 4, 1000);
    assert_non_null(block);
    assert_string_equal(block, "abc");
    block = aci_realloc(env, block, 1000, 2);
    assert_non_null(block);
    assert_memory_equal(block, "ab", 2);
    oom.fail_at = oom.calls;
    assert_null(aci_realloc(env, block, 2, 100));
    assert_memory_equal(block, "ab", 2);
    aci_free(env, block, 2);
    aci_free(env, NULL, 0);
    block = aci_alloc_zero(env, 3);
    assert_memory_equal(block, "\0\0\0", 3);
    aci_free(env, block, 3);
    block = aci_strdup(env, AGENTCHAT_STR("a\0b"));
    assert_memory_equal(block, "a\0b", 4);
    aci_free(env, block, 4);
    block = aci_strdup(env, (agentchat_str){NULL, 0});
    assert_string_equal(block, "");
    aci_free(env, block, 1);
    oom.fail_at = oom.calls;
    oom.all_after = true;
    assert_null(aci_alloc_zero(env, 3));
    assert_null(aci_strdup(env, AGENTCHAT_STR("a")));
    agentchat_env_free(env);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(counting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_env__null_is_the_default),
        cmocka_unit_test(test_env__takes_options),
        cmocka_unit_test(test_env__refuses_bad_options),
        cmocka_unit_test(test_env__reports_lack_of_memory),
        cmocka_unit_test(test_env__releases_what_it_was_given),
        cmocka_unit_test(test_limits__are_checked_and_completed),
        cmocka_unit_test(test_options__of_older_and_newer_callers_are_read),
        cmocka_unit_test(test_options__init_zeroes_all_but_the_size),
        cmocka_unit_test(test_alloc__works_without_realloc),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
