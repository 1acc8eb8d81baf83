/* SPDX-License-Identifier: Apache-2.0 */
#include "format/kinds.h"

#include "format/unreported.h"
#include <agentchat/event.h>
#include <agentchat/repair.h>
#include <agentchat/session.h>
#include <stdio.h>

char *report_lines(const agentchat_report *report)
{
    char *text = calloc(1, 1);
    size_t len = 0;

    assert_non_null(text);
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);
        const char *kind = agentchat_report_kind_name(entry->kind);

        text = realloc(text, len + strlen(kind) + entry->path.len + entry->text.len + 5);
        assert_non_null(text);
        len += (size_t)sprintf(text + len, "%s " AGENTCHAT_STR_FMT ": " AGENTCHAT_STR_FMT "\n", kind,
                               AGENTCHAT_STR_ARG(entry->path), AGENTCHAT_STR_ARG(entry->text));
    }
    return text;
}

/* ---- chats ------------------------------------------------------------------------------------------------------ */

static agentchat_status read_chat(const agentchat_env *env, const char *format, agentchat_str text, const void **out,
                                  agentchat_report **report, agentchat_error *err)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_status status;

    options.format = format;
    status = agentchat_snapshot_read_memory(env, text, &options, &snapshot, report, err);
    *out = snapshot;
    return status;
}

static agentchat_status write_chat(const void *value, const char *format, bool strict, agentchat_bytes *out,
                                   agentchat_report **report, agentchat_error *err)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    options.format = format;
    /* a provider's format: the projection; what is repaired before is tested in tests/unit/list_edit */
    options.strict = strict || agentchat_repair_profile_find(format) != NULL;
    return agentchat_snapshot_write_memory(value, &options, out, report, err);
}

static char *unreported_in_chat(const void *value, const void *back, const agentchat_report *report)
{
    return unreported_difference(value, back, report);
}

static void release_chat(const void *value)
{
    agentchat_snapshot_unref(value);
}

const document_kind kind_chat = {
    "chat", AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY, read_chat, write_chat, unreported_in_chat, release_chat};

/* ---- events ----------------------------------------------------------------------------------------------------- */

static agentchat_status read_event(const agentchat_env *env, const char *format, agentchat_str text, const void **out,
                                   agentchat_report **report, agentchat_error *err)
{
    agentchat_event *event;
    agentchat_status status = agentchat_event_read(env, text, format, &event, report, err);

    *out = event;
    return status;
}

static agentchat_status write_event(const void *value, const char *format, bool strict, agentchat_bytes *out,
                                    agentchat_report **report, agentchat_error *err)
{
    (void)strict;
    return agentchat_event_write(value, format, out, report, err);
}

/* What two digests say, where nothing says what differs. */
static char *unreported_by_digest(const char *left, const char *right, const agentchat_report *report)
{
    if (strcmp(left, right) == 0 || agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS) > 0 ||
        agentchat_report_count_of(report, AGENTCHAT_REPORT_REPAIR) > 0)
        return NULL;
    return strdup("the digest is another one, and no loss or repair was reported");
}

static char *unreported_in_event(const void *value, const void *back, const agentchat_report *report)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;

    test_ok(agentchat_event_digest(value, left, &err), &err);
    test_ok(agentchat_event_digest(back, right, &err), &err);
    return unreported_by_digest(left, right, report);
}

static void release_event(const void *value)
{
    agentchat_event_unref(value);
}

const document_kind kind_event = {"event",     AGENTCHAT_HOLDS_EVENT, read_event,
                                  write_event, unreported_in_event,   release_event};

/* ---- sessions --------------------------------------------------------------------------------------------------- */

static agentchat_status read_session(const agentchat_env *env, const char *format, agentchat_str text, const void **out,
                                     agentchat_report **report, agentchat_error *err)
{
    agentchat_session_file *file = NULL;
    agentchat_source *source;
    agentchat_status status = agentchat_source_memory(env, text, &source, err);

    (void)format;
    *report = NULL;
    if (status == AGENTCHAT_OK)
        status = agentchat_session_file_read(env, source, NULL, &file, report, err);
    agentchat_source_free(source);
    *out = file;
    return status;
}

static agentchat_status write_session(const void *value, const char *format, bool strict, agentchat_bytes *out,
                                      agentchat_report **report, agentchat_error *err)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_memory(out->env, out, &sink, err);

    (void)strict;
    *report = NULL;
    options.format = format;
    if (status == AGENTCHAT_OK)
        status = agentchat_session_file_write(value, sink, &options, report, err);
    agentchat_sink_free(sink);
    return status;
}

static char *unreported_in_session(const void *value, const void *back, const agentchat_report *report)
{
    char left[AGENTCHAT_DIGEST_LEN + 1], right[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;

    test_ok(agentchat_session_file_digest(value, left, &err), &err);
    test_ok(agentchat_session_file_digest(back, right, &err), &err);
    return unreported_by_digest(left, right, report);
}

static void release_session(const void *value)
{
    agentchat_session_file_free((agentchat_session_file *)value);
}

const document_kind kind_session = {"session",     AGENTCHAT_HOLDS_SESSION, read_session,
                                    write_session, unreported_in_session,   release_session};

const document_kind *kind_of_file(const char *path)
{
    return strstr(path, "/events/") != NULL     ? &kind_event
           : strstr(path, "/sessions/") != NULL ? &kind_session
                                                : &kind_chat;
}
