/* SPDX-License-Identifier: Apache-2.0 */
/* The collector of what an agent says during one invocation. */
#ifndef ACI_CHAT_REPLIES_H
#define ACI_CHAT_REPLIES_H

#include "chat/chat.h"

struct agentchat_replies {
    agentchat_chat *chat;
    const agentchat_agent *agent;
    agentchat_messages *own; /* a history channel's list, which what is said is added to at once; NULL: none */
    size_t inner_count;      /* of an aggregator: messages of the inner chat before its turn */
    aci_saved_values saved;  /* the chat's values, where the answer has changed any */
};

#endif
