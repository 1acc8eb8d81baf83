/* SPDX-License-Identifier: Apache-2.0 */
/* Pruning while others put: nobody loses anything, and nothing is left that leads nowhere. */
#include "thread/contract/contract.h"

#include <pthread.h>
#include <stdatomic.h>

enum { WRITERS = 2, PUTS = 40 };

typedef struct writer {
    agentchat_store *store;
    const char *thread;
    char ns[16];
    agentchat_snapshot *last;
    agentchat_status status;
    agentchat_error err;
} writer;

/* Each in a namespace of its own, so that none of the puts is a conflict; the bodies are all of one thread. */
static void *put_many(void *user)
{
    writer *w = user;

    for (int i = 0; i < PUTS && w->status >= 0; i++) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
        char text[32];
        agentchat_snapshot *next;

        snprintf(text, sizeof text, "message %d", i % 7);
        next = i % 10 == 9 ? chat_of("begun|again", "again", "l=[1,2,3]") : chat_with(w->last, text);
        agentchat_snapshot_unref(w->last);
        w->last = next;
        options.ns = w->ns;
        options.run = i % 2 == 0 ? "even" : "odd";
        w->status = agentchat_checkpoint_put(w->store, w->thread, next, &options, NULL, &w->err);
    }
    return NULL;
}

typedef struct pruner {
    agentchat_store *store;
    const char *thread;
    atomic_bool done;
    uint64_t removed;
    agentchat_status status;
    agentchat_error err;
} pruner;

static void *prune_on(void *user)
{
    pruner *p = user;

    for (bool is_last = false; !is_last && p->status >= 0;) {
        agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
        uint64_t removed = 0;

        is_last = atomic_load(&p->done); /* after all puts there is something to prune in any case */
        options.keep = 2;
        options.branches = true;
        p->status = agentchat_thread_prune(p->store, p->thread, &options, &removed, &p->err);
        p->removed += removed;
    }
    return NULL;
}

static void expect_last(scene *s, const writer *w)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;

    options.ns = w->ns;
    test_ok(agentchat_checkpoint_get(s->store, s->app, &options, &checkpoint, &s->err), &s->err);
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), w->last);
    agentchat_checkpoint_free(checkpoint);
}

static void test_together__putting_and_pruning(void **state)
{
    scene *s = *state;
    agentchat_snapshot *first = chat_of("one|two|three", "two|three", "l=[1,2]");
    writer writers[WRITERS];
    pthread_t threads[WRITERS + 1];
    pruner p = {.store = s->store, .thread = s->app};

    (void)put_chat(s, first, NULL);
    assert_int_equal(pthread_create(&threads[WRITERS], NULL, prune_on, &p), 0);
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (writer){.store = s->store, .thread = s->app, .last = agentchat_snapshot_ref(first)};
        snprintf(writers[i].ns, sizeof writers[i].ns, "w%d", i);
        assert_int_equal(pthread_create(&threads[i], NULL, put_many, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        (void)pthread_join(threads[i], NULL);
    atomic_store(&p.done, true);
    (void)pthread_join(threads[WRITERS], NULL);
    test_ok(p.status, &p.err);
    assert_true(p.removed > 0);
    expect_chat(s, NULL, first);
    for (int i = 0; i < WRITERS; i++) {
        test_ok(writers[i].status, &writers[i].err);
        expect_last(s, &writers[i]);
        agentchat_snapshot_unref(writers[i].last);
    }
    expect_sound(s->store);
    agentchat_snapshot_unref(first);
}

int contract_together(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_together__putting_and_pruning),
    };

    return CONTRACT_GROUP("together", tests);
}
