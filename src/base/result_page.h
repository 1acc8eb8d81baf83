/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that are read by pages: the items of a page, and the arena of their texts. */
#ifndef ACI_BASE_RESULT_PAGE_H
#define ACI_BASE_RESULT_PAGE_H

#include "base/arena.h"

typedef struct aci_result_page { /* the beginning of a public list */
    const agentchat_env *env;
    aci_arena *arena; /* of the items' texts */
    void *items;
    size_t count, cap, item_size;
    const char *cursor; /* NULL on the last page */
} aci_result_page;

/* A list of `size` bytes, zeroed but for the empty page with which it begins. NULL: out of memory. */
void *aci_result_page_new(const agentchat_env *env, size_t size, size_t item_size);
void aci_result_page_free(aci_result_page *page, size_t size);
/* Room for an item after the last one, which is there when it is counted. NULL: out of memory. */
void *aci_result_page_room(aci_result_page *page);
/* How many items a page has where so many are asked for; 0: the usual number. */
size_t aci_result_page_limit(size_t asked);

#endif
