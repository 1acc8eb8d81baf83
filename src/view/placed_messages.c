/* SPDX-License-Identifier: Apache-2.0 */
#include "view/placed_messages.h"

#include "base/checked.h"
#include <stdlib.h>

/* Before which message of the history, and of which channel. */
typedef struct own_message {
    size_t before, channel, index;
} own_message;

static int by_position(const void *left, const void *right)
{
    const own_message *a = left, *b = right;

    if (a->before != b->before)
        return a->before < b->before ? -1 : 1;
    if (a->channel != b->channel)
        return a->channel < b->channel ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* What only channels hold, in order; count of them are there. */
static own_message *owns_of(const agentchat_env *env, const aci_channel_views *views, size_t count)
{
    own_message *owns = NULL;
    size_t size = 0, at = 0;

    if (!aci_mul(count + 1, sizeof *owns, &size) || (owns = aci_alloc(env, size)) == NULL)
        return NULL;
    for (size_t i = 0; i < views->count; i++)
        for (size_t k = 0; k < views->list[i].own_count; k++)
            owns[at++] = (own_message){views->list[i].owns[k].before, i, views->list[i].owns[k].index};
    if (count > 0)
        qsort(owns, count, sizeof *owns, by_position);
    return owns;
}

static void place_all(aci_placed_messages *placed, const agentchat_snapshot *snapshot, const own_message *owns,
                      size_t own_count)
{
    size_t history = agentchat_messages_count(&snapshot->history), next = 0;

    for (size_t i = 0; i <= history; i++) {
        for (; next < own_count && owns[next].before == i; next++)
            placed->list[placed->count++] = (aci_placed){
                .message = agentchat_messages_at(&snapshot->channels[owns[next].channel].messages, owns[next].index),
                .index = owns[next].index,
                .own_of = owns[next].channel,
                .is_new = true};
        if (i < history)
            placed->list[placed->count++] = (aci_placed){.message = agentchat_messages_at(&snapshot->history, i),
                                                         .index = i,
                                                         .own_of = SIZE_MAX,
                                                         .is_new = true};
    }
}

bool aci_placed_messages_make(aci_placed_messages *placed, const agentchat_snapshot *snapshot,
                              const aci_channel_views *views)
{
    const agentchat_env *env = snapshot->env;
    size_t own_count = 0, size = 0;
    own_message *owns;

    *placed = (aci_placed_messages){.env = env};
    for (size_t i = 0; i < views->count; i++)
        own_count += views->list[i].own_count;
    placed->cap = agentchat_messages_count(&snapshot->history) + own_count + 1;
    owns = owns_of(env, views, own_count);
    if (owns == NULL || !aci_mul(placed->cap, sizeof *placed->list, &size) ||
        (placed->list = aci_alloc(env, size)) == NULL) {
        aci_free(env, owns, (own_count + 1) * sizeof *owns);
        return false;
    }
    place_all(placed, snapshot, owns, own_count);
    aci_free(env, owns, (own_count + 1) * sizeof *owns);
    return true;
}

void aci_placed_messages_clear(aci_placed_messages *placed)
{
    aci_free(placed->env, placed->list, placed->cap * sizeof *placed->list);
}
