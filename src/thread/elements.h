/* SPDX-License-Identifier: Apache-2.0 */
/* A list whose elements are stored one by one: messages, or the elements of a JSON array. */
#ifndef ACI_THREAD_ELEMENTS_H
#define ACI_THREAD_ELEMENTS_H

#include "thread/bodies.h"

typedef struct aci_elements {
    aci_list_cursor cursor;     /* over messages … */
    const agentchat_str *texts; /* … or texts; NULL for messages */
    const int64_t *numbers;     /* … or numbers of bodies, of which nothing else is known */
    size_t count;
} aci_elements;

/* Whether a named value is a list: a JSON array, without whitespace around it. */
bool aci_elements_is_list(agentchat_str media_type, agentchat_str value);
void aci_elements_of_messages(aci_elements *elements, const agentchat_messages *messages);
void aci_elements_of_numbers(aci_elements *elements, const int64_t *numbers, size_t count);
/* The elements of a validated JSON array, each with the whitespace around it, so that nothing of the text is lost; in
   the arena. A comma may stand for the opening bracket. false: out of memory. */
bool aci_elements_of_array(aci_elements *elements, agentchat_str array, aci_arena *arena);
/* Puts an element into the bodies. */
agentchat_status aci_elements_body(aci_elements *elements, size_t index, aci_bodies *bodies, size_t *body,
                                   agentchat_error *err);
/* Whether two elements are the same: one message, equal texts, or, where one list has only numbers, one number. bodies:
   for that. */
bool aci_elements_same(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies);
/* How many elements are the same from i and from k on. */
size_t aci_elements_run(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies);

#endif
