/* SPDX-License-Identifier: Apache-2.0 */
#include "support/growth.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEP = 8, WORST = 30, DEFAULT_SIZE = 16000, TRIES = 3 };

static size_t greater_size = DEFAULT_SIZE;

void growth_begin(int argc, char **argv)
{
    if (argc > 1)
        greater_size = strtoul(argv[1], NULL, 10);
}

static double best(growth_case *run, size_t n)
{
    double least = run(n);

    for (int i = 1; i < TRIES; i++) {
        double again = run(n);

        least = again < least ? again : least;
    }
    return least;
}

void growth_check(const char *what, growth_case *run)
{
    double small = best(run, greater_size / STEP), large = best(run, greater_size);

    printf("%-28s %10.6f s for %zu, %10.6f s for %zu\n", what, small, greater_size / STEP, large, greater_size);
    if (small < 0.0001) /* what takes no time cannot be measured: then the greater size takes little, or too long */
        small = 0.0001;
    assert_true(large < WORST * small);
}
