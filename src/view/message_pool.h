/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages of a page that shows many chats: each stands there once, and a chat names those that it has by their
 * numbers, which are given out in the order in which they stand on the page.
 *
 * Two messages are the same where they are equal and would be shown alike: the same results with the same calls, at the
 * same distance. One that a chat has twice is there twice. Lists of chats are told apart by their paths: the history of
 * a chat, that of the chat in its channel 2.
 */
#ifndef ACI_VIEW_MESSAGE_POOL_H
#define ACI_VIEW_MESSAGE_POOL_H

#include "view/placed_messages.h"

#include "base/buf.h"
#include "base/index.h"

#include <agentchat/calls.h>

typedef struct aci_pool_entry aci_pool_entry;
typedef struct aci_pool_list aci_pool_list;

/* All zero but env: empty. */
typedef struct aci_message_pool {
    const agentchat_env *env;
    aci_pool_entry **entries; /* by number */
    size_t count, cap;
    aci_index keys; /* the first entry of each kind */
    aci_pool_list **lists;
    size_t list_count, list_cap;
    aci_index paths;
    size_t serial; /* of the list that is being numbered */
} aci_message_pool;

/* Numbers the messages of a conversation; calls: of its history. Appends to `out` what leads from the list of the same
   path before to this one: `b4x10` ten messages of that list from 4 on, `p4x10` ten of the page. */
agentchat_status aci_message_pool_number(aci_message_pool *pool, agentchat_str path, aci_placed *list, size_t count,
                                         const agentchat_calls *calls, aci_buf *out, agentchat_error *err);
void aci_message_pool_clear(aci_message_pool *pool);

#endif
