/* SPDX-License-Identifier: Apache-2.0 */
/* The names of Responses: one table for each object whose members are more than extras. */
#include "format/openai_responses/openai_responses.h"

const char aci_openai_responses_name[17] = "openai-responses";

/* ---- documents and items ---------------------------------------------------------------------------------------- */

static const aci_table_row document[] = {
    [ACI_OR_INPUT] = ACI_ROW_TAKEN("input", "\"["),  [ACI_OR_OUTPUT] = ACI_ROW("output"),
    [ACI_OR_INSTRUCTIONS] = ACI_ROW("instructions"), [ACI_OR_MODEL] = ACI_ROW("model"),
    [ACI_OR_CREATED] = ACI_ROW("created_at"),
};
static const aci_table_row message[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_ID] = ACI_ROW_FIELD("id", ID),
    [ACI_OR_ROLE] = ACI_ROW_FIELD("role", ROLE),
    [ACI_OR_CONTENT] = ACI_ROW_TAKEN("content", "\"["),
};
static const aci_table_row call[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_CALL_ID] = ACI_ROW_FIELD("call_id", CALL_ID),
    [ACI_OR_CALL_NAME] = ACI_ROW_FIELD("name", FUNCTION),
    [ACI_OR_CALL_ARGUMENTS] = ACI_ROW_TAKEN("arguments", "\"{"),
};
/* A tool of the caller's own: text goes in. */
static const aci_table_row custom[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_CALL_ID] = ACI_ROW_FIELD("call_id", CALL_ID),
    [ACI_OR_CALL_NAME] = ACI_ROW_FIELD("name", FUNCTION),
    [ACI_OR_CALL_ARGUMENTS] = ACI_ROW_TAKEN("input", "\""),
};
static const aci_table_row result[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_RESULT_ID] = ACI_ROW_FIELD("call_id", CALL_ID),
    [ACI_OR_RESULT_NAME] = ACI_ROW_FIELD("name", FUNCTION),
    [ACI_OR_RESULT_OUTPUT] = ACI_ROW_TAKEN("output", "\"["),
};
static const aci_table_row reasoning[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_SUMMARY] = ACI_ROW("summary"),
    [ACI_OR_REASONING_TEXT] = ACI_ROW("content"),
    [ACI_OR_ENCRYPTED] = ACI_ROW_FIELD("encrypted_content", SIGNATURE),
};

const aci_object_table aci_openai_responses_document = ACI_ROWS(document);
const aci_object_table aci_openai_responses_message = ACI_ROWS(message);
const aci_object_table aci_openai_responses_call = ACI_ROWS(call);
const aci_object_table aci_openai_responses_custom = ACI_ROWS(custom);
const aci_object_table aci_openai_responses_result = ACI_ROWS(result);
const aci_object_table aci_openai_responses_reasoning = ACI_ROWS(reasoning);

/* ---- parts ------------------------------------------------------------------------------------------------------ */

static const aci_table_row text[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_TEXT] = ACI_ROW_FIELD("text", TEXT),
    [ACI_OR_ANNOTATIONS] = ACI_ROW("annotations"),
};
static const aci_table_row refusal[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_REFUSAL] = ACI_ROW_FIELD("refusal", TEXT),
};
static const aci_table_row image[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_IMAGE_URL] = ACI_ROW_TAKEN("image_url", "\""),
    [ACI_OR_IMAGE_FILE] = ACI_ROW_FIELD("file_id", FILE_ID),
};
static const aci_table_row file[] = {
    [ACI_OR_TYPE] = ACI_ROW("type"),
    [ACI_OR_FILE_ID] = ACI_ROW_FIELD("file_id", FILE_ID),
    [ACI_OR_FILE_DATA] = ACI_ROW_TAKEN("file_data", "\""),
    [ACI_OR_FILE_URL] = ACI_ROW_FIELD("file_url", URI),
    [ACI_OR_FILE_NAME] = ACI_ROW("filename"),
};
static const aci_table_row annotation[] = {
    ACI_ROW_FIELD("type", KIND),           ACI_ROW_FIELD("url", REFERENCE_ID),
    ACI_ROW_FIELD("title", TITLE),         ACI_ROW_FIELD("start_index", START_INDEX),
    ACI_ROW_FIELD("end_index", END_INDEX),
};

const aci_object_table aci_openai_responses_text = ACI_ROWS(text);
const aci_object_table aci_openai_responses_refusal = ACI_ROWS(refusal);
const aci_object_table aci_openai_responses_image = ACI_ROWS(image);
const aci_object_table aci_openai_responses_file = ACI_ROWS(file);
const aci_object_table aci_openai_responses_annotation = ACI_ROWS(annotation);

const char *const aci_openai_responses_annotations[ACI_OR_ANNOTATION_TYPES] = {"url_citation", "file_citation",
                                                                               "container_file_citation", "file_path"};

/* ---- turns ------------------------------------------------------------------------------------------------------ */

/* A turn says one thing at most, and thinks again only where it has called something. */
bool aci_openai_responses_goes_on(aci_responses_turn *turn, aci_responses_kind kind)
{
    bool goes_on = turn->is_open && kind != ACI_RESPONSES_ALONE && !(kind == ACI_RESPONSES_SAID && turn->has_said) &&
                   !(kind == ACI_RESPONSES_THOUGHT && turn->has_said && !turn->has_called);

    if (!goes_on)
        *turn = (aci_responses_turn){.is_open = kind != ACI_RESPONSES_ALONE};
    turn->has_said = turn->has_said || kind == ACI_RESPONSES_SAID;
    turn->has_called = turn->has_called || kind == ACI_RESPONSES_DONE;
    return goes_on;
}

static bool ends_with(agentchat_str word, agentchat_str end)
{
    return word.len > end.len && agentchat_str_equal((agentchat_str){word.ptr + word.len - end.len, end.len}, end);
}

const char *aci_openai_responses_role(agentchat_str type, aci_responses_kind *kind)
{
    bool is_tool_s =
        ends_with(type, AGENTCHAT_STR("_output")) || agentchat_str_equal(type, AGENTCHAT_STR("mcp_approval_response"));
    bool is_developer_s = agentchat_str_equal(type, AGENTCHAT_STR("additional_tools"));

    *kind = is_tool_s || is_developer_s                             ? ACI_RESPONSES_ALONE
            : agentchat_str_equal(type, AGENTCHAT_STR("reasoning")) ? ACI_RESPONSES_THOUGHT
                                                                    : ACI_RESPONSES_DONE;
    return is_tool_s ? "tool" : is_developer_s ? "developer" : "assistant";
}
