/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the ADKs' objects (docs/formats/adk.md). Layer 5. The order is that of the indices in adk.h. */
#include "event/adk.h"

#define KIND(kind, camel, snake)                                                                                       \
    {                                                                                                                  \
        (camel), (snake), true, (kind)                                                                                 \
    }
#define BOTH(camel, snake) KIND(ACI_ADK_ANY, camel, snake)
#define WORD(name) BOTH(name, name)
#define STRING(camel, snake) KIND(ACI_ADK_STRING, camel, snake)
#define OBJECT(camel, snake) KIND(ACI_ADK_OBJECT, camel, snake)
#define BYTES(camel, snake) KIND(ACI_ADK_BYTES, camel, snake)
#define RUST(camel, snake)                                                                                             \
    {                                                                                                                  \
        (camel), (snake), false, ACI_ADK_ANY                                                                           \
    }
#define TABLE(list)                                                                                                    \
    {                                                                                                                  \
        (list), (uint32_t)(sizeof(list) / sizeof(list)[0])                                                             \
    }

static const aci_adk_name event[] = {
    WORD("id"),
    WORD("timestamp"),
    BOTH("invocationId", "invocation_id"),
    WORD("author"),
    WORD("branch"),
    WORD("content"),
    WORD("partial"),
    BOTH("longRunningToolIds", "long_running_tool_ids"),
    WORD("actions"),
    BOTH("finishReason", "finish_reason"),
    BOTH("usageMetadata", "usage_metadata"),
    BOTH("citationMetadata", "citation_metadata"),
    BOTH("turnComplete", "turn_complete"),
    WORD("interrupted"),
    BOTH("errorCode", "error_code"),
    BOTH("errorMessage", "error_message"),
    BOTH("groundingMetadata", "grounding_metadata"),
    BOTH("inputTranscription", "input_transcription"),
    BOTH("outputTranscription", "output_transcription"),
    BOTH("customMetadata", "custom_metadata"),
    BOTH("modelVersion", "model_version"),
    BOTH("avgLogprobs", "avg_logprobs"),
    BOTH("logprobsResult", "logprobs_result"),
    BOTH("cacheMetadata", "cache_metadata"),
    BOTH("turnCompleteReason", "turn_complete_reason"),
    BOTH("liveSessionId", "live_session_id"),
    BOTH("liveSessionResumptionUpdate", "live_session_resumption_update"),
    BOTH("goAway", "go_away"),
    BOTH("interactionId", "interaction_id"),
    WORD("output"),
    BOTH("nodeInfo", "node_info"),
    BOTH("isolationScope", "isolation_scope"),
};

static const aci_adk_name actions[] = {
    BOTH("stateDelta", "state_delta"),
    BOTH("artifactDelta", "artifact_delta"),
    BOTH("transferToAgent", "transfer_to_agent"),
    WORD("escalate"),
    BOTH("skipSummarization", "skip_summarization"),
    WORD("compaction"),
    BOTH("requestedAuthConfigs", "requested_auth_configs"),
    BOTH("requestedToolConfirmations", "requested_tool_confirmations"),
    BOTH("endOfAgent", "end_of_agent"),
    BOTH("agentState", "agent_state"),
    BOTH("rewindBeforeInvocationId", "rewind_before_invocation_id"),
    WORD("route"),
    BOTH("renderUiWidgets", "render_ui_widgets"),
    BOTH("setModelResponse", "set_model_response"),
    RUST("toolConfirmation", "tool_confirmation"),
    RUST("toolConfirmationDecision", "tool_confirmation_decision"),
};

static const aci_adk_name content[] = {
    WORD("role"),
    WORD("parts"),
};

static const aci_adk_name part[] = {
    STRING("text", "text"),
    RUST("thinking", "thinking"),
    OBJECT("inlineData", "inline_data"),
    OBJECT("fileData", "file_data"),
    OBJECT("functionCall", "function_call"),
    OBJECT("functionResponse", "function_response"),
    RUST("data", "data"),
    RUST("fileUri", "file_uri"),
    RUST("name", "name"),
    OBJECT("executableCode", "executable_code"),
    OBJECT("codeExecutionResult", "code_execution_result"),
    OBJECT("toolCall", "tool_call"),
    OBJECT("toolResponse", "tool_response"),
    RUST("serverToolCall", "server_tool_call"),
    RUST("serverToolResponse", "server_tool_response"),
    RUST("resource", "resource"),
    WORD("thought"),
    BYTES("thoughtSignature", "thought_signature"),
    RUST("signature", "signature"),
    RUST("mimeType", "mime_type"),
    RUST("uri", "uri"),
    RUST("args", "args"),
    RUST("id", "id"),
    OBJECT("videoMetadata", "video_metadata"),
    OBJECT("mediaResolution", "media_resolution"),
    OBJECT("partMetadata", "part_metadata"),
    OBJECT("audioTranscription", "audio_transcription"),
    RUST("annotations", "annotations"),
};
_Static_assert(sizeof part / sizeof *part > ACI_ADK_PART_KEPT && ACI_ADK_PART_KEPT == 23, "as the indices have it");

static const aci_adk_name data[] = {
    BYTES("data", "data"),
    STRING("mimeType", "mime_type"),
    STRING("displayName", "display_name"),
};

static const aci_adk_name file[] = {
    STRING("fileUri", "file_uri"),
    STRING("mimeType", "mime_type"),
    STRING("displayName", "display_name"),
};

static const aci_adk_name call[] = {
    STRING("id", "id"),
    STRING("name", "name"),
    OBJECT("args", "args"),
    BOTH("partialArgs", "partial_args"),
    BOTH("willContinue", "will_continue"),
};

static const aci_adk_name response[] = {
    STRING("id", "id"),
    STRING("name", "name"),
    OBJECT("response", "response"),
    WORD("parts"),
    WORD("scheduling"),
    BOTH("willContinue", "will_continue"),
    RUST("inlineData", "inline_data"),
    RUST("fileData", "file_data"),
};

static const aci_adk_name executable_code[] = {STRING("code", "code"), STRING("language", "language"),
                                               STRING("id", "id")};
static const aci_adk_name code_result[] = {STRING("outcome", "outcome"), STRING("output", "output"),
                                           STRING("id", "id")};
static const aci_adk_name tool_call[] = {STRING("id", "id"), STRING("toolType", "tool_type"), OBJECT("args", "args")};
static const aci_adk_name tool_response[] = {STRING("id", "id"), STRING("toolType", "tool_type"),
                                             OBJECT("response", "response")};

static const aci_adk_name compaction[] = {
    BOTH("startTimestamp", "start_timestamp"),
    BOTH("endTimestamp", "end_timestamp"),
    BOTH("compactedContent", "compacted_content"),
};

static const aci_adk_name session[] = {
    WORD("id"),
    BOTH("appName", "app_name"),
    BOTH("userId", "user_id"),
    WORD("state"),
    WORD("events"),
    BOTH("lastUpdateTime", "last_update_time"),
};

const aci_adk_table aci_adk_event = TABLE(event);
const aci_adk_table aci_adk_actions = TABLE(actions);
const aci_adk_table aci_adk_content = TABLE(content);
const aci_adk_table aci_adk_part = TABLE(part);
const aci_adk_table aci_adk_data = TABLE(data);
const aci_adk_table aci_adk_file = TABLE(file);
const aci_adk_table aci_adk_call = TABLE(call);
const aci_adk_table aci_adk_response = TABLE(response);
const aci_adk_table aci_adk_compaction = TABLE(compaction);
const aci_adk_table aci_adk_session = TABLE(session);

static bool is(agentchat_str name, const char *other)
{
    /* The first byte decides nearly always. */
    return name.len > 0 && *name.ptr == *other && name.len == strlen(other) && memcmp(name.ptr, other, name.len) == 0;
}

uint32_t aci_adk_find(const aci_adk_table *table, agentchat_str name, bool *camel)
{
    for (uint32_t i = 0; i < table->count; i++) {
        bool is_camel = is(name, table->list[i].camel);

        if (is_camel || is(name, table->list[i].snake)) {
            if (camel != NULL)
                *camel = is_camel;
            return i;
        }
    }
    return table->count;
}

const aci_adk_table *aci_adk_part_object(uint32_t index)
{
    static const aci_adk_table others[] = {TABLE(executable_code), TABLE(code_result), TABLE(tool_call),
                                           TABLE(tool_response)};

    switch (index) {
    case ACI_ADK_INLINE_DATA:
        return &aci_adk_data;
    case ACI_ADK_FILE_DATA:
        return &aci_adk_file;
    case ACI_ADK_CALL:
        return &aci_adk_call;
    case ACI_ADK_RESPONSE:
        return &aci_adk_response;
    default:
        return index >= ACI_ADK_PART_OTHER && index < ACI_ADK_PART_OTHER + 4 ? &others[index - ACI_ADK_PART_OTHER]
                                                                             : NULL;
    }
}
