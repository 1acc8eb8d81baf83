/* SPDX-License-Identifier: Apache-2.0 */
/* Segments of persistent lists. */
#include "model/segment.h"

#include "base/checked.h"

/* Jumps of equal length one after the other make one of twice the length and one, as the digits of a skew binary number
   carry. */
static aci_segment *jump_from(aci_segment *prev)
{
    aci_segment *next = prev != NULL ? prev->jump : NULL;

    if (next != NULL && next->jump != NULL && prev->depth - next->depth == next->depth - next->jump->depth)
        return next->jump;
    return prev;
}

aci_segment *aci_segment_new(const agentchat_env *env, size_t base, size_t cap, size_t slot_size, aci_segment *prev)
{
    aci_segment *segment;
    size_t size;

    if (!aci_mul(cap, slot_size, &size) || !aci_add(size, sizeof *segment, &size))
        return NULL;
    segment = aci_alloc(env, size);
    if (segment == NULL)
        return NULL;
    atomic_init(&segment->refs, 1);
    atomic_init(&segment->used, 0);
    segment->base = base;
    segment->cap = cap;
    segment->depth = prev != NULL ? prev->depth + 1 : 0;
    segment->size = size;
    segment->prev = aci_segment_ref(prev);
    segment->jump = jump_from(prev);
    segment->arena = NULL;
    segment->env = env;
    return segment;
}

aci_segment *aci_segment_ref(aci_segment *segment)
{
    if (segment != NULL)
        atomic_fetch_add_explicit(&segment->refs, 1, memory_order_relaxed);
    return segment;
}

/* A chain may be long: it is taken apart in a loop. */
void aci_segment_unref(aci_segment *segment, void (*drop)(const aci_segment *segment))
{
    while (segment != NULL && atomic_fetch_sub_explicit(&segment->refs, 1, memory_order_acq_rel) == 1) {
        aci_segment *prev = segment->prev;

        if (segment->arena != NULL)
            aci_arena_unref(segment->arena);
        else if (drop != NULL)
            drop(segment);
        aci_free(segment->env, segment, segment->size);
        segment = prev;
    }
}
