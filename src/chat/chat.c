/* SPDX-License-Identifier: Apache-2.0 */
/* A live chat: making it, its agents, its history. */
#include "chat/chat.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/utf8.h"
#include "chat/channel.h"

agentchat_status agentchat_chat_new(const agentchat_env *env, agentchat_chat **out, agentchat_error *err)
{
    agentchat_chat *chat;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    env = aci_env(env);
    *out = chat = aci_alloc_zero(env, sizeof *chat);
    if (chat == NULL)
        return aci_fail_nomem(err);
    chat->env = env;
    atomic_init(&chat->activity, ACI_CHAT_IDLE);
    aci_list_init(&chat->history, env);
    aci_list_init(&chat->ids.indexed, env);
    aci_list_init(&chat->ids.said, env);
    return AGENTCHAT_OK;
}

void aci_chat_drop_origin(agentchat_chat *chat)
{
    for (size_t i = 0; i < chat->agent_count; i++)
        chat->agents[i]->origin = NULL;
    for (size_t i = 0; i < chat->channel_count; i++)
        chat->channels[i]->origin = NULL;
    agentchat_snapshot_unref(chat->origin);
    chat->origin = NULL;
    chat->adopted_count = 0;
}

void aci_chat_drop_channels(agentchat_chat *chat)
{
    while (chat->channel_count > 0)
        aci_channel_free(chat->env, chat->channels[--chat->channel_count]);
    aci_free(chat->env, chat->channels, chat->channel_cap * sizeof *chat->channels);
    chat->channels = NULL;
    chat->channel_cap = 0;
}

void agentchat_chat_free(agentchat_chat *chat)
{
    const agentchat_env *env;

    if (chat == NULL)
        return;
    env = chat->env;
    /* The caller's functions may call this chat: operations are refused from here on, views show what is left. */
    atomic_store(&chat->activity, ACI_CHAT_ACTIVE);
    aci_chat_release_turn(chat);
    aci_chat_drop_channels(chat); /* before the agents, which they refer to */
    while (chat->agent_count > 0)
        agentchat_agent_free(chat->agents[--chat->agent_count]);
    aci_free(env, chat->agents, chat->agent_cap * sizeof *chat->agents);
    aci_index_clear(&chat->agent_ids, env);
    aci_chat_drop_kept(chat);
    agentchat_snapshot_unref(chat->origin);
    aci_chat_values_free(env, chat->values, chat->value_count, chat->value_cap);
    aci_chat_drop_reducers(chat);
    aci_index_clear(&chat->value_names, env);
    aci_list_clear(&chat->history);
    aci_list_clear(&chat->ids.said);
    aci_chat_drop_ids(chat);
    if (chat->observer.free_user != NULL)
        chat->observer.free_user(chat->observer.user);
    aci_chat_keeper_set(chat, NULL);
    aci_free(env, chat, sizeof *chat);
}

/* ---- agents --------------------------------------------------------------------------------------------------- */

static agentchat_status add_agent(agentchat_chat *chat, agentchat_agent *agent, agentchat_error *err)
{
    void *agents = chat->agents;
    aci_excerpt excerpt;

    if (aci_index_find(&chat->agent_ids, agent->id) != ACI_INDEX_NONE)
        return aci_fail(err, AGENTCHAT_E_EXISTS, "an agent with the id %s is in the chat already",
                        aci_error_excerpt(agent->id, &excerpt));
    if (!aci_grow(chat->env, &agents, &chat->agent_cap, chat->agent_count, sizeof *chat->agents))
        return aci_fail_nomem(err);
    chat->agents = agents;
    if (!aci_index_put(&chat->agent_ids, chat->env, agent->id, chat->agent_count))
        return aci_fail_nomem(err);
    chat->agents[chat->agent_count++] = agent;
    agent->chat = chat;
    return AGENTCHAT_OK;
}

agentchat_status agentchat_chat_add_agent(agentchat_chat *chat, agentchat_agent *agent, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    if (agent == NULL)
        return aci_fail_null(err, "agent");
    if (agent->chat != NULL) /* owned already, so ownership is not taken a second time */
        return aci_fail(err, AGENTCHAT_E_EXISTS, "the agent is in a chat already");
    status = aci_chat_enter(chat, err);
    if (status >= 0) {
        status = add_agent(chat, agent, err);
        aci_chat_leave(chat);
    }
    if (status < 0)
        agentchat_agent_free(agent);
    return status;
}

size_t agentchat_chat_agent_count(const agentchat_chat *chat)
{
    return chat != NULL ? chat->agent_count : 0;
}

agentchat_agent *agentchat_chat_agent(const agentchat_chat *chat, size_t index)
{
    return chat != NULL && index < chat->agent_count ? chat->agents[index] : NULL;
}

/* ---- messages ------------------------------------------------------------------------------------------------- */

static agentchat_status check(const agentchat_message *const *messages, size_t count, agentchat_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (messages == NULL || messages[i] == NULL)
            return aci_fail(err, AGENTCHAT_E_INVALID, "message %zu to add is NULL", i);
        if (aci_utf8_equal_ignore_case(agentchat_message_role(messages[i]), AGENTCHAT_STR("system")))
            return aci_fail(err, AGENTCHAT_E_INVALID,
                            "a chat takes no message of the role \"system\": instructions belong to the agent, "
                            "which puts them before the messages when it calls its model");
    }
    return AGENTCHAT_OK;
}

/* Input, kept, then the observer. */
static agentchat_status add(agentchat_chat *chat, const agentchat_message *const *messages, size_t count,
                            agentchat_error *err)
{
    agentchat_status status = aci_chat_add_input(chat, messages, count, err);

    if (status >= 0)
        status = aci_chat_keeper_after(chat, ACI_KEEP_INPUT, err);
    if (status >= 0)
        status = aci_chat_observe_input(chat, err);
    return aci_chat_keeper_end(chat, status, err);
}

agentchat_status agentchat_chat_add_messages(agentchat_chat *chat, const agentchat_message *const *messages,
                                             size_t count, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = check(messages, count, err);
    if (status >= 0)
        status = aci_chat_keeper_before(chat, err);
    if (status >= 0)
        status = add(chat, messages, count, err);
    aci_chat_leave(chat);
    return status;
}

agentchat_status agentchat_chat_add_message(agentchat_chat *chat, const agentchat_message *message,
                                            agentchat_error *err)
{
    return agentchat_chat_add_messages(chat, &message, 1, err);
}

agentchat_status agentchat_chat_add_text(agentchat_chat *chat, const char *role, agentchat_str text,
                                         agentchat_error *err)
{
    agentchat_message *message = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    if (chat == NULL)
        return aci_fail_null(err, "chat");
    status = agentchat_message_new_text(chat->env, role, (agentchat_str){NULL, 0}, text, &message, err);
    if (status >= 0)
        status = agentchat_chat_add_message(chat, message, err);
    agentchat_message_unref(message);
    return status;
}

/* ---- views ---------------------------------------------------------------------------------------------------- */

const agentchat_messages *agentchat_chat_history(const agentchat_chat *chat)
{
    return chat != NULL ? &chat->history : NULL;
}

size_t agentchat_chat_message_count(const agentchat_chat *chat)
{
    return chat != NULL ? chat->history.count : 0;
}

const agentchat_message *agentchat_chat_newest(const agentchat_chat *chat, size_t index)
{
    if (chat == NULL || index >= chat->history.count)
        return NULL;
    return agentchat_messages_at(&chat->history, chat->history.count - 1 - index);
}

bool agentchat_chat_is_complete(const agentchat_chat *chat)
{
    return chat != NULL && chat->is_complete;
}

void agentchat_chat_set_complete(agentchat_chat *chat, bool complete)
{
    if (chat != NULL)
        chat->is_complete = complete;
}

agentchat_chat *agentchat_chat_inner(const agentchat_chat *chat, const agentchat_agent *agent)
{
    const aci_channel *channel;

    if (chat == NULL || agent == NULL || agent->chat != chat || agent->inner == NULL)
        return NULL;
    channel = aci_channel_of(chat, agent);
    return channel != NULL && channel->agent->inner != NULL ? channel->agent->inner(channel->self) : NULL;
}

static agentchat_status channel_history(agentchat_chat *chat, const agentchat_agent *agent,
                                        const agentchat_messages **out, agentchat_error *err)
{
    static const agentchat_messages empty;
    aci_channel *channel = aci_channel_of(chat, agent);
    agentchat_error *cause;
    agentchat_status status;

    if (channel == NULL) {
        *out = &empty;
        return AGENTCHAT_OK;
    }
    status = aci_channel_deliver(chat, channel, err);
    if (status < 0)
        return status;
    if (channel->agent->table.history == NULL)
        return aci_fail(err, AGENTCHAT_E_UNSUPPORTED, "channel %s (%s) has no view of its messages",
                        channel->agent->table.name, channel->key);
    cause = aci_chat_cause(chat);
    status = channel->agent->table.history(channel->self, out, cause);
    if (status < 0) {
        *out = NULL;
        return aci_agent_fail_channel(channel->agent, status, cause, "could not show its messages", err);
    }
    return AGENTCHAT_OK;
}

agentchat_status agentchat_chat_channel_history(agentchat_chat *chat, const agentchat_agent *agent,
                                                const agentchat_messages **out, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    if (agent == NULL || agent->chat != chat)
        status = aci_fail(err, AGENTCHAT_E_NOTFOUND, "the agent is not in the chat");
    else
        status = channel_history(chat, agent, out, err);
    aci_chat_leave(chat);
    return status;
}
