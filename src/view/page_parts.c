/* SPDX-License-Identifier: Apache-2.0 */
/* Small parts of a page. */
#include "view/page.h"

#include "base/calendar.h"
#include "view/json_text.h"
#include "view/markdown.h"
#include <stdio.h>
#include <string.h>

enum { LONG_TEXT = 300 };

bool aci_page_has(agentchat_str text)
{
    return text.ptr != NULL && !agentchat_str_is_null(text);
}

static void put_c(aci_html *h, const char *text)
{
    aci_html_raw(h, text, strlen(text));
}

void aci_page_count(aci_page *page, size_t count, const char *singular)
{
    aci_html_u64(&page->html, count);
    ACI_HTML(&page->html, " ");
    put_c(&page->html, singular);
    if (count != 1)
        ACI_HTML(&page->html, "s");
}

bool aci_page_fits(aci_page *page, size_t len)
{
    if (!page->is_kept || len <= ACI_LONGEST_KEPT)
        return true;
    ACI_HTML(&page->html, "<p class=\"none\">");
    aci_page_count(page, len, "byte");
    ACI_HTML(&page->html, ", left out here</p>");
    return false;
}

const char *aci_page_time(int64_t time_us, char text[ACI_PAGE_TIME_SIZE])
{
    char date[ACI_CALENDAR_SIZE];

    if (aci_calendar_print(time_us / 1000000 - (time_us % 1000000 < 0), date))
        (void)snprintf(text, ACI_PAGE_TIME_SIZE, "%.10s %s UTC", date, date + 11);
    else
        (void)snprintf(text, ACI_PAGE_TIME_SIZE, "not known");
    return text;
}

void aci_page_text(aci_page *page, agentchat_str text)
{
    aci_html *h = &page->html;

    if (!aci_page_has(text) || text.len == 0) {
        ACI_HTML(h, "<p class=\"none\">no text</p>");
        return;
    }
    if (aci_markdown_is_needed(text) && aci_markdown(h, text)) {
        ACI_HTML(h, "<pre class=\"raw\" dir=\"auto\">\n");
        aci_html_text(h, text);
        ACI_HTML(h, "</pre>");
        return;
    }
    ACI_HTML(h, "<div class=\"plain\" dir=\"auto\">");
    aci_html_text(h, text);
    ACI_HTML(h, "</div>");
}

static void put_string_text(aci_page *page, agentchat_str json)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<pre class=\"string\" dir=\"auto\">\n");
    aci_view_json_string(h, json);
    ACI_HTML(h, "</pre>");
}

void aci_page_value(aci_page *page, const char *label, agentchat_str json)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<p class=\"label\">");
    put_c(h, label);
    ACI_HTML(h, "</p>");
    if (!aci_page_has(json)) {
        ACI_HTML(h, "<p class=\"none\">");
        put_c(h, json.ptr != NULL ? "null" : "none");
        ACI_HTML(h, "</p>");
    } else if (json.len > 0 && json.ptr[0] == '"') {
        put_string_text(page, json);
    } else {
        ACI_HTML(h, "<pre class=\"json\">\n");
        aci_view_json(h, json);
        ACI_HTML(h, "</pre>");
    }
}

void aci_page_fact(aci_page *page, const char *name, agentchat_str text)
{
    aci_html *h = &page->html;

    if (text.ptr == NULL)
        return;
    ACI_HTML(h, "<dt>");
    put_c(h, name);
    ACI_HTML(h, "</dt><dd>");
    aci_html_text(h, aci_page_has(text) ? text : AGENTCHAT_STR("null"));
    ACI_HTML(h, "</dd>");
}

void aci_page_copyable(aci_page *page, const char *what, agentchat_str text)
{
    aci_html *h = &page->html;
    bool is_long = text.len > LONG_TEXT;

    if (is_long) {
        ACI_HTML(h, "<details class=\"copyable\"><summary>");
        put_c(h, what);
        ACI_HTML(h, ", ");
        aci_page_count(page, text.len, "byte");
        ACI_HTML(h, "</summary>");
    } else {
        ACI_HTML(h, "<span class=\"copyable\">");
    }
    ACI_HTML(h, "<code>");
    aci_html_text(h, text);
    ACI_HTML(h, "</code> <button type=\"button\" class=\"copy\" hidden>Copy</button>");
    if (is_long)
        ACI_HTML(h, "</details>");
    else
        ACI_HTML(h, "</span>");
}

static void put_detail(aci_page *page, const aci_detail *detail)
{
    aci_html *h = &page->html;

    if (detail->value.ptr == NULL)
        return;
    if (detail->is_json || !aci_page_has(detail->value)) {
        aci_page_value(page, detail->name, detail->value);
        return;
    }
    ACI_HTML(h, "<p class=\"label\">");
    put_c(h, detail->name);
    ACI_HTML(h, "</p><pre class=\"string\" dir=\"auto\">\n");
    aci_html_text(h, detail->value);
    ACI_HTML(h, "</pre>");
}

void aci_page_more(aci_page *page, const aci_detail *details, size_t count, const aci_extras *extras)
{
    aci_html *h = &page->html;
    size_t extra_count = extras != NULL ? extras->count : 0;
    bool any = extra_count > 0;

    for (size_t i = 0; i < count; i++)
        any = any || details[i].value.ptr != NULL;
    if (!any)
        return;
    ACI_HTML(h, "<details class=\"more\"><summary>more</summary>");
    for (size_t i = 0; i < count; i++)
        put_detail(page, &details[i]);
    for (size_t i = 0; i < extra_count; i++) {
        ACI_HTML(h, "<p class=\"label\">");
        aci_html_text(h, extras->list[i].name);
        ACI_HTML(h, "</p><pre class=\"json\">\n");
        aci_view_json(h, extras->list[i].value);
        ACI_HTML(h, "</pre>");
    }
    ACI_HTML(h, "</details>");
}
