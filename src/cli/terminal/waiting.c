/* SPDX-License-Identifier: Apache-2.0 */
/* The line is written by a thread of its own, which leaves signals to the first one. */
#include "cli/terminal/waiting.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void *show(void *user)
{
    cli_waiting *waiting = user;
    struct timespec next;
    unsigned long seconds = 0;

    (void)pthread_mutex_lock(&waiting->mutex);
    (void)clock_gettime(CLOCK_REALTIME, &next);
    while (!waiting->is_over) {
        next.tv_sec++;
        while (!waiting->is_over && pthread_cond_timedwait(&waiting->over, &waiting->mutex, &next) != ETIMEDOUT)
            continue;
        if (!waiting->is_over)
            (void)fprintf(stderr, "\r\033[K%s, %lu s", waiting->what, ++seconds);
        (void)fflush(stderr);
    }
    if (seconds > 0)
        (void)fputs("\r\033[K", stderr);
    (void)pthread_mutex_unlock(&waiting->mutex);
    return NULL;
}

void cli_waiting_begin(cli_waiting *waiting, const char *what)
{
    sigset_t all, before;

    *waiting = (cli_waiting){.what = what};
    if (!isatty(STDERR_FILENO) || pthread_mutex_init(&waiting->mutex, NULL) != 0)
        return;
    (void)pthread_cond_init(&waiting->over, NULL);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    waiting->is_running = pthread_create(&waiting->thread, NULL, show, waiting) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cli_waiting_end(cli_waiting *waiting)
{
    if (!waiting->is_running)
        return;
    (void)pthread_mutex_lock(&waiting->mutex);
    waiting->is_over = true;
    (void)pthread_cond_signal(&waiting->over);
    (void)pthread_mutex_unlock(&waiting->mutex);
    (void)pthread_join(waiting->thread, NULL);
    (void)pthread_cond_destroy(&waiting->over);
    (void)pthread_mutex_destroy(&waiting->mutex);
}
