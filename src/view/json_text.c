/* SPDX-License-Identifier: Apache-2.0 */
/* JSON for a person: the text is valid, so a scan needs to know about strings and nesting only. */
#include "view/json_text.h"

#include "base/invisible.h"
#include "base/utf8.h"

enum { DEEPEST_INDENT = 24 }; /* so that deep nesting costs no more than its size */

static bool is_whitespace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char *skip_whitespace(const char *p, const char *end)
{
    while (p < end && is_whitespace(*p))
        p++;
    return p;
}

/* The end of the string that begins at p. */
static const char *skip_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    return p < end ? p + 1 : end;
}

/* The end of the number or word that begins at p. */
static const char *skip_word(const char *p, const char *end)
{
    while (p < end && *p != ',' && *p != ']' && *p != '}' && !is_whitespace(*p))
        p++;
    return p;
}

/* ---- strings -------------------------------------------------------------------------------------------------- */

/* The value of the four hexadecimal digits at p. */
static uint32_t hex4(const char *p)
{
    uint32_t value = 0;

    for (size_t i = 0; i < 4; i++)
        value = value << 4 | (uint32_t)(p[i] <= '9' ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10);
    return value;
}

/* The code point that an escape at p stands for, and its length: 6, or 12 for a pair. 0: it has to stay an escape. */
static size_t escaped(const char *p, const char *end, uint32_t *out)
{
    uint32_t c, low;

    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return 0;
    c = hex4(p + 2);
    if (c >= 0xD800 && c < 0xDC00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u') {
        low = hex4(p + 8);
        if (low >= 0xDC00 && low < 0xE000) {
            *out = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
            return 12;
        }
    }
    *out = c;
    return c == '"' || c == '\\' || aci_is_invisible(c) ? 0 : 6;
}

static void put_string(aci_html *h, const char *p, const char *end)
{
    const char *from = p;

    while (p < end) {
        uint32_t c = 0;
        size_t len = *p == '\\' ? escaped(p, end, &c) : 0;
        char bytes[4];

        if (len == 0) {
            p += *p == '\\' && end - p > 1 ? 2 : 1;
            continue;
        }
        aci_html_text(h, (agentchat_str){from, (size_t)(p - from)});
        aci_html_text(h, (agentchat_str){bytes, aci_utf8_encode(c, bytes)});
        from = p += len;
    }
    aci_html_text(h, (agentchat_str){from, (size_t)(end - from)});
}

/* ---- indented ------------------------------------------------------------------------------------------------- */

static void new_line(aci_html *h, size_t depth)
{
    ACI_HTML(h, "\n");
    for (size_t i = 0; i < depth && i < DEEPEST_INDENT; i++)
        ACI_HTML(h, "  ");
}

/* A bracket, a comma or a colon. Returns the end of it, or of its closing bracket when nothing is between them. */
static const char *put_mark(aci_html *h, const char *p, const char *end, size_t *depth)
{
    const char *next = skip_whitespace(p + 1, end);

    if (*p == ':') {
        ACI_HTML(h, ": ");
    } else if (*p == ',') {
        ACI_HTML(h, ",");
        new_line(h, *depth);
    } else if (*p == '{' || *p == '[') {
        aci_html_raw(h, p, 1);
        if (next < end && (*next == '}' || *next == ']')) {
            aci_html_raw(h, next, 1);
            return next + 1;
        }
        new_line(h, ++*depth);
    } else {
        *depth -= *depth > 0;
        new_line(h, *depth);
        aci_html_raw(h, p, 1);
    }
    return p + 1;
}

static bool is_mark(char c)
{
    return c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':';
}

void aci_view_json(aci_html *h, agentchat_str json)
{
    const char *p = json.ptr, *end = p + json.len;
    size_t depth = 0;

    while (h->status >= 0 && (p = skip_whitespace(p, end)) < end) {
        const char *token_end;

        if (is_mark(*p)) {
            p = put_mark(h, p, end, &depth);
            continue;
        }
        token_end = *p == '"' ? skip_string(p, end) : skip_word(p, end);
        if (*p == '"')
            put_string(h, p, token_end);
        else
            aci_html_text(h, (agentchat_str){p, (size_t)(token_end - p)});
        p = token_end;
    }
}

/* ---- in short ------------------------------------------------------------------------------------------------- */

/* The end of the character that reaches `most` bytes; an escape is not cut in two. */
static const char *cut_string(const char *p, const char *end, size_t most)
{
    const char *stop = p;

    while (stop < end && (size_t)(stop - p) < most) {
        uint32_t c = 0;
        size_t len = *stop == '\\' ? escaped(stop, end, &c) : 0;

        if (len == 0)
            len = *stop == '\\' && end - stop > 1 ? (stop[1] == 'u' && end - stop >= 6 ? 6 : 2) : 1;
        stop += len;
    }
    while (stop < end && ((unsigned char)*stop & 0xC0) == 0x80)
        stop++;
    return stop < end ? stop : end;
}

/* A token or a part of one, as much of it as fits. false: it was cut. */
static bool put_fitting(aci_html *h, const char *p, const char *end, size_t *most)
{
    const char *stop = end;

    if ((size_t)(end - p) > *most)
        stop = cut_string(p, end, *most);
    put_string(h, p, stop);
    *most -= (size_t)(stop - p) < *most ? (size_t)(stop - p) : *most;
    return stop == end;
}

/* The token at p, without the quotes of a name when it is bare. Returns its end; NULL: it was cut. */
static const char *put_token(aci_html *h, const char *p, const char *end, size_t *most, bool bare)
{
    const char *token_end = *p == '"' ? skip_string(p, end) : skip_word(p, end),
               *next = skip_whitespace(token_end, end);
    bool is_name = bare && *p == '"' && token_end - p >= 2 && next < end && *next == ':';

    return put_fitting(h, p + is_name, token_end - is_name, most) ? token_end : NULL;
}

/* Tokens from p on, `most` bytes of them. bare: the names of the outermost members have no quotes. */
static void put_short(aci_html *h, const char *p, const char *end, size_t most, bool bare)
{
    size_t depth = 0;

    while (h->status >= 0 && p != NULL && (p = skip_whitespace(p, end)) < end) {
        if (most == 0) {
            p = NULL;
        } else if (is_mark(*p)) {
            depth += *p == '{' || *p == '[';
            depth -= depth > 0 && (*p == '}' || *p == ']');
            aci_html_raw(h, p, 1);
            if (*p == ',' || *p == ':')
                ACI_HTML(h, " ");
            most--;
            p++;
        } else {
            p = put_token(h, p, end, &most, bare && depth == 0);
        }
    }
    if (p == NULL)
        ACI_HTML(h, "\xE2\x80\xA6");
}

void aci_view_json_short(aci_html *h, agentchat_str json, size_t most)
{
    put_short(h, json.ptr, json.ptr + json.len, most, false);
}

void aci_view_json_members_short(aci_html *h, agentchat_str json, size_t most)
{
    const char *p = skip_whitespace(json.ptr, json.ptr + json.len), *end = json.ptr + json.len;

    while (end > p && is_whitespace(end[-1]))
        end--;
    if (end - p >= 2 && *p == '{')
        put_short(h, p + 1, end - 1, most, true);
    else
        put_short(h, p, end, most, false);
}
