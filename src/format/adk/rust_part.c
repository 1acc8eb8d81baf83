/* SPDX-License-Identifier: Apache-2.0 */
/* Parts as ADK-Rust has them: which kind one is shows by the names in it, the first of which counts. */
#include "format/adk/rust.h"

#include "base/utf8.h"

/* ---- fields ----------------------------------------------------------------------------------------------------- */

/* A field as a member with a text; where there is none but must be one, an empty one, which is reported. */
static void put_text(aci_object_out *o, const char *key, agentchat_field field, bool is_required)
{
    const aci_location at = {o->path, agentchat_str_from(aci_field_name(field)), 0};
    agentchat_str text = aci_object_out_get(o, field);

    if (text.ptr == NULL && !is_required)
        return;
    aci_writer_key(&o->out->w, agentchat_str_from(key));
    if (text.ptr == NULL)
        aci_out_lost(o->out, &at, "ADK-Rust needs the property: an empty one was written");
    aci_adk_rust_text(o->out, &at, text.ptr != NULL ? text : AGENTCHAT_STR(""));
}

/* A field as a member with any value; null where there is none. */
static void put_json(aci_object_out *o, const char *key, agentchat_field field)
{
    const aci_location at = {o->path, agentchat_str_from(aci_field_name(field)), 0};
    agentchat_str json = aci_object_out_get(o, field);

    aci_writer_key(&o->out->w, agentchat_str_from(key));
    aci_adk_rust_json(o->out, &at, json.ptr != NULL ? json : AGENTCHAT_STR("null"));
}

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

static void put_bytes(aci_out *out, const agentchat_item *item)
{
    agentchat_str bytes;

    if (agentchat_item_bytes(item, &bytes, NULL) < 0) {
        aci_out_nomem(out);
        return;
    }
    aci_writer_array_begin(&out->w);
    for (size_t i = 0; i < bytes.len; i++)
        aci_writer_u64(&out->w, (unsigned char)bytes.ptr[i]);
    aci_writer_array_end(&out->w);
}

static void put_media(aci_object_out *o, const agentchat_item *item)
{
    bool has_data = aci_data_of(item) != NULL;

    put_text(o, "mime_type", AGENTCHAT_FIELD_MIME_TYPE, true);
    if (has_data) {
        ACI_JW_KEY(&o->out->w, "data");
        put_bytes(o->out, item);
    }
    put_text(o, has_data ? "uri" : "file_uri", AGENTCHAT_FIELD_URI, false);
}

static void put_call(aci_object_out *o)
{
    put_text(o, "name", AGENTCHAT_FIELD_FUNCTION, true);
    put_json(o, "args", AGENTCHAT_FIELD_ARGUMENTS);
    put_text(o, "id", AGENTCHAT_FIELD_CALL_ID, false);
}

/* The extra with the object of a result that had more members than these; NULL: there is none. */
static const agentchat_extra *rest_of(const agentchat_item *item)
{
    for (size_t i = 0; item->extras != NULL && i < item->extras->count; i++)
        if (aci_adk_is_own(item->extras->list[i].from) && *item->extras->list[i].value.ptr == '{' &&
            agentchat_str_equal(item->extras->list[i].name, AGENTCHAT_STR("functionResponse")))
            return &item->extras->list[i];
    return NULL;
}

/* Those members, under ADK-Rust's names; what is a field of ours is left out. */
static void put_rest(aci_object_out *o, const agentchat_extra *rest)
{
    const aci_location at = {o->path, AGENTCHAT_STR("functionResponse"), 0};
    aci_buf text;
    aci_walk walk;

    aci_buf_init(&text, o->out->env, SIZE_MAX);
    aci_walk_begin(&walk, rest != NULL ? rest->value : (agentchat_str){NULL, 0});
    while (o->out->w.status >= 0 && aci_walk_next(&walk)) {
        agentchat_str name;
        uint32_t row;

        text.len = 0;
        if (!aci_json_unquote(walk.key, &text))
            aci_out_nomem(o->out);
        name = aci_buf_str(&text);
        row = aci_object_table_find(&aci_adk_response, name, NULL);
        if (row < ACI_ADK_RESPONSE_KEPT || aci_utf8_has_surrogates(name) ||
            ((row == ACI_ADK_RESPONSE_INLINE || row == ACI_ADK_RESPONSE_FILE) &&
             !aci_adk_rust_reads_list(row == ACI_ADK_RESPONSE_FILE, walk.value))) {
            aci_out_lost(o->out, &at, "a property was left out: ADK-Rust's part cannot hold it");
            continue;
        }
        aci_writer_key(&o->out->w, row == ACI_ADK_RESPONSE_INLINE ? AGENTCHAT_STR("inline_data")
                                   : row == ACI_ADK_RESPONSE_FILE ? AGENTCHAT_STR("file_data")
                                                                  : name);
        aci_adk_rust_json(o->out, &at, walk.value);
    }
    aci_buf_clear(&text);
}

static void put_value(aci_object_out *o, const agentchat_item *item)
{
    const aci_location content = {o->path, AGENTCHAT_STR("content"), 0};
    bool has_value = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RESULT)).len > 0;
    agentchat_str text = aci_item_content_plain(item);

    if (!has_value && text.ptr != NULL) {
        (void)aci_object_out_get(o, AGENTCHAT_FIELD_RESULT);
        ACI_JW_KEY(&o->out->w, "response");
        aci_adk_rust_text(o->out, &content, text);
        return;
    }
    put_json(o, "response", AGENTCHAT_FIELD_RESULT);
    if (item->u.message != NULL)
        aci_out_lost(o->out, &content, "ADK-Rust cannot hold the content of a result");
}

static void put_result(aci_object_out *o, const agentchat_item *item, const aci_adk_context *context)
{
    agentchat_str id = agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID);
    agentchat_str function = aci_adk_context_function(context, id);

    ACI_JW_KEY(&o->out->w, "functionResponse");
    aci_writer_object_begin(&o->out->w);
    if (agentchat_item_get(item, AGENTCHAT_FIELD_FUNCTION).ptr == NULL && function.ptr != NULL) {
        ACI_JW_KEY(&o->out->w, "name");
        aci_adk_rust_text(o->out, o->path, function);
    } else {
        put_text(o, "name", AGENTCHAT_FIELD_FUNCTION, true);
    }
    put_value(o, item);
    put_rest(o, rest_of(item));
    aci_writer_object_end(&o->out->w);
    put_text(o, "id", AGENTCHAT_FIELD_CALL_ID, false);
}

/* ---- what stands beside ----------------------------------------------------------------------------------------- */

/* Whether a name says what a part is, or is a member of its own of a part of this kind. */
static bool is_taken(const agentchat_item *item, agentchat_str name)
{
    uint32_t row = aci_object_table_find(&aci_adk_part, name, NULL);

    if (row < ACI_ADK_PART_MAINS)
        return true;
    switch (row) {
    case ACI_ADK_THOUGHT_SIGNATURE:
        return true;
    case ACI_ADK_THOUGHT:
        return item->kind == AGENTCHAT_ITEM_TEXT;
    case ACI_ADK_SIGNATURE:
        return item->kind == AGENTCHAT_ITEM_REASONING;
    case ACI_ADK_FLAT_MIME_TYPE:
    case ACI_ADK_FLAT_URI:
        return item->kind == AGENTCHAT_ITEM_IMAGE || item->kind == AGENTCHAT_ITEM_AUDIO ||
               item->kind == AGENTCHAT_ITEM_BINARY;
    case ACI_ADK_FLAT_ARGS:
    case ACI_ADK_FLAT_ID:
        return item->kind == AGENTCHAT_ITEM_CALL || item->kind == AGENTCHAT_ITEM_RESULT;
    default:
        return false;
    }
}

static void put_extras(aci_out *out, const aci_location *path, const agentchat_item *item)
{
    const agentchat_extra *rest = item->kind == AGENTCHAT_ITEM_RESULT ? rest_of(item) : NULL;
    aci_index written = {NULL, 0, 0};

    for (size_t i = 0; item->extras != NULL && i < item->extras->count; i++) {
        const agentchat_extra *extra = &item->extras->list[i];
        const aci_location at = {path, extra->name, 0};

        if (extra == rest || *extra->value.ptr == 'n')
            continue;
        if (!aci_adk_is_own(extra->from) || is_taken(item, extra->name) || aci_utf8_has_surrogates(extra->name) ||
            aci_index_find(&written, extra->name) != ACI_INDEX_NONE) {
            aci_out_lost(out, &at, "the property was left out: ADK-Rust's part cannot hold it");
            continue;
        }
        if (!aci_index_put(&written, out->env, extra->name, 0))
            aci_out_nomem(out);
        aci_writer_key(&out->w, extra->name);
        aci_adk_rust_json(out, &at, extra->value);
    }
    aci_index_clear(&written, out->env);
}

/* ---- a part ----------------------------------------------------------------------------------------------------- */

/* Why an item cannot be written; NULL when it can. */
static const char *why_not(const aci_out *out, const agentchat_item *item)
{
    agentchat_str raw = aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));
    agentchat_str uri = agentchat_item_get(item, AGENTCHAT_FIELD_URI);

    switch ((agentchat_item_kind)item->kind) {
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_REASONING:
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_RESULT:
        return NULL;
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
        return aci_data_of(item) != NULL || (uri.ptr != NULL && !agentchat_str_is_null(uri))
                   ? NULL
                   : "it has neither data nor URI";
    case AGENTCHAT_ITEM_OPAQUE:
        return !aci_adk_is_own(aci_tag_of_item(item)) ? "it comes from no ADK"
               : raw.ptr == NULL || !aci_adk_rust_reads_part(raw) || aci_adk_rust_is_too_deep(out, raw)
                   ? "ADK-Rust refuses such a part"
                   : NULL;
    case AGENTCHAT_ITEM_ANNOTATION:
    case AGENTCHAT_ITEM_FILE:
    case AGENTCHAT_ITEM_ACTION:
    case AGENTCHAT_ITEM_MESSAGE:
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
    return "there is no part of this kind";
}

static void put_known(aci_object_out *o, const agentchat_item *item, const aci_adk_context *context)
{
    aci_writer_object_begin(&o->out->w);
    if (item->kind == AGENTCHAT_ITEM_TEXT)
        put_text(o, "text", AGENTCHAT_FIELD_TEXT, true);
    else if (item->kind == AGENTCHAT_ITEM_REASONING)
        put_text(o, "thinking", AGENTCHAT_FIELD_TEXT, true);
    else if (item->kind == AGENTCHAT_ITEM_CALL)
        put_call(o);
    else if (item->kind == AGENTCHAT_ITEM_RESULT)
        put_result(o, item, context);
    else
        put_media(o, item);
    put_text(o, item->kind == AGENTCHAT_ITEM_REASONING ? "signature" : "thought_signature", AGENTCHAT_FIELD_SIGNATURE,
             false);
    put_extras(o->out, o->path, item);
    aci_writer_object_end(&o->out->w);
    aci_object_out_lost_fields(o);
}

void aci_adk_rust_part(aci_out *out, const aci_location *path, const agentchat_item *item,
                       const aci_adk_context *context)
{
    const char *why = why_not(out, item);
    aci_object_out o;

    if (why != NULL) {
        aci_out_lost(out, path, "the item was left out: %s", why);
        return;
    }
    aci_object_out_item_beside(&o, out, path, item);
    if (item->kind != AGENTCHAT_ITEM_OPAQUE) {
        put_known(&o, item, context);
        return;
    }
    aci_adk_rust_json(out, path, aci_object_out_get(&o, AGENTCHAT_FIELD_RAW));
    (void)aci_object_out_get(&o, AGENTCHAT_FIELD_TYPE);
    aci_object_out_beside_end(&o);
}
