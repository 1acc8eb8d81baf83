/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at a document that nobody has checked. */
#include "format/kit/look.h"

#include "json/lex.h"
#include <string.h>

static void skip_whitespace(aci_look *l)
{
    while (l->p < l->end && (*l->p == ' ' || *l->p == '\t' || *l->p == '\n' || *l->p == '\r'))
        l->p++;
}

aci_look aci_look_begin(const char *data, size_t len)
{
    aci_look look = {data, data + len};

    if (len >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0)
        look.p += 3;
    return look;
}

char aci_look_kind(aci_look *l)
{
    skip_whitespace(l);
    return l->p < l->end ? *l->p : '\0';
}

bool aci_look_take(aci_look *l, char wanted)
{
    if (aci_look_kind(l) != wanted || l->p == l->end)
        return false;
    l->p++;
    return true;
}

bool aci_look_string(aci_look *l, agentchat_str *out)
{
    if (!aci_look_take(l, '"'))
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

/* The one escape that such a word can be spelled with is that by number. */
bool aci_look_means(agentchat_str spelled, const char *word)
{
    const char *p = spelled.ptr, *end = p + spelled.len;

    for (; p < end && *word != '\0'; word++) {
        if (*p == *word) {
            p++;
        } else {
            if (end - p < 6 || p[0] != '\\' || p[1] != 'u' || aci_lex_hex4(p + 2) != (unsigned char)*word)
                return false;
            p += 6;
        }
    }
    return p == end && *word == '\0';
}

static bool ends_scalar(char c)
{
    return c == ',' || c == '}' || c == ']';
}

bool aci_look_skip(aci_look *l)
{
    agentchat_str text;
    size_t depth = 0;

    do {
        char c = aci_look_kind(l);

        if (l->p == l->end)
            return false;
        if (c == '"') {
            if (!aci_look_string(l, &text))
                return false;
            continue;
        }
        if (c == '{' || c == '[')
            depth++;
        else if (depth > 0 && (c == '}' || c == ']'))
            depth--;
        else if (depth == 0) {
            if (ends_scalar(c))
                return false; /* there is no value */
            while (l->p < l->end && !ends_scalar(*l->p))
                l->p++;
            return l->p < l->end;
        }
        l->p++;
    } while (depth > 0);
    return true;
}

bool aci_look_member(aci_look *l, agentchat_str *name)
{
    (void)aci_look_take(l, ',');
    return aci_look_string(l, name) && aci_look_take(l, ':');
}

bool aci_look_element(aci_look *l)
{
    char c;

    (void)aci_look_take(l, ',');
    c = aci_look_kind(l);
    return c != ']' && c != '\0';
}
