/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An arena: reference-counted bump memory in which immutable objects live and are freed together.
 *
 * A reader makes one arena for a whole document, a message builder one for its message. Only the thread that fills an
 * arena allocates from it; afterwards it is immutable, but for aci_arena_attach(), which any thread may call.
 */
#ifndef ACI_BASE_ARENA_H
#define ACI_BASE_ARENA_H

#include "base/env.h"

typedef struct aci_arena aci_arena;

/* One reference. first_block: bytes of the first block; 0 for the default (4 KiB). Blocks double up to 1 MiB. */
aci_arena *aci_arena_new(const agentchat_env *env, size_t first_block);
aci_arena *aci_arena_ref(aci_arena *arena); /* thread-safe; NULL is allowed */
void aci_arena_unref(aci_arena *arena);     /* thread-safe; NULL is allowed */
const agentchat_env *aci_arena_env(const aci_arena *arena);

/* Memory that lives as long as the arena; size > 0; aligned to 8. NULL when out of memory. */
void *aci_arena_alloc(aci_arena *arena, size_t size);
/* The same without alignment, for text. */
char *aci_arena_text(aci_arena *arena, size_t size);
/* All that is left of the block in use, without an allocation: for text whose length is not known yet. To be given back
   with aci_arena_text_shrink() at once; *room may be 0. */
char *aci_arena_text_rest(aci_arena *arena, size_t *room);
/* Gives back what the last aci_arena_text() of `given` bytes did not use. */
void aci_arena_text_shrink(aci_arena *arena, char *text, size_t given, size_t used);
/* Copies; an absent or null view is returned as it is. On failure *ok is set false and absent returned. */
agentchat_str aci_arena_copy(aci_arena *arena, agentchat_str text, bool *ok);
/* Copies with a NUL after it; an absent text gives NULL. On failure *ok is set false and NULL returned. */
const char *aci_arena_cstr(aci_arena *arena, agentchat_str text, bool *ok);

/* Attaches a block of the environment's allocator to the arena, which frees it at the end. Thread-safe, lock-free. The
   block must begin with an aci_attached header that the caller leaves alone. */
typedef struct aci_attached {
    struct aci_attached *next;
    size_t size;                                /* of the block, header included; set by the caller */
    void (*destroy)(struct aci_attached *self); /* called before the block is freed; NULL: nothing */
} aci_attached;
void aci_arena_attach(aci_arena *arena, aci_attached *attached);

#endif
