/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The marks of OpenAI's Chat Completions: a request's body, an answer, or a bare array of messages. A model's name says
 * nothing: gateways carry any model in any format.
 */
#include "format/openai_chat/openai_chat.h"

#include "format/kit/marks.h"

#define OWN(in, name)                                                                                                  \
    {                                                                                                                  \
        ACI_MARK_##in, ACI_MARK_OWN, name, 0, NULL                                                                     \
    }
#define OWN_KIND(in, name, kind)                                                                                       \
    {                                                                                                                  \
        ACI_MARK_##in, ACI_MARK_OWN, name, kind, NULL                                                                  \
    }
#define OWN_WORD(in, name, word)                                                                                       \
    {                                                                                                                  \
        ACI_MARK_##in, ACI_MARK_OWN, name, '"', word                                                                   \
    }
#define FOREIGN(in, name)                                                                                              \
    {                                                                                                                  \
        ACI_MARK_##in, ACI_MARK_FOREIGN, name, 0, NULL                                                                 \
    }
#define FOREIGN_WORD(in, name, word)                                                                                   \
    {                                                                                                                  \
        ACI_MARK_##in, ACI_MARK_FOREIGN, name, '"', word                                                               \
    }

static const aci_mark marks[] = {
    OWN_WORD(BODY, "object", "chat.completion"),
    OWN(BODY, "choices"),
    OWN(BODY, "logit_bias"),
    OWN(BODY, "logprobs"),
    OWN(BODY, "max_completion_tokens"),
    OWN(BODY, "response_format"),
    OWN(BODY, "reasoning_effort"),
    OWN(BODY, "seed"),
    OWN(BODY, "n"),
    OWN(BODY, "stop"),
    OWN(BODY, "stream_options"),
    OWN(BODY, "modalities"),
    OWN(BODY, "web_search_options"),
    OWN(BODY, "functions"),
    OWN_KIND(TOOL, "function", '{'),
    OWN_WORD(FIRST, "role", "system"),
    OWN_WORD(MESSAGE, "role", "developer"),
    OWN_WORD(MESSAGE, "role", "tool"),
    OWN_WORD(MESSAGE, "role", "function"),
    OWN(MESSAGE, "tool_calls"),
    OWN(MESSAGE, "tool_call_id"),
    OWN(MESSAGE, "function_call"),
    OWN(MESSAGE, "refusal"),
    OWN(MESSAGE, "annotations"),
    OWN(MESSAGE, "audio"),
    OWN(MESSAGE, "name"),
    OWN_KIND(MESSAGE, "content", 'n'),
    OWN_WORD(PART, "type", "image_url"),
    OWN_WORD(PART, "type", "input_audio"),
    OWN_WORD(PART, "type", "refusal"),
    OWN_KIND(PART, "file", '{'),
    /* Anthropic's */
    FOREIGN(BODY, "system"),
    FOREIGN(BODY, "stop_sequences"),
    FOREIGN(BODY, "thinking"),
    FOREIGN(BODY, "top_k"),
    FOREIGN(BODY, "mcp_servers"),
    FOREIGN(BODY, "container"),
    FOREIGN(BODY, "context_management"),
    FOREIGN(BODY, "anthropic_version"),
    FOREIGN(TOOL, "input_schema"),
    FOREIGN(PART, "source"),
    FOREIGN(PART, "tool_use_id"),
    FOREIGN(PART, "citations"),
    FOREIGN_WORD(PART, "type", "tool_use"),
    FOREIGN_WORD(PART, "type", "server_tool_use"),
    FOREIGN_WORD(PART, "type", "thinking"),
    FOREIGN_WORD(PART, "type", "redacted_thinking"),
    FOREIGN_WORD(PART, "type", "compaction"),
    /* Responses', Gemini's, and those of frameworks that keep messages in lists of their own */
    FOREIGN(BODY, "input"),
    FOREIGN(BODY, "output"),
    FOREIGN_WORD(BODY, "object", "response"),
    FOREIGN(BODY, "contents"),
    FOREIGN(MESSAGE, "parts"),
    FOREIGN(MESSAGE, "type"),
    FOREIGN(MESSAGE, "items"),
    FOREIGN_WORD(PART, "type", "input_text"),
    FOREIGN_WORD(PART, "type", "output_text"),
};

aci_likeness aci_openai_chat_probe(const char *data, size_t len)
{
    return aci_marks_probe(marks, sizeof marks / sizeof *marks, data, len);
}
