/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format openai-chat: the messages of OpenAI's Chat Completions, as a bare array, a request's body or an answer
 * (docs/formats/openai-chat.md). What the files of this folder share.
 */
#ifndef ACI_FORMAT_OPENAI_CHAT_OPENAI_CHAT_H
#define ACI_FORMAT_OPENAI_CHAT_OPENAI_CHAT_H

#include "format/kit/content.h"
#include "format/kit/format.h"
#include "format/kit/history.h"

extern const aci_format aci_openai_chat_format;
extern const char aci_openai_chat_name[12];

aci_chat_reader aci_openai_chat_read;
aci_chat_writer aci_openai_chat_write;

/* ---- names ------------------------------------------------------------------------------------------------------ */

enum {
    ACI_OC_ROLE,
    ACI_OC_CONTENT,
    ACI_OC_NAME,
    ACI_OC_REFUSAL,
    ACI_OC_TOOL_CALLS,
    ACI_OC_TOOL_CALL_ID,
    ACI_OC_FUNCTION_CALL,
    ACI_OC_REASONING,
    ACI_OC_ANNOTATIONS,
    ACI_OC_CACHE,
    ACI_OC_REASONING_TEXT,
    ACI_OC_REASONING_DETAILS,
    ACI_OC_THINKING_BLOCKS
};
enum { ACI_OC_TYPE, ACI_OC_TEXT, ACI_OC_PART_REFUSAL, ACI_OC_IMAGE, ACI_OC_AUDIO, ACI_OC_FILE, ACI_OC_PART_CACHE };
enum { ACI_OC_IMAGE_URL };
enum { ACI_OC_AUDIO_DATA, ACI_OC_AUDIO_FORMAT };
enum { ACI_OC_FILE_ID, ACI_OC_FILE_DATA, ACI_OC_FILE_NAME };
enum { ACI_OC_CALL_ID, ACI_OC_CALL_TYPE, ACI_OC_CALL_FUNCTION, ACI_OC_CALL_CUSTOM };
enum { ACI_OC_FUNCTION_NAME, ACI_OC_FUNCTION_ARGUMENTS };
enum { ACI_OC_ANNOTATION_TYPE, ACI_OC_ANNOTATION_URL };
enum { ACI_OC_MESSAGES, ACI_OC_CHOICES, ACI_OC_MODEL, ACI_OC_CREATED };
enum { ACI_OC_CHOICE_MESSAGE };
extern const aci_object_table aci_openai_chat_message, aci_openai_chat_part, aci_openai_chat_image,
    aci_openai_chat_audio, aci_openai_chat_file, aci_openai_chat_call, aci_openai_chat_function, aci_openai_chat_custom,
    aci_openai_chat_annotation, aci_openai_chat_citation, aci_openai_chat_document, aci_openai_chat_choice;

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* An element of `content`, `tool_calls` or `annotations`; the older `function_call`, which is a member of a message. */
aci_part_reader aci_openai_chat_read_part, aci_openai_chat_read_call, aci_openai_chat_read_annotation,
    aci_openai_chat_read_function_call;

/* Signed reasoning of gateways; it comes before the other items. */
bool aci_openai_chat_read_signed(aci_object *o, aci_items *items);
void aci_openai_chat_write_signed(aci_object_out *o, const agentchat_message *message);
bool aci_openai_chat_is_signed(const agentchat_item *item);

aci_part_writer aci_openai_chat_write_part, aci_openai_chat_write_call, aci_openai_chat_write_annotation,
    aci_openai_chat_write_function;

#endif
