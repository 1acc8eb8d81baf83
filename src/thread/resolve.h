/* SPDX-License-Identifier: Apache-2.0 */
/* Making a plan into rows: numbers for bodies, positions for lists. */
#ifndef ACI_THREAD_RESOLVE_H
#define ACI_THREAD_RESOLVE_H

#include "base/index.h"
#include "thread/plan.h"
#include "thread/rows.h"

typedef struct aci_resolving {
    aci_tx *tx;
    aci_thread_row *thread;
    aci_thread_plan *plan;
    struct aci_known_segment **segments;
    size_t segment_count, segment_cap;
    aci_index by_segment;
    int64_t highest; /* number of a body, where numbers are of the whole file */
} aci_resolving;

/* Asks the store what it needs, in one batch with what is queued already. resolving: tx, thread and plan are set; clear
   it in any case. */
agentchat_status aci_resolve_ask(aci_resolving *resolving, agentchat_error *err);
void aci_resolve_clear(aci_resolving *resolving);
/* Fills the plan's contents, and queues the rows of everything that is new; counts them in the thread's row. */
agentchat_status aci_resolve(aci_resolving *resolving, agentchat_error *err);

#endif
