/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole values taken as raw text: one loop that checks everything and keeps one bit a level. Layer 1.
 *
 * The loop knows only whether the value is right. When it is not, the value is walked again with the ordinary pulls,
 * which find the same fault and know the place and its JSON Pointer.
 */
#include "json/reader_internal.h"

typedef struct raw_lines {
    const char *start;
    uint32_t count;
} raw_lines;

static const char *blanks_slow(const char *p, const char *end, raw_lines *lines)
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

static inline const char *blanks(const char *p, const char *end, raw_lines *lines)
{
    return p < end && (unsigned char)*p > ' ' ? p : blanks_slow(p, end, lines);
}

/* Checks `"name" :` and gives the place of the value behind it; NULL when it is not right. */
static inline const char *skip_name(const char *p, const char *end, raw_lines *lines)
{
    const char *bad;

    if (p == end || *p != '"')
        return NULL;
    p = aci_lex_string(p + 1, end, &bad);
    if (p == NULL)
        return NULL;
    p = blanks(p + 1, end, lines);
    return p < end && *p == ':' ? blanks(p + 1, end, lines) : NULL;
}

static inline const char *skip_scalar(const char *p, const char *end)
{
    const char *bad;

    switch (*p) {
    case '"':
        p = aci_lex_string(p + 1, end, &bad);
        return p != NULL ? p + 1 : NULL;
    case 't':
        return aci_lex_word(p, end, "true", 4) ? p + 4 : NULL;
    case 'f':
        return aci_lex_word(p, end, "false", 5) ? p + 5 : NULL;
    case 'n':
        return aci_lex_word(p, end, "null", 4) ? p + 4 : NULL;
    default:
        return aci_lex_number(p, end, &bad);
    }
}

/* First byte behind the value at p, which is no blank; NULL when the value is not right or deeper than `levels`. */
static const char *skip_value(const char *p, const char *end, uint32_t levels, raw_lines *lines)
{
    uint64_t outer[ACI_HIGHEST_MAX_DEPTH / 64 + 1]; /* a bit a level: whether the container around is an object */
    uint32_t depth = 0;
    bool in_object = false;

    for (;;) { /* p stands where a value must begin */
        if (p == end)
            return NULL;
        if (*p == '{' || *p == '[') {
            if (depth == levels)
                return NULL;
            if ((depth & 63) == 0)
                outer[depth / 64] = 0; /* clearing all of them at the start would cost more than most values */
            outer[depth / 64] &= ~(UINT64_C(1) << (depth & 63));
            outer[depth / 64] |= (uint64_t)in_object << (depth & 63);
            depth++;
            in_object = *p == '{';
            p = blanks(p + 1, end, lines);
            if (p == end)
                return NULL;
            if (*p != (in_object ? '}' : ']')) {
                if (in_object && (p = skip_name(p, end, lines)) == NULL)
                    return NULL;
                continue;
            }
        } else {
            p = skip_scalar(p, end);
            if (p == NULL || depth == 0)
                return p;
            p = blanks(p, end, lines);
        }
        while (p < end && *p == (in_object ? '}' : ']')) {
            depth--;
            in_object = (outer[depth / 64] >> (depth & 63) & 1) != 0;
            if (depth == 0)
                return p + 1;
            p = blanks(p + 1, end, lines);
        }
        if (p == end || *p != ',')
            return NULL;
        p = blanks(p + 1, end, lines);
        if (in_object && (p = skip_name(p, end, lines)) == NULL)
            return NULL;
    }
}

/* ---- finding the fault ---------------------------------------------------------------------------------------- */

static bool walk_scalar(aci_json_reader *r, aci_json_kind kind)
{
    const char *bad, *after;
    bool ignored;

    if (kind == ACI_JSON_TRUE || kind == ACI_JSON_FALSE)
        return aci_json_bool(r, &ignored);
    if (kind == ACI_JSON_NULL)
        return aci_json_null(r);
    aci_reader_mark(r);
    if (kind == ACI_JSON_STRING) {
        after = aci_lex_string(r->cursor + 1, r->end, &bad);
        if (after == NULL)
            return aci_reader_bad_string(r, bad);
        r->cursor = after + 1;
        return true;
    }
    after = aci_lex_number(r->cursor, r->end, &bad);
    if (after == NULL)
        return aci_reader_bad_number(r, bad);
    r->cursor = after;
    return true;
}

bool aci_reader_walk_next(aci_json_reader *r, uint32_t base)
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
                                             : kind != ACI_JSON_ERROR && walk_scalar(r, kind);

        if (!fine)
            return;
    } while (aci_reader_walk_next(r, base));
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
        return aci_reader_unexpected(r, r->cursor, "a value");
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
