/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emptying a chat.
 *
 * First the channels that can empty themselves do so, which may fail; then the rest goes, which cannot. After a failure
 * the chat still has its history, and channels that are empty by then have all of it queued: nothing is missed.
 */
#include "chat/channel.h"

#include "base/error.h"

static agentchat_status empty_channel(agentchat_chat *chat, aci_channel *channel, agentchat_error *err)
{
    agentchat_error *cause = aci_chat_cause(chat);
    agentchat_status status = channel->agent->table.reset(channel->self, cause);

    if (status < 0)
        return aci_agent_fail_channel(channel->agent, status, cause, "could not be emptied", err);
    channel->queue.count = 0;
    if (chat->history.count > 0)
        aci_queue_push(&channel->queue, (aci_range){0, chat->history.count});
    return AGENTCHAT_OK;
}

/* Keeps the channels that emptied themselves, marked as unused, and frees the others, to be made anew. */
static void settle_channels(agentchat_chat *chat)
{
    size_t count = chat->channel_count, kept = 0;

    for (size_t i = 0; i < count; i++) {
        aci_channel *channel = chat->channels[i];

        if (channel->agent->table.reset == NULL)
            continue;
        channel->queue.count = 0;
        channel->synced = 0;
        channel->is_fresh = true;
        chat->channels[i] = chat->channels[kept];
        chat->channels[kept++] = channel;
    }
    chat->channel_count = kept; /* before the others are freed: their functions may look into the chat */
    for (size_t i = kept; i < count; i++)
        aci_channel_free(chat->env, chat->channels[i]);
}

static agentchat_status reset(agentchat_chat *chat, agentchat_error *err)
{
    for (size_t i = 0; i < chat->channel_count; i++) {
        const aci_channel *channel = chat->channels[i];

        /* A channel that is freed must not be in use: its chat may be running the function that called us. */
        if (channel->agent->inner != NULL && aci_chat_is_busy(channel->agent->inner(channel->self)))
            return aci_fail(err, AGENTCHAT_E_BUSY, "an operation of a chat inside channel %s (%s) is active",
                            channel->agent->table.name, channel->key);
        if (!aci_queue_reserve(&chat->channels[i]->queue, chat->env))
            return aci_fail_nomem(err);
    }
    for (size_t i = 0; i < chat->channel_count; i++)
        if (chat->channels[i]->agent->table.reset != NULL) {
            agentchat_status status = empty_channel(chat, chat->channels[i], err);

            if (status < 0)
                return status;
        }
    settle_channels(chat);
    aci_list_clear(&chat->history);
    aci_chat_drop_ids(chat);
    aci_chat_drop_kept(chat);
    aci_chat_drop_origin(chat);
    chat->is_complete = false;
    chat->was_kept = false;
    chat->next_turn = 0;
    return AGENTCHAT_OK;
}

agentchat_status agentchat_chat_reset(agentchat_chat *chat, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = reset(chat, err);
    aci_chat_leave(chat);
    return status;
}
