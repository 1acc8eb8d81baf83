/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that take as long as a thread is, in many short transactions. A step is a transaction that writes; between two
 * of them others get their turn. How many rows a step works on follows from how long the one before took.
 */
#ifndef ACI_THREAD_STEPS_H
#define ACI_THREAD_STEPS_H

#include "thread/rows.h"

typedef struct aci_steps {
    agentchat_store *store;
    aci_sql_call call;
    size_t rows;            /* that the next step may write; 2 KiB of a body count as one */
    bool any;               /* a step has been committed */
    bool is_all_or_nothing; /* nobody sees what the steps do but the last */
    int64_t locked_us;      /* when the one that runs got its lock */
    int64_t worked_us;      /* how long it worked then */
} aci_steps;

void aci_steps_begin(aci_steps *steps, agentchat_store *store);
/* Runs a step. Its work calls the next two. Once a step has been committed, the error of a later one that is cancelled
   says so. */
agentchat_status aci_steps_run(aci_steps *steps, aci_work work, void *user, agentchat_error *err);
/* Runs the first batch, which locks a row. */
agentchat_status aci_steps_lock(aci_steps *steps, aci_tx *tx, agentchat_error *err);
/* Runs what is queued, without committing it yet, and looks at the time. */
agentchat_status aci_steps_write(aci_steps *steps, aci_tx *tx, agentchat_error *err);
/* Looks at the store between two steps, in a transaction that reads. */
agentchat_status aci_steps_look(aci_steps *steps, aci_work work, void *user, agentchat_error *err);

/* Queues a statement that locks a thread's row; aci_steps_has() says afterwards whether it is still that thread. */
void aci_steps_ask_thread(aci_tx *tx, aci_thread_statement which, agentchat_str id, aci_thread_found *found);
static inline bool aci_steps_has(const aci_thread_found *found, int64_t num)
{
    return found->found && found->row.num == num;
}

/* What a body counts as, beside the rows of a step. */
static inline size_t aci_steps_cost(int64_t length)
{
    return 1 + (length > 0 ? (size_t)(length / 2048) : 0);
}

#endif
