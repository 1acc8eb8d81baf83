/* SPDX-License-Identifier: Apache-2.0 */
/* A list whose elements are stored one by one: messages, or the elements of a JSON array. */
#ifndef ACI_THREAD_ELEMENTS_H
#define ACI_THREAD_ELEMENTS_H

#include "snapshot/snapshot.h"
#include "thread/bodies.h"

typedef struct aci_elements {
    aci_list_cursor cursor;       /* over messages … */
    aci_value_list_cursor values; /* … or over a list of values that is held as one; list NULL: not */
    const agentchat_str *texts;   /* … or over their texts; NULL: not */
    const int64_t *numbers;       /* … or numbers of bodies, of which nothing else is known; NULL: not */
    size_t count;
} aci_elements;

/* Whether a named value is a list: a JSON array, without whitespace in an empty one. */
bool aci_elements_is_list(const aci_value *value);
void aci_elements_of_messages(aci_elements *elements, const agentchat_messages *messages);
void aci_elements_of_numbers(aci_elements *elements, const int64_t *numbers, size_t count);
void aci_elements_of_values(aci_elements *elements, const aci_value_list *list);
/* The elements of a validated JSON array, each with the whitespace around it, so that nothing of the text is lost; in
   the arena. A comma may stand for the opening bracket. false: out of memory. */
bool aci_elements_of_array(aci_elements *elements, agentchat_str array, aci_arena *arena);
/* Puts an element into the bodies. */
agentchat_status aci_elements_body(aci_elements *elements, size_t index, aci_bodies *bodies, size_t *body,
                                   agentchat_error *err);
/* Whether two elements are the same: one message, equal texts, or, where one list has only numbers, one number. bodies:
   for that. */
bool aci_elements_same(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies);
/* What b is known to have of a at no cost: its first *run elements are those of a from *skipped on. */
void aci_elements_shared(const aci_elements *a, const aci_elements *b, size_t *skipped, size_t *run);
/* How many elements are the same from i and from k on. */
size_t aci_elements_run(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies);

#endif
