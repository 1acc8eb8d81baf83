/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command of the tool is. The tool stands above the library and uses its public headers only.
 *
 * Every command returns an exit status; only main() ends the process. Text that comes from outside (files, names,
 * arguments) reaches a terminal through text/put.h alone.
 */
#ifndef CLI_COMMAND_COMMAND_H
#define CLI_COMMAND_COMMAND_H

#include <agentchat/agentchat.h>

/* Exit statuses, as of grep and diff. */
enum {
    CLI_SUCCESS = 0, /* done; the answer is yes */
    CLI_NO = 1,      /* done; the answer is no: a bad file, a difference, a loss or a conflict that was not wanted */
    CLI_ERROR = 2,   /* not done: wrong usage, an unreadable file, no memory */
};

typedef struct cli_command {
    const char *name;
    const char *summary; /* one line, for the tool's own help */
    const char *help;    /* everything, for `agentchat NAME --help`; NULL for a group, which prints its own */
    int (*run)(int argc, char **argv);
} cli_command;

/* Prints `agentchat COMMAND: MESSAGE (see agentchat COMMAND --help)` and returns CLI_ERROR. */
int cli_command_usage(const char *command, const char *format, ...) AGENTCHAT_PRINTF(2, 3);
/* Prints the help and returns CLI_SUCCESS. */
int cli_command_help(const cli_command *command);
/* The worse of two exit statuses. */
int cli_command_worse(int a, int b);

#endif
