/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a content. */
#include "format/openai_responses/openai_responses.h"

#include "format/kit/data_uri.h"
#include "format/kit/look.h"
#include "model/form_mark.h"

static agentchat_str mark_of(const agentchat_item *item, const char *name)
{
    return aci_form_mark_member(agentchat_item_get(item, AGENTCHAT_FIELD_FORM), ACI_TAG(aci_openai_responses_name),
                                name);
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static bool is_annotation(const agentchat_item *item)
{
    bool is = false;

    for (size_t i = 0; item->kind == AGENTCHAT_ITEM_ANNOTATION && i < ACI_OR_ANNOTATION_TYPES; i++)
        is = is || agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_KIND),
                                       agentchat_str_from(aci_openai_responses_annotations[i]));
    return is;
}

/* The annotations after a text. */
static void write_annotations(aci_object_out *o, const aci_location *list, const agentchat_message *message,
                              size_t index)
{
    if (aci_object_out_extra(o, ACI_OR_ANNOTATIONS).ptr != NULL || aci_object_out_form_says(o, "annotations", "absent"))
        return;
    aci_object_out_key(o, ACI_OR_ANNOTATIONS);
    aci_writer_array_begin(&o->out->w);
    for (size_t i = index + 1; i < message->item_count && is_annotation(message->items[i]); i++) {
        const aci_location at = {list, {NULL, 0}, i};
        aci_object_out annotation;

        aci_object_out_item(&annotation, o->out, &at, message->items[i], &aci_openai_responses_annotation);
        aci_object_out_fields(&annotation);
        aci_object_out_end(&annotation);
    }
    aci_writer_array_end(&o->out->w);
}

/* Whether an item is written as an output_text, after which annotations stand. */
static bool is_output_text(const agentchat_item *item, bool is_output)
{
    agentchat_str type = mark_of(item, "type");

    return item->kind == AGENTCHAT_ITEM_TEXT &&
           (is_output
                ? !aci_look_is_word(type, "input_text") &&
                      !agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_REFUSAL), AGENTCHAT_STR("true"))
                : aci_look_is_word(type, "output_text"));
}

static void write_text(aci_out *out, const aci_location *path, const aci_location *list,
                       const agentchat_message *message, size_t index, bool is_output)
{
    const agentchat_item *item = message->items[index];
    bool is_refusal = is_output && item->kind == AGENTCHAT_ITEM_TEXT &&
                      agentchat_str_equal(agentchat_item_get(item, AGENTCHAT_FIELD_REFUSAL), AGENTCHAT_STR("true"));
    bool is_text = is_output_text(item, is_output) || (is_output && item->kind == AGENTCHAT_ITEM_ACTION);
    aci_object_out o;

    aci_object_out_item(&o, out, path, item, is_refusal ? &aci_openai_responses_refusal : &aci_openai_responses_text);
    aci_object_out_word(&o, ACI_OR_TYPE, is_refusal ? "refusal" : is_text ? "output_text" : "input_text");
    if (is_refusal)
        (void)aci_object_out_get(&o, AGENTCHAT_FIELD_REFUSAL);
    if (item->kind == AGENTCHAT_ITEM_ACTION)
        aci_out_lost(out, path, "the action was written as a text");
    if (!aci_object_out_field(&o, ACI_OR_TEXT, AGENTCHAT_FIELD_TEXT)) {
        aci_object_out_word(&o, ACI_OR_TEXT, "");
        aci_out_changed(out, path, "a part must have a text: an empty one was written");
    }
    if (is_text)
        write_annotations(&o, list, message, index);
    aci_object_out_end(&o);
}

/* ---- images and files ------------------------------------------------------------------------------------------- */

static bool is_data(const agentchat_item *item)
{
    agentchat_str mime_type, base64;

    return aci_data_of(item) != NULL ||
           aci_data_uri_split(agentchat_item_get(item, AGENTCHAT_FIELD_URI), &mime_type, &base64);
}

static void write_media(aci_out *out, const aci_location *path, const agentchat_item *item)
{
    bool is_image = item->kind == AGENTCHAT_ITEM_IMAGE || aci_look_is_word(mark_of(item, "type"), "input_image");
    aci_object_out o;

    aci_object_out_item(&o, out, path, item, is_image ? &aci_openai_responses_image : &aci_openai_responses_file);
    aci_object_out_word(&o, ACI_OR_TYPE, is_image ? "input_image" : "input_file");
    if (item->kind == AGENTCHAT_ITEM_FILE) {
        (void)aci_object_out_field(&o, is_image ? ACI_OR_IMAGE_FILE : ACI_OR_FILE_ID, AGENTCHAT_FIELD_FILE_ID);
    } else if (is_image) {
        aci_data_uri_write(&o, ACI_OR_IMAGE_URL, item);
    } else if (is_data(item)) {
        aci_data_uri_write(&o, ACI_OR_FILE_DATA, item);
        aci_data_uri_write_filename(&o, &o, ACI_OR_FILE_NAME);
    } else {
        (void)aci_object_out_field(&o, ACI_OR_FILE_URL, AGENTCHAT_FIELD_URI);
    }
    aci_object_out_end(&o);
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static bool has_media(const agentchat_item *item)
{
    agentchat_str text =
        agentchat_item_get(item, item->kind == AGENTCHAT_ITEM_FILE ? AGENTCHAT_FIELD_FILE_ID : AGENTCHAT_FIELD_URI);

    return (item->kind == AGENTCHAT_ITEM_IMAGE || item->kind == AGENTCHAT_ITEM_BINARY ||
            item->kind == AGENTCHAT_ITEM_FILE) &&
           ((text.ptr != NULL && !agentchat_str_is_null(text)) || aci_data_of(item) != NULL);
}

bool aci_openai_responses_is_part(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_TEXT || item->kind == AGENTCHAT_ITEM_ACTION ||
           item->kind == AGENTCHAT_ITEM_ANNOTATION || has_media(item) ||
           (item->kind == AGENTCHAT_ITEM_OPAQUE && aci_look_is_word(mark_of(item, "in"), "content"));
}

/* Annotations that no text was written with are lost: the first of a run says so of all, so that none looks back
   further. */
static void report_annotations(aci_out *out, const aci_location *list, const agentchat_message *message, size_t index,
                               bool is_output)
{
    const agentchat_item *before = index > 0 ? message->items[index - 1] : NULL;

    if (before != NULL && (is_annotation(before) || is_output_text(before, is_output)))
        return;
    for (size_t i = index; i < message->item_count && is_annotation(message->items[i]); i++)
        aci_part_lost(out, list, i);
}

static void write_part(aci_out *out, const aci_location *list, const agentchat_message *message, size_t index,
                       bool is_output)
{
    const agentchat_item *item = message->items[index];
    const aci_location at = {list, {NULL, 0}, index};

    if (item->kind == AGENTCHAT_ITEM_TEXT || item->kind == AGENTCHAT_ITEM_ACTION)
        write_text(out, &at, list, message, index, is_output);
    else if (has_media(item))
        write_media(out, &at, item);
    else if (is_annotation(item))
        report_annotations(out, list, message, index, is_output);
    else if (!aci_part_write_opaque(out, &at, item,
                                    is_output ? aci_openai_responses_read_output : aci_openai_responses_read_input))
        aci_part_lost(out, list, index);
}

void aci_openai_responses_write_output(aci_out *out, const aci_location *list, const agentchat_message *message,
                                       size_t index)
{
    write_part(out, list, message, index, true);
}

void aci_openai_responses_write_input(aci_out *out, const aci_location *list, const agentchat_message *message,
                                      size_t index)
{
    write_part(out, list, message, index, false);
}
