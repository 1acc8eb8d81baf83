/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that tests need: at random, of the clock, from the environment. */
#include "support/test_support.h"

#include <time.h>

static uint32_t random_state;

void test_seed(uint32_t seed)
{
    random_state = seed;
}

uint32_t test_next_random(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

size_t test_pick(size_t below)
{
    return test_next_random(&random_state) % below;
}

double test_seconds(void)
{
    struct timespec now;

    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now), 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

uint64_t test_number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL && text[0] != '\0' ? strtoull(text, NULL, 10) : otherwise;
}
