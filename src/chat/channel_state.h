/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a channel's save and load get to see.
 *
 * A channel that holds a chat needs to capture and to restore it, which a higher layer does. That layer makes both
 * objects and puts the two operations into them; this layer only calls them.
 */
#ifndef ACI_CHAT_CHANNEL_STATE_H
#define ACI_CHAT_CHANNEL_STATE_H

#include "model/model.h"
#include <agentchat/agent.h>

struct agentchat_channel_save {
    aci_arena *arena; /* where text and bytes are copied to */
    bool is_set;
    agentchat_channel_kind kind;
    agentchat_str data;          /* TEXT, BYTES */
    agentchat_messages messages; /* MESSAGES */
    agentchat_snapshot *chat;    /* CHAT; one reference */
    /* Captures a chat inside a channel. */
    agentchat_status (*capture)(const agentchat_channel_save *self, agentchat_chat *inner, agentchat_snapshot **out,
                                agentchat_error *err);
    void *context; /* of the layer that made it */
};

struct agentchat_channel_load {
    const agentchat_env *env;
    const agentchat_channel_state *state;
    size_t history_count;
    /* Restores the state, which is of kind CHAT, into a chat inside a channel. */
    agentchat_status (*restore)(const agentchat_channel_load *self, agentchat_chat *inner, agentchat_error *err);
    void *context; /* of the layer that made it */
};

/* Saves the state as a chat, captured from inner. */
agentchat_status aci_channel_state_set_chat(agentchat_channel_save *out, agentchat_chat *inner, agentchat_error *err);
/* Restores a state of kind CHAT into inner, which is as it was when that fails. E_SCHEMA for another kind. */
agentchat_status aci_channel_state_restore_chat(const agentchat_channel_load *in, agentchat_chat *inner,
                                                agentchat_error *err);

#endif
