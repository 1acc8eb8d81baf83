/* SPDX-License-Identifier: Apache-2.0 */
/* Putting and getting checkpoints. */
#include "thread/contract/contract.h"

static void test_put__comes_back_complete(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat =
        chat_of("one|two|three", "two|three", "n=1 list=[1,\n2,\t{\"a\":[3]}\t] empty=[] nothing=[\n]");
    const agentchat_checkpoint_info *info;
    agentchat_checkpoint *checkpoint;

    options.id = "c1";
    options.source = "input";
    options.run = "r1";
    options.step = -1;
    options.has_step = true;
    options.metadata = AGENTCHAT_STR("{\"writes\": null}");
    options.time_us = 1234567;
    assert_string_equal(put_chat(s, chat, &options), "c1");
    checkpoint = get_checkpoint(s, NULL);
    info = agentchat_checkpoint_get_info(checkpoint);
    assert_string_equal(info->ns, "");
    assert_string_equal(info->id, "c1");
    assert_null(info->parent);
    assert_int_equal(info->sequence, 1);
    assert_true(info->has_step);
    assert_int_equal(info->step, -1);
    assert_string_equal(info->source, "input");
    assert_string_equal(info->run, "r1");
    assert_int_equal(info->time_us, 1234567);
    assert_int_equal(info->messages, 3);
    assert_str(info->metadata, "{\"writes\": null}");
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), chat);
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(chat);
}

static void test_put__follows_the_newest(void **state)
{
    scene *s = *state;
    agentchat_snapshot *first = chat_of("one", "one", NULL), *second = chat_with(first, "two");
    char parent[AGENTCHAT_ID_SIZE];
    agentchat_checkpoint *checkpoint;

    strcpy(parent, put_chat(s, first, NULL));
    assert_int_equal(strlen(parent), 36);
    (void)put_chat(s, second, NULL);
    checkpoint = get_checkpoint(s, NULL);
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->parent, parent);
    assert_int_equal(agentchat_checkpoint_get_info(checkpoint)->sequence, 2);
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), second);
    expect_chat(s, parent, first);
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(second);
}

static void test_put__once_more_is_success_and_stores_nothing(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one|two", "two", "l=[1]"), *other = chat_with(chat, "three");
    agentchat_thread_info before, after;

    options.id = "c1";
    (void)put_chat(s, chat, &options);
    before = thread_info(s);
    (void)put_chat(s, chat, &options);
    after = thread_info(s);
    assert_int_equal(after.sequence, before.sequence);
    assert_int_equal(after.bytes, before.bytes);
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, other, &options, NULL, &s->err), AGENTCHAT_E_EXISTS,
                 "another checkpoint c1");
    expect_chat(s, "c1", chat);
    options.metadata = AGENTCHAT_STR("{\"a\":1}");
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, chat, &options, NULL, &s->err), AGENTCHAT_E_EXISTS,
                 NULL);
    options.replace = true;
    (void)put_chat(s, other, &options);
    expect_chat(s, "c1", other);
    assert_int_equal(thread_info(s).sequence, 2);
    agentchat_snapshot_unref(chat);
    agentchat_snapshot_unref(other);
}

static void test_put__namespaces_have_trees_of_their_own(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_checkpoint_options which = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL), *inner = chat_of("inner", NULL, NULL);
    agentchat_checkpoint *checkpoint = NULL;

    (void)put_chat(s, chat, NULL);
    options.ns = which.ns = "inner:1";
    (void)put_chat(s, inner, &options);
    expect_chat(s, NULL, chat);
    test_ok(agentchat_checkpoint_get(s->store, s->app, &which, &checkpoint, &s->err), &s->err);
    assert_null(agentchat_checkpoint_get_info(checkpoint)->parent);
    assert_int_equal(agentchat_checkpoint_get_info(checkpoint)->sequence, 2);
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), inner);
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(chat);
    agentchat_snapshot_unref(inner);
}

static void test_put__what_is_wrong_is_said(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    char id[AGENTCHAT_ID_SIZE] = "before";

    expect_fails(s, agentchat_checkpoint_put(s->store, "", chat, NULL, id, &s->err), AGENTCHAT_E_INVALID, "thread");
    assert_string_equal(id, "");
    expect_fails(s, agentchat_checkpoint_put(s->store, NULL, chat, NULL, id, &s->err), AGENTCHAT_E_INVALID, "thread");
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, NULL, NULL, id, &s->err), AGENTCHAT_E_INVALID,
                 "snapshot");
    options.metadata = AGENTCHAT_STR("[1]");
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, chat, &options, id, &s->err), AGENTCHAT_E_INVALID,
                 "JSON object");
    options.metadata = AGENTCHAT_STR("{");
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, chat, &options, id, &s->err), AGENTCHAT_E_INVALID,
                 "JSON object");
    options.metadata.ptr = NULL;
    options.parent = "p";
    options.no_parent = true;
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, chat, &options, id, &s->err), AGENTCHAT_E_INVALID,
                 "a parent or none");
    agentchat_snapshot_unref(chat);
}

static void test_get__of_what_is_not_there_is_notfound(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_messages *messages = NULL;

    expect_fails(s, agentchat_checkpoint_get(s->store, s->app, NULL, &checkpoint, &s->err), AGENTCHAT_E_NOTFOUND,
                 "has no checkpoint");
    (void)put_chat(s, chat, NULL);
    options.id = "none";
    expect_fails(s, agentchat_checkpoint_get(s->store, s->app, &options, &checkpoint, &s->err), AGENTCHAT_E_NOTFOUND,
                 "no checkpoint none");
    expect_fails(s, agentchat_thread_tail(s->store, s->app, 3, &options, &messages, &s->err), AGENTCHAT_E_NOTFOUND,
                 NULL);
    assert_null(checkpoint);
    assert_null(messages);
    agentchat_snapshot_unref(chat);
}

static void test_tail__gives_the_newest_messages(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("1|2|3|4|5", NULL, NULL);
    agentchat_messages *messages = NULL;

    (void)put_chat(s, chat, NULL);
    test_ok(agentchat_thread_tail(s->store, s->app, 2, NULL, &messages, &s->err), &s->err);
    assert_int_equal(agentchat_messages_count(messages), 2);
    assert_str(agentchat_message_text(agentchat_messages_at(messages, 0)), "4");
    assert_str(agentchat_message_text(agentchat_messages_at(messages, 1)), "5");
    agentchat_messages_unref(messages);
    test_ok(agentchat_thread_tail(s->store, s->app, 99, NULL, &messages, &s->err), &s->err);
    assert_int_equal(agentchat_messages_count(messages), 5);
    agentchat_messages_unref(messages);
    test_ok(agentchat_thread_tail(s->store, s->app, 0, NULL, &messages, &s->err), &s->err);
    assert_int_equal(agentchat_messages_count(messages), 0);
    agentchat_messages_unref(messages);
    agentchat_snapshot_unref(chat);
}

static void test_delete__takes_the_whole_thread(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one|two", "two", NULL);
    agentchat_checkpoint *checkpoint = NULL;

    expect_fails(s, agentchat_thread_delete(s->store, s->app, &s->err), AGENTCHAT_E_NOTFOUND, "there is no thread");
    for (int round = 0; round < 2; round++) {
        (void)put_chat(s, chat, NULL);
        assert_int_equal(thread_info(s).sequence, 1);
        test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
        expect_fails(s, agentchat_checkpoint_get(s->store, s->app, NULL, &checkpoint, &s->err), AGENTCHAT_E_NOTFOUND,
                     NULL);
    }
    agentchat_snapshot_unref(chat);
}

static void test_put__another_handle_sees_it(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat;

    if (!scene_is_shared(s))
        skip();
    chat = chat_of("one|two", "two", "v=[1]");
    (void)put_chat(s, chat, NULL);
    scene_reopen(s);
    expect_chat(s, NULL, chat);
    agentchat_snapshot_unref(chat);
}

int contract_put(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_put__comes_back_complete),
        SCENE_TEST(test_put__follows_the_newest),
        SCENE_TEST(test_put__once_more_is_success_and_stores_nothing),
        SCENE_TEST(test_put__namespaces_have_trees_of_their_own),
        SCENE_TEST(test_put__what_is_wrong_is_said),
        SCENE_TEST(test_get__of_what_is_not_there_is_notfound),
        SCENE_TEST(test_tail__gives_the_newest_messages),
        SCENE_TEST(test_delete__takes_the_whole_thread),
        SCENE_TEST(test_put__another_handle_sees_it),
    };

    return CONTRACT_GROUP("put", tests);
}
