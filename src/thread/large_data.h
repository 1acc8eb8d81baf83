/* SPDX-License-Identifier: Apache-2.0 */
/* Large data of messages, which are bodies of their own (bodies.h), on their way back into the messages. */
#ifndef ACI_THREAD_LARGE_DATA_H
#define ACI_THREAD_LARGE_DATA_H

#include "thread/bodies.h"
#include "thread/body_row.h"

typedef struct aci_large_use { /* data `number` of message `message` is the one with the digest */
    size_t message, number;
    size_t data;
} aci_large_use;

typedef struct aci_large_bytes {
    agentchat_str digest;
    agentchat_str bytes; /* absent: not there */
    agentchat_str kept;  /* a copy that messages have; absent: none yet */
} aci_large_bytes;

typedef struct aci_large_data_set {
    const agentchat_env *env;
    aci_arena *arena; /* of who loads */
    aci_large_use *uses;
    size_t use_count, use_cap;
    aci_large_bytes *list;
    size_t count, cap;
    aci_index by_digest;
    uint64_t *total; /* bytes that were read, while they are */
    int64_t num;     /* of the thread, likewise */
} aci_large_data_set;

bool aci_large_data_begin(aci_large_data_set *set, const agentchat_env *env, aci_arena *arena);
void aci_large_data_clear(aci_large_data_set *set);
/* Makes *body the JSON of the message alone, and remembers what data it refers to. */
agentchat_status aci_large_data_split(aci_large_data_set *set, size_t message, agentchat_str *body,
                                      agentchat_error *err);
/* Reads what is referred to. */
agentchat_status aci_large_data_read(aci_large_data_set *set, aci_tx *tx, int64_t num, uint64_t *total,
                                     agentchat_error *err);
/* Puts it into the messages, which nobody else has yet. */
agentchat_status aci_large_data_fill(aci_large_data_set *set, const agentchat_messages *messages, agentchat_error *err);

#endif
