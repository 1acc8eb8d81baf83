/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chat and its agents: Planner and Critic keep their history in the chat, the Archivist keeps it in a remote
 * service, the Buyer has a tool, and the Panel is a chat of its own with an Optimist and a Pessimist.
 */
#ifndef DEMO_TEAM_H
#define DEMO_TEAM_H

#include "archivist.h"
#include "buyer.h"

/* A chat with the whole team in which nothing was said; NULL when that fails. *filing and *buying must outlive it. */
agentchat_chat *team_chat(archivist *filing, buyer *buying, agentchat_error *err);

#endif
