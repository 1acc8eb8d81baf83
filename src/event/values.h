/* SPDX-License-Identifier: Apache-2.0 */
/* Checks and readings of the JSON values that events hold. Layer 5. */
#ifndef ACI_EVENT_VALUES_H
#define ACI_EVENT_VALUES_H

#include "json/value.h"
#include <agentchat/event.h>

/* What the value of a field that holds JSON must be, as a sentence: "an array of strings". NULL: it is right. json was
   validated. */
const char *aci_event_wants(agentchat_event_field field, agentchat_str json);
/* Checks JSON text of a caller for a field that holds JSON, and takes the blanks around it off. E_INVALID with path and
   offset inside the value; E_LIMIT, E_NOMEM. */
agentchat_status aci_event_check_json(const agentchat_env *env, agentchat_event_field field, agentchat_str *json,
                                      agentchat_error *err);
/* A JSON number as a whole number of 64 bits; false when it has anything but a sign and digits, or is beyond. */
bool aci_integer(agentchat_str number, int64_t *out);

/* Walks the members of a validated raw object or the elements of a validated raw array. */
typedef struct aci_walk {
    const char *at, *end;
    agentchat_str key; /* raw, with quotes; absent in an array */
    agentchat_str value;
} aci_walk;
/* Whether a validated raw value is {}. */
bool aci_object_is_empty(agentchat_str raw);
/* An empty text has no members. */
void aci_walk_begin(aci_walk *walk, agentchat_str raw);
bool aci_walk_next(aci_walk *walk);

#endif
