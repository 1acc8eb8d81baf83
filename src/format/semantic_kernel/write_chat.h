/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the envelope: a chat, its channels and their states. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_WRITE_CHAT_H
#define ACI_FORMAT_SEMANTIC_KERNEL_WRITE_CHAT_H

#include "base/index.h"
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/write_sidecar.h"

/* A chat as an object. level: containers around it, itself included. */
void aci_sk_write_chat(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat, uint32_t level);

/* ---- texts and participants (write_envelope.c) ---- */

/* Writes a text, in default mode repaired; returns whether another one was written. */
bool aci_sk_write_string(aci_sk_writer *wr, const aci_location *path, agentchat_str text);
/* Writes a text of the envelope; returns whether its name stands there. name: its location. nulls: null and absent are
   written as null, as .NET does inside a nested state. */
bool aci_sk_write_text(aci_sk_writer *wr, const aci_location *path, const aci_sk_prop *prop, const char *name,
                       agentchat_str text, bool nulls);
/* What such a text was, where another one is written. */
void aci_sk_sidecar_repaired_text(aci_sk_sidecar_out *sidecar, const char *name, agentchat_str text);
void aci_sk_write_participants(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat,
                               bool nested);

/* ---- states (write_state.c) ---- */

/* A channel while it is written; what becomes known about it goes into the sidecar at its end. */
typedef struct aci_sk_channel_out {
    aci_sk_writer *wr;
    const aci_location *path;
    const agentchat_snapshot *chat;
    const agentchat_channel_state *channel;
    uint32_t level;
    size_t appended;
    bool quoted, replaced;
    bool updated; /* what the channel has not been given is written after its messages */
} aci_sk_channel_out;

void aci_sk_write_state_messages(aci_sk_channel_out *c);
void aci_sk_write_state_bytes(aci_sk_channel_out *c);
/* Returns whether the state's name stands there. */
bool aci_sk_write_state_text(aci_sk_channel_out *c, bool nulls);
/* Begins the line of a state that nests: it goes into a string where the source had it so or it is too deep. Returns
   whether it does. */
bool aci_sk_state_begin(aci_sk_channel_out *c);
/* The channel has not been given all of the history, and nothing says so. */
void aci_sk_lose_position(aci_sk_channel_out *c, const char *why);
/* (write_channel_sidecar.c) */
void aci_sk_write_channel_sidecar(const aci_sk_channel_out *c);

/* ---- what a chat lacks (write_missing_channels.c) ---- */

/* Channels for agents that have none yet, without which .NET restores nothing. */
void aci_sk_write_missing(aci_sk_writer *wr, const aci_location *path, const agentchat_snapshot *chat,
                          const aci_index *keys, uint32_t level);
/* A state made from the history, for a channel whose state .NET could not read; the caller began a copy. */
void aci_sk_write_made_state(aci_sk_writer *wr, const agentchat_snapshot *chat, aci_sk_state kind, uint32_t level);

#endif
