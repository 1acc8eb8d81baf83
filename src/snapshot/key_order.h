/* SPDX-License-Identifier: Apache-2.0 */
/* The order of keys in canonical text. */
#ifndef ACI_SNAPSHOT_KEY_ORDER_H
#define ACI_SNAPSHOT_KEY_ORDER_H

#include <agentchat/base.h>

/* Keys in canonical order: absent and null first, then by UTF-16 code units; equal ones in the order of their index. */
typedef struct aci_keyed {
    agentchat_str key;
    size_t index;
} aci_keyed;

void aci_key_order_sort(aci_keyed *keys, size_t count);
int aci_key_order_compare(agentchat_str a, agentchat_str b);

#endif
