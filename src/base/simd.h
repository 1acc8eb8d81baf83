/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scans over many bytes at a time, each in two forms that give the same answer: one for any machine and one for SSE2,
 * which every x86-64 has.
 *
 * The names without a suffix are what the library uses; the others are visible so that a test can compare them. None
 * of them reads outside the bytes it is given.
 */
#ifndef ACI_BASE_SIMD_H
#define ACI_BASE_SIMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__) && !defined(ACI_NO_SIMD)
#define ACI_HAS_SSE2 1
#include <emmintrin.h>
#else
#define ACI_HAS_SSE2 0
#endif

static inline bool aci_is_b64_alphabet(unsigned char c)
{
    unsigned letter = (c | 0x20u) - 'a';

    return letter < 26u || (unsigned)c - '/' < 11u || c == '+'; /* '/' stands right before '0' to '9' */
}

/* Number of leading bytes below 0x80. */
static inline size_t aci_ascii_prefix_portable(const char *text, size_t len)
{
    size_t at = 0;

    for (; len - at >= 8; at += 8) {
        uint64_t word;

        memcpy(&word, text + at, sizeof word);
        if ((word & UINT64_C(0x8080808080808080)) != 0)
            break;
    }
    while (at < len && (unsigned char)text[at] < 0x80u)
        at++;
    return at;
}

/* Number of leading bytes of the standard base64 alphabet. */
static inline size_t aci_alphabet_prefix_portable(const char *text, size_t len)
{
    size_t at = 0;

    while (at < len && aci_is_b64_alphabet((unsigned char)text[at]))
        at++;
    return at;
}

#if ACI_HAS_SSE2

static inline __m128i aci_load16(const char *text)
{
    return _mm_loadu_si128((const __m128i *)(const void *)text);
}

static inline size_t aci_ascii_prefix_sse2(const char *text, size_t len)
{
    size_t at = 0;

    for (; len - at >= 64; at += 64) {
        __m128i low = _mm_or_si128(aci_load16(text + at), aci_load16(text + at + 16));
        __m128i high = _mm_or_si128(aci_load16(text + at + 32), aci_load16(text + at + 48));

        if (_mm_movemask_epi8(_mm_or_si128(low, high)) != 0)
            break;
    }
    for (; len - at >= 16; at += 16) {
        int wrong = _mm_movemask_epi8(aci_load16(text + at));

        if (wrong != 0)
            return at + (size_t)__builtin_ctz((unsigned)wrong);
    }
    return at + aci_ascii_prefix_portable(text + at, len - at);
}

/* 0xFF in every byte of the alphabet. Comparisons are signed, so adding the distance from the end of a range to 127
   turns "inside the range" into one comparison; what lies above the range wraps and becomes negative. */
static inline __m128i aci_alphabet_mask(__m128i c)
{
    __m128i folded = _mm_or_si128(c, _mm_set1_epi8(0x20));
    __m128i letter = _mm_cmpgt_epi8(_mm_add_epi8(folded, _mm_set1_epi8(127 - 'z')), _mm_set1_epi8(127 - 26));
    __m128i slash_or_digit = _mm_cmpgt_epi8(_mm_add_epi8(c, _mm_set1_epi8(127 - '9')), _mm_set1_epi8(127 - 11));
    __m128i plus = _mm_cmpeq_epi8(c, _mm_set1_epi8('+'));

    return _mm_or_si128(_mm_or_si128(letter, slash_or_digit), plus);
}

static inline size_t aci_alphabet_prefix_sse2(const char *text, size_t len)
{
    size_t at = 0;

    for (; len - at >= 64; at += 64) {
        __m128i low =
            _mm_and_si128(aci_alphabet_mask(aci_load16(text + at)), aci_alphabet_mask(aci_load16(text + at + 16)));
        __m128i high =
            _mm_and_si128(aci_alphabet_mask(aci_load16(text + at + 32)), aci_alphabet_mask(aci_load16(text + at + 48)));

        if (_mm_movemask_epi8(_mm_and_si128(low, high)) != 0xFFFF)
            break;
    }
    for (; len - at >= 16; at += 16) {
        unsigned right = (unsigned)_mm_movemask_epi8(aci_alphabet_mask(aci_load16(text + at)));

        if (right != 0xFFFFu)
            return at + (size_t)__builtin_ctz(~right);
    }
    return at + aci_alphabet_prefix_portable(text + at, len - at);
}

#endif

static inline size_t aci_ascii_prefix(const char *text, size_t len)
{
#if ACI_HAS_SSE2
    return aci_ascii_prefix_sse2(text, len);
#else
    return aci_ascii_prefix_portable(text, len);
#endif
}

static inline size_t aci_alphabet_prefix(const char *text, size_t len)
{
#if ACI_HAS_SSE2
    return aci_alphabet_prefix_sse2(text, len);
#else
    return aci_alphabet_prefix_portable(text, len);
#endif
}

#endif
