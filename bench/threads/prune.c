/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long pruning takes, and how long it keeps others from writing: a second thread of the process begins a write
 * transaction of its own every 0.1 ms or so, and keeps the longest time that this took. It asks again at once when the
 * file is locked, so what it measures is the lock and not how long it sleeps.
 */
#include "file.h"
#include "reading.h"
#include "run.h"

#include <pthread.h>
#include <stdatomic.h>

enum { KEEP = 10 };

typedef struct other_writer {
    pthread_t thread;
    atomic_bool is_there, is_over;
    double longest;
} other_writer;

static int ask_again(void *user, int times)
{
    const struct timespec pause = {0, 20000};

    (void)user;
    (void)times;
    nanosleep(&pause, NULL);
    return 1;
}

static void *write_now_and_then(void *user)
{
    other_writer *other = user;
    const struct timespec pause = {0, 100000};
    sqlite3 *db = bench_file_bare(AGENTCHAT_DURABILITY_NORMAL);

    bench_sqlite_must(sqlite3_busy_handler(db, ask_again, NULL), db);
    while (!atomic_load(&other->is_over)) {
        double before = bench_now_us(), took;

        bench_sqlite_must(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), db);
        took = bench_now_us() - before;
        if (took > other->longest)
            other->longest = took;
        atomic_store(&other->is_there, true);
        bench_sqlite_must(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), db);
        nanosleep(&pause, NULL);
    }
    bench_sqlite_must(sqlite3_close(db), db);
    return NULL;
}

static void prune(agentchat_store *store, agentchat_error *err)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    options.keep = KEEP;
    bench_must(agentchat_thread_prune(store, "thread", &options, NULL, err), err);
}

static void delete (agentchat_store *store, agentchat_error *err)
{
    bench_must(agentchat_thread_delete(store, "thread", err), err);
}

static void measure(const char *what, size_t turns, bench_kind kind, void (*work)(agentchat_store *, agentchat_error *))
{
    agentchat_store *store = bench_file_store(AGENTCHAT_DURABILITY_NORMAL);
    other_writer other = {.longest = 0};
    agentchat_error err;
    double before, took, size;
    bench_run run;

    bench_run_begin(&run, what, "normal", turns, 1);
    bench_run_chat(&run, store, kind, bench_long, 1, NULL);
    free(run.puts);
    agentchat_store_close(store);
    size = bench_file_size();
    store = bench_file_store(AGENTCHAT_DURABILITY_NORMAL);
    atomic_init(&other.is_there, false);
    atomic_init(&other.is_over, false);
    if (pthread_create(&other.thread, NULL, write_now_and_then, &other) != 0) {
        perror("bench_threads");
        exit(1);
    }
    while (!atomic_load(&other.is_there))
        nanosleep(&(struct timespec){0, 100000}, NULL);
    before = bench_now_us();
    work(store, &err);
    took = bench_now_us() - before;
    atomic_store(&other.is_over, true);
    (void)pthread_join(other.thread, NULL);
    agentchat_store_close(store);
    printf("prune\t%s\t%zu\t%.2f\t%.2f\t%.0f\t%.0f\n", what, turns, took / 1e3, other.longest / 1e3, size,
           bench_file_size());
    fflush(stdout);
    bench_file_remove();
}

void bench_prune(size_t turns)
{
    measure("prune to the newest 10", turns, BENCH_PLAIN, prune);
    measure("prune to the newest 10, a summary replaced each turn", turns, BENCH_SUMMARY, prune);
    measure("delete the thread", turns, BENCH_PLAIN, delete);
}
