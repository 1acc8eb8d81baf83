/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"
#include "cli/text/put.h"
#include <stdarg.h>

int cli_command_usage(const char *command, const char *format, ...)
{
    char message[512];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    (void)fprintf(stderr, "agentchat %s: ", command);
    (void)cli_put(stderr, agentchat_str_from(message));
    (void)fprintf(stderr, " (see agentchat %s --help)\n", command);
    return CLI_ERROR;
}

int cli_command_help(const cli_command *command)
{
    (void)fputs(command->help, stdout);
    return CLI_SUCCESS;
}

int cli_command_worse(int a, int b)
{
    return a > b ? a : b;
}
