/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Complete values read as raw text: one loop that checks everything and keeps one bit a level.
 *
 * The loop knows only whether the value is valid. When it is not, the value is walked again with the ordinary pulls,
 * which find the same fault and know its position and JSON Pointer.
 */
#include "json/reader_internal.h"

typedef struct raw_lines {
    const char *start;
    uint32_t count;
} raw_lines;

/* ---- strings -------------------------------------------------------------------------------------------------- */

#if ACI_JSON_USE_SSE2

enum { WINDOW = 64 };

/* The 64 bytes of the input that the scan is in, a bit for each that is no plain text. The windows follow each other
   in steps that do not depend on what is found, so the processor looks at the bytes of the next strings while it still
   searches for the end of this one. Most of the time goes to that when each string starts a search of its own. */
typedef struct raw_window {
    const char *at;
    uint64_t marks;
} raw_window;

static inline void look_at(raw_window *w, const char *at, const char *end)
{
    w->at = at;
    if (end - at >= WINDOW) {
        w->marks = aci_not_plain_64_(at);
    } else {
        char last[WINDOW] = {0}; /* no byte beyond the end is read; a zero is no text */

        if (at < end)
            memcpy(last, at, (size_t)(end - at));
        w->marks = aci_not_plain_64_(last);
    }
}

/* string_end() when the window ends first, or something else than the quote comes first. */
static const char *string_end_on(raw_window *w, const char *p, const char *end)
{
    const char *bad;

    for (;;) {
        size_t in = (size_t)(p - w->at);

        if (in >= WINDOW) {
            look_at(w, w->at + in / WINDOW * WINDOW, end);
            in %= WINDOW;
        }
        if (w->marks >> in == 0) {
            p = w->at + WINDOW;
            continue;
        }
        p = w->at + in + __builtin_ctzll(w->marks >> in);
        if (p >= end)
            return NULL;
        if (*p == '"')
            return p;
        if (*p != '\\' || end - p < 2 || (unsigned char)p[1] >= 128 || aci_lex_escapes[(unsigned char)p[1]] == 0)
            return aci_lex_string_slow(p, end, &bad);
        p += 2;
    }
}

/* The closing quote of the string whose content is at p; NULL when it is not valid. */
static inline const char *string_end(raw_window *w, const char *p, const char *end)
{
    size_t in = (size_t)(p - w->at);

    if (in < WINDOW && w->marks >> in != 0) {
        const char *found = p + __builtin_ctzll(w->marks >> in);

        if (found < end && *found == '"')
            return found;
    }
    return string_end_on(w, p, end);
}

#else

typedef struct raw_window {
    char none;
} raw_window;

static inline void look_at(raw_window *w, const char *at, const char *end)
{
    (void)w, (void)at, (void)end;
}

static inline const char *string_end(raw_window *w, const char *p, const char *end)
{
    const char *bad;

    (void)w;
    return aci_lex_string(p, end, &bad);
}

#endif

/* ---- values --------------------------------------------------------------------------------------------------- */

static const char *skip_whitespace_slow(const char *p, const char *end, raw_lines *lines)
{
    while (p < end) {
        if (*p == ' ') {
            p = aci_scan_spaces(p, end);
        } else if (*p == '\n') {
            lines->count++;
            lines->start = ++p;
        } else if (*p == '\r' || *p == '\t') {
            p++;
        } else {
            break;
        }
    }
    return p;
}

static inline const char *skip_whitespace(const char *p, const char *end, raw_lines *lines)
{
    return p < end && (unsigned char)*p > ' ' ? p : skip_whitespace_slow(p, end, lines);
}

/* Checks `"name" :` and returns the beginning of the value after it; NULL when it is not valid. */
static inline const char *skip_name(raw_window *w, const char *p, const char *end, raw_lines *lines)
{
    if (p == end || *p != '"')
        return NULL;
    p = string_end(w, p + 1, end);
    if (p == NULL)
        return NULL;
    if (end - p > 2 && p[1] == ':' && (unsigned char)p[2] > ' ') /* as most writers put it */
        return p + 2;
    p = skip_whitespace(p + 1, end, lines);
    return p < end && *p == ':' ? skip_whitespace(p + 1, end, lines) : NULL;
}

static inline const char *skip_word(const char *p, const char *end)
{
    switch (*p) {
    case 't':
        return aci_lex_word(p, end, "true", 4) ? p + 4 : NULL;
    case 'f':
        return aci_lex_word(p, end, "false", 5) ? p + 5 : NULL;
    case 'n':
        return aci_lex_word(p, end, "null", 4) ? p + 4 : NULL;
    default:
        return NULL;
    }
}

static inline const char *skip_scalar(raw_window *w, const char *p, const char *end)
{
    const char *bad;

    if (*p == '"') {
        p = string_end(w, p + 1, end);
        return p != NULL ? p + 1 : NULL;
    }
    return *p <= '9' ? aci_lex_number(p, end, &bad) : skip_word(p, end);
}

/* The open containers, a bit each: whether it is an object. The newest 64 are at hand, with the innermost one in the
   lowest bit; the others wait in memory. */
typedef struct raw_levels {
    uint64_t newest;
    uint32_t depth;
    uint64_t older[ACI_JSON_HIGHEST_DEPTH / 64 + 1]; /* never cleared: that would cost more than most values */
} raw_levels;

static inline void enter(raw_levels *l, bool is_object)
{
    if ((l->depth & 63) == 0)
        l->older[l->depth / 64] = l->newest;
    l->newest = l->newest << 1 | (uint64_t)is_object;
    l->depth++;
}

static inline void leave(raw_levels *l)
{
    l->depth--;
    l->newest = (l->depth & 63) == 0 ? l->older[l->depth / 64] : l->newest >> 1;
}

/* First byte after the value at p, which is no whitespace; NULL when the value is not valid or deeper than `levels`. */
static const char *skip_value(const char *p, const char *end, uint32_t levels, raw_lines *lines)
{
    raw_window w;
    raw_levels l;

    look_at(&w, p, end);
    l.newest = 0;
    l.depth = 0;
    for (;;) { /* p stands where a value must begin */
        if (p == end)
            return NULL;
        if (*p == '{' || *p == '[') {
            char closing = (char)(*p + 2); /* ASCII has the brackets of a pair two apart */

            if (l.depth == levels)
                return NULL;
            enter(&l, *p == '{');
            p = skip_whitespace(p + 1, end, lines);
            if (p == end)
                return NULL;
            if (*p != closing) {
                if (closing == '}' && (p = skip_name(&w, p, end, lines)) == NULL)
                    return NULL;
                continue;
            }
        } else {
            p = skip_scalar(&w, p, end);
            if (p == NULL || l.depth == 0)
                return p;
            p = skip_whitespace(p, end, lines);
        }
        while (p < end && *p != ',') {
            if (*p != ((l.newest & 1) != 0 ? '}' : ']'))
                return NULL;
            leave(&l);
            if (l.depth == 0)
                return p + 1;
            p = skip_whitespace(p + 1, end, lines);
        }
        if (p == end)
            return NULL;
        p = skip_whitespace(p + 1, end, lines);
        if ((l.newest & 1) != 0 && (p = skip_name(&w, p, end, lines)) == NULL)
            return NULL;
    }
}

/* ---- finding the fault ---------------------------------------------------------------------------------------- */

bool aci_json_reader_walk_next(aci_json_reader *r, uint32_t base)
{
    while (r->depth > base) {
        if (r->frames[r->depth - 1].is_object ? aci_reader_member_raw(r) : aci_json_element(r))
            return true;
        if (r->status < 0)
            return false;
    }
    return false;
}

static void walk_to_fault(aci_json_reader *r)
{
    uint32_t base = r->depth;

    do {
        aci_json_kind kind = aci_json_peek(r);
        bool fine = kind == ACI_JSON_OBJECT  ? aci_json_object(r)
                    : kind == ACI_JSON_ARRAY ? aci_json_array(r)
                                             : kind != ACI_JSON_ERROR && aci_reader_scalar(r, kind);

        if (!fine)
            return;
    } while (aci_json_reader_walk_next(r, base));
    (void)aci_json_fail(r, AGENTCHAT_E_INTERNAL, "the two readers of raw values disagree");
}

bool aci_json_raw(aci_json_reader *r, agentchat_str *out)
{
    raw_lines lines = {NULL, 0};
    const char *after;

    *out = (agentchat_str){NULL, 0};
    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r))
        return aci_json_reader_unexpected(r, r->cursor, "a value");
    after = skip_value(r->cursor, r->end, aci_reader_levels_left(r), &lines);
    if (after == NULL) {
        walk_to_fault(r);
        return false;
    }
    aci_reader_mark(r);
    *out = (agentchat_str){r->cursor, (size_t)(after - r->cursor)};
    if (lines.count > 0) {
        r->line += lines.count;
        r->line_start = lines.start;
    }
    r->cursor = after;
    return true;
}
