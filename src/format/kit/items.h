/* SPDX-License-Identifier: Apache-2.0 */
/* A list of items being read. */
#ifndef ACI_FORMAT_KIT_ITEMS_H
#define ACI_FORMAT_KIT_ITEMS_H

#include "format/kit/raw_reader.h"
#include "model/model.h"

/* Items in the reader's arena. */
typedef struct aci_items {
    agentchat_item **list;
    size_t count, cap;
} aci_items;
bool aci_items_add(aci_items *items, aci_raw_reader *a, agentchat_item *item); /* item NULL: false */
/* An item of one text, perhaps with a flag: a field that is true; 0 for none. */
agentchat_item *aci_items_text(aci_raw_reader *a, agentchat_item_kind kind, agentchat_str text, agentchat_field flag);

#endif
