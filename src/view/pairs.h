/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions and their results in a list of messages, paired by the id of the call. Layer 5. */
#ifndef ACI_VIEW_PAIRS_H
#define ACI_VIEW_PAIRS_H

#include "model/model.h"

#define ACI_NO_PARTNER SIZE_MAX

typedef struct aci_link {
    const agentchat_item *item; /* a call or a result */
    agentchat_str id;
    size_t message; /* that it stands in */
    size_t order;   /* its place among all */
    size_t partner; /* place of its result, or of its call; ACI_NO_PARTNER */
    bool is_shown;  /* its message stands on the page; so it does unless somebody says otherwise */
} aci_link;

typedef struct aci_pairs {
    const agentchat_env *env;
    aci_link *links; /* in the order in which they stand */
    size_t count;
} aci_pairs;

/* A result belongs to the last call of its id before it that has none yet. In n log n. false: out of memory. */
bool aci_pairs_find(aci_pairs *pairs, const agentchat_env *env, const agentchat_messages *messages);
void aci_pairs_clear(aci_pairs *pairs);

#endif
