/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of results, flags, signatures and form marks: what is taken, kept and refused, and that they are copied. */
#include "support/test_support.h"

#include "model/form_mark.h"

static agentchat_message *read_message(const char *json)
{
    agentchat_message *message = NULL;
    agentchat_error err;

    test_ok(agentchat_message_read(NULL, agentchat_str_from(json), &message, NULL, &err), &err);
    return message;
}

static void assert_json(const agentchat_message *message, const char *expected)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_message_write(message, &bytes, &err), &err);
    assert_str(((agentchat_str){bytes.ptr, bytes.len}), expected);
    agentchat_bytes_clear(&bytes);
}

static void refused(agentchat_message_builder *builder, agentchat_status status, const char *path, const char *message)
{
    agentchat_message *made = NULL;
    agentchat_error err;

    test_fails(agentchat_message_builder_finish(builder, &made, &err), &err, status, path, message);
    assert_null(made);
}

static agentchat_message_builder *with_item(agentchat_item_kind kind)
{
    agentchat_message_builder *builder = test_message_builder(NULL, "tool", NULL);

    agentchat_message_builder_add_item(builder, kind);
    return builder;
}

static const char everything[] =
    "{\"role\":\"tool\",\"items\":["
    "{\"type\":\"text\",\"text\":\"no\",\"refusal\":true,\"signature\":\"s\",\"issuer\":\"openai\"},"
    "{\"type\":\"result\",\"id\":\"1\",\"result\":{\"a\": 1},\"content\":[{\"type\":\"text\",\"text\":\"x\"},"
    "{\"type\":\"image\",\"data\":\"AAEC\",\"form\":{\"value\":[1, 2],\"from\":\"mars-2\"}},"
    "{\"type\":\"result\",\"content\":[null]}],\"failed\":true,\"form\":{\"from\":\"anthropic\",\"value\":null}},"
    "{\"type\":\"result\",\"content\":[]},{\"type\":\"result\",\"content\":null,\"failed\":false},"
    "{\"type\":\"reasoning\",\"signature\":\"c2ln\",\"redacted\":true,\"issuer\":\"anthropic\"},"
    "{\"type\":\"call\",\"function\":\"f\",\"signature\":null,\"issuer\":\"google\",\"form\":null}],"
    "\"form\":{\"from\":\"anthropic\",\"value\":\"text\"}}";

static void test_format_1__keeps_everything(void **state)
{
    agentchat_message *message = read_message(everything), *copy = NULL;
    agentchat_message_builder *builder = NULL;
    const agentchat_item *result = agentchat_message_item(message, 1);
    agentchat_error err;

    (void)state;
    assert_json(message, everything);
    assert_str(agentchat_item_get(result, AGENTCHAT_FIELD_FAILED), "true");
    assert_true(agentchat_item_has_content(result));
    assert_int_equal(agentchat_item_content_count(result), 3);
    assert_str(agentchat_item_get(agentchat_item_content(result, 0), AGENTCHAT_FIELD_TEXT), "x");
    assert_null(agentchat_item_content(result, 3));
    assert_null(agentchat_item_message(result));
    assert_true(agentchat_item_has_content(agentchat_message_item(message, 2)));
    assert_int_equal(agentchat_item_content_count(agentchat_message_item(message, 2)), 0);
    assert_false(agentchat_item_has_content(agentchat_message_item(message, 3)));
    assert_false(agentchat_item_has_content(agentchat_message_item(message, 4)));
    assert_false(agentchat_item_has_content(NULL));
    assert_int_equal(agentchat_item_content_count(NULL), 0);
    assert_null(agentchat_item_content(NULL, 0));

    test_ok(agentchat_message_builder_from(NULL, message, &builder, &err), &err);
    agentchat_message_unref(message);
    test_ok(agentchat_message_builder_finish(builder, &copy, &err), &err);
    assert_json(copy, everything);
    agentchat_message_unref(copy);
}

static void test_content__is_the_items_of_a_message(void **state)
{
    agentchat_message *items =
        read_message("{\"role\":\"user\",\"name\":\"n\",\"items\":[{\"type\":\"text\",\"text\":\"a\"}],\"id\":\"i\"}");
    agentchat_message *none = read_message("{\"role\":\"user\"}"), *made = NULL;
    agentchat_message_builder *builder = with_item(AGENTCHAT_ITEM_RESULT);
    agentchat_error err;

    (void)state;
    agentchat_message_builder_set_content(builder, none);
    agentchat_message_builder_set_content(builder, items);
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    agentchat_message_builder_set_content(builder, items);
    agentchat_message_builder_set_content(builder, NULL);
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    agentchat_message_builder_set_content(builder, none);
    agentchat_message_unref(items);
    agentchat_message_unref(none);
    test_ok(agentchat_message_builder_finish(builder, &made, &err), &err);
    assert_json(made,
                "{\"role\":\"tool\",\"items\":[{\"type\":\"result\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]},"
                "{\"type\":\"result\"},{\"type\":\"result\",\"content\":[]}]}");
    agentchat_message_unref(made);
}

static void test_content__is_refused_where_there_is_none(void **state)
{
    agentchat_message *items = read_message("{\"role\":\"user\"}");
    agentchat_message_builder *builder = with_item(AGENTCHAT_ITEM_CALL);

    (void)state;
    agentchat_message_builder_set_content(builder, items);
    refused(builder, AGENTCHAT_E_INVALID, "/items/0/content", "only results have a content");
    builder = test_message_builder(NULL, "tool", NULL);
    agentchat_message_builder_set_content(builder, items);
    refused(builder, AGENTCHAT_E_INVALID, "/content", "no item is selected");
    agentchat_message_builder_set_content(NULL, items);
    agentchat_message_unref(items);
}

/* A message with results inside each other, so many. */
static agentchat_message *nested(size_t levels)
{
    agentchat_message *inner = read_message("{\"role\":\"tool\"}");
    agentchat_error err;

    while (levels-- > 0) {
        agentchat_message_builder *builder = with_item(AGENTCHAT_ITEM_RESULT);

        agentchat_message_builder_set_content(builder, inner);
        agentchat_message_unref(inner);
        test_ok(agentchat_message_builder_finish(builder, &inner, &err), &err);
    }
    return inner;
}

static void test_content__keeps_to_the_depth_that_readers_take(void **state)
{
    enum { DEEPEST = 63 }; /* with the default of 128: two levels each, and two around the last items */
    agentchat_message *deepest = nested(DEEPEST), *again = NULL;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_message_builder *builder = with_item(AGENTCHAT_ITEM_RESULT);
    agentchat_error err;

    (void)state;
    test_ok(agentchat_message_write(deepest, &bytes, &err), &err);
    test_ok(agentchat_message_read(NULL, (agentchat_str){bytes.ptr, bytes.len}, &again, NULL, &err), &err);
    assert_true(aci_message_equal(deepest, again));
    agentchat_message_builder_set_content(builder, deepest);
    refused(builder, AGENTCHAT_E_LIMIT, "/items/0/content", "nested deeper");
    agentchat_message_unref(deepest);
    agentchat_message_unref(again);
    agentchat_bytes_clear(&bytes);
}

static void test_values__are_refused_when_they_mean_nothing(void **state)
{
    static const struct {
        agentchat_item_kind kind;
        agentchat_field field;
        const char *value, *path, *message;
    } cases[] = {
        {AGENTCHAT_ITEM_RESULT, AGENTCHAT_FIELD_FAILED, "1", "/items/0/failed", "true, false or null"},
        {AGENTCHAT_ITEM_REASONING, AGENTCHAT_FIELD_REDACTED, "\"yes\"", "/items/0/redacted", "true, false or null"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_REFUSAL, "{}", "/items/0/refusal", "true, false or null"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FAILED, "true", "/items/0/failed", "has no such field"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_REDACTED, "true", "/items/0/redacted", "has no such field"},
        {AGENTCHAT_ITEM_ACTION, AGENTCHAT_FIELD_REFUSAL, "true", "/items/0/refusal", "has no such field"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FORM, "\"text\"", "/items/0/form", "an object of two members"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FORM, "{\"from\":\"a\"}", "/items/0/form", "an object of two members"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FORM, "{\"value\":1}", "/items/0/form", "an object of two members"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FORM, "{\"from\":\"A\",\"value\":1}", "/items/0/form", "two members"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FORM, "{\"from\":1,\"value\":1}", "/items/0/form", "two members"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FORM, "{\"from\":\"a\",\"value\":1,\"x\":1}", "/items/0/form", "two"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FORM, "{\"from\":\"a\",\"value\":1,\"value\":2}", "/items/0/form", "two"},
        {AGENTCHAT_ITEM_TEXT, AGENTCHAT_FIELD_FORM, "{\"from\":\"a\",\"from\":\"a\",\"value\":2}", "/items/0/form",
         "two"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        agentchat_message_builder *builder = with_item(cases[i].kind);

        agentchat_message_builder_set_item(builder, cases[i].field, agentchat_str_from(cases[i].value));
        refused(builder, AGENTCHAT_E_INVALID, cases[i].path, cases[i].message);
    }
}

static void test_form_mark__names_a_format(void **state)
{
    static const char *const valid[] = {
        "{\"from\":\"a\",\"value\":null}",
        " { \"value\" : {\"from\":1} , \"from\" : \"adk-rust\" } ",
        "{\"\\u0066rom\":\"\\u0061dk\",\"value\":[]}",
        "{\"from\":\"a123456789012345678901234567890123456789012345678901234567890123\",\"value\":1}",
    };
    static const char *const invalid[] = {
        "{\"from\":\"\",\"value\":1}",
        "{\"from\":\"1a\",\"value\":1}",
        "{\"from\":\"a b\",\"value\":1}",
        "{\"from\":\"a\\u0000\",\"value\":1}",
        "{\"from\":\"a\\n\",\"value\":1}",
        "{\"from\":\"\xC3\xA9\",\"value\":1}",
        "{\"from\":\"a1234567890123456789012345678901234567890123456789012345678901234\",\"value\":1}",
        "{}",
        "[]",
        "1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++) {
        agentchat_message_builder *builder = test_message_builder(NULL, "user", NULL);
        agentchat_message *made = NULL;
        agentchat_error err;

        agentchat_message_builder_set(builder, AGENTCHAT_FIELD_FORM, agentchat_str_from(valid[i]));
        test_ok(agentchat_message_builder_finish(builder, &made, &err), &err);
        agentchat_message_unref(made);
    }
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
        assert_false(aci_form_mark_is_valid(agentchat_str_from(invalid[i])));
    assert_str(aci_form_mark_value(agentchat_str_from(valid[2]), AGENTCHAT_STR("adk")), "[]");
    assert_null(aci_form_mark_value(agentchat_str_from(valid[2]), AGENTCHAT_STR("ad")).ptr);
    assert_null(aci_form_mark_value((agentchat_str){NULL, 0}, AGENTCHAT_STR("adk")).ptr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format_1__keeps_everything),
        cmocka_unit_test(test_content__is_the_items_of_a_message),
        cmocka_unit_test(test_content__is_refused_where_there_is_none),
        cmocka_unit_test(test_content__keeps_to_the_depth_that_readers_take),
        cmocka_unit_test(test_values__are_refused_when_they_mean_nothing),
        cmocka_unit_test(test_form_mark__names_a_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
