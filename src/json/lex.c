/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Strings with escapes. Layer 1.
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

/* Moves a run of text to a place at or before it, or elsewhere. Most runs are short, and a call costs more than they.
 */
static inline char *move_run(char *out, const char *in, size_t len)
{
    if (len > 16) {
        memmove(out, in, len);
    } else if (len >= 8) {
        uint64_t first, last;

        memcpy(&first, in, 8);
        memcpy(&last, in + len - 8, 8);
        memcpy(out, &first, 8);
        memcpy(out + len - 8, &last, 8);
    } else if (len >= 4) {
        uint32_t first, last;

        memcpy(&first, in, 4);
        memcpy(&last, in + len - 4, 4);
        memcpy(out, &first, 4);
        memcpy(out + len - 4, &last, 4);
    } else {
        for (size_t i = 0; i < len; i++)
            out[i] = in[i];
    }
    return out + len;
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

const char *aci_lex_decode(const char *in, const char *end, char *out, char **out_end, const char **bad)
{
    for (;;) {
        while (in < end && *in == '\\') {
            if (end - in >= 6 && in[1] == 'u') {
                const char *next = decode_unicode(in, end, &out);

                if (next == NULL)
                    goto wrong;
                in = next;
            } else {
                char c = end - in >= 2 ? simple_escape(in[1]) : 0;

                if (c == 0)
                    goto wrong;
                *out++ = c;
                in += 2;
            }
        }

        const char *next = aci_scan_text(in, end);

        out = move_run(out, in, (size_t)(next - in));
        in = next;
        if (in == end)
            goto wrong;
        if (*in == '"') {
            *out_end = out;
            return in;
        }
        if (*in != '\\')
            goto wrong;
    }
wrong:
    *bad = in;
    return NULL;
}
