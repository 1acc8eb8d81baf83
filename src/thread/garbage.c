/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the rows of a thread that no checkpoint needs. */
#include "thread/garbage.h"

#include "base/buf.h"
#include "base/error.h"
#include "thread/scan.h"

enum { ROWS_TOGETHER = 32 };

typedef struct finding {
    aci_garbage *garbage;
    const aci_reach *reach;
} finding;

/* ---- what of a row is needed ------------------------------------------------------------------------------------ */

/* Spans of which nothing is reached go, and one that reaches beyond the end is cut there. */
aci_need aci_garbage_cut_segment(const aci_reach *reach, aci_segment_row *row)
{
    int64_t end = aci_intervals_end(&reach->lists, row->seg);
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
    if (kept == 0)
        return ACI_NEED_NONE;
    return is_cut || kept < before ? ACI_NEED_PART : ACI_NEED_ALL;
}

aci_need aci_garbage_need_item(const aci_reach *reach, const aci_item_row *row)
{
    aci_range covered = {row->seg, row->pos, row->pos + row->count}, piece;

    if (!aci_intervals_common(&reach->lists, aci_intervals_first(&reach->lists, covered), covered, &piece))
        return ACI_NEED_NONE;
    return aci_range_length(piece) == row->count ? ACI_NEED_ALL : ACI_NEED_PART;
}

/* ---- noting ----------------------------------------------------------------------------------------------------- */

static agentchat_status note_segment(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    const finding *f = user;
    aci_segment_row row = *(const aci_segment_row *)found;

    (void)arena;
    if (aci_garbage_cut_segment(f->reach, &row) == ACI_NEED_ALL ||
        aci_numbers_add(&f->garbage->segments, f->reach->env, &row.seg, 1))
        return AGENTCHAT_OK;
    return aci_fail_nomem(err);
}

static agentchat_status note_item(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    const finding *f = user;
    aci_garbage *g = f->garbage;
    const aci_item_row *row = found;
    aci_garbage_items *last = g->item_count > 0 ? &g->items[g->item_count - 1] : NULL;
    void *items = g->items;

    (void)arena;
    if (aci_garbage_need_item(f->reach, row) == ACI_NEED_ALL)
        return AGENTCHAT_OK;
    if (last != NULL && last->range.seg == row->seg && last->range.to == row->pos && last->rows < ROWS_TOGETHER) {
        last->range.to += row->count;
        last->rows++;
        return AGENTCHAT_OK;
    }
    if (!aci_grow(f->reach->env, &items, &g->item_cap, g->item_count, sizeof *g->items))
        return aci_fail_nomem(err);
    g->items = items;
    g->items[g->item_count++] = (aci_garbage_items){{row->seg, row->pos, row->pos + row->count}, 1};
    return AGENTCHAT_OK;
}

static agentchat_status note_body(void *user, const void *found, aci_arena *arena, agentchat_error *err)
{
    const finding *f = user;
    aci_garbage *g = f->garbage;
    const aci_body_row *body = found;
    void *bodies = g->bodies;

    (void)arena;
    if (aci_reach_has_body(f->reach, body->no, body->digest))
        return AGENTCHAT_OK;
    if (!aci_grow(f->reach->env, &bodies, &g->body_cap, g->body_count, sizeof *g->bodies))
        return aci_fail_nomem(err);
    g->bodies = bodies;
    g->bodies[g->body_count++] = (aci_garbage_body){body->no, body->length};
    return AGENTCHAT_OK;
}

agentchat_status aci_garbage_find(aci_garbage *garbage, const aci_reach *reach, aci_tx *tx, int64_t num,
                                  agentchat_error *err)
{
    finding f = {garbage, reach};
    agentchat_status status = aci_scan(tx, num, ACI_SCAN_OF_SEGMENTS, note_segment, &f, err);

    if (status >= 0)
        status = aci_scan(tx, num, ACI_SCAN_OF_ITEMS, note_item, &f, err);
    if (status >= 0)
        status = aci_scan(tx, num, ACI_SCAN_OF_BODIES, note_body, &f, err);
    return status;
}

void aci_garbage_clear(aci_garbage *garbage, const agentchat_env *env)
{
    aci_numbers_clear(&garbage->segments, env);
    aci_free(env, garbage->items, garbage->item_cap * sizeof *garbage->items);
    aci_free(env, garbage->bodies, garbage->body_cap * sizeof *garbage->bodies);
    *garbage = (aci_garbage){.item_count = 0};
}
