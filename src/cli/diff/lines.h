/* SPDX-License-Identifier: Apache-2.0 */
/* Differences as a person reads them. */
#ifndef CLI_DIFF_LINES_H
#define CLI_DIFF_LINES_H

#include "cli/terminal/pager.h"
#include "cli/terminal/style.h"
#include <agentchat/base.h>

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

/* full: nothing is shortened, and each value stands on lines of its own. */
void diff_lines_begin(diff_lines *l, const cli_pager *pager, bool full);
/* One difference, as agentchat_diff_fn has it. false: out of memory. */
bool diff_lines_add(diff_lines *l, agentchat_str path, agentchat_str left, agentchat_str right);
/* false: something is missing for lack of memory. */
bool diff_lines_end(diff_lines *l);

#endif
