/* SPDX-License-Identifier: Apache-2.0 */
#include "list_edit/python_text.h"

#include "base/invisible.h"
#include "base/utf8.h"
#include "json/bridge.h"
#include "json/value.h"
#include <agentchat/json_text.h>
#include <float.h>
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
    const unsigned char *bytes = (const unsigned char *)text.ptr;
    printed p = {0, 0, false};

    for (size_t at = 0; at < text.len;) {
        uint32_t point = bytes[at];
        size_t len = aci_utf8_decode(bytes + at, bytes + text.len, true, &point);

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

/* A number with a point or an exponent: its digits without zeros at the ends, and where they stand. */
typedef struct real {
    bool is_negative;
    char digits[100]; /* as many as decide which double it is, but for the rarest ones */
    size_t count;
    int64_t exponent; /* of the first digit */
} real;

/* An exponent, or one that is as good: beyond what a double has. */
static int64_t exponent_of(agentchat_str raw)
{
    enum { BEYOND = 1000000 };
    bool is_negative = raw.len > 0 && *raw.ptr == '-';
    int64_t value = 0;

    for (size_t i = raw.len > 0 && (is_negative || *raw.ptr == '+'); i < raw.len; i++)
        value = value < BEYOND ? value * 10 + (raw.ptr[i] - '0') : value;
    return is_negative ? -value : value;
}

static void read_real(agentchat_str raw, real *out)
{
    bool in_fraction = false;
    size_t at = *raw.ptr == '-';

    *out = (real){.is_negative = at == 1, .exponent = -1};
    for (; at < raw.len && raw.ptr[at] != 'e' && raw.ptr[at] != 'E'; at++) {
        if (raw.ptr[at] == '.') {
            in_fraction = true;
            continue;
        }
        if (out->count == 0 && raw.ptr[at] == '0') {
            out->exponent -= in_fraction;
            continue;
        }
        out->exponent += !in_fraction;
        if (out->count < sizeof out->digits)
            out->digits[out->count++] = raw.ptr[at];
    }
    if (at < raw.len)
        out->exponent += exponent_of((agentchat_str){raw.ptr + at + 1, raw.len - at - 1});
    while (out->count > 0 && out->digits[out->count - 1] == '0')
        out->count--;
}

/* Makes a number the shortest one of its double; a double that is none or too small has no digits. Whatever point the
   locale has. */
static void shorten(real *number)
{
    char text[sizeof number->digits + 32], shortest[ACI_REAL_SIZE];
    double value;

    (void)snprintf(text, sizeof text, "%.*se%lld", (int)number->count, number->digits,
                   (long long)number->exponent - (long long)(number->count - 1));
    value = strtod(text, NULL);
    number->count = 0;
    if (value > 0 && value <= DBL_MAX)
        read_real((agentchat_str){shortest, aci_json_real_print(value, shortest)}, number);
}

/* A number with a point or an exponent, as repr() prints the double. */
static uint64_t real_points(agentchat_str raw)
{
    enum { SURE = 15, LARGEST = 308, SMALLEST = -307 }; /* so many digits are the shortest ones, between exponents */
    uint64_t digits, size;
    real number;
    bool is_negative;

    read_real(raw, &number);
    is_negative = number.is_negative;
    if (number.count > 0 && (number.count > SURE || number.exponent >= LARGEST || number.exponent < SMALLEST))
        shorten(&number);
    digits = number.count;
    if (digits == 0) /* 0.0 or inf */
        size = 3;
    else if (number.exponent >= 0 && number.exponent < 16)
        size = digits <= (uint64_t)number.exponent + 1 ? (uint64_t)number.exponent + 3 : digits + 1;
    else if (number.exponent < 0 && number.exponent >= -4)
        size = digits + 1 + (uint64_t)-number.exponent;
    else
        size = digits + (digits > 1) + (number.exponent > 99 || number.exponent < -99 ? 5 : 4);
    return is_negative + size;
}

/* Integers are printed as they are, but for a zero's sign. */
static uint64_t number_points(agentchat_str raw)
{
    bool is_real = memchr(raw.ptr, '.', raw.len) != NULL || memchr(raw.ptr, 'e', raw.len) != NULL ||
                   memchr(raw.ptr, 'E', raw.len) != NULL;

    return is_real ? real_points(raw) : agentchat_str_equal(raw, AGENTCHAT_STR("-0")) ? 1 : raw.len;
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
