/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every operation of a chat begins and ends with.
 *
 * One operation at a time: each takes the activity flag and gives it back on every path. The flag is atomic, so that a
 * second thread, too, gets E_BUSY instead of a race.
 */
#include "chat/chat.h"

#include "base/error.h"

agentchat_status aci_chat_enter(agentchat_chat *chat, agentchat_error *err)
{
    if (chat == NULL)
        return aci_fail_null(err, "chat");
    if (atomic_exchange_explicit(&chat->busy, true, memory_order_acquire))
        return aci_fail(err, AGENTCHAT_E_BUSY, "another operation of this chat is active");
    return AGENTCHAT_OK;
}

void aci_chat_leave(agentchat_chat *chat)
{
    atomic_store_explicit(&chat->busy, false, memory_order_release);
}

bool aci_chat_is_busy(const agentchat_chat *chat)
{
    if (atomic_load_explicit(&chat->busy, memory_order_acquire))
        return true;
    for (size_t i = 0; i < chat->channel_count; i++) {
        const aci_channel *channel = chat->channels[i];

        if (channel->agent->inner != NULL && aci_chat_is_busy(channel->agent->inner(channel->self)))
            return true;
    }
    return false;
}

agentchat_error *aci_chat_cause(agentchat_chat *chat)
{
    agentchat_error_clear(&chat->cause);
    return &chat->cause;
}
