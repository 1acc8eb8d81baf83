/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and their results, so that no list keeps the one without the other. */
#include "list_edit/list_edit.h"
#include "list_edit/shared.h"

#include "base/error.h"
#include <agentchat/calls.h>
#include <string.h>

static size_t first_of(aci_pairs *pairs, size_t message)
{
    while (pairs->first[message] != message) {
        pairs->first[message] = pairs->first[pairs->first[message]];
        message = pairs->first[message];
    }
    return message;
}

/* Makes two groups one. */
static void join(aci_pairs *pairs, size_t a, size_t b)
{
    size_t one = first_of(pairs, a), other = first_of(pairs, b), next;

    if (one == other)
        return;
    pairs->first[one > other ? one : other] = one < other ? one : other;
    next = pairs->next[one];
    pairs->next[one] = pairs->next[other];
    pairs->next[other] = next;
}

agentchat_status aci_pairs_find(aci_pairs *pairs, const agentchat_env *env, const agentchat_messages *messages,
                                agentchat_error *err)
{
    agentchat_calls *calls = NULL;
    agentchat_status status;
    size_t bytes;

    *pairs = (aci_pairs){.env = aci_env(env), .count = messages->count};
    pairs->first = aci_alloc_array(pairs->env, pairs->count + 1, sizeof(size_t), &bytes);
    pairs->next = aci_alloc_array(pairs->env, pairs->count + 1, sizeof(size_t), &bytes);
    if (pairs->first == NULL || pairs->next == NULL) {
        aci_pairs_clear(pairs);
        return aci_fail_nomem(err);
    }
    status = agentchat_calls_find(env, messages, &calls, err);
    for (size_t i = 0; i < pairs->count; i++)
        pairs->first[i] = pairs->next[i] = i;
    for (size_t i = 0; i < agentchat_calls_count(calls); i++) {
        const agentchat_call *call = agentchat_calls_at(calls, i);

        if (call->partner != AGENTCHAT_NO_PARTNER)
            join(pairs, call->message, agentchat_calls_at(calls, call->partner)->message);
    }
    for (size_t i = 0; i < pairs->count; i++)
        pairs->first[i] = first_of(pairs, i);
    agentchat_calls_free(calls);
    if (status < 0)
        aci_pairs_clear(pairs);
    return status;
}

void aci_pairs_complete(const aci_pairs *pairs, bool *keep, bool *broken)
{
    memset(broken, 0, pairs->count * sizeof *broken);
    for (size_t i = 0; i < pairs->count; i++)
        broken[pairs->first[i]] = broken[pairs->first[i]] || !keep[i];
    for (size_t i = 0; i < pairs->count; i++)
        keep[i] = keep[i] && !broken[pairs->first[i]];
}

void aci_pairs_drop(const aci_pairs *pairs, bool *keep, size_t message)
{
    keep[message] = false;
    for (size_t at = pairs->next[message]; at != message; at = pairs->next[at])
        keep[at] = false;
}

void aci_pairs_clear(aci_pairs *pairs)
{
    aci_free(pairs->env, pairs->first, (pairs->count + 1) * sizeof(size_t));
    aci_free(pairs->env, pairs->next, (pairs->count + 1) * sizeof(size_t));
    pairs->first = pairs->next = NULL;
}
