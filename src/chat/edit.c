/* SPDX-License-Identifier: Apache-2.0 */
/* Editing a live chat in one step: all of it, or nothing. */
#include "chat/edit_stage.h"

#include "base/error.h"
#include "snapshot/report.h"

agentchat_status aci_chat_edit(agentchat_chat *chat, const agentchat_list_edit *edit, agentchat_report *report,
                               bool is_kept, agentchat_error *err)
{
    aci_edit_stage *stage = NULL;
    aci_editing editing;
    agentchat_status status;

    aci_edit_begin(&editing, chat->env, report);
    status = aci_edit_stage_make(&editing, chat, edit, &stage, err);
    aci_edit_end(&editing);
    if (status >= 0)
        aci_edit_stage_commit(stage);
    if (stage != NULL)
        aci_edit_stage_leave(stage);
    if (status >= 0 && is_kept)
        status = aci_chat_keeper_after(chat, ACI_KEEP_EDIT, err);
    if (status >= 0)
        status = aci_chat_observe_edit(chat, edit, err);
    aci_edit_stage_free(stage);
    return status;
}

static agentchat_status edit_taken(agentchat_chat *chat, const agentchat_list_edit *edit, agentchat_report **report,
                                   agentchat_error *err)
{
    agentchat_report *filled = NULL;

    if (report != NULL) {
        filled = *report = aci_report_new(chat->env);
        if (filled == NULL)
            return aci_fail_nomem(err);
    }
    return aci_chat_edit(chat, edit, filled, true, err);
}

agentchat_status agentchat_chat_edit(agentchat_chat *chat, const agentchat_list_edit *edit, agentchat_report **report,
                                     agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    if (report != NULL)
        *report = NULL;
    if (chat == NULL || edit == NULL)
        return aci_fail_null(err, chat == NULL ? "chat" : "edit");
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = aci_chat_keeper_end(chat, edit_taken(chat, edit, report, err), err);
    aci_chat_leave(chat);
    return status;
}
