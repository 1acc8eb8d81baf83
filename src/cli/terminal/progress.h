/* SPDX-License-Identifier: Apache-2.0 */
/* Long work with a line on the terminal that says how far it is. */
#ifndef CLI_TERMINAL_PROGRESS_H
#define CLI_TERMINAL_PROGRESS_H

#include <agentchat/agentchat.h>

/* Of several files, or of steps. Nothing is printed unless standard error is a terminal and it takes a while. */
typedef struct cli_progress {
    bool is_shown; /* a line stands on the terminal */
    bool is_quiet; /* no terminal */
    int64_t next_ms;
    size_t file, files; /* which one of how many, from 1 */
    const char *name;
    uint64_t done, size; /* bytes of this file; size 0: not known */
} cli_progress;

void cli_progress_begin(cli_progress *progress, size_t files);
/* A source over the next file ("-": standard input) that shows how far it is. */
agentchat_status cli_progress_open(cli_progress *progress, const char *name, agentchat_source **out,
                                   agentchat_error *err);
/* So many steps are done, of `of` (0: not known): `12 of 100 checkpoints`. */
void cli_progress_count(cli_progress *progress, uint64_t done, uint64_t of, const char *what);
/* Removes the line, so that something else can be printed. */
void cli_progress_hide(cli_progress *progress);

#endif
