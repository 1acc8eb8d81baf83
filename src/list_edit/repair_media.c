/* SPDX-License-Identifier: Apache-2.0 */
/* Images, audio and files for a provider: which it takes, and what becomes of the others. */
#include "list_edit/list_edit_internal.h"

#include "base/error.h"
#include "base/utf8.h"
#include "model/form_mark.h"
#include <string.h>

static bool is_media(agentchat_item_kind kind)
{
    return kind == AGENTCHAT_ITEM_IMAGE || kind == AGENTCHAT_ITEM_AUDIO || kind == AGENTCHAT_ITEM_BINARY ||
           kind == AGENTCHAT_ITEM_FILE;
}

static agentchat_str field_of(const agentchat_item *item, agentchat_field field)
{
    agentchat_str text = agentchat_item_get(item, field);

    return agentchat_str_is_null(text) ? (agentchat_str){NULL, 0} : text;
}

/* The bytes of data; absent where there are none. */
static agentchat_str bytes_of(const agentchat_item *item, agentchat_status *status)
{
    agentchat_str bytes = {NULL, 0};

    if (aci_data_of(item) != NULL && agentchat_item_bytes(item, &bytes, NULL) == AGENTCHAT_E_NOMEM)
        *status = AGENTCHAT_E_NOMEM;
    return bytes;
}

/* A media type by the first bytes of data: of what people send without saying what it is. */
static agentchat_str sniff(const agentchat_item *item, agentchat_status *status)
{
    static const struct {
        const char *begin, *type;
    } kinds[] = {{"\x89PNG", "image/png"},
                 {"\xff\xd8\xff", "image/jpeg"},
                 {"GIF8", "image/gif"},
                 {"RIFF", NULL},
                 {"%PDF", "application/pdf"}};
    agentchat_str bytes = {NULL, 0};

    bytes = bytes_of(item, status);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t len = strlen(kinds[i].begin);

        if (bytes.len < 12 || memcmp(bytes.ptr, kinds[i].begin, len) != 0)
            continue;
        return kinds[i].type != NULL                   ? agentchat_str_from(kinds[i].type)
               : memcmp(bytes.ptr + 8, "WEBP", 4) == 0 ? AGENTCHAT_STR("image/webp")
                                                       : AGENTCHAT_STR("audio/wav");
    }
    return (agentchat_str){NULL, 0};
}

/* The media type without parameters, as providers spell it. */
static agentchat_str mime_type_of(const agentchat_item *item, agentchat_status *status)
{
    static const char *const others[][2] = {{"image/jpg", "image/jpeg"},
                                            {"audio/x-wav", "audio/wav"},
                                            {"audio/wave", "audio/wav"},
                                            {"audio/mp3", "audio/mpeg"}};
    agentchat_str type = field_of(item, AGENTCHAT_FIELD_MIME_TYPE);
    const char *end = type.len > 0 ? memchr(type.ptr, ';', type.len) : NULL;

    if (type.len == 0 && aci_data_of(item) != NULL)
        return sniff(item, status);
    if (end != NULL)
        type.len = (size_t)(end - type.ptr);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (aci_utf8_equal_ignore_case(type, agentchat_str_from(others[i][0])))
            return agentchat_str_from(others[i][1]);
    return type;
}

static bool takes(const agentchat_repair_profile *profile, const agentchat_item *item, agentchat_item_kind kind,
                  agentchat_str type)
{
    bool has_data = aci_data_of(item) != NULL;
    agentchat_str link = field_of(item, kind == AGENTCHAT_ITEM_FILE ? AGENTCHAT_FIELD_FILE_ID : AGENTCHAT_FIELD_URI);

    for (size_t i = 0; i < profile->media_count; i++) {
        const agentchat_repair_media *row = &profile->media[i];

        if (row->kind != kind || (row->mime_type == NULL) == has_data)
            continue;
        if (row->mime_type == NULL ? link.len > 0
                                   : aci_utf8_equal_ignore_case(type, agentchat_str_from(row->mime_type)))
            return row->marked == NULL ||
                   aci_form_mark_member(agentchat_item_get(item, AGENTCHAT_FIELD_FORM),
                                        agentchat_str_from(profile->name != NULL ? profile->name : ""), row->marked)
                           .ptr != NULL;
    }
    return false;
}

/* Whether data is a text. */
static bool is_text(const agentchat_item *item, agentchat_str type, agentchat_status *status)
{
    agentchat_str bytes;

    if (type.len < 6 || !aci_utf8_equal_ignore_case((agentchat_str){type.ptr, 5}, AGENTCHAT_STR("text/")))
        return false;
    bytes = bytes_of(item, status);
    return bytes.len > 0 && aci_utf8_is_valid(bytes, false);
}

agentchat_status aci_media_for(const agentchat_repair_profile *profile, const agentchat_item *item, aci_media *out)
{
    static const agentchat_item_kind kinds[] = {AGENTCHAT_ITEM_IMAGE, AGENTCHAT_ITEM_AUDIO, AGENTCHAT_ITEM_BINARY};
    agentchat_item_kind kind = agentchat_item_get_kind(item);
    agentchat_status status = AGENTCHAT_OK;
    bool is_other;

    *out = (aci_media){.as = ACI_MEDIA_NONE, .kind = kind};
    if (!is_media(kind))
        return status;
    out->as = ACI_MEDIA_AS_IT_IS;
    if (profile->media == NULL)
        return status;
    out->type = mime_type_of(item, &status);
    is_other = aci_data_of(item) != NULL && !agentchat_str_equal(field_of(item, AGENTCHAT_FIELD_MIME_TYPE), out->type);
    if (takes(profile, item, kind, out->type)) {
        out->as = is_other ? ACI_MEDIA_ANOTHER : ACI_MEDIA_AS_IT_IS;
        return status;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kind != AGENTCHAT_ITEM_FILE && aci_data_of(item) != NULL && takes(profile, item, kinds[i], out->type)) {
            out->as = ACI_MEDIA_ANOTHER;
            out->kind = kinds[i];
            return status;
        }
    out->as = is_text(item, out->type, &status) ? ACI_MEDIA_TEXT : ACI_MEDIA_MISSING;
    return status;
}

/* A text that says what is missing; of a link it is there. */
static agentchat_status add_missing(const agentchat_env *env, agentchat_message_builder *builder,
                                    const agentchat_repair_profile *profile, const agentchat_item *item,
                                    const aci_media *media, agentchat_error *err)
{
    agentchat_str link =
        field_of(item, media->kind == AGENTCHAT_ITEM_FILE ? AGENTCHAT_FIELD_FILE_ID : AGENTCHAT_FIELD_URI);
    const char *name = media->kind == AGENTCHAT_ITEM_IMAGE   ? "an image"
                       : media->kind == AGENTCHAT_ITEM_AUDIO ? "audio"
                                                             : "a file";
    bool has_link = link.len > 0 && aci_data_of(item) == NULL, ok;
    aci_buf text;

    aci_buf_init(&text, aci_env(env), SIZE_MAX);
    link.len = has_link ? link.len : 0;
    ok = aci_buf_printf(&text, "[%s%s" AGENTCHAT_STR_FMT ", which %s does not take%s" AGENTCHAT_STR_FMT "]", name,
                        media->type.len > 0 ? " of type " : "", AGENTCHAT_STR_ARG(media->type),
                        profile->name != NULL ? profile->name : "the provider", has_link ? ": " : "",
                        AGENTCHAT_STR_ARG(link));
    if (ok)
        agentchat_message_builder_add_text(builder, aci_buf_str(&text));
    aci_buf_clear(&text);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void add_another(agentchat_message_builder *builder, const agentchat_item *item, const aci_media *media)
{
    const aci_data *data = aci_data_of(item);

    agentchat_message_builder_add_item(builder, media->kind);
    agentchat_message_builder_set_item(builder, AGENTCHAT_FIELD_MIME_TYPE, media->type);
    if (data->base64.ptr != NULL)
        agentchat_message_builder_set_data_base64(builder, data->base64);
    else
        agentchat_message_builder_set_data(builder, data->bytes);
    for (size_t i = 0; item->extras != NULL && i < item->extras->count; i++)
        agentchat_message_builder_add_extra(builder, item->extras->list[i].name, item->extras->list[i].value,
                                            item->extras->list[i].from);
}

agentchat_status aci_media_add(const agentchat_env *env, agentchat_message_builder *builder,
                               const agentchat_repair_profile *profile, const agentchat_item *item,
                               const aci_media *media, agentchat_error *err)
{
    agentchat_str bytes = {NULL, 0};
    agentchat_status status;

    switch (media->as) {
    case ACI_MEDIA_ANOTHER:
        add_another(builder, item, media);
        break;
    case ACI_MEDIA_TEXT:
        status = agentchat_item_bytes(item, &bytes, err);
        agentchat_message_builder_add_text(builder, bytes);
        return status;
    case ACI_MEDIA_MISSING:
        return add_missing(env, builder, profile, item, media, err);
    case ACI_MEDIA_NONE:
    case ACI_MEDIA_AS_IT_IS:
        agentchat_message_builder_add_item_copy(builder, item);
        break;
    }
    return AGENTCHAT_OK;
}
