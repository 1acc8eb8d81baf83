/* SPDX-License-Identifier: Apache-2.0 */
/* What .NET keeps in a channel: which messages, and in what form its state is. */
#include "format/semantic_kernel/channel_kind.h"
#include "format/semantic_kernel/properties.h"

bool aci_sk_channel_keeps(const agentchat_message *message)
{
    bool text_seen = false;

    for (size_t i = 0; i < message->item_count; i++) {
        const agentchat_item *item = message->items[i];

        if (item->kind == AGENTCHAT_ITEM_CALL || item->kind == AGENTCHAT_ITEM_RESULT ||
            item->kind == AGENTCHAT_ITEM_IMAGE)
            return true;
        if (item->kind != AGENTCHAT_ITEM_TEXT || text_seen)
            continue;
        text_seen = true; /* only the first text is what .NET calls the message's content */
        if (aci_field_view(aci_field_find(item->fields, item->field_count, AGENTCHAT_FIELD_TEXT)).len > 0)
            return true;
    }
    return false;
}

aci_sk_state aci_sk_state_of(agentchat_str key, agentchat_str type)
{
    if (aci_sk_view_is(type, AGENTCHAT_TYPE_AGGREGATOR_CHANNEL))
        return ACI_SK_STATE_CHAT;
    if (aci_sk_view_is(type, AGENTCHAT_TYPE_HISTORY_CHANNEL) || aci_sk_view_is(key, ACI_SK_HISTORY_KEY))
        return ACI_SK_STATE_HISTORY;
    return ACI_SK_STATE_OTHER;
}
