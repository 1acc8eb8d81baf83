/* SPDX-License-Identifier: Apache-2.0 */
/* Batches that wait for a channel. */
#include "chat/queue.h"

#include "base/buf.h"
#include <string.h>

bool aci_queue_reserve(aci_queue *queue, const agentchat_env *env)
{
    void *list = queue->list;

    if (!aci_grow(env, &list, &queue->cap, queue->count, sizeof *queue->list))
        return false;
    queue->list = list;
    return true;
}

void aci_queue_push(aci_queue *queue, aci_range range)
{
    queue->list[queue->count++] = range;
}

void aci_queue_drop(aci_queue *queue, size_t count)
{
    if (count == 0)
        return;
    queue->count -= count;
    memmove(queue->list, queue->list + count, queue->count * sizeof *queue->list);
}

bool aci_queue_add_position(aci_queue *queue, const agentchat_env *env, size_t position)
{
    aci_range *last = queue->count > 0 ? &queue->list[queue->count - 1] : NULL;

    if (last != NULL && last->first + last->count == position) {
        last->count++;
        return true;
    }
    if (!aci_queue_reserve(queue, env))
        return false;
    aci_queue_push(queue, (aci_range){position, 1});
    return true;
}

size_t aci_queue_message_count(const aci_queue *queue)
{
    size_t count = 0;

    for (size_t i = 0; i < queue->count; i++)
        count += queue->list[i].count;
    return count;
}

void aci_queue_clear(aci_queue *queue, const agentchat_env *env)
{
    aci_free(env, queue->list, queue->cap * sizeof *queue->list);
    *queue = (aci_queue){0};
}
