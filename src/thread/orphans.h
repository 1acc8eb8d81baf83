/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of threads whose rows nobody reads: of one that was deleted, until its rows are deleted too, and of a copy,
 * until it is complete and becomes a thread. What a killed call leaves is deleted by the next one that deletes, prunes
 * or copies anything in the store.
 *
 * A copy holds its number up to a time, and looks at each step whether it has it still. So clocks that differ cost
 * work, and nothing else.
 */
#ifndef ACI_THREAD_ORPHANS_H
#define ACI_THREAD_ORPHANS_H

#include "thread/steps.h"

typedef struct aci_orphan_row {
    int64_t num;
    int64_t until_us; /* a copy is at work until then; 0: to be deleted */
    bool found;
    bool is_damaged;
} aci_orphan_row;
/* For the statements that give one, or all of them: damage is no failure. */
agentchat_status aci_orphans_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);

/* Queue a new row, or one that is there, with another time. E_NOMEM. */
agentchat_status aci_orphans_put(aci_tx *tx, aci_thread_statement which, int64_t num, int64_t until_us,
                                 agentchat_error *err);
/* Queue locking one, deleting one. */
void aci_orphans_ask(aci_tx *tx, int64_t num, aci_orphan_row *out);
void aci_orphans_remove(aci_tx *tx, int64_t num);

/* Deletes some rows of a number within a step. *is_done: there are none any more, once what is queued has run. */
agentchat_status aci_orphans_clear_some(aci_steps *steps, aci_tx *tx, int64_t num, bool *is_done, agentchat_error *err);
/* Deletes all of them in steps, then the orphan's own row. */
agentchat_status aci_orphans_clear(aci_steps *steps, int64_t num, agentchat_error *err);
/* Does that with what others have left. Whatever is in the way is left to the next call. */
void aci_orphans_clear_all(aci_steps *steps);

#endif
