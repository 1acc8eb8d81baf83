/* SPDX-License-Identifier: Apache-2.0 */
/* The service that keeps documents in tables of a store. */
#ifndef ACI_MEMORY_MEMORY_H
#define ACI_MEMORY_MEMORY_H

#include "store/core/sql.h"
#include <agentchat/work.h>

enum { ACI_MEMORY_SERVICE = 3 }; /* whose statements those of memory are */
extern const aci_service aci_memory_service;

/* ==== work that is queued together with something else (work.c) ================================================== */

typedef struct aci_queueing {
    agentchat_str thread;
    const agentchat_work_request *requests;
    size_t count;
    /* ---- inside ---- */
    void *slots; /* the rows as they are, in the arena */
    int64_t now;
} aci_queueing;

/* Whether the requests can be queued: E_INVALID. */
agentchat_status aci_work_check(const agentchat_work_request *requests, size_t count, agentchat_error *err);
/* Queues the statements that find and lock the rows, in a transaction that writes and may be of another service: before
   its first batch. */
void aci_work_ask(aci_tx *tx, aci_queueing *q, aci_arena *arena);
/* After that batch: queues the statements that write them. */
void aci_work_put(aci_tx *tx, aci_queueing *q);
/* A thread is deleted in the transaction, which has begun: what was queued for it fails. */
agentchat_status aci_work_drop(aci_tx *tx, agentchat_str thread, agentchat_error *err);

#endif
