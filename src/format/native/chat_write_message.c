/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing messages, items and extras of format 1: the tables of names give the order. Values that were not
 * made here are written as they were spelled.
 */
#include "format/native/chat.h"

#include "base/error.h"
#include "json/value.h"
#include <string.h>

void aci_native_write_failed(aci_native_writer *f, agentchat_status status)
{
    if (f->w.status >= 0)
        f->w.status = aci_fail(f->w.err, status, "%s", agentchat_status_text(status));
}

/* How many brackets could open a container: never less than the depth, and far cheaper to count than the depth. */
static size_t brackets(agentchat_str json)
{
    size_t count = 0;

    while (json.len > 0) {
        size_t n = json.len < UINT8_MAX ? json.len : UINT8_MAX;
        uint8_t some = 0; /* counters of a byte let compilers count sixteen bytes at once */

        for (size_t i = 0; i < n; i++)
            some = (uint8_t)(some + ((json.ptr[i] | ('[' ^ '{')) == '{'));
        count += some;
        json.ptr += n;
        json.len -= n;
    }
    return count;
}

/* Keeps count of the levels, to say so when a document is deeper than readers like. Only a long enough text can nest
   deep enough to matter; the others need not be looked at. */
static void note_depth(aci_native_writer *f, agentchat_str json)
{
    size_t around = (size_t)f->outside + f->w.depth;

    if (around + json.len / 2 > ACI_DEFAULT_MAX_DEPTH && around + brackets(json) > ACI_DEFAULT_MAX_DEPTH) {
        uint32_t depth = f->outside + f->w.depth + aci_json_depth_of(json);

        if (depth > f->deepest)
            f->deepest = depth;
    }
}

void aci_native_write_raw(aci_native_writer *f, agentchat_str json)
{
    note_depth(f, json);
    aci_writer_raw(&f->w, json);
}

void aci_native_write_text(aci_native_writer *f, const aci_native_property *property, agentchat_str text)
{
    if (text.ptr == NULL)
        return;
    if (!agentchat_str_is_null(text)) {
        aci_writer_string_member(&f->w, property->quoted, property->quoted_len, text);
        return;
    }
    aci_native_write_key(f, property);
    aci_writer_null(&f->w);
}

/* Writes a property's field out of the list that holds it. */
static void write_field(aci_native_writer *f, const aci_native_property *property, const aci_field *field)
{
    agentchat_str value;

    while (field->id != property->what)
        field++;
    value = (agentchat_str){field->ptr, (size_t)field->len};
    if (field->form == ACI_FORM_TEXT) {
        aci_writer_string_member(&f->w, property->quoted, property->quoted_len, value);
    } else if (field->form == ACI_FORM_JSON) {
        note_depth(f, value);
        aci_writer_raw_member(&f->w, property->quoted, property->quoted_len, value);
    } else {
        aci_native_write_key(f, property);
        aci_writer_null(&f->w);
    }
}

/* ---- extras ----------------------------------------------------------------------------------------------------- */

/* Whether an extra came as a property of format 1 and can be one again: readers refuse a second property of a name, and
   take one of a known name for what it says. Extras of one name stay together in the list, in their order. */
static bool is_plain(const aci_extras *extras, size_t index, const aci_native_object *known, size_t native)
{
    const agentchat_extra *extra = &extras->list[index];

    if (!aci_native_is_own(extra->from) || native > ACI_NATIVE_MAX_UNKNOWN ||
        aci_native_find(known, 0, extra->name) < known->count)
        return false;
    for (size_t i = 0; i < extras->count; i++)
        if (i != index && agentchat_str_equal(extras->list[i].name, extra->name))
            return false;
    return true;
}

static void write_extra(aci_native_writer *f, const agentchat_extra *extra)
{
    aci_writer_object_begin(&f->w);
    if (extra->from.ptr != NULL) {
        ACI_JW_KEY(&f->w, "from");
        aci_writer_string(&f->w, extra->from);
    }
    ACI_JW_KEY(&f->w, "name");
    aci_writer_string(&f->w, extra->name);
    ACI_JW_KEY(&f->w, "value");
    aci_native_write_raw(f, extra->value);
    aci_writer_object_end(&f->w);
}

void aci_native_write_extras(aci_native_writer *f, const aci_extras *extras, const aci_native_object *known, bool lines)
{
    size_t native = 0, listed = 0;

    if (extras == NULL)
        return;
    for (size_t i = 0; i < extras->count; i++)
        native += aci_native_is_own(extras->list[i].from);
    for (size_t i = 0; i < extras->count; i++) {
        if (is_plain(extras, i, known, native))
            continue;
        if (listed++ == 0) {
            if (lines)
                aci_writer_newline(&f->w);
            ACI_JW_KEY(&f->w, "extras");
            aci_writer_array_begin(&f->w);
        }
        write_extra(f, &extras->list[i]);
    }
    if (listed > 0)
        aci_writer_array_end(&f->w);
    for (size_t i = 0; listed < extras->count && i < extras->count; i++)
        if (is_plain(extras, i, known, native)) {
            if (lines)
                aci_writer_newline(&f->w);
            aci_writer_key(&f->w, extras->list[i].name);
            aci_native_write_raw(f, extras->list[i].value);
        }
}

/* ---- items ------------------------------------------------------------------------------------------------------ */

static void write_data(aci_native_writer *f, const aci_native_property *property, const aci_data *data)
{
    if (data == NULL)
        return;
    aci_native_write_key(f, property);
    if (f->apart != NULL && f->apart->is_apart(f->apart->user, data))
        aci_writer_base64_text(&f->w, AGENTCHAT_STR(""));
    else if (data->base64.ptr != NULL)
        aci_writer_base64_text(&f->w, data->base64);
    else
        aci_writer_base64_bytes(&f->w, data->bytes);
}

static void write_items(aci_native_writer *f, const aci_native_property *property, const agentchat_message *message);

/* A property of an item that is no field of it. */
static void write_other(aci_native_writer *f, const agentchat_item *item, const aci_native_object *known,
                        const aci_native_property *property)
{
    agentchat_str from;

    switch (property->what) {
    case ACI_NATIVE_FROM:
        /* Readers keep an opaque item from agentchat as raw text; without origin it means what it is. */
        from = aci_tag_of_item(item);
        if (!aci_native_is_own(from))
            aci_native_write_text(f, property, from);
        break;
    case ACI_NATIVE_DATA:
        write_data(f, property, item->u.data);
        break;
    case ACI_NATIVE_MESSAGE:
        aci_native_write_key(f, property);
        aci_native_write_message(f, item->u.message);
        break;
    case ACI_NATIVE_CONTENT:
        if (item->u.message != NULL)
            write_items(f, property, item->u.message);
        break;
    case ACI_NATIVE_EXTRAS:
        aci_native_write_extras(f, item->extras, known, false);
        break;
    default: /* the kind is written with the bracket */
        break;
    }
}

static void begin_raw(const aci_native_writer *f, aci_json_reader *r, aci_arena *arena, agentchat_str raw)
{
    aci_json_options options = {.env = f->out->env, .arena = arena, .max_depth = ACI_HIGHEST_MAX_DEPTH};

    /* Without ACI_JSON_IN_PLACE nothing is changed. */
    aci_json_begin(r, &options, (char *)(uintptr_t)raw.ptr, raw.len, NULL);
}

/* Whether a name repeats in a raw object; false after a failure. */
static bool has_repeat(aci_native_writer *f, aci_arena *arena, agentchat_str raw)
{
    aci_json_reader r;
    bool repeats;

    begin_raw(f, &r, arena, raw);
    (void)aci_native_find_repeat(&r, f->out->env, &repeats);
    if (aci_json_close(&r) == AGENTCHAT_E_NOMEM)
        aci_native_write_failed(f, AGENTCHAT_E_NOMEM);
    return repeats;
}

/* Looks for a string in a raw object. Absent when it has none, after a failure too. */
static agentchat_str find_string(aci_native_writer *f, aci_arena *arena, agentchat_str raw, agentchat_str name)
{
    agentchat_str found;
    aci_json_reader r;
    bool done;

    begin_raw(f, &r, arena, raw);
    done = aci_native_find_string(&r, name, &found) && aci_json_end(&r);
    if (aci_json_close(&r) == AGENTCHAT_E_NOMEM)
        aci_native_write_failed(f, AGENTCHAT_E_NOMEM);
    return done ? found : (agentchat_str){NULL, 0};
}

/* Whether an item is one that readers keep as raw text, so that this text means the same: nothing but an object of that
   type. Where it came from does not say so, since another format may have brought that from anywhere. */
static bool is_kept_raw(aci_native_writer *f, const agentchat_item *item)
{
    const aci_field *kind = aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_TYPE);
    agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));
    agentchat_str type, from = {NULL, 0};
    aci_arena *arena;
    bool kept_raw;

    if (!aci_native_is_own(aci_tag_of_item(item)) || item->field_count != 3 || item->extras != NULL || kind == NULL ||
        kind->form != ACI_FORM_TEXT || raw.ptr == NULL || aci_json_kind_of(raw) != ACI_JSON_OBJECT)
        return false;
    arena = aci_arena_new(f->out->env, 0);
    if (arena == NULL) {
        aci_native_write_failed(f, AGENTCHAT_E_NOMEM);
        return false;
    }
    type = find_string(f, arena, raw, AGENTCHAT_STR("type"));
    if (aci_native_kind(type) == AGENTCHAT_ITEM_OPAQUE)
        from = find_string(f, arena, raw, AGENTCHAT_STR("from"));
    kept_raw = type.ptr != NULL && agentchat_str_equal(type, aci_field_text(kind)) &&
               (aci_native_item_kind(type, from) == 0 || (from.ptr != NULL && has_repeat(f, arena, raw)));
    aci_arena_unref(arena);
    return kept_raw;
}

static void write_item(aci_native_writer *f, const agentchat_item *item)
{
    agentchat_item_kind kind = (agentchat_item_kind)item->kind;
    const aci_native_object *known = aci_native_item(kind);
    uint64_t fields = aci_fields_present(item->fields, item->field_count);

    if (item->is_null) {
        aci_writer_null(&f->w);
        return;
    }
    if (kind == AGENTCHAT_ITEM_OPAQUE && is_kept_raw(f, item)) {
        aci_native_write_raw(f, aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW)));
        return;
    }
    aci_writer_object_begin_with(&f->w, aci_native_kind_property(kind));
    for (const aci_native_property *property = known->list; property < known->list + known->count; property++) {
        if (property->what >= ACI_NATIVE_TYPE)
            write_other(f, item, known, property);
        else if ((fields >> property->what & 1) != 0)
            write_field(f, property, item->fields);
    }
    aci_writer_object_end(&f->w);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

static void write_items(aci_native_writer *f, const aci_native_property *property, const agentchat_message *message)
{
    if ((message->flags & ACI_MESSAGE_ITEMS_ABSENT) != 0 && message->item_count == 0)
        return;
    if ((message->flags & ACI_MESSAGE_ITEMS_NULL) != 0 && message->item_count == 0) {
        aci_native_write_key(f, property);
        aci_writer_null(&f->w);
        return;
    }
    aci_writer_array_member(&f->w, property->quoted, property->quoted_len);
    for (uint32_t i = 0; i < message->item_count; i++)
        write_item(f, message->items[i]);
    aci_writer_array_end(&f->w);
}

void aci_native_write_message(aci_native_writer *f, const agentchat_message *message)
{
    uint64_t fields;

    f->messages++;
    if (message == NULL || (message->flags & ACI_MESSAGE_IS_NULL) != 0) {
        aci_writer_null(&f->w);
        return;
    }
    fields = aci_fields_present(message->fields, message->field_count);
    aci_writer_object_begin(&f->w);
    for (uint32_t i = 0; i < aci_native_message.count; i++) {
        const aci_native_property *property = &aci_native_message.list[i];

        if (property->what == ACI_NATIVE_ITEMS)
            write_items(f, property, message);
        else if (property->what == ACI_NATIVE_EXTRAS)
            aci_native_write_extras(f, message->extras, &aci_native_message, false);
        else if ((fields >> property->what & 1) != 0)
            write_field(f, property, message->fields);
    }
    aci_writer_object_end(&f->w);
}
