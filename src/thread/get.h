/* SPDX-License-Identifier: Apache-2.0 */
/* Getting a checkpoint, as the public calls and the live chats do it. */
#ifndef ACI_THREAD_GET_H
#define ACI_THREAD_GET_H

#include "thread/memory.h"

typedef struct aci_get {
    agentchat_store *store;
    agentchat_str thread, ns, id; /* id absent: the newest */
    int64_t line;                 /* … of this line; 0: of the namespace */
    bool about_lines;             /* the next three are wanted */
    aci_checkpoint_found line_newest;
    int64_t first_line, last_line; /* of the namespace */
    aci_checkpoint_found found;
    const aci_memory *memory;     /* what need not be read if it is there as it was; NULL: nothing is remembered */
    aci_checkpoint_found held;    /* its row */
    agentchat_snapshot *snapshot; /* after aci_get_run(): one reference, the caller's */
} aci_get;

/* Takes over and checks what the caller gave; clear it in any case. */
agentchat_status aci_get_begin(aci_get *get, agentchat_store *store, const char *thread,
                               const agentchat_checkpoint_options *options, agentchat_error *err);
/* Queues the statement that finds its row. */
void aci_get_ask(aci_get *get, aci_tx *tx);
/* Runs what is queued, that statement among it: E_NOTFOUND. ends: it is the transaction's last batch. */
agentchat_status aci_get_find(aci_get *get, aci_tx *tx, bool ends, agentchat_error *err);
/* Finds it and reads its chat. */
agentchat_status aci_get_run(aci_get *get, agentchat_error *err);
void aci_get_clear(aci_get *get);

#endif
