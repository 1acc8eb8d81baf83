/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the channel that the user means. */
#ifndef CLI_IO_CHANNEL_H
#define CLI_IO_CHANNEL_H

#include "cli/command/command.h"

/* The channel of that key, or the one whose key begins so when there is exactly one. NULL: there is none, or there are
   several, which has been reported, and *status is the exit status to end with. lister: the command that lists them. */
const agentchat_channel_state *cli_channel_find(const cli_command *self, const agentchat_snapshot *snapshot,
                                                const char *key, const char *lister, int *status);

#endif
