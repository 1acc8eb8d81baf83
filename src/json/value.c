/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open-ended values as raw text: checking, asking, decoding, respelling.
 *
 * All but aci_json_check() are given text that was checked before, so a backslash stands only inside a string and every
 * string ends; they do not recurse and need no memory but what they append.
 */
#include "json/value.h"

#include "base/error.h"
#include "json/reader_internal.h"
#include <stdio.h>

agentchat_status aci_json_check(const agentchat_env *env, agentchat_str text, uint32_t max_depth, agentchat_str *span,
                                aci_json_kind *kind, agentchat_error *err)
{
    aci_json_options options = {.env = env, .max_depth = max_depth};
    aci_json_reader r;
    agentchat_status status;

    /* The reader takes writable text for decoding in place, which is not asked for here. */
    aci_json_begin(&r, &options, (char *)(uintptr_t)(text.ptr != NULL ? text.ptr : ""), text.len, err);
    (void)(aci_json_raw(&r, span) && aci_json_end(&r));
    status = aci_json_close(&r);
    if (status < 0)
        *span = (agentchat_str){NULL, 0};
    if (kind != NULL)
        *kind = status < 0 ? ACI_JSON_ERROR : aci_json_kind_of(*span);
    return status;
}

aci_json_kind aci_json_kind_of(agentchat_str raw)
{
    return raw.len > 0 ? aci_reader_kind(raw.ptr[0]) : ACI_JSON_ERROR;
}

/* After the closing quote of the string that begins at p. */
static const char *after_string(const char *p, const char *end)
{
    const char *bad, *close = aci_lex_string(p + 1, end, &bad);

    return close != NULL ? close + 1 : end;
}

uint32_t aci_json_depth_of(agentchat_str raw)
{
    const char *p = raw.ptr, *end = p + raw.len;
    uint32_t depth = 0, deepest = 0;

    while (p < end) {
        if (*p == '"') {
            p = after_string(p, end);
            continue;
        }
        if (*p == '{' || *p == '[') {
            if (++depth > deepest)
                deepest = depth;
        } else if (*p == '}' || *p == ']') {
            depth--;
        }
        p++;
    }
    return deepest;
}

bool aci_json_unquote(agentchat_str raw, aci_buf *out)
{
    const char *bad;
    char *start, *end;

    if (raw.len < 2 || raw.len > SIZE_MAX - ACI_LEX_SLACK || !aci_buf_reserve(out, raw.len + ACI_LEX_SLACK))
        return false;
    start = out->ptr + out->len;
    if (aci_lex_decode(raw.ptr + 1, raw.ptr + raw.len, start, &end, &bad) != NULL)
        out->len += (size_t)(end - start);
    return true;
}

bool aci_json_compact(agentchat_str raw, aci_buf *out)
{
    const char *p = raw.ptr, *end = p + raw.len, *kept = p;

    while (p < end) {
        if (*p == '"') {
            p = after_string(p, end);
        } else if ((unsigned char)*p > ' ') {
            p++;
        } else {
            if (p > kept && !aci_buf_add(out, kept, (size_t)(p - kept)))
                return false;
            while (p < end && (unsigned char)*p <= ' ')
                p++;
            kept = p;
        }
    }
    return p == kept || aci_buf_add(out, kept, (size_t)(p - kept));
}

/* ---- lone surrogates ------------------------------------------------------------------------------------------ */

/* The next escape that is half a pair without the other half; end when there is none. */
static const char *next_lone(const char *p, const char *end)
{
    while (p < end && (p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
        uint32_t unit;

        if (p[1] != 'u') {
            p += 2;
            continue;
        }
        unit = aci_lex_hex4(p + 2);
        if (unit < 0xD800 || unit > 0xDFFF) {
            p += 6;
            continue;
        }
        if (unit > 0xDBFF || end - p < 12 || p[6] != '\\' || p[7] != 'u' || aci_lex_hex4(p + 8) < 0xDC00 ||
            aci_lex_hex4(p + 8) > 0xDFFF)
            return p;
        p += 12;
    }
    return end;
}

bool aci_json_has_lone_surrogates(agentchat_str raw)
{
    return next_lone(raw.ptr, raw.ptr + raw.len) < raw.ptr + raw.len;
}

bool aci_json_replace_lone_surrogates(agentchat_str raw, aci_buf *out)
{
    const char *p = raw.ptr, *end = p + raw.len;

    for (;;) {
        const char *lone = next_lone(p, end);

        if (lone > p && !aci_buf_add(out, p, (size_t)(lone - p)))
            return false;
        if (lone == end)
            return true;
        if (!aci_buf_add(out, "\\uFFFD", 6))
            return false;
        p = lone + 6;
    }
}

/* ---- JSON Pointer --------------------------------------------------------------------------------------------- */

bool aci_json_pointer_add(aci_buf *pointer, agentchat_str token)
{
    size_t before = pointer->len, done = 0;
    bool ok = aci_buf_add(pointer, "/", 1);

    for (size_t i = 0; ok && i <= token.len; i++) {
        if (i < token.len && token.ptr[i] != '~' && token.ptr[i] != '/')
            continue;
        if (i > done)
            ok = aci_buf_add(pointer, token.ptr + done, i - done);
        if (ok && i < token.len)
            ok = aci_buf_add(pointer, token.ptr[i] == '~' ? "~0" : "~1", 2);
        done = i + 1;
    }
    if (!ok)
        pointer->len = before;
    return ok;
}

bool aci_json_pointer_add_index(aci_buf *pointer, size_t index)
{
    char digits[24], *first = digits + sizeof digits; /* this is done for every element of a list */

    do {
        *--first = (char)('0' + index % 10);
        index /= 10;
    } while (index > 0);
    *--first = '/';
    return aci_buf_add(pointer, first, (size_t)(digits + sizeof digits - first));
}

bool aci_json_integer(agentchat_str number, int64_t *out)
{
    bool negative = number.len > 0 && number.ptr[0] == '-';
    int64_t value = 0;

    for (size_t i = negative; i < number.len; i++) {
        int digit = number.ptr[i] - '0';

        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    *out = value;
    return number.len > (size_t)negative;
}
