/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of a document, from its beginning. Looks only: what is malformed is found by the reader that gets
 * the document.
 */
#include "format/detect.h"

#include "format/native/native.h"
#include "format/semantic_kernel/semantic_kernel.h"
#include "json/lex.h"
#include <string.h>

typedef struct look {
    const char *p, *end;
} look;

static void skip_whitespace(look *l)
{
    while (l->p < l->end && (*l->p == ' ' || *l->p == '\t' || *l->p == '\n' || *l->p == '\r'))
        l->p++;
}

static bool byte(look *l, char wanted)
{
    skip_whitespace(l);
    if (l->p == l->end || *l->p != wanted)
        return false;
    l->p++;
    return true;
}

/* A string as it is spelled. */
static bool string(look *l, agentchat_str *out)
{
    if (!byte(l, '"'))
        return false;
    *out = (agentchat_str){l->p, 0};
    while (l->p < l->end && *l->p != '"')
        l->p += *l->p == '\\' && l->end - l->p > 1 ? 2 : 1;
    if (l->p >= l->end)
        return false;
    out->len = (size_t)(l->p - out->ptr);
    l->p++;
    return true;
}

/* Whether a string means a name, which is of letters only: the one escape that such a name can be spelled with is that
   by number. */
static bool means(agentchat_str spelled, const char *name)
{
    const char *p = spelled.ptr, *end = p + spelled.len;

    for (; p < end && *name != '\0'; name++) {
        if (*p == *name) {
            p++;
        } else {
            if (end - p < 6 || p[0] != '\\' || p[1] != 'u' || aci_lex_hex4(p + 2) != (unsigned char)*name)
                return false;
            p += 6;
        }
    }
    return p == end && *name == '\0';
}

/* Skips the value that comes next. */
static bool skip_value(look *l)
{
    agentchat_str text;
    size_t depth = 0;

    do {
        skip_whitespace(l);
        if (l->p == l->end)
            return false;
        if (*l->p == '"') {
            if (!string(l, &text))
                return false;
            continue;
        }
        if (*l->p == '{' || *l->p == '[')
            depth++;
        else if (depth > 0 && (*l->p == '}' || *l->p == ']'))
            depth--;
        else if (depth == 0 && (*l->p == ',' || *l->p == '}'))
            return true;
        l->p++;
    } while (depth > 0 || (l->p < l->end && *l->p != ',' && *l->p != '}'));
    return true;
}

const aci_format *aci_detect(const char *data, size_t len)
{
    look l = {data, data + len};
    agentchat_str key;
    bool has_format = false, has_encoding = false, more = true;

    if (len >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0)
        l.p += 3;
    if (!byte(&l, '{') || !string(&l, &key) || !means(key, "agentchat") || !byte(&l, ':') || !byte(&l, '{'))
        return &aci_sk_format;
    while (more && string(&l, &key)) {
        has_format = has_format || means(key, "format");
        has_encoding = has_encoding || means(key, "encoding");
        more = byte(&l, ':') && skip_value(&l) && byte(&l, ',');
    }
    /* A header that ends without a format is somebody else's property; one that never ends is ours, broken. */
    if (!has_format && byte(&l, '}'))
        return &aci_sk_format;
    return has_encoding ? &aci_native_encoded_format : &aci_native_format;
}
