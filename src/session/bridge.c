/* SPDX-License-Identifier: Apache-2.0 */
/* A session as a chat: what a handle shows. */
#include "session/session.h"

#include "base/error.h"
#include "format/session_chat.h"

static agentchat_status make_chat(const agentchat_session *session, agentchat_str state_name, agentchat_report *report,
                                  agentchat_snapshot **out, agentchat_error *err)
{
    aci_session_data data = {.env = session->env,
                             .state = aci_scope_copy_stored(session, false),
                             .events = session->view.events.list,
                             .event_count = session->view.events.count};
    agentchat_status status =
        data.state != NULL ? aci_session_chat_make(&data, state_name, report, out, err) : aci_fail_nomem(err);

    agentchat_state_free(data.state);
    return status;
}

agentchat_status agentchat_session_snapshot(const agentchat_session *session, agentchat_str state_name,
                                            agentchat_snapshot **out, agentchat_report **report, agentchat_error *err)
{
    agentchat_report *filled;
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (session == NULL)
        return aci_fail_null(err, "session");
    filled = aci_report_new(session->env);
    status = filled != NULL ? make_chat(session, state_name, filled, out, err) : aci_fail_nomem(err);
    aci_report_hand_over(filled, report);
    return status;
}
