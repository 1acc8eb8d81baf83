/* SPDX-License-Identifier: Apache-2.0 */
/* Checking a store; cursors of lists. */
#include "store/core/sql.h"

#include "base/b64.h"
#include "base/buf.h"
#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ==== checking a store: what lies below the tables, then the tables of each service ============================== */

/* Findings are reported between transactions, so that the caller's function never holds up a writer. */

/* ---- findings ------------------------------------------------------------------------------------------------- */

static void free_text(const agentchat_env *env, char *text, size_t len)
{
    if (text != NULL)
        aci_free(env, text, len + 1);
}

void aci_check_drop(aci_store_check *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free_text(c->env, c->findings[i].part, c->findings[i].part_len);
        free_text(c->env, c->findings[i].problem, c->findings[i].problem_len);
    }
    c->count = 0;
}

agentchat_status aci_check_note(aci_store_check *c, const char *part, const char *problem, agentchat_error *err)
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

agentchat_status aci_check_report(aci_store_check *c, agentchat_error *err)
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

agentchat_status aci_check_problem(aci_store_check *c, const char *part, agentchat_error *err, const char *format, ...)
{
    char text[400];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return aci_check_note(c, part, text, err);
}

agentchat_status aci_check_run(aci_store_check *c, const char *part, aci_work work, void *user, bool *lost,
                               agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status = aci_check_report(c, err);

    if (status < 0 || c->stopped)
        return status;
    agentchat_error_clear(&why);
    status = aci_transact_in(c->store, &c->call, false, work, user, &why);
    if (status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_LIMIT) {
        *lost = true;
        status = aci_check_problem(c, part, err, "%s", why.message);
    } else if (status < 0 && err != NULL) {
        *err = why;
    }
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

static agentchat_status check_below(aci_store_check *c, agentchat_error *err)
{
    agentchat_store *store = c->store;
    aci_sql_outcome outcome;
    void *connection = NULL;
    agentchat_status status, reported;

    status = aci_pool_take(store, &c->call, aci_sql_clock_ms() + store->wait_ms, &connection, &outcome, err);
    if (status < 0)
        return status;
    status = store->driver->check(connection, collect, c, err);
    aci_pool_give(store, connection);
    c->call.unbounded = c->bad == 0; /* pages that are damaged may lead in circles */
    reported = aci_check_report(c, status < 0 ? NULL : err);
    return status < 0 ? status : reported;
}

/* Whether the store has its tables; one that is only read may lack those of newer services. */
static bool has_tables(const agentchat_store *store, size_t service)
{
    return service == 0 || (atomic_load(&store->lacks) & 1u << service) == 0;
}

agentchat_status agentchat_store_check(agentchat_store *store, agentchat_store_check_fn each, void *user,
                                       agentchat_error *err)
{
    aci_store_check c;
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (each == NULL)
        return aci_fail_null(err, "each");
    memset(&c, 0, sizeof c);
    c.store = store;
    c.env = store->env;
    c.call = aci_sql_call_begin(store, true);
    c.each = each;
    c.user = user;
    status = check_below(&c, err);
    for (size_t i = 0; i < aci_service_count && status >= 0 && !c.stopped; i++)
        if (has_tables(store, i))
            status = aci_services[i]->check(&c, err);
    aci_check_drop(&c);
    aci_free(c.env, c.findings, c.cap * sizeof(*c.findings));
    return status < 0 ? status : AGENTCHAT_OK;
}

/* ==== cursors of lists that are read by pages ==================================================================== */

const char *aci_sql_cursor_make(aci_arena *arena, const agentchat_str *parts, size_t count)
{
    char *encoded = NULL;
    aci_buf text;
    bool ok;

    aci_buf_init(&text, aci_arena_env(arena), SIZE_MAX);
    ok = aci_buf_add(&text, "1", 1);
    for (size_t i = 0; ok && i < count; i++)
        ok = aci_buf_add(&text, "", 1) && aci_buf_add_str(&text, parts[i]);
    if (ok) {
        size_t size = aci_b64_encoded_size(text.len);

        encoded = aci_arena_text(arena, size + 1);
        if (encoded != NULL) {
            aci_b64_encode(text.ptr, text.len, encoded);
            encoded[size] = '\0';
        }
    }
    aci_buf_clear(&text);
    return encoded;
}

/* Cuts decoded text at its NULs. false: other than so many parts. */
static bool cut(agentchat_str text, agentchat_str *parts, size_t count)
{
    const char *end = text.ptr + text.len;

    for (size_t i = 0; i < count; i++) {
        const char *stop = memchr(text.ptr, '\0', (size_t)(end - text.ptr));
        bool last = i == count - 1;

        if ((stop == NULL) != last)
            return false;
        parts[i] = (agentchat_str){text.ptr, (size_t)((last ? end : stop) - text.ptr)};
        if (!last)
            text.ptr = stop + 1;
    }
    return true;
}

agentchat_status aci_sql_cursor_read(aci_arena *arena, const char *cursor, agentchat_str *parts, size_t count,
                                     const char *of, agentchat_error *err)
{
    agentchat_str encoded = agentchat_str_from(cursor), text = {NULL, 0};
    size_t bad;
    char *room;

    if (!aci_b64_check(encoded, &bad))
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of %s", of);
    text.len = aci_b64_decoded_size(encoded);
    room = aci_arena_text(arena, text.len + 2); /* the decoder writes one byte more */
    if (room == NULL)
        return aci_fail_nomem(err);
    aci_b64_decode(encoded, room);
    room[text.len] = '\0';
    if (text.len < 2 || room[0] != '1' || room[1] != '\0')
        return aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of %s", of);
    text = (agentchat_str){room + 2, text.len - 2};
    return cut(text, parts, count) ? AGENTCHAT_OK
                                   : aci_fail(err, AGENTCHAT_E_INVALID, "this is no cursor of a list of %s", of);
}
