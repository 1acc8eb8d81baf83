/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers and positions what is written gets. */
#include "thread/thread_internal.h"

#include "base/error.h"
#include <stdlib.h>
#include <string.h>

/* ==== making a plan into rows ==================================================================================== */

typedef struct aci_known_segment {
    int64_t seg; /* as it is asked for; the index has it */
    aci_segment_found found;
    int64_t end; /* the position after its last one */
} known_segment;

/* ---- what is asked -------------------------------------------------------------------------------------------- */

static known_segment *find_segment(const aci_resolving *r, int64_t seg)
{
    size_t at = aci_index_find(&r->by_segment, (agentchat_str){(const char *)&seg, sizeof seg});

    return at != ACI_INDEX_NONE ? r->segments[at] : NULL;
}

static known_segment *add_segment(aci_resolving *r, int64_t seg)
{
    known_segment *one = aci_arena_alloc(r->plan->arena, sizeof *one);
    void *list = r->segments;

    if (one == NULL || !aci_grow(r->plan->env, &list, &r->segment_cap, r->segment_count, sizeof *r->segments))
        return NULL;
    r->segments = list;
    *one = (known_segment){.seg = seg, .found = {.arena = r->plan->arena, .num = r->thread->num, .row = {.seg = seg}}};
    r->segments[r->segment_count] = one;
    return aci_index_put(&r->by_segment, r->plan->env, (agentchat_str){(const char *)&one->seg, sizeof one->seg},
                         r->segment_count++)
               ? one
               : NULL;
}

void aci_resolve_clear(aci_resolving *r)
{
    aci_free(r->plan->env, r->segments, r->segment_cap * sizeof *r->segments);
    aci_index_clear(&r->by_segment, r->plan->env);
}

static agentchat_status load_last_item(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    known_segment *segment = user;
    aci_item_row row;
    agentchat_status status = aci_lists_read_item(&row, columns, count, err);

    if (status >= 0 && row.seg != segment->found.row.seg)
        status = aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored list is damaged");
    segment->end = status >= 0 ? row.pos + row.count : 0;
    return status;
}

static agentchat_status ask_segment(aci_resolving *r, aci_range range, agentchat_error *err)
{
    known_segment *one;

    if (range.seg == 0 || find_segment(r, range.seg) != NULL)
        return AGENTCHAT_OK;
    one = add_segment(r, range.seg);
    if (one == NULL)
        return aci_fail_nomem(err);
    ACI_THREAD_ASK(r->tx, ACI_SEGMENT_ROW, aci_lists_load_segment, &one->found, ACI_INT(r->thread->num),
                   ACI_INT(range.seg));
    ACI_THREAD_ASK(r->tx, ACI_ITEM_LAST, load_last_item, one, ACI_INT(r->thread->num), ACI_INT(range.seg));
    return AGENTCHAT_OK;
}

/* When everything asked for is there. */
static void find_ends(const aci_resolving *r)
{
    for (size_t i = 0; i < r->segment_count; i++) {
        known_segment *one = r->segments[i];
        const aci_segment_row *row = &one->found.row;
        const aci_span *last = row->span_count > 0 ? &row->spans[row->span_count - 1] : NULL;

        if (last != NULL && last->pos + last->count > one->end)
            one->end = last->pos + last->count;
    }
}

typedef struct asked_body {
    int64_t num; /* of the thread */
    aci_body *body;
} asked_body;

static agentchat_status load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    const asked_body *asked = user;
    aci_body_row row;
    agentchat_status status = aci_body_row_read(&row, asked->num, columns, count, err);

    asked->body->no = row.no;
    return status;
}

static agentchat_status ask_body(aci_resolving *r, aci_body *body, agentchat_error *err)
{
    asked_body *asked = aci_arena_alloc(r->plan->arena, sizeof *asked);

    if (asked == NULL)
        return aci_fail_nomem(err);
    *asked = (asked_body){r->thread->num, body};
    ACI_THREAD_ASK(r->tx, ACI_BODY_FIND, load_number, asked, ACI_INT(r->thread->num),
                   ACI_BYTES((agentchat_str){(const char *)body->digest, ACI_DIGEST_SIZE}));
    return AGENTCHAT_OK;
}

/* Lists that do not change need nothing of their segments. */
static bool is_as_it_was(const aci_planned_list *list)
{
    return list->along != NULL || (list->middle_count == 0 && list->suffix.seg == 0);
}

static agentchat_status ask_bodies(aci_resolving *r, agentchat_error *err)
{
    aci_bodies *bodies = r->plan->bodies;
    agentchat_status status = AGENTCHAT_OK;
    bool is_new = false;

    for (size_t i = 0; i < bodies->count && status >= 0; i++) {
        if (bodies->list[i].no != 0)
            continue;
        is_new = true;
        if (r->thread->bodies > 0)
            status = ask_body(r, &bodies->list[i], err);
    }
    if (is_new)
        aci_thread_statement_add(r->tx, ACI_BODY_HIGHEST, aci_rows_load_number, &r->highest);
    return status;
}

agentchat_status aci_resolve_ask(aci_resolving *r, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (aci_planned_list *list = r->plan->lists; list != NULL && status >= 0; list = list->next) {
        if (is_as_it_was(list))
            continue;
        status = ask_segment(r, list->prefix, err);
        if (status >= 0)
            status = ask_segment(r, list->suffix, err);
    }
    if (status >= 0)
        status = ask_bodies(r, err);
    if (status >= 0 && r->tx->count > 0)
        status = aci_transact_run(r->tx, false, err);
    find_ends(r);
    return status;
}

/* ---- bodies --------------------------------------------------------------------------------------------------- */

static void insert_bodies(aci_resolving *r)
{
    aci_bodies *bodies = r->plan->bodies;

    if (r->highest > r->thread->bodies)
        r->thread->bodies = r->highest;
    for (size_t i = 0; i < bodies->count; i++) {
        aci_body *body = &bodies->list[i];
        aci_body_row row = {.num = r->thread->num, .bytes = body->bytes};

        if (body->no != 0)
            continue;
        row.no = body->no = ++r->thread->bodies;
        row.digest = (agentchat_str){(const char *)body->digest, ACI_DIGEST_SIZE};
        r->thread->bytes += (int64_t)body->bytes.len;
        aci_body_row_insert(r->tx, &row);
    }
    for (const aci_body_use *use = r->plan->uses; use != NULL; use = use->next)
        *use->target = bodies->list[use->body].no;
}

/* ---- lists ---------------------------------------------------------------------------------------------------- */

static agentchat_status numbers_of(const aci_resolving *r, const aci_planned_list *list, int64_t **out,
                                   agentchat_error *err)
{
    int64_t *numbers;

    *out = NULL;
    if (list->middle_count == 0)
        return AGENTCHAT_OK;
    numbers = aci_arena_alloc(r->plan->arena, list->middle_count * sizeof *numbers);
    if (numbers == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < list->middle_count; i++)
        numbers[i] = r->plan->bodies->list[list->middle[i]].no;
    *out = numbers;
    return AGENTCHAT_OK;
}

/* Adds the spans that stand for a range, which may itself stand for ranges of other segments, at position *pos, which
   goes on. false: too many. */
static bool add_spans(aci_segment_row *row, int64_t *pos, const aci_segment_row *source, aci_range range)
{
    int64_t next = range.from;
    size_t i = 0;

    while (next < range.to) {
        const aci_span *own = i < source->span_count ? &source->spans[i] : NULL;
        aci_span span = {*pos, range.to - next, range.seg, next};

        if (own != NULL && own->pos + own->count <= next) {
            i++;
            continue;
        }
        if (own != NULL && own->pos <= next) {
            span.seg = own->seg;
            span.from = own->from + next - own->pos;
            if (own->pos + own->count - next < span.count)
                span.count = own->pos + own->count - next;
        } else if (own != NULL && own->pos - next < span.count) {
            span.count = own->pos - next;
        }
        if (row->span_count == ACI_MOST_SPANS)
            return false;
        row->spans[row->span_count++] = span;
        *pos += span.count;
        next += span.count;
    }
    return true;
}

/* Names the bodies of a list once more, since it would need too many spans. */
static agentchat_status copy_items(aci_resolving *r, const aci_planned_list *list, const int64_t *middle, int64_t seg,
                                   agentchat_error *err)
{
    aci_list_want wants[2] = {{list->prefix, NULL}, {list->suffix, NULL}};
    aci_arena *arena = r->plan->arena;
    size_t before = (size_t)aci_range_length(list->prefix), after = (size_t)aci_range_length(list->suffix);
    int64_t *all = aci_arena_alloc(arena, (before + list->middle_count + after) * sizeof *all);
    agentchat_status status;

    if (all == NULL)
        return aci_fail_nomem(err);
    status = aci_lists_read(r->tx, r->thread->num, wants, 2, arena, NULL, err);
    if (status < 0)
        return status;
    if (wants[0].numbers != NULL)
        memcpy(all, wants[0].numbers, before * sizeof *all);
    if (middle != NULL)
        memcpy(all + before, middle, list->middle_count * sizeof *all);
    if (wants[1].numbers != NULL)
        memcpy(all + before + list->middle_count, wants[1].numbers, after * sizeof *all);
    return aci_lists_insert_items(r->tx, r->thread->num, seg, 0, all, before + list->middle_count + after, arena, err);
}

static agentchat_status new_segment(aci_resolving *r, aci_planned_list *list, agentchat_error *err)
{
    const known_segment *first = find_segment(r, list->prefix.seg), *last = find_segment(r, list->suffix.seg);
    known_segment *made = add_segment(r, ++r->thread->segments);
    aci_segment_row *row = made != NULL ? &made->found.row : NULL;
    int64_t *middle, pos = 0, middle_pos;
    bool fits;
    agentchat_status status;

    if (row == NULL)
        return aci_fail_nomem(err);
    row->spans = aci_arena_alloc(r->plan->arena, ACI_MOST_SPANS * sizeof *row->spans);
    if (row->spans == NULL)
        return aci_fail_nomem(err);
    status = numbers_of(r, list, &middle, err);
    if (status < 0)
        return status;
    *list->target = (aci_range){row->seg, 0, list->count};
    made->end = list->count;
    fits = list->prefix.seg == 0 || add_spans(row, &pos, &first->found.row, list->prefix);
    middle_pos = pos;
    pos += (int64_t)list->middle_count;
    fits = fits && (list->suffix.seg == 0 || add_spans(row, &pos, &last->found.row, list->suffix));
    if (!fits) {
        row->span_count = 0;
        return copy_items(r, list, middle, row->seg, err);
    }
    if (row->span_count > 0)
        status = aci_lists_put_segment(r->tx, r->thread->num, row, r->plan->arena, err);
    return status < 0 ? status
                      : aci_lists_insert_items(r->tx, r->thread->num, row->seg, middle_pos, middle, list->middle_count,
                                               r->plan->arena, err);
}

static agentchat_status append_to(aci_resolving *r, known_segment *segment, aci_planned_list *list,
                                  agentchat_error *err)
{
    int64_t *numbers;
    agentchat_status status = numbers_of(r, list, &numbers, err);

    if (status >= 0)
        status = aci_lists_insert_items(r->tx, r->thread->num, list->prefix.seg, list->prefix.to, numbers,
                                        list->middle_count, r->plan->arena, err);
    segment->end = list->prefix.to + (int64_t)list->middle_count;
    *list->target = (aci_range){list->prefix.seg, list->prefix.from, segment->end};
    return status;
}

static agentchat_status position_list(aci_resolving *r, aci_planned_list *list, agentchat_error *err)
{
    known_segment *segment;

    *list->target = (aci_range){0, 0, 0};
    if (list->count == 0)
        return AGENTCHAT_OK;
    if (list->along != NULL) {
        const aci_range *base = list->along->target;

        *list->target = (aci_range){base->seg, base->from + list->offset, base->from + list->offset + list->count};
        return AGENTCHAT_OK;
    }
    if (is_as_it_was(list)) {
        *list->target = list->prefix;
        return AGENTCHAT_OK;
    }
    segment = find_segment(r, list->prefix.seg);
    if (list->may_append && segment != NULL && list->suffix.seg == 0 && segment->end == list->prefix.to)
        return append_to(r, segment, list, err);
    return new_segment(r, list, err);
}

static agentchat_status check_range(const aci_resolving *r, aci_range range, agentchat_error *err)
{
    const known_segment *segment = range.seg != 0 ? find_segment(r, range.seg) : NULL;

    return segment == NULL || segment->end >= range.to ? AGENTCHAT_OK
                                                       : aci_fail(err, AGENTCHAT_E_CORRUPT, "a stored list is missing");
}

static agentchat_status check_segments(const aci_resolving *r, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (const aci_planned_list *list = r->plan->lists; list != NULL && status >= 0; list = list->next) {
        status = check_range(r, list->prefix, err);
        if (status >= 0)
            status = check_range(r, list->suffix, err);
    }
    return status;
}

agentchat_status aci_resolve(aci_resolving *r, agentchat_error *err)
{
    agentchat_status status = check_segments(r, err);

    if (status >= 0)
        insert_bodies(r);
    for (aci_planned_list *list = r->plan->lists; list != NULL && status >= 0; list = list->next)
        status = position_list(r, list, err);
    return status;
}

/* ==== the numbers of the bodies in the lists of a checkpoint ===================================================== */

/* ---- lists ---------------------------------------------------------------------------------------------------- */

static size_t count_lists(const aci_contents *contents)
{
    size_t count = 1;

    for (size_t i = 0; i < contents->channel_count; i++)
        count += contents->channels[i].kind == ACI_PART_CHAT ? count_lists(contents->channels[i].chat)
                                                             : contents->channels[i].kind == ACI_PART_LIST;
    for (size_t i = 0; i < contents->value_count; i++)
        count += contents->values[i].kind == ACI_PART_LIST;
    return count;
}

static void collect_parts(aci_part *parts, size_t part_count, aci_number_list *list, size_t *count);

static void collect_chat(aci_contents *contents, aci_number_list *list, size_t *count)
{
    list[(*count)++] = (aci_number_list){contents->history, &contents->numbers};
    collect_parts(contents->channels, contents->channel_count, list, count);
    collect_parts(contents->values, contents->value_count, list, count);
}

static void collect_parts(aci_part *parts, size_t part_count, aci_number_list *list, size_t *count)
{
    for (size_t i = 0; i < part_count; i++) {
        if (parts[i].kind == ACI_PART_LIST)
            list[(*count)++] = (aci_number_list){parts[i].list, &parts[i].numbers};
        else if (parts[i].kind == ACI_PART_CHAT)
            collect_chat(parts[i].chat, list, count);
    }
}

/* Collects them in the arena. */
static agentchat_status numbers_collect(const aci_contents *contents, aci_arena *arena, aci_number_list **out,
                                        size_t *count, agentchat_error *err)
{
    *out = aci_arena_alloc(arena, count_lists(contents) * sizeof **out);
    if (*out == NULL)
        return aci_fail_nomem(err);
    *count = 0;
    collect_chat((aci_contents *)(uintptr_t)contents, *out, count); /* their numbers are the caller's to set */
    return AGENTCHAT_OK;
}

agentchat_status aci_numbers_read_lists(aci_tx *tx, int64_t num, aci_contents *contents, aci_arena *arena,
                                        uint64_t *stored, agentchat_error *err)
{
    aci_number_list *lists;
    aci_list_want *wants;
    size_t count = 0;
    agentchat_status status = numbers_collect(contents, arena, &lists, &count, err);

    if (status < 0)
        return status;
    wants = aci_arena_alloc(arena, count * sizeof *wants);
    if (wants == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count; i++)
        wants[i] = (aci_list_want){lists[i].range, NULL};
    status = aci_lists_read(tx, num, wants, count, arena, stored, err);
    for (size_t i = 0; i < count && status >= 0; i++)
        *lists[i].numbers = wants[i].numbers;
    return status;
}

/* ---- sets of numbers -------------------------------------------------------------------------------------------- */

bool aci_numbers_add(aci_number_set *set, const agentchat_env *env, const int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *list = set->list;

        if (set->count > 0 && set->list[set->count - 1] == numbers[i])
            continue;
        if (!aci_grow(env, &list, &set->cap, set->count, sizeof *set->list))
            return false;
        set->list = list;
        set->list[set->count++] = numbers[i];
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

void aci_numbers_sort(aci_number_set *set)
{
    size_t kept = 0;

    if (set->count == 0)
        return;
    qsort(set->list, set->count, sizeof *set->list, compare);
    for (size_t i = 1; i < set->count; i++)
        if (set->list[i] != set->list[kept])
            set->list[++kept] = set->list[i];
    set->count = kept + 1;
}

size_t aci_numbers_find(const aci_number_set *set, int64_t number)
{
    size_t low = 0, high = set->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (set->list[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->list[low] == number ? low : set->count;
}

void aci_numbers_clear(aci_number_set *set, const agentchat_env *env)
{
    aci_free(env, set->list, set->cap * sizeof *set->list);
    *set = (aci_number_set){NULL, 0, 0};
}

void aci_numbers_ask(const aci_number_set *set, aci_tx *tx, int64_t num, aci_thread_statement which, aci_sql_row_fn row,
                     void *user)
{
    enum { CLOSE = 4 }; /* reading a few rows too many is cheaper than another statement */

    for (size_t first = 0, last; first < set->count; first = last + 1) {
        last = first;
        while (last + 1 < set->count && set->list[last + 1] - set->list[last] <= CLOSE)
            last++;
        ACI_THREAD_ASK(tx, which, row, user, ACI_INT(num), ACI_INT(set->list[first]), ACI_INT(set->list[last]));
    }
}

/* ---- bodies that are there -------------------------------------------------------------------------------------- */

typedef struct matching {
    aci_bodies *bodies;
    int64_t num; /* of the thread */
} matching;

static agentchat_status load_digest(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err)
{
    const matching *m = user;
    aci_body_row row;
    agentchat_status status = aci_body_row_read(&row, m->num, columns, count, err);
    size_t at = status >= 0 ? aci_index_find(&m->bodies->by_digest, row.digest) : ACI_INDEX_NONE;

    if (at != ACI_INDEX_NONE)
        m->bodies->list[at].no = row.no;
    return status;
}

agentchat_status aci_numbers_match(aci_tx *tx, int64_t num, const aci_contents *contents, aci_bodies *bodies,
                                   agentchat_error *err)
{
    const agentchat_env *env = tx->store->env;
    aci_number_set set = {NULL, 0, 0};
    matching m = {bodies, num};
    aci_number_list *lists;
    size_t count = 0;
    agentchat_status status = numbers_collect(contents, bodies->arena, &lists, &count, err);

    for (size_t i = 0; i < count && status >= 0; i++)
        if (*lists[i].numbers != NULL &&
            !aci_numbers_add(&set, env, *lists[i].numbers, (size_t)aci_range_length(lists[i].range)))
            status = aci_fail_nomem(err);
    aci_numbers_sort(&set);
    if (status >= 0 && set.count > 0) {
        aci_numbers_ask(&set, tx, num, ACI_BODY_DIGESTS, load_digest, &m);
        status = aci_transact_run(tx, false, err);
    }
    aci_numbers_clear(&set, env);
    return status;
}
