/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader works with: search, filters, and the choice of the view. */
#include "view/page.h"

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

/* The last part of a name with dots: ChatHistoryChannel. */
static agentchat_str last_part(agentchat_str type)
{
    size_t from = type.len;

    while (from > 0 && type.ptr[from - 1] != '.')
        from--;
    return from < type.len ? (agentchat_str){type.ptr + from, type.len - from} : type;
}

static void put_channel(aci_html *h, const agentchat_channel_state *channel, const aci_channel_view *view, size_t index,
                        bool is_chosen)
{
    ACI_HTML(h, "<option value=\"");
    aci_html_u64(h, index);
    ACI_HTML(h, "\"");
    aci_page_runs(h, view);
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

static void put_views(aci_html *h, const agentchat_snapshot *snapshot, const aci_channel_views *views, size_t chosen)
{
    if (snapshot->channel_count == 0)
        return;
    ACI_HTML(h, "<label class=\"js\">As seen by <select id=\"view\"><option value=\"\">you: the whole chat</option>");
    for (size_t i = 0; h->status >= 0 && i < snapshot->channel_count; i++)
        put_channel(h, &snapshot->channels[i], &views->list[i], i, i == chosen);
    ACI_HTML(h, "</select></label>\n");
}

void aci_page_tools(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views, size_t chosen)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<nav id=\"tools\" aria-label=\"find and filter\">\n<label class=\"js\">Search "
                "<input type=\"search\" id=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\n"
                "<output id=\"hits\" class=\"js\" for=\"search author kind\" aria-live=\"polite\"></output>\n");
    put_authors(page);
    put_kinds(h);
    put_views(h, snapshot, views, chosen);
    ACI_HTML(h, "<label><input type=\"checkbox\" id=\"raw\"> text as it stands</label>\n"
                "<p id=\"seen\" class=\"js\" hidden></p>\n</nav>\n");
}
