/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels of a live chat.
 *
 * A channel is registered only once it is up to date with the chat: a new one after it received the whole history, a
 * claimed one with its queue. A failure before that leaves no trace.
 */
#include "chat/channel.h"

#include "base/buf.h"
#include "base/error.h"
#include <string.h>

aci_channel *aci_channel_of(const agentchat_chat *chat, const agentchat_agent *agent)
{
    for (size_t i = 0; i < chat->channel_count; i++)
        if (memcmp(chat->channels[i]->key, agent->key, AGENTCHAT_KEY_LEN) == 0)
            return chat->channels[i];
    return NULL;
}

aci_channel *aci_channel_new(const agentchat_env *env, agentchat_agent *agent, void *self)
{
    aci_channel *channel = aci_alloc_zero(env, sizeof *channel);

    if (channel == NULL) {
        if (agent->table.free != NULL)
            agent->table.free(self);
        return NULL;
    }
    channel->agent = agent;
    channel->self = self;
    memcpy(channel->key, agent->key, sizeof channel->key);
    return channel;
}

void aci_channel_free(const agentchat_env *env, aci_channel *channel)
{
    if (channel == NULL)
        return;
    if (channel->agent->table.free != NULL)
        channel->agent->table.free(channel->self);
    aci_queue_clear(&channel->queue, env);
    aci_free(env, channel, sizeof *channel);
}

static agentchat_status receive(agentchat_chat *chat, aci_channel *channel, aci_range range, agentchat_error *err)
{
    agentchat_messages batch;
    agentchat_error *cause;
    agentchat_status status;

    if (!aci_list_slice(&batch, &chat->history, range.first, range.count))
        return aci_fail_nomem(err);
    cause = aci_chat_cause(chat);
    status = channel->agent->table.receive(channel->self, &batch, cause);
    aci_list_clear(&batch);
    if (status < 0)
        return aci_agent_fail_channel(channel->agent, status, cause, "could not receive messages", err);
    return AGENTCHAT_OK;
}

agentchat_status aci_channel_deliver(agentchat_chat *chat, aci_channel *channel, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t done = 0;

    while (done < channel->queue.count && status >= 0) {
        if (aci_chat_is_interrupted(chat)) {
            status = aci_chat_fail_interrupted(err);
            break;
        }
        status = receive(chat, channel, channel->queue.list[done], err);
        if (status >= 0) {
            channel->is_fresh = false;
            done++;
        }
    }
    aci_queue_drop(&channel->queue, done);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* Makes an empty channel and gives it all that was said. */
static agentchat_status create(agentchat_chat *chat, agentchat_agent *agent, aci_channel **out, agentchat_error *err)
{
    agentchat_error *cause = aci_chat_cause(chat);
    agentchat_status status;
    void *self = NULL;

    *out = NULL;
    status = agent->table.create(agent->context, &self, cause);
    if (status < 0)
        return aci_agent_fail_channel(agent, status, cause, "could not be made", err);
    *out = aci_channel_new(chat->env, agent, self);
    if (*out == NULL)
        return aci_fail_nomem(err);
    (*out)->synced = chat->history.count;
    if (chat->history.count > 0)
        status = receive(chat, *out, (aci_range){0, chat->history.count}, err);
    if (status < 0) {
        aci_channel_free(chat->env, *out);
        *out = NULL;
    }
    return status < 0 ? status : AGENTCHAT_OK;
}

/* The agent has no channel: claims the state kept for it, else makes a new channel, and registers it. */
static agentchat_status make(agentchat_chat *chat, agentchat_agent *agent, aci_channel **out, agentchat_error *err)
{
    size_t kept = aci_chat_find_kept(chat, agent);
    bool claimed = kept < chat->kept_count;
    agentchat_status status = AGENTCHAT_DONE;
    void *channels = chat->channels;

    if (!aci_grow(chat->env, &channels, &chat->channel_cap, chat->channel_count, sizeof(aci_channel *)))
        return aci_fail_nomem(err);
    chat->channels = channels;
    if (claimed)
        status = chat->claim(chat, &chat->kept[kept], agent, out, err);
    if (status == AGENTCHAT_DONE)
        status = create(chat, agent, out, err);
    if (status < 0)
        return status;
    chat->channels[chat->channel_count++] = *out;
    if (claimed)
        aci_chat_remove_kept(chat, kept);
    return aci_channel_deliver(chat, *out, err);
}

agentchat_status aci_channel_open(agentchat_chat *chat, agentchat_agent *agent, aci_channel **out, agentchat_error *err)
{
    aci_excerpt excerpt;

    *out = aci_channel_of(chat, agent);
    if (*out == NULL)
        return make(chat, agent, out, err);
    if (!aci_agent_same_type((*out)->agent, agent))
        return aci_fail(err, AGENTCHAT_E_INVALID, "agent %s has the key of channel %s (%s) but not its type",
                        aci_error_excerpt(agent->id, &excerpt), (*out)->agent->table.name, (*out)->key);
    return aci_channel_deliver(chat, *out, err);
}
