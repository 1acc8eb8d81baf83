/* SPDX-License-Identifier: Apache-2.0 */
/* agentchat/json_text.h: checking, walking over members and step by step, finding, strings. */
#include "support/test_support.h"
#include <agentchat/json_text.h>

static const agentchat_str absent = {NULL, 0};

static void test_check(void **state)
{
    agentchat_error err;
    agentchat_str value;

    (void)state;
    test_ok(agentchat_json_check(NULL, AGENTCHAT_STR(" [1, {}]\n"), &value, &err), &err);
    assert_str(value, "[1, {}]");
    test_fails(agentchat_json_check(NULL, AGENTCHAT_STR("{\"a\":[1,nul]}"), &value, &err), &err, AGENTCHAT_E_SYNTAX,
               "/a/1", "expected a value");
    assert_int_equal(err.offset, 8);
    assert_null(value.ptr);
    assert_int_equal(agentchat_json_check(NULL, absent, &value, NULL), AGENTCHAT_E_SYNTAX);
    assert_int_equal(agentchat_json_check(NULL, AGENTCHAT_STR("1"), NULL, NULL), AGENTCHAT_E_INVALID);
}

static void test_kind(void **state)
{
    static const struct {
        const char *text;
        agentchat_json_kind kind;
    } cases[] = {
        {"{}", AGENTCHAT_JSON_OBJECT}, {"[]", AGENTCHAT_JSON_ARRAY},    {"\"\"", AGENTCHAT_JSON_STRING},
        {"-1", AGENTCHAT_JSON_NUMBER}, {"7", AGENTCHAT_JSON_NUMBER},    {"true", AGENTCHAT_JSON_TRUE},
        {"null", AGENTCHAT_JSON_NULL}, {"false", AGENTCHAT_JSON_FALSE}, {"", AGENTCHAT_JSON_NONE},
        {"}", AGENTCHAT_JSON_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(agentchat_json_kind_of(agentchat_str_from(cases[i].text)), cases[i].kind);
    assert_int_equal(agentchat_json_kind_of(absent), AGENTCHAT_JSON_NONE);
}

static void test_members(void **state)
{
    agentchat_json_walk walk;

    (void)state;
    assert_true(agentchat_json_walk_into(&walk, AGENTCHAT_STR(" { \"a\" : [ {\"x\":1} ] , \"\\u0062\":-1.50e2} ")));
    assert_true(agentchat_json_walk_next(&walk));
    assert_str(walk.key, "\"a\"");
    assert_str(walk.value, "[ {\"x\":1} ]");
    assert_true(agentchat_json_walk_next(&walk));
    assert_str(walk.key, "\"\\u0062\"");
    assert_str(walk.value, "-1.50e2");
    assert_false(agentchat_json_walk_next(&walk));
    assert_false(agentchat_json_walk_next(&walk));

    assert_true(agentchat_json_walk_into(&walk, AGENTCHAT_STR("[\"a:\" , {}]")));
    assert_true(agentchat_json_walk_next(&walk));
    assert_null(walk.key.ptr);
    assert_str(walk.value, "\"a:\"");
    assert_true(agentchat_json_walk_next(&walk));
    assert_str(walk.value, "{}");
    assert_false(agentchat_json_walk_next(&walk));
}

static void test_no_container(void **state)
{
    static const char *const texts[] = {"1", "\"a\"", "", "null", "]"};
    agentchat_json_walk walk;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(agentchat_json_walk_into(&walk, agentchat_str_from(texts[i])));
        assert_false(agentchat_json_walk_next(&walk));
    }
    assert_false(agentchat_json_walk_into(&walk, absent));
    assert_false(agentchat_json_walk_next(&walk));
    assert_false(agentchat_json_walk_into(NULL, AGENTCHAT_STR("{}")));
    assert_false(agentchat_json_walk_next(NULL));
    assert_int_equal(agentchat_json_walk_step(NULL), AGENTCHAT_JSON_END);
    agentchat_json_walk_begin(NULL, absent);
    agentchat_json_walk_skip(NULL);
}

static void test_steps(void **state)
{
    static const struct {
        agentchat_json_step step;
        const char *key, *value;
    } expected[] = {
        {AGENTCHAT_JSON_OPEN, NULL, "{"},         {AGENTCHAT_JSON_OPEN, "\"a\"", "["},
        {AGENTCHAT_JSON_SCALAR, NULL, "1"},       {AGENTCHAT_JSON_OPEN, NULL, "{"},
        {AGENTCHAT_JSON_CLOSE, NULL, "}"},        {AGENTCHAT_JSON_CLOSE, NULL, "]"},
        {AGENTCHAT_JSON_SCALAR, "\"b\"", "null"}, {AGENTCHAT_JSON_CLOSE, NULL, "}"},
        {AGENTCHAT_JSON_END, NULL, NULL},         {AGENTCHAT_JSON_END, NULL, NULL},
    };
    agentchat_json_walk walk;

    (void)state;
    agentchat_json_walk_begin(&walk, AGENTCHAT_STR("{\"a\":[1, {}],\n\"b\" : null}"));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(agentchat_json_walk_step(&walk), expected[i].step);
        assert_true(agentchat_str_equal(walk.key, agentchat_str_from(expected[i].key)));
        assert_true(agentchat_str_equal(walk.value, agentchat_str_from(expected[i].value)));
    }
}

static void test_skip(void **state)
{
    agentchat_json_walk walk;

    (void)state;
    agentchat_json_walk_begin(&walk, AGENTCHAT_STR("[{\"a\":[]} ,1]"));
    assert_int_equal(agentchat_json_walk_step(&walk), AGENTCHAT_JSON_OPEN);
    assert_int_equal(agentchat_json_walk_step(&walk), AGENTCHAT_JSON_OPEN);
    agentchat_json_walk_skip(&walk);
    assert_str(walk.value, "{\"a\":[]}");
    assert_int_equal(agentchat_json_walk_step(&walk), AGENTCHAT_JSON_SCALAR);
    agentchat_json_walk_skip(&walk); /* nothing to leave out */
    assert_str(walk.value, "1");
    assert_int_equal(agentchat_json_walk_step(&walk), AGENTCHAT_JSON_CLOSE);
    assert_int_equal(agentchat_json_walk_step(&walk), AGENTCHAT_JSON_END);
}

/* Each beginning of a text, and the text with each byte replaced: the walk ends and stays inside. The copy is as long
   as the text, so that memory checkers see a step beyond. */
static void walk_all(const char *text, size_t len)
{
    char *copy = malloc(len > 0 ? len : 1);
    agentchat_json_walk walk;
    size_t steps = 0;

    assert_non_null(copy);
    memcpy(copy, text, len);
    agentchat_json_walk_begin(&walk, (agentchat_str){copy, len});
    while (agentchat_json_walk_step(&walk) != AGENTCHAT_JSON_END)
        assert_true(++steps <= len);
    (void)agentchat_json_walk_into(&walk, (agentchat_str){copy, len});
    while (agentchat_json_walk_next(&walk))
        (void)agentchat_json_equal(walk.key, AGENTCHAT_STR("ab"));
    free(copy);
}

static void test_hostile(void **state)
{
    static const char text[] = "{\"a\\u00e9\" : [1,\"\\\\\", {\"b\":null}], \"c\":-1e5 }";
    static const char bytes[] = ":,{}[]\"\\1 \n\xFF";

    (void)state;
    for (size_t len = 0; len < sizeof text; len++)
        walk_all(text, len);
    for (size_t i = 0; i < (sizeof text - 1) * (sizeof bytes - 1); i++) {
        char changed[sizeof text];

        memcpy(changed, text, sizeof text);
        changed[i / (sizeof bytes - 1)] = bytes[i % (sizeof bytes - 1)];
        walk_all(changed, sizeof text - 1);
    }
}

static void test_find(void **state)
{
    agentchat_str object = AGENTCHAT_STR("{\"a\":{\"b\":1},\"\\u0062\":2,\"b\":3,\"\":4}");

    (void)state;
    assert_str(agentchat_json_find(object, AGENTCHAT_STR("b")), "2");
    assert_str(agentchat_json_find(object, AGENTCHAT_STR("a")), "{\"b\":1}");
    assert_str(agentchat_json_find(object, AGENTCHAT_STR("")), "4");
    assert_str(agentchat_json_find(object, absent), "4");
    assert_null(agentchat_json_find(object, AGENTCHAT_STR("c")).ptr);
    assert_null(agentchat_json_find(AGENTCHAT_STR("[\"b\"]"), AGENTCHAT_STR("b")).ptr);
    assert_null(agentchat_json_find(absent, AGENTCHAT_STR("b")).ptr);
}

static void test_equal(void **state)
{
    agentchat_str spelled = AGENTCHAT_STR("\"\\/\\ud83d\\ude00x\\n\"");

    (void)state;
    assert_true(agentchat_json_equal(spelled, AGENTCHAT_STR("/\xF0\x9F\x98\x80x\n")));
    assert_false(agentchat_json_equal(spelled, AGENTCHAT_STR("/\xF0\x9F\x98\x80x")));
    assert_false(agentchat_json_equal(spelled, AGENTCHAT_STR("/\xF0\x9F\x98\x80x\n\n")));
    assert_true(agentchat_json_equal(AGENTCHAT_STR("\"\""), absent));
    assert_false(agentchat_json_equal(absent, absent));
    assert_false(agentchat_json_equal(AGENTCHAT_STR("1"), AGENTCHAT_STR("1")));
}

static void test_decode(void **state)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_json_decode(NULL, AGENTCHAT_STR("\"a\\u00e9\""), &bytes, &err), &err);
    test_ok(agentchat_json_decode(NULL, AGENTCHAT_STR("\"\\ud800\""), &bytes, &err), &err);
    assert_string_equal(bytes.ptr, "a\xC3\xA9\xED\xA0\x80");
    assert_int_equal(agentchat_json_decode(NULL, AGENTCHAT_STR("1"), &bytes, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_json_decode(NULL, AGENTCHAT_STR("\"a"), &bytes, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_json_decode(NULL, AGENTCHAT_STR("\"\\x\""), &bytes, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_json_decode(NULL, absent, &bytes, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_json_decode(NULL, AGENTCHAT_STR("\"a\""), NULL, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(bytes.len, 6);
    agentchat_bytes_clear(&bytes);
}

static void test_string_parts(void **state)
{
    static const struct {
        const char *part;
        uint32_t code_point;
    } expected[] = {
        {"ab", UINT32_MAX},  {"\\n", '\n'},     {"\\u00e9", 0xE9},   {"\\ud83d\\ude00", 0x1F600},
        {"\\ud83d", 0xD83D}, {"x", UINT32_MAX}, {"\\q", UINT32_MAX}, {"\\u12", UINT32_MAX},
    };
    agentchat_str rest = AGENTCHAT_STR("ab\\n\\u00e9\\ud83d\\ude00\\ud83dx\\q\\u12"), part;
    uint32_t code_point;

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(agentchat_json_string_part(&rest, &part, &code_point));
        assert_str(part, expected[i].part);
        assert_int_equal(code_point, expected[i].code_point);
    }
    assert_false(agentchat_json_string_part(&rest, &part, &code_point));
    assert_false(agentchat_json_string_part(NULL, &part, &code_point));
    rest = AGENTCHAT_STR("a");
    assert_true(agentchat_json_string_part(&rest, NULL, NULL));
    assert_int_equal(rest.len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),  cmocka_unit_test(test_kind),         cmocka_unit_test(test_members),
        cmocka_unit_test(test_steps),  cmocka_unit_test(test_skip),         cmocka_unit_test(test_no_container),
        cmocka_unit_test(test_find),   cmocka_unit_test(test_hostile),      cmocka_unit_test(test_equal),
        cmocka_unit_test(test_decode), cmocka_unit_test(test_string_parts),
    };

    return cmocka_run_group_tests_name("json_text_walk", tests, NULL, NULL);
}
