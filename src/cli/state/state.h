/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on state. */
#ifndef CLI_STATE_STATE_H
#define CLI_STATE_STATE_H

#include "cli/command/command.h"
#include "cli/io/io.h"

/* ==== agentchat state: the group and its commands; agentchat template ============================================ */

extern const cli_command cli_state_group, cli_template;
extern const cli_command cli_state_all, cli_state_get, cli_state_set, cli_state_add, cli_state_delete;

#endif
