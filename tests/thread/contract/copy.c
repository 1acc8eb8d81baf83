/* SPDX-License-Identifier: Apache-2.0 */
/* Copying threads: the copy has everything, and the two go their own ways. */
#include "thread/contract/contract.h"

enum { NODES = 30, COPIES = 70 };

/* The scene's thread is another one from here on. */
static void switch_thread(scene *s, const char *app, const char *suffix)
{
    assert_in_range(snprintf(s->app, sizeof s->app, "%.50s%s", app, suffix), 1, sizeof s->app - 1);
}

static void expect_listed(scene *s, const char *app, const char *suffix)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *original = NULL, *copy = NULL;
    char name[80];

    options.all_namespaces = true;
    options.limit = 1000;
    snprintf(name, sizeof name, "%.50s%s", app, suffix);
    test_ok(agentchat_checkpoint_list_read(s->store, app, &options, &original, &s->err), &s->err);
    test_ok(agentchat_checkpoint_list_read(s->store, name, &options, &copy, &s->err), &s->err);
    assert_int_equal(agentchat_checkpoint_list_count(copy), agentchat_checkpoint_list_count(original));
    for (size_t i = 0; i < agentchat_checkpoint_list_count(copy); i++) {
        const agentchat_checkpoint_info *a = agentchat_checkpoint_list_at(original, i);
        const agentchat_checkpoint_info *b = agentchat_checkpoint_list_at(copy, i);

        assert_string_equal(a->id, b->id);
        assert_string_equal(a->ns, b->ns);
        assert_int_equal(a->sequence, b->sequence);
        assert_int_equal(a->time_us, b->time_us);
        assert_int_equal(a->messages, b->messages);
        assert_int_equal(a->parent == NULL, b->parent == NULL);
        if (a->parent != NULL)
            assert_string_equal(a->parent, b->parent);
    }
    agentchat_checkpoint_list_free(original);
    agentchat_checkpoint_list_free(copy);
}

static void test_copy__has_everything(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chats[NODES], *picture = picture_chat("p", 20000, "image/png");
    char app[sizeof s->app], copy[80], ids[NODES][16];
    uint64_t bytes;

    test_seed(99);
    memcpy(app, s->app, sizeof app);
    snprintf(copy, sizeof copy, "%.50s-copy", app);
    for (size_t i = 0; i < NODES; i++) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
        agentchat_snapshot *other = any_chat();

        chats[i] = i == 3  ? agentchat_snapshot_ref(picture)
                   : i > 0 ? changed_chat(chats[i - 1 - test_pick(i > 1 ? 2 : 1)], other)
                           : any_chat();
        snprintf(ids[i], sizeof ids[i], "c%zu", i);
        options.id = ids[i];
        options.branch = true;
        options.parent = i > 1 ? ids[i - 1 - test_pick(2)] : NULL;
        (void)put_chat(s, chats[i], &options);
        agentchat_snapshot_unref(other);
    }
    bytes = thread_info(s).bytes;
    test_ok(agentchat_thread_copy(s->store, app, copy, &s->err), &s->err);
    expect_listed(s, app, "-copy");
    switch_thread(s, app, "-copy");
    assert_int_equal(thread_info(s).bytes, bytes);
    assert_int_equal(thread_info(s).sequence, NODES);
    for (size_t i = 0; i < NODES; i++)
        expect_chat(s, ids[i], chats[i]);
    switch_thread(s, app, "");
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    switch_thread(s, app, "-copy");
    for (size_t i = 0; i < NODES; i++) {
        expect_chat(s, ids[i], chats[i]);
        agentchat_snapshot_unref(chats[i]);
    }
    agentchat_snapshot_unref(picture);
}

static void put_write(scene *s, const char *id)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_write write = {"~p", "t", "messages", -3, AGENTCHAT_STR("text/plain"), AGENTCHAT_STR("x"), NULL};

    options.id = id;
    test_ok(agentchat_checkpoint_put_writes(s->store, s->app, &options, &write, 1, &s->err), &s->err);
}

static void expect_write(scene *s, const char *id, const char *consumed_by)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;
    const agentchat_pending_write *write;

    options.id = id;
    options.all = true;
    test_ok(agentchat_checkpoint_pending(s->store, s->app, &options, &list, &s->err), &s->err);
    assert_int_equal(agentchat_pending_list_count(list), 1);
    write = agentchat_pending_list_at(list, 0);
    assert_string_equal(write->path, "~p");
    assert_int_equal(write->index, -3);
    if (consumed_by != NULL)
        assert_string_equal(write->consumed_by, consumed_by);
    else
        assert_null(write->consumed_by);
    agentchat_pending_list_free(list);
}

static void test_copy__pending_writes_and_own_ways(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one|two", "one", NULL), *left = chat_with(chat, "left"),
                       *right = chat_with(chat, "right");
    char app[sizeof s->app], copy[80];

    memcpy(app, s->app, sizeof app);
    snprintf(copy, sizeof copy, "%.50s-copy", app);
    options.id = "c1";
    (void)put_chat(s, chat, &options);
    put_write(s, "c1");
    options.id = "c2";
    (void)put_chat(s, chat, &options);
    put_write(s, "c2");
    test_ok(agentchat_thread_copy(s->store, app, copy, &s->err), &s->err);
    options.id = "c3";
    (void)put_chat(s, left, &options);
    switch_thread(s, app, "-copy");
    expect_write(s, "c1", "c2");
    expect_write(s, "c2", NULL);
    (void)put_chat(s, right, &options);
    expect_write(s, "c2", "c3");
    expect_chat(s, "c3", right);
    expect_chat(s, "c2", chat);
    switch_thread(s, app, "");
    expect_chat(s, "c3", left);
    agentchat_snapshot_unref(chat);
    agentchat_snapshot_unref(left);
    agentchat_snapshot_unref(right);
}

/* Each copy has as many numbers of bodies as it has bodies, whatever lies between those of the thread: or else what
   has been copied again and again would use them up. */
static void test_copy__again_and_again(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one|two", NULL, "v=1 l=[1,2]");
    char app[sizeof s->app], copy[96], suffix[32];

    memcpy(app, s->app, sizeof app);
    (void)put_chat(s, chat, NULL);
    for (int i = 0; i < COPIES; i++) {
        agentchat_snapshot *longer;

        snprintf(suffix, sizeof suffix, "more %d", i);
        longer = chat_with(chat, suffix);
        snprintf(suffix, sizeof suffix, "-copy%d", i);
        snprintf(copy, sizeof copy, "%.50s%s", app, suffix);
        test_ok(agentchat_thread_copy(s->store, app, copy, &s->err), &s->err);
        (void)put_chat(s, longer, NULL);
        switch_thread(s, app, suffix);
        expect_chat(s, NULL, chat);
        switch_thread(s, app, "");
        if (i % 3 == 0)
            test_ok(agentchat_thread_delete(s->store, copy, &s->err), &s->err);
        agentchat_snapshot_unref(chat);
        chat = longer;
    }
    expect_sound(s->store);
    agentchat_snapshot_unref(chat);
}

static void test_copy__errors(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    char copy[80];

    snprintf(copy, sizeof copy, "%.50s-copy", s->app);
    expect_fails(s, agentchat_thread_copy(s->store, s->app, copy, &s->err), AGENTCHAT_E_NOTFOUND, "there is no thread");
    (void)put_chat(s, chat, NULL);
    test_ok(agentchat_thread_copy(s->store, s->app, copy, &s->err), &s->err);
    expect_fails(s, agentchat_thread_copy(s->store, s->app, copy, &s->err), AGENTCHAT_E_EXISTS, "already");
    expect_fails(s, agentchat_thread_copy(s->store, s->app, s->app, &s->err), AGENTCHAT_E_EXISTS, "already");
    expect_fails(s, agentchat_thread_copy(s->store, s->app, "", &s->err), AGENTCHAT_E_INVALID, "thread");
    agentchat_snapshot_unref(chat);
}

int contract_copy(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_copy__has_everything),
        SCENE_TEST(test_copy__pending_writes_and_own_ways),
        SCENE_TEST(test_copy__again_and_again),
        SCENE_TEST(test_copy__errors),
    };

    return CONTRACT_GROUP("copy", tests);
}
