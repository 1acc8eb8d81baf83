/* SPDX-License-Identifier: Apache-2.0 */
/* What checking threads looks at: whether their checkpoints can be read, and whether their index has every word. */
#ifndef ACI_THREAD_CHECK_PARTS_H
#define ACI_THREAD_CHECK_PARTS_H

#include "base/index.h"
#include "store/core/check.h"
#include "thread/intervals.h"
#include "thread/rows.h"

/* ---- check_contents.c: each checkpoint at the cost of what those before it do not have; a list that has been read up
   to some position is read from there on, and a body once -------------------------------------------------------------
 */

/* What of a thread could be read. All zero: nothing yet. */
typedef struct aci_readable {
    aci_intervals messages, values; /* positions, as lists of these */
    aci_index bodies;               /* by number and what it was read as */
    aci_arena *arena;               /* of the index's keys */
    bool is_large;                  /* the thread has more bytes than a checkpoint may: each is read in full */
} aci_readable;

void aci_check_contents_clear(aci_readable *readable, const agentchat_env *env);
/* Reads what of a checkpoint is not in there. After a failure nothing is in there any more. */
agentchat_status aci_check_contents(aci_readable *readable, aci_tx *tx, const aci_checkpoint_row *row,
                                    agentchat_error *err);

/* ---- check_terms.c ----------------------------------------------------------------------------------------------- */

/* Reports what is missing as problems of a part. E_CORRUPT where a row is damaged. */
agentchat_status aci_check_terms(aci_store_check *all, const char *part, aci_tx *tx, agentchat_str thread,
                                 agentchat_error *err);

#endif
