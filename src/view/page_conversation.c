/* SPDX-License-Identifier: Apache-2.0 */
/* A conversation: the history, between its messages those that only a channel holds, after it the chats inside
   channels. */
#include "view/page.h"

#include "base/buf.h"
#include "base/checked.h"
#include "base/error.h"
#include <stdlib.h>
#include <string.h>

enum { GROUP = 100 };

/* A message that only a channel holds. */
typedef struct own_message {
    size_t before, channel, index;
} own_message;

typedef struct owns {
    const agentchat_env *env;
    own_message *list; /* by their positions in the conversation */
    size_t count, next;
} owns;

static int by_position(const void *left, const void *right)
{
    const own_message *a = left, *b = right;

    if (a->before != b->before)
        return a->before < b->before ? -1 : 1;
    if (a->channel != b->channel)
        return a->channel < b->channel ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static bool owns_find(owns *o, const agentchat_env *env, const aci_channel_views *views)
{
    size_t size = 0, count = 0;

    *o = (owns){env, NULL, 0, 0};
    for (size_t i = 0; i < views->count; i++)
        count += views->list[i].own_count;
    if (count == 0)
        return true;
    if (!aci_mul(count, sizeof *o->list, &size) || (o->list = aci_alloc(env, size)) == NULL)
        return false;
    for (size_t i = 0; i < views->count; i++)
        for (size_t k = 0; k < views->list[i].own_count; k++)
            o->list[o->count++] = (own_message){views->list[i].owns[k].before, i, views->list[i].owns[k].index};
    qsort(o->list, count, sizeof *o->list, by_position);
    return true;
}

static void owns_clear(owns *o)
{
    aci_free(o->env, o->list, o->count * sizeof *o->list);
}

/* The beginning of ids inside a channel: `c2-`, after that of the chat that it is a channel of. */
static bool channel_prefix(aci_buf *out, const char *prefix, size_t channel, const char *end)
{
    out->len = 0;
    return aci_buf_printf(out, "%.*sc%zu-%s", (int)(strlen(prefix) - 1), prefix, channel, end) &&
           aci_buf_add(out, "", 1);
}

static void put_owns(aci_page *page, const agentchat_snapshot *snapshot, owns *o, size_t before, const char *prefix)
{
    aci_buf own_prefix;

    if (o->next == o->count || o->list[o->next].before != before)
        return;
    aci_buf_init(&own_prefix, page->env, SIZE_MAX);
    for (; page->html.status >= 0 && o->next < o->count && o->list[o->next].before == before; o->next++) {
        const own_message *own = &o->list[o->next];
        aci_listing listing = {.calls = NULL};

        if (!channel_prefix(&own_prefix, prefix, own->channel, "m")) {
            aci_html_fail(&page->html, AGENTCHAT_E_NOMEM, "out of memory");
            break;
        }
        listing.prefix = own_prefix.ptr;
        aci_page_message(page, &listing, agentchat_messages_at(&snapshot->channels[own->channel].messages, own->index),
                         own->index, own->channel);
    }
    aci_buf_clear(&own_prefix);
}

/* The messages of a chat. Those of a long one stand in groups, so that a browser passes over a group that is not on the
   screen at once. */
static void put_messages(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                         const char *prefix)
{
    size_t count = agentchat_messages_count(agentchat_snapshot_history(snapshot));
    agentchat_calls *calls = NULL;
    aci_listing listing = {.prefix = prefix};
    owns o = {page->env, NULL, 0, 0};

    if (agentchat_calls_find(page->env, &snapshot->history, &calls, NULL) < 0 || !owns_find(&o, page->env, views))
        aci_html_fail(&page->html, AGENTCHAT_E_NOMEM, "out of memory");
    listing.calls = calls;
    for (size_t i = 0; page->html.status >= 0 && i < count; i++) {
        if (count > GROUP && i % GROUP == 0)
            ACI_HTML(&page->html, "<div class=\"g\">\n");
        put_owns(page, snapshot, &o, i, prefix);
        aci_page_message(page, &listing, agentchat_messages_at(&snapshot->history, i), i, SIZE_MAX);
        if (count > GROUP && i % GROUP == GROUP - 1 && i + 1 < count)
            ACI_HTML(&page->html, "</div>\n");
    }
    if (page->html.status >= 0)
        put_owns(page, snapshot, &o, count, prefix);
    if (count > GROUP)
        ACI_HTML(&page->html, "</div>\n");
    if (count == 0 && o.count == 0)
        ACI_HTML(&page->html, "<p class=\"none\">no messages</p>\n");
    owns_clear(&o);
    agentchat_calls_free(calls);
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
