/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the semantic-kernel format: the document's beginning and the tools that its parts share. Layer 4.
 * A document is the state of a chat as AgentChatSerializer writes it, or a bare array of messages (a ChatHistory).
 */
#include "codec/sk_read.h"

#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>

#define PADDING 32 /* readable bytes that a JSON reader wants behind its text */

bool aci_sk_nomem(aci_json_reader *r)
{
    (void)aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    return false;
}

bool aci_sk_note(aci_sk_reader *s, aci_json_reader *r, const aci_sk_path *path, const char *format, ...)
{
    char text[256];
    va_list arguments;

    if (s->report == NULL)
        return true;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return aci_sk_report(s->report, s->env, AGENTCHAT_REPORT_NOTE, path, "%s", text) || aci_sk_nomem(r);
}

void aci_sk_sub_begin(aci_sk_reader *s, const aci_json_reader *outer, aci_json_reader *sub, agentchat_str span,
                      agentchat_error *err)
{
    aci_json_options options = {0};

    options.env = s->env;
    options.home = s->home;
    options.max_depth = s->in->limits.max_depth;
    options.source = s->in->source;
    options.depth_used = outer->options.depth_used + outer->depth;
    aci_json_begin(sub, &options, (char *)(uintptr_t)span.ptr, span.len, err);
}

/* Moves an error to a place in the outer document, whose line is counted again: the inner reader counted from its own
   beginning. */
static void move_error(const aci_json_reader *outer, agentchat_error *err, const char *where)
{
    const char *line_start = outer->begin;
    uint32_t line = 1;

    for (const char *p = line_start; (p = memchr(p, '\n', (size_t)(where - p))) != NULL;) {
        line_start = ++p;
        line++;
    }
    aci_error_at(err, (uint64_t)(where - outer->begin), line, (uint32_t)(where - line_start) + 1);
}

bool aci_sk_sub_end(aci_json_reader *outer, aci_json_reader *sub, agentchat_str span, const char *name)
{
    char pointer[512];
    agentchat_status status = aci_json_close(sub);

    if (status >= 0)
        return true;
    if (sub->err != NULL) {
        size_t len = aci_json_pointer(outer, pointer, sizeof pointer);

        if (name != NULL && len + strlen(name) + 1 < sizeof pointer) {
            pointer[len] = '/';
            memcpy(pointer + len + 1, name, strlen(name));
            len += strlen(name) + 1;
        }
        aci_error_path_prepend(sub->err, (agentchat_str){pointer, len});
        if (span.ptr < outer->begin || span.ptr > outer->end) /* a document inside a string: the place is behind that */
            move_error(outer, sub->err, outer->cursor);
        else if (sub->err->offset != AGENTCHAT_NO_OFFSET)
            move_error(outer, sub->err, span.ptr + sub->err->offset);
        if (outer->err != NULL && outer->err != sub->err && outer->err->code == 0)
            *outer->err = *sub->err;
    }
    (void)aci_json_fail(outer, status, "an inner document is not valid");
    return false;
}

aci_json_reader *aci_sk_sub_new(aci_sk_reader *s, aci_json_reader *outer, agentchat_str span)
{
    aci_json_reader *sub = aci_alloc(s->env, sizeof *sub);

    if (sub == NULL)
        (void)aci_sk_nomem(outer);
    else
        aci_sk_sub_begin(s, outer, sub, span, outer->err);
    return sub;
}

bool aci_sk_sub_free(aci_sk_reader *s, aci_json_reader *outer, aci_json_reader *sub, agentchat_str span,
                     const char *name)
{
    bool ok = aci_sk_sub_end(outer, sub, span, name);

    aci_free(s->env, sub, sizeof *sub);
    return ok;
}

bool aci_sk_decoded(aci_sk_reader *s, aci_json_reader *r, agentchat_str *text)
{
    char *copy;

    s->decoded += text->len;
    if (s->decoded > s->in->limits.max_bytes || s->in->len > s->in->limits.max_bytes - s->decoded) {
        (void)aci_json_fail(r, AGENTCHAT_E_LIMIT, "more than %llu bytes with the documents inside strings",
                            (unsigned long long)s->in->limits.max_bytes);
        return false;
    }
    if (text->ptr >= r->begin && text->ptr < r->end) /* no escapes: what follows in the document is the padding */
        return true;
    copy = aci_home_text(s->home, text->len + PADDING);
    if (copy == NULL)
        return aci_sk_nomem(r);
    memcpy(copy, text->ptr, text->len);
    memset(copy + text->len, 0, PADDING);
    text->ptr = copy;
    return true;
}

static bool read_bare(aci_sk_reader *s, aci_json_reader *r, agentchat_snapshot **out)
{
    static const aci_sk_path history = {NULL, "history", 0};
    aci_sk_list list = {0};
    agentchat_snapshot *snapshot = aci_snapshot_new(s->env, aci_home_ref(s->home));
    bool ok;

    if (snapshot == NULL)
        return aci_sk_nomem(r);
    snapshot->format = AGENTCHAT_FORMAT_SEMANTIC_KERNEL;
    snapshot->history_spelling = ACI_SPELLED_RAW;
    snapshot->bare_history = true;
    ok = aci_sk_read_messages(s, r, &history, NULL, &list) &&
         (aci_list_from_home(&snapshot->history, s->env, s->home, list.messages, list.count) || aci_sk_nomem(r));
    aci_sk_list_clear(&list, s->env);
    if (ok)
        *out = snapshot;
    else
        agentchat_snapshot_unref(snapshot);
    return ok;
}

static bool read_document(aci_sk_reader *s, aci_json_reader *r, agentchat_snapshot **out)
{
    switch (aci_json_peek(r)) {
    case ACI_JSON_OBJECT:
        return aci_sk_read_chat(s, r, NULL, NULL, out);
    case ACI_JSON_ARRAY:
        return read_bare(s, r, out);
    case ACI_JSON_ERROR:
        return false;
    case ACI_JSON_STRING:
    case ACI_JSON_NUMBER:
    case ACI_JSON_TRUE:
    case ACI_JSON_FALSE:
    case ACI_JSON_NULL:
        break;
    }
    (void)aci_json_fail_at(r, aci_json_offset(r), AGENTCHAT_E_SCHEMA,
                           "the document is neither the state of a chat nor a list of messages");
    return false;
}

agentchat_status aci_sk_read(aci_read *in, agentchat_snapshot **out, agentchat_error *err)
{
    aci_sk_reader s = {0};
    aci_json_reader r;
    aci_json_options options = {0};
    size_t bom = in->len >= 3 && memcmp(in->data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status;

    *out = NULL;
    s.in = in;
    s.env = aci_env(in->env);
    s.home = in->home;
    s.report = in->report;
    options.env = s.env;
    options.home = in->home;
    options.max_depth = in->limits.max_depth;
    options.source = in->source;
    aci_json_begin(&r, &options, in->data, in->len, err);
    r.cursor += bom;
    if (read_document(&s, &r, &snapshot))
        (void)aci_json_end(&r);
    status = aci_json_close(&r);
    aci_free(s.env, s.items, s.item_cap * sizeof *s.items);
    if (status < 0) {
        agentchat_snapshot_unref(snapshot);
        return status;
    }
    *out = snapshot;
    return AGENTCHAT_OK;
}
