/* SPDX-License-Identifier: Apache-2.0 */
/* How long a process holds the locks of an SQLite file's write-ahead log, and when it got them. */
#ifndef BENCH_LOCKS_H
#define BENCH_LOCKS_H

#include <sqlite3.h>
#include <stddef.h>

typedef struct bench_held {
    double *wall; /* microseconds of each time that it was held */
    size_t count, cap;
    double most_cpu; /* the most that the thread has worked in one of them, microseconds */
    double since, since_cpu;
} bench_held;

/* Of the one who writes, and of the one who copies the log into the file. */
extern bench_held bench_held_writing, bench_held_copying;
/* When the lock for writing was got first since this was set to 0. */
extern double bench_first_locked;

/* Has these told of the files that have the functions. */
void bench_locks_watch(sqlite3_io_methods *methods);

#endif
