/* SPDX-License-Identifier: Apache-2.0 */
/* How messages get into a chat's history, and from there to its channels. */
#include "chat/channel.h"

#include "base/error.h"

/* Into the chat's history and those of the outer chats that are to have it: into all or none. */
bool aci_chat_say(agentchat_chat *chat, const agentchat_message *const *messages, size_t count)
{
    agentchat_messages grown;
    bool ok = true;

    aci_list_copy(&grown, &chat->history);
    for (size_t i = 0; ok && i < count; i++)
        ok = aci_list_append(&grown, messages[i]);
    if (!ok || (chat->says_outside && !aci_chat_say(chat->outer, messages, count))) {
        aci_list_clear(&grown);
        return false;
    }
    aci_list_clear(&chat->history);
    chat->history = grown;
    return true;
}

agentchat_status aci_chat_add(agentchat_chat *chat, const agentchat_message *const *messages, size_t count,
                              agentchat_error *err)
{
    size_t first = chat->history.count;

    for (size_t i = 0; i < chat->channel_count; i++)
        if (!aci_queue_reserve(&chat->channels[i]->queue, chat->env))
            return aci_fail_nomem(err);
    if (!aci_chat_say(chat, messages, count))
        return aci_fail_nomem(err);
    for (size_t i = 0; i < chat->channel_count; i++) {
        aci_queue_push(&chat->channels[i]->queue, (aci_range){first, count});
        chat->channels[i]->synced = first + count;
    }
    /* The messages are in the chat now. What a channel does not accept stays queued and is reported at its next use. */
    for (size_t i = 0; i < chat->channel_count; i++)
        (void)aci_channel_deliver(chat, chat->channels[i], NULL);
    return AGENTCHAT_OK;
}
