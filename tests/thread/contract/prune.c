/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deleting checkpoints: what remains reads back as it was, what is gone is gone, and the thread stores what a new one
 * with the remaining checkpoints would. THREAD_CHATS says how many random trees are pruned.
 */
#include "thread/contract/contract.h"

enum { MOST = 60 };

typedef struct node {
    char id[32];
    const char *ns;
    agentchat_snapshot *chat;
    size_t parent; /* MOST: none */
    int64_t time_us;
    char run[8];
    size_t line; /* the node that its line began with */
    bool gone;
} node;

typedef struct tree {
    scene *s;
    node nodes[MOST];
    size_t count;
} tree;

/* ---- putting --------------------------------------------------------------------------------------------------- */

/* Whether it begins a line. */
static bool put_node(const tree *t, const node *n)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    options.id = n->id;
    options.ns = n->ns;
    options.parent = n->parent != MOST ? t->nodes[n->parent].id : NULL;
    options.no_parent = n->parent == MOST;
    options.run = n->run;
    options.time_us = n->time_us;
    return put_chat_after(t->s, n->chat, &options);
}

/* The newest of a namespace that is still there, or any, or none: MOST. */
static size_t any_parent(const tree *t, const char *ns)
{
    size_t found = MOST, first = test_pick(3) == 0 && t->count > 0 ? test_pick(t->count) : t->count;

    for (size_t i = first; i > 0 && found == MOST; i--)
        if (!t->nodes[i - 1].gone && strcmp(t->nodes[i - 1].ns, ns) == 0)
            found = i - 1;
    return found;
}

static void add_node(tree *t, size_t number)
{
    node *n = &t->nodes[t->count];
    agentchat_snapshot *other = any_chat();

    n->ns = test_pick(4) == 0 ? "sub" : "";
    n->parent = any_parent(t, n->ns);
    n->chat = n->parent != MOST ? changed_chat(t->nodes[n->parent].chat, other) : agentchat_snapshot_ref(other);
    n->time_us = (int64_t)(1000 + test_pick(40));
    n->gone = false;
    snprintf(n->id, sizeof n->id, "t%zu-%zu", number, t->count);
    snprintf(n->run, sizeof n->run, "r%zu", test_pick(4));
    n->line = put_node(t, n) ? t->count : t->nodes[n->parent].line;
    t->count++;
    agentchat_snapshot_unref(other);
}

/* ---- expecting ------------------------------------------------------------------------------------------------- */

static void expect_node(const tree *t, const node *n)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    const agentchat_checkpoint_info *info;

    options.id = n->id;
    options.ns = n->ns;
    if (n->gone) {
        expect_fails(t->s, agentchat_checkpoint_get(t->s->store, t->s->app, &options, &checkpoint, &t->s->err),
                     AGENTCHAT_E_NOTFOUND, "there is no checkpoint");
        return;
    }
    test_ok(agentchat_checkpoint_get(t->s->store, t->s->app, &options, &checkpoint, &t->s->err), &t->s->err);
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), n->chat);
    info = agentchat_checkpoint_get_info(checkpoint);
    assert_string_equal(info->run, n->run);
    if (n->parent == MOST)
        assert_null(info->parent);
    else
        assert_string_equal(info->parent, t->nodes[n->parent].id);
    agentchat_checkpoint_free(checkpoint);
}

/* A new thread with what remains stores as much. */
static void expect_as_new(const tree *t)
{
    uint64_t bytes = thread_info(t->s).bytes, messages = thread_info(t->s).messages;
    char app[sizeof t->s->app];
    bool any = false;

    memcpy(app, t->s->app, sizeof app);
    snprintf(t->s->app, sizeof t->s->app, "%.50s-new", app);
    for (size_t i = 0; i < t->count; i++) {
        if (t->nodes[i].gone)
            continue;
        (void)put_node(t, &t->nodes[i]);
        any = true;
    }
    if (any) {
        assert_int_equal(thread_info(t->s).bytes, bytes);
        assert_int_equal(thread_info(t->s).messages, messages);
        test_ok(agentchat_thread_delete(t->s->store, t->s->app, &t->s->err), &t->s->err);
    } else {
        assert_int_equal(bytes, 0);
        assert_int_equal(messages, 0);
    }
    memcpy(t->s->app, app, sizeof app);
}

static void expect_tree(const tree *t)
{
    for (size_t i = 0; i < t->count; i++)
        expect_node(t, &t->nodes[i]);
    expect_as_new(t);
}

/* ---- pruning --------------------------------------------------------------------------------------------------- */

static bool is_followed(const tree *t, size_t index)
{
    for (size_t i = index + 1; i < t->count; i++)
        if (!t->nodes[i].gone && t->nodes[i].line == t->nodes[index].line)
            return true;
    return false;
}

static size_t newer_than(const tree *t, size_t index)
{
    size_t newer = 0;

    for (size_t i = index + 1; i < t->count; i++)
        newer += !t->nodes[i].gone && strcmp(t->nodes[i].ns, t->nodes[index].ns) == 0;
    return newer;
}

static void prune_tree(tree *t)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    bool goes[MOST] = {false};
    uint64_t removed = 99, expected = 0;

    options.keep = test_pick(2) == 0 ? 0 : 1 + test_pick(12);
    options.before_us = options.keep == 0 || test_pick(3) == 0 ? (int64_t)(1000 + test_pick(50)) : 0;
    options.branches = test_pick(2) == 0;
    for (size_t i = 0; i < t->count; i++) {
        const node *n = &t->nodes[i];
        size_t newer = newer_than(t, i);

        goes[i] = !n->gone && newer > 0 && newer >= options.keep &&
                  (options.before_us == 0 || n->time_us < options.before_us) && (options.branches || is_followed(t, i));
        expected += goes[i];
    }
    test_ok(agentchat_thread_prune(t->s->store, t->s->app, &options, &removed, &t->s->err), &t->s->err);
    assert_int_equal(removed, expected);
    for (size_t i = 0; i < t->count; i++)
        t->nodes[i].gone = t->nodes[i].gone || goes[i];
}

static void delete_run(tree *t)
{
    char run[8];
    uint64_t removed = 99, expected = 0;

    snprintf(run, sizeof run, "r%zu", test_pick(4));
    for (size_t i = 0; i < t->count; i++) {
        if (t->nodes[i].gone || strcmp(t->nodes[i].run, run) != 0)
            continue;
        t->nodes[i].gone = true;
        expected++;
    }
    test_ok(agentchat_thread_delete_run(t->s->store, t->s->app, run, &removed, &t->s->err), &t->s->err);
    assert_int_equal(removed, expected);
}

static void test_prune__random_trees(void **state)
{
    scene *s = *state;
    size_t chats = (size_t)test_number("THREAD_CHATS", s->kind == STORE_POSTGRES ? 90 : 300), trees = chats / 30 + 1;

    for (size_t number = 0; number < trees; number++) {
        tree t = {.s = s};

        test_seed((uint32_t)(number + 1234));
        while (t.count < MOST) {
            size_t more = 1 + test_pick(20);

            for (size_t i = 0; i < more && t.count < MOST; i++)
                add_node(&t, number);
            if (test_pick(3) == 0)
                delete_run(&t);
            else
                prune_tree(&t);
            expect_tree(&t);
        }
        if (number % 4 == 0) /* it looks through the threads of all tests */
            expect_sound(s->store);
        for (size_t i = 0; i < t.count; i++)
            agentchat_snapshot_unref(t.nodes[i].chat);
        test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    }
}

/* ---- single cases ----------------------------------------------------------------------------------------------- */

static uint64_t prune_to(scene *s, uint64_t keep)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    uint64_t removed = 99;

    options.keep = keep;
    test_ok(agentchat_thread_prune(s->store, s->app, &options, &removed, &s->err), &s->err);
    return removed;
}

static void test_prune__wrong_calls(void **state)
{
    scene *s = *state;
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    uint64_t removed = 9;

    expect_fails(s, agentchat_thread_prune(s->store, s->app, NULL, &removed, &s->err), AGENTCHAT_E_INVALID,
                 "how many checkpoints stay");
    assert_int_equal(removed, 0);
    options.keep = 1;
    expect_fails(s, agentchat_thread_prune(s->store, s->app, &options, NULL, &s->err), AGENTCHAT_E_NOTFOUND,
                 "there is no thread");
    expect_fails(s, agentchat_thread_delete_run(s->store, s->app, "r", NULL, &s->err), AGENTCHAT_E_NOTFOUND,
                 "there is no thread");
    expect_fails(s, agentchat_thread_delete_run(s->store, s->app, "", NULL, &s->err), AGENTCHAT_E_INVALID, "run");
}

static void test_prune__pending_writes_go_with_their_checkpoint(void **state)
{
    scene *s = *state;
    static const char *const ids[] = {"c1", "c2", "later"};
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint_put_options put = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_pending_write write = {"", "t", "messages", 0, {NULL, 0}, AGENTCHAT_STR("1"), NULL};
    agentchat_snapshot *chat = chat_of("one|two", NULL, NULL);

    for (size_t i = 0; i < 2; i++) {
        put.id = ids[i];
        (void)put_chat(s, chat, &put);
    }
    for (size_t i = 0; i < 3; i++) {
        options.id = ids[i];
        test_ok(agentchat_checkpoint_put_writes(s->store, s->app, &options, &write, 1, &s->err), &s->err);
    }
    assert_int_equal(prune_to(s, 1), 1);
    for (size_t i = 0; i < 3; i++) {
        agentchat_pending_options which = AGENTCHAT_PENDING_OPTIONS_INIT;
        agentchat_pending_list *list = NULL;

        which.id = ids[i];
        test_ok(agentchat_checkpoint_pending(s->store, s->app, &which, &list, &s->err), &s->err);
        assert_int_equal(agentchat_pending_list_count(list), i > 0);
        agentchat_pending_list_free(list);
    }
    agentchat_snapshot_unref(chat);
}

static void test_prune__what_was_replaced_goes(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *first = chat_of("a|b|c", NULL, "x=[1,2]"), *second = chat_of("d", NULL, "x=[[0,1],[]]");
    uint64_t bytes;

    options.id = "c1";
    (void)put_chat(s, second, &options);
    bytes = thread_info(s).bytes;
    options.replace = true;
    (void)put_chat(s, first, &options);
    (void)put_chat(s, second, &options);
    assert_true(thread_info(s).bytes > bytes);
    assert_int_equal(prune_to(s, 1), 0);
    assert_int_equal(thread_info(s).bytes, bytes);
    expect_chat(s, "c1", second);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(second);
}

static void test_prune__a_run_and_all(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    agentchat_checkpoint *none = NULL;
    uint64_t removed = 0;

    options.run = "r";
    for (size_t i = 0; i < 3; i++)
        (void)put_chat(s, chat, &options);
    test_ok(agentchat_thread_delete_run(s->store, s->app, "other", &removed, &s->err), &s->err);
    assert_int_equal(removed, 0);
    test_ok(agentchat_thread_delete_run(s->store, s->app, "r", &removed, &s->err), &s->err);
    assert_int_equal(removed, 3);
    assert_int_equal(thread_info(s).bytes, 0);
    assert_int_equal(thread_info(s).messages, 0);
    assert_int_equal(thread_info(s).sequence, 3);
    expect_fails(s, agentchat_checkpoint_get(s->store, s->app, NULL, &none, &s->err), AGENTCHAT_E_NOTFOUND,
                 "has no checkpoint");
    (void)put_chat(s, chat, NULL);
    expect_chat(s, NULL, chat);
    assert_int_equal(thread_info(s).sequence, 4);
    agentchat_snapshot_unref(chat);
}

/* Puts it after `parent`, as a branch where that is followed. */
static void put_after(scene *s, const char *id, const char *parent, const agentchat_snapshot *chat)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    options.id = id;
    options.parent = parent;
    (void)put_chat_after(s, chat, &options);
}

/* Puts chats of these histories, each after the one before, and prunes to the newest; then a longer one goes on. */
static void expect_goes_on(scene *s, const char *const *histories, size_t count, const size_t *parents)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    agentchat_snapshot *last = NULL, *longer;
    char ids[8][24];

    for (size_t i = 0; i < count; i++) {
        agentchat_snapshot_unref(last);
        last = chat_of(histories[i], NULL, NULL);
        snprintf(ids[i], sizeof ids[i], "c%zu", i);
        put_after(s, ids[i], i > 0 ? ids[parents[i]] : NULL, last);
    }
    options.keep = 1;
    options.branches = true;
    test_ok(agentchat_thread_prune(s->store, s->app, &options, NULL, &s->err), &s->err);
    expect_chat(s, NULL, last);
    longer = chat_with(last, "more");
    put_after(s, "longer", NULL, longer);
    expect_chat(s, "longer", longer);
    expect_chat(s, ids[count - 1], last);
    agentchat_snapshot_unref(last);
    agentchat_snapshot_unref(longer);
}

static void test_prune__a_list_that_was_cut_goes_on(void **state)
{
    static const char *const histories[] = {"a|b|c|d|e", "a|b"};

    expect_goes_on(*state, histories, 2, (const size_t[]){0, 0});
}

static void test_prune__a_branch_that_was_cut_goes_on(void **state)
{
    static const char *const histories[] = {"a|b|c|d|e", "a|b|c|d|e|f", "a|b|c|d|e|x", "a|b|c"};

    expect_goes_on(*state, histories, 4, (const size_t[]){0, 0, 0, 2});
}

static void test_prune__large_data_stays_as_long_as_its_messages(void **state)
{
    scene *s = *state;
    enum { SIZE = 100000 };
    agentchat_snapshot *first = picture_chat("a", SIZE, "image/png"), *second = picture_chat("b", SIZE, "image/png"),
                       *last = chat_of("no picture", NULL, NULL);

    put_after(s, "c1", NULL, first);
    put_after(s, "c2", NULL, second);
    assert_int_equal(prune_to(s, 1), 1);
    assert_in_range(thread_info(s).bytes, SIZE, SIZE + 1000);
    expect_chat(s, "c2", second);
    put_after(s, "c3", NULL, last);
    assert_int_equal(prune_to(s, 1), 1);
    assert_true(thread_info(s).bytes < 1000);
    expect_chat(s, NULL, last);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(second);
    agentchat_snapshot_unref(last);
}

int contract_prune(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_prune__wrong_calls),
        SCENE_TEST(test_prune__pending_writes_go_with_their_checkpoint),
        SCENE_TEST(test_prune__what_was_replaced_goes),
        SCENE_TEST(test_prune__a_run_and_all),
        SCENE_TEST(test_prune__a_list_that_was_cut_goes_on),
        SCENE_TEST(test_prune__a_branch_that_was_cut_goes_on),
        SCENE_TEST(test_prune__large_data_stays_as_long_as_its_messages),
        SCENE_TEST(test_prune__random_trees),
    };

    return CONTRACT_GROUP("prune", tests);
}
