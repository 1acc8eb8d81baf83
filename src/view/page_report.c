/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a restore or a reading. */
#include "view/page.h"

#include <string.h>

/* The number of a message that a JSON Pointer leads to or into: /history/12/items/0. false: it leads elsewhere. */
static bool message_of(agentchat_str path, uint64_t *number)
{
    static const char start[] = "/history/";
    size_t at = sizeof start - 1;

    if (path.len <= at || memcmp(path.ptr, start, at) != 0)
        return false;
    *number = 0;
    for (; at < path.len && path.ptr[at] >= '0' && path.ptr[at] <= '9' && *number < UINT64_MAX / 20; at++)
        *number = *number * 10 + (uint64_t)(path.ptr[at] - '0');
    return at > sizeof start - 1 && (at == path.len || path.ptr[at] == '/');
}

static void put_entry(aci_html *h, const agentchat_report_entry *entry)
{
    const char *kind = agentchat_report_kind_name(entry->kind);
    uint64_t message;

    ACI_HTML(h, "<tr><td>");
    aci_html_raw(h, kind, strlen(kind));
    ACI_HTML(h, "</td><td><code>");
    if (message_of(entry->path, &message)) {
        ACI_HTML(h, "<a href=\"#m");
        aci_html_u64(h, message);
        ACI_HTML(h, "\">");
        aci_html_text(h, entry->path);
        ACI_HTML(h, "</a>");
    } else {
        aci_html_text(h, entry->path);
    }
    ACI_HTML(h, "</code></td><td>");
    aci_html_text(h, entry->text);
    if (aci_page_has(entry->key)) {
        ACI_HTML(h, " <code class=\"key\">");
        aci_html_text(h, entry->key);
        ACI_HTML(h, "</code>");
    }
    ACI_HTML(h, "</td></tr>\n");
}

void aci_page_report(aci_page *page, const agentchat_report *report)
{
    size_t count = agentchat_report_count(report), losses = agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS);
    aci_html *h = &page->html;

    if (report != NULL && count == 0)
        ACI_HTML(h, "<p class=\"none\">report: no remarks</p>\n");
    if (count == 0)
        return;
    ACI_HTML(h, "<details class=\"report\" open><summary>report: ");
    aci_page_count(page, count, "remark");
    ACI_HTML(h, " (");
    if (losses > 0)
        aci_html_u64(h, losses);
    else
        ACI_HTML(h, "no");
    if (losses > 1)
        ACI_HTML(h, " losses)");
    else
        ACI_HTML(h, " loss)");
    ACI_HTML(h, "</summary><div class=\"table\"><table><thead><tr><th scope=\"col\">kind</th><th scope=\"col\">where"
                "</th><th scope=\"col\">what</th></tr></thead><tbody>\n");
    for (size_t i = 0; h->status >= 0 && i < count; i++)
        put_entry(h, agentchat_report_at(report, i));
    ACI_HTML(h, "</tbody></table></div></details>\n");
}
