/* SPDX-License-Identifier: Apache-2.0 */
/* The generator of random_json.h. Running out of memory ends the program: these are tests. */
#include "random_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* Levels of the usual document and of the deep one; our reader takes 128 by default. */
enum { USUAL_LEVELS = 5, DEEP_LEVELS = 160 };

void random_json_init(random_json *r)
{
    aci_buf_init(&r->text, NULL, SIZE_MAX);
    random_json_seed(r, 0);
}

void random_json_clear(random_json *r)
{
    aci_buf_clear(&r->text);
}

/* Neighbouring seeds give unrelated states. */
void random_json_seed(random_json *r, uint64_t seed)
{
    uint64_t x = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);

    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    r->state = (x ^ x >> 31) | 1;
    (void)random_json_below(r, 2);
}

uint32_t random_json_below(random_json *r, uint32_t limit)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (uint32_t)(r->state >> 32) % limit;
}

static void put(random_json *r, const void *bytes, size_t len)
{
    if (!aci_buf_add(&r->text, bytes, len)) {
        fputs("random_json: out of memory\n", stderr);
        exit(1);
    }
}

static void put_text(random_json *r, const char *text)
{
    put(r, text, strlen(text));
}

static void put_whitespace(random_json *r)
{
    if (random_json_below(r, 4) != 0)
        return;
    for (uint32_t n = 1 + random_json_below(r, random_json_below(r, 16) == 0 ? 40 : 2); n > 0; n--)
        put(r, &" \n\t\r"[random_json_below(r, 4)], 1);
}

/* ---- strings -------------------------------------------------------------------------------------------------- */

/* A character of any width, the borders of the widths and the noncharacters more often than a uniform choice would give
   them. */
static uint32_t some_character(random_json *r)
{
    static const uint32_t borders[] = {0x20,   0x7F,   0x80,   0x7FF,  0x800,   0xD7FF,  0xE000,   0xFDD0,   0xFEFF,
                                       0xFFFD, 0xFFFE, 0xFFFF, 0x2028, 0x10000, 0x1FFFE, 0x10FFFE, 0x10FFFF, 0x85};
    uint32_t point;

    switch (random_json_below(r, 6)) {
    case 0:
        return borders[random_json_below(r, COUNT(borders))];
    case 1:
        point = 0x80 + random_json_below(r, 0x780);
        break;
    case 2:
        point = 0x800 + random_json_below(r, 0xF800);
        break;
    case 3:
        point = 0x10000 + random_json_below(r, 0x100000);
        break;
    default:
        point = 0x20 + random_json_below(r, 0x5F);
        break;
    }
    return point >= 0xD800 && point <= 0xDFFF ? 0x4E2D : point;
}

static void put_utf8(random_json *r, uint32_t point)
{
    unsigned char bytes[4];
    size_t len = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;

    for (size_t i = len - 1; i > 0; i--, point >>= 6)
        bytes[i] = (unsigned char)(0x80 | (point & 0x3F));
    bytes[0] = (unsigned char)(len == 1 ? point : (0xF00u >> len & 0xFF) | point);
    put(r, bytes, len);
}

static void put_unit_escape(random_json *r, uint32_t unit)
{
    char spelled[8], *digit = spelled + 2;

    (void)snprintf(spelled, sizeof(spelled), random_json_below(r, 2) == 0 ? "\\u%04x" : "\\u%04X", (unsigned)unit);
    for (; *digit != '\0'; digit++) /* digits of both cases in one escape */
        if (*digit >= 'a' && random_json_below(r, 2) == 0)
            *digit = (char)(*digit - 'a' + 'A');
    put_text(r, spelled);
}

static void put_escape(random_json *r)
{
    uint32_t point;

    switch (random_json_below(r, 4)) {
    case 0:
    case 1:
        put(r, "\\", 1);
        put(r, &"\"\\/bfnrt"[random_json_below(r, 8)], 1);
        return;
    case 2:
        put_unit_escape(r, random_json_below(r, 0x20));
        return;
    default:
        break;
    }
    point = some_character(r);
    if (random_json_below(r, 24) == 0) /* half a pair, wherever it falls */
        put_unit_escape(r, 0xD800 + random_json_below(r, 0x800));
    else if (point < 0x10000)
        put_unit_escape(r, point);
    else {
        put_unit_escape(r, 0xD800 + ((point - 0x10000) >> 10));
        put_unit_escape(r, 0xDC00 + (point & 0x3FF));
    }
}

/* A run of one kind, so that wide scans see full blocks of it. */
static void put_run(random_json *r, uint32_t most)
{
    uint32_t kind = random_json_below(r, 4), point = some_character(r);

    for (uint32_t n = 1 + random_json_below(r, most); n > 0; n--) {
        if (kind == 0)
            put_escape(r);
        else if (kind > 1)
            point = kind == 2 ? 'a' + random_json_below(r, 26) : some_character(r);
        if (kind != 0) {
            if (point == '"' || point == '\\' || point < 0x20)
                point = 'x';
            put_utf8(r, point);
        }
    }
}

static void put_string(random_json *r)
{
    static const char *const names[] = {"a", "b", "key", "\\u0061", "", "{[,:]}", "// no comment", "\\u0000"};
    uint32_t pieces = random_json_below(r, 4);

    put(r, "\"", 1);
    if (random_json_below(r, 3) == 0) /* from a small set, so that names repeat */
        put_text(r, names[random_json_below(r, COUNT(names) - (random_json_below(r, 8) == 0 ? 0 : 1))]);
    else
        for (; pieces > 0; pieces--)
            put_run(r, random_json_below(r, 64) == 0 ? 300 : 12);
    put(r, "\"", 1);
}

/* ---- numbers -------------------------------------------------------------------------------------------------- */

static void put_digits(random_json *r, uint32_t most)
{
    for (uint32_t n = 1 + random_json_below(r, most); n > 0; n--)
        put(r, &"0123456789"[random_json_below(r, 10)], 1);
}

static void put_number(random_json *r)
{
    static const char *const odd[] = {
        "0",
        "-0",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-9223372036854775809",
        "1e308",
        "1e309",
        "1e999",
        "2.2250738585072014e-308",
        "4.9e-324",
        "1e-400",
        "0.1",
        "0.10000000000000000001",
        "1E00000000000000000000000000000000000000000000000000000000000000000000000000002",
    };
    uint32_t most = random_json_below(r, 16) == 0 ? 40 : 6;

    if (random_json_below(r, 4) == 0) {
        put_text(r, odd[random_json_below(r, COUNT(odd))]);
        return;
    }
    if (random_json_below(r, 3) == 0)
        put(r, "-", 1);
    if (random_json_below(r, 5) == 0) {
        put(r, "0", 1);
    } else {
        put(r, &"123456789"[random_json_below(r, 9)], 1);
        if (random_json_below(r, 3) != 0)
            put_digits(r, most);
    }
    if (random_json_below(r, 3) == 0) {
        put(r, ".", 1);
        put_digits(r, most);
    }
    if (random_json_below(r, 4) == 0) {
        put(r, &"eE"[random_json_below(r, 2)], 1);
        if (random_json_below(r, 2) == 0)
            put(r, &"+-"[random_json_below(r, 2)], 1);
        put_digits(r, random_json_below(r, 8) == 0 ? 5 : 2);
    }
}

/* ---- values --------------------------------------------------------------------------------------------------- */

static void put_value(random_json *r, uint32_t levels);

static void put_container(random_json *r, uint32_t levels)
{
    bool object = random_json_below(r, 2) == 0;
    uint32_t count = levels > USUAL_LEVELS ? 1 : random_json_below(r, random_json_below(r, 64) == 0 ? 60 : 5);

    put(r, object ? "{" : "[", 1);
    if (count == 0)
        put_whitespace(r);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            put(r, ",", 1);
        if (object) {
            put_whitespace(r);
            put_string(r);
            put_whitespace(r);
            put(r, ":", 1);
        }
        put_value(r, levels - 1);
    }
    put(r, object ? "}" : "]", 1);
}

static void put_value(random_json *r, uint32_t levels)
{
    static const char *const words[] = {"true", "false", "null"};
    uint32_t kind = random_json_below(r, levels > USUAL_LEVELS ? 1 : 7);

    put_whitespace(r);
    if (levels > 0 && (kind == 0 || kind > 4))
        put_container(r, levels);
    else if (kind <= 2)
        put_string(r);
    else if (kind == 3)
        put_number(r);
    else
        put_text(r, words[random_json_below(r, 3)]);
    put_whitespace(r);
}

void random_json_document(random_json *r)
{
    r->text.len = 0;
    put_value(r, random_json_below(r, 200) == 0 ? 1 + random_json_below(r, DEEP_LEVELS) : USUAL_LEVELS);
}

/* ---- damage --------------------------------------------------------------------------------------------------- */

/* Puts len bytes in at `at`; they may be part of the text itself. */
static void insert(random_json *r, size_t at, const char *bytes, size_t len)
{
    char copy[64];

    memcpy(copy, bytes, len);
    put(r, copy, len); /* for the room */
    memmove(r->text.ptr + at + len, r->text.ptr + at, r->text.len - len - at);
    memcpy(r->text.ptr + at, copy, len);
}

static void take_out(random_json *r, size_t at, size_t len)
{
    memmove(r->text.ptr + at, r->text.ptr + at + len, r->text.len - at - len);
    r->text.len -= len;
}

void random_json_damage(random_json *r)
{
    static const char *const pieces[] = {
        "\"",
        "\\",
        ",",
        ":",
        "[",
        "]",
        "{",
        "}",
        "0",
        "-",
        ".",
        "e",
        "+",
        "/*",
        "//",
        "'",
        "#",
        "\x00\xFF",
        "\x01",
        "\x1F",
        "\x7F",
        "\x0B",
        "\x0C",
        "\xC2\xA0",
        "\xEF\xBB\xBF",
        "\x80",
        "\xC0\xAF",
        "\xC3",
        "\xE2\x80\xA8",
        "\xE4\xB8",
        "\xED\xA0\x80",
        "\xF4\x90\x80\x80",
        "\xF0\x9F",
        "\xFF",
        "NaN",
        "Infinity",
        "tru",
        "\\u",
        "\\u12",
        "\\ud83d",
        "\\x41",
        "1 ",
        " 1",
        "\"\":",
        "null,",
    };
    size_t len = r->text.len, at = random_json_below(r, (uint32_t)len), rest = len - at, n;
    const char *piece = pieces[random_json_below(r, COUNT(pieces))];

    n = 1 + random_json_below(r, random_json_below(r, 4) == 0 ? 16 : 1);
    if (n > rest)
        n = rest;
    switch (random_json_below(r, 9)) {
    case 0:
        r->text.ptr[at] = piece[0];
        break;
    case 1:
        r->text.ptr[at] = (char)random_json_below(r, 256);
        break;
    case 2:
        r->text.ptr[at] = (char)(r->text.ptr[at] ^ (1 << random_json_below(r, 8)));
        break;
    case 3:
        insert(r, at, piece, strlen(piece));
        break;
    case 4:
        insert(r, at, r->text.ptr + at, n);
        break;
    case 5:
        take_out(r, at, n);
        break;
    case 6:
        insert(r, random_json_below(r, (uint32_t)len), r->text.ptr + at, n);
        break;
    case 7: /* a NUL, also after the end */
        insert(r, random_json_below(r, 4) == 0 ? len : at, "", 1);
        break;
    default:
        r->text.len = at;
        break;
    }
}
