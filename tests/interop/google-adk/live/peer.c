/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our side of the exchange with google-adk: reads sessions from standard input, brings each into a store and writes
 * what an export of it is.
 *
 * In:  LENGTH\n and so many bytes, for each file.
 * Out: STATUS LENGTH LENGTH\n, the report (a line each: KIND\tPATH\tTEXT; of a failure its message) and the export.
 */
#include <agentchat/agentchat.h>
#include <agentchat/session.h>
#include <agentchat/sqlite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(agentchat_bytes *out, const char *text, size_t len)
{
    if (agentchat_bytes_append(out, (agentchat_str){text, len}, NULL) < 0)
        exit(3);
}

static void add_report(agentchat_bytes *out, const char *side, const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *e = agentchat_report_at(report, i);
        const char *kind = agentchat_report_kind_name(e->kind);

        append(out, side, strlen(side));
        append(out, " ", 1);
        append(out, kind, strlen(kind));
        append(out, "\t", 1);
        append(out, e->path.ptr, e->path.len);
        append(out, "\t", 1);
        append(out, e->text.ptr, e->text.len);
        append(out, "\n", 1);
    }
}

static agentchat_status export_session(agentchat_store *store, const agentchat_session *imported,
                                       agentchat_bytes *reported, agentchat_bytes *out, agentchat_error *err)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_session *session = NULL;
    agentchat_report *report = NULL;
    agentchat_sink *sink = NULL;
    agentchat_status status = agentchat_session_get(store, agentchat_session_get_id(imported), NULL, &session, err);

    options.format = "adk";
    if (status >= 0)
        status = agentchat_sink_memory(NULL, out, &sink, err);
    if (status >= 0)
        status = agentchat_session_export(session, sink, &options, &report, err);
    add_report(reported, "export", report);
    agentchat_sink_free(sink);
    agentchat_report_free(report);
    agentchat_session_free(session);
    return status;
}

static agentchat_status through_a_store(const char *text, size_t len, agentchat_bytes *reported, agentchat_bytes *out,
                                        agentchat_error *err)
{
    agentchat_store *store = NULL;
    agentchat_source *source = NULL;
    agentchat_session *session = NULL;
    agentchat_report *report = NULL;
    agentchat_status status = agentchat_sqlite_open(NULL, NULL, NULL, &store, err);

    if (status >= 0)
        status = agentchat_source_memory(NULL, (agentchat_str){text, len}, &source, err);
    if (status >= 0)
        status = agentchat_session_import(store, source, NULL, &session, &report, err);
    add_report(reported, "import", report);
    if (status >= 0)
        status = export_session(store, session, reported, out, err);
    agentchat_report_free(report);
    agentchat_session_free(session);
    agentchat_source_free(source);
    agentchat_store_close(store);
    return status;
}

int main(void)
{
    unsigned long len;

    while (scanf("%lu", &len) == 1 && getchar() == '\n') {
        agentchat_bytes reported = AGENTCHAT_BYTES_INIT, out = AGENTCHAT_BYTES_INIT;
        char *text = malloc(len + 1);
        agentchat_error err;
        agentchat_status status;

        agentchat_error_clear(&err);
        if (text == NULL || fread(text, 1, len, stdin) != len)
            return 3;
        status = through_a_store(text, len, &reported, &out, &err);
        if (status < 0)
            append(&reported, err.message, strlen(err.message));
        (void)printf("%s %zu %zu\n", agentchat_status_name(status), reported.len, out.len);
        (void)fwrite(reported.ptr, 1, reported.len, stdout);
        (void)fwrite(out.ptr, 1, out.len, stdout);
        (void)fflush(stdout);
        agentchat_bytes_clear(&reported);
        agentchat_bytes_clear(&out);
        free(text);
    }
    return feof(stdin) ? 0 : 3;
}
