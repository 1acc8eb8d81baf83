/* SPDX-License-Identifier: Apache-2.0 */
/* A database's driver that fails at call n, or whose answer to a commit is lost: all but run() is the real one's. */
#include "faulty_driver.h"

fault_plan plan;

static agentchat_status strike(agentchat_status status, aci_sql_outcome outcome, aci_sql_outcome *out,
                               agentchat_error *err)
{
    plan.struck = plan.struck_ever = true;
    *out = outcome;
    return agentchat_error_set(err, status, "as planned");
}

static bool is_commit_of_a_write(unsigned flags)
{
    return plan.writing && (flags & ACI_SQL_COMMIT) != 0;
}

/* Others come in between a lost answer and the next attempt. */
static void let_others_in(void)
{
    void (*between)(void *) = plan.between;

    if (between == NULL || !plan.struck)
        return;
    plan.between = NULL;
    between(plan.user);
}

static bool strikes_now(unsigned flags)
{
    bool strikes = plan.at_commit ? !plan.struck : plan.runs == plan.at;

    plan.runs++;
    return strikes && (plan.what < LOST_UNDONE || is_commit_of_a_write(flags));
}

agentchat_status faulty_run(void *connection, unsigned flags, aci_sql_request *requests, size_t count,
                            aci_sql_outcome *outcome, agentchat_error *err)
{
    bool begins = (flags & (ACI_SQL_BEGIN_READ | ACI_SQL_BEGIN_WRITE)) != 0;
    agentchat_status status;
    bool strikes;

    if (begins) {
        let_others_in();
        plan.writing = (flags & ACI_SQL_BEGIN_WRITE) != 0;
    }
    strikes = strikes_now(flags);
    if (strikes && plan.what != LOST_AND_DONE) {
        if (!begins)
            plan.real->rollback(connection);
        if (plan.what == FAILS_FOR_GOOD)
            return strike(AGENTCHAT_E_IO, ACI_SQL_FINAL, outcome, err);
        if (plan.what == FAILS_FOR_NOW)
            return strike(AGENTCHAT_E_BUSY, ACI_SQL_TRANSIENT, outcome, err);
        return strike(AGENTCHAT_E_IO, ACI_SQL_UNCERTAIN, outcome, err);
    }
    status = plan.real->run(connection, flags, requests, count, outcome, err);
    return strikes && status >= 0 ? strike(AGENTCHAT_E_IO, ACI_SQL_UNCERTAIN, outcome, err) : status;
}
