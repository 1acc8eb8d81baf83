/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an event and what an ADK makes of it have in common, for the digest (docs/formats/digest.md, "Events"): values
 * that come back from an ADK in another shape without a loss are brought into one shape.
 */
#ifndef ACI_FORMAT_ADK_NORMAL_H
#define ACI_FORMAT_ADK_NORMAL_H

#include "format/adk/compaction.h"
#include "format/adk/context.h"
#include "format/kit/raw_reader.h"

/* The content of an event, or a message of its compaction where event is NULL, in a's arena. context: of the session,
   with the calls of the events before and of this one; NULL: an event alone. NULL after a failure, which a->status
   shows. */
const agentchat_message *aci_adk_normal_content(aci_raw_reader *a, const agentchat_message *message,
                                                const agentchat_event *event, const aci_adk_context *context);
/* Extras without those that are null; NULL: none. */
const aci_extras *aci_adk_normal_extras(aci_raw_reader *a, const aci_extras *extras);
/* A time as a number of seconds. false: an ADK does not hold it exactly. */
bool aci_adk_normal_time(agentchat_str text, char number[ACI_ADK_TIME_SIZE]);

#endif
