/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A persistent list of JSON texts: the elements of an array, each with the whitespace around it, so that joining them
 * gives the array back byte for byte.
 *
 * A list never changes. One that grew, or lost elements at an end, shares the rest with the list that it was made of,
 * and costs what is new. Any number of threads may use lists that share elements.
 */
#ifndef ACI_MODEL_VALUE_LIST_H
#define ACI_MODEL_VALUE_LIST_H

#include "model/segment.h"

typedef struct aci_value_list aci_value_list;

/* Makes the list of `count` elements of base from `first` on, which must exist, and of those added, which are copied.
   base may be NULL: then count is 0. One reference. NULL: out of memory. */
aci_value_list *aci_value_list_make(const agentchat_env *env, const aci_value_list *base, size_t first, size_t count,
                                    const agentchat_str *added, size_t added_count);
aci_value_list *aci_value_list_ref(const aci_value_list *list); /* NULL is allowed */
void aci_value_list_unref(const aci_value_list *list);          /* NULL is allowed */
size_t aci_value_list_count(const aci_value_list *list);        /* NULL gives 0 */
/* The array, made by the first who asks; lives as long as the list. false: out of memory. */
bool aci_value_list_text(const aci_value_list *list, agentchat_str *out);
/* What b has of a, known without a look at the elements: its first *run are those of a from *skipped on. */
void aci_value_list_shared(const aci_value_list *a, const aci_value_list *b, size_t *skipped, size_t *run);

/* Reads a list in order at the cost of an array. */
typedef struct aci_value_list_cursor {
    const aci_value_list *list;
    const aci_segment *segment;
    size_t begin, end; /* the elements in the segment */
} aci_value_list_cursor;
void aci_value_list_cursor_begin(aci_value_list_cursor *cursor,
                                 const aci_value_list *list);                        /* the list must outlive it */
agentchat_str aci_value_list_cursor_at(aci_value_list_cursor *cursor, size_t index); /* absent beyond the end */

/* The elements of a validated array without whitespace around it, as views of it; a comma may stand for the opening
   bracket. The array of them is in the arena. false: out of memory. */
bool aci_value_list_split(agentchat_str array, aci_arena *arena, agentchat_str **out, size_t *count);

#endif
