/* SPDX-License-Identifier: Apache-2.0 */
/* An agent answers by its channel's function. */
#include "chat/turn.h"

#include "base/error.h"

agentchat_status aci_chat_invoke(agentchat_chat *chat, agentchat_agent *agent, agentchat_error *err)
{
    aci_turn turn;
    agentchat_error *cause;
    agentchat_status status = aci_turn_open(chat, agent, &turn, err);

    if (status < 0)
        return status;
    cause = aci_chat_cause(chat);
    status = agent->table.invoke(turn.channel->self, agent->context, &turn.replies, cause);
    return aci_turn_close(&turn, status, cause, err);
}

/* The answer, kept, then the observer. */
static agentchat_status invoke(agentchat_chat *chat, agentchat_agent *agent, agentchat_error *err)
{
    agentchat_status status = aci_chat_keeper_before(chat, err);

    if (status >= 0)
        status = aci_chat_keeper_turn(chat, agent, err);
    if (status < 0)
        return status;
    status = aci_chat_invoke(chat, agent, err);
    if (status >= 0)
        status = aci_chat_keeper_after(chat, ACI_KEEP_ANSWER, err);
    if (status >= 0)
        status = aci_chat_observe_answer(chat, agent, err);
    return aci_chat_keeper_end(chat, status, err);
}

agentchat_status agentchat_chat_invoke(agentchat_chat *chat, agentchat_str name_or_id, agentchat_error *err)
{
    agentchat_agent *agent = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = aci_chat_find_agent(chat, name_or_id, &agent, err);
    if (status >= 0)
        status = invoke(chat, agent, err);
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
        status = invoke(chat, chat->agents[aci_index_find(&chat->agent_ids, agent->id)], err);
    else
        status = aci_fail(err, AGENTCHAT_E_NOTFOUND, "the agent is not in the chat");
    aci_chat_leave(chat);
    return status;
}
