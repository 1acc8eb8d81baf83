/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that are read by pages. */
#include "base/result_page.h"

#include "base/buf.h"

enum { USUAL_LIMIT = 100 };

void *aci_result_page_new(const agentchat_env *env, size_t size, size_t item_size)
{
    aci_result_page *page = aci_alloc_zero(env, size);

    if (page == NULL)
        return NULL;
    page->env = env;
    page->item_size = item_size;
    page->arena = aci_arena_new(env, 0);
    if (page->arena != NULL)
        return page;
    aci_free(env, page, size);
    return NULL;
}

void aci_result_page_free(aci_result_page *page, size_t size)
{
    aci_free(page->env, page->items, page->cap * page->item_size);
    aci_arena_unref(page->arena);
    aci_free(page->env, page, size);
}

void *aci_result_page_room(aci_result_page *page)
{
    if (!aci_grow(page->env, &page->items, &page->cap, page->count, page->item_size))
        return NULL;
    return (char *)page->items + page->count * page->item_size;
}

size_t aci_result_page_limit(size_t asked)
{
    return asked == 0 ? USUAL_LIMIT : asked < INT32_MAX ? asked : INT32_MAX;
}
