/* SPDX-License-Identifier: Apache-2.0 */
/* The system's clock, and random bytes of libcrypto. */
#include "base/system.h"

#include <limits.h>
#include <openssl/rand.h>
#include <time.h>

int64_t aci_system_now_us(void *user)
{
    struct timespec now = {0, 0};

    (void)user;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return 0;
    return (int64_t)now.tv_sec * 1000000 + (int64_t)now.tv_nsec / 1000;
}

int aci_system_random(void *user, void *bytes, size_t size)
{
    unsigned char *next = bytes;

    (void)user;
    while (size > 0) {
        int step = size > INT_MAX ? INT_MAX : (int)size;

        if (RAND_bytes(next, step) != 1)
            return -1;
        next += step;
        size -= (size_t)step;
    }
    return 0;
}
