/* SPDX-License-Identifier: Apache-2.0 */
/* Editing states of channels: of a snapshot, and those that a live chat keeps. */
#ifndef ACI_SNAPSHOT_EDIT_H
#define ACI_SNAPSHOT_EDIT_H

#include "base/buf.h"
#include "snapshot/edit_plan.h"
#include "snapshot/snapshot.h"

/* One edit, from the outermost chat to the innermost. */
typedef struct aci_editing {
    const agentchat_env *env;
    agentchat_report *report; /* NULL: not wanted */
    aci_buf path;             /* JSON Pointer of what is being edited */
    uint32_t depth;           /* of the chat: 0 for the outermost */
} aci_editing;

void aci_edit_begin(aci_editing *editing, const agentchat_env *env, agentchat_report *report);
void aci_edit_end(aci_editing *editing);

/* E_LIMIT where chats are nested too deep. */
agentchat_status aci_edit_enter_chat(aci_editing *editing, agentchat_error *err);
void aci_edit_leave_chat(aci_editing *editing);

/* Adds the step to a channel to the path; is_chat: to the chat in it. before: for the end of the step. false: out of
   memory, nothing is to be ended. */
bool aci_edit_push(aci_editing *editing, size_t channel, bool is_chat, size_t *before);
/* Takes the step away again, and puts it in front of the error's path after a failure. */
void aci_edit_pop(aci_editing *editing, size_t before, agentchat_status status, agentchat_error *err);

/* Reports a channel that keeps what it was given. false: out of memory. */
bool aci_edit_report(const aci_editing *editing, agentchat_str key);

/* Edits a channel's state, which lives in arena, in place; its lists and its chat are the state's own. After a failure
   it is still to be released. E_SCHEMA: its positions are not those of the history. */
agentchat_status aci_edit_state(aci_editing *editing, aci_edit_plan *plan, agentchat_channel_state *state,
                                aci_arena *arena, agentchat_error *err);

#endif
