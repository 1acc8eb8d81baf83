/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that do the same thing to the same objects at the same time, and an environment for them.
 *
 * A failed assertion of cmocka leaves the test by a jump, which only the thread that runs the test may do. Threads
 * therefore say what went wrong, and crowd_run() asserts.
 */
#ifndef CROWD_H
#define CROWD_H

#include "support/test_support.h"

#include <stdatomic.h>

enum { CROWD_THREADS = 8 };

/* What every thread does, with its number from 0. Returns NULL, or what went wrong: a static text. */
typedef const char *(*crowd_fn)(void *shared, size_t number);

/* Starts CROWD_THREADS threads, lets all of them begin at once, waits for them and fails the test when one complains.
 */
void crowd_run(crowd_fn each, void *shared);

/* For the threads of a crowd: waits until all have come here for the nth time, from 1. *arrived begins at 0. */
void crowd_meet(atomic_size_t *arrived, size_t nth);

/* The text of a condition that does not hold, for a thread to return. */
#define CROWD_TEXT_(text) #text
#define CROWD_LINE_(line) CROWD_TEXT_(line)
#define CROWD_CHECK(condition)                                                                                         \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return __FILE__ ":" CROWD_LINE_(__LINE__) ": " #condition;                                                 \
    } while (0)

/* An environment that threads may share; its allocator counts the blocks that are alive. */
agentchat_env *crowd_env(void);
/* Releases it; fails the test when a block is still alive. */
void crowd_env_end(agentchat_env *env);

/* How often to repeat: the program's first argument, or 1. */
size_t crowd_rounds(int argc, char **argv);

/* A snapshot of a golden or recorded file, read with env; name is relative to the repository's tests. */
agentchat_snapshot *crowd_snapshot(const agentchat_env *env, const char *name);

#endif
