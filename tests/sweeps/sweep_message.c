/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/message.h, looking: messages, items, their data, lists. Building is in sweep_builder.c. */
#include "sweep.h"

static agentchat_status look_at_message(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_rich_message(env);
    agentchat_str role, name, text, id, nothing;
    size_t items, extras, none;
    const agentchat_extra *extra, *beyond;
    const agentchat_item *item, *no_item;

    (void)variant;
    (void)err;
    sweep_begin();
    role = agentchat_message_role(message);
    name = agentchat_message_name(message);
    text = agentchat_message_text(message);
    id = agentchat_message_get(message, AGENTCHAT_FIELD_ID);
    nothing = agentchat_message_get(NULL, AGENTCHAT_FIELD_ID);
    items = agentchat_message_item_count(message);
    none = agentchat_message_item_count(NULL) + agentchat_message_extra_count(NULL);
    item = agentchat_message_item(message, 1);
    no_item = agentchat_message_item(message, items);
    extras = agentchat_message_extra_count(message);
    extra = agentchat_message_extra(message, 0);
    beyond = agentchat_message_extra(message, extras);
    sweep_end();
    assert_str(role, "assistant");
    assert_str(name, "A");
    assert_str(id, "id-1");
    assert_str(extra->name, "mine");
    assert_true(text.len > 4 && nothing.ptr == NULL && beyond == NULL);
    assert_int_equal(items, 12);
    assert_int_equal(extras + none, 1);
    assert_non_null(item);
    assert_null(no_item);
    agentchat_message_unref(message);
    return AGENTCHAT_OK;
}

static agentchat_status count_references(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_rich_message(env);

    (void)variant;
    (void)err;
    sweep_begin();
    assert_ptr_equal(agentchat_message_ref(message), message);
    assert_null(agentchat_message_ref(NULL));
    agentchat_message_unref(message);
    agentchat_message_unref(message); /* the last one */
    agentchat_message_unref(NULL);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status look_at_items(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_rich_message(env);
    size_t sizes = 0, with_data = 0, extras = 0, nested = 0, contents = 0, texts = 0, named = 0;

    (void)variant;
    (void)err;
    sweep_begin();
    for (size_t i = 0; i < agentchat_message_item_count(message); i++) {
        const agentchat_item *item = agentchat_message_item(message, i);

        texts += agentchat_item_get_kind(item) == AGENTCHAT_ITEM_TEXT;
        named += agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION).ptr != NULL;
        nested += agentchat_item_message(item) != NULL;
        contents += agentchat_item_has_content(item) + agentchat_item_content_count(item);
        contents += agentchat_item_content(item, 1) != NULL;
        sizes += agentchat_item_data_size(item);
        with_data += agentchat_item_has_data(item);
        extras += agentchat_item_extra_count(item);
        extras += agentchat_item_extra(item, 0) != NULL;
    }
    with_data += agentchat_item_has_data(NULL);
    extras += agentchat_item_extra_count(NULL);
    sweep_end();
    assert_int_equal(texts, 1);
    assert_int_equal(named, 2);
    assert_int_equal(nested, 1);
    assert_int_equal(contents, 4);
    assert_int_equal(with_data, 2);
    assert_int_equal(sizes, 8);
    assert_int_equal(extras, 2);
    agentchat_message_unref(message);
    return AGENTCHAT_OK;
}

/* The image was given as bytes, the audio as base64: see sweep_rich_message(). */
enum { IMAGE = 1, AUDIO = 2 };

static agentchat_status item_bytes(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_rich_message(env);
    const agentchat_item *item = agentchat_message_item(message, AUDIO);
    agentchat_str data = AGENTCHAT_STR("before"), kept;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_item_bytes(item, &data, err);
    sweep_end();
    if (status < 0) {
        assert_null(data.ptr);
        test_ok(agentchat_item_bytes(item, &data, &again), &again);
    }
    assert_str(data, "RIFF");
    test_ok(agentchat_item_bytes(item, &kept, &again), &again);
    assert_ptr_equal(kept.ptr, data.ptr);
    agentchat_message_unref(message);
    return status;
}

static agentchat_status item_base64(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_rich_message(env);
    const agentchat_item *item = agentchat_message_item(message, IMAGE);
    agentchat_str data = AGENTCHAT_STR("before"), kept;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_item_base64(item, &data, err);
    sweep_end();
    if (status < 0) {
        assert_null(data.ptr);
        test_ok(agentchat_item_base64(item, &data, &again), &again);
    }
    assert_str(data, "iVBORw==");
    test_ok(agentchat_item_base64(item, &kept, &again), &again);
    assert_ptr_equal(kept.ptr, data.ptr);
    agentchat_message_unref(message);
    return status;
}

/* 0: no messages; 1: of several arenas; 2: all of one arena, that of a snapshot. */
static agentchat_status messages_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_bytes document = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *rich = sweep_rich_snapshot(NULL), *snapshot = NULL;
    const agentchat_message *array[3];
    size_t count = variant == 0 ? 0 : 3;
    agentchat_messages *list = NULL;
    agentchat_error again;
    agentchat_status status;

    document = sweep_document(rich, "agentchat");
    test_ok(
        agentchat_snapshot_read_memory(env, (agentchat_str){document.ptr, document.len}, NULL, &snapshot, NULL, &again),
        &again);
    for (size_t i = 0; i < 3; i++)
        array[i] = agentchat_messages_at(agentchat_snapshot_history(variant == 2 ? snapshot : rich), i);
    sweep_begin();
    status = agentchat_messages_new(env, array, count, &list, err);
    sweep_end();
    if (status < 0) {
        assert_null(list);
        test_ok(agentchat_messages_new(env, array, count, &list, &again), &again);
    }
    agentchat_snapshot_unref(snapshot); /* the list keeps what it holds */
    assert_int_equal(agentchat_messages_count(list), count);
    if (count > 0)
        assert_str(agentchat_message_text(agentchat_messages_at(list, 2)), "last");
    agentchat_messages_unref(list);
    agentchat_snapshot_unref(rich);
    agentchat_bytes_clear(&document);
    return status;
}

static agentchat_status messages_ref(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_message *message = sweep_message(env, "t");
    agentchat_messages *list = NULL, *kept = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    test_ok(agentchat_messages_new(env, &message, 1, &list, &again), &again);
    agentchat_message_unref(message);
    sweep_begin();
    status = agentchat_messages_ref(list, &kept, err);
    sweep_end();
    if (status < 0) {
        assert_null(kept);
        test_ok(agentchat_messages_ref(list, &kept, &again), &again);
    }
    agentchat_messages_unref(list);
    assert_ptr_equal(agentchat_messages_at(kept, 0), message);
    agentchat_messages_unref(kept);
    return status;
}

/* ---- as JSON text ----------------------------------------------------------------------------------------------- */

static agentchat_status message_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *rich = sweep_rich_message(NULL), *message = NULL;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_status status;
    agentchat_error again;

    (void)variant;
    test_ok(agentchat_message_write(rich, &text, &again), &again);
    agentchat_message_unref(rich);
    sweep_begin();
    status = agentchat_message_read(env, (agentchat_str){text.ptr, text.len}, &message, &report, err);
    sweep_end();
    agentchat_report_free(report);
    if (status < 0) {
        assert_null(message);
        test_ok(agentchat_message_read(env, (agentchat_str){text.ptr, text.len}, &message, NULL, &again), &again);
    }
    assert_int_equal(agentchat_message_item_count(message), 12);
    agentchat_message_unref(message);
    agentchat_bytes_clear(&text);
    return status;
}

static agentchat_status message_join_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = NULL;
    agentchat_message_builder *builder = NULL;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status;
    agentchat_error again;

    (void)variant;
    test_ok(agentchat_message_builder_new(env, "user", AGENTCHAT_STR("Ann"), &builder, &again), &again);
    agentchat_message_builder_add_text(builder, AGENTCHAT_STR("one"));
    agentchat_message_builder_add_text(builder, AGENTCHAT_STR("two"));
    test_ok(agentchat_message_builder_finish(builder, &message, &again), &again);
    sweep_begin();
    status = agentchat_message_join_text(message, AGENTCHAT_STR(", "), &text, err);
    sweep_end();
    if (status < 0) {
        assert_int_equal(text.len, 0);
        test_ok(agentchat_message_join_text(message, AGENTCHAT_STR(", "), &text, &again), &again);
    }
    assert_string_equal(text.ptr, "one, two");
    agentchat_message_unref(message);
    agentchat_bytes_clear(&text);
    return status;
}

/* 0: into no bytes; 1: after others. */
static agentchat_status message_write(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_rich_message(env), *back = NULL;
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_status status;
    agentchat_error again;
    size_t before;

    if (variant == 1)
        test_ok(agentchat_message_write(message, &text, &again), &again);
    before = text.len;
    sweep_begin();
    status = agentchat_message_write(message, &text, err);
    sweep_end();
    if (status < 0) {
        assert_int_equal(text.len, before);
        test_ok(agentchat_message_write(message, &text, &again), &again);
    }
    test_ok(agentchat_message_read(NULL, (agentchat_str){text.ptr + before, text.len - before}, &back, NULL, &again),
            &again);
    assert_int_equal(agentchat_message_item_count(back), 12);
    agentchat_message_unref(back);
    agentchat_message_unref(message);
    agentchat_bytes_clear(&text);
    return status;
}

/* 0: an empty list; 1: many messages. */
static agentchat_status messages_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char one[] = "{\"role\":\"user\",\"items\":[{\"type\":\"text\",\"text\":\"x\"}]},";
    size_t count = variant == 0 ? 0 : 40;
    char text[sizeof one * 40 + 2] = "[";
    agentchat_messages *list = NULL;
    agentchat_report *report = NULL;
    agentchat_status status;
    agentchat_error again;

    for (size_t i = 0; i < count; i++)
        memcpy(text + 1 + i * (sizeof one - 1), one, sizeof one);
    text[count > 0 ? count * (sizeof one - 1) : 1] = ']'; /* in the room of the last comma */
    sweep_begin();
    status = agentchat_messages_read(env, agentchat_str_from(text), &list, &report, err);
    sweep_end();
    agentchat_report_free(report);
    if (status < 0) {
        assert_null(list);
        test_ok(agentchat_messages_read(env, agentchat_str_from(text), &list, NULL, &again), &again);
    }
    assert_int_equal(agentchat_messages_count(list), count);
    agentchat_messages_unref(list);
    return status;
}

static agentchat_status messages_write(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_message *message = sweep_rich_message(env);
    agentchat_bytes text = AGENTCHAT_BYTES_INIT;
    agentchat_messages *list = NULL;
    agentchat_status status;
    agentchat_error again;

    (void)variant;
    test_ok(agentchat_messages_new(env, &message, 1, &list, &again), &again);
    agentchat_message_unref(message);
    sweep_begin();
    status = agentchat_messages_write(list, &text, err);
    sweep_end();
    if (status < 0) {
        assert_null(text.ptr);
        test_ok(agentchat_messages_write(list, &text, &again), &again);
    }
    assert_true(text.len > 100 && text.ptr[0] == '[' && text.ptr[text.len - 1] == ']');
    agentchat_messages_unref(list);
    agentchat_bytes_clear(&text);
    return status;
}

static agentchat_status look_at_list(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_message *message = sweep_message(env, "t");
    agentchat_messages *list = NULL;
    const agentchat_message *first, *beyond;
    size_t count;

    (void)variant;
    test_ok(agentchat_messages_new(env, &message, 1, &list, err), err);
    agentchat_message_unref(message);
    sweep_begin();
    count = agentchat_messages_count(list) + agentchat_messages_count(NULL);
    first = agentchat_messages_at(list, 0);
    beyond = agentchat_messages_at(list, 1);
    sweep_end();
    assert_int_equal(count, 1);
    assert_ptr_equal(first, message);
    assert_null(beyond);
    sweep_begin();
    agentchat_messages_unref(NULL);
    agentchat_messages_unref(list);
    sweep_end();
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_message_ref", count_references, SWEEP_NEVER, 0},
    {"agentchat_message_unref", count_references, SWEEP_NEVER, 0},
    {"agentchat_message_get", look_at_message, SWEEP_NEVER, 0},
    {"agentchat_message_role", look_at_message, SWEEP_NEVER, 0},
    {"agentchat_message_name", look_at_message, SWEEP_NEVER, 0},
    {"agentchat_message_text", look_at_message, SWEEP_NEVER, 0},
    {"agentchat_message_item_count", look_at_message, SWEEP_NEVER, 0},
    {"agentchat_message_item", look_at_message, SWEEP_NEVER, 0},
    {"agentchat_message_extra_count", look_at_message, SWEEP_NEVER, 0},
    {"agentchat_message_extra", look_at_message, SWEEP_NEVER, 0},
    {"agentchat_item_get_kind", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_get", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_message", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_has_content", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_content_count", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_content", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_data_size", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_has_data", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_extra_count", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_extra", look_at_items, SWEEP_NEVER, 0},
    {"agentchat_item_bytes", item_bytes, SWEEP_ALLOCATES, 0},
    {"agentchat_item_base64", item_base64, SWEEP_ALLOCATES, 0},
    {"agentchat_messages_new", messages_new, SWEEP_ALLOCATES, 3},
    {"agentchat_messages_ref", messages_ref, SWEEP_ALLOCATES, 0},
    {"agentchat_message_read", message_read, SWEEP_ALLOCATES, 0},
    {"agentchat_message_join_text", message_join_text, SWEEP_ALLOCATES, 0},
    {"agentchat_message_write", message_write, SWEEP_ALLOCATES, 2},
    {"agentchat_messages_read", messages_read, SWEEP_ALLOCATES, 2},
    {"agentchat_messages_write", messages_write, SWEEP_ALLOCATES, 0},
    {"agentchat_messages_unref", look_at_list, SWEEP_NEVER, 0},
    {"agentchat_messages_count", look_at_list, SWEEP_NEVER, 0},
    {"agentchat_messages_at", look_at_list, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.message", rows, sizeof rows / sizeof *rows);
}
