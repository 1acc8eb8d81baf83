/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of positions of segments. */
#include "thread/intervals.h"

#include <stdlib.h>
#include <string.h>

bool aci_intervals_add(aci_intervals *set, const agentchat_env *env, aci_range range)
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

void aci_intervals_sort(aci_intervals *set)
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
        ok = aci_intervals_add(fresh, env, (aci_range){range.seg, range.from, set->list[at].from});
        if (set->list[at].to > range.from)
            range.from = set->list[at].to;
    }
    return ok && aci_intervals_add(fresh, env, range);
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

int64_t aci_intervals_end(const aci_intervals *set, int64_t seg)
{
    size_t after = aci_intervals_first(set, (aci_range){seg, INT64_MAX, INT64_MAX});

    /* `after` is the first one beyond the segment, since none ends that far. */
    return after > 0 && set->list[after - 1].seg == seg ? set->list[after - 1].to : 0;
}
