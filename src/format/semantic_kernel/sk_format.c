/* SPDX-License-Identifier: Apache-2.0 */
/* Semantic Kernel's format, as the registry lists it. */
#include "format/semantic_kernel/semantic_kernel.h"

#include "format/semantic_kernel/properties.h"

const aci_format aci_sk_format = {
    .about = {.name = aci_sk_name,
              .summary = "chats as .NET's AgentChatSerializer writes them, and ChatHistory arrays",
              .reads = AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY,
              .writes = AGENTCHAT_HOLDS_CHAT | AGENTCHAT_HOLDS_HISTORY,
              .has_strict = true},
    .probe_chat = aci_sk_probe,
    .read_chat = aci_sk_read,
    .write_chat = aci_sk_write,
    .messages_in = "History",
};
