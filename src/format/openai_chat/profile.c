/* SPDX-License-Identifier: Apache-2.0 */
/* What OpenAI's Chat Completions refuse of a history. */
#include "format/openai_chat/openai_chat.h"

static const agentchat_repair_row rows[] = {
    {AGENTCHAT_REPAIR_CALL_ALONE, false, "\"tool_calls\" must be followed by tool messages responding to each id"},
    {AGENTCHAT_REPAIR_RESULT_ELSEWHERE, false,
     "\"tool_calls\" must be followed by tool messages responding to each id"},
    {AGENTCHAT_REPAIR_RESULT_ALONE, false,
     "role \"tool\" must be a response to a preceding message with \"tool_calls\""},
    {AGENTCHAT_REPAIR_RESULT_TWICE, false, "duplicate value for \"tool_call_id\""},
    {AGENTCHAT_REPAIR_ID_TWICE, false, "duplicate value for \"tool_call_id\""},
    {AGENTCHAT_REPAIR_ID_FORM, false, "an id has 1 to 40 characters"},
    {AGENTCHAT_REPAIR_NAME_FORM, false, "names match ^[a-zA-Z0-9_-]{1,64}$"},
    {AGENTCHAT_REPAIR_EMPTY, false, "an assistant's message has a content or calls"},
};

const agentchat_repair_profile aci_openai_chat_profile = {.struct_size = sizeof(agentchat_repair_profile),
                                                          .name = "openai-chat",
                                                          .rows = rows,
                                                          .row_count = sizeof rows / sizeof *rows,
                                                          .result_role = "tool",
                                                          .id_most = 40,
                                                          .name_most = 64,
                                                          .any_id = true};
