/* SPDX-License-Identifier: Apache-2.0 */
/* A service that keeps threads, and knows nothing of chats. A directory of files stands for it. */
#ifndef DEMO_REMOTE_H
#define DEMO_REMOTE_H

#include "note.h"

/* Makes a thread without notes; its id is added to *out_id. */
bool remote_create(const char *dir, agentchat_bytes *out_id);
bool remote_add(const char *dir, agentchat_str id, const note *added);
size_t remote_length(const char *dir, agentchat_str id);
/* false: the thread has no note of that index, which begins at 0. */
bool remote_read(const char *dir, agentchat_str id, size_t index, note *out);

#endif
