/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spelling text inside JSON strings: which bytes may stand as they are, and how the others are escaped. Layer 1.
 *
 * Text is WTF-8. Lone surrogates are escaped in every profile, since bare they would be no UTF-8. Spelling copies
 * blocks of sixteen bytes while looking for what needs an escape, and stays with escapes as long as they follow each
 * other.
 */
#include "json/escape.h"

#include "json/simd.h"

/* ---- what stands as it is ------------------------------------------------------------------------------------- */

/* A bit for each profile, 1 << profile: the byte needs an escape. */
/* clang-format off */
static const uint8_t needs[128] = {
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    0, 0, 7, 0, 0, 0, 4, 4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0,
    4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6,
};
/* clang-format on */

/* Whether a lone surrogate (ED A0..BF) stands at p: the only characters that the UTF-8 profile escapes above 0x7F. */
static inline bool is_surrogate(const char *p, const char *end)
{
    return (unsigned char)p[0] == 0xED && end - p >= 2 && (unsigned char)p[1] >= 0xA0;
}

static inline bool needs_escape(const char *p, const char *end, aci_json_profile profile)
{
    unsigned char c = (unsigned char)*p;

    if (c < 0x80)
        return (needs[c] >> profile & 1) != 0;
    return profile != ACI_JSON_UTF8 || is_surrogate(p, end);
}

size_t aci_json_plain_prefix_portable(const char *text, size_t len, aci_json_profile profile)
{
    const char *p = text, *end = text + len;

    while (p < end && !needs_escape(p, end, profile))
        p++;
    return (size_t)(p - text);
}

#if ACI_JSON_USE_SSE2

/* A bit for each byte that may need an escape; of those above 0x7F, the UTF-8 profile names ED only. */
static inline unsigned suspects(__m128i v, aci_json_profile profile)
{
    __m128i found;

    if (profile == ACI_JSON_UTF8) {
        found = _mm_or_si128(aci_equal_(v, '"'), aci_equal_(v, '\\'));
        found = _mm_or_si128(found, _mm_or_si128(aci_at_most_(v, 0x1F), aci_equal_(v, 0xED)));
        return aci_mask_(found);
    }
    /* As signed bytes, everything above 0x7F is below the space too. */
    found = _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), aci_equal_(v, 0x7F));
    found = _mm_or_si128(found, aci_equal_(v, '\\'));
    if (profile == ACI_JSON_ASCII)
        return aci_mask_(_mm_or_si128(found, aci_equal_(v, '"')));
    /* `"` and `&` differ in one bit only, and so do `<` and `>`. */
    found = _mm_or_si128(found, aci_equal_(_mm_or_si128(v, _mm_set1_epi8(4)), '&'));
    found = _mm_or_si128(found, aci_equal_(_mm_or_si128(v, _mm_set1_epi8(2)), '>'));
    found = _mm_or_si128(found, _mm_or_si128(aci_equal_(v, '\''), aci_equal_(v, '+')));
    return aci_mask_(_mm_or_si128(found, aci_equal_(v, '`')));
}

static inline size_t plain_prefix(const char *text, size_t len, aci_json_profile profile)
{
    const char *p = text, *end = text + len;

    while (end - p >= 16) {
        unsigned mask = suspects(aci_load_(p), profile);

        for (; mask != 0; mask &= mask - 1) { /* ED may turn out to begin an ordinary character */
            const char *found = p + __builtin_ctz(mask);

            if (needs_escape(found, end, profile))
                return (size_t)(found - text);
        }
        p += 16;
    }
    return (size_t)(p - text) + aci_json_plain_prefix_portable(p, (size_t)(end - p), profile);
}

size_t aci_json_plain_prefix(const char *text, size_t len, aci_json_profile profile)
{
    if (profile == ACI_JSON_UTF8)
        return plain_prefix(text, len, ACI_JSON_UTF8);
    return profile == ACI_JSON_ASCII ? plain_prefix(text, len, ACI_JSON_ASCII)
                                     : plain_prefix(text, len, ACI_JSON_DOTNET);
}

#else

size_t aci_json_plain_prefix(const char *text, size_t len, aci_json_profile profile)
{
    return aci_json_plain_prefix_portable(text, len, profile);
}

#endif

/* ---- escapes -------------------------------------------------------------------------------------------------- */

/* The letter of the short escapes; 0 where there is none. */
static const char letters[128] = {
    ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['\\'] = '\\', ['"'] = '"',
};

/* `\uXXXX`: the four digits are computed in the four bytes of one word, the first one lowest. */
static inline char *put_unit(char *out, uint32_t unit, aci_json_profile profile)
{
    uint32_t digits = unit >> 12 | (unit & 0xF00) | (unit & 0xF0) << 12 | (unit & 0xF) << 24;
    uint32_t letter = (digits + 0x06060606) >> 4 & 0x01010101; /* 1 where the digit is above 9 */

    digits += 0x30303030 + letter * (profile == ACI_JSON_DOTNET ? 'A' - '0' - 10 : 'a' - '0' - 10);
    out[0] = '\\';
    out[1] = 'u';
    out[2] = (char)digits;
    out[3] = (char)(digits >> 8);
    out[4] = (char)(digits >> 16);
    out[5] = (char)(digits >> 24);
    return out + 6;
}

/* Whether an ordinary character of three bytes stands at p: most of what is escaped. */
static inline bool is_wide(const char *p, const char *end)
{
    return (unsigned char)p[0] > 0xE0 && (unsigned char)p[0] < 0xF0 && end - p >= 3 &&
           ((unsigned char)p[1] & 0xC0) == 0x80 && ((unsigned char)p[2] & 0xC0) == 0x80;
}

static inline uint32_t wide_unit(const char *p)
{
    return ((unsigned char)p[0] & 0xFu) << 12 | ((unsigned char)p[1] & 0x3Fu) << 6 | ((unsigned char)p[2] & 0x3Fu);
}

/* Spells the character at *p, which needs an escape, and moves *p behind it. out has room for ACI_JSON_LONGEST_ESCAPE
   bytes. NULL when there is no character at *p. */
static inline char *put_escape(char *out, const char **p, const char *end, aci_json_profile profile)
{
    const char *u = *p;
    unsigned char c = (unsigned char)*u;
    uint32_t point = 0;
    size_t len;

    if (c < 0x80) {
        char letter = letters[c];

        *p += 1;
        if (letter == 0 || (profile == ACI_JSON_DOTNET && c == '"'))
            return put_unit(out, c, profile);
        out[0] = '\\';
        out[1] = letter;
        return out + 2;
    }
    len = aci_utf8_decode((const unsigned char *)u, (const unsigned char *)end, true, &point);
    if (len == 0)
        return NULL;
    *p += len;
    if (point < 0x10000)
        return put_unit(out, point, profile);
    point -= 0x10000;
    return put_unit(put_unit(out, 0xD800 + (point >> 10), profile), 0xDC00 + (point & 0x3FF), profile);
}

static inline size_t spell(const char **text, const char *end, aci_json_profile profile, char *out, size_t cap)
{
    const char *p = *text;
    char *o = out, *full = out + cap - ACI_JSON_SPELL_ROOM;

    while (p < end && o <= full) {
#if ACI_JSON_USE_SSE2
        if (end - p >= 16) {
            __m128i v = aci_load_(p);
            unsigned mask = suspects(v, profile), n = mask != 0 ? (unsigned)__builtin_ctz(mask) : 16;

            _mm_storeu_si128((__m128i *)(void *)o, v);
            p += n;
            o += n;
            if (n == 16)
                continue;
        }
#endif
        if (!needs_escape(p, end, profile)) { /* near the end, or an ED that begins no surrogate */
            *o++ = *p++;
            continue;
        }
        do {
            char *next;

            if (is_wide(p, end)) {
                next = put_unit(o, wide_unit(p), profile);
                p += 3;
            } else {
                next = put_escape(o, &p, end, profile);
            }
            if (next == NULL)
                full = out - 1; /* ends both loops */
            else
                o = next;
        } while (p < end && o <= full && needs_escape(p, end, profile));
    }
    *text = p;
    return (size_t)(o - out);
}

size_t aci_json_spell(const char **text, const char *end, aci_json_profile profile, char *out, size_t cap)
{
    if (profile == ACI_JSON_UTF8)
        return spell(text, end, ACI_JSON_UTF8, out, cap);
    return profile == ACI_JSON_ASCII ? spell(text, end, ACI_JSON_ASCII, out, cap)
                                     : spell(text, end, ACI_JSON_DOTNET, out, cap);
}
