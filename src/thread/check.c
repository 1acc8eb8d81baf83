/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checking the threads of a store: whether every row is what it should be, every checkpoint can be read, and what a
 * thread counts is what it has. What no checkpoint needs is no damage: a checkpoint that was replaced leaves it.
 */
#include "thread/tables.h"

#include "base/buf.h"
#include "base/error.h"
#include "store/core/check.h"
#include "thread/check_parts.h"
#include "thread/index.h"
#include "thread/orphans.h"
#include "thread/reach.h"
#include "thread/scan.h"
#include <inttypes.h>
#include <string.h>

enum { PAGE = 500 };

typedef struct checked_name { /* of a checkpoint */
    agentchat_str ns, id;
} checked_name;

typedef struct checking {
    aci_store_check *all;
    const agentchat_env *env;
    /* ---- the thread ---- */
    aci_thread_next next; /* as it was found */
    agentchat_str id;
    aci_thread_row row;
    char part[400];
    /* ---- a page of its checkpoints ---- */
    aci_arena *page;
    checked_name *names;
    size_t count, cap;
    size_t rows;
    agentchat_str ns; /* of the last row */
    int64_t seq;
    bool is_lost; /* what comes after it is unknown */
    aci_readable readable;
    /* ---- of no thread ---- */
    size_t orphans;
} checking;

/* Runs a part of the check as one transaction, then reports. What makes that impossible is a finding. */
static agentchat_status run(checking *c, aci_work work, void *user, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status = aci_check_report(c->all, err);

    if (status < 0 || c->all->stopped)
        return status;
    agentchat_error_clear(&why);
    status = aci_transact_in(c->all->store, &c->all->call, false, work, user, &why);
    if (status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_LIMIT) {
        c->is_lost = true;
        status = aci_check_problem(c->all, c->part, err, "%s", why.message);
    } else if (status < 0 && err != NULL) {
        *err = why;
    }
    return status < 0 ? status : aci_check_report(c->all, err);
}

/* ---- checkpoints ---------------------------------------------------------------------------------------------- */

static agentchat_status keep_name(checking *c, const aci_checkpoint_row *row, agentchat_error *err)
{
    void *names = c->names;
    bool ok = true;

    if (!aci_grow(c->env, &names, &c->cap, c->count, sizeof *c->names))
        return aci_fail_nomem(err);
    c->names = names;
    c->names[c->count].ns = aci_arena_copy(c->page, row->ns, &ok);
    c->names[c->count].id = aci_arena_copy(c->page, row->id, &ok);
    c->count++;
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status look_at_row(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    checking *c = user;
    agentchat_str ns = {NULL, 0};
    int64_t seq = 0;
    aci_checkpoint_row row;
    agentchat_error why;
    bool ok = true;
    agentchat_status status = aci_transact_column_text(columns, count, 1, &ns, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &seq, err);
    if (status < 0)
        return status;
    if (agentchat_str_equal(ns, c->ns) && seq <= c->seq)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "checkpoints are not in the order of their keys");
    c->rows++;
    c->seq = seq;
    c->ns = aci_arena_copy(c->page, ns, &ok);
    if (!ok)
        return aci_fail_nomem(err);
    agentchat_error_clear(&why);
    status = aci_rows_read_checkpoint(&row, columns, count, &why);
    if (status == AGENTCHAT_E_NOMEM)
        return aci_fail_nomem(err);
    if (status < 0)
        return aci_check_problem(c->all, c->part, err, "checkpoint number %" PRId64 ": %s", seq, why.message);
    if (row.seq < 1 || row.seq > c->row.seq)
        status = aci_check_problem(c->all, c->part, err,
                                   "checkpoint number %" PRId64 " stands outside the thread's sequence, 1 to %" PRId64,
                                   row.seq, c->row.seq);
    return status < 0 ? status : keep_name(c, &row, err);
}

/* The thread's row is that of the same moment: checkpoints are put meanwhile. */
static agentchat_status checkpoint_page(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;
    aci_thread_found now = {.id = c->id, .row = c->row};
    agentchat_str after = c->ns;
    int64_t seq = c->seq;
    agentchat_status status;

    aci_check_drop(c->all);
    c->count = c->rows = 0;
    aci_thread_statement_add(tx, ACI_THREAD_ROW, aci_rows_load_thread, &now);
    aci_transact_text(tx, c->id);
    status = aci_transact_run(tx, false, err);
    if (status < 0)
        return status;
    c->row = now.row;
    c->readable.is_large = (uint64_t)now.row.bytes > c->env->limits.max_bytes;
    aci_thread_statement_add(tx, ACI_SCAN_CHECKPOINTS, look_at_row, c);
    aci_transact_integer(tx, c->row.num);
    aci_transact_text(tx, after);
    aci_transact_integer(tx, seq);
    aci_transact_integer(tx, PAGE);
    status = aci_transact_run(tx, false, err);
    if (status < 0) { /* it may be tried again */
        status = aci_rows_name_after(status, c->seq, err);
        c->ns = after;
        c->seq = seq;
    }
    return status;
}

typedef struct one_checkpoint {
    checking *c;
    checked_name name;
} one_checkpoint;

static agentchat_status read_checkpoint(aci_tx *tx, void *user, agentchat_error *err)
{
    const one_checkpoint *one = user;
    aci_checkpoint_found found = {.arena = one->c->page};
    agentchat_error why;
    aci_excerpt excerpt;
    agentchat_status status;

    aci_check_drop(one->c->all);
    aci_thread_statement_add(tx, ACI_CHECKPOINT_BY_ID, aci_rows_load_checkpoint, &found);
    aci_transact_text(tx, one->c->id);
    aci_transact_text(tx, one->name.ns);
    aci_transact_text(tx, one->name.id);
    status = aci_transact_run(tx, false, err);
    if (status < 0 || !found.found) /* deleted meanwhile */
        return status;
    agentchat_error_clear(&why);
    status = aci_check_contents(&one->c->readable, tx, &found.row, &why);
    if ((status == AGENTCHAT_E_CORRUPT || status == AGENTCHAT_E_LIMIT) && !tx->ended)
        return aci_check_problem(one->c->all, one->c->part, err, "checkpoint %s cannot be read: %s",
                                 aci_error_excerpt(one->name.id, &excerpt), why.message);
    if (status < 0 && err != NULL)
        *err = why;
    return status;
}

static agentchat_status check_page(checking *c, agentchat_error *err)
{
    agentchat_status status = run(c, checkpoint_page, c, err);

    for (size_t i = 0; i < c->count && status >= 0 && !c->all->stopped && !c->is_lost; i++) {
        one_checkpoint one = {c, c->names[i]};

        status = run(c, read_checkpoint, &one, err);
        c->is_lost = false;
    }
    return status;
}

static agentchat_status check_checkpoints(checking *c, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    c->ns = AGENTCHAT_STR("");
    c->seq = INT64_MIN; /* one that is damaged may be negative */
    c->is_lost = false;
    do {
        aci_arena *before = c->page;

        c->page = aci_arena_new(c->env, 0);
        status = c->page != NULL ? check_page(c, err) : aci_fail_nomem(err);
        aci_arena_unref(before);
    } while (status >= 0 && c->rows == PAGE && !c->is_lost && !c->all->stopped);
    aci_arena_unref(c->page);
    c->page = NULL;
    aci_check_contents_clear(&c->readable, c->env);
    return status;
}

/* ---- the rest of a thread -------------------------------------------------------------------------------------- */

static agentchat_status look_at_pending(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    (void)user;
    (void)row;
    (void)arena;
    (void)err;
    return AGENTCHAT_OK; /* its checksum is right */
}

static agentchat_status check_pending(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;

    aci_check_drop(c->all);
    return aci_scan(tx, c->row.num, ACI_SCAN_OF_PENDING, look_at_pending, NULL, err);
}

static agentchat_status check_index(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;

    aci_check_drop(c->all);
    return aci_check_terms(c->all, c->part, tx, c->id, err);
}

typedef struct counting {
    aci_reach reach;
    int64_t bytes, bodies;
    int64_t unused, unused_bytes;
} counting;

static agentchat_status add_checkpoint(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    counting *count = user;

    return aci_reach_add(&count->reach, row, arena, err);
}

static agentchat_status count_body(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    counting *count = user;
    const aci_body_row *body = row;

    (void)arena;
    (void)err;
    if (body->no > count->bodies)
        count->bodies = body->no;
    count->bytes += body->length;
    if (!aci_reach_has_body(&count->reach, body->no, body->digest)) {
        count->unused++;
        count->unused_bytes += body->length;
    }
    return AGENTCHAT_OK;
}

static agentchat_status note_counts(checking *c, const counting *count, const aci_thread_row *row, agentchat_error *err)
{
    char part[500];
    agentchat_status status = AGENTCHAT_OK;

    if (count->bytes != row->bytes)
        status = aci_check_problem(c->all, c->part, err, "it says that it has %" PRId64 " bytes, and has %" PRId64,
                                   row->bytes, count->bytes);
    if (status >= 0 && (count->bodies > row->bodies || count->reach.segments > row->segments))
        status = aci_check_problem(c->all, c->part, err, "it has higher numbers than it has given out");
    if (status < 0 || count->unused == 0)
        return status;
    (void)snprintf(part, sizeof part, "%s (unused: %" PRId64 " bodies, %" PRId64 " bytes; pruning deletes them)",
                   c->part, count->unused, count->unused_bytes);
    return aci_check_note(c->all, part, NULL, err);
}

static agentchat_status count_all(checking *c, counting *count, aci_tx *tx, agentchat_error *err)
{
    aci_thread_found now = {.id = c->id};
    agentchat_status status;

    aci_thread_statement_add(tx, ACI_THREAD_ROW, aci_rows_load_thread, &now);
    aci_transact_text(tx, c->id);
    status = aci_transact_run(tx, false, err);
    if (status < 0 || !now.found) /* deleted meanwhile */
        return status;
    status = aci_scan(tx, now.row.num, ACI_SCAN_OF_CHECKPOINTS, add_checkpoint, count, err);
    if (status >= 0)
        status = aci_reach_follow(&count->reach, tx, now.row.num, err);
    if (status >= 0)
        status = aci_scan(tx, now.row.num, ACI_SCAN_OF_BODIES, count_body, count, err);
    return status < 0 ? status : note_counts(c, count, &now.row, err);
}

static agentchat_status check_counts(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;
    counting count = {.bytes = 0};
    agentchat_status status = aci_reach_begin(&count.reach, c->env) ? AGENTCHAT_OK : aci_fail_nomem(err);

    aci_check_drop(c->all);
    if (status >= 0)
        status = count_all(c, &count, tx, err);
    aci_reach_clear(&count.reach);
    return status;
}

/* ---- threads -------------------------------------------------------------------------------------------------- */

static agentchat_status check_thread(checking *c, agentchat_error *err)
{
    aci_excerpt excerpt;
    agentchat_status status = AGENTCHAT_OK;

    (void)snprintf(c->part, sizeof c->part, "thread %s", aci_error_excerpt(c->id, &excerpt));
    c->all->bad = 0;
    if (c->next.sound < 0)
        status = aci_check_problem(c->all, c->part, err, "%s", c->next.why.message);
    else
        status = check_checkpoints(c, err);
    if (status >= 0 && c->next.sound >= 0 && !c->all->stopped)
        status = run(c, check_pending, c, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = run(c, check_counts, c, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = run(c, check_index, c, err);
    if (status >= 0 && c->all->bad == 0 && !c->all->stopped)
        status = aci_check_note(c->all, c->part, NULL, err);
    return status < 0 ? status : aci_check_report(c->all, err);
}

static agentchat_status next_thread(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;

    aci_check_drop(c->all);
    return aci_rows_next_thread(tx, &c->next, err);
}

static agentchat_status check_threads(checking *c, agentchat_error *err)
{
    agentchat_status status;

    do {
        aci_arena *before = c->next.arena;

        c->is_lost = false;
        (void)snprintf(c->part, sizeof c->part, "threads");
        c->next = (aci_thread_next){.after = c->id, .arena = aci_arena_new(c->env, 0)};
        status = c->next.arena != NULL ? run(c, next_thread, c, err) : aci_fail_nomem(err);
        aci_arena_unref(before);
        c->id = c->next.id;
        c->row = c->next.row;
        if (status >= 0 && c->next.found && !c->is_lost && !c->all->stopped)
            status = check_thread(c, err);
    } while (status >= 0 && c->next.found && !c->all->stopped);
    return status;
}

/* ---- what belongs to nothing ----------------------------------------------------------------------------------- */

static agentchat_status note_lost(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    checking *c = user;
    agentchat_str table = {NULL, 0};
    int64_t num = 0, rows = 0;
    agentchat_status status = aci_transact_column_text(columns, count, 0, &table, err);

    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 1, &num, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &rows, err);
    if (status < 0)
        return status;
    return aci_check_problem(c->all, c->part, err,
                             "%" PRId64 " rows of table " AGENTCHAT_STR_FMT " belong to no thread (number %" PRId64 ")",
                             rows, AGENTCHAT_STR_ARG(table), num);
}

/* Rows of an orphan are no damage: the thread was deleted, or is a copy that is not complete. */
static agentchat_status count_orphan(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    checking *c = user;
    aci_orphan_row row = {.found = false};
    agentchat_status status = aci_orphans_load(&row, columns, count, err);

    if (status < 0)
        return status;
    c->orphans += !row.is_damaged;
    return row.is_damaged
               ? aci_check_problem(c->all, c->part, err, "a stored orphan (number %" PRId64 ") is damaged", row.num)
               : AGENTCHAT_OK;
}

static agentchat_status find_lost(aci_tx *tx, void *user, agentchat_error *err)
{
    checking *c = user;
    aci_index_row index = {.found = false};
    char part[160];
    agentchat_status status;

    aci_check_drop(c->all);
    c->orphans = 0;
    for (int which = ACI_LOST_CHECKPOINTS; which <= ACI_LOST_PENDING; which++)
        aci_thread_statement_add(tx, (aci_thread_statement)which, note_lost, c);
    aci_thread_statement_add(tx, ACI_ORPHANS, count_orphan, c);
    aci_thread_statement_add(tx, ACI_INDEX_ROW, aci_index_load, &index);
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && index.is_damaged)
        status = aci_check_problem(c->all, c->part, err, ACI_INDEX_DAMAGED);
    if (status < 0 || c->orphans == 0)
        return status;
    (void)snprintf(
        part, sizeof part,
        "threads (unused: what is left of %zu that were being deleted or copied; deleting, pruning or copying "
        "any thread deletes it)",
        c->orphans);
    return aci_check_note(c->all, part, NULL, err);
}

agentchat_status aci_thread_check(aci_store_check *all, agentchat_error *err)
{
    checking c = {.all = all, .env = all->env, .id = AGENTCHAT_STR("")};
    agentchat_status status = check_threads(&c, err);

    if (status >= 0 && !all->stopped) {
        (void)snprintf(c.part, sizeof c.part, "threads");
        status = run(&c, find_lost, &c, err);
    }
    aci_arena_unref(c.next.arena);
    aci_free(c.env, c.names, c.cap * sizeof *c.names);
    return status < 0 ? status : aci_check_report(all, err);
}
