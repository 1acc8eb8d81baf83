/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's Chat Completions, as the registry lists them, and what they refuse. */
#include "format/openai_chat/openai_chat.h"

#include "format/kit/marks.h"

static aci_likeness probe(const char *data, size_t len)
{
    return aci_marks_probe(ACI_MARKED_OPENAI_CHAT, data, len);
}

/* What the provider refuses of a history, and what it says then. */
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
    {AGENTCHAT_REPAIR_EMPTY, false, "a message has a content, and an assistant's one or calls"},
    {AGENTCHAT_REPAIR_MEDIA, false, "images are png, jpeg, gif or webp, audio wav or mp3, data of a file is a PDF"},
    {AGENTCHAT_REPAIR_ITEM_ROLE, false, "images, audio and files stand in messages of the user"},
    {AGENTCHAT_REPAIR_AUTHOR, false, "a name matches ^[^\\s<|\\\\/>]+$ and has at most 64 characters"},
    {AGENTCHAT_REPAIR_FORM, false, "arguments are a text, and a file with data has a filename"},
    {AGENTCHAT_REPAIR_ARGUMENTS, true, "other servers of this format refuse arguments that are no object"},
};

static const agentchat_repair_media media[] = {
    {AGENTCHAT_ITEM_IMAGE, "image/png", NULL},  {AGENTCHAT_ITEM_IMAGE, "image/jpeg", NULL},
    {AGENTCHAT_ITEM_IMAGE, "image/gif", NULL},  {AGENTCHAT_ITEM_IMAGE, "image/webp", NULL},
    {AGENTCHAT_ITEM_IMAGE, NULL, NULL},         {AGENTCHAT_ITEM_AUDIO, "audio/wav", NULL},
    {AGENTCHAT_ITEM_AUDIO, "audio/mpeg", NULL}, {AGENTCHAT_ITEM_BINARY, "application/pdf", NULL},
    {AGENTCHAT_ITEM_FILE, NULL, NULL},
};
static const agentchat_repair_form forms[] = {{"arguments", "object"}, {"filename", "absent"}};

static const agentchat_repair_profile profile = {.struct_size = sizeof(agentchat_repair_profile),
                                                 .name = "openai-chat",
                                                 .rows = rows,
                                                 .row_count = sizeof rows / sizeof *rows,
                                                 .result_role = "tool",
                                                 .id_most = 40,
                                                 .name_most = 64,
                                                 .any_id = true,
                                                 .media = media,
                                                 .media_count = sizeof media / sizeof *media,
                                                 .forms = forms,
                                                 .form_count = sizeof forms / sizeof *forms,
                                                 .author_without = "<|\\/>"};

const aci_format aci_openai_chat_format = {
    .about = {.name = aci_openai_chat_name,
              .summary = "messages of OpenAI's Chat Completions: an array, a request or an answer",
              .reads = AGENTCHAT_HOLDS_HISTORY,
              .writes = AGENTCHAT_HOLDS_HISTORY,
              .has_strict = true},
    .read_chat = aci_openai_chat_read,
    .write_chat = aci_openai_chat_write,
    .probe_chat = probe,
    .profile = &profile,
    .messages_in = "messages",
};
