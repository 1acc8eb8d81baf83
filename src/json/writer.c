/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streaming writer: commas, layout and values. Nearly everything is written compact and not inside a
 * string (w->straight): then a token is put right into the window, with what is due before it. Everything else goes
 * step by step through aci_writer_put().
 */
#include "json/writer.h"

#include "base/b64.h"
#include "base/error.h"
#include "json/writer_internal.h"

/* ---- layout --------------------------------------------------------------------------------------------------- */

static bool is_indented(const aci_json_writer *w)
{
    return w->indent != 0 && w->inline_ == 0 && w->mode == ACI_JW_PLAIN;
}

static void put_line_end(aci_json_writer *w)
{
    static const char line[] = "\n                                ";
    size_t spaces = is_indented(w) ? (size_t)w->depth * w->indent : 0;

    w->newline = false;
    aci_writer_put(w, line, 1);
    while (spaces > 0) {
        size_t n = spaces < sizeof(line) - 2 ? spaces : sizeof(line) - 2;

        aci_writer_put(w, line + 1, n);
        spaces -= n;
    }
}

/* What stands before a key, or before a value that has none. */
static void separate(aci_json_writer *w)
{
    if (w->named) {
        w->named = false;
        w->newline = false;
        return;
    }
    if (w->comma)
        aci_writer_put(w, ",", 1);
    if (w->newline ? w->inline_ == 0 : is_indented(w) && w->depth > 0)
        put_line_end(w);
    w->newline = false;
}

/* Where a token of at most `len` bytes goes when there is nothing to it but copying: what is due before it has been
   written, and there is room for it. NULL: it has to be written step by step. After a
   failure the window goes nowhere, so that need not be looked at. */
static inline char *token(aci_json_writer *w, size_t len)
{
    char *out;

    if (!w->straight || w->cap - w->used < 2 + len)
        return NULL;
    out = w->window + w->used;
    *out = ',';
    out += w->comma && !w->named;
    *out = '\n';
    out += w->newline && !w->named && w->inline_ == 0;
    w->named = false;
    w->newline = false;
    return out;
}

static inline void token_end(aci_json_writer *w, const char *end)
{
    w->used = (size_t)(end - w->window);
}

/* Copies few bytes without a call. */
static inline char *put_few(char *out, const char *bytes, size_t len)
{
    if (len > 16 && len <= 32) {
        memcpy(out, bytes, 16);
        memcpy(out + len - 16, bytes + len - 16, 16);
    } else if (len >= 8 && len <= 16) {
        memcpy(out, bytes, 8);
        memcpy(out + len - 8, bytes + len - 8, 8);
    } else if (len >= 4 && len < 8) {
        memcpy(out, bytes, 4);
        memcpy(out + len - 4, bytes + len - 4, 4);
    } else if (len > 0) {
        memcpy(out, bytes, len);
    }
    return out + len;
}

static inline void opened(aci_json_writer *w)
{
    w->comma = false;
    if (++w->depth > w->deepest)
        w->deepest = w->depth;
}

static void open_container(aci_json_writer *w, const char *bracket)
{
    char *out = token(w, 1);

    if (out != NULL) {
        *out = *bracket;
        token_end(w, out + 1);
        opened(w);
        return;
    }
    if (w->status < 0)
        return;
    separate(w);
    aci_writer_put(w, bracket, 1);
    opened(w);
}

static void close_container(aci_json_writer *w, const char *bracket)
{
    if (w->straight && w->depth > 0 && w->cap - w->used >= 2) {
        char *out = w->window + w->used;

        *out = '\n';
        out += w->newline && w->inline_ == 0;
        *out = *bracket;
        token_end(w, out + 1);
        w->depth--;
        w->newline = false;
        w->comma = true;
        return;
    }
    if (w->status < 0)
        return;
    if (w->depth == 0) {
        w->status = aci_fail(w->err, AGENTCHAT_E_INTERNAL, "a container was closed twice by its writer");
        return;
    }
    w->depth--;
    if (w->newline ? w->inline_ == 0 : is_indented(w) && w->comma)
        put_line_end(w);
    w->newline = false;
    aci_writer_put(w, bracket, 1);
    w->comma = true;
}

void aci_writer_object_begin(aci_json_writer *w)
{
    open_container(w, "{");
}

void aci_writer_object_end(aci_json_writer *w)
{
    close_container(w, "}");
}

void aci_writer_array_begin(aci_json_writer *w)
{
    open_container(w, "[");
}

void aci_writer_array_end(aci_json_writer *w)
{
    close_container(w, "]");
}

void aci_writer_newline(aci_json_writer *w)
{
    w->newline = true;
}

void aci_writer_inline_begin(aci_json_writer *w)
{
    w->inline_++;
    aci_writer_set_straight(w);
}

void aci_writer_inline_end(aci_json_writer *w)
{
    w->inline_--;
    aci_writer_set_straight(w);
}

/* ---- members and values --------------------------------------------------------------------------------------- */

static void name_is_written(aci_json_writer *w)
{
    if (is_indented(w))
        aci_writer_put(w, " ", 1);
    w->named = true;
    w->comma = true;
}

void aci_writer_key(aci_json_writer *w, agentchat_str key)
{
    if (w->status < 0)
        return;
    separate(w);
    aci_writer_put(w, "\"", 1);
    aci_writer_put_text(w, key);
    aci_writer_put(w, "\":", 2);
    name_is_written(w);
}

/* The general way of aci_writer_fixed_key(). */
static void fixed_key(aci_json_writer *w, const char *quoted_with_colon, size_t len)
{
    if (w->status < 0)
        return;
    separate(w);
    aci_writer_put(w, quoted_with_colon, len);
    name_is_written(w);
}

void aci_writer_fixed_key(aci_json_writer *w, const char *quoted_with_colon, size_t len)
{
    char *out = token(w, len);

    if (out == NULL) {
        fixed_key(w, quoted_with_colon, len);
        return;
    }
    token_end(w, put_few(out, quoted_with_colon, len));
    w->named = true;
    w->comma = true;
}

/* A value whose spelling is ready. */
static void put_value(aci_json_writer *w, const char *text, size_t len)
{
    char *out = token(w, len);

    if (out != NULL) {
        token_end(w, put_few(out, text, len));
    } else {
        if (w->status < 0)
            return;
        separate(w);
        aci_writer_put(w, text, len);
    }
    w->comma = true;
}

/* A string from `out` on, which is in the window and has room for ACI_JSON_SPELL_ROOM and two bytes. */
static void put_string(aci_json_writer *w, char *out, agentchat_str text)
{
    *out++ = '"';
    if (text.len > 0 && text.len < ACI_JW_DIRECT) {
        const char *p = text.ptr, *end = p + text.len;

        out += aci_json_spell(&p, end, w->profile, out, (size_t)(w->window + w->cap - out));
        text = (agentchat_str){p, (size_t)(end - p)};
    }
    token_end(w, out);
    if (text.len > 0)
        aci_writer_window_spell(w, text.ptr, text.len);
    aci_writer_put_window(w, "\"", 1);
    w->comma = true;
}

void aci_writer_string(aci_json_writer *w, agentchat_str text)
{
    char *out = token(w, 2 + ACI_JSON_SPELL_ROOM);

    if (out != NULL) {
        put_string(w, out, text);
        return;
    }
    if (w->status < 0)
        return;
    put_value(w, "\"", 1);
    aci_writer_put_text(w, text);
    aci_writer_put(w, "\"", 1);
}

void aci_writer_string_member(aci_json_writer *w, const char *quoted_with_colon, size_t len, agentchat_str text)
{
    char *out = token(w, len + 2 + ACI_JSON_SPELL_ROOM);

    if (out != NULL) {
        put_string(w, put_few(out, quoted_with_colon, len), text);
    } else {
        fixed_key(w, quoted_with_colon, len);
        aci_writer_string(w, text);
    }
}

void aci_writer_raw_member(aci_json_writer *w, const char *quoted_with_colon, size_t len, agentchat_str json)
{
    char *out = token(w, len);

    if (out != NULL) {
        token_end(w, put_few(out, quoted_with_colon, len));
        aci_writer_put_window(w, json.ptr, json.len);
        w->comma = true;
    } else {
        fixed_key(w, quoted_with_colon, len);
        aci_writer_raw(w, json);
    }
}

/* A fixed key and the bracket that opens its value. */
static void open_member(aci_json_writer *w, const char *quoted_with_colon, size_t len, const char *bracket)
{
    char *out = token(w, len + 1);

    if (out != NULL) {
        out = put_few(out, quoted_with_colon, len);
        *out = *bracket;
        token_end(w, out + 1);
        opened(w);
    } else {
        fixed_key(w, quoted_with_colon, len);
        open_container(w, bracket);
    }
}

void aci_writer_object_begin_with(aci_json_writer *w, agentchat_str member)
{
    char *out = token(w, 1 + member.len);

    if (out != NULL) {
        *out = '{';
        token_end(w, put_few(out + 1, member.ptr, member.len));
        opened(w);
    } else {
        open_container(w, "{");
        if (w->status >= 0)
            aci_writer_put(w, member.ptr, member.len);
    }
    w->comma = true;
}

void aci_writer_object_member(aci_json_writer *w, const char *quoted_with_colon, size_t len)
{
    open_member(w, quoted_with_colon, len, "{");
}

void aci_writer_array_member(aci_json_writer *w, const char *quoted_with_colon, size_t len)
{
    open_member(w, quoted_with_colon, len, "[");
}

void aci_writer_base64_text(aci_json_writer *w, agentchat_str base64)
{
    put_value(w, "\"", 1);
    if (w->status < 0)
        return;
    if (base64.len > 0) /* ptr may be NULL otherwise */
        aci_writer_put(w, base64.ptr, base64.len);
    aci_writer_put(w, "\"", 1);
}

/* Encoded through a small piece: in a wrapped part it is wrapped again. */
static void put_base64(aci_json_writer *w, agentchat_str bytes)
{
    char piece[4096];
    const size_t step = sizeof(piece) / 4 * 3;

    while (bytes.len > 0 && w->status >= 0) {
        size_t n = bytes.len < step ? bytes.len : step;

        aci_b64_encode(bytes.ptr, n, piece);
        aci_writer_put(w, piece, aci_b64_encoded_size(n));
        bytes.ptr += n;
        bytes.len -= n;
    }
}

void aci_writer_base64_bytes(aci_json_writer *w, agentchat_str bytes)
{
    put_value(w, "\"", 1);
    if (w->status < 0)
        return;
    put_base64(w, bytes);
    aci_writer_put(w, "\"", 1);
}

void aci_writer_raw(aci_json_writer *w, agentchat_str json)
{
    put_value(w, json.ptr, json.len);
}

void aci_writer_u64(aci_json_writer *w, uint64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put_value(w, digits + at, sizeof(digits) - at);
}

void aci_writer_bool(aci_json_writer *w, bool value)
{
    put_value(w, value ? "true" : "false", value ? 4 : 5);
}

void aci_writer_null(aci_json_writer *w)
{
    put_value(w, "null", 4);
}

/* ---- documents inside strings --------------------------------------------------------------------------------- */

static void wrap_begin(aci_json_writer *w, aci_writer_mode mode)
{
    if (w->status < 0)
        return;
    if (w->mode != ACI_JW_PLAIN) {
        w->status = aci_fail(w->err, AGENTCHAT_E_INTERNAL, "a document inside a string inside a string");
        return;
    }
    put_value(w, "\"", 1);
    w->outer_depth = w->depth;
    w->depth = 0;
    w->comma = false;
    w->carry_len = 0;
    w->mode = mode;
    aci_writer_set_straight(w);
}

static void wrap_end(aci_json_writer *w)
{
    char last[4];

    if (w->status < 0)
        return;
    if (w->mode == ACI_JW_PLAIN || w->depth != 0) {
        w->status = aci_fail(w->err, AGENTCHAT_E_INTERNAL, "a document inside a string was not ended properly");
        return;
    }
    w->mode = ACI_JW_PLAIN;
    aci_writer_set_straight(w);
    w->depth = w->outer_depth;
    w->comma = true;
    w->newline = false;
    if (w->carry_len > 0) {
        aci_b64_encode(w->carry, w->carry_len, last);
        aci_writer_put_window(w, last, 4);
        w->carry_len = 0;
    }
    aci_writer_put_window(w, "\"", 1);
}

void aci_writer_quoted_begin(aci_json_writer *w)
{
    wrap_begin(w, ACI_JW_QUOTED);
}

void aci_writer_quoted_end(aci_json_writer *w)
{
    wrap_end(w);
}

void aci_writer_encoded_begin(aci_json_writer *w)
{
    wrap_begin(w, ACI_JW_ENCODED);
}

void aci_writer_encoded_end(aci_json_writer *w)
{
    wrap_end(w);
}
