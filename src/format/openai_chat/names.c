/* SPDX-License-Identifier: Apache-2.0 */
/* The names of Chat Completions: one table for each object whose members are more than extras. */
#include "format/openai_chat/openai_chat.h"

#define NAME(name)                                                                                                     \
    {                                                                                                                  \
        .camel = (name)                                                                                                \
    }
#define FIELD(name, id)                                                                                                \
    {                                                                                                                  \
        .camel = (name), .field = AGENTCHAT_FIELD_##id                                                                 \
    }
#define TAKEN(name, bytes)                                                                                             \
    {                                                                                                                  \
        .camel = (name), .takes = (bytes)                                                                              \
    }
#define TABLE(rows)                                                                                                    \
    {                                                                                                                  \
        .list = (rows), .count = (uint32_t)(sizeof(rows) / sizeof(rows)[0])                                            \
    }

const char aci_openai_chat_name[12] = "openai-chat";

static const aci_table_row message[] = {
    [ACI_OC_ROLE] = FIELD("role", ROLE),
    [ACI_OC_CONTENT] = TAKEN("content", "\"["),
    [ACI_OC_NAME] = FIELD("name", NAME),
    [ACI_OC_REFUSAL] = TAKEN("refusal", "\""),
    [ACI_OC_TOOL_CALLS] = TAKEN("tool_calls", "["),
    [ACI_OC_TOOL_CALL_ID] = TAKEN("tool_call_id", "\""),
    [ACI_OC_FUNCTION_CALL] = TAKEN("function_call", "{"),
    [ACI_OC_REASONING] = TAKEN("reasoning_content", "\""),
    [ACI_OC_ANNOTATIONS] = TAKEN("annotations", "["),
};
static const aci_table_row part[] = {
    [ACI_OC_TYPE] = NAME("type"),
    [ACI_OC_TEXT] = TAKEN("text", "\""),
    [ACI_OC_PART_REFUSAL] = TAKEN("refusal", "\""),
    [ACI_OC_IMAGE] = NAME("image_url"),
    [ACI_OC_AUDIO] = NAME("input_audio"),
    [ACI_OC_FILE] = NAME("file"),
};
static const aci_table_row image[] = {[ACI_OC_IMAGE_URL] = TAKEN("url", "\"")};
static const aci_table_row audio[] = {[ACI_OC_AUDIO_DATA] = NAME("data"), [ACI_OC_AUDIO_FORMAT] = NAME("format")};
static const aci_table_row file[] = {
    [ACI_OC_FILE_ID] = TAKEN("file_id", "\""), [ACI_OC_FILE_DATA] = TAKEN("file_data", "\"")};
static const aci_table_row call[] = {
    [ACI_OC_CALL_ID] = FIELD("id", CALL_ID),
    [ACI_OC_CALL_TYPE] = NAME("type"),
    [ACI_OC_CALL_FUNCTION] = NAME("function"),
    [ACI_OC_CALL_CUSTOM] = NAME("custom"),
};
static const aci_table_row function[] = {
    [ACI_OC_FUNCTION_NAME] = FIELD("name", FUNCTION),
    [ACI_OC_FUNCTION_ARGUMENTS] = TAKEN("arguments", "\""),
};
/* A tool of the caller's own: text goes in. */
static const aci_table_row custom[] = {
    [ACI_OC_FUNCTION_NAME] = FIELD("name", FUNCTION),
    [ACI_OC_FUNCTION_ARGUMENTS] = TAKEN("input", "\""),
};
static const aci_table_row annotation[] = {
    [ACI_OC_ANNOTATION_TYPE] = FIELD("type", KIND),
    [ACI_OC_ANNOTATION_URL] = NAME("url_citation"),
};
static const aci_table_row citation[] = {
    FIELD("url", REFERENCE_ID),
    FIELD("title", TITLE),
    FIELD("start_index", START_INDEX),
    FIELD("end_index", END_INDEX),
};
static const aci_table_row document[] = {
    [ACI_OC_MESSAGES] = TAKEN("messages", "["),
    [ACI_OC_CHOICES] = TAKEN("choices", "["),
    [ACI_OC_MODEL] = NAME("model"),
    [ACI_OC_CREATED] = NAME("created"),
};
static const aci_table_row choice[] = {[ACI_OC_CHOICE_MESSAGE] = TAKEN("message", "{")};

const aci_object_table aci_openai_chat_message = TABLE(message);
const aci_object_table aci_openai_chat_part = TABLE(part);
const aci_object_table aci_openai_chat_image = TABLE(image);
const aci_object_table aci_openai_chat_audio = TABLE(audio);
const aci_object_table aci_openai_chat_file = TABLE(file);
const aci_object_table aci_openai_chat_call = TABLE(call);
const aci_object_table aci_openai_chat_function = TABLE(function);
const aci_object_table aci_openai_chat_custom = TABLE(custom);
const aci_object_table aci_openai_chat_annotation = TABLE(annotation);
const aci_object_table aci_openai_chat_citation = TABLE(citation);
const aci_object_table aci_openai_chat_document = TABLE(document);
const aci_object_table aci_openai_chat_choice = TABLE(choice);
