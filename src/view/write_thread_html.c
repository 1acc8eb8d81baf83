/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread as a web page: the tree, the chat of one checkpoint as the page of a chat has it, and the others in
 * templates, which a browser keeps and does not show. What stands in a template are the messages that did not stand on
 * the page before. The others come oldest first, so that what follows one another in a chat does so on the page.
 */
#include "view/page.h"

#include "base/error.h"
#include "base/utf8.h"
#include "io/stream.h"
#include <stdio.h>

typedef struct job {
    const agentchat_html_thread *thread;
    const agentchat_html_options *options;
    agentchat_sink *sink;
    agentchat_str title;
    agentchat_error *err;
} job;

/* ---- what was given -------------------------------------------------------------------------------------------- */

static bool is_text(const char *text)
{
    return text == NULL || aci_utf8_is_valid(agentchat_str_from(text), false);
}

static agentchat_status check_checkpoint(const agentchat_html_checkpoint *checkpoint, agentchat_error *err)
{
    const agentchat_checkpoint_info *info = checkpoint->info;

    if (info == NULL || info->id == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "a checkpoint needs what is known of it, and its id");
    if (!is_text(info->id) || !is_text(info->parent) || !is_text(info->source) || !is_text(info->run) ||
        !aci_utf8_is_valid(checkpoint->summary, true))
        return aci_fail(err, AGENTCHAT_E_INVALID, "a text of checkpoint %llu is not UTF-8",
                        (unsigned long long)info->sequence);
    return AGENTCHAT_OK;
}

static agentchat_status check(const agentchat_html_thread *thread, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (thread->checkpoints == NULL || thread->count == 0 || thread->snapshot == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "checkpoints, and what gets their chats, are required");
    if (thread->shown >= thread->count)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the checkpoint that is shown must be one of the page's");
    for (size_t i = 0; status >= 0 && i < thread->count; i++) {
        status = check_checkpoint(&thread->checkpoints[i], err);
        if (status >= 0 && i > 0 && thread->checkpoints[i].info->sequence >= thread->checkpoints[i - 1].info->sequence)
            status = aci_fail(err, AGENTCHAT_E_INVALID, "the checkpoints must stand newest first");
    }
    return status;
}

static agentchat_status get(const job *j, size_t index, agentchat_snapshot **out)
{
    agentchat_error local;
    agentchat_error *err = j->err;
    agentchat_status status;

    agentchat_error_clear(&local);
    if (err == NULL)
        err = &local;
    *out = NULL;
    agentchat_error_clear(err);
    status = j->thread->snapshot(j->thread->user, index, out, err);
    if (status >= 0 && *out == NULL)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the function that gets a checkpoint's chat gave none");
    return status;
}

/* ---- the chats ------------------------------------------------------------------------------------------------- */

static void put_authors(aci_page *page, size_t from)
{
    aci_html *h = &page->html;

    ACI_HTML(h, "<select class=\"authors\">");
    for (size_t i = from; h->status >= 0 && i < page->authors.count; i++) {
        ACI_HTML(h, "<option value=\"");
        aci_html_u64(h, i);
        ACI_HTML(h, "\">");
        aci_html_value(h, page->authors.names[i]);
        ACI_HTML(h, "</option>");
    }
    ACI_HTML(h, "</select>\n");
}

static void put_shown(aci_page *page, const job *j, const agentchat_snapshot *snapshot, const aci_channel_views *views,
                      size_t chosen)
{
    const agentchat_checkpoint_info *info = j->thread->checkpoints[j->thread->shown].info;
    aci_html *h = &page->html;

    ACI_HTML(h, "<div id=\"chat\" data-shown=\"");
    aci_html_u64(h, info->sequence);
    ACI_HTML(h, "\">\n<section id=\"overview\" aria-label=\"the checkpoint\">\n");
    aci_page_checkpoint(page, info, snapshot, views, "m");
    ACI_HTML(h, "</section>\n");
    aci_page_tools(page, snapshot, views, chosen);
    aci_page_conversation(page, snapshot, views);
    ACI_HTML(h, "</div>\n");
}

static void put_kept(aci_page *page, const job *j, size_t index, const agentchat_snapshot *snapshot,
                     const aci_channel_views *views)
{
    const agentchat_checkpoint_info *info = j->thread->checkpoints[index].info;
    size_t known = page->authors.count;
    aci_html *h = &page->html;
    char mark[32];

    if (!aci_authors_add(&page->authors, snapshot)) {
        aci_html_fail(h, AGENTCHAT_E_NOMEM, "out of memory");
        return;
    }
    (void)snprintf(mark, sizeof mark, "s%llu-", (unsigned long long)info->sequence);
    page->mark = mark;
    page->is_kept = true;
    ACI_HTML(h, "<template class=\"checkpoint\" data-sequence=\"");
    aci_html_u64(h, info->sequence);
    ACI_HTML(h, "\">\n<div class=\"overview\">\n");
    aci_page_checkpoint(page, info, snapshot, views, "");
    ACI_HTML(h, "</div>\n<select class=\"views\">");
    aci_page_view_options(page, snapshot, views, SIZE_MAX);
    ACI_HTML(h, "</select>\n");
    if (page->authors.count > known)
        put_authors(page, known);
    ACI_HTML(h, "<div class=\"conversation\">\n");
    aci_page_kept_conversation(page, snapshot, views);
    ACI_HTML(h, "</div>\n</template>\n");
}

static agentchat_status put_another(aci_page *page, const job *j, size_t index)
{
    agentchat_snapshot *snapshot = NULL;
    aci_channel_views views;
    agentchat_status status = get(j, index, &snapshot);

    if (status >= 0)
        status = aci_channel_views_make(&views, snapshot, j->err);
    if (status >= 0) {
        put_kept(page, j, index, snapshot, &views);
        status = page->html.status;
        aci_channel_views_clear(&views);
    }
    agentchat_snapshot_unref(snapshot);
    return status;
}

static agentchat_status put_page(aci_page *page, const job *j, const agentchat_snapshot *snapshot,
                                 const aci_channel_views *views, size_t chosen)
{
    agentchat_status status;
    aci_html *h = &page->html;

    aci_page_begin(page, j->title, ACI_PAGE_OF_THREAD);
    ACI_HTML(h, "<header>\n<h1 dir=\"auto\">");
    aci_html_text(h, j->title);
    ACI_HTML(h, "</h1>\n</header>\n");
    aci_page_tree(page, j->thread);
    put_shown(page, j, snapshot, views, chosen);
    status = h->status;
    for (size_t i = j->thread->count; status >= 0 && i-- > 0;) {
        if (i != j->thread->shown)
            status = put_another(page, j, i);
    }
    aci_page_end(page);
    return status < 0 ? status : h->status;
}

static agentchat_status write_page(const job *j, const agentchat_snapshot *snapshot)
{
    aci_message_pool pool = {.env = snapshot->env};
    aci_page page = {.env = snapshot->env,
                     .authors = {.env = snapshot->env, .copies = true},
                     .no_media = j->options->no_media,
                     .pool = &pool,
                     .mark = ""};
    aci_channel_views views;
    size_t chosen;
    agentchat_status ended, status = aci_page_find_channel(snapshot, j->options->channel, &chosen, j->err);

    if (status >= 0)
        status = aci_channel_views_make(&views, snapshot, j->err);
    if (status < 0)
        return status;
    if (!aci_authors_add(&page.authors, snapshot)) {
        status = aci_fail_nomem(j->err);
    } else if ((status = aci_html_begin(&page.html, page.env, j->sink, j->err)) >= 0) {
        status = put_page(&page, j, snapshot, &views, chosen);
        ended = aci_html_end(&page.html);
        status = status < 0 ? status : ended;
    }
    aci_authors_clear(&page.authors);
    aci_message_pool_clear(&pool);
    aci_channel_views_clear(&views);
    return status;
}

/* ---- the public calls ------------------------------------------------------------------------------------------ */

void agentchat_html_thread_init(agentchat_html_thread *thread, size_t size)
{
    aci_env_options_init(thread, size);
}

agentchat_status agentchat_thread_write_html(const agentchat_html_thread *thread, agentchat_sink *sink,
                                             const agentchat_html_options *options, agentchat_error *err)
{
    agentchat_html_thread what;
    agentchat_html_options given;
    agentchat_snapshot *snapshot = NULL;
    job j = {.thread = &what, .options = &given, .sink = sink, .err = err};
    agentchat_status status;

    agentchat_error_clear(err);
    if (thread == NULL || sink == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "thread and sink are required");
    status = aci_env_options_load(&what, sizeof what, thread, err);
    if (status >= 0)
        status = aci_env_options_load(&given, sizeof given, options, err);
    if (status >= 0 && !aci_utf8_is_valid(given.title, false))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the title is not UTF-8");
    if (status >= 0)
        status = check(&what, err);
    if (status >= 0)
        status = get(&j, what.shown, &snapshot);
    if (status >= 0) {
        j.title = aci_page_title(given.title, "Thread");
        status = write_page(&j, snapshot);
    }
    agentchat_snapshot_unref(snapshot);
    return status >= 0 ? aci_sink_commit(sink, err) : status;
}
