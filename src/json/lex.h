/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens of JSON: strings, numbers, literals. No state, no allocation, no reading outside [p, end).
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

/* p stands after the opening quote. Checks the string and returns its closing quote. */
const char *aci_lex_string_slow(const char *p, const char *end, const char **bad);
/* The same when the string is short and plain, as names, ids and roles are; NULL when it takes a closer look. */
static inline const char *aci_lex_string_short(const char *p, const char *end)
{
#if ACI_JSON_USE_SSE2
    if (end - p >= 16) {
        unsigned mask = aci_not_plain_(aci_load_(p));

        if (mask != 0 && p[__builtin_ctz(mask)] == '"')
            return p + __builtin_ctz(mask);
    }
#endif
    (void)p, (void)end;
    return NULL;
}
static inline const char *aci_lex_string(const char *p, const char *end, const char **bad)
{
    const char *close = aci_lex_string_short(p, end);

    return close != NULL ? close : aci_lex_string_slow(p, end, bad);
}

enum { ACI_LEX_SLACK = 16 }; /* full blocks are stored, however little of them counts */

/* Checks and decodes the content of a string from `in` (after the opening quote, or any later start of a character) to
   its closing quote, which is returned. Lone surrogates become WTF-8. out has room for ACI_LEX_SLACK more bytes than
   the content has. */
const char *aci_lex_decode(const char *in, const char *end, char *out, char **out_end, const char **bad);
/* The same of as much as fits: stops after any character once room - ACI_LEX_SLACK bytes are written, or before a
   fault. Returns where it stopped. */
const char *aci_lex_decode_part(const char *in, const char *end, char *out, size_t room, char **out_end);
/* The same into the same buffer: `out` is at `in` or before it. Nothing after the content is touched. */
const char *aci_lex_decode_in_place(const char *in, const char *end, char *out, char **out_end, const char **bad);

static inline const char *aci_lex_digits(const char *p, const char *end)
{
    while (p < end && (unsigned)(*p - '0') < 10)
        p++;
    return p;
}

/* Exact grammar of RFC 8259. Returns the first byte after the number. */
const char *aci_lex_number_slow(const char *p, const char *end, const char **bad);
static inline const char *aci_lex_number(const char *p, const char *end, const char **bad)
{
#if ACI_JSON_USE_SSE2
    /* A block shows the digits of most numbers at once, and the length of a number is hard to guess for a branch. All
       but `12` and `12.34` are left to the other one: signs, exponents, leading zeros, ends of the input. */
    if (end - p >= 16) {
        unsigned others = aci_not_digits_(aci_load_(p)) | 0x8000;
        unsigned n = (unsigned)__builtin_ctz(others);

        if (*p != '0' || n == 1) {
            if (n > 0 && p[n] == '.') {
                unsigned fraction = others & (others - 1);
                unsigned m = fraction != 0 ? (unsigned)__builtin_ctz(fraction) : n + 1;

                n = m > n + 1 && m < 15 ? m : 0;
            }
            if (n > 0 && n < 15 && (p[n] == ',' || p[n] == '}' || p[n] == ']'))
                return p + n;
        }
    }
#endif
    return aci_lex_number_slow(p, end, bad);
}

/* Whether `true`, `false` or `null` (word, of len bytes) stands at p. */
static inline bool aci_lex_word(const char *p, const char *end, const char *word, size_t len)
{
    return (size_t)(end - p) >= len && memcmp(p, word, len) == 0;
}

#endif
