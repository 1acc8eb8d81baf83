/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streaming writer: a fixed window before the sink, commas and layout, and parts that are wrapped into a string.
 * Layer 1.
 *
 * Invariants: used <= cap; after a failure (status < 0) nothing is written any more; in a wrapped part everything goes
 * through put_wrapped(), its own quotes only straight to the window.
 */
#include "json/writer.h"

#include "base/b64.h"
#include "base/error.h"
#include "io/stream.h"
#include "json/escape.h"
#include <string.h>

enum {
    WINDOW = 64 * 1024,
    DIRECT = 16 * 1024, /* from here on, a copy costs more than a call of the sink */
    SPELL_AT_ONCE = 64  /* room in the window worth spelling into */
};

/* ---- window --------------------------------------------------------------------------------------------------- */

agentchat_status aci_jw_begin(aci_json_writer *w, const agentchat_env *env, agentchat_sink *sink,
                              aci_json_profile profile, uint32_t indent, agentchat_error *err)
{
    *w = (aci_json_writer){0};
    w->env = aci_env(env);
    w->sink = sink;
    w->profile = profile;
    w->indent = indent;
    w->err = err;
    w->mode = ACI_JW_PLAIN;
    w->window = aci_alloc(w->env, WINDOW);
    if (w->window == NULL)
        return w->status = aci_fail_nomem(err);
    w->cap = WINDOW;
    return AGENTCHAT_OK;
}

static void to_sink(aci_json_writer *w, const char *bytes, size_t len)
{
    if (w->status < 0 || len == 0)
        return;
    w->status = aci_sink_write(w->sink, bytes, len, w->err);
    if (w->status >= 0)
        w->written += len;
}

static void flush(aci_json_writer *w)
{
    to_sink(w, w->window, w->used);
    w->used = 0;
}

/* Bytes that do not fit into what is left of the window. */
static void window_slow(aci_json_writer *w, const char *bytes, size_t len)
{
    if (len < DIRECT && w->window != NULL) {
        size_t fits = w->cap - w->used;

        memcpy(w->window + w->used, bytes, fits);
        w->used = w->cap;
        bytes += fits;
        len -= fits;
        flush(w);
        memcpy(w->window, bytes, len);
        w->used = len;
    } else if (w->window != NULL) {
        flush(w);
        to_sink(w, bytes, len);
    }
}

/* Bytes of the document itself: into the window, or past it. */
static inline void put_window(aci_json_writer *w, const char *bytes, size_t len)
{
    if (len <= w->cap - w->used) {
        memcpy(w->window + w->used, bytes, len);
        w->used += len;
    } else {
        window_slow(w, bytes, len);
    }
}

agentchat_status aci_jw_end(aci_json_writer *w)
{
    if (w->window != NULL) {
        flush(w);
        aci_free(w->env, w->window, WINDOW);
        w->window = NULL;
        w->used = w->cap = 0;
    }
    if (w->status >= 0 && (w->depth != 0 || w->mode != ACI_JW_PLAIN))
        w->status = aci_fail(w->err, AGENTCHAT_E_INTERNAL, "a container was left open by its writer");
    return w->status;
}

static void put_wrapped(aci_json_writer *w, const char *bytes, size_t len);

/* ---- wrapped parts -------------------------------------------------------------------------------------------- */

/* Base64 of whole groups, made right in the window. */
static void put_groups(aci_json_writer *w, const char *bytes, size_t len)
{
    while (len > 0 && w->status >= 0) {
        size_t groups = (w->cap - w->used) / 4, wanted = len / 3;

        if (groups == 0) {
            flush(w);
            continue;
        }
        if (groups > wanted)
            groups = wanted;
        aci_b64_encode(bytes, groups * 3, w->window + w->used);
        w->used += groups * 4;
        bytes += groups * 3;
        len -= groups * 3;
    }
}

static void put_encoded(aci_json_writer *w, const char *bytes, size_t len)
{
    size_t whole;

    if (w->carry_len > 0) {
        while (w->carry_len < 3 && len > 0) {
            w->carry[w->carry_len++] = (unsigned char)*bytes++;
            len--;
        }
        if (w->carry_len < 3)
            return;
        put_groups(w, (const char *)w->carry, 3);
        w->carry_len = 0;
    }
    whole = len - len % 3;
    put_groups(w, bytes, whole);
    memcpy(w->carry, bytes + whole, len - whole);
    w->carry_len = (uint32_t)(len - whole);
}

/* Spells text for the inside of a string of the document itself, in the window. */
static void spell_to_window(aci_json_writer *w, const char *text, size_t len)
{
    const char *p = text, *end = text + len;

    if (len >= DIRECT &&
        aci_json_plain_prefix(p, DIRECT, w->profile) == DIRECT) { /* long and plain, by the look of it */
        size_t n = aci_json_plain_prefix(p, len, w->profile);

        put_window(w, p, n);
        p += n;
    }
    while (p < end && w->status >= 0) {
        size_t n;

        if (w->cap - w->used < SPELL_AT_ONCE)
            flush(w);
        n = aci_json_spell(&p, end, w->profile, w->window + w->used, w->cap - w->used);
        w->used += n;
        if (n == 0)
            w->status = aci_fail(w->err, AGENTCHAT_E_INVALID, "text to be written is not UTF-8");
    }
}

/* The same for a string inside a wrapped document: spelled, then wrapped. */
static void spell_to_wrapped(aci_json_writer *w, const char *text, size_t len)
{
    const char *p = text, *end = text + len;
    char spelled[4096];

    while (p < end && w->status >= 0) {
        size_t n = aci_json_spell(&p, end, w->profile, spelled, sizeof(spelled));

        put_wrapped(w, spelled, n);
        if (n == 0)
            w->status = aci_fail(w->err, AGENTCHAT_E_INVALID, "text to be written is not UTF-8");
    }
}

static void put_wrapped(aci_json_writer *w, const char *bytes, size_t len)
{
    if (w->status < 0)
        return;
    if (w->mode == ACI_JW_ENCODED)
        put_encoded(w, bytes, len);
    else
        spell_to_window(w, bytes, len);
}

/* Bytes of the text being written: the document, or what a quoted or encoded part holds. */
static inline void put(aci_json_writer *w, const char *bytes, size_t len)
{
    if (w->mode == ACI_JW_PLAIN)
        put_window(w, bytes, len);
    else
        put_wrapped(w, bytes, len);
}

/* Text inside the quotes of a string of the text being written. */
static inline void put_text(aci_json_writer *w, agentchat_str text)
{
    if (w->mode == ACI_JW_PLAIN)
        spell_to_window(w, text.ptr, text.len);
    else
        spell_to_wrapped(w, text.ptr, text.len);
}

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
    put(w, line, 1);
    while (spaces > 0) {
        size_t n = spaces < sizeof(line) - 2 ? spaces : sizeof(line) - 2;

        put(w, line + 1, n);
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
        put(w, ",", 1);
    if (w->newline ? w->inline_ == 0 : is_indented(w) && w->depth > 0)
        put_line_end(w);
    w->newline = false;
}

static void open_container(aci_json_writer *w, const char *bracket)
{
    if (w->status < 0)
        return;
    separate(w);
    put(w, bracket, 1);
    w->comma = false;
    if (++w->depth > w->deepest)
        w->deepest = w->depth;
}

static void close_container(aci_json_writer *w, const char *bracket)
{
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
    put(w, bracket, 1);
    w->comma = true;
}

void aci_jw_object_begin(aci_json_writer *w)
{
    open_container(w, "{");
}

void aci_jw_object_end(aci_json_writer *w)
{
    close_container(w, "}");
}

void aci_jw_array_begin(aci_json_writer *w)
{
    open_container(w, "[");
}

void aci_jw_array_end(aci_json_writer *w)
{
    close_container(w, "]");
}

void aci_jw_newline(aci_json_writer *w)
{
    w->newline = true;
}

void aci_jw_inline_begin(aci_json_writer *w)
{
    w->inline_++;
}

void aci_jw_inline_end(aci_json_writer *w)
{
    w->inline_--;
}

/* ---- members and values --------------------------------------------------------------------------------------- */

static void name_is_written(aci_json_writer *w)
{
    if (is_indented(w))
        put(w, " ", 1);
    w->named = true;
    w->comma = true;
}

void aci_jw_key(aci_json_writer *w, agentchat_str key)
{
    if (w->status < 0)
        return;
    separate(w);
    put(w, "\"", 1);
    put_text(w, key);
    put(w, "\":", 2);
    name_is_written(w);
}

void aci_jw_fixed_key(aci_json_writer *w, const char *quoted_with_colon, size_t len)
{
    if (w->status < 0)
        return;
    separate(w);
    put(w, quoted_with_colon, len);
    name_is_written(w);
}

/* A value whose spelling is ready. */
static void put_value(aci_json_writer *w, const char *text, size_t len)
{
    if (w->status < 0)
        return;
    separate(w);
    put(w, text, len);
    w->comma = true;
}

void aci_jw_string(aci_json_writer *w, agentchat_str text)
{
    if (w->status < 0)
        return;
    put_value(w, "\"", 1);
    put_text(w, text);
    put(w, "\"", 1);
}

void aci_jw_base64_text(aci_json_writer *w, agentchat_str base64)
{
    put_value(w, "\"", 1);
    if (w->status < 0)
        return;
    if (base64.len > 0) /* ptr may be NULL otherwise */
        put(w, base64.ptr, base64.len);
    put(w, "\"", 1);
}

/* Encoded through a small piece: in a wrapped part it is wrapped again. */
static void put_base64(aci_json_writer *w, agentchat_str bytes)
{
    char piece[4096];
    const size_t step = sizeof(piece) / 4 * 3;

    while (bytes.len > 0 && w->status >= 0) {
        size_t n = bytes.len < step ? bytes.len : step;

        aci_b64_encode(bytes.ptr, n, piece);
        put(w, piece, aci_b64_encoded_size(n));
        bytes.ptr += n;
        bytes.len -= n;
    }
}

void aci_jw_base64_bytes(aci_json_writer *w, agentchat_str bytes)
{
    put_value(w, "\"", 1);
    if (w->status < 0)
        return;
    put_base64(w, bytes);
    put(w, "\"", 1);
}

void aci_jw_raw(aci_json_writer *w, agentchat_str json)
{
    put_value(w, json.ptr, json.len);
}

void aci_jw_u64(aci_json_writer *w, uint64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    put_value(w, digits + at, sizeof(digits) - at);
}

void aci_jw_bool(aci_json_writer *w, bool value)
{
    put_value(w, value ? "true" : "false", value ? 4 : 5);
}

void aci_jw_null(aci_json_writer *w)
{
    put_value(w, "null", 4);
}

/* ---- documents inside strings --------------------------------------------------------------------------------- */

static void wrap_begin(aci_json_writer *w, aci_jw_mode mode)
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
    w->depth = w->outer_depth;
    w->comma = true;
    w->newline = false;
    if (w->carry_len > 0) {
        aci_b64_encode(w->carry, w->carry_len, last);
        put_window(w, last, 4);
        w->carry_len = 0;
    }
    put_window(w, "\"", 1);
}

void aci_jw_quoted_begin(aci_json_writer *w)
{
    wrap_begin(w, ACI_JW_QUOTED);
}

void aci_jw_quoted_end(aci_json_writer *w)
{
    wrap_end(w);
}

void aci_jw_encoded_begin(aci_json_writer *w)
{
    wrap_begin(w, ACI_JW_ENCODED);
}

void aci_jw_encoded_end(aci_json_writer *w)
{
    wrap_end(w);
}
