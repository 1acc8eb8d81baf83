/* SPDX-License-Identifier: Apache-2.0 */
/* Deleting garbage that was found before, where it still is some. */
#include "thread/sweep.h"

#include "base/buf.h"
#include "base/error.h"

typedef struct found_row { /* as it is now */
    aci_item_row item;
    int64_t no, length;
    agentchat_str digest;
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
    agentchat_status status = row != NULL ? aci_lists_read_item(&row->item, columns, count, err) : aci_fail_nomem(err);

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
    agentchat_status status =
        row != NULL ? aci_transact_column_integer(columns, count, 0, &row->no, err) : aci_fail_nomem(err);

    if (status >= 0)
        status = aci_transact_column_bytes(columns, count, 1, &row->digest, err);
    if (status >= 0)
        status = aci_transact_column_integer(columns, count, 2, &row->length, err);
    if (status >= 0)
        status = aci_body_row_check_sum(s->thread->num, row->no, row->digest, columns, count, 3, err);
    if (status < 0)
        return status;
    row->digest = aci_arena_copy(s->arena, row->digest, &ok);
    return ok ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void ask_segment(sweeping *s, int64_t seg)
{
    aci_segment_found *one = &s->segments[s->segment_count++];

    *one = (aci_segment_found){.arena = s->arena, .num = s->thread->num, .row = {.seg = seg}};
    aci_thread_statement_add(s->tx, ACI_SEGMENT_ROW, aci_lists_load_segment, one);
    aci_transact_integer(s->tx, s->thread->num);
    aci_transact_integer(s->tx, seg);
}

static void ask_items(sweeping *s, aci_range range)
{
    aci_thread_statement_add(s->tx, ACI_ITEMS_WITHIN, load_item, s);
    aci_transact_integer(s->tx, s->thread->num);
    aci_transact_integer(s->tx, range.seg);
    aci_transact_integer(s->tx, range.from);
    aci_transact_integer(s->tx, range.to);
}

static void ask_body(sweeping *s, int64_t no)
{
    aci_thread_statement_add(s->tx, ACI_BODY_SIZE, load_body, s);
    aci_transact_integer(s->tx, s->thread->num);
    aci_transact_integer(s->tx, no);
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
        spent += aci_steps_cost(g->bodies[at->bodies].length);
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
    if (need == ACI_NEED_NONE) {
        aci_thread_statement_add(s->tx, ACI_SEGMENT_DELETE, NULL, NULL);
        aci_transact_integer(s->tx, s->thread->num);
        aci_transact_integer(s->tx, row->seg);
    }
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
    aci_thread_statement_add(s->tx, ACI_ITEM_DELETE, NULL, NULL);
    aci_transact_integer(s->tx, s->thread->num);
    aci_transact_integer(s->tx, row->seg);
    aci_transact_integer(s->tx, row->pos);
    for (; status >= 0 && aci_intervals_common(&s->reach->lists, at, covered, &piece); at++)
        status = aci_lists_insert_items(s->tx, s->thread->num, row->seg, piece.from, numbers + (piece.from - row->pos),
                                        (size_t)aci_range_length(piece), s->arena, err);
    return status;
}

static agentchat_status sweep_body(sweeping *s, const found_row *body, agentchat_error *err)
{
    if (aci_reach_has_body(s->reach, body->no, body->digest))
        return AGENTCHAT_OK;
    if (body->length < 0 || body->length > s->thread->bytes)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the bodies of a thread have more bytes than it counts");
    s->thread->bytes -= body->length;
    aci_thread_statement_add(s->tx, ACI_BODY_DELETE, NULL, NULL);
    aci_transact_integer(s->tx, s->thread->num);
    aci_transact_integer(s->tx, body->no);
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
        status = sweep_body(&s, row, err);
    return status;
}
