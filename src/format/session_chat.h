/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a session as a chat. docs/concepts.md says what becomes of what. */
#ifndef ACI_FORMAT_SESSION_CHAT_H
#define ACI_FORMAT_SESSION_CHAT_H

#include "format/kit/session_data.h"
#include "snapshot/report.h"
#include <agentchat/snapshot.h>

/* Makes the chat. state_name: the named value that receives the state, where there is any; absent: none does. report
   (NULL: not wanted) receives what the chat does not hold, with locations in the session. On failure *out is NULL.
   E_INVALID (the name), E_LIMIT (the state is too deep for a value), E_NOMEM. */
agentchat_status aci_session_chat_make(const aci_session_data *data, agentchat_str state_name, agentchat_report *report,
                                       agentchat_snapshot **out, agentchat_error *err);

/* Whether an event says something in a chat: it has a content that is not null. */
static inline bool aci_session_chat_has_message(const agentchat_event *event)
{
    return event->content != NULL && (event->content->flags & ACI_MESSAGE_IS_NULL) == 0;
}

/* Reports what of an event, which stands at `index` in the session, is not in the chat. E_NOMEM only. */
agentchat_status aci_session_chat_report_event(agentchat_report *report, const agentchat_event *event, size_t index,
                                               agentchat_error *err);
/* Reports what of the session itself is not in the chat. */
agentchat_status aci_session_chat_report_session(agentchat_report *report, const aci_session_data *data,
                                                 bool holds_state, agentchat_error *err);

#endif
