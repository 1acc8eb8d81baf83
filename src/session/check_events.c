/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a store: its sessions, and the events of each. */
#include "session/check.h"

#include "base/error.h"
#include "session/stored_event.h"
#include <inttypes.h>
#include <string.h>

/* ---- events of a session -------------------------------------------------------------------------------------- */

static agentchat_status check_event(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_check *c = user;
    agentchat_str id = {NULL, 0}, json = {NULL, 0}, effect = {NULL, 0};
    int64_t seq = 0, time_ns = 0;
    agentchat_event *event = NULL;
    agentchat_error why;
    char part[400];
    agentchat_status status = aci_transact_column_integer(columns, count, 0, &seq, err);

    if (status >= 0)
        status = aci_transact_column_text(columns, count, 1, &id, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &time_ns, err);
    if (status >= 0)
        status = aci_transact_column_text(columns, count, 3, &json, err);
    if (status >= 0)
        status = aci_transact_column_text(columns, count, 4, &effect, err);
    (void)aci_check_part(part, "session", c->at.app, c->at.usr, c->at.id);
    if (status < 0)
        return status;
    c->rows++;
    c->last.seq = seq;
    agentchat_error_clear(&why);
    status = aci_stored_event_read(c->env, (uint64_t)seq, json, effect, &event, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (status < 0)
        return aci_check_problem(c->all, part, err, "event %" PRId64 " cannot be read: %s", seq, why.message);
    status = AGENTCHAT_OK;
    if (seq <= 0 || seq > c->session.row.seq)
        status = aci_check_problem(c->all, part, err,
                                   "event %" PRId64 " stands outside the session's sequence, 1 to %" PRId64, seq,
                                   c->session.row.seq);
    if (status >= 0 && !agentchat_str_equal(agentchat_event_get(event, AGENTCHAT_EVENT_ID), id))
        status = aci_check_problem(c->all, part, err, "event %" PRId64 " has another id than its row", seq);
    if (status >= 0 && agentchat_event_time_ns(event) != time_ns)
        status = aci_check_problem(c->all, part, err, "event %" PRId64 " has another time than its row", seq);
    agentchat_event_unref(event);
    return status;
}

static agentchat_status event_page(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_check *c = user;

    aci_check_begin_page(c);
    memset(&c->session, 0, sizeof c->session);
    aci_statement_add(tx, ACI_STATEMENT_SESSION, aci_load_row, &c->session);
    aci_transact_text(tx, c->at.app);
    aci_transact_text(tx, c->at.usr);
    aci_transact_text(tx, c->at.id);
    aci_statement_add(tx, ACI_STATEMENT_ALL_EVENTS, check_event, c);
    aci_transact_text(tx, c->at.app);
    aci_transact_integer(tx, c->num);
    aci_transact_integer(tx, c->at.seq);
    aci_check_limit_page(c, tx);
    return aci_transact_run(tx, true, err);
}

/* ---- sessions ------------------------------------------------------------------------------------------------- */

typedef struct session_walk { /* one session at a time: its events are looked at before the next one */
    aci_check *c;
    agentchat_str app, usr, id;
    aci_session_row row;
    agentchat_status numbers; /* whether they are what they should be; if not, see why */
    agentchat_error why;
    bool found;
} session_walk;

static agentchat_status take_session(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    session_walk *walk = user;
    aci_check *c = walk->c;
    agentchat_str app = {NULL, 0}, usr = {NULL, 0}, id = {NULL, 0};
    agentchat_status status = aci_transact_column_text(columns, count, 0, &app, err);

    if (status >= 0)
        status = aci_transact_column_text(columns, count, 1, &usr, err);
    if (status >= 0)
        status = aci_transact_column_text(columns, count, 2, &id, err);
    if (status >= 0)
        status = aci_check_keep(c, &walk->app, app, err);
    if (status >= 0)
        status = aci_check_keep(c, &walk->usr, usr, err);
    if (status >= 0)
        status = aci_check_keep(c, &walk->id, id, err);
    if (status < 0)
        return status;
    walk->found = true;
    agentchat_error_clear(&walk->why);
    walk->numbers = aci_load_row_read(&walk->row, columns, count, 3, &walk->why);
    return AGENTCHAT_OK;
}

static agentchat_status next_session(aci_tx *tx, void *user, agentchat_error *err)
{
    session_walk *walk = user;
    aci_check *c = walk->c;

    aci_check_begin_page(c);
    walk->found = false;
    aci_statement_add(tx, ACI_STATEMENT_ALL_SESSIONS, take_session, walk);
    aci_transact_text(tx, c->at.app);
    aci_transact_text(tx, c->at.usr);
    aci_transact_text(tx, c->at.id);
    aci_check_limit_page(c, tx);
    return aci_transact_run(tx, true, err);
}

static agentchat_status check_name(aci_check *c, const char *part, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status = AGENTCHAT_OK;

    agentchat_error_clear(&why);
    if (aci_label_check(c->at.app, "application", &why) < 0 || aci_label_check(c->at.usr, "user", &why) < 0 ||
        aci_label_check(c->at.id, "session id", &why) < 0)
        status = aci_check_problem(c->all, part, err, "%s", why.message);
    return status;
}

static agentchat_status check_one_session(aci_check *c, const session_walk *walk, agentchat_error *err)
{
    char part[400];
    agentchat_status status;

    (void)aci_check_part(part, "session", c->at.app, c->at.usr, c->at.id);
    c->all->bad = 0;
    c->num = walk->row.num;
    c->at.seq = INT64_MIN;
    status = check_name(c, part, err);
    if (status >= 0 && walk->numbers < 0)
        status = aci_check_problem(c->all, part, err, "%s", walk->why.message);
    if (status >= 0)
        status = aci_check_report(c->all, err);
    if (status >= 0 && walk->numbers >= 0 && !c->all->stopped)
        status = aci_check_run_pages(c, part, event_page, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = aci_check_note(c->all, part, NULL, err);
    return status < 0 ? status : aci_check_report(c->all, err);
}

agentchat_status aci_check_sessions(aci_check *c, agentchat_error *err)
{
    bool is_lost = false; /* the position of the next session is unknown */
    session_walk walk;
    agentchat_status status;

    memset(&walk, 0, sizeof walk);
    walk.c = c;
    aci_check_start_over(c);
    do {
        aci_check_position found = c->at;
        aci_arena *before = c->arena;

        /* The names of this session live in an arena of their own until the next one is found. */
        c->arena = aci_arena_new(c->env, 0);
        c->last = c->at;
        walk.found = false;
        status = c->arena != NULL ? aci_check_run_page(c, "sessions", next_session, &walk, err) : aci_fail_nomem(err);
        if (status < 0 || !walk.found) {
            aci_arena_unref(c->arena);
            c->arena = before; /* has the name after which the next one comes */
            continue;
        }
        found.app = walk.app;
        found.usr = walk.usr;
        found.id = walk.id;
        found.seq = c->at.seq = INT64_MIN;
        is_lost = !aci_check_is_after(&found, &c->at);
        aci_arena_unref(before);
        c->at = found;
        status = is_lost ? aci_check_note_disorder(c, "sessions", err) : check_one_session(c, &walk, err);
        c->limit = 1;
        c->skipped = 0;
    } while (status >= 0 && !is_lost && (walk.found ? !c->all->stopped : aci_check_goes_on(c)));
    return status < 0 ? status : aci_check_report(c->all, err);
}
