/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader works with: search, filters, and the choice of the view. */
#include "view/page.h"

#include "base/error.h"

agentchat_status aci_page_find_channel(const agentchat_snapshot *snapshot, agentchat_str key, size_t *chosen,
                                       agentchat_error *err)
{
    aci_excerpt excerpt;

    *chosen = SIZE_MAX;
    if (key.ptr == NULL)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < snapshot->channel_count; i++) {
        if (agentchat_str_equal(snapshot->channels[i].key, key)) {
            *chosen = i;
            return AGENTCHAT_OK;
        }
    }
    return aci_fail(err, AGENTCHAT_E_NOTFOUND, "there is no channel \"%s\"", aci_error_excerpt(key, &excerpt));
}

static void put_authors(aci_page *page)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<label class=\"js\">Author <select id=\"author\"><option value=\"\">everybody</option>");
    for (size_t i = 0; h->status >= 0 && i < page->authors.count; i++) {
        ACI_HTML(h, "<option value=\"");
        aci_html_u64(h, i);
        ACI_HTML(h, "\">");
        aci_html_value(h, page->authors.names[i]);
        ACI_HTML(h, "</option>");
    }
    ACI_HTML(h, "</select></label>\n");
}

static void put_kinds(aci_html *h)
{
    ACI_HTML(h, "<label class=\"js\">Kind <select id=\"kind\"><option value=\"\">every kind</option>"
                "<option value=\"text\">text</option><option value=\"call\">calls and results</option>"
                "<option value=\"media\">images, sounds, data</option><option value=\"reasoning\">reasoning</option>"
                "<option value=\"file\">files and annotations</option><option value=\"message\">messages inside"
                "</option><option value=\"other\">other</option></select></label>\n");
}

void aci_page_runs(aci_html *h, const aci_channel_view *view)
{
    ACI_HTML(h, " data-runs=\"");
    for (size_t i = 0; h->status >= 0 && i < view->run_count; i++) {
        char letter = (char)view->runs[i].standing;

        aci_html_raw(h, &letter, 1);
        aci_html_u64(h, view->runs[i].count);
    }
    ACI_HTML(h, "\"");
}

bool aci_page_has_runs(const aci_page *page, const aci_channel_view *view)
{
    return !page->is_kept || view->run_count <= ACI_MOST_KEPT_RUNS;
}

/* The last part of a name with dots: ChatHistoryChannel. */
static agentchat_str last_part(agentchat_str type)
{
    size_t from = type.len;

    while (from > 0 && type.ptr[from - 1] != '.')
        from--;
    return from < type.len ? (agentchat_str){type.ptr + from, type.len - from} : type;
}

static void put_channel(aci_page *page, const agentchat_channel_state *channel, const aci_channel_view *view,
                        size_t index, bool is_chosen)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<option value=\"");
    aci_html_u64(h, index);
    ACI_HTML(h, "\"");
    if (aci_page_has_runs(page, view))
        aci_page_runs(h, view);
    else
        ACI_HTML(h, " disabled");
    if (is_chosen)
        ACI_HTML(h, " selected");
    ACI_HTML(h, ">");
    ACI_HTML(h, "channel ");
    aci_html_u64(h, index);
    if (aci_page_has(channel->type)) {
        ACI_HTML(h, ": ");
        aci_html_value(h, last_part(channel->type));
    }
    ACI_HTML(h, "</option>");
}

void aci_page_view_options(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                           size_t chosen)
{
    ACI_HTML(&page->html, "<option value=\"\">you: the whole chat</option>");
    for (size_t i = 0; page->html.status >= 0 && i < snapshot->channel_count; i++)
        put_channel(page, &snapshot->channels[i], &views->list[i], i, i == chosen);
}

/* On a page of many chats it is there for all of them. */
static void put_views(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views, size_t chosen)
{
    if (snapshot->channel_count == 0 && page->pool == NULL)
        return;
    ACI_HTML(&page->html, "<label class=\"js\">As seen by <select id=\"view\">");
    aci_page_view_options(page, snapshot, views, chosen);
    ACI_HTML(&page->html, "</select></label>\n");
}

void aci_page_tools(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views, size_t chosen)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<nav id=\"tools\" aria-label=\"find and filter\">\n<label class=\"js\">Search "
                "<input type=\"search\" id=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\n"
                "<output id=\"hits\" class=\"js\" for=\"search author kind\" aria-live=\"polite\"></output>\n");
    put_authors(page);
    put_kinds(h);
    put_views(page, snapshot, views, chosen);
    ACI_HTML(h, "<label><input type=\"checkbox\" id=\"raw\"> text as it stands</label>\n"
                "<p id=\"seen\" class=\"js\" hidden></p>\n</nav>\n");
}
