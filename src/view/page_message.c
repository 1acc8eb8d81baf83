/* SPDX-License-Identifier: Apache-2.0 */
/* A message as an article. */
#include "view/page.h"

enum { KIND_COUNT = 7 };

static const char *const kind_names[KIND_COUNT] = {"text", "call", "media", "reasoning", "file", "message", "other"};

/* What a person looks for when looking for an item of this kind: an index of kind_names. */
static unsigned sort_of(agentchat_item_kind kind)
{
    static const unsigned char sorts[] = {
        [AGENTCHAT_ITEM_TEXT] = 0,   [AGENTCHAT_ITEM_IMAGE] = 2,      [AGENTCHAT_ITEM_AUDIO] = 2,
        [AGENTCHAT_ITEM_BINARY] = 2, [AGENTCHAT_ITEM_CALL] = 1,       [AGENTCHAT_ITEM_RESULT] = 1,
        [AGENTCHAT_ITEM_FILE] = 4,   [AGENTCHAT_ITEM_ANNOTATION] = 4, [AGENTCHAT_ITEM_REASONING] = 3,
        [AGENTCHAT_ITEM_ACTION] = 6, [AGENTCHAT_ITEM_MESSAGE] = 5,    [AGENTCHAT_ITEM_OPAQUE] = 6,
    };

    return sorts[kind];
}

static void put_kinds(aci_html *h, const agentchat_message *message)
{
    unsigned found = 0;
    bool any = false;

    for (size_t i = 0; i < message->item_count; i++)
        found |= 1u << sort_of((agentchat_item_kind)message->items[i]->kind);
    ACI_HTML(h, " data-k=\"");
    for (unsigned k = 0; k < KIND_COUNT; k++) {
        if ((found & 1u << k) == 0)
            continue;
        if (any)
            ACI_HTML(h, " ");
        any = true;
        aci_html_raw(h, kind_names[k], agentchat_str_from(kind_names[k]).len);
    }
    ACI_HTML(h, "\"");
}

/* Author, role, time, model. */
static void put_author(aci_page *page, const agentchat_message *message)
{
    agentchat_str name = aci_author_of(message), role = agentchat_message_role(message);
    agentchat_str time = agentchat_message_get(message, AGENTCHAT_FIELD_TIME);
    agentchat_str model = agentchat_message_get(message, AGENTCHAT_FIELD_MODEL_ID);
    aci_html *h = &page->html;

    ACI_HTML(h, "<p class=\"by\"><b class=\"author\"><bdi>");
    aci_html_text(h, name);
    ACI_HTML(h, "</bdi></b>");
    if (aci_page_has(role) && !agentchat_str_equal(role, name)) {
        ACI_HTML(h, " <span class=\"role\"><bdi>");
        aci_html_text(h, role);
        ACI_HTML(h, "</bdi></span>");
    }
    if (aci_page_has(time)) {
        ACI_HTML(h, " <span class=\"time\">");
        aci_html_text(h, time);
        ACI_HTML(h, "</span>");
    }
    if (aci_page_has(model)) {
        ACI_HTML(h, " <span class=\"model\"><bdi>");
        aci_html_text(h, model);
        ACI_HTML(h, "</bdi></span>");
    }
    ACI_HTML(h, "</p>");
}

/* author: whether it is a message that is an item of another one. */
static void put_nested(aci_page *page, const agentchat_message *message, bool author)
{
    bool is_inside = page->nesting < ACI_DEEPEST_NESTING;
    aci_html *h = &page->html;

    page->nesting++;
    if (is_inside)
        ACI_HTML(h, "<div class=\"i nested\">");
    if (author)
        put_author(page, message);
    aci_page_items(page, NULL, message);
    if (is_inside)
        ACI_HTML(h, "</div>");
    page->nesting--;
}

/* The content of a result (NULL: there is none), below the item that it is shown with. */
static void put_content(aci_page *page, const agentchat_item *result)
{
    if (!agentchat_item_has_content(result))
        return;
    ACI_HTML(&page->html, "<p class=\"label\">content of the result</p>");
    put_nested(page, result->u.message, false);
}

void aci_page_items(aci_page *page, aci_listing *listing, const agentchat_message *message)
{
    const aci_detail details[] = {
        {"id", agentchat_message_get(message, AGENTCHAT_FIELD_ID), false},
        {"media type", agentchat_message_get(message, AGENTCHAT_FIELD_MIME_TYPE), false},
        {"metadata", agentchat_message_get(message, AGENTCHAT_FIELD_METADATA), true},
    };
    aci_html *h = &page->html;

    for (size_t i = 0; h->status >= 0 && i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];
        bool is_listed = item->kind == AGENTCHAT_ITEM_CALL || item->kind == AGENTCHAT_ITEM_RESULT;
        const agentchat_call *call = NULL;

        if (is_listed && listing != NULL)
            call = agentchat_calls_at(listing->calls, listing->next_call++);
        if (item->kind == AGENTCHAT_ITEM_MESSAGE)
            put_nested(page, item->u.message, true);
        aci_page_item(page, listing, item, call);
        put_content(page, aci_page_item_result(listing, item, call));
    }
    if (message->item_count == 0)
        ACI_HTML(h, "<p class=\"none\">nothing in it</p>");
    aci_page_more(page, details, sizeof details / sizeof *details, message->extras);
}

static void put_id(aci_html *h, const char *prefix, size_t index)
{
    aci_html_value(h, agentchat_str_from(prefix));
    aci_html_u64(h, index);
}

void aci_page_message_begin(aci_page *page, const char *prefix, const agentchat_message *message, size_t index,
                            size_t own_of)
{
    size_t author = aci_author_number(&page->authors, aci_author_of(message));
    aci_html *h = &page->html;

    ACI_HTML(h, "<article class=\"m");
    if (own_of != SIZE_MAX)
        ACI_HTML(h, " own");
    if (author != ACI_INDEX_NONE) {
        ACI_HTML(h, " a");
        aci_html_u64(h, author % ACI_AUTHOR_COLOURS);
        ACI_HTML(h, "\" data-a=\"");
        aci_html_u64(h, author);
    }
    ACI_HTML(h, "\"");
    put_kinds(h, message);
    if (own_of != SIZE_MAX) {
        ACI_HTML(h, " data-own=\"");
        aci_html_u64(h, own_of);
        ACI_HTML(h, "\"");
    }
    ACI_HTML(h, " id=\"");
    put_id(h, prefix, index);
    ACI_HTML(h, "\" tabindex=\"-1\"><a class=\"n\" href=\"#");
    put_id(h, prefix, index);
    ACI_HTML(h, "\" aria-label=\"message ");
    aci_html_u64(h, index);
    ACI_HTML(h, "\">");
    aci_html_u64(h, index);
    ACI_HTML(h, "</a>");
    put_author(page, message);
}

void aci_page_message(aci_page *page, aci_listing *listing, const agentchat_message *message, size_t index,
                      size_t own_of)
{
    aci_html *h = &page->html;

    aci_page_message_begin(page, listing->prefix, message, index, own_of);
    if (own_of != SIZE_MAX) {
        ACI_HTML(h, "<p class=\"only\">only channel ");
        aci_html_u64(h, own_of);
        ACI_HTML(h, " holds this</p>");
    }
    aci_page_items(page, own_of == SIZE_MAX ? listing : NULL, message);
    ACI_HTML(h, "</article>\n");
}
