/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A home: reference-counted bump memory in which immutable things live together and die together. Layer 0.
 *
 * A reader makes one home for a whole document, a message builder one for its message. Only the thread that fills a
 * home allocates from it; afterwards it is immutable, but for aci_home_attach(), which any thread may call.
 */
#ifndef ACI_BASE_ARENA_H
#define ACI_BASE_ARENA_H

#include "base/env.h"

typedef struct aci_home aci_home;

typedef struct aci_home_mark { /* for aci_home_rewind; private */
    void *block;
    size_t used;
    void *large;
} aci_home_mark;

/* One reference. first_block: bytes of the first block; 0 for the default (4 KiB). Blocks double up to 1 MiB. */
aci_home *aci_home_new(const agentchat_env *env, size_t first_block);
aci_home *aci_home_ref(aci_home *home); /* thread-safe; NULL is allowed */
void aci_home_unref(aci_home *home);    /* thread-safe; NULL is allowed */
const agentchat_env *aci_home_env(const aci_home *home);

/* Memory that lives as long as the home; size > 0; aligned to 8. NULL when out of memory. */
void *aci_home_alloc(aci_home *home, size_t size);
/* The same without alignment, for text. */
char *aci_home_text(aci_home *home, size_t size);
/* All that is left of the block in use, without an allocation: for text whose length is not known yet. To be given back
   with aci_home_text_shrink() at once; *room may be 0. */
char *aci_home_text_rest(aci_home *home, size_t *room);
/* Gives back what the last aci_home_text() of `given` bytes did not use. */
void aci_home_text_shrink(aci_home *home, char *text, size_t given, size_t used);
/* Copies; an absent or null view is returned as it is. On failure *ok is set false and absent returned. */
agentchat_str aci_home_copy(aci_home *home, agentchat_str text, bool *ok);

aci_home_mark aci_home_get_mark(const aci_home *home);
void aci_home_rewind(aci_home *home, aci_home_mark mark); /* frees all allocated since the mark */

/* Hands a block of the environment's allocator to the home, which frees it at the end. Thread-safe, lock-free. The
   block must begin with an aci_attached header that the caller leaves alone. */
typedef struct aci_attached {
    struct aci_attached *next;
    size_t size;                                /* of the whole block, header included; set by the caller */
    void (*destroy)(struct aci_attached *self); /* called before the block is freed; NULL: nothing */
} aci_attached;
void aci_home_attach(aci_home *home, aci_attached *attached);

#endif
