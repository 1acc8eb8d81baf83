/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line tool: what its commands share. Layer: cli, above the library; it uses public headers only.
 *
 * Every command returns an exit status; only main() ends the process. Text that comes from outside (files, names,
 * arguments) reaches a terminal through terminal.h alone.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <agentchat/agentchat.h>
#include <getopt.h>

/* Exit statuses, as of grep and diff. */
enum {
    CLI_FINE = 0,  /* done; the answer is yes */
    CLI_NO = 1,    /* done; the answer is no: a bad file, a difference, a loss or a conflict that was not wanted */
    CLI_ERROR = 2, /* not done: wrong usage, an unreadable file, no memory */
};

typedef struct cli_command {
    const char *name;
    const char *summary; /* one line, for the tool's own help */
    const char *help;    /* everything, for `agentchat NAME --help`; NULL for a group, which prints its own */
    int (*run)(int argc, char **argv);
} cli_command;

extern const cli_command cli_check, cli_show, cli_participants, cli_channels, cli_convert, cli_digest, cli_diff,
    cli_view;
extern const cli_command cli_store_group, cli_session_group, cli_state_group, cli_template;

/* ---- arguments ---- */

/* getopt_long without its own messages: prints what is wrong with an option in the tool's style. Gives the option's
   value, -1 at the end, '?' after an error. */
int cli_option(int argc, char **argv, const struct option *options);
/* The same for a command of that name, with the short options of getopt_long. */
int cli_option_of(const char *command, int argc, char **argv, const char *letters, const struct option *options);
/* Values of long options, above all characters. */
enum { CLI_OPT_JSON = 256, CLI_OPT_HELP, CLI_OPT_FIRST };
#define CLI_OPTION_HELP                                                                                                \
    {                                                                                                                  \
        "help", no_argument, NULL, CLI_OPT_HELP                                                                        \
    }
#define CLI_OPTION_JSON                                                                                                \
    {                                                                                                                  \
        "json", no_argument, NULL, CLI_OPT_JSON                                                                        \
    }

/* Prints `agentchat COMMAND: MESSAGE (see agentchat COMMAND --help)` and returns CLI_ERROR. */
int cli_usage(const char *command, const char *format, ...) AGENTCHAT_PRINTF(2, 3);
/* Prints the help and returns CLI_FINE. */
int cli_help(const cli_command *command);
/* The worse of two exit statuses. */
int cli_worse(int a, int b);

/* ---- files ---- */

/* A file that was read, or why it was not. Released by cli_file_close(). */
typedef struct cli_file {
    const char *name; /* as given; "-" is standard input */
    agentchat_snapshot *snapshot;
    agentchat_report *report;
    agentchat_status status;
    agentchat_error err;
} cli_file;

/* Reads NAME. false: status and err say why not. */
bool cli_file_read(cli_file *file, const char *name);
/* --max-copies: takes the number for all files that are read from here on. false: it is none, and usage was said. */
bool cli_max_copies(const cli_command *self, const char *number);
/* Reads NAME and says on standard error why it cannot. */
bool cli_file_open(cli_file *file, const char *name);
void cli_file_close(cli_file *file);
/* Whether the failure is the content's fault: the file could be read, but holds no chat. */
bool cli_is_bad_content(agentchat_status status);

/* `NAME:LINE:COLUMN: POINTER: message`, parts that are unset left out. NAME may be NULL. */
void cli_print_error(FILE *out, const char *name, agentchat_status status, const agentchat_error *err);
/* "1 message", "2 messages". */
void cli_print_count(FILE *out, size_t count, const char *one, const char *many);
/* The last part of a type name: "ChatHistoryChannel" of "Microsoft.SemanticKernel.Agents.ChatHistoryChannel". */
agentchat_str cli_short_type(agentchat_str type);

#endif
