/* SPDX-License-Identifier: Apache-2.0 */
/* What turns in two calls ask of remote agents. */
#ifndef ACI_CHAT_REMOTE_AGENT_H
#define ACI_CHAT_REMOTE_AGENT_H

#include "chat/agent.h"

/* The id that an agent's channel holds; absent when the agent is none whose conversation is kept elsewhere. */
agentchat_str aci_remote_agent_thread(const agentchat_agent *agent, const void *channel);

#endif
