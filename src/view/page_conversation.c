/* SPDX-License-Identifier: Apache-2.0 */
/* A conversation: the history, between its messages those that only a channel holds, after it the chats inside
   channels. */
#include "view/page.h"

#include "base/buf.h"
#include "base/error.h"
#include <string.h>

enum { GROUP = 100 };

/* ---- messages -------------------------------------------------------------------------------------------------- */

/* The beginning of ids inside a channel: `c2-`, after that of the chat that it is a channel of. */
static bool channel_prefix(aci_buf *out, const char *prefix, size_t channel, const char *end)
{
    out->len = 0;
    return aci_buf_printf(out, "%.*sc%zu-%s", (int)(strlen(prefix) - 1), prefix, channel, end) &&
           aci_buf_add(out, "", 1);
}

static void put_own(aci_page *page, const aci_placed *placed, const char *prefix)
{
    aci_listing listing = {.calls = NULL};
    aci_buf own_prefix;

    aci_buf_init(&own_prefix, page->env, SIZE_MAX);
    if (channel_prefix(&own_prefix, prefix, placed->own_of, "m")) {
        listing.prefix = own_prefix.ptr;
        aci_page_message(page, &listing, placed->message, placed->index, placed->own_of);
    } else {
        aci_html_fail(&page->html, AGENTCHAT_E_NOMEM, "out of memory");
    }
    aci_buf_clear(&own_prefix);
}

static void put_placed(aci_page *page, aci_listing *listing, const aci_placed *placed)
{
    const agentchat_call *call;

    if (placed->own_of != SIZE_MAX) {
        put_own(page, placed, listing->prefix);
        return;
    }
    while ((call = agentchat_calls_at(listing->calls, listing->next_call)) != NULL && call->message < placed->index)
        listing->next_call++; /* of messages that stand on the page already */
    aci_page_message(page, listing, placed->message, placed->index, SIZE_MAX);
}

/* Those that do not stand on the page yet. Those of a long chat stand in groups of as many messages of the history, so
   that a browser passes over a group that is not on the screen at once. */
static void put_list(aci_page *page, const aci_placed_messages *c, aci_listing *listing, size_t history)
{
    bool in_groups = history > GROUP && !page->is_kept;
    size_t left = history; /* messages of the history that are still to come */
    aci_html *h = &page->html;

    if (in_groups)
        ACI_HTML(h, "<div class=\"g\">\n");
    for (size_t i = 0; h->status >= 0 && i < c->count; i++) {
        if (c->list[i].is_new)
            put_placed(page, listing, &c->list[i]);
        if (c->list[i].own_of != SIZE_MAX)
            continue;
        left--;
        if (in_groups && left > 0 && (history - left) % GROUP == 0)
            ACI_HTML(h, "</div>\n<div class=\"g\">\n");
    }
    if (in_groups)
        ACI_HTML(h, "</div>\n");
    if (c->count == 0)
        ACI_HTML(h, "<p class=\"none\">no messages</p>\n");
}

static void put_run(aci_html *h, size_t from, size_t count)
{
    if (count == 0)
        return;
    ACI_HTML(h, "o");
    aci_html_u64(h, from);
    ACI_HTML(h, "x");
    aci_html_u64(h, count);
}

/* In front of it stand the messages of a conversation: data-list as of aci_message_pool_number(), data-owns the indices
   of those that only channels hold, in runs. */
static void put_list_mark(aci_page *page, const aci_placed_messages *c, agentchat_str path, const aci_buf *runs)
{
    aci_html *h = &page->html;
    size_t from = 0, run = 0;

    ACI_HTML(h, "<template class=\"list\" data-chat=\"");
    aci_html_value(h, path);
    ACI_HTML(h, "\" data-list=\"");
    aci_html_value(h, aci_buf_str(runs));
    ACI_HTML(h, "\" data-owns=\"");
    for (size_t i = 0; h->status >= 0 && i < c->count; i++) {
        const aci_placed *placed = &c->list[i];

        if (placed->own_of == SIZE_MAX)
            continue;
        if (run > 0 && placed->index == from + run) {
            run++;
            continue;
        }
        put_run(h, from, run);
        from = placed->index;
        run = 1;
    }
    put_run(h, from, run);
    ACI_HTML(h, "\"></template>\n");
}

static agentchat_status number(aci_page *page, aci_placed_messages *c, const agentchat_calls *calls, agentchat_str path,
                               aci_buf *runs)
{
    if (page->pool == NULL)
        return AGENTCHAT_OK;
    return aci_message_pool_number(page->pool, path, c->list, c->count, calls, runs, page->html.err);
}

static void put_messages(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                         const char *prefix)
{
    agentchat_str path = agentchat_str_from(prefix + strlen(page->mark));
    agentchat_calls *calls = NULL;
    agentchat_status status = AGENTCHAT_OK;
    aci_listing listing = {.prefix = prefix};
    aci_placed_messages c;
    aci_buf runs;

    if (page->html.status < 0) /* what failed is in the record, which the calls below would clear */
        return;
    aci_buf_init(&runs, page->env, SIZE_MAX);
    if (!aci_placed_messages_make(&c, snapshot, views) ||
        agentchat_calls_find(page->env, &snapshot->history, &calls, NULL) < 0) {
        aci_html_fail(&page->html, AGENTCHAT_E_NOMEM, "out of memory");
    } else if ((status = number(page, &c, calls, path, &runs)) < 0) {
        if (page->html.status >= 0)
            page->html.status = status;
    } else {
        listing.calls = calls;
        put_list(page, &c, &listing, agentchat_messages_count(&snapshot->history));
        if (page->pool != NULL)
            put_list_mark(page, &c, path, &runs);
    }
    agentchat_calls_free(calls);
    aci_placed_messages_clear(&c);
    aci_buf_clear(&runs);
}

/* ---- chats inside channels ------------------------------------------------------------------------------------- */

static void put_chats(aci_page *page, const agentchat_snapshot *snapshot, const char *prefix);

static void put_chat(aci_page *page, const agentchat_snapshot *chat, const char *prefix)
{
    aci_html *h = &page->html;
    aci_channel_views views;
    agentchat_status status = aci_channel_views_make(&views, chat, h->err);

    if (status < 0) {
        h->status = status;
        return;
    }
    page->nesting++;
    aci_page_nested_overview(page, chat, &views, prefix);
    put_messages(page, chat, &views, prefix);
    put_chats(page, chat, prefix);
    page->nesting--;
    aci_channel_views_clear(&views);
}

static void put_chat_line(aci_page *page, const agentchat_snapshot *chat, size_t channel)
{
    ACI_HTML(&page->html, "the chat inside channel ");
    aci_html_u64(&page->html, channel);
    ACI_HTML(&page->html, ": ");
    aci_page_count(page, agentchat_messages_count(agentchat_snapshot_history(chat)), "message");
}

/* Folded; what is nested too deep stands below, under a line of its own. */
static void put_folded_chat(aci_page *page, const agentchat_snapshot *chat, size_t channel, const char *prefix)
{
    bool is_inside = page->nesting < ACI_DEEPEST_NESTING;
    aci_html *h = &page->html;

    if (is_inside)
        ACI_HTML(h, "<details class=\"chat\"><summary>");
    else
        ACI_HTML(h, "<p class=\"label\">");
    put_chat_line(page, chat, channel);
    if (is_inside)
        ACI_HTML(h, "</summary>\n<div class=\"nested\">\n");
    else
        ACI_HTML(h, "</p>\n");
    put_chat(page, chat, prefix);
    if (is_inside)
        ACI_HTML(h, "</div>\n</details>\n");
}

static void put_chats(aci_page *page, const agentchat_snapshot *snapshot, const char *prefix)
{
    aci_html *h = &page->html;
    aci_buf inner;

    aci_buf_init(&inner, page->env, SIZE_MAX);
    for (size_t i = 0; h->status >= 0 && i < snapshot->channel_count; i++) {
        const agentchat_channel_state *channel = &snapshot->channels[i];

        if (channel->kind != AGENTCHAT_CHANNEL_CHAT)
            continue;
        if (!channel_prefix(&inner, prefix, i, "m")) {
            aci_html_fail(h, AGENTCHAT_E_NOMEM, "out of memory");
            break;
        }
        put_folded_chat(page, channel->chat, i, inner.ptr);
    }
    aci_buf_clear(&inner);
}

void aci_page_conversation(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views)
{
    ACI_HTML(&page->html, "<main id=\"conversation\" aria-label=\"conversation\">\n");
    put_messages(page, snapshot, views, "m");
    put_chats(page, snapshot, "m");
    ACI_HTML(&page->html, "</main>\n");
}

void aci_page_kept_conversation(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views)
{
    aci_buf prefix;

    aci_buf_init(&prefix, page->env, SIZE_MAX);
    if (aci_buf_printf(&prefix, "%sm", page->mark) && aci_buf_add(&prefix, "", 1)) {
        put_messages(page, snapshot, views, prefix.ptr);
        put_chats(page, snapshot, prefix.ptr);
    } else {
        aci_html_fail(&page->html, AGENTCHAT_E_NOMEM, "out of memory");
    }
    aci_buf_clear(&prefix);
}
