/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking a store: whether everything is what it should be, and fits together.
 *
 * Each page is a transaction of its own, and findings are reported between them, so that the caller's function never
 * holds up a writer. A session is looked at as of one moment together with a page of its events.
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
    return aci_check_problem(c, "events", err,
                             "application %s: %" PRId64 " events belong to no session (number %" PRId64 ")",
                             aci_error_excerpt(app, &excerpt), rows, num);
}

static agentchat_status lost_page(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_check *c = user;

    aci_check_begin_page(c);
    c->bad = 0;
    aci_statement_add(tx, ACI_STATEMENT_LOST_EVENTS, note_lost, c);
    return aci_transact_run(tx, true, err);
}

static agentchat_status check_lost(aci_check *c, agentchat_error *err)
{
    agentchat_status status;

    aci_check_start_over(c);
    status = aci_check_run_page(c, "events", lost_page, c, err);

    if (status >= 0 && c->bad == 0 && !c->stopped)
        status = aci_check_note(c, "events", NULL, err);
    return status < 0 ? status : aci_check_report(c, err);
}

/* ---- the complete check --------------------------------------------------------------------------------------- */

/* Findings are kept until the connection is given back: the caller's function may need it. */
static agentchat_status collect(void *user, agentchat_str part, agentchat_str problem, agentchat_error *err)
{
    char name[200], text[400];

    (void)snprintf(name, sizeof name, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(part));
    (void)snprintf(text, sizeof text, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(problem));
    return aci_check_note(user, name, problem.ptr != NULL ? text : NULL, err);
}

static agentchat_status check_below(aci_check *c, agentchat_error *err)
{
    agentchat_store *store = c->store;
    aci_sql_outcome outcome;
    void *connection = NULL;
    agentchat_status status, reported;

    status = aci_pool_take(store, &c->call, aci_clock_ms() + store->wait_ms, &connection, &outcome, err);
    if (status < 0)
        return status;
    status = store->driver->check(connection, collect, c, err);
    aci_pool_give(store, connection);
    c->call.unbounded = c->bad == 0; /* pages that are damaged may lead in circles */
    reported = aci_check_report(c, status < 0 ? NULL : err);
    return status < 0 ? status : reported;
}

agentchat_status agentchat_store_check(agentchat_store *store, agentchat_store_check_fn each, void *user,
                                       agentchat_error *err)
{
    aci_check c;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (each == NULL)
        return aci_fail_null(err, "each");
    memset(&c, 0, sizeof c);
    c.store = store;
    c.env = store->env;
    c.call = aci_call_begin(store, true);
    c.each = each;
    c.user = user;
    c.arena = aci_arena_new(c.env, 0);
    status = c.arena != NULL ? check_below(&c, err) : aci_fail_nomem(err);
    if (status >= 0 && !c.stopped)
        status = aci_check_sessions(&c, err);
    if (status >= 0 && !c.stopped)
        status = aci_check_state(&c, err);
    if (status >= 0 && !c.stopped)
        status = check_lost(&c, err);
    aci_check_drop(&c);
    aci_free(c.env, c.findings, c.cap * sizeof(*c.findings));
    aci_arena_unref(c.arena);
    return status < 0 ? status : AGENTCHAT_OK;
}
