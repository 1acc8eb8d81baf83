/* SPDX-License-Identifier: Apache-2.0 */
/* A database's driver that fails at call n, or whose answer to a commit is lost. */
#ifndef FAULTY_DRIVER_H
#define FAULTY_DRIVER_H

#include "session/session_internal.h"

typedef enum fault {
    FAILS_FOR_GOOD, /* before the batch; the same again would fail again */
    FAILS_FOR_NOW,  /* before the batch; the transaction may be tried again */
    LOST_UNDONE,    /* the answer to a commit is lost, and it was not carried out */
    LOST_AND_DONE,  /* the answer to a commit is lost, but it was carried out */
    FAULT_COUNT
} fault;

typedef struct fault_plan {
    const aci_sql_driver *real;
    fault what;
    size_t at; /* the run that fails, from 0; SIZE_MAX: none */
    size_t runs;
    bool writing;
    bool struck, struck_ever; /* in this step; in all of them */
    bool at_commit;           /* it is not a run of that number that fails, but the next commit of a write */
    void (*between)(void *);  /* what others do before the transaction is tried again; then NULL */
    void *user;
} fault_plan;

extern fault_plan plan; /* what happens; the test sets it */

/* The run() of a driver that otherwise is plan.real. */
agentchat_status faulty_run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                            aci_sql_outcome *outcome, agentchat_error *err);

#endif
