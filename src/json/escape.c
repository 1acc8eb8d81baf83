/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spelling text inside JSON strings: which bytes may stand as they are, and how the others are escaped. Layer 1.
 *
 * Text is WTF-8. Lone surrogates are escaped in every profile, since bare they would be no UTF-8.
 */
#include "json/escape.h"

#include "json/simd.h"

/* ---- what stands as it is ------------------------------------------------------------------------------------- */

static bool is_plain(unsigned char c, aci_json_profile profile)
{
    if (c < 0x20 || c == '"' || c == '\\')
        return false;
    if (profile == ACI_JSON_UTF8)
        return true;
    if (c >= 0x7F)
        return false;
    return profile == ACI_JSON_ASCII || memchr("&'+<>`", c, 6) == NULL;
}

/* Whether a lone surrogate (ED A0..BF) stands at p: the only characters that the UTF-8 profile escapes above 0x7F. */
static bool is_surrogate(const char *p, const char *end)
{
    return (unsigned char)p[0] == 0xED && end - p >= 2 && (unsigned char)p[1] >= 0xA0;
}

size_t aci_json_plain_prefix_portable(const char *text, size_t len, aci_json_profile profile)
{
    const char *p = text, *end = text + len;

    while (p < end && is_plain((unsigned char)*p, profile) && !(profile == ACI_JSON_UTF8 && is_surrogate(p, end)))
        p++;
    return (size_t)(p - text);
}

#if ACI_JSON_USE_SSE2

static inline __m128i is_byte(__m128i v, char c)
{
    return _mm_cmpeq_epi8(v, _mm_set1_epi8(c));
}

/* 0xFF in each byte that may need an escape. */
static inline __m128i suspects_utf8(__m128i v)
{
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
    __m128i found = _mm_or_si128(is_byte(v, '"'), is_byte(v, '\\'));

    return _mm_or_si128(_mm_or_si128(found, control), is_byte(v, (char)0xED));
}

static inline __m128i suspects_ascii(__m128i v)
{
    /* As signed bytes, everything above 0x7F is below the space too. */
    __m128i found = _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), is_byte(v, 0x7F));

    return _mm_or_si128(found, _mm_or_si128(is_byte(v, '"'), is_byte(v, '\\')));
}

static inline __m128i suspects_dotnet(__m128i v)
{
    /* `"` and `&` differ in one bit only, and so do `<` and `>`. */
    __m128i quote_or_and = is_byte(_mm_or_si128(v, _mm_set1_epi8(4)), '&');
    __m128i angle = is_byte(_mm_or_si128(v, _mm_set1_epi8(2)), '>');
    __m128i found = _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), is_byte(v, 0x7F));

    found = _mm_or_si128(found, _mm_or_si128(quote_or_and, angle));
    found = _mm_or_si128(found, _mm_or_si128(is_byte(v, '\\'), is_byte(v, '\'')));
    return _mm_or_si128(found, _mm_or_si128(is_byte(v, '+'), is_byte(v, '`')));
}

static inline size_t plain_prefix_sse2(const char *text, size_t len, aci_json_profile profile,
                                       __m128i (*suspects)(__m128i v))
{
    const char *p = text, *end = text + len;

    while (end - p >= 16) {
        unsigned mask = aci_mask_(suspects(_mm_loadu_si128((const __m128i *)(const void *)p)));

        for (; mask != 0; mask &= mask - 1) { /* ED may turn out to begin an ordinary character */
            const char *found = p + __builtin_ctz(mask);

            if (!is_plain((unsigned char)*found, profile) || is_surrogate(found, end))
                return (size_t)(found - text);
        }
        p += 16;
    }
    return (size_t)(p - text) + aci_json_plain_prefix_portable(p, (size_t)(end - p), profile);
}

size_t aci_json_plain_prefix(const char *text, size_t len, aci_json_profile profile)
{
    switch (profile) {
    case ACI_JSON_UTF8:
        return plain_prefix_sse2(text, len, profile, suspects_utf8);
    case ACI_JSON_ASCII:
        return plain_prefix_sse2(text, len, profile, suspects_ascii);
    case ACI_JSON_DOTNET:
    default:
        return plain_prefix_sse2(text, len, profile, suspects_dotnet);
    }
}

#else

size_t aci_json_plain_prefix(const char *text, size_t len, aci_json_profile profile)
{
    return aci_json_plain_prefix_portable(text, len, profile);
}

#endif

/* ---- escapes -------------------------------------------------------------------------------------------------- */

static char *put_unit(char *out, uint32_t unit, const char *digits)
{
    out[0] = '\\';
    out[1] = 'u';
    out[2] = digits[unit >> 12];
    out[3] = digits[unit >> 8 & 15];
    out[4] = digits[unit >> 4 & 15];
    out[5] = digits[unit & 15];
    return out + 6;
}

static char short_escape(unsigned char c, aci_json_profile profile)
{
    switch (c) {
    case '\b':
        return 'b';
    case '\t':
        return 't';
    case '\n':
        return 'n';
    case '\f':
        return 'f';
    case '\r':
        return 'r';
    case '\\':
        return '\\';
    case '"':
        return profile == ACI_JSON_DOTNET ? 0 : '"';
    default:
        return 0;
    }
}

/* Spells the character at *p, which is none of the plain ones, and moves *p behind it. out has room for
   ACI_JSON_LONGEST_ESCAPE bytes. NULL when there is no character at *p. */
static inline char *put_escape(char *out, const char **p, const char *end, aci_json_profile profile)
{
    const char *digits = profile == ACI_JSON_DOTNET ? "0123456789ABCDEF" : "0123456789abcdef";
    const unsigned char *u = (const unsigned char *)*p;
    uint32_t point = 0;
    size_t len;

    if (*u < 0x80) {
        char letter = short_escape(*u, profile);

        *p += 1;
        if (letter == 0)
            return put_unit(out, *u, digits);
        out[0] = '\\';
        out[1] = letter;
        return out + 2;
    }
    len = aci_utf8_decode(u, (const unsigned char *)end, true, &point);
    if (len == 0)
        return NULL;
    *p += len;
    if (point < 0x10000)
        return put_unit(out, point, digits);
    point -= 0x10000;
    return put_unit(put_unit(out, 0xD800 + (point >> 10), digits), 0xDC00 + (point & 0x3FF), digits);
}

static bool needs_escape(const char *p, const char *end, aci_json_profile profile)
{
    return !is_plain((unsigned char)*p, profile) || (profile == ACI_JSON_UTF8 && is_surrogate(p, end));
}

size_t aci_json_escape_run(const char **text, const char *end, aci_json_profile profile, char *out, size_t cap)
{
    const char *p = *text;
    char *o = out;

    while (p < end && (size_t)(o - out) + ACI_JSON_LONGEST_ESCAPE <= cap && needs_escape(p, end, profile)) {
        char *next = put_escape(o, &p, end, profile);

        if (next == NULL)
            break;
        o = next;
    }
    *text = p;
    return (size_t)(o - out);
}
