/* SPDX-License-Identifier: Apache-2.0 */
/* The names of Anthropic's Messages: one table for each object whose members are more than extras. */
#include "format/anthropic/anthropic.h"

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

const char aci_anthropic_name[10] = "anthropic";

/* ---- documents and messages ------------------------------------------------------------------------------------- */

static const aci_table_row body[] = {
    [ACI_AN_MESSAGES] = TAKEN("messages", "["),
    [ACI_AN_SYSTEM] = TAKEN("system", "\"["),
};
static const aci_table_row answer[] = {
    [ACI_AN_ANSWER_TYPE] = NAME("type"),
    [ACI_AN_ANSWER_ROLE] = FIELD("role", ROLE),
    [ACI_AN_ANSWER_CONTENT] = TAKEN("content", "\"["),
    [ACI_AN_ANSWER_ID] = FIELD("id", ID),
    [ACI_AN_ANSWER_MODEL] = FIELD("model", MODEL_ID),
    [ACI_AN_ANSWER_MESSAGES] = TAKEN("messages", "["),
};
static const aci_table_row message[] = {
    [ACI_AN_ROLE] = FIELD("role", ROLE), [ACI_AN_CONTENT] = TAKEN("content", "\"[")};

const aci_object_table aci_anthropic_body = TABLE(body);
const aci_object_table aci_anthropic_answer = TABLE(answer);
const aci_object_table aci_anthropic_message = TABLE(message);

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

static const aci_table_row text[] = {
    [ACI_AN_TYPE] = NAME("type"), [ACI_AN_TEXT] = FIELD("text", TEXT), [ACI_AN_CITATIONS] = NAME("citations")};
static const aci_table_row media[] = {[ACI_AN_TYPE] = NAME("type"), [ACI_AN_SOURCE] = NAME("source")};
static const aci_table_row use[] = {
    [ACI_AN_TYPE] = NAME("type"),
    [ACI_AN_USE_ID] = FIELD("id", CALL_ID),
    [ACI_AN_USE_NAME] = FIELD("name", FUNCTION),
    [ACI_AN_USE_INPUT] = FIELD("input", ARGUMENTS),
};
static const aci_table_row result[] = {
    [ACI_AN_TYPE] = NAME("type"),
    [ACI_AN_RESULT_ID] = FIELD("tool_use_id", CALL_ID),
    [ACI_AN_RESULT_CONTENT] = TAKEN("content", "\"["),
    [ACI_AN_RESULT_IS_ERROR] = FIELD("is_error", FAILED),
};
static const aci_table_row thinking[] = {
    [ACI_AN_TYPE] = NAME("type"),
    [ACI_AN_THINKING] = FIELD("thinking", TEXT),
    [ACI_AN_SIGNATURE] = FIELD("signature", SIGNATURE),
};
static const aci_table_row redacted[] = {[ACI_AN_TYPE] = NAME("type"), [ACI_AN_REDACTED] = FIELD("data", SIGNATURE)};
static const aci_table_row upload[] = {[ACI_AN_TYPE] = NAME("type"), [ACI_AN_UPLOAD_FILE] = FIELD("file_id", FILE_ID)};
static const aci_table_row source[] = {
    [ACI_AN_SOURCE_TYPE] = NAME("type"),
    [ACI_AN_SOURCE_MEDIA_TYPE] = FIELD("media_type", MIME_TYPE),
    [ACI_AN_SOURCE_DATA] = TAKEN("data", "\""),
    [ACI_AN_SOURCE_URL] = FIELD("url", URI),
    [ACI_AN_SOURCE_FILE] = FIELD("file_id", FILE_ID),
};

const aci_object_table aci_anthropic_text = TABLE(text);
const aci_object_table aci_anthropic_media = TABLE(media);
const aci_object_table aci_anthropic_use = TABLE(use);
const aci_object_table aci_anthropic_result = TABLE(result);
const aci_object_table aci_anthropic_thinking = TABLE(thinking);
const aci_object_table aci_anthropic_redacted = TABLE(redacted);
const aci_object_table aci_anthropic_upload = TABLE(upload);
const aci_object_table aci_anthropic_source = TABLE(source);

/* ---- citations -------------------------------------------------------------------------------------------------- */

#define RANGE(title, start, end)                                                                                       \
    {                                                                                                                  \
        FIELD("type", KIND), FIELD("cited_text", LABEL), FIELD(title, TITLE), FIELD(start, START_INDEX),               \
            FIELD(end, END_INDEX)                                                                                      \
    }

static const aci_table_row characters[] = RANGE("document_title", "start_char_index", "end_char_index");
static const aci_table_row pages[] = RANGE("document_title", "start_page_number", "end_page_number");
static const aci_table_row blocks[] = RANGE("document_title", "start_block_index", "end_block_index");
static const aci_table_row searched[] = {
    FIELD("type", KIND),           FIELD("cited_text", LABEL),
    FIELD("title", TITLE),         FIELD("start_block_index", START_INDEX),
    FIELD("source", REFERENCE_ID), FIELD("end_block_index", END_INDEX),
};
static const aci_table_row web[] = {FIELD("type", KIND), FIELD("cited_text", LABEL), FIELD("title", TITLE),
                                    FIELD("url", REFERENCE_ID)};

const aci_object_table *aci_anthropic_citation(agentchat_str type)
{
    static const struct {
        const char *type;
        aci_object_table table;
    } types[] = {
        {"char_location", TABLE(characters)},       {"page_location", TABLE(pages)},
        {"content_block_location", TABLE(blocks)},  {"search_result_location", TABLE(searched)},
        {"web_search_result_location", TABLE(web)},
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (agentchat_str_equal(type, agentchat_str_from(types[i].type)))
            return &types[i].table;
    return NULL;
}
