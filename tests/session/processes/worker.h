/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each of many processes does to one store, and how its events can be distinguished afterwards.
 *
 * A worker is a process of its own (this program run again), so that nothing of a store is carried over a fork. It
 * writes a line to its log after each acknowledged append; when it is started again it goes on after the last one,
 * which means that an append whose acknowledgement was lost is tried again with the same id and content.
 */
#ifndef SESSION_WORKER_H
#define SESSION_WORKER_H

#include <stddef.h>
#include <stdint.h>

/* However slow a machine is, a worker that comes and goes has done WORKER_LEAST calls before it ends. */
enum { WORKERS = 8, SESSIONS = WORKERS + 1, WORKER_KEYS = 4, WORKER_LEAST = 5 };

typedef struct worker_job {
    const char *mode; /* append, count, apply, churn, race, same, look */
    const char *url, *app, *dir;
    int number;
    int64_t until_ms;   /* by CLOCK_REALTIME; 0: none */
    unsigned long most; /* events to append at most, in all lives; 0: any number */
} worker_job;

/* Session 0 belongs to everybody, session i + 1 was meant for worker i; users in turn. */
void worker_session_name(int session, char user[16], char id[16]);

/* Number n of a worker's events says the same in every attempt: which session it goes to, what it changes. */
typedef struct worker_event {
    int session;
    int app_key, user_key; /* set to "w<worker>-<n>"; -1: none */
    int counts_app, counts_user;
} worker_event;
worker_event worker_event_of(int worker, unsigned long n);

/* The log of a worker: the acknowledged events, n from 1, and their sequence numbers. Returns their number; *sequences
   is to be freed. */
size_t worker_acknowledged(const char *dir, int number, uint64_t **sequences);

/* The life of a worker. Returns the process's status: 0, or 1 with the error on standard error. */
int worker_run(const worker_job *job);
int64_t worker_now_ms(void);

#endif
