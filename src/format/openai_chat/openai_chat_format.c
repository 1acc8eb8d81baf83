/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's Chat Completions, as the registry lists them. */
#include "format/openai_chat/openai_chat.h"

const aci_format aci_openai_chat_format = {
    .about = {.name = aci_openai_chat_name,
              .summary = "messages of OpenAI's Chat Completions: an array, a request or an answer",
              .reads = AGENTCHAT_HOLDS_HISTORY,
              .writes = AGENTCHAT_HOLDS_HISTORY},
    .read_chat = aci_openai_chat_read,
    .write_chat = aci_openai_chat_write,
    .probe_chat = aci_openai_chat_probe,
};
