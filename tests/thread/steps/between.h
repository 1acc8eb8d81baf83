/* SPDX-License-Identifier: Apache-2.0 */
/* A store's driver that lets others in between the transactions of a call, or fails at call n. */
#ifndef THREAD_STEPS_BETWEEN_H
#define THREAD_STEPS_BETWEEN_H

#include "store/core/sql.h"
#include <agentchat/store.h>

typedef enum fault {
    FAILS_FOR_GOOD, /* before the batch; the same again would fail again */
    FAILS_FOR_NOW,  /* before the batch; the transaction may be tried again */
    LOST_UNDONE,    /* the answer to a commit is lost, and it was not carried out */
    LOST_AND_DONE,  /* the answer to a commit is lost, but it was carried out */
    FAULT_COUNT
} fault;

typedef struct between_plan {
    void (*others)(void *user); /* called before each transaction that writes, not within itself; NULL: nobody */
    void *user;
    fault what;
    size_t at; /* the first batch that may fail, from 0; SIZE_MAX: none */
    /* ---- what happened ---- */
    size_t batches, writes;
    bool struck;
    size_t struck_at; /* the batch that failed */
} between_plan;

extern between_plan between;

/* The store goes through it from now on, its calls in transactions of so many rows; 0: as it is. */
void between_begin(agentchat_store *store, uint32_t step_rows);
void between_end(agentchat_store *store);

#endif
