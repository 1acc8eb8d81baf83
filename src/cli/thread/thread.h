/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the group `agentchat thread`. */
#ifndef CLI_THREAD_THREAD_H
#define CLI_THREAD_THREAD_H

#include "cli/command/command.h"

extern const cli_command cli_thread_group;
extern const cli_command cli_thread_put, cli_thread_list, cli_thread_log, cli_thread_show, cli_thread_search,
    cli_thread_diff, cli_thread_view, cli_thread_export, cli_thread_copy, cli_thread_prune, cli_thread_delete;

#endif
