/* SPDX-License-Identifier: Apache-2.0 */
/* Failures of the reader: messages, positions, the JSON Pointer of the current location. */
#include "json/reader_internal.h"

#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>

/* ---- pointer -------------------------------------------------------------------------------------------------- */

/* Receives a text of any length and keeps the cap bytes that follow the first skip ones. */
typedef struct text_out {
    char *out;
    size_t skip, cap, len; /* len: of the complete text */
} text_out;

static void put(text_out *t, char c)
{
    if (t->len >= t->skip && t->len - t->skip < t->cap)
        t->out[t->len - t->skip] = c;
    t->len++;
}

static void put_token(text_out *t, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '~' || text[i] == '/') {
            put(t, '~');
            put(t, text[i] == '~' ? '0' : '1');
        } else {
            put(t, text[i]);
        }
    }
}

/* Length of the escape at p, both halves of a pair taken together. */
static size_t escape_len(const char *p, const char *end)
{
    uint32_t unit;

    if (p[1] != 'u')
        return 2;
    unit = aci_lex_hex4(p + 2);
    return unit >= 0xD800 && unit <= 0xDBFF && end - p >= 12 && p[6] == '\\' && p[7] == 'u' ? 12 : 6;
}

/* A key as it is spelled, checked before. Decoded piece by piece, since it may have any length. */
static void put_raw_token(text_out *t, const char *text, size_t len)
{
    const char *p = text, *end = text + len;

    while (p < end) {
        char spelled[16], decoded[16 + ACI_LEX_SLACK], *decoded_end = decoded;
        const char *bad;
        size_t n = *p == '\\' ? escape_len(p, end) : 1;

        memcpy(spelled, p, n);
        spelled[n] = '"';
        if (n == 1)
            *decoded_end++ = *p;
        else
            (void)aci_lex_decode(spelled, spelled + n + 1, decoded, &decoded_end, &bad);
        put_token(t, decoded, (size_t)(decoded_end - decoded));
        p += n;
    }
}

static void put_pointer(const aci_json_reader *r, text_out *t)
{
    for (size_t i = 0; i < r->options.path_prefix.len; i++)
        put(t, r->options.path_prefix.ptr[i]);
    for (uint32_t i = 0; i < r->depth; i++) {
        const aci_json_frame *frame = &r->frames[i];

        if (!frame->inside)
            continue;
        put(t, '/');
        if (!frame->is_object) {
            char digits[24];
            int len = snprintf(digits, sizeof(digits), "%zu", frame->key_len);

            put_token(t, digits, (size_t)len);
        } else if (frame->raw_key) {
            put_raw_token(t, frame->key, frame->key_len);
        } else {
            put_token(t, frame->key, frame->key_len);
        }
    }
}

size_t aci_json_pointer(const aci_json_reader *r, char *out, size_t cap)
{
    text_out t = {out, 0, cap, 0};

    put_pointer(r, &t);
    return t.len < cap ? t.len : cap;
}

/* The record keeps the tail of a long pointer, so only a tail is made for it. */
static void set_path(const aci_json_reader *r)
{
    char tail[2 * sizeof(r->err->path)];
    text_out t = {NULL, SIZE_MAX, 0, 0};

    put_pointer(r, &t);
    t = (text_out){tail, t.len > sizeof(tail) ? t.len - sizeof(tail) : 0, sizeof(tail), 0};
    put_pointer(r, &t);
    aci_error_path(r->err, (agentchat_str){tail, t.len - t.skip});
}

/* ---- position ------------------------------------------------------------------------------------------------- */

/* Lines are counted while reading. The line of an earlier position than the current line and the value read last is
   counted from the nearest known line before it; but strings decoded in place may hold line ends of their own, so the
   line is given as unknown then, if any was found between. */
static void set_position(const aci_json_reader *r, const char *where)
{
    const char *line_start = r->begin;
    uint32_t line = 1;

    if (r->line_start <= where) {
        line_start = r->line_start;
        line = r->line;
    } else if (r->token == where) {
        line_start = r->token_line_start;
        line = r->token_line;
    } else {
        for (uint32_t i = 0; i < r->depth && r->frames[i].line_start <= where; i++) {
            line_start = r->frames[i].line_start;
            line = r->frames[i].line;
        }
        for (const char *p = line_start; (p = memchr(p, '\n', (size_t)(where - p))) != NULL;) {
            line_start = ++p;
            line = (r->options.flags & ACI_JSON_IN_PLACE) != 0 ? 0 : line + 1;
        }
    }
    if (line == 0 || (uint64_t)(where - line_start) >= UINT32_MAX)
        aci_error_at(r->err, (uint64_t)(where - r->begin), 0, 0);
    else
        aci_error_at(r->err, (uint64_t)(where - r->begin), line, (uint32_t)(where - line_start) + 1);
}

/* ---- failing -------------------------------------------------------------------------------------------------- */

static void fail_where(aci_json_reader *r, const char *where, agentchat_status status, const char *format,
                       va_list arguments) AGENTCHAT_PRINTF(4, 0);

static void fail_where(aci_json_reader *r, const char *where, agentchat_status status, const char *format,
                       va_list arguments)
{
    char message[sizeof(r->err->message)];

    if (r->status < 0)
        return;
    r->status = status;
    if (r->err == NULL || r->err->code != 0) /* what a reader of an inner document said is more exact */
        return;
    (void)vsnprintf(message, sizeof(message), format, arguments);
    (void)aci_fail(r->err, status, "%s", message);
    set_position(r, where);
    set_path(r);
    if (r->options.source != NULL)
        aci_error_source(r->err, r->options.source);
}

static bool fail_syntax(aci_json_reader *r, const char *where, agentchat_status status, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);

static bool fail_syntax(aci_json_reader *r, const char *where, agentchat_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fail_where(r, where, status, format, arguments);
    va_end(arguments);
    return false;
}

bool aci_json_fail(aci_json_reader *r, agentchat_status status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fail_where(r, r->token != NULL ? r->token : r->cursor, status, format, arguments);
    va_end(arguments);
    return false;
}

bool aci_json_fail_at(aci_json_reader *r, size_t offset, agentchat_status status, const char *format, ...)
{
    va_list arguments;
    size_t len = (size_t)(r->end - r->begin);

    va_start(arguments, format);
    fail_where(r, r->begin + (offset < len ? offset : len), status, format, arguments);
    va_end(arguments);
    return false;
}

bool aci_json_reader_unexpected(aci_json_reader *r, const char *where, const char *wanted)
{
    unsigned char c;

    if (where >= r->end)
        return fail_syntax(r, r->end, AGENTCHAT_E_SYNTAX, "unexpected end of the input; %s is missing", wanted);
    c = (unsigned char)*where;
    if (c == 0xEF && r->end - where >= 3 && memcmp(where, "\xEF\xBB\xBF", 3) == 0)
        return fail_syntax(r, where, AGENTCHAT_E_SYNTAX, "a byte-order mark is not allowed here");
    if (c > 0x20 && c < 0x7F)
        return fail_syntax(r, where, AGENTCHAT_E_SYNTAX, "expected %s, found '%c'", wanted, c);
    return fail_syntax(r, where, AGENTCHAT_E_SYNTAX, "expected %s, found byte 0x%02X", wanted, (unsigned)c);
}

bool aci_json_reader_bad_string(aci_json_reader *r, const char *bad)
{
    unsigned char c;

    if (bad >= r->end)
        return fail_syntax(r, r->end, AGENTCHAT_E_SYNTAX, "unexpected end of the input inside a string");
    c = (unsigned char)*bad;
    if (c == '\\')
        return fail_syntax(r, bad, AGENTCHAT_E_SYNTAX, "invalid escape in a string");
    if (c < 0x20)
        return fail_syntax(r, bad, AGENTCHAT_E_SYNTAX, "control character 0x%02X in a string must be escaped",
                           (unsigned)c);
    return fail_syntax(r, bad, AGENTCHAT_E_SYNTAX, "a string is not UTF-8");
}

bool aci_json_reader_bad_number(aci_json_reader *r, const char *bad)
{
    return aci_json_reader_unexpected(r, bad, "a digit");
}

bool aci_json_reader_too_deep(aci_json_reader *r)
{
    return fail_syntax(r, r->cursor, AGENTCHAT_E_LIMIT, "nested deeper than %u levels", (unsigned)r->max_depth);
}
