/* SPDX-License-Identifier: Apache-2.0 */
/* What an event that is written has from those before it. */
#ifndef ACI_FORMAT_ADK_CONTEXT_H
#define ACI_FORMAT_ADK_CONTEXT_H

#include "base/index.h"
#include "event/event.h"

enum { ACI_ADK_TIME_SIZE = 40 };

/* All zero to begin with, but for env. */
typedef struct aci_adk_context {
    const agentchat_env *env;
    aci_index calls; /* by id: position in functions */
    agentchat_str *functions;
    size_t count, cap;
    bool keep_times;
    bool has_time;
    double time; /* of the event before, as the reader holds it */
} aci_adk_context;

/* Takes the calls of an event. false: out of memory. */
bool aci_adk_context_add(aci_adk_context *context, const agentchat_event *event);
/* The function of a call by its id; absent: not known. */
agentchat_str aci_adk_context_function(const aci_adk_context *context, agentchat_str call);
/* Takes a time as it is written, a number of seconds. Where it is not after the one before, and times are not kept, it
   becomes the next that a double holds. Returns whether it has. */
bool aci_adk_context_time(aci_adk_context *context, char number[ACI_ADK_TIME_SIZE]);
/* Whether a field of an event's content says what the event says too: its author, id or time. event: NULL: there is
   none. */
bool aci_adk_is_event_s(const agentchat_event *event, const aci_field *field);
void aci_adk_context_clear(aci_adk_context *context);

#endif
