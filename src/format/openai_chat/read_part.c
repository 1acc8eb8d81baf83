/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a content: texts, refusals, images, audio, files. Any other is kept as it stands. */
#include "format/openai_chat/openai_chat.h"

#include "base/b64.h"
#include "format/kit/data_uri.h"
#include "format/kit/look.h"

/* What a part becomes: its kind, 0 for none known, and its data. */
typedef struct part {
    aci_object o;
    agentchat_item_kind kind;
    agentchat_str base64;
} part;

static bool take_text(part *p, uint32_t row, bool is_refusal)
{
    agentchat_str text;

    if (!aci_object_take_text(&p->o, row, &text))
        return false;
    if (text.ptr == NULL)
        return true;
    p->kind = AGENTCHAT_ITEM_TEXT;
    aci_object_set(&p->o, AGENTCHAT_FIELD_TEXT, ACI_FORM_TEXT, text);
    if (is_refusal)
        aci_object_set(&p->o, AGENTCHAT_FIELD_REFUSAL, ACI_FORM_JSON, AGENTCHAT_STR("true"));
    return true;
}

/* A URL, or the data in it. */
static bool take_url(part *p, aci_object *inner, uint32_t row, agentchat_item_kind kind)
{
    p->kind = kind;
    return aci_data_uri_read(&p->o, inner, row, &p->base64);
}

static bool take_image(part *p, aci_object *inner)
{
    return !aci_object_has(inner, ACI_OC_IMAGE_URL, '"') || take_url(p, inner, ACI_OC_IMAGE_URL, AGENTCHAT_ITEM_IMAGE);
}

/* Data of one of the two formats that there are. */
static bool take_audio(part *p, aci_object *inner)
{
    bool is_wav = aci_object_says(inner, ACI_OC_AUDIO_FORMAT, "wav");
    agentchat_str base64;
    size_t bad;

    if (!is_wav && !aci_object_says(inner, ACI_OC_AUDIO_FORMAT, "mp3"))
        return true;
    if (!aci_object_has(inner, ACI_OC_AUDIO_DATA, '"'))
        return true;
    if (!aci_raw_reader_decode(inner->a, inner->values[ACI_OC_AUDIO_DATA].raw, &base64))
        return false;
    if (!aci_b64_check(base64, &bad))
        return true;
    (void)aci_object_take(inner, ACI_OC_AUDIO_DATA);
    (void)aci_object_take(inner, ACI_OC_AUDIO_FORMAT);
    p->kind = AGENTCHAT_ITEM_AUDIO;
    p->base64 = base64;
    aci_object_set(&p->o, AGENTCHAT_FIELD_MIME_TYPE, ACI_FORM_TEXT,
                   is_wav ? AGENTCHAT_STR("audio/wav") : AGENTCHAT_STR("audio/mpeg"));
    return true;
}

/* A file's data, or the id of one that was uploaded. */
static bool take_file(part *p, aci_object *inner)
{
    agentchat_str id;

    if (aci_object_has(inner, ACI_OC_FILE_DATA, '"')) {
        if (aci_object_says(inner, ACI_OC_FILE_NAME, aci_data_uri_filename))
            (void)aci_object_take(inner, ACI_OC_FILE_NAME);
        else if (aci_object_has(inner, ACI_OC_FILE_NAME, '\0') && !aci_object_note_word(&p->o, "filename", "absent"))
            return false;
        return take_url(p, inner, ACI_OC_FILE_DATA, AGENTCHAT_ITEM_BINARY);
    }
    if (!aci_object_take_text(inner, ACI_OC_FILE_ID, &id))
        return false;
    if (id.ptr != NULL) {
        p->kind = AGENTCHAT_ITEM_FILE;
        aci_object_set(&p->o, AGENTCHAT_FIELD_FILE_ID, ACI_FORM_TEXT, id);
    }
    return true;
}

/* Takes what stands in the object that a part of this type has. */
static bool take_inner(part *p, uint32_t row, const aci_object_table *table, bool (*take)(part *p, aci_object *inner))
{
    aci_object inner;
    bool ok;

    if (!aci_object_has(&p->o, row, '{'))
        return true;
    ok = aci_object_begin_inner(&inner, &p->o, row, table) && take(p, &inner);
    return aci_object_end_inner(&inner, &p->o, row, ok);
}

static bool read_part(part *p)
{
    if (aci_object_says(&p->o, ACI_OC_TYPE, "text"))
        return take_text(p, ACI_OC_TEXT, false);
    if (aci_object_says(&p->o, ACI_OC_TYPE, "refusal"))
        return take_text(p, ACI_OC_PART_REFUSAL, true);
    if (aci_object_says(&p->o, ACI_OC_TYPE, "image_url"))
        return take_inner(p, ACI_OC_IMAGE, &aci_openai_chat_image, take_image);
    if (aci_object_says(&p->o, ACI_OC_TYPE, "input_audio"))
        return take_inner(p, ACI_OC_AUDIO, &aci_openai_chat_audio, take_audio);
    if (aci_object_says(&p->o, ACI_OC_TYPE, "file"))
        return take_inner(p, ACI_OC_FILE, &aci_openai_chat_file, take_file);
    return true;
}

static bool is_known(agentchat_str type)
{
    static const char *const types[] = {"text", "refusal", "image_url", "input_audio", "file"};
    bool is = false;

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        is = is || aci_look_is_word(type, types[i]);
    return is;
}

bool aci_openai_chat_read_part(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items)
{
    part p = {.base64 = {NULL, 0}};
    agentchat_item *item;
    agentchat_str type;
    bool ok;

    if (!aci_part_type(a, path, raw, &type))
        return false;
    if (!is_known(type))
        return aci_part_keep(a, raw, items);
    ok = aci_object_begin(&p.o, a, path, raw, &aci_openai_chat_part) && read_part(&p);
    if (ok)
        (void)aci_object_take(&p.o, ACI_OC_TYPE);
    item = aci_object_item(&p.o, p.kind, ok && p.kind != 0);
    if (ok && p.kind == 0)
        return aci_part_keep(a, raw, items);
    if (p.base64.ptr != NULL)
        item = aci_part_with_data(a, item, p.base64, (agentchat_str){NULL, 0});
    return aci_items_add(items, a, item);
}
