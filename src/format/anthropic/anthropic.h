/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format anthropic: Anthropic's Messages, as a request's body, an answer or a bare array of messages
 * (docs/formats/anthropic.md). What the files of this folder share.
 */
#ifndef ACI_FORMAT_ANTHROPIC_ANTHROPIC_H
#define ACI_FORMAT_ANTHROPIC_ANTHROPIC_H

#include "format/kit/content.h"
#include "format/kit/format.h"
#include "format/kit/history.h"

extern const aci_format aci_anthropic_format;
extern const char aci_anthropic_name[10];

aci_chat_reader aci_anthropic_read;
aci_chat_writer aci_anthropic_write;

/* ---- names ------------------------------------------------------------------------------------------------------ */

enum { ACI_AN_MESSAGES, ACI_AN_SYSTEM };
enum {
    ACI_AN_ANSWER_TYPE,
    ACI_AN_ANSWER_ROLE,
    ACI_AN_ANSWER_CONTENT,
    ACI_AN_ANSWER_ID,
    ACI_AN_ANSWER_MODEL,
    ACI_AN_ANSWER_MESSAGES /* which would make a body of it */
};
enum { ACI_AN_ROLE, ACI_AN_CONTENT };
extern const aci_object_table aci_anthropic_body, aci_anthropic_answer, aci_anthropic_message;

/* Blocks, each of whose tables begins with its type. */
enum { ACI_AN_TYPE };
enum { ACI_AN_TEXT = 1, ACI_AN_CITATIONS, ACI_AN_TEXT_CACHE };
enum { ACI_AN_SOURCE = 1, ACI_AN_TITLE, ACI_AN_MEDIA_CACHE };
enum { ACI_AN_USE_ID = 1, ACI_AN_USE_NAME, ACI_AN_USE_INPUT, ACI_AN_USE_CACHE };
enum { ACI_AN_RESULT_ID = 1, ACI_AN_RESULT_CONTENT, ACI_AN_RESULT_IS_ERROR, ACI_AN_RESULT_CACHE };
enum { ACI_AN_THINKING = 1, ACI_AN_SIGNATURE };
enum { ACI_AN_REDACTED = 1 };
enum { ACI_AN_UPLOAD_FILE = 1 };
extern const aci_object_table aci_anthropic_text, aci_anthropic_media, aci_anthropic_use, aci_anthropic_result,
    aci_anthropic_thinking, aci_anthropic_redacted, aci_anthropic_upload;

enum { ACI_AN_SOURCE_TYPE, ACI_AN_SOURCE_MEDIA_TYPE, ACI_AN_SOURCE_DATA, ACI_AN_SOURCE_URL, ACI_AN_SOURCE_FILE };
extern const aci_object_table aci_anthropic_source;

/* The names of a citation of a type, which is the first row; NULL: no such type. */
const aci_object_table *aci_anthropic_citation(agentchat_str type);

/* ---- blocks ----------------------------------------------------------------------------------------------------- */

/* Any block; one of a result, which is no result itself. */
aci_part_reader aci_anthropic_read_block, aci_anthropic_read_block_of_result;
aci_part_writer aci_anthropic_write_block;

#endif
