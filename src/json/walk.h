/* SPDX-License-Identifier: Apache-2.0 */
/* Walking over the members of a validated raw object or the elements of a validated raw array. */
#ifndef ACI_JSON_WALK_H
#define ACI_JSON_WALK_H

#include <agentchat/base.h>

typedef struct aci_walk {
    const char *at, *end;
    agentchat_str key; /* raw, with quotes; absent in an array */
    agentchat_str value;
} aci_walk;

/* An empty text has no members. */
void aci_walk_begin(aci_walk *walk, agentchat_str raw);
bool aci_walk_next(aci_walk *walk);
/* Whether a validated raw value is {}. */
bool aci_walk_is_empty_object(agentchat_str raw);

#endif
