/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ADK format (docs/formats/adk.md): events, one at a time; session.h has whole sessions.
 *
 * A reader checks the whole text as JSON once and then walks over it, so from there on only kinds of values can be
 * wrong. Both spellings of a name, camelCase and snake_case, mean the same; tables.h says which names there are.
 */
#ifndef ACI_FORMAT_ADK_ADK_H
#define ACI_FORMAT_ADK_ADK_H

#include "format/adk/context.h"
#include "format/kit/event_location.h"
#include "format/kit/format.h"

extern const aci_format aci_adk_format;

aci_probe aci_adk_session_probe;

/* How much deeper an event may be nested in the ADK format than in the native one, whose depth is limited: arguments
   and results are in an object of the part, and in one more when they are none. */
enum { ACI_ADK_MORE_LEVELS = 2 };

/* Reads one event; as aci_native_event_read(). *sequence (NULL: not wanted) is always 0. */
agentchat_status aci_adk_event_read(const agentchat_env *env, agentchat_str text, const aci_event_location *location,
                                    agentchat_report *report, uint64_t *sequence, agentchat_event **out,
                                    agentchat_error *err);

/* Appends one event as a line. prefix: JSON Pointer of the event, for the report. context: NULL for an event alone. */
agentchat_status aci_adk_event_line(const agentchat_event *event, agentchat_str prefix, aci_adk_context *context,
                                    agentchat_report *report, aci_buf *out, agentchat_error *err);

#endif
