/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for cmark: blocks in a list, released together. */
#include "view/cmark_memory.h"

#include "base/checked.h"
#include <setjmp.h>
#include <stddef.h>
#include <string.h>

typedef struct block {
    struct block *next, *previous;
    size_t size; /* of what cmark has */
    max_align_t content[];
} block;

typedef struct job {
    const agentchat_env *env;
    size_t left; /* bytes that may still be taken */
    block *blocks;
    jmp_buf no_memory; /* gets an aci_cmark_end */
} job;

static _Thread_local job *current;

static block *block_of(void *content)
{
    return (block *)(void *)((char *)content - offsetof(block, content));
}

static void link_in(block *b)
{
    b->previous = NULL;
    b->next = current->blocks;
    if (b->next != NULL)
        b->next->previous = b;
    current->blocks = b;
}

static void unlink_out(block *b)
{
    if (b->previous != NULL)
        b->previous->next = b->next;
    else
        current->blocks = b->next;
    if (b->next != NULL)
        b->next->previous = b->previous;
}

static void release(void *content)
{
    block *b;

    if (content == NULL)
        return;
    b = block_of(content);
    unlink_out(b);
    current->left += sizeof *b + b->size;
    aci_free(current->env, b, sizeof *b + b->size);
}

static void *allocate(size_t count, size_t size)
{
    size_t bytes = 0, total = 0;
    block *b = NULL;

    if (!aci_mul(count, size, &bytes) || !aci_add(bytes, sizeof *b, &total) || total > current->left)
        longjmp(current->no_memory, ACI_CMARK_TOO_MUCH);
    b = aci_alloc_zero(current->env, total);
    if (b == NULL)
        longjmp(current->no_memory, ACI_CMARK_NOMEM);
    b->size = bytes;
    current->left -= total;
    link_in(b);
    return b->content;
}

static void *reallocate(void *content, size_t size)
{
    void *larger = allocate(1, size);
    size_t kept = 0;

    if (content != NULL)
        kept = block_of(content)->size < size ? block_of(content)->size : size;
    if (kept > 0)
        memcpy(larger, content, kept);
    release(content);
    return larger;
}

static aci_cmark_end run(job *j, aci_cmark_work_fn work, void *user)
{
    static cmark_mem memory = {allocate, reallocate, release};

    switch (setjmp(j->no_memory)) {
    case 0:
        work(&memory, user);
        return ACI_CMARK_DONE;
    case ACI_CMARK_TOO_MUCH:
        return ACI_CMARK_TOO_MUCH;
    default:
        return ACI_CMARK_NOMEM;
    }
}

aci_cmark_end aci_cmark_memory_run(const agentchat_env *env, size_t most, aci_cmark_work_fn work, void *user)
{
    job j = {.env = env, .left = most}, *outer = current; /* a sink may write another page on the way */
    aci_cmark_end end;

    current = &j;
    end = run(&j, work, user);
    while (j.blocks != NULL)
        release(j.blocks->content);
    current = outer;
    return end;
}
