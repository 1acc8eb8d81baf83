/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lost power. What SQLite writes, flushes and removes through sqlite_vfs.h is recorded; after each of these steps,
 * states are made in which a disk may come up: what was flushed is there; of the writes after that any may be missing,
 * and any may have arrived in some of its sectors only.
 */
#ifndef SQLITE_POWER_H
#define SQLITE_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEST_POWER_DAMAGED UINT64_MAX

/* Records from now on, or no longer. One database at a time. */
void test_power_begin(void);
void test_power_end(void);
/* A transaction was acknowledged; state: a number for what the file now holds. Before the first one it is 0. */
void test_power_acknowledge(uint64_t state);
/* The same of a call that takes several transactions: whatever undamaged state lies between them is one to come up in.
 */
void test_power_acknowledge_parts(uint64_t state);
/* How many steps were recorded, and how many of them flush the write-ahead log. */
size_t test_power_steps(void);
size_t test_power_flushes(void);
/* As if the log had never been flushed. */
void test_power_forget_flushes(void);
/* Forgets everything. */
void test_power_forget(void);

/* How many states are looked at. */
typedef struct test_power_amount {
    size_t step_every; /* after each so many steps; an acknowledged transaction always */
    unsigned random;   /* so many random states */
    unsigned all;      /* of so many writes that were not flushed, or fewer, all choices */
    bool each;         /* and each of them alone missing, alone there, and torn at each sector */
} test_power_amount;

typedef struct test_power_tally {
    size_t states, distinct;
    size_t outdated; /* older than what was acknowledged */
    size_t damaged;  /* no state in which a transaction left the file */
} test_power_tally;

/* Reads what the files at `path` hold, as the number of a state. */
typedef uint64_t (*test_power_read)(void *user);
test_power_tally test_power_crash(const char *path, const test_power_amount *amount, test_power_read read, void *user);

#endif
