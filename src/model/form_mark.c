/* SPDX-License-Identifier: Apache-2.0 */
/* Form marks. */
#include "model/form_mark.h"

#include "json/walk.h"
#include <string.h>

/* ---- names and the members of a mark ----------------------------------------------------------------------------- */

/* A JSON string whose text is ASCII, as all names here are; len is 0 for any other, and for one that is too long. */
typedef struct ascii {
    char text[ACI_TAG_LONGEST];
    size_t len;
} ascii;

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = strchr(digits, c | ('a' ^ 'A')); /* a small letter; digits have the bit already */

    return c != '\0' && found != NULL ? (int)(found - digits) : -1;
}

/* The character that an escape stands for: 0 when none of a name. */
static char unescaped(const char *p, size_t left)
{
    if (left < 6 || memcmp(p, "\\u00", 4) != 0 || digit(p[4]) < 0 || digit(p[4]) > 7 || digit(p[5]) < 0)
        return 0;
    return (char)(digit(p[4]) * 16 + digit(p[5]));
}

static ascii ascii_of(agentchat_str json)
{
    ascii name = {.len = 0};
    size_t len = 0;

    if (json.len < 2 || *json.ptr != '"')
        return name;
    for (size_t i = 1; i < json.len - 1; i += json.ptr[i] == '\\' ? 6 : 1) {
        char c = json.ptr[i] == '\\' ? unescaped(json.ptr + i, json.len - 1 - i) : json.ptr[i];

        if (len == sizeof name.text || c <= 0)
            return name;
        name.text[len++] = c;
    }
    name.len = len;
    return name;
}

static agentchat_str view_of(const ascii *name)
{
    return (agentchat_str){name->text, name->len};
}

typedef struct form_mark {
    ascii from;
    agentchat_str value;            /* JSON text; absent: not there */
    size_t from_count, other_count; /* of members named `from`, and of those with neither name */
} form_mark;

static form_mark parse(agentchat_str json)
{
    form_mark mark = {.from_count = 0};
    aci_walk walk;

    if (json.len == 0 || *json.ptr != '{')
        return mark;
    aci_walk_begin(&walk, json);
    while (aci_walk_next(&walk)) {
        ascii key = ascii_of(walk.key);

        if (agentchat_str_equal(view_of(&key), AGENTCHAT_STR("from"))) {
            mark.from = ascii_of(walk.value);
            mark.from_count++;
        } else if (agentchat_str_equal(view_of(&key), AGENTCHAT_STR("value")) && mark.value.ptr == NULL) {
            mark.value = walk.value;
        } else {
            mark.other_count++;
        }
    }
    return mark;
}

/* ---- what others ask ----------------------------------------------------------------------------------------------
 */

bool aci_form_mark_is_valid(agentchat_str json)
{
    form_mark mark = parse(json);

    return mark.from_count == 1 && mark.other_count == 0 && mark.value.ptr != NULL &&
           aci_tag_is_valid(view_of(&mark.from));
}

agentchat_str aci_form_mark_value(agentchat_str mark, agentchat_str format)
{
    form_mark parsed = parse(mark);

    return agentchat_str_equal(view_of(&parsed.from), format) ? parsed.value : (agentchat_str){NULL, 0};
}

agentchat_str aci_form_mark_member(agentchat_str mark, agentchat_str format, const char *name)
{
    agentchat_str value = mark.ptr != NULL ? aci_form_mark_value(mark, format) : mark;
    aci_walk walk;

    if (value.ptr == NULL || *value.ptr != '{')
        return (agentchat_str){NULL, 0};
    aci_walk_begin(&walk, value);
    while (aci_walk_next(&walk)) {
        ascii key = ascii_of(walk.key);

        if (agentchat_str_equal(view_of(&key), agentchat_str_from(name)))
            return walk.value;
    }
    return (agentchat_str){NULL, 0};
}
