/* SPDX-License-Identifier: Apache-2.0 */
/* JSON: writing it, printing it for a person, values of the command line. */
#include "cli/json/json.h"

#include "base/invisible.h"
#include "base/utf8.h"
#include "cli/text/text.h"
#include <agentchat/json_text.h>
#include <string.h>
#include <unistd.h>

/* ==== inspect ==================================================================================================== */

agentchat_str cli_json_string(agentchat_str json)
{
    if (agentchat_json_kind_of(json) != AGENTCHAT_JSON_STRING || json.len < 2)
        return (agentchat_str){NULL, 0};
    return (agentchat_str){json.ptr + 1, json.len - 2};
}

bool cli_json_is_empty(agentchat_str json)
{
    agentchat_json_walk walk;

    return agentchat_json_walk_into(&walk, json) && !agentchat_json_walk_next(&walk);
}

size_t cli_json_length(agentchat_str array)
{
    agentchat_json_walk walk;
    size_t count = 0;

    (void)agentchat_json_walk_into(&walk, array);
    while (agentchat_json_walk_next(&walk))
        count++;
    return count;
}

/* ==== print ====================================================================================================== */

/* A scalar or bracket. Some writers, .NET's among them, escape every letter beyond ASCII and much within; a person
   reads letters. What needs its escape keeps it. */
static void put_token(FILE *out, agentchat_str text)
{
    uint32_t code_point;
    agentchat_str part;

    while (agentchat_json_string_part(&text, &part, &code_point)) {
        bool by_number = code_point != UINT32_MAX && part.len >= 6;
        char bytes[4];
        size_t len;

        if (by_number && (code_point == '"' || code_point == '\\')) {
            (void)fprintf(out, "\\%c", (int)code_point);
        } else if (by_number && !aci_is_invisible(code_point)) {
            len = aci_utf8_encode(code_point, bytes);
            (void)fwrite(bytes, 1, len, out);
        } else {
            (void)fwrite(part.ptr, 1, part.len, out);
        }
    }
}

/* A comma or colon, and a space where whitespace stands in the text up to the next token. */
static void put_mark(FILE *out, char mark, const char *from, const char *to)
{
    bool spaced = false;

    for (; from < to; from++)
        spaced = spaced || (*from != ',' && *from != ':');
    (void)fputc(mark, out);
    if (spaced)
        (void)fputc(' ', out);
}

static bool is_separated(agentchat_json_step before, agentchat_json_step step)
{
    return (before == AGENTCHAT_JSON_SCALAR || before == AGENTCHAT_JSON_CLOSE) && step != AGENTCHAT_JSON_CLOSE;
}

void cli_json_one_line(FILE *out, agentchat_str json)
{
    agentchat_json_step step, before = AGENTCHAT_JSON_END;
    agentchat_json_walk walk;
    const char *after = json.ptr;

    agentchat_json_walk_begin(&walk, json);
    for (; (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END; before = step) {
        if (is_separated(before, step))
            put_mark(out, ',', after, walk.key.ptr != NULL ? walk.key.ptr : walk.value.ptr);
        if (walk.key.ptr != NULL) {
            put_token(out, walk.key);
            put_mark(out, ':', walk.key.ptr + walk.key.len, walk.value.ptr);
        }
        put_token(out, walk.value);
        after = walk.value.ptr + walk.value.len;
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
    agentchat_json_step step, before = AGENTCHAT_JSON_END;
    agentchat_json_walk walk;
    size_t depth = 0;

    agentchat_json_walk_begin(&walk, json);
    for (; (step = agentchat_json_walk_step(&walk)) != AGENTCHAT_JSON_END; before = step) {
        depth -= step == AGENTCHAT_JSON_CLOSE && depth > 0;
        if (is_separated(before, step))
            (void)fputc(',', out);
        if (before != AGENTCHAT_JSON_END && (step != AGENTCHAT_JSON_CLOSE || before != AGENTCHAT_JSON_OPEN))
            new_line(out, depth);
        if (walk.key.ptr != NULL) {
            put_token(out, walk.key);
            (void)fputs(": ", out);
        }
        put_token(out, walk.value);
        depth += step == AGENTCHAT_JSON_OPEN;
    }
}

/* ==== writer ===================================================================================================== */
/* Text is WTF-8: a lone surrogate, which is three bytes here, is written as the escape that it came from. */

static void put_unit(FILE *out, uint32_t unit)
{
    (void)fprintf(out, "\\u%04x", (unsigned)unit);
}

static void put_escape(FILE *out, uint32_t code_point)
{
    if (code_point > 0xffff) {
        put_unit(out, 0xd7c0 + (code_point >> 10));
        put_unit(out, 0xdc00 + (code_point & 0x3ff));
    } else {
        put_unit(out, code_point);
    }
}

/* raw: JSON text, in which quotes and backslashes stay and a control character can only be whitespace. */
static void put_text(FILE *out, agentchat_str text, bool raw)
{
    const unsigned char *begin = (const unsigned char *)text.ptr, *p = begin, *end = begin + text.len;

    while (p < end) {
        uint32_t code_point = 0;
        size_t length = aci_utf8_decode(p, end, true, &code_point);

        if (length == 0)
            (void)fputs("\xef\xbf\xbd", out); /* U+FFFD */
        else if (raw && code_point < 0x20)
            (void)fputc(' ', out);
        else if (!raw && (code_point == '"' || code_point == '\\'))
            (void)fprintf(out, "\\%c", (int)code_point);
        else if (!raw && code_point == '\n')
            (void)fputs("\\n", out);
        else if (aci_is_invisible(code_point) && !aci_invisible_is_joined(begin, p, end))
            put_escape(out, code_point);
        else
            (void)fwrite(p, 1, length, out);
        p += length == 0 ? 1 : length;
    }
}

static void member(cli_json *json, const char *name)
{
    if (json->comma)
        (void)fputs(", ", json->out);
    json->comma = true;
    if (name != NULL)
        (void)fprintf(json->out, "\"%s\": ", name);
}

void cli_json_begin(cli_json *json, const char *name, char bracket)
{
    member(json, name);
    (void)fputc(bracket, json->out);
    json->comma = false;
}

void cli_json_end(cli_json *json, char bracket)
{
    (void)fputc(bracket, json->out);
    json->comma = true;
}

void cli_json_text(cli_json *json, const char *name, agentchat_str text)
{
    if (text.ptr == NULL)
        return;
    member(json, name);
    if (agentchat_str_is_null(text)) {
        (void)fputs("null", json->out);
        return;
    }
    (void)fputc('"', json->out);
    put_text(json->out, text, false);
    (void)fputc('"', json->out);
}

void cli_json_cstr(cli_json *json, const char *name, const char *text)
{
    cli_json_text(json, name, agentchat_str_from(text));
}

void cli_json_count(cli_json *json, const char *name, uint64_t value)
{
    member(json, name);
    (void)fprintf(json->out, "%llu", (unsigned long long)value);
}

void cli_json_bool(cli_json *json, const char *name, bool value)
{
    member(json, name);
    (void)fputs(value ? "true" : "false", json->out);
}

void cli_json_raw(cli_json *json, const char *name, agentchat_str value)
{
    if (value.ptr == NULL)
        return;
    member(json, name);
    if (agentchat_str_is_null(value))
        (void)fputs("null", json->out);
    else
        put_text(json->out, value, true);
}

/* Three bytes, or what is left of them, as four characters. */
static void put_base64(FILE *out, const unsigned char *bytes, size_t count)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;

    for (size_t i = 0; i < 3; i++)
        bits = bits << 8 | (i < count ? bytes[i] : 0U);
    for (size_t i = 0; i < 4; i++)
        (void)fputc(i <= count ? letters[bits >> (18 - 6 * i) & 63] : '=', out);
}

void cli_json_base64(cli_json *json, const char *name, agentchat_str bytes)
{
    member(json, name);
    (void)fputc('"', json->out);
    for (size_t at = 0; at < bytes.len; at += 3)
        put_base64(json->out, (const unsigned char *)bytes.ptr + at, bytes.len - at < 3 ? bytes.len - at : 3);
    (void)fputc('"', json->out);
}

void cli_json_lines(FILE *out, agentchat_str text)
{
    for (size_t at = 0; at < text.len;) {
        const char *stop = memchr(text.ptr + at, '\n', text.len - at);
        size_t end = stop != NULL ? (size_t)(stop - text.ptr) : text.len;

        put_text(out, (agentchat_str){text.ptr + at, end - at}, true);
        if (stop != NULL)
            (void)fputc('\n', out);
        at = end + 1;
    }
}

void cli_json_line(cli_json *json)
{
    (void)fputc('\n', json->out);
    json->comma = false;
}

void cli_json_error(cli_json *json, agentchat_status status, const agentchat_error *err)
{
    cli_json_cstr(json, "status", agentchat_status_name(status));
    cli_json_cstr(json, "message", err->message[0] != '\0' ? err->message : agentchat_status_text(status));
    if (err->path[0] != '\0')
        cli_json_cstr(json, "path", err->path);
    if (err->offset != AGENTCHAT_NO_OFFSET)
        cli_json_count(json, "offset", err->offset);
    if (err->line != 0)
        cli_json_count(json, "line", err->line);
    if (err->column != 0)
        cli_json_count(json, "column", err->column);
}

static void put_entries(cli_json *json, const agentchat_report *report)
{
    for (size_t i = 0; i < agentchat_report_count(report); i++) {
        const agentchat_report_entry *entry = agentchat_report_at(report, i);

        cli_json_begin(json, NULL, '{');
        cli_json_cstr(json, "kind", agentchat_report_kind_name(entry->kind));
        cli_json_text(json, "path", entry->path);
        cli_json_text(json, "text", entry->text);
        cli_json_end(json, '}');
    }
}

void cli_json_report(cli_json *json, const agentchat_report *first, const agentchat_report *second)
{
    const agentchat_report *const reports[] = {first, second};

    cli_json_reports(json, reports, 2);
}

void cli_json_reports(cli_json *json, const agentchat_report *const *reports, size_t count)
{
    cli_json_begin(json, "report", '[');
    for (size_t i = 0; i < count; i++)
        put_entries(json, reports[i]);
    cli_json_end(json, ']');
}

/* ==== A program that asks for a value wants its bytes; only where a person reads it, it is made safe ============= */

void cli_value_put(FILE *out, agentchat_str value)
{
    cli_json json = {.out = out};

    if (isatty(fileno(out)))
        cli_json_raw(&json, NULL, value);
    else
        (void)fwrite(value.ptr, 1, value.len, out);
    (void)fputc('\n', out);
}

void cli_value_put_text(FILE *out, agentchat_str text)
{
    if (isatty(fileno(out))) {
        cli_put_block(out, text, (cli_block){0});
        return;
    }
    if (text.len > 0)
        (void)fwrite(text.ptr, 1, text.len, out);
    (void)fputc('\n', out);
}
