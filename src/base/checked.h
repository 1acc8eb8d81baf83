/* SPDX-License-Identifier: Apache-2.0 */
/* Size arithmetic that cannot wrap. */
#ifndef ACI_BASE_CHECKED_H
#define ACI_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>

static inline bool aci_add(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool aci_mul(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

#endif
