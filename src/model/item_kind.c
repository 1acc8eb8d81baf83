/* SPDX-License-Identifier: Apache-2.0 */
/* Names of item kinds in format 1. */
#include "model/model.h"

static const char *const kind_names[] = {
    [AGENTCHAT_ITEM_TEXT] = "text",
    [AGENTCHAT_ITEM_IMAGE] = "image",
    [AGENTCHAT_ITEM_AUDIO] = "audio",
    [AGENTCHAT_ITEM_BINARY] = "binary",
    [AGENTCHAT_ITEM_CALL] = "call",
    [AGENTCHAT_ITEM_RESULT] = "result",
    [AGENTCHAT_ITEM_ANNOTATION] = "annotation",
    [AGENTCHAT_ITEM_FILE] = "file",
    [AGENTCHAT_ITEM_REASONING] = "reasoning",
    [AGENTCHAT_ITEM_ACTION] = "action",
    [AGENTCHAT_ITEM_MESSAGE] = "message",
    [AGENTCHAT_ITEM_OPAQUE] = NULL, /* its spelling depends on where it came from */
};

const char *aci_item_kind_name(agentchat_item_kind kind)
{
    size_t index = (size_t)kind;

    return index < sizeof kind_names / sizeof *kind_names ? kind_names[index] : NULL;
}
