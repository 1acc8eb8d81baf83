/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a content. */
#include "format/openai_chat/openai_chat.h"

#include "base/b64.h"
#include "format/kit/data_uri.h"

static void write_text(aci_object_out *o)
{
    bool is_refusal = agentchat_str_equal(aci_object_out_get(o, AGENTCHAT_FIELD_REFUSAL), AGENTCHAT_STR("true"));

    aci_object_out_word(o, ACI_OC_TYPE, is_refusal ? "refusal" : "text");
    if (aci_object_out_field(o, is_refusal ? ACI_OC_PART_REFUSAL : ACI_OC_TEXT, AGENTCHAT_FIELD_TEXT))
        return;
    aci_object_out_word(o, is_refusal ? ACI_OC_PART_REFUSAL : ACI_OC_TEXT, "");
    aci_out_changed(o->out, o->path, "a part must have a text: an empty one was written");
}

static void write_inner(aci_object_out *o, const char *type, uint32_t row, const aci_object_table *table, uint32_t url,
                        const agentchat_item *item)
{
    aci_object_out inner;

    aci_object_out_word(o, ACI_OC_TYPE, type);
    aci_object_out_inner(&inner, o, row, table);
    if (item->kind == AGENTCHAT_ITEM_FILE)
        (void)aci_object_out_field(&inner, ACI_OC_FILE_ID, AGENTCHAT_FIELD_FILE_ID);
    else
        aci_data_uri_write(&inner, url, item);
    if (item->kind == AGENTCHAT_ITEM_BINARY && aci_data_of(item) != NULL)
        aci_data_uri_write_filename(o, &inner, ACI_OC_FILE_NAME);
    aci_object_out_end(&inner);
}

/* "wav" or "mp3"; NULL for any other media type. */
static const char *audio_format(const agentchat_item *item)
{
    agentchat_str type = agentchat_item_get(item, AGENTCHAT_FIELD_MIME_TYPE);

    if (agentchat_str_equal(type, AGENTCHAT_STR("audio/wav")))
        return "wav";
    return agentchat_str_equal(type, AGENTCHAT_STR("audio/mpeg")) ? "mp3" : NULL;
}

static void write_audio(aci_object_out *o, const agentchat_item *item)
{
    const aci_data *data = aci_data_of(item);
    aci_object_out inner;

    (void)aci_object_out_get(o, AGENTCHAT_FIELD_MIME_TYPE);
    aci_object_out_word(o, ACI_OC_TYPE, "input_audio");
    aci_object_out_inner(&inner, o, ACI_OC_AUDIO, &aci_openai_chat_audio);
    aci_object_out_key(&inner, ACI_OC_AUDIO_DATA);
    if (data->base64.ptr != NULL)
        aci_writer_base64_text(&o->out->w, data->base64);
    else
        aci_writer_base64_bytes(&o->out->w, data->bytes);
    aci_object_out_word(&inner, ACI_OC_AUDIO_FORMAT, audio_format(item));
    aci_object_out_end(&inner);
}

/* Whether there is anything to be written of an item. */
static bool has_content(const agentchat_item *item)
{
    agentchat_field needed = item->kind == AGENTCHAT_ITEM_FILE ? AGENTCHAT_FIELD_FILE_ID : AGENTCHAT_FIELD_URI;
    agentchat_str text = agentchat_item_get(item, needed);
    bool has_text = text.ptr != NULL && !agentchat_str_is_null(text);

    switch ((agentchat_item_kind)item->kind) {
    case AGENTCHAT_ITEM_IMAGE:
    case AGENTCHAT_ITEM_BINARY:
        return aci_data_of(item) != NULL || has_text;
    case AGENTCHAT_ITEM_AUDIO:
        return aci_data_of(item) != NULL && audio_format(item) != NULL;
    case AGENTCHAT_ITEM_FILE:
        return has_text;
    case AGENTCHAT_ITEM_TEXT:
    case AGENTCHAT_ITEM_ACTION:
        return true;
    case AGENTCHAT_ITEM_CALL:
    case AGENTCHAT_ITEM_RESULT:
    case AGENTCHAT_ITEM_ANNOTATION:
    case AGENTCHAT_ITEM_REASONING:
    case AGENTCHAT_ITEM_MESSAGE:
    case AGENTCHAT_ITEM_OPAQUE:
    case AGENTCHAT_ITEM_MAX_:
        break;
    }
    return false;
}

static void write_known(aci_out *out, const aci_location *path, const agentchat_item *item)
{
    aci_object_out o;

    aci_object_out_item(&o, out, path, item, &aci_openai_chat_part);
    if (item->kind == AGENTCHAT_ITEM_ACTION)
        aci_out_lost(out, path, "the action was written as a text");
    if (item->kind == AGENTCHAT_ITEM_IMAGE)
        write_inner(&o, "image_url", ACI_OC_IMAGE, &aci_openai_chat_image, ACI_OC_IMAGE_URL, item);
    else if (item->kind == AGENTCHAT_ITEM_AUDIO)
        write_audio(&o, item);
    else if (item->kind == AGENTCHAT_ITEM_BINARY || item->kind == AGENTCHAT_ITEM_FILE)
        write_inner(&o, "file", ACI_OC_FILE, &aci_openai_chat_file, ACI_OC_FILE_DATA, item);
    else
        write_text(&o);
    aci_object_out_end(&o);
}

void aci_openai_chat_write_part(aci_out *out, const aci_location *list, const agentchat_message *message, size_t index)
{
    const agentchat_item *item = message->items[index];
    const aci_location at = {list, {NULL, 0}, index};

    if (has_content(item))
        write_known(out, &at, item);
    else if (!aci_part_write_opaque(out, &at, item, aci_openai_chat_read_part))
        aci_part_lost(out, list, index);
}
