/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A prune, a copy, a delete, or building an index, between whose transactions others put, branch, replace, write,
 * prune, copy and delete, at random; compared with what must be there. A checkpoint that is there reads back as it was
 * put, always.
 */
#include "steps.h"

enum { MOST = 80 };

typedef struct node {
    char id[32];
    const char *ns;
    agentchat_snapshot *chat;
    size_t parent; /* MOST: none */
    size_t line;   /* the node that its line began with */
    int64_t time_us;
    char run[8];
    bool gone;
    /* ---- while a call runs that deletes some ---- */
    bool goes;       /* it was decided so when the call began */
    bool is_touched; /* replaced, or deleted by others, since then */
} node;

typedef struct world {
    scene *s;
    node nodes[MOST];
    size_t count, number, copies;
    bool is_free; /* what goes may be decided again: something that was to go was touched */
} world;

/* ---- what others do --------------------------------------------------------------------------------------------- */

/* Whether it begins a line. */
static bool put_node(world *w, const node *n, bool replace)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    options.id = n->id;
    options.ns = n->ns;
    options.parent = n->parent != MOST && !replace ? w->nodes[n->parent].id : NULL;
    options.no_parent = n->parent == MOST && !replace;
    options.replace = replace;
    options.run = n->run;
    options.time_us = n->time_us;
    return put_chat_after(w->s, n->chat, &options);
}

/* Also after one that is gone: its name is kept, and the chat is stored as if it had none. */
static size_t any_node(const world *w, const char *ns)
{
    size_t first = w->count > 0 && test_pick(2) == 0 ? test_pick(w->count) + 1 : w->count;

    for (size_t i = first; i > 0; i--)
        if (strcmp(w->nodes[i - 1].ns, ns) == 0)
            return i - 1;
    return MOST;
}

static void add_node(world *w)
{
    node *n = &w->nodes[w->count];
    agentchat_snapshot *other = any_chat();

    if (w->count == MOST) {
        agentchat_snapshot_unref(other);
        return;
    }
    *n = (node){.ns = test_pick(4) == 0 ? "sub" : "", .time_us = (int64_t)(1000 + test_pick(40))};
    n->parent = any_node(w, n->ns);
    n->chat = n->parent != MOST ? changed_chat(w->nodes[n->parent].chat, other) : agentchat_snapshot_ref(other);
    snprintf(n->id, sizeof n->id, "t%zu-%zu", w->number, w->count);
    snprintf(n->run, sizeof n->run, "r%zu", test_pick(4));
    n->line = put_node(w, n, false) ? w->count : w->nodes[n->parent].line;
    w->count++;
    agentchat_snapshot_unref(other);
}

static void touch(world *w, node *n)
{
    n->is_touched = true;
    w->is_free = w->is_free || n->goes;
}

/* A chat that was stored before, by another checkpoint perhaps, whose bodies nobody may need any more. */
static void replace_node(world *w)
{
    node *n = &w->nodes[test_pick(w->count)], *other = &w->nodes[test_pick(w->count)];
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;

    options.id = n->id;
    options.ns = n->ns;
    if (agentchat_checkpoint_get(w->s->store, w->s->app, &options, &checkpoint, &w->s->err) < 0)
        return; /* another one of that id would be a new one */
    agentchat_checkpoint_free(checkpoint);
    if (n->chat != other->chat) {
        agentchat_snapshot_unref(n->chat);
        n->chat = agentchat_snapshot_ref(other->chat);
    }
    (void)put_node(w, n, true);
    touch(w, n);
}

static void put_writes(world *w)
{
    const node *n = &w->nodes[test_pick(w->count)];
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_write write = {"", "t", "messages", 0, {NULL, 0}, AGENTCHAT_STR("1"), NULL};

    options.id = n->id;
    options.ns = n->ns;
    test_ok(agentchat_checkpoint_put_writes(w->s->store, w->s->app, &options, &write, 1, &w->s->err), &w->s->err);
}

static bool is_there(const world *w, const char *thread, const node *n)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_status status;

    options.id = n->id;
    options.ns = n->ns;
    status = agentchat_checkpoint_get(w->s->store, thread, &options, &checkpoint, &w->s->err);
    if (status == AGENTCHAT_E_NOTFOUND)
        return false;
    test_ok(status, &w->s->err);
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), n->chat);
    agentchat_checkpoint_free(checkpoint);
    return true;
}

static void delete_run(world *w)
{
    bool was_there[MOST];
    char run[8];

    snprintf(run, sizeof run, "r%zu", test_pick(4));
    for (size_t i = 0; i < w->count; i++) /* some may be gone by the call that is running */
        was_there[i] = strcmp(w->nodes[i].run, run) == 0 && is_there(w, w->s->app, &w->nodes[i]);
    test_ok(agentchat_thread_delete_run(w->s->store, w->s->app, run, NULL, &w->s->err), &w->s->err);
    for (size_t i = 0; i < w->count; i++) {
        if (!was_there[i])
            continue;
        assert_false(is_there(w, w->s->app, &w->nodes[i]));
        w->nodes[i].gone = true;
        touch(w, &w->nodes[i]);
    }
}

static void expect_copy(world *w)
{
    char name[96];

    snprintf(name, sizeof name, "%.50s-copy%zu", w->s->app, w->copies++);
    test_ok(agentchat_thread_copy(w->s->store, w->s->app, name, &w->s->err), &w->s->err);
    for (size_t i = 0; i < w->count; i++)
        assert_int_equal(is_there(w, name, &w->nodes[i]), is_there(w, w->s->app, &w->nodes[i]));
    test_ok(agentchat_thread_delete(w->s->store, name, &w->s->err), &w->s->err);
}

/* Nobody sees a part of anything. */
static void expect_readable(const world *w)
{
    for (size_t i = 0; i < w->count; i++)
        (void)is_there(w, w->s->app, &w->nodes[i]);
}

static void others_work(void *user)
{
    world *w = user;

    switch (test_pick(12)) {
    case 0:
    case 1:
    case 2:
        add_node(w);
        break;
    case 3:
        replace_node(w);
        break;
    case 4:
        put_writes(w);
        break;
    case 5:
        if (test_pick(3) == 0)
            delete_run(w);
        break;
    case 6:
        if (test_pick(3) == 0)
            expect_copy(w);
        break;
    case 7:
        expect_readable(w);
        break;
    default:
        break;
    }
}

/* ---- pruning ---------------------------------------------------------------------------------------------------- */

static bool is_followed(const world *w, size_t index)
{
    for (size_t i = index + 1; i < w->count; i++)
        if (!w->nodes[i].gone && w->nodes[i].line == w->nodes[index].line)
            return true;
    return false;
}

static size_t newer_than(const world *w, size_t index)
{
    size_t newer = 0;

    for (size_t i = index + 1; i < w->count; i++)
        newer += !w->nodes[i].gone && strcmp(w->nodes[i].ns, w->nodes[index].ns) == 0;
    return newer;
}

static void decide(world *w, const agentchat_thread_prune_options *options)
{
    for (size_t i = 0; i < w->count; i++) {
        node *n = &w->nodes[i];
        size_t newer = newer_than(w, i);

        n->goes = !n->gone && newer > 0 && newer >= options->keep &&
                  (options->before_us == 0 || n->time_us < options->before_us) &&
                  (options->branches || is_followed(w, i));
        n->is_touched = false;
    }
    w->is_free = false;
}

static void prune(world *w, bool with_others)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    uint64_t removed = 0, expected = 0;
    size_t before = w->count;
    agentchat_error err; /* the others have the scene's */

    options.keep = 1 + test_pick(6);
    options.before_us = test_pick(3) == 0 ? (int64_t)(1000 + test_pick(50)) : 0;
    options.branches = test_pick(2) == 0;
    decide(w, &options);
    between.others = with_others ? others_work : NULL;
    between.user = w;
    test_ok(agentchat_thread_prune(w->s->store, w->s->app, &options, &removed, &err), &err);
    between.others = NULL;
    for (size_t i = 0; i < w->count; i++) {
        node *n = &w->nodes[i];
        bool there = is_there(w, w->s->app, n);

        assert_true(there || n->gone || i < before || w->is_free);
        if (n->gone)
            assert_false(there);
        else if (!n->is_touched && n->goes)
            assert_false(there);
        else if (!w->is_free && !n->goes)
            assert_true(there);
        expected += !n->gone && !there;
        n->gone = !there;
    }
    assert_int_equal(removed, expected);
}

/* As many bytes as a new thread with what remains, and nothing unused. */
static void expect_as_new(world *w)
{
    agentchat_thread_info is, new;
    char app[sizeof w->s->app];

    between.others = NULL;
    prune(w, false);
    is = thread_info(w->s);
    memcpy(app, w->s->app, sizeof app);
    snprintf(w->s->app, sizeof w->s->app, "%.50s-new", app);
    for (size_t i = 0; i < w->count; i++)
        if (!w->nodes[i].gone)
            (void)put_node(w, &w->nodes[i], false);
    new = thread_info(w->s);
    assert_int_equal(is.bytes, new.bytes);
    assert_int_equal(is.messages, new.messages);
    test_ok(agentchat_thread_delete(w->s->store, w->s->app, &w->s->err), &w->s->err);
    memcpy(w->s->app, app, sizeof app);
}

static void test_interleaved__pruning(void **state)
{
    scene *s = *state;
    size_t rounds = (size_t)test_number("THREAD_ROUNDS", s->kind == STORE_POSTGRES ? 4 : 25);

    for (size_t number = 0; number < rounds; number++) {
        world w = {.s = s, .number = number};

        test_seed((uint32_t)(number + 4711));
        between_begin(s->store, (uint32_t)(1 + test_pick(6)));
        for (size_t i = 0; i < 40; i++)
            add_node(&w);
        for (size_t i = 0; i < 4; i++)
            prune(&w, true);
        add_node(&w); /* every run may have been deleted */
        expect_as_new(&w);
        if (number % 8 == 0)
            assert_int_equal(count_unused(s->store), 0);
        between_end(s->store);
        test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
        for (size_t i = 0; i < w.count; i++)
            agentchat_snapshot_unref(w.nodes[i].chat);
    }
}

/* ---- copying ---------------------------------------------------------------------------------------------------- */

/* What others do while it is copied. */
static void others_prune(void *user)
{
    world *w = user;

    if (test_pick(4) == 0)
        prune(w, false);
    else
        others_work(w);
    between.others = others_prune;
}

static void test_interleaved__a_copy_is_of_one_moment(void **state)
{
    scene *s = *state;
    size_t rounds = (size_t)test_number("THREAD_ROUNDS", s->kind == STORE_POSTGRES ? 4 : 25);

    for (size_t number = 0; number < rounds; number++) {
        world w = {.s = s, .number = number};
        agentchat_snapshot *before[MOST];
        bool was_there[MOST];
        size_t count;
        char name[96];
        agentchat_error err;

        test_seed((uint32_t)(number + 815));
        between_begin(s->store, (uint32_t)(1 + test_pick(6)));
        for (size_t i = 0; i < 20; i++)
            add_node(&w);
        prune(&w, false);
        count = w.count;
        for (size_t i = 0; i < count; i++) {
            before[i] = agentchat_snapshot_ref(w.nodes[i].chat);
            was_there[i] = !w.nodes[i].gone;
        }
        snprintf(name, sizeof name, "%.50s-moment", s->app);
        between.others = others_prune;
        between.user = &w;
        test_ok(agentchat_thread_copy(s->store, s->app, name, &err), &err);
        between.others = NULL;
        for (size_t i = 0; i < w.count; i++) {
            node then = w.nodes[i];

            if (i < count)
                then.chat = before[i];
            assert_int_equal(is_there(&w, name, &then), i < count && was_there[i]);
        }
        assert_int_equal(count_unused(s->store) > 1, false); /* what was replaced, perhaps */
        between_end(s->store);
        test_ok(agentchat_thread_delete(s->store, name, &s->err), &s->err);
        test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
        for (size_t i = 0; i < w.count; i++)
            agentchat_snapshot_unref(w.nodes[i].chat);
        for (size_t i = 0; i < count; i++)
            agentchat_snapshot_unref(before[i]);
    }
}

typedef struct second_prune {
    scene *s;
    size_t calls, at, fails_at;
} second_prune;

static void put_alone(scene *s, const char *texts)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of(texts, NULL, NULL);

    options.no_parent = true;
    (void)put_chat(s, chat, &options);
    agentchat_snapshot_unref(chat);
}

static void prune_to_one(scene *s, agentchat_status *status)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    agentchat_error err;

    options.keep = 1;
    options.branches = true;
    *status = agentchat_thread_prune(s->store, s->app, &options, NULL, &err);
}

/* Between two steps a body that is to be deleted is named once more, and what names it is deleted by another prune,
   which does not come to its end. From then on there are copies. */
static void name_and_prune(void *user)
{
    second_prune *p = user;
    agentchat_status status;
    char name[96];

    if (p->calls++ == p->at) {
        put_alone(p->s, "x|q");
        put_alone(p->s, "w");
        between.struck = false;
        between.what = FAILS_FOR_GOOD;
        between.at = between.batches + p->fails_at;
        prune_to_one(p->s, &status);
        between.at = SIZE_MAX;
    }
    snprintf(name, sizeof name, "%.50s-beside", p->s->app);
    test_ok(agentchat_thread_copy(p->s->store, p->s->app, name, &p->s->err), &p->s->err);
    test_ok(agentchat_thread_delete(p->s->store, name, &p->s->err), &p->s->err);
}

static void test_interleaved__a_copy_beside_two_prunes(void **state)
{
    scene *s = *state;
    agentchat_status status;

    for (size_t at = 0; at < 16; at++)
        for (size_t fails_at = 0; fails_at < 24; fails_at++) {
            second_prune p = {s, 0, at, fails_at};

            put_alone(s, "x|y");
            put_alone(s, "z");
            between_begin(s->store, 1);
            between.others = name_and_prune;
            between.user = &p;
            prune_to_one(s, &status);
            test_ok(status, &s->err);
            between.others = NULL;
            (void)count_unused(s->store);
            between_end(s->store);
            test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
        }
}

/* ---- indexing --------------------------------------------------------------------------------------------------- */

static void switch_index(world *w, bool on)
{
    agentchat_error err;

    between.others = others_prune;
    between.user = w;
    test_ok(agentchat_thread_index(w->s->store, on, &err), &err);
    between.others = NULL;
    (void)count_unused(w->s->store); /* the check compares the index with the messages */
}

static void test_interleaved__indexing(void **state)
{
    scene *s = *state;
    size_t rounds = (size_t)test_number("THREAD_ROUNDS", s->kind == STORE_POSTGRES ? 6 : 20);

    for (size_t number = 0; number < rounds; number++) {
        world w = {.s = s, .number = number};

        test_seed((uint32_t)(number + 2711));
        between_begin(s->store, (uint32_t)(1 + test_pick(6)));
        for (size_t i = 0; i < 20; i++)
            add_node(&w);
        switch_index(&w, true);
        for (size_t i = 0; i < 8; i++)
            add_node(&w);
        prune(&w, true);
        (void)count_unused(s->store);
        switch_index(&w, number % 2 == 0);
        switch_index(&w, false);
        between_end(s->store);
        test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
        for (size_t i = 0; i < w.count; i++)
            agentchat_snapshot_unref(w.nodes[i].chat);
    }
}

/* ---- deleting --------------------------------------------------------------------------------------------------- */

typedef struct remaking {
    scene *s;
    const agentchat_snapshot *chat;
    size_t calls;
} remaking;

/* The thread is gone with the first step; another one of its name is no business of the call. */
static void make_anew(void *user)
{
    remaking *r = user;
    agentchat_checkpoint *none = NULL;

    if (r->calls++ == 0)
        return; /* the step that deletes it is still to come */
    if (r->calls == 2) {
        expect_fails(r->s, agentchat_checkpoint_get(r->s->store, r->s->app, NULL, &none, &r->s->err),
                     AGENTCHAT_E_NOTFOUND, "has no checkpoint");
        (void)put_chat(r->s, r->chat, NULL);
    }
    expect_chat(r->s, NULL, r->chat);
}

static void test_interleaved__a_deleted_thread_is_made_anew(void **state)
{
    scene *s = *state;
    world w = {.s = s};
    agentchat_snapshot *chat = chat_of("new|thread", NULL, "x=[1,2]");
    remaking r = {s, chat, 0};
    agentchat_error err;

    test_seed(99);
    between_begin(s->store, 3);
    for (size_t i = 0; i < 30; i++)
        add_node(&w);
    between.others = make_anew;
    between.user = &r;
    test_ok(agentchat_thread_delete(s->store, s->app, &err), &err);
    between.others = NULL;
    assert_true(r.calls > 5);
    expect_chat(s, NULL, chat);
    assert_int_equal(count_unused(s->store), 0);
    between_end(s->store);
    agentchat_snapshot_unref(chat);
    for (size_t i = 0; i < w.count; i++)
        agentchat_snapshot_unref(w.nodes[i].chat);
}

int steps_interleaved(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_interleaved__pruning),
        SCENE_TEST(test_interleaved__a_copy_is_of_one_moment),
        SCENE_TEST(test_interleaved__a_copy_beside_two_prunes),
        SCENE_TEST(test_interleaved__indexing),
        SCENE_TEST(test_interleaved__a_deleted_thread_is_made_anew),
    };

    return cmocka_run_group_tests_name("steps.interleaved", tests, NULL, NULL);
}
