/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a channel has not been given yet: batches in order, each a range of the history.
 *
 * The history of a live chat only grows at its end, so a range says all there is to a batch; an edit moves the ranges.
 * A batch may be empty.
 */
#ifndef ACI_CHAT_QUEUE_H
#define ACI_CHAT_QUEUE_H

#include "base/env.h"

typedef struct aci_range {
    size_t first, count;
} aci_range;

typedef struct aci_queue {
    aci_range *list;
    size_t count, cap;
} aci_queue;

bool aci_queue_reserve(aci_queue *queue, const agentchat_env *env); /* room for one more; false: out of memory */
void aci_queue_push(aci_queue *queue, aci_range range);             /* into room that was reserved */
void aci_queue_drop(aci_queue *queue, size_t count);                /* as many from the head on */
/* Appends one position: to the last batch if it follows on from it, else as a batch of its own. */
bool aci_queue_add_position(aci_queue *queue, const agentchat_env *env, size_t position);
size_t aci_queue_message_count(const aci_queue *queue);
void aci_queue_clear(aci_queue *queue, const agentchat_env *env); /* frees; the queue may be used again */

#endif
