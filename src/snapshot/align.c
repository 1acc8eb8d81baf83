/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Myers' greedy algorithm.
 *
 * For d = 0, 1, 2, … edits it keeps, per diagonal k = x - y, the furthest x that d edits reach; after each round the
 * diagonals -d … d are recorded, so that the path can be walked back from the end. With d bounded, time is linear in
 * the input and the record has a fixed largest size.
 */
#include "snapshot/align.h"

#include "base/checked.h"
#include <string.h>

enum { MOST_EDITS = 512 };

typedef struct search {
    const aci_hash *a, *b;
    size_t a_count, b_count;
    size_t work_left;
    /* Rounds one after another: round d has d + 1 entries, for diagonals -d, -d + 2, …, d. */
    size_t *rounds;
    size_t capacity; /* in entries */
} search;

static bool same(const search *s, size_t x, size_t y)
{
    return memcmp(s->a[x].bytes, s->b[y].bytes, sizeof s->a[x].bytes) == 0;
}

/* Entry of diagonal -d + 2 * step in round d. */
static size_t *entry(const search *s, size_t d, size_t step)
{
    return &s->rounds[d * (d + 1) / 2 + step];
}

/* Whether round d reaches diagonal -d + 2 * step by a step down (an element of b more) from round d - 1, rather than by
   a step to the right (an element of a more). Steps that leave the grid are not entered: they hold SIZE_MAX. */
static bool comes_from_above(const search *s, size_t d, size_t step)
{
    size_t from_left, from_above;

    if (step == 0)
        return true;
    if (step == d)
        return false;
    from_left = *entry(s, d - 1, step - 1);
    from_above = *entry(s, d - 1, step);
    return from_left == SIZE_MAX || (from_above != SIZE_MAX && from_left < from_above);
}

/* The x from which the snake of round d on that diagonal starts; SIZE_MAX when it lies outside of the grid. */
static size_t snake_start(const search *s, size_t d, size_t step)
{
    size_t x;

    if (d == 0)
        return 0;
    if (comes_from_above(s, d, step)) {
        x = *entry(s, d - 1, step);
    } else {
        x = *entry(s, d - 1, step - 1);
        x = x == SIZE_MAX ? x : x + 1;
    }
    if (x == SIZE_MAX || x > s->a_count || x + d - 2 * step > s->b_count)
        return SIZE_MAX;
    return x;
}

/* Runs rounds until one reaches the end; gives its number. false: given up. */
static bool find_path(search *s, size_t *edits)
{
    for (size_t d = 0; d <= MOST_EDITS; d++) {
        for (size_t step = 0; step <= d; step++) {
            size_t x = snake_start(s, d, step);

            if (x != SIZE_MAX) {
                size_t y = x + d - 2 * step; /* never negative for an x inside the grid */

                while (x < s->a_count && y < s->b_count && same(s, x, y)) {
                    if (s->work_left-- == 0)
                        return false;
                    x++;
                    y++;
                }
                if (x == s->a_count && y == s->b_count) {
                    *entry(s, d, step) = x;
                    *edits = d;
                    return true;
                }
            }
            *entry(s, d, step) = x;
        }
    }
    return false;
}

/* Walks the path back from the end and notes the matches of its snakes. */
static void trace_back(const search *s, size_t edits, size_t *match)
{
    size_t x = s->a_count, y = s->b_count;

    for (size_t d = edits;; d--) {
        size_t step = (x + d - y) / 2;
        size_t start = snake_start(s, d, step);

        while (x > start) {
            x--;
            y--;
            match[x] = y;
        }
        if (d == 0)
            return;
        if (comes_from_above(s, d, step))
            y--;
        else
            x--;
    }
}

static void match_by_index(const search *s, size_t *match)
{
    for (size_t i = 0; i < s->a_count; i++)
        match[i] = i < s->b_count && same(s, i, i) ? i : ACI_UNMATCHED;
}

bool aci_align(const agentchat_env *env, const aci_hash *a, size_t a_count, const aci_hash *b, size_t b_count,
               size_t *match)
{
    search s = {a, b, a_count, b_count, 0, NULL, 0};
    size_t most, edits, size;

    for (size_t i = 0; i < a_count; i++)
        match[i] = ACI_UNMATCHED;
    if (a_count == 0 || b_count == 0)
        return true;
    if (!aci_add(a_count, b_count, &most) || !aci_mul(most, 16, &s.work_left))
        return false;
    /* No more rounds are needed than there are elements. */
    most = most < MOST_EDITS ? most : MOST_EDITS;
    s.capacity = (most + 1) * (most + 2) / 2;
    size = s.capacity * sizeof *s.rounds;
    s.rounds = aci_alloc(env, size);
    if (s.rounds == NULL)
        return false;
    if (find_path(&s, &edits))
        trace_back(&s, edits, match);
    else
        match_by_index(&s, match);
    aci_free(env, s.rounds, size);
    return true;
}
