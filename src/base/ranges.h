/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of characters as tables of ranges. */
#ifndef ACI_BASE_RANGES_H
#define ACI_BASE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct aci_range {
    uint32_t first, last;
} aci_range;

/* Whether a character is in one of the ranges, which ascend and do not overlap. */
static inline bool aci_ranges_have(const aci_range *ranges, size_t count, uint32_t c)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && c >= ranges[low].first;
}
#define ACI_IN_RANGES(ranges, c) aci_ranges_have((ranges), sizeof(ranges) / sizeof *(ranges), (c))

#endif
