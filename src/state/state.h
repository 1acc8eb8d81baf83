/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps from keys to JSON values, the rules of keys, and what templates are made of. No streams, no stores.
 *
 * A map keeps its entries in an array in the order in which they came in, and finds them through an index. A key that
 * is taken out leaves its slot empty and stays in the index until there are more empty slots than others; then both are
 * made anew. So each change costs the same, however many keys there are and in whatever order they go.
 */
#ifndef ACI_STATE_STATE_H
#define ACI_STATE_STATE_H

#include "base/buf.h"
#include "base/index.h"
#include <agentchat/state.h>

typedef struct aci_state_entry {
    char *key; /* a NUL-terminated block of key_len + 1 bytes; NULL: the key stands in a later entry again */
    size_t key_len;
    char *value; /* a block of value_len bytes, not empty; NULL: the key was taken out */
    size_t value_len;
} aci_state_entry;

typedef struct aci_state_value {
    char *ptr;
    size_t len;
} aci_state_value;

struct agentchat_state {
    const agentchat_env *env;
    aci_state_entry *entries;
    size_t count, cap; /* empty slots included */
    size_t live;       /* entries with a value */
    aci_index index;   /* of every entry with a key */
};

/* An empty map; NULL when out of memory. */
agentchat_state *aci_state_new(const agentchat_env *env);
/* Puts a checked key and validated JSON text in, which may be views into the map itself; copies. A key that is there
   keeps its position. false: out of memory, nothing changed. */
bool aci_state_put(agentchat_state *state, agentchat_str key, agentchat_str value);
/* Exchanges the value of a key with another one, which allocates nothing: so what was exchanged can always be exchanged
   back. value: a block of the map's environment with value->len bytes, not empty. false: there is no such key. */
bool aci_state_swap(agentchat_state *state, agentchat_str key, aci_state_value *value);
/* JSON text, a view until the map is next changed; absent when there is none. state may be NULL. */
agentchat_str aci_state_find(const agentchat_state *state, agentchat_str key);
/* Whether the key was there. state may be NULL. */
bool aci_state_remove(agentchat_state *state, agentchat_str key);
/* agentchat_state_next() with the key's length; nothing may be NULL but key and value. */
bool aci_state_next(const agentchat_state *state, size_t *at, agentchat_str *key, agentchat_str *value);
/* Never NULL. state may be NULL: the default environment. */
const agentchat_env *aci_state_env(const agentchat_state *state);
/* What agentchat_state_add() stores: value + amount; an absent value counts as 0. E_INVALID for a value that is not an
   integer in plain digits, E_LIMIT beyond 64 bits; the message shows the key. */
agentchat_status aci_state_sum(agentchat_str key, agentchat_str value, int64_t amount, int64_t *sum,
                               agentchat_error *err);

/* 1 to 512 bytes of UTF-8, no NUL, no surrogates: ids, names, labels. what: "application", "event id", … for the
   message. E_INVALID. */
agentchat_status aci_label_check(agentchat_str label, const char *what, agentchat_error *err);
/* agentchat_key_check() that keeps a failure which is in err already. */
agentchat_status aci_key_check(agentchat_str key, agentchat_error *err);
/* agentchat_key_scope() of a key that need not be NUL-terminated. */
agentchat_scope aci_key_scope(agentchat_str key, agentchat_str *rest);
/* The prefix of a scope, empty for the session's; absent for what is no scope. */
agentchat_str aci_key_scope_prefix(agentchat_scope scope);

/* Appends what a buffer holds to the bytes of a caller; into empty ones the block itself goes, and leaves the buffer.
   E_INVALID for bytes that are NULL ("out") or of another environment, E_NOMEM; then both are as they were. */
agentchat_status aci_bytes_take(agentchat_bytes *bytes, aci_buf *text, agentchat_error *err);

#endif
