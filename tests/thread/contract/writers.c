/* SPDX-License-Identifier: Apache-2.0 */
/* Several writers at once, on one thread and on branches of it, and readers while it is pruned: nothing is lost, and
   nothing is read that was never put. */
#include "thread/contract/contract.h"

#include <pthread.h>
#include <stdatomic.h>

enum { WRITERS = 2, PUTS = 25, MOST = 64 };

typedef struct writer {
    agentchat_store *store;
    const char *thread;
    int number;
    agentchat_snapshot *last; /* what it has put last, with its id */
    char id[AGENTCHAT_ID_SIZE];
    unsigned conflicts;
    agentchat_status status;
    agentchat_error err;
    pthread_t process;
} writer;

/* Reads the newest checkpoint, says something, puts; begins anew when another one was faster. */
static agentchat_status go_on_from_newest(writer *w, const char *text)
{
    for (;;) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
        agentchat_checkpoint *newest = NULL;
        agentchat_snapshot *chat;
        agentchat_status status = agentchat_checkpoint_get(w->store, w->thread, NULL, &newest, &w->err);

        if (status < 0)
            return status;
        chat = chat_with(agentchat_checkpoint_snapshot(newest), text);
        options.parent = agentchat_checkpoint_get_info(newest)->id;
        status = agentchat_checkpoint_put(w->store, w->thread, chat, &options, NULL, &w->err);
        agentchat_snapshot_unref(chat);
        agentchat_checkpoint_free(newest);
        if (status != AGENTCHAT_E_CONFLICT)
            return status;
        w->conflicts++;
    }
}

static void *write_to_thread(void *user)
{
    writer *w = user;

    for (int i = 0; i < PUTS && w->status >= 0; i++) {
        char text[32];

        snprintf(text, sizeof text, "%d:%d", w->number, i);
        w->status = go_on_from_newest(w, text);
    }
    return NULL;
}

static void *write_to_branch(void *user)
{
    writer *w = user;

    for (int i = 0; i < PUTS && w->status >= 0; i++) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
        agentchat_snapshot *chat;
        char text[32], parent[AGENTCHAT_ID_SIZE];

        snprintf(text, sizeof text, "%d:%d", w->number, i);
        chat = chat_with(w->last, text);
        agentchat_snapshot_unref(w->last);
        w->last = chat;
        options.parent = strcpy(parent, w->id);
        options.branch = i == 0;
        w->status = agentchat_checkpoint_put(w->store, w->thread, chat, &options, w->id, &w->err);
    }
    return NULL;
}

static void run_writers(scene *s, writer writers[WRITERS], const agentchat_snapshot *first, void *(*work)(void *))
{
    s->step_us = 0; /* the clock is read by several threads */
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (writer){.store = scene_is_shared(s) ? scene_open(s, NULL) : s->store,
                              .thread = s->app,
                              .number = i,
                              .last = agentchat_snapshot_ref((agentchat_snapshot *)first),
                              .id = "first"};
        assert_int_equal(pthread_create(&writers[i].process, NULL, work, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        (void)pthread_join(writers[i].process, NULL);
    for (int i = 0; i < WRITERS; i++)
        test_ok(writers[i].status, &writers[i].err);
}

static void end_writers(scene *s, writer writers[WRITERS])
{
    for (int i = 0; i < WRITERS; i++) {
        agentchat_snapshot_unref(writers[i].last);
        if (scene_is_shared(s))
            agentchat_store_close(writers[i].store);
    }
}

static agentchat_snapshot *put_first(scene *s, const char *history)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *first = chat_of(history, NULL, "l=[1]");

    options.id = "first";
    (void)put_chat(s, first, &options);
    return first;
}

/* Every text of every writer once, each writer's in its order. */
static void expect_all_said(const agentchat_messages *history)
{
    int next[WRITERS] = {0};

    assert_int_equal(agentchat_messages_count(history), 1 + WRITERS * PUTS);
    for (size_t i = 1; i < agentchat_messages_count(history); i++) {
        agentchat_str text = agentchat_message_text(agentchat_messages_at(history, i));
        int number = text.ptr[0] - '0';
        char expected[32];

        assert_in_range(number, 0, WRITERS - 1);
        snprintf(expected, sizeof expected, "%d:%d", number, next[number]++);
        assert_true(agentchat_str_equal(text, agentchat_str_from(expected)));
    }
}

static void test_writers__two_on_one_thread_lose_nothing(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_snapshot *first = put_first(s, "first");
    agentchat_checkpoint_list *list = NULL;
    agentchat_checkpoint *newest;
    writer writers[WRITERS];

    run_writers(s, writers, first, write_to_thread);
    newest = get_checkpoint(s, NULL);
    expect_all_said(agentchat_snapshot_history(agentchat_checkpoint_snapshot(newest)));
    test_ok(agentchat_checkpoint_list_read(s->store, s->app, &options, &list, &s->err), &s->err);
    assert_int_equal(agentchat_checkpoint_list_count(list), 1 + WRITERS * PUTS);
    for (size_t i = 0; i + 1 < agentchat_checkpoint_list_count(list); i++) { /* one after the other, no branch */
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(list, i);

        assert_int_equal(info->sequence, agentchat_checkpoint_list_count(list) - i);
        assert_string_equal(info->parent, agentchat_checkpoint_list_at(list, i + 1)->id);
    }
    agentchat_checkpoint_list_free(list);
    agentchat_checkpoint_free(newest);
    agentchat_snapshot_unref(first);
    end_writers(s, writers);
}

static void test_writers__two_on_two_branches_lose_nothing(void **state)
{
    scene *s = *state;
    agentchat_snapshot *first = put_first(s, "first");
    writer writers[WRITERS];

    run_writers(s, writers, first, write_to_branch);
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(writers[i].conflicts, 0);
        expect_chat(s, writers[i].id, writers[i].last);
    }
    expect_chat(s, "first", first);
    assert_int_equal(thread_info(s).sequence, 1 + WRITERS * PUTS);
    agentchat_snapshot_unref(first);
    end_writers(s, writers);
}

/* ---- reading while it is pruned ---------------------------------------------------------------------------------- */

typedef struct reader {
    agentchat_store *store;
    const char *thread;
    agentchat_snapshot **chats; /* checkpoint c<i> is chats[i] */
    atomic_bool done;
    unsigned long read, gone, wrong;
    agentchat_status status;
    agentchat_error err;
} reader;

static agentchat_status read_one(reader *r, unsigned i)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_status status;
    bool equal = false;
    char id[16];

    snprintf(id, sizeof id, "c%u", i);
    options.id = id;
    status = agentchat_checkpoint_get(r->store, r->thread, &options, &checkpoint, &r->err);
    if (status == AGENTCHAT_E_NOTFOUND) {
        r->gone++;
        return AGENTCHAT_OK;
    }
    if (status >= 0)
        status = agentchat_snapshot_diff(agentchat_checkpoint_snapshot(checkpoint), r->chats[i], NULL, NULL, &equal,
                                         &r->err);
    r->wrong += status >= 0 && !equal;
    r->read++;
    agentchat_checkpoint_free(checkpoint);
    return status;
}

static void *read_on(void *user)
{
    reader *r = user;

    for (bool is_last = false; !is_last && r->status >= 0;) {
        is_last = atomic_load(&r->done);
        for (unsigned i = 0; i < MOST && r->status >= 0; i++)
            r->status = read_one(r, i);
    }
    return NULL;
}

static void test_writers__what_is_read_while_it_is_pruned_is_complete(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chats[MOST];
    reader r = {.store = scene_is_shared(s) ? scene_open(s, NULL) : s->store, .thread = s->app, .chats = chats};
    pthread_t process;

    for (unsigned i = 0; i < MOST; i++) { /* every eighth one begins another history */
        char text[32];

        snprintf(text, sizeof text, "message %u", i);
        chats[i] = i % 8 == 0 ? chat_of(text, "x|y", "l=[1,2]") : chat_with(chats[i - 1], text);
    }
    s->step_us = 0;
    assert_int_equal(pthread_create(&process, NULL, read_on, &r), 0);
    for (unsigned i = 0; i < MOST; i++) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
        agentchat_thread_prune_options prune = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
        char id[16];

        snprintf(id, sizeof id, "c%u", i);
        options.id = id;
        (void)put_chat(s, chats[i], &options);
        prune.keep = 3;
        prune.branches = true;
        if (i % 4 == 3)
            test_ok(agentchat_thread_prune(s->store, s->app, &prune, NULL, &s->err), &s->err);
    }
    atomic_store(&r.done, true);
    (void)pthread_join(process, NULL);
    test_ok(r.status, &r.err);
    assert_int_equal(r.wrong, 0);
    assert_true(r.read > 0 && r.gone > 0);
    for (unsigned i = 0; i < MOST; i++)
        agentchat_snapshot_unref(chats[i]);
    if (scene_is_shared(s))
        agentchat_store_close(r.store);
}

int contract_writers(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_writers__two_on_one_thread_lose_nothing),
        SCENE_TEST(test_writers__two_on_two_branches_lose_nothing),
        SCENE_TEST(test_writers__what_is_read_while_it_is_pruned_is_complete),
    };

    return CONTRACT_GROUP("writers", tests);
}
