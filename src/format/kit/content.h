/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The content of a message: a string or an array of parts. A string and one text part mean the same; the form mark says
 * which it was where the writer would choose the other.
 */
#ifndef ACI_FORMAT_KIT_CONTENT_H
#define ACI_FORMAT_KIT_CONTENT_H

#include "format/kit/object_out.h"
#include "format/kit/part.h"

/* Whether an object that was begun is a message: it has a role that is a text, and in the row a content that is a text,
   null or parts; no content is enough with may_lack. What is a library's that no format here reads is refused
   by its name. raw: the object. */
bool aci_content_check_message(aci_object *o, agentchat_str raw, uint32_t row, bool may_lack);
/* Reads a content, which is the value of a row; anything else is left where it is. */
bool aci_content_read(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read);

/* Whether there is one such item and it is nothing but a text. */
bool aci_content_is_plain(const agentchat_message *message, aci_part_test *is_part);
/* Writes a content: one plain text as a string, else an array, or as the form mark has it. path: of the message.
   Without any item nothing is written where nothing stood, or something else; false then, when the format has to say.
 */
bool aci_content_write(aci_object_out *o, uint32_t row, const agentchat_message *message, aci_part_test *is_part,
                       aci_part_writer *write);

#endif
