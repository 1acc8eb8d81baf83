/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of a content. */
#include "format/anthropic/anthropic.h"

#include "base/utf8.h"
#include "format/kit/call.h"
#include "format/kit/look.h"
#include "model/form_mark.h"
#include "json/walk.h"

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* The table of an annotation that is a citation of theirs; NULL: it is none. */
static const aci_object_table *table_of(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_ANNOTATION
               ? aci_anthropic_citation(agentchat_item_get(item, AGENTCHAT_FIELD_KIND))
               : NULL;
}

/* Citations without a text are lost: the first of a run says so of all, so that none looks back further. */
static void report_citations(aci_out *out, const aci_location *list, const agentchat_message *message, size_t index)
{
    const agentchat_item *before = index > 0 ? message->items[index - 1] : NULL;

    if (before != NULL && (before->kind == AGENTCHAT_ITEM_TEXT || table_of(before) != NULL))
        return;
    for (size_t i = index; i < message->item_count && table_of(message->items[i]) != NULL; i++)
        aci_part_lost(out, list, i);
}

/* The citations after a text. */
static void write_citations(aci_object_out *o, const aci_location *list, const agentchat_message *message, size_t index)
{
    size_t end = index + 1;

    while (end < message->item_count && table_of(message->items[end]) != NULL)
        end++;
    if (end == index + 1 && !aci_object_out_form_says(o, "citations", "empty"))
        return;
    aci_object_out_key(o, ACI_AN_CITATIONS);
    aci_writer_array_begin(&o->out->w);
    for (size_t i = index + 1; i < end; i++) {
        const aci_location at = {list, {NULL, 0}, i};
        aci_object_out citation;

        aci_object_out_item(&citation, o->out, &at, message->items[i], table_of(message->items[i]));
        aci_object_out_fields(&citation);
        aci_object_out_end(&citation);
    }
    aci_writer_array_end(&o->out->w);
}

static void write_text(aci_object_out *o, const aci_location *list, const agentchat_message *message, size_t index)
{
    aci_object_out_word(o, ACI_AN_TYPE, "text");
    aci_object_out_fields(o);
    if ((o->rows >> ACI_AN_TEXT & 1) == 0 && aci_object_out_extra(o, ACI_AN_TEXT).ptr == NULL) {
        aci_object_out_word(o, ACI_AN_TEXT, "");
        aci_out_changed(o->out, o->path, "a text block must have a text: an empty one was written");
    }
    write_citations(o, list, message, index);
}

/* ---- images and documents --------------------------------------------------------------------------------------- */

/* The data where it can be written as a text, as it stood; absent: it cannot. */
static agentchat_str text_source(aci_object_out *o, const agentchat_item *item)
{
    agentchat_str bytes = {NULL, 0};

    if (!aci_object_out_form_says(o, "source", "text"))
        return bytes;
    if (agentchat_item_bytes(item, &bytes, NULL) < 0)
        aci_out_nomem(o->out);
    return bytes.ptr != NULL && aci_utf8_is_valid(bytes, false) ? bytes : (agentchat_str){NULL, 0};
}

static void write_data(aci_object_out *source, const aci_data *data, agentchat_str text)
{
    aci_object_out_key(source, ACI_AN_SOURCE_DATA);
    if (text.ptr != NULL)
        aci_writer_string(&source->out->w, text);
    else if (data->base64.ptr != NULL)
        aci_writer_base64_text(&source->out->w, data->base64);
    else
        aci_writer_base64_bytes(&source->out->w, data->bytes);
}

/* The name that a file of another format has, as the document's title. */
static void write_title(aci_object_out *o)
{
    agentchat_str name = aci_object_out_take_filename(o);

    if (name.ptr == NULL)
        return;
    aci_out_changed(o->out, o->path, "the file's name was written as the title");
    aci_object_out_key(o, ACI_AN_TITLE);
    aci_writer_raw(&o->out->w, name);
}

static void write_media(aci_object_out *o, const agentchat_item *item)
{
    const aci_data *data = aci_data_of(item);
    bool is_file = item->kind == AGENTCHAT_ITEM_FILE;
    agentchat_str text = text_source(o, item);
    aci_object_out source;

    aci_object_out_word(o, ACI_AN_TYPE, item->kind == AGENTCHAT_ITEM_IMAGE ? "image" : "document");
    aci_object_out_inner(&source, o, ACI_AN_SOURCE, &aci_anthropic_source);
    aci_object_out_word(&source, ACI_AN_SOURCE_TYPE,
                        is_file            ? "file"
                        : text.ptr != NULL ? "text"
                        : data != NULL     ? "base64"
                                           : "url");
    if (data != NULL || aci_object_out_form_says(o, "media_type", "given")) /* which links and files have not */
        (void)aci_object_out_field(&source, ACI_AN_SOURCE_MEDIA_TYPE, AGENTCHAT_FIELD_MIME_TYPE);
    if (is_file)
        (void)aci_object_out_field(&source, ACI_AN_SOURCE_FILE, AGENTCHAT_FIELD_FILE_ID);
    else if (data == NULL)
        (void)aci_object_out_field(&source, ACI_AN_SOURCE_URL, AGENTCHAT_FIELD_URI);
    else
        write_data(&source, data, text);
    aci_object_out_end(&source);
    if (item->kind == AGENTCHAT_ITEM_BINARY && aci_object_out_extra(o, ACI_AN_TITLE).ptr == NULL)
        write_title(o);
}

/* ---- calls and results ------------------------------------------------------------------------------------------ */

static void write_use(aci_object_out *o)
{
    aci_object_out_word(o, ACI_AN_TYPE, "tool_use");
    (void)aci_object_out_field(o, ACI_AN_USE_ID, AGENTCHAT_FIELD_CALL_ID);
    aci_call_write_name(o, o, ACI_AN_USE_NAME);
    aci_object_out_fields(o);
    if ((o->rows >> ACI_AN_USE_INPUT & 1) != 0 || aci_object_out_extra(o, ACI_AN_USE_INPUT).ptr != NULL ||
        aci_object_out_form(o, "null").ptr != NULL || aci_object_out_form_says(o, "input", "absent"))
        return;
    aci_object_out_key(o, ACI_AN_USE_INPUT);
    aci_writer_raw(&o->out->w, AGENTCHAT_STR("{}"));
    aci_out_changed(o->out, o->path, "a call must have an input: {} was written");
}

/* Whether a list is the content of a result. */
static bool is_content(const aci_location *list)
{
    return agentchat_str_equal(list->name, AGENTCHAT_STR("content"));
}

static void write_result(aci_object_out *o, const agentchat_item *item)
{
    agentchat_str value;

    aci_object_out_word(o, ACI_AN_TYPE, "tool_result");
    if (is_content(o->path->up))
        aci_out_changed(o->out, o->path, "a result inside a result is read back as it stands");
    aci_object_out_fields(o);
    value = aci_object_out_get(o, AGENTCHAT_FIELD_RESULT);
    if (item->u.message != NULL) {
        if (value.ptr != NULL)
            aci_out_lost(o->out, o->path, "a result has a value or a content: the value was left out");
        aci_object_out_key(o, ACI_AN_RESULT_CONTENT);
        aci_part_write_content(o->out, o->path, item->u.message, aci_anthropic_write_block);
        return;
    }
    if (value.ptr == NULL)
        return;
    aci_object_out_key(o, ACI_AN_RESULT_CONTENT);
    if (*value.ptr == '"') {
        aci_writer_raw(&o->out->w, value);
    } else {
        aci_out_changed(o->out, o->path, "the value was written as text");
        aci_writer_string(&o->out->w, value);
    }
}

/* ---- thinking --------------------------------------------------------------------------------------------------- */

static bool is_redacted(const agentchat_item *item)
{
    return agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_REDACTED), AGENTCHAT_STR("true"));
}

static void write_thinking(aci_object_out *o, const agentchat_item *item)
{
    agentchat_str issuer = agentchat_item_get(item, AGENTCHAT_FIELD_ISSUER);
    agentchat_str signature = agentchat_item_get(item, AGENTCHAT_FIELD_SIGNATURE);

    aci_object_out_word(o, ACI_AN_TYPE, is_redacted(item) ? "redacted_thinking" : "thinking");
    (void)aci_object_out_get(o, AGENTCHAT_FIELD_REDACTED);
    if (!is_redacted(item))
        (void)aci_object_out_field(o, ACI_AN_THINKING, AGENTCHAT_FIELD_TEXT);
    if (signature.ptr == NULL || agentchat_str_is_null(signature))
        return;
    if (issuer.ptr == NULL || agentchat_str_is_null(issuer))
        aci_out_changed(o->out, o->path, "the signature names no issuer: it is read back as %s's", o->out->name);
    else if (!aci_tag_is(issuer, o->out->tag))
        return; /* which no other provider takes: it is lost, and so is who issued it */
    (void)aci_object_out_get(o, AGENTCHAT_FIELD_ISSUER);
    (void)aci_object_out_field(o, is_redacted(item) ? ACI_AN_REDACTED : ACI_AN_SIGNATURE, AGENTCHAT_FIELD_SIGNATURE);
}

static void write_upload(aci_object_out *o)
{
    aci_object_out_word(o, ACI_AN_TYPE, "container_upload");
    aci_object_out_fields(o);
}

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

/* The table of a block for an item; NULL: there is none, or it says nothing that could be written. */
static const aci_object_table *block_of(const agentchat_item *item, agentchat_str tag)
{
    agentchat_field needed = item->kind == AGENTCHAT_ITEM_FILE ? AGENTCHAT_FIELD_FILE_ID : AGENTCHAT_FIELD_URI;
    agentchat_str text = agentchat_item_get(item, needed);
    bool has_text = text.ptr != NULL && !agentchat_str_is_null(text);

    switch ((agentchat_item_kind)item->kind) {
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_ACTION:
        return &aci_anthropic_text;
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_BINARY:
        return aci_data_of(item) != NULL || has_text ? &aci_anthropic_media : NULL;
    case AGENTCHAT_ITEM_FILE:
        return !has_text ? NULL
               : aci_look_is_word(aci_form_mark_member(agentchat_item_get(item, AGENTCHAT_FIELD_FORM), tag, "type"),
                                  "container_upload")
                   ? &aci_anthropic_upload
                   : &aci_anthropic_media;
    case AGENTCHAT_ITEM_CALL:
        return &aci_anthropic_use;
    case AGENTCHAT_ITEM_RESULT:
        return &aci_anthropic_result;
    case AGENTCHAT_ITEM_REASONING:
        return is_redacted(item) ? &aci_anthropic_redacted : &aci_anthropic_thinking;
    case AGENTCHAT_ITEM_AUDIO:
    case AGENTCHAT_ITEM_ANNOTATION:
    case AGENTCHAT_ITEM_MESSAGE:
    case AGENTCHAT_ITEM_OPAQUE:
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
    return NULL;
}

void aci_anthropic_write_block(aci_out *out, const aci_location *list, const agentchat_message *message, size_t index)
{
    const agentchat_item *item = message->items[index];
    const aci_location at = {list, {NULL, 0}, index};
    const aci_object_table *table = block_of(item, out->tag);
    aci_part_reader *read = is_content(list) ? aci_anthropic_read_block_of_result : aci_anthropic_read_block;
    aci_object_out o;

    if (table == NULL) {
        if (table_of(item) != NULL)
            report_citations(out, list, message, index);
        else if (!aci_part_write_opaque(out, &at, item, read))
            aci_part_lost(out, list, index);
        return;
    }
    aci_object_out_item(&o, out, &at, item, table);
    if (item->kind == AGENTCHAT_ITEM_ACTION)
        aci_out_lost(out, &at, "the action was written as a text");
    if (table == &aci_anthropic_text)
        write_text(&o, list, message, index);
    else if (table == &aci_anthropic_media)
        write_media(&o, item);
    else if (table == &aci_anthropic_upload)
        write_upload(&o);
    else if (table == &aci_anthropic_use)
        write_use(&o);
    else if (table == &aci_anthropic_result)
        write_result(&o, item);
    else
        write_thinking(&o, item);
    aci_object_out_end(&o);
}
