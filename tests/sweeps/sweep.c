/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running the rows. The library's malloc() and realloc(), which the default environment uses, are replaced at link time
 * (--wrap), so that they are failure points as well, and so that memory which goes round the given environment is seen.
 */
#include "sweep.h"

#include <jansson.h>
#include <stdio.h>

enum { MAX_ROWS = 64, MAX_BLOCKS = 4096 };

/* The case that is running. */
typedef struct sweep_case {
    const sweep_row *row;
    unsigned variant;
    unsigned windows;    /* how often sweep_begin() was called */
    bool is_open;        /* failures are on */
    bool without_record; /* the call has no error record */
    bool may_swallow;    /* the call may succeed although an allocation failed */
    uint64_t mallocs;    /* calls to malloc and realloc while open */
} sweep_case;

static sweep_case *current;

/* Blocks of malloc that were made while failures were on and are alive. */
static void *blocks[MAX_BLOCKS];
static size_t block_count;

/* ---- malloc ----------------------------------------------------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static bool must_fail(void)
{
    current->mallocs++;
    return test_oom_fails_now(test_oom_running());
}

static bool forget(const void *block)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i] == block) {
            blocks[i] = blocks[--block_count];
            return true;
        }
    return false;
}

static void remember(void *block)
{
    if (block == NULL)
        return;
    assert_true(block_count < MAX_BLOCKS);
    blocks[block_count++] = block;
}

void *__wrap_malloc(size_t size)
{
    bool watched = current != NULL && current->is_open;
    void *block;

    if (watched && must_fail())
        return NULL;
    block = __real_malloc(size);
    if (watched)
        remember(block);
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    bool watched = current != NULL && current->is_open;
    void *moved;

    if (watched && must_fail())
        return NULL;
    if (forget(block))
        watched = true;
    moved = __real_realloc(block, size);
    if (watched)
        remember(moved);
    return moved;
}

void __wrap_free(void *block)
{
    (void)forget(block);
    __real_free(block);
}

/* ---- what scenarios call ---------------------------------------------------------------------------------------- */

void sweep_begin(void)
{
    assert_false(current->is_open);
    current->windows++;
    current->is_open = true;
    test_oom_running()->held = false;
}

void sweep_end(void)
{
    assert_true(current->is_open);
    current->is_open = false;
    test_oom_running()->held = true;
}

void sweep_may_swallow(void)
{
    assert_true((current->row->kind & SWEEP_MAY_SWALLOW) != 0);
    current->may_swallow = true;
}

agentchat_status sweep_made(const void *object)
{
    current->without_record = true;
    return object != NULL ? AGENTCHAT_OK : AGENTCHAT_E_NOMEM;
}

agentchat_status sweep_bare(agentchat_status status)
{
    current->without_record = true;
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static void complain(const char *what)
{
    const test_oom *oom = test_oom_running();

    print_error("%s, variant %u, allocation %llu failing (%s): %s\n", current->row->function, current->variant,
                (unsigned long long)oom->fail_at, oom->all_after ? "and all later" : "alone", what);
    fail();
}

/* One run of a case; test_oom_sweep() checks the rest of the contract. */
static agentchat_status run_case(const agentchat_env *env, void *user, agentchat_error *err)
{
    test_oom *oom = test_oom_running();
    const sweep_row *row;
    agentchat_status status;

    current = user;
    row = current->row;
    current->windows = 0;
    current->mallocs = 0;
    current->without_record = false;
    current->may_swallow = false;
    block_count = 0;
    oom->held = true;
    status = row->scenario(env, current->variant, err);
    if (current->is_open || current->windows == 0)
        complain("the scenario does not call the function between sweep_begin() and sweep_end()");
    if (oom->failures > 0 && status >= 0 && !current->may_swallow)
        complain("an allocation failed, and the call succeeded");
    if (status == AGENTCHAT_E_NOMEM && !current->without_record && err->code != (int32_t)AGENTCHAT_E_NOMEM)
        complain("E_NOMEM without an error record");
    if (current->mallocs > 0 && (row->kind & SWEEP_DEFAULT_MEMORY) == 0)
        complain("memory is taken from malloc, not from the environment");
    if (block_count > 0)
        complain("memory of malloc leaked");
    current = NULL;
    return status;
}

static void sweep_one(void **state)
{
    const sweep_row *row = *state;
    unsigned variants = row->variants != 0 ? row->variants : 1;

    for (unsigned variant = 0; variant < variants; variant++) {
        sweep_case c = {.row = row, .variant = variant};
        size_t points;

        current = NULL; /* a test that failed leaves this set, and jansson's functions */
        json_set_alloc_funcs(malloc, free);
        points = test_oom_sweep(run_case, &c);
        if ((points > 0) != (row->kind != SWEEP_NEVER)) {
            print_error("%s, variant %u: %zu allocations, but the row says that it %s\n", row->function, variant,
                        points, row->kind != SWEEP_NEVER ? "allocates" : "never allocates");
            fail();
        }
    }
}

int sweep_main(const char *group, const sweep_row *rows, size_t count)
{
    static char names[MAX_ROWS][96];
    static struct CMUnitTest tests[MAX_ROWS]; /* those after the last row have no name, and cmocka leaves them out */

    if (count > MAX_ROWS)
        return 1;
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "sweep__%s", rows[i].function);
        tests[i] =
            (struct CMUnitTest){.name = names[i], .test_func = sweep_one, .initial_state = (void *)(uintptr_t)&rows[i]};
    }
    return cmocka_run_group_tests_name(group, tests, NULL, NULL);
}
