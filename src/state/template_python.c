/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Python thinks of characters: identifiers, and strings as repr() shows them. Layer 2.
 *
 * Python knows each character's class. Here two lists of ranges stand for that: characters above U+007F that are no
 * part of an identifier, and those that repr() escapes. The lists have the punctuation, symbols, blanks, controls and
 * private characters of the blocks in use; a few hundred symbols of single scripts are missing from the first one, and
 * a digit or a combining mark above U+007F may begin an identifier. What no version of Unicode has assigned counts as a
 * letter.
 */
#include "state/template.h"

#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

typedef struct range {
    uint32_t first, last;
} range;

static const range no_part_of_identifiers[] = {
    {0x80, 0xA9},       {0xAB, 0xB4},       {0xB6, 0xB6},       {0xB8, 0xB9},       {0xBB, 0xBF},
    {0xD7, 0xD7},       {0xF7, 0xF7},       {0x2C2, 0x2C5},     {0x2D2, 0x2DF},     {0x2E5, 0x2EB},
    {0x2ED, 0x2ED},     {0x2EF, 0x2FF},     {0x375, 0x375},     {0x37A, 0x37A},     {0x37E, 0x37E},
    {0x384, 0x385},     {0x3F6, 0x3F6},     {0x482, 0x482},     {0x55A, 0x55F},     {0x589, 0x58F},
    {0x5BE, 0x5BE},     {0x5C0, 0x5C0},     {0x5C3, 0x5C3},     {0x5C6, 0x5C6},     {0x5F3, 0x60F},
    {0x61B, 0x61F},     {0x66A, 0x66D},     {0x6D4, 0x6D4},     {0x6DD, 0x6DE},     {0x6E9, 0x6E9},
    {0x6FD, 0x6FE},     {0x700, 0x70F},     {0x964, 0x965},     {0x970, 0x970},     {0x9F2, 0x9FB},
    {0xBF0, 0xBFA},     {0xE3F, 0xE3F},     {0xE4F, 0xE4F},     {0xE5A, 0xE5B},     {0xF01, 0xF17},
    {0xF1A, 0xF1F},     {0xF2A, 0xF34},     {0xF36, 0xF36},     {0xF38, 0xF38},     {0xF3A, 0xF3D},
    {0xFBE, 0xFC5},     {0xFC7, 0xFDA},     {0x104A, 0x104F},   {0x10FB, 0x10FB},   {0x1360, 0x1368},
    {0x1390, 0x1399},   {0x1400, 0x1400},   {0x166D, 0x166E},   {0x1680, 0x1680},   {0x16EB, 0x16ED},
    {0x17D4, 0x17D6},   {0x17D8, 0x17DB},   {0x17F0, 0x180A},   {0x180E, 0x180E},   {0x1940, 0x1945},
    {0x19DE, 0x19FF},   {0x1FBD, 0x1FBD},   {0x1FBF, 0x1FC1},   {0x1FCD, 0x1FCF},   {0x1FDD, 0x1FDF},
    {0x1FED, 0x1FEF},   {0x1FFD, 0x203E},   {0x2041, 0x2053},   {0x2055, 0x2070},   {0x2072, 0x207E},
    {0x2080, 0x208F},   {0x20A0, 0x20CF},   {0x2100, 0x2101},   {0x2103, 0x2106},   {0x2108, 0x2109},
    {0x2114, 0x2114},   {0x2116, 0x2117},   {0x211E, 0x2123},   {0x2125, 0x2125},   {0x2127, 0x2127},
    {0x2129, 0x2129},   {0x213A, 0x213B},   {0x2140, 0x2144},   {0x214A, 0x214D},   {0x214F, 0x215F},
    {0x2189, 0x2BFF},   {0x2CE5, 0x2CEA},   {0x2CF9, 0x2CFF},   {0x2D70, 0x2D70},   {0x2E00, 0x3004},
    {0x3008, 0x3020},   {0x3030, 0x3030},   {0x3036, 0x3037},   {0x303D, 0x3040},   {0x309B, 0x309C},
    {0x30A0, 0x30A0},   {0x30FB, 0x30FB},   {0x3190, 0x319F},   {0x31C0, 0x31EF},   {0x3200, 0x33FF},
    {0x4DC0, 0x4DFF},   {0xA490, 0xA4CF},   {0xA700, 0xA716},   {0xA720, 0xA721},   {0xA789, 0xA78A},
    {0xA830, 0xA839},   {0xE000, 0xF8FF},   {0xFB29, 0xFB29},   {0xFBB2, 0xFBC2},   {0xFD3E, 0xFD4F},
    {0xFDFC, 0xFDFF},   {0xFE10, 0xFE1F},   {0xFE30, 0xFE32},   {0xFE35, 0xFE4C},   {0xFE50, 0xFE6F},
    {0xFEFF, 0xFF0F},   {0xFF1A, 0xFF20},   {0xFF3B, 0xFF3E},   {0xFF40, 0xFF40},   {0xFF5B, 0xFF65},
    {0xFFE0, 0xFFFF},   {0x10100, 0x1013F}, {0x10175, 0x101FC}, {0x1CF50, 0x1D164}, {0x1D16A, 0x1D16C},
    {0x1D173, 0x1D17A}, {0x1D183, 0x1D184}, {0x1D18C, 0x1D1A9}, {0x1D1AE, 0x1D241}, {0x1D245, 0x1D3FF},
    {0x1D800, 0x1D9FF}, {0x1EC70, 0x1EDFF}, {0x1EEF0, 0x1FBEF}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF},
};

/* Besides the last two of each plane. */
static const range escaped_by_repr[] = {
    {0x80, 0xA0},       {0xAD, 0xAD},       {0x600, 0x605},     {0x61C, 0x61C},     {0x6DD, 0x6DD},
    {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},     {0x1680, 0x1680},   {0x180E, 0x180E},
    {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F},   {0x3000, 0x3000},   {0xD800, 0xF8FF},
    {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
    {0x13430, 0x13438}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0001, 0xE007F}, {0xF0000, 0x10FFFF},
};

static bool is_in(const range *ranges, size_t count, uint32_t c)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && c >= ranges[low].first;
}

#define IS_IN(ranges, c) is_in((ranges), sizeof(ranges) / sizeof *(ranges), (c))

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_part(uint32_t c)
{
    if (c < 0x80)
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
    return !IS_IN(no_part_of_identifiers, c);
}

bool aci_is_python_identifier(agentchat_str text)
{
    const unsigned char *p = (const unsigned char *)text.ptr, *end = p + text.len;
    uint32_t c = '0';

    if (text.len == 0 || is_digit(*p))
        return false;
    while (p < end && is_part(c)) {
        size_t len = aci_utf8_decode(p, end, false, &c);

        if (len == 0)
            return false;
        p += len;
    }
    return is_part(c);
}

/* ---- strings inside containers -------------------------------------------------------------------------------- */

static bool is_shown(uint32_t c)
{
    if (c < 0x80)
        return c >= 0x20 && c < 0x7F;
    return (c & 0xFFFE) != 0xFFFE && !IS_IN(escaped_by_repr, c);
}

static const char *short_escape(uint32_t c, uint32_t quote)
{
    if (c == quote)
        return quote == '"' ? "\\\"" : "\\'";
    switch (c) {
    case '\\':
        return "\\\\";
    case '\t':
        return "\\t";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    default:
        return NULL;
    }
}

static bool put_character(uint32_t c, uint32_t quote, const unsigned char *bytes, size_t len, aci_buf *out)
{
    const char *escape = short_escape(c, quote);

    if (escape != NULL)
        return aci_buf_add_str(out, agentchat_str_from(escape));
    if (is_shown(c))
        return aci_buf_add(out, bytes, len);
    return aci_buf_printf(out, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)c);
}

bool aci_python_quote(agentchat_str wtf8, aci_buf *out)
{
    const unsigned char *p = (const unsigned char *)wtf8.ptr, *end = p + wtf8.len;
    bool has_single = memchr(p, '\'', wtf8.len) != NULL, has_double = memchr(p, '"', wtf8.len) != NULL;
    char quote = has_single && !has_double ? '"' : '\'';
    bool ok = aci_buf_add(out, &quote, 1);

    while (ok && p < end) {
        uint32_t c = 0;
        size_t len = aci_utf8_decode(p, end, true, &c);

        ok = len > 0 && put_character(c, (unsigned char)quote, p, len, out);
        p += len;
    }
    return ok && aci_buf_add(out, &quote, 1);
}
