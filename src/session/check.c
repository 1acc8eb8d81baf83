/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking the sessions of a store: whether everything is what it should be, and fits together.
 *
 * Each page is a transaction of its own. A session is looked at as of one moment together with a page of its events.
 */
#include "session/session_internal.h"

#include "base/error.h"
#include "json/value.h"
#include <inttypes.h>
#include <string.h>

/* ==== walking through the rows of a store page by page =========================================================== */

/* "state of session APP/USER/ID" and so on, cut where it gets too long, safe to show. Returns buffer. */
static const char *check_part(char buffer[400], const char *what, agentchat_str app, agentchat_str usr,
                              agentchat_str id)
{
    aci_excerpt a, u, i;

    (void)snprintf(buffer, 400, "%s %s%s%s%s%s", what, aci_error_excerpt(app, &a), usr.len > 0 ? "/" : "",
                   usr.len > 0 ? aci_error_excerpt(usr, &u) : "", id.len > 0 ? "/" : "",
                   id.len > 0 ? aci_error_excerpt(id, &i) : "");
    return buffer;
}

/* ---- walking -------------------------------------------------------------------------------------------------- */

/* Copies a text of a row that is needed longer. */
static agentchat_status check_keep(aci_check *c, agentchat_str *where, agentchat_str text, agentchat_error *err)
{
    bool ok = true;

    *where = aci_arena_copy(c->arena, text, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status note_unreadable(aci_check *c, const char *part, const agentchat_error *why,
                                        agentchat_error *err)
{
    char where[400] = "the beginning";

    if (!c->unreadable)
        return aci_check_problem(c->all, part, err, "%s", why->message);
    if (c->at.app.len > 0)
        (void)check_part(where, "what was found of", c->at.app, c->at.usr, c->at.id);
    if (++c->skipped == ACI_CHECK_MOST_UNREADABLE)
        return aci_check_problem(c->all, part, err, "%d rows after %s cannot be read; the rest is not looked at",
                                 ACI_CHECK_MOST_UNREADABLE, where);
    return aci_check_problem(c->all, part, err, "a row after %s cannot be read: %s", where, why->message);
}

/* Whether a position comes after another one: damaged pages may give rows that they gave before, again and again. */
static bool check_is_after(const aci_check_position *a, const aci_check_position *b)
{
    /* clang-format off */
    static const aci_column columns[] = {
        ACI_COLUMN_TEXT(aci_check_position, app)
        ACI_COLUMN_TEXT(aci_check_position, usr)
        ACI_COLUMN_TEXT(aci_check_position, id)
        ACI_COLUMN_TEXT(aci_check_position, key)
        ACI_COLUMN_INTEGER(aci_check_position, seq)};
    /* clang-format on */
    static const aci_table table = ACI_TABLE("a position", columns, 0, 5);

    return aci_table_compare(&table, a, b) > 0;
}

/* Notes that rows came out of order, so that nothing after them is read. */
static agentchat_status check_note_disorder(aci_check *c, const char *part, agentchat_error *err)
{
    c->skipped = ACI_CHECK_MOST_UNREADABLE;
    return aci_check_problem(c->all, part, err, "rows are not in the order of their keys; the rest is not looked at");
}

static agentchat_status advance(aci_check *c, const char *part, agentchat_error *err)
{
    bool is_full = c->rows >= (uint64_t)c->limit; /* only then another page is read */

    if (is_full && !check_is_after(&c->last, &c->at))
        return check_note_disorder(c, part, err);
    c->at = c->last;
    c->skipped = 0;
    return AGENTCHAT_OK;
}

/* Runs a page, then reports. What cannot be read is a finding about `part`; c->unreadable: one row is passed over from
   now on, or when the page is of more, they are to be read one by one. */
static agentchat_status check_run_page(aci_check *c, const char *part, aci_work work, void *user, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_transact_in(c->all->store, &c->all->call, false, work, user, &why);
    c->unreadable = status == AGENTCHAT_E_CORRUPT && why.native == 0; /* else it is no row, but the database itself */
    if (status == AGENTCHAT_E_CORRUPT) {
        c->rows = 0;
        aci_check_drop(c->all);
        status = c->unreadable && c->limit > 1 ? AGENTCHAT_OK : note_unreadable(c, part, &why, err);
    } else if (status < 0) {
        if (err != NULL)
            *err = why;
    } else if (c->rows > 0) {
        status = advance(c, part, err);
    }
    return status < 0 ? status : aci_check_report(c->all, err);
}

/* Whether there may be more after a page. */
static bool check_goes_on(const aci_check *c)
{
    if (c->all->stopped || c->skipped >= ACI_CHECK_MOST_UNREADABLE)
        return false;
    return c->unreadable || c->rows >= (uint64_t)c->limit;
}

/* Runs pages until there is no more. */
static agentchat_status check_run_pages(aci_check *c, const char *part, aci_work work, agentchat_error *err)
{
    int one_by_one = 0; /* so many rows more */
    agentchat_status status;

    c->skipped = 0;
    do {
        c->limit = one_by_one > 0 ? 1 : ACI_CHECK_PAGE;
        status = check_run_page(c, part, work, c, err);
        if (c->unreadable)
            one_by_one = ACI_CHECK_PAGE;
        else if (one_by_one > 0)
            one_by_one--;
    } while (status >= 0 && check_goes_on(c));
    return status;
}

static void check_start_over(aci_check *c)
{
    agentchat_str first = AGENTCHAT_STR("");

    c->at = c->last = (aci_check_position){first, first, first, first, INT64_MIN};
    c->limit = 1;
    c->skipped = 0;
}

/* What a page begins with: nothing of an attempt that failed counts. */
static void check_begin_page(aci_check *c)
{
    aci_check_drop(c->all);
    c->rows = 0;
    c->last = c->at;
}

/* The last parameters of its statement: limit, and how many rows are passed over. */
static void check_limit_page(const aci_check *c, aci_tx *tx)
{
    ACI_BIND(tx, ACI_INT(c->limit), ACI_INT(c->skipped));
}

/* ==== checking a store: its sessions, and the events of each ===================================================== */

/* ---- events of a session -------------------------------------------------------------------------------------- */

static agentchat_status check_event(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_check *c = user;
    agentchat_event *event = NULL;
    aci_event_row row = {.origin = c->session.row.origin};
    agentchat_error why;
    char part[400];
    agentchat_status status;

    (void)check_part(part, "session", c->at.app, c->at.usr, c->at.id);
    status = aci_transact_column_integer(columns, count, 0, &row.seq, err); /* after which the walk goes on */
    if (status < 0)
        return status;
    agentchat_error_clear(&why);
    status = aci_table_read(&aci_event_table, aci_event_table.owner, columns, count, &row, &why);
    c->rows++;
    c->last.seq = row.seq;
    if (status == AGENTCHAT_E_CORRUPT)
        return aci_check_problem(c->all, part, err, "%s", why.message);
    if (status >= 0)
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

static agentchat_status event_page(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_check *c = user;
    aci_session_name name = {c->at.app, c->at.usr, c->at.id};

    check_begin_page(c);
    aci_load_ask_session(tx, ACI_STATEMENT_SESSION, &name, &c->session);
    ACI_SESSION_ASK(tx, ACI_STATEMENT_ALL_EVENTS, check_event, c, ACI_TEXT(c->at.app), ACI_INT(c->num),
                    ACI_INT(c->at.seq));
    check_limit_page(c, tx);
    return aci_transact_run(tx, true, err);
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
    bool repeats;
} session_walk;

/* The row after the one that was found: where it does not come after it, damaged pages lead in circles, and a search
   for what comes after both would have no end. */
static void compare_next(session_walk *walk, agentchat_str app, agentchat_str usr, agentchat_str id)
{
    aci_check_position one = {.app = walk->app, .usr = walk->usr, .id = walk->id};
    aci_check_position next = {.app = app, .usr = usr, .id = id};

    walk->repeats = !check_is_after(&next, &one);
}

static agentchat_status take_session(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    session_walk *walk = user;
    aci_check *c = walk->c;
    agentchat_str app = {NULL, 0}, usr = {NULL, 0}, id = AGENTCHAT_STR("");
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
        status = check_keep(c, &walk->app, app, err);
    if (status >= 0)
        status = check_keep(c, &walk->usr, usr, err);
    if (status >= 0)
        status = check_keep(c, &walk->id, id, err);
    if (status < 0)
        return status;
    walk->found = true;
    agentchat_error_clear(&walk->why);
    walk->numbers = walk->of_scopes ? aci_table_read(&aci_scope_table, 0, columns, count, &scope, &walk->why)
                                    : aci_load_row_read(&walk->row, columns, count, &walk->why);
    return walk->numbers == AGENTCHAT_E_NOMEM ? aci_fail_nomem(err) : AGENTCHAT_OK;
}

static agentchat_status next_session(aci_tx *tx, void *user, agentchat_error *err)
{
    session_walk *walk = user;
    aci_check *c = walk->c;

    check_begin_page(c);
    walk->found = walk->repeats = false;
    ACI_SESSION_ASK(tx, walk->of_scopes ? ACI_STATEMENT_ALL_SCOPES : ACI_STATEMENT_ALL_SESSIONS, take_session, walk,
                    ACI_TEXT(c->at.app), ACI_TEXT(c->at.usr));
    if (!walk->of_scopes)
        aci_transact_text(tx, c->at.id);
    ACI_BIND(tx, ACI_INT(2), ACI_INT(c->skipped));
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

    (void)check_part(part, "session", c->at.app, c->at.usr, c->at.id);
    c->all->bad = 0;
    c->num = walk->row.num;
    c->at.seq = INT64_MIN;
    status = check_name(c, part, err);
    if (status >= 0 && walk->numbers < 0)
        status = aci_check_problem(c->all, part, err, "%s", walk->why.message);
    if (status >= 0)
        status = aci_check_report(c->all, err); /* before the next page */
    if (status >= 0 && walk->numbers >= 0 && !c->all->stopped)
        status = check_run_pages(c, part, event_page, err);
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

    (void)check_part(part, scope == AGENTCHAT_SCOPE_USER ? "state of user" : "state of application", c->at.app,
                     c->at.usr, c->at.id);
    status = walk->numbers < 0 ? aci_check_problem(c->all, part, err, "%s", walk->why.message) : AGENTCHAT_OK;
    return status < 0 ? status : aci_check_report(c->all, err);
}

/* Sessions and their events, or the scopes of users and applications; and whether their keys are all there. */
static agentchat_status check_sessions(aci_check *c, bool of_scopes, agentchat_error *err)
{
    const char *what = of_scopes ? "scopes" : "sessions";
    bool is_lost = false; /* the position of the next one is unknown */
    session_walk walk;
    agentchat_status status;

    memset(&walk, 0, sizeof walk);
    walk.c = c;
    walk.of_scopes = of_scopes;
    check_start_over(c);
    do {
        aci_check_position found = c->at;
        aci_arena *before = c->arena;

        /* Its names live in an arena of their own until the next one is found. */
        c->arena = aci_arena_new(c->env, 0);
        c->last = c->at;
        walk.found = false;
        status = c->arena != NULL ? check_run_page(c, what, next_session, &walk, err) : aci_fail_nomem(err);
        if (status < 0 || !walk.found) {
            aci_arena_unref(c->arena);
            c->arena = before; /* has the name after which the next one comes */
            continue;
        }
        found.app = walk.app;
        found.usr = walk.usr;
        found.id = walk.id;
        found.seq = c->at.seq = INT64_MIN;
        is_lost = walk.repeats || !check_is_after(&found, &c->at);
        aci_arena_unref(before);
        c->at = found;
        if (is_lost)
            status = check_note_disorder(c, what, err);
        else
            status = of_scopes ? check_one_scope(c, &walk, err) : check_one_session(c, &walk, err);
        c->limit = 1;
        c->skipped = 0;
    } while (status >= 0 && !is_lost && (walk.found ? !c->all->stopped : check_goes_on(c)));
    return status < 0 ? status : aci_check_report(c->all, err);
}

/* ==== checking a store: the keys and values of every scope, and whether they belong to something ================= */

static agentchat_status check_value(aci_check *c, const char *part, agentchat_str key, agentchat_str value,
                                    int64_t revision, const aci_sql_value *owner, agentchat_error *err)
{
    agentchat_status status;
    agentchat_error why;
    aci_excerpt excerpt;
    agentchat_str span;

    agentchat_error_clear(&why);
    status = aci_json_check(c->env, value, c->env->limits.max_depth, &span, NULL, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (status < 0)
        return aci_check_problem(c->all, part, err, "the value of key %s is not JSON: %s",
                                 aci_error_excerpt(key, &excerpt), why.message);
    if (owner->type != ACI_SQL_INTEGER)
        return aci_check_problem(c->all, part, err, "key %s belongs to nothing that is there",
                                 aci_error_excerpt(key, &excerpt));
    if (revision <= 0 || revision > owner->integer)
        return aci_check_problem(c->all, part, err, "key %s has revision %" PRId64 ", its owner is at %" PRId64,
                                 aci_error_excerpt(key, &excerpt), revision, owner->integer);
    return AGENTCHAT_OK;
}

/* rest: the key as it stands in a scope. *right: whether it can stand there. */
static agentchat_status check_key(aci_check *c, const char *part, agentchat_scope scope, agentchat_str rest,
                                  bool *right, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error why;
    aci_excerpt excerpt;
    aci_buf full;

    *right = false;
    agentchat_error_clear(&why);
    aci_buf_init(&full, c->env, SIZE_MAX);
    if (!aci_load_full_key(scope, rest, &full))
        status = aci_fail_nomem(err);
    else if (aci_key_check(aci_buf_str(&full), &why) < 0)
        status = aci_check_problem(c->all, part, err, "%s", why.message);
    else if (aci_key_scope(aci_buf_str(&full), NULL) != scope)
        status = aci_check_problem(c->all, part, err, "key %s stands among those of a session",
                                   aci_error_excerpt(rest, &excerpt));
    else
        *right = true;
    aci_buf_clear(&full);
    return status;
}

static agentchat_status check_state(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_check *c = user;
    aci_state_row row = {.revision = 0};
    agentchat_scope scope;
    agentchat_error why;
    bool right;
    char part[400];
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < 4 && status >= 0; i++) /* after which the walk goes on */
        status = aci_transact_column_text(columns, count, i, &row.key, err);
    if (status < 0)
        return status;
    agentchat_error_clear(&why);
    status = aci_table_read(&aci_state_table, 0, columns, count, &row, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    c->rows++;
    scope = row.id.len > 0 ? AGENTCHAT_SCOPE_SESSION : row.user.len > 0 ? AGENTCHAT_SCOPE_USER : AGENTCHAT_SCOPE_APP;
    (void)check_part(part,
                     scope == AGENTCHAT_SCOPE_SESSION ? "state of session"
                     : scope == AGENTCHAT_SCOPE_USER  ? "state of user"
                                                      : "state of application",
                     row.app, row.user, row.id);
    if (status < 0)
        status = aci_check_problem(c->all, part, err, "%s", why.message);
    if (status >= 0)
        status = check_key(c, part, scope, row.key, &right, err);
    if (status >= 0 && right)
        status = check_value(c, part, row.key, row.value, row.revision, &columns[aci_state_table.count + 1], err);
    if (status < 0 || c->rows < (uint64_t)c->limit) /* only where the next page begins is worth keeping */
        return status;
    status = check_keep(c, &c->last.app, row.app, err);
    if (status >= 0)
        status = check_keep(c, &c->last.usr, row.user, err);
    if (status >= 0)
        status = check_keep(c, &c->last.id, row.id, err);
    return status < 0 ? status : check_keep(c, &c->last.key, row.key, err);
}

static agentchat_status state_page(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_check *c = user;

    check_begin_page(c);
    ACI_SESSION_ASK(tx, ACI_STATEMENT_ALL_STATE, check_state, c, ACI_TEXT(c->at.app), ACI_TEXT(c->at.usr),
                    ACI_TEXT(c->at.id), ACI_TEXT(c->at.key));
    check_limit_page(c, tx);
    return aci_transact_run(tx, true, err);
}

static agentchat_status aci_check_state(aci_check *c, agentchat_error *err)
{
    agentchat_status status;

    check_start_over(c);
    c->all->bad = 0;
    status = check_run_pages(c, "state", state_page, err);
    if (status >= 0 && !c->all->stopped)
        status = check_sessions(c, true, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = aci_check_note(c->all, "state", NULL, err);
    return status < 0 ? status : aci_check_report(c->all, err);
}

/* ==== checking the sessions of a store: whether everything is what it should be, and fits together =============== */

/* Each page is a transaction of its own. A session is looked at as of one moment together with a page of its
   events. */

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

    check_begin_page(c);
    c->all->bad = 0;
    aci_statement_add(tx, ACI_STATEMENT_LOST_EVENTS, note_lost, c);
    return aci_transact_run(tx, true, err);
}

static agentchat_status check_lost(aci_check *c, agentchat_error *err)
{
    agentchat_status status;

    check_start_over(c);
    status = check_run_page(c, "events", lost_page, c, err);

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
    status = c.arena != NULL ? check_sessions(&c, false, err) : aci_fail_nomem(err);
    if (status >= 0 && !all->stopped)
        status = aci_check_state(&c, err);
    if (status >= 0 && !all->stopped)
        status = check_lost(&c, err);
    aci_arena_unref(c.arena);
    return status;
}
