/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The marks of providers' chats, side by side: what is one format's own speaks against the others. A model's name says
 * nothing: gateways carry any model in any format. A request to Anthropic's Messages must have max_tokens.
 */
#include "format/kit/marks.h"

enum {
    BODY = ACI_MARK_BODY,
    TOOL = ACI_MARK_TOOL,
    FIRST = ACI_MARK_FIRST,
    MESSAGE = ACI_MARK_MESSAGE,
    PART = ACI_MARK_PART
};
enum { NOTHING = ACI_MARK_NOTHING, OWN = ACI_MARK_OWN, FOREIGN = ACI_MARK_FOREIGN, NEEDED = ACI_MARK_NEEDED };

/* clang-format off */
const aci_mark aci_provider_marks[] = {
    /*                                          openai-chat, anthropic */
    {BODY, "max_tokens", 0, NULL, {NOTHING, NEEDED}},
    {BODY, "object", '"', "chat.completion", {OWN, NOTHING}},
    {BODY, "choices", 0, NULL, {OWN, FOREIGN}},
    {BODY, "logit_bias", 0, NULL, {OWN, FOREIGN}},
    {BODY, "logprobs", 0, NULL, {OWN, FOREIGN}},
    {BODY, "max_completion_tokens", 0, NULL, {OWN, FOREIGN}},
    {BODY, "response_format", 0, NULL, {OWN, FOREIGN}},
    {BODY, "reasoning_effort", 0, NULL, {OWN, FOREIGN}},
    {BODY, "seed", 0, NULL, {OWN, FOREIGN}},
    {BODY, "n", 0, NULL, {OWN, FOREIGN}},
    {BODY, "stop", 0, NULL, {OWN, FOREIGN}},
    {BODY, "stream_options", 0, NULL, {OWN, FOREIGN}},
    {BODY, "modalities", 0, NULL, {OWN, FOREIGN}},
    {BODY, "web_search_options", 0, NULL, {OWN, NOTHING}},
    {BODY, "functions", 0, NULL, {OWN, FOREIGN}},
    {BODY, "system", 0, NULL, {FOREIGN, OWN}},
    {BODY, "stop_sequences", 0, NULL, {FOREIGN, OWN}},
    {BODY, "thinking", 0, NULL, {FOREIGN, OWN}},
    {BODY, "mcp_servers", 0, NULL, {FOREIGN, OWN}},
    {BODY, "container", 0, NULL, {FOREIGN, OWN}},
    {BODY, "anthropic_version", 0, NULL, {FOREIGN, OWN}},
    {BODY, "type", '"', "message", {NOTHING, OWN}},
    {BODY, "stop_sequence", 0, NULL, {NOTHING, OWN}},
    {BODY, "top_k", 0, NULL, {FOREIGN, NOTHING}},
    {BODY, "context_management", 0, NULL, {FOREIGN, NOTHING}},
    {BODY, "input", 0, NULL, {FOREIGN, FOREIGN}},
    {BODY, "output", 0, NULL, {FOREIGN, FOREIGN}},
    {BODY, "object", '"', "response", {FOREIGN, NOTHING}},
    {BODY, "contents", 0, NULL, {FOREIGN, FOREIGN}},
    {BODY, "frequency_penalty", 0, NULL, {NOTHING, FOREIGN}},
    {BODY, "presence_penalty", 0, NULL, {NOTHING, FOREIGN}},
    {BODY, "tool_choice", '"', NULL, {NOTHING, FOREIGN}},
    {TOOL, "function", '{', NULL, {OWN, FOREIGN}},
    {TOOL, "input_schema", 0, NULL, {FOREIGN, OWN}},
    {FIRST, "role", '"', "system", {OWN, FOREIGN}},
    {MESSAGE, "role", '"', "developer", {OWN, FOREIGN}},
    {MESSAGE, "role", '"', "tool", {OWN, FOREIGN}},
    {MESSAGE, "role", '"', "function", {OWN, FOREIGN}},
    {MESSAGE, "tool_calls", 0, NULL, {OWN, FOREIGN}},
    {MESSAGE, "tool_call_id", 0, NULL, {OWN, FOREIGN}},
    {MESSAGE, "function_call", 0, NULL, {OWN, FOREIGN}},
    {MESSAGE, "refusal", 0, NULL, {OWN, FOREIGN}},
    {MESSAGE, "annotations", 0, NULL, {OWN, FOREIGN}},
    {MESSAGE, "audio", 0, NULL, {OWN, FOREIGN}},
    {MESSAGE, "name", 0, NULL, {OWN, FOREIGN}},
    {MESSAGE, "content", 'n', NULL, {OWN, FOREIGN}},
    {MESSAGE, "parts", 0, NULL, {FOREIGN, FOREIGN}},
    {MESSAGE, "type", 0, NULL, {FOREIGN, FOREIGN}},
    {MESSAGE, "items", 0, NULL, {FOREIGN, FOREIGN}},
    {PART, "type", '"', "image_url", {OWN, FOREIGN}},
    {PART, "type", '"', "input_audio", {OWN, FOREIGN}},
    {PART, "type", '"', "refusal", {OWN, FOREIGN}},
    {PART, "file", '{', NULL, {OWN, FOREIGN}},
    {PART, "source", 0, NULL, {FOREIGN, OWN}},
    {PART, "tool_use_id", 0, NULL, {FOREIGN, OWN}},
    {PART, "type", '"', "tool_use", {FOREIGN, OWN}},
    {PART, "type", '"', "server_tool_use", {FOREIGN, OWN}},
    {PART, "type", '"', "thinking", {FOREIGN, OWN}},
    {PART, "type", '"', "redacted_thinking", {FOREIGN, OWN}},
    {PART, "type", '"', "compaction", {FOREIGN, OWN}},
    {PART, "citations", 0, NULL, {FOREIGN, NOTHING}},
    {PART, "type", '"', "input_text", {FOREIGN, FOREIGN}},
    {PART, "type", '"', "output_text", {FOREIGN, FOREIGN}},
};
/* clang-format on */
const size_t aci_provider_mark_count = sizeof aci_provider_marks / sizeof *aci_provider_marks;
