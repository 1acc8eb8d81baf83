/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json/print.h"
#include "base/invisible.h"
#include "base/utf8.h"
#include "cli/json/inspect.h"
#include "cli/text/put.h"

/* Value of the four hexadecimal digits after `\u`; UINT32_MAX when there is no such escape at p. */
static uint32_t escape_at(const char *p, const char *end)
{
    uint32_t value = 0;

    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return UINT32_MAX;
    for (int i = 2; i < 6; i++) {
        char c = p[i];
        uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a') + 10;
        value = value << 4 | digit;
    }
    return value;
}

static void put_char(FILE *out, uint32_t code_point)
{
    char bytes[4] = "";
    size_t len = aci_utf8_encode(code_point, bytes);

    (void)fwrite(bytes, 1, len, out);
}

/* A string with its quotes. Some writers, .NET's among them, escape every letter beyond ASCII and much within; a person
   reads letters. What needs its escape keeps it. */
static void put_string(FILE *out, const char *p, const char *end)
{
    while (p < end) {
        uint32_t c = escape_at(p, end), low = UINT32_MAX;
        size_t length = c != UINT32_MAX ? 6 : p[0] == '\\' && end - p >= 2 ? 2 : 1;

        if (c >= 0xd800 && c < 0xdc00 && (low = escape_at(p + 6, end)) >= 0xdc00 && low < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            length = 12;
        }
        if (c == '"' || c == '\\')
            (void)fprintf(out, "\\%c", (int)c);
        else if (c != UINT32_MAX && !aci_is_invisible(c))
            put_char(out, c);
        else
            (void)fwrite(p, 1, length, out);
        p += length;
    }
}

void cli_json_one_line(FILE *out, agentchat_str json)
{
    char last = '{';

    for (size_t at = 0; at < json.len;) {
        size_t end = at + 1;

        if (json.ptr[at] == '"') {
            end = cli_json_skip_string(json, at);
            put_string(out, json.ptr + at, json.ptr + end);
            last = '"';
            at = end;
            continue;
        }
        if (cli_json_is_space(json.ptr[at])) {
            end = cli_json_skip_space(json, at);
            bool closes = end >= json.len || json.ptr[end] == '}' || json.ptr[end] == ']';
            if (last != '{' && last != '[' && !closes)
                (void)fputc(' ', out);
            at = end;
            continue;
        }
        (void)fwrite(json.ptr + at, 1, end - at, out);
        last = json.ptr[end - 1];
        at = end;
    }
}

enum { DEEPEST_INDENT = 20 }; /* deeper, lines stand below each other: not each of them is longer than all the text */

static void new_line(FILE *out, size_t depth)
{
    (void)fputc('\n', out);
    cli_put_spaces(out, 2 * (depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT));
}

void cli_json_indented(FILE *out, agentchat_str json)
{
    size_t depth = 0;

    for (size_t at = cli_json_skip_space(json, 0); at < json.len; at = cli_json_skip_space(json, at)) {
        char c = json.ptr[at];
        size_t end = at + 1;

        if (c == '"') {
            end = cli_json_skip_string(json, at);
            put_string(out, json.ptr + at, json.ptr + end);
        } else if (c == '{' || c == '[') {
            size_t next = cli_json_skip_space(json, end);
            bool is_empty = next < json.len && (json.ptr[next] == '}' || json.ptr[next] == ']');

            (void)fputs(c == '{' ? (is_empty ? "{}" : "{") : is_empty ? "[]" : "[", out);
            if (is_empty)
                end = next + 1;
            else
                new_line(out, ++depth);
        } else if (c == '}' || c == ']') {
            new_line(out, --depth);
            (void)fputc(c, out);
        } else if (c == ',') {
            (void)fputc(c, out);
            new_line(out, depth);
        } else {
            (void)fputs(c == ':' ? ": " : "", out);
            if (c != ':')
                (void)fputc(c, out);
        }
        at = end;
    }
}
