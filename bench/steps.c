/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"
#include "measure.h"

enum { MOST_STEPS = 24 };

static struct {
    const char *name;
    double best;
} steps[MOST_STEPS];
static size_t step_count;
static double last;

void steps_forget(void)
{
    step_count = 0;
}

void steps_start(void)
{
    last = bench_now_us();
}

void steps_end(const char *name)
{
    double time = bench_now_us() - last;
    size_t i = 0;

    while (i < step_count && strcmp(steps[i].name, name) != 0)
        i++;
    if (i == MOST_STEPS)
        exit(1);
    if (i == step_count) {
        steps[i].name = name;
        steps[i].best = time;
        step_count++;
    }
    if (time < steps[i].best)
        steps[i].best = time;
    steps_start();
}

void steps_print(const char *shape, size_t count)
{
    for (size_t i = 0; i < step_count; i++)
        printf("%s\t%s\t%zu\t%.2f\n", shape, steps[i].name, count, steps[i].best);
    fflush(stdout);
}
