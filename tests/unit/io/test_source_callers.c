/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of functions of a caller, which may answer anything. */
#include "io_test.h"

typedef struct answers {
    agentchat_status status;
    size_t len;
    bool says_why;
    int calls, frees;
} answers;

static agentchat_status answers_read(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err)
{
    answers *a = self;

    (void)buffer;
    (void)cap;
    a->calls++;
    *out_len = a->len == SIZE_MAX ? cap + 1 : a->len;
    if (a->says_why)
        agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the remote end is gone");
    return a->status;
}

static void answers_free(void *self)
{
    ((answers *)self)->frees++;
}

static void test_source__answers_of_a_callers_functions_are_checked(void **state)
{
    static const struct {
        answers given;
        agentchat_status expected;
        const char *message;
    } cases[] = {
        {{AGENTCHAT_OK, 0, false, 0, 0}, AGENTCHAT_E_CALLBACK, "gave no bytes and did not say DONE"},
        {{AGENTCHAT_OK, SIZE_MAX, false, 0, 0}, AGENTCHAT_E_CALLBACK, "more bytes than it was asked for"},
        {{AGENTCHAT_DONE, 1, false, 0, 0}, AGENTCHAT_E_CALLBACK, "broke its contract"},
        {{(agentchat_status)7, 0, false, 0, 0}, AGENTCHAT_E_CALLBACK, "broke its contract"},
        {{AGENTCHAT_E_BUSY, 0, false, 0, 0},
         AGENTCHAT_E_BUSY,
         "the source failed to read: another operation is active"},
        {{AGENTCHAT_E_IO, 3, true, 0, 0}, AGENTCHAT_E_IO, "the remote end is gone"},
        {{AGENTCHAT_E_CALLBACK, 0, true, 0, 0}, AGENTCHAT_E_CALLBACK, "the remote end is gone"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const agentchat_source_ops ops = {sizeof ops, answers_read, answers_free};
        answers given = cases[i].given;
        agentchat_source *source;
        agentchat_error err;
        contents got;

        test_ok(agentchat_source_new(NULL, &ops, &given, &source, &err), &err);
        test_fails(read_all(source, 1000, &got, &err), &err, cases[i].expected, "", cases[i].message);
        assert_null(got.data);
        assert_int_equal(aci_source_read_all(source, NULL, 1000, &got.data, &got.len, &got.cap, NULL),
                         cases[i].expected);
        assert_int_equal(given.calls, 2);
        agentchat_source_free(source);
        assert_int_equal(given.frees, 1);
    }
}

static void test_source__stray_error_record_of_a_success_is_dropped(void **state)
{
    static const agentchat_source_ops ops = {sizeof ops, answers_read, answers_free};
    answers given = {AGENTCHAT_DONE, 0, true, 0, 0};
    agentchat_source *source;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_source_new(NULL, &ops, &given, &source, &err), &err);
    assert_gives(source, "", 0);
}

static void test_source__self_is_taken_over_on_failure_too(void **state)
{
    agentchat_source_ops ops = {sizeof ops, answers_read, answers_free};
    test_oom oom = {.fail_at = 0};
    agentchat_env *env = test_oom_env(&oom);
    answers given = {AGENTCHAT_DONE, 0, false, 0, 0};
    agentchat_source *source;
    agentchat_error err;

    (void)state;
    test_fails(agentchat_source_new(env, &ops, &given, &source, &err), &err, AGENTCHAT_E_NOMEM, "", "out of memory");
    assert_null(source);
    assert_int_equal(given.frees, 1);
    ops.read = NULL;
    test_fails(agentchat_source_new(NULL, &ops, &given, &source, &err), &err, AGENTCHAT_E_INVALID, "", "read function");
    assert_int_equal(given.frees, 2);
    ops.struct_size = 0;
    test_fails(agentchat_source_new(NULL, &ops, &given, &source, &err), &err, AGENTCHAT_E_INVALID, "", "struct_size");
    assert_int_equal(given.frees, 3);
    test_fails(agentchat_source_new(NULL, &ops, &given, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    assert_int_equal(given.frees, 4);
    test_fails(agentchat_source_new(NULL, NULL, &given, &source, &err), &err, AGENTCHAT_E_INVALID, "",
               "ops must not be NULL");
    agentchat_env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source__answers_of_a_callers_functions_are_checked),
        cmocka_unit_test(test_source__stray_error_record_of_a_success_is_dropped),
        cmocka_unit_test(test_source__self_is_taken_over_on_failure_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
