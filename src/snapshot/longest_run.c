/* SPDX-License-Identifier: Apache-2.0 */
/* Patience sorting: of the runs of each length so far, the one that ends lowest. */
#include "snapshot/longest_run.h"

typedef struct runs {
    size_t *ends;   /* ends[n]: the element that ends the best run of n + 1 elements so far */
    size_t *before; /* for each element: the one before it in its run */
    size_t length;
} runs;

/* Number of runs that end before a position. */
static size_t runs_below(const runs *r, const size_t *positions, size_t position)
{
    size_t low = 0, high = r->length;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (positions[r->ends[middle]] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void find_runs(runs *r, const size_t *positions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at;

        if (positions[i] == ACI_NO_POSITION)
            continue;
        at = runs_below(r, positions, positions[i]);
        r->before[i] = at > 0 ? r->ends[at - 1] : ACI_NO_POSITION;
        r->ends[at] = i;
        r->length += at == r->length;
    }
}

/* Walks the longest run back from its end. */
static void drop_others(const runs *r, size_t *positions, size_t count)
{
    size_t at = r->length > 0 ? r->ends[r->length - 1] : ACI_NO_POSITION;

    for (size_t i = count; i-- > 0;) {
        if (i == at)
            at = r->before[i];
        else
            positions[i] = ACI_NO_POSITION;
    }
}

bool aci_longest_run(const agentchat_env *env, size_t *positions, size_t count)
{
    size_t size = 0;
    runs r = {aci_alloc_array(env, count, sizeof *r.ends, &size), aci_alloc_array(env, count, sizeof *r.before, &size),
              0};
    bool ok = r.ends != NULL && r.before != NULL;

    if (ok) {
        find_runs(&r, positions, count);
        drop_others(&r, positions, count);
    }
    aci_free(env, r.ends, size);
    aci_free(env, r.before, size);
    return ok;
}
