/* SPDX-License-Identifier: Apache-2.0 */
/* The names of Anthropic's Messages: one table for each object whose members are more than extras. */
#include "format/anthropic/anthropic.h"

const char aci_anthropic_name[10] = "anthropic";

/* ---- documents and messages ------------------------------------------------------------------------------------- */

static const aci_table_row body[] = {
    [ACI_AN_MESSAGES] = ACI_ROW_TAKEN("messages", "["),
    [ACI_AN_SYSTEM] = ACI_ROW_TAKEN("system", "\"["),
};
static const aci_table_row answer[] = {
    [ACI_AN_ANSWER_TYPE] = ACI_ROW("type"),
    [ACI_AN_ANSWER_ROLE] = ACI_ROW_FIELD("role", ROLE),
    [ACI_AN_ANSWER_CONTENT] = ACI_ROW_TAKEN("content", "\"["),
    [ACI_AN_ANSWER_ID] = ACI_ROW_FIELD("id", ID),
    [ACI_AN_ANSWER_MODEL] = ACI_ROW_FIELD("model", MODEL_ID),
    [ACI_AN_ANSWER_MESSAGES] = ACI_ROW_TAKEN("messages", "["),
};
static const aci_table_row message[] = {
    [ACI_AN_ROLE] = ACI_ROW_FIELD("role", ROLE), [ACI_AN_CONTENT] = ACI_ROW_TAKEN("content", "\"[")};

const aci_object_table aci_anthropic_body = ACI_ROWS(body);
const aci_object_table aci_anthropic_answer = ACI_ROWS(answer);
const aci_object_table aci_anthropic_message = ACI_ROWS(message);

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

static const aci_table_row text[] = {[ACI_AN_TYPE] = ACI_ROW("type"),
                                     [ACI_AN_TEXT] = ACI_ROW_FIELD("text", TEXT),
                                     [ACI_AN_CITATIONS] = ACI_ROW("citations"),
                                     [ACI_AN_TEXT_CACHE] = ACI_ROW_SHARED("cache_control")};
static const aci_table_row media[] = {[ACI_AN_TYPE] = ACI_ROW("type"),
                                      [ACI_AN_SOURCE] = ACI_ROW("source"),
                                      [ACI_AN_TITLE] = ACI_ROW("title"),
                                      [ACI_AN_MEDIA_CACHE] = ACI_ROW_SHARED("cache_control")};
static const aci_table_row use[] = {
    [ACI_AN_TYPE] = ACI_ROW("type"),
    [ACI_AN_USE_ID] = ACI_ROW_FIELD("id", CALL_ID),
    [ACI_AN_USE_NAME] = ACI_ROW_FIELD("name", FUNCTION),
    [ACI_AN_USE_INPUT] = ACI_ROW_FIELD("input", ARGUMENTS),
    [ACI_AN_USE_CACHE] = ACI_ROW_SHARED("cache_control"),
};
static const aci_table_row result[] = {
    [ACI_AN_TYPE] = ACI_ROW("type"),
    [ACI_AN_RESULT_ID] = ACI_ROW_FIELD("tool_use_id", CALL_ID),
    [ACI_AN_RESULT_CONTENT] = ACI_ROW_TAKEN("content", "\"["),
    [ACI_AN_RESULT_IS_ERROR] = ACI_ROW_FIELD("is_error", FAILED),
    [ACI_AN_RESULT_CACHE] = ACI_ROW_SHARED("cache_control"),
};
static const aci_table_row thinking[] = {
    [ACI_AN_TYPE] = ACI_ROW("type"),
    [ACI_AN_THINKING] = ACI_ROW_FIELD("thinking", TEXT),
    [ACI_AN_SIGNATURE] = ACI_ROW_FIELD("signature", SIGNATURE),
};
static const aci_table_row redacted[] = {
    [ACI_AN_TYPE] = ACI_ROW("type"), [ACI_AN_REDACTED] = ACI_ROW_FIELD("data", SIGNATURE)};
static const aci_table_row upload[] = {
    [ACI_AN_TYPE] = ACI_ROW("type"), [ACI_AN_UPLOAD_FILE] = ACI_ROW_FIELD("file_id", FILE_ID)};
static const aci_table_row source[] = {
    [ACI_AN_SOURCE_TYPE] = ACI_ROW("type"),
    [ACI_AN_SOURCE_MEDIA_TYPE] = ACI_ROW_FIELD("media_type", MIME_TYPE),
    [ACI_AN_SOURCE_DATA] = ACI_ROW_TAKEN("data", "\""),
    [ACI_AN_SOURCE_URL] = ACI_ROW_FIELD("url", URI),
    [ACI_AN_SOURCE_FILE] = ACI_ROW_FIELD("file_id", FILE_ID),
};

const aci_object_table aci_anthropic_text = ACI_ROWS(text);
const aci_object_table aci_anthropic_media = ACI_ROWS(media);
const aci_object_table aci_anthropic_use = ACI_ROWS(use);
const aci_object_table aci_anthropic_result = ACI_ROWS(result);
const aci_object_table aci_anthropic_thinking = ACI_ROWS(thinking);
const aci_object_table aci_anthropic_redacted = ACI_ROWS(redacted);
const aci_object_table aci_anthropic_upload = ACI_ROWS(upload);
const aci_object_table aci_anthropic_source = ACI_ROWS(source);

/* ---- citations -------------------------------------------------------------------------------------------------- */

#define RANGE(title, start, end)                                                                                       \
    {                                                                                                                  \
        ACI_ROW_FIELD("type", KIND), ACI_ROW_FIELD("cited_text", LABEL), ACI_ROW_FIELD(title, TITLE),                  \
            ACI_ROW_FIELD(start, START_INDEX), ACI_ROW_FIELD(end, END_INDEX)                                           \
    }

static const aci_table_row characters[] = RANGE("document_title", "start_char_index", "end_char_index");
static const aci_table_row pages[] = RANGE("document_title", "start_page_number", "end_page_number");
static const aci_table_row blocks[] = RANGE("document_title", "start_block_index", "end_block_index");
static const aci_table_row searched[] = {
    ACI_ROW_FIELD("type", KIND),           ACI_ROW_FIELD("cited_text", LABEL),
    ACI_ROW_FIELD("title", TITLE),         ACI_ROW_FIELD("start_block_index", START_INDEX),
    ACI_ROW_FIELD("source", REFERENCE_ID), ACI_ROW_FIELD("end_block_index", END_INDEX),
};
static const aci_table_row web[] = {ACI_ROW_FIELD("type", KIND), ACI_ROW_FIELD("cited_text", LABEL),
                                    ACI_ROW_FIELD("title", TITLE), ACI_ROW_FIELD("url", REFERENCE_ID)};

const aci_object_table *aci_anthropic_citation(agentchat_str type)
{
    static const struct {
        const char *type;
        aci_object_table table;
    } types[] = {
        {"char_location", ACI_ROWS(characters)},       {"page_location", ACI_ROWS(pages)},
        {"content_block_location", ACI_ROWS(blocks)},  {"search_result_location", ACI_ROWS(searched)},
        {"web_search_result_location", ACI_ROWS(web)},
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (agentchat_str_equal(type, agentchat_str_from(types[i].type)))
            return &types[i].table;
    return NULL;
}
