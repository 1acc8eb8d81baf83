/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The marks of Anthropic's Messages: a request's body, which must have max_tokens, an answer, or a bare array of
 * messages. A model's name says nothing: gateways carry any model in any format.
 */
#include "format/anthropic/anthropic.h"

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
#define FOREIGN_KIND(in, name, kind)                                                                                   \
    {                                                                                                                  \
        ACI_MARK_##in, ACI_MARK_FOREIGN, name, kind, NULL                                                              \
    }
#define FOREIGN_WORD(in, name, word)                                                                                   \
    {                                                                                                                  \
        ACI_MARK_##in, ACI_MARK_FOREIGN, name, '"', word                                                               \
    }

static const aci_mark marks[] = {
    {ACI_MARK_BODY, ACI_MARK_NEEDED, "max_tokens", 0, NULL},
    OWN_WORD(BODY, "type", "message"),
    OWN(BODY, "system"),
    OWN(BODY, "stop_sequences"),
    OWN(BODY, "stop_sequence"),
    OWN(BODY, "thinking"),
    OWN(BODY, "mcp_servers"),
    OWN(BODY, "container"),
    OWN(BODY, "anthropic_version"),
    OWN(TOOL, "input_schema"),
    OWN(PART, "source"),
    OWN(PART, "tool_use_id"),
    OWN_WORD(PART, "type", "tool_use"),
    OWN_WORD(PART, "type", "server_tool_use"),
    OWN_WORD(PART, "type", "thinking"),
    OWN_WORD(PART, "type", "redacted_thinking"),
    OWN_WORD(PART, "type", "compaction"),
    /* Chat Completions' */
    FOREIGN(BODY, "choices"),
    FOREIGN(BODY, "frequency_penalty"),
    FOREIGN(BODY, "presence_penalty"),
    FOREIGN(BODY, "logit_bias"),
    FOREIGN(BODY, "logprobs"),
    FOREIGN(BODY, "max_completion_tokens"),
    FOREIGN(BODY, "response_format"),
    FOREIGN(BODY, "reasoning_effort"),
    FOREIGN(BODY, "seed"),
    FOREIGN(BODY, "n"),
    FOREIGN(BODY, "stop"),
    FOREIGN(BODY, "stream_options"),
    FOREIGN(BODY, "modalities"),
    FOREIGN(BODY, "functions"),
    FOREIGN_KIND(BODY, "tool_choice", '"'),
    FOREIGN_KIND(TOOL, "function", '{'),
    FOREIGN_WORD(FIRST, "role", "system"),
    FOREIGN_WORD(MESSAGE, "role", "developer"),
    FOREIGN_WORD(MESSAGE, "role", "tool"),
    FOREIGN_WORD(MESSAGE, "role", "function"),
    FOREIGN(MESSAGE, "tool_calls"),
    FOREIGN(MESSAGE, "tool_call_id"),
    FOREIGN(MESSAGE, "function_call"),
    FOREIGN(MESSAGE, "refusal"),
    FOREIGN(MESSAGE, "annotations"),
    FOREIGN(MESSAGE, "audio"),
    FOREIGN(MESSAGE, "name"),
    FOREIGN_KIND(MESSAGE, "content", 'n'),
    FOREIGN_WORD(PART, "type", "image_url"),
    FOREIGN_WORD(PART, "type", "input_audio"),
    FOREIGN_WORD(PART, "type", "refusal"),
    FOREIGN_KIND(PART, "file", '{'),
    /* Responses', Gemini's, and those of frameworks that keep messages in lists of their own */
    FOREIGN(BODY, "input"),
    FOREIGN(BODY, "output"),
    FOREIGN(BODY, "contents"),
    FOREIGN(MESSAGE, "parts"),
    FOREIGN(MESSAGE, "type"),
    FOREIGN(MESSAGE, "items"),
    FOREIGN_WORD(PART, "type", "input_text"),
    FOREIGN_WORD(PART, "type", "output_text"),
};

aci_likeness aci_anthropic_probe(const char *data, size_t len)
{
    return aci_marks_probe(marks, sizeof marks / sizeof *marks, data, len);
}
