/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text and jansson values: what passes unchanged, what is refused and where, doubles, memory. */
#include "support/test_support.h"
#include <agentchat/json.h>
#include <float.h>
#include <locale.h>

/* Loads, dumps and compares. */
static void assert_round_trip(const char *text, const char *expected)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    json_t *value;

    test_ok(agentchat_json_load(agentchat_str_from(text), &value, &err), &err);
    assert_non_null(value);
    test_ok(agentchat_json_dump(NULL, value, &bytes, &err), &err);
    assert_string_equal(bytes.ptr, expected);
    json_decref(value);
    agentchat_bytes_clear(&bytes);
}

static void test_bridge__round_trips(void **state)
{
    (void)state;
    assert_round_trip(
        " {\"b\":[1, "
        "-9223372036854775808,9223372036854775807,true,false,null,{}],\"a\":\"x\\u0000\\u00e9\\ud83d\\ude00\"}",
        "{\"b\":[1,-9223372036854775808,9223372036854775807,true,false,null,{}],\"a\":"
        "\"x\\u0000\xC3\xA9\xF0\x9F\x98\x80\"}");
    assert_round_trip("[0.1,1.0,1e2,-0.0,1e22,1e-7,5e-324,1.7976931348623157e308,0.30000000000000004,2.50]",
                      "[0.1,1.0,100.0,-0.0,1e+22,1e-07,5e-324,1.7976931348623157e+308,0.30000000000000004,2.5]");
    assert_round_trip("\"scalar\"", "\"scalar\"");
    assert_round_trip("null", "null");
    assert_round_trip("{\"\":\"\"}", "{\"\":\"\"}");
}

static void test_bridge__refuses_what_jansson_cannot_hold(void **state)
{
    static const struct {
        const char *text, *path;
        uint64_t offset;
        const char *message;
    } cases[] = {
        {"[9223372036854775808]", "/0", 1, "64 bits"},
        {"{\"a\":[0,-9223372036854775809]}", "/a/1", 8, "64 bits"},
        {"[1e400]", "/0", 1, "double"},
        {"[1e-400]", "/0", 1, "double"},
        {"[0.1000000000000000055511151231257827]", "/0", 1, "double"},
        {"[1.00000000000000000000000000000000000000000000000000000001]", "/0", 1, "double"},
        {"[1e99999999999999999999999999999999999999999999999999999999]", "/0", 1, "double"},
        {"{\"a\":{\"b\":1,\"c\":2,\"b\":3}}", "/a/b", 18, "twice"},
        {"[{\"k\":0},{\"b\":1,\"\\u0062\":3}]", "/1/b", 16, "twice"},
        {"[\"\\ud800\"]", "/0", 1, "surrogate"},
        {"{\"x\":{\"\\udc00\":1}}", "/x/\xED\xB0\x80", 6, "surrogate"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        agentchat_error err;
        json_t *value = (json_t *)&err;

        test_fails(agentchat_json_load(agentchat_str_from(cases[i].text), &value, &err), &err, AGENTCHAT_E_UNSUPPORTED,
                   cases[i].path, cases[i].message);
        assert_null(value);
        assert_int_equal(err.offset, cases[i].offset);
    }
}

static void test_bridge__other_refusals(void **state)
{
    agentchat_error err;
    json_t *value;

    (void)state;
    test_fails(agentchat_json_load(agentchat_str_from("[1,"), &value, &err), &err, AGENTCHAT_E_SYNTAX, "/1", NULL);
    assert_int_equal(err.offset, 3);
    test_fails(agentchat_json_load((agentchat_str){NULL, 0}, &value, &err), &err, AGENTCHAT_E_INVALID, "", NULL);
    test_fails(agentchat_json_load(agentchat_str_null(), &value, &err), &err, AGENTCHAT_E_INVALID, "", NULL);
    assert_null(value);
}

static void test_bridge__depth_of_jansson(void **state)
{
    char *text = malloc(2 * 2048 + 2);

    (void)state;
    for (size_t levels = 2046; levels <= 2049; levels++) {
        for (int inner = 0; inner <= 1 && levels <= 2048; inner++) {
            agentchat_error err;
            json_t *value;
            bool fits = levels + (size_t)inner <= 2048;

            memset(text, '[', levels);
            memset(text + levels, '1', (size_t)inner);
            memset(text + levels + inner, ']', levels);
            agentchat_status status =
                agentchat_json_load((agentchat_str){text, 2 * levels + (size_t)inner}, &value, &err);
            assert_int_equal(status, fits ? AGENTCHAT_OK : AGENTCHAT_E_UNSUPPORTED);
            json_decref(value);
        }
    }
    free(text);
}

static void test_bridge__dump_refusals(void **state)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;
    json_t *value = json_array(), *inner = value;

    (void)state;
    test_fails(agentchat_json_dump(NULL, NULL, &bytes, &err), &err, AGENTCHAT_E_INVALID, "", "no value");
    for (int i = 1; i < 129; i++) {
        json_t *next = json_array();
        assert_int_equal(json_array_append_new(inner, json_integer(i)), 0);
        assert_int_equal(json_array_append_new(inner, next), 0);
        inner = next;
    }
    assert_int_equal(agentchat_json_dump(NULL, value, &bytes, &err), AGENTCHAT_E_LIMIT);
    assert_string_equal(err.path + strlen(err.path) - 8, "/1/1/1/1");
    assert_null(bytes.ptr);
    assert_int_equal(json_array_remove(value, 1), 0);
    assert_int_equal(json_array_set_new(value, 0, json_pack("{s:o}", "k", json_stringn_nocheck("\xC3(", 2))), 0);
    test_fails(agentchat_json_dump(NULL, value, &bytes, &err), &err, AGENTCHAT_E_INVALID, "/0/k", "not UTF-8");
    assert_null(bytes.ptr);
    json_decref(value);
}

/* Whatever the process has set for numbers. */
static void test_bridge__other_locales(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8", "fa_IR.UTF-8", "C"};
    size_t set = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (setlocale(LC_NUMERIC, names[i]) == NULL)
            continue;
        assert_round_trip("[0.1,1.5e-7,100.0]", "[0.1,1.5e-07,100.0]");
        set++;
    }
    setlocale(LC_NUMERIC, "C");
    assert_true(set > 0);
}

static void test_bridge__doubles_read_back(void **state)
{
    uint64_t bits = 88172645463325252u;
    int shortened = 0;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
        agentchat_error err;
        double real;
        json_t *value, *again;

        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&real, &bits, sizeof(real));
        if (i % 3 == 0)
            real = (double)(bits % 100000) / 1000.0;
        if (!(real >= -DBL_MAX && real <= DBL_MAX))
            continue;
        value = json_real(real);
        test_ok(agentchat_json_dump(NULL, value, &bytes, &err), &err);
        test_ok(agentchat_json_load((agentchat_str){bytes.ptr, bytes.len}, &again, &err), &err);
        assert_true(json_is_real(again));
        assert_true(json_real_value(again) == real);
        shortened += bytes.len < 10;
        json_decref(value);
        json_decref(again);
        agentchat_bytes_clear(&bytes);
    }
    assert_true(shortened > 5000);
}

static void test_bridge__fields(void **state)
{
    agentchat_message_builder *builder = test_message_builder(NULL, "assistant", NULL);
    json_t *metadata = json_pack("{s:i}", "n", 5), *arguments = json_pack("{s:[b,n]}", "a", 1), *got;
    agentchat_message *message = NULL;
    agentchat_error err;

    (void)state;
    agentchat_message_builder_set_json(builder, AGENTCHAT_FIELD_METADATA, metadata);
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_CALL);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_FUNCTION, AGENTCHAT_STR("f"));
    agentchat_message_builder_set_item_json(builder, AGENTCHAT_FIELD_ARGUMENTS, arguments);
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    test_ok(agentchat_message_get_json(message, AGENTCHAT_FIELD_METADATA, &got, &err), &err);
    assert_true(json_equal(got, metadata));
    json_decref(got);
    test_ok(agentchat_item_get_json(agentchat_message_item(message, 0), AGENTCHAT_FIELD_ARGUMENTS, &got, &err), &err);
    assert_true(json_equal(got, arguments));
    json_decref(got);
    test_ok(agentchat_item_get_json(agentchat_message_item(message, 0), AGENTCHAT_FIELD_EXCEPTION, &got, &err), &err);
    assert_null(got);
    agentchat_message_unref(message);

    builder = test_message_builder(NULL, "assistant", NULL);
    agentchat_message_builder_set_json(builder, AGENTCHAT_FIELD_METADATA, NULL);
    assert_int_equal(agentchat_message_builder_finish(builder, &message, &err), AGENTCHAT_E_INVALID);
    assert_null(message);
    json_decref(metadata);
    json_decref(arguments);
}

/* A value that cannot be written says why and where, as one given as text does. */
static void test_bridge__fields_report_what_is_wrong(void **state)
{
    json_t *bad = json_pack("{s:[i,o]}", "k", 1, json_stringn_nocheck("\xC3(", 2)), *deep = json_array(), *inner = deep;
    agentchat_message_builder *builder = test_message_builder(NULL, "assistant", NULL);
    agentchat_message *message = NULL;
    agentchat_error err;

    (void)state;
    agentchat_message_builder_set_json(builder, AGENTCHAT_FIELD_METADATA, bad);
    test_fails(agentchat_message_builder_finish(builder, &message, &err), &err, AGENTCHAT_E_INVALID, "/metadata/k/1",
               "not UTF-8");
    builder = test_message_builder(NULL, "assistant", NULL);
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    agentchat_message_builder_set_item_json(builder, AGENTCHAT_FIELD_RESULT, bad);
    agentchat_message_builder_set_item_json(builder, AGENTCHAT_FIELD_RESULT,
                                            json_true()); /* the first failure sticks */
    test_fails(agentchat_message_builder_finish(builder, &message, &err), &err, AGENTCHAT_E_INVALID,
               "/items/0/result/k/1", "not UTF-8");
    for (int levels = 1; levels < 128; levels++) { /* 128 levels are allowed */
        json_t *next = json_array();

        assert_int_equal(json_array_append_new(inner, next), 0);
        inner = next;
    }
    for (int beyond = 0; beyond <= 1; beyond++) {
        builder = test_message_builder(NULL, "assistant", NULL);
        agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
        agentchat_message_builder_set_item_json(builder, AGENTCHAT_FIELD_RESULT, deep);
        assert_int_equal(agentchat_message_builder_finish(builder, &message, &err),
                         beyond == 0 ? AGENTCHAT_OK : AGENTCHAT_E_LIMIT);
        agentchat_message_unref(message);
        assert_int_equal(json_array_append_new(inner, json_array()), 0);
    }
    agentchat_message_builder_set_json(NULL, AGENTCHAT_FIELD_METADATA, bad);
    agentchat_message_builder_set_item_json(NULL, AGENTCHAT_FIELD_RESULT, bad);
    json_decref(bad);
    json_decref(deep);
}

/* A field is written with the builder's memory, and no memory is no bad value. */
static void test_bridge__fields_use_the_builders_memory(void **state)
{
    json_t *value = json_pack("{s:i}", "n", 5);

    (void)state;
    for (int in_item = 0; in_item <= 1; in_item++) {
        test_oom oom = {.fail_at = UINT64_MAX};
        agentchat_env *env = test_oom_env(&oom);
        agentchat_message_builder *builder = test_message_builder(env, "assistant", NULL);
        agentchat_message *message = NULL;
        agentchat_error err;

        agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
        oom.fail_at = oom.calls;
        if (in_item)
            agentchat_message_builder_set_item_json(builder, AGENTCHAT_FIELD_RESULT, value);
        else
            agentchat_message_builder_set_json(builder, AGENTCHAT_FIELD_METADATA, value);
        oom.fail_at = UINT64_MAX; /* the failure sticks, though there is memory again */
        test_fails(agentchat_message_builder_finish(builder, &message, &err), &err, AGENTCHAT_E_NOMEM, NULL, NULL);
        assert_null(message);
        assert_int_equal(oom.live_blocks, 0);
        agentchat_env_free(env);
    }
    json_decref(value);
}

/* A run that succeeds gives the whole text back: jansson's own parser would lose bytes where its buffer cannot grow. */
static agentchat_status oom_scenario(const agentchat_env *env, void *user, agentchat_error *err)
{
    static const char text[] =
        "{\"a\":[1,2.5,{\"b\":\"text\"}],\"longer\":\"0123456789012345678901234567890123456789\","
        "\"an integer\":1234567890123456789,\"\xC3\xA9\":\"a\\nb\"}";
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    json_t *value;
    agentchat_status status = agentchat_json_load(agentchat_str_from(text), &value, err);

    (void)user;
    if (status >= 0)
        status = agentchat_json_dump(env, value, &bytes, err);
    if (status < 0)
        assert_null(bytes.ptr);
    else
        assert_string_equal(bytes.ptr, text);
    json_decref(value);
    agentchat_bytes_clear(&bytes);
    return status;
}

static void test_bridge__out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(oom_scenario, NULL) >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bridge__round_trips),
        cmocka_unit_test(test_bridge__refuses_what_jansson_cannot_hold),
        cmocka_unit_test(test_bridge__other_refusals),
        cmocka_unit_test(test_bridge__depth_of_jansson),
        cmocka_unit_test(test_bridge__dump_refusals),
        cmocka_unit_test(test_bridge__other_locales),
        cmocka_unit_test(test_bridge__doubles_read_back),
        cmocka_unit_test(test_bridge__fields),
        cmocka_unit_test(test_bridge__fields_report_what_is_wrong),
        cmocka_unit_test(test_bridge__fields_use_the_builders_memory),
        cmocka_unit_test(test_bridge__out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
