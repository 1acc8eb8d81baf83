/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking through a store: whether everything is what it should be, and fits together. Layer 5.
 *
 * Each page is a transaction of its own, and findings are reported between them, so that the caller's function never
 * holds up a writer. A session is looked at as of one moment together with a page of its events.
 */
#include "session/session.h"

#include "base/error.h"
#include "json/value.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { PAGE = 500 };

typedef struct finding {
    char *problem; /* aci_strdup(); NULL: the part is intact */
    char *part;
    size_t problem_len, part_len;
} finding;

typedef struct walk_place {
    agentchat_str app, usr, id, key;
    int64_t seq;
} walk_place;

typedef struct checking {
    agentchat_store *store;
    const agentchat_env *env;
    agentchat_store_check_fn each;
    void *user;
    finding *findings;
    size_t count, cap;
    bool stopped;
    /* ---- where the walk is; texts in `home` ---- */
    aci_home *home;
    walk_place at;          /* where the page begins that is read, or read once more */
    walk_place last;        /* its last row */
    aci_loaded_row session; /* the session whose events are looked at, as of the moment of the page */
    int64_t num;            /* its number when the walk came to it */
    uint64_t rows;          /* of the page */
    uint64_t bad;           /* of the part under way */
} checking;

/* ---- findings ------------------------------------------------------------------------------------------------- */

static void free_text(const agentchat_env *env, char *text, size_t len)
{
    if (text != NULL)
        aci_free(env, text, len + 1);
}

static void drop_findings(checking *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free_text(c->env, c->findings[i].part, c->findings[i].part_len);
        free_text(c->env, c->findings[i].problem, c->findings[i].problem_len);
    }
    c->count = 0;
}

static agentchat_status note(checking *c, const char *part, const char *problem, agentchat_error *err)
{
    void *findings = c->findings;
    finding f;

    if (!aci_grow(c->env, &findings, &c->cap, c->count, sizeof(*c->findings)))
        return aci_fail_nomem(err);
    c->findings = findings;
    f.part = aci_strdup(c->env, agentchat_str_from(part));
    f.part_len = strlen(part);
    f.problem = problem != NULL ? aci_strdup(c->env, agentchat_str_from(problem)) : NULL;
    f.problem_len = problem != NULL ? strlen(problem) : 0;
    if (f.part == NULL || (problem != NULL && f.problem == NULL)) {
        free_text(c->env, f.part, f.part_len);
        free_text(c->env, f.problem, f.problem_len);
        return aci_fail_nomem(err);
    }
    c->findings[c->count++] = f;
    if (problem != NULL)
        c->bad++;
    return AGENTCHAT_OK;
}

static agentchat_status report_findings(checking *c, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < c->count && status >= 0 && !c->stopped; i++) {
        const finding *f = &c->findings[i];
        agentchat_str problem = {f->problem, f->problem_len};

        status = c->each(c->user, (agentchat_str){f->part, f->part_len}, problem, err);
        c->stopped = status == AGENTCHAT_DONE;
    }
    drop_findings(c);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* "state of session APP/USER/ID" and so on, cut where it gets too long, safe to show. */
static const char *part_name(char buffer[400], const char *what, agentchat_str app, agentchat_str usr, agentchat_str id)
{
    aci_excerpt a, u, i;

    (void)snprintf(buffer, 400, "%s %s%s%s%s%s", what, aci_excerpt_of(app, &a), usr.len > 0 ? "/" : "",
                   usr.len > 0 ? aci_excerpt_of(usr, &u) : "", id.len > 0 ? "/" : "",
                   id.len > 0 ? aci_excerpt_of(id, &i) : "");
    return buffer;
}

static agentchat_status problem(checking *c, const char *part, agentchat_error *err, const char *format, ...)
    AGENTCHAT_PRINTF(4, 5);
static agentchat_status problem(checking *c, const char *part, agentchat_error *err, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return note(c, part, text, err);
}

/* ---- walking -------------------------------------------------------------------------------------------------- */

static agentchat_status keep(checking *c, agentchat_str *where, agentchat_str text, agentchat_error *err)
{
    bool ok = true;

    *where = aci_home_copy(c->home, text, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* What cannot be read at all is a finding too, and the walk goes on behind it: with the next part. */
static agentchat_status run_page(checking *c, const char *part, aci_work work, void *user, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    c->rows = 0;
    agentchat_error_clear(&why);
    status = aci_transact(c->store, false, work, user, &why);
    if (status == AGENTCHAT_E_CORRUPT) {
        c->rows = 0;
        status = problem(c, part, err, "%s", why.message);
    } else if (status < 0) {
        if (err != NULL)
            *err = why;
    } else {
        c->at = c->last;
    }
    return status < 0 ? status : report_findings(c, err);
}

/* Runs pages until one is not full. */
static agentchat_status run_pages(checking *c, const char *part, aci_work work, agentchat_error *err)
{
    agentchat_status status;

    do {
        status = run_page(c, part, work, c, err);
    } while (status >= 0 && c->rows >= PAGE && !c->stopped);
    return status;
}

static void start_over(checking *c)
{
    agentchat_str first = AGENTCHAT_STR("");

    c->at = c->last = (walk_place){first, first, first, first, INT64_MIN};
}

/* What a page begins with: nothing of an attempt that failed counts. */
static void begin_page(checking *c)
{
    drop_findings(c);
    c->rows = 0;
    c->last = c->at;
}

/* ---- events of a session -------------------------------------------------------------------------------------- */

static agentchat_status check_event(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    checking *c = user;
    agentchat_str id = {NULL, 0}, json = {NULL, 0}, effect = {NULL, 0};
    int64_t seq = 0, time_ns = 0;
    agentchat_event *event = NULL;
    agentchat_error why;
    char part[400];
    agentchat_status status = aci_column_integer(columns, count, 0, &seq, err);

    if (status >= 0)
        status = aci_column_text(columns, count, 1, &id, err);
    if (status >= 0)
        status = aci_column_integer(columns, count, 2, &time_ns, err);
    if (status >= 0)
        status = aci_column_text(columns, count, 3, &json, err);
    if (status >= 0)
        status = aci_column_text(columns, count, 4, &effect, err);
    (void)part_name(part, "session", c->at.app, c->at.usr, c->at.id);
    if (status < 0)
        return status;
    c->rows++;
    c->last.seq = seq;
    agentchat_error_clear(&why);
    status = aci_event_from_store(c->env, (uint64_t)seq, json, effect, &event, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (status < 0)
        return problem(c, part, err, "event %" PRId64 " cannot be read: %s", seq, why.message);
    status = AGENTCHAT_OK;
    if (seq <= 0 || seq > c->session.row.seq)
        status = problem(c, part, err, "event %" PRId64 " stands outside the session's sequence, 1 to %" PRId64, seq,
                         c->session.row.seq);
    if (status >= 0 && !agentchat_str_equal(agentchat_event_get(event, AGENTCHAT_EVENT_ID), id))
        status = problem(c, part, err, "event %" PRId64 " has another id than its row", seq);
    if (status >= 0 && agentchat_event_time_ns(event) != time_ns)
        status = problem(c, part, err, "event %" PRId64 " has another time than its row", seq);
    agentchat_event_unref(event);
    return status;
}

static agentchat_status event_page(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;

    begin_page(c);
    memset(&c->session, 0, sizeof c->session);
    aci_queue(tx, ACI_SQL_SESSION, aci_load_row, &c->session);
    aci_tx_text(tx, c->at.app);
    aci_tx_text(tx, c->at.usr);
    aci_tx_text(tx, c->at.id);
    aci_queue(tx, ACI_SQL_ALL_EVENTS, check_event, c);
    aci_tx_text(tx, c->at.app);
    aci_tx_integer(tx, c->num);
    aci_tx_integer(tx, c->at.seq);
    aci_tx_integer(tx, PAGE);
    return aci_tx_run(tx, true, err);
}

/* ---- sessions ------------------------------------------------------------------------------------------------- */

typedef struct session_walk { /* one session at a time: its events are looked at before the next one */
    checking *c;
    agentchat_str app, usr, id;
    aci_session_row row;
    agentchat_status numbers; /* whether they are what they should be; else why tells */
    agentchat_error why;
    bool found;
} session_walk;

static agentchat_status take_session(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    session_walk *walk = user;
    checking *c = walk->c;
    agentchat_str app = {NULL, 0}, usr = {NULL, 0}, id = {NULL, 0};
    int64_t *numbers[] = {&walk->row.num, &walk->row.seq, &walk->row.rewinds, &walk->row.created_us,
                          &walk->row.updated_us};
    agentchat_status status = aci_column_text(columns, count, 0, &app, err);

    if (status >= 0)
        status = aci_column_text(columns, count, 1, &usr, err);
    if (status >= 0)
        status = aci_column_text(columns, count, 2, &id, err);
    if (status >= 0)
        status = keep(c, &walk->app, app, err);
    if (status >= 0)
        status = keep(c, &walk->usr, usr, err);
    if (status >= 0)
        status = keep(c, &walk->id, id, err);
    if (status < 0)
        return status;
    walk->found = true;
    agentchat_error_clear(&walk->why);
    walk->numbers = AGENTCHAT_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && walk->numbers >= 0; i++)
        walk->numbers = aci_column_integer(columns, count, 3 + i, numbers[i], &walk->why);
    if (walk->numbers >= 0)
        walk->numbers = aci_row_check(&walk->row, &walk->why);
    return AGENTCHAT_OK;
}

static agentchat_status next_session(aci_tx *tx, void *user, agentchat_error *err)
{
    session_walk *walk = user;
    checking *c = walk->c;

    walk->found = false;
    aci_queue(tx, ACI_SQL_ALL_SESSIONS, take_session, walk);
    aci_tx_text(tx, c->at.app);
    aci_tx_text(tx, c->at.usr);
    aci_tx_text(tx, c->at.id);
    aci_tx_integer(tx, 1);
    return aci_tx_run(tx, true, err);
}

static agentchat_status check_name(checking *c, const char *part, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status = AGENTCHAT_OK;

    agentchat_error_clear(&why);
    if (aci_label_check(c->at.app, "application", &why) < 0 || aci_label_check(c->at.usr, "user", &why) < 0 ||
        aci_label_check(c->at.id, "session id", &why) < 0)
        status = problem(c, part, err, "%s", why.message);
    return status;
}

static agentchat_status check_one_session(checking *c, const session_walk *walk, agentchat_error *err)
{
    char part[400];
    agentchat_status status;

    (void)part_name(part, "session", c->at.app, c->at.usr, c->at.id);
    c->bad = 0;
    c->num = walk->row.num;
    c->at.seq = INT64_MIN;
    status = check_name(c, part, err);
    if (status >= 0 && walk->numbers < 0)
        status = problem(c, part, err, "%s", walk->why.message);
    if (status >= 0)
        status = report_findings(c, err);
    if (status >= 0 && walk->numbers >= 0 && !c->stopped)
        status = run_pages(c, part, event_page, err);
    if (status >= 0 && c->bad == 0 && !c->stopped)
        status = note(c, part, NULL, err);
    return status < 0 ? status : report_findings(c, err);
}

static agentchat_status check_sessions(checking *c, agentchat_error *err)
{
    session_walk walk;
    agentchat_status status;

    memset(&walk, 0, sizeof walk);
    walk.c = c;
    start_over(c);
    do {
        aci_home *before = c->home;

        /* The names of this session live in a home of their own until the next one is found. */
        c->home = aci_home_new(c->env, 0);
        c->last = c->at;
        status = c->home != NULL ? run_page(c, "sessions", next_session, &walk, err) : aci_fail_nomem(err);
        if (status >= 0 && walk.found) {
            c->at.app = walk.app;
            c->at.usr = walk.usr;
            c->at.id = walk.id;
        }
        if (c->home != NULL)
            aci_home_unref(before);
        else
            c->home = before;
        if (status >= 0 && walk.found)
            status = check_one_session(c, &walk, err);
    } while (status >= 0 && walk.found && !c->stopped);
    return status;
}

/* ---- state ---------------------------------------------------------------------------------------------------- */

static agentchat_status check_value(checking *c, const char *part, agentchat_str key, agentchat_str value,
                                    int64_t revision, const agentchat_sql_value *owner, agentchat_error *err)
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
        return problem(c, part, err, "the value of key %s is not JSON: %s", aci_excerpt_of(key, &excerpt), why.message);
    if (owner->type != AGENTCHAT_SQL_INTEGER)
        return problem(c, part, err, "key %s belongs to nothing that is there", aci_excerpt_of(key, &excerpt));
    if (revision <= 0 || revision > owner->integer)
        return problem(c, part, err, "key %s has revision %" PRId64 ", its owner is at %" PRId64,
                       aci_excerpt_of(key, &excerpt), revision, owner->integer);
    return AGENTCHAT_OK;
}

/* rest: the key as it stands in a scope. *right: whether it can stand there. */
static agentchat_status check_key(checking *c, const char *part, agentchat_scope scope, agentchat_str rest, bool *right,
                                  agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    agentchat_error why;
    aci_excerpt excerpt;
    aci_buf full;

    *right = false;
    agentchat_error_clear(&why);
    aci_buf_init(&full, c->env, SIZE_MAX);
    if (!aci_full_key(scope, rest, &full))
        status = aci_fail_nomem(err);
    else if (aci_key_check(aci_buf_str(&full), &why) < 0)
        status = problem(c, part, err, "%s", why.message);
    else if (agentchat_key_scope(aci_buf_str(&full), NULL) != scope)
        status = problem(c, part, err, "key %s stands among those of a session", aci_excerpt_of(rest, &excerpt));
    else
        *right = true;
    aci_buf_clear(&full);
    return status;
}

static agentchat_status check_state(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    checking *c = user;
    agentchat_str texts[5];
    agentchat_scope scope;
    int64_t revision = 0;
    bool right;
    char part[400];
    agentchat_status status =
        count == 7 ? AGENTCHAT_OK : aci_fail(err, AGENTCHAT_E_CORRUPT, "a row has too few columns");

    for (size_t i = 0; i < 5 && status >= 0; i++)
        status = aci_column_text(columns, count, i, &texts[i], err);
    if (status >= 0)
        status = aci_column_integer(columns, count, 5, &revision, err);
    if (status < 0)
        return status;
    c->rows++;
    scope = texts[2].len > 0 ? AGENTCHAT_SCOPE_SESSION : texts[1].len > 0 ? AGENTCHAT_SCOPE_USER : AGENTCHAT_SCOPE_APP;
    (void)part_name(part,
                    scope == AGENTCHAT_SCOPE_SESSION ? "state of session"
                    : scope == AGENTCHAT_SCOPE_USER  ? "state of user"
                                                     : "state of application",
                    texts[0], texts[1], texts[2]);
    status = check_key(c, part, scope, texts[3], &right, err);
    if (status >= 0 && right)
        status = check_value(c, part, texts[3], texts[4], revision, &columns[6], err);
    if (status < 0 || c->rows < PAGE) /* only where the next page begins is worth keeping */
        return status;
    status = keep(c, &c->last.app, texts[0], err);
    if (status >= 0)
        status = keep(c, &c->last.usr, texts[1], err);
    if (status >= 0)
        status = keep(c, &c->last.id, texts[2], err);
    return status < 0 ? status : keep(c, &c->last.key, texts[3], err);
}

static agentchat_status state_page(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;

    begin_page(c);
    aci_queue(tx, ACI_SQL_ALL_STATE, check_state, c);
    aci_tx_text(tx, c->at.app);
    aci_tx_text(tx, c->at.usr);
    aci_tx_text(tx, c->at.id);
    aci_tx_text(tx, c->at.key);
    aci_tx_integer(tx, PAGE);
    return aci_tx_run(tx, true, err);
}

static agentchat_status check_all_state(checking *c, agentchat_error *err)
{
    agentchat_status status;

    start_over(c);
    c->bad = 0;
    status = run_pages(c, "state", state_page, err);
    if (status >= 0 && c->bad == 0 && !c->stopped)
        status = note(c, "state", NULL, err);
    return status < 0 ? status : report_findings(c, err);
}

/* ---- what belongs to nothing ---------------------------------------------------------------------------------- */

static agentchat_status note_lost(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    checking *c = user;
    agentchat_str app;
    aci_excerpt excerpt;
    int64_t num = 0, rows = 0;
    agentchat_status status = aci_column_text(columns, count, 0, &app, err);

    if (status >= 0)
        status = aci_column_integer(columns, count, 1, &num, err);
    if (status >= 0)
        status = aci_column_integer(columns, count, 2, &rows, err);
    if (status < 0)
        return status;
    return problem(c, "events", err, "application %s: %" PRId64 " events belong to no session (number %" PRId64 ")",
                   aci_excerpt_of(app, &excerpt), rows, num);
}

static agentchat_status lost_page(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;

    begin_page(c);
    c->bad = 0;
    aci_queue(tx, ACI_SQL_LOST_EVENTS, note_lost, c);
    return aci_tx_run(tx, true, err);
}

static agentchat_status check_lost(checking *c, agentchat_error *err)
{
    agentchat_status status = run_page(c, "events", lost_page, c, err);

    if (status >= 0 && c->bad == 0 && !c->stopped)
        status = note(c, "events", NULL, err);
    return status < 0 ? status : report_findings(c, err);
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static agentchat_status check_below(checking *c, agentchat_error *err)
{
    agentchat_store *store = c->store;
    agentchat_sql_outcome outcome;
    void *connection = NULL;
    agentchat_status status;

    if (store->driver->check == NULL)
        return AGENTCHAT_OK;
    status = aci_pool_take(store, aci_clock_ms() + store->wait_ms, &connection, &outcome, err);
    if (status < 0)
        return status;
    status = store->driver->check(connection, c->each, c->user, err);
    aci_pool_give(store, connection);
    c->stopped = status == AGENTCHAT_DONE;
    return status < 0 ? status : AGENTCHAT_OK;
}

agentchat_status agentchat_store_check(agentchat_store *store, agentchat_store_check_fn each, void *user,
                                       agentchat_error *err)
{
    checking c;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL || each == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "store and each must not be NULL");
    memset(&c, 0, sizeof c);
    c.store = store;
    c.env = store->env;
    c.each = each;
    c.user = user;
    c.home = aci_home_new(c.env, 0);
    status = c.home != NULL ? check_below(&c, err) : aci_fail_nomem(err);
    if (status >= 0 && !c.stopped)
        status = check_sessions(&c, err);
    if (status >= 0 && !c.stopped)
        status = check_all_state(&c, err);
    if (status >= 0 && !c.stopped)
        status = check_lost(&c, err);
    drop_findings(&c);
    aci_free(c.env, c.findings, c.cap * sizeof(*c.findings));
    aci_home_unref(c.home);
    return status < 0 ? status : AGENTCHAT_OK;
}
