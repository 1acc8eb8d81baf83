/* SPDX-License-Identifier: Apache-2.0 */
/* What a store keeps of an event, and events out of a store. */
#ifndef ACI_SESSION_STORED_EVENT_H
#define ACI_SESSION_STORED_EVENT_H

#include "event/event.h"

/* Which fields were filled in, so that a retry may differ in them, and whether something temporary was left out. */
enum { ACI_EVENT_MADE_ID = 1, ACI_EVENT_MADE_INVOCATION = 2, ACI_EVENT_MADE_TIME = 4, ACI_EVENT_TRIMMED = 8 };

/* What is stored of an event: a copy without changes of `temp:` keys and without members whose decoded name begins with
   `temp:`, at any depth, in unknown properties, artifacts and the compaction; the content stays as it is. Id,
   invocation (NULL: one is made) and time (now, in microseconds) are filled in where it has none; *made: what was
   done. */
agentchat_status aci_stored_event_of(const agentchat_env *env, const agentchat_event *event, const char *invocation,
                                     unsigned *made, agentchat_event **out, agentchat_error *err);
/* The same event with the given id, invocation and time instead (absent: as it is), which are not checked: to compare a
   retry with what is stored. */
agentchat_status aci_stored_event_with(const agentchat_event *event, agentchat_str id, agentchat_str invocation,
                                       agentchat_str time, agentchat_event **out, agentchat_error *err);
/* The same of an event that is to be stored: E_LIMIT when the text is deeper than the event's environment allows, so
   that it could not be read back. out is unchanged on failure. */
agentchat_status aci_stored_event_text(const agentchat_event *event, aci_buf *out, agentchat_error *err);
/* An event out of a store: what aci_event_text() wrote, and what appending it did:
       {"app":REVISION,"user":REVISION,"sums":{KEY:INTEGER,…},"undo":[[KEY,REVISION,VALUE?],…]}
   All members are optional, effect may be absent. E_CORRUPT with a message when one of the texts is not what it should
   be; E_LIMIT when the environment allows less than the store holds. */
agentchat_status aci_stored_event_read(const agentchat_env *env, uint64_t sequence, agentchat_str json,
                                       agentchat_str effect, agentchat_event **out, agentchat_error *err);

#endif
