/* SPDX-License-Identifier: Apache-2.0 */
/* A mock driver, stores over it, and a transaction that shows what became of it. */
#ifndef MOCK_DRIVER_H
#define MOCK_DRIVER_H

#include "store/core/sql.h"
#include "support/test_support.h"
#include <stdatomic.h>

typedef struct answer { /* to one run: what it returns, and with what outcome */
    agentchat_status status;
    aci_sql_outcome outcome;
} answer;

typedef struct mock {
    const aci_sql_host *host;
    aci_sql_versions versions;
    answer connects[8], runs[16], confirms[8], installs[8];
    size_t connect_count, run_count, confirm_count,
        install_count; /* how many of the answers were given; beyond them all is well */
    size_t opened, closed, rollbacks, freed;
    unsigned flags[16]; /* of the runs */
    size_t statements[16];
    int64_t writer; /* what the statement about the version says */
    bool dead_after_failure;
    long failing_takes_ms; /* each run that fails */
    atomic_int in_use, most_in_use;
} mock;

extern const aci_sql_driver mock_driver; /* its self is a mock */

/* A mock driver that answers every call with success. */
mock sound(void);
agentchat_status open_mock(mock *p, uint32_t wait_ms, bool read_only, bool may_install, agentchat_store **store,
                           agentchat_error *err);
agentchat_store *open_sound(mock *p);

extern const aci_statement some; /* a statement; it does not matter which */

/* What work() does and what it saw. */
typedef struct job {
    size_t calls, rows;
    bool of_threads; /* its statements are; those of sessions otherwise */
    bool commits, repeated, fails_in_row;
    agentchat_status fails; /* of its own, after the first batch */
} job;

/* A transaction of a job: two statements, and where it writes and commits, one more after them. */
agentchat_status work(aci_tx *tx, void *user, agentchat_error *err);

/* What most transactions begin with: a sound driver, a store over it, and a job that commits. */
typedef struct stage {
    mock p;
    agentchat_store *store;
    job j;
    agentchat_error err;
} stage;

void stage_open(stage *s);
void stage_close(stage *s);

#endif
