/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Environments, and memory through their allocators. Layer 0.
 *
 * An environment never changes after construction. The default one is a constant, so the library has no global state
 * and needs no initialisation.
 */
#include "base/env.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/huge.h"
#include "base/ids.h"
#include <stdlib.h>
#include <string.h>

/* A struct_size beyond this is taken for an uninitialised one: no options struct will ever be that large, and
   believing it would read far behind the caller's struct. */
#define HIGHEST_STRUCT_SIZE 4096u

static void *advised(void *block, size_t size)
{
    if (size >= ACI_HUGE_FROM && block != NULL)
        aci_huge_advise(block, size);
    return block;
}

static void *system_alloc(void *user, size_t size)
{
    (void)user;
    return advised(malloc(size), size);
}

static void *system_realloc(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    return advised(realloc(block, new_size), new_size);
}

static void system_free(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

static const agentchat_env default_env = {
    .allocator = {system_alloc, system_realloc, system_free, NULL},
    .limits = {sizeof(agentchat_limits), ACI_DEFAULT_MAX_BYTES, ACI_DEFAULT_MAX_MESSAGES, ACI_DEFAULT_MAX_DEPTH,
               ACI_DEFAULT_MAX_COPIES},
    .now_us = aci_system_now_us,
    .random = aci_system_random,
    .user = NULL,
};

const agentchat_env *aci_env(const agentchat_env *env)
{
    return env != NULL ? env : &default_env;
}

agentchat_status aci_options_load(void *dst, size_t dst_size, const void *src, agentchat_error *err)
{
    size_t given = 0;

    memset(dst, 0, dst_size);
    if (src != NULL) {
        const unsigned char *bytes = src;

        memcpy(&given, src, sizeof given);
        if (given < sizeof given || given > HIGHEST_STRUCT_SIZE)
            return aci_fail(err, AGENTCHAT_E_INVALID,
                            "struct_size of an options struct is not set; start it with its INIT macro");
        for (size_t i = dst_size; i < given; i++) {
            if (bytes[i] != 0)
                return aci_fail(err, AGENTCHAT_E_INVALID,
                                "an options struct asks for something that this version of the library lacks");
        }
        memcpy(dst, src, given < dst_size ? given : dst_size);
    }
    memcpy(dst, &dst_size, sizeof dst_size);
    return AGENTCHAT_OK;
}

agentchat_status aci_limits_load(const agentchat_env *env, const agentchat_limits *given, agentchat_limits *out,
                                 agentchat_error *err)
{
    const agentchat_limits *defaults = &aci_env(env)->limits;
    agentchat_limits loaded;
    agentchat_status status = aci_options_load(&loaded, sizeof loaded, given, err);

    if (status < 0)
        return status;
    if (loaded.max_depth > ACI_HIGHEST_MAX_DEPTH)
        return aci_fail(err, AGENTCHAT_E_INVALID, "max_depth is %u, but at most %u is allowed",
                        (unsigned)loaded.max_depth, ACI_HIGHEST_MAX_DEPTH);
    if (loaded.max_bytes == 0)
        loaded.max_bytes = defaults->max_bytes;
    if (loaded.max_messages == 0)
        loaded.max_messages = defaults->max_messages;
    if (loaded.max_depth == 0)
        loaded.max_depth = defaults->max_depth;
    if (loaded.max_copies == 0)
        loaded.max_copies = defaults->max_copies;
    *out = loaded;
    return AGENTCHAT_OK;
}

agentchat_env *agentchat_env_new(const agentchat_env_options *options)
{
    agentchat_env_options o;
    agentchat_env made = default_env;
    agentchat_env *env;

    if (aci_options_load(&o, sizeof o, options, NULL) < 0)
        return NULL;
    if (o.allocator != NULL) {
        if (o.allocator->alloc == NULL || o.allocator->free == NULL)
            return NULL;
        made.allocator = *o.allocator;
    }
    if (aci_limits_load(NULL, o.limits, &made.limits, NULL) < 0)
        return NULL;
    if (o.now_us != NULL)
        made.now_us = o.now_us;
    if (o.random != NULL)
        made.random = o.random;
    made.user = o.user;

    env = aci_alloc(&made, sizeof *env);
    if (env != NULL)
        *env = made;
    return env;
}

void agentchat_env_free(agentchat_env *env)
{
    if (env != NULL) {
        agentchat_env copy = *env; /* the environment itself lives in memory of its allocator */

        aci_free(&copy, env, sizeof *env);
    }
}

void *aci_alloc(const agentchat_env *env, size_t size)
{
    return env->allocator.alloc(env->allocator.user, size);
}

void *aci_alloc_zero(const agentchat_env *env, size_t size)
{
    void *block = aci_alloc(env, size);

    if (block != NULL)
        memset(block, 0, size);
    return block;
}

void *aci_alloc_array(const agentchat_env *env, size_t count, size_t element, size_t *size)
{
    if (aci_mul(count > 0 ? count : 1, element, size))
        return aci_alloc_zero(env, *size);
    *size = 0;
    return NULL;
}

void *aci_realloc(const agentchat_env *env, void *block, size_t old_size, size_t new_size)
{
    void *moved;

    if (block == NULL)
        return aci_alloc(env, new_size);
    if (env->allocator.realloc != NULL)
        return env->allocator.realloc(env->allocator.user, block, old_size, new_size);
    moved = aci_alloc(env, new_size);
    if (moved != NULL) {
        memcpy(moved, block, old_size < new_size ? old_size : new_size);
        aci_free(env, block, old_size);
    }
    return moved;
}

void aci_free(const agentchat_env *env, void *block, size_t size)
{
    if (block != NULL)
        env->allocator.free(env->allocator.user, block, size);
}

char *aci_strdup(const agentchat_env *env, agentchat_str text)
{
    char *copy = aci_alloc(env, text.len + 1); /* cannot wrap: an object of text.len bytes exists */

    if (copy != NULL) {
        if (text.len != 0)
            memcpy(copy, text.ptr, text.len);
        copy[text.len] = '\0';
    }
    return copy;
}
