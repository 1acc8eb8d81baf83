/* SPDX-License-Identifier: Apache-2.0 */
#include "list_edit/python_text.h"

#include "base/invisible.h"
#include "base/utf8.h"
#include "json/bridge.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t aci_python_text_code_points(agentchat_str text)
{
    uint64_t points = 0;

    for (size_t i = 0; i < text.len; i++)
        points += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return points;
}

/* ---- strings ---------------------------------------------------------------------------------------------------- */

/* What decides how a string is printed, gathered code point by code point. */
typedef struct printed {
    uint64_t points; /* without the quotes around */
    uint64_t single_quotes;
    bool has_double_quotes;
} printed;

/* Whether Python prints a code point as it is: what is not seen is escaped, and spaces but for the usual one; marks and
   letters without a shape are not. Code points that are not assigned are taken for seen. */
static bool is_printable(uint32_t point)
{
    static const uint32_t spaces[][2] = {{0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                                         {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
    static const uint32_t shapeless[][2] = {{0x034F, 0x034F}, {0x115F, 0x1160}, {0x17B4, 0x17B5},
                                            {0x180B, 0x180D}, {0x180F, 0x180F}, {0x3164, 0x3164},
                                            {0xFE00, 0xFE0F}, {0xFFA0, 0xFFA0}, {0xE0100, 0xE01EF}};

    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (point >= spaces[i][0] && point <= spaces[i][1])
            return false;
    for (size_t i = 0; i < sizeof shapeless / sizeof *shapeless; i++)
        if (point >= shapeless[i][0] && point <= shapeless[i][1])
            return true;
    return !aci_is_invisible(point);
}

static void add_point(printed *p, uint32_t point)
{
    p->single_quotes += point == '\'';
    p->has_double_quotes = p->has_double_quotes || point == '"';
    if (point == '\\' || point == '\n' || point == '\r' || point == '\t')
        p->points += 2;
    else if (!is_printable(point)) /* as \xHH, \uHHHH or \UHHHHHHHH */
        p->points += point < 0x100 ? 4 : point < 0x10000 ? 6 : 10;
    else
        p->points += 1;
}

/* Python takes double quotes where there is a single one and no double one, else it escapes the single ones. */
static uint64_t with_quotes(const printed *p)
{
    return p->points + 2 + (p->has_double_quotes ? p->single_quotes : 0);
}

uint64_t aci_python_text_quoted(agentchat_str text)
{
    const unsigned char *at = (const unsigned char *)text.ptr, *end = at + text.len;
    printed p = {0, 0, false};

    while (at < end) {
        uint32_t point = *at;
        size_t len = aci_utf8_decode(at, end, true, &point);

        add_point(&p, point);
        at += len > 0 ? len : 1;
    }
    return with_quotes(&p);
}

static uint32_t hex4(const char *digits)
{
    uint32_t value = 0;

    for (int i = 0; i < 4; i++) {
        char c = digits[i];

        value = value * 16 + (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* The code point at *at of a raw string, which is moved. */
static uint32_t next_point(const char **at, const char *end)
{
    const char *p = *at;
    uint32_t point = (unsigned char)*p;

    if (point != '\\') {
        size_t len = aci_utf8_decode((const unsigned char *)p, (const unsigned char *)end, true, &point);

        *at = p + (len > 0 ? len : 1);
        return point;
    }
    *at = p + 2;
    switch (p[1]) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        break;
    default:
        return (unsigned char)p[1];
    }
    point = hex4(p + 2);
    *at = p + 6;
    if (point >= 0xD800 && point < 0xDC00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        uint32_t low = hex4(*at + 2);

        if (low >= 0xDC00 && low < 0xE000) {
            *at += 6;
            return 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    return point;
}

uint64_t aci_python_text_string(agentchat_str raw)
{
    const char *at = raw.ptr + 1, *end = raw.ptr + raw.len - 1;
    uint64_t points = 0;

    for (; at < end; points++)
        (void)next_point(&at, end);
    return points;
}

static uint64_t string_points(agentchat_str raw)
{
    const char *at = raw.ptr + 1, *end = raw.ptr + raw.len - 1;
    printed p = {0, 0, false};

    while (at < end)
        add_point(&p, next_point(&at, end));
    return with_quotes(&p);
}

/* ---- other values ----------------------------------------------------------------------------------------------- */

/* The shortest text of a double, where the number is a longer one; whatever point the locale has. */
static bool shorten(agentchat_str raw, char shortest[ACI_REAL_SIZE])
{
    char copy[128];
    size_t len = 0, after_point = 0, at = 0;
    long given = 0;

    for (; at < raw.len && raw.ptr[at] != 'e' && raw.ptr[at] != 'E'; at++) {
        if (raw.ptr[at] == '.')
            after_point = 1;
        else if (len < sizeof copy - 32)
            copy[len++] = raw.ptr[at];
        else
            return false;
        after_point += after_point > 0 && raw.ptr[at] != '.';
    }
    if (at < raw.len && raw.len - at < 16) {
        char exponent[16] = "";

        memcpy(exponent, raw.ptr + at + 1, raw.len - at - 1);
        given = strtol(exponent, NULL, 10);
    } else if (at < raw.len) {
        return false;
    }
    (void)snprintf(copy + len, sizeof copy - len, "e%ld", given - (long)(after_point > 0 ? after_point - 1 : 0));
    len = aci_json_real_print(strtod(copy, NULL), shortest);
    return len < raw.len;
}

/* A number with a point or an exponent, as repr() prints the double. */
static uint64_t real_points(agentchat_str raw)
{
    size_t at = *raw.ptr == '-', before = 0, digits = 0, zeros = 0; /* zeros: that may be the last digits */
    char shortest[ACI_REAL_SIZE];
    bool in_fraction = false;
    int64_t exponent = 0, given = 0;
    uint64_t size;

    for (; at < raw.len && raw.ptr[at] != 'e' && raw.ptr[at] != 'E'; at++) {
        in_fraction = in_fraction || raw.ptr[at] == '.';
        if (raw.ptr[at] == '.')
            continue;
        if (digits > 0 || raw.ptr[at] != '0') {
            digits++;
            zeros = raw.ptr[at] == '0' ? zeros + 1 : 0;
            before += !in_fraction;
        } else {
            exponent -= in_fraction;
        }
    }
    if (at + 1 < raw.len)
        (void)aci_json_integer(
            (agentchat_str){raw.ptr + at + 1 + (raw.ptr[at + 1] == '+'), raw.len - at - 1 - (raw.ptr[at + 1] == '+')},
            &given);
    digits -= zeros;
    if (digits == 0)
        return (*raw.ptr == '-') + sizeof "0.0" - 1;
    if (digits > 15 && shorten(raw, shortest))
        return real_points(agentchat_str_from(shortest));
    exponent += given + (int64_t)before - 1; /* of the first digit */
    if (exponent >= 0 && exponent < 16)
        size = digits <= (uint64_t)exponent + 1 ? (uint64_t)exponent + 3 : digits + 1;
    else if (exponent < 0 && exponent >= -4)
        size = digits + 1 + (uint64_t)-exponent;
    else
        size = digits + (digits > 1) + (exponent > 99 || exponent < -99 ? 5 : 4);
    return (*raw.ptr == '-') + size;
}

/* Integers are printed as they are. */
static uint64_t number_points(agentchat_str raw)
{
    bool is_real = memchr(raw.ptr, '.', raw.len) != NULL || memchr(raw.ptr, 'e', raw.len) != NULL ||
                   memchr(raw.ptr, 'E', raw.len) != NULL;

    return is_real ? real_points(raw) : raw.len;
}

/* Of a string as json.dumps() writes it. */
static uint64_t ascii_points(agentchat_str raw)
{
    const char *at = raw.ptr + 1, *end = raw.ptr + raw.len - 1;
    uint64_t points = 2;

    while (at < end) {
        uint32_t point = next_point(&at, end);

        if (point == '"' || point == '\\' || (point >= '\b' && point <= '\r' && point != '\v'))
            points += 2;
        else if (point < 0x20 || point >= 0x7F)
            points += point < 0x10000 ? 6 : 12;
        else
            points += 1;
    }
    return points;
}

/* Of a value whose strings are as long as a function says. true, false and null have as many in both forms. */
static uint64_t value_points(agentchat_str raw, uint64_t (*string)(agentchat_str raw))
{
    agentchat_json_walk walk;
    uint64_t points = 0;
    bool first = true;

    if (raw.len == 0)
        return 0;
    agentchat_json_walk_begin(&walk, raw);
    for (agentchat_json_step step; (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END;) {
        if (step == AGENTCHAT_JSON_CLOSE) {
            points++;
            first = false;
            continue;
        }
        points += first ? 0 : 2; /* ", " */
        if (walk.key.ptr != NULL)
            points += string(walk.key) + 2; /* ": " */
        first = step == AGENTCHAT_JSON_OPEN;
        switch (*walk.value.ptr) {
        case '{':
        case '[':
            points++;
            break;
        case '"':
            points += string(walk.value);
            break;
        case 't':
        case 'n':
            points += 4;
            break;
        case 'f':
            points += 5;
            break;
        default:
            points += number_points(walk.value);
        }
    }
    return points;
}

uint64_t aci_python_text_repr(agentchat_str raw)
{
    return value_points(raw, string_points);
}

uint64_t aci_python_text_json(agentchat_str raw)
{
    return value_points(raw, ascii_points);
}
