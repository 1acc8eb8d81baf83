/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a thread as those of another one, in portions. */
#ifndef ACI_THREAD_COPY_ROWS_H
#define ACI_THREAD_COPY_ROWS_H

#include "thread/scan.h"

typedef struct aci_copied_row aci_copied_row;

/* Where rows go. */
typedef struct aci_copier {
    const agentchat_env *env;
    aci_tx *reader;     /* a transaction in which the thread is read */
    int64_t source;     /* number of the thread */
    int64_t num;        /* of the new one */
    int64_t shift;      /* from the numbers of its bodies to those of the copies */
    int64_t has_body;   /* a body that was copied before; 0: none */
    const size_t *most; /* how much a portion may be */
    /* Writes the portion that was gathered, with aci_copy_rows_queue(). */
    agentchat_status (*write)(void *user, agentchat_error *err);
    void *user;
    /* ---- the portion ---- */
    aci_arena *arena;
    aci_copied_row *list;
    size_t count, cap, cost;
} aci_copier;

/* Gathers all rows and writes them; clear it in any case. */
agentchat_status aci_copy_rows(aci_copier *rows, agentchat_error *err);
void aci_copy_rows_clear(aci_copier *rows);
/* Queues the rows of the portion. It may be done again. arena: lives until they were written. */
agentchat_status aci_copy_rows_queue(const aci_copier *rows, aci_tx *tx, aci_arena *arena, agentchat_error *err);
/* Queues a body as it is copied. */
agentchat_status aci_copy_rows_queue_body(const aci_copier *rows, aci_tx *tx, const aci_body_row *body,
                                          agentchat_error *err);

#endif
