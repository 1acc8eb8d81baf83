/* SPDX-License-Identifier: Apache-2.0 */
/* The commands on files. */
#ifndef CLI_CHAT_CHAT_H
#define CLI_CHAT_CHAT_H

#include "cli/command/command.h"

extern const cli_command cli_check, cli_show, cli_participants, cli_channels, cli_convert, cli_digest, cli_formats,
    cli_diff, cli_view, cli_tokens, cli_trim;

#endif
