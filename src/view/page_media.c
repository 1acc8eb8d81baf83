/* SPDX-License-Identifier: Apache-2.0 */
/* Images and sounds from their data; everything else that has an address is named, never followed. */
#include "view/page.h"

#include "base/b64.h"
#include "base/utf8.h"

enum { LARGE = 256 * 1024, PIECE = 3 * 4096 };

/* What a page shows by itself: the type that is written is one of these, never the chat's own text. */
typedef struct shown_type {
    const char *type;
    agentchat_item_kind kind;
} shown_type;

static const shown_type types[] = {
    {"image/png", AGENTCHAT_ITEM_IMAGE},     {"image/jpeg", AGENTCHAT_ITEM_IMAGE}, {"image/gif", AGENTCHAT_ITEM_IMAGE},
    {"image/webp", AGENTCHAT_ITEM_IMAGE},    {"image/avif", AGENTCHAT_ITEM_IMAGE}, {"image/bmp", AGENTCHAT_ITEM_IMAGE},
    {"image/svg+xml", AGENTCHAT_ITEM_IMAGE}, /* as an image it runs and loads nothing */
    {"audio/mpeg", AGENTCHAT_ITEM_AUDIO},    {"audio/wav", AGENTCHAT_ITEM_AUDIO},  {"audio/ogg", AGENTCHAT_ITEM_AUDIO},
    {"audio/webm", AGENTCHAT_ITEM_AUDIO},    {"audio/mp4", AGENTCHAT_ITEM_AUDIO},  {"audio/aac", AGENTCHAT_ITEM_AUDIO},
    {"audio/flac", AGENTCHAT_ITEM_AUDIO},
};

/* The type without its parameters. */
static agentchat_str essence(agentchat_str mime_type)
{
    agentchat_str type = mime_type;

    for (size_t i = 0; i < mime_type.len; i++) {
        if (mime_type.ptr[i] == ';') {
            type.len = i;
            break;
        }
    }
    while (type.len > 0 && type.ptr[type.len - 1] == ' ')
        type.len--;
    return type;
}

static const shown_type *type_of(agentchat_str mime_type)
{
    agentchat_str type = essence(mime_type);

    for (size_t i = 0; aci_page_has(mime_type) && i < sizeof types / sizeof *types; i++)
        if (aci_utf8_equal_ignore_case(type, agentchat_str_from(types[i].type)))
            return &types[i];
    return NULL;
}

const char *aci_page_image_type(agentchat_str mime_type)
{
    const shown_type *type = type_of(mime_type);

    return type != NULL && type->kind == AGENTCHAT_ITEM_IMAGE ? type->type : NULL;
}

void aci_page_base64(aci_html *h, const aci_data *data)
{
    char out[PIECE / 3 * 4 + 4];

    if (data->base64.ptr != NULL) {
        aci_html_raw(h, data->base64.ptr, data->base64.len);
        return;
    }
    for (size_t at = 0; h->status >= 0 && at < data->bytes.len; at += PIECE) {
        size_t len = data->bytes.len - at < PIECE ? data->bytes.len - at : PIECE;

        aci_b64_encode(data->bytes.ptr + at, len, out);
        aci_html_raw(h, out, aci_b64_encoded_size(len));
    }
}

static void put_source(aci_html *h, const shown_type *type, const aci_data *data)
{
    agentchat_str name = agentchat_str_from(type->type);

    ACI_HTML(h, " src=\"data:");
    aci_html_raw(h, name.ptr, name.len);
    ACI_HTML(h, ";base64,");
    aci_page_base64(h, data);
    ACI_HTML(h, "\"");
}

static void put_shown(aci_page *page, const shown_type *type, const aci_data *data, bool is_large)
{
    aci_html *h = &page->html;

    if (is_large)
        ACI_HTML(h, "<details class=\"media\"><summary>show it</summary>");
    if (type->kind == AGENTCHAT_ITEM_IMAGE) {
        ACI_HTML(h, "<img alt=\"image\" loading=\"lazy\" decoding=\"async\"");
        put_source(h, type, data);
        ACI_HTML(h, ">");
    } else {
        ACI_HTML(h, "<audio controls preload=\"none\" aria-label=\"sound\"");
        put_source(h, type, data);
        ACI_HTML(h, "></audio>");
    }
    if (is_large)
        ACI_HTML(h, "</details>");
}

static void put_name(aci_page *page, const agentchat_item *item, agentchat_str mime_type)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<p class=\"name\">");
    if (item->kind == AGENTCHAT_ITEM_IMAGE)
        ACI_HTML(h, "image");
    else if (item->kind == AGENTCHAT_ITEM_AUDIO)
        ACI_HTML(h, "sound");
    else
        ACI_HTML(h, "data");
    if (aci_page_has(mime_type)) {
        ACI_HTML(h, ", ");
        aci_html_text(h, mime_type);
    }
    if (agentchat_item_has_data(item)) {
        ACI_HTML(h, ", ");
        aci_page_count(page, agentchat_item_data_size(item), "byte");
    }
    ACI_HTML(h, "</p>");
}

void aci_page_media(aci_page *page, const agentchat_item *item)
{
    agentchat_str mime_type = agentchat_item_get(item, AGENTCHAT_FIELD_MIME_TYPE);
    agentchat_str uri = agentchat_item_get(item, AGENTCHAT_FIELD_URI);
    const aci_data *data = aci_data_of(item);
    const shown_type *type = type_of(mime_type);
    aci_html *h = &page->html;

    ACI_HTML(h, "<div class=\"i data\">");
    put_name(page, item, mime_type);
    if (data != NULL && type != NULL && type->kind == item->kind && !page->no_media)
        put_shown(page, type, data, agentchat_item_data_size(item) > LARGE);
    if (aci_page_has(uri))
        aci_page_copyable(page, "address", uri);
    ACI_HTML(h, "</div>");
}
