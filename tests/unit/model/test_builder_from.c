/* SPDX-License-Identifier: Apache-2.0 */
/* Building from what is there: everything comes along, what is changed is changed, and the source stays as it was. */
#include "support/test_support.h"

#include "model/model.h"

static const agentchat_str absent = {NULL, 0};

static agentchat_message *read_message(const char *json)
{
    agentchat_message *message = NULL;
    agentchat_error err;

    test_ok(agentchat_message_read(NULL, agentchat_str_from(json), &message, NULL, &err), &err);
    return message;
}

static agentchat_message_builder *from(const agentchat_message *message)
{
    agentchat_message_builder *builder = NULL;
    agentchat_error err;

    test_ok(agentchat_message_builder_from(NULL, message, &builder, &err), &err);
    return builder;
}

static agentchat_message *finished(agentchat_message_builder *builder)
{
    agentchat_message *made = NULL;
    agentchat_error err;

    test_ok(agentchat_message_builder_finish(builder, &made, &err), &err);
    return made;
}

static void refused(agentchat_message_builder *builder, const char *path, const char *message)
{
    agentchat_message *made = (agentchat_message *)1;
    agentchat_error err;

    test_fails(agentchat_message_builder_finish(builder, &made, &err), &err, AGENTCHAT_E_INVALID, path, message);
    assert_null(made);
}

static void assert_json(const agentchat_message *message, const char *json)
{
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_error err;

    test_ok(agentchat_message_write(message, &text, &err), &err);
    assert_string_equal(text.ptr, json);
    agentchat_bytes_clear(&text);
}

/* Every kind of item and field, in the order of the format. */
static const char rich[] =
    "{\"role\":\"user\",\"name\":null,\"items\":[{\"type\":\"text\",\"text\":\"a\\n\xC3\xA9\",\"later\":[1, 2]},"
    "{\"type\":\"image\",\"uri\":\"u\",\"mimetype\":\"image/png\",\"data\":\"AAEC\"},"
    "{\"type\":\"call\",\"id\":\"1\",\"plugin\":\"P\",\"function\":\"f\",\"arguments\":{\"a\": 1.50}},null,"
    "{\"type\":\"new\",\"x\":1},{\"type\":\"message\",\"message\":{\"role\":\"tool\",\"items\":[{\"type\":\"binary\","
    "\"data\":\"AAEC\"}]}}],\"metadata\":{\"b\": 1},\"id\":\"m\",\"time\":\"t\",\"extras\":[{\"from\":"
    "\"semantic-kernel\",\"name\":\"x\",\"value\":1},{\"name\":\"x\",\"value\":2}],\"w\":3}";

static void test_builder_from__starts_with_everything(void **state)
{
    static const char *const cases[] = {rich, "{}", "{\"items\":null}", "{\"role\":\"user\"}", "{\"items\":[]}"};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_message *source = read_message(cases[i]), *made;
        agentchat_message_builder *builder = from(source);

        assert_json(source, cases[i]);
        agentchat_message_unref(source); /* the builder holds what it needs */
        made = finished(builder);
        assert_json(made, cases[i]);
        agentchat_message_unref(made);
    }
}

static void test_builder_from__changes_what_is_selected(void **state)
{
    agentchat_message *source = read_message(rich), *made;
    agentchat_message_builder *b = from(source);

    (void)state;
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_NAME, AGENTCHAT_STR("Ana"));
    agentchat_message_builder_remove_extra(b, AGENTCHAT_STR("x")); /* the message's, all of that name */
    agentchat_message_builder_remove_extra(b, AGENTCHAT_STR("not there"));
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("y"), AGENTCHAT_STR("4"), AGENTCHAT_STR("agentchat"));
    agentchat_message_builder_select_item(b, 1);
    agentchat_message_builder_set_data(b, AGENTCHAT_STR("new"));
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_URI, absent);
    agentchat_message_builder_select_item(b, 0);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("b"));
    agentchat_message_builder_remove_extra(b, AGENTCHAT_STR("later"));
    agentchat_message_builder_select_item(b, 3); /* the null */
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TYPE, AGENTCHAT_STR("own"));
    agentchat_message_builder_select_item(b, AGENTCHAT_NO_ITEM);
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("z"), AGENTCHAT_STR("5"), AGENTCHAT_STR("agentchat"));
    agentchat_message_builder_remove_items(b, 4, 2);
    made = finished(b);
    assert_json(made,
                "{\"role\":\"user\",\"name\":\"Ana\",\"items\":[{\"type\":\"text\",\"text\":\"b\"},{\"type\":"
                "\"image\",\"mimetype\":\"image/png\",\"data\":\"bmV3\"},{\"type\":\"call\",\"id\":\"1\","
                "\"plugin\":\"P\",\"function\":\"f\",\"arguments\":{\"a\": 1.50}},{\"type\":\"opaque\",\"kind\":"
                "\"own\",\"raw\":null}],\"metadata\":{\"b\": 1},\"id\":\"m\",\"time\":\"t\",\"w\":3,\"y\":4,\"z\":5}");
    assert_json(source, rich);
    agentchat_message_unref(made);
    agentchat_message_unref(source);
}

static void test_builder_from__copies_items_of_any_message(void **state)
{
    agentchat_message *source = read_message(rich), *made;
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);

    (void)state;
    for (size_t i = agentchat_message_item_count(source); i > 0; i--)
        agentchat_message_builder_add_item_copy(b, agentchat_message_item(source, i - 1));
    agentchat_message_unref(source);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("last")); /* the one added last */
    made = finished(b);
    assert_json(made, "{\"role\":\"user\",\"items\":[{\"type\":\"message\",\"message\":{\"role\":\"tool\",\"items\":[{"
                      "\"type\":\"binary\",\"data\":\"AAEC\"}]}},{\"type\":\"new\",\"x\":1},null,{\"type\":\"call\","
                      "\"id\":\"1\",\"plugin\":\"P\",\"function\":\"f\",\"arguments\":{\"a\": 1.50}},{\"type\":"
                      "\"image\",\"uri\":\"u\",\"mimetype\":\"image/png\",\"data\":\"AAEC\"},{\"type\":\"text\","
                      "\"text\":\"last\",\"later\":[1, 2]}]}");
    agentchat_message_unref(made);
}

static void test_builder_from__keeps_what_other_formats_brought(void **state)
{
    agentchat_message *source, *made;

    (void)state;
    source = read_message("{\"role\":\"user\",\"items\":[{\"type\":\"opaque\",\"from\":\"semantic-kernel\",\"kind\":"
                          "\"K\",\"raw\":{\"a\":1}}]}");
    made = finished(from(source));
    assert_true(aci_message_equal(source, made));
    assert_true(agentchat_str_equal(agentchat_item_get(agentchat_message_item(made, 0), AGENTCHAT_FIELD_FROM),
                                    AGENTCHAT_STR("semantic-kernel")));
    agentchat_message_unref(made);
    agentchat_message_unref(source);
}

static void test_builder_from__removes_items(void **state)
{
    static const struct {
        size_t first, count;
        const char *left;
    } cases[] = {
        {0, 0, "abc"}, {3, 0, "abc"}, {0, 1, "bc"}, {1, 1, "ac"}, {2, 1, "ab"}, {0, 3, ""}, {1, 2, "a"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);
        agentchat_message *made;
        size_t left = strlen(cases[i].left);

        for (size_t k = 0; k < 3; k++)
            agentchat_message_builder_add_text(b, (agentchat_str){&"abc"[k], 1});
        agentchat_message_builder_remove_items(b, cases[i].first, cases[i].count);
        made = finished(b);
        assert_int_equal(agentchat_message_item_count(made), left);
        for (size_t k = 0; k < left; k++)
            assert_memory_equal(agentchat_item_get(agentchat_message_item(made, k), AGENTCHAT_FIELD_TEXT).ptr,
                                cases[i].left + k, 1);
        agentchat_message_unref(made);
    }
}

static void test_builder_from__refuses_what_is_not_there(void **state)
{
    agentchat_message *source = read_message("{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"a\"}]}");
    agentchat_message_builder *b = from(source);
    agentchat_error err;

    (void)state;
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("b"));
    refused(b, "/text", "no item is selected");
    b = from(source);
    agentchat_message_builder_select_item(b, 1);
    refused(b, "/items", "the item to select is not there");
    b = from(source);
    agentchat_message_builder_remove_items(b, 1, 1);
    refused(b, "/items", "the items to remove are not all there");
    b = from(source);
    agentchat_message_builder_remove_items(b, 2, SIZE_MAX);
    refused(b, "/items", "the items to remove are not all there");
    b = from(source);
    agentchat_message_builder_add_item_copy(b, NULL);
    refused(b, "/items", "the item to copy is NULL");
    b = from(source);
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ROLE, absent);
    refused(b, "/role", "a message needs a role");
    b = from(source);
    agentchat_message_builder_remove_items(b, 0, 1);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("b"));
    refused(b, "/text", "no item is selected");
    b = (agentchat_message_builder *)1;
    test_fails(agentchat_message_builder_from(NULL, NULL, &b, &err), &err, AGENTCHAT_E_INVALID, "",
               "message must not be NULL");
    assert_null(b);
    test_fails(agentchat_message_builder_from(NULL, source, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    agentchat_message_unref(source);
}

static void test_builder_from__keeps_to_the_depth_of_its_environment(void **state)
{
    agentchat_message *source = read_message(rich);
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_message_builder *b = (agentchat_message_builder *)1;
    agentchat_error err;
    agentchat_env *env;

    (void)state;
    limits.max_depth = 3;
    options.limits = &limits;
    env = test_env(&options);
    test_fails(agentchat_message_builder_from(env, source, &b, &err), &err, AGENTCHAT_E_LIMIT, "/items/5/message",
               "nested deeper");
    assert_null(b);
    agentchat_env_free(env);
    agentchat_message_unref(source);
}

static agentchat_status change_much(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_message_builder *b;
    agentchat_message *made;
    agentchat_status status = agentchat_message_builder_from(env, user, &b, err);

    if (status < 0)
        return status;
    for (size_t i = 0; i < 20; i++)
        agentchat_message_builder_add_item_copy(b, agentchat_message_item(user, i % 6));
    agentchat_message_builder_remove_items(b, 3, 10);
    agentchat_message_builder_select_item(b, 0);
    for (int i = 0; i < 10; i++)
        agentchat_message_builder_add_extra(b, AGENTCHAT_STR("e"), AGENTCHAT_STR("[1]"), (agentchat_str){NULL, 0});
    status = agentchat_message_builder_finish(b, &made, err);
    agentchat_message_unref(made);
    return status;
}

static void test_builder_from__survives_running_out_of_memory(void **state)
{
    agentchat_message *source = read_message(rich);

    (void)state;
    assert_true(test_oom_sweep(change_much, source) > 8);
    agentchat_message_unref(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builder_from__starts_with_everything),
        cmocka_unit_test(test_builder_from__changes_what_is_selected),
        cmocka_unit_test(test_builder_from__copies_items_of_any_message),
        cmocka_unit_test(test_builder_from__keeps_what_other_formats_brought),
        cmocka_unit_test(test_builder_from__removes_items),
        cmocka_unit_test(test_builder_from__refuses_what_is_not_there),
        cmocka_unit_test(test_builder_from__keeps_to_the_depth_of_its_environment),
        cmocka_unit_test(test_builder_from__survives_running_out_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
