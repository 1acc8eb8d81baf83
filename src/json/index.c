/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making the flat index, and strings from it.
 *
 * While a container is open, `after` of its node is the container around it, so that the open ones need no stack.
 */
#include "json/index.h"

#include "base/buf.h"
#include "base/error.h"
#include "json/reader_internal.h"
#include "json/scan_value.h"

_Static_assert(sizeof(aci_json_node) == 16, "a node is as small as it was meant to be");

void aci_json_index_init(aci_json_index *index, const agentchat_env *env)
{
    *index = (aci_json_index){.env = aci_env(env)};
}

void aci_json_index_clear(aci_json_index *index)
{
    aci_free(index->env, index->nodes, index->cap * sizeof(*index->nodes));
    aci_json_index_init(index, index->env);
}

/* ---- making it -------------------------------------------------------------------------------------------------- */

typedef enum outcome { DONE, NOT_VALID, NO_MEMORY } outcome;

typedef struct indexing {
    aci_json_index *index;
    aci_scan_window window;
    aci_scan_lines lines;
    const char *end;
    uint32_t count;  /* of the nodes made */
    uint32_t parent; /* the innermost open container */
    uint32_t depth;
} indexing;

/* Makes room for more nodes; the first time, for as many as `len` bytes of usual text have, but not many: what follows
   the value in a longer text counts, too. */
static bool grow(aci_json_index *index, size_t len)
{
    enum { BYTES_A_NODE = 16, FEWEST = 8, MOST = 4096 };
    size_t likely = len / BYTES_A_NODE + FEWEST;

    if (index->nodes == NULL) {
        index->nodes = aci_alloc_array(index->env, likely < MOST ? likely : MOST, sizeof(*index->nodes), &index->cap);
        index->cap /= sizeof(*index->nodes);
        return index->nodes != NULL;
    }
    return aci_grow(index->env, (void **)&index->nodes, &index->cap, index->cap, sizeof(*index->nodes));
}

/* Adds the node of what stands from p to `after`. There is room for it. */
static inline void add(indexing *x, const char *p, const char *after, aci_json_kind kind, bool is_escaped, bool is_key)
{
    aci_json_node *node = &x->index->nodes[x->count++];

    node->begin = (uint32_t)(p - x->index->text);
    node->end = (uint32_t)(after - x->index->text);
    node->after = x->count;
    node->kind = (uint8_t)kind;
    node->is_escaped = is_escaped;
    node->is_key = is_key;
}

/* Takes `"name" :`; the beginning of the value after it, NULL when it is not valid. */
static inline const char *take_name(indexing *x, const char *p)
{
    const char *close;
    bool escaped;

    if (p == x->end || *p != '"')
        return NULL;
    close = aci_scan_string_end(&x->window, p + 1, x->end, &escaped);
    if (close == NULL)
        return NULL;
    add(x, p, close + 1, ACI_JSON_STRING, escaped, true);
    return aci_scan_colon(close, x->end, &x->lines);
}

static inline void enter(indexing *x, const char *p)
{
    uint32_t node = x->count;

    add(x, p, p, *p == '{' ? ACI_JSON_OBJECT : ACI_JSON_ARRAY, false, false);
    x->index->nodes[node].after = x->parent;
    x->parent = node;
    x->depth++;
}

static inline void leave(indexing *x, const char *after)
{
    aci_json_node *node = &x->index->nodes[x->parent];

    node->end = (uint32_t)(after - x->index->text);
    x->parent = node->after;
    node->after = x->count;
    x->depth--;
}

static inline char closing(const indexing *x)
{
    return x->index->nodes[x->parent].kind == ACI_JSON_OBJECT ? '}' : ']';
}

/* Indexes the value at *at and moves *at to the byte after it. */
static outcome index_value(indexing *x, const char **at, uint32_t levels)
{
    const char *p = *at;

    for (;;) { /* p stands where a value must begin */
        if (p == x->end)
            return NOT_VALID;
        if (x->index->cap < (size_t)x->count + 2 &&
            !grow(x->index, (size_t)(x->end - p))) /* the value, and the name of the next one */
            return NO_MEMORY;
        if (*p == '{' || *p == '[') {
            if (x->depth == levels)
                return NOT_VALID;
            enter(x, p);
            p = aci_scan_whitespace(p + 1, x->end, &x->lines);
            if (p == x->end)
                return NOT_VALID;
            if (*p != closing(x)) {
                if (closing(x) == '}' && (p = take_name(x, p)) == NULL)
                    return NOT_VALID;
                continue;
            }
        } else {
            aci_json_kind kind = aci_reader_kind(*p);
            bool escaped;
            const char *after = aci_scan_scalar(&x->window, p, x->end, &escaped);

            if (after == NULL)
                return NOT_VALID;
            add(x, p, after, kind, escaped, false);
            *at = after;
            if (x->depth == 0)
                return DONE;
            p = aci_scan_whitespace(after, x->end, &x->lines);
        }
        while (p < x->end && *p != ',') {
            if (*p != closing(x))
                return NOT_VALID;
            leave(x, p + 1);
            *at = p + 1;
            if (x->depth == 0)
                return DONE;
            p = aci_scan_whitespace(p + 1, x->end, &x->lines);
        }
        if (p == x->end)
            return NOT_VALID;
        p = aci_scan_whitespace(p + 1, x->end, &x->lines);
        if (closing(x) == '}' && (p = take_name(x, p)) == NULL)
            return NOT_VALID;
    }
}

bool aci_json_index_read(aci_json_index *index, aci_json_reader *r)
{
    const char *after;
    indexing x = {.index = index};
    outcome how;

    index->count = 0;
    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r))
        return aci_json_reader_unexpected(r, r->cursor, "a value");
    index->text = after = r->cursor;
    /* What lies beyond 4 GiB cannot be referred to: a value that does not end before is refused. */
    x.end = (uint64_t)(r->end - r->cursor) > UINT32_MAX ? r->cursor + UINT32_MAX : r->end;
    aci_scan_look_at(&x.window, after, x.end);
    how = index_value(&x, &after, aci_reader_levels_left(r));
    if (how == DONE && after == x.end && x.end != r->end)
        how = NOT_VALID;
    if (how == NO_MEMORY) {
        (void)aci_json_fail(r, AGENTCHAT_E_NOMEM, "out of memory");
    } else if (how == NOT_VALID && x.end != r->end) {
        agentchat_str ignored;

        if (aci_json_raw(r, &ignored))
            (void)aci_json_fail(r, AGENTCHAT_E_LIMIT, "the value is longer than 4 GiB");
    } else if (how == NOT_VALID) {
        aci_json_reader_find_fault(r);
    }
    if (how != DONE)
        return false;
    index->count = x.count;
    aci_reader_mark(r);
    if (x.lines.count > 0) {
        r->line += x.lines.count;
        r->line_start = x.lines.start;
    }
    r->cursor = after;
    return true;
}

agentchat_status aci_json_index_text(aci_json_index *index, agentchat_str text, uint32_t max_depth, uint32_t flags,
                                     agentchat_error *err)
{
    aci_json_options options = {.env = index->env, .max_depth = max_depth, .flags = flags};
    aci_json_reader r;

    /* The reader takes writable text for decoding in place, which is not asked for here. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)(text.ptr != NULL ? text.ptr : ""), text.len, err);
    if (!aci_json_index_read(index, &r) || !aci_json_end(&r))
        index->count = 0;
    return aci_json_close(&r);
}

bool aci_json_index_part(aci_json_index *index, const aci_json_index *whole, uint32_t node, const char *text)
{
    const aci_json_node *from = &whole->nodes[node];
    uint32_t count = from->after - node;

    index->count = 0;
    while (index->cap < count)
        if (!aci_grow(index->env, (void **)&index->nodes, &index->cap, index->cap, sizeof(*index->nodes)))
            return false;
    for (uint32_t i = 0; i < count; i++) {
        index->nodes[i] = from[i];
        index->nodes[i].begin -= from->begin;
        index->nodes[i].end -= from->begin;
        index->nodes[i].after -= node;
    }
    index->text = text;
    index->count = count;
    return true;
}

bool aci_json_index_at(const aci_json_index *index, const char *begin, uint32_t *node)
{
    uint32_t from = 0, to = index->count;
    uintptr_t at = (uintptr_t)begin - (uintptr_t)index->text; /* of another text: beyond the end */

    if (to == 0 || at >= index->nodes[0].end)
        return false;
    while (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;

        if (index->nodes[middle].begin <= at)
            from = middle;
        else
            to = middle;
    }
    *node = from;
    return index->nodes[from].begin == at;
}

/* ---- strings ---------------------------------------------------------------------------------------------------- */

bool aci_json_index_string(const aci_json_index *index, uint32_t node, aci_arena *arena, agentchat_str *out)
{
    agentchat_str raw = aci_json_index_raw(index, node);
    size_t room = raw.len + ACI_LEX_SLACK;
    const char *bad;
    char *text, *end;

    *out = (agentchat_str){raw.ptr + 1, raw.len - 2};
    if (!index->nodes[node].is_escaped)
        return true;
    text = end = aci_arena_text(arena, room);
    if (text == NULL)
        return false;
    (void)aci_lex_decode(raw.ptr + 1, raw.ptr + raw.len, text, &end, &bad);
    *out = (agentchat_str){text, (size_t)(end - text)};
    aci_arena_text_shrink(arena, text, room, out->len);
    return true;
}

/* A string with escapes against a text, piece by piece. */
static bool is_decoded(agentchat_str raw, agentchat_str text)
{
    enum { PIECE = 64 };
    const char *in = raw.ptr + 1, *end = raw.ptr + raw.len;
    size_t at = 0;

    while (*in != '"') {
        char piece[PIECE + ACI_LEX_SLACK], *piece_end;
        size_t len;

        in = aci_lex_decode_part(in, end, piece, sizeof(piece), &piece_end);
        len = (size_t)(piece_end - piece);
        if (len > text.len - at || memcmp(piece, text.ptr + at, len) != 0)
            return false;
        at += len;
    }
    return at == text.len;
}

bool aci_json_index_is(const aci_json_index *index, uint32_t node, agentchat_str text)
{
    agentchat_str raw = aci_json_index_raw(index, node);

    if (index->nodes[node].is_escaped)
        return is_decoded(raw, text);
    return raw.len - 2 == text.len && (text.len == 0 || memcmp(raw.ptr + 1, text.ptr, text.len) == 0);
}

uint32_t aci_json_index_find(const aci_json_index *index, uint32_t object, agentchat_str name)
{
    if (aci_json_index_kind(index, object) != ACI_JSON_OBJECT)
        return 0;
    for (uint32_t key = aci_json_index_first(index, object); key != 0; key = aci_json_index_next(index, object, key))
        if (aci_json_index_is(index, key, name))
            return key + 1;
    return 0;
}
