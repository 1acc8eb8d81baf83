/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting rows that nothing refers to any more. */
#include "thread/thread_internal.h"

#include "base/buf.h"
#include "base/error.h"

/* ==== deleting garbage that was found before, where it still is some ============================================= */

typedef struct found_row { /* as it is now */
    aci_item_row item;
    aci_body_row body;
    struct found_row *next;
} found_row;

typedef struct sweeping {
    aci_tx *tx;
    aci_thread_row *thread;
    const aci_reach *reach;
    aci_arena *arena;
    aci_segment_found *segments;
    size_t segment_count;
    found_row *items, *bodies;
} sweeping;

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static found_row *add_row(const sweeping *s, found_row **list)
{
    found_row *row = aci_arena_alloc(s->arena, sizeof *row);

    if (row != NULL) {
        *row = (found_row){.next = *list};
        *list = row;
    }
    return row;
}

static agentchat_status load_item(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    sweeping *s = user;
    found_row *row = add_row(s, &s->items);
    bool ok = true;
    agentchat_status status;

    if (row == NULL)
        return aci_fail_nomem(err);
    status = aci_lists_read_item(&row->item, columns, count, err);
    if (status < 0)
        return status;
    row->item.bodies = aci_arena_copy(s->arena, row->item.bodies, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status load_body(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    sweeping *s = user;
    found_row *row = add_row(s, &s->bodies);
    bool ok = true;
    agentchat_status status;

    if (row == NULL)
        return aci_fail_nomem(err);
    status = aci_body_row_read(&row->body, s->thread->num, columns, count, err);
    if (status < 0)
        return status;
    row->body.digest = aci_arena_copy(s->arena, row->body.digest, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void ask_segment(sweeping *s, int64_t seg)
{
    aci_segment_found *one = &s->segments[s->segment_count++];

    *one = (aci_segment_found){.arena = s->arena, .num = s->thread->num, .row = {.seg = seg}};
    ACI_THREAD_ASK(s->tx, ACI_SEGMENT_ROW, aci_lists_load_segment, one, ACI_INT(s->thread->num), ACI_INT(seg));
}

static void ask_items(sweeping *s, aci_range range)
{
    ACI_THREAD_ASK(s->tx, ACI_ITEMS_WITHIN, load_item, s, ACI_INT(s->thread->num), ACI_INT(range.seg),
                   ACI_INT(range.from), ACI_INT(range.to));
}

static void ask_body(sweeping *s, int64_t no)
{
    ACI_THREAD_ASK(s->tx, ACI_BODY_SIZE, load_body, s, ACI_INT(s->thread->num), ACI_INT(no));
}

/* As much as the rows allow, and one thing at least. */
static agentchat_status ask(sweeping *s, const aci_garbage *g, aci_swept *at, size_t rows, agentchat_error *err)
{
    size_t spent = 0;

    s->segments = aci_arena_alloc(s->arena, (rows + 1) * sizeof *s->segments);
    if (s->segments == NULL)
        return aci_fail_nomem(err);
    for (; at->segments < g->segments.count && spent < rows; spent++)
        ask_segment(s, g->segments.list[at->segments++]);
    while (at->items < g->item_count && spent < rows) {
        spent += g->items[at->items].rows;
        ask_items(s, g->items[at->items++].range);
    }
    while (at->bodies < g->body_count && spent < rows) {
        spent += aci_rows_cost(g->bodies[at->bodies].length);
        ask_body(s, g->bodies[at->bodies++].no);
    }
    return spent > 0 ? aci_transact_run(s->tx, false, err) : AGENTCHAT_OK;
}

/* ---- deleting --------------------------------------------------------------------------------------------------- */

static agentchat_status sweep_segment(sweeping *s, aci_segment_row *row, agentchat_error *err)
{
    aci_need need = aci_garbage_cut_segment(s->reach, row);

    if (need == ACI_NEED_PART)
        return aci_lists_put_segment(s->tx, s->thread->num, row, s->arena, err);
    if (need == ACI_NEED_NONE)
        ACI_THREAD_ASK(s->tx, ACI_SEGMENT_DELETE, NULL, NULL, ACI_INT(s->thread->num), ACI_INT(row->seg));
    return AGENTCHAT_OK;
}

static agentchat_status sweep_item(sweeping *s, const aci_item_row *row, agentchat_error *err)
{
    aci_range covered = {row->seg, row->pos, row->pos + row->count}, piece;
    size_t at = aci_intervals_first(&s->reach->lists, covered);
    int64_t *numbers = NULL;
    agentchat_status status;

    if (aci_garbage_need_item(s->reach, row) == ACI_NEED_ALL)
        return AGENTCHAT_OK;
    status = aci_lists_item_numbers(row, s->arena, &numbers, err);
    ACI_THREAD_ASK(s->tx, ACI_ITEM_DELETE, NULL, NULL, ACI_INT(s->thread->num), ACI_INT(row->seg), ACI_INT(row->pos));
    for (; status >= 0 && aci_intervals_common(&s->reach->lists, at, covered, &piece); at++)
        status = aci_lists_insert_items(s->tx, s->thread->num, row->seg, piece.from, numbers + (piece.from - row->pos),
                                        (size_t)aci_range_length(piece), s->arena, err);
    return status;
}

static agentchat_status sweep_body(sweeping *s, const aci_body_row *body, agentchat_error *err)
{
    if (aci_reach_has_body(s->reach, body->no, body->digest))
        return AGENTCHAT_OK;
    if (body->length < 0 || body->length > s->thread->bytes)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the bodies of a thread have more bytes than it counts");
    s->thread->bytes -= body->length;
    ACI_THREAD_ASK(s->tx, ACI_BODY_DELETE, NULL, NULL, ACI_INT(s->thread->num), ACI_INT(body->no));
    return AGENTCHAT_OK;
}

agentchat_status aci_sweep(const aci_garbage *garbage, const aci_reach *reach, aci_swept *at, size_t rows, aci_tx *tx,
                           aci_thread_row *thread, aci_arena *arena, agentchat_error *err)
{
    sweeping s = {.tx = tx, .thread = thread, .reach = reach, .arena = arena};
    agentchat_status status = ask(&s, garbage, at, rows, err);

    for (size_t i = 0; i < s.segment_count && status >= 0; i++)
        status = sweep_segment(&s, &s.segments[i].row, err);
    for (const found_row *row = s.items; row != NULL && status >= 0; row = row->next)
        status = sweep_item(&s, &row->item, err);
    for (const found_row *row = s.bodies; row != NULL && status >= 0; row = row->next)
        status = sweep_body(&s, &row->body, err);
    return status;
}

/* ==== deleting what no checkpoint of a thread reaches any more, while others put ================================= */

/* First all of the thread is looked at in one transaction that reads: what its checkpoints reach is marked, and
   what seems to be garbage is noted. Then the notes are gone through in steps. Each step locks the thread, marks
   what the checkpoints reach that were put since the last look (their sequence numbers are higher), reads the rows
   that were noted once more, and deletes of them what is not marked. So whatever a put has found again meanwhile, a
   list by its parent or a body by its digest, stays. A checkpoint that was replaced has kept its sequence number;
   the thread counts those, and when it has counted on, all checkpoints are looked at again. What others delete
   meanwhile stays marked, and is theirs to collect.

   Positions keep their numbers: items are deleted, or cut where they are reached in part. A segment ends where the
   last position of it is reached, so that a put can append to it again. */

enum {
    MOST_NEW = 500, /* checkpoints that a step marks while it holds the lock */
    MOST_LOOKS = 16 /* at all checkpoints once more; then the rest is left to the next call */
};

typedef struct collecting {
    aci_steps *steps;
    const agentchat_env *env;
    agentchat_str thread;
    int64_t num;
    aci_reach reach;
    aci_garbage garbage;
    aci_swept swept;
    int64_t seq, replaced; /* of the thread when its checkpoints were looked at last */
    bool is_gone;          /* the thread */
    bool is_outdated;      /* it has more new checkpoints than a step may mark */
    bool is_stale;         /* checkpoints were replaced */
    aci_tx *tx;
} collecting;

/* ---- looking ---------------------------------------------------------------------------------------------------- */

static agentchat_status ask_thread(collecting *c, aci_thread_found *found, agentchat_error *err)
{
    agentchat_status status;

    aci_rows_ask_thread(c->tx, ACI_THREAD_ROW, c->thread, found);
    status = aci_transact_run(c->tx, false, err);
    c->is_gone = status >= 0 && !aci_rows_has(found, c->num);
    return status;
}

static agentchat_status add_checkpoint(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    return aci_reach_add(&((collecting *)user)->reach, row, arena, err);
}

/* The first look. It may be tried again. */
static agentchat_status mark(aci_tx *tx, void *user, agentchat_error *err)
{
    collecting *c = user;
    aci_thread_found found;
    agentchat_status status;

    c->tx = tx;
    aci_reach_clear(&c->reach);
    aci_garbage_clear(&c->garbage, c->env);
    if (!aci_reach_begin(&c->reach, c->env))
        return aci_fail_nomem(err);
    status = ask_thread(c, &found, err);
    if (status < 0 || c->is_gone)
        return status;
    status = aci_scan(tx, c->num, ACI_SCAN_OF_CHECKPOINTS, add_checkpoint, c, err);
    if (status >= 0)
        status = aci_reach_follow(&c->reach, tx, c->num, err);
    if (status >= 0)
        status = aci_garbage_find(&c->garbage, &c->reach, tx, c->num, err);
    c->seq = found.row.seq;
    c->replaced = found.row.replaced;
    return status;
}

typedef struct new_checkpoints {
    collecting *c;
    aci_arena *arena;
    int64_t count;
} new_checkpoints;

static agentchat_status add_new(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    new_checkpoints *fresh = user;
    aci_checkpoint_row row;
    agentchat_status status = aci_rows_read_checkpoint(&row, columns, count, err);

    fresh->count++;
    return status < 0 ? status : aci_reach_add(&fresh->c->reach, &row, fresh->arena, err);
}

/* Marks what the checkpoints reach that were put since. *count: how many were looked at, limit at most. */
static agentchat_status mark_new(collecting *c, int64_t limit, int64_t *count, agentchat_error *err)
{
    new_checkpoints fresh = {c, aci_arena_new(c->env, 0), 0};
    agentchat_status status = AGENTCHAT_OK;

    if (fresh.arena == NULL)
        return aci_fail_nomem(err);
    ACI_THREAD_ASK(c->tx, ACI_CHECKPOINTS_SINCE, add_new, &fresh, ACI_INT(c->num), ACI_INT(c->seq), ACI_INT(limit));
    status = aci_transact_run(c->tx, false, err);
    if (status >= 0 && fresh.count < limit)
        status = aci_reach_follow_more(&c->reach, c->tx, c->num, err);
    aci_arena_unref(fresh.arena);
    *count = fresh.count;
    return status;
}

/* Later looks, while others are not kept from anything. */
static agentchat_status look_again(aci_tx *tx, void *user, agentchat_error *err)
{
    collecting *c = user;
    int64_t count = 0;
    aci_thread_found found;
    agentchat_status status;

    c->tx = tx;
    status = ask_thread(c, &found, err);
    if (status < 0 || c->is_gone)
        return status;
    if (found.row.replaced == c->replaced) {
        status = mark_new(c, INT64_MAX, &count, err);
    } else {
        status = aci_scan(tx, c->num, ACI_SCAN_OF_CHECKPOINTS, add_checkpoint, c, err);
        if (status >= 0)
            status = aci_reach_follow_more(&c->reach, tx, c->num, err);
    }
    if (status >= 0 && !aci_reach_settle(&c->reach))
        status = aci_fail_nomem(err);
    if (status < 0)
        return status;
    c->seq = found.row.seq;
    c->replaced = found.row.replaced;
    return status;
}

/* ---- deleting --------------------------------------------------------------------------------------------------- */

/* Marks what is new while the thread is locked, unless that would take long: then the step ends here. */
static agentchat_status be_up_to_date(collecting *c, const aci_thread_row *row, agentchat_error *err)
{
    int64_t count = 0;
    agentchat_status status = AGENTCHAT_OK;

    c->is_stale = row->replaced != c->replaced;
    if (c->is_stale || row->seq == c->seq)
        return AGENTCHAT_OK;
    status = mark_new(c, MOST_NEW, &count, err);
    c->is_outdated = status >= 0 && count == MOST_NEW;
    if (status >= 0 && !c->is_outdated)
        c->seq = row->seq;
    return status;
}

static agentchat_status sweep(collecting *c, aci_thread_row *row, aci_swept *swept, agentchat_error *err)
{
    aci_arena *arena = aci_arena_new(c->env, 0);
    agentchat_status status = arena != NULL
                                  ? aci_sweep(&c->garbage, &c->reach, swept, c->steps->rows, c->tx, row, arena, err)
                                  : aci_fail_nomem(err);

    if (status >= 0)
        aci_rows_advance_thread(c->tx, c->thread, row);
    if (status >= 0)
        status = aci_steps_write(c->steps, c->tx, err);
    aci_arena_unref(arena);
    return status;
}

static agentchat_status sweep_some(aci_tx *tx, void *user, agentchat_error *err)
{
    collecting *c = user;
    aci_swept swept = c->swept;
    aci_thread_found found;
    agentchat_status status;

    c->tx = tx;
    c->is_gone = c->is_outdated = c->is_stale = false;
    aci_rows_ask_thread(tx, ACI_THREAD_LOCK, c->thread, &found);
    status = aci_steps_lock(c->steps, tx, err);
    if (status < 0)
        return status;
    c->is_gone = !aci_rows_has(&found, c->num);
    if (!c->is_gone)
        status = be_up_to_date(c, &found.row, err);
    if (status < 0 || c->is_gone || c->is_outdated || c->is_stale)
        return status;
    status = sweep(c, &found.row, &swept, err);
    if (status >= 0)
        status = aci_transact_run(tx, true, err);
    if (status >= 0)
        c->swept = swept;
    return status;
}

static agentchat_status collect(collecting *c, agentchat_error *err)
{
    agentchat_status status = aci_steps_look(c->steps, mark, c, err);

    for (unsigned looks = 0; status >= 0 && !c->is_gone && looks < MOST_LOOKS;) {
        if (aci_sweep_is_done(&c->garbage, &c->swept))
            break;
        status = aci_steps_run(c->steps, sweep_some, c, err);
        looks += c->is_stale;
        if (status >= 0 && (c->is_outdated || c->is_stale))
            status = aci_steps_look(c->steps, look_again, c, err);
    }
    return status;
}

agentchat_status aci_collect(aci_steps *steps, agentchat_str thread, int64_t num, agentchat_error *err)
{
    collecting c = {.steps = steps, .env = steps->store->env, .thread = thread, .num = num};
    agentchat_status status = collect(&c, err);

    aci_reach_clear(&c.reach);
    aci_garbage_clear(&c.garbage, c.env);
    return status;
}
