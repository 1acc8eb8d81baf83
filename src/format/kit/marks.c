/* SPDX-License-Identifier: Apache-2.0 */
/* Walking over a request's body, or a bare array of messages, and comparing its members with a table of marks. */
#include "format/kit/marks.h"

#include "format/kit/look.h"
#include <string.h>

typedef struct search {
    aci_marked format;
    aci_look look;
    bool own, foreign;   /* what was found: then the walk ends */
    const char *owner;   /* of a foreign mark; NULL: none */
    bool in_items;       /* the parts are those of "items", which need no type */
    bool has_messages;   /* an array that may be of messages, whose first element has a role */
    unsigned needs_seen; /* bits of the rows that are needed */
} search;

static bool is_over(const search *s)
{
    return s->own || s->foreign;
}

/* What a mark says to a format; where it is none of those, to a library. */
static uint8_t says_to(const aci_mark *mark, aci_marked format)
{
    if (format < ACI_MARKED_FORMATS)
        return mark->says[format];
    return mark->owner != NULL ? ACI_MARK_FOREIGN : ACI_MARK_NOTHING;
}

/* Whether a member has a mark. kind: the first byte of its value; word: what it spells; absent: it is no string. */
static bool has(const aci_mark *mark, aci_mark_in in, agentchat_str name, char kind, agentchat_str word)
{
    return mark->in == in && (mark->kind == 0 || mark->kind == kind) && aci_look_means(name, mark->name) &&
           (mark->word == NULL || (word.ptr != NULL && aci_look_means(word, mark->word)));
}

/* Compares a member, whose value comes next and stays, with the table. */
static void compare(search *s, aci_mark_in in, agentchat_str name)
{
    aci_look value = s->look;
    char kind = aci_look_kind(&value);
    agentchat_str word = {NULL, 0};

    if (kind == '"' && !aci_look_string(&value, &word))
        word = (agentchat_str){NULL, 0};
    if (kind == '[' && aci_look_take(&value, '[') && aci_look_kind(&value) == '"')
        word = AGENTCHAT_STR("texts");
    for (size_t i = 0; i < aci_provider_mark_count && !is_over(s); i++) {
        const aci_mark *mark = &aci_provider_marks[i];
        uint8_t says = says_to(mark, s->format);

        if (says == ACI_MARK_NOTHING || !has(mark, in, name, kind, word))
            continue;
        s->own = says == ACI_MARK_OWN;
        s->foreign = says == ACI_MARK_FOREIGN;
        s->owner = mark->owner;
        if (says == ACI_MARK_NEEDED)
            s->needs_seen |= 1u << i;
    }
}

/* The members of an object that comes next, which go deeper no further. A part of a content has a type. */
static bool walk_members(search *s, aci_mark_in in)
{
    bool has_type = in != ACI_MARK_PART || s->in_items, has_text = false;
    agentchat_str name;

    if (!aci_look_take(&s->look, '{'))
        return aci_look_skip(&s->look);
    while (!is_over(s) && aci_look_member(&s->look, &name)) {
        compare(s, in, name);
        has_type = has_type || aci_look_means(name, "type");
        has_text = has_text || aci_look_means(name, "text");
        if (!aci_look_skip(&s->look))
            return false;
    }
    if (is_over(s) || !aci_look_take(&s->look, '}'))
        return false;
    s->foreign = !has_type && (has_text || s->format < ACI_MARKED_FORMATS);
    s->owner = s->foreign ? "Amazon Bedrock's Converse" : NULL;
    return !s->foreign;
}

/* Those of each element of an array that comes next. */
static bool walk_elements(search *s, aci_mark_in in)
{
    if (!aci_look_take(&s->look, '['))
        return aci_look_skip(&s->look);
    while (!is_over(s) && aci_look_element(&s->look))
        if (!walk_members(s, in))
            return false;
    return !is_over(s) && aci_look_take(&s->look, ']');
}

static bool walk_message(search *s, bool is_first)
{
    agentchat_str name;

    if (!aci_look_take(&s->look, '{'))
        return aci_look_skip(&s->look);
    while (!is_over(s) && aci_look_member(&s->look, &name)) {
        compare(s, ACI_MARK_MESSAGE, name);
        if (is_first)
            compare(s, ACI_MARK_FIRST, name);
        if (is_first && aci_look_means(name, "role") && aci_look_kind(&s->look) == '"')
            s->has_messages = true;
        s->in_items = aci_look_means(name, "items");
        if (is_over(s) || !(aci_look_means(name, "content") || s->in_items ? walk_elements(s, ACI_MARK_PART)
                                                                           : aci_look_skip(&s->look)))
            return false;
    }
    return !is_over(s) && aci_look_take(&s->look, '}');
}

static bool walk_messages(search *s)
{
    bool is_first = true;

    if (!aci_look_take(&s->look, '['))
        return aci_look_skip(&s->look);
    s->has_messages = aci_look_kind(&s->look) == ']'; /* a list of none may be of messages */
    while (!is_over(s) && aci_look_element(&s->look)) {
        if (!walk_message(s, is_first))
            return false;
        is_first = false;
    }
    return !is_over(s) && aci_look_take(&s->look, ']');
}

static void walk_body(search *s)
{
    agentchat_str name;
    bool goes_on = aci_look_take(&s->look, '{');

    while (goes_on && aci_look_member(&s->look, &name)) {
        compare(s, ACI_MARK_BODY, name);
        if (is_over(s))
            return;
        goes_on = aci_look_means(name, "messages") ? walk_messages(s)
                  : aci_look_means(name, "tools")  ? walk_elements(s, ACI_MARK_TOOL)
                                                   : aci_look_skip(&s->look);
    }
}

const char *aci_marks_advice(const char *owner)
{
    return strcmp(owner, "openai-responses") == 0 ? ": name that format (--from, options.format), if it is"
                                                  : ", which agentchat does not read";
}

const char *aci_marks_library(const char *data, size_t len)
{
    search s = {.format = ACI_MARKED_FORMATS, .look = aci_look_begin(data, len)};

    if (aci_look_kind(&s.look) == '[')
        (void)walk_messages(&s);
    else
        walk_body(&s);
    return s.owner;
}

const char *aci_marks_library_of(aci_mark_in in, agentchat_str name, agentchat_str value)
{
    agentchat_str word = {NULL, 0};

    if (*value.ptr == '"')
        word = (agentchat_str){value.ptr + 1, value.len - 2};
    else if (*value.ptr == '[') {
        aci_look look = aci_look_begin(value.ptr + 1, value.len - 1);

        if (aci_look_kind(&look) == '"')
            word = AGENTCHAT_STR("texts");
    }
    for (size_t i = 0; i < aci_provider_mark_count; i++)
        if (aci_provider_marks[i].owner != NULL && has(&aci_provider_marks[i], in, name, *value.ptr, word))
            return aci_provider_marks[i].owner;
    return NULL;
}

aci_likeness aci_marks_probe(aci_marked format, const char *data, size_t len)
{
    search s = {.format = format, .look = aci_look_begin(data, len)};
    bool is_array = aci_look_kind(&s.look) == '[';

    if (is_array)
        (void)walk_messages(&s);
    else
        walk_body(&s);
    for (size_t i = 0; i < aci_provider_mark_count && !is_array; i++)
        if (aci_provider_marks[i].says[format] == ACI_MARK_NEEDED && (s.needs_seen >> i & 1) == 0 && !s.own)
            return ACI_UNLIKE;
    return s.foreign ? ACI_UNLIKE : s.own ? ACI_CERTAIN : s.has_messages ? ACI_LIKELY : ACI_UNLIKE;
}
