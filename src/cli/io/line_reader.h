/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file or standard input line by line, as the lines come in. */
#ifndef CLI_IO_LINE_READER_H
#define CLI_IO_LINE_READER_H

#include <agentchat/agentchat.h>

typedef struct cli_line_reader {
    int fd;
    bool ended;
    char *buffer; /* [start, end) has been read and not given yet */
    size_t start, end, cap;
    uint64_t number; /* of the line that was given last, from 1 */
} cli_line_reader;

/* "-" is standard input. */
agentchat_status cli_line_reader_open(cli_line_reader *lines, const char *name, agentchat_error *err);
/* The next line without its end, a view until the next call; what follows the last line end is a line too. DONE at the
   end of the file; E_LIMIT for a line longer than any input may be. */
agentchat_status cli_line_reader_next(cli_line_reader *lines, agentchat_str *line, agentchat_error *err);
void cli_line_reader_close(cli_line_reader *lines);

#endif
