/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deleting what no checkpoint of a thread reaches any more.
 *
 * Positions keep their numbers: items are deleted, or cut where they are reached in part. A segment ends where the last
 * position of it is reached, so that a put can append to it again.
 */
#include "thread/collect.h"

#include "base/error.h"
#include "thread/reach.h"
#include "thread/scan.h"

typedef struct collecting {
    aci_tx *tx;
    aci_thread_row *thread;
    aci_reach reach;
    aci_number_set unused; /* bodies */
    int64_t newest;        /* sequence number of the newest checkpoint; 0: there is none */
} collecting;

static agentchat_status add_checkpoint(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    collecting *c = user;
    const aci_checkpoint_row *checkpoint = row;

    if (checkpoint->seq > c->newest) {
        c->newest = checkpoint->seq;
        c->thread->messages = checkpoint->messages;
    }
    return aci_reach_add(&c->reach, checkpoint, arena, err);
}

/* ---- lists ---------------------------------------------------------------------------------------------------- */

/* Deletes spans of which nothing is reached, and cuts the one that goes beyond the end. Whether anything changed. */
static bool cut_spans(const aci_reach *reach, aci_segment_row *row, int64_t end)
{
    size_t kept = 0, before = row->span_count;
    bool is_cut = false;

    for (size_t i = 0; i < row->span_count; i++) {
        aci_span span = row->spans[i];
        aci_range covered = {row->seg, span.pos, span.pos + span.count}, common;

        if (!aci_intervals_common(&reach->lists, aci_intervals_first(&reach->lists, covered), covered, &common))
            continue;
        if (covered.to > end) {
            span.count = end - span.pos;
            is_cut = true;
        }
        row->spans[kept++] = span;
    }
    row->span_count = kept;
    return is_cut || kept < before;
}

static agentchat_status cut_segment(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    collecting *c = user;
    aci_segment_row row = *(const aci_segment_row *)found;

    if (!cut_spans(&c->reach, &row, aci_intervals_end(&c->reach.lists, row.seg)))
        return AGENTCHAT_OK;
    if (row.span_count > 0)
        return aci_lists_put_segment(c->tx, c->thread->num, &row, arena, err);
    aci_thread_statement_add(c->tx, ACI_SEGMENT_DELETE, NULL, NULL);
    aci_transact_integer(c->tx, c->thread->num);
    aci_transact_integer(c->tx, row.seg);
    return AGENTCHAT_OK;
}

static agentchat_status cut_item(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    collecting *c = user;
    const aci_item_row *row = found;
    aci_range covered = {row->seg, row->pos, row->pos + row->count}, piece;
    size_t at = aci_intervals_first(&c->reach.lists, covered);
    int64_t *numbers = NULL;
    agentchat_status status;

    if (aci_intervals_common(&c->reach.lists, at, covered, &piece) && aci_range_length(piece) == row->count)
        return AGENTCHAT_OK;
    status = aci_lists_item_numbers(row, arena, &numbers, err);
    aci_thread_statement_add(c->tx, ACI_ITEM_DELETE, NULL, NULL);
    aci_transact_integer(c->tx, c->thread->num);
    aci_transact_integer(c->tx, row->seg);
    aci_transact_integer(c->tx, row->pos);
    for (; status >= 0 && aci_intervals_common(&c->reach.lists, at, covered, &piece); at++)
        status = aci_lists_insert_items(c->tx, c->thread->num, row->seg, piece.from, numbers + (piece.from - row->pos),
                                        (size_t)aci_range_length(piece), arena, err);
    return status;
}

/* ---- bodies --------------------------------------------------------------------------------------------------- */

static agentchat_status check_body(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    collecting *c = user;
    const aci_body_row *body = row;

    (void)arena;
    if (aci_reach_has_body(&c->reach, body->no, body->digest))
        return AGENTCHAT_OK;
    if (body->length < 0 || body->length > c->thread->bytes)
        return aci_fail(err, AGENTCHAT_E_CORRUPT, "the bodies of a thread have more bytes than it counts");
    c->thread->bytes -= body->length;
    return aci_numbers_add(&c->unused, c->tx->store->env, &body->no, 1) ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static agentchat_status delete_bodies(collecting *c, agentchat_error *err)
{
    aci_number_set *unused = &c->unused;

    aci_numbers_sort(unused);
    for (size_t first = 0, after; first < unused->count; first = after) {
        for (after = first + 1; after < unused->count && unused->list[after] == unused->list[after - 1] + 1;)
            after++;
        aci_thread_statement_add(c->tx, ACI_BODY_DELETE, NULL, NULL);
        aci_transact_integer(c->tx, c->thread->num);
        aci_transact_integer(c->tx, unused->list[first]);
        aci_transact_integer(c->tx, unused->list[after - 1]);
    }
    return unused->count == 0 ? AGENTCHAT_OK : aci_transact_run(c->tx, false, err);
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

static agentchat_status collect(collecting *c, agentchat_error *err)
{
    int64_t num = c->thread->num;
    agentchat_status status = aci_scan(c->tx, num, ACI_SCAN_OF_CHECKPOINTS, add_checkpoint, c, err);

    if (status >= 0)
        status = aci_reach_follow(&c->reach, c->tx, num, err);
    if (status >= 0)
        status = aci_scan(c->tx, num, ACI_SCAN_OF_SEGMENTS, cut_segment, c, err);
    if (status >= 0)
        status = aci_scan(c->tx, num, ACI_SCAN_OF_ITEMS, cut_item, c, err);
    if (status >= 0)
        status = aci_scan(c->tx, num, ACI_SCAN_OF_BODIES, check_body, c, err);
    if (status >= 0)
        status = delete_bodies(c, err);
    if (c->newest == 0)
        c->thread->messages = 0;
    return status;
}

agentchat_status aci_collect(aci_tx *tx, aci_thread_row *thread, agentchat_error *err)
{
    collecting c = {.tx = tx, .thread = thread};
    agentchat_status status = aci_reach_begin(&c.reach, tx->store->env) ? collect(&c, err) : aci_fail_nomem(err);

    aci_numbers_clear(&c.unused, tx->store->env);
    aci_reach_clear(&c.reach);
    return status;
}
