/* SPDX-License-Identifier: Apache-2.0 */
/* Semantic Kernel's receive filter. */
#include "model/receive_filter.h"

bool aci_receive_filter_takes(const agentchat_message *message, bool keep_all)
{
    size_t count = agentchat_message_item_count(message);

    if (keep_all)
        return count > 0;
    if (agentchat_message_text(message).len > 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        agentchat_item_kind kind = agentchat_item_get_kind(agentchat_message_item(message, i));

        if (kind == AGENTCHAT_ITEM_CALL || kind == AGENTCHAT_ITEM_RESULT || kind == AGENTCHAT_ITEM_IMAGE)
            return true;
    }
    return false;
}
