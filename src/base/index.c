/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table with open addressing. The hash is SipHash-1-3, keyed by the table's address. */
#include "base/index.h"

#include "base/checked.h"
#include <string.h>

enum { FIRST_CAP = 16 };

static uint64_t rotate(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static void mix(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32) + v[3];
    v[2] += v[1];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static void mix_in(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v);
    v[0] ^= word;
}

static size_t hash(const aci_index_slot *slots, agentchat_str text)
{
    uint64_t key = (uint64_t)(uintptr_t)slots, word;
    uint64_t v[4] = {key ^ UINT64_C(0x736f6d6570736575), key ^ UINT64_C(0x646f72616e646f6d),
                     key ^ UINT64_C(0x6c7967656e657261), key ^ UINT64_C(0x7465646279746573)};
    size_t done = 0;

    for (; text.len - done >= sizeof word; done += sizeof word) {
        memcpy(&word, text.ptr + done, sizeof word);
        mix_in(v, word);
    }
    word = (uint64_t)text.len << 56;
    for (size_t i = 0; done + i < text.len; i++)
        word |= (uint64_t)(unsigned char)text.ptr[done + i] << 8 * i;
    mix_in(v, word);
    v[2] ^= 0xff;
    mix(v);
    mix(v);
    mix(v);
    return (size_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
}

/* The slot that holds the text, or the free one where it belongs. There is always a free one. */
static aci_index_slot *slot_of(aci_index_slot *slots, size_t cap, agentchat_str text)
{
    size_t i = hash(slots, text) & (cap - 1);

    while (slots[i].ordinal != 0 && !agentchat_str_equal(slots[i].text, text))
        i = (i + 1) & (cap - 1);
    return &slots[i];
}

static bool grow(aci_index *index, const agentchat_env *env)
{
    size_t cap = index->cap > 0 ? index->cap : FIRST_CAP / 2, size;
    aci_index_slot *slots;

    if (!aci_mul(cap, 2 * sizeof *slots, &size))
        return false;
    cap *= 2;
    slots = aci_alloc_zero(env, size);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < index->cap; i++)
        if (index->slots[i].ordinal != 0)
            *slot_of(slots, cap, index->slots[i].text) = index->slots[i];
    aci_free(env, index->slots, index->cap * sizeof *slots);
    index->slots = slots;
    index->cap = cap;
    return true;
}

static bool enter(aci_index *index, const agentchat_env *env, agentchat_str text, size_t position, bool replace)
{
    aci_index_slot *slot;

    if (index->count >= index->cap / 2 && !grow(index, env))
        return false;
    slot = slot_of(index->slots, index->cap, text);
    if (slot->ordinal != 0 && !replace)
        return true;
    index->count += slot->ordinal == 0;
    *slot = (aci_index_slot){text, position + 1};
    return true;
}

bool aci_index_put(aci_index *index, const agentchat_env *env, agentchat_str text, size_t position)
{
    return enter(index, env, text, position, true);
}

bool aci_index_add(aci_index *index, const agentchat_env *env, agentchat_str text, size_t position)
{
    return enter(index, env, text, position, false);
}

size_t aci_index_find(const aci_index *index, agentchat_str text)
{
    return index->cap > 0 ? slot_of(index->slots, index->cap, text)->ordinal - 1 : ACI_INDEX_NONE;
}

/* Closes the gap that a freed slot leaves: the texts up to the next free slot may have hashed to it. */
static void close_gap(aci_index *index, size_t gap)
{
    size_t mask = index->cap - 1;

    for (size_t i = (gap + 1) & mask; index->slots[i].ordinal != 0; i = (i + 1) & mask) {
        size_t wanted = hash(index->slots, index->slots[i].text) & mask;

        if (((i - wanted) & mask) >= ((i - gap) & mask)) {
            index->slots[gap] = index->slots[i];
            gap = i;
        }
    }
    index->slots[gap] = (aci_index_slot){{NULL, 0}, 0};
}

void aci_index_remove(aci_index *index, agentchat_str text, size_t position)
{
    aci_index_slot *slot = index->cap > 0 ? slot_of(index->slots, index->cap, text) : NULL;

    if (slot != NULL && slot->ordinal == position + 1) {
        close_gap(index, (size_t)(slot - index->slots));
        index->count--;
    }
    for (size_t i = 0; i < index->cap; i++)
        if (index->slots[i].ordinal > position + 1)
            index->slots[i].ordinal--;
}

void aci_index_clear(aci_index *index, const agentchat_env *env)
{
    aci_free(env, index->slots, index->cap * sizeof *index->slots);
    *index = (aci_index){NULL, 0, 0};
}
