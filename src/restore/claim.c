/* SPDX-License-Identifier: Apache-2.0 */
/* States that a reduced restore left without an agent, and what an agent gets that claims one later. Layer 5. */
#include "restore/restore.h"

size_t aci_synced_of(const agentchat_channel_state *state, const agentchat_messages *history, bool matched)
{
    const agentchat_message *newest;

    if (state->synced != AGENTCHAT_SYNCED_UNKNOWN)
        return state->synced;
    if (matched || state->kind != AGENTCHAT_STATE_MESSAGES || state->messages.count == 0)
        return history->count;
    newest = agentchat_messages_at(&state->messages, state->messages.count - 1);
    for (size_t i = history->count; i > 0; i--) {
        const agentchat_message *message = agentchat_messages_at(history, i - 1);

        if (message == newest || aci_message_equal(message, newest))
            return i;
    }
    return history->count;
}

agentchat_status aci_claim(agentchat_chat *chat, const aci_kept *kept, agentchat_agent *agent, aci_channel **out,
                           agentchat_error *err)
{
    aci_restoring restoring = {.depth = 0};
    agentchat_status status;

    aci_buf_init(&restoring.path, chat->env, SIZE_MAX);
    status = aci_stage_channel(&restoring, chat->env, kept->state, kept->synced, chat->history.count, agent, out, err);
    if (status == AGENTCHAT_OK)
        (*out)->origin = kept->origin;
    aci_buf_clear(&restoring.path);
    return status;
}
