/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading our own property beside .NET's: what its files share (sk_read_own.c, which has the whole;
 * sk_read_own_parts.c, values that stand in several places; sk_read_own_envelope.c, members of the chat, participants
 * and channels; sk_read_own_check.c, what of it counts). Layer 4.
 */
#ifndef ACI_CODEC_SK_READ_OWN_H
#define ACI_CODEC_SK_READ_OWN_H

#include "codec/sk_read.h"

typedef struct aci_sk_own_reader {
    aci_sk_reader *s;
    aci_json_reader *r;
    const aci_sk_path *path;
    agentchat_item_kind kind; /* 0: no item */
    aci_draft *draft;
    agentchat_str *texts; /* NULL: fields of the draft */
    aci_sk_own *own;
    const aci_sk_beside *beside;
    bool has_extras;
    size_t refused; /* extras that our writer would have put outside */
} aci_sk_own_reader;

/* A string or null. */
bool aci_sk_read_own_text(aci_sk_own_reader *o, agentchat_str *out);
bool aci_sk_read_own_size(aci_sk_own_reader *o, size_t *out);
/* Ascending positions. */
bool aci_sk_read_own_positions(aci_sk_own_reader *o, size_t **out, size_t *out_count);
/* A member that none of our writers puts there: the property is taken for somebody else's. Always false. */
bool aci_sk_read_own_refuse(aci_sk_own_reader *o);
/* An open-ended value, given as it is or, being deep, as text. key: the member's name, which says so. */
bool aci_sk_read_own_json(aci_sk_own_reader *o, agentchat_str key, agentchat_str *out);
/* Members of root, participants and channels. *mine: whether it is one. */
bool aci_sk_read_own_envelope(aci_sk_own_reader *o, agentchat_str key, bool *mine);
/* Takes back, with a note, what contradicts the properties beside ours: a value counts only where writing it gives what
   stands there. r: the reader of the document around. */
bool aci_sk_check_own(aci_sk_own_reader *o, aci_json_reader *r);

#endif
