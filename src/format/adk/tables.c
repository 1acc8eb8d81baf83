/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the ADKs' objects (docs/formats/adk.md). The order is that of the indices in tables.h. */
#include "format/adk/tables.h"

#include <agentchat/event.h>

const char aci_adk_name[] = "adk";

#define ANY(name) ACI_ADK_KIND(ANY, name)
#define STRING(name) ACI_ADK_KIND(STRING, name)
#define BOOLEAN(name) ACI_ADK_KIND(BOOLEAN, name)
#define OBJECT(name) ACI_ADK_KIND(OBJECT, name)
#define BYTES(name) ACI_ADK_KIND(BYTES, name)
#define RUST(name)                                                                                                     \
    {                                                                                                                  \
        .camel = (name)                                                                                                \
    }

static const aci_table_row event[] = {
    ACI_ADK_EVENT_FIELD("id", ID),
    ACI_ADK_EVENT_FIELD("timestamp", TIME),
    ACI_ADK_EVENT_FIELD("invocationId", INVOCATION),
    ACI_ADK_EVENT_FIELD("author", AUTHOR),
    ACI_ADK_EVENT_FIELD("branch", BRANCH),
    ANY("content"),
    ACI_ADK_EVENT_FIELD("partial", PARTIAL),
    ACI_ADK_EVENT_FIELD("longRunningToolIds", LONG_RUNNING),
    ANY("actions"),
    STRING("finishReason"),
    ACI_ADK_IS("usageMetadata", &aci_adk_usage),
    ACI_ADK_IS("citationMetadata", &aci_adk_citation_list),
    BOOLEAN("turnComplete"),
    BOOLEAN("interrupted"),
    STRING("errorCode"),
    STRING("errorMessage"),
    ACI_ADK_IS("groundingMetadata", &aci_adk_grounding),
    ACI_ADK_IS("inputTranscription", &aci_adk_transcription),
    ACI_ADK_IS("outputTranscription", &aci_adk_transcription),
    OBJECT("customMetadata"),
    STRING("modelVersion"),
    ACI_ADK_KIND(NUMBER, "avgLogprobs"),
    ACI_ADK_IS("logprobsResult", &aci_adk_logprobs),
    ACI_ADK_IS("cacheMetadata", &aci_adk_cache),
    STRING("turnCompleteReason"),
    STRING("liveSessionId"),
    ACI_ADK_IS("liveSessionResumptionUpdate", &aci_adk_resumption),
    ACI_ADK_IS("goAway", &aci_adk_go_away),
    STRING("interactionId"),
    ANY("output"),
    ACI_ADK_IS("nodeInfo", &aci_adk_node_info),
    STRING("isolationScope"),
    STRING("environmentId"),
    STRING("interactionStatus"),
    ACI_ADK_IS("voiceActivity", &aci_adk_voice_activity),
};

static const aci_table_row actions[] = {
    ANY("stateDelta"),
    {.camel = "artifactDelta",
     .kind = ACI_ADK_INTEGER,
     .form = ACI_TABLE_MAP,
     .is_google = true,
     .field = AGENTCHAT_EVENT_ARTIFACTS},
    ACI_ADK_EVENT_FIELD("transferToAgent", TRANSFER),
    ACI_ADK_EVENT_FIELD("escalate", ESCALATE),
    ACI_ADK_EVENT_FIELD("skipSummarization", SKIP_SUMMARIZATION),
    ACI_ADK_EVENT_FIELD("compaction", COMPACTION),
    ACI_ADK_VALUE_OF("requestedAuthConfigs", ACI_ADK_AUTH_CONFIG, ACI_TABLE_MAP, &aci_adk_auth_config),
    ACI_ADK_VALUE_OF("requestedToolConfirmations", ACI_ADK_MODEL, ACI_TABLE_MAP, &aci_adk_confirmation),
    BOOLEAN("endOfAgent"),
    OBJECT("agentState"),
    STRING("rewindBeforeInvocationId"),
    ACI_ADK_KIND(ROUTE, "route"),
    ACI_ADK_ARE("renderUiWidgets", &aci_adk_widget),
    ANY("setModelResponse"),
    STRING("transferReason"),
    RUST("toolConfirmation"),
    RUST("toolConfirmationDecision"),
};

static const aci_table_row content[] = {
    ANY("role"),
    ANY("parts"),
};

static const aci_table_row part[] = {
    STRING("text"),
    RUST("thinking"),
    ACI_ADK_IS("inlineData", &aci_adk_data),
    ACI_ADK_IS("fileData", &aci_adk_file),
    ACI_ADK_IS("functionCall", &aci_adk_call),
    ACI_ADK_IS("functionResponse", &aci_adk_response),
    RUST("data"),
    RUST("fileUri"),
    RUST("name"),
    ACI_ADK_IS("executableCode", &aci_adk_executable_code),
    ACI_ADK_IS("codeExecutionResult", &aci_adk_code_result),
    ACI_ADK_IS("toolCall", &aci_adk_tool_call),
    ACI_ADK_IS("toolResponse", &aci_adk_tool_response),
    RUST("serverToolCall"),
    RUST("serverToolResponse"),
    RUST("resource"),
    BOOLEAN("thought"),
    BYTES("thoughtSignature"),
    RUST("signature"),
    RUST("mimeType"),
    RUST("uri"),
    RUST("args"),
    RUST("id"),
    ACI_ADK_IS("videoMetadata", &aci_adk_video),
    ACI_ADK_IS("mediaResolution", &aci_adk_resolution),
    OBJECT("partMetadata"),
    ACI_ADK_IS("audioTranscription", &aci_adk_transcription),
    STRING("mediaProcessing"),
    ACI_ADK_IS("speechMetadata", &aci_adk_speech),
    RUST("annotations"),
};
_Static_assert(sizeof part / sizeof *part > ACI_ADK_PART_KEPT && ACI_ADK_PART_KEPT == 23, "as the indices have it");

static const aci_table_row call[] = {
    ACI_ADK_FIELD(STRING, "id", CALL_ID),
    ACI_ADK_FIELD(STRING, "name", FUNCTION),
    ACI_ADK_FIELD(OBJECT, "args", ARGUMENTS),
    ACI_ADK_ARE("partialArgs", &aci_adk_partial_arg),
    BOOLEAN("willContinue"),
};

static const aci_table_row response[] = {
    ACI_ADK_FIELD(STRING, "id", CALL_ID),
    ACI_ADK_FIELD(STRING, "name", FUNCTION),
    ACI_ADK_FIELD(OBJECT, "response", RESULT),
    ACI_ADK_ARE("parts", &aci_adk_response_part),
    STRING("scheduling"),
    BOOLEAN("willContinue"),
    RUST("inlineData"),
    RUST("fileData"),
};

static const aci_table_row compaction[] = {
    ANY("startTimestamp"),
    ANY("endTimestamp"),
    ANY("compactedContent"),
};

static const aci_table_row session[] = {
    ANY("id"), ANY("appName"), ANY("userId"), ANY("state"), ANY("events"), ANY("lastUpdateTime"),
};

const aci_object_table aci_adk_event = ACI_ADK_TABLE_OF(event, 0, 0, true);
const aci_object_table aci_adk_actions = ACI_ADK_TABLE(actions);
const aci_object_table aci_adk_content = ACI_ADK_TABLE(content);
const aci_object_table aci_adk_part = ACI_ADK_TABLE(part);
const aci_object_table aci_adk_call = ACI_ADK_TABLE(call);
const aci_object_table aci_adk_response = ACI_ADK_TABLE(response);
const aci_object_table aci_adk_compaction = ACI_ADK_TABLE(compaction);
const aci_object_table aci_adk_session = ACI_ADK_TABLE(session);
