/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of every kind: which one it is, reading, and its digest. */
#include "verify/document.h"

#include "base/error.h"
#include "format/detect.h"
#include "format/detect_kind.h"
#include "format/event_canonical.h"
#include "format/event_io.h"
#include "format/kit/look.h"
#include "format/lines.h"
#include "format/registry.h"
#include "format/snapshot_io.h"
#include "io/stream.h"
#include "snapshot/digest.h"
#include "snapshot/report.h"
#include "json/value.h"
#include "json/walk.h"
#include <string.h>

/* ---- kinds ---------------------------------------------------------------------------------------------------- */

const char *agentchat_document_kind_name(agentchat_document_kind kind)
{
    static const char *const names[] = {NULL, "chat", "history", "session", "event", "events"};

    return kind >= AGENTCHAT_DOCUMENT_CHAT && kind <= AGENTCHAT_DOCUMENT_EVENTS ? names[kind] : NULL;
}

/* The beginning of a text up to its first line end that is not followed by the end. */
static agentchat_str first_line(agentchat_str text, bool *has_more)
{
    const char *end = text.len > 0 ? memchr(text.ptr, '\n', text.len) : NULL;
    size_t rest = end != NULL ? (size_t)(end - text.ptr) : text.len;

    *has_more = false;
    for (size_t i = rest; i < text.len && !*has_more; i++)
        *has_more = strchr(" \t\r\n", text.ptr[i]) == NULL;
    return (agentchat_str){text.ptr, rest};
}

static agentchat_document_kind kind_of_object(agentchat_str object)
{
    switch (aci_detect_kind(object)) {
    case ACI_DETECTED_SESSION:
        return AGENTCHAT_DOCUMENT_SESSION;
    case ACI_DETECTED_EVENT:
        return AGENTCHAT_DOCUMENT_EVENT;
    case ACI_DETECTED_CHAT:
        break;
    }
    return AGENTCHAT_DOCUMENT_CHAT;
}

/* The text after a byte-order mark. */
static agentchat_str after_mark(agentchat_str text)
{
    aci_look look = aci_look_begin(text.ptr, text.len);

    return (agentchat_str){look.p, (size_t)(look.end - look.p)};
}

/* Whether some format takes a text for a chat, of which nothing was checked. */
static bool is_chat(agentchat_str text)
{
    aci_candidates candidates;
    size_t count;
    const aci_format *const *formats = aci_registry_all(&count);

    aci_detect(formats, count, text.ptr, text.len, &candidates);
    return candidates.count > 0;
}

/* Whether an array has an event first. */
static bool is_event_list(const agentchat_env *env, agentchat_str text)
{
    aci_look look = aci_look_begin(text.ptr, text.len);
    agentchat_str first, span;

    if (!aci_look_take(&look, '[') || aci_look_kind(&look) != '{')
        return false;
    first.ptr = look.p;
    if (!aci_look_skip(&look))
        return false;
    first.len = (size_t)(look.p - first.ptr);
    return aci_json_check(env, first, env->limits.max_depth + 8, &span, NULL, NULL) >= 0 &&
           kind_of_object(span) == AGENTCHAT_DOCUMENT_EVENT;
}

/* Only what may be a session or an event is checked here. What is no JSON is left to the reader of chats, which says
   what is wrong with it. */
static agentchat_document_kind kind_of(const agentchat_env *env, agentchat_str text)
{
    bool has_more;
    aci_look look = aci_look_begin(text.ptr, text.len);
    uint32_t depth = env->limits.max_depth + 8; /* as much as a session's file may have around its values */
    agentchat_str line = first_line(text, &has_more), span;
    aci_json_kind kind;

    if (has_more && aci_json_check(env, line, depth, &span, &kind, NULL) >= 0 && kind == ACI_JSON_OBJECT &&
        kind_of_object(span) == AGENTCHAT_DOCUMENT_EVENT)
        return AGENTCHAT_DOCUMENT_EVENTS;
    if (aci_look_kind(&look) == '[' && is_event_list(env, text))
        return AGENTCHAT_DOCUMENT_EVENTS;
    if (aci_look_kind(&look) == '[' || aci_lines_are(text.ptr, text.len))
        return AGENTCHAT_DOCUMENT_HISTORY;
    if (aci_look_kind(&look) != '{' || is_chat(text) || aci_json_check(env, text, depth, &span, &kind, NULL) < 0)
        return AGENTCHAT_DOCUMENT_CHAT;
    return kind_of_object(span);
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

bool aci_document_next_line(const agentchat_document *document, size_t *at, agentchat_str *line)
{
    while (*at < document->len) {
        const char *start = document->text + *at, *end = memchr(start, '\n', document->len - *at);
        size_t len = end != NULL ? (size_t)(end - start) : document->len - *at, blank = 0;

        *at += len + (end != NULL);
        while (blank < len && strchr(" \t\r", start[blank]) != NULL)
            blank++;
        *line = (agentchat_str){start, len};
        if (blank < len)
            return true;
    }
    return false;
}

/* Checks every event, and keeps the text. */
static agentchat_status read_events(agentchat_document *document, agentchat_str text, agentchat_report **report,
                                    agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_str line = {NULL, 0};
    const aci_format *format;

    document->text = aci_alloc(document->env, text.len + 1);
    if (document->text == NULL)
        return aci_fail_nomem(err);
    document->cap = text.len + 1;
    document->len = text.len;
    memcpy(document->text, text.ptr, text.len);
    for (size_t at = 0; status >= 0 && aci_document_next_line(document, &at, &line); document->event_count++) {
        agentchat_report *lines = NULL;
        agentchat_event *event = NULL;

        if (document->event_count == 0 && aci_event_detect(document->env, line, &format, NULL) >= 0)
            document->format = format->about.name;
        status = agentchat_event_read(document->env, line, NULL, &event, &lines, err);
        if (status < 0 && err != NULL && err->offset != AGENTCHAT_NO_OFFSET)
            aci_error_at_offset(err, (agentchat_str){document->text, document->len},
                                err->offset + (uint64_t)(line.ptr - document->text));
        agentchat_event_unref(event);
        for (size_t i = 0; lines != NULL && i < agentchat_report_count(lines) && report != NULL; i++) {
            const agentchat_report_entry *entry = agentchat_report_at(lines, i);

            if (!aci_report_add(*report, entry->kind, entry->match, entry->path, entry->key, AGENTCHAT_STR_FMT,
                                AGENTCHAT_STR_ARG(entry->text)))
                status = aci_fail_nomem(err);
        }
        agentchat_report_free(lines);
    }
    return status;
}

/* Says what is wrong with an event, and where in the document. index: in a list; NULL: it stands alone. */
static agentchat_status fail_event(const agentchat_document *document, agentchat_str text, agentchat_str raw,
                                   const size_t *index, agentchat_error *err)
{
    agentchat_event *event = NULL;
    agentchat_status status;
    char pointer[24];

    agentchat_error_clear(err);
    status = agentchat_event_read(document->env, raw, NULL, &event, NULL, err);
    agentchat_event_unref(event);
    if (err == NULL)
        return status;
    if (err->offset != AGENTCHAT_NO_OFFSET)
        aci_error_at_offset(err, text, err->offset + (uint64_t)(raw.ptr - text.ptr));
    if (index != NULL)
        aci_error_path_prepend(err,
                               (agentchat_str){pointer, (size_t)snprintf(pointer, sizeof pointer, "/%zu", *index)});
    return status;
}

/* An event, which may stand on several lines, or an array of them. */
static agentchat_status read_laid_out(agentchat_document *document, agentchat_str text, agentchat_report **report,
                                      agentchat_error *err)
{
    agentchat_status status, failed;
    size_t index = 0;
    agentchat_str span;
    aci_walk walk;
    aci_buf lines;
    bool ok, is_array;

    status = aci_json_check(document->env, after_mark(text), document->env->limits.max_depth + 8, &span, NULL, err);
    if (status < 0)
        return status;
    aci_buf_init(&lines, document->env, SIZE_MAX);
    is_array = *span.ptr == '[';
    ok = is_array || aci_json_compact(span, &lines);
    aci_walk_begin(&walk, is_array ? span : (agentchat_str){NULL, 0});
    while (ok && aci_walk_next(&walk))
        ok = aci_json_compact(walk.value, &lines) && aci_buf_add(&lines, "\n", 1);
    status = ok ? read_events(document, aci_buf_str(&lines), report, err) : aci_fail_nomem(err);
    aci_buf_clear(&lines);
    if (status >= 0 || status == AGENTCHAT_E_NOMEM)
        return status;
    aci_walk_begin(&walk, span); /* once more, for the location in the document */
    while (is_array && aci_walk_next(&walk) && index + 1 < document->event_count)
        index++;
    failed = fail_event(document, text, is_array ? walk.value : span, is_array ? &index : NULL, err);
    return failed < 0 ? failed : status;
}

static agentchat_status read_session(agentchat_document *document, agentchat_str text, agentchat_report **report,
                                     agentchat_error *err)
{
    agentchat_source *source = NULL;
    agentchat_status status = agentchat_source_memory(document->env, text, &source, err);

    if (status >= 0)
        status = agentchat_session_file_read(document->env, source, NULL, &document->session, report, err);
    agentchat_source_free(source);
    document->format = agentchat_session_file_format(document->session);
    document->event_count = agentchat_session_file_event_count(document->session);
    return status;
}

/* owned: the text, which a snapshot takes over; NULL: it is copied. */
static agentchat_status read_kind(agentchat_document *document, agentchat_str text, aci_input_text *owned,
                                  const agentchat_read_options *options, agentchat_report **report,
                                  agentchat_error *err)
{
    agentchat_status status;

    if (document->kind == AGENTCHAT_DOCUMENT_SESSION)
        return read_session(document, text, report, err);
    if (document->kind == AGENTCHAT_DOCUMENT_EVENT || document->kind == AGENTCHAT_DOCUMENT_EVENTS) {
        if (report != NULL && (*report = aci_report_new(document->env)) == NULL)
            return aci_fail_nomem(err);
        aci_look look = aci_look_begin(text.ptr, text.len);

        if (document->kind == AGENTCHAT_DOCUMENT_EVENT || aci_look_kind(&look) == '[')
            return read_laid_out(document, text, report, err);
        return read_events(document, text, report, err);
    }
    status = owned != NULL
                 ? aci_snapshot_io_take(document->env, owned, options, &document->snapshot, report, err)
                 : agentchat_snapshot_read_memory(document->env, text, options, &document->snapshot, report, err);
    if (status >= 0)
        document->format = agentchat_snapshot_format(document->snapshot);
    return status;
}

/* What a text is read as: with a format, a chat or a history. */
static agentchat_document_kind kind_with(const agentchat_env *env, agentchat_str text,
                                         const agentchat_read_options *options)
{
    agentchat_document_kind kind = kind_of(env, after_mark(text));

    if (options == NULL || options->format == NULL || kind == AGENTCHAT_DOCUMENT_HISTORY)
        return kind;
    return AGENTCHAT_DOCUMENT_CHAT;
}

static agentchat_status read_text(const agentchat_env *env, agentchat_str text, aci_input_text *owned,
                                  const agentchat_read_options *options, agentchat_document **out,
                                  agentchat_report **report, agentchat_error *err)
{
    agentchat_document *document = aci_alloc_zero(aci_env(env), sizeof *document);
    agentchat_status status;

    *out = NULL;
    if (report != NULL)
        *report = NULL;
    if (document == NULL)
        return aci_fail_nomem(err);
    document->env = aci_env(env);
    document->kind = kind_with(document->env, text, options);
    status = read_kind(document, text, owned, options, report, err);
    if (status < 0)
        agentchat_document_free(document);
    else
        *out = document;
    return status < 0 ? status : AGENTCHAT_OK;
}

agentchat_status aci_document_read_text(const agentchat_env *env, agentchat_str text,
                                        const agentchat_read_options *options, agentchat_document **out,
                                        agentchat_report **report, agentchat_error *err)
{
    return read_text(env, text, NULL, options, out, report, err);
}

agentchat_status agentchat_document_read(const agentchat_env *env, agentchat_source *source,
                                         const agentchat_read_options *options, agentchat_document **out,
                                         agentchat_report **report, agentchat_error *err)
{
    aci_input_text text = {NULL, 0, 0};
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (source == NULL)
        return aci_fail_null(err, "source");
    env = aci_env(env);
    status = aci_source_read_all(source, env, env->limits.max_bytes, &text.data, &text.len, &text.cap, err);
    if (status >= 0)
        status = read_text(env, (agentchat_str){text.data, text.len}, &text, options, out, report, err);
    if (status < 0)
        aci_error_source(err, aci_source_name(source));
    aci_free(env, text.data, text.cap);
    return status;
}

void agentchat_document_free(agentchat_document *document)
{
    if (document == NULL)
        return;
    agentchat_snapshot_unref(document->snapshot);
    agentchat_session_file_free(document->session);
    aci_free(document->env, document->text, document->cap);
    aci_free(document->env, document, sizeof *document);
}

/* ---- what it is ----------------------------------------------------------------------------------------------- */

agentchat_document_kind agentchat_document_get_kind(const agentchat_document *document)
{
    return document != NULL ? document->kind : (agentchat_document_kind)0;
}

const char *agentchat_document_format(const agentchat_document *document)
{
    return document != NULL ? document->format : NULL;
}

const agentchat_snapshot *agentchat_document_snapshot(const agentchat_document *document)
{
    return document != NULL ? document->snapshot : NULL;
}

const agentchat_session_file *agentchat_document_session(const agentchat_document *document)
{
    return document != NULL ? document->session : NULL;
}

size_t agentchat_document_event_count(const agentchat_document *document)
{
    return document != NULL ? document->event_count : 0;
}

/* Of one event its own digest, of several that of an array of them. */
static agentchat_status digest_events(const agentchat_document *document, char out[AGENTCHAT_DIGEST_LEN + 1],
                                      agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_event *event;
    agentchat_str line;
    aci_canonical c;
    aci_sha256 sha;
    bool first = true, is_list = document->kind == AGENTCHAT_DOCUMENT_EVENTS;

    if (!aci_sha256_begin(&sha))
        return aci_fail_nomem(err);
    aci_canonical_begin(&c, document->env, &sha, err);
    aci_canonical_text(&c, is_list ? "[" : "");
    for (size_t at = 0; status >= 0 && c.status >= 0 && aci_document_next_line(document, &at, &line); first = false) {
        status = agentchat_event_read(document->env, line, NULL, &event, NULL, err);
        aci_canonical_text(&c, first ? "" : ",");
        if (status >= 0)
            aci_event_canonical(&c, event, NULL);
        agentchat_event_unref(event);
    }
    aci_canonical_text(&c, is_list ? "]" : "");
    if (status < 0 && c.status >= 0)
        c.status = status;
    return aci_digest_end(&c, &sha, out, err);
}

agentchat_status agentchat_document_digest(const agentchat_document *document, bool all,
                                           char out[AGENTCHAT_DIGEST_LEN + 1], agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    out[0] = '\0';
    if (document == NULL)
        return aci_fail_null(err, "document");
    if (document->snapshot != NULL)
        return agentchat_snapshot_digest(document->snapshot, all, out, err);
    if (document->session != NULL)
        return agentchat_session_file_digest(document->session, out, err);
    return digest_events(document, out, err);
}
