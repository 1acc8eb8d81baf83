/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An edit of a history, made ready for the channels that were given messages of that history.
 *
 * A channel's list, and the history of a chat inside a channel, is compared with what the channel was given; the edit
 * of the history then becomes one of that list. Positions follow by a table: for each element of the history where it,
 * and what is inserted before it, begins in the new one. The cost of a channel grows with the channel and with what is
 * inserted, but for a logarithm, and once with the history.
 */
#ifndef ACI_SNAPSHOT_EDIT_PLAN_H
#define ACI_SNAPSHOT_EDIT_PLAN_H

#include "list_edit/list_edit.h"
#include "snapshot/history_index.h"

typedef struct aci_edit_plan {
    const agentchat_env *env;
    const agentchat_list_edit *edit;
    const agentchat_messages *before; /* the history; a view, as is the edit */
    agentchat_messages after;
    size_t *starts;                    /* one more than there are elements */
    const aci_edit_entry **insertions; /* in order */
    size_t insertion_count;
    bool passes;             /* the receive filter takes all that the edit brings */
    size_t passing_end;      /* after the last message of the history that it takes; SIZE_MAX: not looked for yet */
    aci_history_index index; /* made when the first list is compared */
} aci_edit_plan;

/* What a channel was given: the elements before `end` but for those that wait for it. */
typedef struct aci_edit_given {
    size_t end;
    const size_t *pending; /* ascending positions below the history's end */
    size_t pending_count;
} aci_edit_given;

/* E_INVALID: the edit is for a list of another length. Nothing is to be cleared after a failure. */
agentchat_status aci_edit_plan_make(aci_edit_plan *plan, const agentchat_env *env, const agentchat_messages *before,
                                    const agentchat_list_edit *edit, agentchat_error *err);
void aci_edit_plan_clear(aci_edit_plan *plan); /* also of a plan that is all zero */

/* Where the elements before a position of the history end in the new one. */
size_t aci_edit_plan_end(const aci_edit_plan *plan, size_t position);
/* The elements of the new history that come of [first, end): with what is inserted before them, or after the last one
   of the history. */
typedef struct aci_edit_span {
    size_t first, count;
} aci_edit_span;
aci_edit_span aci_edit_plan_span(const aci_edit_plan *plan, size_t first, size_t end);

/* Whether anything changes among what a channel was given; what is added after it does not count. */
bool aci_edit_plan_changes(const aci_edit_plan *plan, const aci_edit_given *given);
/* Whether something is added at the end of the history, and the channel was given all of it. */
bool aci_edit_plan_adds(const aci_edit_plan *plan, const aci_edit_given *given);

/* The edit of a list of messages that a channel holds. takes: whether the channel takes a message that the edit brings;
   NULL: all of them. */
agentchat_status aci_edit_plan_derive(aci_edit_plan *plan, const aci_edit_given *given, const agentchat_messages *list,
                                      agentchat_message_test_fn takes, void *user, agentchat_list_edit **out,
                                      agentchat_error *err);
/* The list that results, of memory of the plan's environment. A list that is the history, or its beginning, shares the
   new one.
   filter: the receive filter decides what the channel takes. */
agentchat_status aci_edit_plan_apply(aci_edit_plan *plan, const aci_edit_given *given, const agentchat_messages *list,
                                     bool filter, bool keep_all, agentchat_messages *out, agentchat_error *err);

/* How far into the history a channel was given messages whose file does not say: a list that is its beginning, so far;
   any other up to the last message that the two share, or all of it when nothing follows that the receive filter lets
   through, or when they share nothing. */
agentchat_status aci_edit_plan_find_end(aci_edit_plan *plan, const agentchat_messages *list, size_t *end,
                                        agentchat_error *err);

/* match[i]: the element of the history that message i of a list stands for, or ACI_NOT_IN_HISTORY (edit_match.c). */
agentchat_status aci_edit_match(aci_edit_plan *plan, const aci_edit_given *given, const agentchat_messages *list,
                                size_t *match, agentchat_error *err);
/* Whether a channel was given an element of the history. */
bool aci_edit_plan_is_given(const aci_edit_given *given, size_t position);

#endif
