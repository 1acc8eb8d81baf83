/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over values that were validated before, so nothing is checked twice. */
#include "json/walk.h"

#include "json/tokens.h"

void aci_walk_begin(aci_walk *walk, agentchat_str raw)
{
    walk->at = raw.len > 0 ? raw.ptr : "";
    walk->end = walk->at + raw.len;
    walk->key = walk->value = (agentchat_str){NULL, 0};
    walk->index = NULL;
}

void aci_walk_begin_in(aci_walk *walk, const aci_json_index *index, agentchat_str raw)
{
    aci_walk_begin(walk, raw);
    if (index == NULL || !aci_json_index_at(index, raw.ptr, &walk->container))
        return;
    walk->index = index;
    walk->next = aci_json_index_first(index, walk->container);
}

static bool next_in_index(aci_walk *walk)
{
    uint32_t node = walk->next;

    if (node == 0)
        return false;
    walk->next = aci_json_index_next(walk->index, walk->container, node);
    if (walk->index->nodes[node].is_key)
        walk->key = aci_json_index_raw(walk->index, node++);
    walk->value = aci_json_index_raw(walk->index, node);
    return true;
}

static bool next_in_text(aci_walk *walk)
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

bool aci_walk_next(aci_walk *walk)
{
    return walk->index != NULL ? next_in_index(walk) : next_in_text(walk);
}

bool aci_walk_is_empty_object(agentchat_str raw)
{
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    return *raw.ptr == '{' && !aci_walk_next(&walk);
}
