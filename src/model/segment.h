/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segments of persistent lists: of messages (list.c) and of JSON texts (value_list.c).
 *
 * A list is the end of a chain of segments, newest first. A segment holds the elements from its base on; those beyond
 * a list's end, or beyond the base of the segment that follows in its chain, belong to other lists. Invariants:
 *   - prev->base < base, all the way down to base 0;
 *   - a slot is written once, by the list that claimed it by raising `used`, and never changes until the segment dies.
 *
 * A list that is forked again and again has a long chain. So each segment also knows one far below it, chosen so that
 * the way to any segment takes logarithmically many steps.
 */
#ifndef ACI_MODEL_SEGMENT_H
#define ACI_MODEL_SEGMENT_H

#include "base/arena.h"
#include <stdatomic.h>

enum {
    ACI_SEGMENT_FIRST_CAP = 8,
    ACI_SEGMENT_LAST_CAP = 65536,
    /* A fork whose own part of the shared segment is not longer than this copies that part instead of chaining, so
       that forking again and again does not give a chain of segments with one element each. */
    ACI_SEGMENT_COPIED_AT_FORK = 64
};

typedef struct aci_segment {
    atomic_size_t refs;
    atomic_size_t used; /* slots claimed */
    size_t base;        /* position of slot 0 */
    size_t cap;
    size_t depth, size;       /* segments below it; its bytes */
    struct aci_segment *prev; /* one reference; NULL at base 0 */
    struct aci_segment *jump; /* one below, which prev keeps; NULL at base 0 */
    aci_arena *arena;         /* of all elements; one reference; NULL: each is counted */
    const agentchat_env *env;
} aci_segment;

/* Takes its own reference on prev. NULL: out of memory. */
aci_segment *aci_segment_new(const agentchat_env *env, size_t base, size_t cap, size_t slot_size, aci_segment *prev);
aci_segment *aci_segment_ref(aci_segment *segment); /* NULL is allowed */
/* drop: gives back the references of the elements of a segment without an arena; NULL: there is no such one. */
void aci_segment_unref(aci_segment *segment, void (*drop)(const aci_segment *segment)); /* NULL is allowed */

/* Its slots, whose type the list knows. */
static inline void *aci_segment_slots(const aci_segment *segment)
{
    return (void *)(uintptr_t)(segment + 1);
}

/* Claims up to `more` slots from `slot` on for who ends there; how many. 0: others have, or there are none. A list of
   another environment than the segment's gets none, too: the segment may outlive that environment, and would then still
   hold elements that were made with it. */
static inline size_t aci_segment_claim(aci_segment *segment, const agentchat_env *env, size_t slot, size_t more)
{
    size_t count, expected = slot;

    if (segment == NULL || slot >= segment->cap || segment->env != env)
        return 0;
    count = more < segment->cap - slot ? more : segment->cap - slot;
    return atomic_compare_exchange_strong_explicit(&segment->used, &expected, slot + count, memory_order_relaxed,
                                                   memory_order_relaxed)
               ? count
               : 0;
}

/* The segment of a chain that has a position. *end: where its part of the chain ends; unchanged if it is the tail. */
static inline aci_segment *aci_segment_find(aci_segment *tail, size_t position, size_t *end)
{
    while (tail->base > position) {
        *end = tail->base;
        tail = tail->jump->base > position ? tail->jump : tail->prev;
    }
    return tail;
}

#endif
