/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a put needs stored: messages, states, elements and values as the bytes by whose SHA-256 they are found.
 *
 * A message is its JSON of format 1. Data of 4 KiB and more is a body of its own, so that it is stored once whatever
 * becomes of the message around it; the message is then [MESSAGE,[[N,DIGEST],…]], in which data number N, counted from
 * 0 in the order of the text, is empty, and its body has that digest.
 */
#ifndef ACI_THREAD_BODIES_H
#define ACI_THREAD_BODIES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/index.h"
#include "model/model.h"

enum { ACI_DIGEST_SIZE = 32, ACI_BODY_APART = 4096 };

typedef struct aci_body {
    const unsigned char *digest;
    agentchat_str bytes;
    int64_t no;  /* its number in the thread; 0: not known yet */
    bool is_new; /* the thread does not have it yet */
} aci_body;

typedef struct aci_bodies {
    const agentchat_env *env;
    aci_arena *arena;
    aci_body *list;
    size_t count, cap;
    aci_index by_digest, by_message;
    aci_buf text; /* of the message that is being encoded */
} aci_bodies;

bool aci_bodies_begin(aci_bodies *bodies, const agentchat_env *env); /* false: out of memory; clear it in any case */
void aci_bodies_clear(aci_bodies *bodies);
/* Adds bytes, which must live as long; equal ones are one body. *index: its position in the list. E_NOMEM. */
agentchat_status aci_bodies_add(aci_bodies *bodies, agentchat_str bytes, size_t *index, agentchat_error *err);
/* Adds a message, which is looked at once however often it is added, and its large data. */
agentchat_status aci_bodies_add_message(aci_bodies *bodies, const agentchat_message *message, size_t *index,
                                        agentchat_error *err);

#endif
