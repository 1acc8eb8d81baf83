/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of adding, in src/state/change.c. */
#include "support/test_support.h"

#include "state/state.h"

static agentchat_state *map_with(const char *value)
{
    agentchat_state *map = test_state(NULL);
    agentchat_error err;

    test_ok(agentchat_state_set(map, "n", agentchat_str_from(value), &err), &err);
    return map;
}

static void test_state_number__adds(void **state)
{
    static const struct {
        const char *before;
        int64_t amount;
        const char *after;
    } cases[] = {
        {"0", 0, "0"},
        {"1", 1, "2"},
        {"-1", 1, "0"},
        {"-0", 0, "0"},
        {"-0", -3, "-3"},
        {"41", -42, "-1"},
        {"9223372036854775806", 1, "9223372036854775807"},
        {"9223372036854775807", 0, "9223372036854775807"},
        {"-9223372036854775808", 0, "-9223372036854775808"},
        {"-9223372036854775807", -1, "-9223372036854775808"},
        {"-9223372036854775808", INT64_MAX, "-1"},
        {"9223372036854775807", INT64_MIN, "-1"},
    };
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_state *map = map_with(cases[i].before);
        int64_t result;

        test_ok(agentchat_state_add(map, "n", cases[i].amount, &result, &err), &err);
        assert_str(agentchat_state_get(map, "n"), cases[i].after);
        assert_int_equal(result, strtoll(cases[i].after, NULL, 10));
        agentchat_state_free(map);
    }
}

static void test_state_number__begins_at_zero(void **state)
{
    agentchat_state *map = test_state(NULL);
    agentchat_error err;
    int64_t result;

    (void)state;
    test_ok(agentchat_state_add(map, "user:visits", 3, NULL, &err), &err);
    test_ok(agentchat_state_add(map, "user:visits", 4, &result, &err), &err);
    assert_int_equal(result, 7);
    test_ok(agentchat_state_add(map, "lowest", INT64_MIN, &result, NULL), &err);
    assert_int_equal(result, INT64_MIN);
    test_ok(agentchat_state_add(map, "none", 0, &result, &err), &err);
    assert_str(agentchat_state_get(map, "none"), "0");
    agentchat_state_free(map);
}

static void test_state_number__refuses_what_is_not_an_integer(void **state)
{
    static const char *const values[] = {"1.0",  "1e2", "1E2", "0.5",  "\"1\"", "true",
                                         "null", "[1]", "{}",  "-1.0", "\"\"",  "-0.0"};
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        agentchat_state *map = map_with(values[i]);
        int64_t result = 77;

        test_fails(agentchat_state_add(map, "n", 1, &result, &err), &err, AGENTCHAT_E_INVALID, "",
                   "the value of \"n\" is not an integer in plain digits: ");
        assert_non_null(strstr(err.message, values[i]));
        assert_int_equal(result, 77);
        assert_str(agentchat_state_get(map, "n"), values[i]);
        agentchat_state_free(map);
    }
}

static void test_state_number__refuses_what_is_beyond_64_bits(void **state)
{
    static const struct {
        const char *before;
        int64_t amount;
        const char *message;
    } cases[] = {
        {"9223372036854775808", 0, "the value of \"n\" is beyond 64 bits: 9223372036854775808"},
        {"-9223372036854775809", 1, "the value of \"n\" is beyond 64 bits: -9223372036854775809"},
        {"99999999999999999999999999999999999999999999999999", -1, "is beyond 64 bits: 9999"},
        {"9223372036854775807", 1, "9223372036854775807 and 1 for \"n\" are together beyond 64 bits"},
        {"-9223372036854775808", -1, "-9223372036854775808 and -1 for \"n\" are together beyond 64 bits"},
        {"1", INT64_MAX, "1 and 9223372036854775807 for \"n\" are together beyond 64 bits"},
        {"-1", INT64_MIN, "-1 and -9223372036854775808 for \"n\" are together beyond 64 bits"},
    };
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_state *map = map_with(cases[i].before);

        test_fails(agentchat_state_add(map, "n", cases[i].amount, NULL, &err), &err, AGENTCHAT_E_LIMIT, "",
                   cases[i].message);
        assert_int_equal(agentchat_state_add(map, "n", cases[i].amount, NULL, NULL), AGENTCHAT_E_LIMIT);
        assert_str(agentchat_state_get(map, "n"), cases[i].before);
        agentchat_state_free(map);
    }
}

static void test_state_number__checks_the_key(void **state)
{
    agentchat_state *map = test_state(NULL);
    agentchat_error err;

    (void)state;
    test_fails(agentchat_state_add(map, "app:", 1, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "the key \"app:\" has nothing after its prefix");
    test_fails(agentchat_state_add(map, NULL, 1, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "the key must not be empty");
    assert_int_equal(agentchat_state_count(map), 0);
    agentchat_state_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_number__adds),
        cmocka_unit_test(test_state_number__begins_at_zero),
        cmocka_unit_test(test_state_number__refuses_what_is_not_an_integer),
        cmocka_unit_test(test_state_number__refuses_what_is_beyond_64_bits),
        cmocka_unit_test(test_state_number__checks_the_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
