/* SPDX-License-Identifier: Apache-2.0 */
/* Who keeps a chat somewhere else, in a store say, and when it is called. */
#include "chat/chat.h"

agentchat_status aci_chat_keeper_before(agentchat_chat *chat, agentchat_error *err)
{
    return chat->keeper.before != NULL ? chat->keeper.before(chat->keeper.self, chat, err) : AGENTCHAT_OK;
}

agentchat_status aci_chat_keeper_turn(agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err)
{
    return chat->keeper.turn != NULL ? chat->keeper.turn(chat->keeper.self, chat, agent, err) : AGENTCHAT_OK;
}

agentchat_status aci_chat_keeper_says(agentchat_chat *chat, const agentchat_message *message, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    for (; chat != NULL && status >= 0; chat = chat->says_outside ? chat->outer : NULL)
        if (chat->keeper.says != NULL)
            status = chat->keeper.says(chat->keeper.self, chat, message, err);
    return status;
}

agentchat_status aci_chat_keeper_after(agentchat_chat *chat, aci_keep_moment moment, agentchat_error *err)
{
    return chat->keeper.after != NULL ? chat->keeper.after(chat->keeper.self, chat, moment, err) : AGENTCHAT_OK;
}

agentchat_status aci_chat_keeper_end(agentchat_chat *chat, agentchat_status status, agentchat_error *err)
{
    agentchat_status kept = aci_chat_keeper_after(chat, ACI_KEEP_END, status < 0 ? NULL : err);

    return status < 0 || kept >= 0 ? status : kept;
}

void aci_chat_keeper_set(agentchat_chat *chat, const aci_chat_keeper *keeper)
{
    aci_chat_keeper gone = chat->keeper;

    chat->partial = NULL;
    chat->keeper = keeper != NULL ? *keeper : (aci_chat_keeper){.self = NULL};
    if (gone.free != NULL)
        gone.free(gone.self);
}
