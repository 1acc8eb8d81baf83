/* SPDX-License-Identifier: Apache-2.0 */
/* A document written again in its own format, and in every other one that holds its kind. */
#include "verify/verdict.h"

#include "base/error.h"
#include "snapshot/report.h"
#include "json/walk.h"
#include <agentchat/format.h>
#include <agentchat/repair.h>
#include <string.h>

/* A document that is written in a format and read again. */
typedef struct conversion {
    aci_verdict *v;
    const agentchat_document *document;
    const char *format;
    bool is_rewrite;
    agentchat_bytes bytes;
    agentchat_report *writing, *reading;
} conversion;

static agentchat_status write_snapshot(conversion *c)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    options.format = c->format;
    options.strict = c->is_rewrite || agentchat_repair_profile_find(c->format) != NULL; /* nothing is repaired */
    return agentchat_snapshot_write_memory(c->document->snapshot, &options, &c->bytes, &c->writing, c->v->err);
}

static agentchat_status write_session(conversion *c)
{
    agentchat_session_file_options options = AGENTCHAT_SESSION_FILE_OPTIONS_INIT;
    agentchat_sink *sink = NULL;
    agentchat_status status = agentchat_sink_memory(c->v->env, &c->bytes, &sink, c->v->err);

    options.format = c->format;
    if (status >= 0)
        status = agentchat_session_file_write(c->document->session, sink, &options, &c->writing, c->v->err);
    agentchat_sink_free(sink);
    return status;
}

/* Adds what one event's writing reported. */
static bool take_report(conversion *c, const agentchat_report *report)
{
    bool ok = true;

    for (size_t i = 0; ok && i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        ok = aci_report_add(c->writing, entry->kind, entry->match, entry->path, entry->key, AGENTCHAT_STR_FMT,
                            AGENTCHAT_STR_ARG(entry->text));
    }
    return ok;
}

static agentchat_status write_events(conversion *c)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_str line;

    c->writing = aci_report_new(c->v->env);
    if (c->writing == NULL)
        return aci_fail_nomem(c->v->err);
    for (size_t at = 0; status >= 0 && aci_document_next_line(c->document, &at, &line);) {
        agentchat_report *report = NULL;
        agentchat_event *event = NULL;

        status = agentchat_event_read(c->v->env, line, NULL, &event, NULL, c->v->err);
        if (status >= 0)
            status = agentchat_event_write(event, c->format, &c->bytes, &report, c->v->err);
        if (status >= 0 && !take_report(c, report))
            status = aci_fail_nomem(c->v->err);
        if (status >= 0)
            status = agentchat_bytes_append(&c->bytes, AGENTCHAT_STR("\n"), c->v->err);
        agentchat_report_free(report);
        agentchat_event_unref(event);
    }
    return status;
}

/* ---- losses --------------------------------------------------------------------------------------------------- */

/* Whether a loss was declared. */
static bool is_declared(conversion *c, agentchat_str declared, agentchat_str path, agentchat_status *status)
{
    aci_walk walk;

    if (declared.ptr == NULL || *declared.ptr != '[')
        return false;
    aci_walk_begin(&walk, declared);
    while (*status >= 0 && aci_walk_next(&walk))
        if (aci_verdict_is(c->v, walk.value, path, status))
            return true;
    return false;
}

/* Whether a report has a loss at a location. */
static bool has_loss(conversion *c, const agentchat_report *report, agentchat_str raw, agentchat_status *status)
{
    for (size_t i = 0; *status >= 0 && i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        if (entry->kind == AGENTCHAT_REPORT_LOSS && aci_verdict_is(c->v, raw, entry->path, status))
            return true;
    }
    return false;
}

static const char *check_of(const conversion *c)
{
    return c->is_rewrite ? "rewrite" : "convert";
}

static agentchat_status check_report(conversion *c, agentchat_str declared, const agentchat_report *report)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        if (entry->kind == AGENTCHAT_REPORT_LOSS && !is_declared(c, declared, entry->path, &status))
            aci_verdict_fail(c->v, c->is_rewrite ? "rewrite" : "losses", entry->path,
                             "%s: not declared: " AGENTCHAT_STR_FMT, c->format, AGENTCHAT_STR_ARG(entry->text));
    }
    return status;
}

static agentchat_status check_losses(conversion *c)
{
    agentchat_str declared = aci_verdict_member(aci_verdict_member(c->v->expectation, "losses"), c->format);
    agentchat_status status = check_report(c, declared, c->writing);
    aci_walk walk;

    if (status >= 0)
        status = check_report(c, declared, c->reading);
    if (declared.ptr == NULL || *declared.ptr != '[' || c->is_rewrite)
        return status;
    aci_walk_begin(&walk, declared);
    while (status >= 0 && aci_walk_next(&walk))
        if (!has_loss(c, c->writing, walk.value, &status) && !has_loss(c, c->reading, walk.value, &status) &&
            status >= 0)
            aci_verdict_fail(c->v, "convert", (agentchat_str){NULL, 0}, "%s does not lose " AGENTCHAT_STR_FMT,
                             c->format, AGENTCHAT_STR_ARG(walk.value));
    return status;
}

/* Whether a report says that something is lost, or changed so that the digest may be another one. */
static bool says_so(const agentchat_report *report)
{
    return agentchat_report_count_of(report, AGENTCHAT_REPORT_LOSS) > 0 ||
           agentchat_report_count_of(report, AGENTCHAT_REPORT_REPAIR) > 0;
}

static agentchat_status check_equal(conversion *c, const agentchat_document *back)
{
    char before[AGENTCHAT_DIGEST_LEN + 1], after[AGENTCHAT_DIGEST_LEN + 1];
    bool all = c->document->kind == AGENTCHAT_DOCUMENT_CHAT, equal;
    agentchat_status status = agentchat_document_digest(c->document, all, before, c->v->err);

    if (status >= 0)
        status = agentchat_document_digest(back, all, after, c->v->err);
    if (status < 0)
        return status;
    equal = agentchat_str_equal(agentchat_str_from(before), agentchat_str_from(after));
    if (!equal && !says_so(c->writing) && !says_so(c->reading))
        aci_verdict_fail(c->v, check_of(c), (agentchat_str){NULL, 0}, "through %s it differs, without a loss",
                         c->format);
    return AGENTCHAT_OK;
}

static agentchat_status write_and_read(conversion *c)
{
    agentchat_document *back = NULL;
    agentchat_status status = c->document->snapshot != NULL  ? write_snapshot(c)
                              : c->document->session != NULL ? write_session(c)
                                                             : write_events(c);

    if (status >= 0)
        status = aci_document_read_text(c->v->env, (agentchat_str){c->bytes.ptr, c->bytes.len}, NULL, &back,
                                        &c->reading, c->v->err);
    if (status >= 0)
        status = check_losses(c);
    if (status >= 0)
        status = check_equal(c, back);
    agentchat_document_free(back);
    return status;
}

/* What a format cannot write, or not read again, is a check that fails. */
static agentchat_status run(conversion *c)
{
    agentchat_error *err = c->v->err, detail;
    agentchat_status status;

    agentchat_error_clear(&detail);
    c->v->err = &detail;
    status = write_and_read(c);
    c->v->err = err;
    agentchat_report_free(c->writing);
    agentchat_report_free(c->reading);
    agentchat_bytes_clear(&c->bytes);
    if (status >= 0)
        return AGENTCHAT_OK;
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    aci_verdict_fail(c->v, check_of(c), agentchat_str_from(detail.path), "%s: %s: %s", c->format,
                     agentchat_status_name(status), detail.message);
    return AGENTCHAT_OK;
}

/* What a format must be able to hold for the document. */
static uint32_t holds_of(const agentchat_document *document)
{
    if (document->snapshot != NULL)
        return AGENTCHAT_HOLDS_CHAT;
    return document->session != NULL ? AGENTCHAT_HOLDS_SESSION : AGENTCHAT_HOLDS_EVENT;
}

agentchat_status aci_verdict_conversions(aci_verdict *v, const agentchat_document *document)
{
    uint32_t kind = holds_of(document);
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; status >= 0 && i < agentchat_format_count(); i++) {
        const agentchat_format *format = agentchat_format_at(i);
        conversion c = {.v = v,
                        .document = document,
                        .format = format->name,
                        .is_rewrite = document->format != NULL && strcmp(format->name, document->format) == 0,
                        .bytes = AGENTCHAT_BYTES_INIT};

        if ((format->writes & kind) != 0)
            status = run(&c);
    }
    return status;
}
