/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing the ADKs' content: messages as Content, items as Part, as adk-python accepts them (docs/formats/adk.md). It
 * refuses members that it does not know, so what it has no field for is left out and reported.
 */
#include "format/adk/write.h"

#include "base/error.h"
#include "format/adk/media.h"
#include "format/kit/object_out.h"

/* A field as a text member; name: that of the field in reports. */
static void put_text(aci_adk_writer *wr, const aci_location *path, const char *key, const char *name,
                     agentchat_str text)
{
    const aci_location at = {path, agentchat_str_from(name), 0};

    if (text.ptr == NULL)
        return;
    aci_writer_key(&wr->out.w, agentchat_str_from(key));
    aci_adk_write_text(wr, &at, text);
}

/* ---- extras of items -------------------------------------------------------------------------------------------- */

/* The first extra of an ADK that stands for a row of a part, and whose value begins with a byte; absent: none does. */
static agentchat_str extra_of(const agentchat_item *item, uint32_t row, char first)
{
    for (size_t i = 0; item->extras != NULL && i < item->extras->count; i++) {
        const agentchat_extra *extra = &item->extras->list[i];

        if (*extra->value.ptr == first && aci_adk_is_own(extra->from) &&
            aci_object_table_find(&aci_adk_part, extra->name, NULL) == row)
            return extra->value;
    }
    return (agentchat_str){NULL, 0};
}

/* What an object of the part had besides what the item's fields hold, which are the rows before `kept`. */
static void put_rest(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item, uint32_t row,
                     uint32_t kept)
{
    const aci_location at = {path, aci_table_camel(&aci_adk_part, row), 0};
    agentchat_str rest = extra_of(item, row, '{');
    uint64_t elsewhere = 0;
    aci_adk_members m;

    if (rest.ptr == NULL)
        return;
    aci_adk_members_of(wr, &m, aci_adk_part.list[row].of, rest, NULL);
    if (row == ACI_ADK_RESPONSE)
        elsewhere = aci_adk_write_response_media(wr, &at, &m);
    aci_adk_write_members(wr, &at, &m, ACI_ADK_ROWS_BEFORE(kept), elsewhere);
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

/* What stood beside the part's object or text. used: bits of the rows that were written. */
static void put_extras(aci_adk_writer *wr, const aci_location *path, const agentchat_item *item, uint32_t row,
                       uint64_t used)
{
    const aci_location at = {path, AGENTCHAT_STR("thoughtSignature"), 0};
    agentchat_str signature = extra_of(item, ACI_ADK_THOUGHT_SIGNATURE, '"');
    uint64_t elsewhere = 0;
    aci_adk_members m;

    aci_adk_members_of(wr, &m, &aci_adk_part, (agentchat_str){NULL, 0}, item->extras);
    if (row < aci_adk_part.count) {
        m.found[row] = extra_of(item, row, '{');
        elsewhere = ACI_ADK_ROW_BIT(row);
    }
    if ((used & ACI_ADK_ROW_BIT(ACI_ADK_THOUGHT_SIGNATURE)) == 0 && signature.ptr != NULL) {
        aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at, "the property was written as the signature of the part");
        put_signature(wr, path, "thoughtSignature", aci_adk_decode(wr, signature));
        m.found[ACI_ADK_THOUGHT_SIGNATURE] = signature;
        elsewhere |= ACI_ADK_ROW_BIT(ACI_ADK_THOUGHT_SIGNATURE);
    }
    aci_adk_write_members(wr, path, &m, used, elsewhere);
}

/* The item's signature, its extras, and what is lost of its fields. row: of the object, whose rest is written already;
   the count of rows: there is none. */
static void put_beside(aci_adk_writer *wr, aci_object_out *o, const agentchat_item *item, uint32_t row)
{
    agentchat_str signature = aci_object_out_get(o, AGENTCHAT_FIELD_SIGNATURE);
    uint64_t used = ACI_ADK_ROWS_BEFORE(ACI_ADK_PART_MAINS);

    if (item->kind == AGENTCHAT_ITEM_REASONING)
        used |= ACI_ADK_ROW_BIT(ACI_ADK_THOUGHT);
    if (signature.ptr != NULL) {
        put_signature(wr, o->path, "signature", signature);
        used |= ACI_ADK_ROW_BIT(ACI_ADK_THOUGHT_SIGNATURE);
    }
    if (item->extras != NULL)
        put_extras(wr, o->path, item, row, used);
    aci_object_out_lost_fields(o);
}

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

static void begin_object(aci_adk_writer *wr, uint32_t row)
{
    aci_writer_key(&wr->out.w, aci_table_camel(&aci_adk_part, row));
    aci_writer_object_begin(&wr->out.w);
}

static void end_object(aci_adk_writer *wr, aci_object_out *o, const agentchat_item *item, uint32_t row, uint32_t kept)
{
    put_rest(wr, o->path, item, row, kept);
    aci_writer_object_end(&wr->out.w);
    put_beside(wr, o, item, row);
}

static void put_text_part(aci_adk_writer *wr, aci_object_out *o, const agentchat_item *item)
{
    put_text(wr, o->path, "text", "text", aci_object_out_get(o, AGENTCHAT_FIELD_TEXT));
    if (item->kind == AGENTCHAT_ITEM_REASONING) {
        ACI_JW_KEY(&wr->out.w, "thought");
        aci_writer_bool(&wr->out.w, true);
    }
    put_beside(wr, o, item, aci_adk_part.count);
}

/* Google's models take no data URI where a file is named, so what is in it is written. false: it is none. */
static bool open_data_uri(aci_adk_writer *wr, const aci_location *path, agentchat_str uri, aci_data *data,
                          agentchat_str *mime_type)
{
    const aci_location at = {path, AGENTCHAT_STR("uri"), 0};
    aci_raw_reader *a = aci_adk_writer_reader(wr);

    if (a == NULL || !aci_adk_read_data_uri(a, uri, data, mime_type)) {
        if (a != NULL && a->status == AGENTCHAT_E_NOMEM)
            aci_out_nomem(&wr->out);
        return false;
    }
    aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at, "the data URI was written as the data in it");
    return true;
}

static void put_media(aci_adk_writer *wr, aci_object_out *o, const agentchat_item *item)
{
    agentchat_str mime_type = aci_object_out_get(o, AGENTCHAT_FIELD_MIME_TYPE), own_type = {NULL, 0}, uri;
    const aci_data *data = aci_data_of(item);
    aci_data opened = {.base64 = {NULL, 0}, .bytes = {NULL, 0}};
    uint32_t row;

    if (data == NULL) {
        uri = aci_object_out_get(o, AGENTCHAT_FIELD_URI);
        if (open_data_uri(wr, o->path, uri, &opened, &own_type))
            data = &opened;
        else
            own_type = (agentchat_str){NULL, 0};
    }
    row = data != NULL ? ACI_ADK_INLINE_DATA : ACI_ADK_FILE_DATA;
    begin_object(wr, row);
    if (data == NULL) {
        put_text(wr, o->path, "fileUri", "uri", uri);
    } else {
        ACI_JW_KEY(&wr->out.w, "data");
        if (!aci_adk_write_bytes(wr, data))
            aci_out_nomem(&wr->out);
    }
    put_text(wr, o->path, "mimeType", "mimetype", mime_type.ptr != NULL ? mime_type : own_type);
    end_object(wr, o, item, row, data != NULL ? (uint32_t)ACI_ADK_DATA_KEPT : (uint32_t)ACI_ADK_FILE_KEPT);
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
static void put_function(aci_adk_writer *wr, aci_object_out *o, const agentchat_item *item, agentchat_str id)
{
    const aci_location at = {o->path, AGENTCHAT_STR("function"), 0};
    agentchat_str name = aci_object_out_get(o, AGENTCHAT_FIELD_FUNCTION);

    if (name.ptr == NULL && item->kind == AGENTCHAT_ITEM_RESULT) {
        name = aci_adk_context_function(wr->context, id);
        if (name.ptr != NULL)
            aci_out_report(&wr->out, AGENTCHAT_REPORT_REPAIR, &at,
                           "the result got the name of the function that was called");
    }
    put_text(wr, o->path, "name", "function", name);
}

/* The value of a result: a content that is one text is that string; any other is reported. */
static agentchat_str value_of_result(aci_adk_writer *wr, aci_object_out *o, const agentchat_item *item)
{
    const aci_location at = {o->path, AGENTCHAT_STR("content"), 0};
    agentchat_str json = aci_object_out_get(o, AGENTCHAT_FIELD_RESULT), text = aci_item_content_plain(item);

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

static void put_call_part(aci_adk_writer *wr, aci_object_out *o, const agentchat_item *item)
{
    bool is_call = item->kind == AGENTCHAT_ITEM_CALL;
    agentchat_str id = aci_object_out_get(o, AGENTCHAT_FIELD_CALL_ID), json;
    uint32_t row = is_call ? ACI_ADK_CALL : ACI_ADK_RESPONSE;

    begin_object(wr, row);
    put_text(wr, o->path, "id", "id", id);
    put_function(wr, o, item, id);
    json = is_call ? aci_object_out_get(o, AGENTCHAT_FIELD_ARGUMENTS) : value_of_result(wr, o, item);
    if (json.ptr != NULL)
        put_object_value(wr, o->path, is_call ? "args" : "response",
                         is_call ? AGENTCHAT_FIELD_ARGUMENTS : AGENTCHAT_FIELD_RESULT, is_call ? "args" : "result",
                         json);
    end_object(wr, o, item, row, is_call ? (uint32_t)ACI_ADK_CALL_KEPT : (uint32_t)ACI_ADK_RESPONSE_KEPT);
}

/* ---- opaque parts ----------------------------------------------------------------------------------------------- */

static agentchat_str raw_of(const agentchat_item *item)
{
    return aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_RAW));
}

static bool is_writable_opaque(aci_adk_writer *wr, const agentchat_item *item)
{
    agentchat_str raw = raw_of(item);

    return aci_adk_is_own(aci_tag_of_item(item)) && raw.ptr != NULL && aci_adk_is_writable(wr, &aci_adk_part, raw);
}

/* The kind that reading gives a raw part: the first row that says what a part is. */
static agentchat_str kind_of(aci_adk_writer *wr, const aci_adk_members *m)
{
    uint32_t first = ACI_ADK_PART_MAINS;
    aci_adk_member c;

    aci_adk_member_begin(m, &c);
    while (aci_adk_member_next(wr, m, &c))
        first = c.row < first ? c.row : first;
    return first < ACI_ADK_PART_MAINS ? aci_table_camel(&aci_adk_part, first) : (agentchat_str){NULL, 0};
}

static void put_opaque(aci_adk_writer *wr, aci_object_out *o, const agentchat_item *item)
{
    aci_adk_members m;

    aci_adk_members_of(wr, &m, &aci_adk_part, aci_object_out_get(o, AGENTCHAT_FIELD_RAW), NULL);
    aci_adk_write_members(wr, o->path, &m, 0, 0);
    if (agentchat_str_equal(kind_of(wr, &m), agentchat_item_get(item, AGENTCHAT_FIELD_TYPE)))
        (void)aci_object_out_get(o, AGENTCHAT_FIELD_TYPE);
    aci_object_out_beside_end(o);
}

/* ---- a part ----------------------------------------------------------------------------------------------------- */

static bool has(const agentchat_item *item, agentchat_field id)
{
    agentchat_str text = agentchat_item_get(item, id);

    return text.ptr != NULL && !agentchat_str_is_null(text);
}

/* Why an item cannot be written; NULL when it can. */
static const char *why_not(aci_adk_writer *wr, const agentchat_item *item)
{
    switch ((agentchat_item_kind)item->kind) {
    case AGENTCHAT_ITEM_TEXT:
        return has(item, AGENTCHAT_FIELD_TEXT) ? NULL : "it has no text";
    case AGENTCHAT_ITEM_REASONING:
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_RESULT:
        return NULL;
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_BINARY:
        return aci_data_of(item) != NULL || has(item, AGENTCHAT_FIELD_URI) ? NULL : "it has neither data nor URI";
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
    aci_object_out o;

    if (why != NULL) {
        aci_out_lost(&wr->out, path, "the item was left out: %s", why);
        return;
    }
    aci_object_out_item_beside(&o, &wr->out, path, item);
    aci_writer_object_begin(&wr->out.w);
    if (item->kind == AGENTCHAT_ITEM_OPAQUE)
        put_opaque(wr, &o, item);
    else if (item->kind == AGENTCHAT_ITEM_TEXT || item->kind == AGENTCHAT_ITEM_REASONING)
        put_text_part(wr, &o, item);
    else if (item->kind == AGENTCHAT_ITEM_CALL || item->kind == AGENTCHAT_ITEM_RESULT)
        put_call_part(wr, &o, item);
    else
        put_media(wr, &o, item);
    aci_writer_object_end(&wr->out.w);
}
