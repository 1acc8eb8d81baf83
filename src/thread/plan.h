/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a snapshot a thread has already, and what is to be stored: found by comparing it, list by list, with the
 * checkpoint that it follows. Nothing is written here, and nothing asked of the store.
 */
#ifndef ACI_THREAD_PLAN_H
#define ACI_THREAD_PLAN_H

#include "snapshot/snapshot.h"
#include "thread/bodies.h"
#include "thread/contents.h"

/* What a list becomes: elements of segments that are there, then new ones, then again such as are there. */
typedef struct aci_planned_list {
    aci_range prefix, suffix; /* seg 0: nothing of the kind */
    size_t *middle;           /* positions in the bodies */
    size_t middle_count;
    const struct aci_planned_list *along; /* it is a run of this list, from `offset` on, and nothing else; NULL: not */
    int64_t offset, count;
    bool may_append; /* to the segment of its prefix */
    aci_range *target;
    struct aci_planned_list *next;
} aci_planned_list;

typedef struct aci_body_use { /* where the number of a body goes */
    size_t body;
    int64_t *target;
    struct aci_body_use *next;
} aci_body_use;

typedef struct aci_thread_plan {
    const agentchat_env *env;
    aci_arena *arena;
    aci_bodies *bodies;
    aci_contents *contents;               /* complete but for the targets */
    aci_planned_list *lists, **last_list; /* a list before those that run along it */
    aci_body_use *uses;
} aci_thread_plan;

/*
 * Plans a snapshot. base: the contents of the checkpoint that it follows; NULL: none. held: what that checkpoint is as
 * a snapshot whose messages the new one may share; NULL: its lists are compared by the numbers of bodies that base has
 * (aci_part.numbers), for which aci_thread_plan_elements() has put everything into the bodies, and their numbers are
 * known where base has them. E_NOMEM, and what writing a frame may meet.
 */
agentchat_status aci_thread_plan_make(aci_thread_plan *plan, const agentchat_snapshot *snapshot,
                                      const aci_contents *base, const agentchat_snapshot *held, agentchat_error *err);
/* Puts every element of every list into the bodies. */
agentchat_status aci_thread_plan_elements(aci_thread_plan *plan, const agentchat_snapshot *snapshot,
                                          agentchat_error *err);

#endif
