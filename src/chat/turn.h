/* SPDX-License-Identifier: Apache-2.0 */
/* One agent's turn, whoever gives the answer: the channel's function, or the host in two calls. */
#ifndef ACI_CHAT_TURN_H
#define ACI_CHAT_TURN_H

#include "chat/channel.h"
#include "chat/replies.h"
#include <agentchat/turn.h>

typedef struct aci_turn {
    agentchat_replies replies;
    aci_channel *channel;
    agentchat_agent *agent;
    size_t first; /* messages of the history before it */
} aci_turn;

/* Brings the agent's channel up to date and makes room for the answer in the queues of all. With the flag taken. */
agentchat_status aci_turn_open(agentchat_chat *chat, agentchat_agent *agent, aci_turn *turn, agentchat_error *err);

/* The collector of a turn of two calls. */
agentchat_replies *aci_turn_replies(agentchat_turn *turn);

/* Reports a failed answer (status, cause), then gives what was said to the other channels. Returns status, or OK. */
agentchat_status aci_turn_close(aci_turn *turn, agentchat_status status, const agentchat_error *cause,
                                agentchat_error *err);

#endif
