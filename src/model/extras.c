/* SPDX-License-Identifier: Apache-2.0 */
/* Unknown properties of messages and items, in arenas. */
#include "model/model.h"

#include "base/checked.h"
#include <string.h>

aci_extras *aci_extras_new(aci_arena *arena, const agentchat_extra *list, size_t count)
{
    size_t size;
    aci_extras *extras;

    if (!aci_mul(count, sizeof *list, &size) || !aci_add(size, sizeof *extras, &size))
        return NULL;
    extras = aci_arena_alloc(arena, size);
    if (extras == NULL)
        return NULL;
    extras->count = count;
    if (count > 0)
        memcpy(extras->list, list, count * sizeof *list);
    return extras;
}

aci_extras *aci_extras_copy(const aci_extras *extras, aci_arena *arena, bool *ok)
{
    aci_extras *copy;

    if (extras == NULL)
        return NULL;
    copy = aci_extras_new(arena, extras->list, extras->count);
    if (copy == NULL) {
        *ok = false;
        return NULL;
    }
    for (size_t i = 0; i < copy->count; i++) {
        copy->list[i].name = aci_arena_copy(arena, extras->list[i].name, ok);
        copy->list[i].value = aci_arena_copy(arena, extras->list[i].value, ok);
        /* mostly all from one format */
        copy->list[i].from = i > 0 && extras->list[i].from.ptr == extras->list[i - 1].from.ptr
                                 ? copy->list[i - 1].from
                                 : aci_arena_copy(arena, extras->list[i].from, ok);
    }
    return copy;
}

size_t aci_extras_count(const aci_extras *extras)
{
    return extras != NULL ? extras->count : 0;
}

const agentchat_extra *aci_extras_at(const aci_extras *extras, size_t index)
{
    return index < aci_extras_count(extras) ? &extras->list[index] : NULL;
}
