/* SPDX-License-Identifier: Apache-2.0 */
/* Values that several members of the sidecar have in common (read_sidecar_parts.h). */
#include "format/semantic_kernel/read_sidecar_parts.h"

#include "json/value.h"

bool aci_sk_sidecar_member(aci_sk_sidecar_reader *o, aci_walk *walk, agentchat_str *key)
{
    return aci_walk_next(walk) && aci_sk_decode(o->s, o->r, walk->key, key);
}

bool aci_sk_sidecar_string(aci_sk_sidecar_reader *o, agentchat_str raw, agentchat_str *out)
{
    return *raw.ptr == '"' && aci_sk_decode(o->s, o->r, raw, out);
}

bool aci_sk_sidecar_text_or_null(aci_sk_sidecar_reader *o, agentchat_str raw, agentchat_str *out)
{
    if (*raw.ptr != 'n')
        return aci_sk_sidecar_string(o, raw, out);
    *out = agentchat_str_null();
    return true;
}

bool aci_sk_sidecar_flag(agentchat_str raw, bool *out)
{
    *out = *raw.ptr == 't';
    return *out || *raw.ptr == 'f';
}

bool aci_sk_sidecar_size(agentchat_str raw, size_t *out)
{
    int64_t value;

    if (*raw.ptr < '0' || *raw.ptr > '9' || !aci_json_integer(raw, &value) || (uint64_t)value >= SIZE_MAX)
        return false;
    *out = (size_t)value;
    return true;
}

bool aci_sk_sidecar_room(aci_sk_sidecar_reader *o, agentchat_str raw, size_t elem, void **out)
{
    size_t count = 0;
    aci_walk walk;

    *out = NULL;
    if (*raw.ptr != '[')
        return false;
    aci_walk_begin(&walk, raw);
    while (aci_walk_next(&walk))
        count++;
    *out = count < SIZE_MAX / elem ? aci_arena_alloc(o->s->arena, (count + 1) * elem) : NULL;
    return *out != NULL || aci_sk_nomem(o->r);
}

bool aci_sk_sidecar_positions(aci_sk_sidecar_reader *o, agentchat_str raw, size_t **out, size_t *out_count)
{
    size_t *list, count = 0;
    void *room;
    aci_walk walk;

    if (!aci_sk_sidecar_room(o, raw, sizeof *list, &room))
        return false;
    list = room;
    aci_walk_begin(&walk, raw);
    for (; aci_walk_next(&walk); count++)
        if (!aci_sk_sidecar_size(walk.value, &list[count]) || (count > 0 && list[count] <= list[count - 1]))
            return false;
    *out = list;
    *out_count = count;
    return true;
}

bool aci_sk_sidecar_json(aci_sk_sidecar_reader *o, agentchat_str key, agentchat_str raw, agentchat_str *out)
{
    agentchat_str text;

    *out = raw;
    if (aci_sk_view_is(key, "value") || aci_sk_view_is(key, "raw"))
        return true;
    return aci_sk_view_is(key, "text") && aci_sk_sidecar_string(o, raw, &text) &&
           aci_json_check(o->s->env, text, o->s->in->limits.max_depth, out, NULL, NULL) >= 0;
}
