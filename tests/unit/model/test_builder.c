/* SPDX-License-Identifier: Apache-2.0 */
/* Building messages: what is taken, what is refused and where, and what memory running out does. */
#include "support/test_support.h"

static const agentchat_str absent = {NULL, 0};

/* Ends a builder that must fail, and checks how. */
static void refused(agentchat_builder *builder, agentchat_status status, const char *path, const char *message)
{
    agentchat_message *made = (agentchat_message *)1;
    agentchat_error err;

    test_fails(agentchat_builder_finish(builder, &made, &err), &err, status, path, message);
    assert_null(made);
}

static agentchat_message *finished(agentchat_builder *builder)
{
    agentchat_message *made = NULL;
    agentchat_error err;

    test_ok(agentchat_builder_finish(builder, &made, &err), &err);
    return made;
}

static void test_builder__keeps_every_field_of_a_message(void **state)
{
    agentchat_builder *b = agentchat_builder_new(NULL, "assistant", "Desk");
    agentchat_message *m;

    (void)state;
    agentchat_builder_set(b, AGENTCHAT_FIELD_TIME, AGENTCHAT_STR("2026-11-21T10:02:00Z"));
    agentchat_builder_set(b, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("m1"));
    agentchat_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR(" {\"b\": 1.50, \"a\":2} "));
    agentchat_builder_set(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR(""));
    agentchat_builder_set(b, AGENTCHAT_FIELD_MIME_TYPE, agentchat_str_null());
    m = finished(b);
    assert_str(agentchat_message_role(m), "assistant");
    assert_str(agentchat_message_name(m), "Desk");
    assert_str(agentchat_message_get(m, AGENTCHAT_FIELD_TIME), "2026-11-21T10:02:00Z");
    assert_str(agentchat_message_get(m, AGENTCHAT_FIELD_ID), "m1");
    assert_str(agentchat_message_get(m, AGENTCHAT_FIELD_METADATA), "{\"b\": 1.50, \"a\":2}");
    assert_str(agentchat_message_get(m, AGENTCHAT_FIELD_MODEL_ID), "");
    assert_true(agentchat_str_is_null(agentchat_message_get(m, AGENTCHAT_FIELD_MIME_TYPE)));
    assert_null(agentchat_message_get(m, AGENTCHAT_FIELD_TEXT).ptr);
    assert_null(agentchat_message_get(m, (agentchat_field)0).ptr);
    assert_null(agentchat_message_get(m, (agentchat_field)1000).ptr);
    assert_null(agentchat_message_text(m).ptr);
    agentchat_message_unref(m);
}

static void test_builder__replaces_and_removes(void **state)
{
    agentchat_builder *b = agentchat_builder_new(NULL, "user", "old");
    agentchat_message *m;

    (void)state;
    agentchat_builder_set(b, AGENTCHAT_FIELD_ROLE, AGENTCHAT_STR("tool"));
    agentchat_builder_set(b, AGENTCHAT_FIELD_NAME, absent);
    agentchat_builder_add_text(b, AGENTCHAT_STR("first"));
    agentchat_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("second"));
    agentchat_builder_set_item(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("gone"));
    agentchat_builder_set_item(b, AGENTCHAT_FIELD_MODEL_ID, absent);
    agentchat_builder_add_item(b, AGENTCHAT_ITEM_IMAGE);
    agentchat_builder_set_data(b, AGENTCHAT_STR("x"));
    agentchat_builder_set_data_base64(b, AGENTCHAT_STR("AAEC"));
    agentchat_builder_add_data(b, AGENTCHAT_ITEM_BINARY, absent, AGENTCHAT_STR("y"));
    agentchat_builder_set_data(b, absent);
    m = finished(b);
    assert_str(agentchat_message_role(m), "tool");
    assert_null(agentchat_message_name(m).ptr);
    assert_str(agentchat_message_text(m), "second");
    assert_null(agentchat_item_get(agentchat_message_item(m, 0), AGENTCHAT_FIELD_MODEL_ID).ptr);
    assert_int_equal(agentchat_item_data_size(agentchat_message_item(m, 1)), 3);
    assert_false(agentchat_item_has_data(agentchat_message_item(m, 2)));
    assert_null(agentchat_message_item(m, 3));
    agentchat_message_unref(m);
}

static void test_builder__makes_calls_results_and_extras(void **state)
{
    agentchat_builder *b = agentchat_builder_new(NULL, "assistant", NULL);
    agentchat_extra extra = {AGENTCHAT_STR("Seen"), AGENTCHAT_STR("[1, 2]"), AGENTCHAT_FORMAT_SEMANTIC_KERNEL};
    const agentchat_item *item;
    agentchat_message *m;

    (void)state;
    agentchat_builder_add_extra(b, extra);
    agentchat_builder_add_call(b, AGENTCHAT_STR("c1"), AGENTCHAT_STR("Orders"), AGENTCHAT_STR("lookup"),
                               AGENTCHAT_STR("{\"id\": 1234}"));
    extra.value = agentchat_str_null();
    agentchat_builder_add_extra(b, extra);
    agentchat_builder_add_result(b, AGENTCHAT_STR("c1"), absent, absent, AGENTCHAT_STR("null"));
    m = finished(b);
    assert_int_equal(agentchat_message_extra_count(m), 1);
    assert_str(agentchat_message_extra(m, 0).name, "Seen");
    assert_str(agentchat_message_extra(m, 0).value, "[1, 2]");
    assert_int_equal(agentchat_message_extra(m, 0).from, AGENTCHAT_FORMAT_SEMANTIC_KERNEL);
    assert_null(agentchat_message_extra(m, 1).name.ptr);
    item = agentchat_message_item(m, 0);
    assert_int_equal(agentchat_item_get_kind(item), AGENTCHAT_ITEM_CALL);
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), "c1");
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_PLUGIN), "Orders");
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION), "lookup");
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS), "{\"id\": 1234}");
    assert_int_equal(agentchat_item_extra_count(item), 1);
    assert_str(agentchat_item_extra(item, 0).value, "null");
    item = agentchat_message_item(m, 1);
    assert_true(agentchat_str_is_null(agentchat_item_get(item, AGENTCHAT_FIELD_RESULT)));
    assert_null(agentchat_item_get(item, AGENTCHAT_FIELD_PLUGIN).ptr);
    agentchat_message_unref(m);
}

static void test_builder__keeps_lone_surrogates_and_nul(void **state)
{
    agentchat_message *m;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_message_new_text(NULL, "user", NULL, AGENTCHAT_STR("a\0\xED\xA0\x80z"), &m, &err), &err);
    assert_int_equal(agentchat_message_text(m).len, 6);
    assert_memory_equal(agentchat_message_text(m).ptr, "a\0\xED\xA0\x80z", 6);
    agentchat_message_unref(m);
}

static void test_builder__refuses_what_is_not_utf8(void **state)
{
    static const agentchat_str bad[] = {
        {"ab\xFF", 3},
        {"ab\xC0\x80", 4},
        {"ab\xE2\x82", 4},
        {"ab\xED\xA0\x80\xED\xB0\x80", 8},
        {"ab\xF4\x90\x80\x80", 6},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        agentchat_builder *b = agentchat_builder_new(NULL, "user", NULL);
        agentchat_message *made;
        agentchat_error err;

        agentchat_builder_add_text(b, AGENTCHAT_STR("fine"));
        agentchat_builder_add_text(b, bad[i]);
        assert_int_equal(agentchat_builder_finish(b, &made, &err), AGENTCHAT_E_INVALID);
        assert_null(made);
        assert_int_equal(err.code, AGENTCHAT_E_INVALID);
        assert_string_equal(err.path, "/items/1/text");
        assert_string_equal(err.message, "text is not UTF-8 at byte 2");
        assert_int_equal(err.offset, 2);
    }
}

static void test_builder__refuses_a_value_that_is_not_json(void **state)
{
    agentchat_builder *b = agentchat_builder_new(NULL, "user", NULL);

    (void)state;
    agentchat_builder_add_text(b, AGENTCHAT_STR("x"));
    agentchat_builder_add_text(b, AGENTCHAT_STR("y"));
    agentchat_builder_add_call(b, absent, absent, AGENTCHAT_STR("f"), AGENTCHAT_STR("{\"a\":[1,tru]}"));
    agentchat_builder_set(b, AGENTCHAT_FIELD_ROLE, absent); /* the first failure is the one that is told */
    refused(b, AGENTCHAT_E_INVALID, "/items/2/arguments/a/1", NULL);

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{} {}"));
    refused(b, AGENTCHAT_E_INVALID, "/metadata", NULL);

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR(""));
    refused(b, AGENTCHAT_E_INVALID, "/metadata", NULL);
}

static void test_builder__refuses_extras_that_are_not_whole(void **state)
{
    agentchat_extra good = {AGENTCHAT_STR("a"), AGENTCHAT_STR("1"), AGENTCHAT_FORMAT_NONE};
    agentchat_extra nameless = {absent, AGENTCHAT_STR("1"), AGENTCHAT_FORMAT_NONE};
    agentchat_extra empty = {AGENTCHAT_STR("a"), absent, AGENTCHAT_FORMAT_NONE};
    agentchat_extra broken = {AGENTCHAT_STR("a"), AGENTCHAT_STR("[1"), AGENTCHAT_FORMAT_NONE};
    agentchat_builder *b = agentchat_builder_new(NULL, "user", NULL);

    (void)state;
    agentchat_builder_add_extra(b, nameless);
    refused(b, AGENTCHAT_E_INVALID, "/extras/0/name", "an extra needs a name");

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_add_text(b, AGENTCHAT_STR("x"));
    agentchat_builder_add_extra(b, good);
    agentchat_builder_add_extra(b, empty);
    refused(b, AGENTCHAT_E_INVALID, "/items/0/extras/1/value", "an extra needs a value");

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_add_extra(b, broken);
    refused(b, AGENTCHAT_E_INVALID, "/extras/0/value", NULL);
}

static void test_builder__refuses_fields_where_they_do_not_belong(void **state)
{
    agentchat_builder *b = agentchat_builder_new(NULL, "user", NULL);

    (void)state;
    agentchat_builder_set(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/text", "a message has no such field");

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_add_item(b, AGENTCHAT_ITEM_TEXT);
    agentchat_builder_set_item(b, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/items/0/uri", "this kind of item has no such field");

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/text", "no item has been added yet");

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_set(b, (agentchat_field)999, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, NULL, "a message has no such field");

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_add_text(b, AGENTCHAT_STR("x"));
    agentchat_builder_set_data(b, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/items/0/data", "only image, audio and binary");
}

static void test_builder__refuses_unknown_kinds_null_messages_and_bad_base64(void **state)
{
    static const agentchat_item_kind kinds[] = {(agentchat_item_kind)0, AGENTCHAT_ITEM_MESSAGE, (agentchat_item_kind)13,
                                                (agentchat_item_kind)-1};
    agentchat_builder *b;

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        b = agentchat_builder_new(NULL, "user", NULL);
        agentchat_builder_add_item(b, kinds[i]);
        refused(b, AGENTCHAT_E_INVALID, "/items", NULL);
    }
    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_add_message(b, NULL);
    refused(b, AGENTCHAT_E_INVALID, "/items", "the message to add is NULL");

    b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_builder_add_item(b, AGENTCHAT_ITEM_AUDIO);
    agentchat_builder_set_data_base64(b, AGENTCHAT_STR("AAE\n"));
    refused(b, AGENTCHAT_E_INVALID, "/items/0/data", "not base64 (RFC 4648, padded, no line breaks) at byte 3");
}

static void test_builder__demands_a_role(void **state)
{
    agentchat_builder *b = agentchat_builder_new(NULL, "user", NULL);

    (void)state;
    refused(agentchat_builder_new(NULL, "", NULL), AGENTCHAT_E_INVALID, "/role", "a message needs a role");
    refused(agentchat_builder_new(NULL, NULL, NULL), AGENTCHAT_E_INVALID, "/role", "a message needs a role");
    agentchat_builder_set(b, AGENTCHAT_FIELD_ROLE, agentchat_str_null());
    refused(b, AGENTCHAT_E_INVALID, "/role", "a message needs a role");
}

/* Wraps message in `levels` messages; takes the reference over. NULL when refused, as err tells. */
static agentchat_message *wrapped(const agentchat_env *env, agentchat_message *message, size_t levels,
                                  agentchat_error *err)
{
    for (size_t i = 0; i < levels && message != NULL; i++) {
        agentchat_builder *b = agentchat_builder_new(env, "user", NULL);
        agentchat_message *outer;

        agentchat_builder_add_message(b, message);
        agentchat_message_unref(message);
        if (agentchat_builder_finish(b, &outer, err) < 0)
            return NULL;
        message = outer;
    }
    return message;
}

static void test_builder__limits_the_depth_of_json_and_of_nested_messages(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_message *m;
    agentchat_builder *b;
    agentchat_error err;
    agentchat_env *env;

    (void)state;
    limits.max_depth = 7;
    options.limits = &limits;
    env = agentchat_env_new(&options);
    assert_non_null(env);
    b = agentchat_builder_new(env, "user", NULL);
    agentchat_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("[[[[[[[0]]]]]]]"));
    m = finished(b);
    m = wrapped(env, m, 2, &err);
    assert_non_null(m);
    assert_null(wrapped(env, m, 1, &err));
    assert_int_equal(err.code, AGENTCHAT_E_LIMIT);
    assert_string_equal(err.path, "/items/0/message");
    b = agentchat_builder_new(env, "user", NULL);
    agentchat_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("[[[[[[[[0]]]]]]]]"));
    refused(b, AGENTCHAT_E_LIMIT, NULL, NULL);
    agentchat_env_free(env);
}

static void test_builder__copies_nested_messages(void **state)
{
    agentchat_builder *b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_message *inner, *m;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_message_new_text(NULL, "tool", "T", AGENTCHAT_STR("inner"), &inner, &err), &err);
    agentchat_builder_add_message(b, inner);
    agentchat_builder_set_item(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("m"));
    agentchat_message_unref(inner);
    m = finished(b);
    inner = NULL;
    assert_int_equal(agentchat_item_get_kind(agentchat_message_item(m, 0)), AGENTCHAT_ITEM_MESSAGE);
    assert_str(agentchat_message_text(agentchat_item_message(agentchat_message_item(m, 0))), "inner");
    assert_str(agentchat_item_get(agentchat_message_item(m, 0), AGENTCHAT_FIELD_MODEL_ID), "m");
    agentchat_message_unref(m);
}

static void test_builder__a_null_builder_is_out_of_memory(void **state)
{
    agentchat_message *made = (agentchat_message *)1;
    agentchat_extra extra = {AGENTCHAT_STR("a"), AGENTCHAT_STR("1"), AGENTCHAT_FORMAT_NONE};
    agentchat_error err;

    (void)state;
    agentchat_builder_set(NULL, AGENTCHAT_FIELD_NAME, AGENTCHAT_STR("x"));
    agentchat_builder_add_item(NULL, AGENTCHAT_ITEM_TEXT);
    agentchat_builder_set_item(NULL, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("x"));
    agentchat_builder_set_data(NULL, AGENTCHAT_STR("x"));
    agentchat_builder_set_data_base64(NULL, AGENTCHAT_STR("AAEC"));
    agentchat_builder_add_text(NULL, AGENTCHAT_STR("x"));
    agentchat_builder_add_call(NULL, absent, absent, AGENTCHAT_STR("f"), absent);
    agentchat_builder_add_result(NULL, absent, absent, absent, absent);
    agentchat_builder_add_data(NULL, AGENTCHAT_ITEM_IMAGE, absent, AGENTCHAT_STR("x"));
    agentchat_builder_add_message(NULL, NULL);
    agentchat_builder_add_extra(NULL, extra);
    agentchat_builder_free(NULL);
    test_fails(agentchat_builder_finish(NULL, &made, &err), &err, AGENTCHAT_E_NOMEM, "", NULL);
    assert_null(made);
}

static void test_builder__can_be_given_up(void **state)
{
    agentchat_builder *b = agentchat_builder_new(NULL, "user", NULL);
    agentchat_extra extra = {AGENTCHAT_STR("a"), AGENTCHAT_STR("1"), AGENTCHAT_FORMAT_NONE};
    agentchat_message *inner;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_message_new_text(NULL, "tool", NULL, AGENTCHAT_STR("x"), &inner, &err), &err);
    agentchat_builder_add_extra(b, extra);
    agentchat_builder_add_message(b, inner);
    agentchat_builder_add_extra(b, extra);
    agentchat_message_unref(inner);
    agentchat_builder_free(b); /* a leak checker sees whether anything stays */
}

static agentchat_status build_much(const agentchat_env *env, void *user, agentchat_error *err)
{
    static const char big[6000] = {0};
    agentchat_extra extra = {AGENTCHAT_STR("name"), AGENTCHAT_STR("{\"v\":[[[1]]]}"), AGENTCHAT_FORMAT_NONE};
    agentchat_message *inner, *made;
    agentchat_status status = agentchat_message_new_text(env, "tool", "T", AGENTCHAT_STR("inner"), &inner, err);
    agentchat_builder *b;

    (void)user;
    if (status < 0)
        return status;
    b = agentchat_builder_new(env, "user", "Ana");
    agentchat_builder_add_extra(b, extra);
    agentchat_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"k\": \"v\"}"));
    agentchat_builder_add_message(b, inner);
    agentchat_message_unref(inner);
    for (size_t i = 0; i < 9; i++) {
        agentchat_builder_add_data(b, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"),
                                   (agentchat_str){big, sizeof big});
        agentchat_builder_add_extra(b, extra);
    }
    status = agentchat_builder_finish(b, &made, err);
    agentchat_message_unref(made);
    return status;
}

static void test_builder__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(build_much, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builder__keeps_every_field_of_a_message),
        cmocka_unit_test(test_builder__replaces_and_removes),
        cmocka_unit_test(test_builder__makes_calls_results_and_extras),
        cmocka_unit_test(test_builder__keeps_lone_surrogates_and_nul),
        cmocka_unit_test(test_builder__refuses_what_is_not_utf8),
        cmocka_unit_test(test_builder__refuses_a_value_that_is_not_json),
        cmocka_unit_test(test_builder__refuses_extras_that_are_not_whole),
        cmocka_unit_test(test_builder__refuses_fields_where_they_do_not_belong),
        cmocka_unit_test(test_builder__refuses_unknown_kinds_null_messages_and_bad_base64),
        cmocka_unit_test(test_builder__demands_a_role),
        cmocka_unit_test(test_builder__limits_the_depth_of_json_and_of_nested_messages),
        cmocka_unit_test(test_builder__copies_nested_messages),
        cmocka_unit_test(test_builder__a_null_builder_is_out_of_memory),
        cmocka_unit_test(test_builder__can_be_given_up),
        cmocka_unit_test(test_builder__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
