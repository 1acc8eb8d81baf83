/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Channels of a live chat. Layer 3.
 *
 * A channel is registered only once it stands where the chat stands: a new one after it took the whole history, a
 * claimed one with its queue. What fails before leaves no trace.
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

/* What a function reported, after a message that says whose it was. */
static void add_cause(agentchat_error *err, const agentchat_error *cause)
{
    err->native = cause->native;
    aci_error_at(err, cause->offset, cause->line, cause->column);
    aci_error_path(err, agentchat_str_from(cause->path));
    aci_error_source(err, cause->source);
}

static const char *text_of(const agentchat_error *cause, agentchat_status status)
{
    return cause->code != 0 && cause->message[0] != '\0' ? cause->message : agentchat_status_text(status);
}

static const char *name_of(const agentchat_agent *agent, aci_excerpt *name)
{
    return aci_excerpt_of(agent->name.len > 0 ? agent->name : agent->id, name);
}

agentchat_status aci_agent_fail(const agentchat_agent *agent, agentchat_status status, const agentchat_error *cause,
                                agentchat_error *err)
{
    aci_excerpt name;

    if (err == NULL || err->code != 0)
        return status;
    aci_fail(err, status, "agent %s could not answer: %s", name_of(agent, &name), text_of(cause, status));
    if (cause->code != 0)
        add_cause(err, cause);
    return status;
}

agentchat_status aci_channel_fail(const agentchat_agent *agent, agentchat_status status, const agentchat_error *cause,
                                  const char *what, agentchat_error *err)
{
    aci_excerpt name;

    if (err == NULL || err->code != 0)
        return status;
    aci_fail(err, status, "agent %s: channel %s (%s) %s: %s", name_of(agent, &name), agent->table.name, agent->key,
             what, text_of(cause, status));
    if (cause->code != 0)
        add_cause(err, cause);
    return status;
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
        return aci_channel_fail(channel->agent, status, cause, "could not receive messages", err);
    return AGENTCHAT_OK;
}

agentchat_status aci_channel_deliver(agentchat_chat *chat, aci_channel *channel, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t done = 0;

    while (done < channel->queue.count && status >= 0) {
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
        return aci_channel_fail(agent, status, cause, "could not be made", err);
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

static size_t find_kept(const agentchat_chat *chat, const agentchat_agent *agent)
{
    for (size_t i = 0; i < chat->kept_count; i++)
        if (agentchat_str_equal(agentchat_channel_state_key(chat->kept[i].state), agentchat_agent_channel_key(agent)))
            return i;
    return chat->kept_count;
}

static void remove_kept(agentchat_chat *chat, size_t index)
{
    chat->kept_count--;
    memmove(&chat->kept[index], &chat->kept[index + 1], (chat->kept_count - index) * sizeof *chat->kept);
    if (chat->kept_count == 0)
        aci_chat_drop_kept(chat);
}

/* The agent has no channel: claims the state kept for it, else makes a new channel, and registers it. */
static agentchat_status make(agentchat_chat *chat, agentchat_agent *agent, aci_channel **out, agentchat_error *err)
{
    size_t kept = find_kept(chat, agent);
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
        remove_kept(chat, kept);
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
                        aci_excerpt_of(agent->id, &excerpt), (*out)->agent->table.name, (*out)->key);
    return aci_channel_deliver(chat, *out, err);
}
