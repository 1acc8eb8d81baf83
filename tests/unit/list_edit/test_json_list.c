/* SPDX-License-Identifier: Apache-2.0 */
/* Updates of lists of JSON values: what each makes of a list, reducers of the caller's, what is refused. */
#include "support/test_support.h"

#include <agentchat/list_edit.h>
#include <string.h>

static agentchat_status reduce(const char *existing, const char *update, agentchat_json_reducer_fn reducer, void *user,
                               agentchat_bytes *out, agentchat_error *err)
{
    return agentchat_json_list_reduce(NULL, agentchat_str_from(existing), agentchat_str_from(update), reducer, user,
                                      out, err);
}

static void check_reduced(const char *existing, const char *update, const char *expected)
{
    agentchat_bytes list = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(reduce(existing, update, NULL, NULL, &list, &err), &err);
    assert_string_equal(list.ptr, expected);
    agentchat_bytes_clear(&list);
}

static void check_refused(const char *existing, const char *update, agentchat_status expected)
{
    agentchat_bytes list = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    assert_int_equal(reduce(existing, update, NULL, NULL, &list, &err), expected);
    assert_int_equal(err.code, expected);
    assert_true(err.message[0] != '\0' && list.len == 0);
    agentchat_bytes_clear(&list);
}

static void test_update__appends(void **state)
{
    (void)state;
    check_reduced(NULL, "[1]", "[1]");
    check_reduced("[]", "[]", "[]");
    check_reduced(" [ 1.50 , \"\\u0041\" ] ", "[ {\"a\" : 1} ]", "[1.50,\"\\u0041\",{\"a\" : 1}]");
    check_reduced("[1]", "{\"type\":\"append\",\"value\":[2]}", "[1,[2]]");
    check_reduced("[ ]", "{\"type\":\"append\",\"value\":null}", "[null]");
}

static void test_update__keeps_a_range(void **state)
{
    (void)state;
    check_reduced("[1,2,3]", "{\"type\":\"keep\",\"from\":-2,\"to\":null}", "[2,3]");
    check_reduced("[1,2,3]", "{\"type\":\"keep\",\"from\":null,\"to\":0}", "[]");
    check_reduced("[1,2,3]", "{\"type\":\"keep\",\"from\":1,\"to\":99999999999999999999999}", "[2,3]");
    check_reduced("[1,2,3]", "{\"type\":\"keep\",\"from\":-99999999999999999999,\"to\":-1}", "[1,2]");
    check_reduced("[1,2,3]", "{\"type\":\"keep\",\"from\":true,\"to\":null,\"step\":2}", "[2,3]");
    check_reduced("[1,2,3]", "{\"type\":\"keep\",\"from\":2,\"to\":1}", "[]");
}

static void test_update__clears_and_overwrites(void **state)
{
    (void)state;
    check_reduced("[1,2]", "{\"type\":\"clear\"}", "[]");
    check_reduced("[1,2]", "{\"__overwrite__\":[3]}", "[3]");
    check_reduced("[1,2]", "{\"type\":\"__overwrite__\",\"value\":[3]}", "[3]");
}

static void test_update__is_refused(void **state)
{
    (void)state;
    check_refused("[1]", "null", AGENTCHAT_E_INVALID);
    check_refused("[1]", "\"keep\"", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"type\":\"drop\"}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"type\":[\"keep\"],\"from\":0,\"to\":0}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"type\":\"append\"}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"type\":\"keep\",\"from\":0}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"type\":\"keep\",\"from\":1.0,\"to\":null}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"type\":\"keep\",\"from\":null,\"to\":\"1\"}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"type\":\"keep\",\"from\":1e1,\"to\":null}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"__overwrite__\":null}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"__overwrite__\":[],\"x\":1}", AGENTCHAT_E_INVALID);
    check_refused("[1]", "{\"type\":\"__overwrite__\"}", AGENTCHAT_E_INVALID);
    check_refused("{}", "[1]", AGENTCHAT_E_INVALID);
    check_refused("null", "[1]", AGENTCHAT_E_INVALID);
    check_refused("[1", "[1]", AGENTCHAT_E_SYNTAX);
    check_refused("[1]", "[1", AGENTCHAT_E_SYNTAX);
}

/* Appends nothing to a list but what is not in it: here "[1,2]", or what user says. */
static agentchat_status answer(void *user, agentchat_str existing, agentchat_str update, agentchat_bytes *out,
                               agentchat_error *err)
{
    assert_true(agentchat_str_equal(existing, AGENTCHAT_STR("[1]")));
    if (agentchat_str_equal(update, AGENTCHAT_STR("[9]")))
        return AGENTCHAT_DONE;
    if (agentchat_str_equal(update, AGENTCHAT_STR("[8]")))
        return agentchat_error_set(err, AGENTCHAT_E_CONFLICT, "not now");
    if (agentchat_bytes_append(out, agentchat_str_from(user), err) < 0)
        return AGENTCHAT_E_NOMEM;
    return agentchat_str_equal(update, AGENTCHAT_STR("[7]")) ? (agentchat_status)7 : AGENTCHAT_OK;
}

static void test_reducer__is_asked_first(void **state)
{
    agentchat_bytes list = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_ok(reduce("[1]", "[5]", answer, (void *)"[1,2]", &list, &err), &err);
    assert_string_equal(list.ptr, "[1,2]");
    agentchat_bytes_clear(&list);
    assert_true(reduce("[1]", "[7]", answer, (void *)"[1,2]", &list, &err) >= 0); /* any other success is one */
    assert_string_equal(list.ptr, "[1,2]");
    agentchat_bytes_clear(&list);
    test_ok(reduce("[1]", "[9]", answer, NULL, &list, &err), &err);
    assert_string_equal(list.ptr, "[1,9]");
    agentchat_bytes_clear(&list);
    assert_int_equal(reduce("[1]", "[8]", answer, NULL, &list, &err), AGENTCHAT_E_CONFLICT);
    assert_string_equal(err.message, "not now");
    assert_int_equal(reduce("[1]", "[5]", answer, (void *)"{}", &list, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(reduce("[1]", "[5]", answer, (void *)"[", &list, &err), AGENTCHAT_E_SYNTAX);
    assert_int_equal(list.len, 0);
    agentchat_bytes_clear(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_update__appends),
        cmocka_unit_test(test_update__keeps_a_range),
        cmocka_unit_test(test_update__clears_and_overwrites),
        cmocka_unit_test(test_update__is_refused),
        cmocka_unit_test(test_reducer__is_asked_first),
    };

    return cmocka_run_group_tests_name("json_list", tests, NULL, NULL);
}
