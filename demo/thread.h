/* SPDX-License-Identifier: Apache-2.0 */
/* The thread of the conversation, in the store DIR/chats.db. */
#ifndef DEMO_THREAD_H
#define DEMO_THREAD_H

#include <agentchat/agentchat.h>

#define THREAD_NAME "night-bakery"

/* Opens the store, to read it only or to make it where there is none; NULL on failure. */
agentchat_store *thread_store(const char *dir, bool read_only, agentchat_error *err);
/* Writes the newest checkpoint to DIR/NAME; *count: the messages of its history, NULL: not wanted. */
agentchat_status thread_export(const char *dir, const char *name, size_t *count, agentchat_error *err);
/* Whether each question and each answer of so many steps was kept once, in order. */
bool thread_is_complete(const char *dir, size_t steps);

#endif
