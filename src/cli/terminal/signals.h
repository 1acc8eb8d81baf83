/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that would end the tool. */
#ifndef CLI_TERMINAL_SIGNALS_H
#define CLI_TERMINAL_SIGNALS_H

#include <agentchat/stream.h>
#include <signal.h>

/* A file that may not grow is an error of writing from here on, and no signal. Before anything is written. */
void cli_signals_begin(void);
/* Adds the signals that cli_signals_begin() has changed, for programs that the tool starts. */
void cli_signals_add_changed(sigset_t *signals);

/* Signals that would end the tool, while they wait for a file to be saved. */
typedef struct cli_signals {
    bool are_held;
    sigset_t held, before;
} cli_signals;
void cli_signals_hold(cli_signals *signals);
/* Fails when one of them has come; agentchat_sink_path_options::go_on, with the cli_signals as user. */
agentchat_status cli_signals_go_on(void *user, agentchat_error *err);
/* The tool ends here if it was to. Nothing happens when none are held. */
void cli_signals_let_go(const cli_signals *signals);

#endif
