/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In the file PATH-shm the first byte of the locks is that of the writer, the second that of the one who copies the log
 * into the file (https://www.sqlite.org/walformat.html, section 2.3.1).
 */
#include "locks.h"

#include "../measure.h"

enum { WRITER = 0, COPIER = 1 };

bench_held bench_held_writing, bench_held_copying;
double bench_first_locked;

static int (*usual_lock)(sqlite3_file *, int, int, int);

static double worked_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void begin(bench_held *held)
{
    held->since = bench_now_us();
    held->since_cpu = worked_us();
}

static void end(bench_held *held)
{
    double worked = worked_us() - held->since_cpu;

    if (held->count == held->cap) {
        held->cap = held->cap == 0 ? 1024 : 2 * held->cap;
        held->wall = realloc(held->wall, held->cap * sizeof *held->wall);
        if (held->wall == NULL) {
            perror("locks");
            exit(1);
        }
    }
    held->wall[held->count++] = bench_now_us() - held->since;
    if (worked > held->most_cpu)
        held->most_cpu = worked;
}

static int lock(sqlite3_file *file, int at, int count, int flags)
{
    bench_held *held = at == WRITER ? &bench_held_writing : &bench_held_copying;
    int code = usual_lock(file, at, count, flags);

    if (code != SQLITE_OK || at > COPIER || (flags & SQLITE_SHM_EXCLUSIVE) == 0)
        return code;
    if ((flags & SQLITE_SHM_UNLOCK) != 0) {
        end(held);
    } else {
        begin(held);
        if (at == WRITER && bench_first_locked == 0)
            bench_first_locked = held->since;
    }
    return code;
}

void bench_locks_watch(sqlite3_io_methods *methods)
{
    usual_lock = methods->xShmLock;
    methods->xShmLock = lock;
}
