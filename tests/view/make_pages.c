/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the pages that the tests of this directory look at.
 *
 *     make_pages FILE PAGE [--title T] [--channel KEY] [--no-media] [--report TEXT] [--json OUT] [--seconds]
 *                          [--after FILE]
 *
 * FILE: a chat in any format. --report: a report with TEXT in each field of an entry instead of the one of reading it.
 * --json OUT: besides, what the page should show, in the format agentchat. --seconds: says how long writing took.
 * --after: the page compares FILE with this other one.
 */
#include <agentchat/agentchat.h>
#include <agentchat/view.h>

#include "base/env.h"
#include "snapshot/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct wish {
    const char *file, *page, *report_text, *json, *after;
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

static agentchat_status write_to(const wish *w, const agentchat_snapshot *snapshot, agentchat_sink *sink,
                                 agentchat_error *err)
{
    agentchat_snapshot *after = NULL;
    agentchat_status status;

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
                        "[--json OUT] [--seconds] [--after FILE]\n");
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
