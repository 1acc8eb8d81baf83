/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/buf.c and checked.h. */
#include "support/test_support.h"

#include "base/buf.h"
#include "base/checked.h"
#include "base/error.h"

static void test_buf__grows_and_keeps_its_bytes(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, env, SIZE_MAX);
    assert_str(aci_buf_str(&buf), "");
    assert_true(aci_buf_add(&buf, NULL, 0));
    for (int i = 0; i < 100000; i++)
        assert_true(aci_buf_add(&buf, &(char){(char)('a' + i % 26)}, 1));
    assert_int_equal(buf.len, 100000);
    for (int i = 0; i < 100000; i++)
        assert_int_equal(buf.ptr[i], 'a' + i % 26);
    assert_true(oom.calls < 15);
    aci_buf_clear(&buf);
    assert_int_equal(oom.live_blocks, 0);
    assert_true(aci_buf_add_str(&buf, AGENTCHAT_STR("again")));
    assert_str(aci_buf_str(&buf), "again");
    aci_buf_clear(&buf);
    agentchat_env_free(env);
}

static void test_buf__keeps_its_maximum(void **state)
{
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, NULL, 1000);
    for (int i = 0; i < 100; i++)
        assert_true(aci_buf_add(&buf, "0123456789", 10));
    assert_int_equal(buf.cap, 1000);
    assert_false(aci_buf_add(&buf, "x", 1));
    assert_false(aci_buf_reserve(&buf, SIZE_MAX));
    assert_int_equal(buf.len, 1000);
    aci_buf_clear(&buf);
    aci_buf_init(&buf, NULL, 3);
    assert_true(aci_buf_add(&buf, "abc", 3));
    assert_false(aci_buf_add(&buf, "d", 1));
    aci_buf_clear(&buf);
}

static void test_buf__prints_texts_of_any_length(void **state)
{
    char long_text[1001];
    aci_buf buf;

    (void)state;
    memset(long_text, 'w', 1000);
    long_text[1000] = '\0';
    aci_buf_init(&buf, NULL, 2000);
    assert_true(aci_buf_printf(&buf, "%d-%s", 7, "x"));
    assert_str(aci_buf_str(&buf), "7-x");
    assert_true(aci_buf_printf(&buf, "%s!", long_text));
    assert_int_equal(buf.len, 1004);
    assert_memory_equal(buf.ptr + 3, long_text, 1000);
    assert_int_equal(buf.ptr[1003], '!');
    assert_false(aci_buf_printf(&buf, "%s", long_text));
    assert_int_equal(buf.len, 1004);
    aci_buf_clear(&buf);
}

static void test_grow__doubles_an_array(void **state)
{
    const agentchat_env *env = aci_env(NULL);
    void *array = NULL;
    size_t cap = 0;

    (void)state;
    for (size_t i = 0; i < 1000; i++) {
        assert_true(aci_grow(env, &array, &cap, i, sizeof(size_t)));
        assert_true(cap > i);
        ((size_t *)array)[i] = i;
    }
    assert_int_equal(cap, 1024);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(((size_t *)array)[i], i);
    assert_true(aci_grow(env, &array, &cap, 5, sizeof(size_t)));
    assert_int_equal(cap, 1024);
    aci_free(env, array, cap * sizeof(size_t));

    array = NULL;
    cap = SIZE_MAX / 2 + 1;
    assert_false(aci_grow(env, &array, &cap, cap, 1));
    cap = SIZE_MAX / 8;
    assert_false(aci_grow(env, &array, &cap, cap, 16));
    assert_null(array);
}

static void test_checked__sees_every_wrap(void **state)
{
    size_t out = 0;

    (void)state;
    assert_true(aci_add(SIZE_MAX - 1, 1, &out));
    assert_true(out == SIZE_MAX);
    assert_false(aci_add(SIZE_MAX, 1, &out));
    assert_true(aci_mul(0, SIZE_MAX, &out));
    assert_true(out == 0);
    assert_false(aci_mul(SIZE_MAX / 2 + 1, 2, &out));
}

static void test_bytes__are_terminated_and_belong_to_one_environment(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    agentchat_error_clear(&err);
    test_ok(aci_buf_append_bytes(&bytes, env, AGENTCHAT_STR(""), &err), &err);
    assert_string_equal(bytes.ptr, "");
    for (int i = 0; i < 1000; i++) {
        test_ok(aci_buf_append_bytes(&bytes, env, AGENTCHAT_STR("abc"), &err), &err);
        assert_int_equal(bytes.ptr[bytes.len], '\0');
    }
    assert_int_equal(bytes.len, 3000);
    test_fails(aci_buf_append_bytes(&bytes, NULL, AGENTCHAT_STR("x"), &err), &err, AGENTCHAT_E_INVALID, "",
               "another environment");
    assert_int_equal(bytes.len, 3000);
    agentchat_error_clear(&err);
    test_fails(aci_buf_append_bytes(&bytes, env, (agentchat_str){"x", SIZE_MAX - 3000}, &err), &err, AGENTCHAT_E_NOMEM,
               "", "out of memory");
    agentchat_bytes_clear(&bytes);
    assert_null(bytes.ptr);
    assert_int_equal(bytes.len, 0);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_bytes_clear(&bytes);
    agentchat_bytes_clear(NULL);
    agentchat_env_free(env);
}

static void test_bytes__may_be_appended_to_themselves(void **state)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_bytes_append(&bytes, AGENTCHAT_STR("ab"), &err), &err);
    for (int i = 0; i < 10; i++)
        test_ok(agentchat_bytes_append(&bytes, (agentchat_str){bytes.ptr, bytes.len}, &err), &err);
    assert_int_equal(bytes.len, 2048);
    for (size_t i = 0; i < bytes.len; i++)
        assert_int_equal(bytes.ptr[i], i % 2 == 0 ? 'a' : 'b');
    test_ok(agentchat_bytes_append(&bytes, (agentchat_str){NULL, 0}, &err), &err);
    assert_int_equal(bytes.len, 2048);
    agentchat_bytes_clear(&bytes);
    test_fails(agentchat_bytes_append(NULL, AGENTCHAT_STR("x"), &err), &err, AGENTCHAT_E_INVALID, "", "no bytes");
}

static agentchat_status fill_all(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_status status = AGENTCHAT_OK;
    void *array = NULL;
    size_t cap = 0;
    aci_buf buf;
    bool ok = true;

    (void)user;
    aci_buf_init(&buf, env, SIZE_MAX);
    for (int i = 0; ok && i < 100; i++)
        ok = aci_buf_printf(&buf, "%0200d", i) && aci_grow(env, &array, &cap, (size_t)i, 16);
    if (!ok)
        status = aci_fail_nomem(err);
    for (int i = 0; status == AGENTCHAT_OK && i < 10; i++)
        status = aci_buf_append_bytes(&bytes, env, aci_buf_str(&buf), err);
    aci_free(env, array, cap * 16);
    aci_buf_clear(&buf);
    agentchat_bytes_clear(&bytes);
    return status;
}

static void test_buf__survives_every_failed_allocation(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(fill_all, NULL) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buf__grows_and_keeps_its_bytes),
        cmocka_unit_test(test_buf__keeps_its_maximum),
        cmocka_unit_test(test_buf__prints_texts_of_any_length),
        cmocka_unit_test(test_grow__doubles_an_array),
        cmocka_unit_test(test_checked__sees_every_wrap),
        cmocka_unit_test(test_bytes__are_terminated_and_belong_to_one_environment),
        cmocka_unit_test(test_bytes__may_be_appended_to_themselves),
        cmocka_unit_test(test_buf__survives_every_failed_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
