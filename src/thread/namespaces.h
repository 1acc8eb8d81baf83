/* SPDX-License-Identifier: Apache-2.0 */
/* Going through the namespaces of a thread, in the order of their names. */
#ifndef ACI_THREAD_NAMESPACES_H
#define ACI_THREAD_NAMESPACES_H

#include "thread/rows.h"

/* Goes to the next one that has checkpoints: *ns, which the arena holds then. *found false: it was the last one.
   E_CORRUPT when none can follow so. */
agentchat_status aci_namespaces_next(aci_tx *tx, int64_t num, aci_arena *arena, agentchat_str *ns, bool *found,
                                     agentchat_error *err);

#endif
