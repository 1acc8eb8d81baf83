/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a benchmark of threads: times of its turns, and the row that is printed about it. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "conversation.h"

/* Syncs so far: of the write-ahead log, and of the file itself. */
typedef struct bench_syncs {
    size_t log, file;
} bench_syncs;
extern bench_syncs bench_synced;

typedef struct bench_run {
    const char *what, *durability;
    double *puts; /* microseconds of each put */
    size_t turns, count;
    double turning;      /* microseconds of the turns in all, the puts with them */
    double before;       /* when the turn began */
    size_t said;         /* bytes of the messages */
    double stored;       /* bytes of the store after it was closed, set by the caller */
    double written;      /* bytes that the process has given to the system; -1: not known */
    double written_then; /* what it had given when the run began or went on */
    bench_syncs syncs;
    bench_syncs syncs_then;
    bool counts_syncs; /* set by the caller */
} bench_run;

/* At most `puts` puts in so many turns. */
void bench_run_begin(bench_run *run, const char *what, const char *durability, size_t turns, size_t puts);
/* Around what is done for this run and no other. */
void bench_run_go_on(bench_run *run);
void bench_run_pause(bench_run *run);
/* Around a turn, and around each put in it. */
void bench_run_turn_begin(bench_run *run);
void bench_run_turn_end(bench_run *run, bench_sizes sizes);
double bench_run_put_begin(void);
void bench_run_put_end(bench_run *run, double began);
/* Prints what run.c says, and releases the run. */
void bench_run_row(bench_run *run);

/* `turns` turns of a chat, each with `puts` checkpoints: one at its end, the others after the question. */
void bench_run_turns(bench_run *run, bench_conversation *conversation, size_t turns, agentchat_store *store,
                     size_t puts);
/* A whole conversation: all turns of the run. size: bytes of the store, so that there is a row of every 50 turns; or
   NULL. */
void bench_run_chat(bench_run *run, agentchat_store *store, bench_kind kind, bench_sizes sizes, size_t puts,
                    double (*size)(void));
const char *bench_durability_name(agentchat_durability durability);

#endif
