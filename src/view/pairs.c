/* SPDX-License-Identifier: Apache-2.0 */
/* Pairing of calls and results: sorted by id, then back into their order. Layer 5. */
#include "view/pairs.h"

#include "base/checked.h"
#include <stdlib.h>
#include <string.h>

static bool is_link(const agentchat_item *item)
{
    return item->kind == AGENTCHAT_ITEM_CALL || item->kind == AGENTCHAT_ITEM_RESULT;
}

static size_t collect(aci_link *links, const agentchat_messages *messages)
{
    size_t count = 0, all = agentchat_messages_count(messages);

    for (size_t m = 0; m < all; m++) {
        const agentchat_message *message = agentchat_messages_at(messages, m);

        for (size_t i = 0; i < message->item_count; i++) {
            const agentchat_item *item = message->items[i];

            if (!is_link(item))
                continue;
            if (links != NULL)
                links[count] =
                    (aci_link){item, agentchat_item_get(item, AGENTCHAT_FIELD_CALL_ID), m, count, ACI_NO_PARTNER, true};
            count++;
        }
    }
    return count;
}

static int by_id(const void *left, const void *right)
{
    const aci_link *a = left, *b = right;
    size_t shorter = a->id.len < b->id.len ? a->id.len : b->id.len;
    int bytes = shorter > 0 ? memcmp(a->id.ptr, b->id.ptr, shorter) : 0;

    if (bytes != 0)
        return bytes;
    if (a->id.len != b->id.len)
        return a->id.len < b->id.len ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int by_order(const void *left, const void *right)
{
    const aci_link *a = left, *b = right;

    return a->order < b->order ? -1 : a->order > b->order;
}

static void pair(aci_link *links, size_t count)
{
    aci_link *call = NULL;

    for (size_t i = 0; i < count; i++) {
        aci_link *link = &links[i];

        if (link->id.ptr == NULL || agentchat_str_is_null(link->id))
            continue; /* it may stand between those whose id is the empty text */
        if (call != NULL && !agentchat_str_equal(call->id, link->id))
            call = NULL;
        if (link->item->kind == AGENTCHAT_ITEM_CALL) {
            call = link;
        } else if (call != NULL) {
            call->partner = link->order;
            link->partner = call->order;
            call = NULL;
        }
    }
}

bool aci_pairs_find(aci_pairs *pairs, const agentchat_env *env, const agentchat_messages *messages)
{
    size_t count = collect(NULL, messages), size = 0;

    *pairs = (aci_pairs){env, NULL, 0};
    if (count == 0)
        return true;
    if (!aci_mul(count, sizeof *pairs->links, &size))
        return false;
    pairs->links = aci_alloc(env, size);
    if (pairs->links == NULL)
        return false;
    pairs->count = collect(pairs->links, messages);
    qsort(pairs->links, count, sizeof *pairs->links, by_id);
    pair(pairs->links, count);
    qsort(pairs->links, count, sizeof *pairs->links, by_order);
    return true;
}

void aci_pairs_clear(aci_pairs *pairs)
{
    aci_free(pairs->env, pairs->links, pairs->count * sizeof *pairs->links);
    *pairs = (aci_pairs){pairs->env, NULL, 0};
}
