/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the messages of a channel in the history of its chat, by the identity of the message objects.
 *
 * A channel holds nearly the same messages in the same order as the history, so the next one is nearly always a few
 * positions ahead. Only when it is not, an index of the history is made: four to eight bytes for each message, and
 * then finding takes constant time, so that writing stays linear whatever the channels hold.
 */
#include "format/native/chat.h"

#include "base/checked.h"

enum { NEAR = 16 };

void aci_native_runs_init(aci_native_runs *runs, const agentchat_env *env, const agentchat_messages *history)
{
    runs->env = env;
    aci_list_cursor_begin(&runs->cursor, history);
    runs->count = agentchat_messages_count(history);
    runs->slots = NULL;
    runs->slot_count = 0;
}

void aci_native_runs_clear(aci_native_runs *runs)
{
    aci_free(runs->env, runs->slots, runs->slot_count * sizeof(*runs->slots));
    runs->slots = NULL;
    runs->slot_count = 0;
}

/* The slot of a message, or the free one where it belongs. */
static uint32_t *slot_of(aci_native_runs *runs, const agentchat_message *message)
{
    uint64_t hash = (uint64_t)(uintptr_t)message * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(hash >> 20) & (runs->slot_count - 1);

    while (runs->slots[i] != 0 && aci_list_cursor_at(&runs->cursor, runs->slots[i] - 1u) != message)
        i = (i + 1) & (runs->slot_count - 1);
    return &runs->slots[i];
}

static bool make_index(aci_native_runs *runs)
{
    size_t slots = 16, size;

    while (slots / 2 < runs->count)
        if (!aci_mul(slots, 2, &slots))
            return false;
    if (!aci_mul(slots, sizeof(*runs->slots), &size))
        return false;
    runs->slots = aci_alloc_zero(runs->env, size);
    if (runs->slots == NULL)
        return false;
    runs->slot_count = slots;
    for (size_t i = 0; i < runs->count; i++) {
        uint32_t *slot = slot_of(runs, aci_list_cursor_at(&runs->cursor, i));

        if (*slot == 0) /* a message that occurs twice is found at its first position */
            *slot = (uint32_t)(i + 1);
    }
    return true;
}

bool aci_native_runs_find(aci_native_runs *runs, const agentchat_message *message, size_t from, size_t *out)
{
    uint32_t slot;

    *out = SIZE_MAX;
    for (size_t i = from; i < runs->count && i - from < NEAR; i++)
        if (aci_list_cursor_at(&runs->cursor, i) == message) {
            *out = i;
            return true;
        }
    if (from >= runs->count || runs->count - from <= NEAR || runs->count >= UINT32_MAX)
        return true;
    if (runs->slots == NULL && !make_index(runs))
        return false;
    slot = *slot_of(runs, message);
    if (slot > from)
        *out = slot - 1u;
    return true;
}
