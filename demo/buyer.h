/* SPDX-License-Identifier: Apache-2.0 */
/* An agent that has a tool look up a price before it answers. */
#ifndef DEMO_BUYER_H
#define DEMO_BUYER_H

#include <agentchat/agentchat.h>

typedef struct buyer {
    const char *remote;     /* directory of the service that knows prices */
    bool killed_after_tool; /* the process is killed when it has the tool's result, before the answer */
} buyer;

/* Makes the agent and adds it; the buyer must outlive the chat. */
agentchat_status buyer_join(buyer *self, agentchat_chat *chat, agentchat_error *err);
/* How often the service was asked for a price. */
size_t buyer_tool_runs(const char *remote);

#endif
