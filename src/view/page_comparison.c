/* SPDX-License-Identifier: Apache-2.0 */
/* Two chats on one page, side by side. */
#include "view/page.h"

#include "base/error.h"
#include "base/utf8.h"
#include "io/stream.h"
#include "view/compare_rows.h"
#include "view/message_text.h"
#include "view/words.h"
#include <string.h>

typedef struct comparison {
    aci_page *page;
    const agentchat_snapshot *side[2];
    agentchat_calls *calls[2];
    bool *elsewhere; /* messages on the left that stand on the right side only, as equal ones do */
    aci_compare_rows rows;
} comparison;

/* ---- rows ------------------------------------------------------------------------------------------------------ */

static const char *const prefixes[2] = {"l", "r"};

static const agentchat_message *message_of(const comparison *c, int side, size_t index)
{
    return agentchat_messages_at(&c->side[side]->history, index);
}

/* The position, among a side's calls and results, of the first one in a message or after it. */
static size_t first_call(const agentchat_calls *calls, size_t message)
{
    size_t low = 0, high = agentchat_calls_count(calls);

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (agentchat_calls_at(calls, middle)->message < message)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void put_message(comparison *c, int side, size_t index)
{
    aci_listing listing = {prefixes[side], c->calls[side], first_call(c->calls[side], index),
                           side == 0 ? c->elsewhere : NULL};

    aci_page_message(c->page, &listing, message_of(c, side, index), index, SIZE_MAX);
}

static void put_number(aci_html *h, int side, size_t index)
{
    ACI_HTML(h, "<a href=\"#");
    aci_html_raw(h, prefixes[side], 1);
    aci_html_u64(h, index);
    ACI_HTML(h, "\">");
    aci_html_u64(h, index);
    ACI_HTML(h, "</a>");
}

static void put_compared(comparison *c, int side, size_t index, const aci_words *words)
{
    aci_html *h = &c->page->html;

    aci_page_message_begin(c->page, prefixes[side], message_of(c, side, index), index, SIZE_MAX);
    ACI_HTML(h, "<pre class=\"compared\" dir=\"auto\">\n");
    aci_words_put(h, words, side);
    ACI_HTML(h, "</pre></article>\n");
}

static void put_changed(comparison *c, const aci_row *row)
{
    aci_html *h = &c->page->html;
    const size_t index[2] = {row->left, row->right};
    agentchat_bytes text[2] = {AGENTCHAT_BYTES_INIT, AGENTCHAT_BYTES_INIT};
    agentchat_status status = AGENTCHAT_OK;
    aci_words words;

    for (int side = 0; status >= 0 && side < 2; side++)
        status = aci_message_text(message_of(c, side, index[side]), c->page->env, &text[side], h->err);
    if (status >= 0 && aci_words_compare(&words, c->page->env, aci_text_of(&text[0]), aci_text_of(&text[1]))) {
        for (int side = 0; side < 2; side++)
            put_compared(c, side, index[side], &words);
        aci_words_clear(&words);
    } else {
        aci_html_fail(h, status < 0 ? status : AGENTCHAT_E_NOMEM, "out of memory");
    }
    for (int side = 0; side < 2; side++)
        agentchat_bytes_clear(&text[side]);
}

static void put_absent(aci_html *h, const char *what)
{
    ACI_HTML(h, "<p class=\"absent\">");
    aci_html_raw(h, what, strlen(what));
    ACI_HTML(h, "</p>\n");
}

static void put_moved(aci_html *h, const char *what, int side, size_t index)
{
    ACI_HTML(h, "<p class=\"absent\">");
    aci_html_raw(h, what, strlen(what));
    ACI_HTML(h, " ");
    put_number(h, side, index);
    ACI_HTML(h, "</p>\n");
}

/* A row that is not the same on both sides. */
static void put_difference(comparison *c, const aci_row *row)
{
    static const char *const classes[] = {"same", "changed", "removed", "added", "moved", "moved"};
    aci_html *h = &c->page->html;

    ACI_HTML(h, "<div class=\"pair ");
    aci_html_raw(h, classes[row->kind], strlen(classes[row->kind]));
    ACI_HTML(h, "\">\n");
    if (row->kind == ACI_ROW_CHANGED) {
        put_changed(c, row);
    } else if (row->kind == ACI_ROW_REMOVED) {
        put_message(c, 0, row->left);
        put_absent(h, "removed");
    } else if (row->kind == ACI_ROW_MOVED_AWAY) {
        put_message(c, 0, row->left);
        put_moved(h, "moved to", 1, row->right);
    } else if (row->kind == ACI_ROW_MOVED_HERE) {
        put_moved(h, "moved from", 0, row->left);
        put_message(c, 1, row->right);
    } else {
        put_absent(h, "added");
        put_message(c, 1, row->right);
    }
    ACI_HTML(h, "</div>\n");
}

/* Rows that are the same, from `from` to `to`, folded. */
static void put_same(comparison *c, size_t from, size_t to)
{
    aci_html *h = &c->page->html;

    ACI_HTML(h, "<details class=\"same\"><summary>");
    aci_page_count(c->page, to - from, "equal message");
    ACI_HTML(h, "</summary>\n");
    for (size_t i = from; h->status >= 0 && i < to; i++)
        put_message(c, 1, c->rows.list[i].right);
    ACI_HTML(h, "</details>\n");
}

static void put_rows(comparison *c)
{
    aci_html *h = &c->page->html;

    ACI_HTML(h, "<main id=\"conversation\" class=\"comparison\" aria-label=\"comparison\">\n");
    for (size_t i = 0; h->status >= 0 && i < c->rows.count;) {
        size_t end = i;

        while (end < c->rows.count && c->rows.list[end].kind == ACI_ROW_SAME)
            end++;
        if (end > i)
            put_same(c, i, end);
        else
            put_difference(c, &c->rows.list[end++]);
        i = end;
    }
    ACI_HTML(h, "</main>\n");
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static void put_summary(comparison *c)
{
    static const struct {
        aci_row_kind kind;
        const char *name;
    } kinds[] = {{ACI_ROW_SAME, "equal"},
                 {ACI_ROW_CHANGED, "changed"},
                 {ACI_ROW_ADDED, "added"},
                 {ACI_ROW_REMOVED, "removed"},
                 {ACI_ROW_MOVED_AWAY, "moved"}};
    aci_html *h = &c->page->html;

    ACI_HTML(h, "<dl class=\"facts\">");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ACI_HTML(h, "<dt>");
        aci_html_raw(h, kinds[i].name, strlen(kinds[i].name));
        ACI_HTML(h, "</dt><dd>");
        aci_page_count(c->page, aci_compare_rows_count(&c->rows, kinds[i].kind), "message");
        ACI_HTML(h, "</dd>");
    }
    ACI_HTML(h, "</dl>\n");
}

static void put_page(comparison *c, agentchat_str title)
{
    static const char *const names[] = {"before", "after"};
    aci_html *h = &c->page->html;

    aci_page_begin(c->page, title, ACI_PAGE_OF_COMPARISON);
    ACI_HTML(h, "<header>\n<h1 dir=\"auto\">");
    aci_html_text(h, title);
    ACI_HTML(h, "</h1>\n<div class=\"sides\">");
    for (int side = 0; side < 2; side++) {
        ACI_HTML(h, "<div><p class=\"label\">");
        aci_html_raw(h, names[side], strlen(names[side]));
        ACI_HTML(h, "</p>");
        aci_page_facts(c->page, c->side[side]);
        ACI_HTML(h, "</div>");
    }
    ACI_HTML(h, "</div>\n");
    put_summary(c);
    aci_page_outside(c->page, c->side[0], c->side[1], aci_compare_rows_count(&c->rows, ACI_ROW_SAME) == c->rows.count);
    ACI_HTML(h, "</header>\n");
    put_rows(c);
    aci_page_end(c->page);
}

static bool find_elsewhere(comparison *c)
{
    c->elsewhere = aci_alloc_zero(c->page->env, agentchat_messages_count(&c->side[0]->history) + 1);
    if (c->elsewhere == NULL)
        return false;
    for (size_t i = 0; i < c->rows.count; i++)
        if (c->rows.list[i].kind == ACI_ROW_SAME)
            c->elsewhere[c->rows.list[i].left] = true;
    return true;
}

static bool prepare(comparison *c)
{
    const agentchat_env *env = c->page->env;

    for (int side = 0; side < 2; side++)
        if (agentchat_calls_find(env, &c->side[side]->history, &c->calls[side], NULL) < 0)
            return false;
    return find_elsewhere(c) && aci_authors_add(&c->page->authors, c->side[1]) &&
           aci_authors_add(&c->page->authors, c->side[0]);
}

static agentchat_status write_page(comparison *c, agentchat_sink *sink, agentchat_str title, agentchat_error *err)
{
    aci_page *page = c->page;
    agentchat_status status =
        aci_compare_rows_make(&c->rows, page->env, &c->side[0]->history, &c->side[1]->history, err);

    if (status < 0)
        return status;
    if (!prepare(c)) {
        status = aci_fail_nomem(err);
    } else if ((status = aci_html_begin(&page->html, page->env, sink, err)) >= 0) {
        put_page(c, title);
        status = aci_html_end(&page->html);
    }
    aci_authors_clear(&page->authors);
    aci_free(page->env, c->elsewhere, agentchat_messages_count(&c->side[0]->history) + 1);
    for (int side = 0; side < 2; side++)
        agentchat_calls_free(c->calls[side]);
    aci_compare_rows_clear(&c->rows);
    return status;
}

agentchat_status agentchat_snapshot_write_html_diff(const agentchat_snapshot *before, const agentchat_snapshot *after,
                                                    agentchat_sink *sink, const agentchat_html_options *options,
                                                    agentchat_error *err)
{
    agentchat_html_options given;
    agentchat_status status;
    aci_page page = {.mark = ""};
    comparison c = {.page = &page, .side = {before, after}};

    agentchat_error_clear(err);
    if (before == NULL || after == NULL || sink == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "two snapshots and a sink are required");
    status = aci_env_options_load(&given, sizeof given, options, err);
    if (status >= 0 && !aci_utf8_is_valid(given.title, false))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the title is not UTF-8");
    if (status < 0)
        return status;
    page.env = after->env;
    page.no_media = given.no_media;
    page.authors.env = page.env;
    status = write_page(&c, sink, aci_page_title(given.title, "Comparison"), err);
    return status >= 0 ? aci_sink_commit(sink, err) : status;
}
