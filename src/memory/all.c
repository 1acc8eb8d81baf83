/* SPDX-License-Identifier: Apache-2.0 */
/* All documents of a namespace at once, where they are few. */
#include "memory/memory_internal.h"

#include "base/error.h"
#include <stdlib.h>

enum { PAGE = 200 };

static int by_revision(const void *a, const void *b)
{
    const agentchat_memory_item *const *x = a, *const *y = b;

    return ((*x)->revision > (*y)->revision) - ((*x)->revision < (*y)->revision);
}

agentchat_status aci_all_read(aci_all *all, agentchat_store *store, const char *ns, bool exact, agentchat_error *err)
{
    agentchat_memory_query query = AGENTCHAT_MEMORY_QUERY_INIT;

    all->env = store->env;
    query.limit = PAGE;
    query.exact = exact;
    do {
        void *pages = (void *)all->pages, *items = (void *)all->items;
        agentchat_memory_results *page;
        agentchat_status status;

        if (!aci_grow(all->env, &pages, &all->page_cap, all->page_count, sizeof *all->pages))
            return aci_fail_nomem(err);
        all->pages = pages;
        status = agentchat_memory_search(store, ns, &query, &page, err);
        if (status < 0)
            return status;
        all->pages[all->page_count++] = page;
        for (size_t i = 0; i < agentchat_memory_results_count(page); i++) {
            if (!aci_grow(all->env, &items, &all->cap, all->count, sizeof *all->items))
                return aci_fail_nomem(err);
            all->items = items;
            all->items[all->count++] = agentchat_memory_results_at(page, i);
        }
        query.cursor = agentchat_memory_results_cursor(page);
    } while (query.cursor != NULL);
    if (all->count > 0)
        qsort((void *)all->items, all->count, sizeof *all->items, by_revision);
    return AGENTCHAT_OK;
}

void aci_all_drop(aci_all *all)
{
    for (size_t i = 0; i < all->page_count; i++)
        agentchat_memory_results_free(all->pages[i]);
    if (all->env != NULL) {
        aci_free(all->env, (void *)all->pages, all->page_cap * sizeof *all->pages);
        aci_free(all->env, (void *)all->items, all->cap * sizeof *all->items);
    }
    *all = (aci_all){.env = NULL};
}
