/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the sidecar, the "agentchat" property that our writer puts beside .NET's. */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_READ_SIDECAR_H
#define ACI_FORMAT_SEMANTIC_KERNEL_READ_SIDECAR_H

#include "format/semantic_kernel/read_properties.h"
#include "snapshot/snapshot.h"

typedef struct aci_sk_sidecar {
    bool items_null, items_absent, data_absent;
    size_t *nulls; /* in the arena */
    size_t null_count;
    agentchat_str item;         /* raw: what the item says that holds the message; absent for nothing */
    bool is_null;               /* the message was null */
    bool opaque;                /* the draft holds TYPE, RAW and FROM of an opaque item */
    agentchat_message *content; /* of a result; NULL: none */
    /* root and channel */
    size_t synced, appended;
    uint64_t next_turn;
    size_t *pending;
    size_t pending_count;
    bool complete, quoted, added, bytes;
    bool has_state; /* the channel's state was another text */
    uint8_t holds;  /* an aci_sk_state: what the state is, where neither key nor type says so; else OTHER */
    aci_spelling state_spelling;
    agentchat_str state;
    agentchat_str channels; /* raw: channels that were left out */
    aci_value *values;
    size_t value_count;
} aci_sk_sidecar;

/* What stands beside the sidecar, and receives what it says. */
typedef struct aci_sk_beside {
    const aci_sk_table
        *table;               /* NULL: the sidecar of an item that holds a message, which is in the message's sidecar */
    agentchat_item_kind kind; /* 0: no item */
    aci_draft *draft;
    agentchat_str *texts; /* of the envelope's objects id or key, name, and type; else NULL */
    const aci_data *data; /* of an item */
} aci_sk_beside;

/* Reads a sidecar and applies what it says about fields and extras to the draft. */
bool aci_sk_read_sidecar(aci_sk_reader *s, aci_json_reader *r, agentchat_str raw, const aci_location *path,
                         const aci_sk_beside *beside, aci_sk_sidecar *sidecar);
/* The same for the property agentchat of an object that has been read, if it has one. */
bool aci_sk_settle_sidecar(aci_sk_props *p, const aci_sk_beside *beside, aci_sk_sidecar *sidecar);

#endif
