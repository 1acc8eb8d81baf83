/* SPDX-License-Identifier: Apache-2.0 */
/* One agent's turn: its channel is brought up to date, it answers, the other channels receive the answer. */
#include "chat/channel.h"

#include "base/error.h"
#include "chat/replies.h"
#include <string.h>

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

agentchat_status aci_chat_invoke(agentchat_chat *chat, agentchat_agent *agent, agentchat_error *err)
{
    agentchat_replies replies = {chat, agent, NULL};
    aci_channel *channel = NULL;
    agentchat_error *cause;
    size_t first;
    agentchat_status status = aci_channel_open(chat, agent, &channel, err);

    if (status < 0)
        return status;
    for (size_t i = 0; i < chat->channel_count; i++)
        if (!aci_queue_reserve(&chat->channels[i]->queue, chat->env))
            return aci_fail_nomem(err);
    first = chat->history.count;
    channel->is_fresh = false;
    cause = aci_chat_cause(chat);
    status = agent->table.invoke(channel->self, agent->context, &replies, cause);
    if (status < 0)
        aci_agent_fail_answer(agent, status, cause, err); /* before others are called */
    broadcast(chat, channel, first);
    return status < 0 ? status : AGENTCHAT_OK;
}

/* "2 agents are named X; use an id: id, id, …": as many ids as the record has room for. */
static agentchat_status fail_ambiguous(const agentchat_chat *chat, agentchat_str name, size_t count,
                                       agentchat_error *err)
{
    static const char cut[] = "…";
    char ids[sizeof err->message];
    aci_excerpt shown, id;
    size_t room = sizeof ids - sizeof " agents are named ; use an id: " - 20 /* digits */ -
                  strlen(aci_error_excerpt(name, &shown));
    size_t len = 0;

    ids[0] = '\0';
    for (size_t i = 0; i < chat->agent_count; i++) {
        size_t needed;

        if (!agentchat_str_equal(chat->agents[i]->name, name))
            continue;
        needed = strlen(aci_error_excerpt(chat->agents[i]->id, &id)) + 2;
        if (len + needed + sizeof cut > room) {
            snprintf(ids + len, sizeof ids - len, "%s%s", len > 0 ? ", " : "", cut);
            break;
        }
        snprintf(ids + len, sizeof ids - len, "%s%s", len > 0 ? ", " : "", id.text);
        len = strlen(ids);
    }
    return aci_fail(err, AGENTCHAT_E_INVALID, "%zu agents are named %s; use an id: %s", count, shown.text, ids);
}

static agentchat_status find(const agentchat_chat *chat, agentchat_str name, agentchat_agent **out,
                             agentchat_error *err)
{
    size_t found = 0, bearer;
    aci_excerpt excerpt;

    *out = NULL;
    if (name.ptr == NULL)
        return aci_fail(err, AGENTCHAT_E_INVALID, "there is no name of an agent");
    bearer = aci_index_find(&chat->agent_ids, name);
    if (bearer != ACI_INDEX_NONE) {
        *out = chat->agents[bearer];
        return AGENTCHAT_OK;
    }
    for (size_t i = 0; i < chat->agent_count; i++)
        if (agentchat_str_equal(chat->agents[i]->name, name)) {
            found++;
            *out = chat->agents[i];
        }
    if (found == 0)
        return aci_fail(err, AGENTCHAT_E_NOTFOUND, "no agent of the chat has the id or name %s",
                        aci_error_excerpt(name, &excerpt));
    return found == 1 ? AGENTCHAT_OK : fail_ambiguous(chat, name, found, err);
}

agentchat_status agentchat_chat_invoke(agentchat_chat *chat, agentchat_str name_or_id, agentchat_error *err)
{
    agentchat_agent *agent = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = find(chat, name_or_id, &agent, err);
    if (status >= 0)
        status = aci_chat_invoke(chat, agent, err);
    aci_chat_leave(chat);
    return status;
}

agentchat_status agentchat_chat_invoke_agent(agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    if (agent != NULL && agent->chat == chat)
        status = aci_chat_invoke(chat, chat->agents[aci_index_find(&chat->agent_ids, agent->id)], err);
    else
        status = aci_fail(err, AGENTCHAT_E_NOTFOUND, "the agent is not in the chat");
    aci_chat_leave(chat);
    return status;
}
