/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An edit of a live chat, made before anything of the chat is touched, and the commit, which cannot fail.
 *
 * Chats inside channels are edited in place, since their host may know them: each of them is taken while it is staged.
 */
#ifndef ACI_CHAT_EDIT_STAGE_H
#define ACI_CHAT_EDIT_STAGE_H

#include "chat/chat.h"
#include "snapshot/edit.h"

typedef struct aci_edit_stage aci_edit_stage;

/* Stages the edit of a chat whose flag is taken, and of the chats inside it. *out is to be freed after a failure, too;
   NULL: nothing was staged. */
agentchat_status aci_edit_stage_make(aci_editing *editing, agentchat_chat *chat, const agentchat_list_edit *edit,
                                     aci_edit_stage **out, agentchat_error *err);
/* Puts what is staged into the chat and into those inside it; what was there before goes with the stage. */
void aci_edit_stage_commit(aci_edit_stage *stage);
/* Gives back the chats inside the chat, the innermost first; after a commit their observers are called before. */
void aci_edit_stage_leave(aci_edit_stage *stage);
void aci_edit_stage_free(aci_edit_stage *stage); /* NULL is allowed; the chats inside have been given back */

#endif
