/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/index.c. */
#include "support/test_support.h"

#include "base/index.h"

enum { MANY = 3000 };

/* Texts of every length from 0 on, no two the same. */
static agentchat_str text_of(size_t i)
{
    static char texts[MANY][24];
    size_t len = (size_t)snprintf(texts[i], sizeof texts[i], "%.*s%zu", (int)(i % 17), "aaaaaaaaaaaaaaaaa", i);

    return (agentchat_str){texts[i], len};
}

static void test_index__finds_what_was_put_in(void **state)
{
    aci_index index = {0};
    const agentchat_env *env = aci_env(NULL);

    (void)state;
    assert_int_equal(aci_index_find(&index, AGENTCHAT_STR("x")), ACI_INDEX_NONE);
    for (size_t i = 0; i < MANY; i++) {
        assert_int_equal(aci_index_find(&index, text_of(i)), ACI_INDEX_NONE);
        assert_true(aci_index_add(&index, env, text_of(i), i));
    }
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(aci_index_find(&index, text_of(i)), i);
    assert_int_equal(index.count, MANY);
    assert_int_equal(aci_index_find(&index, AGENTCHAT_STR("")), ACI_INDEX_NONE);
    assert_true(aci_index_add(&index, env, AGENTCHAT_STR(""), 7));
    assert_int_equal(aci_index_find(&index, AGENTCHAT_STR("")), 7);
    aci_index_clear(&index, env);
    assert_int_equal(aci_index_find(&index, text_of(1)), ACI_INDEX_NONE);
}

static void test_index__add_keeps_and_put_replaces(void **state)
{
    aci_index index = {0};
    const agentchat_env *env = aci_env(NULL);

    (void)state;
    assert_true(aci_index_add(&index, env, AGENTCHAT_STR("key"), 1));
    assert_true(aci_index_add(&index, env, AGENTCHAT_STR("key"), 2));
    assert_int_equal(aci_index_find(&index, AGENTCHAT_STR("key")), 1);
    assert_true(aci_index_put(&index, env, AGENTCHAT_STR("key"), 3));
    assert_int_equal(aci_index_find(&index, AGENTCHAT_STR("key")), 3);
    assert_int_equal(index.count, 1);
    aci_index_clear(&index, env);
}

/* Against an array from which the same elements are taken out. */
static void test_index__remove_closes_the_gap(void **state)
{
    aci_index index = {0};
    const agentchat_env *env = aci_env(NULL);
    size_t left[MANY], count = MANY, at = 1;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        left[i] = i;
        assert_true(aci_index_add(&index, env, text_of(i), i));
    }
    for (; count > 0; count--) {
        size_t gone;

        at = (at * 48271 + 11) % 2147483647;
        gone = left[at % count];
        aci_index_remove(&index, text_of(gone), at % count);
        memmove(&left[at % count], &left[at % count + 1], (count - 1 - at % count) * sizeof *left);
        assert_int_equal(aci_index_find(&index, text_of(gone)), ACI_INDEX_NONE);
        if (count % 100 != 1)
            continue;
        for (size_t i = 0; i + 1 < count; i++)
            assert_int_equal(aci_index_find(&index, text_of(left[i])), i);
    }
    assert_int_equal(index.count, 0);
    aci_index_clear(&index, env);
}

static void test_index__removing_a_later_one_of_a_text_keeps_the_first(void **state)
{
    aci_index index = {0};
    const agentchat_env *env = aci_env(NULL);

    (void)state;
    assert_true(aci_index_add(&index, env, AGENTCHAT_STR("key"), 0));
    assert_true(aci_index_add(&index, env, AGENTCHAT_STR("key"), 1));
    assert_true(aci_index_add(&index, env, AGENTCHAT_STR("other"), 2));
    aci_index_remove(&index, AGENTCHAT_STR("key"), 1);
    assert_int_equal(aci_index_find(&index, AGENTCHAT_STR("key")), 0);
    assert_int_equal(aci_index_find(&index, AGENTCHAT_STR("other")), 1);
    aci_index_clear(&index, env);
}

static void test_index__out_of_memory_changes_nothing(void **state)
{
    test_oom oom = {.fail_at = 2};
    agentchat_env *env = test_oom_env(&oom);
    aci_index index = {0};
    size_t i = 0;

    (void)state;
    oom.calls = 0;
    oom.fail_at = 1;
    while (aci_index_add(&index, env, text_of(i), i))
        i++;
    assert_true(i > 0);
    for (size_t k = 0; k < i; k++)
        assert_int_equal(aci_index_find(&index, text_of(k)), k);
    assert_int_equal(aci_index_find(&index, text_of(i)), ACI_INDEX_NONE);
    assert_int_equal(index.count, i);
    assert_true(aci_index_add(&index, env, text_of(i), i));
    aci_index_clear(&index, env);
    assert_int_equal(oom.live_blocks, 0);
    agentchat_env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index__finds_what_was_put_in),
        cmocka_unit_test(test_index__add_keeps_and_put_replaces),
        cmocka_unit_test(test_index__remove_closes_the_gap),
        cmocka_unit_test(test_index__removing_a_later_one_of_a_text_keeps_the_first),
        cmocka_unit_test(test_index__out_of_memory_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
