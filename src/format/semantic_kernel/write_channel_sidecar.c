/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the sidecar of a channel. */
#include "format/semantic_kernel/write_chat.h"

static void sidecar_state(aci_sk_sidecar_out *sidecar, const agentchat_channel_state *channel)
{
    aci_json_writer *w = &sidecar->wr->w;
    static const char *const spellings[] = {"any", "raw", "string"};

    aci_sk_sidecar_key(sidecar, "state");
    aci_writer_object_begin(w);
    ACI_JW_KEY(w, "spelling");
    aci_writer_string(w,
                      agentchat_str_from(spellings[channel->spelling <= ACI_SPELLED_STRING ? channel->spelling : 0]));
    if (channel->data.ptr != NULL) {
        ACI_JW_KEY(w, "text");
        if (agentchat_str_is_null(channel->data))
            aci_writer_null(w);
        else if (channel->kind == AGENTCHAT_CHANNEL_BYTES)
            aci_writer_base64_bytes(w, channel->data);
        else
            aci_writer_string(w, channel->data);
    }
    aci_writer_object_end(w);
}

static void sidecar_positions(aci_sk_sidecar_out *sidecar, const agentchat_channel_state *channel)
{
    if (channel->synced != AGENTCHAT_SYNCED_UNKNOWN)
        aci_sk_sidecar_u64(sidecar, "synced", channel->synced);
    for (size_t i = 0; i < channel->pending_count; i++) {
        aci_sk_sidecar_element(sidecar, "pending");
        aci_writer_u64(&sidecar->wr->w, channel->pending[i]);
    }
    aci_sk_sidecar_array_end(sidecar);
}

/* What a state is where neither key nor type says so. */
static void sidecar_kind(aci_sk_sidecar_out *sidecar, const agentchat_channel_state *channel)
{
    aci_sk_state kind = aci_sk_state_of(channel->key, channel->type);

    if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES && kind != ACI_SK_STATE_HISTORY)
        aci_sk_sidecar_text(sidecar, "holds", AGENTCHAT_STR("messages"));
    if (channel->kind == AGENTCHAT_CHANNEL_CHAT && kind != ACI_SK_STATE_CHAT)
        aci_sk_sidecar_text(sidecar, "holds", AGENTCHAT_STR("chat"));
}

void aci_sk_write_channel_sidecar(const aci_sk_channel_out *c)
{
    const agentchat_channel_state *channel = c->channel;
    aci_sk_sidecar_out sidecar = {.wr = c->wr};

    aci_sk_sidecar_repaired_text(&sidecar, "key", channel->key);
    aci_sk_sidecar_repaired_text(&sidecar, "type", channel->type);
    sidecar_positions(&sidecar, channel);
    if (c->appended > 0)
        aci_sk_sidecar_u64(&sidecar, "appended", c->appended);
    aci_sk_sidecar_true(&sidecar, "quoted", c->quoted);
    aci_sk_sidecar_true(&sidecar, "bytes", channel->kind == AGENTCHAT_CHANNEL_BYTES);
    if (c->replaced)
        sidecar_state(&sidecar, channel);
    sidecar_kind(&sidecar, channel);
    if (channel->kind == AGENTCHAT_CHANNEL_MESSAGES)
        aci_sk_sidecar_null_messages(&sidecar, &channel->messages);
    aci_sk_sidecar_extras(&sidecar, c->path, &aci_sk_channel, channel->extras, false);
    aci_sk_sidecar_end(&sidecar);
}
