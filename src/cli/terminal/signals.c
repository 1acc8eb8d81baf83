/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No handler is installed: the signals that would end the tool are blocked while a file is being saved, and whether one
 * has come is asked at each write and before the file is renamed. The save is then given up as after any other failure,
 * which removes the temporary file, and the signal does what it does when it is unblocked again.
 */
#include "cli/terminal/signals.h"

static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM,
                             SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF};

static bool was_size_limit_changed;

static bool is_default(int number)
{
    struct sigaction now;

    return sigaction(number, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
}

void cli_signals_begin(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    was_size_limit_changed = is_default(SIGXFSZ) && sigaction(SIGXFSZ, &ignore, NULL) == 0;
}

void cli_signals_add_changed(sigset_t *signals)
{
    if (was_size_limit_changed)
        (void)sigaddset(signals, SIGXFSZ);
}

/* An ignored signal is pending, too, while it is blocked: only those that would end the tool are. */
void cli_signals_hold(cli_signals *signals)
{
    (void)sigemptyset(&signals->held);
    (void)sigprocmask(SIG_SETMASK, NULL, &signals->before);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (is_default(ending[i]) && sigismember(&signals->before, ending[i]) == 0)
            (void)sigaddset(&signals->held, ending[i]);
    (void)sigprocmask(SIG_BLOCK, &signals->held, NULL);
    signals->are_held = true;
}

agentchat_status cli_signals_go_on(void *user, agentchat_error *err)
{
    const cli_signals *signals = user;
    sigset_t pending;

    if (sigpending(&pending) != 0)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (sigismember(&signals->held, ending[i]) == 1 && sigismember(&pending, ending[i]) == 1)
            return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "given up because of a signal");
    return AGENTCHAT_OK;
}

void cli_signals_let_go(const cli_signals *signals)
{
    if (signals->are_held)
        (void)sigprocmask(SIG_SETMASK, &signals->before, NULL);
}
