/* SPDX-License-Identifier: Apache-2.0 */
/* Where a person reads the long outputs: standard output, or a pager before the terminal. */
#ifndef CLI_TERMINAL_PAGER_H
#define CLI_TERMINAL_PAGER_H

#include "cli/terminal/style.h"
#include <agentchat/base.h>
#include <signal.h>
#include <sys/types.h>

typedef struct cli_pager {
    FILE *out;
    cli_style style;
    size_t columns;                         /* of the terminal; 0: it is none, or does not say */
    pid_t process;                          /* 0: no pager */
    struct sigaction pipe, interrupt, quit; /* what these signals did before the pager */
} cli_pager;

/* With a pager, when it is wanted, standard output is a terminal, and there is one: the command line in the variable
   AGENTCHAT_PAGER, else that in PAGER, else less. None when that is empty or `cat`. */
void cli_pager_open(cli_pager *pager, bool with_pager);
/* Waits until the reader has left the pager; errors are said after that. false: it could not be run, which has been
   said. */
bool cli_pager_close(cli_pager *pager);

#endif
