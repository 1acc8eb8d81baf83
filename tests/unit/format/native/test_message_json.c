/* SPDX-License-Identifier: Apache-2.0 */
/* One message as JSON of format 1, without a document around it. */
#include "support/test_support.h"

#include "format/native/message_json.h"
#include <stdio.h>

static agentchat_message *message_of(const char *text)
{
    agentchat_message *message;
    agentchat_error err;

    agentchat_error_clear(&err);
    test_ok(aci_message_json_read(NULL, agentchat_str_from(text), NULL, &message, &err), &err);
    return message;
}

static void test_message_json__written_so_read_and_written_again(void **state)
{
    static const char *const cases[] = {
        "null",
        "{}",
        "{\"items\":null}",
        "{\"role\":\"user\",\"name\":null,\"items\":[],\"metadata\":{\"b\": 1, "
        "\"a\":[1.50]},\"id\":\"\",\"time\":\"t\"}",
        "{\"items\":[{\"type\":\"text\",\"text\":\"\\n\\ud800\xC3\xA9\"},null,{\"type\":\"new\",\"type2\":1},{\"type\":"
        "\"message\",\"message\":{\"items\":[{\"type\":\"binary\",\"data\":\"AAEC\"}]}}],\"extras\":[{\"from\":\"adk\","
        "\"name\":\"x\",\"value\":[\n1]}],\"later\":[1, 2]}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_message *message = message_of(cases[i]);
        agentchat_error err;
        aci_buf out;

        agentchat_error_clear(&err);
        aci_buf_init(&out, NULL, SIZE_MAX);
        assert_true(aci_buf_add(&out, "before", 6));
        test_ok(aci_message_json_write(NULL, message, &out, &err), &err);
        assert_int_equal(out.len, 6 + strlen(cases[i]));
        assert_memory_equal(out.ptr + 6, cases[i], out.len - 6);
        aci_buf_clear(&out);
        agentchat_message_unref(message);
    }
}

static void test_message_json__has_its_own_arena(void **state)
{
    char text[] = " {\"role\":\"user\",\"items\":[{\"text\":\"x\\u0079\",\"type\":\"text\"}]} ";
    agentchat_message *message = message_of(text);

    (void)state;
    memset(text, 'x', sizeof text);
    assert_str(agentchat_message_text(message), "xy");
    assert_str(agentchat_message_role(message), "user");
    agentchat_message_unref(message);
}

static void test_message_json__errors_have_locations(void **state)
{
    static const struct {
        const char *text;
        agentchat_status status;
        uint64_t offset;
        const char *path;
    } cases[] = {
        {"", AGENTCHAT_E_SYNTAX, 0, ""},
        {"{} x", AGENTCHAT_E_SYNTAX, 3, ""},
        {"[]", AGENTCHAT_E_SCHEMA, 0, ""},
        {"{\"role\":1}", AGENTCHAT_E_SCHEMA, 8, "/role"},
        {"{\"items\":[{}]}", AGENTCHAT_E_SCHEMA, 10, "/items/0"},
        {"{\"items\":[{\"type\":\"image\",\"data\":\"A\"}]}", AGENTCHAT_E_SCHEMA, 35, "/items/0/data"},
        {"{\"x\":1,\"x\":1}", AGENTCHAT_E_SCHEMA, 7, "/x"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_message *message = (agentchat_message *)(uintptr_t)1;
        agentchat_error err;

        agentchat_error_clear(&err);
        test_fails(aci_message_json_read(NULL, agentchat_str_from(cases[i].text), NULL, &message, &err), &err,
                   cases[i].status, cases[i].path, NULL);
        assert_int_equal(err.offset, cases[i].offset);
        assert_null(message);
        assert_int_equal(aci_message_json_read(NULL, agentchat_str_from(cases[i].text), NULL, &message, NULL),
                         cases[i].status);
    }
}

static agentchat_env *small_env(uint32_t depth)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;

    limits.max_depth = depth;
    limits.max_bytes = 200;
    limits.max_messages = 2;
    options.limits = &limits;
    return test_env(&options);
}

static void test_message_json__limits_hold(void **state)
{
    static const struct {
        const char *text, *path, *message;
    } cases[] = {
        {"{\"metadata\":[[[[1]]]]}", "/metadata/0/0/0", "deeper than 4"},
        {"{\"items\":[{\"type\":\"message\",\"message\":{}},{\"type\":\"message\",\"message\":{}}]}",
         "/items/1/message", "more than 2 messages"},
        {"{\"role\":\"........................................................................................"
         "............................................................................................................."
         "..."
         "\"}",
         "", "more than 200 bytes"},
    };
    agentchat_env *env = small_env(4);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_message *message;
        agentchat_error err;

        agentchat_error_clear(&err);
        test_fails(aci_message_json_read(env, agentchat_str_from(cases[i].text), NULL, &message, &err), &err,
                   AGENTCHAT_E_LIMIT, cases[i].path, cases[i].message);
    }
    agentchat_env_free(env);
}

/* Levels that a message is said to need are those that a reader needs, but for plain extras, which count as two more.
 */
static void test_message_json__depth_is_known_beforehand(void **state)
{
    static const struct {
        const char *text;
        uint32_t levels;
    } cases[] = {
        {"null", 0},
        {"{}", 1},
        {"{\"items\":null}", 1},
        {"{\"items\":[]}", 2},
        {"{\"items\":[null]}", 2},
        {"{\"items\":[{\"type\":\"text\"}]}", 3},
        {"{\"metadata\":1}", 1},
        {"{\"metadata\":[[\"[[[[\"]]}", 3},
        {"{\"items\":[{\"type\":\"call\",\"arguments\":{}}]}", 4},
        {"{\"items\":[{\"type\":\"message\",\"message\":{}}]}", 4},
        {"{\"items\":[{\"type\":\"message\",\"message\":{\"items\":[{\"type\":\"text\",\"metadata\":[[]]}]}}]}", 8},
        {"{\"extras\":[{\"name\":\"x\",\"value\":1}]}", 3},
        {"{\"extras\":[{\"name\":\"x\",\"value\":[1]}]}", 4},
        {"{\"items\":[{\"type\":\"text\",\"extras\":[{\"name\":\"x\",\"value\":{}}]}]}", 6},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_message *message = message_of(cases[i].text), *read;
        agentchat_env *env = small_env(cases[i].levels > 0 ? cases[i].levels : 1), *less;
        agentchat_error err;

        agentchat_error_clear(&err);
        assert_true(aci_message_depth_fits(message, cases[i].levels));
        test_ok(aci_message_json_read(env, agentchat_str_from(cases[i].text), NULL, &read, &err), &err);
        agentchat_message_unref(read);
        agentchat_env_free(env);
        if (cases[i].levels > 0)
            assert_false(aci_message_depth_fits(message, cases[i].levels - 1));
        if (cases[i].levels > 1) {
            less = small_env(cases[i].levels - 1);
            assert_int_equal(aci_message_json_read(less, agentchat_str_from(cases[i].text), NULL, &read, NULL),
                             AGENTCHAT_E_LIMIT);
            agentchat_env_free(less);
        }
        agentchat_message_unref(message);
    }
    assert_true(aci_message_depth_fits(NULL, 0));
}

static agentchat_status read_and_write(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_message *message;
    aci_buf out;
    agentchat_status status = aci_message_json_read(env, agentchat_str_from(user), NULL, &message, err);

    aci_buf_init(&out, env, SIZE_MAX);
    assert_int_equal(message != NULL, status == AGENTCHAT_OK);
    if (status == AGENTCHAT_OK) {
        status = aci_message_json_write(env, message, &out, err);
        assert_int_equal(out.len > 0, status == AGENTCHAT_OK);
    }
    aci_buf_clear(&out);
    agentchat_message_unref(message);
    return status;
}

static void test_message_json__memory_may_run_out(void **state)
{
    static const char text[] =
        "{\"items\":[{\"text\":\"x\",\"type\":\"text\"},{\"type\":\"new\"},{\"type\":\"message\","
        "\"message\":{}}],\"later\":1}";

    (void)state;
    assert_true(test_oom_sweep(read_and_write, (void *)(uintptr_t)text) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_message_json__written_so_read_and_written_again),
        cmocka_unit_test(test_message_json__has_its_own_arena),
        cmocka_unit_test(test_message_json__errors_have_locations),
        cmocka_unit_test(test_message_json__limits_hold),
        cmocka_unit_test(test_message_json__depth_is_known_beforehand),
        cmocka_unit_test(test_message_json__memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
