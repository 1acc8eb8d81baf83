/* SPDX-License-Identifier: Apache-2.0 */
/* Formats as arguments. */
#ifndef CLI_COMMAND_FORMAT_H
#define CLI_COMMAND_FORMAT_H

#include "cli/command/command.h"

/* Whether a name is that of a format that is read, or written, as one of these documents (bits of agentchat_holds);
   prints a usage error with the names that would do otherwise. */
bool cli_format_is_read(const cli_command *self, const char *name, uint32_t documents);
bool cli_format_is_written(const cli_command *self, const char *name, uint32_t documents);

#endif
