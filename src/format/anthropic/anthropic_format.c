/* SPDX-License-Identifier: Apache-2.0 */
/* Anthropic's Messages, as the registry lists them, and what they refuse. */
#include "format/anthropic/anthropic.h"

#include "format/kit/marks.h"

static aci_likeness probe(const char *data, size_t len)
{
    return aci_marks_probe(ACI_MARKED_ANTHROPIC, data, len);
}

/* What the provider refuses of a history, and what it says then. */
static const agentchat_repair_row rows[] = {
    {AGENTCHAT_REPAIR_CALL_ALONE, false, "tool_use ids were found without tool_result blocks immediately after"},
    {AGENTCHAT_REPAIR_RESULT_ELSEWHERE, false, "tool_use ids were found without tool_result blocks immediately after"},
    {AGENTCHAT_REPAIR_RESULT_ALONE, false, "unexpected tool_use_id found in tool_result blocks"},
    {AGENTCHAT_REPAIR_RESULT_TWICE, false, "each tool_use must have a single result"},
    {AGENTCHAT_REPAIR_ID_TWICE, false, "tool_use ids must be unique"},
    {AGENTCHAT_REPAIR_ID_FORM, false, "ids match ^[a-zA-Z0-9_-]+$"},
    {AGENTCHAT_REPAIR_NAME_FORM, false, "names match ^[a-zA-Z0-9_-]{1,64}$"},
    {AGENTCHAT_REPAIR_EMPTY, false, "all messages must have non-empty content"},
    {AGENTCHAT_REPAIR_EMPTY_TEXT, false, "text content blocks must be non-empty"},
    {AGENTCHAT_REPAIR_ARGUMENTS, false, "tool_use.input should be an object"},
    {AGENTCHAT_REPAIR_RESULT_ROLE, false, "there is no role \"tool\": results stand in the next user message"},
    {AGENTCHAT_REPAIR_SYSTEM, false, "there is no role \"system\" among the messages"},
    {AGENTCHAT_REPAIR_REASONING, false, "thinking needs the signature that it was given"},
    {AGENTCHAT_REPAIR_WHITESPACE_TEXT, false, "text content blocks must contain non-whitespace text"},
    {AGENTCHAT_REPAIR_MEDIA, false, "an image is jpeg, png, gif or webp, a document is a PDF or a text"},
    {AGENTCHAT_REPAIR_ITEM_ROLE, false, "images and documents stand in messages of the user"},
    {AGENTCHAT_REPAIR_FORM, false, "cache_control stands in blocks"},
    {AGENTCHAT_REPAIR_SAME_ROLE, true, "the documentation has user and assistant alternate"},
    {AGENTCHAT_REPAIR_FIRST, true, "the documentation has the user speak first"},
};

static const agentchat_repair_media media[] = {
    {AGENTCHAT_ITEM_IMAGE, "image/jpeg", NULL},
    {AGENTCHAT_ITEM_IMAGE, "image/png", NULL},
    {AGENTCHAT_ITEM_IMAGE, "image/gif", NULL},
    {AGENTCHAT_ITEM_IMAGE, "image/webp", NULL},
    {AGENTCHAT_ITEM_BINARY, "application/pdf", NULL},
    {AGENTCHAT_ITEM_BINARY, "text/plain", "source"},
    {AGENTCHAT_ITEM_IMAGE, NULL, NULL},
    {AGENTCHAT_ITEM_BINARY, NULL, NULL},
    {AGENTCHAT_ITEM_FILE, NULL, NULL},
};

static const agentchat_repair_profile profile = {.struct_size = sizeof(agentchat_repair_profile),
                                                 .name = "anthropic",
                                                 .rows = rows,
                                                 .row_count = sizeof rows / sizeof *rows,
                                                 .result_role = "user",
                                                 .issuer = "anthropic",
                                                 .id_most = 64,
                                                 .name_most = 64,
                                                 .has_failed = true,
                                                 .takes_empty_answer = true,
                                                 .takes_empty_results = true,
                                                 .media_in_results = true,
                                                 .item_extra = "cache_control",
                                                 .media = media,
                                                 .media_count = sizeof media / sizeof *media};

const aci_format aci_anthropic_format = {
    .about = {.name = aci_anthropic_name,
              .summary = "messages of Anthropic's Messages: a request, an answer or an array",
              .reads = AGENTCHAT_HOLDS_HISTORY,
              .writes = AGENTCHAT_HOLDS_HISTORY,
              .has_strict = true},
    .read_chat = aci_anthropic_read,
    .write_chat = aci_anthropic_write,
    .probe_chat = probe,
    .profile = &profile,
    .messages_in = "messages",
};
