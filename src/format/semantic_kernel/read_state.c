/* SPDX-License-Identifier: Apache-2.0 */
/* A channel's state as it is kept while a document is read: nothing, a text, or bytes. */
#include "format/semantic_kernel/read_chat.h"

void aci_sk_channel_clear(agentchat_channel_state *channel)
{
    aci_list_clear(&channel->messages);
    agentchat_snapshot_unref(channel->chat);
    channel->chat = NULL;
}

/* A state of bytes, which was written as base64. */
bool aci_sk_apply_bytes(aci_sk_reader *s, aci_json_reader *r, agentchat_channel_state *channel)
{
    bool nothing = channel->data.ptr == NULL || agentchat_str_is_null(channel->data), valid = nothing;

    if (channel->kind != AGENTCHAT_CHANNEL_TEXT)
        return true;
    if (!nothing && !aci_sk_decode_base64(s, r, channel->data, &valid, &channel->data))
        return false;
    if (!valid)
        return true;
    channel->kind = AGENTCHAT_CHANNEL_BYTES;
    channel->spelling = ACI_SPELLED_ANY;
    return true;
}

bool aci_sk_apply_state(aci_sk_reader *s, aci_json_reader *r, agentchat_channel_state *channel,
                        const aci_sk_sidecar *sidecar)
{
    aci_sk_channel_clear(channel);
    aci_list_init(&channel->messages, s->env);
    channel->kind = AGENTCHAT_CHANNEL_TEXT;
    channel->spelling = sidecar->state_spelling;
    channel->data = sidecar->state;
    return !sidecar->bytes || aci_sk_apply_bytes(s, r, channel);
}
