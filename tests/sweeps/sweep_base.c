/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/base.h: environments, views, bytes. */
#include "sweep.h"

#include "base/env.h"

static agentchat_status views(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_str a, b, null;
    bool equal, is_null;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    a = agentchat_str_from("text");
    b = agentchat_str_from(NULL);
    null = agentchat_str_null();
    equal = agentchat_str_equal(a, b);
    is_null = agentchat_str_is_null(null);
    sweep_end();
    assert_str(a, "text");
    assert_null(b.ptr);
    assert_false(equal);
    assert_true(is_null);
    return AGENTCHAT_OK;
}

/* 0: with the memory of env; 1: with that of the default environment. */
static agentchat_status new_env(const agentchat_env *env, unsigned variant, agentchat_env **out, agentchat_error *err)
{
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;

    options.allocator = &env->allocator;
    return agentchat_env_new(variant == 0 ? &options : NULL, out, err);
}

static agentchat_status env_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_env *made;
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = new_env(env, variant, &made, err);
    sweep_end();
    assert_true((made != NULL) == (status >= 0));
    agentchat_env_free(made);
    test_ok(new_env(env, variant, &made, &again), &again);
    agentchat_env_free(made);
    return status;
}

static agentchat_status env_free(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_env *made;
    agentchat_error again;

    (void)err;
    test_ok(new_env(env, variant, &made, &again), &again);
    sweep_begin();
    agentchat_env_free(NULL);
    agentchat_env_free(made);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_allocator allocator;
    agentchat_limits limits;
    agentchat_env_options options;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_allocator_init(&allocator, sizeof allocator);
    agentchat_limits_init(&limits, sizeof limits);
    agentchat_env_options_init(&options, sizeof options);
    sweep_end();
    assert_true(allocator.struct_size == sizeof allocator && allocator.alloc == NULL && allocator.free_user == NULL);
    assert_true(limits.struct_size == sizeof limits && limits.max_bytes == 0 && limits.max_copies == 0);
    assert_true(options.struct_size == sizeof options && options.allocator == NULL && options.free_user == NULL);
    return AGENTCHAT_OK;
}

/* 0: to nothing; 1: beyond what fits. The memory is that of the bytes, here the default one's. */
static agentchat_status bytes_append(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error again;
    size_t before;
    agentchat_status status;

    (void)env;
    if (variant == 1)
        test_ok(agentchat_bytes_append(&bytes, AGENTCHAT_STR("start"), &again), &again);
    before = bytes.len;
    sweep_begin();
    status = agentchat_bytes_append(&bytes, sweep_long(), err);
    sweep_end();
    if (status < 0) {
        assert_int_equal(bytes.len, before);
        assert_true(before == 0 || strcmp(bytes.ptr, "start") == 0);
        test_ok(agentchat_bytes_append(&bytes, sweep_long(), &again), &again);
    }
    assert_int_equal(bytes.len, before + sweep_long().len);
    assert_memory_equal(bytes.ptr + before, sweep_long().ptr, sweep_long().len + 1);
    agentchat_bytes_clear(&bytes);
    return status;
}

static agentchat_status bytes_clear(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error again;

    (void)env;
    (void)variant;
    (void)err;
    test_ok(agentchat_bytes_append(&bytes, AGENTCHAT_STR("text"), &again), &again);
    sweep_begin();
    assert_int_equal(agentchat_bytes_str(&bytes).len, 4);
    assert_non_null(agentchat_bytes_str(NULL).ptr);
    agentchat_bytes_clear(NULL);
    agentchat_bytes_clear(&bytes);
    agentchat_bytes_clear(&bytes);
    sweep_end();
    assert_null(bytes.ptr);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_str_from", views, SWEEP_NEVER, 0},
    {"agentchat_str_null", views, SWEEP_NEVER, 0},
    {"agentchat_str_is_null", views, SWEEP_NEVER, 0},
    {"agentchat_str_equal", views, SWEEP_NEVER, 0},
    {"agentchat_allocator_init", inits, SWEEP_NEVER, 0},
    {"agentchat_limits_init", inits, SWEEP_NEVER, 0},
    {"agentchat_env_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_env_new", env_new, SWEEP_ALLOCATES | SWEEP_DEFAULT_MEMORY, 2},
    {"agentchat_env_free", env_free, SWEEP_NEVER, 2},
    {"agentchat_bytes_append", bytes_append, SWEEP_ALLOCATES | SWEEP_DEFAULT_MEMORY, 2},
    {"agentchat_bytes_clear", bytes_clear, SWEEP_NEVER, 0},
    {"agentchat_bytes_str", bytes_clear, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.base", rows, sizeof rows / sizeof *rows);
}
