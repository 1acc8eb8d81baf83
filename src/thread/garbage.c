/* SPDX-License-Identifier: Apache-2.0 */
/* What the checkpoints that go alone refer to, and which rows that is. */
#include "thread/thread_internal.h"

#include "base/buf.h"
#include "base/error.h"
#include <stdlib.h>
#include <string.h>

/* ==== sets of positions of segments ============================================================================== */

/* false: out of memory */
static bool intervals_add(aci_intervals *set, const agentchat_env *env, aci_range range)
{
    enum { LOOK_BACK = 8 }; /* checkpoint after checkpoint has the same few lists, a little longer */
    void *list = set->list;

    if (range.seg == 0 || range.from >= range.to)
        return true;
    for (size_t i = 0; i < LOOK_BACK && i < set->count; i++) {
        aci_range *one = &set->list[set->count - 1 - i];

        if (one->seg != range.seg || range.from > one->to || range.to < one->from)
            continue;
        one->from = range.from < one->from ? range.from : one->from;
        one->to = range.to > one->to ? range.to : one->to;
        return true;
    }
    if (!aci_grow(env, &list, &set->cap, set->count, sizeof *set->list))
        return false;
    set->list = list;
    set->list[set->count++] = range;
    return true;
}

static int compare(const void *a, const void *b)
{
    const aci_range *left = a, *right = b;

    if (left->seg != right->seg)
        return left->seg > right->seg ? 1 : -1;
    return (left->from > right->from) - (left->from < right->from);
}

static void intervals_sort(aci_intervals *set)
{
    size_t kept = 0;

    if (set->count == 0)
        return;
    qsort(set->list, set->count, sizeof *set->list, compare);
    for (size_t i = 1; i < set->count; i++) {
        aci_range *last = &set->list[kept], next = set->list[i];

        if (next.seg != last->seg || next.from > last->to)
            set->list[++kept] = next;
        else if (next.to > last->to)
            last->to = next.to;
    }
    set->count = kept + 1;
}

/* The new parts of a range: what lies between the intervals from `at` to `last`, which it touches or overlaps. */
static bool add_gaps(const aci_intervals *set, size_t at, size_t last, aci_range range, const agentchat_env *env,
                     aci_intervals *fresh)
{
    bool ok = true;

    for (; ok && at < last; at++) {
        ok = intervals_add(fresh, env, (aci_range){range.seg, range.from, set->list[at].from});
        if (set->list[at].to > range.from)
            range.from = set->list[at].to;
    }
    return ok && intervals_add(fresh, env, range);
}

bool aci_intervals_take(aci_intervals *set, const agentchat_env *env, aci_range range, aci_intervals *fresh)
{
    size_t first = aci_intervals_first(set, (aci_range){range.seg, range.from - 1, range.to}), last = first;
    void *list = set->list;

    if (range.seg == 0 || range.from >= range.to)
        return true;
    while (last < set->count && set->list[last].seg == range.seg && set->list[last].from <= range.to)
        last++;
    if (!add_gaps(set, first, last, range, env, fresh))
        return false;
    if (first == last) {
        if (!aci_grow(env, &list, &set->cap, set->count, sizeof *set->list))
            return false;
        set->list = list;
        memmove(&set->list[first + 1], &set->list[first], (set->count - first) * sizeof *set->list);
        set->list[first] = range;
        set->count++;
        return true;
    }
    if (set->list[first].from > range.from)
        set->list[first].from = range.from;
    set->list[first].to = set->list[last - 1].to > range.to ? set->list[last - 1].to : range.to;
    memmove(&set->list[first + 1], &set->list[last], (set->count - last) * sizeof *set->list);
    set->count -= last - first - 1;
    return true;
}

void aci_intervals_clear(aci_intervals *set, const agentchat_env *env)
{
    aci_free(env, set->list, set->cap * sizeof *set->list);
    *set = (aci_intervals){NULL, 0, 0};
}

size_t aci_intervals_first(const aci_intervals *set, aci_range range)
{
    size_t low = 0, high = set->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const aci_range *one = &set->list[middle];

        if (one->seg < range.seg || (one->seg == range.seg && one->to <= range.from))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool aci_intervals_common(const aci_intervals *set, size_t at, aci_range range, aci_range *out)
{
    const aci_range *one = at < set->count ? &set->list[at] : NULL;

    if (one == NULL || one->seg != range.seg || one->from >= range.to)
        return false;
    *out = (aci_range){range.seg, one->from > range.from ? one->from : range.from,
                       one->to < range.to ? one->to : range.to};
    return true;
}

/* The position after the last one of a segment; 0: it has none. */
static int64_t intervals_end(const aci_intervals *set, int64_t seg)
{
    size_t after = aci_intervals_first(set, (aci_range){seg, INT64_MAX, INT64_MAX});

    /* `after` is the first one beyond the segment, since none ends that far. */
    return after > 0 && set->list[after - 1].seg == seg ? set->list[after - 1].to : 0;
}

/* ==== what the checkpoints of a thread reach ===================================================================== */

bool aci_reach_begin(aci_reach *reach, const agentchat_env *env)
{
    memset(reach, 0, sizeof *reach);
    reach->env = env;
    reach->arena = aci_arena_new(env, 0);
    return reach->arena != NULL && aci_large_data_begin(&reach->data, env, reach->arena);
}

void aci_reach_clear(aci_reach *reach)
{
    aci_intervals_clear(&reach->lists, reach->env);
    aci_intervals_clear(&reach->messages, reach->env);
    aci_numbers_clear(&reach->bodies, reach->env);
    aci_numbers_clear(&reach->message_bodies, reach->env);
    aci_intervals_clear(&reach->fresh_lists, reach->env);
    aci_intervals_clear(&reach->fresh_messages, reach->env);
    aci_numbers_clear(&reach->later_bodies, reach->env);
    aci_large_data_clear(&reach->data);
    aci_arena_unref(reach->arena);
}

/* ---- what checkpoints name ------------------------------------------------------------------------------------- */

static bool add_range(aci_reach *reach, aci_intervals *set, aci_intervals *fresh, aci_range range)
{
    return reach->is_followed ? aci_intervals_take(set, reach->env, range, fresh)
                              : intervals_add(set, reach->env, range);
}

static bool add_list(aci_reach *reach, aci_range range, bool is_messages)
{
    return add_range(reach, &reach->lists, &reach->fresh_lists, range) &&
           (!is_messages || add_range(reach, &reach->messages, &reach->fresh_messages, range));
}

static bool add_body(aci_reach *reach, int64_t no)
{
    return aci_numbers_add(reach->is_followed ? &reach->later_bodies : &reach->bodies, reach->env, &no, 1);
}

static bool add_chat(aci_reach *reach, const aci_contents *contents)
{
    bool ok = add_body(reach, contents->frame) && add_list(reach, contents->history, true);

    for (size_t i = 0; ok && i < contents->channel_count; i++) {
        const aci_part *part = &contents->channels[i];

        if (part->kind == ACI_PART_LIST)
            ok = add_list(reach, part->list, true);
        else if (part->kind == ACI_PART_BODY)
            ok = add_body(reach, part->body);
        else if (part->kind == ACI_PART_CHAT)
            ok = add_chat(reach, part->chat);
    }
    for (size_t i = 0; ok && i < contents->value_count; i++) {
        const aci_part *part = &contents->values[i];

        ok = part->kind == ACI_PART_LIST ? add_list(reach, part->list, false) : add_body(reach, part->body);
    }
    return ok;
}

agentchat_status aci_reach_add(aci_reach *reach, const aci_checkpoint_row *row, aci_arena *arena, agentchat_error *err)
{
    aci_contents *contents = NULL;
    agentchat_status status = aci_contents_read(reach->env, row->contents, arena, &contents, err);

    return status < 0 || add_chat(reach, contents) ? status : aci_fail_nomem(err);
}

/* ---- through spans --------------------------------------------------------------------------------------------- */

typedef struct following {
    aci_reach *reach;
    aci_intervals lists, messages; /* where the spans lead */
} following;

static bool follow_span(const aci_intervals *named, int64_t seg, const aci_span *span, aci_intervals *found,
                        const agentchat_env *env)
{
    aci_range covered = {seg, span->pos, span->pos + span->count}, common;
    int64_t shift = span->from - span->pos;
    bool ok = true;

    for (size_t at = aci_intervals_first(named, covered); ok && aci_intervals_common(named, at, covered, &common); at++)
        ok = intervals_add(found, env, (aci_range){span->seg, common.from + shift, common.to + shift});
    return ok;
}

static void reach_note_segment(aci_reach *reach, int64_t seg)
{
    if (seg > reach->segments)
        reach->segments = seg;
}

static agentchat_status follow_segment(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    following *f = user;
    const aci_segment_row *segment = row;
    const agentchat_env *env = f->reach->env;

    (void)arena;
    reach_note_segment(f->reach, segment->seg);
    for (size_t i = 0; i < segment->span_count; i++)
        if (!follow_span(&f->reach->lists, segment->seg, &segment->spans[i], &f->lists, env) ||
            !follow_span(&f->reach->messages, segment->seg, &segment->spans[i], &f->messages, env))
            return aci_fail_nomem(err);
    return AGENTCHAT_OK;
}

static bool merge(aci_intervals *set, const aci_intervals *other, const agentchat_env *env)
{
    bool ok = true;

    for (size_t i = 0; ok && i < other->count; i++)
        ok = intervals_add(set, env, other->list[i]);
    intervals_sort(set);
    return ok;
}

/* What a span stands for is never a span itself: once over all segments is enough. */
static agentchat_status follow_spans(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err)
{
    following f = {.reach = reach};
    agentchat_status status;

    intervals_sort(&reach->lists);
    intervals_sort(&reach->messages);
    status = aci_scan(tx, num, ACI_SCAN_OF_SEGMENTS, follow_segment, &f, err);
    if (status >= 0 &&
        !(merge(&reach->lists, &f.lists, reach->env) && merge(&reach->messages, &f.messages, reach->env)))
        status = aci_fail_nomem(err);
    aci_intervals_clear(&f.lists, reach->env);
    aci_intervals_clear(&f.messages, reach->env);
    return status;
}

/* ---- through items and messages ------------------------------------------------------------------------------- */

static bool add_bodies(const aci_intervals *set, const aci_item_row *item, const int64_t *numbers, aci_number_set *out,
                       const agentchat_env *env)
{
    aci_range covered = {item->seg, item->pos, item->pos + item->count}, common;
    bool ok = true;

    for (size_t at = aci_intervals_first(set, covered); ok && aci_intervals_common(set, at, covered, &common); at++)
        ok = aci_numbers_add(out, env, numbers + (common.from - item->pos), (size_t)(common.to - common.from));
    return ok;
}

static agentchat_status follow_item(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    aci_reach *reach = user;
    int64_t *numbers = NULL;
    agentchat_status status = aci_lists_item_numbers(row, arena, &numbers, err);

    reach_note_segment(reach, ((const aci_item_row *)row)->seg);
    if (status >= 0 && !(add_bodies(&reach->lists, row, numbers, &reach->bodies, reach->env) &&
                         add_bodies(&reach->messages, row, numbers, &reach->message_bodies, reach->env)))
        status = aci_fail_nomem(err);
    return status;
}

static agentchat_status follow_reference(void *user, const void *row, aci_arena *arena, agentchat_error *err)
{
    aci_reach *reach = user;
    const aci_body_row *body = row;
    agentchat_str text = body->bytes;

    (void)arena;
    if (aci_numbers_find(&reach->message_bodies, body->no) == reach->message_bodies.count)
        return AGENTCHAT_OK;
    return aci_large_data_split(&reach->data, 0, &text, err);
}

agentchat_status aci_reach_follow(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err)
{
    agentchat_status status = follow_spans(reach, tx, num, err);

    if (status >= 0)
        status = aci_scan(tx, num, ACI_SCAN_OF_ITEMS, follow_item, reach, err);
    aci_numbers_sort(&reach->bodies);
    aci_numbers_sort(&reach->message_bodies);
    if (status >= 0)
        status = aci_scan(tx, num, ACI_SCAN_OF_REFERENCES, follow_reference, reach, err);
    reach->is_followed = status >= 0;
    return status;
}

/* ---- what is new ------------------------------------------------------------------------------------------------ */

typedef struct more {
    aci_reach *reach;
    aci_tx *tx;
    int64_t num;
    aci_arena *arena;
    aci_number_set messages; /* bodies of messages that are new */
} more;

/* The segments in which something is new; spans lead to segments that are not looked at again. */
static agentchat_status ask_segments(more *m, aci_segment_found **out, size_t *count, agentchat_error *err)
{
    const aci_intervals *fresh = &m->reach->fresh_lists;
    aci_segment_found *found = aci_arena_alloc(m->arena, (fresh->count + 1) * sizeof *found);

    if (found == NULL)
        return aci_fail_nomem(err);
    *count = 0;
    for (size_t i = 0; i < fresh->count; i++) {
        aci_segment_found *one = &found[*count];

        if (*count > 0 && found[*count - 1].row.seg == fresh->list[i].seg)
            continue;
        *one = (aci_segment_found){.arena = m->arena, .num = m->num, .row = {.seg = fresh->list[i].seg}};
        (*count)++;
        ACI_THREAD_ASK(m->tx, ACI_SEGMENT_ROW, aci_lists_load_segment, one, ACI_INT(m->num), ACI_INT(one->row.seg));
    }
    *out = found;
    return *count == 0 ? AGENTCHAT_OK : aci_transact_run(m->tx, false, err);
}

static bool take_all(aci_intervals *set, const aci_intervals *ranges, aci_intervals *fresh, const agentchat_env *env)
{
    bool ok = true;

    for (size_t i = 0; ok && i < ranges->count; i++)
        ok = aci_intervals_take(set, env, ranges->list[i], fresh);
    return ok;
}

static agentchat_status follow_new_spans(more *m, agentchat_error *err)
{
    aci_reach *reach = m->reach;
    const agentchat_env *env = reach->env;
    aci_intervals lists = {NULL, 0, 0}, messages = {NULL, 0, 0};
    aci_segment_found *found = NULL;
    size_t count = 0;
    agentchat_status status;
    bool ok = true;

    intervals_sort(&reach->fresh_lists);
    intervals_sort(&reach->fresh_messages);
    status = ask_segments(m, &found, &count, err);
    for (size_t i = 0; ok && i < count && status >= 0; i++) {
        const aci_segment_row *row = &found[i].row;

        for (size_t k = 0; ok && k < row->span_count; k++)
            ok = follow_span(&reach->fresh_lists, row->seg, &row->spans[k], &lists, env) &&
                 follow_span(&reach->fresh_messages, row->seg, &row->spans[k], &messages, env);
    }
    ok = ok && take_all(&reach->lists, &lists, &reach->fresh_lists, env) &&
         take_all(&reach->messages, &messages, &reach->fresh_messages, env);
    aci_intervals_clear(&lists, env);
    aci_intervals_clear(&messages, env);
    return status >= 0 && !ok ? aci_fail_nomem(err) : status;
}

static agentchat_status load_new_item(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    more *m = user;
    const agentchat_env *env = m->reach->env;
    int64_t *numbers = NULL;
    aci_item_row row;
    agentchat_status status = aci_lists_read_item(&row, columns, count, err);

    if (status >= 0)
        status = aci_lists_item_numbers(&row, m->arena, &numbers, err);
    if (status >= 0 && !(add_bodies(&m->reach->fresh_lists, &row, numbers, &m->reach->later_bodies, env) &&
                         add_bodies(&m->reach->fresh_messages, &row, numbers, &m->messages, env)))
        status = aci_fail_nomem(err);
    return status;
}

static void ask_items(more *m, const aci_intervals *fresh)
{
    for (size_t i = 0; i < fresh->count; i++)
        ACI_THREAD_ASK(m->tx, ACI_ITEM_ROWS, load_new_item, m, ACI_INT(m->num), ACI_INT(fresh->list[i].seg),
                       ACI_INT(fresh->list[i].from), ACI_INT(fresh->list[i].to));
}

static agentchat_status load_new_message(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    const more *m = user;
    aci_body_row row;
    agentchat_status status = aci_body_row_verify(&row, m->num, columns, count, err);

    return status < 0 || aci_numbers_find(&m->messages, row.no) == m->messages.count
               ? status
               : aci_large_data_split(&m->reach->data, 0, &row.bytes, err);
}

/* What is in a set of messages is in that of lists, too, but may have come there before. */
static agentchat_status follow_new_items(more *m, agentchat_error *err)
{
    aci_reach *reach = m->reach;
    agentchat_status status = AGENTCHAT_OK;

    intervals_sort(&reach->fresh_lists);
    intervals_sort(&reach->fresh_messages);
    ask_items(m, &reach->fresh_lists);
    ask_items(m, &reach->fresh_messages);
    if (m->tx->count > 0)
        status = aci_transact_run(m->tx, false, err);
    aci_numbers_sort(&reach->later_bodies);
    aci_numbers_sort(&m->messages);
    if (status < 0 || m->messages.count == 0)
        return status;
    aci_numbers_ask(&m->messages, m->tx, m->num, ACI_BODY_ROWS, load_new_message, m);
    return aci_transact_run(m->tx, false, err);
}

agentchat_status aci_reach_follow_more(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err)
{
    more m = {reach, tx, num, aci_arena_new(reach->env, 0), {NULL, 0, 0}};
    agentchat_status status = m.arena != NULL ? follow_new_spans(&m, err) : aci_fail_nomem(err);

    if (status >= 0)
        status = follow_new_items(&m, err);
    if (status >= 0)
        reach->fresh_lists.count = reach->fresh_messages.count = 0;
    aci_numbers_clear(&m.messages, reach->env);
    aci_arena_unref(m.arena);
    return status;
}

bool aci_reach_settle(aci_reach *reach)
{
    bool ok = aci_numbers_add(&reach->bodies, reach->env, reach->later_bodies.list, reach->later_bodies.count);

    aci_numbers_sort(&reach->bodies);
    if (ok)
        reach->later_bodies.count = 0;
    return ok;
}

bool aci_reach_has_body(const aci_reach *reach, int64_t no, agentchat_str digest)
{
    return aci_numbers_find(&reach->bodies, no) < reach->bodies.count ||
           aci_numbers_find(&reach->later_bodies, no) < reach->later_bodies.count ||
           aci_index_find(&reach->data.by_digest, digest) != ACI_INDEX_NONE;
}

/* ==== finding the rows of a thread that no checkpoint needs ====================================================== */

enum { ROWS_TOGETHER = 32 };

typedef struct finding {
    aci_garbage *garbage;
    const aci_reach *reach;
} finding;

/* ---- what of a row is needed ------------------------------------------------------------------------------------ */

/* Spans of which nothing is reached go, and one that reaches beyond the end is cut there. */
aci_need aci_garbage_cut_segment(const aci_reach *reach, aci_segment_row *row)
{
    int64_t end = intervals_end(&reach->lists, row->seg);
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

static agentchat_status garbage_note_segment(void *user, const void *found, aci_arena *arena, agentchat_error *err)
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
    agentchat_status status = aci_scan(tx, num, ACI_SCAN_OF_SEGMENTS, garbage_note_segment, &f, err);

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
