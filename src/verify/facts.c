/* SPDX-License-Identifier: Apache-2.0 */
/* What a document is and holds, against what was expected. */
#include "verify/verdict.h"

#include "base/error.h"
#include "json/value.h"
#include "json/walk.h"
#include <string.h>

static const agentchat_str nowhere = {NULL, 0};

static agentchat_status check_text(aci_verdict *v, const char *check, const char *name, const char *is)
{
    agentchat_str wanted = aci_verdict_member(v->expectation, name);
    agentchat_status status = AGENTCHAT_OK;

    if (wanted.ptr != NULL && !aci_verdict_is(v, wanted, agentchat_str_from(is), &status) && status >= 0)
        aci_verdict_fail(v, check, nowhere, "it is %s, not " AGENTCHAT_STR_FMT, is, AGENTCHAT_STR_ARG(wanted));
    return status;
}

static agentchat_status check_digest(aci_verdict *v, const char *name, const char *digest)
{
    char prefixed[AGENTCHAT_DIGEST_LEN + 8];

    (void)snprintf(prefixed, sizeof prefixed, "sha256:%s", digest);
    return check_text(v, "digest", name, prefixed);
}

/* ---- counts --------------------------------------------------------------------------------------------------- */

static void check_count(aci_verdict *v, const char *name, uint64_t is)
{
    agentchat_str wanted = aci_verdict_member(aci_verdict_member(v->expectation, "counts"), name);
    int64_t number;

    if (wanted.ptr != NULL && (!aci_json_integer(wanted, &number) || number < 0 || (uint64_t)number != is))
        aci_verdict_fail(v, "counts", nowhere, "%s: %llu, not " AGENTCHAT_STR_FMT, name, (unsigned long long)is,
                         AGENTCHAT_STR_ARG(wanted));
}

static void check_counts(aci_verdict *v, const agentchat_document *document)
{
    const agentchat_snapshot *snapshot = document->snapshot;

    check_count(v, "messages", agentchat_messages_count(agentchat_snapshot_history(snapshot)));
    check_count(v, "participants", agentchat_snapshot_participant_count(snapshot));
    check_count(v, "channels", agentchat_snapshot_channel_count(snapshot));
    check_count(v, "events", document->event_count);
}

/* ---- transcript ----------------------------------------------------------------------------------------------- */

/* The lines that are expected, and the one that is next. */
typedef struct transcript {
    aci_verdict *v;
    aci_walk walk;
    size_t line;
    bool differs;
    agentchat_status status;
} transcript;

static void next_line(transcript *t, agentchat_str speaker, const agentchat_message *message)
{
    size_t count = agentchat_message_item_count(message);
    aci_buf line;
    bool ok;

    if (t->differs || t->status < 0)
        return;
    aci_buf_init(&line, t->v->env, SIZE_MAX);
    ok = aci_buf_add_str(&line, speaker) && aci_buf_add(&line, ": ", 2);
    for (size_t i = 0; ok && i < count; i++) {
        const agentchat_item *item = agentchat_message_item(message, i);
        agentchat_str text = agentchat_item_get(item, AGENTCHAT_FIELD_TEXT);

        if (agentchat_item_get_kind(item) == AGENTCHAT_ITEM_TEXT && text.ptr != NULL)
            ok = aci_buf_add_str(&line, text);
    }
    if (!ok) {
        t->status = aci_fail_nomem(t->v->err);
    } else if (!aci_walk_next(&t->walk) ||
               (!aci_verdict_is(t->v, t->walk.value, aci_buf_str(&line), &t->status) && t->status >= 0)) {
        aci_verdict_fail(t->v, "transcript", nowhere, "line %zu is \"%.*s\"", t->line + 1,
                         line.len < 200 ? (int)line.len : 200, line.ptr);
        t->differs = true;
    }
    t->line++;
    aci_buf_clear(&line);
}

static agentchat_str speaker_of(const agentchat_message *message)
{
    agentchat_str name = agentchat_message_get(message, AGENTCHAT_FIELD_NAME);

    if (name.ptr != NULL && !agentchat_str_is_null(name))
        return name;
    name = agentchat_message_role(message);
    return name.ptr != NULL && !agentchat_str_is_null(name) ? name : AGENTCHAT_STR("");
}

static void walk_events(transcript *t, const agentchat_document *document)
{
    agentchat_event *event;
    agentchat_str line;

    for (size_t i = 0; i < agentchat_session_file_event_count(document->session); i++) {
        const agentchat_event *one = agentchat_session_file_event(document->session, i);

        next_line(t, agentchat_event_get(one, AGENTCHAT_EVENT_AUTHOR), agentchat_event_content(one));
    }
    for (size_t at = 0; document->text != NULL && t->status >= 0 && aci_document_next_line(document, &at, &line);) {
        t->status = agentchat_event_read(t->v->env, line, NULL, &event, NULL, t->v->err);
        if (t->status >= 0)
            next_line(t, agentchat_event_get(event, AGENTCHAT_EVENT_AUTHOR), agentchat_event_content(event));
        agentchat_event_unref(event);
    }
}

static agentchat_status check_transcript(aci_verdict *v, const agentchat_document *document)
{
    agentchat_str wanted = aci_verdict_member(v->expectation, "transcript");
    const agentchat_messages *history = agentchat_snapshot_history(document->snapshot);
    transcript t = {.v = v};

    if (wanted.ptr == NULL)
        return AGENTCHAT_OK;
    if (*wanted.ptr != '[')
        return aci_fail(v->err, AGENTCHAT_E_INVALID, "the transcript of an expectation is an array of strings");
    aci_walk_begin(&t.walk, wanted);
    for (size_t i = 0; i < agentchat_messages_count(history); i++)
        next_line(&t, speaker_of(agentchat_messages_at(history, i)), agentchat_messages_at(history, i));
    walk_events(&t, document);
    if (t.status >= 0 && !t.differs && aci_walk_next(&t.walk))
        aci_verdict_fail(v, "transcript", nowhere, "it has only %zu lines", t.line);
    return t.status;
}

agentchat_status aci_verdict_facts(aci_verdict *v, const agentchat_document *document, const char *digest)
{
    char all[AGENTCHAT_DIGEST_LEN + 1];
    const char *format = document->format;
    agentchat_status status = check_text(v, "kind", "kind", agentchat_document_kind_name(document->kind));

    if (status >= 0)
        status = check_text(v, "format", "format", format != NULL ? format : "of no format");
    if (status >= 0)
        status = check_digest(v, "digest", digest);
    if (status >= 0)
        status = agentchat_document_digest(document, true, all, v->err);
    if (status >= 0)
        status = check_digest(v, "digest_all", all);
    check_counts(v, document);
    return status < 0 ? status : check_transcript(v, document);
}
