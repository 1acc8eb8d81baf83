/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format openai-responses: the items of OpenAI's Responses, as a bare array, a request's body or an answer
 * (docs/formats/openai-responses.md). What the files of this folder share.
 *
 * Items are smaller than messages: what the assistant thinks, says and calls in a row are the items of one message.
 */
#ifndef ACI_FORMAT_OPENAI_RESPONSES_OPENAI_RESPONSES_H
#define ACI_FORMAT_OPENAI_RESPONSES_OPENAI_RESPONSES_H

#include "format/kit/content.h"
#include "format/kit/format.h"
#include "format/kit/history.h"

extern const aci_format aci_openai_responses_format;
extern const char aci_openai_responses_name[17];

aci_chat_reader aci_openai_responses_read;
aci_chat_writer aci_openai_responses_write;

/* ---- names ------------------------------------------------------------------------------------------------------ */

enum { ACI_OR_INPUT, ACI_OR_OUTPUT, ACI_OR_INSTRUCTIONS, ACI_OR_MODEL, ACI_OR_CREATED };
enum { ACI_OR_TYPE }; /* the first row of all that follow */
enum { ACI_OR_ID = 1, ACI_OR_ROLE, ACI_OR_CONTENT };
enum { ACI_OR_CALL_ID = 1, ACI_OR_CALL_NAME, ACI_OR_CALL_ARGUMENTS };
enum { ACI_OR_RESULT_ID = 1, ACI_OR_RESULT_NAME, ACI_OR_RESULT_OUTPUT };
enum { ACI_OR_SUMMARY = 1, ACI_OR_REASONING_TEXT, ACI_OR_ENCRYPTED };
extern const aci_object_table aci_openai_responses_document, aci_openai_responses_message, aci_openai_responses_call,
    aci_openai_responses_custom, aci_openai_responses_result, aci_openai_responses_reasoning;

enum { ACI_OR_TEXT = 1, ACI_OR_ANNOTATIONS };
enum { ACI_OR_REFUSAL = 1 };
enum { ACI_OR_IMAGE_URL = 1, ACI_OR_IMAGE_FILE };
enum { ACI_OR_FILE_ID = 1, ACI_OR_FILE_DATA, ACI_OR_FILE_URL, ACI_OR_FILE_NAME };
extern const aci_object_table aci_openai_responses_text, aci_openai_responses_refusal, aci_openai_responses_image,
    aci_openai_responses_file, aci_openai_responses_annotation;

/* The types of annotations. */
enum { ACI_OR_ANNOTATION_TYPES = 4 };
extern const char *const aci_openai_responses_annotations[ACI_OR_ANNOTATION_TYPES];

/* ---- items ------------------------------------------------------------------------------------------------------ */

/* What an item is for the message that it belongs to. */
typedef enum aci_responses_kind {
    ACI_RESPONSES_ALONE, /* a message of its own: of the user or the system, an output */
    ACI_RESPONSES_SAID,  /* a message of the assistant */
    ACI_RESPONSES_THOUGHT,
    ACI_RESPONSES_DONE /* a call, or what a tool of theirs did */
} aci_responses_kind;

/* The message of the assistant that is being read: which items stand in it. */
typedef struct aci_responses_turn {
    bool is_open, has_said, has_called;
} aci_responses_turn;

/* Whether an item goes on with the message before it. */
bool aci_openai_responses_goes_on(aci_responses_turn *turn, aci_responses_kind kind);

/* The role of the message that an item of a type belongs to, and what it is for that. */
const char *aci_openai_responses_role(agentchat_str type, aci_responses_kind *kind);

/* Any item but a message. */
aci_part_reader aci_openai_responses_read_item;

/* Parts of messages of the assistant, and of all others; those of results are the latter. */
aci_part_reader aci_openai_responses_read_output, aci_openai_responses_read_input;
aci_part_writer aci_openai_responses_write_output, aci_openai_responses_write_input;
/* Whether an item stands in the content of a message. */
aci_part_test aci_openai_responses_is_part;

#endif
