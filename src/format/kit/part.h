/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a content as items of a message. */
#ifndef ACI_FORMAT_KIT_PART_H
#define ACI_FORMAT_KIT_PART_H

#include "format/kit/object.h"
#include "format/kit/out.h"

/* Reads a part of a content and adds what it is: an item, perhaps more. */
typedef bool aci_part_reader(aci_raw_reader *a, const aci_location *path, agentchat_str raw, aci_items *items);
/* Refuses what stands there: as a library's, which is given or of which the document has a mark, else by a sentence. */
bool aci_part_refuse(aci_raw_reader *a, const aci_location *path, agentchat_str raw, const char *library,
                     const char *sentence);
/* The type of a part, a raw string; refused: a part without one, and one of a library that no format here reads. */
bool aci_part_type(aci_raw_reader *a, const aci_location *path, agentchat_str raw, agentchat_str *type);
/* Adds a part that is kept as it stands, with its `type`, if that is a string; _in: with a form mark. */
bool aci_part_keep(aci_raw_reader *a, agentchat_str raw, aci_items *items);
bool aci_part_keep_in(aci_raw_reader *a, agentchat_str raw, agentchat_str form, aci_items *items);
bool aci_part_keep_as(aci_raw_reader *a, agentchat_str raw, agentchat_str type,
                      aci_items *items); /* type: absent: none */
/* Give an item its data, of which one is absent, or a result its content. item NULL: NULL. */
agentchat_item *aci_part_with_data(aci_raw_reader *a, agentchat_item *item, agentchat_str base64, agentchat_str bytes);
agentchat_item *aci_part_with_content(aci_raw_reader *a, agentchat_item *item, const aci_items *content);
/* Reads the elements of an array, which is the value of a row. */
bool aci_part_read_all(aci_object *o, uint32_t row, aci_items *items, aci_part_reader *read);

/* Writes an opaque item of the format's own as it stood, unless a reader would refuse it; false: it is not written.
   What the reader makes something else of is reported. */
bool aci_part_write_opaque(aci_out *out, const aci_location *path, const agentchat_item *item, aci_part_reader *read);
/* Reports that an item of a list was left out, where what is left of the list is read back otherwise. */
void aci_part_lost(aci_out *out, const aci_location *list, size_t index);
/* Writes the item at an index. list: location of the items. */
typedef void aci_part_writer(aci_out *out, const aci_location *list, const agentchat_message *message, size_t index);
/* Whether an item stands in the content of a message. */
typedef bool aci_part_test(const agentchat_item *item);
/* Writes the content of a result. path: of the result. */
void aci_part_write_content(aci_out *out, const aci_location *path, const agentchat_message *content,
                            aci_part_writer *write);
/* Writes items as an array. list: their location; is_part NULL: all. */
void aci_part_write_all(aci_out *out, const aci_location *list, const agentchat_message *message,
                        aci_part_test *is_part, aci_part_writer *write);

#endif
