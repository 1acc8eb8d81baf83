/* SPDX-License-Identifier: Apache-2.0 */
/* Making a plan into rows: numbers for bodies, positions for lists. */
#ifndef ACI_THREAD_RESOLVE_H
#define ACI_THREAD_RESOLVE_H

#include "thread/plan.h"
#include "thread/rows.h"

/* Asks the store what it needs, fills the plan's contents, and queues the rows of everything that is new; counts them
   in the thread's row. */
agentchat_status aci_resolve(aci_tx *tx, aci_thread_row *thread, aci_thread_plan *plan, agentchat_error *err);

#endif
