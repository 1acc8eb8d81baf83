/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spelling text inside JSON strings: which bytes may stand as they are, and how the others are escaped.
 *
 * Text is WTF-8. Lone surrogates are escaped in every profile, since bare they would be no UTF-8. Spelling copies
 * blocks of sixteen bytes while looking for what needs an escape, and stays with escapes as long as they follow each
 * other.
 */
#include "json/escape.h"

#include "json/simd.h"

/* Each profile gets code of its own: what depends on the profile must not be decided byte by byte. */
#define PER_PROFILE static inline __attribute__((always_inline))

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

PER_PROFILE bool needs_escape(const char *p, const char *end, aci_json_profile profile)
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
PER_PROFILE unsigned suspects(__m128i v, aci_json_profile profile)
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

PER_PROFILE size_t plain_prefix(const char *text, size_t len, aci_json_profile profile)
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

/* The escapes of characters below 0x80 as they are stored: eight bytes, of which the last one says how many count. */
#define HEX(digits) "\\u00" digits "\0\6"
#define SHORT(letter) "\\" letter "\0\0\0\0\0\2"

/* clang-format off */
static const char ascii_escapes[128][8] = {
    HEX("00"), HEX("01"), HEX("02"), HEX("03"), HEX("04"), HEX("05"), HEX("06"), HEX("07"),
    SHORT("b"), SHORT("t"), SHORT("n"), HEX("0b"), SHORT("f"), SHORT("r"), HEX("0e"), HEX("0f"),
    HEX("10"), HEX("11"), HEX("12"), HEX("13"), HEX("14"), HEX("15"), HEX("16"), HEX("17"),
    HEX("18"), HEX("19"), HEX("1a"), HEX("1b"), HEX("1c"), HEX("1d"), HEX("1e"), HEX("1f"),
    ['"'] = SHORT("\""), ['\\'] = SHORT("\\"), [0x7F] = HEX("7f"),
};

static const char dotnet_escapes[128][8] = {
    HEX("00"), HEX("01"), HEX("02"), HEX("03"), HEX("04"), HEX("05"), HEX("06"), HEX("07"),
    SHORT("b"), SHORT("t"), SHORT("n"), HEX("0B"), SHORT("f"), SHORT("r"), HEX("0E"), HEX("0F"),
    HEX("10"), HEX("11"), HEX("12"), HEX("13"), HEX("14"), HEX("15"), HEX("16"), HEX("17"),
    HEX("18"), HEX("19"), HEX("1A"), HEX("1B"), HEX("1C"), HEX("1D"), HEX("1E"), HEX("1F"),
    ['"'] = HEX("22"), ['&'] = HEX("26"), ['\''] = HEX("27"), ['+'] = HEX("2B"), ['<'] = HEX("3C"), ['>'] = HEX("3E"),
    ['\\'] = SHORT("\\"), ['`'] = HEX("60"), [0x7F] = HEX("7F"),
};

/* The two digits of every byte. */
#define PAIRS(h) \
    h "0" h "1" h "2" h "3" h "4" h "5" h "6" h "7" h "8" h "9"
static const char lower_digits[] =
    PAIRS("0") "0a0b0c0d0e0f" PAIRS("1") "1a1b1c1d1e1f" PAIRS("2") "2a2b2c2d2e2f" PAIRS("3") "3a3b3c3d3e3f"
    PAIRS("4") "4a4b4c4d4e4f" PAIRS("5") "5a5b5c5d5e5f" PAIRS("6") "6a6b6c6d6e6f" PAIRS("7") "7a7b7c7d7e7f"
    PAIRS("8") "8a8b8c8d8e8f" PAIRS("9") "9a9b9c9d9e9f" PAIRS("a") "aaabacadaeaf" PAIRS("b") "babbbcbdbebf"
    PAIRS("c") "cacbcccdcecf" PAIRS("d") "dadbdcdddedf" PAIRS("e") "eaebecedeeef" PAIRS("f") "fafbfcfdfeff";
static const char upper_digits[] =
    PAIRS("0") "0A0B0C0D0E0F" PAIRS("1") "1A1B1C1D1E1F" PAIRS("2") "2A2B2C2D2E2F" PAIRS("3") "3A3B3C3D3E3F"
    PAIRS("4") "4A4B4C4D4E4F" PAIRS("5") "5A5B5C5D5E5F" PAIRS("6") "6A6B6C6D6E6F" PAIRS("7") "7A7B7C7D7E7F"
    PAIRS("8") "8A8B8C8D8E8F" PAIRS("9") "9A9B9C9D9E9F" PAIRS("A") "AAABACADAEAF" PAIRS("B") "BABBBCBDBEBF"
    PAIRS("C") "CACBCCCDCECF" PAIRS("D") "DADBDCDDDEDF" PAIRS("E") "EAEBECEDEEEF" PAIRS("F") "FAFBFCFDFEFF";
/* clang-format on */

/* `\uXXXX`. Three small stores: gathering them in a register costs more than it saves. */
PER_PROFILE char *put_unit(char *out, uint32_t unit, aci_json_profile profile)
{
    const char *digits = profile == ACI_JSON_DOTNET ? upper_digits : lower_digits;

    memcpy(out, "\\u", 2);
    memcpy(out + 2, digits + (size_t)(unit >> 8) * 2, 2);
    memcpy(out + 4, digits + (size_t)(unit & 0xFF) * 2, 2);
    return out + 6;
}

/* Four bytes as a number, the first one lowest. */
static inline uint32_t four_bytes(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;

    return u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

/* Escapes characters of two and three bytes as long as they follow each other: in text that is not English this is
   where the time goes. Stops before anything else, near the end and when the room ends. */
PER_PROFILE char *put_short(char *out, const char *full, const char **text, const char *end, aci_json_profile profile)
{
    const char *p = *text;

    while (end - p >= 4 && out <= full) {
        uint32_t c = four_bytes(p);

        if ((c & 0xC0C0F0) == 0x8080E0 && (c & 0x200F) != 0) { /* not what two bytes could have said */
            out = put_unit(out, (c & 0xF) << 12 | (c >> 2 & 0xFC0) | (c >> 16 & 0x3F), profile);
            p += 3;
        } else if ((c & 0xC0E0) == 0x80C0 && (c & 0x1E) != 0) {
            out = put_unit(out, (c & 0x1F) << 6 | (c >> 8 & 0x3F), profile);
            p += 2;
        } else {
            break;
        }
    }
    *text = p;
    return out;
}

/* Spells any one character and moves *p past it. NULL when there is no character at *p. */
static char *put_character(char *out, const char **p, const char *end, aci_json_profile profile)
{
    uint32_t point = 0;
    size_t len = aci_utf8_decode((const unsigned char *)*p, (const unsigned char *)end, true, &point);

    if (len == 0)
        return NULL;
    *p += len;
    if (point < 0x10000)
        return put_unit(out, point, profile);
    point -= 0x10000;
    return put_unit(put_unit(out, 0xD800 + (point >> 10), profile), 0xDC00 + (point & 0x3FF), profile);
}

/* Spells what is not ASCII at *text and is escaped, and moves *text past it: several characters at once of those that
   seldom come alone. NULL when there is no character. */
PER_PROFILE char *put_foreign(char *out, const char *full, const char **text, const char *end, aci_json_profile profile)
{
    const char *before = *text;

    if (profile != ACI_JSON_UTF8) {
        out = put_short(out, full, text, end, profile);
        if (*text != before)
            return out;
    }
    return put_character(out, text, end, profile);
}

/* The escape of a character below 0x80 that has one. Eight bytes are stored. */
PER_PROFILE char *put_ascii(char *out, unsigned char c, aci_json_profile profile)
{
    const char *escape = profile == ACI_JSON_DOTNET ? dotnet_escapes[c] : ascii_escapes[c];

    memcpy(out, escape, 8);
    return out + escape[7];
}

/* Spells what stands at *text, which may need an escape, and moves *text past it. NULL when there is no character. */
PER_PROFILE char *put_suspect(char *out, const char *full, const char **text, const char *end, aci_json_profile profile)
{
    unsigned char c = (unsigned char)**text;

    if (c >= 0x80 && (profile != ACI_JSON_UTF8 || is_surrogate(*text, end)))
        return put_foreign(out, full, text, end, profile);
    *text += 1;
    if (c < 0x80)
        return put_ascii(out, c, profile);
    *out = (char)c;
    return out + 1;
}

/* ---- spelling ------------------------------------------------------------------------------------------------- */

#if ACI_JSON_USE_SSE2

static inline uint64_t load_8(const char *p)
{
    uint64_t value;

    memcpy(&value, p, sizeof(value));
    return value;
}

/* The last bytes of a text, 1 to 15 of them, followed by zeros: read as two halves that overlap, since nothing may be
   read beyond the end. */
static inline __m128i load_last(const char *p, size_t len)
{
    uint64_t low = 0;

    if (len >= 8)
        return _mm_set_epi64x((long long)(load_8(p + len - 8) >> (16 - len) * 4 >> (16 - len) * 4),
                              (long long)load_8(p));
    if (len >= 4)
        low = (uint64_t)four_bytes(p + len - 4) << (len - 4) * 8 | four_bytes(p);
    else
        low = (uint64_t)(unsigned char)p[len - 1] << (len - 1) * 8 |
              (uint64_t)(unsigned char)p[len / 2] << len / 2 * 8 | (unsigned char)p[0];
    return _mm_set_epi64x(0, (long long)low);
}

enum { BLOCK = 32 };

static inline void copy_block(char *out, const char *p)
{
    __m128i first = aci_load_(p), second = aci_load_(p + 16);

    _mm_storeu_si128((__m128i *)(void *)out, first);
    _mm_storeu_si128((__m128i *)(void *)(out + 16), second);
}

/* Spells the block at *text, or the part of it before and with the first character that is not ASCII and is escaped.
   There are two blocks of text left and there is ACI_JSON_SPELL_ROOM. What is between two escapes is copied as a full
   block too, so that no branch depends on how long it is. NULL when there is no character. */
PER_PROFILE char *spell_block(char *out, const char *full, const char **text, const char *end, aci_json_profile profile)
{
    const char *p = *text, *block = p;
    unsigned mask = suspects(aci_load_(p), profile) | suspects(aci_load_(p + 16), profile) << 16;

    copy_block(out, p);
    for (; mask != 0; mask &= mask - 1) {
        const char *suspect = block + __builtin_ctz(mask);
        unsigned char c = (unsigned char)*suspect;

        if (profile == ACI_JSON_UTF8 && c >= 0x80 && !is_surrogate(suspect, end))
            continue;
        out += suspect - p;
        *text = suspect;
        if (c >= 0x80) {
            char *next = put_foreign(out, full, text, end, profile);

            return next != NULL || suspect == block ? next : out; /* the next block then begins with what is wrong */
        }
        out = put_ascii(out, c, profile);
        p = suspect + 1;
        copy_block(out, p);
    }
    *text = block + BLOCK;
    return out + (*text - p);
}

/* Copies bytes that need no escape, in blocks of sixteen; *text and *out stop before the first one that may need one,
   or at the end of the text or of the room. */
PER_PROFILE void copy_plain(const char **text, const char *end, char **out, const char *full, aci_json_profile profile)
{
    const char *p = *text;
    char *o = *out;
    unsigned mask = 0;
    __m128i v;

    for (; end - p >= 16 && o <= full; p += 16, o += 16) {
        v = aci_load_(p);
        _mm_storeu_si128((__m128i *)(void *)o, v);
        mask = suspects(v, profile);
        if (mask != 0)
            break;
    }
    if (mask == 0 && p < end && o <= full) {
        v = load_last(p, (size_t)(end - p));
        _mm_storeu_si128((__m128i *)(void *)o, v);
        mask = suspects(v, profile); /* the zeros after the text are suspects */
    }
    if (mask != 0) {
        p += __builtin_ctz(mask);
        o += __builtin_ctz(mask);
    }
    *text = p;
    *out = o;
}

#else

PER_PROFILE void copy_plain(const char **text, const char *end, char **out, const char *full, aci_json_profile profile)
{
    const char *p = *text;
    char *o = *out;

    while (p < end && o <= full && !needs_escape(p, end, profile))
        *o++ = *p++;
    *text = p;
    *out = o;
}

#endif

PER_PROFILE size_t spell(const char **text, const char *end, aci_json_profile profile, char *out, size_t cap)
{
    const char *p = *text, *full = out + cap - ACI_JSON_SPELL_ROOM;
    char *o = out;

    while (p < end && o <= full) {
        char *next;

#if ACI_JSON_USE_SSE2
        if (end - p >= 2 * BLOCK) {
            next = spell_block(o, full, &p, end, profile);
        } else
#endif
        {
            copy_plain(&p, end, &o, full, profile);
            next = p < end && o <= full ? put_suspect(o, full, &p, end, profile) : o;
        }
        if (next == NULL)
            break;
        o = next;
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
