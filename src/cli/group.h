/* SPDX-License-Identifier: Apache-2.0 */
/* A command that only has commands below it: `agentchat session create`. Layer: cli. */
#ifndef CLI_GROUP_H
#define CLI_GROUP_H

#include "cli.h"

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
    "exit status: 0 fine, 1 the answer is no, 2 the command could not be carried out\n"

#endif
