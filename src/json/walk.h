/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agentchat_json_walk_next() within the library: over the text alone, each value of which is skipped to find the next,
 * or with an index, which knows where the next one is.
 */
#ifndef ACI_JSON_WALK_H
#define ACI_JSON_WALK_H

#include "json/index.h"
#include <agentchat/json_text.h>

typedef struct aci_walk {
    const char *at, *end;
    agentchat_str key; /* raw, with quotes; absent in an array */
    agentchat_str value;
    const aci_json_index *index; /* NULL: over the text alone */
    uint32_t container, next;    /* nodes of the index; next is 0 after the last */
} aci_walk;

/* Begins in a validated raw object or array; an empty text has no members. */
void aci_walk_begin(aci_walk *walk, agentchat_str raw);
/* The same for an object or array that is a part of the index's text, or of another text; index may be NULL. */
void aci_walk_begin_in(aci_walk *walk, const aci_json_index *index, agentchat_str raw);
bool aci_walk_next(aci_walk *walk);
/* Whether a validated raw value is {}. */
bool aci_walk_is_empty_object(agentchat_str raw);

#endif
