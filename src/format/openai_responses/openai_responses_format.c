/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's Responses, as the registry lists them, and what they refuse. */
#include "format/openai_responses/openai_responses.h"

#include "format/kit/marks.h"

static aci_likeness probe(const char *data, size_t len)
{
    return aci_marks_probe(ACI_MARKED_OPENAI_RESPONSES, data, len) == ACI_CERTAIN ? ACI_CERTAIN : ACI_UNLIKE;
}

/* What the provider refuses of a history, and what it says then. */
static const agentchat_repair_row rows[] = {
    {AGENTCHAT_REPAIR_CALL_ALONE, false, "No tool output found for function call"},
    {AGENTCHAT_REPAIR_RESULT_ALONE, false, "No tool call found for function call output"},
    {AGENTCHAT_REPAIR_RESULT_ELSEWHERE, false, "No tool call found for function call output"},
    {AGENTCHAT_REPAIR_RESULT_TWICE, false, "a call has one output"},
    {AGENTCHAT_REPAIR_ID_TWICE, false, "a call has one output"},
    {AGENTCHAT_REPAIR_ID_FORM, false, "call_id: string too long"},
    {AGENTCHAT_REPAIR_NAME_FORM, false, "names match ^[a-zA-Z0-9_-]{1,128}$"},
    {AGENTCHAT_REPAIR_EMPTY, false, "a message has a content"},
    {AGENTCHAT_REPAIR_MEDIA, false,
     "images are png, jpeg, gif or webp, data of a file is a PDF or a text, and there is no audio"},
    {AGENTCHAT_REPAIR_ITEM_ROLE, false, "messages of the assistant take output_text and refusal"},
    {AGENTCHAT_REPAIR_REASONING, false,
     "reasoning needs the encrypted content that it was given, and the item that followed it"},
};

static const agentchat_repair_media media[] = {
    {AGENTCHAT_ITEM_IMAGE, "image/png", NULL}, {AGENTCHAT_ITEM_IMAGE, "image/jpeg", NULL},
    {AGENTCHAT_ITEM_IMAGE, "image/gif", NULL}, {AGENTCHAT_ITEM_IMAGE, "image/webp", NULL},
    {AGENTCHAT_ITEM_IMAGE, NULL, NULL},        {AGENTCHAT_ITEM_BINARY, "application/pdf", NULL},
    {AGENTCHAT_ITEM_BINARY, "text/csv", NULL}, {AGENTCHAT_ITEM_BINARY, "text/plain", NULL},
    {AGENTCHAT_ITEM_BINARY, NULL, NULL},       {AGENTCHAT_ITEM_FILE, NULL, NULL},
};

static const agentchat_repair_profile profile = {.struct_size = sizeof(agentchat_repair_profile),
                                                 .name = "openai-responses",
                                                 .rows = rows,
                                                 .row_count = sizeof rows / sizeof *rows,
                                                 .result_role = "tool",
                                                 .issuer = "openai-responses",
                                                 .id_most = 64,
                                                 .name_most = 128,
                                                 .any_id = true,
                                                 .takes_empty_results = true,
                                                 .results_anywhere = true,
                                                 .media_in_results = true,
                                                 .media = media,
                                                 .media_count = sizeof media / sizeof *media,
                                                 .item_id = "id"};

const aci_format aci_openai_responses_format = {
    .about = {.name = aci_openai_responses_name,
              .summary = "items of OpenAI's Responses: an array, a request or an answer",
              .reads = AGENTCHAT_HOLDS_HISTORY,
              .writes = AGENTCHAT_HOLDS_HISTORY,
              .has_strict = true},
    .read_chat = aci_openai_responses_read,
    .write_chat = aci_openai_responses_write,
    .probe_chat = probe,
    .profile = &profile,
    .messages_in = "input",
};
