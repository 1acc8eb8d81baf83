/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of reading: counted where that is possible, measured until a low time is found where it is not. */
#include "cost.h"

#include <stdlib.h>
#include <time.h>

enum {
    BYTES = 100, /* of memory for a byte, and */
    SOME_BYTES = 1 << 18,
    CALLS = 2, /* of the allocator for a byte, and */
    SOME_CALLS = 256,
    SLOWEST = 2000, /* nanoseconds for a byte, with sanitizers, and */
    SOME_TIME = 2000000,
    TRIES = 12 /* the least of them counts: others use the processor, too */
};

typedef struct counter {
    size_t live, peak, calls;
} counter;

static void *count_alloc(void *user, size_t size)
{
    counter *c = user;
    void *block = malloc(size);

    c->calls++;
    c->live += block != NULL ? size : 0;
    c->peak = c->live > c->peak ? c->live : c->peak;
    return block;
}

static void count_free(void *user, void *block, size_t size)
{
    counter *c = user;

    c->live -= block != NULL ? size : 0;
    free(block);
}

static uint64_t nanoseconds(void)
{
    struct timespec now;

    FUZZ_CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns the time that it took. */
static uint64_t read_once(const agentchat_env *env, agentchat_str document, const char *format)
{
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot = NULL;
    agentchat_report *report = NULL;
    agentchat_status status;
    uint64_t begin = nanoseconds();

    options.format = format;
    status = agentchat_snapshot_read_memory(env, document, &options, &snapshot, &report, NULL);
    begin = nanoseconds() - begin;
    FUZZ_CHECK((status >= 0) == (snapshot != NULL));
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    return begin;
}

void fuzz_check_cost_of_reading(agentchat_str document, const char *format)
{
    counter c = {0, 0, 0};
    agentchat_allocator allocator = {
        .struct_size = sizeof allocator, .alloc = count_alloc, .free = count_free, .user = &c};
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;
    uint64_t took;

    options.allocator = &allocator;
    FUZZ_CHECK(agentchat_env_new(&options, &env, NULL) >= 0);
    c.calls = 0;
    took = read_once(env, document, format);
    FUZZ_CHECK(c.peak <= BYTES * document.len + SOME_BYTES);
    FUZZ_CHECK(c.calls <= CALLS * document.len + SOME_CALLS);
#ifdef AGENTCHAT_FUZZER
    for (int tries = 1; took > (uint64_t)SLOWEST * document.len + SOME_TIME; tries++) {
        FUZZ_CHECK(tries < TRIES);
        took = read_once(env, document, format);
    }
#endif
    (void)took;
    agentchat_env_free(env);
    FUZZ_CHECK(c.live == 0);
}
