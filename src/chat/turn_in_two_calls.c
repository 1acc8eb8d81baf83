/* SPDX-License-Identifier: Apache-2.0 */
/* Turns whose answer the host gives between two calls. */
#include "chat/turn.h"

#include "base/error.h"
#include "chat/remote_agent.h"

struct agentchat_turn {
    aci_turn turn;
    agentchat_chat *chat;
    agentchat_messages seen;
    bool has_seen;
    bool is_round_robin;
};

/* The channel is up to date: what it holds, then what its kind does before an answer. */
static agentchat_status prepare(agentchat_turn *made, agentchat_error *err)
{
    const agentchat_agent *agent = made->turn.agent;
    const agentchat_messages *seen = NULL;
    void *channel = made->turn.channel->self;
    agentchat_error *cause = aci_chat_cause(made->chat);
    agentchat_status status = AGENTCHAT_OK;

    if (agent->turns != NULL)
        status = agent->turns->begin(channel, agent->context, &made->turn.replies, cause);
    if (status >= 0 && agent->table.history != NULL)
        status = agent->table.history(channel, &seen, cause);
    if (status < 0)
        return aci_agent_fail_answer(agent, status, cause, err);
    if (seen != NULL)
        aci_list_copy(&made->seen, seen);
    made->has_seen = seen != NULL;
    return AGENTCHAT_OK;
}

static agentchat_status choose(agentchat_chat *chat, agentchat_str name, agentchat_agent **out, agentchat_error *err)
{
    if (name.ptr != NULL)
        return aci_chat_find_agent(chat, name, out, err);
    if (chat->agent_count == 0)
        return aci_fail(err, AGENTCHAT_E_NO_AGENTS, "the chat has no agents; add some first");
    if (chat->is_complete)
        return aci_fail(err, AGENTCHAT_E_INVALID, "the chat is complete; name an agent to go on all the same");
    *out = aci_chat_next_agent(chat);
    return AGENTCHAT_OK;
}

static agentchat_status begin(agentchat_chat *chat, agentchat_str name, agentchat_turn **out, agentchat_error *err)
{
    agentchat_agent *agent = NULL;
    agentchat_turn *made = aci_alloc_zero(chat->env, sizeof *made);
    agentchat_status status;

    if (made == NULL)
        return aci_fail_nomem(err);
    made->chat = chat;
    made->is_round_robin = name.ptr == NULL;
    status = choose(chat, name, &agent, err);
    if (status >= 0)
        status = aci_chat_keeper_turn(chat, agent, err);
    if (status >= 0)
        status = aci_turn_open(chat, agent, &made->turn, err);
    if (status >= 0)
        status = prepare(made, err);
    if (status < 0) {
        aci_free(chat->env, made, sizeof *made);
        return status;
    }
    *out = chat->turn = made;
    return AGENTCHAT_OK;
}

agentchat_status agentchat_turn_begin(agentchat_chat *chat, agentchat_str agent, agentchat_turn **out,
                                      agentchat_error *err)
{
    agentchat_status status;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    status = aci_chat_enter(chat, err);
    if (status < 0)
        return status;
    status = aci_chat_keeper_before(chat, err);
    if (status >= 0)
        status = begin(chat, agent, out, err);
    if (status < 0)
        aci_chat_leave(chat);
    return status;
}

const agentchat_agent *agentchat_turn_agent(const agentchat_turn *turn)
{
    return turn != NULL ? turn->turn.agent : NULL;
}

const agentchat_messages *agentchat_turn_history(const agentchat_turn *turn)
{
    return turn != NULL && turn->has_seen ? &turn->seen : NULL;
}

agentchat_str agentchat_turn_remote_id(const agentchat_turn *turn)
{
    return turn != NULL ? aci_remote_agent_thread(turn->turn.agent, turn->turn.channel->self)
                        : (agentchat_str){NULL, 0};
}

void *agentchat_turn_channel(const agentchat_turn *turn)
{
    return turn != NULL && turn->turn.agent->context == turn->turn.agent->user ? turn->turn.channel->self : NULL;
}

agentchat_replies *aci_turn_replies(agentchat_turn *turn)
{
    return &turn->turn.replies;
}

agentchat_status agentchat_turn_add(agentchat_turn *turn, const agentchat_message *message, agentchat_error *err)
{
    return agentchat_replies_add(turn != NULL ? &turn->turn.replies : NULL, message, err);
}

agentchat_status agentchat_turn_add_text(agentchat_turn *turn, agentchat_str text, agentchat_error *err)
{
    return agentchat_replies_add_text(turn != NULL ? &turn->turn.replies : NULL, text, err);
}

agentchat_status agentchat_turn_set_value(agentchat_turn *turn, agentchat_str name, agentchat_str value,
                                          agentchat_error *err)
{
    return agentchat_replies_set_value(turn != NULL ? &turn->turn.replies : NULL, name, value, err);
}

agentchat_status agentchat_turn_update(agentchat_turn *turn, agentchat_str name, agentchat_str update,
                                       agentchat_error *err)
{
    return agentchat_replies_update(turn != NULL ? &turn->turn.replies : NULL, name, update, err);
}

const agentchat_messages *agentchat_turn_partial(const agentchat_turn *turn)
{
    return agentchat_replies_partial(turn != NULL ? &turn->turn.replies : NULL);
}

/* What the agent's kind does after an answer, or after a failure. */
static agentchat_status finish(agentchat_turn *turn, agentchat_status status, agentchat_error *cause)
{
    const aci_turn_table *turns = turn->turn.agent->turns;

    if (turns == NULL || turns->end == NULL)
        return status;
    return turns->end(turn->turn.channel->self, &turn->turn.replies, status, cause);
}

void aci_chat_release_turn(agentchat_chat *chat)
{
    agentchat_turn *turn = chat->turn;

    if (turn == NULL)
        return;
    if (turn->has_seen)
        aci_list_clear(&turn->seen);
    aci_chat_values_forget(chat->env, &turn->turn.replies.saved);
    aci_free(chat->env, turn, sizeof *turn);
    chat->turn = NULL;
}

/* The turn goes, and others may have the chat. */
static void leave(agentchat_chat *chat)
{
    aci_chat_release_turn(chat);
    aci_chat_leave(chat);
}

agentchat_status agentchat_turn_end(agentchat_turn *turn, agentchat_error *err)
{
    agentchat_error *cause;
    agentchat_status status;

    agentchat_error_clear(err);
    if (turn == NULL)
        return aci_fail_null(err, "turn");
    cause = aci_chat_cause(turn->chat);
    status = aci_turn_close(&turn->turn, finish(turn, AGENTCHAT_OK, cause), cause, err);
    if (status >= 0) {
        if (turn->is_round_robin)
            turn->chat->next_turn++;
        status = aci_chat_keeper_after(turn->chat, ACI_KEEP_ANSWER, err);
        if (status >= 0)
            status = aci_chat_observe_answer(turn->chat, turn->turn.agent, err);
    }
    status = aci_chat_keeper_end(turn->chat, status, err);
    leave(turn->chat);
    return status;
}

void agentchat_turn_free(agentchat_turn *turn)
{
    agentchat_error *cause;

    if (turn == NULL)
        return;
    cause = aci_chat_cause(turn->chat);
    (void)aci_turn_close(&turn->turn, finish(turn, AGENTCHAT_E_CANCELLED, cause), cause, NULL);
    leave(turn->chat);
}
