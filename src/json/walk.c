/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over values that were validated before, so nothing is checked twice; of other text nothing outside is read. */
#include "json/walk.h"

#include "json/tokens.h"

static const agentchat_str absent = {NULL, 0};

/* ---- over text ------------------------------------------------------------------------------------------------ */

/* Takes a name with its colon, if that is what stands at p. Returns the beginning of the value. */
static const char *take_key(const char *p, const char *end, agentchat_str *key)
{
    const char *after, *colon;

    *key = absent;
    if (p == end || *p != '"')
        return p;
    after = aci_after_string(p, end);
    colon = aci_after_whitespace(after, end);
    if (colon == end || *colon != ':')
        return p;
    *key = (agentchat_str){p, (size_t)(after - p)};
    return aci_after_whitespace(colon + 1, end);
}

static inline agentchat_json_step step(const char **at, const char *end, agentchat_str *key, agentchat_str *value)
{
    const char *p = aci_after_whitespace(*at, end);
    agentchat_json_step found = AGENTCHAT_JSON_SCALAR;

    if (p < end && *p == ',')
        p = aci_after_whitespace(p + 1, end);
    p = take_key(p, end, key);
    *at = p;
    if (p == end) {
        *value = absent;
        return AGENTCHAT_JSON_END;
    }
    if (*p == '{' || *p == '[')
        found = AGENTCHAT_JSON_OPEN;
    else if (*p == '}' || *p == ']')
        found = AGENTCHAT_JSON_CLOSE;
    *at = found == AGENTCHAT_JSON_SCALAR ? aci_after_scalar(p, end) : p + 1;
    *value = (agentchat_str){p, (size_t)(*at - p)};
    if (value->len > 0)
        return found;
    *at = end; /* a byte that no value begins with */
    *value = absent;
    return AGENTCHAT_JSON_END;
}

static inline bool next_in_text(const char **at, const char *end, agentchat_str *key, agentchat_str *value)
{
    agentchat_json_step found = step(at, end, key, value);

    if (found == AGENTCHAT_JSON_OPEN) {
        *at = aci_json_value_end(value->ptr, end);
        value->len = (size_t)(*at - value->ptr);
    }
    return found == AGENTCHAT_JSON_SCALAR || found == AGENTCHAT_JSON_OPEN;
}

void agentchat_json_walk_begin(agentchat_json_walk *walk, agentchat_str text)
{
    const char *begin = text.len > 0 ? text.ptr : "";

    if (walk != NULL)
        *walk = (agentchat_json_walk){absent, absent, begin, begin + text.len};
}

bool agentchat_json_walk_into(agentchat_json_walk *walk, agentchat_str text)
{
    agentchat_json_walk_begin(walk, text);
    if (agentchat_json_walk_step(walk) == AGENTCHAT_JSON_OPEN)
        return true;
    agentchat_json_walk_begin(walk, absent);
    return false;
}

agentchat_json_step agentchat_json_walk_step(agentchat_json_walk *walk)
{
    return walk != NULL ? step(&walk->at, walk->end, &walk->key, &walk->value) : AGENTCHAT_JSON_END;
}

void agentchat_json_walk_skip(agentchat_json_walk *walk)
{
    if (walk == NULL || walk->value.len != 1 || (*walk->value.ptr != '{' && *walk->value.ptr != '['))
        return;
    walk->at = aci_json_value_end(walk->value.ptr, walk->end);
    walk->value.len = (size_t)(walk->at - walk->value.ptr);
}

bool agentchat_json_walk_next(agentchat_json_walk *walk)
{
    return walk != NULL && next_in_text(&walk->at, walk->end, &walk->key, &walk->value);
}

/* ---- over text or an index ------------------------------------------------------------------------------------ */

void aci_walk_begin(aci_walk *walk, agentchat_str raw)
{
    walk->at = raw.len > 0 ? raw.ptr + 1 : "";
    walk->end = raw.len > 0 ? raw.ptr + raw.len : walk->at;
    walk->key = walk->value = absent;
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

bool aci_walk_next(aci_walk *walk)
{
    return walk->index != NULL ? next_in_index(walk) : next_in_text(&walk->at, walk->end, &walk->key, &walk->value);
}

bool aci_walk_is_empty_object(agentchat_str raw)
{
    aci_walk walk;

    aci_walk_begin(&walk, raw);
    return *raw.ptr == '{' && !aci_walk_next(&walk);
}
