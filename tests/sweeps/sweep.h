/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps over the allocations of the public functions: one row per function.
 *
 * A row's scenario makes what it needs, calls the function between sweep_begin() and sweep_end(), checks what the call
 * has left, and frees everything. Allocations fail between those two calls only: so each sweep is aimed at one
 * function, and what a scenario finds after a failure can be used again at once. A scenario therefore ends, after a
 * failure too, with the call made again without failures and its result checked.
 *
 * check_ledger.py compares the rows with the public headers.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "support/test_support.h"

/* How a function deals with memory. */
typedef enum sweep_kind {
    SWEEP_NEVER = 0,         /* allocates nothing */
    SWEEP_ALLOCATES = 1,     /* allocates; each allocation that fails is E_NOMEM */
    SWEEP_MAY_SWALLOW = 2,   /* besides: it can do without some allocation; sweep_may_swallow() says when */
    SWEEP_DEFAULT_MEMORY = 4 /* besides: some memory is malloc's, since the function takes no environment */
} sweep_kind;

typedef struct sweep_row {
    const char *function;
    /* Returns the status of the call that was swept. variant: which of several ways to call it, from 0. */
    agentchat_status (*scenario)(const agentchat_env *env, unsigned variant, agentchat_error *err);
    unsigned kind;
    unsigned variants; /* 0: one */
} sweep_row;

/* The failures begin and end. Only in the thread of the scenario; not nested; any number of times. */
void sweep_begin(void);
void sweep_end(void);

/* In this variant the call can do without some allocation, such as that for the detail of another error. */
void sweep_may_swallow(void);
/* The status of a call that says it with a pointer, and has no error record: NULL is E_NOMEM. */
agentchat_status sweep_made(const void *object);
/* The status of a call that returns E_NOMEM, but was given no error record. */
agentchat_status sweep_bare(agentchat_status status);

/* Runs each row as a test sweep__<function>. Returns what main() is to return. */
int sweep_main(const char *group, const sweep_row *rows, size_t count);

/* ---- things to sweep with --------------------------------------------------------------------------------------- */

/* Text that no block of an arena has room for besides, and that is a JSON number and base64 as well. NUL-terminated. */
agentchat_str sweep_long(void);
/* The n-th string of a call: the long one in the variant of that number, else a short one. */
agentchat_str sweep_nth(unsigned variant, unsigned n);
/* A sink that writes into bytes. */
agentchat_sink *sweep_sink(const agentchat_env *env, agentchat_bytes *bytes);

/* A message of the role "user" with one text item. */
agentchat_message *sweep_message(const agentchat_env *env, const char *text);
/* A message with an item of every kind, fields, extras and a message inside. */
agentchat_message *sweep_rich_message(const agentchat_env *env);
/* A chat's state with participants, all kinds of channel, pending messages, named values. */
agentchat_snapshot *sweep_rich_snapshot(const agentchat_env *env);
/* A snapshot in a format, made with the default environment; free with agentchat_bytes_clear(). */
agentchat_bytes sweep_document(const agentchat_snapshot *snapshot, const char *format);
/* Two snapshots are the same in every respect that a digest knows. */
void sweep_assert_same(const agentchat_snapshot *a, const agentchat_snapshot *b);

#define NONE ((agentchat_str){NULL, 0})

#endif
