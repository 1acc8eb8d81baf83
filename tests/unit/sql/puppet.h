/* SPDX-License-Identifier: Apache-2.0 */
/* A driver that does as it is told, stores over it, and a transaction that shows what became of it. */
#ifndef PUPPET_H
#define PUPPET_H

#include "sql/sql.h"
#include "support/test_support.h"
#include <stdatomic.h>

typedef struct answer { /* to one run: what it returns, and with what outcome */
    agentchat_status status;
    agentchat_sql_outcome outcome;
} answer;

typedef struct puppet {
    agentchat_sql_version version;
    answer connects[8], runs[16], confirms[8];
    size_t connect_count, run_count, confirm_count; /* how many of the answers were given; beyond them all is well */
    size_t opened, closed, installs, rollbacks, freed;
    unsigned flags[16]; /* of the runs */
    size_t statements[16];
    int64_t writer; /* what the statement about the version says */
    bool dead_after_failure;
    long failing_takes_ms; /* each run that fails */
    atomic_int in_use, most_in_use;
} puppet;

extern const agentchat_sql_driver puppet_driver; /* its self is a puppet */
/* For drivers that confirm what was seen; this one has no need to. */
agentchat_status puppet_confirm(void *connection, agentchat_sql_outcome *outcome, agentchat_error *err);

/* A puppet with which all is well. */
puppet sound(void);
agentchat_status open_puppet(puppet *p, uint32_t wait_ms, bool read_only, bool may_install, agentchat_store **store,
                             agentchat_error *err);
agentchat_store *open_sound(puppet *p);

extern const aci_statement some; /* a statement; it does not matter which */

/* What work() does and what it saw. */
typedef struct job {
    size_t calls, rows;
    bool commits, repeated, fails_in_row;
    agentchat_status fails; /* of its own, behind the first batch */
} job;

/* A transaction of a job: two statements, and where it writes and commits, one more behind them. */
agentchat_status work(aci_tx *tx, void *user, agentchat_error *err);

/* What most transactions begin with: a sound driver, a store over it, and a job that commits. */
typedef struct stage {
    puppet p;
    agentchat_store *store;
    job j;
    agentchat_error err;
} stage;

void stage_open(stage *s);
void stage_close(stage *s);

#endif
