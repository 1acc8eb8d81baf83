/* SPDX-License-Identifier: Apache-2.0 */
/* Writing messages, their items and fields, and what else stands in an object. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_WRITE_MESSAGE_H
#define ACI_FORMAT_SEMANTIC_KERNEL_WRITE_MESSAGE_H

#include "format/semantic_kernel/writer.h"

/* The elements of an array of messages, without those that are null in default mode. */
void aci_sk_write_messages(aci_sk_writer *wr, const aci_location *path, const agentchat_messages *messages);
/* The elements only: those from `first` on that a history channel keeps. Returns their number. */
size_t aci_sk_write_kept(aci_sk_writer *wr, const agentchat_messages *messages, size_t first);
/* item: the one that the message is held by, NULL for a message of a list. */
void aci_sk_write_message(aci_sk_writer *wr, const aci_location *path, const agentchat_message *message,
                          const aci_sk_table *table, const agentchat_item *item);
/* The array of the items of a result's content: default mode only. */
void aci_sk_write_content(aci_sk_writer *wr, const aci_location *path, const agentchat_message *content);
/* An item that holds no message. */
void aci_sk_write_item(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item);
/* Whether strict mode has nothing to write, nor to report, for a property's field, by aci_fields_present(): asked
   first, since that is so for most properties. */
static inline bool aci_sk_stays_out(const aci_sk_writer *wr, const aci_sk_prop *prop, uint64_t present)
{
    return wr->strict && !prop->always && prop->field != 0 && (present >> prop->field & 1) == 0;
}
/* Writes a property of a table from its field; returns whether its name stands there now. *changed gets the property's
   bit when it was not written as it is. */
bool aci_sk_write_field(aci_sk_writer *wr, const aci_location *path, agentchat_item_kind kind,
                        const aci_sk_table *table, const aci_sk_prop *prop, const aci_field *field,
                        const aci_extras *extras, uint32_t *changed);

/* Strict mode: the fields that the table has no property for. whose: "an item's", for the report. */
void aci_sk_lose_fields(aci_sk_writer *wr, const aci_location *path, const aci_sk_table *table, const aci_field *fields,
                        size_t count, const char *whose);
/* What strict mode cannot write: it writes an opaque item as it stood, and of an item that holds a message that
   message. */
void aci_sk_lose_beside(aci_sk_writer *wr, const aci_location *path, const agentchat_item *item, const char *what);

/* ---- unknown properties (write_extras.c) ---- */

/* The object that unknown properties are written into. */
typedef struct aci_sk_object {
    agentchat_item_kind kind; /* 0: no item */
    bool envelope;            /* the chat, a participant or a channel */
    bool in_item;             /* .NET refuses unknown names with '$' there: an item, or the message that it is */
    bool has_text;            /* a message with a text item */
    uint32_t written;         /* bits of the properties of the table that stand there already */
} aci_sk_object;
/* Those that can stand beside the properties of the table; the others are losses in strict mode. */
void aci_sk_write_extras(aci_sk_writer *wr, const aci_location *path, const aci_sk_table *table,
                         const aci_extras *extras, const aci_sk_object *object);
/* Strict mode: whether the source had something of the wrong type under a property's name, which is written back
   instead. */
bool aci_sk_stands_in(const aci_extras *extras, const aci_sk_prop *prop);

#endif
