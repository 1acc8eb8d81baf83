/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting some of the garbage of a thread within a step that holds its lock. */
#ifndef ACI_THREAD_SWEEP_H
#define ACI_THREAD_SWEEP_H

#include "thread/garbage.h"
#include "thread/steps.h"

typedef struct aci_swept { /* how much of the garbage was gone through */
    size_t segments, items, bodies;
} aci_swept;

/* Goes on from *at by as many rows as the step may; reads them once more, and queues what is to be done with those that
   `reach` does not reach, which must be all that there is at this moment. Counts the bytes out of the thread's row.
   Then *at == the end when all was gone through. arena: lives until the batch has run. */
agentchat_status aci_sweep(const aci_garbage *garbage, const aci_reach *reach, aci_swept *at, size_t rows, aci_tx *tx,
                           aci_thread_row *thread, aci_arena *arena, agentchat_error *err);
static inline bool aci_sweep_is_done(const aci_garbage *garbage, const aci_swept *at)
{
    return at->segments == garbage->segments.count && at->items == garbage->item_count &&
           at->bodies == garbage->body_count;
}

#endif
