/* SPDX-License-Identifier: Apache-2.0 */
/* Events as text of any format. */
#ifndef ACI_FORMAT_EVENT_IO_H
#define ACI_FORMAT_EVENT_IO_H

#include "event/event.h"
#include "format/kit/format.h"

/* Detects the format of an event from its properties. What nothing shows is of the first format that has events.
 * E_NOMEM. */
agentchat_status aci_event_detect(const agentchat_env *env, agentchat_str text, const aci_format **out,
                                  agentchat_error *err);
/* Reads one event in the given format; NULL: detect it. sequence: as aci_native_event_read(). */
agentchat_status aci_event_io_read(const agentchat_env *env, agentchat_str text, const char *format,
                                   const aci_event_location *location, agentchat_report *report, uint64_t *sequence,
                                   agentchat_event **out, agentchat_error *err);

#endif
