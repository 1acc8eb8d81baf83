/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The failing allocator and the sweep over all failure points.
 *
 * Every block carries a header with its size, so that a release or a resize with a wrong size is caught, and a resize
 * always moves, so that a stale pointer is caught by a sanitizer or valgrind.
 */
#include "support/test_support.h"

#include <jansson.h>
#include <stdio.h>

#define MAGIC UINT64_C(0x61676e7463686174)

typedef struct header {
    _Alignas(max_align_t) size_t size; /* what follows is as aligned as malloc's memory */
    uint64_t magic;                    /* MAGIC, one more while the block is not counted, 0 after release */
} header;

/* Of the run that is under way. jansson's allocation functions have no parameter for a context. Tests run in one
   thread. */
static test_oom *running;

static void violated(const char *what)
{
    fprintf(stderr, "allocator contract violated: %s\n", what);
    abort();
}

static bool fails_now(test_oom *oom)
{
    uint64_t n;
    bool fails;

    if (oom->held)
        return false;
    n = oom->calls++;
    fails = n == oom->fail_at || (oom->all_after && n > oom->fail_at);
    oom->failures += fails;
    return fails;
}

static void *plain_alloc(test_oom *oom, size_t size)
{
    header *h = calloc(1, sizeof *h + size); /* not malloc(), which a test may have replaced to watch the library */

    if (h == NULL)
        violated("the machine itself is out of memory");
    *h = (header){size, MAGIC};
    memset(h + 1, 0xA5, size);
    oom->live_blocks++;
    oom->live_bytes += size;
    if (oom->live_bytes > oom->peak_bytes)
        oom->peak_bytes = oom->live_bytes;
    return h + 1;
}

static void plain_free(test_oom *oom, void *block)
{
    header *h = (header *)block - 1;

    if (h->magic == MAGIC) {
        oom->live_blocks--;
        oom->live_bytes -= h->size;
    } else if (h->magic != MAGIC + 1) {
        violated("free of what is no live block");
    }
    h->magic = 0;
    free(h);
}

static void *oom_alloc(void *user, size_t size)
{
    if (size == 0)
        violated("alloc of 0 bytes");
    return fails_now(user) ? NULL : plain_alloc(user, size);
}

static void check_size(const void *block, size_t size)
{
    if (block == NULL)
        violated("NULL given to free or realloc");
    if (((const header *)block - 1)->size != size)
        violated("wrong size given to free or realloc");
}

static void *oom_realloc(void *user, void *block, size_t old_size, size_t new_size)
{
    void *moved;

    check_size(block, old_size);
    if (new_size == 0)
        violated("realloc to 0 bytes");
    if (fails_now(user))
        return NULL;
    moved = plain_alloc(user, new_size);
    memcpy(moved, block, old_size < new_size ? old_size : new_size);
    plain_free(user, block);
    return moved;
}

static void oom_free(void *user, void *block, size_t size)
{
    check_size(block, size);
    plain_free(user, block);
}

static void *jansson_alloc(size_t size)
{
    return fails_now(running) ? NULL : plain_alloc(running, size);
}

static void jansson_free(void *block)
{
    if (block != NULL)
        plain_free(running, block);
}

test_oom *test_oom_running(void)
{
    return running;
}

bool test_oom_fails_now(test_oom *oom)
{
    return fails_now(oom);
}

agentchat_env *test_oom_env(test_oom *oom)
{
    agentchat_allocator allocator = {
        .struct_size = sizeof allocator, .alloc = oom_alloc, .realloc = oom_realloc, .free = oom_free, .user = oom};
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    uint64_t fail_at = oom->fail_at;
    bool all_after = oom->all_after;
    agentchat_env *env;

    *oom = (test_oom){.fail_at = UINT64_MAX};
    options.allocator = &allocator;
    env = test_env(&options);
    /* The environment's own block is neither a failure point nor alive in the sense of the test. */
    ((header *)(void *)env - 1)->magic = MAGIC + 1;
    *oom = (test_oom){.fail_at = fail_at, .all_after = all_after};
    return env;
}

/* One run. Returns whether the failure point was reached, and into calls how many allocations were asked for. */
static bool run_once(test_scenario scenario, void *user, uint64_t fail_at, bool all_after, uint64_t *calls)
{
    test_oom oom = {.fail_at = fail_at, .all_after = all_after};
    agentchat_env *env = test_oom_env(&oom);
    json_malloc_t old_alloc;
    json_free_t old_free;
    agentchat_error err;
    agentchat_status status;

    agentchat_error_clear(&err);
    json_get_alloc_funcs(&old_alloc, &old_free);
    running = &oom;
    json_set_alloc_funcs(jansson_alloc, jansson_free);
    status = scenario(env, user, &err);
    json_set_alloc_funcs(old_alloc, old_free);
    running = NULL;
    agentchat_env_free(env);

    if (oom.live_blocks != 0) {
        print_error("allocation %llu failing (%s): %llu blocks with %llu bytes leaked\n", (unsigned long long)fail_at,
                    all_after ? "and all later" : "alone", (unsigned long long)oom.live_blocks,
                    (unsigned long long)oom.live_bytes);
        fail();
    }
    if (status < 0 && (status != AGENTCHAT_E_NOMEM || oom.calls <= fail_at ||
                       (err.code != 0 && err.code != (int32_t)AGENTCHAT_E_NOMEM))) {
        print_error("allocation %llu failing (%s, of %llu calls): %s, error record %s \"%s\" at \"%s\"\n",
                    (unsigned long long)fail_at, all_after ? "and all later" : "alone", (unsigned long long)oom.calls,
                    agentchat_status_name(status), agentchat_status_name((agentchat_status)err.code), err.message,
                    err.path);
        fail();
    }
    if (status >= 0 && err.code != 0) {
        print_error("allocation %llu failing: success, but the error record says \"%s\"\n", (unsigned long long)fail_at,
                    err.message);
        fail();
    }
    *calls = oom.calls;
    return oom.calls > fail_at;
}

size_t test_oom_sweep(test_scenario scenario, void *user)
{
    uint64_t alone = 0, after = 0, points, calls, stride = test_number("AGENTCHAT_TEST_OOM_STRIDE", 1);

    /* A success with a failed allocation is allowed (a cache that was not filled), so the end is the first run that
       never came to its failure point. */
    while (run_once(scenario, user, alone, false, &points))
        alone += stride;
    while (run_once(scenario, user, after, true, &calls))
        after += stride;
    return (size_t)points;
}
