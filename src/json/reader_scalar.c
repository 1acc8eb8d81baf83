/* SPDX-License-Identifier: Apache-2.0 */
/* Scalars: strings that have escapes are decoded, and what is not wanted is only checked. */
#include "json/reader_internal.h"

#include <string.h>

/* Decodes into the rest of the arena's block, which has room for all but a few strings, so that the text is looked at
   once only. When there was not enough, what is done is moved to a block for the complete string, whose length must be
   known for it. */
static const char *decode_arena(aci_json_reader *r, agentchat_str *out, const char **bad)
{
    const char *content = r->cursor + 1, *in, *close;
    aci_arena *arena = r->options.arena;
    size_t room, done;
    char *start = aci_arena_text_rest(arena, &room), *end, *complete;

    in = aci_lex_decode_part(content, r->end, start, room, &end);
    done = (size_t)(end - start);
    if (in < r->end && *in == '"') {
        aci_arena_text_shrink(arena, start, room, done);
        *out = (agentchat_str){start, done};
        return in;
    }
    aci_arena_text_shrink(arena, start, room, 0); /* what was written stays until something else is */
    close = aci_lex_string(in, r->end, bad);
    if (close == NULL)
        return NULL;
    room = done + (size_t)(close - in) + ACI_LEX_SLACK;
    complete = aci_arena_text(arena, room);
    if (complete == NULL) {
        (void)aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
        return NULL;
    }
    memmove(complete, start, done);
    (void)aci_lex_decode(in, r->end, complete + done, &end, bad);
    done = (size_t)(end - complete);
    aci_arena_text_shrink(arena, complete, room, done);
    *out = (agentchat_str){complete, done};
    return close;
}

/* The same in place; the first escape is at `escape`. */
static const char *decode_in_place(aci_json_reader *r, const char *escape, agentchat_str *out, const char **bad)
{
    const char *content = r->cursor + 1, *close;
    char *start = (char *)(uintptr_t)content, *end = NULL;

    close = aci_lex_decode_in_place(escape, r->end, start + (escape - content), &end, bad);
    if (close == NULL)
        return NULL;
    *end = '\0'; /* an escape is longer than what it stands for, so there is room */
    *out = (agentchat_str){start, (size_t)(end - start)};
    return close;
}

bool aci_json_reader_decode(aci_json_reader *r, const char *escape, agentchat_str *out)
{
    const char *bad = NULL, *close;

    if ((r->options.flags & ACI_JSON_IN_PLACE) != 0) {
        close = decode_in_place(r, escape, out, &bad);
    } else if (r->options.arena != NULL) {
        close = decode_arena(r, out, &bad);
    } else
        return aci_json_fail(r, AGENTCHAT_E_INTERNAL, "a reader without an arena met an escape");
    if (close == NULL)
        return r->status >= 0 && aci_json_reader_bad_string(r, bad);
    r->cursor = close + 1;
    return true;
}

bool aci_reader_scalar(aci_json_reader *r, aci_json_kind kind)
{
    const char *bad, *after;

    if (kind == ACI_JSON_TRUE)
        return aci_reader_word(r, "true", 4);
    if (kind == ACI_JSON_FALSE)
        return aci_reader_word(r, "false", 5);
    if (kind == ACI_JSON_NULL)
        return aci_reader_word(r, "null", 4);
    aci_reader_mark(r);
    if (kind == ACI_JSON_STRING) {
        after = aci_lex_string(r->cursor + 1, r->end, &bad);
        if (after == NULL)
            return aci_json_reader_bad_string(r, bad);
        r->cursor = after + 1;
        return true;
    }
    after = aci_lex_number(r->cursor, r->end, &bad);
    if (after == NULL)
        return aci_json_reader_bad_number(r, bad);
    r->cursor = after;
    return true;
}
