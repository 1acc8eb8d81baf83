/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks of threads that are long already: reading their end, and taking their beginning away. */
#ifndef BENCH_READING_H
#define BENCH_READING_H

#include "conversation.h"

/* Makes a thread of so many messages in `store`, then reads the newest 50 on `reopen`'s stores, each used once, and on
   `store`. Rows: "newest", over what ("open" or "fresh"), store, messages, microseconds. */
void bench_newest(agentchat_store *store, agentchat_store *(*reopen)(void), size_t messages);

/* Rows: "prune", what was done, turns, milliseconds in all, milliseconds that another writer had to wait at the
   longest, bytes of the file before and after. */
void bench_prune(size_t turns);

#endif
