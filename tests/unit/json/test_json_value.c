/* SPDX-License-Identifier: Apache-2.0 */
/* Open-ended values: checking, canonical text, compact text, surrogates, pointers. */
#include "support/test_support.h"
#include "json/value.h"

static void assert_buf(aci_buf *buf, const char *expected)
{
    assert_int_equal(buf->len, strlen(expected));
    assert_memory_equal(aci_buf_str(buf).ptr, expected, buf->len);
    buf->len = 0;
}

static void test_check__spans_and_kinds(void **state)
{
    static const struct {
        const char *text, *span;
        aci_json_kind kind;
        uint32_t depth;
    } good[] = {
        {" {\"a\":[{}]}\n", "{\"a\":[{}]}", ACI_JSON_OBJECT, 3},
        {"[\"[[[\"]", "[\"[[[\"]", ACI_JSON_ARRAY, 1},
        {"\"x\"", "\"x\"", ACI_JSON_STRING, 0},
        {" -0.5e+7 ", "-0.5e+7", ACI_JSON_NUMBER, 0},
        {"true", "true", ACI_JSON_TRUE, 0},
        {"false", "false", ACI_JSON_FALSE, 0},
        {"null", "null", ACI_JSON_NULL, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        agentchat_error err;
        agentchat_str span;
        aci_json_kind kind;

        agentchat_error_clear(&err);
        test_ok(aci_json_check(NULL, agentchat_str_from(good[i].text), 0, &span, &kind, &err), &err);
        assert_str(span, good[i].span);
        assert_int_equal(kind, good[i].kind);
        assert_int_equal(aci_json_kind_of(span), good[i].kind);
        assert_int_equal(aci_json_depth_of(span), good[i].depth);
    }
}

static void test_check__refuses_with_a_location(void **state)
{
    agentchat_error err;
    agentchat_str span;
    aci_json_kind kind;

    (void)state;
    agentchat_error_clear(&err);
    test_fails(aci_json_check(NULL, agentchat_str_from("[1,{\"a\":nul}]"), 0, &span, &kind, &err), &err,
               AGENTCHAT_E_SYNTAX, "/1/a", "expected a value");
    assert_int_equal(err.offset, 8);
    assert_null(span.ptr);
    assert_int_equal(kind, ACI_JSON_ERROR);
    agentchat_error_clear(&err);
    test_fails(aci_json_check(NULL, agentchat_str_from("1 2"), 0, &span, NULL, &err), &err, AGENTCHAT_E_SYNTAX, "",
               "the end");
    assert_int_equal(err.offset, 2);
    assert_null(span.ptr);
    agentchat_error_clear(&err);
    test_fails(aci_json_check(NULL, agentchat_str_from("[[[]]]"), 2, &span, NULL, &err), &err, AGENTCHAT_E_LIMIT,
               "/0/0", "deeper than 2");
    agentchat_error_clear(&err);
    test_fails(aci_json_check(NULL, (agentchat_str){NULL, 0}, 0, &span, NULL, &err), &err, AGENTCHAT_E_SYNTAX, "",
               "unexpected end");
    assert_int_equal(aci_json_check(NULL, agentchat_str_from("["), 0, &span, NULL, NULL), AGENTCHAT_E_SYNTAX);
}

static void test_canonical__numbers(void **state)
{
    static const char *const cases[][2] = {
        {"0", "0"},
        {"-0", "0"},
        {"0.000", "0"},
        {"-0e99", "0"},
        {"0E-99999999999999999999999", "0"},
        {"1", "1"},
        {"-1", "-1"},
        {"10", "1e1"},
        {"100e-2", "1"},
        {"1.50", "15e-1"},
        {"15e-1", "15e-1"},
        {"0.001", "1e-3"},
        {"0.0120", "12e-3"},
        {"-120.0300e5", "-12003e3"},
        {"1e0", "1"},
        {"1e+00005", "1e5"},
        {"1.0e-0", "1"},
        {"1000e-3", "1"},
        {"123456789012345678901234567890", "12345678901234567890123456789e1"},
        {"1e999999999999999999999", "1e999999999999999999999"},
        {"10e999999999999999999999", "1e1000000000000000000000"},
        {"0.1e1000000000000000000000", "1e999999999999999999999"},
        {"1e-1000000000000000000000", "1e-1000000000000000000000"},
        {"100e-1000000000000000000000", "1e-999999999999999999998"},
        {"0.01e-999999999999999999999", "1e-1000000000000000000001"},
        {"1.5e00000000000000000000000000002", "15e1"},
        {"1e999999999999999999", "1e999999999999999999"},
        {"10e999999999999999999", "1e1000000000000000000"},
        {"1E-999999999999999999", "1e-999999999999999999"},
        {"0.1e-999999999999999999", "1e-1000000000000000000"},
        {"12e1999999999999999999999", "12e1999999999999999999999"},
    };
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, NULL, SIZE_MAX);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_true(aci_json_canonical_number(agentchat_str_from(cases[i][0]), &buf));
        assert_buf(&buf, cases[i][1]);
    }
    aci_buf_clear(&buf);
}

static void test_canonical__strings(void **state)
{
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, NULL, SIZE_MAX);
    assert_true(
        aci_json_canonical_string(AGENTCHAT_STR("\b\t\n\f\r\"\\/\x01\x1F\x7F\xE2\x82\xAC\xED\xA0\x80\0"), &buf));
    assert_buf(&buf, "\"\\b\\t\\n\\f\\r\\\"\\\\/\\u0001\\u001f\x7F\xE2\x82\xAC\\ud800\\u0000\"");
    assert_true(aci_json_canonical_string(AGENTCHAT_STR(""), &buf));
    assert_buf(&buf, "\"\"");
    aci_buf_clear(&buf);
}

static void test_canonical__values(void **state)
{
    static const char *const cases[][2] = {
        {" [ ] ", "[]"},
        {"{ }", "{}"},
        {"[1 , {\"b\" : 1.0 , \"a\" : [ true,null ] } ]", "[1,{\"a\":[true,null],\"b\":1}]"},
        /* the sample of RFC 8785, section 3.2.3 */
        {"{\"\\u20ac\": \"Euro Sign\",\"\\r\": \"Carriage Return\",\"\\ufb33\": \"Hebrew Letter Dalet With Dagesh\","
         "\"1\": \"One\",\"\\ud83d\\ude00\": \"Emoji: Grinning Face\",\"\\u0080\": \"Control\","
         "\"\\u00f6\": \"Latin Small Letter O With Diaeresis\"}",
         "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\","
         "\"\xC3\xB6\":\"Latin Small Letter O With Diaeresis\",\"\xE2\x82\xAC\":\"Euro Sign\","
         "\"\xF0\x9F\x98\x80\":\"Emoji: Grinning Face\",\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet With Dagesh\"}"},
        /* repeated names keep their order, however they are spelled */
        {"{\"b\":1,\"a\":2,\"\\u0062\":3,\"b\":{\"z\":0,\"y\":0},\"ab\":5,\"\":6}",
         "{\"\":6,\"a\":2,\"ab\":5,\"b\":1,\"b\":3,\"b\":{\"y\":0,\"z\":0}}"},
        {"{\"\\\"\":1,\"!\":2,\"\\\\\":3,\"[\":4}", "{\"!\":2,\"\\\"\":1,\"[\":4,\"\\\\\":3}"},
        {"\"\\u0041\\/\\ud83d\\ude00\\udc00\"", "\"A/\xF0\x9F\x98\x80\\udc00\""},
        {"{\"a\":\"{\",\"A\":\",\",\"0\":\":\"}", "{\"0\":\":\",\"A\":\",\",\"a\":\"{\"}"},
    };
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, NULL, SIZE_MAX);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        agentchat_error err;

        agentchat_error_clear(&err);
        assert_true(aci_buf_add(&buf, "kept", 4));
        test_ok(aci_json_canonical(agentchat_str_from(cases[i][0]), &buf, NULL, &err), &err);
        assert_memory_equal(buf.ptr, "kept", 4);
        memmove(buf.ptr, buf.ptr + 4, buf.len - 4);
        buf.len -= 4;
        assert_buf(&buf, cases[i][1]);
    }
    aci_buf_clear(&buf);
}

static void test_canonical__deep_and_wide(void **state)
{
    aci_buf text, out, again;
    agentchat_error err;

    (void)state;
    aci_buf_init(&text, NULL, SIZE_MAX);
    aci_buf_init(&out, NULL, SIZE_MAX);
    aci_buf_init(&again, NULL, SIZE_MAX);
    for (int i = 0; i < 3000; i++)
        assert_true(aci_buf_printf(&text, "{\"b%d\":0,\"a\":[", i));
    for (int i = 0; i < 5000; i++)
        assert_true(aci_buf_printf(&text, "%s{\"k%d\":%d,\"k%d\":1}", i > 0 ? "," : "", i * 7919 % 5000, i, i % 13));
    for (int i = 0; i < 3000; i++)
        assert_true(aci_buf_add(&text, "]}", 2));
    agentchat_error_clear(&err);
    test_ok(aci_json_canonical(aci_buf_str(&text), &out, NULL, &err), &err);
    assert_memory_equal(out.ptr, "{\"a\":[{\"a\":[", 12);
    test_ok(aci_json_canonical(aci_buf_str(&out), &again, NULL, &err), &err);
    assert_int_equal(out.len, again.len);
    assert_memory_equal(out.ptr, again.ptr, out.len);
    aci_buf_clear(&text);
    aci_buf_clear(&out);
    aci_buf_clear(&again);
}

static agentchat_status canonical_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    aci_buf buf;
    agentchat_status status;

    (void)user;
    aci_buf_init(&buf, env, SIZE_MAX);
    status = aci_json_canonical(
        agentchat_str_from("{\"b\":[1,\"\\u0041\",{\"d\":1e99999999999999999999,\"c\":2}],\"a\":0}"), &buf, env, err);
    if (status < 0)
        assert_int_equal(buf.len, 0);
    aci_buf_clear(&buf);
    return status;
}

static void test_canonical__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(canonical_scenario, NULL) >= 4);
}

static void test_compact(void **state)
{
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, NULL, SIZE_MAX);
    assert_true(aci_json_compact(agentchat_str_from("{ \"a b\\\" \" : [ 1 ,\t2\r\n] , \"c\":{ } }"), &buf));
    assert_buf(&buf, "{\"a b\\\" \":[1,2],\"c\":{}}");
    assert_true(aci_json_compact(agentchat_str_from("[1.50]"), &buf));
    assert_buf(&buf, "[1.50]");
    aci_buf_clear(&buf);
}

static void test_unquote(void **state)
{
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, NULL, SIZE_MAX);
    assert_true(aci_json_unquote(agentchat_str_from("\"a\\u00e9\\ud800\\n\""), &buf));
    assert_buf(&buf, "a\xC3\xA9\xED\xA0\x80\n");
    assert_true(aci_json_unquote(agentchat_str_from("\"\""), &buf));
    assert_buf(&buf, "");
    aci_buf_clear(&buf);
}

static void test_lone_surrogates(void **state)
{
    static const char *const cases[][2] = {
        {"\"\\ud83d\\ude00\"", NULL},
        {"\"\\\\ud800 \\n\"", NULL},
        {"[\"\\ud83d\"]", "[\"\\uFFFD\"]"},
        {"{\"\\uDE00\":\"\\uD83D\\uD83D\\uDE00\\\\\\ude00x\"}", "{\"\\uFFFD\":\"\\uFFFD\\uD83D\\uDE00\\\\\\uFFFDx\"}"},
        {"\"\\ud800\\u0041\\udc00\"", "\"\\uFFFD\\u0041\\uFFFD\""},
    };
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, NULL, SIZE_MAX);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(aci_json_has_lone_surrogates(agentchat_str_from(cases[i][0])), cases[i][1] != NULL);
        assert_true(aci_json_replace_lone_surrogates(agentchat_str_from(cases[i][0]), &buf));
        assert_buf(&buf, cases[i][1] != NULL ? cases[i][1] : cases[i][0]);
    }
    aci_buf_clear(&buf);
}

static void test_pointer(void **state)
{
    aci_buf buf;

    (void)state;
    aci_buf_init(&buf, NULL, SIZE_MAX);
    assert_true(aci_json_pointer_add(&buf, AGENTCHAT_STR("a")) && aci_json_pointer_add_index(&buf, 12) &&
                aci_json_pointer_add(&buf, AGENTCHAT_STR("")) && aci_json_pointer_add(&buf, AGENTCHAT_STR("~x/~")));
    assert_buf(&buf, "/a/12//~0x~1~0");
    aci_buf_clear(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check__spans_and_kinds),
        cmocka_unit_test(test_check__refuses_with_a_location),
        cmocka_unit_test(test_canonical__numbers),
        cmocka_unit_test(test_canonical__strings),
        cmocka_unit_test(test_canonical__values),
        cmocka_unit_test(test_canonical__deep_and_wide),
        cmocka_unit_test(test_canonical__out_of_memory),
        cmocka_unit_test(test_compact),
        cmocka_unit_test(test_unquote),
        cmocka_unit_test(test_lone_surrogates),
        cmocka_unit_test(test_pointer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
