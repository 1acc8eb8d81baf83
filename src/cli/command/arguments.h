/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the arguments of a command: options anywhere, operands by name. */
#ifndef CLI_COMMAND_ARGUMENTS_H
#define CLI_COMMAND_ARGUMENTS_H

#include "cli/command/command.h"

/* An option. One of flag and value is NULL, or neither: then a value may follow, after =. */
typedef struct cli_switch {
    const char *name; /* without its dashes */
    bool *flag;       /* set to true when the option is given */
    const char **value;
} cli_switch;

/* An option that may be given several times. */
enum { CLI_MOST_VALUES = 16 };
typedef struct cli_repeated {
    const char *name;
    const char *values[CLI_MOST_VALUES];
    size_t count;
} cli_repeated;

enum { CLI_GO_ON = -1 };

/*
 * Reads the arguments. `operands` names them as the usage does: "STORE APP USER ID [FILE]", "STORE FILE...",
 * "[FILE]...". On CLI_GO_ON they stand in argv from 1 on, with NULL for those that are not given; anything else is the
 * exit status to end with: help was asked for, or something was wrong, which has been reported. -5 is an operand, as no
 * option is a digit. Where the first operand is STORE, there is the option --wait as well, where it is a file the
 * option --from, and both where a chat goes into a thread (STORE THREAD [FILE]); where all of them are chats (FILE,
 * FILE..., IN OUT, A B), --from, --store and --wait.
 */
int cli_arguments(const cli_command *self, int argc, char **argv, const char *operands, const cli_switch *switches,
                  size_t count);

/* The same with options that may be given several times. */
int cli_arguments_with_lists(const cli_command *self, int argc, char **argv, const char *operands,
                             const cli_switch *switches, size_t count, cli_repeated *lists, size_t list_count);

/* What --wait said: how long a store that is opened waits; 0: nothing was said. */
uint32_t cli_arguments_wait_ms(void);
/* What --store said: the store of which the operands that are chats name sessions; NULL: they name files. */
const char *cli_arguments_store(void);
/* What --from said: the format of the chats that are read; NULL: detect. */
const char *cli_arguments_from(void);

#endif
