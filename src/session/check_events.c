/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a store: its sessions, and the events of each. */
#include "session/check.h"

#include "base/error.h"
#include "session/stored_event.h"
#include <inttypes.h>
#include <string.h>

/* ---- events of a session -------------------------------------------------------------------------------------- */

/* Whether the session is still the one that the walk came to, and nothing of it was rewound since: else nothing is
   known of the order of its events. */
static bool is_same(const aci_check *c)
{
    const aci_session_row *row = &c->session.row;

    return c->session.found && row->num == c->num && row->rewinds == c->rewinds && row->is_summed;
}

/* Whether an event follows the one before it. */
static agentchat_status check_link(aci_check *c, const char *part, const aci_event_row *row, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    if (!is_same(c))
        return AGENTCHAT_OK;
    if (!row->sums.is_summed || !row->sums.is_linked || (c->page_is_chained && row->sums.previous != c->page_chain))
        status = aci_check_problem(c->all, part, err, "event %" PRId64 " does not follow the one before it", row->seq);
    c->page_is_chained = row->sums.is_summed;
    c->page_chain = row->sums.sum;
    return status;
}

static agentchat_status check_event(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_check *c = user;
    agentchat_event *event = NULL;
    aci_event_row row;
    agentchat_error why;
    char part[400];
    agentchat_status status = aci_load_event_columns(&row, columns, count, err);

    (void)aci_check_part(part, "session", c->at.app, c->at.usr, c->at.id);
    if (status < 0)
        return status;
    c->rows++;
    c->last.seq = row.seq;
    agentchat_error_clear(&why);
    status = aci_sums_check_event(&row, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (status < 0) {
        c->page_is_chained = false;
        return aci_check_problem(c->all, part, err, "%s", why.message);
    }
    status = check_link(c, part, &row, err);
    if (status < 0)
        return status;
    status = aci_stored_event_read(c->env, (uint64_t)row.seq, row.json, row.effect, &event, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (status < 0)
        return aci_check_problem(c->all, part, err, "event %" PRId64 " cannot be read: %s", row.seq, why.message);
    status = AGENTCHAT_OK;
    if (row.seq <= 0 || row.seq > c->session.row.seq)
        status = aci_check_problem(c->all, part, err,
                                   "event %" PRId64 " stands outside the session's sequence, 1 to %" PRId64, row.seq,
                                   c->session.row.seq);
    if (status >= 0 && !agentchat_str_equal(agentchat_event_get(event, AGENTCHAT_EVENT_ID), row.id))
        status = aci_check_problem(c->all, part, err, "event %" PRId64 " has another id than its row", row.seq);
    if (status >= 0 && agentchat_event_time_ns(event) != row.time_ns)
        status = aci_check_problem(c->all, part, err, "event %" PRId64 " has another time than its row", row.seq);
    agentchat_event_unref(event);
    return status;
}

/* At the end the session's last event must have come. */
static agentchat_status check_end(aci_check *c, agentchat_error *err)
{
    bool is_end = c->rows < (uint64_t)c->limit;
    char part[400];

    if (!c->is_chained || !is_end || c->chain == c->session.row.last)
        return AGENTCHAT_OK;
    (void)aci_check_part(part, "session", c->at.app, c->at.usr, c->at.id);
    return aci_check_problem(c->all, part, err, "its last events are missing");
}

static agentchat_status event_page(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_check *c = user;
    aci_session_name name = {c->at.app, c->at.usr, c->at.id};
    agentchat_status status;

    aci_check_begin_page(c);
    c->page_is_chained = c->is_chained && c->skipped == 0;
    c->page_chain = c->chain;
    aci_load_ask_session(tx, ACI_STATEMENT_SESSION, &name, &c->session);
    aci_statement_add(tx, ACI_STATEMENT_ALL_EVENTS, check_event, c);
    aci_transact_text(tx, c->at.app);
    aci_transact_integer(tx, c->num);
    aci_transact_integer(tx, c->at.seq);
    aci_check_limit_page(c, tx);
    status = aci_transact_run(tx, true, err);
    if (status < 0)
        return status;
    c->is_chained = c->page_is_chained && is_same(c);
    c->chain = c->page_chain;
    return check_end(c, err);
}

/* ---- owners: sessions and scopes ------------------------------------------------------------------------------ */

typedef struct session_walk { /* one at a time: what belongs to it is looked at before the next one */
    aci_check *c;
    bool of_scopes; /* of users and applications; else of sessions */
    agentchat_str app, usr, id;
    aci_session_row row;
    agentchat_status numbers; /* whether they are what they should be; if not, see why */
    agentchat_error why;
    bool found;
    bool repeats; /* the row after it does not come after it: damaged pages may lead in circles */
} session_walk;

/* The row after the one that was found. */
static void compare_next(session_walk *walk, agentchat_str app, agentchat_str usr, agentchat_str id)
{
    aci_check_position one = {.app = walk->app, .usr = walk->usr, .id = walk->id};
    aci_check_position next = {.app = app, .usr = usr, .id = id};

    walk->repeats = !aci_check_is_after(&next, &one);
}

static agentchat_status take_session(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    session_walk *walk = user;
    aci_check *c = walk->c;
    agentchat_str app = {NULL, 0}, usr = {NULL, 0}, id = AGENTCHAT_STR("");
    aci_session_name name;
    aci_scope_row scope;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &app, err);

    if (status >= 0)
        status = aci_transact_column_text(columns, count, 1, &usr, err);
    if (status >= 0 && !walk->of_scopes)
        status = aci_transact_column_text(columns, count, 2, &id, err);
    if (walk->found) { /* what is wrong with that one is found when it is the first */
        if (status >= 0)
            compare_next(walk, app, usr, id);
        return AGENTCHAT_OK;
    }
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
    name = (aci_session_name){app, usr, id};
    scope = (aci_scope_row){.app = app, .user = usr};
    walk->numbers = walk->of_scopes ? aci_load_scope_read(&scope, columns, count, 2, &walk->why)
                                    : aci_load_row_read(&walk->row, &name, columns, count, 3, &walk->why);
    return walk->numbers == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}

static agentchat_status next_session(aci_tx *tx, void *user, agentchat_error *err)
{
    session_walk *walk = user;
    aci_check *c = walk->c;

    aci_check_begin_page(c);
    walk->found = walk->repeats = false;
    aci_statement_add(tx, walk->of_scopes ? ACI_STATEMENT_ALL_SCOPES : ACI_STATEMENT_ALL_SESSIONS, take_session, walk);
    aci_transact_text(tx, c->at.app);
    aci_transact_text(tx, c->at.usr);
    if (!walk->of_scopes)
        aci_transact_text(tx, c->at.id);
    aci_transact_integer(tx, 2);
    aci_transact_integer(tx, c->skipped);
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
    c->is_chained = true;
    c->chain = 0;
    c->rewinds = walk->row.rewinds;
    status = check_name(c, part, err);
    if (status >= 0 && walk->numbers < 0)
        status = aci_check_problem(c->all, part, err, "%s", walk->why.message);
    if (status >= 0)
        status = aci_check_report(c->all, err); /* before the next page */
    if (status >= 0 && walk->numbers >= 0 && !c->all->stopped)
        status = aci_check_keys(c, part, AGENTCHAT_SCOPE_SESSION, err);
    if (status >= 0 && walk->numbers >= 0 && !c->all->stopped)
        status = aci_check_run_pages(c, part, event_page, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = aci_check_note(c->all, part, NULL, err);
    return status < 0 ? status : aci_check_report(c->all, err);
}

/* The keys themselves are looked at elsewhere. */
static agentchat_status check_one_scope(aci_check *c, const session_walk *walk, agentchat_error *err)
{
    agentchat_scope scope = c->at.usr.len > 0 ? AGENTCHAT_SCOPE_USER : AGENTCHAT_SCOPE_APP;
    char part[400];
    agentchat_status status;

    (void)aci_check_part(part, scope == AGENTCHAT_SCOPE_USER ? "state of user" : "state of application", c->at.app,
                         c->at.usr, c->at.id);
    status = walk->numbers < 0 ? aci_check_problem(c->all, part, err, "%s", walk->why.message)
                               : aci_check_keys(c, part, scope, err);
    return status < 0 ? status : aci_check_report(c->all, err);
}

agentchat_status aci_check_sessions(aci_check *c, bool of_scopes, agentchat_error *err)
{
    const char *what = of_scopes ? "scopes" : "sessions";
    bool is_lost = false; /* the position of the next one is unknown */
    session_walk walk;
    agentchat_status status;

    memset(&walk, 0, sizeof walk);
    walk.c = c;
    walk.of_scopes = of_scopes;
    aci_check_start_over(c);
    do {
        aci_check_position found = c->at;
        aci_arena *before = c->arena;

        /* Its names live in an arena of their own until the next one is found. */
        c->arena = aci_arena_new(c->env, 0);
        c->last = c->at;
        walk.found = false;
        status = c->arena != NULL ? aci_check_run_page(c, what, next_session, &walk, err) : aci_fail_nomem(err);
        if (status < 0 || !walk.found) {
            aci_arena_unref(c->arena);
            c->arena = before; /* has the name after which the next one comes */
            continue;
        }
        found.app = walk.app;
        found.usr = walk.usr;
        found.id = walk.id;
        found.seq = c->at.seq = INT64_MIN;
        is_lost = walk.repeats || !aci_check_is_after(&found, &c->at);
        aci_arena_unref(before);
        c->at = found;
        if (is_lost)
            status = aci_check_note_disorder(c, what, err);
        else
            status = of_scopes ? check_one_scope(c, &walk, err) : check_one_session(c, &walk, err);
        c->limit = 1;
        c->skipped = 0;
    } while (status >= 0 && !is_lost && (walk.found ? !c->all->stopped : aci_check_goes_on(c)));
    return status < 0 ? status : aci_check_report(c->all, err);
}
