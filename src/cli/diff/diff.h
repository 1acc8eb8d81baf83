/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of two chats, for a person and as JSON. */
#ifndef CLI_DIFF_DIFF_H
#define CLI_DIFF_DIFF_H

#include "cli/terminal/terminal.h"
#include <agentchat/agentchat.h>
#include <agentchat/base.h>

/* ==== where two chats differ, for people and for programs ======================================================== */

/* A chat and what it is called. */
typedef struct diff_side {
    const char *name;
    const agentchat_snapshot *snapshot;
} diff_side;

/* Prints the differences as one JSON object. */
agentchat_status diff_compare_json(diff_side left, diff_side right, bool *equal, agentchat_error *err);
/* Prints them as lines, on a terminal in a pager if that is wanted. *shown: as of cli_pager_close(). */
agentchat_status diff_compare_lines(diff_side left, diff_side right, bool full, bool with_pager, bool *equal,
                                    bool *shown, agentchat_error *err);

/* ==== differences as a person reads them ========================================================================= */

/* Differences are held back so that their paths can be aligned; beyond HOLD_BACK they are printed as they come, with
   the width of the first ones. */
enum { HOLD_BACK = 1000 };

typedef struct difference {
    char *text; /* path, left and right, one after the other */
    agentchat_str path, left, right;
} difference;

typedef struct diff_lines {
    FILE *out;
    cli_style style;
    size_t columns; /* of the terminal; 0: none */
    bool full;
    bool failed; /* out of memory: something is missing */
    bool streaming;
    size_t width; /* of the paths */
    size_t count;
    difference held[HOLD_BACK];
} diff_lines;

#endif
