/* SPDX-License-Identifier: Apache-2.0 */
/* What the reading half shares: notes, readers over a part of the document, documents inside strings. */
#include "format/semantic_kernel/reader.h"

#include "base/b64.h"
#include "base/error.h"
#include "format/kit/raw_reader.h"

#define PADDING 32 /* readable bytes that a JSON reader needs after its text */

bool aci_sk_nomem(aci_json_reader *r)
{
    (void)aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    return false;
}

bool aci_sk_note(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, const char *format, ...)
{
    static const agentchat_str prefix = {NULL, 0};
    va_list arguments;
    bool ok;

    va_start(arguments, format);
    ok = aci_raw_reader_vreport(s->report, s->env, AGENTCHAT_REPORT_NOTE, prefix, path, format, arguments);
    va_end(arguments);
    return ok || aci_sk_nomem(r);
}

void aci_sk_sub_begin(aci_sk_reader *s, const aci_json_reader *outer, aci_json_reader *sub, agentchat_str span,
                      agentchat_error *err)
{
    aci_json_options options = {0};

    options.env = s->env;
    options.arena = s->arena;
    options.max_depth = s->in->limits.max_depth;
    options.source = s->in->source;
    options.depth_used = outer->options.depth_used + outer->depth;
    aci_json_begin(sub, &options, (char *)(uintptr_t)span.ptr, span.len, err);
}

/* Moves an error to a location in the outer document, whose line is counted again: the inner reader counted from its
   own beginning. */
static void move_error(const aci_json_reader *outer, agentchat_error *err, const char *where)
{
    agentchat_str document = {outer->begin, (size_t)(outer->end - outer->begin)};

    aci_error_at_offset(err, document, (uint64_t)(where - outer->begin));
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
        if (span.ptr < outer->begin || span.ptr > outer->end) /* a document inside a string: its end is the location */
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

bool aci_sk_decode(aci_sk_reader *s, aci_json_reader *r, agentchat_str raw, agentchat_str *out)
{
    aci_raw_reader reader = {.arena = s->arena};

    *out = (agentchat_str){NULL, 0};
    return aci_raw_reader_decode(&reader, raw, out) || aci_sk_nomem(r);
}

bool aci_sk_decode_base64(aci_sk_reader *s, aci_json_reader *r, agentchat_str base64, bool *valid, agentchat_str *out)
{
    char *bytes;
    size_t bad, size;

    *valid = aci_b64_check(base64, &bad);
    if (!*valid)
        return true;
    size = aci_b64_decoded_size(base64);
    bytes = aci_arena_text(s->arena, size + 1);
    if (bytes == NULL)
        return aci_sk_nomem(r);
    aci_b64_decode(base64, bytes);
    *out = (agentchat_str){bytes, size};
    return true;
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
    copy = aci_arena_text(s->arena, text->len + PADDING);
    if (copy == NULL)
        return aci_sk_nomem(r);
    memcpy(copy, text->ptr, text->len);
    memset(copy + text->len, 0, PADDING);
    text->ptr = copy;
    return true;
}

bool aci_sk_interleave(const agentchat_env *env, void *array, size_t elem, size_t first, const size_t *at, size_t count)
{
    size_t total = first + count, rest = 0, moved = first;
    char *list = array, *old;

    if (count == 0)
        return true;
    old = aci_alloc(env, total * elem); /* cannot wrap: as large an array exists */
    if (old == NULL)
        return false;
    memcpy(old, list, total * elem);
    for (size_t i = 0; i < total; i++) {
        bool is_moved;

        while (moved < total && at[moved - first] == SIZE_MAX)
            moved++;
        while (rest >= first && rest < total && at[rest - first] != SIZE_MAX)
            rest++;
        is_moved = moved < total && (at[moved - first] <= i || rest == total);
        memcpy(list + i * elem, old + (is_moved ? moved++ : rest++) * elem, elem);
    }
    aci_free(env, old, total * elem);
    return true;
}
