/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading the sidecar beside .NET's properties, from its raw text: what its files share (read_sidecar.c, the sidecar as
 * a whole; read_sidecar_parts.c, values that several members have in common; read_sidecar_envelope.c, members of the
 * chat, participants and channels; read_sidecar_check.c, what of it counts).
 *
 * All of these return false for a value that none of our writers puts there: the property is somebody else's then. So
 * they do after a failure, which sticks in the reader of the document around.
 */
#ifndef ACI_FORMAT_SEMANTIC_KERNEL_READ_SIDECAR_PARTS_H
#define ACI_FORMAT_SEMANTIC_KERNEL_READ_SIDECAR_PARTS_H

#include "format/semantic_kernel/read_sidecar.h"
#include "json/walk.h"

typedef struct aci_sk_sidecar_reader {
    aci_sk_reader *s;
    aci_json_reader *r; /* of the document around */
    const aci_location *path;
    agentchat_item_kind kind; /* 0: no item */
    aci_draft *draft;
    agentchat_str *texts; /* NULL: fields of the draft */
    aci_sk_sidecar *sidecar;
    const aci_sk_beside *beside;
    bool has_extras;
    size_t refused; /* extras that our writer would have put outside */
} aci_sk_sidecar_reader;

/* The next member and its name; false at the end too. */
bool aci_sk_sidecar_member(aci_sk_sidecar_reader *o, aci_walk *walk, agentchat_str *key);
bool aci_sk_sidecar_string(aci_sk_sidecar_reader *o, agentchat_str raw, agentchat_str *out);
/* A string or null. */
bool aci_sk_sidecar_text_or_null(aci_sk_sidecar_reader *o, agentchat_str raw, agentchat_str *out);
bool aci_sk_sidecar_flag(agentchat_str raw, bool *out);
bool aci_sk_sidecar_size(agentchat_str raw, size_t *out);
/* Room in the arena for the elements of an array of which each takes `elem` bytes. *out is NULL when it has none. */
bool aci_sk_sidecar_room(aci_sk_sidecar_reader *o, agentchat_str raw, size_t elem, void **out);
/* Ascending positions. */
bool aci_sk_sidecar_positions(aci_sk_sidecar_reader *o, agentchat_str raw, size_t **out, size_t *out_count);
/* An open-ended value, given as it is or, being deep, as text. key: the member's name, which says so. */
bool aci_sk_sidecar_json(aci_sk_sidecar_reader *o, agentchat_str key, agentchat_str raw, agentchat_str *out);
/* Members of root, participants and channels. *mine: whether it is one. */
bool aci_sk_sidecar_envelope(aci_sk_sidecar_reader *o, agentchat_str key, agentchat_str raw, bool *mine);
/* Discards, with a note, what contradicts the properties beside the sidecar: a value counts only where writing it gives
   what stands there. */
bool aci_sk_check_sidecar(aci_sk_sidecar_reader *o);

#endif
