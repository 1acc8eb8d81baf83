/* SPDX-License-Identifier: Apache-2.0 */
/* The map: finding, putting in and taking out, each at the same cost whatever the map's size. */
#include "state/state.h"

#include "base/error.h"
#include <string.h>

enum { EMPTY_SLOTS_ALLOWED = 16 }; /* besides one for each key */

agentchat_state *aci_state_new(const agentchat_env *env)
{
    agentchat_state *state;

    env = aci_env(env);
    state = aci_alloc_zero(env, sizeof *state);
    if (state != NULL)
        state->env = env;
    return state;
}

agentchat_status agentchat_state_new(const agentchat_env *env, agentchat_state **out, agentchat_error *err)
{
    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = aci_state_new(env);
    return *out != NULL ? AGENTCHAT_OK : aci_fail_nomem(err);
}

static void free_key(agentchat_state *state, aci_state_entry *entry)
{
    aci_free(state->env, entry->key, entry->key_len + 1);
    entry->key = NULL;
}

static void free_value(agentchat_state *state, aci_state_entry *entry)
{
    aci_free(state->env, entry->value, entry->value_len);
    entry->value = NULL;
}

void agentchat_state_free(agentchat_state *state)
{
    if (state == NULL)
        return;
    for (size_t i = 0; i < state->count; i++) {
        free_key(state, &state->entries[i]);
        free_value(state, &state->entries[i]);
    }
    aci_free(state->env, state->entries, state->cap * sizeof *state->entries);
    aci_index_clear(&state->index, state->env);
    aci_free(state->env, state, sizeof *state);
}

const agentchat_env *aci_state_env(const agentchat_state *state)
{
    return aci_env(state != NULL ? state->env : NULL);
}

size_t agentchat_state_count(const agentchat_state *state)
{
    return state != NULL ? state->live : 0;
}

static agentchat_str key_of(const aci_state_entry *entry)
{
    return (agentchat_str){entry->key, entry->key_len};
}

agentchat_str aci_state_find(const agentchat_state *state, agentchat_str key)
{
    size_t at = state != NULL ? aci_index_find(&state->index, key) : ACI_INDEX_NONE;
    const aci_state_entry *entry;

    if (at == ACI_INDEX_NONE)
        return (agentchat_str){NULL, 0};
    entry = &state->entries[at];
    return (agentchat_str){entry->value, entry->value != NULL ? entry->value_len : 0};
}

/* Enters a key at the end, with its value. A key that was taken out before brings its old block along. */
static bool append(agentchat_state *state, agentchat_str key, size_t old, aci_state_entry *made)
{
    void *entries = state->entries;

    if (!aci_grow(state->env, &entries, &state->cap, state->count, sizeof *state->entries))
        return false;
    state->entries = entries;
    made->key = old != ACI_INDEX_NONE ? state->entries[old].key : aci_strdup(state->env, key);
    made->key_len = key.len;
    if (made->key == NULL)
        return false;
    if (!aci_index_put(&state->index, state->env, key_of(made), state->count)) {
        if (old == ACI_INDEX_NONE)
            free_key(state, made);
        return false;
    }
    if (old != ACI_INDEX_NONE)
        state->entries[old].key = NULL;
    state->entries[state->count++] = *made;
    state->live++;
    return true;
}

bool aci_state_put(agentchat_state *state, agentchat_str key, agentchat_str value)
{
    size_t at = aci_index_find(&state->index, key);
    aci_state_entry made = {NULL, 0, aci_alloc(state->env, value.len), value.len};

    if (made.value == NULL)
        return false;
    memcpy(made.value, value.ptr, value.len);
    if (at != ACI_INDEX_NONE && state->entries[at].value != NULL) {
        free_value(state, &state->entries[at]);
        state->entries[at].value = made.value;
        state->entries[at].value_len = made.value_len;
        return true;
    }
    if (append(state, key, at, &made))
        return true;
    free_value(state, &made);
    return false;
}

bool aci_state_swap(agentchat_state *state, agentchat_str key, aci_state_value *value)
{
    size_t at = aci_index_find(&state->index, key);
    aci_state_entry *entry = at != ACI_INDEX_NONE ? &state->entries[at] : NULL;
    aci_state_value old;

    if (entry == NULL || entry->value == NULL)
        return false;
    old = (aci_state_value){entry->value, entry->value_len};
    entry->value = value->ptr;
    entry->value_len = value->len;
    *value = old;
    return true;
}

/* ---- taking out ----------------------------------------------------------------------------------------------- */

/* Enters every key at the position that it has once the empty slots are gone. */
static bool index_all(const agentchat_state *state, aci_index *index)
{
    size_t position = 0;

    for (size_t i = 0; i < state->count; i++)
        if (state->entries[i].value != NULL &&
            !aci_index_put(index, state->env, key_of(&state->entries[i]), position++))
            return false;
    return true;
}

/* An index of the right size, or without memory for one the old index, filled anew: it has room for all. */
static void renew_index(agentchat_state *state)
{
    aci_index fresh = {NULL, 0, 0};

    if (index_all(state, &fresh)) {
        aci_index_clear(&state->index, state->env);
        state->index = fresh;
        return;
    }
    aci_index_clear(&fresh, state->env);
    memset(state->index.slots, 0, state->index.cap * sizeof *state->index.slots);
    state->index.count = 0;
    (void)index_all(state, &state->index);
}

static void remove_empty_slots(agentchat_state *state)
{
    size_t kept = 0, cap = state->live > 0 ? state->live : 1;
    aci_state_entry *fewer;

    renew_index(state);
    for (size_t i = 0; i < state->count; i++) {
        if (state->entries[i].value != NULL)
            state->entries[kept++] = state->entries[i];
        else
            free_key(state, &state->entries[i]);
    }
    state->count = kept;
    fewer = aci_realloc(state->env, state->entries, state->cap * sizeof *fewer, cap * sizeof *fewer);
    if (fewer != NULL) {
        state->entries = fewer;
        state->cap = cap;
    }
}

bool aci_state_remove(agentchat_state *state, agentchat_str key)
{
    size_t at = state != NULL ? aci_index_find(&state->index, key) : ACI_INDEX_NONE;

    if (at == ACI_INDEX_NONE || state->entries[at].value == NULL)
        return false;
    free_value(state, &state->entries[at]);
    state->live--;
    if (state->count - state->live > state->live + EMPTY_SLOTS_ALLOWED)
        remove_empty_slots(state);
    return true;
}

/* ---- public calls that take a key ----------------------------------------------------------------------------- */

agentchat_str agentchat_state_get(const agentchat_state *state, const char *key)
{
    return aci_state_find(state, agentchat_str_from(key));
}

bool agentchat_state_delete(agentchat_state *state, const char *key)
{
    return aci_state_remove(state, agentchat_str_from(key));
}

bool aci_state_next(const agentchat_state *state, size_t *at, agentchat_str *key, agentchat_str *value)
{
    const aci_state_entry *entry = NULL;

    while (state != NULL && *at < state->count && entry == NULL) {
        if (state->entries[*at].value != NULL)
            entry = &state->entries[*at];
        ++*at;
    }
    if (key != NULL)
        *key = entry != NULL ? key_of(entry) : (agentchat_str){NULL, 0};
    if (value != NULL)
        *value = entry != NULL ? (agentchat_str){entry->value, entry->value_len} : (agentchat_str){NULL, 0};
    return entry != NULL;
}

bool agentchat_state_next(const agentchat_state *state, size_t *at, const char **key, agentchat_str *value)
{
    agentchat_str name = {NULL, 0};
    bool more = false;

    if (at != NULL)
        more = aci_state_next(state, at, &name, value);
    else if (value != NULL)
        *value = (agentchat_str){NULL, 0};
    if (key != NULL)
        *key = name.ptr;
    return more;
}

agentchat_status agentchat_state_copy(const agentchat_state *state, agentchat_state **out, agentchat_error *err)
{
    agentchat_str key, value;
    agentchat_state *copy;
    size_t at = 0;

    agentchat_error_clear(err);
    if (out == NULL)
        return aci_fail_null(err, "out");
    *out = NULL;
    if (state == NULL)
        return aci_fail_null(err, "state");
    copy = aci_state_new(state->env);
    if (copy == NULL)
        return aci_fail_nomem(err);
    while (aci_state_next(state, &at, &key, &value)) {
        if (!aci_state_put(copy, key, value)) {
            agentchat_state_free(copy);
            return aci_fail_nomem(err);
        }
    }
    *out = copy;
    return AGENTCHAT_OK;
}
