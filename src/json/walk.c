/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over values that were validated before, so nothing is checked twice. */
#include "json/walk.h"

#include "json/tokens.h"

void aci_walk_begin(aci_walk *walk, agentchat_str raw)
{
    walk->at = raw.len > 0 ? raw.ptr : "";
    walk->end = walk->at + raw.len;
    walk->key = walk->value = (agentchat_str){NULL, 0};
}

bool aci_walk_next(aci_walk *walk)
{
    /* After the opening bracket, or after the comma that follows the value before. */
    const char *p = aci_after_whitespace(walk->value.ptr == NULL ? walk->at + 1 : walk->at, walk->end), *start;
    bool is_object;

    if (p < walk->end && *p == ',')
        p = aci_after_whitespace(p + 1, walk->end);
    if (p >= walk->end || *p == '}' || *p == ']')
        return false;
    start = p;
    is_object = false;
    if (*p == '"') {
        const char *after = aci_after_string(p, walk->end), *colon = aci_after_whitespace(after, walk->end);

        is_object = colon < walk->end && *colon == ':';
        if (is_object) {
            walk->key = (agentchat_str){start, (size_t)(after - start)};
            start = aci_after_whitespace(colon + 1, walk->end);
        }
    }
    if (!is_object)
        walk->key = (agentchat_str){NULL, 0};
    p = aci_after_value(start, walk->end);
    walk->value = (agentchat_str){start, (size_t)(p - start)};
    walk->at = p;
    return true;
}

bool aci_walk_is_empty_object(agentchat_str raw)
{
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    return *raw.ptr == '{' && !aci_walk_next(&walk);
}
