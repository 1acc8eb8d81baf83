/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking through a store: whether everything is what it should be, and fits together. Layer 5.
 *
 * Each page is a transaction of its own, and findings are reported between them, so that the caller's function never
 * holds up a writer. A session is looked at as of one moment together with a page of its events.
 */
#include "session/check.h"

#include "base/error.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* ---- findings ------------------------------------------------------------------------------------------------- */

static void free_text(const agentchat_env *env, char *text, size_t len)
{
    if (text != NULL)
        aci_free(env, text, len + 1);
}

void aci_check_drop(aci_check *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free_text(c->env, c->findings[i].part, c->findings[i].part_len);
        free_text(c->env, c->findings[i].problem, c->findings[i].problem_len);
    }
    c->count = 0;
}

agentchat_status aci_check_note(aci_check *c, const char *part, const char *problem, agentchat_error *err)
{
    void *findings = c->findings;
    aci_check_finding f;

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

agentchat_status aci_check_report(aci_check *c, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < c->count && status >= 0 && !c->stopped; i++) {
        const aci_check_finding *f = &c->findings[i];
        agentchat_str problem = {f->problem, f->problem_len};

        status = c->each(c->user, (agentchat_str){f->part, f->part_len}, problem, err);
        c->stopped = status == AGENTCHAT_DONE;
    }
    aci_check_drop(c);
    return status < 0 ? status : AGENTCHAT_OK;
}

const char *aci_check_part(char buffer[400], const char *what, agentchat_str app, agentchat_str usr, agentchat_str id)
{
    aci_excerpt a, u, i;

    (void)snprintf(buffer, 400, "%s %s%s%s%s%s", what, aci_excerpt_of(app, &a), usr.len > 0 ? "/" : "",
                   usr.len > 0 ? aci_excerpt_of(usr, &u) : "", id.len > 0 ? "/" : "",
                   id.len > 0 ? aci_excerpt_of(id, &i) : "");
    return buffer;
}

agentchat_status aci_check_problem(aci_check *c, const char *part, agentchat_error *err, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return aci_check_note(c, part, text, err);
}

/* ---- walking -------------------------------------------------------------------------------------------------- */

agentchat_status aci_check_keep(aci_check *c, agentchat_str *where, agentchat_str text, agentchat_error *err)
{
    bool ok = true;

    *where = aci_home_copy(c->home, text, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status note_unreadable(aci_check *c, const char *part, const agentchat_error *why,
                                        agentchat_error *err)
{
    char where[400] = "the beginning";

    if (!c->unreadable)
        return aci_check_problem(c, part, err, "%s", why->message);
    if (c->at.app.len > 0)
        (void)aci_check_part(where, "what was found of", c->at.app, c->at.usr, c->at.id);
    if (++c->skipped == ACI_CHECK_MOST_UNREADABLE)
        return aci_check_problem(c, part, err, "%d rows behind %s cannot be read; the rest is not looked at",
                                 ACI_CHECK_MOST_UNREADABLE, where);
    return aci_check_problem(c, part, err, "a row behind %s cannot be read: %s", where, why->message);
}

static int compare_texts(agentchat_str a, agentchat_str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter > 0 ? memcmp(a.ptr, b.ptr, shorter) : 0;

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Damaged pages may give rows that they gave before, again and again. */
bool aci_check_is_after(const aci_check_place *a, const aci_check_place *b)
{
    int order = compare_texts(a->app, b->app);

    if (order == 0)
        order = compare_texts(a->usr, b->usr);
    if (order == 0)
        order = compare_texts(a->id, b->id);
    if (order == 0)
        order = compare_texts(a->key, b->key);
    return order != 0 ? order > 0 : a->seq > b->seq;
}

agentchat_status aci_check_note_disorder(aci_check *c, const char *part, agentchat_error *err)
{
    c->skipped = ACI_CHECK_MOST_UNREADABLE;
    return aci_check_problem(c, part, err, "rows are not in the order of their keys; the rest is not looked at");
}

static agentchat_status advance(aci_check *c, const char *part, agentchat_error *err)
{
    bool is_full = c->rows >= (uint64_t)c->limit; /* only then another page is read */

    if (is_full && !aci_check_is_after(&c->last, &c->at))
        return aci_check_note_disorder(c, part, err);
    c->at = c->last;
    c->skipped = 0;
    return AGENTCHAT_OK;
}

agentchat_status aci_check_run_page(aci_check *c, const char *part, aci_work work, void *user, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    status = aci_transact_in(c->store, &c->call, false, work, user, &why);
    c->unreadable = status == AGENTCHAT_E_CORRUPT && why.native == 0; /* else it is no row, but the database itself */
    if (status == AGENTCHAT_E_CORRUPT) {
        c->rows = 0;
        aci_check_drop(c);
        status = c->unreadable && c->limit > 1 ? AGENTCHAT_OK : note_unreadable(c, part, &why, err);
    } else if (status < 0) {
        if (err != NULL)
            *err = why;
    } else if (c->rows > 0) {
        status = advance(c, part, err);
    }
    return status < 0 ? status : aci_check_report(c, err);
}

bool aci_check_goes_on(const aci_check *c)
{
    if (c->stopped || c->skipped >= ACI_CHECK_MOST_UNREADABLE)
        return false;
    return c->unreadable || c->rows >= (uint64_t)c->limit;
}

agentchat_status aci_check_run_pages(aci_check *c, const char *part, aci_work work, agentchat_error *err)
{
    int one_by_one = 0; /* so many rows more */
    agentchat_status status;

    c->skipped = 0;
    do {
        c->limit = one_by_one > 0 ? 1 : ACI_CHECK_PAGE;
        status = aci_check_run_page(c, part, work, c, err);
        if (c->unreadable)
            one_by_one = ACI_CHECK_PAGE;
        else if (one_by_one > 0)
            one_by_one--;
    } while (status >= 0 && aci_check_goes_on(c));
    return status;
}

void aci_check_start_over(aci_check *c)
{
    agentchat_str first = AGENTCHAT_STR("");

    c->at = c->last = (aci_check_place){first, first, first, first, INT64_MIN};
    c->limit = 1;
    c->skipped = 0;
}

void aci_check_begin_page(aci_check *c)
{
    aci_check_drop(c);
    c->rows = 0;
    c->last = c->at;
}

void aci_check_limit_page(const aci_check *c, aci_tx *tx)
{
    aci_tx_integer(tx, c->limit);
    aci_tx_integer(tx, c->skipped);
}

/* ---- what belongs to nothing ---------------------------------------------------------------------------------- */

static agentchat_status note_lost(void *user, const agentchat_sql_value *columns, size_t count, agentchat_error *err)
{
    aci_check *c = user;
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
    return aci_check_problem(c, "events", err,
                             "application %s: %" PRId64 " events belong to no session (number %" PRId64 ")",
                             aci_excerpt_of(app, &excerpt), rows, num);
}

static agentchat_status lost_page(aci_tx *tx, void *user, agentchat_error *err)
{
    aci_check *c = user;

    aci_check_begin_page(c);
    c->bad = 0;
    aci_queue(tx, ACI_SQL_LOST_EVENTS, note_lost, c);
    return aci_tx_run(tx, true, err);
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

/* ---- the whole ------------------------------------------------------------------------------------------------ */

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
    agentchat_sql_outcome outcome;
    void *connection = NULL;
    agentchat_status status, told;

    if (store->driver->check == NULL)
        return AGENTCHAT_OK;
    status = aci_pool_take(store, &c->call, aci_clock_ms() + store->wait_ms, &connection, &outcome, err);
    if (status < 0)
        return status;
    status = store->driver->check(connection, collect, c, err);
    aci_pool_give(store, connection);
    c->call.unbounded = c->bad == 0; /* pages that are damaged may lead in circles */
    told = aci_check_report(c, status < 0 ? NULL : err);
    return status < 0 ? status : told;
}

agentchat_status agentchat_store_check(agentchat_store *store, agentchat_store_check_fn each, void *user,
                                       agentchat_error *err)
{
    aci_check c;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL || each == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "store and each must not be NULL");
    memset(&c, 0, sizeof c);
    c.store = store;
    c.env = store->env;
    c.call = aci_call_begin(store, true);
    c.each = each;
    c.user = user;
    c.home = aci_home_new(c.env, 0);
    status = c.home != NULL ? check_below(&c, err) : aci_fail_nomem(err);
    if (status >= 0 && !c.stopped)
        status = aci_check_sessions(&c, err);
    if (status >= 0 && !c.stopped)
        status = aci_check_state(&c, err);
    if (status >= 0 && !c.stopped)
        status = check_lost(&c, err);
    aci_check_drop(&c);
    aci_free(c.env, c.findings, c.cap * sizeof(*c.findings));
    aci_home_unref(c.home);
    return status < 0 ? status : AGENTCHAT_OK;
}
