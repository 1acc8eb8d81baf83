/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file or standard input line by line, as the lines come in. Layer: cli. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include "cli.h"

typedef struct cli_lines {
    int fd;
    bool ended;
    char *buffer; /* [start, end) has been read and not given yet */
    size_t start, end, cap;
    uint64_t number; /* of the line that was given last, from 1 */
} cli_lines;

/* "-" is standard input. */
agentchat_status cli_lines_open(cli_lines *lines, const char *name, agentchat_error *err);
/* The next line without its end, a view until the next call; what stands behind the last line end is a line too. DONE
   at the end of the file; E_LIMIT for a line longer than any input may be. */
agentchat_status cli_lines_next(cli_lines *lines, agentchat_str *line, agentchat_error *err);
void cli_lines_close(cli_lines *lines);

#endif
