/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The persistent list of messages.
 *
 * A list is a count and a chain of segments, newest first. A segment holds the messages from its base on; those beyond
 * a list's count, or beyond the base of the segment that follows in its chain, belong to other lists. Invariants:
 *   - base < count for the tail of a list that is not empty, and prev->base < base all the way down to base 0;
 *   - a slot is written once, by the list that claimed it by raising `used`, and never changes until the segment dies;
 *   - a segment with an arena has no free slots: its messages all live in that arena, on which it holds one reference;
 *   - a segment without an arena holds one reference per message.
 */
#include "model/model.h"

#include "base/checked.h"
#include <string.h>

enum {
    FIRST_CAP = 8,
    LAST_CAP = 65536,
    /* A fork whose own part of the shared segment is not longer than this copies that part instead of chaining, so
       that forking again and again does not give a chain of segments with one message each. */
    COPIED_AT_FORK = 64
};

struct aci_segment {
    atomic_size_t refs;
    atomic_size_t used; /* slots claimed */
    size_t base;        /* position of slot 0 */
    size_t cap;
    aci_segment *prev; /* one reference */
    aci_arena *arena;  /* one reference, for all messages; NULL: each message is counted */
    const agentchat_env *env;
    const agentchat_message *slots[];
};

static bool segment_size(size_t cap, size_t *size)
{
    return aci_mul(cap, sizeof(agentchat_message *), size) && aci_add(*size, sizeof(aci_segment), size);
}

static aci_segment *segment_ref(aci_segment *segment)
{
    if (segment != NULL)
        atomic_fetch_add_explicit(&segment->refs, 1, memory_order_relaxed);
    return segment;
}

/* Takes its own reference on prev. */
static aci_segment *segment_new(const agentchat_env *env, size_t base, size_t cap, aci_segment *prev)
{
    aci_segment *segment;
    size_t size;

    if (!segment_size(cap, &size))
        return NULL;
    segment = aci_alloc(env, size);
    if (segment == NULL)
        return NULL;
    atomic_init(&segment->refs, 1);
    atomic_init(&segment->used, 0);
    segment->base = base;
    segment->cap = cap;
    segment->prev = segment_ref(prev);
    segment->arena = NULL;
    segment->env = env;
    return segment;
}

/* A chain may be long: it is taken apart in a loop. */
static void segment_unref(aci_segment *segment)
{
    while (segment != NULL && atomic_fetch_sub_explicit(&segment->refs, 1, memory_order_acq_rel) == 1) {
        aci_segment *prev = segment->prev;
        size_t used = atomic_load_explicit(&segment->used, memory_order_relaxed);
        size_t size = 0;

        if (segment->arena != NULL)
            aci_arena_unref(segment->arena);
        else
            for (size_t i = 0; i < used; i++)
                agentchat_message_unref(segment->slots[i]);
        if (segment_size(segment->cap, &size)) /* as it did when the segment was made */
            aci_free(segment->env, segment, size);
        segment = prev;
    }
}

/* Fills a new segment with the messages of array (at least one); one reference serves all if they share an arena. */
static void segment_fill(aci_segment *segment, const agentchat_message *const *array, size_t count)
{
    bool one_arena = count == segment->cap;

    for (size_t i = 1; one_arena && i < count; i++)
        one_arena = array[i]->arena == array[0]->arena;
    memcpy(segment->slots, array, count * sizeof *array);
    atomic_store_explicit(&segment->used, count, memory_order_relaxed);
    if (one_arena)
        segment->arena = aci_arena_ref(array[0]->arena);
    else
        for (size_t i = 0; i < count; i++)
            agentchat_message_ref(array[i]);
}

/* The newest segment that holds messages before position count; NULL when count is 0. */
static aci_segment *segment_before(const agentchat_messages *list, size_t count)
{
    aci_segment *segment = list->tail;

    if (count == 0)
        return NULL;
    while (segment->base >= count)
        segment = segment->prev;
    return segment;
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
    segment_ref(to->tail);
}

void aci_list_clear(agentchat_messages *list)
{
    segment_unref(list->tail);
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
        return segment_new(list->env, 0, FIRST_CAP, NULL);
    own = list->count - tail->base;
    if (own == tail->cap) {
        /* Full: grow, but start small after the one segment of a document, which may have any size. */
        cap = tail->arena != NULL ? FIRST_CAP : tail->cap * 2;
        cap = cap < FIRST_CAP ? FIRST_CAP : cap > LAST_CAP ? LAST_CAP : cap;
        return segment_new(list->env, list->count, cap, tail);
    }
    if (own > COPIED_AT_FORK)
        return segment_new(list->env, list->count, FIRST_CAP, tail);
    segment = segment_new(list->env, tail->base, own * 2 < FIRST_CAP ? FIRST_CAP : own * 2, tail->prev);
    if (segment != NULL)
        segment_fill(segment, tail->slots, own);
    return segment;
}

bool aci_list_append(agentchat_messages *list, const agentchat_message *message)
{
    aci_segment *segment = list->tail;
    size_t slot = segment != NULL ? list->count - segment->base : 0;
    size_t expected = slot;

    /* Whoever raises `used` from this list's end owns the slot; everybody else forks. So does a list of another
       environment than the segment's: the segment may outlive that environment, and would then still hold messages
       that were made with it. */
    if (segment == NULL || slot >= segment->cap || segment->env != list->env ||
        !atomic_compare_exchange_strong_explicit(&segment->used, &expected, slot + 1, memory_order_relaxed,
                                                 memory_order_relaxed)) {
        segment = next_segment(list);
        if (segment == NULL)
            return false;
        segment_unref(list->tail);
        list->tail = segment;
        slot = list->count - segment->base;
        atomic_store_explicit(&segment->used, slot + 1, memory_order_relaxed);
    }
    agentchat_message_ref(message);
    segment->slots[slot] = message;
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

    to->tail = segment_ref(segment_before(from, kept));
    to->count = kept;
    to->env = from->env;
}

bool aci_list_slice(agentchat_messages *to, const agentchat_messages *from, size_t first, size_t count)
{
    size_t begin = first < from->count ? first : from->count;
    size_t end = count < from->count - begin ? begin + count : from->count;
    aci_segment *segment;
    aci_list_cursor cursor;
    bool one_arena = true;

    if (begin == 0 || begin == end) {
        aci_list_prefix(to, from, begin == end ? 0 : end);
        return true;
    }
    aci_list_init(to, from->env);
    segment = segment_new(from->env, 0, end - begin, NULL);
    if (segment == NULL)
        return false;
    aci_list_cursor_begin(&cursor, from);
    for (size_t i = begin; i < end; i++) {
        segment->slots[i - begin] = aci_list_cursor_at(&cursor, i);
        one_arena = one_arena && segment->slots[i - begin]->arena == segment->slots[0]->arena;
    }
    if (one_arena)
        segment->arena = aci_arena_ref(segment->slots[0]->arena);
    else
        for (size_t i = 0; i < end - begin; i++)
            agentchat_message_ref(segment->slots[i]);
    atomic_store_explicit(&segment->used, end - begin, memory_order_relaxed);
    to->tail = segment;
    to->count = end - begin;
    return true;
}

void aci_list_flatten(const agentchat_messages *list, const agentchat_message **out)
{
    size_t end = list->count;

    for (const aci_segment *segment = list->tail; end > 0; segment = segment->prev)
        if (segment->base < end) {
            memcpy(out + segment->base, segment->slots, (end - segment->base) * sizeof *out);
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

        if (memcmp(left->slots + (base - left->base), right->slots + (base - right->base),
                   (end - base) * sizeof *left->slots) != 0)
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
        const aci_segment *segment = cursor->list->tail;

        if (index >= cursor->list->count)
            return NULL;
        cursor->end = cursor->list->count;
        while (segment->base > index) {
            cursor->end = segment->base;
            segment = segment->prev;
        }
        cursor->segment = segment;
        cursor->begin = segment->base;
    }
    return cursor->segment->slots[index - cursor->begin];
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

    return segment->slots[index - segment->base];
}
