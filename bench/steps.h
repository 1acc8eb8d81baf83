/* SPDX-License-Identifier: Apache-2.0 */
/* The time of the steps of something that is run again and again: the best of each. */
#ifndef BENCH_STEPS_H
#define BENCH_STEPS_H

#include <stddef.h>

/* Ends a step: gives it the time that has gone by since the last step ended or steps_start() was called. */
void steps_end(const char *name);
void steps_start(void);
/* A row for each step that has ended since steps_forget(). */
void steps_print(const char *shape, size_t count);
void steps_forget(void);

#endif
