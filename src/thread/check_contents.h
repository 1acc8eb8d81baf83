/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the checkpoints of a thread can be read, each at the cost of what those before it do not have: a list that
 * has been read up to some position is read from there on, and a body once.
 */
#ifndef ACI_THREAD_CHECK_CONTENTS_H
#define ACI_THREAD_CHECK_CONTENTS_H

#include "base/index.h"
#include "thread/intervals.h"

/* What of a thread could be read. All zero: nothing yet. */
typedef struct aci_readable {
    aci_intervals messages, values; /* positions, as lists of these */
    aci_index bodies;               /* by number and what it was read as */
    aci_arena *arena;               /* of the index's keys */
    bool is_large;                  /* the thread has more bytes than a checkpoint may: each is read in full */
} aci_readable;

void aci_readable_clear(aci_readable *readable, const agentchat_env *env);
/* Reads what of a checkpoint is not in there. After a failure nothing is in there any more. */
agentchat_status aci_check_contents(aci_readable *readable, aci_tx *tx, const aci_checkpoint_row *row,
                                    agentchat_error *err);

#endif
