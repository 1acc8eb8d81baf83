/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the comparison share: where it stands, and how a difference is reported. */
#ifndef ACI_SNAPSHOT_DIFF_H
#define ACI_SNAPSHOT_DIFF_H

#include "snapshot/canonical.h"

typedef struct aci_diff {
    const agentchat_env *env;
    agentchat_diff_fn each; /* NULL: stop at the first difference */
    void *user;
    agentchat_error *err;
    aci_buf path; /* of what is being compared */
    aci_canonical left, right;
    aci_copies copies; /* of both: what comparing messages that documents name costs */
    /* Of the chats that are being compared, and how many messages both begin with. */
    const agentchat_messages *left_history, *right_history;
    size_t common;
    bool named; /* in a list that a document names from the history */
    bool found;
    bool stopped;            /* by the caller, by the first difference, or by a failure */
    agentchat_status status; /* OK or the failure */
} aci_diff;

/* One side of a difference: writes its JSON text. */
typedef void (*aci_diff_write_fn)(aci_canonical *c, const void *thing);

void aci_diff_begin(aci_diff *d, const agentchat_env *env, agentchat_diff_fn each, void *user, agentchat_error *err);
agentchat_status aci_diff_end(aci_diff *d);
void aci_diff_nomem(aci_diff *d);
/* Counts what was done for a list that is named. false: the budget is used up, and the comparison stopped. */
bool aci_diff_charge(aci_diff *d, uint64_t bytes);
/* Reports a difference at the current path; a side that is NULL has nothing there. */
void aci_diff_report(aci_diff *d, aci_diff_write_fn write, const void *left, const void *right);

/* Goes down one step and gives what aci_diff_leave() needs to come back. */
size_t aci_diff_enter(aci_diff *d, const char *member);
size_t aci_diff_enter_index(aci_diff *d, size_t index);
void aci_diff_leave(aci_diff *d, size_t length);

/* diff_message.c: compares what the current path stands for. The first `same` messages are known to be equal. Returns
   how many are. */
size_t aci_diff_messages(aci_diff *d, const agentchat_messages *a, const agentchat_messages *b, size_t same);

#endif
