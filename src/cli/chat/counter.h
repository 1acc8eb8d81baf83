/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of tokens, by name. */
#ifndef CLI_CHAT_COUNTER_H
#define CLI_CHAT_COUNTER_H

#include "cli/command/command.h"

/* The counter of that name, NULL standing for approximate. NULL: there is none, and the usage was printed. */
agentchat_token_counter_fn cli_counter_find(const cli_command *self, const char *name);

#endif
