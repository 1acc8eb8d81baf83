/* SPDX-License-Identifier: Apache-2.0 */
/* A command that only has commands below it: `agentchat session create`. */
#ifndef CLI_COMMAND_GROUP_H
#define CLI_COMMAND_GROUP_H

#include "cli/command/command.h"

typedef struct cli_group {
    const char *name;
    const char *about;                  /* a few lines for the help, each with its line end */
    const cli_command *const *commands; /* their names begin with the group's and a space */
    size_t count;
} cli_group;

/* Finds the command that argv[1] names and runs it, or prints the group's help. */
int cli_group_run(const cli_group *group, int argc, char **argv);

/* What these groups say about the operands that all their commands have. */
#define CLI_ABOUT_STORE                                                                                                \
    "STORE is sqlite:FILE, a plain file name, which means the same, or postgresql://...\n"                             \
    "--wait SECONDS: how long to wait for others who hold it, and for a server that is not ready (30)\n"               \
    "exit status: 0 success, 1 a check failed, the inputs differ, a loss or a conflict was refused, 2 error\n"

#endif
