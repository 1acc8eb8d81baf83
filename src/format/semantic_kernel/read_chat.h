/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the envelope: a chat, its channels and their states. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_READ_CHAT_H
#define ACI_FORMAT_SEMANTIC_KERNEL_READ_CHAT_H

#include "format/semantic_kernel/read_message.h"
#include "format/semantic_kernel/read_sidecar.h"

/* Reads a chat. known: messages of the chat around this one, or NULL. Channels, whose states may be chats, are given
   this function, so that they need not call up. */
typedef bool aci_sk_chat_reader(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_list *known,
                                agentchat_snapshot **out);
aci_sk_chat_reader aci_sk_read_chat;

/* ---- states (read_state.c) ---- */

void aci_sk_channel_clear(agentchat_channel_state *channel);
/* A channel's state is the text of the sidecar, or bytes in base64. */
bool aci_sk_apply_state(aci_sk_reader *s, aci_json_reader *r, agentchat_channel_state *channel,
                        const aci_sk_sidecar *sidecar);
bool aci_sk_apply_bytes(aci_sk_reader *s, aci_json_reader *r, agentchat_channel_state *channel);

/* ---- what waits for the history (read_claim.c) ---- */

typedef struct aci_sk_claim {
    size_t channel; /* its position */
    aci_sk_sidecar sidecar;
} aci_sk_claim;

typedef struct aci_sk_claims {
    aci_sk_claim *list; /* in env's memory */
    size_t count, cap;
} aci_sk_claims;

/* Whether the sidecar says something that waits. */
static inline bool aci_sk_is_claim(const aci_sk_sidecar *sidecar)
{
    return sidecar->added || sidecar->has_state || sidecar->appended > 0 || sidecar->null_count > 0;
}
/* Applies the claims that are true, notes the others, and empties the list: what .NET was given is taken back only
   where it is what our writer makes from this history. nulls: positions of the history's null messages, which it does
   not hold yet. Channels that were only added for .NET are taken out. */
bool aci_sk_settle_claims(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_claims *claims,
                          const aci_sk_list *history, const size_t *nulls, size_t null_count,
                          agentchat_channel_state *channels, size_t *channel_count);

/* ---- channels (read_channel.c, read_channels.c) ---- */

/* Reads one channel; known: the history's messages; read_chat: reads a state that is a chat. sidecar: what the sidecar
   says about it, of which nothing has been applied yet that depends on the history: added, appended, nulls, and the
   state of a history channel or aggregator. */
bool aci_sk_read_channel(aci_sk_reader *s, aci_json_reader *r, const aci_location *path, aci_sk_list *known,
                         aci_sk_chat_reader *read_chat, agentchat_channel_state *channel, aci_sk_sidecar *sidecar);

/* The channels of a chat. */
typedef struct aci_sk_channels {
    aci_sk_reader *s;
    aci_json_reader *r; /* of the chat */
    const aci_location *path;
    aci_sk_list *history;
    aci_sk_chat_reader *read_chat;
    agentchat_channel_state *list;
    size_t count, cap;
    aci_sk_claims claims;
    aci_sk_sidecar sidecar; /* of the channel that is being read */
} aci_sk_channels;

/* Reads the chat's list of channels, when the history is known; an earlier one does not count. */
bool aci_sk_read_channels(aci_sk_channels *c, aci_json_reader *r);
/* Applies what the sidecars, chat's among them, say about channels that were made, completed or left out for .NET. */
bool aci_sk_settle_channels(aci_sk_channels *c, const aci_sk_sidecar *chat);
/* Positions outside the history, which is complete now, are ignored. */
bool aci_sk_check_channels(aci_sk_channels *c);
/* Releases the channels that are still in the list, and the list. */
void aci_sk_channels_clear(aci_sk_channels *c);

#endif
