/* SPDX-License-Identifier: Apache-2.0 */
/* A store's driver that lets others in, or fails: all but run() is the real one's. */
#include "between.h"

between_plan between = {.at = SIZE_MAX};

static const aci_sql_driver *real;
static aci_sql_driver faulty;
static bool is_inside;  /* others are at work */
static bool is_writing; /* the last transaction that was begun */

static agentchat_status strike(agentchat_status status, aci_sql_outcome outcome, aci_sql_outcome *out,
                               agentchat_error *err)
{
    between.struck = true;
    between.struck_at = between.batches - 1;
    *out = outcome;
    return agentchat_error_set(err, status, "as planned");
}

static void let_others_in(void)
{
    if (between.others == NULL || is_inside)
        return;
    is_inside = true;
    between.others(between.user);
    is_inside = false;
}

static agentchat_status run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                            aci_sql_outcome *outcome, agentchat_error *err)
{
    bool begins = (flags & (ACI_SQL_BEGIN_READ | ACI_SQL_BEGIN_WRITE)) != 0, strikes;
    agentchat_status status;

    if ((flags & ACI_SQL_BEGIN_WRITE) != 0) {
        between.writes++;
        let_others_in();
    }
    if (begins)
        is_writing = (flags & ACI_SQL_BEGIN_WRITE) != 0;
    strikes = between.batches++ >= between.at && !between.struck;
    if (between.what >= LOST_UNDONE && (!is_writing || (flags & ACI_SQL_COMMIT) == 0))
        strikes = false; /* what is lost are answers to commits */
    if (strikes && between.what != LOST_AND_DONE) {
        if (!begins)
            real->rollback(connection);
        if (between.what == FAILS_FOR_GOOD)
            return strike(AGENTCHAT_E_IO, ACI_SQL_FINAL, outcome, err);
        if (between.what == FAILS_FOR_NOW)
            return strike(AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, outcome, err);
        return strike(AGENTCHAT_E_IO, ACI_SQL_UNCERTAIN, outcome, err);
    }
    status = real->run(connection, flags, requests, count, outcome, err);
    return strikes && status >= 0 ? strike(AGENTCHAT_E_IO, ACI_SQL_UNCERTAIN, outcome, err) : status;
}

void between_begin(agentchat_store *store, uint32_t step_rows)
{
    real = store->driver;
    faulty = *real;
    faulty.run = run;
    store->driver = &faulty;
    store->step_rows = step_rows;
    between = (between_plan){.at = SIZE_MAX};
    is_inside = false; /* a test may have failed there */
}

void between_end(agentchat_store *store)
{
    store->driver = real;
    store->step_rows = 0;
}
