/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command of the tool is: its operands, switches and exit statuses; groups of commands.
 *
 * The tool stands above the library and uses its public headers only. Every command returns an exit status; only
 * main() ends the process. Text that comes from outside (files, names, arguments) reaches a terminal through
 * text/text.h alone.
 */
#ifndef CLI_COMMAND_COMMAND_H
#define CLI_COMMAND_COMMAND_H

#include <agentchat/agentchat.h>

/* ==== what a command of the tool is ============================================================================== */

/* The tool stands above the library and uses its public headers only.

   Every command returns an exit status; only main() ends the process. Text that comes from outside (files, names,
   arguments) reaches a terminal through text/text.h alone. */

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
/* The worse of two exit statuses. */
int cli_command_worse(int a, int b);

/* ==== parses the arguments of a command: options anywhere, operands by name ====================================== */

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

/* ==== formats as arguments ======================================================================================= */

/* Whether a name is that of a format that is read, or written, as one of these documents (bits of agentchat_holds);
   prints a usage error with the names that would do otherwise. */
bool cli_format_is_read(const cli_command *self, const char *name, uint32_t documents);
bool cli_format_is_written(const cli_command *self, const char *name, uint32_t documents);

/* ==== A command that only has commands below it: `agentchat session create` ====================================== */

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
