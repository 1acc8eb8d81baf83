/* SPDX-License-Identifier: Apache-2.0 */
/* A channel's state as it is kept while a document is read: nothing, a text, or bytes. */
#include "format/semantic_kernel/read_chat.h"

#include "base/b64.h"

void aci_sk_channel_clear(agentchat_channel_state *channel)
{
    aci_list_clear(&channel->messages);
    agentchat_snapshot_unref(channel->chat);
    channel->chat = NULL;
}

/* A state of bytes, which was written as base64. */
bool aci_sk_apply_bytes(aci_sk_reader *s, aci_json_reader *r, agentchat_channel_state *channel)
{
    size_t bad, size;
    char *bytes;

    if (channel->kind != AGENTCHAT_CHANNEL_TEXT)
        return true;
    if (channel->data.ptr == NULL || agentchat_str_is_null(channel->data)) {
        channel->kind = AGENTCHAT_CHANNEL_BYTES;
        channel->spelling = ACI_SPELLED_ANY;
        return true;
    }
    if (!aci_b64_check(channel->data, &bad))
        return true;
    size = aci_b64_decoded_size(channel->data);
    bytes = aci_arena_text(s->arena, size + 1);
    if (bytes == NULL)
        return aci_sk_nomem(r);
    aci_b64_decode(channel->data, bytes);
    channel->kind = AGENTCHAT_CHANNEL_BYTES;
    channel->data = (agentchat_str){bytes, size};
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
