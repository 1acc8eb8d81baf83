/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Environments, and memory through their allocators.
 *
 * An environment never changes after construction. The default one is a constant, so the library has no global state
 * and needs no initialisation.
 */
#include "base/env.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/huge_pages.h"
#include "base/system.h"
#include <stdlib.h>
#include <string.h>

/* A struct_size beyond this counts as uninitialised: no options struct will ever be that large, and trusting it would
   mean reading far beyond the caller's struct. */
#define HIGHEST_STRUCT_SIZE 4096u

static void *advised(void *block, size_t size)
{
    if (size >= ACI_HUGE_FROM && block != NULL)
        aci_huge_pages_advise(block, size);
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
    .allocator = {sizeof(agentchat_allocator), system_alloc, system_realloc, system_free, NULL, NULL},
    .limits = {sizeof(agentchat_limits), ACI_DEFAULT_MAX_BYTES, ACI_DEFAULT_MAX_MESSAGES, ACI_DEFAULT_MAX_DEPTH,
               ACI_DEFAULT_MAX_COPIES},
    .now_us = aci_system_now_us,
    .random = aci_system_random,
    .user = NULL,
    .free_user = NULL,
};

const agentchat_env *aci_env(const agentchat_env *env)
{
    return env != NULL ? env : &default_env;
}

agentchat_status aci_env_struct_load(void *dst, size_t dst_size, const void *src, const char *what,
                                     agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t given = 0;

    memset(dst, 0, dst_size);
    if (src != NULL) {
        const unsigned char *bytes = src;

        memcpy(&given, src, sizeof given);
        if (given < sizeof given || given > HIGHEST_STRUCT_SIZE)
            return aci_fail(err, AGENTCHAT_E_INVALID,
                            "struct_size of %s is not set: initialise it with its _INIT macro", what);
        for (size_t i = dst_size; i < given && status >= 0; i++) {
            if (bytes[i] != 0)
                status = aci_fail(err, AGENTCHAT_E_INVALID,
                                  "%s asks for something that this version of the library lacks", what);
        }
        memcpy(dst, src, given < dst_size ? given : dst_size);
    }
    memcpy(dst, &dst_size, sizeof dst_size);
    return status;
}

agentchat_status aci_env_options_load(void *dst, size_t dst_size, const void *src, agentchat_error *err)
{
    return aci_env_struct_load(dst, dst_size, src, "the options", err);
}

void aci_env_options_init(void *options, size_t size)
{
    if (options == NULL || size < sizeof size)
        return;
    memset(options, 0, size);
    memcpy(options, &size, sizeof size);
}

void agentchat_allocator_init(agentchat_allocator *allocator, size_t size)
{
    aci_env_options_init(allocator, size);
}

void agentchat_limits_init(agentchat_limits *limits, size_t size)
{
    aci_env_options_init(limits, size);
}

void agentchat_env_options_init(agentchat_env_options *options, size_t size)
{
    aci_env_options_init(options, size);
}

agentchat_status aci_env_limits_load(const agentchat_env *env, const agentchat_limits *given, agentchat_limits *out,
                                     agentchat_error *err)
{
    const agentchat_limits *defaults = &aci_env(env)->limits;
    agentchat_limits loaded;
    agentchat_status status = aci_env_struct_load(&loaded, sizeof loaded, given, "the limits", err);

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

static agentchat_status load_allocator(agentchat_allocator *out, const agentchat_allocator *given, agentchat_error *err)
{
    agentchat_status status;

    if (given == NULL)
        return AGENTCHAT_OK;
    status = aci_env_struct_load(out, sizeof *out, given, "the allocator", err);
    if (status >= 0 && (out->alloc == NULL || out->free == NULL))
        status = aci_fail(err, AGENTCHAT_E_INVALID, "the allocator lacks %s", out->alloc == NULL ? "alloc" : "free");
    return status;
}

/* Everything but the environment's own block. What the environment is to own is in *made on failure too. */
static agentchat_status load(agentchat_env *made, const agentchat_env_options *options, agentchat_error *err)
{
    agentchat_env_options o;
    agentchat_status status = aci_env_options_load(&o, sizeof o, options, err);
    agentchat_status of_allocator = load_allocator(&made->allocator, o.allocator, err);

    if (o.now_us != NULL)
        made->now_us = o.now_us;
    if (o.random != NULL)
        made->random = o.random;
    made->user = o.user;
    made->free_user = o.free_user;
    if (status >= 0)
        status = of_allocator;
    return status < 0 ? status : aci_env_limits_load(NULL, o.limits, &made->limits, err);
}

static void free_users(const agentchat_env *env)
{
    if (env->free_user != NULL)
        env->free_user(env->user);
    if (env->allocator.free_user != NULL)
        env->allocator.free_user(env->allocator.user);
}

agentchat_status agentchat_env_new(const agentchat_env_options *options, agentchat_env **out, agentchat_error *err)
{
    agentchat_env made = default_env;
    agentchat_env *env = NULL;
    agentchat_status status;

    agentchat_error_clear(err);
    status = load(&made, options, err);
    if (status >= 0 && out == NULL)
        status = aci_fail_null(err, "out");
    if (status >= 0) {
        env = aci_alloc(&made, sizeof *env);
        if (env != NULL)
            *env = made;
        else
            status = aci_fail_nomem(err);
    }
    if (status < 0)
        free_users(&made);
    if (out != NULL)
        *out = env;
    return status;
}

void agentchat_env_free(agentchat_env *env)
{
    if (env != NULL) {
        agentchat_env copy = *env; /* the environment itself lives in memory of its allocator */

        aci_free(&copy, env, sizeof *env);
        free_users(&copy);
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
