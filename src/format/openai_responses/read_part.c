/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a content: texts with their annotations, refusals, images, files. Any other is kept as it stands. */
#include "format/openai_responses/openai_responses.h"

#include "format/kit/data_uri.h"
#include "format/kit/look.h"

/* A part that is kept as it stands says where it stood, which an item that is kept does not. */
static bool keep(aci_raw_reader *a, agentchat_str raw, aci_items *items)
{
    return aci_part_keep_in(a, raw, AGENTCHAT_STR("{\"from\":\"openai-responses\",\"value\":{\"in\":\"content\"}}"),
                            items);
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static bool is_known(agentchat_str type)
{
    bool is = false;

    for (size_t i = 0; i < ACI_OR_ANNOTATION_TYPES; i++)
        is = is || aci_look_is_word(type, aci_openai_responses_annotations[i]);
    return is;
}

/* Whether all annotations of a text are known; else they stay an extra of it. */
static bool are_known(aci_raw_reader *a, agentchat_str raw)
{
    aci_walk walk;

    aci_raw_reader_walk(a, &walk, raw);
    while (aci_walk_next(&walk))
        if (!is_known(aci_raw_reader_member(a, walk.value, "type")))
            return false;
    return true;
}

static bool read_annotation(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_responses_annotation);

    return aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_ANNOTATION, ok));
}

static bool read_text(aci_raw_reader *a, const aci_location *path, agentchat_str raw, bool is_usual, aci_items *items)
{
    aci_items annotations = {NULL, 0, 0};
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_responses_text), is_output;

    is_output = ok && aci_object_says(&o, ACI_OR_TYPE, "output_text");
    if (is_output && aci_object_has(&o, ACI_OR_ANNOTATIONS, '[') && are_known(a, o.values[ACI_OR_ANNOTATIONS].raw))
        ok = aci_part_read_all(&o, ACI_OR_ANNOTATIONS, &annotations, read_annotation);
    else if (is_output && !aci_object_has(&o, ACI_OR_ANNOTATIONS, '['))
        ok = aci_object_note_word(&o, "annotations", "absent");
    ok = ok && (is_usual || aci_object_note_word(&o, "type", is_output ? "output_text" : "input_text"));
    (void)aci_object_take(&o, ACI_OR_TYPE);
    ok = aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_TEXT, ok));
    for (size_t i = 0; ok && i < annotations.count; i++)
        ok = aci_items_add(items, a, annotations.list[i]);
    return ok;
}

static bool read_refusal(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    aci_object o;
    bool ok = aci_object_begin(&o, a, path, raw, &aci_openai_responses_refusal);

    if (ok)
        aci_object_set(&o, AGENTCHAT_FIELD_REFUSAL, ACI_FORM_JSON, AGENTCHAT_STR("true"));
    (void)aci_object_take(&o, ACI_OR_TYPE);
    return aci_items_add(items, a, aci_object_item(&o, AGENTCHAT_ITEM_TEXT, ok));
}

/* ---- images and files ------------------------------------------------------------------------------------------- */

/* Whether a member is a string that holds data, or that holds none. */
static bool has_link(aci_raw_reader *a, agentchat_str raw, const char *name, bool is_data)
{
    agentchat_str value = aci_raw_reader_member(a, raw, name), mime_type, base64;

    return value.ptr != NULL && *value.ptr == '"' &&
           aci_data_uri_split((agentchat_str){value.ptr + 1, value.len - 2}, &mime_type, &base64) == is_data;
}

static bool has_text(aci_raw_reader *a, agentchat_str raw, const char *name)
{
    agentchat_str value = aci_raw_reader_member(a, raw, name);

    return value.ptr != NULL && *value.ptr == '"';
}

/* An image has a URL or the id of a file. */
static bool read_image(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    bool is_file = has_text(a, raw, "file_id"), ok;
    agentchat_str base64 = {NULL, 0};
    agentchat_item *item;
    aci_object o;

    if (is_file == has_text(a, raw, "image_url"))
        return keep(a, raw, items);
    ok = aci_object_begin(&o, a, path, raw, &aci_openai_responses_image) &&
         (is_file ? aci_object_note_word(&o, "type", "input_image")
                  : aci_data_uri_read(&o, &o, ACI_OR_IMAGE_URL, &base64));
    (void)aci_object_take(&o, ACI_OR_TYPE);
    item = aci_object_item(&o, is_file ? AGENTCHAT_ITEM_FILE : AGENTCHAT_ITEM_IMAGE, ok);
    return aci_items_add(items, a,
                         base64.ptr != NULL ? aci_part_with_data(a, item, base64, (agentchat_str){NULL, 0}) : item);
}

/* A file has data, a URL or an id. */
static bool read_file(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    bool is_file = has_text(a, raw, "file_id"), is_data = has_text(a, raw, "file_data"),
         is_link = has_text(a, raw, "file_url"), ok;
    agentchat_str base64 = {NULL, 0};
    agentchat_item *item;
    aci_object o;

    if (is_file + is_data + is_link != 1 || (is_data && !has_link(a, raw, "file_data", true)) ||
        (is_link && !has_link(a, raw, "file_url", false)))
        return keep(a, raw, items);
    ok = aci_object_begin(&o, a, path, raw, &aci_openai_responses_file) &&
         (!is_data || aci_data_uri_read(&o, &o, ACI_OR_FILE_DATA, &base64));
    if (ok && is_data && aci_object_says(&o, ACI_OR_FILE_NAME, aci_data_uri_filename))
        (void)aci_object_take(&o, ACI_OR_FILE_NAME);
    else if (ok && is_data && aci_object_has(&o, ACI_OR_FILE_NAME, '\0'))
        ok = aci_object_note_word(&o, "filename", "absent");
    (void)aci_object_take(&o, ACI_OR_TYPE);
    item = aci_object_item(&o, is_file ? AGENTCHAT_ITEM_FILE : AGENTCHAT_ITEM_BINARY, ok);
    return aci_items_add(items, a, is_data ? aci_part_with_data(a, item, base64, (agentchat_str){NULL, 0}) : item);
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static bool read_part(aci_raw_reader *a, const aci_location *path, agentchat_str raw, bool is_output, aci_items *items)
{
    agentchat_str type;

    if (!aci_part_type(a, path, raw, &type))
        return false;
    if ((aci_look_is_word(type, "output_text") || aci_look_is_word(type, "input_text")) && has_text(a, raw, "text"))
        return read_text(a, path, raw, aci_look_is_word(type, "output_text") == is_output, items);
    if (aci_look_is_word(type, "refusal") && is_output && has_text(a, raw, "refusal"))
        return read_refusal(a, path, raw, items);
    if (aci_look_is_word(type, "input_image"))
        return read_image(a, path, raw, items);
    if (aci_look_is_word(type, "input_file"))
        return read_file(a, path, raw, items);
    return keep(a, raw, items);
}

bool aci_openai_responses_read_output(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    return read_part(a, path, raw, true, items);
}

bool aci_openai_responses_read_input(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    return read_part(a, path, raw, false, items);
}
