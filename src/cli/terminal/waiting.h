/* SPDX-License-Identifier: Apache-2.0 */
/* A line on the terminal during a call that cannot say how far it is: what is done, and for how long. */
#ifndef CLI_TERMINAL_WAITING_H
#define CLI_TERMINAL_WAITING_H

#include <pthread.h>
#include <stdbool.h>

typedef struct cli_waiting {
    const char *what;
    bool is_running;
    pthread_t thread;
    pthread_mutex_t mutex; /* of is_over */
    pthread_cond_t over;
    bool is_over;
} cli_waiting;

/* what: `copying`. The line appears after a second, when standard error is a terminal. Nobody else prints meanwhile. */
void cli_waiting_begin(cli_waiting *waiting, const char *what);
/* Removes the line. */
void cli_waiting_end(cli_waiting *waiting);

#endif
