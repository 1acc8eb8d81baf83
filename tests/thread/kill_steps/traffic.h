/* SPDX-License-Identifier: Apache-2.0 */
/* What several processes put into a thread, each into a namespace of its own, and whether a thread is what comes of
   that. Nothing here ends a test: it is called in processes that have none. */
#ifndef THREAD_KILL_STEPS_TRAFFIC_H
#define THREAD_KILL_STEPS_TRAFFIC_H

#include "thread/contract/contract.h"

#include <stdatomic.h>

enum { TRAFFIC_WRITERS = 2, TRAFFIC_KEEP = 40 };

/* How many checkpoints of each writer were acknowledged; in memory that all processes share. */
typedef struct traffic {
    atomic_uint puts[TRAFFIC_WRITERS];
} traffic;

typedef struct traffic_numbers {
    unsigned puts[TRAFFIC_WRITERS];
} traffic_numbers;

traffic_numbers traffic_now(const traffic *t);

/* Puts the next checkpoint of a writer, and every third time a pending write with it, and counts it. */
agentchat_status traffic_put(agentchat_store *store, const char *thread, traffic *t, unsigned writer,
                             agentchat_error *err);
/* Deletes all but the newest TRAFFIC_KEEP of each writer. */
agentchat_status traffic_prune(agentchat_store *store, const char *thread, agentchat_error *err);
/*
 * Looks whether a thread has, of each writer, all checkpoints from one on: at least TRAFFIC_KEEP, and those that were
 * acknowledged before. Reads one of `every` completely, and compares. pruned: what was put by now where somebody prunes
 * meanwhile: of those only the newest TRAFFIC_KEEP must still be there. NULL: nobody does. E_NOTFOUND: there is no such
 * thread, or something of it is gone; E_CORRUPT: it is something else.
 */
agentchat_status traffic_look(agentchat_store *store, const char *thread, const traffic_numbers *before,
                              const traffic *pruned, size_t every, agentchat_error *err);

#endif
