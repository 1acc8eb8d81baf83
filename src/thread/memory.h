/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody remembers of a checkpoint: where the store still has it as it was, only what is new is looked at. */
#ifndef ACI_THREAD_MEMORY_H
#define ACI_THREAD_MEMORY_H

#include "thread/rows.h"

typedef struct aci_memory {
    const agentchat_snapshot *snapshot;
    agentchat_str id;
    int64_t num, seq, written, line; /* of the thread, and in it */
} aci_memory;

/* Whether a row is that of the checkpoint, and has not been replaced. While it is there nothing goes that its lists and
   states are made of, and neither their positions nor the numbers of their bodies come to mean anything else. */
static inline bool aci_thread_memory_fits(const aci_memory *memory, const aci_checkpoint_row *row)
{
    return memory->num == row->num && memory->seq == row->seq && memory->written == row->written &&
           agentchat_str_equal(memory->id, row->id);
}

/* E_NOTFOUND: the thread is gone; is_other: and another has its name. */
agentchat_status aci_thread_memory_fail_gone(agentchat_str thread, bool is_other, agentchat_error *err);

/* A put whose outcome is not known. */
typedef struct aci_lost {
    agentchat_snapshot *snapshot;
    char id[AGENTCHAT_ID_SIZE];
    bool branch; /* it was to begin a line */
} aci_lost;

/* What is known of it after a look. */
typedef struct aci_found_lost {
    enum { ACI_LOST_UNKNOWN, ACI_LOST_NOT_PUT, ACI_LOST_PUT } outcome;
    aci_memory
        memory; /* ACI_LOST_PUT: what was put, be it replaced since; its texts and snapshot are those of the lost */
} aci_found_lost;

/* Decides what became of a lost put. row: the checkpoint of its id, NULL: there is none. base: what the chat remembers,
   NULL: nothing. next: the next checkpoint of that one's line, or the first of the namespace; NULL: there is none.
   locked: nobody can put one now. E_CONFLICT: nobody can know. */
agentchat_status aci_thread_memory_decide_lost(const aci_lost *lost, const aci_checkpoint_row *row,
                                               const aci_memory *base, const aci_checkpoint_row *next, bool locked,
                                               aci_found_lost *out, agentchat_error *err);

#endif
