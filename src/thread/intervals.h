/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of positions of segments. */
#ifndef ACI_THREAD_INTERVALS_H
#define ACI_THREAD_INTERVALS_H

#include "thread/contents.h"
#include "thread/rows.h"

/* Added to in any order; once it is sorted, by segment and position, and no two touch. All zero: an empty one. */
typedef struct aci_intervals {
    aci_range *list;
    size_t count, cap;
} aci_intervals;

bool aci_intervals_add(aci_intervals *set, const agentchat_env *env, aci_range range); /* false: out of memory */
void aci_intervals_sort(aci_intervals *set);
/* Adds a range to a sorted set, which stays sorted, and what of it is new to another one. false: out of memory; then
   the other one may have it already. */
bool aci_intervals_take(aci_intervals *set, const agentchat_env *env, aci_range range, aci_intervals *fresh);
void aci_intervals_clear(aci_intervals *set, const agentchat_env *env);
/* Of a sorted set: the first one that has a position of the range or a later one; count: there is none. */
size_t aci_intervals_first(const aci_intervals *set, aci_range range);
/* What interval `at` and a range have in common: false when nothing, and nor has any after it. */
bool aci_intervals_common(const aci_intervals *set, size_t at, aci_range range, aci_range *out);
/* The position after the last one of a segment; 0: it has none. */
int64_t aci_intervals_end(const aci_intervals *set, int64_t seg);

#endif
