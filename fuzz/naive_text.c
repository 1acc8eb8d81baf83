/* SPDX-License-Identifier: Apache-2.0 */
/* Checkers without any cleverness: one character at a time. */
#include "naive_text.h"

#include <string.h>

/* ---- UTF-8 ---------------------------------------------------------------------------------------------------- */

/* Length of the character at p, 0 when there is none; *code is its number. Surrogates count as characters. */
static size_t character(const unsigned char *p, size_t left, uint32_t *code)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len;

    *code = p[0];
    if (p[0] < 0x80)
        return 1;
    if ((p[0] & 0xE0) == 0xC0)
        len = 2;
    else if ((p[0] & 0xF0) == 0xE0)
        len = 3;
    else if ((p[0] & 0xF8) == 0xF0)
        len = 4;
    else
        return 0;
    if (len > left)
        return 0;
    *code = p[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3Fu);
    }
    return *code >= lowest[len] && *code <= 0x10FFFF ? len : 0;
}

static bool is_surrogate(uint32_t code)
{
    return code >= 0xD800 && code <= 0xDFFF;
}

bool naive_is_text(agentchat_str text)
{
    uint32_t before = 0, code = 0;

    for (size_t at = 0; at < text.len; before = code) {
        size_t len = character((const unsigned char *)text.ptr + at, text.len - at, &code);

        if (len == 0)
            return false;
        if (is_surrogate(before) && before < 0xDC00 && is_surrogate(code) && code >= 0xDC00)
            return false;
        at += len;
    }
    return true;
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

typedef struct parser {
    const unsigned char *p, *end;
    size_t depth, deepest;
} parser;

static void skip_whitespace(parser *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

static bool take(parser *r, char wanted)
{
    if (r->p == r->end || *r->p != (unsigned char)wanted)
        return false;
    r->p++;
    return true;
}

static bool word(parser *r, const char *text)
{
    while (*text != '\0')
        if (!take(r, *text++))
            return false;
    return true;
}

static size_t digits(parser *r)
{
    const unsigned char *start = r->p;

    while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
        r->p++;
    return (size_t)(r->p - start);
}

static bool number(parser *r)
{
    (void)take(r, '-');
    if (!take(r, '0') && digits(r) == 0)
        return false;
    if (take(r, '.') && digits(r) == 0)
        return false;
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+'))
            (void)take(r, '-');
        return digits(r) > 0;
    }
    return true;
}

static bool string(parser *r)
{
    if (!take(r, '"'))
        return false;
    while (r->p < r->end && *r->p != '"') {
        uint32_t code;
        size_t len = character(r->p, (size_t)(r->end - r->p), &code);

        if (len == 0 || code < 0x20 || is_surrogate(code))
            return false;
        r->p += len;
        if (code != '\\')
            continue;
        if (take(r, 'u')) {
            for (int i = 0; i < 4; i++)
                if (r->p == r->end || strchr("0123456789abcdefABCDEF", *r->p) == NULL || *r->p++ == '\0')
                    return false;
        } else if (r->p == r->end || strchr("\"\\/bfnrt", *r->p) == NULL || *r->p++ == '\0') {
            return false;
        }
    }
    return take(r, '"');
}

static bool value(parser *r);

static bool members(parser *r, char close, bool named)
{
    skip_whitespace(r);
    if (take(r, close))
        return true;
    do {
        skip_whitespace(r);
        if (named && !string(r))
            return false;
        skip_whitespace(r);
        if (named && !take(r, ':'))
            return false;
        if (!value(r))
            return false;
        skip_whitespace(r);
    } while (take(r, ','));
    return take(r, close);
}

static bool value(parser *r)
{
    bool ok;

    skip_whitespace(r);
    if (r->p == r->end)
        return false;
    switch (*r->p) {
    case '{':
    case '[':
        if (++r->depth > r->deepest)
            r->deepest = r->depth;
        ok = *r->p++ == '{' ? members(r, '}', true) : members(r, ']', false);
        r->depth--;
        return ok;
    case '"':
        return string(r);
    case 't':
        return word(r, "true");
    case 'f':
        return word(r, "false");
    case 'n':
        return word(r, "null");
    default:
        return number(r);
    }
}

naive_json naive_json_check(agentchat_str text, size_t max_depth, agentchat_str *out)
{
    parser r = {(const unsigned char *)text.ptr, (const unsigned char *)text.ptr + text.len, 0, 0};
    const unsigned char *start;
    bool good;

    skip_whitespace(&r);
    start = r.p;
    good = value(&r);
    *out = (agentchat_str){(const char *)start, (size_t)(r.p - start)};
    skip_whitespace(&r);
    good = good && r.p == r.end;
    if (r.deepest > max_depth)
        return good ? NAIVE_JSON_DEEP : NAIVE_JSON_BAD_AND_DEEP;
    return good ? NAIVE_JSON_GOOD : NAIVE_JSON_BAD;
}

/* ---- base64 --------------------------------------------------------------------------------------------------- */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t naive_base64_encode(agentchat_str bytes, char *out)
{
    size_t len = 0;

    for (size_t i = 0; i < bytes.len; i += 3) {
        uint32_t group = 0;

        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (i + k < bytes.len ? (unsigned char)bytes.ptr[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            out[len++] = k > bytes.len - i ? '=' : alphabet[group >> (18 - 6 * k) & 63];
    }
    return len;
}

bool naive_base64_decode(agentchat_str text, char *out, size_t *len)
{
    char *again;
    size_t pads = 0;
    bool same;

    *len = 0;
    if (text.len % 4 != 0)
        return false;
    for (size_t i = 0; i < text.len; i += 4) {
        uint32_t group = 0;

        for (size_t k = 0; k < 4; k++) {
            const char *found = memchr(alphabet, text.ptr[i + k], 64);

            if (found == NULL && (text.ptr[i + k] != '=' || i + k + 2 < text.len))
                return false;
            pads += found == NULL;
            group = group << 6 | (found != NULL ? (uint32_t)(found - alphabet) : 0u);
        }
        for (size_t k = 0; k < 3; k++)
            out[(*len)++] = (char)(group >> (16 - 8 * k) & 255);
    }
    *len -= pads;
    /* Spare bits and the order of the padding: right is what encoding gives. */
    again = malloc(text.len + 4);
    FUZZ_CHECK(again != NULL);
    same = naive_base64_encode((agentchat_str){out, *len}, again) == text.len &&
           (text.len == 0 || memcmp(again, text.ptr, text.len) == 0);
    free(again);
    return same;
}

char *naive_lend(agentchat_str *text)
{
    char *copy;

    if (text->ptr == NULL || agentchat_str_is_null(*text))
        return NULL;
    copy = malloc(text->len > 0 ? text->len : 1);
    FUZZ_CHECK(copy != NULL);
    if (text->len > 0)
        memcpy(copy, text->ptr, text->len);
    text->ptr = copy;
    return copy;
}
