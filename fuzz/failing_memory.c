/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator for fuzz targets. Each block carries its size in front, so that a wrong one given back is found. */
#include "failing_memory.h"

#include <string.h>

typedef union header {
    size_t size;
    long double alignment;
    void *pointer;
} header;

static bool may_allocate(fuzz_memory *memory)
{
    if (memory->until_fails == SIZE_MAX)
        return true;
    if (memory->until_fails > 0) {
        memory->until_fails--;
        return true;
    }
    if (!memory->all_after)
        memory->until_fails = SIZE_MAX;
    memory->failures++;
    return false;
}

static void *allocate(void *user, size_t size)
{
    fuzz_memory *memory = user;
    header *block;

    FUZZ_CHECK(size > 0 && size < SIZE_MAX - sizeof *block);
    if (!may_allocate(memory))
        return NULL;
    block = malloc(sizeof *block + size);
    if (block == NULL)
        return NULL;
    block->size = size;
    memset(block + 1, 0xA5, size); /* nothing may rely on fresh memory being zero */
    memory->blocks++;
    return block + 1;
}

static void give_back(void *user, void *block, size_t size)
{
    fuzz_memory *memory = user;
    header *front = block;

    FUZZ_CHECK(block != NULL);
    front--;
    FUZZ_CHECK(front->size == size && memory->blocks > 0);
    memory->blocks--;
    free(front);
}

static int same_ids(void *user, void *bytes, size_t size)
{
    fuzz_memory *memory = user;
    unsigned char *out = bytes;

    for (size_t i = 0; i < size; i++) {
        memory->ids = memory->ids * 1664525u + 1013904223u;
        out[i] = (unsigned char)(memory->ids >> 24);
    }
    return 0;
}

static int64_t same_time(void *user)
{
    (void)user;
    return INT64_C(1800000000000000);
}

void fuzz_memory_begin(fuzz_memory *memory, uint32_t max_depth)
{
    agentchat_allocator allocator = {
        .struct_size = sizeof allocator, .alloc = allocate, .free = give_back, .user = memory};
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;

    *memory = (fuzz_memory){.until_fails = SIZE_MAX};
    limits.max_depth = max_depth;
    options.allocator = &allocator;
    options.limits = &limits;
    options.now_us = same_time;
    options.random = same_ids;
    options.user = memory;
    FUZZ_CHECK(agentchat_env_new(&options, &memory->env, NULL) >= 0);
}

void fuzz_memory_fail(fuzz_memory *memory, size_t succeeding, bool all_after)
{
    memory->until_fails = succeeding;
    memory->all_after = all_after;
}

void fuzz_memory_calm(fuzz_memory *memory)
{
    memory->until_fails = SIZE_MAX;
}

void fuzz_memory_end(fuzz_memory *memory)
{
    fuzz_memory_calm(memory);
    agentchat_env_free(memory->env);
    FUZZ_CHECK(memory->blocks == 0);
}
