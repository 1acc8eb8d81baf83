/* SPDX-License-Identifier: Apache-2.0 */
/* Stored states that wait in a chat for the agents that they belong to. */
#include "chat/chat.h"

#include <string.h>

void aci_chat_drop_kept(agentchat_chat *chat)
{
    aci_free(chat->env, chat->kept, chat->kept_cap * sizeof *chat->kept);
    chat->kept = NULL;
    chat->kept_count = 0;
    chat->kept_cap = 0;
    agentchat_snapshot_unref(chat->kept_from);
    chat->kept_from = NULL;
}

size_t aci_chat_find_kept(const agentchat_chat *chat, const agentchat_agent *agent)
{
    for (size_t i = 0; i < chat->kept_count; i++)
        if (agentchat_str_equal(agentchat_channel_state_key(chat->kept[i].state), agentchat_agent_channel_key(agent)))
            return i;
    return chat->kept_count;
}

void aci_chat_remove_kept(agentchat_chat *chat, size_t index)
{
    chat->kept_count--;
    memmove(&chat->kept[index], &chat->kept[index + 1], (chat->kept_count - index) * sizeof *chat->kept);
    if (chat->kept_count == 0)
        aci_chat_drop_kept(chat);
}

size_t agentchat_chat_kept_count(const agentchat_chat *chat)
{
    return chat != NULL ? chat->kept_count : 0;
}

const agentchat_channel_state *agentchat_chat_kept(const agentchat_chat *chat, size_t index)
{
    return chat != NULL && index < chat->kept_count ? chat->kept[index].state : NULL;
}
