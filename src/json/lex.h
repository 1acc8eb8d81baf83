/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens of JSON: strings, numbers, literals. No state, no allocation, no reading outside [p, end). Layer 1.
 *
 * A scan that fails returns NULL and sets *bad to the byte that is wrong (end when the input stops too early; the
 * backslash of a wrong escape; the first byte of a wrong UTF-8 sequence).
 */
#ifndef ACI_JSON_LEX_H
#define ACI_JSON_LEX_H

#include "json/simd.h"

extern const uint8_t aci_lex_hex[256];  /* value of a hexadecimal digit, 0xFF for any other byte */
extern const char aci_lex_escapes[128]; /* what `\c` stands for, 0 for none; `u` is not in it */

/* Value of the four hexadecimal digits at p; above 0xFFFF when they are not. */
static inline uint32_t aci_lex_hex4(const char *p)
{
    uint32_t a = aci_lex_hex[(unsigned char)p[0]], b = aci_lex_hex[(unsigned char)p[1]];
    uint32_t c = aci_lex_hex[(unsigned char)p[2]], d = aci_lex_hex[(unsigned char)p[3]];

    return (a | b | c | d) > 15 ? UINT32_MAX : a << 12 | b << 8 | c << 4 | d;
}

/* p stands behind the opening quote. Checks the string and returns its closing quote. */
const char *aci_lex_string_slow(const char *p, const char *end, const char **bad);
static inline const char *aci_lex_string(const char *p, const char *end, const char **bad)
{
    p = aci_scan_text(p, end);
    if (p < end && *p == '"')
        return p;
    return aci_lex_string_slow(p, end, bad);
}

enum { ACI_LEX_SLACK = 16 }; /* whole blocks are stored, however little of them counts */

/* Checks and decodes the content of a string from `in` (behind the opening quote, or any later start of a character) to
   its closing quote, which is returned. Lone surrogates become WTF-8. out has room for ACI_LEX_SLACK more bytes than
   the content has. */
const char *aci_lex_decode(const char *in, const char *end, char *out, char **out_end, const char **bad);
/* The same to the place `out` in the same buffer, at `in` or before it. Nothing behind the content is touched. */
const char *aci_lex_decode_in_place(const char *in, const char *end, char *out, char **out_end, const char **bad);

/* Exact grammar of RFC 8259. Returns the first byte behind the number. */
static inline const char *aci_lex_digits(const char *p, const char *end)
{
    while (p < end && (unsigned)(*p - '0') < 10)
        p++;
    return p;
}

static inline const char *aci_lex_number(const char *p, const char *end, const char **bad)
{
    const char *digits;

    if (p < end && *p == '-')
        p++;
    digits = p;
    p = p < end && *p == '0' ? p + 1 : aci_lex_digits(p, end);
    if (p == digits)
        goto wrong;
    if (p < end && *p == '.') {
        digits = ++p;
        p = aci_lex_digits(p, end);
        if (p == digits)
            goto wrong;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        digits = p;
        p = aci_lex_digits(p, end);
        if (p == digits)
            goto wrong;
    }
    return p;
wrong:
    *bad = p;
    return NULL;
}

/* Whether `true`, `false` or `null` (word, of len bytes) stands at p. */
static inline bool aci_lex_word(const char *p, const char *end, const char *word, size_t len)
{
    return (size_t)(end - p) >= len && memcmp(p, word, len) == 0;
}

#endif
