/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The persistent list of messages.
 *
 * A list is a count and a chain of segments (segment.h). Invariants:
 *   - base < count for the tail of a list that is not empty;
 *   - a segment with an arena has no free slots: its messages all live in that arena, on which it holds one reference;
 *   - a segment without an arena holds one reference per message.
 */
#include "model/model.h"

#include "model/segment.h"
#include <string.h>

static const agentchat_message **slots_of(const aci_segment *segment)
{
    return aci_segment_slots(segment);
}

static aci_segment *segment_new(const agentchat_env *env, size_t base, size_t cap, aci_segment *prev)
{
    return aci_segment_new(env, base, cap, sizeof(agentchat_message *), prev);
}

static void drop_messages(const aci_segment *segment)
{
    size_t used = atomic_load_explicit(&segment->used, memory_order_relaxed);

    for (size_t i = 0; i < used; i++)
        agentchat_message_unref(slots_of(segment)[i]);
}

/* Takes the references that a new segment needs for its first messages (at least one): one serves all if they share an
   arena. */
static void segment_hold(aci_segment *segment, size_t count)
{
    const agentchat_message **slots = slots_of(segment);
    bool one_arena = count == segment->cap;

    for (size_t i = 1; one_arena && i < count; i++)
        one_arena = slots[i]->arena == slots[0]->arena;
    atomic_store_explicit(&segment->used, count, memory_order_relaxed);
    if (one_arena)
        segment->arena = aci_arena_ref(slots[0]->arena);
    else
        for (size_t i = 0; i < count; i++)
            agentchat_message_ref(slots[i]);
}

/* Fills a new segment with the messages of array (at least one). */
static void segment_fill(aci_segment *segment, const agentchat_message *const *array, size_t count)
{
    memcpy(slots_of(segment), array, count * sizeof *array);
    segment_hold(segment, count);
}

/* The newest segment that holds messages before position count; NULL when count is 0. */
static aci_segment *segment_before(const agentchat_messages *list, size_t count)
{
    size_t end;

    return count > 0 ? aci_segment_find(list->tail, count - 1, &end) : NULL;
}

void aci_list_init(agentchat_messages *list, const agentchat_env *env)
{
    list->tail = NULL;
    list->count = 0;
    list->env = env;
}

void aci_list_copy(agentchat_messages *to, const agentchat_messages *from)
{
    *to = *from;
    aci_segment_ref(to->tail);
}

void aci_list_clear(agentchat_messages *list)
{
    aci_segment_unref(list->tail, drop_messages);
    list->tail = NULL;
    list->count = 0;
}

/* A new tail for a list that cannot claim a slot of its own one: chained to it, or a copy of its part of it. */
static aci_segment *next_segment(const agentchat_messages *list)
{
    aci_segment *tail = list->tail;
    aci_segment *segment;
    size_t own, cap;

    if (tail == NULL)
        return segment_new(list->env, 0, ACI_SEGMENT_FIRST_CAP, NULL);
    own = list->count - tail->base;
    if (own == tail->cap) {
        /* Full: grow, but start small after the one segment of a document, which may have any size. */
        cap = tail->arena != NULL ? ACI_SEGMENT_FIRST_CAP : tail->cap * 2;
        cap = cap < ACI_SEGMENT_FIRST_CAP  ? ACI_SEGMENT_FIRST_CAP
              : cap > ACI_SEGMENT_LAST_CAP ? ACI_SEGMENT_LAST_CAP
                                           : cap;
        return segment_new(list->env, list->count, cap, tail);
    }
    if (own > ACI_SEGMENT_COPIED_AT_FORK)
        return segment_new(list->env, list->count, ACI_SEGMENT_FIRST_CAP, tail);
    segment = segment_new(list->env, tail->base, own * 2 < ACI_SEGMENT_FIRST_CAP ? ACI_SEGMENT_FIRST_CAP : own * 2,
                          tail->prev);
    if (segment != NULL)
        segment_fill(segment, slots_of(tail), own);
    return segment;
}

bool aci_list_append(agentchat_messages *list, const agentchat_message *message)
{
    aci_segment *segment = list->tail;
    size_t slot = segment != NULL ? list->count - segment->base : 0;

    if (aci_segment_claim(segment, list->env, slot, 1) == 0) {
        segment = next_segment(list);
        if (segment == NULL)
            return false;
        aci_segment_unref(list->tail, drop_messages);
        list->tail = segment;
        slot = list->count - segment->base;
        (void)aci_segment_claim(segment, list->env, slot, 1); /* which nobody else has yet */
    }
    agentchat_message_ref(message);
    slots_of(segment)[slot] = message;
    list->count++;
    return true;
}

bool aci_list_append_range(agentchat_messages *list, const agentchat_messages *from, size_t first, size_t count)
{
    agentchat_messages before;
    aci_list_cursor cursor;

    aci_list_copy(&before, list);
    aci_list_cursor_begin(&cursor, from);
    for (size_t i = 0; i < count; i++)
        if (!aci_list_append(list, aci_list_cursor_at(&cursor, first + i))) {
            aci_list_clear(list);
            *list = before;
            return false;
        }
    aci_list_clear(&before);
    return true;
}

bool aci_list_from_array(agentchat_messages *list, const agentchat_env *env, const agentchat_message *const *array,
                         size_t count)
{
    aci_list_init(list, env);
    if (count == 0)
        return true;
    list->tail = segment_new(env, 0, count, NULL);
    if (list->tail == NULL)
        return false;
    segment_fill(list->tail, array, count);
    list->count = count;
    return true;
}

bool aci_list_from_arena(agentchat_messages *list, const agentchat_env *env, aci_arena *arena,
                         agentchat_message *const *array, size_t count)
{
    (void)arena; /* found again in the messages: segment_fill() */
    return aci_list_from_array(list, env, (const agentchat_message *const *)array, count);
}

void aci_list_prefix(agentchat_messages *to, const agentchat_messages *from, size_t count)
{
    size_t kept = count < from->count ? count : from->count;

    to->tail = aci_segment_ref(segment_before(from, kept));
    to->count = kept;
    to->env = from->env;
}

bool aci_list_slice(agentchat_messages *to, const agentchat_messages *from, size_t first, size_t count)
{
    size_t begin = first < from->count ? first : from->count;
    size_t end = count < from->count - begin ? begin + count : from->count;
    aci_segment *segment;
    aci_list_cursor cursor;

    if (begin == 0 || begin == end) {
        aci_list_prefix(to, from, begin == end ? 0 : end);
        return true;
    }
    aci_list_init(to, from->env);
    segment = segment_new(from->env, 0, end - begin, NULL);
    if (segment == NULL)
        return false;
    aci_list_cursor_begin(&cursor, from);
    for (size_t i = begin; i < end; i++)
        slots_of(segment)[i - begin] = aci_list_cursor_at(&cursor, i);
    segment_hold(segment, end - begin);
    to->tail = segment;
    to->count = end - begin;
    return true;
}

void aci_list_flatten(const agentchat_messages *list, const agentchat_message **out)
{
    size_t end = list->count;

    for (const aci_segment *segment = list->tail; end > 0; segment = segment->prev)
        if (segment->base < end) {
            memcpy(out + segment->base, slots_of(segment), (end - segment->base) * sizeof *out);
            end = segment->base;
        }
}

bool aci_list_is_prefix(const agentchat_messages *a, const agentchat_messages *b)
{
    const aci_segment *left, *right;
    size_t end = a->count;

    if (end > b->count)
        return false;
    left = segment_before(a, end);
    right = segment_before(b, end);
    while (end > 0 && left != right) {
        size_t base = left->base > right->base ? left->base : right->base;

        if (memcmp(slots_of(left) + (base - left->base), slots_of(right) + (base - right->base),
                   (end - base) * sizeof *slots_of(left)) != 0)
            return false;
        end = base;
        while (end > 0 && left->base >= end)
            left = left->prev;
        while (end > 0 && right->base >= end)
            right = right->prev;
    }
    return true;
}

void aci_list_cursor_begin(aci_list_cursor *cursor, const agentchat_messages *list)
{
    cursor->list = list;
    cursor->segment = NULL;
    cursor->begin = 0;
    cursor->end = 0;
}

const agentchat_message *aci_list_cursor_at(aci_list_cursor *cursor, size_t index)
{
    if (index < cursor->begin || index >= cursor->end) {
        if (index >= cursor->list->count)
            return NULL;
        cursor->end = cursor->list->count;
        cursor->segment = aci_segment_find(cursor->list->tail, index, &cursor->end);
        cursor->begin = cursor->segment->base;
    }
    return slots_of(cursor->segment)[index - cursor->begin];
}

size_t agentchat_messages_count(const agentchat_messages *messages)
{
    return messages != NULL ? messages->count : 0;
}

const agentchat_message *agentchat_messages_at(const agentchat_messages *messages, size_t index)
{
    if (index >= agentchat_messages_count(messages))
        return NULL;
    const aci_segment *segment = segment_before(messages, index + 1);

    return slots_of(segment)[index - segment->base];
}
