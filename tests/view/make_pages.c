/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the pages that the tests of this directory look at.
 *
 *     make_pages FILE PAGE [--title T] [--channel KEY] [--no-media] [--report TEXT] [--json OUT] [--seconds]
 *                          [--after FILE] [--older FILE]...
 *
 * FILE: a chat in any format. --report: a report with TEXT in each field of an entry instead of the one of reading it.
 * --json OUT: besides, what the page should show, in the format agentchat. --seconds: says how long writing took.
 * --after: the page compares FILE with this other one. --older: the page is of a thread, of which FILE is the newest
 * checkpoint, and these are the others, newest first.
 */
#include <agentchat/agentchat.h>
#include <agentchat/view.h>

#include "base/env.h"
#include "base/utf8.h"
#include "snapshot/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_CHECKPOINTS = 256 };

typedef struct wish {
    const char *file, *page, *report_text, *json, *after;
    const char *older[MOST_CHECKPOINTS];
    size_t older_count;
    agentchat_html_options html;
    bool wants_seconds;
} wish;

static bool read_wish(wish *w, int argc, char **argv)
{
    *w = (wish){.html = AGENTCHAT_HTML_OPTIONS_INIT};
    if (argc < 3)
        return false;
    w->file = argv[1];
    w->page = argv[2];
    for (int i = 3; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(argv[i], "--no-media") == 0) {
            w->html.no_media = true;
            continue;
        }
        if (strcmp(argv[i], "--seconds") == 0) {
            w->wants_seconds = true;
            continue;
        }
        if (value == NULL)
            return false;
        if (strcmp(argv[i], "--title") == 0)
            w->html.title = agentchat_str_from(value);
        else if (strcmp(argv[i], "--channel") == 0)
            w->html.channel = agentchat_str_from(value);
        else if (strcmp(argv[i], "--report") == 0)
            w->report_text = value;
        else if (strcmp(argv[i], "--json") == 0)
            w->json = value;
        else if (strcmp(argv[i], "--after") == 0)
            w->after = value;
        else if (strcmp(argv[i], "--older") == 0 && w->older_count < MOST_CHECKPOINTS - 1)
            w->older[w->older_count++] = value;
        else
            return false;
        i++;
    }
    return true;
}

static bool fill_report(agentchat_report *report, const char *text)
{
    bool ok = report != NULL;

    for (int kind = AGENTCHAT_REPORT_NOTE; ok && kind <= AGENTCHAT_REPORT_LOSS; kind++)
        ok = aci_report_add(report, (agentchat_report_kind)kind, AGENTCHAT_MATCH_NONE, agentchat_str_from(text),
                            agentchat_str_from(text), "%s", text);
    return ok;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- a thread -------------------------------------------------------------------------------------------------- */

typedef struct thread {
    const wish *wish;
    const agentchat_snapshot *newest;
    agentchat_checkpoint_info infos[MOST_CHECKPOINTS];
    agentchat_html_checkpoint checkpoints[MOST_CHECKPOINTS];
    char ids[MOST_CHECKPOINTS][16], summaries[MOST_CHECKPOINTS][128];
} thread;

static agentchat_status get_chat(void *user, size_t index, agentchat_snapshot **out, agentchat_error *err)
{
    const thread *t = user;

    if (index > 0)
        return agentchat_snapshot_read_file(NULL, t->wish->older[index - 1], NULL, out, NULL, err);
    *out = agentchat_snapshot_ref(t->newest);
    return AGENTCHAT_OK;
}

/* What a checkpoint's row says: the number of messages, and the first text of the last one. */
static agentchat_status summarize(thread *t, size_t index, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status = get_chat(t, index, &snapshot, err);
    const agentchat_messages *history = agentchat_snapshot_history(snapshot);
    size_t count = agentchat_messages_count(history);
    const agentchat_message *last = count > 0 ? agentchat_messages_at(history, count - 1) : NULL;
    agentchat_str text = {"", 0}, name = last != NULL ? agentchat_message_name(last) : text;

    for (size_t i = 0; last != NULL && i < agentchat_message_item_count(last) && text.len == 0; i++)
        text = agentchat_item_get(agentchat_message_item(last, i), AGENTCHAT_FIELD_TEXT);
    snprintf(t->summaries[index], sizeof t->summaries[index], "%.*s: %.*s", (int)(name.len < 20 ? name.len : 20),
             name.ptr != NULL ? name.ptr : "", (int)(text.len < 90 ? text.len : 90), text.ptr != NULL ? text.ptr : "");
    for (size_t len = strlen(t->summaries[index]);
         len > 0 && !aci_utf8_is_valid(agentchat_str_from(t->summaries[index]), true);)
        t->summaries[index][--len] = '\0';
    t->infos[index].messages = count;
    t->checkpoints[index].summary = agentchat_str_from(t->summaries[index]);
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* Every third one is a branch of the one two before it; the words are those of the report. */
static agentchat_status write_thread(const wish *w, const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                     agentchat_error *err)
{
    agentchat_html_thread what = AGENTCHAT_HTML_THREAD_INIT;
    static thread t;
    const char *text = w->report_text;
    agentchat_status status = AGENTCHAT_OK;

    t.wish = w;
    t.newest = snapshot;
    what.count = w->older_count + 1;
    for (size_t i = 0; i < what.count; i++)
        snprintf(t.ids[i], sizeof t.ids[i], "id-%u", (unsigned)(what.count - i) % 10000);
    for (size_t i = 0; i < what.count; i++) {
        size_t parent = i + (i % 3 == 1 ? 2 : 1);

        t.infos[i] = (agentchat_checkpoint_info){.ns = "",
                                                 .id = t.ids[i],
                                                 .parent = parent < what.count ? t.ids[parent] : text,
                                                 .sequence = what.count - i,
                                                 .line = i % 3 == 1 ? what.count - i : 1,
                                                 .step = (int64_t)i,
                                                 .has_step = i % 2 == 0,
                                                 .source = text != NULL ? text : "loop",
                                                 .run = text,
                                                 .time_us = INT64_C(1763719320000000) - (int64_t)i * 9000000,
                                                 .metadata = AGENTCHAT_STR("{\"n\":1}")};
        t.checkpoints[i].info = &t.infos[i];
        if (text != NULL)
            t.checkpoints[i].summary = agentchat_str_from(text);
        else if (status >= 0)
            status = summarize(&t, i, err);
    }
    what.checkpoints = t.checkpoints;
    what.snapshot = get_chat;
    what.user = &t;
    what.has_more = true;
    return status < 0 ? status : agentchat_thread_write_html(&what, sink, &w->html, err);
}

static agentchat_status write_to(const wish *w, const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                 agentchat_error *err)
{
    agentchat_snapshot *after = NULL;
    agentchat_status status;

    if (w->older_count > 0)
        return write_thread(w, snapshot, sink, err);
    if (w->after == NULL)
        return agentchat_snapshot_write_html(snapshot, sink, &w->html, err);
    status = agentchat_snapshot_read_file(NULL, w->after, NULL, &after, NULL, err);
    if (status >= 0)
        status = agentchat_snapshot_write_html_diff(snapshot, after, sink, &w->html, err);
    agentchat_snapshot_unref(after);
    return status;
}

static agentchat_status write_page(const wish *w, const agentchat_snapshot *snapshot, agentchat_error *err)
{
    agentchat_sink *sink = NULL;
    double begun = now();
    agentchat_status status = agentchat_sink_path(NULL, w->page, NULL, &sink, err);

    if (status >= 0)
        status = write_to(w, snapshot, sink, err);
    agentchat_sink_free(sink);
    if (w->wants_seconds)
        printf("%.4f\n", now() - begun);
    if (status >= 0 && w->json != NULL)
        status = agentchat_snapshot_write_file(snapshot, w->json, NULL, NULL, err);
    return status;
}

int main(int argc, char **argv)
{
    wish w;
    agentchat_snapshot *snapshot = NULL;
    agentchat_report *report = NULL, *made = NULL;
    agentchat_status status;
    agentchat_error err;

    if (!read_wish(&w, argc, argv)) {
        fprintf(stderr, "usage: make_pages FILE PAGE [--title T] [--channel KEY] [--no-media] [--report TEXT] "
                        "[--json OUT] [--seconds] [--after FILE] [--older FILE]...\n");
        return 2;
    }
    status = agentchat_snapshot_read_file(NULL, w.file, NULL, &snapshot, &report, &err);
    if (status >= 0) {
        w.html.report = report;
        if (w.report_text != NULL) {
            made = aci_report_new(aci_env(NULL));
            if (!fill_report(made, w.report_text))
                return EXIT_FAILURE;
            w.html.report = made;
        }
        status = write_page(&w, snapshot, &err);
    }
    if (status < 0)
        fprintf(stderr, "%s: %s (%s)\n", w.file, err.message, err.path);
    agentchat_report_free(made);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    return status < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
