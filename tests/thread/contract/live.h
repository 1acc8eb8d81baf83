/* SPDX-License-Identifier: Apache-2.0 */
/* The chats of the tests of live chats, and what is done with them. All of it must succeed. */
#ifndef THREAD_CONTRACT_LIVE_H
#define THREAD_CONTRACT_LIVE_H

#include "thread/contract/contract.h"

#include <agentchat/thread_chat.h>

/* A history agent that answers with the number of the messages that it has seen: "answer 3". */
agentchat_agent *speaker(const char *name);
/* A chat of two of them, Ann and Bob, and an aggregator, Group, where one is wanted. */
agentchat_chat *fresh(bool nested);
void say(scene *s, agentchat_chat *chat, const char *text);
void invoke(scene *s, agentchat_chat *chat, const char *agent);
void update(scene *s, agentchat_chat *chat, const char *name, const char *what);
void attach(scene *s, agentchat_chat *chat, const agentchat_thread_attach_options *options);
/* Texts of the history, separated by "|", until the next call. */
const char *texts(const agentchat_chat *chat);
/* The newest checkpoint is the chat as it is. */
void expect_saved_at(scene *s, agentchat_chat *chat, const char *file, int line);
#define expect_saved(s, chat) expect_saved_at((s), (chat), __FILE__, __LINE__)

#endif
