/* SPDX-License-Identifier: Apache-2.0 */
/* DIR/completed.txt, for the verification alone: a line `STEP MESSAGES` for each save, by whichever process made it. */
#ifndef DEMO_JOURNAL_H
#define DEMO_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

/* A step, counted from 1, is done, and the chat with so many messages saved. */
bool journal_add(const char *dir, size_t step, size_t messages);
/* Whether each of so many steps is there once, in order. */
bool journal_is_complete(const char *dir, size_t steps);

#endif
