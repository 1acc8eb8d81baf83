/* SPDX-License-Identifier: Apache-2.0 */
/* Where the commands that write a file write to. */
#ifndef CLI_IO_OUTPUT_H
#define CLI_IO_OUTPUT_H

#include "cli/terminal/signals.h"
#include <agentchat/agentchat.h>

typedef struct cli_output {
    agentchat_sink *sink;
    FILE *terminal;        /* NULL: it goes elsewhere */
    cli_signals signals;   /* what waits until a file is saved, or given up with nothing left beside it */
    agentchat_bytes shown; /* what is for the terminal, until it is complete */
} cli_output;

/* A file that is replaced atomically, or for "-" standard output: byte for byte, but on a terminal, whatever its name,
   unsafe characters become escapes, which is for JSON text only. To be closed in any case. */
agentchat_status cli_output_open(cli_output *output, const char *name, agentchat_error *err);
void cli_output_close(cli_output *output);
/* Whether a person would read it there. */
bool cli_output_is_terminal(const char *name);
/* What messages call it. */
const char *cli_output_name(const char *name);
/* Whether the output is the file that is read; "-" is standard input, or standard output. */
bool cli_output_is_input(const char *output, const char *input);

#endif
