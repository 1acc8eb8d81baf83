/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how the ADK dialects show values: numbers, strings in containers, order of members; and of identifiers. */
#include "template_test.h"

#include "state/template.h"

static const agentchat_template_dialect RUST = AGENTCHAT_TEMPLATE_ADK_RUST, PYTHON = AGENTCHAT_TEMPLATE_ADK_PYTHON;

static void check(agentchat_template_dialect dialect, const char *value, const char *expected)
{
    char json[512];
    agentchat_state *map;

    (void)snprintf(json, sizeof json, "{\"v\":%s}", value);
    map = template_state(json);
    check_render_as(dialect, map, "{v}", expected);
    agentchat_state_free(map);
}

/* What print(json.loads(…)) gives, and what serde_json prints of what it parsed. */
static void test_template_python__numbers(void **state)
{
    static const struct {
        const char *json, *python, *rust;
    } cases[] = {
        {"0", "0", "0"},
        {"-0", "0", "-0.0"},
        {"-7", "-7", "-7"},
        {"18446744073709551615", "18446744073709551615", "18446744073709551615"},
        {"18446744073709551616", "18446744073709551616", "1.8446744073709552e+19"},
        {"-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
        {"-9223372036854775809", "-9223372036854775809", "-9.223372036854776e+18"},
        {"12345678901234567890123", "12345678901234567890123", "1.2345678901234568e+22"},
        {"1.50", "1.5", "1.5"},
        {"0.0", "0.0", "0.0"},
        {"-0.0", "-0.0", "-0.0"},
        {"0e5", "0.0", "0.0"},
        {"1e2", "100.0", "100.0"},
        {"1E+2", "100.0", "100.0"},
        {"12.34", "12.34", "12.34"},
        {"-12.5e-1", "-1.25", "-1.25"},
        {"100.25", "100.25", "100.25"},
        {"1e15", "1000000000000000.0", "1000000000000000.0"},
        {"1234567890123456.0", "1234567890123456.0", "1234567890123456.0"},
        {"9007199254740993.0", "9007199254740992.0", "9007199254740992.0"},
        {"1e16", "1e+16", "1e+16"},
        {"1.5e16", "1.5e+16", "1.5e+16"},
        {"12345678901234567.0", "1.2345678901234568e+16", "1.2345678901234568e+16"},
        {"0.001", "0.001", "0.001"},
        {"0.0001", "0.0001", "0.0001"},
        {"0.00012", "0.00012", "0.00012"},
        {"0.00001", "1e-05", "0.00001"},
        {"0.000012", "1.2e-05", "0.000012"},
        {"0.000001", "1e-06", "1e-6"},
        {"1.5e-7", "1.5e-07", "1.5e-7"},
        {"1e100", "1e+100", "1e+100"},
        {"1.7976931348623157e308", "1.7976931348623157e+308", "1.7976931348623157e+308"},
        {"5e-324", "5e-324", "5e-324"},
        {"2.2250738585072014e-308", "2.2250738585072014e-308", "2.2250738585072014e-308"},
        {"0.1", "0.1", "0.1"},
        {"0.30000000000000004", "0.30000000000000004", "0.30000000000000004"},
        {"3.14159265358979323846264338327950288419716939937510", "3.141592653589793", "3.141592653589793"},
        {"1e-400", "0.0", "0.0"},
        {"1e999", "inf", "1e999"},
        {"-1e999", "-inf", "-1e999"},
        {"1e99999999999999999999", "inf", "1e99999999999999999999"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char array[128], expected[128];

        check(PYTHON, cases[i].json, cases[i].python);
        check(RUST, cases[i].json, cases[i].rust);
        (void)snprintf(array, sizeof array, "[%s]", cases[i].json);
        (void)snprintf(expected, sizeof expected, "[%s]", cases[i].python);
        check(PYTHON, array, expected);
    }
}

static void test_template_python__strings_in_containers(void **state)
{
    static const struct {
        const char *json, *python, *rust;
    } cases[] = {
        {"[\"\"]", "['']", "[\"\"]"},
        {"[\"it's\"]", "[\"it's\"]", "[\"it's\"]"},
        {"[\"say \\\"x\\\"\"]", "['say \"x\"']", "[\"say \\\"x\\\"\"]"},
        {"[\"it's \\\"x\\\"\"]", "['it\\'s \"x\"']", "[\"it's \\\"x\\\"\"]"},
        {"[\"a\\\\b\\/c\"]", "['a\\\\b/c']", "[\"a\\\\b/c\"]"},
        {"[\"\\t\\n\\r\\b\\f\\u0000\\u001f\"]", "['\\t\\n\\r\\x08\\x0c\\x00\\x1f']",
         "[\"\\t\\n\\r\\b\\f\\u0000\\u001f\"]"},
        {"[\"\\u007f\\u0085\\u00a0\\u00ad\"]", "['\\x7f\\x85\\xa0\\xad']", "[\"\x7F\xC2\x85\xC2\xA0\xC2\xAD\"]"},
        {"[\"\\u00e9\\u20ac\\ud83d\\ude00\"]", "['\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80']",
         "[\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"]"},
        {"[\"\\u200b\\u2028\\u3000\\ufeff\\ue000\"]", "['\\u200b\\u2028\\u3000\\ufeff\\ue000']",
         "[\"\xE2\x80\x8B\xE2\x80\xA8\xE3\x80\x80\xEF\xBB\xBF\xEE\x80\x80\"]"},
        {"[\"\\udb40\\udc41\\udbff\\udffd\"]", "['\\U000e0041\\U0010fffd']", "[\"\xF3\xA0\x81\x81\xF4\x8F\xBF\xBD\"]"},
        {"[\"\\ud800\"]", "['\\ud800']", "[\"\\ud800\"]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(PYTHON, cases[i].json, cases[i].python);
        check(RUST, cases[i].json, cases[i].rust);
    }
    check(PYTHON, "\"it's \\\"x\\\"\\n\\u00e9\"", "it's \"x\"\n\xC3\xA9"); /* bare outside of containers */
    check(RUST, "\"it's \\\"x\\\"\\n\\u00e9\"", "it's \"x\"\n\xC3\xA9");
}

static void test_template_python__containers(void **state)
{
    static const struct {
        const char *json, *python, *rust;
    } cases[] = {
        {"{}", "{}", "{}"},
        {"[]", "[]", "[]"},
        {"[ ]", "[]", "[]"},
        {"{ \"a\" : [ ] , \"b\" : { } }", "{'a': [], 'b': {}}", "{\"a\":[],\"b\":{}}"},
        {"[1,[2,[3,[]]],{}]", "[1, [2, [3, []]], {}]", "[1,[2,[3,[]]],{}]"},
        {"{\"b\":1,\"a\":2,\"c\":{\"z\":true,\"y\":false}}", "{'b': 1, 'a': 2, 'c': {'z': True, 'y': False}}",
         "{\"a\":2,\"b\":1,\"c\":{\"y\":false,\"z\":true}}"},
        {"{\"a\":1,\"b\":2,\"a\":3}", "{'a': 3, 'b': 2}", "{\"a\":3,\"b\":2}"},
        {"{\"z\":1,\"b\":2,\"\\u007a\":{\"q\":null,\"p\":0},\"a\":4,\"b\":[5]}",
         "{'z': {'q': None, 'p': 0}, 'b': [5], 'a': 4}", "{\"a\":4,\"b\":[5],\"z\":{\"p\":0,\"q\":null}}"},
        {"{\"a\":1,\"a\":2,\"a\":3}", "{'a': 3}", "{\"a\":3}"},
        {"{\"ab\":1,\"a\":2,\"\":3}", "{'ab': 1, 'a': 2, '': 3}", "{\"\":3,\"a\":2,\"ab\":1}"},
        {"{\"\\uffff\":1,\"\\ud83d\\ude00\":2}", "{'\\uffff': 1, '\xF0\x9F\x98\x80': 2}",
         "{\"\xEF\xBF\xBF\":1,\"\xF0\x9F\x98\x80\":2}"}, /* the order is that of code points */
        {"{\"it's\":1,\"\\n\":2}", "{\"it's\": 1, '\\n': 2}", "{\"\\n\":2,\"it's\":1}"},
        {"[{\"b\":{\"d\":1,\"c\":{\"f\":1,\"e\":2}},\"a\":[{\"h\":1,\"g\":2}]}]",
         "[{'b': {'d': 1, 'c': {'f': 1, 'e': 2}}, 'a': [{'h': 1, 'g': 2}]}]",
         "[{\"a\":[{\"g\":2,\"h\":1}],\"b\":{\"c\":{\"e\":2,\"f\":1},\"d\":1}}]"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(PYTHON, cases[i].json, cases[i].python);
        check(RUST, cases[i].json, cases[i].rust);
    }
}

static void test_template_python__identifiers(void **state)
{
    static const char *const right[] = {
        "a",
        "_",
        "Z9",
        "__x__",
        "\xC3\xBC"
        "ber",
        "\xC2\xB5",
        "na\xC3\xAFve",
        "\xCE\xB1\xCE\xB2",
        "\xD0\xB8\xD0\xBC\xD1\x8F",
        "\xD7\xA9\xD7\x9D",
        "\xE5\x90\x8D\xE5\x89\x8D",
        "\xE3\x81\x82",
        "\xED\x95\x9C",
        "\xE0\xA4\xA8\xE0\xA4\xBE\xE0\xA4\xAE",
        "\xF0\x9D\x94\x9E",
        "a\xE2\x80\xBF"
        "b",
        "\xEF\xBD\x81",
    };
    static const char *const wrong[] = {
        "",
        "1",
        "1a",
        "a b",
        "a-b",
        "a.b",
        "a:b",
        "a?",
        "\x7F",
        "\xC2\xA0"
        "a",
        "a\xC2\xA0",
        "\xC2\xAB",
        "\xC3\x97",
        "\xE2\x80\x94",
        "\xE2\x80\x9C"
        "a\xE2\x80\x9D",
        "\xE2\x82\xAC",
        "\xE2\x86\x92",
        "\xE3\x80\x80",
        "\xE3\x80\x8C"
        "a\xE3\x80\x8D",
        "\xEF\xBC\x81",
        "\xF0\x9F\x98\x80",
        "a\xF0\x9F\x98\x80",
        "\xEE\x80\x80",
        "\xEF\xBB\xBF"
        "a",
        "a\xE2\x80\x8B",
    };

    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_true(aci_template_python_is_identifier(agentchat_str_from(right[i])));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(aci_template_python_is_identifier(agentchat_str_from(wrong[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template_python__numbers),
        cmocka_unit_test(test_template_python__strings_in_containers),
        cmocka_unit_test(test_template_python__containers),
        cmocka_unit_test(test_template_python__identifiers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
