/* SPDX-License-Identifier: Apache-2.0 */
/* Pruning, copying and deleting in steps: what others do between them, and calls of the database that fail. */
#ifndef THREAD_STEPS_H
#define THREAD_STEPS_H

#include "between.h"
#include "thread/contract/contract.h"

int steps_interleaved(void);
int steps_faults(void);

/* Checks the store: no problem. Returns how many parts say that they have something unused. */
size_t count_unused_at(agentchat_store *store, const char *file, int line);
#define count_unused(store) count_unused_at((store), __FILE__, __LINE__)

#endif
