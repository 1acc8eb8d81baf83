/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_SHOW_CHAT_H
#define CLI_SHOW_CHAT_H

#include "cli/terminal/pager.h"
#include <agentchat/agentchat.h>

/* Shows a history, or of a channel what it holds: the last so many messages, UINT64_MAX for all. false: out of
   memory. */
bool show_chat_history(const cli_pager *pager, const agentchat_messages *messages, uint64_t last, bool full);
bool show_chat_channel(const cli_pager *pager, const agentchat_channel_state *channel, uint64_t last, bool full);

#endif
