/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the formats of providers have in common: a document that is a history, and messages whose content is a string or
 * an array of parts. A string and one text part mean the same; the form mark says which it was where the writer would
 * choose the other.
 */
#ifndef ACI_FORMAT_KIT_HISTORY_H
#define ACI_FORMAT_KIT_HISTORY_H

#include "format/kit/object.h"
#include "format/kit/object_out.h"

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* A document being read. */
typedef struct aci_history_in {
    aci_raw_reader a;
    uint64_t most; /* messages */
    agentchat_message **messages;
    size_t count, cap;
    aci_extras *extras; /* of the chat */
    agentchat_str form; /* the chat's form mark */
} aci_history_in;

/* Reads the document's value; false after a failure. */
typedef bool aci_history_reader(aci_history_in *h, agentchat_str raw);
agentchat_status aci_history_read(const aci_read *in, const char *name, aci_history_reader *read,
                                  agentchat_snapshot **out, agentchat_error *err);
bool aci_history_add(aci_history_in *h, agentchat_message *message); /* message NULL: false */
/* Reads the elements of an array, each as a message. */
typedef agentchat_message *aci_message_reader(aci_raw_reader *a, const aci_location *path, agentchat_str raw);
bool aci_history_add_all(aci_history_in *h, const aci_location *path, agentchat_str raw, aci_message_reader *read);

/* Reads a part of a content as an item; NULL after a failure. */
typedef agentchat_item *aci_part_reader(aci_raw_reader *a, const aci_location *path, agentchat_str raw);
/* A part that is kept as it stands. type: absent when it has none. */
agentchat_item *aci_part_opaque(aci_raw_reader *a, agentchat_str type, agentchat_str raw);
/* Gives an image, audio or binary item its data, base64; item NULL: NULL. */
agentchat_item *aci_part_with_data(aci_raw_reader *a, agentchat_item *item, agentchat_str base64);
/* Adds the elements of an array, which is the value of a row, as items. */
bool aci_parts_read(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read);
/* The same of a content, which may be a string, too; anything else is left where it is. */
bool aci_content_read(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read);

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* Writes an opaque item of the format's own as it stood; false: it is no such item. */
bool aci_part_write_opaque(aci_out *out, const agentchat_item *item);

typedef void aci_part_writer(aci_out *out, const aci_location *path, const agentchat_item *item);
/* Whether an item stands in the content of a message. */
typedef bool aci_part_test(const agentchat_item *item);
/* Whether there is one such item and it is nothing but a text. */
bool aci_content_is_plain(const agentchat_message *message, aci_part_test *is_part);
/* Writes items as an array. list: their location; is_part NULL: all. */
void aci_parts_write(aci_out *out, const aci_location *list, const agentchat_message *message, aci_part_test *is_part,
                     aci_part_writer *write);
/* Writes a content: one plain text as a string, else an array, or as the form mark has it. path: of the message.
   Without any item nothing is written where nothing stood, or something else; false then, when the format has to say.
 */
bool aci_content_write(aci_object_out *o, uint32_t row, const agentchat_message *message, aci_part_test *is_part,
                       aci_part_writer *write);

#endif
