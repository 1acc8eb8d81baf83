/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings with escapes.
 *
 * Escapes often stand in a row (.NET spells everything beyond ASCII as \uXXXX), so both loops below stay with escapes
 * as long as there are any and go back to the wide scan only for a run of plain text.
 */
#include "json/lex.h"

/* clang-format off */
const uint8_t aci_lex_hex[256] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};
/* clang-format on */

const char aci_lex_escapes[128] = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

const char *aci_lex_text_on(const char *p, const char *end)
{
#if ACI_JSON_USE_SSE2
    return aci_scan_text_sse2(p, end);
#else
    return aci_scan_text_portable(p, end);
#endif
}

static char simple_escape(char c)
{
    return (unsigned char)c < 128 ? aci_lex_escapes[(unsigned char)c] : 0;
}

const char *aci_lex_string_slow(const char *p, const char *end, const char **bad)
{
    for (;;) {
        while (p < end && *p == '\\') {
            if (end - p >= 6 && p[1] == 'u') {
                if (aci_lex_hex4(p + 2) > 0xFFFF)
                    goto wrong;
                p += 6;
            } else if (end - p >= 2 && simple_escape(p[1]) != 0) {
                p += 2;
            } else {
                goto wrong;
            }
        }
        p = aci_scan_text(p, end);
        if (p < end && *p == '"')
            return p;
        if (p == end || *p != '\\')
            goto wrong;
    }
wrong:
    *bad = p;
    return NULL;
}

const char *aci_lex_number_slow(const char *p, const char *end, const char **bad)
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

/* Length of the character at p if it is text as it stands, else 0. */
static inline size_t text_char(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;

    if (c >= 0x80)
        return aci_utf8_char((const unsigned char *)p, (const unsigned char *)end, false);
    return c >= 0x20 && c != '"' && c != '\\';
}

/* Copies text from `in` to *out, up to the first byte that is none or until *out has reached `full`. Up to
   ACI_LEX_SLACK bytes after the text, and after `full`, are overwritten. */
static inline const char *copy_text(const char *in, const char *end, char **out, const char *full)
{
    char *o = *out;

#if ACI_JSON_USE_SSE2
    while (end - in >= 16 && o < full) {
        __m128i v = aci_load_(in);
        aci_block after;
        size_t n = aci_check_block_(v, &after);

        if (after == ACI_BLOCK_WRONG)
            break;
        _mm_storeu_si128((__m128i *)(void *)o, v);
        in += n;
        o += n;
        if (after == ACI_BLOCK_END) {
            *out = o;
            return in;
        }
    }
#endif
    while (in < end && o < full) {
        size_t n = text_char(in, end);

        if (n == 0)
            break;
        while (n-- > 0)
            *o++ = *in++;
    }
    *out = o;
    return in;
}

/* One `\uXXXX`, or two that make a pair; at least six bytes are there. NULL when the digits are wrong. */
static inline const char *decode_unicode(const char *in, const char *end, char **out)
{
    uint32_t unit = aci_lex_hex4(in + 2);
    char *o = *out;

    if (unit > 0xFFFF)
        return NULL;
    in += 6;
    if (unit >= 0xD800 && unit <= 0xDBFF && end - in >= 6 && in[0] == '\\' && in[1] == 'u') {
        uint32_t low = aci_lex_hex4(in + 2);

        if (low >= 0xDC00 && low <= 0xDFFF) {
            uint32_t point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);

            o[0] = (char)(0xF0 | point >> 18);
            o[1] = (char)(0x80 | (point >> 12 & 0x3F));
            o[2] = (char)(0x80 | (point >> 6 & 0x3F));
            o[3] = (char)(0x80 | (point & 0x3F));
            *out = o + 4;
            return in + 6;
        }
    }
    if (unit >= 0x800) {
        o[0] = (char)(0xE0 | unit >> 12);
        o[1] = (char)(0x80 | (unit >> 6 & 0x3F));
        o[2] = (char)(0x80 | (unit & 0x3F));
        *out = o + 3;
    } else if (unit >= 0x80) {
        o[0] = (char)(0xC0 | unit >> 6);
        o[1] = (char)(0x80 | (unit & 0x3F));
        *out = o + 2;
    } else {
        o[0] = (char)unit;
        *out = o + 1;
    }
    return in;
}

/* Decodes until the closing quote, the end, a fault, or until *out has reached `full`, always between two characters.
   The output may come near the input from below, but not nearer than ACI_LEX_SLACK bytes. */
static inline const char *decode_some(const char *in, const char *end, char **out, const char *full)
{
    char *o = *out;

    for (;;) {
        in = copy_text(in, end, &o, full);
        if (in == end || *in != '\\' || o >= full) /* a block may have gone beyond `full` as far as is allowed */
            break;
        do {
            const char *next = NULL;

            if (end - in >= 6 && in[1] == 'u') {
                next = decode_unicode(in, end, &o);
            } else if (end - in >= 2 && simple_escape(in[1]) != 0) {
                *o++ = simple_escape(in[1]);
                next = in + 2;
            }
            if (next == NULL) {
                *out = o;
                return in;
            }
            in = next;
        } while (in < end && *in == '\\' && o < full);
        if (o >= full)
            break;
    }
    *out = o;
    return in;
}

static const char *decoded(const char *in, const char *end, char *out, char **out_end, const char **bad)
{
    *out_end = out;
    if (in < end && *in == '"')
        return in;
    *bad = in;
    return NULL;
}

const char *aci_lex_decode(const char *in, const char *end, char *out, char **out_end, const char **bad)
{
    in = decode_some(in, end, &out, out + (end - in)); /* no longer than what it is made from */
    return decoded(in, end, out, out_end, bad);
}

const char *aci_lex_decode_part(const char *in, const char *end, char *out, size_t room, char **out_end)
{
    *out_end = out;
    return room > ACI_LEX_SLACK ? decode_some(in, end, out_end, out + room - ACI_LEX_SLACK) : in;
}

/* While the output is close to the input, it goes through a separate buffer, which costs less than blocks that overlap.
   Every escape adds to the distance. */
const char *aci_lex_decode_in_place(const char *in, const char *end, char *out, char **out_end, const char **bad)
{
    enum { PIECE = 2048 };
    char piece[PIECE + ACI_LEX_SLACK];

    while (in - out < ACI_LEX_SLACK) {
        char *o = piece;

        in = decode_some(in, end, &o, piece + PIECE);
        memcpy(out, piece, (size_t)(o - piece));
        out += o - piece;
        if (o < piece + PIECE) /* it did not end for want of room */
            return decoded(in, end, out, out_end, bad);
    }
    return aci_lex_decode(in, end, out, out_end, bad);
}
