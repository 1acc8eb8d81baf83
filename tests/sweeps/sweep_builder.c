/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of agentchat/message.h, building: each call of a builder, whose failure comes out of finish. What is set is
 * longer than the room that a builder begins with, so that each call has to allocate.
 */
#include "sweep.h"

/* Ends a message whose builder may have failed: a call after a failure changes nothing, and the failure is reported. */
static agentchat_status finish(agentchat_message_builder *builder, agentchat_message **out, agentchat_error *err)
{
    agentchat_status status;

    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("m"));
    status = agentchat_message_builder_finish(builder, out, err);
    assert_true((status < 0) == (*out == NULL));
    if (status >= 0)
        assert_str(agentchat_message_get(*out, AGENTCHAT_FIELD_MODEL_ID), "m");
    return status;
}

/* The same for a message of so many items of which the last has the field. */
static agentchat_status finish_item(agentchat_message_builder *builder, size_t items, agentchat_field field,
                                    agentchat_str expected, agentchat_error *err)
{
    agentchat_message *message;
    agentchat_status status = finish(builder, &message, err);

    if (status >= 0) {
        const agentchat_item *item = agentchat_message_item(message, items - 1);

        assert_int_equal(agentchat_message_item_count(message), items);
        assert_true(agentchat_str_equal(agentchat_item_get(item, field), expected));
    }
    agentchat_message_unref(message);
    return status;
}

/* 0: short strings; 1: a long role; 2: a long name. */
static agentchat_status builder_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const char *role = variant == 1 ? sweep_long().ptr : "user";
    agentchat_str name = variant == 2 ? sweep_long() : AGENTCHAT_STR("n");
    agentchat_message_builder *builder;
    agentchat_message *message;
    agentchat_status status;
    agentchat_error again;

    sweep_begin();
    status = agentchat_message_builder_new(env, role, name, &builder, err);
    sweep_end();
    if (status < 0) {
        assert_null(builder);
        test_ok(agentchat_message_builder_new(env, role, name, &builder, &again), &again);
    }
    test_ok(finish(builder, &message, &again), &again);
    assert_str(agentchat_message_role(message), role);
    assert_true(agentchat_str_equal(agentchat_message_name(message), name));
    agentchat_message_unref(message);
    return status;
}

/* From a message that has everything. */
static agentchat_status builder_from(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *rich = sweep_rich_message(NULL), *message;
    agentchat_message_builder *builder;
    agentchat_status status;
    agentchat_error again;

    (void)variant;
    sweep_begin();
    status = agentchat_message_builder_from(env, rich, &builder, err);
    sweep_end();
    if (status < 0) {
        assert_null(builder);
        test_ok(agentchat_message_builder_from(env, rich, &builder, &again), &again);
    }
    agentchat_message_unref(rich); /* the builder holds what it needs */
    test_ok(finish(builder, &message, &again), &again);
    assert_int_equal(agentchat_message_item_count(message), 12);
    assert_str(agentchat_message_extra(message, 0)->name, "mine");
    agentchat_message_unref(message);
    return status;
}

static agentchat_status builder_add_item_copy(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_message *rich = sweep_rich_message(NULL);

    (void)variant;
    sweep_begin();
    for (int i = 0; i < 20; i++)
        agentchat_message_builder_add_item_copy(builder, agentchat_message_item(rich, 0));
    sweep_end();
    agentchat_message_unref(rich);
    return finish_item(builder, 20, AGENTCHAT_FIELD_TEXT, AGENTCHAT_STR("text \xED\xA0\x80 and \xC3\xA9"), err);
}

static agentchat_status builder_change(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder;
    agentchat_message *message = sweep_rich_message(env);
    agentchat_status status;

    (void)variant;
    test_ok(agentchat_message_builder_from(env, message, &builder, err), err);
    agentchat_message_unref(message);
    sweep_begin();
    agentchat_message_builder_remove_extra(builder, AGENTCHAT_STR("mine"));
    agentchat_message_builder_remove_items(builder, 1, 11);
    agentchat_message_builder_select_item(builder, 0);
    agentchat_message_builder_remove_extra(builder, AGENTCHAT_STR("mine"));
    sweep_end();
    status = finish(builder, &message, err);
    assert_int_equal(agentchat_message_item_count(message), 1);
    assert_int_equal(agentchat_message_extra_count(message), 0);
    assert_int_equal(agentchat_item_extra_count(agentchat_message_item(message, 0)), 0);
    agentchat_message_unref(message);
    return status;
}

/* 0: text; 1: JSON; 2: JSON with so many levels that checking it needs memory. */
static agentchat_status builder_set(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_field field = variant == 0 ? AGENTCHAT_FIELD_NAME : AGENTCHAT_FIELD_METADATA;
    char deep[200];
    agentchat_str value = variant == 2 ? (agentchat_str){deep, sizeof deep} : sweep_long();
    agentchat_message *message;
    agentchat_status status;

    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    sweep_begin();
    for (int i = 0; i < (variant == 2 ? 50 : 1); i++)
        agentchat_message_builder_set(builder, field, value);
    sweep_end();
    status = finish(builder, &message, err);
    if (status >= 0)
        assert_true(agentchat_str_equal(agentchat_message_get(message, field), value));
    agentchat_message_unref(message);
    return status;
}

static agentchat_status builder_add_item(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);

    (void)variant;
    sweep_begin();
    for (int i = 0; i < 20; i++)
        agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_TEXT);
    sweep_end();
    return finish_item(builder, 20, AGENTCHAT_FIELD_TEXT, NONE, err);
}

/* 0: text; 1: JSON. */
static agentchat_status builder_set_item(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_field field = variant == 0 ? AGENTCHAT_FIELD_FUNCTION : AGENTCHAT_FIELD_RESULT;

    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    sweep_begin();
    agentchat_message_builder_set_item(builder, field, sweep_long());
    sweep_end();
    return finish_item(builder, 1, field, sweep_long(), err);
}

static agentchat_status finish_data(agentchat_message_builder *builder, bool as_bytes, agentchat_error *err)
{
    agentchat_message *message;
    agentchat_str data = NONE;
    agentchat_error again;
    agentchat_status status = finish(builder, &message, err);

    if (status >= 0) {
        const agentchat_item *item = agentchat_message_item(message, 0);

        test_ok(as_bytes ? agentchat_item_bytes(item, &data, &again) : agentchat_item_base64(item, &data, &again),
                &again);
        assert_true(agentchat_str_equal(data, sweep_long()));
    }
    agentchat_message_unref(message);
    return status;
}

static agentchat_status builder_set_data(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);

    (void)variant;
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_IMAGE);
    sweep_begin();
    agentchat_message_builder_set_data(builder, sweep_long());
    sweep_end();
    return finish_data(builder, true, err);
}

static agentchat_status builder_set_data_base64(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);

    (void)variant;
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_IMAGE);
    sweep_begin();
    agentchat_message_builder_set_data_base64(builder, sweep_long());
    sweep_end();
    return finish_data(builder, false, err);
}

static agentchat_status builder_add_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);

    (void)variant;
    sweep_begin();
    agentchat_message_builder_add_text(builder, sweep_long());
    sweep_end();
    return finish_item(builder, 1, AGENTCHAT_FIELD_TEXT, sweep_long(), err);
}

static agentchat_status builder_add_call(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_field fields[] = {AGENTCHAT_FIELD_CALL_ID, AGENTCHAT_FIELD_PLUGIN, AGENTCHAT_FIELD_FUNCTION,
                                             AGENTCHAT_FIELD_ARGUMENTS};
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);

    sweep_begin();
    agentchat_message_builder_add_call(builder, sweep_nth(variant, 0), sweep_nth(variant, 1), sweep_nth(variant, 2),
                                       sweep_nth(variant, 3));
    sweep_end();
    return finish_item(builder, 1, fields[variant], sweep_long(), err);
}

static agentchat_status builder_add_result(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_field fields[] = {AGENTCHAT_FIELD_CALL_ID, AGENTCHAT_FIELD_PLUGIN, AGENTCHAT_FIELD_FUNCTION,
                                             AGENTCHAT_FIELD_RESULT};
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);

    sweep_begin();
    agentchat_message_builder_add_result(builder, sweep_nth(variant, 0), sweep_nth(variant, 1), sweep_nth(variant, 2),
                                         sweep_nth(variant, 3));
    sweep_end();
    return finish_item(builder, 1, fields[variant], sweep_long(), err);
}

static agentchat_status builder_add_result_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);

    (void)variant;
    sweep_begin();
    agentchat_message_builder_add_result_text(builder, AGENTCHAT_STR("c"), sweep_nth(1, 0), sweep_nth(1, 2),
                                              AGENTCHAT_STR("a \"b\""));
    sweep_end();
    return finish_item(builder, 1, AGENTCHAT_FIELD_RESULT, AGENTCHAT_STR("\"a \\\"b\\\"\""), err);
}

/* 0: the bytes are long; 1: the media type is. */
static agentchat_status builder_add_data(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);

    sweep_begin();
    agentchat_message_builder_add_data(builder, AGENTCHAT_ITEM_BINARY, sweep_nth(variant, 1), sweep_nth(variant, 0));
    sweep_end();
    return finish_item(builder, 1, AGENTCHAT_FIELD_MIME_TYPE, sweep_nth(variant, 1), err);
}

static agentchat_status builder_add_message(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_message *inner = sweep_message(env, "inside");
    agentchat_status status;

    (void)variant;
    sweep_begin();
    for (int i = 0; i < 20; i++)
        agentchat_message_builder_add_message(builder, inner);
    sweep_end();
    status = finish_item(builder, 20, AGENTCHAT_FIELD_TEXT, NONE, err);
    assert_str(agentchat_message_text(inner), "inside");
    agentchat_message_unref(inner);
    return status;
}

/* Taking a reference needs no memory; the copy that finish makes does. */
static agentchat_status builder_set_content(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "tool", NULL);
    agentchat_message *inner = sweep_message(env, "inside"), *message;
    agentchat_status status;

    (void)variant;
    agentchat_message_builder_add_item(builder, AGENTCHAT_ITEM_RESULT);
    sweep_begin();
    agentchat_message_builder_set_content(builder, inner);
    agentchat_message_builder_set_content(builder, NULL);
    agentchat_message_builder_set_content(builder, inner);
    sweep_end();
    agentchat_message_unref(inner);
    status = finish(builder, &message, err);
    assert_int_equal(agentchat_item_content_count(agentchat_message_item(message, 0)), 1);
    agentchat_message_unref(message);
    return status;
}

/* 0: an extra of the message, its name long; 1: one of an item, its value long. */
static agentchat_status builder_add_extra(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_extra extra = {sweep_nth(variant, 0), sweep_nth(variant, 1), {NULL, 0}};
    const agentchat_extra *got;
    agentchat_message *message;
    agentchat_status status;

    if (variant == 1)
        agentchat_message_builder_add_text(builder, AGENTCHAT_STR("t"));
    sweep_begin();
    agentchat_message_builder_add_extra(builder, extra.name, extra.value, extra.from);
    sweep_end();
    status = finish(builder, &message, err);
    if (status >= 0) {
        got = variant == 0 ? agentchat_message_extra(message, 0)
                           : agentchat_item_extra(agentchat_message_item(message, 0), 0);
        assert_true(agentchat_str_equal(got->name, extra.name) && agentchat_str_equal(got->value, extra.value));
    }
    agentchat_message_unref(message);
    return status;
}

/* 0: an empty message; 1: one with everything in it. */
static agentchat_status builder_finish(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_message *inner = sweep_rich_message(env), *message = NULL;
    agentchat_extra extra = {AGENTCHAT_STR("x"), AGENTCHAT_STR("1"), {NULL, 0}};
    agentchat_status status;

    if (variant == 1) {
        agentchat_message_builder_add_extra(builder, extra.name, extra.value, extra.from);
        for (int i = 0; i < 100; i++) {
            agentchat_message_builder_add_text(builder, AGENTCHAT_STR("a text that fills the room of a builder"));
            agentchat_message_builder_add_extra(builder, extra.name, extra.value, extra.from);
            agentchat_message_builder_add_data(builder, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("a/b"),
                                               AGENTCHAT_STR("data"));
            agentchat_message_builder_add_message(builder, inner);
        }
    }
    sweep_begin();
    status = agentchat_message_builder_finish(builder, &message, err);
    sweep_end();
    assert_true((status < 0) == (message == NULL));
    assert_int_equal(agentchat_message_item_count(message), status >= 0 && variant == 1 ? 300 : 0);
    agentchat_message_unref(message);
    assert_int_equal(agentchat_message_item_count(inner), 12);
    agentchat_message_unref(inner);
    return status;
}

static agentchat_status builder_free(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message_builder *builder = test_message_builder(env, "user", NULL);
    agentchat_message *inner = sweep_message(env, "inside");

    (void)variant;
    (void)err;
    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_NAME, sweep_long());
    agentchat_message_builder_add_message(builder, inner);
    agentchat_message_unref(inner);
    sweep_begin();
    agentchat_message_builder_free(NULL);
    agentchat_message_builder_free(builder);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status message_new_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_str text = sweep_nth(variant, 1);
    agentchat_message *message = NULL;
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_message_new_text(env, "user", AGENTCHAT_STR("n"), text, &message, err);
    sweep_end();
    if (status < 0) {
        assert_null(message);
        test_ok(agentchat_message_new_text(env, "user", AGENTCHAT_STR("n"), text, &message, &again), &again);
    }
    assert_true(agentchat_str_equal(agentchat_message_text(message), text));
    agentchat_message_unref(message);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_message_builder_new", builder_new, SWEEP_ALLOCATES, 3},
    {"agentchat_message_builder_from", builder_from, SWEEP_ALLOCATES, 0},
    {"agentchat_message_builder_add_item_copy", builder_add_item_copy, SWEEP_ALLOCATES, 0},
    {"agentchat_message_builder_select_item", builder_change, SWEEP_NEVER, 0},
    {"agentchat_message_builder_remove_items", builder_change, SWEEP_NEVER, 0},
    {"agentchat_message_builder_remove_extra", builder_change, SWEEP_NEVER, 0},
    {"agentchat_message_builder_set", builder_set, SWEEP_ALLOCATES, 3},
    {"agentchat_message_builder_add_item", builder_add_item, SWEEP_ALLOCATES, 0},
    {"agentchat_message_builder_set_item", builder_set_item, SWEEP_ALLOCATES, 2},
    {"agentchat_message_builder_set_data", builder_set_data, SWEEP_ALLOCATES, 0},
    {"agentchat_message_builder_set_data_base64", builder_set_data_base64, SWEEP_ALLOCATES, 0},
    {"agentchat_message_builder_add_text", builder_add_text, SWEEP_ALLOCATES, 0},
    {"agentchat_message_builder_add_call", builder_add_call, SWEEP_ALLOCATES, 4},
    {"agentchat_message_builder_add_result", builder_add_result, SWEEP_ALLOCATES, 4},
    {"agentchat_message_builder_add_result_text", builder_add_result_text, SWEEP_ALLOCATES, 0},
    {"agentchat_message_builder_add_data", builder_add_data, SWEEP_ALLOCATES, 2},
    {"agentchat_message_builder_add_message", builder_add_message, SWEEP_ALLOCATES, 0},
    {"agentchat_message_builder_set_content", builder_set_content, SWEEP_NEVER, 0},
    {"agentchat_message_builder_add_extra", builder_add_extra, SWEEP_ALLOCATES, 2},
    {"agentchat_message_builder_finish", builder_finish, SWEEP_ALLOCATES, 2},
    {"agentchat_message_builder_free", builder_free, SWEEP_NEVER, 0},
    {"agentchat_message_new_text", message_new_text, SWEEP_ALLOCATES, 2},
};

int main(void)
{
    return sweep_main("sweep.builder", rows, sizeof rows / sizeof *rows);
}
