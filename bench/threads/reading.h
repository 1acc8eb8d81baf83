/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks of threads that are long already: reading their end, what is new in them, and taking their beginning away.
 */
#ifndef BENCH_READING_H
#define BENCH_READING_H

#include "conversation.h"

/* Makes a thread of so many messages in `store`, then reads the newest 50 on `reopen`'s stores, each used once, and on
   `store`. Rows: "newest", over what ("open" or "fresh"), store, messages, microseconds. */
void bench_newest(agentchat_store *store, agentchat_store *(*reopen)(void), size_t messages);

/* Two chats take turns on a thread of so many messages, and each is brought up to date before its own. Rows:
   "catch-up", the kind of the conversation, store, messages, microseconds of a catch-up, and of the put before it. */
void bench_catch_up(agentchat_store *store, bench_kind kind, const char *name, size_t messages);

/* Rows: "prune", what was done, turns, milliseconds in all, milliseconds that another writer had to wait at the
   longest, bytes of the file before and after. */
void bench_prune(size_t turns);

#endif
