/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of a live chat: made, brought up to date, and what their failures say. */
#ifndef ACI_CHAT_CHANNEL_H
#define ACI_CHAT_CHANNEL_H

#include "chat/chat.h"

/* The channel of an agent's key; NULL: there is none yet. */
aci_channel *aci_channel_of(const agentchat_chat *chat, const agentchat_agent *agent);

/* An unregistered channel around what the agent's table made; takes ownership of self, also on failure (NULL: out of
   memory). */
aci_channel *aci_channel_new(const agentchat_env *env, agentchat_agent *agent, void *self);
void aci_channel_free(const agentchat_env *env, aci_channel *channel); /* NULL is allowed */

/* Gives the channel what is queued for it, in order, up to the first failure. A batch that fails stays at the head. */
agentchat_status aci_channel_deliver(agentchat_chat *chat, aci_channel *channel, agentchat_error *err);

/* The agent's channel, ready for use: delivered to, claimed from a kept state, or made and given the whole history. */
agentchat_status aci_channel_open(agentchat_chat *chat, agentchat_agent *agent, aci_channel **out,
                                  agentchat_error *err);

#endif
