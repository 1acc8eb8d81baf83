/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Positions of an array's elements by a text that each of them has: finds one of many at the cost of one.
 *
 * The texts are views and must live, unchanged, as long as they are in the index. They may come from a file: where a
 * text goes depends on an address that a file cannot know, so that no file can be made whose texts all collide.
 */
#ifndef ACI_BASE_INDEX_H
#define ACI_BASE_INDEX_H

#include "base/env.h"
#include "base/shared.h"

typedef struct aci_index_slot {
    agentchat_str text;
    size_t ordinal; /* position + 1; 0: the slot is free */
} aci_index_slot;

/* All zero: an empty one. */
typedef struct aci_index {
    aci_index_slot *slots;
    size_t cap, count; /* cap: 0 or a power of two, at least twice as large as count */
} aci_index;

#define ACI_INDEX_NONE SIZE_MAX

/* Puts a text in, or gives the one that is there already another position. false: out of memory, nothing changed. */
ACI_SHARED bool aci_index_put(aci_index *index, const agentchat_env *env, agentchat_str text, size_t position);
/* The same, but a text that is there already stays as it is. */
ACI_SHARED bool aci_index_add(aci_index *index, const agentchat_env *env, agentchat_str text, size_t position);
ACI_SHARED size_t aci_index_find(const aci_index *index, agentchat_str text); /* its position, or ACI_INDEX_NONE */
/* Removes a text, and the element at its position from the array: the positions after it decrease by one. */
void aci_index_remove(aci_index *index, agentchat_str text, size_t position);
ACI_SHARED void aci_index_clear(aci_index *index, const agentchat_env *env);

#endif
