/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between two chats besides their histories: participants, channels, and how far these had been given the
   history, which is no part of what a chat means and yet what its agents know. */
#include "view/page.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/index.h"
#include "view/message_text.h"
#include "view/words.h"
#include <string.h>

typedef struct outside {
    aci_page *page;
    size_t count;
    bool is_open;
} outside;

static bool is_of_history(agentchat_str path)
{
    static const char start[] = "/history";
    size_t len = sizeof start - 1;

    return path.len >= len && memcmp(path.ptr, start, len) == 0 && (path.len == len || path.ptr[len] == '/');
}

static void put_head(aci_html *h, bool is_open)
{
    if (is_open)
        ACI_HTML(h, "<details class=\"outside\" open>");
    else
        ACI_HTML(h, "<details class=\"outside\">");
    ACI_HTML(h, "<summary>differences outside the history</summary>");
    ACI_HTML(h, "<div class=\"table\"><table class=\"others\"><thead><tr><th scope=\"col\">where</th>"
                "<th scope=\"col\">before</th><th scope=\"col\">after</th></tr></thead><tbody>\n");
}

static void put_side(aci_html *h, const aci_words *words, int side, agentchat_str text)
{
    ACI_HTML(h, "<td>");
    if (text.ptr == NULL) {
        ACI_HTML(h, "<span class=\"none\">nothing</span>");
    } else {
        ACI_HTML(h, "<pre class=\"compared\">\n");
        aci_words_put(h, words, side);
        ACI_HTML(h, "</pre>");
    }
    ACI_HTML(h, "</td>");
}

static agentchat_status put_difference(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                       agentchat_error *err)
{
    outside *o = user;
    aci_html *h = &o->page->html;
    agentchat_bytes text[2] = {AGENTCHAT_BYTES_INIT, AGENTCHAT_BYTES_INIT};
    agentchat_status status = AGENTCHAT_OK;
    aci_words words;

    if (is_of_history(path))
        return AGENTCHAT_OK;
    if (left.ptr != NULL)
        status = aci_message_text_of_json(left, o->page->env, &text[0], err);
    if (status >= 0 && right.ptr != NULL)
        status = aci_message_text_of_json(right, o->page->env, &text[1], err);
    if (status >= 0 && !aci_words_compare(&words, o->page->env, aci_text_of(&text[0]), aci_text_of(&text[1])))
        status = aci_fail_nomem(err);
    if (status >= 0) {
        if (o->count++ == 0)
            put_head(h, o->is_open);
        ACI_HTML(h, "<tr><th scope=\"row\"><code>");
        aci_html_text(h, path);
        ACI_HTML(h, "</code></th>");
        put_side(h, &words, 0, left);
        put_side(h, &words, 1, right);
        ACI_HTML(h, "</tr>\n");
        aci_words_clear(&words);
    }
    agentchat_bytes_clear(&text[0]);
    agentchat_bytes_clear(&text[1]);
    return status >= 0 ? h->status : status;
}

/* ---- how far channels had been given the history ---------------------------------------------------------------- */

static agentchat_str text_of(const aci_buf *buf)
{
    return buf->len > 0 ? aci_buf_str(buf) : (agentchat_str){NULL, 0};
}

/* As JSON; nothing when it is not known. */
static bool write_synced(const agentchat_channel_state *channel, aci_buf *out)
{
    return channel->synced == AGENTCHAT_SYNCED_UNKNOWN || aci_buf_printf(out, "%zu", channel->synced);
}

static bool write_pending(const agentchat_channel_state *channel, aci_buf *out)
{
    bool ok = channel->pending_count == 0 || aci_buf_printf(out, "[%zu", channel->pending[0]);

    for (size_t i = 1; ok && i < channel->pending_count; i++)
        ok = aci_buf_printf(out, ",%zu", channel->pending[i]);
    return ok && (channel->pending_count == 0 || aci_buf_printf(out, "]"));
}

/* One of its properties on both sides, if they differ. */
static void put_property(outside *o, const agentchat_channel_state *const side[2], size_t index, const char *name,
                         bool (*write)(const agentchat_channel_state *channel, aci_buf *out))
{
    aci_buf path, text[2];
    aci_html *h = &o->page->html;
    agentchat_status status = AGENTCHAT_OK;
    bool ok;

    if (h->status < 0)
        return;
    aci_buf_init(&path, o->page->env, SIZE_MAX);
    for (int i = 0; i < 2; i++)
        aci_buf_init(&text[i], o->page->env, SIZE_MAX);
    ok = aci_buf_printf(&path, "/channels/%zu/%s", index, name) && write(side[0], &text[0]) && write(side[1], &text[1]);
    if (!ok)
        status = aci_fail_nomem(h->err);
    else if (!agentchat_str_equal(text_of(&text[0]), text_of(&text[1])))
        status = put_difference(o, aci_buf_str(&path), text_of(&text[0]), text_of(&text[1]), h->err);
    if (status < 0 && h->status >= 0)
        h->status = status;
    aci_buf_clear(&path);
    for (int i = 0; i < 2; i++)
        aci_buf_clear(&text[i]);
}

/* Channels of one key. Where they stand is what the right side says. */
static void put_positions(outside *o, const agentchat_snapshot *before, const agentchat_snapshot *after)
{
    aci_html *h = &o->page->html;
    aci_index keys = {.cap = 0}, firsts = {.cap = 0};
    bool ok = true;

    for (size_t i = 0; ok && i < before->channel_count; i++)
        ok = aci_index_add(&keys, o->page->env, before->channels[i].key, i);
    for (size_t i = 0; ok && i < after->channel_count; i++)
        ok = aci_index_add(&firsts, o->page->env, after->channels[i].key, i);
    if (!ok)
        aci_html_fail(h, AGENTCHAT_E_NOMEM, "out of memory");
    for (size_t i = 0; h->status >= 0 && i < after->channel_count; i++) {
        size_t found = aci_index_find(&keys, after->channels[i].key);
        const agentchat_channel_state *side[2] = {NULL, &after->channels[i]};

        if (found == ACI_INDEX_NONE || aci_index_find(&firsts, after->channels[i].key) != i)
            continue;
        side[0] = &before->channels[found];
        put_property(o, side, i, "synced", write_synced);
        put_property(o, side, i, "pending", write_pending);
    }
    aci_index_clear(&keys, o->page->env);
    aci_index_clear(&firsts, o->page->env);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

void aci_page_outside(aci_page *page, const agentchat_snapshot *before, const agentchat_snapshot *after, bool is_open)
{
    outside o = {page, 0, is_open};
    aci_html *h = &page->html;
    agentchat_status status;
    bool equal;

    if (h->status < 0)
        return;
    status = agentchat_snapshot_diff(before, after, put_difference, &o, &equal, h->err);
    if (status < 0)
        h->status = status;
    put_positions(&o, before, after);
    if (o.count > 0)
        ACI_HTML(h, "</tbody></table></div></details>\n");
    else
        ACI_HTML(h, "<p class=\"none\">no difference outside the history</p>\n");
}
