/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of very many messages, put in one go and grown: its tail costs what its messages cost, a put on it what is
 * new, a branch at its beginning shares it, and pruning it leaves what is to stay. Memory is counted by the allocator.
 *
 *     test_thread_large memory|sqlite|postgres
 *
 * THREAD_MESSAGES: how many (10000).
 */
#include "thread/contract/contract.h"

#include <agentchat/thread_chat.h>

enum { FEW = 1000, TAIL = 50, STEPS = 50, MOST_MEMORY = 12 };

typedef struct large {
    scene *s;
    test_oom memory;
    agentchat_env *env;
    agentchat_store *store;
    size_t count;
    agentchat_error err;
} large;

static agentchat_str text_of(size_t i)
{
    static char text[64];

    return (agentchat_str){text, (size_t)snprintf(text, sizeof text, "message %09zu of a very long conversation", i)};
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

/* What a call needs beyond what is held already. */
static void watch_memory(large *l)
{
    l->memory.peak_bytes = l->memory.live_bytes;
}

static uint64_t memory_used(const large *l, uint64_t held)
{
    return l->memory.peak_bytes - held;
}

static agentchat_thread_info info_of(large *l, const char *name)
{
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    agentchat_thread_info found = {.id = NULL};
    agentchat_thread_list *list = NULL;

    options.limit = 10000;
    test_ok(agentchat_thread_list_read(l->store, &options, &list, &l->err), &l->err);
    for (size_t i = 0; i < agentchat_thread_list_count(list); i++) {
        if (strcmp(agentchat_thread_list_at(list, i)->id, name) == 0)
            found = *agentchat_thread_list_at(list, i);
    }
    agentchat_thread_list_free(list);
    assert_non_null(found.id);
    found.id = name;
    return found;
}

/* ---- doing ------------------------------------------------------------------------------------------------------- */

static agentchat_snapshot *chat_of_many(const large *l, size_t count)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(l->env, NULL);
    agentchat_snapshot *chat = NULL;
    agentchat_error err;

    for (size_t i = 0; i < count; i++) {
        agentchat_message *message = NULL;

        test_ok(agentchat_message_new_text(l->env, "user", (agentchat_str){NULL, 0}, text_of(i), &message, &err), &err);
        agentchat_snapshot_builder_add_message(builder, message);
        agentchat_message_unref(message);
    }
    test_ok(agentchat_snapshot_builder_finish(builder, &chat, &err), &err);
    return chat;
}

static void put(large *l, const char *thread, const char *id, const char *parent, const agentchat_snapshot *chat)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;

    options.id = id;
    options.parent = parent;
    options.branch = parent != NULL;
    test_ok(agentchat_checkpoint_put(l->store, thread, chat, &options, NULL, &l->err), &l->err);
}

/* The newest messages of a thread of `count`. Returns the memory that it took. */
static uint64_t expect_tail(large *l, const char *thread, size_t count)
{
    agentchat_messages *tail = NULL;
    uint64_t held = l->memory.live_bytes;

    watch_memory(l);
    test_ok(agentchat_thread_tail(l->store, thread, TAIL, NULL, &tail, &l->err), &l->err);
    held = memory_used(l, held);
    assert_int_equal(agentchat_messages_count(tail), TAIL);
    for (size_t i = 0; i < TAIL; i++)
        assert_true(
            agentchat_str_equal(agentchat_message_text(agentchat_messages_at(tail, i)), text_of(count - TAIL + i)));
    agentchat_messages_unref(tail);
    return held;
}

/* A checkpoint has the first `count` messages. Returns the memory that it took. */
static uint64_t expect_many(large *l, const char *thread, const char *id, size_t count)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    const agentchat_messages *history;
    uint64_t held = l->memory.live_bytes;

    options.id = id;
    watch_memory(l);
    test_ok(agentchat_checkpoint_get(l->store, thread, &options, &checkpoint, &l->err), &l->err);
    held = memory_used(l, held);
    history = agentchat_snapshot_history(agentchat_checkpoint_snapshot(checkpoint));
    assert_int_equal(agentchat_messages_count(history), count);
    for (size_t i = 0; i < count; i++)
        assert_true(agentchat_str_equal(agentchat_message_text(agentchat_messages_at(history, i)), text_of(i)));
    agentchat_checkpoint_free(checkpoint);
    return held;
}

/* A chat that says all of it, saved at each of STEPS parts, and after each of the last messages. Its first checkpoint
   has the id `first`. */
static void grow(large *l, const char *thread, char first[AGENTCHAT_ID_SIZE])
{
    agentchat_chat *chat = test_chat_new(l->env);
    uint64_t before = 0, grown = 0;

    first[0] = '\0';
    for (size_t i = 0; i < l->count; i++) {
        bool is_single = i < 20 || i + 20 >= l->count;

        test_ok(agentchat_chat_add_text(chat, "user", text_of(i), &l->err), &l->err);
        if (!is_single && (i + 1) % (l->count / STEPS) != 0)
            continue;
        test_ok(agentchat_thread_save(l->store, thread, chat, NULL, i == 9 ? first : NULL, &l->err), &l->err);
        if (is_single && i != 0 && i + 20 != l->count) { /* at the end it is what it was at the beginning */
            uint64_t now = info_of(l, thread).bytes;

            if (i == 10)
                grown = now - before;
            if (i >= 10)
                assert_in_range(now - before, grown, grown + 8);
        }
        before = info_of(l, thread).bytes;
    }
    agentchat_chat_free(chat);
}

static void expect_header(large *l, const char *thread)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    uint64_t held = l->memory.live_bytes;

    options.limit = 10;
    watch_memory(l);
    test_ok(agentchat_checkpoint_list_read(l->store, thread, &options, &list, &l->err), &l->err);
    assert_in_range(memory_used(l, held), 0, 200000);
    assert_int_equal(agentchat_checkpoint_list_at(list, 0)->messages, l->count);
    agentchat_checkpoint_list_free(list);
}

static void prune(large *l, const char *thread)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    options.keep = 1;
    options.branches = true;
    test_ok(agentchat_thread_prune(l->store, thread, &options, NULL, &l->err), &l->err);
}

/* ---- the test ---------------------------------------------------------------------------------------------------- */

static void begin(large *l, scene *s)
{
    memset(l, 0, sizeof *l);
    l->memory.fail_at = UINT64_MAX;
    l->s = s;
    l->count = (size_t)test_number("THREAD_MESSAGES", 10000);
    l->env = test_oom_env(&l->memory);
    test_ok(agentchat_store_open(l->env, s->url, NULL, &l->store, &l->err), &l->err);
}

static void end(large *l)
{
    agentchat_store_close(l->store);
    assert_int_equal(l->memory.live_blocks, 0);
    agentchat_env_free(l->env);
}

/* On a fresh connection, where there can be one. */
static void reopen(large *l)
{
    if (!scene_is_shared(l->s))
        return;
    agentchat_store_close(l->store);
    test_ok(agentchat_store_open(l->env, l->s->url, NULL, &l->store, &l->err), &l->err);
}

/* Whole: what is put and read takes memory for what is in it, and a tail for the tail. */
static void test_large__put_in_one_go(void **state)
{
    agentchat_snapshot *chat;
    uint64_t held, put_with, read_with, bytes, of_few;
    char few[80], many[80];
    large l;

    begin(&l, *state);
    snprintf(few, sizeof few, "%s-few", l.s->app);
    snprintf(many, sizeof many, "%s-many", l.s->app);
    chat = chat_of_many(&l, FEW);
    put(&l, few, "c1", NULL, chat);
    agentchat_snapshot_unref(chat);
    chat = chat_of_many(&l, l.count);
    held = l.memory.live_bytes;
    watch_memory(&l);
    put(&l, many, "c1", NULL, chat);
    put_with = memory_used(&l, held);
    agentchat_snapshot_unref(chat);
    bytes = info_of(&l, many).bytes;
    reopen(&l);
    of_few = expect_tail(&l, few, FEW);
    reopen(&l);
    assert_in_range(expect_tail(&l, many, l.count), 0, of_few + 20000);
    read_with = expect_many(&l, many, "c1", l.count);
    print_message("%zu messages in %llu bytes: put with %llu, read with %llu; a tail with %llu\n", l.count,
                  (unsigned long long)bytes, (unsigned long long)put_with, (unsigned long long)read_with,
                  (unsigned long long)of_few);
    assert_in_range(put_with, 0, MOST_MEMORY * bytes);
    assert_in_range(read_with, 0, MOST_MEMORY * bytes);
    test_ok(agentchat_thread_delete(l.store, many, &l.err), &l.err);
    test_ok(agentchat_thread_delete(l.store, few, &l.err), &l.err);
    end(&l);
}

/* Grown: each put costs what is new, a branch at the beginning shares it, and pruning leaves the newest alone. */
static void test_large__grown(void **state)
{
    char thread[80], first[AGENTCHAT_ID_SIZE];
    agentchat_snapshot *chat;
    uint64_t bytes;
    large l;

    begin(&l, *state);
    snprintf(thread, sizeof thread, "%s-grown", l.s->app);
    grow(&l, thread, first);
    assert_int_equal(info_of(&l, thread).messages, l.count);
    expect_header(&l, thread);
    reopen(&l);
    (void)expect_tail(&l, thread, l.count);
    bytes = info_of(&l, thread).bytes;
    chat = chat_of_many(&l, 11); /* the tenth message has been followed by others: a branch there */
    put(&l, thread, "branch", first, chat);
    agentchat_snapshot_unref(chat);
    assert_int_equal(info_of(&l, thread).bytes, bytes); /* all of it was there */
    (void)expect_many(&l, thread, "branch", 11);
    (void)expect_many(&l, thread, first, 10);
    chat = chat_of_many(&l, l.count);
    put(&l, thread, "newest", NULL, chat);
    agentchat_snapshot_unref(chat);
    prune(&l, thread);
    (void)expect_tail(&l, thread, l.count);
    (void)expect_many(&l, thread, "newest", l.count);
    assert_in_range(info_of(&l, thread).bytes, bytes / 10 * 9, bytes);
    test_ok(agentchat_thread_delete(l.store, thread, &l.err), &l.err);
    end(&l);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {SCENE_TEST(test_large__put_in_one_go), SCENE_TEST(test_large__grown)};

    scene_files_in_memory();
    if (!scene_program("thread.large", argc, argv))
        return 2;
    return cmocka_run_group_tests_name("large", tests, NULL, NULL);
}
