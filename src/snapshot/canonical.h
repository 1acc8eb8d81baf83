/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Canonical text (docs/formats/digest.md): what the digest is made of, and what a comparison compares.
 *
 * The text goes into a buffer, or through it into a digest, so that a history of any length needs the memory of its
 * largest value. Members of messages and items are described by tables, which the comparison walks too.
 */
#ifndef ACI_SNAPSHOT_CANONICAL_H
#define ACI_SNAPSHOT_CANONICAL_H

#include "base/buf.h"
#include "base/sha256.h"
#include "snapshot/copies.h"

typedef struct aci_canonical {
    const agentchat_env *env;
    aci_buf buf;
    aci_sha256 *sha;    /* NULL: all the text stays in buf */
    uint64_t hashed;    /* bytes that the digest has been given */
    aci_copies *copies; /* what channels name from the history counts there; NULL: it is not counted */
    bool as_spelled;    /* for people: JSON values as they were spelled, extras as format 1 has them */
    bool content;       /* of messages and items the content alone: no metadata, id, time, model, extras */
    agentchat_status status;
    agentchat_error *err;
} aci_canonical;

void aci_canonical_begin(aci_canonical *c, const agentchat_env *env, aci_sha256 *sha, agentchat_error *err);
/* Hands what is in the buffer to the digest, if there is one. */
void aci_canonical_flush(aci_canonical *c);
void aci_canonical_clear(aci_canonical *c); /* releases the buffer; the digest is the caller's */

void aci_canonical_text(aci_canonical *c, const char *text); /* as it is */
/* The name of a member, with the comma before it unless it is the first. */
void aci_canonical_name(aci_canonical *c, bool *first, const char *name);
void aci_canonical_string(aci_canonical *c, agentchat_str text);
void aci_canonical_bytes(aci_canonical *c, agentchat_str bytes); /* a base64 string */
void aci_canonical_json(aci_canonical *c, agentchat_str raw);
void aci_canonical_extras(aci_canonical *c, const aci_extras *extras);
void aci_canonical_message(aci_canonical *c, const agentchat_message *message);
void aci_canonical_messages(aci_canonical *c, const agentchat_messages *list);
void aci_canonical_item(aci_canonical *c, const agentchat_item *item);
void aci_canonical_participant(aci_canonical *c, const agentchat_participant *participant);
void aci_canonical_channel(aci_canonical *c, const agentchat_channel_state *channel);
/* The state alone, as the value of channelstate. Whether there is one: aci_canonical_has_state(). */
void aci_canonical_state(aci_canonical *c, const agentchat_channel_state *channel);
bool aci_canonical_has_state(const agentchat_channel_state *channel);
void aci_canonical_snapshot(aci_canonical *c, const agentchat_snapshot *snapshot);

/* What a member of a message or item holds. */
typedef enum aci_member_kind {
    ACI_MEMBER_FIELD,
    ACI_MEMBER_TYPE,    /* of an item: name of its kind */
    ACI_MEMBER_ITEMS,   /* of a message */
    ACI_MEMBER_CONTENT, /* of a result: its items */
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
enum { ACI_MEMBER_COUNT = 36 };
extern const aci_member aci_canonical_members[ACI_MEMBER_COUNT];

/* A message or an item, whichever; the other one is NULL. */
typedef struct aci_node {
    const agentchat_message *message;
    const agentchat_item *item;
    const aci_field *fields;
    size_t field_count;
    const aci_extras *extras;
} aci_node;

aci_node aci_canonical_message_node(const agentchat_message *message);
aci_node aci_canonical_item_node(const agentchat_item *item);
/* Whether canonical text has the member: known optional ones that are absent or null are left out. */
bool aci_canonical_has(const aci_node *node, const aci_member *member);
/* The value of a member that the node has. */
void aci_canonical_value(aci_canonical *c, const aci_node *node, const aci_member *member);

#endif
