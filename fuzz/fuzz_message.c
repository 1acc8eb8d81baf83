/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input as calls of the message builder, sound ones and others, beside a model of them: finish says what the model
 * says, the getters give what was set, and the messages come back from every format. An allocation may fail on the way.
 */
#include "documents.h"
#include "failing_memory.h"
#include "message_model.h"

#include <string.h>

enum { MESSAGES = 4, CALLS = 120 };

typedef struct world {
    fuzz_input in;
    fuzz_memory memory;
    model_message models[MESSAGES];
    agentchat_message *made[MESSAGES];
    size_t count;
    bool reuses; /* messages start from those made before */
} world;

/* Values that a fuzzer would be long in finding; the rest comes from the input. */
static const agentchat_str constants[] = {
    {NULL, 0},
    {"", 0},
    {"user", 4},
    {"system", 6},
    {"null", 4},
    {"{}", 2},
    {" {\"a\":{\"b\":[1.50,1e400,\"\\ud800\"]},\"a\":2}\n", 42},
    {"{\"A\":1,\"a\":2}", 13},
    {"[\"a\",\"b\"]", 9},
    {"[1,2,]", 6},
    {"\"text\"", 6},
    {"12", 2},
    {"-0.0", 4},
    {"01", 2},
    {"{\"type\":\"text\",\"text\":\"x\"}", 26},
    {"[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]", 40},
    {"[[[[[[[[[[[[[[[[[[[[}", 21},
    {"\xED\xA0\x80", 3},
    {"\xED\xA0\x80\xED\xB0\x80", 6},
    {"\xFF", 1},
    {"caf\xC3\xA9 \xF0\x9F\x98\x80", 10},
    {"a\0b", 3},
    {"\x1B[31m\x7F\t\n", 8},
    {" ", 1},
    {"data:image/png;name=x;base64,AAAA", 33},
    {"data:,x", 7},
    {"https://example.org/x", 21},
    {"no uri", 6},
    {"image/png", 9},
    {"AAAA", 4},
    {"AA==", 4},
    {"AB==", 4},
    {"A", 1},
    {"role", 4},
    {"items", 5},
    {"Text", 4},
    {"$type", 5},
    {"agentchat", 9},
    {"extras", 6},
    {"filecitation", 12},
    {"{\"Message\":\"m\",\"ClassName\":\"c\"}", 31},
    {"{\"HResult\":\"x\"}", 15},
};

static agentchat_str any_value(fuzz_input *in)
{
    size_t count = sizeof constants / sizeof *constants;
    uint8_t choice = fuzz_byte(in);

    if (choice == 255)
        return agentchat_str_null();
    return choice < count ? constants[choice] : fuzz_text(in);
}

/* NUL-terminated, for the parameters that are; free() it. */
static char *any_name(fuzz_input *in, agentchat_str *view)
{
    agentchat_str text = any_value(in);
    char *name = malloc(text.len + 1);

    FUZZ_CHECK(name != NULL);
    if (text.len > 0)
        memcpy(name, text.ptr, text.len);
    name[text.len] = '\0';
    *view = text; /* the model needs one that lives on: up to its first NUL */
    view->ptr = text.len > 0 ? text.ptr : "";
    view->len = strlen(name);
    return name;
}

/* ---- calls ---------------------------------------------------------------------------------------------------- */

static void set_value(fuzz_input *in, agentchat_message_builder *builder, model_message *m, bool in_item)
{
    int chosen = (int)fuzz_below(in, MODEL_FIELDS + 2);
    /* Form marks have a grammar of their own, which tests/unit/model/test_result_content.c goes through. */
    int field = chosen != AGENTCHAT_FIELD_FORM ? chosen : AGENTCHAT_FIELD_FAILED;
    agentchat_str value = any_value(in), lent = value;
    char *block = naive_lend(&lent);

    if (in_item) {
        agentchat_message_builder_set_item(builder, (agentchat_field)field, lent);
        model_message_set_item(m, field, value);
    } else {
        agentchat_message_builder_set(builder, (agentchat_field)field, lent);
        model_message_set(m, field, value);
    }
    free(block);
}

static void set_data(fuzz_input *in, agentchat_message_builder *builder, model_message *m, bool base64)
{
    agentchat_str data = any_value(in), lent = data;
    char *block = naive_lend(&lent);

    if (base64)
        agentchat_message_builder_set_data_base64(builder, lent);
    else
        agentchat_message_builder_set_data(builder, lent);
    model_message_set_data(m, data, base64);
    free(block);
}

static void add_call_or_result(fuzz_input *in, agentchat_message_builder *builder, model_message *m, bool call)
{
    agentchat_str id = any_value(in), plugin = any_value(in), function = any_value(in), value = any_value(in);

    if (call)
        agentchat_message_builder_add_call(builder, id, plugin, function, value);
    else
        agentchat_message_builder_add_result(builder, id, plugin, function, value);
    model_message_add_item(m, call ? AGENTCHAT_ITEM_CALL : AGENTCHAT_ITEM_RESULT);
    model_message_set_item(m, AGENTCHAT_FIELD_CALL_ID, id);
    model_message_set_item(m, AGENTCHAT_FIELD_PLUGIN, plugin);
    model_message_set_item(m, AGENTCHAT_FIELD_FUNCTION, function);
    model_message_set_item(m, call ? AGENTCHAT_FIELD_ARGUMENTS : AGENTCHAT_FIELD_RESULT, value);
}

static void add_data(fuzz_input *in, agentchat_message_builder *builder, model_message *m)
{
    int kind = (int)fuzz_below(in, 14);
    agentchat_str mime_type = any_value(in), bytes = any_value(in);

    agentchat_message_builder_add_data(builder, (agentchat_item_kind)kind, mime_type, bytes);
    model_message_add_item(m, kind);
    model_message_set_data(m, bytes, false);
    model_message_set_item(m, AGENTCHAT_FIELD_MIME_TYPE, mime_type);
}

static void add_extra(fuzz_input *in, agentchat_message_builder *builder, model_message *m)
{
    static const agentchat_str origins[] = {{NULL, 0}, {"agentchat", 9}, {"semantic-kernel", 15}, {"later-format", 12}};
    agentchat_extra extra, lent;
    char *name, *value;

    extra.name = any_value(in); /* one after the other: an initializer leaves the order open */
    extra.value = any_value(in);
    extra.from = origins[fuzz_below(in, 4)];
    /* In a document of that format this is the sidecar, and its members are looked for there. */
    if (agentchat_str_equal(extra.from, AGENTCHAT_STR("semantic-kernel")) &&
        agentchat_str_equal(extra.name, AGENTCHAT_STR("agentchat")))
        extra.from = (agentchat_str){NULL, 0};
    lent = extra;
    name = naive_lend(&lent.name);
    value = naive_lend(&lent.value);
    agentchat_message_builder_add_extra(builder, lent.name, lent.value, lent.from);
    model_message_add_extra(m, extra);
    free(name);
    free(value);
}

static void add_nested(world *w, agentchat_message_builder *builder, model_message *m)
{
    size_t which = fuzz_below(&w->in, MESSAGES);

    if (which >= w->count)
        return;
    agentchat_message_builder_add_message(builder, w->made[which]);
    model_message_add_message(m, &w->models[which]);
}

/* What changes a message that is there. */
static void change(world *w, agentchat_message_builder *builder, model_message *m, uint8_t choice)
{
    fuzz_input *in = &w->in;
    size_t which, first, count;
    agentchat_str name;

    switch (choice % 4) {
    case 0:
        which = fuzz_below(in, MODEL_ITEMS + 1);
        agentchat_message_builder_select_item(builder, which < MODEL_ITEMS ? which : AGENTCHAT_NO_ITEM);
        model_message_select(m, which < MODEL_ITEMS ? which : AGENTCHAT_NO_ITEM);
        break;
    case 1:
        first = fuzz_below(in, MODEL_ITEMS);
        count = fuzz_below(in, MODEL_ITEMS);
        agentchat_message_builder_remove_items(builder, first, count);
        model_message_remove_items(m, first, count);
        break;
    case 2:
        name = any_value(in);
        agentchat_message_builder_remove_extra(builder, name);
        model_message_remove_extra(m, name);
        break;
    default:
        which = fuzz_below(in, MESSAGES);
        first = fuzz_below(in, MODEL_ITEMS);
        if (which < w->count && first < w->models[which].item_count) {
            agentchat_message_builder_add_item_copy(builder, agentchat_message_item(w->made[which], first));
            model_message_add_item_copy(m, &w->models[which].items[first]);
        }
    }
}

/* One call on the builder; false: the message is to be finished. */
static bool call(world *w, agentchat_message_builder *builder, model_message *m)
{
    fuzz_input *in = &w->in;
    agentchat_str text;
    uint8_t choice;
    int kind;

    if (in->size == 0 || !model_message_has_room(m))
        return false;
    choice = fuzz_byte(in);
    if (choice >= 240) {
        change(w, builder, m, choice);
        return true;
    }
    switch (choice % 12) {
    case 0:
        return false;
    case 1:
        set_value(in, builder, m, false);
        break;
    case 2:
        kind = (int)fuzz_below(in, 15);
        agentchat_message_builder_add_item(builder, (agentchat_item_kind)kind);
        model_message_add_item(m, kind);
        break;
    case 3:
    case 4:
        set_value(in, builder, m, true);
        break;
    case 5:
        set_data(in, builder, m, false);
        break;
    case 6:
        set_data(in, builder, m, true);
        break;
    case 7:
        text = any_value(in);
        agentchat_message_builder_add_text(builder, text);
        model_message_add_item(m, AGENTCHAT_ITEM_TEXT);
        model_message_set_item(m, AGENTCHAT_FIELD_TEXT, text);
        break;
    case 8:
        add_call_or_result(in, builder, m, fuzz_below(in, 2) == 0);
        break;
    case 9:
        add_data(in, builder, m);
        break;
    case 10:
        add_nested(w, builder, m);
        break;
    default:
        add_extra(in, builder, m);
        break;
    }
    return true;
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

/* A builder as new, or with what a message has that was made before. */
static agentchat_status start(world *w, model_message *m, agentchat_message_builder **builder, agentchat_error *err)
{
    agentchat_str role, name;
    agentchat_status status;
    char *role_text;

    if (w->reuses && w->count > 0) {
        size_t which = fuzz_below(&w->in, (uint32_t)w->count);

        model_message_from(m, &w->models[which]);
        return agentchat_message_builder_from(w->memory.env, w->made[which], builder, err);
    }
    role_text = any_name(&w->in, &role);
    name = any_value(&w->in);
    model_message_begin(m, m->max_depth, role, name);
    status = agentchat_message_builder_new(w->memory.env, role_text, name, builder, err);
    free(role_text);
    return status;
}

/* Whether a status is what the model says, or memory was out. */
static void check_status(const world *w, const model_message *m, agentchat_status status, size_t failures,
                         const agentchat_error *err)
{
    FUZZ_CHECK(err->code == (int32_t)status);
    FUZZ_CHECK(status == AGENTCHAT_OK || err->message[0] != '\0');
    if (status == AGENTCHAT_E_NOMEM)
        FUZZ_CHECK(w->memory.failures > failures);
    else
        FUZZ_CHECK(status == m->status || status == m->or_status);
}

static void build(world *w)
{
    model_message *m = &w->models[w->count];
    size_t failures = w->memory.failures;
    agentchat_message_builder *builder;
    agentchat_message *message = NULL;
    agentchat_status status;
    agentchat_error err;

    status = start(w, m, &builder, &err);
    check_status(w, m, status, failures, &err);
    FUZZ_CHECK((builder != NULL) == (status == AGENTCHAT_OK));
    if (status < 0)
        return;
    for (int i = 0; i < CALLS && call(w, builder, m); i++)
        ;
    if (fuzz_below(&w->in, 32) == 31) {
        agentchat_message_builder_free(builder);
        return;
    }
    model_message_finish(m);
    status = agentchat_message_builder_finish(builder, &message, &err);
    FUZZ_CHECK((message != NULL) == (status == AGENTCHAT_OK));
    check_status(w, m, status, failures, &err);
    if (status == AGENTCHAT_OK)
        w->made[w->count++] = message;
}

static void check_model(const world *w, const agentchat_snapshot *snapshot, bool in_order)
{
    FUZZ_CHECK(agentchat_messages_count(agentchat_snapshot_history(snapshot)) == w->count);
    for (size_t i = 0; i < w->count; i++)
        model_message_check(&w->models[i], agentchat_messages_at(agentchat_snapshot_history(snapshot), i), in_order);
}

static void through_own_format(const world *w, const agentchat_snapshot *snapshot, const char *format)
{
    agentchat_bytes written = fuzz_write(snapshot, format, false, NULL);
    agentchat_error err;
    agentchat_snapshot *back = fuzz_read(fuzz_view(&written), NULL, &err);

    if (back != NULL)
        check_model(w, back, false);
    agentchat_snapshot_unref(back);
    agentchat_bytes_clear(&written);
    fuzz_round_trip(snapshot, format);
}

static void through_semantic_kernel(const agentchat_snapshot *snapshot, bool strict)
{
    size_t losses;
    agentchat_bytes written = fuzz_write(snapshot, "semantic-kernel", strict, &losses);
    agentchat_error err;
    agentchat_snapshot *back = fuzz_read(fuzz_view(&written), "semantic-kernel", &err);

    if (back != NULL && losses == 0)
        FUZZ_CHECK(fuzz_same_digest(snapshot, back, false));
    FUZZ_CHECK(back != NULL || err.code == AGENTCHAT_E_LIMIT);
    agentchat_snapshot_unref(back);
    agentchat_bytes_clear(&written);
}

/* Each message, and all of them, as JSON text and back: the same text again, unless it is deeper than is read. */
static void through_text(const world *w)
{
    agentchat_bytes all = AGENTCHAT_BYTES_INIT, again = AGENTCHAT_BYTES_INIT;
    agentchat_messages *list = NULL, *back = NULL;
    agentchat_status status;

    for (size_t i = 0; i < w->count; i++) {
        agentchat_bytes one = AGENTCHAT_BYTES_INIT;
        agentchat_message *message = NULL;

        FUZZ_CHECK(agentchat_message_write(w->made[i], &one, NULL) == AGENTCHAT_OK);
        status = agentchat_message_read(NULL, fuzz_view(&one), &message, NULL, NULL);
        FUZZ_CHECK(status == AGENTCHAT_OK || status == AGENTCHAT_E_LIMIT);
        if (message != NULL)
            model_message_check(&w->models[i], message, false);
        agentchat_message_unref(message);
        agentchat_bytes_clear(&one);
    }
    FUZZ_CHECK(agentchat_messages_new(w->memory.env, (const agentchat_message *const *)w->made, w->count, &list,
                                      NULL) == AGENTCHAT_OK);
    FUZZ_CHECK(agentchat_messages_write(list, &all, NULL) == AGENTCHAT_OK);
    status = agentchat_messages_read(NULL, fuzz_view(&all), &back, NULL, NULL);
    FUZZ_CHECK(status == AGENTCHAT_OK || status == AGENTCHAT_E_LIMIT);
    if (back != NULL) {
        FUZZ_CHECK(agentchat_messages_write(back, &again, NULL) == AGENTCHAT_OK);
        FUZZ_CHECK(agentchat_str_equal(fuzz_view(&all), fuzz_view(&again)));
    }
    agentchat_bytes_clear(&again);
    agentchat_bytes_clear(&all);
    agentchat_messages_unref(back);
    agentchat_messages_unref(list);
}

static void through_formats(const world *w)
{
    agentchat_snapshot_builder *builder;
    agentchat_snapshot *snapshot = NULL;

    FUZZ_CHECK(agentchat_snapshot_builder_new(w->memory.env, NULL, &builder, NULL) == AGENTCHAT_OK);
    for (size_t i = 0; i < w->count; i++)
        agentchat_snapshot_builder_add_message(builder, w->made[i]);
    FUZZ_CHECK(agentchat_snapshot_builder_finish(builder, &snapshot, NULL) == AGENTCHAT_OK);
    check_model(w, snapshot, true);
    through_own_format(w, snapshot, "agentchat");
    through_own_format(w, snapshot, "agentchat-encoded");
    through_semantic_kernel(snapshot, true);
    through_semantic_kernel(snapshot, false);
    agentchat_snapshot_unref(snapshot);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    world *w = calloc(1, sizeof *w);
    uint8_t settings;

    FUZZ_CHECK(w != NULL);
    w->in = (fuzz_input){data, size};
    settings = fuzz_byte(&w->in);
    fuzz_memory_begin(&w->memory, settings & 1 ? 8 : 0);
    for (size_t i = 0; i < MESSAGES; i++)
        w->models[i].max_depth = settings & 1 ? 8 : 128;
    w->reuses = (settings & 8) != 0;
    if (settings & 2)
        fuzz_memory_fail(&w->memory, fuzz_byte(&w->in), (settings & 4) != 0);
    for (size_t i = 0; i < MESSAGES && w->count < MESSAGES && w->in.size > 0; i++)
        build(w);
    fuzz_memory_calm(&w->memory);
    for (size_t i = 0; i < w->count; i++)
        model_message_check(&w->models[i], w->made[i], true);
    through_formats(w);
    through_text(w);
    for (size_t i = 0; i < w->count; i++)
        agentchat_message_unref(w->made[i]);
    fuzz_memory_end(&w->memory);
    free(w);
    return 0;
}
