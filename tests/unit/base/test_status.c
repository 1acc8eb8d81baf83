/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/base/status.c, version.c and str.c. */
#include "support/test_support.h"

#include <agentchat/version.h>

static void test_status__names_every_code(void **state)
{
    (void)state;
    assert_string_equal(agentchat_status_name(AGENTCHAT_OK), "OK");
    assert_string_equal(agentchat_status_name(AGENTCHAT_DONE), "DONE");
    assert_string_equal(agentchat_status_name(AGENTCHAT_E_BUSY), "E_BUSY");
    assert_string_equal(agentchat_status_name(AGENTCHAT_E_INTERNAL), "E_INTERNAL");
    assert_string_equal(agentchat_status_name((agentchat_status)-12345), "E_UNKNOWN");
    assert_string_equal(agentchat_status_name((agentchat_status)2), "E_UNKNOWN");
}

static void test_status__has_a_text_for_every_code(void **state)
{
    (void)state;
    assert_string_equal(agentchat_status_text(AGENTCHAT_OK), "success");
    assert_string_equal(agentchat_status_text(AGENTCHAT_E_NOMEM), "out of memory");
    assert_string_equal(agentchat_status_text((agentchat_status)-12345), "unknown status");
#define AGENTCHAT_X(name, value, text)                                                                                 \
    assert_string_equal(agentchat_status_text(AGENTCHAT_##name), text);                                                \
    assert_string_equal(agentchat_status_name(AGENTCHAT_##name), #name);
    AGENTCHAT_STATUS_MAP(AGENTCHAT_X)
#undef AGENTCHAT_X
}

static void test_status__only_waiting_helps_busy_and_conflict(void **state)
{
    (void)state;
#define AGENTCHAT_X(name, value, text)                                                                                 \
    assert_int_equal(agentchat_status_is_retryable(AGENTCHAT_##name), value == -301 || value == -302);
    AGENTCHAT_STATUS_MAP(AGENTCHAT_X)
#undef AGENTCHAT_X
}

static void test_version__of_library_and_headers_agree(void **state)
{
    char text[64];

    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", AGENTCHAT_VERSION_MAJOR, AGENTCHAT_VERSION_MINOR, AGENTCHAT_VERSION_PATCH);
    assert_string_equal(agentchat_version(), text);
    assert_string_equal(agentchat_version(), AGENTCHAT_VERSION_STRING);
    assert_true(AGENTCHAT_VERSION_AT_LEAST(0, 1, 0));
    assert_false(AGENTCHAT_VERSION_AT_LEAST(255, 0, 0));
}

static void test_str__distinguishes_absent_null_and_empty(void **state)
{
    agentchat_str absent = agentchat_str_from(NULL), null = agentchat_str_null(), empty = AGENTCHAT_STR("");

    (void)state;
    assert_null(absent.ptr);
    assert_int_equal(absent.len, 0);
    assert_non_null(null.ptr);
    assert_int_equal(null.len, 0);
    assert_true(agentchat_str_is_null(null));
    assert_false(agentchat_str_is_null(absent));
    assert_false(agentchat_str_is_null(empty));
    assert_false(agentchat_str_equal(absent, null));
    assert_false(agentchat_str_equal(absent, empty));
    assert_false(agentchat_str_equal(null, empty));
    assert_true(agentchat_str_equal(absent, absent));
    assert_true(agentchat_str_equal(null, agentchat_str_null()));
    assert_true(agentchat_str_equal(empty, agentchat_str_from("")));
}

static void test_str__compares_bytes(void **state)
{
    (void)state;
    assert_true(agentchat_str_equal(agentchat_str_from("abc"), AGENTCHAT_STR("abc")));
    assert_false(agentchat_str_equal(AGENTCHAT_STR("abc"), AGENTCHAT_STR("abd")));
    assert_false(agentchat_str_equal(AGENTCHAT_STR("abc"), AGENTCHAT_STR("ab")));
    assert_false(agentchat_str_equal(AGENTCHAT_STR("a\0b"), AGENTCHAT_STR("a\0c")));
    assert_int_equal(AGENTCHAT_STR("a\0b").len, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status__names_every_code),
        cmocka_unit_test(test_status__has_a_text_for_every_code),
        cmocka_unit_test(test_status__only_waiting_helps_busy_and_conflict),
        cmocka_unit_test(test_version__of_library_and_headers_agree),
        cmocka_unit_test(test_str__distinguishes_absent_null_and_empty),
        cmocka_unit_test(test_str__compares_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
