/* SPDX-License-Identifier: Apache-2.0 */
/* Checks and readings of the JSON values that events hold. */
#ifndef ACI_EVENT_VALUES_H
#define ACI_EVENT_VALUES_H

#include "json/value.h"
#include <agentchat/event.h>

/* What the value of a field that holds JSON must be, as a phrase: "an array of strings". NULL: it is right. json was
   validated. */
const char *aci_event_wants(agentchat_event_field field, agentchat_str json);
/* Checks JSON text of a caller for a field that holds JSON, and strips the whitespace around it. E_INVALID with path
   and offset inside the value; E_LIMIT, E_NOMEM. */
agentchat_status aci_event_check_json(const agentchat_env *env, agentchat_event_field field, agentchat_str *json,
                                      agentchat_error *err);

#endif
