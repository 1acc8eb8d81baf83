/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests that bring stores of layout 1 up to date share. */
#ifndef STORE_MIGRATION_H
#define STORE_MIGRATION_H

#include "support/test_support.h"

#include <agentchat/session.h>
#include <agentchat/store.h>

/* A file beside the tests; free(). */
char *migration_data(const char *name);
/* Everything that the store holds is what the tool of layout 1 has exported; and nothing is broken. */
void migration_expect(const char *url, bool read_only, const char *expected);
/* The store takes part in life: what is written is there. */
void migration_write(const char *url);

/* Runs work in so many child processes at once; all must succeed. */
void migration_together(int processes, void (*work)(void *user), void *user);

#endif
