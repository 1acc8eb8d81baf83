/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UTF-8 and WTF-8: decoding, checking, and the few classes of characters that the library asks about.
 *
 * Well-formed means Table 3-7 of the Unicode standard: no overlong forms, nothing above U+10FFFF, and surrogates only
 * where the caller allows them.
 */
#include "base/utf8.h"

#include "base/simd.h"

static bool continues(unsigned char byte)
{
    return (byte & 0xC0u) == 0x80u;
}

size_t aci_utf8_char(const unsigned char *p, const unsigned char *end, bool wtf8)
{
    size_t left = (size_t)(end - p);

    if (left == 0)
        return 0;
    if (p[0] < 0x80u)
        return 1;
    if (p[0] < 0xC2u)
        return 0;
    if (p[0] < 0xE0u)
        return left >= 2 && continues(p[1]) ? 2 : 0;
    if (p[0] < 0xF0u) {
        if (left < 3 || !continues(p[1]) || !continues(p[2]))
            return 0;
        if (p[0] == 0xE0u && p[1] < 0xA0u)
            return 0;
        return p[0] == 0xEDu && p[1] >= 0xA0u && !wtf8 ? 0 : 3;
    }
    if (p[0] > 0xF4u || left < 4 || !continues(p[1]) || !continues(p[2]) || !continues(p[3]))
        return 0;
    if ((p[0] == 0xF0u && p[1] < 0x90u) || (p[0] == 0xF4u && p[1] >= 0x90u))
        return 0;
    return 4;
}

size_t aci_utf8_decode(const unsigned char *p, const unsigned char *end, bool wtf8, uint32_t *out)
{
    size_t len = aci_utf8_char(p, end, wtf8);

    switch (len) {
    case 1:
        *out = p[0];
        break;
    case 2:
        *out = (uint32_t)(p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
        break;
    case 3:
        *out = (uint32_t)(p[0] & 0x0Fu) << 12 | (uint32_t)(p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
        break;
    case 4:
        *out = (uint32_t)(p[0] & 0x07u) << 18 | (uint32_t)(p[1] & 0x3Fu) << 12 | (uint32_t)(p[2] & 0x3Fu) << 6 |
               (p[3] & 0x3Fu);
        break;
    default:
        break;
    }
    return len;
}

size_t aci_utf8_encode(uint32_t code_point, char out[4])
{
    if (code_point < 0x80u) {
        out[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800u) {
        out[0] = (char)(0xC0u | code_point >> 6);
        out[1] = (char)(0x80u | (code_point & 0x3Fu));
        return 2;
    }
    if (code_point < 0x10000u) {
        out[0] = (char)(0xE0u | code_point >> 12);
        out[1] = (char)(0x80u | (code_point >> 6 & 0x3Fu));
        out[2] = (char)(0x80u | (code_point & 0x3Fu));
        return 3;
    }
    out[0] = (char)(0xF0u | code_point >> 18);
    out[1] = (char)(0x80u | (code_point >> 12 & 0x3Fu));
    out[2] = (char)(0x80u | (code_point >> 6 & 0x3Fu));
    out[3] = (char)(0x80u | (code_point & 0x3Fu));
    return 4;
}

size_t aci_utf8_valid_prefix(const char *text, size_t len, bool wtf8)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const unsigned char *end = len != 0 ? bytes + len : bytes;
    size_t at = 0;

    while (at < len) {
        if (bytes[at] < 0x80u) {
            at += aci_ascii_prefix(text + at, len - at);
        } else {
            size_t step = aci_utf8_char(bytes + at, end, wtf8);

            if (step == 0)
                break;
            at += step;
        }
    }
    return at;
}

bool aci_utf8_is_valid(agentchat_str text, bool wtf8)
{
    return aci_utf8_valid_prefix(text.ptr, text.len, wtf8) == text.len;
}

bool aci_utf8_has_surrogates(agentchat_str wtf8)
{
    const char *p = wtf8.ptr;
    size_t left = wtf8.len;

    while (left >= 3) {
        const char *found = memchr(p, 0xED, left - 2);

        if (found == NULL)
            return false;
        if ((unsigned char)found[1] >= 0xA0u)
            return true;
        left -= (size_t)(found - p) + 3;
        p = found + 3;
    }
    return false;
}

static unsigned char lower(char c)
{
    unsigned char byte = (unsigned char)c;

    return byte >= 'A' && byte <= 'Z' ? (unsigned char)(byte | 0x20u) : byte;
}

bool aci_utf8_equal_ignore_case(agentchat_str a, agentchat_str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        if (lower(a.ptr[i]) != lower(b.ptr[i]))
            return false;
    }
    return true;
}

static bool is_white_space(uint32_t c)
{
    return (c >= 0x09u && c <= 0x0Du) || c == 0x20u || c == 0x85u || c == 0xA0u || c == 0x1680u ||
           (c >= 0x2000u && c <= 0x200Au) || c == 0x2028u || c == 0x2029u || c == 0x202Fu || c == 0x205Fu ||
           c == 0x3000u;
}

bool aci_utf8_is_whitespace(agentchat_str text)
{
    const unsigned char *p = (const unsigned char *)text.ptr;
    const unsigned char *end = text.len != 0 ? p + text.len : p;

    while (p < end) {
        uint32_t code_point = 0;
        size_t len = aci_utf8_decode(p, end, true, &code_point);

        if (len == 0 || !is_white_space(code_point))
            return false;
        p += len;
    }
    return true;
}
