/* SPDX-License-Identifier: Apache-2.0 */
/* Copying threads. */
#include "thread/thread_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/ids.h"

/* ==== the rows of a thread as those of another one =============================================================== */

/* Their bodies get other numbers in SQLite, where these are of the whole file, so all of them travel. */

struct aci_copied_row {
    aci_scan_table kind;
    aci_any_row of;
};

/* ---- numbers of bodies ------------------------------------------------------------------------------------------ */

static agentchat_status add_number(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_body_row *body = found;

    (void)arena;
    return aci_numbers_add(&rows->bodies, rows->env, &body->no, 1) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* Learns the numbers of the thread's bodies. It may be done again. */
static agentchat_status copy_rows_learn_bodies(aci_copier *rows, agentchat_error *err)
{
    agentchat_status status;

    rows->bodies.count = 0;
    status = aci_scan(rows->reader, rows->source, ACI_SCAN_OF_BODIES, add_number, rows, err);
    aci_numbers_sort(&rows->bodies);
    return status;
}

/* The number that the copy of a body has; ACI_THREAD_HIGHEST, which none has: the thread has no such body. One that is
   missing is missing in the copy, too: a prune that was at work at the moment of the copy has deleted it, and left the
   position that named it, which nothing reaches any more. */
static int64_t copy_rows_number(const aci_copier *rows, int64_t no)
{
    size_t at;

    if (rows->bodies.count == 0)
        return no;
    at = aci_numbers_find(&rows->bodies, no);
    return at < rows->bodies.count ? rows->first + (int64_t)at : ACI_THREAD_HIGHEST;
}

static int64_t copied_number(const void *user, int64_t no)
{
    return copy_rows_number(user, no);
}

/* ---- queueing --------------------------------------------------------------------------------------------------- */

/* Queues a body as it is copied. What belongs to a body, and is found by its number, is to be copied here too. */
static void copy_rows_queue_body(const aci_copier *rows, aci_tx *tx, const aci_body_row *body)
{
    aci_body_row copy = *body;

    copy.num = rows->num;
    copy.no = copy_rows_number(rows, body->no);
    aci_body_row_insert(tx, &copy);
}

static agentchat_status queue_item(const aci_copier *rows, aci_tx *tx, const aci_item_row *item, aci_arena *arena,
                                   agentchat_error *err)
{
    int64_t *numbers = NULL;
    agentchat_status status = aci_lists_item_numbers(item, arena, &numbers, err);

    if (status < 0)
        return status;
    for (int64_t i = 0; i < item->count; i++)
        numbers[i] = copy_rows_number(rows, numbers[i]);
    return aci_lists_insert_items(tx, rows->num, item->seg, item->pos, numbers, (size_t)item->count, arena, err);
}

static agentchat_status queue_checkpoint(const aci_copier *rows, aci_tx *tx, const aci_checkpoint_row *checkpoint,
                                         aci_arena *arena, agentchat_error *err)
{
    aci_checkpoint_row copy = *checkpoint;
    aci_contents *contents = NULL;
    bool ok = true;
    aci_buf text;
    agentchat_status status = aci_contents_read(rows->env, copy.contents, arena, &contents, err);

    if (status < 0)
        return status;
    aci_contents_renumber(contents, copied_number, rows);
    aci_buf_init(&text, rows->env, SIZE_MAX);
    ok = aci_contents_write(contents, &text);
    copy.contents = ok ? aci_arena_copy(arena, aci_buf_str(&text), &ok) : copy.contents;
    aci_buf_clear(&text);
    copy.num = rows->num;
    if (!ok)
        return aci_fail_nomem(err);
    aci_rows_insert_checkpoint(tx, &copy);
    return AGENTCHAT_OK;
}

static agentchat_status queue_one(const aci_copier *rows, aci_tx *tx, const aci_copied_row *one, aci_arena *arena,
                                  agentchat_error *err)
{
    aci_any_row copy = one->of;

    switch (one->kind) {
    case ACI_SCAN_OF_BODIES:
        copy_rows_queue_body(rows, tx, &one->of.body);
        break;
    case ACI_SCAN_OF_SEGMENTS:
        return aci_lists_put_segment(tx, rows->num, &one->of.segment, arena, err);
    case ACI_SCAN_OF_ITEMS:
        return queue_item(rows, tx, &one->of.item, arena, err);
    case ACI_SCAN_OF_CHECKPOINTS:
        return queue_checkpoint(rows, tx, &one->of.checkpoint, arena, err);
    case ACI_SCAN_OF_PENDING:
        copy.pending.num = rows->num;
        aci_pending_put_row(tx, &copy.pending);
        break;
    case ACI_SCAN_OF_REFERENCES:
    case ACI_SCAN_OF_TERMS:
        copy.term.num = rows->num;
        aci_terms_insert(tx, &copy.term);
        break;
    }
    return AGENTCHAT_OK;
}

/* Queues the rows of the portion. It may be done again. arena: lives until they were written. */
static agentchat_status copy_rows_queue(const aci_copier *rows, aci_tx *tx, aci_arena *arena, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < rows->count && status >= 0; i++)
        status = queue_one(rows, tx, &rows->list[i], arena, err);
    return status;
}

/* ---- gathering -------------------------------------------------------------------------------------------------- */

typedef struct wanted_body {
    aci_arena *arena;
    aci_body_row *body;
} wanted_body;

static agentchat_status load_bytes(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    const wanted_body *wanted = user;
    agentchat_str bytes = {NULL, 0};
    bool ok = true;
    agentchat_status status = aci_transact_column_bytes(columns, count, 3, &bytes, err);

    if (status < 0)
        return status;
    wanted->body->bytes = aci_arena_copy(wanted->arena, bytes, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* The bytes of the bodies of the portion; as they are: one that is damaged is damaged in the copy. */
static agentchat_status read_bytes(aci_copier *rows, agentchat_error *err)
{
    for (size_t i = 0; i < rows->count; i++) {
        aci_body_row *body = &rows->list[i].of.body;
        wanted_body *wanted;

        if (rows->list[i].kind != ACI_SCAN_OF_BODIES)
            continue;
        wanted = aci_arena_alloc(rows->arena, sizeof *wanted);
        if (wanted == NULL)
            return aci_fail_nomem(err);
        *wanted = (wanted_body){rows->arena, body};
        ACI_THREAD_ASK(rows->reader, ACI_BODY_BY_DIGEST, load_bytes, wanted, ACI_INT(rows->source),
                       ACI_BYTES(body->digest));
    }
    return rows->reader->count > 0 ? aci_transact_run(rows->reader, false, err) : AGENTCHAT_OK;
}

static agentchat_status write_portion(aci_copier *rows, agentchat_error *err)
{
    agentchat_status status = rows->count > 0 ? read_bytes(rows, err) : AGENTCHAT_OK;

    if (status >= 0 && rows->count > 0)
        status = rows->write(rows->user, err);
    aci_arena_unref(rows->arena);
    rows->arena = NULL;
    rows->count = rows->cost = 0;
    return status;
}

static int64_t length_of(aci_scan_table kind, const aci_any_row *row)
{
    switch (kind) {
    case ACI_SCAN_OF_BODIES:
        return row->body.length;
    case ACI_SCAN_OF_ITEMS:
        return (int64_t)row->item.bodies.len;
    case ACI_SCAN_OF_CHECKPOINTS:
        return (int64_t)(row->checkpoint.meta.len + row->checkpoint.contents.len);
    case ACI_SCAN_OF_PENDING:
        return (int64_t)row->pending.value.len;
    case ACI_SCAN_OF_SEGMENTS:
    case ACI_SCAN_OF_REFERENCES:
    case ACI_SCAN_OF_TERMS:
        break;
    }
    return 0;
}

static agentchat_status take_row(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    aci_copier *rows = user;
    const aci_any_row *row = found;
    void *list = rows->list;
    aci_copied_row *copy;

    (void)arena;
    if (rows->taking == ACI_SCAN_OF_BODIES && row->body.no == rows->has_body)
        return AGENTCHAT_OK;
    if (rows->arena == NULL)
        rows->arena = aci_arena_new(rows->env, 0);
    if (rows->arena == NULL || !aci_grow(rows->env, &list, &rows->cap, rows->count, sizeof *rows->list))
        return aci_fail_nomem(err);
    rows->list = list;
    copy = &rows->list[rows->count++];
    *copy = (aci_copied_row){rows->taking, *row};
    rows->cost += 1 + (size_t)(length_of(rows->taking, row) / 2048);
    if (!aci_scan_keep(rows->taking, &copy->of, rows->arena))
        return aci_fail_nomem(err);
    return rows->cost >= *rows->most ? write_portion(rows, err) : AGENTCHAT_OK;
}

agentchat_status aci_copy_rows(aci_copier *rows, agentchat_error *err)
{
    static const aci_scan_table tables[] = {ACI_SCAN_OF_BODIES,      ACI_SCAN_OF_SEGMENTS, ACI_SCAN_OF_ITEMS,
                                            ACI_SCAN_OF_CHECKPOINTS, ACI_SCAN_OF_PENDING,  ACI_SCAN_OF_TERMS};
    size_t count = sizeof tables / sizeof *tables - !rows->has_terms;
    agentchat_status status = AGENTCHAT_OK;

    for (size_t i = 0; i < count && status >= 0; i++) {
        rows->taking = tables[i];
        status = aci_scan(rows->reader, rows->source, tables[i], take_row, rows, err);
    }
    return status < 0 ? status : write_portion(rows, err);
}

static void copy_rows_clear(aci_copier *rows)
{
    aci_arena_unref(rows->arena);
    if (rows->env != NULL) {
        aci_free(rows->env, rows->list, rows->cap * sizeof *rows->list);
        aci_numbers_clear(&rows->bodies, rows->env);
    }
    rows->arena = NULL;
    rows->list = NULL;
    rows->count = rows->cap = rows->cost = 0;
}

/* ==== copying a thread as it was at one moment, while others go on with it ======================================= */

/* The thread is read in one transaction, on a connection of its own. What was read is written in steps, on another
   one, under a number that no thread has yet: an orphan, which the copy holds from step to step (orphans.c). The
   last step makes it a thread. So nobody sees a part of it, and what a killed copy leaves is found.

   A store that may have one connection only, as one in memory, is copied in one transaction. */

/* Longer than any step has to wait for others, as a rule. Who gets the number sooner ends the copy, no more. */
#define HOLDS_FOR_US (10 * 60 * INT64_C(1000000))

typedef struct copying {
    const agentchat_env *env;
    agentchat_str from, to;
    aci_steps steps;
    bool is_alone; /* one transaction does it all */
    bool is_held;  /* the number of the copy may be an orphan */
    /* ---- one attempt ---- */
    aci_arena *arena;
    aci_copier rows; /* has the numbers of both */
    aci_thread_row source;
    aci_body_row top; /* the body of the highest number, where numbers are of the whole file */
    int64_t until_us; /* in the orphan's row */
    int64_t next_us;  /* that the step writes into it */
    bool is_done;     /* an attempt whose answer was lost has made the thread */
} copying;

/* ---- failures --------------------------------------------------------------------------------------------------- */

static agentchat_status fail_exists(agentchat_str thread, agentchat_error *err)
{
    aci_excerpt excerpt;

    return aci_fail(err, AGENTCHAT_E_EXISTS, "there is a thread %s already", aci_error_excerpt(thread, &excerpt));
}

static agentchat_status fail_lost(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_BUSY,
                    "the copy was interrupted for so long that others have deleted it: copy the thread again");
}

/* ---- steps ------------------------------------------------------------------------------------------------------ */

/* Takes the number. Where numbers of bodies are of the whole file, the copies get the next ones; the highest of them is
   written first, so that nobody else takes one between. */
static agentchat_status begin_step(aci_tx *tx, void *user, agentchat_error *err)
{
    copying *c = user;
    aci_thread_found target;
    aci_orphan_row orphan;
    int64_t highest = 0;
    agentchat_status status;

    aci_orphans_ask(tx, c->rows.num, &orphan);
    aci_rows_ask_thread(tx, ACI_THREAD_ROW, c->to, &target);
    aci_thread_statement_add(tx, ACI_BODY_HIGHEST, aci_rows_load_number, &highest);
    status = aci_steps_lock(&c->steps, tx, err);
    if (status >= 0 && target.found)
        status = fail_exists(c->to, err);
    if (status < 0 || orphan.found) /* by an attempt whose answer was lost */
        return status;
    c->rows.first = highest + 1;
    if (c->top.no != 0)
        copy_rows_queue_body(&c->rows, tx, &c->top);
    aci_orphans_put(tx, ACI_ORPHAN_INSERT, c->rows.num, c->next_us);
    if (status >= 0)
        status = aci_steps_write(&c->steps, tx, err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* What each later step begins with. *is_done: an attempt whose answer was lost has done it. */
static agentchat_status lock_orphan(copying *c, aci_tx *tx, bool *is_done, agentchat_error *err)
{
    aci_orphan_row orphan;
    agentchat_status status;

    aci_orphans_ask(tx, c->rows.num, &orphan);
    status = aci_steps_lock(&c->steps, tx, err);
    *is_done = status >= 0 && orphan.found && tx->repeated && orphan.until_us == c->next_us;
    if (status < 0 || *is_done)
        return status;
    return orphan.found && orphan.until_us == c->until_us ? status : fail_lost(err);
}

static agentchat_status rows_step(aci_tx *tx, void *user, agentchat_error *err)
{
    copying *c = user;
    aci_arena *arena = aci_arena_new(c->env, 0);
    bool is_done = false;
    agentchat_status status = arena != NULL ? lock_orphan(c, tx, &is_done, err) : aci_fail_nomem(err);

    if (status >= 0 && !is_done) {
        status = copy_rows_queue(&c->rows, tx, arena, err);
        aci_orphans_put(tx, ACI_ORPHAN_ADVANCE, c->rows.num, c->next_us);
        if (status >= 0)
            status = aci_steps_write(&c->steps, tx, err);
        if (status >= 0)
            status = aci_transact_run(tx, true, err);
    }
    aci_arena_unref(arena);
    return status;
}

/* E_EXISTS when somebody has made a thread of that name meanwhile. */
static agentchat_status make_thread(const copying *c, aci_tx *tx, agentchat_error *err)
{
    aci_thread_row row = c->source;
    agentchat_status status;

    row.num = c->rows.num;
    if (c->top.no != 0)
        row.bodies = copy_rows_number(&c->rows, c->top.no);
    row.replaced = 0;
    if (!c->rows.has_terms)
        row.indexed = ACI_INDEXED_NOT;
    row.created_us = row.updated_us = aci_now_us(c->env);
    aci_rows_insert_thread(tx, c->to, &row);
    status = aci_transact_run(tx, false, err);
    return status >= 0 && aci_transact_changed(tx, 0) == 0 ? fail_exists(c->to, err) : status;
}

static agentchat_status end_step(aci_tx *tx, void *user, agentchat_error *err)
{
    copying *c = user;
    bool is_done = false;
    aci_thread_found target;
    agentchat_status status;

    aci_rows_ask_thread(tx, ACI_THREAD_LOCK, c->to, &target);
    status = lock_orphan(c, tx, &is_done, err);
    if (tx->repeated && aci_rows_has(&target, c->rows.num)) { /* by an attempt whose answer was lost */
        if (err != NULL)
            agentchat_error_clear(err); /* the orphan is gone with it */
        return AGENTCHAT_OK;
    }
    if (status >= 0)
        status = make_thread(c, tx, err);
    if (status < 0)
        return status;
    aci_orphans_remove(tx, c->rows.num);
    return aci_transact_run(tx, true, err);
}

/* Runs a step; each writes a later time into the orphan's row. */
static agentchat_status run_step(copying *c, aci_work work, agentchat_error *err)
{
    int64_t next_us = aci_now_us(c->env) + HOLDS_FOR_US;
    agentchat_status status;

    c->next_us = next_us > c->until_us ? next_us : c->until_us + 1;
    status = aci_steps_run(&c->steps, work, c, err);
    c->until_us = c->next_us;
    /* What the connection that reads waits for begins now. */
    aci_pool_allow(c->steps.store, c->rows.reader->connection, aci_sql_clock_ms() + c->steps.store->wait_ms);
    return status;
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static agentchat_status write_rows(void *user, agentchat_error *err)
{
    copying *c = user;
    aci_arena *arena;
    agentchat_status status;

    if (!c->is_alone)
        return run_step(c, rows_step, err);
    arena = aci_arena_new(c->env, 0);
    status = arena != NULL ? copy_rows_queue(&c->rows, c->rows.reader, arena, err) : aci_fail_nomem(err);
    if (status >= 0)
        status = aci_transact_run(c->rows.reader, false, err);
    aci_arena_unref(arena);
    return status;
}

static agentchat_status load_top(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    copying *c = user;
    bool ok = true;
    agentchat_status status = aci_body_row_read(&c->top, c->rows.source, columns, count, err);

    if (status < 0)
        return status;
    c->top.digest = aci_arena_copy(c->arena, c->top.digest, &ok);
    c->top.bytes = aci_arena_copy(c->arena, c->top.bytes, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

/* The first look at the thread, and at who has the other name. */
static agentchat_status look(copying *c, aci_tx *tx, agentchat_error *err)
{
    aci_thread_found source, target;
    agentchat_status status;

    aci_rows_ask_thread(tx, c->is_alone ? ACI_THREAD_LOCK : ACI_THREAD_ROW, c->from, &source);
    aci_rows_ask_thread(tx, ACI_THREAD_ROW, c->to, &target);
    status = aci_transact_run(tx, false, err);
    if (status >= 0 && !source.found)
        status = aci_rows_fail_no_thread(c->from, err);
    c->is_done = tx->repeated && target.found && target.row.num == c->rows.num;
    if (status >= 0 && target.found && !c->is_done)
        status = fail_exists(c->to, err);
    c->source = source.row;
    c->rows.source = source.row.num;
    c->rows.has_terms = aci_terms_are_kept(&source.row);
    if (status < 0 || c->is_done)
        return status;
    c->top.no = 0;
    ACI_THREAD_ASK(tx, ACI_BODY_TOP, aci_rows_load_number, &c->top.no, ACI_INT(c->rows.source));
    if (tx->count > 0)
        status = aci_transact_run(tx, false, err);
    if (status < 0 || c->top.no == 0)
        return status;
    ACI_THREAD_ASK(tx, ACI_BODY_ROWS, load_top, c, ACI_INT(c->rows.source), ACI_INT(c->top.no), ACI_INT(c->top.no));
    status = aci_transact_run(tx, false, err);
    return status < 0 ? status : copy_rows_learn_bodies(&c->rows, err);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static agentchat_status copy_alone(copying *c, aci_tx *tx, agentchat_error *err)
{
    int64_t highest = 0;
    agentchat_status status = look(c, tx, err);

    if (status < 0 || c->is_done)
        return status;
    aci_thread_statement_add(tx, ACI_BODY_HIGHEST, aci_rows_load_number, &highest);
    if (tx->count > 0)
        status = aci_transact_run(tx, false, err);
    c->rows.first = highest + 1;
    if (status >= 0)
        status = make_thread(c, tx, err);
    if (status >= 0)
        status = aci_rows_name_thread(aci_copy_rows(&c->rows, err), c->from, AGENTCHAT_STR(""), err);
    return status < 0 ? status : aci_transact_run(tx, true, err);
}

/* A copy that was begun in an attempt before this one was read from a connection that was lost. */
static agentchat_status copy_in_steps(copying *c, aci_tx *tx, agentchat_error *err)
{
    agentchat_error why;
    agentchat_status status;

    agentchat_error_clear(&why);
    if (c->is_held && aci_orphans_clear(&c->steps, c->rows.num, &why) >= 0)
        c->is_held = false;
    status = look(c, tx, err);
    if (status >= 0)
        status = aci_rows_new_number(c->env, &c->rows.num, err);
    if (status < 0)
        return status;
    c->until_us = 0;
    c->is_held = true;
    status = run_step(c, begin_step, err);
    c->rows.has_body = c->top.no;
    if (status >= 0)
        status = aci_rows_name_thread(aci_copy_rows(&c->rows, err), c->from, AGENTCHAT_STR(""), err);
    return status < 0 ? status : run_step(c, end_step, err);
}

static agentchat_status copy_work(aci_tx *tx, void *user, agentchat_error *err)
{
    copying *c = user;
    agentchat_status status;

    c->rows.reader = tx;
    c->arena = aci_arena_new(c->env, 0);
    if (c->arena == NULL)
        return aci_fail_nomem(err);
    status = c->is_alone ? copy_alone(c, tx, err) : copy_in_steps(c, tx, err);
    copy_rows_clear(&c->rows);
    aci_arena_unref(c->arena);
    return status;
}

static agentchat_status copy(copying *c, agentchat_error *err)
{
    agentchat_status status = aci_transact_in(c->steps.store, &c->steps.call, c->is_alone, copy_work, c, err);
    agentchat_error why;

    agentchat_error_clear(&why);
    if (status < 0 && c->is_held)
        (void)aci_orphans_clear(&c->steps, c->rows.num, &why); /* else a later call does it */
    else if (status >= 0)
        aci_orphans_clear_all(&c->steps);
    return status < 0 ? status : AGENTCHAT_OK;
}

agentchat_status agentchat_thread_copy(agentchat_store *store, const char *thread, const char *new_thread,
                                       agentchat_error *err)
{
    copying c = {.is_held = false};
    agentchat_status status;

    agentchat_error_clear(err);
    if (store == NULL)
        return aci_fail_null(err, "store");
    if (new_thread == NULL)
        return aci_fail_null(err, "new_thread");
    status = aci_rows_check_thread(thread, &c.from, err);
    if (status >= 0)
        status = aci_rows_check_thread(new_thread, &c.to, err);
    if (status >= 0 && store->read_only)
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the store was opened for reading only");
    if (status >= 0)
        status = aci_rows_new_number(store->env, &c.rows.num, err);
    if (status < 0)
        return status;
    aci_steps_begin(&c.steps, store);
    c.steps.is_all_or_nothing = true;
    c.env = store->env;
    c.is_alone = store->most == 1;
    c.rows.env = store->env;
    c.rows.most = &c.steps.rows;
    c.rows.write = write_rows;
    c.rows.user = &c;
    return copy(&c, err);
}
