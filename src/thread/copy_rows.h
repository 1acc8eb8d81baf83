/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a thread as those of another one, in portions. */
#ifndef ACI_THREAD_COPY_ROWS_H
#define ACI_THREAD_COPY_ROWS_H

#include "thread/numbers.h"
#include "thread/scan.h"

typedef struct aci_copied_row aci_copied_row;

/* Where rows go. */
typedef struct aci_copier {
    const agentchat_env *env;
    aci_tx *reader; /* a transaction in which the thread is read */
    int64_t source; /* number of the thread */
    int64_t num;    /* of the new one */
    /* Where numbers of bodies are of the whole file, the copies have those from `first` on, without a gap and in the
       same order: what others have put between those of the thread would else make the numbers grow with each copy. */
    aci_number_set bodies; /* of the thread; empty: the copies keep the numbers */
    int64_t first;
    int64_t has_body;   /* a body that was copied before; 0: none */
    bool has_terms;     /* the thread is indexed */
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
/* Learns the numbers of the thread's bodies. It may be done again. */
agentchat_status aci_copy_rows_learn_bodies(aci_copier *rows, agentchat_error *err);
/* The number that the copy of a body has; ACI_THREAD_HIGHEST, which none has: the thread has no such body. */
int64_t aci_copy_rows_number(const aci_copier *rows, int64_t no);
/* Queues a body as it is copied. */
agentchat_status aci_copy_rows_queue_body(const aci_copier *rows, aci_tx *tx, const aci_body_row *body,
                                          agentchat_error *err);

#endif
