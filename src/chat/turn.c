/* SPDX-License-Identifier: Apache-2.0 */
/* What every turn begins and ends with: the agent's channel is brought up to date; the others receive the answer. */
#include "chat/turn.h"

#include "base/error.h"

agentchat_status aci_turn_open(agentchat_chat *chat, agentchat_agent *agent, aci_turn *turn, agentchat_error *err)
{
    agentchat_status status;

    *turn = (aci_turn){.replies = {.chat = chat, .agent = agent}, .agent = agent};
    status = aci_channel_open(chat, agent, &turn->channel, err);
    if (status < 0)
        return status;
    if (aci_chat_is_interrupted(chat))
        return aci_chat_fail_interrupted(err);
    for (size_t i = 0; i < chat->channel_count; i++)
        if (!aci_queue_reserve(&chat->channels[i]->queue, chat->env))
            return aci_fail_nomem(err);
    turn->first = chat->history.count;
    turn->channel->is_fresh = false;
    return AGENTCHAT_OK;
}

/* Queues and delivers to the other channels what was said from position `first` on; their queues have room. */
static void broadcast(agentchat_chat *chat, aci_channel *speaker, size_t first)
{
    size_t count = chat->history.count - first;

    speaker->synced = chat->history.count;
    for (size_t i = 0; i < chat->channel_count; i++) {
        aci_channel *channel = chat->channels[i];

        if (channel == speaker || count == 0)
            continue;
        aci_queue_push(&channel->queue, (aci_range){first, count});
        channel->synced = chat->history.count;
    }
    for (size_t i = 0; i < chat->channel_count; i++)
        if (chat->channels[i] != speaker && count > 0)
            (void)aci_channel_deliver(chat, chat->channels[i], NULL); /* stays queued, is reported at its next use */
}

agentchat_status aci_turn_close(aci_turn *turn, agentchat_status status, const agentchat_error *cause,
                                agentchat_error *err)
{
    if (status < 0) {
        aci_chat_values_restore(turn->replies.chat, &turn->replies.saved);
        aci_agent_fail_answer(turn->agent, status, cause, err); /* before others are called */
    }
    broadcast(turn->replies.chat, turn->channel, turn->first);
    if (status < 0)
        (void)aci_chat_end_answer(turn->replies.chat, false, NULL);
    else if ((status = aci_chat_end_answer(turn->replies.chat, true, err)) < 0)
        aci_chat_values_restore(turn->replies.chat, &turn->replies.saved);
    aci_chat_values_forget(turn->replies.chat->env, &turn->replies.saved);
    return status < 0 ? status : AGENTCHAT_OK;
}
