/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Complete values read as raw text: one loop that checks everything and keeps one bit a level.
 *
 * The loop knows only whether the value is valid. When it is not, the value is walked again with the ordinary pulls,
 * which find the same fault and know its position and JSON Pointer.
 */
#include "json/reader_internal.h"
#include "json/scan_value.h"
#include "json/tokens.h"

/* ---- values --------------------------------------------------------------------------------------------------- */

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

/* Checks `"name" :` and returns the beginning of the value after it; NULL when it is not valid. */
static inline const char *skip_name(aci_scan_window *w, const char *p, const char *end, aci_scan_lines *lines)
{
    bool escaped;

    if (p == end || *p != '"')
        return NULL;
    p = aci_scan_string_end(w, p + 1, end, &escaped);
    return p != NULL ? aci_scan_colon(p, end, lines) : NULL;
}

/* First byte after the value at p, which is no whitespace; NULL when the value is not valid or deeper than `levels`. */
static const char *skip_value(const char *p, const char *end, uint32_t levels, aci_scan_lines *lines)
{
    aci_scan_window w;
    raw_levels l;
    bool escaped;

    aci_scan_look_at(&w, p, end);
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
            p = aci_scan_whitespace(p + 1, end, lines);
            if (p == end)
                return NULL;
            if (*p != closing) {
                if (closing == '}' && (p = skip_name(&w, p, end, lines)) == NULL)
                    return NULL;
                continue;
            }
        } else {
            p = aci_scan_scalar(&w, p, end, &escaped);
            if (p == NULL || l.depth == 0)
                return p;
            p = aci_scan_whitespace(p, end, lines);
        }
        while (p < end && *p != ',') {
            if (*p != ((l.newest & 1) != 0 ? '}' : ']'))
                return NULL;
            leave(&l);
            if (l.depth == 0)
                return p + 1;
            p = aci_scan_whitespace(p + 1, end, lines);
        }
        if (p == end)
            return NULL;
        p = aci_scan_whitespace(p + 1, end, lines);
        if ((l.newest & 1) != 0 && (p = skip_name(&w, p, end, lines)) == NULL)
            return NULL;
    }
}

const char *aci_json_value_end(const char *p, const char *end)
{
    aci_scan_lines lines = {NULL, 0};
    const char *after = skip_value(p, end, ACI_JSON_HIGHEST_DEPTH, &lines);

    return after != NULL ? after : end;
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

void aci_json_reader_find_fault(aci_json_reader *r)
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
    aci_scan_lines lines = {NULL, 0};
    const char *after;

    *out = (agentchat_str){NULL, 0};
    if (r->status < 0)
        return false;
    if (!aci_reader_skip(r))
        return aci_json_reader_unexpected(r, r->cursor, "a value");
    after = skip_value(r->cursor, r->end, aci_reader_levels_left(r), &lines);
    if (after == NULL) {
        aci_json_reader_find_fault(r);
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
