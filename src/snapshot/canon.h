/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical text (docs/formats/digest.md): what the digest is made of, and what a comparison compares. Layer 3.
 *
 * The text goes into a buffer, or through it into a digest, so that a history of any length needs the memory of its
 * largest value. Members of messages and items are described by tables, which the comparison walks too.
 */
#ifndef ACI_SNAPSHOT_CANON_H
#define ACI_SNAPSHOT_CANON_H

#include "base/buf.h"
#include "base/digest.h"
#include "snapshot/copies.h"

typedef struct aci_canon {
    const agentchat_env *env;
    aci_buf buf;
    aci_sha256 *sha;    /* NULL: all the text stays in buf */
    uint64_t hashed;    /* bytes that the digest has been given */
    aci_copies *copies; /* what channels name from the history counts there; NULL: it is not counted */
    bool as_spelled;    /* for people: JSON values as they were spelled, extras as format 1 has them */
    bool content;       /* of messages and items the content alone: no metadata, id, time, model, extras */
    agentchat_status status;
    agentchat_error *err;
} aci_canon;

void aci_canon_begin(aci_canon *c, const agentchat_env *env, aci_sha256 *sha, agentchat_error *err);
/* Hands what is in the buffer to the digest, if there is one. */
void aci_canon_flush(aci_canon *c);
void aci_canon_clear(aci_canon *c); /* releases the buffer; the digest is the caller's */

void aci_canon_string(aci_canon *c, agentchat_str text);
void aci_canon_bytes(aci_canon *c, agentchat_str bytes); /* a base64 string */
void aci_canon_json(aci_canon *c, agentchat_str raw);
void aci_canon_message(aci_canon *c, const agentchat_message *message);
void aci_canon_messages(aci_canon *c, const agentchat_messages *list);
void aci_canon_item(aci_canon *c, const agentchat_item *item);
void aci_canon_participant(aci_canon *c, const agentchat_participant *participant);
void aci_canon_channel(aci_canon *c, const agentchat_channel_state *channel);
/* The state alone, as the value of channelstate. Whether there is one: aci_has_state(). */
void aci_canon_state(aci_canon *c, const agentchat_channel_state *channel);
bool aci_has_state(const agentchat_channel_state *channel);
void aci_canon_snapshot(aci_canon *c, const agentchat_snapshot *snapshot);

/* SHA-256 of a message's canonical text, or of its content alone. E_NOMEM only. */
agentchat_status aci_message_digest(const agentchat_env *env, const agentchat_message *message, unsigned char out[32],
                                    agentchat_error *err);
agentchat_status aci_message_content_digest(const agentchat_env *env, const agentchat_message *message,
                                            unsigned char out[32], agentchat_error *err);

/* What a member of a message or item holds. */
typedef enum aci_member_kind {
    ACI_MEMBER_FIELD,
    ACI_MEMBER_TYPE,    /* of an item: name of its kind */
    ACI_MEMBER_ITEMS,   /* of a message */
    ACI_MEMBER_DATA,    /* of an item: base64 */
    ACI_MEMBER_MESSAGE, /* of an item: the nested message */
    ACI_MEMBER_EXTRAS
} aci_member_kind;

typedef struct aci_member {
    const char *name;
    aci_member_kind kind;
    agentchat_field field; /* for FIELD */
} aci_member;

/* All members that messages and items have, in the order of format 1. */
enum { ACI_MEMBER_COUNT = 31 };
extern const aci_member aci_members[ACI_MEMBER_COUNT];

/* A message or an item, whichever; the other one is NULL. */
typedef struct aci_node {
    const agentchat_message *message;
    const agentchat_item *item;
    const aci_field *fields;
    size_t field_count;
    const aci_extras *extras;
} aci_node;

aci_node aci_node_of_message(const agentchat_message *message);
aci_node aci_node_of_item(const agentchat_item *item);
/* Whether canonical text has the member: known optional ones that are absent or null are left out. */
bool aci_node_has(const aci_node *node, const aci_member *member);
/* The value of a member that the node has. */
void aci_canon_value(aci_canon *c, const aci_node *node, const aci_member *member);

/* Keys in canonical order: absent and null first, then by UTF-16 code units; equal ones in the order of their index. */
typedef struct aci_keyed {
    agentchat_str key;
    size_t index;
} aci_keyed;

void aci_keyed_sort(aci_keyed *keys, size_t count);
int aci_key_compare(agentchat_str a, agentchat_str b);

#endif
