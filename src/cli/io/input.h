/* SPDX-License-Identifier: Apache-2.0 */
/* Chats that are read from files, and from stores of sessions. */
#ifndef CLI_IO_INPUT_H
#define CLI_IO_INPUT_H

#include "cli/command/command.h"

/* A file that was read, or why it was not. Released by cli_input_close(). */
typedef struct cli_input {
    const char *name; /* as given; "-" is standard input */
    agentchat_snapshot *snapshot;
    agentchat_report *report;
    agentchat_status status;
    agentchat_error err;
} cli_input;

/* Reads NAME: the file of a chat, or of a session, or a session of the store that --store names. false: status and err
   say why not. */
bool cli_input_read(cli_input *file, const char *name);
/* --max-copies: takes the number for all files that are read from here on. false: it is none, and the usage was
   printed. */
bool cli_input_max_copies(const cli_command *self, const char *number);
/* The environment of files, which that sets. */
const agentchat_env *cli_input_env(void);
/* Reads NAME and says on standard error why it cannot. */
bool cli_input_open(cli_input *file, const char *name);
/* Whether what is to be written is the file of that name, which is read. */
bool cli_input_is(const char *output, const char *name);
void cli_input_close(cli_input *file);

#endif
