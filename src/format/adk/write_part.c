/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the ADKs' content: messages as Content, items as Part, as adk-python accepts them (docs/formats/adk.md). It
 * refuses members that it does not know, so what it has no field for is left out and reported.
 */
#include "format/adk/write.h"

#include "base/b64.h"
#include "base/error.h"
#include "format/adk/bytes.h"
#include "format/adk/data_uri.h"

static agentchat_str field_of(const agentchat_item *item, agentchat_field id)
{
    agentchat_str text = aci_field_view(aci_field_find(item->fields, item->field_count, id));

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

static void put_text_member(aci_adk_writer *wr, const aci_location *path, const char *key, const char *name,
                            agentchat_str text)
{
    const aci_location at = {path, agentchat_str_from(name), 0};

    if (text.ptr == NULL)
        return;
    aci_writer_key(&wr->out.w, agentchat_str_from(key));
    aci_adk_write_text(wr, &at, text);
}

static void lost(aci_adk_writer *wr, const aci_location *path, agentchat_field field)
{
    const aci_location at = {path, agentchat_str_from(aci_field_name(field)), 0};

    aci_out_lost(&wr->out, &at, "a Part has no field for the property");
}

/* Reports the fields of an item that are none of these. */
static void lost_fields(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item, uint64_t written)
{
    for (size_t i = 0; i < item->field_count; i++)
        if (aci_field_is_covered(&item->fields[i]) && (written >> item->fields[i].id & 1) == 0)
            lost(wr, path, (agentchat_field)item->fields[i].id);
}
#define FIELD(name) (UINT64_C(1) << AGENTCHAT_FIELD_##name)

/* ---- extras of items -------------------------------------------------------------------------------------------- */

/* Whether an extra is what an object of the part had besides what the item's fields hold: it has the object's name. The
   first one counts. */
static bool is_rest(const agentchat_extra *extra, agentchat_str name)
{
    return name.ptr != NULL && aci_adk_is_own(extra->from) && *extra->value.ptr == '{' &&
           agentchat_str_equal(extra->name, name);
}

static void put_rest(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item, uint32_t index,
                     uint32_t kept)
{
    const aci_table_row *object = &aci_adk_part.list[index];
    const aci_location at = {path, agentchat_str_from(object->camel), 0};
    uint64_t elsewhere = 0;

    for (size_t i = 0; item->extras != NULL && i < item->extras->count; i++) {
        const agentchat_extra *extra = &item->extras->list[i];

        if (!is_rest(extra, at.name))
            continue;
        if (index == ACI_ADK_RESPONSE)
            elsewhere |= aci_adk_write_response_media(wr, &at, extra->value);
        aci_adk_write_members(wr, &at, object->of, extra->value, elsewhere, kept);
        break; /* others of the name are reported with the part's own */
    }
}

static void lost_extra(aci_adk_writer *wr, const aci_location *path, const agentchat_extra *extra)
{
    const aci_location at = {path, extra->name, 0};

    aci_out_lost(&wr->out, &at, "the unknown property was left out: %s",
                 !aci_adk_is_own(extra->from) ? "it comes from no ADK" : "adk-python refuses it");
}

/* A signature: as it is if it is base64, else the base64 of its text. */
static void put_signature(aci_adk_writer *wr, const aci_location *path, const char *name, agentchat_str text)
{
    const aci_location at = {path, agentchat_str_from(name), 0};

    ACI_JW_KEY(&wr->out.w, "thoughtSignature");
    if (aci_adk_is_base64(text)) {
        aci_writer_string(&wr->out.w, text);
    } else {
        aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at, "the signature was written as base64 of its text");
        aci_writer_base64_bytes(&wr->out.w, text);
    }
}

/* The text of an extra that is a string, in the scratch buffer. */
static bool string_of(aci_adk_writer *wr, agentchat_str raw, agentchat_str *out)
{
    wr->scratch.len = 0;
    if (*raw.ptr != '"' || !aci_json_unquote(raw, &wr->scratch))
        return false;
    *out = aci_buf_str(&wr->scratch);
    return true;
}

/* The item's signature, and what stood beside the part's object or text. index: the object whose rest is written
 * already. */
static void put_item_extras(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item, uint32_t index)
{
    agentchat_str rest = index < aci_adk_part.count ? aci_table_camel(&aci_adk_part, index) : (agentchat_str){NULL, 0};
    agentchat_str signature = field_of(item, AGENTCHAT_FIELD_SIGNATURE);
    uint64_t seen = 0;

    if (signature.ptr != NULL) {
        put_signature(wr, path, "signature", signature);
        seen |= UINT64_C(1) << ACI_ADK_THOUGHT_SIGNATURE;
    }
    if (item->kind == AGENTCHAT_ITEM_REASONING)
        seen |= UINT64_C(1) << ACI_ADK_THOUGHT;
    for (size_t i = 0; item->extras != NULL && i < item->extras->count && wr->out.w.status >= 0; i++) {
        const agentchat_extra *extra = &item->extras->list[i];
        uint32_t found = aci_object_table_find(&aci_adk_part, extra->name, NULL);
        const aci_location at = {path, extra->name, 0};
        agentchat_str text;

        if (is_rest(extra, rest)) {
            rest.ptr = NULL;
            continue;
        }
        if (*extra->value.ptr == 'n')
            continue;
        if (!aci_adk_is_own(extra->from) || found < ACI_ADK_PART_MAINS || found == aci_adk_part.count ||
            !aci_adk_part.list[found].is_google || (seen >> found & 1) != 0) {
            lost_extra(wr, path, extra);
            continue;
        }
        seen |= UINT64_C(1) << found;
        if (found == ACI_ADK_THOUGHT_SIGNATURE && string_of(wr, extra->value, &text)) {
            aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at,
                           "the property was written as the signature of the part");
            put_signature(wr, path, "thoughtSignature", text);
            continue;
        }
        if (!aci_adk_accepts(wr, &aci_adk_part.list[found], extra->value)) {
            lost_extra(wr, path, extra);
            continue;
        }
        aci_writer_key(&wr->out.w, aci_table_camel(&aci_adk_part, found));
        aci_adk_write_value(wr, &at, &aci_adk_part.list[found], extra->value);
    }
}

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

static void begin_object(aci_adk_writer *wr, uint32_t index)
{
    aci_writer_key(&wr->out.w, aci_table_camel(&aci_adk_part, index));
    aci_writer_object_begin(&wr->out.w);
}

static void end_object(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item, uint32_t index,
                       uint32_t kept)
{
    put_rest(wr, path, item, index, kept);
    aci_writer_object_end(&wr->out.w);
}

static void put_text_part(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    put_text_member(wr, path, "text", "text", field_of(item, AGENTCHAT_FIELD_TEXT));
    if (item->kind == AGENTCHAT_ITEM_REASONING) {
        ACI_JW_KEY(&wr->out.w, "thought");
        aci_writer_bool(&wr->out.w, true);
    }
    lost_fields(wr, path, item, FIELD(TEXT) | FIELD(SIGNATURE));
    put_item_extras(wr, path, item, aci_adk_part.count);
}

/* taken: bits of the fields that are written, besides the media type. */
static void put_media(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item, const aci_data *data,
                      agentchat_str mime_type, uint64_t taken)
{
    uint32_t index = data != NULL ? ACI_ADK_INLINE_DATA : ACI_ADK_FILE_DATA;

    begin_object(wr, index);
    if (data != NULL) {
        ACI_JW_KEY(&wr->out.w, "data");
        if (!aci_adk_write_bytes(wr, data))
            aci_out_nomem(&wr->out);
    } else {
        put_text_member(wr, path, "fileUri", "uri", field_of(item, AGENTCHAT_FIELD_URI));
    }
    put_text_member(wr, path, "mimeType", "mimetype", mime_type);
    end_object(wr, path, item, index, data != NULL ? (uint32_t)ACI_ADK_DATA_KEPT : (uint32_t)ACI_ADK_FILE_KEPT);
    lost_fields(wr, path, item, FIELD(MIME_TYPE) | FIELD(SIGNATURE) | taken);
    put_item_extras(wr, path, item, index);
}

/* Google's models take no data URI where a file is named, so what is in it is written. false: it is none. */
static bool put_data_uri(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    const aci_location at = {path, AGENTCHAT_STR("uri"), 0};
    agentchat_str mime_type = field_of(item, AGENTCHAT_FIELD_MIME_TYPE), own_type;
    aci_raw_reader a = {.env = wr->out.env, .arena = aci_arena_new(wr->out.env, 0), .tag = ACI_TAG(aci_adk_name)};
    aci_data data = {.base64 = {NULL, 0}, .bytes = {NULL, 0}};
    bool is = a.arena != NULL && aci_adk_read_data_uri(&a, field_of(item, AGENTCHAT_FIELD_URI), &data, &own_type);

    if (is) {
        aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at, "the data URI was written as the data in it");
        put_media(wr, path, item, &data, mime_type.ptr != NULL ? mime_type : own_type, FIELD(URI));
    } else if (a.arena == NULL || a.status < 0) {
        aci_out_nomem(&wr->out);
    }
    aci_arena_unref(a.arena);
    return is;
}

static void put_data_part(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    const aci_data *data = aci_data_of(item);

    if (data != NULL || !put_data_uri(wr, path, item))
        put_media(wr, path, item, data, field_of(item, AGENTCHAT_FIELD_MIME_TYPE), data != NULL ? 0 : FIELD(URI));
}

/* A value that must be an object there: another one is put into an object of one member. */
static void put_object_value(aci_adk_writer *wr, const aci_location *path, const char *key, agentchat_field field,
                             const char *member, agentchat_str json)
{
    const aci_location at = {path, agentchat_str_from(aci_field_name(field)), 0};
    bool wrap = *json.ptr != '{';

    aci_writer_key(&wr->out.w, agentchat_str_from(key));
    if (wrap) {
        aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at, "the value was put into an object, as its \"%s\"",
                       member);
        aci_writer_object_begin(&wr->out.w);
        aci_writer_key(&wr->out.w, agentchat_str_from(member));
    }
    aci_adk_write_json(wr, &at, json);
    if (wrap)
        aci_writer_object_end(&wr->out.w);
}

/* The name of the function; a result without one takes that of its call. */
static void put_function(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    const aci_location at = {path, AGENTCHAT_STR("function"), 0};
    agentchat_str name = field_of(item, AGENTCHAT_FIELD_FUNCTION);

    if (name.ptr == NULL && item->kind == AGENTCHAT_ITEM_RESULT) {
        name = aci_adk_context_function(wr->context, field_of(item, AGENTCHAT_FIELD_CALL_ID));
        if (name.ptr != NULL)
            aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at,
                           "the result got the name of the function that was called");
    }
    put_text_member(wr, path, "name", "function", name);
}

/* The value of a result: a content that is one text is that string; any other is reported. */
static agentchat_str value_of_result(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    const aci_location at = {path, AGENTCHAT_STR("content"), 0};
    agentchat_str json = field_of(item, AGENTCHAT_FIELD_RESULT), text = aci_item_content_plain(item);

    if (json.ptr != NULL || text.ptr == NULL) {
        if (agentchat_item_has_content(item))
            aci_out_lost(&wr->out, &at, "a function response has no field for a content");
        return json;
    }
    wr->scratch.len = 0;
    if (!aci_json_canonical_string(text, &wr->scratch))
        aci_out_nomem(&wr->out);
    return aci_buf_str(&wr->scratch);
}

static void put_call_part(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    bool is_call = item->kind == AGENTCHAT_ITEM_CALL;
    agentchat_field field = is_call ? AGENTCHAT_FIELD_ARGUMENTS : AGENTCHAT_FIELD_RESULT;
    uint32_t index = is_call ? ACI_ADK_CALL : ACI_ADK_RESPONSE;
    agentchat_str json;

    begin_object(wr, index);
    put_text_member(wr, path, "id", "id", field_of(item, AGENTCHAT_FIELD_CALL_ID));
    put_function(wr, path, item);
    json = is_call ? field_of(item, field) : value_of_result(wr, path, item);
    if (json.ptr != NULL)
        put_object_value(wr, path, is_call ? "args" : "response", field, is_call ? "args" : "result", json);
    end_object(wr, path, item, index, is_call ? (uint32_t)ACI_ADK_CALL_KEPT : (uint32_t)ACI_ADK_RESPONSE_KEPT);
    lost_fields(wr, path, item,
                FIELD(CALL_ID) | FIELD(FUNCTION) | FIELD(SIGNATURE) | (is_call ? FIELD(ARGUMENTS) : FIELD(RESULT)));
    put_item_extras(wr, path, item, index);
}

/* ---- opaque parts ----------------------------------------------------------------------------------------------- */

static bool is_writable_opaque(aci_adk_writer *wr, const agentchat_item *item)
{
    agentchat_str raw = field_of(item, AGENTCHAT_FIELD_RAW);

    return aci_adk_is_own(aci_tag_of_item(item)) && raw.ptr != NULL && aci_adk_is_writable(wr, &aci_adk_part, raw);
}

/* The kind that reading gives a raw part: the first member of the table that says what a part is. */
static agentchat_str kind_of(aci_adk_writer *wr, agentchat_str raw)
{
    uint32_t first = ACI_ADK_PART_MAINS;
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk)) {
        uint32_t index;

        wr->scratch.len = 0;
        if (!aci_json_unquote(walk.key, &wr->scratch))
            aci_out_nomem(&wr->out);
        index = aci_object_table_find(&aci_adk_part, aci_buf_str(&wr->scratch), NULL);
        if (index < first && *walk.value.ptr != 'n')
            first = index;
    }
    return first < ACI_ADK_PART_MAINS ? aci_table_camel(&aci_adk_part, first) : (agentchat_str){NULL, 0};
}

static void put_opaque(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    agentchat_str raw = field_of(item, AGENTCHAT_FIELD_RAW);
    bool is_told = agentchat_str_equal(kind_of(wr, raw), field_of(item, AGENTCHAT_FIELD_TYPE));

    aci_adk_write_members(wr, path, &aci_adk_part, raw, 0, 0);
    lost_fields(wr, path, item, (is_told ? FIELD(TYPE) : 0) | FIELD(RAW) | FIELD(FROM));
    for (size_t i = 0; item->extras != NULL && i < item->extras->count; i++)
        if (*item->extras->list[i].value.ptr != 'n')
            lost_extra(wr, path, &item->extras->list[i]);
}

/* ---- a part ----------------------------------------------------------------------------------------------------- */

/* Why an item cannot be written; NULL when it can. */
static const char *why_not(aci_adk_writer *wr, const agentchat_item *item)
{
    switch ((agentchat_item_kind)item->kind) {
    case AGENTCHAT_ITEM_TEXT:
        return field_of(item, AGENTCHAT_FIELD_TEXT).ptr != NULL ? NULL : "it has no text";
    case AGENTCHAT_ITEM_REASONING:
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_RESULT:
        return NULL;
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
        return aci_data_of(item) != NULL || field_of(item, AGENTCHAT_FIELD_URI).ptr != NULL
                   ? NULL
                   : "it has neither data nor URI";
    case AGENTCHAT_ITEM_OPAQUE:
        return is_writable_opaque(wr, item)            ? NULL
               : aci_adk_is_own(aci_tag_of_item(item)) ? "adk-python refuses such a part"
                                                       : "it comes from no ADK";
    case AGENTCHAT_ITEM_ANNOTATION:
    case AGENTCHAT_ITEM_FILE:
    case AGENTCHAT_ITEM_ACTION:
    case AGENTCHAT_ITEM_MESSAGE:
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
    return "there is no part of this kind";
}

void aci_adk_write_part(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item)
{
    const char *why = why_not(wr, item);

    if (why != NULL) {
        aci_out_lost(&wr->out, path, "the item was left out: %s", why);
        return;
    }
    aci_writer_object_begin(&wr->out.w);
    if (item->kind == AGENTCHAT_ITEM_OPAQUE)
        put_opaque(wr, path, item);
    else if (item->kind == AGENTCHAT_ITEM_TEXT || item->kind == AGENTCHAT_ITEM_REASONING)
        put_text_part(wr, path, item);
    else if (item->kind == AGENTCHAT_ITEM_CALL || item->kind == AGENTCHAT_ITEM_RESULT)
        put_call_part(wr, path, item);
    else
        put_data_part(wr, path, item);
    aci_writer_object_end(&wr->out.w);
}
