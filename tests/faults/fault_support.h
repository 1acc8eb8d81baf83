/* SPDX-License-Identifier: Apache-2.0 */
/* What the fault tests share: chats to save, plans of failures, and what is left in a directory afterwards. */
#ifndef FAULTS_FAULT_SUPPORT_H
#define FAULTS_FAULT_SUPPORT_H

#include "support/test_support.h"

#include "io_watch.h"

/* ---- chats ------------------------------------------------------------------------------------------------------- */

#define FORMATS 3
extern const char *const formats[FORMATS];

/* A chat with two agents, one of which has spoken, and `messages` messages of about `size` bytes; equal seeds make
   equal chats. */
agentchat_chat *chat_make(size_t messages, size_t size, unsigned seed);
/* The same chat's agents and nothing else: what a state is restored into. */
agentchat_chat *chat_make_empty(void);
agentchat_snapshot *chat_snapshot(agentchat_chat *chat);
/* What the chat is as a document. */
agentchat_bytes chat_document(agentchat_chat *chat, const char *format);
agentchat_write_options write_options(const char *format);

/* ---- failures ---------------------------------------------------------------------------------------------------- */

#define ERRORS 17
extern const int errors[ERRORS];

/* Call `at` fails with `error`, alone or with all later ones. What was met stays here. */
typedef struct fault_plan {
    unsigned long at;
    int error;
    bool all_after;
    bool has_hit;
    io_call hit;             /* the call that failed first */
    int written;             /* the descriptor that was written to before the failure; 0: none */
    bool has_renamed;        /* a rename happened before the failure or after it */
    bool has_kept_temporary; /* the removal of a temporary file was made to fail */
    unsigned long calls;
} fault_plan;
io_watcher plan_watcher(fault_plan *plan);

/* Every call that may be repeated is interrupted again and again, and reads and writes do a random part of their work.
   Equal seeds give the same. */
typedef struct storm {
    uint32_t random;
    unsigned long interruptions, parts;
} storm;
io_watcher storm_watcher(storm *storm);
/* A pseudo-random number below `limit`, which is not 0. */
uint32_t next_random(uint32_t *state, uint32_t limit);

/* ---- what is left ------------------------------------------------------------------------------------------------ */

size_t open_descriptors(void);
/* Temporary files of the library in a directory. Fails the test at a file that is neither one of them nor `expected`.
 */
size_t temporaries_in(const char *dir, const char *expected, bool remove_them);
bool file_is(const char *path, const void *bytes, size_t len);
unsigned mode_of_file(const char *path);
/* An environment variable as a number; `otherwise` when it is unset. */
unsigned long number_from_env(const char *name, unsigned long otherwise);

#endif
