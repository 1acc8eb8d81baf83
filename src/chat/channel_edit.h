/* SPDX-License-Identifier: Apache-2.0 */
/* What a channel's edit gets to see. */
#ifndef ACI_CHAT_CHANNEL_EDIT_H
#define ACI_CHAT_CHANNEL_EDIT_H

#include "snapshot/edit_plan.h"
#include <agentchat/agent.h>

struct agentchat_channel_edit {
    aci_edit_plan *plan;
    aci_edit_given given;
};

/* The list that results of one that a history channel holds. */
agentchat_status aci_channel_edit_apply(const agentchat_channel_edit *in, const agentchat_messages *list, bool keep_all,
                                        agentchat_messages *out, agentchat_error *err);

#endif
