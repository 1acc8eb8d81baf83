/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in many short transactions. */
#include "store/core/sql.h"

#include "base/error.h"
#include <time.h>

/* A step shall hold its lock for some 4 ms of work: committing comes on top of that, and may take twice as long. */
enum { FIRST_ROWS = 64, LEAST_ROWS = 16, MOST_ROWS = 1024, LONG_US = 4000, SHORT_US = 1500 };

static int64_t clock_us(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void aci_steps_begin(aci_steps *steps, agentchat_store *store)
{
    *steps = (aci_steps){.store = store, .call = aci_sql_call_begin(store, true), .rows = FIRST_ROWS};
    if (store->step_rows != 0)
        steps->rows = store->step_rows;
}

/* Doubled and halved, so that it follows rows that become larger soon enough. A few rows at least: on a machine that is
   busy, or a server that is far away, a step of one takes as long. */
static void adapt(aci_steps *steps)
{
    if (steps->store->step_rows != 0)
        return;
    if (steps->worked_us > LONG_US && steps->rows > LEAST_ROWS)
        steps->rows /= 2;
    else if (steps->worked_us < SHORT_US && steps->rows < MOST_ROWS)
        steps->rows *= 2;
}

static agentchat_status fail_cancelled(agentchat_error *err)
{
    if (err != NULL)
        agentchat_error_clear(err);
    return aci_fail(err, AGENTCHAT_E_CANCELLED,
                    "the call was cancelled on its way: what it has done stays, and the same call does the rest");
}

agentchat_status aci_steps_run(aci_steps *steps, aci_work work, void *user, agentchat_error *err)
{
    agentchat_status status;

    if (steps->any && steps->store->step_rows == 0)
        aci_sql_clock_pause(2); /* longer than those sleep who wait for a lock of SQLite */
    steps->worked_us = 0;
    status = aci_transact_in(steps->store, &steps->call, true, work, user, err);
    if (status == AGENTCHAT_E_CANCELLED && steps->any && !steps->is_all_or_nothing)
        return fail_cancelled(err);
    if (status < 0)
        return status;
    adapt(steps);
    steps->any = true;
    return status;
}

agentchat_status aci_steps_lock(aci_steps *steps, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status = aci_transact_run(tx, false, err);

    steps->locked_us = clock_us();
    return status;
}

agentchat_status aci_steps_write(aci_steps *steps, aci_tx *tx, agentchat_error *err)
{
    agentchat_status status = tx->count > 0 ? aci_transact_run(tx, false, err) : AGENTCHAT_OK;

    steps->worked_us = clock_us() - steps->locked_us;
    return status;
}

agentchat_status aci_steps_look(aci_steps *steps, aci_work work, void *user, agentchat_error *err)
{
    agentchat_status status = aci_transact_in(steps->store, &steps->call, false, work, user, err);

    return status == AGENTCHAT_E_CANCELLED && steps->any ? fail_cancelled(err) : status;
}
