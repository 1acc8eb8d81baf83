/* SPDX-License-Identifier: Apache-2.0 */
/* The order of keys in canonical text: by UTF-16 code units, as RFC 8785 sorts the members of an object. */
#include "snapshot/key_order.h"

#include "base/utf8.h"
#include <stdlib.h>

/* Walks WTF-8 text by UTF-16 code units. */
typedef struct units {
    const unsigned char *at, *end;
    uint32_t low; /* second half of a pair that is still to come; 0: none */
} units;

/* The next unit, or -1 at the end. */
static int32_t next_unit(units *u)
{
    uint32_t code_point, unit = u->low;

    if (unit != 0) {
        u->low = 0;
        return (int32_t)unit;
    }
    if (u->at == u->end)
        return -1;
    u->at += aci_utf8_decode(u->at, u->end, true, &code_point);
    if (code_point < 0x10000)
        return (int32_t)code_point;
    u->low = 0xDC00 + ((code_point - 0x10000) & 0x3FF);
    return (int32_t)(0xD800 + ((code_point - 0x10000) >> 10));
}

static units units_of(agentchat_str text)
{
    const unsigned char *at = (const unsigned char *)text.ptr;

    return (units){at, at + text.len, 0};
}

int aci_key_order_compare(agentchat_str a, agentchat_str b)
{
    bool has_a = a.ptr != NULL && !agentchat_str_is_null(a);
    bool has_b = b.ptr != NULL && !agentchat_str_is_null(b);
    units left, right;
    int32_t x, y;

    if (!has_a || !has_b)
        return (int)has_a - (int)has_b;
    left = units_of(a);
    right = units_of(b);
    do {
        x = next_unit(&left);
        y = next_unit(&right);
    } while (x == y && x >= 0);
    return (x > y) - (x < y);
}

static int compare_keyed(const void *a, const void *b)
{
    const aci_keyed *x = a, *y = b;
    int order = aci_key_order_compare(x->key, y->key);

    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

void aci_key_order_sort(aci_keyed *keys, size_t count)
{
    if (count > 1)
        qsort(keys, count, sizeof *keys, compare_keyed);
}
