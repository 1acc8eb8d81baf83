/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of src/state/object.c. */
#include "support/test_support.h"

#include "state/state.h"

static agentchat_status read(const char *text, agentchat_state **out, agentchat_error *err)
{
    return agentchat_state_read(NULL, agentchat_str_from(text), out, err);
}

/* Reads, writes, and asserts what was written. */
static void check_round(const char *text, const char *expected)
{
    agentchat_bytes written = AGENTCHAT_BYTES_INIT;
    agentchat_state *map;
    agentchat_error err;

    test_ok(read(text, &map, &err), &err);
    test_ok(agentchat_state_write(map, &written, &err), &err);
    assert_string_equal(written.ptr, expected);
    agentchat_bytes_clear(&written);
    agentchat_state_free(map);
}

static void test_state_object__reads_and_writes(void **state)
{
    (void)state;
    check_round("{}", "{}");
    check_round(" \n{ \t} \r\n", "{}");
    check_round("{\"a\":1}", "{\"a\":1}");
    check_round(" { \"b\" : [ 1, 2 ] ,\n\"a\" : { \"x\" : 1, \"x\" : 2 } } ",
                "{\"b\":[ 1, 2 ],\"a\":{ \"x\" : 1, \"x\" : 2 }}");
    check_round("{\"n\":12345678901234567890123,\"d\":1.50,\"z\":-0,\"u\":\"\\u0061\"}",
                "{\"n\":12345678901234567890123,\"d\":1.50,\"z\":-0,\"u\":\"\\u0061\"}");
    check_round("{\"app:user:z\":null,\"app:user:\":1,\"App:\":2}", "{\"app:user:z\":null,\"app:user:\":1,\"App:\":2}");
}

/* Keys are decoded, and written in their shortest spelling. */
static void test_state_object__spells_keys_anew(void **state)
{
    (void)state;
    check_round("{\"\\u0061pp\\u003ax\":1}", "{\"app:x\":1}");
    check_round("{\"q\\\"b\\\\s\\/t\\t\\u0001\\u00e9\\ud83d\\ude00\":1}",
                "{\"q\\\"b\\\\s/t\\t\\u0001\xC3\xA9\xF0\x9F\x98\x80\":1}");
}

typedef struct bad_case {
    const char *text;
    agentchat_status status;
    const char *path;
    const char *message;
    uint64_t offset;
    uint32_t line, column;
} bad_case;

static void check_bad(const bad_case *c)
{
    agentchat_state *map = (agentchat_state *)(uintptr_t)1;
    agentchat_error err;

    test_fails(read(c->text, &map, &err), &err, c->status, c->path, c->message);
    assert_null(map);
    assert_int_equal(err.offset, c->offset);
    assert_int_equal(err.line, c->line);
    assert_int_equal(err.column, c->column);
    assert_int_equal(read(c->text, &map, NULL), c->status);
}

static void test_state_object__locates_every_error(void **state)
{
    static const bad_case cases[] = {
        {"", AGENTCHAT_E_SYNTAX, "", "unexpected end of the input", 0, 1, 1},
        {"[]", AGENTCHAT_E_SCHEMA, "", "expected an object, found an array", 0, 1, 1},
        {" null", AGENTCHAT_E_SCHEMA, "", "expected an object, found null", 1, 1, 2},
        {"{\"a\":1", AGENTCHAT_E_SYNTAX, "", "',' or '}' is missing", 6, 1, 7},
        {"{\"a\":1} x", AGENTCHAT_E_SYNTAX, "", "expected the end of the input, found 'x'", 8, 1, 9},
        {"{\"a\":{\"b\":[1,2,tru]}}", AGENTCHAT_E_SYNTAX, "/a/b/2", "expected a value", 15, 1, 16},
        {"\xEF\xBB\xBF{}", AGENTCHAT_E_SYNTAX, "", "byte-order mark", 0, 1, 1},
        {"{\"\":1}", AGENTCHAT_E_INVALID, "/", "the key must not be empty", 1, 1, 2},
        {"{\"a\":1,\n \"user:\":2}", AGENTCHAT_E_INVALID, "/user:", "the key \"user:\" has nothing after its prefix", 9,
         2, 2},
        {"{\"a\":1,\"a\":1}", AGENTCHAT_E_SCHEMA, "/a", "the key \"a\" is there twice", 7, 1, 8},
        {"{\"a\":1,\n\n  \"\\u0061\":x}", AGENTCHAT_E_SCHEMA, "/a", "the key \"a\" is there twice", 11, 3, 3},
        {"{\"x\\u0000y\":1}", AGENTCHAT_E_INVALID, NULL, "the key \"x\\u0000y\" has a NUL in it", 1, 1, 2},
        {"{\"x\\ud800y\":1}", AGENTCHAT_E_INVALID, NULL, "the key \"x\\ud800y\" has a surrogate in it", 1, 1, 2},
        {"{\"x\\udc00\\ud800\":1}", AGENTCHAT_E_INVALID, NULL, "has a surrogate in it", 1, 1, 2},
        {"{\"\x80\":1}", AGENTCHAT_E_SYNTAX, "", "a string is not UTF-8", 2, 1, 3},
        {"{\"a\":\"\x80\"}", AGENTCHAT_E_SYNTAX, "/a", "a string is not UTF-8", 6, 1, 7},
        {"{\"a\" 1}", AGENTCHAT_E_SYNTAX, "/a", "expected ':', found '1'", 5, 1, 6},
        {"{\"a\":}", AGENTCHAT_E_SYNTAX, "/a", "expected a value, found '}'", 5, 1, 6},
        {"{a:1}", AGENTCHAT_E_SYNTAX, "", "expected the name of a member, found 'a'", 1, 1, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_bad(&cases[i]);
}

static void test_state_object__refuses_long_keys(void **state)
{
    enum { LEN = 100000 };
    char *text = malloc(LEN + 16);
    agentchat_state *map;
    agentchat_error err;

    (void)state;
    assert_non_null(text);
    for (size_t len = AGENTCHAT_MAX_KEY_BYTES; len <= LEN; len += LEN - AGENTCHAT_MAX_KEY_BYTES) {
        memset(text, 'k', LEN + 16);
        memcpy(text, "{\"", 2);
        memcpy(text + 2 + len - 4, "\\n", 2); /* one byte less than it is spelled with */
        memcpy(text + 3 + len, "\":1}", 5);
        if (len == AGENTCHAT_MAX_KEY_BYTES) {
            test_ok(read(text, &map, &err), &err);
            agentchat_state_free(map);
        } else {
            test_fails(read(text, &map, &err), &err, AGENTCHAT_E_INVALID, NULL,
                       "kkk\xE2\x80\xA6\" has 100000 bytes, but at most 512 are allowed");
            assert_int_equal(err.offset, 1);
        }
    }
    free(text);
}

static agentchat_env *limited(uint64_t max_bytes, uint32_t max_depth)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;

    limits.max_bytes = max_bytes;
    limits.max_depth = max_depth;
    options.limits = &limits;
    return test_env(&options);
}

static void test_state_object__obeys_the_limits(void **state)
{
    agentchat_env *env = limited(20, 2);
    agentchat_state *map;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_state_read(env, AGENTCHAT_STR("{\"a\":[1,2,3,4,5,67]}"), &map, &err), &err);
    agentchat_state_free(map);
    test_fails(agentchat_state_read(env, AGENTCHAT_STR("{\"a\":[1,2,3,4,5,678]}"), &map, &err), &err, AGENTCHAT_E_LIMIT,
               "", "the object is longer than 20 bytes, the limit max_bytes");
    test_fails(agentchat_state_read(env, AGENTCHAT_STR("{\"a\":[{}]}"), &map, &err), &err, AGENTCHAT_E_LIMIT, "/a/0",
               "nested deeper than 2 levels");
    assert_int_equal(err.offset, 6);
    assert_null(map);
    agentchat_env_free(env);
}

/* The text stays as it is, whatever stands around it: nothing is decoded in place. */
static void test_state_object__leaves_the_text_alone(void **state)
{
    static const char text[] = "{\"\\u0061\":\"\\u0062\"}"; /* in memory that cannot be written */
    agentchat_state *map;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_state_read(NULL, (agentchat_str){text, sizeof text - 1}, &map, &err), &err);
    assert_str(agentchat_state_get(map, "a"), "\"\\u0062\"");
    agentchat_state_free(map);
}

static void test_state_object__appends(void **state)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_state *map;
    agentchat_error err;

    (void)state;
    test_ok(read("{\"a\":1}", &map, &err), &err);
    test_ok(agentchat_state_write(map, &text, &err), &err);
    test_ok(agentchat_state_write(map, &text, &err), &err);
    assert_string_equal(text.ptr, "{\"a\":1}{\"a\":1}");
    agentchat_bytes_clear(&text);
    test_fails(agentchat_state_write(map, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    agentchat_state_free(map);
}

static void test_state_object__keeps_to_its_environment(void **state)
{
    agentchat_env *env = limited(0, 0);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_state *map = test_state(env);
    agentchat_error err;

    (void)state;
    test_ok(agentchat_bytes_append(&text, AGENTCHAT_STR("x"), &err), &err);
    test_fails(agentchat_state_write(map, &text, &err), &err, AGENTCHAT_E_INVALID, "", "another environment");
    assert_string_equal(text.ptr, "x");
    assert_ptr_equal(aci_state_env(map), env);
    agentchat_bytes_clear(&text);
    agentchat_state_free(map);
    agentchat_env_free(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_object__reads_and_writes),
        cmocka_unit_test(test_state_object__spells_keys_anew),
        cmocka_unit_test(test_state_object__locates_every_error),
        cmocka_unit_test(test_state_object__refuses_long_keys),
        cmocka_unit_test(test_state_object__obeys_the_limits),
        cmocka_unit_test(test_state_object__leaves_the_text_alone),
        cmocka_unit_test(test_state_object__appends),
        cmocka_unit_test(test_state_object__keeps_to_its_environment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
