/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each call of the database failing while a thread is pruned, copied, deleted or indexed: for good, once, and with the
 * answer to a commit lost. What is there can be read, the same call once more does what is left to do, and then nothing
 * is unused.
 */
#include "steps.h"

enum { COUNT = 10, KEPT = 2 };

typedef struct ground {
    scene *s;
    agentchat_snapshot *chats[COUNT];
    char app[64], copy[96];
    size_t round;
    uint64_t bytes_after; /* of the thread, when all but KEPT are gone */
} ground;

typedef struct operation {
    const char *name;
    bool indexed; /* before it runs */
    agentchat_status (*run)(ground *g, uint64_t *removed, agentchat_error *err);
    void (*expect_done)(ground *g, uint64_t removed);
    agentchat_status done_already; /* what the same call once more may say */
} operation;

/* ---- the thread ------------------------------------------------------------------------------------------------- */

static void put(ground *g, size_t index)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_write write = {"", "t", "messages", 0, {NULL, 0}, AGENTCHAT_STR("[1,2]"), NULL};
    char id[16];

    snprintf(id, sizeof id, "c%zu", index);
    options.id = which.id = id;
    options.run = index < COUNT - KEPT ? "old" : "new";
    (void)put_chat(g->s, g->chats[index], &options);
    test_ok(agentchat_checkpoint_put_writes(g->s->store, g->s->app, &which, &write, 1, &g->s->err), &g->s->err);
}

static void make_thread(ground *g)
{
    snprintf(g->s->app, sizeof g->s->app, "%.40s-%zu", g->app, g->round++);
    snprintf(g->copy, sizeof g->copy, "%s-copy", g->s->app);
    for (size_t i = 0; i < COUNT; i++)
        put(g, i);
}

static size_t count_there(const ground *g, const char *thread)
{
    size_t there = 0;

    for (size_t i = 0; i < COUNT; i++) {
        agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
        agentchat_checkpoint *checkpoint = NULL;
        agentchat_status status;
        char id[16];

        snprintf(id, sizeof id, "c%zu", i);
        options.id = id;
        status = agentchat_checkpoint_get(g->s->store, thread, &options, &checkpoint, &g->s->err);
        if (status == AGENTCHAT_E_NOTFOUND)
            continue;
        test_ok(status, &g->s->err);
        expect_equal(agentchat_checkpoint_snapshot(checkpoint), g->chats[i]);
        agentchat_checkpoint_free(checkpoint);
        there++;
    }
    return there;
}

/* ---- operations ------------------------------------------------------------------------------------------------- */

static agentchat_status prune(ground *g, uint64_t *removed, agentchat_error *err)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    options.keep = KEPT;
    return agentchat_thread_prune(g->s->store, g->s->app, &options, removed, err);
}

static agentchat_status delete_run(ground *g, uint64_t *removed, agentchat_error *err)
{
    return agentchat_thread_delete_run(g->s->store, g->s->app, "old", removed, err);
}

static void expect_pruned(ground *g, uint64_t removed)
{
    assert_int_equal(removed, COUNT - KEPT);
    assert_int_equal(count_there(g, g->s->app), KEPT);
    assert_int_equal(thread_info(g->s).bytes, g->bytes_after);
    assert_int_equal(thread_info(g->s).messages, agentchat_messages_count(agentchat_snapshot_history(g->chats[9])));
}

static agentchat_status copy(ground *g, uint64_t *removed, agentchat_error *err)
{
    (void)removed;
    return agentchat_thread_copy(g->s->store, g->s->app, g->copy, err);
}

static void expect_copied(ground *g, uint64_t removed)
{
    (void)removed;
    assert_int_equal(count_there(g, g->s->app), COUNT);
    assert_int_equal(count_there(g, g->copy), COUNT);
    test_ok(agentchat_thread_delete(g->s->store, g->copy, &g->s->err), &g->s->err);
}

static agentchat_status delete (ground *g, uint64_t *removed, agentchat_error *err)
{
    (void)removed;
    return agentchat_thread_delete(g->s->store, g->s->app, err);
}

static void expect_deleted(ground *g, uint64_t removed)
{
    (void)removed;
    assert_int_equal(count_there(g, g->s->app), 0);
}

static agentchat_status index_on(ground *g, uint64_t *removed, agentchat_error *err)
{
    (void)removed;
    return agentchat_thread_index(g->s->store, true, err);
}

static agentchat_status index_off(ground *g, uint64_t *removed, agentchat_error *err)
{
    (void)removed;
    return agentchat_thread_index(g->s->store, false, err);
}

/* The check compares an index with the messages. */
static void expect_sound_thread(ground *g, uint64_t removed)
{
    (void)removed;
    assert_int_equal(count_there(g, g->s->app), COUNT);
    expect_sound(g->s->store);
}

static void expect_pruned_and_sound(ground *g, uint64_t removed)
{
    expect_pruned(g, removed);
    expect_sound(g->s->store);
}

static const operation operations[] = {
    {"prune", false, prune, expect_pruned, AGENTCHAT_OK},
    {"delete_run", false, delete_run, expect_pruned, AGENTCHAT_OK},
    {"copy", false, copy, expect_copied, AGENTCHAT_OK},
    {"delete", false, delete, expect_deleted, AGENTCHAT_E_NOTFOUND},
    {"index", false, index_on, expect_sound_thread, AGENTCHAT_OK},
    {"no index", true, index_off, expect_sound_thread, AGENTCHAT_OK},
    {"prune an indexed one", true, prune, expect_pruned_and_sound, AGENTCHAT_OK},
    {"copy an indexed one", true, copy, expect_copied, AGENTCHAT_OK},
    {"delete an indexed one", true, delete, expect_deleted, AGENTCHAT_E_NOTFOUND},
};

/* ---- failing ---------------------------------------------------------------------------------------------------- */

/* false: there was no such call any more. */
static bool fail_at(ground *g, const operation *op, fault what, size_t at)
{
    uint64_t removed = 0, more = 0;
    agentchat_error err;
    agentchat_status status;
    bool struck;

    test_ok(agentchat_thread_index(g->s->store, op->indexed, &g->s->err), &g->s->err);
    make_thread(g);
    between.what = what;
    between.at = at;
    between.batches = 0;
    between.struck = false;
    status = op->run(g, &removed, &err);
    between.at = SIZE_MAX;
    struck = between.struck;
    if (what != FAILS_FOR_GOOD || !struck)
        test_ok(status, &err);
    if (status < 0) {
        assert_int_equal(status, AGENTCHAT_E_IO);
        (void)count_there(g, g->s->app);
        (void)count_there(g, g->copy);
        status = op->run(g, &more, &err);
        if (status != op->done_already)
            test_ok(status, &err);
    }
    op->expect_done(g, removed + more);
    if (op->run != delete)
        test_ok(agentchat_thread_delete(g->s->store, g->s->app, &g->s->err), &g->s->err);
    return struck;
}

static void test_faults__each_call_of_the_database(void **state)
{
    scene *s = *state;
    ground g = {.s = s};
    size_t step = s->kind == STORE_POSTGRES ? (size_t)test_number("THREAD_STRIDE", 23) : 1;

    memcpy(g.app, s->app, sizeof g.app);
    test_seed(31);
    g.chats[0] = any_chat();
    for (size_t i = 1; i < COUNT; i++) {
        agentchat_snapshot *other = any_chat();

        g.chats[i] = changed_chat(g.chats[i - 1], other);
        agentchat_snapshot_unref(other);
    }
    make_thread(&g);
    test_ok(prune(&g, NULL, &s->err), &s->err);
    g.bytes_after = thread_info(s).bytes;
    between_begin(s->store, 3);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (int what = 0; what < FAULT_COUNT; what++) {
            size_t at = 0;

            while (fail_at(&g, &operations[i], (fault)what, at))
                at = between.struck_at + step;
            assert_true(at > 0);
            if (count_unused(s->store) > 0)
                fail_msg("%s: something is left", operations[i].name);
        }
    test_ok(agentchat_thread_index(s->store, false, &s->err), &s->err);
    between_end(s->store);
    for (size_t i = 0; i < COUNT; i++)
        agentchat_snapshot_unref(g.chats[i]);
}

/* ---- cancelling ------------------------------------------------------------------------------------------------- */

static void cancel(void *user)
{
    if (between.writes == 3)
        agentchat_store_interrupt(user);
}

static void test_faults__cancelled_between_two_steps(void **state)
{
    scene *s = *state;
    ground g = {.s = s};
    uint64_t removed = 0, more = 0;

    memcpy(g.app, s->app, sizeof g.app);
    test_seed(31);
    for (size_t i = 0; i < COUNT; i++)
        g.chats[i] = i == 0 ? any_chat() : agentchat_snapshot_ref(g.chats[0]);
    make_thread(&g);
    between_begin(s->store, 3);
    between.others = cancel;
    between.user = s->store;
    expect_fails(s, prune(&g, &removed, &s->err), AGENTCHAT_E_CANCELLED, "what it has done stays");
    assert_int_equal(removed, 6);
    assert_int_equal(count_there(&g, s->app), COUNT - 6);
    between.others = NULL;
    test_ok(prune(&g, &more, &s->err), &s->err);
    assert_int_equal(more, 2);
    between.writes = 0;
    between.others = cancel;
    expect_fails(s, copy(&g, NULL, &s->err), AGENTCHAT_E_CANCELLED, "it has changed nothing");
    between.others = NULL;
    assert_int_equal(count_there(&g, g.copy), 0);
    assert_int_equal(count_unused(s->store), 1);
    s->now_us += INT64_C(3600000000); /* nobody takes what a copy may still need */
    test_ok(copy(&g, NULL, &s->err), &s->err);
    assert_int_equal(count_unused(s->store), 0);
    test_ok(agentchat_thread_delete(s->store, g.copy, &s->err), &s->err);
    between.writes = 0;
    between.others = cancel;
    expect_fails(s, delete (&g, NULL, &s->err), AGENTCHAT_E_CANCELLED, "what it has done stays");
    between.others = NULL;
    assert_int_equal(count_unused(s->store), 1);
    expect_fails(s, delete (&g, NULL, &s->err), AGENTCHAT_E_NOTFOUND, "there is no thread");
    assert_int_equal(count_unused(s->store), 0);
    between_end(s->store);
    for (size_t i = 0; i < COUNT; i++)
        agentchat_snapshot_unref(g.chats[i]);
}

int steps_faults(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_faults__each_call_of_the_database),
        SCENE_TEST(test_faults__cancelled_between_two_steps),
    };

    return cmocka_run_group_tests_name("steps.faults", tests, NULL, NULL);
}
