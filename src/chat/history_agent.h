/* SPDX-License-Identifier: Apache-2.0 */
/* What a history agent's channel keeps of the messages that it is given. */
#ifndef ACI_CHAT_HISTORY_AGENT_H
#define ACI_CHAT_HISTORY_AGENT_H

#include <agentchat/message.h>

/* Semantic Kernel's receive filter: text in the first text item, or any call, result or image. keep_all: any item. */
bool aci_history_agent_takes(const agentchat_message *message, bool keep_all);

#endif
