/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's Chat Completions, as the registry lists them. */
#include "format/openai_chat/openai_chat.h"

#include "format/kit/marks.h"

static aci_likeness probe(const char *data, size_t len)
{
    return aci_marks_probe(ACI_MARKED_OPENAI_CHAT, data, len);
}

const aci_format aci_openai_chat_format = {
    .about = {.name = aci_openai_chat_name,
              .summary = "messages of OpenAI's Chat Completions: an array, a request or an answer",
              .reads = AGENTCHAT_HOLDS_HISTORY,
              .writes = AGENTCHAT_HOLDS_HISTORY,
              .has_strict = true},
    .read_chat = aci_openai_chat_read,
    .write_chat = aci_openai_chat_write,
    .probe_chat = probe,
};
