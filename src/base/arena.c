/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Homes: reference-counted bump memory. Layer 0.
 *
 * Blocks form a chain from the newest to the first, which lies in one piece with the home itself, so that a small
 * message costs one allocation. A request too large for the chain gets a block of its own in a second chain and leaves
 * the current block in use. Both chains are in order of time, so a rewind pops from their fronts.
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
    size_t size; /* of the whole allocation; for the first block: of the bytes behind it */
    size_t used, room;
} block;

typedef struct large {
    _Alignas(8) struct large *older;
    size_t size;
} large;

struct aci_home {
    atomic_size_t refs;
    _Atomic(aci_attached *) attached;
    const agentchat_env *env;
    size_t allocated; /* of this struct and the first block's bytes */
    size_t next_size;
    block *current;
    large *newest_large;
    block first;
};

_Static_assert(sizeof(aci_home) % 8 == 0 && sizeof(block) % 8 == 0 && sizeof(large) % 8 == 0,
               "what follows a header must be aligned to 8");

static char *block_bytes(block *b)
{
    return (char *)(b + 1);
}

aci_home *aci_home_new(const agentchat_env *env, size_t first_block)
{
    size_t size;
    aci_home *home;

    if (first_block == 0)
        first_block = DEFAULT_FIRST_BLOCK;
    if (!aci_add(first_block, sizeof *home, &size))
        return NULL;
    env = aci_env(env);
    home = aci_alloc(env, size);
    if (home == NULL)
        return NULL;
    atomic_init(&home->refs, 1);
    atomic_init(&home->attached, NULL);
    home->env = env;
    home->allocated = size;
    home->next_size = DEFAULT_FIRST_BLOCK;
    while (home->next_size < HIGHEST_BLOCK && home->next_size <= first_block)
        home->next_size *= 2;
    home->current = &home->first;
    home->newest_large = NULL;
    home->first = (block){.older = NULL, .size = first_block, .used = 0, .room = first_block};
    return home;
}

aci_home *aci_home_ref(aci_home *home)
{
    if (home != NULL)
        atomic_fetch_add_explicit(&home->refs, 1, memory_order_relaxed);
    return home;
}

static void free_blocks_after(aci_home *home, const block *keep)
{
    while (home->current != keep) {
        block *gone = home->current;

        home->current = gone->older;
        aci_free(home->env, gone, gone->size);
    }
}

static void free_large_after(aci_home *home, const large *keep)
{
    while (home->newest_large != keep) {
        large *gone = home->newest_large;

        home->newest_large = gone->older;
        aci_free(home->env, gone, gone->size);
    }
}

void aci_home_unref(aci_home *home)
{
    aci_attached *attached;

    /* Release our own writes and, as the last one, acquire those of all the others. */
    if (home == NULL || atomic_fetch_sub_explicit(&home->refs, 1, memory_order_acq_rel) != 1)
        return;
    attached = atomic_load_explicit(&home->attached, memory_order_acquire);
    while (attached != NULL) {
        aci_attached *next = attached->next;
        size_t size = attached->size;

        if (attached->destroy != NULL)
            attached->destroy(attached);
        aci_free(home->env, attached, size);
        attached = next;
    }
    free_large_after(home, NULL);
    free_blocks_after(home, &home->first);
    aci_free(home->env, home, home->allocated);
}

const agentchat_env *aci_home_env(const aci_home *home)
{
    return home->env;
}

static void *alloc_large(aci_home *home, size_t size)
{
    size_t whole;
    large *made;

    if (!aci_add(size, sizeof *made, &whole))
        return NULL;
    made = aci_alloc(home->env, whole);
    if (made == NULL)
        return NULL;
    made->older = home->newest_large;
    made->size = whole;
    home->newest_large = made;
    return made + 1;
}

/* Memory when the current block has no room for size bytes. */
static void *alloc_slowly(aci_home *home, size_t size)
{
    size_t room = home->next_size - sizeof(block);
    block *made;

    /* A block of its own for what would fill most of a new one: the current one may still have room for small things.
     */
    if (size > room / 2)
        return alloc_large(home, size);
    made = aci_alloc(home->env, home->next_size);
    if (made == NULL)
        return NULL;
    *made = (block){.older = home->current, .size = home->next_size, .used = size, .room = room};
    home->current = made;
    if (home->next_size < HIGHEST_BLOCK)
        home->next_size *= 2;
    return block_bytes(made);
}

void *aci_home_alloc(aci_home *home, size_t size)
{
    block *b = home->current;
    size_t start = (b->used + 7) & ~(size_t)7;

    if (start <= b->room && size <= b->room - start) {
        b->used = start + size;
        return block_bytes(b) + start;
    }
    return alloc_slowly(home, size);
}

char *aci_home_text(aci_home *home, size_t size)
{
    block *b = home->current;

    if (size <= b->room - b->used) {
        char *text = block_bytes(b) + b->used;

        b->used += size;
        return text;
    }
    return alloc_slowly(home, size);
}

char *aci_home_text_rest(aci_home *home, size_t *room)
{
    block *b = home->current;
    char *text = block_bytes(b) + b->used;

    *room = b->room - b->used;
    b->used = b->room;
    return text;
}

void aci_home_text_shrink(aci_home *home, char *text, size_t given, size_t used)
{
    block *b = home->current;

    /* A large block of its own keeps its size: moving it would move the text. */
    if (b->used >= given && text == block_bytes(b) + b->used - given)
        b->used -= given - used;
}

agentchat_str aci_home_copy(aci_home *home, agentchat_str text, bool *ok)
{
    char *copy;

    if (text.ptr == NULL || agentchat_str_is_null(text))
        return text;
    if (text.len == 0)
        return AGENTCHAT_STR("");
    copy = aci_home_text(home, text.len);
    if (copy == NULL) {
        *ok = false;
        return (agentchat_str){NULL, 0};
    }
    memcpy(copy, text.ptr, text.len);
    return (agentchat_str){copy, text.len};
}

aci_home_mark aci_home_get_mark(const aci_home *home)
{
    return (aci_home_mark){home->current, home->current->used, home->newest_large};
}

void aci_home_rewind(aci_home *home, aci_home_mark mark)
{
    free_large_after(home, mark.large);
    free_blocks_after(home, mark.block);
    home->current->used = mark.used;
}

void aci_home_attach(aci_home *home, aci_attached *attached)
{
    aci_attached *head = atomic_load_explicit(&home->attached, memory_order_relaxed);

    do {
        attached->next = head;
    } while (!atomic_compare_exchange_weak_explicit(&home->attached, &head, attached, memory_order_release,
                                                    memory_order_relaxed));
}
