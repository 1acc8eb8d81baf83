/* SPDX-License-Identifier: Apache-2.0 */
/* The checkpoints of a thread as a tree. A row leads to its chat where the page's script runs. */
#include "view/page.h"

#include "base/error.h"
#include "base/index.h"
#include "view/tree_lanes.h"
#include <stdio.h>
#include <string.h>

enum { LONGEST_END = 8 /* of an id, in bytes */, MINUTES = 16 /* of a time, in characters */ };

static const char *class_of(const aci_tree_lanes *t, aci_lane lane)
{
    switch (lane) {
    case ACI_LANE_EMPTY:
        break;
    case ACI_LANE_LINE:
        return "line";
    case ACI_LANE_DOT:
        return t->comes_down && t->goes_down ? "dot up down"
               : t->comes_down               ? "dot up"
               : t->goes_down                ? "dot down"
                                             : "dot";
    case ACI_LANE_JOINED:
        return "joined";
    case ACI_LANE_ACROSS:
        return "across";
    case ACI_LANE_CROSSED:
        return "line across";
    case ACI_LANE_TURN:
        return "turn across";
    case ACI_LANE_END:
        return "turn";
    }
    return "";
}

static void put_lanes(aci_html *h, const aci_tree_lanes *t, const char *begin)
{
    aci_html_raw(h, begin, strlen(begin));
    for (size_t i = 0; i < t->width; i++) {
        const char *name = class_of(t, t->row[i]);

        ACI_HTML(h, "<span class=\"");
        aci_html_raw(h, name, strlen(name));
        ACI_HTML(h, "\"></span>");
    }
    ACI_HTML(h, "</span>");
}

/* The end of an id, which is where ids of one maker differ. */
static void put_end(aci_html *h, const char *id)
{
    size_t len = strlen(id), from = len > LONGEST_END ? len - LONGEST_END : 0;

    while (from < len && ((unsigned char)id[from] & 0xC0) == 0x80) /* not inside a character */
        from++;
    ACI_HTML(h, "<code><bdi>");
    if (from > 0)
        ACI_HTML(h, "\xE2\x80\xA6");
    aci_html_text(h, (agentchat_str){id + from, len - from});
    ACI_HTML(h, "</bdi></code>");
}

static void put_word(aci_html *h, const char *before, const char *text)
{
    ACI_HTML(h, " <span>");
    aci_html_raw(h, before, strlen(before));
    ACI_HTML(h, "<bdi>");
    aci_html_text(h, agentchat_str_from(text));
    ACI_HTML(h, "</bdi></span>");
}

/* What made it and what it has: the small line of a row. */
static void put_about(aci_page *page, const agentchat_checkpoint_info *info, const aci_tree_lanes *t)
{
    aci_html *h = &page->html;
    char text[ACI_PAGE_TIME_SIZE];

    ACI_HTML(h, "<p class=\"about\">");
    put_end(h, info->id);
    if (info->has_step) {
        (void)snprintf(text, sizeof text, "%lld", (long long)info->step);
        put_word(h, "step ", text);
    }
    if (info->source != NULL)
        put_word(h, "", info->source);
    if (info->run != NULL)
        put_word(h, "run ", info->run);
    ACI_HTML(h, " <span>");
    aci_page_count(page, (size_t)info->messages, "message");
    ACI_HTML(h, "</span>");
    (void)aci_page_time(info->time_us, text);
    if (strlen(text) > MINUTES) /* the overview has all of it */
        text[MINUTES] = '\0';
    put_word(h, "", text);
    if (info->parent != NULL && info->line == info->sequence)
        ACI_HTML(h, " <span class=\"branch\">branch</span>");
    if (info->parent != NULL && !t->goes_down) {
        ACI_HTML(h, " <span>follows ");
        put_end(h, info->parent);
        ACI_HTML(h, "</span>");
    }
    ACI_HTML(h, "</p>");
}

static void put_row(aci_page *page, const agentchat_html_checkpoint *checkpoint, aci_tree_lanes *t, size_t index,
                    bool is_shown)
{
    const agentchat_checkpoint_info *info = checkpoint->info;
    aci_html *h = &page->html;

    ACI_HTML(h, "<li id=\"s");
    aci_html_u64(h, info->sequence);
    ACI_HTML(h, "\">");
    if (aci_tree_lanes_join(t, index))
        put_lanes(h, t, "<span class=\"lanes joint\">");
    aci_tree_lanes_draw(t, index);
    put_lanes(h, t, "<span class=\"lanes\">");
    ACI_HTML(h, "<div class=\"row\"><a href=\"#s");
    aci_html_u64(h, info->sequence);
    ACI_HTML(h, "\"");
    if (is_shown)
        ACI_HTML(h, " aria-current=\"true\"");
    ACI_HTML(h, "><b class=\"sequence\">");
    aci_html_u64(h, info->sequence);
    ACI_HTML(h, "</b> <bdi>");
    aci_html_text(h, aci_page_has(checkpoint->summary) ? checkpoint->summary : AGENTCHAT_STR("checkpoint"));
    ACI_HTML(h, "</bdi></a>");
    put_about(page, info, t);
    ACI_HTML(h, "</div></li>\n");
}

/* Which row each one follows. NULL: out of memory. */
static size_t *parents_of(const agentchat_env *env, const agentchat_html_thread *thread)
{
    aci_index ids = {NULL, 0, 0};
    size_t *parents = aci_alloc(env, (thread->count + 1) * sizeof *parents);
    bool ok = parents != NULL;

    for (size_t i = 0; ok && i < thread->count; i++)
        ok = aci_index_put(&ids, env, agentchat_str_from(thread->checkpoints[i].info->id), i);
    for (size_t i = 0; ok && i < thread->count; i++) {
        const char *parent = thread->checkpoints[i].info->parent;
        size_t found = parent != NULL ? aci_index_find(&ids, agentchat_str_from(parent)) : ACI_INDEX_NONE;

        parents[i] = found != ACI_INDEX_NONE && found > i ? found : ACI_TREE_NO_ROW;
    }
    aci_index_clear(&ids, env);
    if (!ok)
        aci_free(env, parents, (thread->count + 1) * sizeof *parents);
    return ok ? parents : NULL;
}

void aci_page_tree(aci_page *page, const agentchat_html_thread *thread)
{
    aci_html *h = &page->html;
    aci_tree_lanes t = {.parent = parents_of(page->env, thread)};

    ACI_HTML(h, "<nav id=\"tree\" aria-label=\"checkpoints\">\n<p class=\"label\">");
    aci_page_count(page, thread->count, "checkpoint");
    ACI_HTML(h, ", newest first</p>\n<ol>\n");
    if (t.parent == NULL)
        aci_html_fail(h, AGENTCHAT_E_NOMEM, "out of memory");
    for (size_t i = 0; h->status >= 0 && i < thread->count; i++)
        put_row(page, &thread->checkpoints[i], &t, i, i == thread->shown);
    aci_free(page->env, t.parent, (thread->count + 1) * sizeof *t.parent);
    ACI_HTML(h, "</ol>\n");
    if (thread->has_more)
        ACI_HTML(h, "<p class=\"none\">the thread has others, which are not on this page</p>\n");
    if (thread->count > 1)
        ACI_HTML(h, "<p class=\"none nojs\">the chats of the others can be chosen where scripts run</p>\n");
    ACI_HTML(h, "</nav>\n");
}
