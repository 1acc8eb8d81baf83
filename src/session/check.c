/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking the sessions of a store: whether everything is what it should be, and fits together.
 *
 * Each page is a transaction of its own. A session is looked at as of one moment together with a page of its events.
 */
#include "session/check.h"

#include "base/error.h"
#include <inttypes.h>
#include <string.h>

/* ---- what belongs to nothing ---------------------------------------------------------------------------------- */

static agentchat_status note_lost(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_check *c = user;
    agentchat_str app;
    aci_excerpt excerpt;
    int64_t num = 0, rows = 0;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &app, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &num, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &rows, err);
    if (status < 0)
        return status;
    return aci_check_problem(c->all, "events", err,
                             "application %s: %" PRId64 " events belong to no session (number %" PRId64 ")",
                             aci_error_excerpt(app, &excerpt), rows, num);
}

static agentchat_status lost_page(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_check *c = user;

    aci_check_begin_page(c);
    c->all->bad = 0;
    aci_statement_add(tx, ACI_STATEMENT_LOST_EVENTS, note_lost, c);
    return aci_transact_run(tx, true, err);
}

static agentchat_status check_lost(aci_check *c, agentchat_error *err)
{
    agentchat_status status;

    aci_check_start_over(c);
    status = aci_check_run_page(c, "events", lost_page, c, err);

    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = aci_check_note(c->all, "events", NULL, err);
    return status < 0 ? status : aci_check_report(c->all, err);
}

/* ---- the complete check --------------------------------------------------------------------------------------- */

agentchat_status aci_session_check(aci_store_check *all, agentchat_error *err)
{
    aci_check c;
    agentchat_status status;

    memset(&c, 0, sizeof c);
    c.all = all;
    c.env = all->env;
    c.arena = aci_arena_new(c.env, 0);
    status = c.arena != NULL ? aci_check_sessions(&c, false, err) : aci_fail_nomem(err);
    if (status >= 0 && !all->stopped)
        status = aci_check_state(&c, err);
    if (status >= 0 && !all->stopped)
        status = check_lost(&c, err);
    aci_arena_unref(c.arena);
    return status;
}
