/* SPDX-License-Identifier: Apache-2.0 */
/* Key/value state: string keys with a scope in their prefix, JSON values kept as they are spelled. */
#ifndef AGENTCHAT_STATE_H
#define AGENTCHAT_STATE_H

#include <agentchat/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A key begins with the prefix of its scope; a key without one of these belongs to its session. Compared as bytes, so
   `User:x` has no prefix. Of `app:user:x` only the first prefix counts. */
/** Shared by all users and sessions of an application. */
#define AGENTCHAT_KEY_PREFIX_APP "app:"
/** Shared by all sessions of one user of an application. */
#define AGENTCHAT_KEY_PREFIX_USER "user:"
/** Lives during one invocation and is never stored. */
#define AGENTCHAT_KEY_PREFIX_TEMP "temp:"

/** Longest key, application name, user id, session id and event id, in bytes; the shortest has 1. */
#define AGENTCHAT_MAX_KEY_BYTES 512

/** Where a key's value lives. Numbers are stable. */
typedef enum agentchat_scope {
    AGENTCHAT_SCOPE_SESSION = 1, /**< no prefix */
    AGENTCHAT_SCOPE_USER = 2,    /**< "user:" */
    AGENTCHAT_SCOPE_APP = 3,     /**< "app:" */
    AGENTCHAT_SCOPE_TEMP = 4,    /**< "temp:" */
    AGENTCHAT_SCOPE_MAX_ = 0x7fffffff
} agentchat_scope;

/**
 * A map from keys to JSON values, in the order in which the keys first came in. A `const agentchat_state *` is the
 * read-only view of one. One thread at a time changes a map; any number may read one that nobody changes.
 */
typedef struct agentchat_state agentchat_state;

/**
 * The scope of a key, which need not be valid.
 * @param[in]  key  The key; NULL is of the session.
 * @param[out] rest The key without its prefix, a view into @p key; NULL: not wanted.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_scope agentchat_key_scope(const char *key, const char **rest);

/**
 * Checks a key: 1 to 512 bytes of UTF-8 without surrogates, and something after a prefix.
 * @param[in]  key The key.
 * @param[out] err Detail, or NULL; the message shows the key.
 * @retval AGENTCHAT_E_INVALID it breaks a rule, or is NULL.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_key_check(const char *key, agentchat_error *err);

/**
 * Makes an empty map.
 * @param[in]  env Environment or NULL; must outlive the map.
 * @param[out] out The map (agentchat_state_free()); NULL on failure.
 * @param[out] err Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p out is NULL.
 * @retval AGENTCHAT_E_NOMEM   out of memory.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_state_new(const agentchat_env *env, agentchat_state **out,
                                                                       agentchat_error *err);

/**
 * Makes a map from a JSON object.
 * @param[in]  env    Environment or NULL; must outlive the map.
 * @param[in]  object JSON text of an object whose names are keys.
 * @param[out] out    The map (agentchat_state_free()); NULL on failure.
 * @param[out] err    Detail, or NULL: offset, line and column in @p object.
 * @retval AGENTCHAT_E_SYNTAX  not JSON.
 * @retval AGENTCHAT_E_SCHEMA  no object, or a key twice.
 * @retval AGENTCHAT_E_INVALID a key that agentchat_key_check() refuses; the message shows it.
 * @retval AGENTCHAT_E_LIMIT   deeper or longer than the environment allows.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_state_read(const agentchat_env *env, agentchat_str object,
                                                                        agentchat_state **out, agentchat_error *err);

/**
 * Appends a map to @p out as one JSON object, compact, values as they are spelled.
 * @param[in]     state NULL gives an empty object.
 * @param[in,out] out   Started with AGENTCHAT_BYTES_INIT; unchanged on failure.
 * @param[out]    err   Detail, or NULL. Only E_NOMEM is possible.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_state_write(const agentchat_state *state,
                                                                         agentchat_bytes *out, agentchat_error *err);

/**
 * Copies a map, in its environment.
 * @param[in]  state The map.
 * @param[out] out   The copy (agentchat_state_free()); NULL on failure.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p state or @p out is NULL.
 * @retval AGENTCHAT_E_NOMEM   out of memory.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_state_copy(const agentchat_state *state,
                                                                        agentchat_state **out, agentchat_error *err);

/** Releases a map. @param[in] state NULL is allowed. */
AGENTCHAT_API void agentchat_state_free(agentchat_state *state);

/** Number of keys. @param[in] state NULL gives 0. */
AGENTCHAT_API size_t agentchat_state_count(const agentchat_state *state);

/**
 * A value.
 * @param[in] state The map; NULL has no key.
 * @param[in] key   The key; NULL finds nothing.
 * @return JSON text, a view until the map is next changed; absent when there is no such key. A stored null is the text
 *         `null`.
 */
AGENTCHAT_API agentchat_str agentchat_state_get(const agentchat_state *state, const char *key);

/**
 * Sets a value; a key that is there keeps its position.
 * @param[in,out] state The map; unchanged on failure.
 * @param[in]     key   The key.
 * @param[in]     value JSON text of any value; copied as it is spelled, without surrounding whitespace. For a text
 * there is agentchat_state_set_text().
 * @param[out]    err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p state is NULL, a key that agentchat_key_check() refuses, or a value that is not JSON
 *                             (path and offset are those inside the value).
 * @retval AGENTCHAT_E_LIMIT   the value is deeper than the environment allows.
 */
AGENTCHAT_API agentchat_status agentchat_state_set(agentchat_state *state, const char *key, agentchat_str value,
                                                   agentchat_error *err);

/**
 * Sets a value that is a text: agentchat_state_set() with the text in quotes.
 * @param[in,out] state The map; unchanged on failure.
 * @param[in]     key   The key.
 * @param[in]     text  UTF-8; absent is an empty text.
 * @param[out]    err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID as agentchat_state_set(); a text that is not UTF-8.
 */
AGENTCHAT_API agentchat_status agentchat_state_set_text(agentchat_state *state, const char *key, agentchat_str text,
                                                        agentchat_error *err);

/**
 * Adds to an integer; a key that is not there counts as 0.
 * @param[in,out] state  The map; unchanged on failure.
 * @param[in]     key    The key.
 * @param[in]     amount What to add.
 * @param[out]    result The new value, or NULL.
 * @param[out]    err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p state is NULL, the key is not valid, or its value is not an integer in plain digits.
 * @retval AGENTCHAT_E_LIMIT   the value or the sum is beyond 64 bits.
 */
AGENTCHAT_API agentchat_status agentchat_state_add(agentchat_state *state, const char *key, int64_t amount,
                                                   int64_t *result, agentchat_error *err);

/**
 * Removes a key.
 * @param[in,out] state The map; NULL has no key.
 * @param[in]     key   The key; NULL is not there.
 * @return Whether it was there.
 */
AGENTCHAT_API bool agentchat_state_delete(agentchat_state *state, const char *key);

/**
 * Walks through a map, which must not be changed meanwhile.
 * @param[in]     state The map; NULL has no key.
 * @param[in,out] at    Starts as 0.
 * @param[out]    key   The key, NULL after the last; NULL: not wanted.
 * @param[out]    value JSON text, absent after the last; NULL: not wanted. Both are views until the map is changed.
 * @return Whether there was one more.
 */
AGENTCHAT_API bool agentchat_state_next(const agentchat_state *state, size_t *at, const char **key,
                                        agentchat_str *value);

/**
 * The part of a map that belongs to one scope.
 * @param[in]  state NULL gives an empty map.
 * @param[in]  scope The scope.
 * @param[out] out   The map (agentchat_state_free()); NULL on failure. Its keys are without the prefix, as stores hold
 *                   them; a rest may begin with what looks like another prefix.
 * @param[out] err   Detail, or NULL. Only E_NOMEM and E_INVALID for no scope are possible.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_state_split(const agentchat_state *state,
                                                                         agentchat_scope scope, agentchat_state **out,
                                                                         agentchat_error *err);

/**
 * Merges the three stored scopes: the prefixes are put back. For every map without `temp:` keys this is the way back
 * from agentchat_state_split(): the same keys and values, those of the application first, then the user's, then the
 * session's.
 * @param[in]  env     Environment or NULL; must outlive the result.
 * @param[in]  app     Keys of the application without prefix; NULL for none.
 * @param[in]  user    Keys of the user without prefix; NULL for none.
 * @param[in]  session Keys of the session; NULL for none. One that begins with a prefix is E_INVALID.
 * @param[out] out     The map (agentchat_state_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID a key that would be too long with its prefix, or that its scope cannot hold.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_state_merge(const agentchat_env *env,
                                                                         const agentchat_state *app,
                                                                         const agentchat_state *user,
                                                                         const agentchat_state *session,
                                                                         agentchat_state **out, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
