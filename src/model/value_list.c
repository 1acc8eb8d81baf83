/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The persistent list of JSON texts, a chain of segments (segment.h). Invariants:
 *   - a list is the positions [begin, begin + count) of its chain; segment->base < begin + count for its tail;
 *   - the text of a slot lives in the segment's arena, from which nobody allocates who has not claimed slots at its
 *     end;
 *   - of a chain, the positions before a list's `begin` are never many more than the list has elements.
 */
#include "model/value_list.h"

#include "base/checked.h"
#include "json/walk.h"
#include <string.h>

enum { UNUSED_IN_CHAIN = 64 }; /* positions before a list that are not worth copying it for */

typedef struct joined { /* a list's text */
    size_t len;
    char text[];
} joined;

struct aci_value_list {
    atomic_size_t refs;
    const agentchat_env *env;
    aci_segment *tail; /* NULL when empty; one reference */
    size_t begin, count;
    _Atomic(joined *) text; /* NULL: not made yet */
};

/* ---- segments --------------------------------------------------------------------------------------------------- */

static agentchat_str *slots_of(const aci_segment *segment)
{
    return aci_segment_slots(segment);
}

static aci_segment *segment_new(const agentchat_env *env, size_t base, size_t cap, aci_segment *prev)
{
    aci_segment *segment = aci_segment_new(env, base, cap, sizeof(agentchat_str), prev);

    if (segment == NULL)
        return NULL;
    segment->arena = aci_arena_new(env, 0);
    if (segment->arena != NULL)
        return segment;
    aci_segment_unref(segment, NULL);
    return NULL;
}

/* Fills slots that were claimed. */
static bool segment_fill(aci_segment *segment, size_t slot, const agentchat_str *texts, size_t count)
{
    bool ok = true;

    for (size_t i = 0; i < count && ok; i++)
        slots_of(segment)[slot + i] = aci_arena_copy(segment->arena, texts[i], &ok);
    return ok;
}

/* ---- making lists ----------------------------------------------------------------------------------------------- */

/* A new tail for a list that cannot claim a slot of its own one: chained to it, or a copy of its part of it. */
static aci_segment *next_segment(const aci_value_list *list, size_t more)
{
    aci_segment *tail = list->tail, *segment;
    size_t end = list->begin + list->count, own, cap = ACI_SEGMENT_FIRST_CAP;

    if (tail == NULL)
        return segment_new(list->env, 0, more, NULL);
    own = end - tail->base;
    if (own == tail->cap && tail->prev != NULL) /* it starts small after the first, which may have any size */
        cap = own > ACI_SEGMENT_LAST_CAP / 2 ? ACI_SEGMENT_LAST_CAP : own * 2;
    if (own == tail->cap || own > ACI_SEGMENT_COPIED_AT_FORK)
        return segment_new(list->env, end, cap > more ? cap : more, tail);
    segment = segment_new(list->env, tail->base, own + (more > own ? more : own), tail->prev);
    if (segment == NULL || segment_fill(segment, 0, slots_of(tail), own)) {
        if (segment != NULL)
            atomic_store_explicit(&segment->used, own, memory_order_relaxed);
        return segment;
    }
    aci_segment_unref(segment, NULL);
    return NULL;
}

/* Claims slots after the list's end in its tail, or in a new one; how many there are, up to `more`. 0: out of memory.
 */
static size_t claim(aci_value_list *list, size_t more)
{
    aci_segment *segment = list->tail;
    size_t end = list->begin + list->count;
    size_t count = segment != NULL ? aci_segment_claim(segment, list->env, end - segment->base, more) : 0;

    if (count > 0)
        return count;
    segment = next_segment(list, more < ACI_SEGMENT_FIRST_CAP ? ACI_SEGMENT_FIRST_CAP : more);
    if (segment == NULL)
        return 0;
    aci_segment_unref(list->tail, NULL);
    list->tail = segment;
    return aci_segment_claim(segment, list->env, end - segment->base, more);
}

static bool append(aci_value_list *list, const agentchat_str *texts, size_t count)
{
    while (count > 0) {
        size_t claimed = claim(list, count);

        if (claimed == 0 || !segment_fill(list->tail, list->begin + list->count - list->tail->base, texts, claimed))
            return false;
        list->count += claimed;
        texts += claimed;
        count -= claimed;
    }
    return true;
}

/* Copies elements of another list. */
static bool copy(aci_value_list *list, const aci_value_list *from, size_t first, size_t count)
{
    aci_value_list_cursor cursor;

    list->tail = segment_new(list->env, 0, count, NULL);
    if (list->tail == NULL)
        return false;
    aci_value_list_cursor_begin(&cursor, from);
    for (size_t i = 0; i < count; i++) {
        agentchat_str text = aci_value_list_cursor_at(&cursor, first + i);

        if (!segment_fill(list->tail, i, &text, 1))
            return false;
    }
    atomic_store_explicit(&list->tail->used, count, memory_order_relaxed);
    list->count = count;
    return true;
}

static bool take(aci_value_list *list, const aci_value_list *from, size_t first, size_t count)
{
    size_t begin = from->begin + first, end;

    if (begin > count + UNUSED_IN_CHAIN)
        return copy(list, from, first, count); /* which is not more than what was dropped since the last time */
    list->tail = aci_segment_ref(aci_segment_find(from->tail, begin + count - 1, &end));
    list->begin = begin;
    list->count = count;
    return true;
}

aci_value_list *aci_value_list_make(const agentchat_env *env, const aci_value_list *base, size_t first, size_t count,
                                    const agentchat_str *added, size_t added_count)
{
    aci_value_list *list = aci_alloc(env, sizeof *list);

    if (list == NULL)
        return NULL;
    *list = (aci_value_list){.env = env};
    atomic_init(&list->refs, 1);
    atomic_init(&list->text, NULL);
    if ((count == 0 || take(list, base, first, count)) && append(list, added, added_count))
        return list;
    aci_value_list_unref(list);
    return NULL;
}

/* ---- looking at lists ------------------------------------------------------------------------------------------- */

static aci_value_list *writable(const aci_value_list *list)
{
    return (aci_value_list *)(uintptr_t)list; /* const, since what it holds does not change */
}

aci_value_list *aci_value_list_ref(const aci_value_list *list)
{
    aci_value_list *self = writable(list);

    if (self != NULL)
        atomic_fetch_add_explicit(&self->refs, 1, memory_order_relaxed);
    return self;
}

void aci_value_list_unref(const aci_value_list *list)
{
    aci_value_list *self = writable(list);
    joined *text;

    if (self == NULL || atomic_fetch_sub_explicit(&self->refs, 1, memory_order_acq_rel) != 1)
        return;
    text = atomic_load_explicit(&self->text, memory_order_relaxed);
    if (text != NULL)
        aci_free(self->env, text, sizeof *text + text->len);
    aci_segment_unref(self->tail, NULL);
    aci_free(self->env, self, sizeof *self);
}

size_t aci_value_list_count(const aci_value_list *list)
{
    return list != NULL ? list->count : 0;
}

static joined *join(const aci_value_list *list)
{
    size_t len = list->count > 0 ? list->count + 1 : 2, size; /* brackets and commas */
    aci_value_list_cursor cursor;
    joined *made;
    char *at;

    aci_value_list_cursor_begin(&cursor, list);
    for (size_t i = 0; i < list->count; i++)
        if (!aci_add(len, aci_value_list_cursor_at(&cursor, i).len, &len))
            return NULL;
    made = aci_add(len, sizeof *made, &size) ? aci_alloc(list->env, size) : NULL;
    if (made == NULL)
        return NULL;
    made->len = len;
    at = made->text;
    for (size_t i = 0; i < list->count; i++) {
        agentchat_str text = aci_value_list_cursor_at(&cursor, i);

        *at++ = i == 0 ? '[' : ',';
        memcpy(at, text.ptr, text.len);
        at += text.len;
    }
    if (list->count == 0)
        *at++ = '[';
    *at = ']';
    return made;
}

bool aci_value_list_text(const aci_value_list *list, agentchat_str *out)
{
    aci_value_list *self = writable(list);
    joined *made = atomic_load_explicit(&self->text, memory_order_acquire), *expected = NULL;

    if (made == NULL) {
        made = join(list);
        if (made == NULL)
            return false;
        if (!atomic_compare_exchange_strong_explicit(&self->text, &expected, made, memory_order_acq_rel,
                                                     memory_order_acquire)) {
            aci_free(list->env, made, sizeof *made + made->len); /* another thread was first */
            made = expected;
        }
    }
    *out = (agentchat_str){made->text, made->len};
    return true;
}

void aci_value_list_shared(const aci_value_list *a, const aci_value_list *b, size_t *skipped, size_t *run)
{
    const aci_segment *left = a->tail, *right = b->tail;
    size_t left_end = a->begin + a->count, right_end = b->begin + b->count;
    size_t end;

    *skipped = *run = 0;
    while (left != NULL && right != NULL && left != right) {
        bool is_left = left->base > right->base;

        if (is_left || left->base == right->base) {
            left_end = left->base;
            left = left->prev;
        }
        if (!is_left) {
            right_end = right->base;
            right = right->prev;
        }
    }
    end = left_end < right_end ? left_end : right_end;
    if (left == NULL || left != right || a->begin > b->begin || end <= b->begin)
        return;
    *skipped = b->begin - a->begin;
    *run = end - b->begin;
}

void aci_value_list_cursor_begin(aci_value_list_cursor *cursor, const aci_value_list *list)
{
    *cursor = (aci_value_list_cursor){.list = list};
}

agentchat_str aci_value_list_cursor_at(aci_value_list_cursor *cursor, size_t index)
{
    const aci_value_list *list = cursor->list;

    if (index < cursor->begin || index >= cursor->end) {
        size_t end = list->begin + list->count;
        const aci_segment *segment;

        if (index >= list->count)
            return (agentchat_str){NULL, 0};
        segment = aci_segment_find(list->tail, list->begin + index, &end);
        cursor->segment = segment;
        cursor->begin = segment->base > list->begin ? segment->base - list->begin : 0;
        cursor->end = end - list->begin;
    }
    return slots_of(cursor->segment)[list->begin + index - cursor->segment->base];
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool aci_value_list_split(agentchat_str array, aci_arena *arena, agentchat_str **out, size_t *count)
{
    const char *begin = array.ptr + 1; /* of the element, whitespace before it included */
    agentchat_str *texts;
    size_t total = 0;
    aci_walk walk;

    aci_walk_begin(&walk, array);
    while (aci_walk_next(&walk))
        total++;
    texts = aci_arena_alloc(arena, (total + 1) * sizeof *texts);
    if (texts == NULL)
        return false;
    *out = texts;
    *count = 0;
    aci_walk_begin(&walk, array);
    while (*count < total && aci_walk_next(&walk)) {
        const char *end = walk.value.ptr + walk.value.len;

        while (is_space(*end))
            end++;
        texts[(*count)++] = (agentchat_str){begin, (size_t)(end - begin)};
        begin = end + 1;
    }
    return true;
}
