/* SPDX-License-Identifier: Apache-2.0 */
/* Reading one item, and the values that only items have. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_READ_ITEM_H
#define ACI_FORMAT_SEMANTIC_KERNEL_READ_ITEM_H

#include "format/semantic_kernel/read_properties.h"

/* Reads the members after $type of an item of this kind, which holds no message. */
agentchat_item *aci_sk_read_item(aci_sk_reader *s, aci_json_reader *r, const aci_location *path,
                                 agentchat_item_kind kind);
/* The item around a message, with what the message's sidecar says about the item (s->wrapping). */
agentchat_item *aci_sk_wrap_message(aci_sk_reader *s, aci_json_reader *r, const aci_location *path,
                                    agentchat_message *message);
/* An item of unknown kind. type: absent for none. */
agentchat_item *aci_sk_opaque_item(aci_sk_reader *s, aci_json_reader *r, agentchat_str type, agentchat_str raw);
/* An item that is a null in its source. */
agentchat_item *aci_sk_null_item(aci_sk_reader *s, aci_json_reader *r);
/* The $type of an item, a raw object, in which it counts where it stands first, else the last one; absent when it has
   none, null when it is no string. */
bool aci_sk_find_type(aci_sk_reader *s, aci_json_reader *r, agentchat_str span, agentchat_str *type);
/* What kind an item without $type is, from its properties; 0 when nothing fits. */
agentchat_item_kind aci_sk_guess_kind(agentchat_str raw_item);
/* Reads base64 into *out; absent for null and for what is no string. */
bool aci_sk_read_base64(aci_sk_props *p, agentchat_str *out);
/* Moves what older files spell otherwise to its field or its data; data URIs become data. */
bool aci_sk_read_legacy(aci_sk_props *p, agentchat_item_kind kind, aci_data **data);

#endif
