/* SPDX-License-Identifier: Apache-2.0 */
/* The environment and memory from it. */
#ifndef ACI_BASE_ENV_H
#define ACI_BASE_ENV_H

#include "base/shared.h"
#include <agentchat/base.h>

struct agentchat_env {
    agentchat_allocator allocator;
    agentchat_limits limits; /* no member is 0 */
    int64_t (*now_us)(void *user);
    int (*random)(void *user, void *bytes, size_t size);
    void *user; /* of now_us and random */
    void (*free_user)(void *user);
};

#define ACI_DEFAULT_MAX_BYTES (UINT64_C(1) << 30)
#define ACI_DEFAULT_MAX_MESSAGES UINT64_C(10000000)
#define ACI_DEFAULT_MAX_DEPTH 128u
#define ACI_DEFAULT_MAX_COPIES 16u
#define ACI_HIGHEST_MAX_DEPTH 10000u

/* For a function with large locals that is called by a recursive one: its locals must not become part of the caller's
   frame, of which there is one for each level (docs/limits.md). */
#define ACI_NOINLINE __attribute__((noinline))

/* The environment to use for what the caller gave: itself, or the default one for NULL. Never NULL. */
const agentchat_env *aci_env(const agentchat_env *env);

/* Fills *out with `given` (NULL: those of env), zero members replaced by env's. E_INVALID for values out of range. */
agentchat_status aci_env_limits_load(const agentchat_env *env, const agentchat_limits *given, agentchat_limits *out,
                                     agentchat_error *err);

/* Memory of env's allocator; size > 0. NULL when out of memory. env is never NULL here. */
ACI_SHARED void *aci_alloc(const agentchat_env *env, size_t size);
ACI_SHARED void *aci_alloc_zero(const agentchat_env *env, size_t size);
/* Zeroed memory for count elements, one at least; *size: bytes, for aci_free(). NULL also when that is too much. */
void *aci_alloc_array(const agentchat_env *env, size_t count, size_t element, size_t *size);
/* block may be NULL when old_size is 0. On NULL the old block is untouched. */
void *aci_realloc(const agentchat_env *env, void *block, size_t old_size, size_t new_size);
ACI_SHARED void aci_free(const agentchat_env *env, void *block, size_t size); /* NULL is allowed */

/* A NUL-terminated copy of text (len + 1 bytes); release with aci_free(env, p, len + 1). */
char *aci_strdup(const agentchat_env *env, agentchat_str text);

/* Reads a size-stamped options struct of the caller into dst (dst_size bytes): shorter ones are zero-extended, longer
   ones must be zero beyond (dst is filled all the same, for what it owns). src NULL gives all zero. dst's first member
   is the size_t struct_size. */
ACI_SHARED agentchat_status aci_env_options_load(void *dst, size_t dst_size, const void *src, agentchat_error *err);
/* The same for another struct than options; `what` is its name in a sentence. */
agentchat_status aci_env_struct_load(void *dst, size_t dst_size, const void *src, const char *what,
                                     agentchat_error *err);
/* What the public _init functions do: all of the struct zero but its first member, the size_t struct_size. */
ACI_SHARED void aci_env_options_init(void *options, size_t size);

#endif
