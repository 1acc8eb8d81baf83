/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every operation of a chat begins and ends with.
 *
 * One operation at a time: each takes the chat and gives it back on every path. The activity is atomic, so that a
 * second thread, too, gets E_BUSY instead of a race.
 */
#include "chat/chat.h"

#include "base/error.h"

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "agentchat_chat_interrupt() may be called by a signal handler");

/* From idle, or from being observed where that is allowed, to active; *before: from which. */
static agentchat_status take(agentchat_chat *chat, bool may_be_observed, aci_activity *before, agentchat_error *err)
{
    int seen = ACI_CHAT_IDLE;

    if (chat == NULL)
        return aci_fail_null(err, "chat");
    *before = ACI_CHAT_IDLE;
    if (atomic_compare_exchange_strong(&chat->activity, &seen, ACI_CHAT_ACTIVE))
        return AGENTCHAT_OK;
    *before = ACI_CHAT_OBSERVED;
    while (may_be_observed && (seen & ACI_CHAT_OBSERVED) != 0)
        if (atomic_compare_exchange_weak(&chat->activity, &seen, seen ^ ACI_CHAT_SWITCH))
            return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_BUSY, "another operation of this chat is active");
}

agentchat_status aci_chat_enter(agentchat_chat *chat, agentchat_error *err)
{
    aci_activity before;

    return take(chat, false, &before, err);
}

void aci_chat_leave(agentchat_chat *chat)
{
    atomic_store(&chat->activity, ACI_CHAT_IDLE);
}

agentchat_status aci_chat_enter_reading(agentchat_chat *chat, aci_activity *before, agentchat_error *err)
{
    return take(chat, true, before, err);
}

void aci_chat_leave_reading(agentchat_chat *chat, aci_activity before)
{
    if (before == ACI_CHAT_IDLE)
        aci_chat_leave(chat);
    else
        (void)atomic_fetch_xor(&chat->activity, ACI_CHAT_SWITCH);
}

bool aci_chat_is_busy(const agentchat_chat *chat)
{
    if (atomic_load(&chat->activity) != ACI_CHAT_IDLE)
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

void agentchat_chat_interrupt(agentchat_chat *chat)
{
    int seen = chat != NULL ? atomic_load(&chat->activity) : ACI_CHAT_IDLE;

    while (seen != ACI_CHAT_IDLE && !atomic_compare_exchange_weak(&chat->activity, &seen, seen | ACI_CHAT_INTERRUPTED))
        continue;
}

bool aci_chat_is_interrupted(const agentchat_chat *chat)
{
    for (; chat != NULL; chat = chat->outer)
        if ((atomic_load(&chat->activity) & ACI_CHAT_INTERRUPTED) != 0)
            return true;
    return false;
}

agentchat_status aci_chat_fail_interrupted(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CANCELLED, "the chat was interrupted (agentchat_chat_interrupt)");
}
