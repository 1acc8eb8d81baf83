/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tokens of a complete value, one after the other, as fast as they can be checked: for loops that go over a value
 * once and know only whether it is valid. What is wrong where is found by the ordinary pulls afterwards.
 */
#ifndef ACI_JSON_SCAN_VALUE_H
#define ACI_JSON_SCAN_VALUE_H

#include "json/lex.h"

/* The line ends that were passed: how many, and the byte after the last one. */
typedef struct aci_scan_lines {
    const char *start;
    uint32_t count;
} aci_scan_lines;

/* ---- strings -------------------------------------------------------------------------------------------------- */

#if ACI_JSON_USE_SSE2

enum { ACI_SCAN_WINDOW = 64 };

/* The 64 bytes of the input that the scan is in, a bit for each that is no plain text. The windows follow each other
   in steps that do not depend on what is found, so the processor looks at the bytes of the next strings while it still
   searches for the end of this one. Most of the time goes to that when each string starts a search of its own. */
typedef struct aci_scan_window {
    const char *at;
    uint64_t marks;
} aci_scan_window;

static inline void aci_scan_look_at(aci_scan_window *w, const char *at, const char *end)
{
    w->at = at;
    if (end - at >= ACI_SCAN_WINDOW) {
        w->marks = aci_not_plain_64_(at);
    } else {
        char last[ACI_SCAN_WINDOW] = {0}; /* no byte beyond the end is read; a zero is no text */

        if (at < end)
            memcpy(last, at, (size_t)(end - at));
        w->marks = aci_not_plain_64_(last);
    }
}

/* aci_scan_string_end() when the window ends first, or something else than the quote comes first. */
static const char *aci_scan_string_end_on(aci_scan_window *w, const char *p, const char *end)
{
    const char *bad;

    for (;;) {
        size_t in = (size_t)(p - w->at);

        if (in >= ACI_SCAN_WINDOW) {
            aci_scan_look_at(w, w->at + in / ACI_SCAN_WINDOW * ACI_SCAN_WINDOW, end);
            in %= ACI_SCAN_WINDOW;
        }
        if (w->marks >> in == 0) {
            p = w->at + ACI_SCAN_WINDOW;
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

/* The closing quote of the string whose content is at p; NULL when it is not valid. *escaped: whether it has escapes.
 */
static inline const char *aci_scan_string_end(aci_scan_window *w, const char *p, const char *end, bool *escaped)
{
    size_t in = (size_t)(p - w->at);
    const char *close;

    *escaped = false;

    if (in < ACI_SCAN_WINDOW && w->marks >> in != 0) {
        const char *found = p + __builtin_ctzll(w->marks >> in);

        if (found < end && *found == '"')
            return found;
    }
    close = aci_scan_string_end_on(w, p, end);
    *escaped = close != NULL && memchr(p, '\\', (size_t)(close - p)) != NULL;
    return close;
}

#else

typedef struct aci_scan_window {
    char none;
} aci_scan_window;

static inline void aci_scan_look_at(aci_scan_window *w, const char *at, const char *end)
{
    (void)w, (void)at, (void)end;
}

static inline const char *aci_scan_string_end(aci_scan_window *w, const char *p, const char *end, bool *escaped)
{
    const char *bad, *close = aci_lex_string(p, end, &bad);

    (void)w;
    *escaped = close != NULL && memchr(p, '\\', (size_t)(close - p)) != NULL;
    return close;
}

#endif

/* ---- values --------------------------------------------------------------------------------------------------- */

static const char *aci_scan_whitespace_slow(const char *p, const char *end, aci_scan_lines *lines)
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

static inline const char *aci_scan_whitespace(const char *p, const char *end, aci_scan_lines *lines)
{
    return p < end && (unsigned char)*p > ' ' ? p : aci_scan_whitespace_slow(p, end, lines);
}

/* Checks the colon after the name whose closing quote is given; the beginning of the value, NULL without a colon. */
static inline const char *aci_scan_colon(const char *close, const char *end, aci_scan_lines *lines)
{
    const char *p;

    if (end - close > 2 && close[1] == ':' && (unsigned char)close[2] > ' ') /* as most writers put it */
        return close + 2;
    p = aci_scan_whitespace(close + 1, end, lines);
    return p < end && *p == ':' ? aci_scan_whitespace(p + 1, end, lines) : NULL;
}

static inline const char *aci_scan_word(const char *p, const char *end)
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

/* A string, a number or a word: its end; NULL when it is not valid. */
static inline const char *aci_scan_scalar(aci_scan_window *w, const char *p, const char *end, bool *escaped)
{
    const char *bad;

    *escaped = false;
    if (*p == '"') {
        p = aci_scan_string_end(w, p + 1, end, escaped);
        return p != NULL ? p + 1 : NULL;
    }
    return *p <= '9' ? aci_lex_number(p, end, &bad) : aci_scan_word(p, end);
}

#endif
