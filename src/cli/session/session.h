/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on sessions. */
#ifndef CLI_SESSION_SESSION_H
#define CLI_SESSION_SESSION_H

#include "cli/command/command.h"
#include <stdbool.h>

/* ==== the commands of the group `agentchat session` ============================================================== */

extern const cli_command cli_session_group;
extern const cli_command cli_session_create, cli_session_append, cli_session_show, cli_session_list, cli_session_delete,
    cli_session_delete_user, cli_session_rewind, cli_session_copy, cli_session_export, cli_session_import;

#endif
