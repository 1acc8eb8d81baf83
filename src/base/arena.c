/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arenas: reference-counted bump memory.
 *
 * Blocks form a chain from the newest to the first, which lies in one piece with the arena itself, so that a small
 * message costs one allocation. A request too large for the chain gets a block of its own in a second chain and leaves
 * the current block in use.
 */
#include "base/arena.h"

#include "base/checked.h"
#include <stdatomic.h>
#include <string.h>

#define DEFAULT_FIRST_BLOCK ((size_t)4 << 10)
#define HIGHEST_BLOCK ((size_t)1 << 20)

/* Aligned to 8 also where pointers are smaller, so that what follows a header is. */
typedef struct block {
    _Alignas(8) struct block *older;
    size_t size; /* of the total allocation; for the first block: of the bytes that follow it */
    size_t used, room;
} block;

typedef struct large {
    _Alignas(8) struct large *older;
    size_t size;
} large;

struct aci_arena {
    atomic_size_t refs;
    _Atomic(aci_attached *) attached;
    const agentchat_env *env;
    size_t allocated; /* of this struct and the first block's bytes */
    size_t next_size;
    block *current;
    large *newest_large;
    block first;
};

_Static_assert(sizeof(aci_arena) % 8 == 0 && sizeof(block) % 8 == 0 && sizeof(large) % 8 == 0,
               "what follows a header must be aligned to 8");

static char *block_bytes(block *b)
{
    return (char *)(b + 1);
}

aci_arena *aci_arena_new(const agentchat_env *env, size_t first_block)
{
    size_t size;
    aci_arena *arena;

    if (first_block == 0)
        first_block = DEFAULT_FIRST_BLOCK;
    if (!aci_add(first_block, sizeof *arena, &size))
        return NULL;
    env = aci_env(env);
    arena = aci_alloc(env, size);
    if (arena == NULL)
        return NULL;
    atomic_init(&arena->refs, 1);
    atomic_init(&arena->attached, NULL);
    arena->env = env;
    arena->allocated = size;
    arena->next_size = DEFAULT_FIRST_BLOCK;
    while (arena->next_size < HIGHEST_BLOCK && arena->next_size <= first_block)
        arena->next_size *= 2;
    arena->current = &arena->first;
    arena->newest_large = NULL;
    arena->first = (block){.older = NULL, .size = first_block, .used = 0, .room = first_block};
    return arena;
}

aci_arena *aci_arena_ref(aci_arena *arena)
{
    if (arena != NULL)
        atomic_fetch_add_explicit(&arena->refs, 1, memory_order_relaxed);
    return arena;
}

static void free_chains(aci_arena *arena)
{
    while (arena->current != &arena->first) {
        block *gone = arena->current;

        arena->current = gone->older;
        aci_free(arena->env, gone, gone->size);
    }
    while (arena->newest_large != NULL) {
        large *gone = arena->newest_large;

        arena->newest_large = gone->older;
        aci_free(arena->env, gone, gone->size);
    }
}

void aci_arena_unref(aci_arena *arena)
{
    aci_attached *attached;

    /* Release our own writes and, as the last one, acquire those of all the others. */
    if (arena == NULL || atomic_fetch_sub_explicit(&arena->refs, 1, memory_order_acq_rel) != 1)
        return;
    attached = atomic_load_explicit(&arena->attached, memory_order_acquire);
    while (attached != NULL) {
        aci_attached *next = attached->next;
        size_t size = attached->size;

        if (attached->destroy != NULL)
            attached->destroy(attached);
        aci_free(arena->env, attached, size);
        attached = next;
    }
    free_chains(arena);
    aci_free(arena->env, arena, arena->allocated);
}

const agentchat_env *aci_arena_env(const aci_arena *arena)
{
    return arena->env;
}

static void *alloc_large(aci_arena *arena, size_t size)
{
    size_t total;
    large *made;

    if (!aci_add(size, sizeof *made, &total))
        return NULL;
    made = aci_alloc(arena->env, total);
    if (made == NULL)
        return NULL;
    made->older = arena->newest_large;
    made->size = total;
    arena->newest_large = made;
    return made + 1;
}

/* Memory when the current block has no room for size bytes. */
static void *alloc_slowly(aci_arena *arena, size_t size)
{
    size_t room = arena->next_size - sizeof(block);
    block *made;

    /* A block of its own for what would fill most of a new one: the current one may still have room for small things.
     */
    if (size > room / 2)
        return alloc_large(arena, size);
    made = aci_alloc(arena->env, arena->next_size);
    if (made == NULL)
        return NULL;
    *made = (block){.older = arena->current, .size = arena->next_size, .used = size, .room = room};
    arena->current = made;
    if (arena->next_size < HIGHEST_BLOCK)
        arena->next_size *= 2;
    return block_bytes(made);
}

void *aci_arena_alloc(aci_arena *arena, size_t size)
{
    block *b = arena->current;
    size_t start = (b->used + 7) & ~(size_t)7;

    if (start <= b->room && size <= b->room - start) {
        b->used = start + size;
        return block_bytes(b) + start;
    }
    return alloc_slowly(arena, size);
}

char *aci_arena_text(aci_arena *arena, size_t size)
{
    block *b = arena->current;

    if (size <= b->room - b->used) {
        char *text = block_bytes(b) + b->used;

        b->used += size;
        return text;
    }
    return alloc_slowly(arena, size);
}

char *aci_arena_text_rest(aci_arena *arena, size_t *room)
{
    block *b = arena->current;
    char *text = block_bytes(b) + b->used;

    *room = b->room - b->used;
    b->used = b->room;
    return text;
}

void aci_arena_text_shrink(aci_arena *arena, char *text, size_t given, size_t used)
{
    block *b = arena->current;

    /* A large block of its own keeps its size: moving it would move the text. */
    if (b->used >= given && text == block_bytes(b) + b->used - given)
        b->used -= given - used;
}

agentchat_str aci_arena_copy(aci_arena *arena, agentchat_str text, bool *ok)
{
    char *copy;

    if (text.ptr == NULL || agentchat_str_is_null(text))
        return text;
    if (text.len == 0)
        return AGENTCHAT_STR("");
    copy = aci_arena_text(arena, text.len);
    if (copy == NULL) {
        *ok = false;
        return (agentchat_str){NULL, 0};
    }
    memcpy(copy, text.ptr, text.len);
    return (agentchat_str){copy, text.len};
}

const char *aci_arena_cstr(aci_arena *arena, agentchat_str text, bool *ok)
{
    char *copy;

    if (text.ptr == NULL)
        return NULL;
    copy = aci_arena_text(arena, text.len + 1);
    if (copy == NULL) {
        *ok = false;
        return NULL;
    }
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return copy;
}

void aci_arena_attach(aci_arena *arena, aci_attached *attached)
{
    aci_attached *head = atomic_load_explicit(&arena->attached, memory_order_relaxed);

    do {
        attached->next = head;
    } while (!atomic_compare_exchange_weak_explicit(&arena->attached, &head, attached, memory_order_release,
                                                    memory_order_relaxed));
}
