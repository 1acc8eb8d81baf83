/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing a channel's messages with the history. */
#include "restore/position.h"

#include "base/error.h"
#include "model/receive_filter.h"

void aci_positions_begin(aci_positions *p, const agentchat_env *env, const agentchat_messages *history)
{
    *p = (aci_positions){.env = env, .history = history};
}

void aci_positions_end(aci_positions *p)
{
    size_t size = (p->history->count + 1) * sizeof *p->passing;

    if (p->index.env != NULL)
        aci_history_index_clear(&p->index);
    aci_free(p->env, p->passing, size);
    aci_free(p->env, p->last_end, size);
}

/* Everything about the history that questions share. */
static agentchat_status prepare(aci_positions *p, agentchat_error *err)
{
    size_t count = p->history->count, size;
    agentchat_status status;

    if (p->index.env != NULL)
        return AGENTCHAT_OK;
    if (p->passing == NULL)
        p->passing = aci_alloc_array(p->env, count + 1, sizeof *p->passing, &size);
    if (p->last_end == NULL)
        p->last_end = aci_alloc_array(p->env, count + 1, sizeof *p->last_end, &size);
    if (p->passing == NULL || p->last_end == NULL)
        return aci_fail_nomem(err);
    for (size_t i = 0; i < count; i++) {
        bool passes = aci_receive_filter_takes(agentchat_messages_at(p->history, i), false);

        p->passing[i + 1] = p->passing[i] + passes;
        p->last_end[i + 1] = passes ? i + 1 : p->last_end[i];
    }
    status = aci_history_index_make(&p->index, p->env, p->history, err);
    p->index.content = true; /* a file may say more of a message in the history than in a channel, or less */
    return status;
}

static bool are_equal(const agentchat_message *a, const agentchat_message *b)
{
    return a == b || aci_message_equal(a, b);
}

/* Whether the list is the end of the history, apart from what does not pass the filter. */
static bool is_end(const aci_positions *p, const agentchat_messages *list)
{
    size_t at = p->history->count, left = list->count;

    while (at > 0 && left > 0) {
        if (are_equal(agentchat_messages_at(p->history, at - 1), agentchat_messages_at(list, left - 1))) {
            left--;
            at--;
        } else if (p->last_end[at] < at) {
            at = p->last_end[at];
        } else {
            return false;
        }
    }
    return left == 0 && list->count > 0;
}

/* *end: after the last message that the list shares with the history. */
static agentchat_status find_last(aci_positions *p, const agentchat_messages *list, size_t *end, agentchat_error *err)
{
    size_t size;
    size_t *match = aci_alloc_array(p->env, list->count, sizeof *match, &size);
    agentchat_status status;

    *end = 0;
    if (match == NULL)
        return aci_fail_nomem(err);
    status = aci_history_index_match(&p->index, list, match, err);
    for (size_t i = 0; status >= 0 && i < list->count; i++)
        if (match[i] != ACI_NOT_IN_HISTORY)
            *end = match[i] + 1;
    aci_free(p->env, match, size);
    return status;
}

agentchat_status aci_position_find(aci_positions *p, const agentchat_channel_state *state, aci_position *out,
                                   agentchat_error *err)
{
    size_t count = p->history->count, end = 0;
    agentchat_status status;

    *out = (aci_position){.synced = state->synced};
    if (state->synced != AGENTCHAT_SYNCED_UNKNOWN)
        return AGENTCHAT_OK;
    *out = (aci_position){.synced = count, .is_assumed = count > 0};
    if (state->kind != AGENTCHAT_CHANNEL_MESSAGES || count == 0)
        return AGENTCHAT_OK;
    status = prepare(p, err);
    if (status < 0)
        return status;
    out->is_assumed = false;
    if (aci_list_is_prefix(&state->messages, p->history)) /* named from the history: known without looking at it */
        end = state->messages.count;
    else if (is_end(p, &state->messages))
        return AGENTCHAT_OK;
    else
        status = find_last(p, &state->messages, &end, err);
    out->is_assumed = end == 0 && state->messages.count > 0;
    if (status < 0 || out->is_assumed)
        return status;
    out->missing = p->passing[count] - p->passing[end];
    if (out->missing > 0)
        out->synced = end;
    return AGENTCHAT_OK;
}
