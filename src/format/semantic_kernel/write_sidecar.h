/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the sidecar. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_WRITE_SIDECAR_H
#define ACI_FORMAT_SEMANTIC_KERNEL_WRITE_SIDECAR_H

#include "format/semantic_kernel/writer.h"

/* Opened when there is something to say. */
typedef struct aci_sk_sidecar_out {
    aci_sk_writer *wr;
    bool open, in_array;
} aci_sk_sidecar_out;
void aci_sk_sidecar_key(aci_sk_sidecar_out *sidecar, const char *name);
/* A member that is true, if `value` is. */
void aci_sk_sidecar_true(aci_sk_sidecar_out *sidecar, const char *name, bool value);
void aci_sk_sidecar_u64(aci_sk_sidecar_out *sidecar, const char *name, uint64_t value);
/* Before each element of a member that is an array: opens it before the first one. */
void aci_sk_sidecar_element(aci_sk_sidecar_out *sidecar, const char *name);
/* After the last one, if there was any. */
void aci_sk_sidecar_array_end(aci_sk_sidecar_out *sidecar);
void aci_sk_sidecar_end(aci_sk_sidecar_out *sidecar);
/* The fields of a message or an item whose bit is set in `changed`: their values, or that they are absent. no_items: a
   message had no items; no_data: an item no data. */
void aci_sk_sidecar_fields(aci_sk_sidecar_out *sidecar, const aci_sk_table *table, const aci_field *fields,
                           size_t count, uint32_t changed, bool no_items, bool no_data);
/* Those that the table has no property for, but for those that say what an opaque item is. */
void aci_sk_sidecar_other_fields(aci_sk_sidecar_out *sidecar, const aci_sk_table *table, const aci_field *fields,
                                 size_t count);
/* What an item that holds a message says itself: in .NET such an item and its message are one. */
void aci_sk_sidecar_item(aci_sk_sidecar_out *sidecar, const aci_location *path, const agentchat_item *item);
/* Positions of the messages that are null and were left out. */
void aci_sk_sidecar_null_messages(aci_sk_sidecar_out *sidecar, const agentchat_messages *messages);
void aci_sk_sidecar_text(aci_sk_sidecar_out *sidecar, const char *name, agentchat_str text);
/* "raw": the value, or "text": the same in a string when it is deep. */
void aci_sk_sidecar_value(aci_sk_writer *wr, const char *name, agentchat_str raw);
/* Default mode: the others, in the sidecar (table NULL: none can stand outside). */
void aci_sk_sidecar_extras(aci_sk_sidecar_out *sidecar, const aci_location *path, const aci_sk_table *table,
                           const aci_extras *extras, bool in_item);
/* Whether an unknown property belongs in the sidecar. */
bool aci_sk_extra_is_moved(const aci_sk_table *table, const agentchat_extra *extra, bool in_item);

#endif
