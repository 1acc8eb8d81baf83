/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that begin at once, and an environment that counts what they leave unreleased. */
#include "concurrency/crowd.h"

#include <pthread.h>
#include <sched.h>

typedef struct member {
    crowd_fn each;
    void *shared;
    size_t number;
    atomic_size_t *arrived;
    const char *complaint;
} member;

void crowd_meet(atomic_size_t *arrived, size_t nth)
{
    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < nth * CROWD_THREADS)
        sched_yield();
}

static void *begin_together(void *argument)
{
    member *m = argument;

    crowd_meet(m->arrived, 1);
    m->complaint = m->each(m->shared, m->number);
    return NULL;
}

void crowd_run(crowd_fn each, void *shared)
{
    pthread_t threads[CROWD_THREADS];
    member members[CROWD_THREADS];
    atomic_size_t arrived;

    atomic_init(&arrived, 0);
    for (size_t i = 0; i < CROWD_THREADS; i++) {
        members[i] = (member){each, shared, i, &arrived, NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, begin_together, &members[i]), 0);
    }
    for (size_t i = 0; i < CROWD_THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < CROWD_THREADS; i++)
        if (members[i].complaint != NULL)
            fail_msg("thread %zu: %s", i, members[i].complaint);
}

static atomic_size_t alive;

static void *counting_alloc(void *user, size_t size)
{
    void *block = malloc(size);

    (void)user;
    if (block != NULL)
        atomic_fetch_add_explicit(&alive, 1, memory_order_relaxed);
    return block;
}

static void counting_free(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    if (block != NULL)
        atomic_fetch_sub_explicit(&alive, 1, memory_order_relaxed);
    free(block);
}

agentchat_env *crowd_env(void)
{
    agentchat_allocator allocator = {.struct_size = sizeof allocator, .alloc = counting_alloc, .free = counting_free};
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_env *env;

    options.allocator = &allocator;
    env = test_env(&options);
    return env;
}

void crowd_env_end(agentchat_env *env)
{
    agentchat_env_free(env);
    assert_int_equal(atomic_load(&alive), 0);
}

size_t crowd_rounds(int argc, char **argv)
{
    return argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1;
}

agentchat_snapshot *crowd_snapshot(const agentchat_env *env, const char *name)
{
    char *path = test_path(test_data_dir(), name);
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_file(env, path, NULL, &snapshot, NULL, &err), &err);
    free(path);
    return snapshot;
}
