/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SQLite's own memory in the sweeps. It has one allocator for the whole process and uses none of the environment's, so
 * functions that count replace it before anything else: its allocations are failure points then, where a scenario asks
 * for that. SQLite can do without some of them. There are very many, so only each seventh counts, or each
 * AGENTCHAT_TEST_SQLITE_STRIDE-th.
 */
#ifndef SQLITE_MEMORY_H
#define SQLITE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* To be called first in main(). */
void sqlite_memory_begin(void);
/* Whether SQLite's allocations count; they do not at first. */
void sqlite_memory_count(bool counts);
/* Bytes that are alive. */
size_t sqlite_memory_used(void);

#endif
