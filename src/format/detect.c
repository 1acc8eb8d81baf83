/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detection: the probes of the formats look at the beginning of a document, and at all of it only where that says
 * nothing certain. Where several formats remain, what they read decides.
 */
#include "format/detect.h"

#include "base/error.h"
#include "format/detect_kind.h"
#include "format/kit/look.h"
#include "format/kit/marks.h"
#include "format/session_chat.h"
#include "format/session_io.h"
#include "io/stream.h"
#include "json/reader.h"
#include "json/value.h"
#include <string.h>

enum { WINDOW = 64 << 10 }; /* bytes that are looked at first */

static aci_likeness probe_all(const aci_format *const *formats, size_t format_count, const char *data, size_t len,
                              aci_candidates *out)
{
    aci_likeness best = ACI_LIKELY;

    out->count = 0;
    for (size_t i = 0; i < format_count && best != ACI_CERTAIN && out->count < ACI_MOST_CANDIDATES; i++) {
        aci_likeness likeness = formats[i]->probe_chat != NULL ? formats[i]->probe_chat(data, len) : ACI_UNLIKE;

        if (likeness < best)
            continue;
        if (likeness > best)
            out->count = 0;
        best = likeness;
        out->list[out->count++] = formats[i];
    }
    return best;
}

void aci_detect(const aci_format *const *formats, size_t format_count, const char *data, size_t len,
                aci_candidates *out)
{
    if (len > WINDOW && probe_all(formats, format_count, data, WINDOW, out) == ACI_CERTAIN)
        return;
    (void)probe_all(formats, format_count, data, len, out);
}

/* ---- what cannot be decided ---------------------------------------------------------------------------------------
 */

/* Names with commas between them. */
static void list_names(const aci_format *const *formats, size_t count, char *out, size_t size)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count && len < size; i++)
        if (formats[i]->read_chat != NULL)
            len += (size_t)snprintf(out + len, size - len, "%s%s", len > 0 ? ", " : "", formats[i]->about.name);
}

/* The format of which the document is certainly a session: what is given most easily by mistake. */
static const aci_format *session_format(const aci_format *const *formats, size_t count, const aci_read *in)
{
    for (size_t i = 0; i < count; i++)
        if (formats[i]->probe_session != NULL && formats[i]->probe_session(in->data, in->len) == ACI_CERTAIN)
            return formats[i];
    return NULL;
}

/* Nobody's document: malformed, or E_SCHEMA. */
static agentchat_status fail_unknown(const aci_format *const *formats, size_t count, aci_read *in, agentchat_error *err)
{
    aci_json_options options = {.env = in->env,
                                .arena = in->arena,
                                .max_depth = in->limits.max_depth,
                                .source = in->source,
                                .flags = ACI_JSON_FILE | ACI_JSON_ONE_VALUE};
    const aci_format *session = session_format(formats, count, in);
    const char *library;
    agentchat_str raw;
    aci_json_reader r;
    char names[256];

    list_names(formats, count, names, sizeof names);
    aci_json_begin(&r, &options, in->data, in->len, err);
    if (aci_json_raw(&r, &raw) && aci_json_end(&r)) {
        size_t start = (size_t)(raw.ptr - in->data);

        if (session != NULL)
            aci_json_fail_at(
                &r, start, AGENTCHAT_E_SCHEMA,
                "this is the file of a session (%s), not of a chat; agentchat session import reads it, and "
                "options.sessions makes a chat of its events",
                session->about.name);
        else if ((library = aci_marks_library(in->data, in->len)) != NULL)
            aci_json_fail_at(&r, start, AGENTCHAT_E_SCHEMA, "this looks like %s%s", library, aci_marks_advice(library));
        else
            aci_json_fail_at(&r, start, AGENTCHAT_E_SCHEMA,
                             "the document has no mark of a format in which chats are read; name its format (--from, "
                             "options.format) if it is one of %s",
                             names);
    }
    return aci_json_close(&r);
}

static agentchat_status fail_ambiguous(const aci_candidates *candidates, agentchat_error *err)
{
    char names[256];

    list_names(candidates->list, candidates->count, names, sizeof names);
    aci_fail(err, AGENTCHAT_E_SCHEMA,
             "the document may be in any of these formats, which read it differently: %s; name its format (--from, "
             "options.format)",
             names);
    if (err != NULL)
        aci_error_at(err, 0, 1, 1);
    return AGENTCHAT_E_SCHEMA;
}

/* ---- files of sessions ----------------------------------------------------------------------------------------- */

static bool is_session(const aci_read *in)
{
    aci_look look = aci_look_begin(in->data, in->len);
    agentchat_str span;
    aci_json_kind kind;

    return aci_json_check(in->env, (agentchat_str){look.p, (size_t)(look.end - look.p)}, UINT32_MAX / 2, &span, &kind,
                          NULL) >= 0 &&
           kind == ACI_JSON_OBJECT && aci_detect_kind(span) == ACI_DETECTED_SESSION;
}

static agentchat_status read_session(const aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    aci_session_data data;
    agentchat_status status = aci_session_io_read(in->env, (agentchat_str){in->data, in->len}, in->report, &data, err);

    if (status >= 0)
        status = aci_session_chat_make(&data, AGENTCHAT_STR("state"), in->report, out, err);
    if (status >= 0)
        (*out)->format = data.format;
    aci_session_data_clear(&data);
    return status;
}

/* ---- several candidates -------------------------------------------------------------------------------------------
 */

/* The input once more, since readers change it: in an arena of its own, with a report of its own. */
static bool copy_input(const aci_read *in, aci_read *copy)
{
    *copy = *in;
    copy->report = aci_report_new(in->env);
    copy->arena = aci_arena_new(in->env, 0);
    copy->data = copy->arena != NULL ? aci_arena_alloc(copy->arena, in->len + ACI_READ_PADDING) : NULL;
    if (copy->data == NULL)
        return false;
    memcpy(copy->data, in->data, in->len);
    memset(copy->data + in->len, 0, ACI_READ_PADDING);
    return copy->report != NULL;
}

typedef struct attempt {
    const aci_format *format;
    agentchat_snapshot *snapshot; /* NULL: it could not be read */
    agentchat_report *report;
    char digest[AGENTCHAT_DIGEST_LEN + 1];
} attempt;

/* Reads with one format. Only E_NOMEM is a failure. */
static agentchat_status try_format(const aci_read *in, attempt *a, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_E_NOMEM;
    agentchat_error detail;
    aci_read copy;

    agentchat_error_clear(&detail);
    if (copy_input(in, &copy))
        status = a->format->read_chat(&copy, &a->snapshot, &detail);
    if (status >= 0)
        status = agentchat_snapshot_digest(a->snapshot, true, a->digest, &detail);
    a->report = copy.report;
    aci_arena_unref(copy.arena);
    return status == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}

static void drop(attempt *a)
{
    agentchat_snapshot_unref(a->snapshot);
    agentchat_report_free(a->report);
    a->snapshot = NULL;
    a->report = NULL;
}

static agentchat_status compare_readings(const aci_read *in, const aci_candidates *candidates, attempt *first,
                                         agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < candidates->count && status >= 0; i++) {
        attempt next = {.format = candidates->list[i]};

        status = try_format(in, &next, err);
        if (status < 0 || next.snapshot == NULL) {
            drop(&next);
        } else if (first->snapshot == NULL) {
            *first = next;
        } else {
            if (strcmp(first->digest, next.digest) != 0)
                status = fail_ambiguous(candidates, err);
            else if (!aci_report_add(first->report, AGENTCHAT_REPORT_NOTE, AGENTCHAT_MATCH_NONE,
                                     (agentchat_str){NULL, 0}, (agentchat_str){NULL, 0},
                                     "read as %s; it may be in %s as well, which reads the same",
                                     first->format->about.name, next.format->about.name))
                status = aci_fail_nomem(err);
            drop(&next);
        }
    }
    return status;
}

static agentchat_status settle(aci_read *in, const aci_candidates *candidates, agentchat_snapshot **out,
                               agentchat_error *err)
{
    attempt first = {0};
    agentchat_status status = compare_readings(in, candidates, &first, err);

    if (status < 0) {
        drop(&first);
        return status;
    }
    if (first.snapshot == NULL) /* nobody reads it: the first one says what is wrong */
        return candidates->list[0]->read_chat(in, out, err);
    *out = first.snapshot;
    agentchat_report_free(in->report);
    in->report = first.report;
    return AGENTCHAT_OK;
}

agentchat_status aci_detect_and_read(const aci_format *const *formats, size_t format_count, aci_read *in,
                                     agentchat_snapshot **out, agentchat_error *err)
{
    aci_candidates candidates;

    aci_detect(formats, format_count, in->data, in->len, &candidates);
    if (candidates.count == 0 && in->sessions && is_session(in))
        return read_session(in, out, err);
    if (candidates.count == 0)
        return fail_unknown(formats, format_count, in, err);
    return candidates.count == 1 ? candidates.list[0]->read_chat(in, out, err) : settle(in, &candidates, out, err);
}
