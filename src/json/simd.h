/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans over the bytes of JSON strings: sixteen at a time with SSE2, and a portable twin of each. Layer 1.
 *
 * Both give the same answer on every input (tests/unit/json/test_simd.c). Neither reads outside [p, end). Compile with
 * ACI_JSON_PORTABLE to use the portable ones throughout.
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

/* A block that begins at a character and holds bytes above 0x7F: checks whole characters at once with bit masks, one
   bit a byte. *stop is set when the scan ends at the returned place. */
static inline const char *aci_scan_utf8_block_(const char *p, const char *end, __m128i v, unsigned high, bool *stop)
{
#define ACI_LESS(limit) aci_mask_(_mm_cmplt_epi8(v, _mm_set1_epi8((char)(limit)))) /* signed: 0x80 is the lowest */
#define ACI_EQUAL(byte) aci_mask_(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)(byte))))
    unsigned followers = ACI_LESS(0xC0);
    unsigned leads = high & ~followers;
    unsigned from_e0 = high & ~ACI_LESS(0xE0), from_f0 = high & ~ACI_LESS(0xF0);
    unsigned below_90 = ACI_LESS(0x90), below_a0 = ACI_LESS(0xA0);
    unsigned wanted = leads << 1 | from_e0 << 2 | from_f0 << 3;
    unsigned ends = (ACI_LESS(0x20) & ~high) | ACI_EQUAL('"') | ACI_EQUAL('\\');
    unsigned bad = (leads & ACI_LESS(0xC2)) | (high & ~ACI_LESS(0xF5)) | (wanted ^ followers);

    bad |= (ACI_EQUAL(0xE0) << 1) & below_a0;              /* overlong */
    bad |= (ACI_EQUAL(0xED) << 1) & followers & ~below_a0; /* surrogate */
    bad |= (ACI_EQUAL(0xF0) << 1) & below_90;              /* overlong */
    bad |= (ACI_EQUAL(0xF4) << 1) & followers & ~below_90; /* above U+10FFFF */
    bad &= 0xffff;
#undef ACI_LESS
#undef ACI_EQUAL

    *stop = true;
    if (ends != 0) {
        unsigned first = (unsigned)__builtin_ctz(ends);

        if ((bad & ((2u << first) - 1)) == 0)
            return p + first;
        return aci_scan_text_portable(p, end); /* which sequence it is does not need to be found fast */
    }
    if (bad != 0)
        return aci_scan_text_portable(p, end);
    *stop = false;
    if (wanted > 0xffff) /* the last character goes on behind the block: begin the next one with it */
        return p + (31 - __builtin_clz(leads));
    return p + 16;
}

static inline const char *aci_scan_text_sse2(const char *p, const char *end)
{
    const __m128i space = _mm_set1_epi8(0x20), quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');

    while (end - p >= 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        /* As signed bytes, everything above 0x7F is below the space too. */
        __m128i found = _mm_or_si128(_mm_cmplt_epi8(v, space),
                                     _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)));
        unsigned mask = aci_mask_(found);

        if (mask != 0) {
            unsigned high = aci_mask_(v), first = (unsigned)__builtin_ctz(mask);
            bool stop;

            if ((high >> first & 1) == 0)
                return p + first;
            p = aci_scan_utf8_block_(p, end, v, high, &stop);
            if (stop)
                return p;
        } else {
            p += 16;
        }
    }
    return aci_scan_text_portable(p, end);
}

static inline const char *aci_scan_spaces_sse2(const char *p, const char *end)
{
    const __m128i space = _mm_set1_epi8(' ');

    while (end - p >= 16) {
        unsigned mask = aci_mask_(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), space));

        if (mask != 0xffff)
            return p + __builtin_ctz(~mask);
        p += 16;
    }
    return aci_scan_spaces_portable(p, end);
}

#endif

static inline const char *aci_scan_text(const char *p, const char *end)
{
#if ACI_JSON_USE_SSE2
    return aci_scan_text_sse2(p, end);
#else
    return aci_scan_text_portable(p, end);
#endif
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
