/* SPDX-License-Identifier: Apache-2.0 */
/* A message in a few words. */
#ifndef CLI_SHOW_BRIEF_H
#define CLI_SHOW_BRIEF_H

#include <agentchat/agentchat.h>

/* Writes `assistant Desk: It was shipped on Tuesday`: role, name, and the first line of its first text, or its first
   item. As it stands: for a line that is put together in memory. */
void show_brief(FILE *out, const agentchat_message *message);

#endif
