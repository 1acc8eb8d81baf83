/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody remembers of a checkpoint: where the store still has it as it was, only what is new is looked at. */
#ifndef ACI_THREAD_MEMORY_H
#define ACI_THREAD_MEMORY_H

#include "thread/rows.h"

typedef struct aci_memory {
    const agentchat_snapshot *snapshot;
    agentchat_str id, contents; /* as the row had them */
    int64_t num, seq;           /* of the thread, and in it */
} aci_memory;

/* Whether a row is that of the checkpoint. While it is there nothing goes that its lists and states are made of, and
   neither their positions nor the numbers of their bodies come to mean anything else. */
static inline bool aci_memory_fits(const aci_memory *memory, const aci_checkpoint_row *row)
{
    return memory->num == row->num && memory->seq == row->seq && agentchat_str_equal(memory->id, row->id) &&
           agentchat_str_equal(memory->contents, row->contents);
}

#endif
