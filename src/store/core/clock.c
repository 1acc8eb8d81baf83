/* SPDX-License-Identifier: Apache-2.0 */
/* Time that only ever grows, and pauses between attempts. */
#include "store/core/sql.h"

#include <time.h>

int64_t aci_sql_clock_ms(void)
{
    struct timespec now = {0, 0};

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void aci_sql_clock_pause(unsigned attempts)
{
    struct timespec now = {0, 0}, pause;
    long most = 1000000L << (attempts < 6 ? attempts : 6); /* 1 ms, then twice as long each time, at most 64 ms */

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    pause.tv_sec = 0;
    pause.tv_nsec = most / 2 + (now.tv_nsec / 64 * 7919) % (most / 2);
    (void)nanosleep(&pause, NULL);
}
