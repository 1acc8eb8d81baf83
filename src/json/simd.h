/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans over the bytes of JSON strings: sixteen at a time with SSE2, and a scalar fallback for each.
 *
 * Both give the same answer on every input (tests/unit/json/test_json_simd.c). Neither reads outside [p, end). Compile
 * with ACI_JSON_PORTABLE to use the scalar code throughout.
 */
#ifndef ACI_JSON_SIMD_H
#define ACI_JSON_SIMD_H

#include "base/utf8.h"
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#define ACI_JSON_HAS_SSE2 1
#else
#define ACI_JSON_HAS_SSE2 0
#endif
#if ACI_JSON_HAS_SSE2 && !defined(ACI_JSON_PORTABLE)
#define ACI_JSON_USE_SSE2 1
#else
#define ACI_JSON_USE_SSE2 0
#endif

/* First byte in [p, end) that is no text of a JSON string as it stands: a quote, a backslash, a control character below
   0x20, or the first byte of a sequence that is no UTF-8; end when there is none. */
static inline const char *aci_scan_text_portable(const char *p, const char *end)
{
    while (p < end) {
        unsigned char c = (unsigned char)*p;

        if (c >= 0x80) {
            size_t n = aci_utf8_char((const unsigned char *)p, (const unsigned char *)end, false);

            if (n == 0)
                return p;
            p += n;
        } else if (c < 0x20 || c == '"' || c == '\\') {
            return p;
        } else {
            p++;
        }
    }
    return p;
}

/* First byte that is not a space; end when there is none. */
static inline const char *aci_scan_spaces_portable(const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    return p;
}

#if ACI_JSON_HAS_SSE2

static inline unsigned aci_mask_(__m128i v)
{
    return (unsigned)_mm_movemask_epi8(v);
}

static inline __m128i aci_load_(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline __m128i aci_equal_(__m128i v, int byte)
{
    return _mm_cmpeq_epi8(v, _mm_set1_epi8((char)byte));
}

static inline __m128i aci_at_least_(__m128i v, int byte) /* unsigned */
{
    return _mm_cmpeq_epi8(_mm_max_epu8(v, _mm_set1_epi8((char)byte)), v);
}

static inline __m128i aci_at_most_(__m128i v, int byte) /* unsigned */
{
    return _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8((char)byte)), v);
}

/* Bits of the bytes that break one of the rules about single lead bytes: C0, C1 and F5 and above never occur, and what
   may follow E0, ED, F0 and F4 is narrower than what may follow others. */
static inline unsigned aci_bad_leads_(__m128i v, unsigned followers)
{
    unsigned below_90 = aci_mask_(aci_at_most_(v, 0x8F)), below_a0 = aci_mask_(aci_at_most_(v, 0x9F));
    unsigned bad = aci_mask_(_mm_or_si128(aci_at_least_(v, 0xF5), aci_equal_(_mm_or_si128(v, _mm_set1_epi8(1)), 0xC1)));

    bad |= (aci_mask_(aci_equal_(v, 0xE0)) << 1) & followers & below_a0;  /* overlong */
    bad |= (aci_mask_(aci_equal_(v, 0xED)) << 1) & followers & ~below_a0; /* surrogate */
    bad |= (aci_mask_(aci_equal_(v, 0xF0)) << 1) & followers & below_90;  /* overlong */
    bad |= (aci_mask_(aci_equal_(v, 0xF4)) << 1) & followers & ~below_90; /* above U+10FFFF */
    return bad & 0xffff;
}

/* How a block goes on after the bytes that were found to be text. */
typedef enum aci_block {
    ACI_BLOCK_ON,   /* with the next block */
    ACI_BLOCK_END,  /* a byte that is no text */
    ACI_BLOCK_WRONG /* no UTF-8 somewhere in it: nothing is counted, go byte by byte */
} aci_block;

/* A block that begins at a character and holds bytes above 0x7F (`high`, a bit a byte, says which): complete characters
   are checked at once with bit masks. Returns how many bytes of it are text. A character that goes on beyond the block
   is left for the next one, which then begins with it. */
static inline size_t aci_check_utf8_block_(__m128i v, unsigned high, aci_block *next)
{
    unsigned followers = high & aci_mask_(aci_at_most_(v, 0xBF));
    unsigned leads = high & ~followers;
    unsigned from_e0 = aci_mask_(aci_at_least_(v, 0xE0)), from_f0 = aci_mask_(aci_at_least_(v, 0xF0));
    unsigned wanted = leads << 1 | from_e0 << 2 | from_f0 << 3;
    unsigned bad = (wanted ^ followers) & 0xffff;
    unsigned ends =
        aci_mask_(_mm_or_si128(aci_at_most_(v, 0x1F), _mm_or_si128(aci_equal_(v, '"'), aci_equal_(v, '\\'))));
    __m128i rare = _mm_or_si128(aci_equal_(v, 0xE0), aci_equal_(v, 0xED));

    rare =
        _mm_or_si128(rare, _mm_or_si128(aci_at_least_(v, 0xF0), aci_equal_(_mm_or_si128(v, _mm_set1_epi8(1)), 0xC1)));
    if (aci_mask_(rare) != 0)
        bad |= aci_bad_leads_(v, followers);
    if (ends != 0)
        bad &= ends ^ (ends - 1); /* up to the first end; a character that is cut short shows there */
    *next = bad != 0 ? ACI_BLOCK_WRONG : ends != 0 ? ACI_BLOCK_END : ACI_BLOCK_ON;
    if (bad != 0)
        return 0;
    if (ends != 0)
        return (size_t)__builtin_ctz(ends);
    return wanted > 0xffff ? 31 - (size_t)__builtin_clz(leads) : 16;
}

/* Whether a block is five characters of three bytes, of the kinds that need no further check, and a sixth begins: most
   of East Asia's text. */
static inline bool aci_is_wide_block_(__m128i v)
{
    __m128i lead = _mm_andnot_si128(aci_equal_(v, 0xED), _mm_and_si128(aci_at_least_(v, 0xE1), aci_at_most_(v, 0xEF)));
    unsigned followers = aci_mask_(_mm_cmplt_epi8(v, _mm_set1_epi8((char)0xC0)));

    return (followers & 0x7fff) == 0x6db6 && (aci_mask_(lead) & 0x7fff) == 0x1249;
}

/* A bit for each byte of a block that is none of the plain ones: no text, or above 0x7F. */
static inline unsigned aci_not_plain_(__m128i v)
{
    /* As signed bytes, everything above 0x7F is below the space too. */
    return aci_mask_(
        _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(0x20)), _mm_or_si128(aci_equal_(v, '"'), aci_equal_(v, '\\'))));
}

/* How many bytes of a block that begins at a character are text. */
static inline size_t aci_check_block_(__m128i v, aci_block *next)
{
    unsigned mask = aci_not_plain_(v), high;

    *next = ACI_BLOCK_ON;
    if (mask == 0)
        return 16;
    high = aci_mask_(v);
    if ((high & (0u - mask) & mask) == 0) { /* what was found first is no byte above 0x7F */
        *next = ACI_BLOCK_END;
        return (size_t)__builtin_ctz(mask);
    }
    if ((mask & 0x7fff) == 0x7fff && aci_is_wide_block_(v))
        return 15;
    return aci_check_utf8_block_(v, high, next);
}

static inline const char *aci_scan_text_sse2(const char *p, const char *end)
{
    while (end - p >= 16) {
        aci_block next;

        p += aci_check_block_(aci_load_(p), &next);
        if (next == ACI_BLOCK_END)
            return p;
        if (next == ACI_BLOCK_WRONG)
            break;
    }
    return aci_scan_text_portable(p, end);
}

static inline const char *aci_scan_spaces_sse2(const char *p, const char *end)
{
    const __m128i space = _mm_set1_epi8(' ');

    while (end - p >= 16) {
        unsigned mask = aci_mask_(_mm_cmpeq_epi8(aci_load_(p), space));

        if (mask != 0xffff)
            return p + __builtin_ctz(~mask);
        p += 16;
    }
    return aci_scan_spaces_portable(p, end);
}

/* The same for 64 bytes. */
static inline uint64_t aci_not_plain_64_(const char *p)
{
    uint64_t low = aci_not_plain_(aci_load_(p)) | aci_not_plain_(aci_load_(p + 16)) << 16;
    uint64_t high = aci_not_plain_(aci_load_(p + 32)) | aci_not_plain_(aci_load_(p + 48)) << 16;

    return low | high << 32;
}

/* A bit for each byte of a block that is no decimal digit. */
static inline unsigned aci_not_digits_(__m128i v)
{
    /* Moved so that as signed bytes the digits are the ten lowest ones. */
    __m128i moved = _mm_add_epi8(v, _mm_set1_epi8((char)(0x80 - '0')));

    return aci_mask_(_mm_cmpgt_epi8(moved, _mm_set1_epi8((char)(0x80 + 9))));
}

#endif

/* aci_scan_text() without its fast beginning; a call, so that the fast part stays small where it is used. */
const char *aci_lex_text_on(const char *p, const char *end);

static inline const char *aci_scan_text(const char *p, const char *end)
{
#if ACI_JSON_USE_SSE2
    /* Most strings are short: names, ids, roles. The first block is looked at without a call. */
    if (end - p >= 16) {
        unsigned mask = aci_not_plain_(aci_load_(p));

        if (mask == 0) {
            p += 16;
        } else {
            const char *found = p + __builtin_ctz(mask);

            if ((unsigned char)*found < 0x80)
                return found;
        }
    }
#endif
    return aci_lex_text_on(p, end);
}

static inline const char *aci_scan_spaces(const char *p, const char *end)
{
#if ACI_JSON_USE_SSE2
    return aci_scan_spaces_sse2(p, end);
#else
    return aci_scan_spaces_portable(p, end);
#endif
}

#endif
