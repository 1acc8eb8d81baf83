/* SPDX-License-Identifier: Apache-2.0 */
/* Building messages: what is taken, what is refused and where, and what memory running out does. */
#include "support/test_support.h"

static const agentchat_str absent = {NULL, 0};

/* Ends a builder that must fail, and checks how. */
static void refused(agentchat_message_builder *builder, agentchat_status status, const char *path, const char *message)
{
    agentchat_message *made = (agentchat_message *)1;
    agentchat_error err;

    test_fails(agentchat_message_builder_finish(builder, &made, &err), &err, status, path, message);
    assert_null(made);
}

static agentchat_message *finished(agentchat_message_builder *builder)
{
    agentchat_message *made = NULL;
    agentchat_error err;

    test_ok(agentchat_message_builder_finish(builder, &made, &err), &err);
    return made;
}

static void test_builder__keeps_every_field_of_a_message(void **state)
{
    agentchat_message_builder *b = test_message_builder(NULL, "assistant", "Desk");
    agentchat_message *m;

    (void)state;
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_TIME, AGENTCHAT_STR("2026-11-21T10:02:00Z"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("m1"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR(" {\"b\": 1.50, \"a\":2} "));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR(""));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_MIME_TYPE, agentchat_str_null());
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
    agentchat_message_builder *b = test_message_builder(NULL, "user", "old");
    agentchat_message *m;

    (void)state;
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ROLE, AGENTCHAT_STR("tool"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_NAME, absent);
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("first"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("second"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("gone"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_MODEL_ID, absent);
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_IMAGE);
    agentchat_message_builder_set_data(b, AGENTCHAT_STR("x"));
    agentchat_message_builder_set_data_base64(b, AGENTCHAT_STR("AAEC"));
    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_BINARY, absent, AGENTCHAT_STR("y"));
    agentchat_message_builder_set_data(b, absent);
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
    agentchat_message_builder *b = test_message_builder(NULL, "assistant", NULL);
    agentchat_extra extra = {AGENTCHAT_STR("Seen"), AGENTCHAT_STR("[1, 2]"), AGENTCHAT_STR("semantic-kernel")};
    const agentchat_item *item;
    agentchat_message *m;

    (void)state;
    agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    agentchat_message_builder_add_call(b, AGENTCHAT_STR("c1"), AGENTCHAT_STR("Orders"), AGENTCHAT_STR("lookup"),
                                       AGENTCHAT_STR("{\"id\": 1234}"));
    extra.value = agentchat_str_null();
    agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    agentchat_message_builder_add_result(b, AGENTCHAT_STR("c1"), absent, absent, AGENTCHAT_STR("null"));
    m = finished(b);
    assert_int_equal(agentchat_message_extra_count(m), 1);
    assert_str(agentchat_message_extra(m, 0)->name, "Seen");
    assert_str(agentchat_message_extra(m, 0)->value, "[1, 2]");
    assert_true(agentchat_str_equal(agentchat_message_extra(m, 0)->from, AGENTCHAT_STR("semantic-kernel")));
    assert_null(agentchat_message_extra(m, 1));
    item = agentchat_message_item(m, 0);
    assert_int_equal(agentchat_item_get_kind(item), AGENTCHAT_ITEM_CALL);
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), "c1");
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_PLUGIN), "Orders");
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION), "lookup");
    assert_str(agentchat_item_get(item, AGENTCHAT_FIELD_ARGUMENTS), "{\"id\": 1234}");
    assert_int_equal(agentchat_item_extra_count(item), 1);
    assert_str(agentchat_item_extra(item, 0)->value, "null");
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
    test_ok(
        agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, AGENTCHAT_STR("a\0\xED\xA0\x80z"), &m, &err),
        &err);
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
        agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
        agentchat_message *made;
        agentchat_error err;

        agentchat_message_builder_add_text(b, AGENTCHAT_STR("fine"));
        agentchat_message_builder_add_text(b, bad[i]);
        assert_int_equal(agentchat_message_builder_finish(b, &made, &err), AGENTCHAT_E_INVALID);
        assert_null(made);
        assert_int_equal(err.code, AGENTCHAT_E_INVALID);
        assert_string_equal(err.path, "/items/1/text");
        assert_string_equal(err.message, "text is not UTF-8 at byte 2");
        assert_int_equal(err.offset, 2);
    }
}

static void test_builder__refuses_a_value_that_is_not_json(void **state)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);

    (void)state;
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("x"));
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("y"));
    agentchat_message_builder_add_call(b, absent, absent, AGENTCHAT_STR("f"), AGENTCHAT_STR("{\"a\":[1,tru]}"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ROLE, absent); /* the first failure is the one that is reported */
    refused(b, AGENTCHAT_E_INVALID, "/items/2/arguments/a/1", NULL);

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{} {}"));
    refused(b, AGENTCHAT_E_INVALID, "/metadata", NULL);

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR(""));
    refused(b, AGENTCHAT_E_INVALID, "/metadata", NULL);
}

static void test_builder__refuses_incomplete_extras(void **state)
{
    agentchat_extra good = {AGENTCHAT_STR("a"), AGENTCHAT_STR("1"), {NULL, 0}};
    agentchat_extra nameless = {absent, AGENTCHAT_STR("1"), {NULL, 0}};
    agentchat_extra empty = {AGENTCHAT_STR("a"), absent, {NULL, 0}};
    agentchat_extra broken = {AGENTCHAT_STR("a"), AGENTCHAT_STR("[1"), {NULL, 0}};
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);

    (void)state;
    agentchat_message_builder_add_extra(b, nameless.name, nameless.value, nameless.from);
    refused(b, AGENTCHAT_E_INVALID, "/extras/0/name", "an extra needs a name");

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("x"));
    agentchat_message_builder_add_extra(b, good.name, good.value, good.from);
    agentchat_message_builder_add_extra(b, empty.name, empty.value, empty.from);
    refused(b, AGENTCHAT_E_INVALID, "/items/0/extras/1/value", "an extra needs a value");

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_add_extra(b, broken.name, broken.value, broken.from);
    refused(b, AGENTCHAT_E_INVALID, "/extras/0/value", NULL);
}

/* Names of formats that this version does not know are kept; what can be no name is refused. */
static void test_builder__takes_names_of_formats(void **state)
{
    static const char *const no_names[] = {"", "Mars", "1st", "-", "a_b", "a b", "m\xC3\xA4rz"};
    const agentchat_str longest = AGENTCHAT_STR("abcdefgh-0123456abcdefgh-0123456abcdefgh-0123456abcdefgh-0123456");
    const agentchat_str longer = AGENTCHAT_STR("abcdefgh-0123456abcdefgh-0123456abcdefgh-0123456abcdefgh-0123456x");
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_message *m;

    (void)state;
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), longest);
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("y"), AGENTCHAT_STR("2"), agentchat_str_null());
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_OPAQUE);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FROM, AGENTCHAT_STR("later"));
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_OPAQUE);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FROM, AGENTCHAT_STR("later"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FROM, agentchat_str_null());
    m = finished(b);
    assert_true(agentchat_str_equal(agentchat_message_extra(m, 0)->from, longest));
    assert_null(agentchat_message_extra(m, 1)->from.ptr);
    assert_str(agentchat_item_get(agentchat_message_item(m, 0), AGENTCHAT_FIELD_FROM), "later");
    assert_null(agentchat_item_get(agentchat_message_item(m, 1), AGENTCHAT_FIELD_FROM).ptr);
    agentchat_message_unref(m);
    for (size_t i = 0; i <= sizeof no_names / sizeof *no_names; i++) {
        agentchat_str name = i < sizeof no_names / sizeof *no_names ? agentchat_str_from(no_names[i]) : longer;

        b = test_message_builder(NULL, "user", NULL);
        agentchat_message_builder_add_extra(b, AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), name);
        refused(b, AGENTCHAT_E_INVALID, "/extras/0/from", "the name of a format is 1 to 64 of");
        b = test_message_builder(NULL, "user", NULL);
        agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_OPAQUE);
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FROM, name);
        refused(b, AGENTCHAT_E_INVALID, "/items/0/from", "the name of a format is 1 to 64 of");
    }
}

static void test_builder__refuses_fields_where_they_do_not_belong(void **state)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);

    (void)state;
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/text", "a message has no such field");

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_TEXT);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/items/0/uri", "this kind of item has no such field");

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/text", "no item is selected");

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_set(b, (agentchat_field)999, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, NULL, "a message has no such field");

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("x"));
    agentchat_message_builder_set_data(b, AGENTCHAT_STR("x"));
    refused(b, AGENTCHAT_E_INVALID, "/items/0/data", "only image, audio and binary");
}

static void test_builder__refuses_unknown_kinds_null_messages_and_bad_base64(void **state)
{
    static const agentchat_item_kind kinds[] = {(agentchat_item_kind)0, AGENTCHAT_ITEM_MESSAGE, (agentchat_item_kind)13,
                                                (agentchat_item_kind)-1};
    agentchat_message_builder *b;

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        b = test_message_builder(NULL, "user", NULL);
        agentchat_message_builder_add_item(b, kinds[i]);
        refused(b, AGENTCHAT_E_INVALID, "/items", NULL);
    }
    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_add_message(b, NULL);
    refused(b, AGENTCHAT_E_INVALID, "/items", "the message to add is NULL");

    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_AUDIO);
    agentchat_message_builder_set_data_base64(b, AGENTCHAT_STR("AAE\n"));
    refused(b, AGENTCHAT_E_INVALID, "/items/0/data", "not base64 (RFC 4648, padded, no line breaks) at byte 3");
}

static void test_builder__demands_a_role(void **state)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);

    (void)state;
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ROLE, agentchat_str_null());
    refused(b, AGENTCHAT_E_INVALID, "/role", "a message needs a role");
}

static void test_builder__says_what_is_wrong_with_role_or_name(void **state)
{
    static const struct {
        const char *role;
        agentchat_str name;
        const char *path, *message;
    } cases[] = {
        {NULL, {NULL, 0}, "", "role must not be NULL"},
        {"", {NULL, 0}, "/role", "a message needs a role"},
        {"\xFF", {NULL, 0}, "/role", "not UTF-8 at byte 0"},
        {"user", {"A\xC3", 2}, "/name", "not UTF-8 at byte 1"},
    };
    agentchat_message_builder *b;
    agentchat_message *m;
    agentchat_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        b = (agentchat_message_builder *)1;
        test_fails(agentchat_message_builder_new(NULL, cases[i].role, cases[i].name, &b, &err), &err,
                   AGENTCHAT_E_INVALID, cases[i].path, cases[i].message);
        assert_null(b);
        m = (agentchat_message *)1;
        test_fails(agentchat_message_new_text(NULL, cases[i].role, cases[i].name, AGENTCHAT_STR("x"), &m, &err), &err,
                   AGENTCHAT_E_INVALID, cases[i].path, cases[i].message);
        assert_null(m);
    }
    test_fails(agentchat_message_builder_new(NULL, "user", absent, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    test_fails(agentchat_message_new_text(NULL, "user", absent, AGENTCHAT_STR("x"), NULL, &err), &err,
               AGENTCHAT_E_INVALID, "", "out must not be NULL");
    test_ok(agentchat_message_new_text(NULL, "user", agentchat_str_null(), AGENTCHAT_STR("x"), &m, &err), &err);
    assert_true(agentchat_str_is_null(agentchat_message_name(m)));
    agentchat_message_unref(m);
}

/* Wraps message in `levels` messages; takes ownership of the reference. NULL when refused, with the reason in err. */
static agentchat_message *wrapped(const agentchat_env *env, agentchat_message *message, size_t levels,
                                  agentchat_error *err)
{
    for (size_t i = 0; i < levels && message != NULL; i++) {
        agentchat_message_builder *b = test_message_builder(env, "user", NULL);
        agentchat_message *outer;

        agentchat_message_builder_add_message(b, message);
        agentchat_message_unref(message);
        if (agentchat_message_builder_finish(b, &outer, err) < 0)
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
    agentchat_message_builder *b;
    agentchat_error err;
    agentchat_env *env;

    (void)state;
    limits.max_depth = 7;
    options.limits = &limits;
    env = test_env(&options);
    b = test_message_builder(env, "user", NULL);
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("[[[[[[[0]]]]]]]"));
    m = finished(b);
    m = wrapped(env, m, 2, &err);
    assert_non_null(m);
    assert_null(wrapped(env, m, 1, &err));
    assert_int_equal(err.code, AGENTCHAT_E_LIMIT);
    assert_string_equal(err.path, "/items/0/message");
    b = test_message_builder(env, "user", NULL);
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("[[[[[[[[0]]]]]]]]"));
    refused(b, AGENTCHAT_E_LIMIT, NULL, NULL);
    agentchat_env_free(env);
}

static void test_builder__copies_nested_messages(void **state)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_message *inner, *m;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_message_new_text(NULL, "tool", AGENTCHAT_STR("T"), AGENTCHAT_STR("inner"), &inner, &err), &err);
    agentchat_message_builder_add_message(b, inner);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("m"));
    agentchat_message_unref(inner);
    m = finished(b);
    inner = NULL;
    assert_int_equal(agentchat_item_get_kind(agentchat_message_item(m, 0)), AGENTCHAT_ITEM_MESSAGE);
    assert_str(agentchat_message_text(agentchat_item_message(agentchat_message_item(m, 0))), "inner");
    assert_str(agentchat_item_get(agentchat_message_item(m, 0), AGENTCHAT_FIELD_MODEL_ID), "m");
    agentchat_message_unref(m);
}

static void test_builder__refuses_to_finish_null(void **state)
{
    agentchat_message *made = (agentchat_message *)1;
    agentchat_extra extra = {AGENTCHAT_STR("a"), AGENTCHAT_STR("1"), {NULL, 0}};
    agentchat_error err;

    (void)state;
    agentchat_message_builder_set(NULL, AGENTCHAT_FIELD_NAME, AGENTCHAT_STR("x"));
    agentchat_message_builder_add_item(NULL, AGENTCHAT_ITEM_TEXT);
    agentchat_message_builder_set_item(NULL, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("x"));
    agentchat_message_builder_set_data(NULL, AGENTCHAT_STR("x"));
    agentchat_message_builder_set_data_base64(NULL, AGENTCHAT_STR("AAEC"));
    agentchat_message_builder_add_text(NULL, AGENTCHAT_STR("x"));
    agentchat_message_builder_add_call(NULL, absent, absent, AGENTCHAT_STR("f"), absent);
    agentchat_message_builder_add_result(NULL, absent, absent, absent, absent);
    agentchat_message_builder_add_data(NULL, AGENTCHAT_ITEM_IMAGE, absent, AGENTCHAT_STR("x"));
    agentchat_message_builder_add_message(NULL, NULL);
    agentchat_message_builder_add_extra(NULL, extra.name, extra.value, extra.from);
    agentchat_message_builder_add_item_copy(NULL, NULL);
    agentchat_message_builder_select_item(NULL, 0);
    agentchat_message_builder_remove_items(NULL, 0, 0);
    agentchat_message_builder_remove_extra(NULL, extra.name);
    agentchat_message_builder_free(NULL);
    test_fails(agentchat_message_builder_finish(NULL, &made, &err), &err, AGENTCHAT_E_INVALID, "",
               "builder must not be NULL");
    assert_null(made);
}

static void test_builder__can_be_given_up(void **state)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
    agentchat_extra extra = {AGENTCHAT_STR("a"), AGENTCHAT_STR("1"), {NULL, 0}};
    agentchat_message *inner;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_message_new_text(NULL, "tool", (agentchat_str){NULL, 0}, AGENTCHAT_STR("x"), &inner, &err), &err);
    agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    agentchat_message_builder_add_message(b, inner);
    agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    agentchat_message_unref(inner);
    agentchat_message_builder_free(b); /* a leak checker sees whether anything stays */
}

static agentchat_status build_much(const agentchat_env *env, void *user, agentchat_error *err)
{
    static const char big[6000] = {0};
    agentchat_extra extra = {AGENTCHAT_STR("name"), AGENTCHAT_STR("{\"v\":[[[1]]]}"), {NULL, 0}};
    agentchat_message *inner, *made;
    agentchat_status status =
        agentchat_message_new_text(env, "tool", AGENTCHAT_STR("T"), AGENTCHAT_STR("inner"), &inner, err);
    agentchat_message_builder *b;

    (void)user;
    if (status < 0)
        return status;
    status = agentchat_message_builder_new(env, "user", AGENTCHAT_STR("Ana"), &b, err);
    if (status < 0) {
        agentchat_message_unref(inner);
        return status;
    }
    agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"k\": \"v\"}"));
    agentchat_message_builder_add_message(b, inner);
    agentchat_message_unref(inner);
    for (size_t i = 0; i < 9; i++) {
        agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"),
                                           (agentchat_str){big, sizeof big});
        agentchat_message_builder_add_extra(b, extra.name, extra.value, extra.from);
    }
    status = agentchat_message_builder_finish(b, &made, err);
    agentchat_message_unref(made);
    return status;
}

static void test_builder__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(build_much, NULL) > 10);
}

static void test_builder__results_may_be_texts(void **state)
{
    agentchat_message_builder *b = test_message_builder(NULL, "tool", NULL);
    agentchat_message *m;

    (void)state;
    agentchat_message_builder_add_result_text(b, AGENTCHAT_STR("c1"), absent, absent, AGENTCHAT_STR("say \"hi\""));
    agentchat_message_builder_add_result_text(b, AGENTCHAT_STR("c2"), absent, absent, absent);
    m = finished(b);
    assert_str(agentchat_item_get(agentchat_message_item(m, 0), AGENTCHAT_FIELD_RESULT), "\"say \\\"hi\\\"\"");
    assert_null(agentchat_item_get(agentchat_message_item(m, 1), AGENTCHAT_FIELD_RESULT).ptr);
    agentchat_message_unref(m);
    b = test_message_builder(NULL, "tool", NULL);
    agentchat_message_builder_add_result(b, AGENTCHAT_STR("c1"), absent, absent, AGENTCHAT_STR("shipped"));
    refused(b, AGENTCHAT_E_INVALID, "/items/0/result",
            "the value of the result is not JSON; quote it, or use agentchat_message_builder_add_result_text: ");
    b = test_message_builder(NULL, "tool", NULL);
    agentchat_message_builder_add_result_text(b, AGENTCHAT_STR("c1"), absent, absent, AGENTCHAT_STR("\xFF"));
    refused(b, AGENTCHAT_E_INVALID, "/items/0/result", "not UTF-8");
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
        cmocka_unit_test(test_builder__refuses_incomplete_extras),
        cmocka_unit_test(test_builder__takes_names_of_formats),
        cmocka_unit_test(test_builder__refuses_fields_where_they_do_not_belong),
        cmocka_unit_test(test_builder__refuses_unknown_kinds_null_messages_and_bad_base64),
        cmocka_unit_test(test_builder__demands_a_role),
        cmocka_unit_test(test_builder__says_what_is_wrong_with_role_or_name),
        cmocka_unit_test(test_builder__limits_the_depth_of_json_and_of_nested_messages),
        cmocka_unit_test(test_builder__copies_nested_messages),
        cmocka_unit_test(test_builder__refuses_to_finish_null),
        cmocka_unit_test(test_builder__can_be_given_up),
        cmocka_unit_test(test_builder__survives_running_out_of_memory),
        cmocka_unit_test(test_builder__results_may_be_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
