/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot as a web page. */
#include "view/page.h"

#include "base/error.h"
#include "base/utf8.h"
#include "io/stream.h"

static void put_page(aci_page *page, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                     const agentchat_html_options *options, size_t chosen)
{
    agentchat_str title = aci_page_title(options->title, "Chat");

    aci_page_begin(page, title, ACI_PAGE_OF_CHAT);
    aci_page_overview(page, snapshot, views, title, options->report);
    aci_page_tools(page, snapshot, views, chosen);
    aci_page_conversation(page, snapshot, views);
    aci_page_end(page);
}

static agentchat_status write_page(const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                   const agentchat_html_options *options, size_t chosen, agentchat_error *err)
{
    aci_page page = {.env = snapshot->env, .authors.env = snapshot->env, .no_media = options->no_media, .mark = ""};
    aci_channel_views views;
    agentchat_status status = aci_channel_views_make(&views, snapshot, err);

    if (status < 0)
        return status;
    if (!aci_authors_add(&page.authors, snapshot)) {
        status = aci_fail_nomem(err);
    } else if ((status = aci_html_begin(&page.html, page.env, sink, err)) >= 0) {
        put_page(&page, snapshot, &views, options, chosen);
        status = aci_html_end(&page.html);
    }
    aci_authors_clear(&page.authors);
    aci_channel_views_clear(&views);
    return status;
}

void agentchat_html_options_init(agentchat_html_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status agentchat_snapshot_write_html(const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                               const agentchat_html_options *options, agentchat_error *err)
{
    agentchat_html_options given;
    agentchat_status status;
    size_t chosen;

    agentchat_error_clear(err);
    if (snapshot == NULL || sink == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "snapshot and sink are required");
    status = aci_env_options_load(&given, sizeof given, options, err);
    if (status >= 0 && !aci_utf8_is_valid(given.title, false))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the title is not UTF-8");
    if (status >= 0)
        status = aci_page_find_channel(snapshot, given.channel, &chosen, err);
    if (status >= 0)
        status = write_page(snapshot, sink, &given, chosen, err);
    if (status >= 0)
        status = aci_sink_commit(sink, err);
    return status;
}
