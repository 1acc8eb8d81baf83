/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a conversation in the order in which they are read: the history, between its messages those that only
   a channel holds. */
#ifndef ACI_VIEW_PLACED_MESSAGES_H
#define ACI_VIEW_PLACED_MESSAGES_H

#include "view/channel_view.h"

typedef struct aci_placed {
    const agentchat_message *message;
    size_t index;  /* in the history, or in the channel that alone holds it */
    size_t own_of; /* that channel, or SIZE_MAX */
    size_t number; /* on a page of many chats, as of aci_message_pool_number() */
    bool is_new;   /* does not stand on the page yet */
} aci_placed;

typedef struct aci_placed_messages {
    const agentchat_env *env;
    aci_placed *list;
    size_t count, cap;
} aci_placed_messages;

/* false: out of memory. Clear it in any case. */
bool aci_placed_messages_make(aci_placed_messages *placed, const agentchat_snapshot *snapshot,
                              const aci_channel_views *views);
void aci_placed_messages_clear(aci_placed_messages *placed);

#endif
