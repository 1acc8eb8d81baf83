/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving temp: members out of JSON text. */
#include "support/test_support.h"

#include "session/session_internal.h"
#include "json/value.h"

static void test_temporary__members_are_left_out(void **state)
{
    static const struct {
        const char *json, *left; /* NULL: nothing to leave out */
    } cases[] = {
        {"1", NULL},
        {"\"temp:x\"", NULL},
        {"[\"temp:x\", {\"a\": \"temp:\"}]", NULL},
        {"{\"Temp:x\":1,\"temp\":2,\" temp:\":3,\"tem\\p\":4}", NULL},
        {"{\"temp:x\":1}", "{}"},
        {"{ \"temp:x\" : 1 }", "{}"},
        {"{\"temp:\":1,\"a\":2}", "{\"a\":2}"},
        {"{\"a\":1,\"temp:b\":2}", "{\"a\":1}"},
        {"{\"a\":1 , \"temp:b\" : [ 1 , {\"x\":[]} ] , \"c\" : 3}", "{\"a\":1,\"c\":3}"},
        {"{\"temp:a\":1,\"temp:b\":2,\"temp:c\":3}", "{}"},
        {"{\"\\u0074emp:a\":1,\"b\":2}", "{\"b\":2}"},
        {"{\"te\\u006dp\\u003aa\":\"\\\"}\",\"b\":2}", "{\"b\":2}"},
        {"[{\"temp:a\":1},{\"temp:a\":{\"temp:b\":1}},2]", "[{},{},2]"},
        {"{\"a\":{\"b\":{\"temp:c\":\"}\"},\"d\":1.50}}", "{\"a\":{\"b\":{},\"d\":1.50}}"},
        {"{\"a\":[true,false,null,-1e5,\"\\u00e9\"],\"temp:\":0}", "{\"a\":[true,false,null,-1e5,\"\\u00e9\"]}"},
        {"{\"a\\\"\":1,\"temp:b\":2}", "{\"a\\\"\":1}"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t len = strlen(cases[i].json);
        char *exact = malloc(len);
        aci_buf out;
        bool any;

        memcpy(exact, cases[i].json, len);
        if (strstr(cases[i].json, "tem\\p") == NULL)
            test_ok(aci_json_check(NULL, (agentchat_str){exact, len}, 128, &(agentchat_str){NULL, 0}, NULL, NULL),
                    NULL);
        aci_buf_init(&out, NULL, SIZE_MAX);
        assert_true(aci_buf_add(&out, "before", 6));
        assert_true(aci_temporary_strip((agentchat_str){exact, len}, &out, &any));
        assert_int_equal(any, cases[i].left != NULL);
        assert_int_equal(out.len, 6 + (any ? strlen(cases[i].left) : 0));
        if (any)
            assert_memory_equal(out.ptr + 6, cases[i].left, strlen(cases[i].left));
        aci_buf_clear(&out);
        free(exact);
    }
}

/* Deep and wide, with a member to leave out at each level. */
static void test_temporary__any_depth(void **state)
{
    enum { LEVELS = 5000 };
    aci_buf in, out, expected;
    bool any;

    (void)state;
    aci_buf_init(&in, NULL, SIZE_MAX);
    aci_buf_init(&out, NULL, SIZE_MAX);
    aci_buf_init(&expected, NULL, SIZE_MAX);
    for (int i = 0; i < LEVELS; i++) {
        assert_true(aci_buf_printf(&in, "{\"temp:%d\":[[%d]],\"a\":[%d,", i, i, i));
        assert_true(aci_buf_printf(&expected, "{\"a\":[%d,", i));
    }
    assert_true(aci_buf_add(&in, "0", 1) && aci_buf_add(&expected, "0", 1));
    for (int i = 0; i < LEVELS; i++) {
        assert_true(aci_buf_add_str(&in, AGENTCHAT_STR("],\"temp:z\":{}}")));
        assert_true(aci_buf_add_str(&expected, AGENTCHAT_STR("]}")));
    }
    assert_true(aci_temporary_strip(aci_buf_str(&in), &out, &any) && any);
    assert_int_equal(out.len, expected.len);
    assert_memory_equal(out.ptr, expected.ptr, out.len);
    aci_buf_clear(&in);
    aci_buf_clear(&out);
    aci_buf_clear(&expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_temporary__members_are_left_out),
        cmocka_unit_test(test_temporary__any_depth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
