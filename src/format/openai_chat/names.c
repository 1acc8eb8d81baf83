/* SPDX-License-Identifier: Apache-2.0 */
/* The names of Chat Completions: one table for each object whose members are more than extras. */
#include "format/openai_chat/openai_chat.h"

const char aci_openai_chat_name[12] = "openai-chat";

static const aci_table_row message[] = {
    [ACI_OC_ROLE] = ACI_ROW_FIELD("role", ROLE),
    [ACI_OC_CONTENT] = ACI_ROW_TAKEN("content", "\"["),
    [ACI_OC_NAME] = ACI_ROW_FIELD("name", NAME),
    [ACI_OC_REFUSAL] = ACI_ROW_TAKEN("refusal", "\""),
    [ACI_OC_TOOL_CALLS] = ACI_ROW_TAKEN("tool_calls", "["),
    [ACI_OC_TOOL_CALL_ID] = ACI_ROW_TAKEN("tool_call_id", "\""),
    [ACI_OC_FUNCTION_CALL] = ACI_ROW_TAKEN("function_call", "{"),
    [ACI_OC_REASONING] = ACI_ROW_TAKEN("reasoning_content", "\""),
    [ACI_OC_ANNOTATIONS] = ACI_ROW_TAKEN("annotations", "["),
    [ACI_OC_CACHE] = ACI_ROW_SHARED("cache_control"),
    [ACI_OC_REASONING_TEXT] = ACI_ROW("reasoning"),
    [ACI_OC_REASONING_DETAILS] = ACI_ROW("reasoning_details"),
    [ACI_OC_THINKING_BLOCKS] = ACI_ROW("thinking_blocks"),
};
static const aci_table_row part[] = {
    [ACI_OC_TYPE] = ACI_ROW("type"),
    [ACI_OC_TEXT] = ACI_ROW_TAKEN("text", "\""),
    [ACI_OC_PART_REFUSAL] = ACI_ROW_TAKEN("refusal", "\""),
    [ACI_OC_IMAGE] = ACI_ROW("image_url"),
    [ACI_OC_AUDIO] = ACI_ROW("input_audio"),
    [ACI_OC_FILE] = ACI_ROW("file"),
    [ACI_OC_PART_CACHE] = ACI_ROW_SHARED("cache_control"),
};
static const aci_table_row image[] = {[ACI_OC_IMAGE_URL] = ACI_ROW_TAKEN("url", "\"")};
static const aci_table_row audio[] = {[ACI_OC_AUDIO_DATA] = ACI_ROW("data"), [ACI_OC_AUDIO_FORMAT] = ACI_ROW("format")};
static const aci_table_row file[] = {[ACI_OC_FILE_ID] = ACI_ROW_TAKEN("file_id", "\""),
                                     [ACI_OC_FILE_DATA] = ACI_ROW_TAKEN("file_data", "\""),
                                     [ACI_OC_FILE_NAME] = ACI_ROW("filename")};
static const aci_table_row call[] = {
    [ACI_OC_CALL_ID] = ACI_ROW_FIELD("id", CALL_ID),
    [ACI_OC_CALL_TYPE] = ACI_ROW("type"),
    [ACI_OC_CALL_FUNCTION] = ACI_ROW("function"),
    [ACI_OC_CALL_CUSTOM] = ACI_ROW("custom"),
};
static const aci_table_row function[] = {
    [ACI_OC_FUNCTION_NAME] = ACI_ROW_FIELD("name", FUNCTION),
    [ACI_OC_FUNCTION_ARGUMENTS] = ACI_ROW_TAKEN("arguments", "\"{"),
};
/* A tool of the caller's own: text goes in. */
static const aci_table_row custom[] = {
    [ACI_OC_FUNCTION_NAME] = ACI_ROW_FIELD("name", FUNCTION),
    [ACI_OC_FUNCTION_ARGUMENTS] = ACI_ROW_TAKEN("input", "\""),
};
static const aci_table_row annotation[] = {
    [ACI_OC_ANNOTATION_TYPE] = ACI_ROW_FIELD("type", KIND),
    [ACI_OC_ANNOTATION_URL] = ACI_ROW("url_citation"),
};
static const aci_table_row citation[] = {
    ACI_ROW_FIELD("url", REFERENCE_ID),
    ACI_ROW_FIELD("title", TITLE),
    ACI_ROW_FIELD("start_index", START_INDEX),
    ACI_ROW_FIELD("end_index", END_INDEX),
};
static const aci_table_row document[] = {
    [ACI_OC_MESSAGES] = ACI_ROW_TAKEN("messages", "["),
    [ACI_OC_CHOICES] = ACI_ROW_TAKEN("choices", "["),
    [ACI_OC_MODEL] = ACI_ROW("model"),
    [ACI_OC_CREATED] = ACI_ROW("created"),
};
static const aci_table_row choice[] = {[ACI_OC_CHOICE_MESSAGE] = ACI_ROW_TAKEN("message", "{")};

const aci_object_table aci_openai_chat_message = ACI_ROWS(message);
const aci_object_table aci_openai_chat_part = ACI_ROWS(part);
const aci_object_table aci_openai_chat_image = ACI_ROWS(image);
const aci_object_table aci_openai_chat_audio = ACI_ROWS(audio);
const aci_object_table aci_openai_chat_file = ACI_ROWS(file);
const aci_object_table aci_openai_chat_call = ACI_ROWS(call);
const aci_object_table aci_openai_chat_function = ACI_ROWS(function);
const aci_object_table aci_openai_chat_custom = ACI_ROWS(custom);
const aci_object_table aci_openai_chat_annotation = ACI_ROWS(annotation);
const aci_object_table aci_openai_chat_citation = ACI_ROWS(citation);
const aci_object_table aci_openai_chat_document = ACI_ROWS(document);
const aci_object_table aci_openai_chat_choice = ACI_ROWS(choice);
