/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities put and put_writes. */
#include "thread/conformance/conformance.h"

/* ---- put -------------------------------------------------------------------------------------------------------- */

static void test_conformance__put_returns_config(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    agentchat_checkpoint *checkpoint;
    char id[AGENTCHAT_ID_SIZE];

    options.ns = "inner";
    test_ok(agentchat_checkpoint_put(s->store, s->app, chat, &options, id, &s->err), &s->err);
    checkpoint = get_at(s, s->app, "inner", id); /* thread, namespace and the id that came back name it */
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->id, id);
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->ns, "inner");
    agentchat_checkpoint_free(checkpoint);
    options.id = "given";
    test_ok(agentchat_checkpoint_put(s->store, s->app, chat, &options, id, &s->err), &s->err);
    assert_string_equal(id, "given");
    agentchat_snapshot_unref(chat);
}

static void test_conformance__put_roundtrip(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one|two", "two", "k=\"v\"");

    put_at(s, s->app, NULL, "c1", chat);
    expect_at(s, s->app, NULL, "c1", chat);
    agentchat_snapshot_unref(chat);
}

static void test_conformance__put_preserves_channel_values(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("", NULL, "text=\"hello\" number=42 list=[1,2,3] object={\"a\":1,\"b\":[null]}");
    agentchat_checkpoint *checkpoint;
    const agentchat_snapshot *read;

    put_at(s, s->app, NULL, "c1", chat);
    checkpoint = get_at(s, s->app, NULL, "c1");
    read = agentchat_checkpoint_snapshot(checkpoint);
    assert_int_equal(agentchat_snapshot_value_count(read), 4);
    expect_equal(read, chat);
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(chat);
}

static void test_conformance__put_preserves_metadata(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    const agentchat_checkpoint_info *info;
    agentchat_checkpoint *checkpoint;

    options.source = "loop";
    options.step = 3;
    options.has_step = true;
    options.metadata = AGENTCHAT_STR("{\"custom_key\":\"custom value\"}");
    (void)put_chat(s, chat, &options);
    checkpoint = get_checkpoint(s, NULL);
    info = agentchat_checkpoint_get_info(checkpoint);
    assert_string_equal(info->source, "loop");
    assert_true(info->has_step);
    assert_int_equal(info->step, 3);
    assert_str(info->metadata, "{\"custom_key\":\"custom value\"}");
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(chat);
}

static void test_conformance__put_root_namespace(void **state)
{
    scene *s = *state;

    put_text(s, s->app, "", "c1");
    expect_text(s, s->app, "", "c1");
    expect_none(s, s->app, "child", "c1");
}

static void test_conformance__put_child_namespace(void **state)
{
    scene *s = *state;

    put_text(s, s->app, "child:abc|grandchild", "c1");
    expect_text(s, s->app, "child:abc|grandchild", "c1");
    expect_none(s, s->app, "child:abc", "c1");
    expect_none(s, s->app, NULL, "c1");
}

static void test_conformance__put_default_namespace(void **state)
{
    scene *s = *state;
    agentchat_checkpoint *checkpoint;

    put_text(s, s->app, NULL, "c1"); /* none named: the empty one */
    expect_text(s, s->app, "", "c1");
    checkpoint = get_at(s, s->app, NULL, NULL);
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->ns, "");
    agentchat_checkpoint_free(checkpoint);
}

static void test_conformance__put_multiple_checkpoints_same_thread(void **state)
{
    scene *s = *state;
    static const char *const ids[] = {"c1", "c2", "c3"};

    for (size_t i = 0; i < 3; i++)
        put_text(s, s->app, NULL, ids[i]);
    for (size_t i = 0; i < 3; i++)
        expect_text(s, s->app, NULL, ids[i]);
}

static void test_conformance__put_multiple_threads_isolated(void **state)
{
    scene *s = *state;
    agentchat_snapshot *left = chat_of("left", "left", "v=1"), *right = chat_of("right", "right", "v=2");
    const char *other = thread_of(s, "other");

    put_at(s, s->app, NULL, "c1", left); /* the same id, and the same sequence number */
    put_at(s, other, NULL, "c1", right);
    expect_at(s, s->app, NULL, "c1", left);
    expect_at(s, other, NULL, "c1", right);
    agentchat_snapshot_unref(left);
    agentchat_snapshot_unref(right);
}

static void test_conformance__put_parent_config(void **state)
{
    scene *s = *state;
    agentchat_checkpoint *checkpoint;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, NULL, "c2");
    checkpoint = get_at(s, s->app, NULL, "c2");
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->parent, "c1");
    agentchat_checkpoint_free(checkpoint);
}

static void test_conformance__put_incremental_channel_update(void **state)
{
    scene *s = *state;
    agentchat_snapshot *first = chat_of("one|two", "two", "kept={\"a\":[1]} changed=1"),
                       *second = chat_of("one|two", "two", "kept={\"a\":[1]} changed=2");
    uint64_t bytes;

    put_at(s, s->app, NULL, "c1", first);
    bytes = thread_info(s).bytes;
    put_at(s, s->app, NULL, "c2", second);
    assert_in_range(thread_info(s).bytes - bytes, 1, 8); /* what did not change is read from the older one */
    expect_at(s, s->app, NULL, "c1", first);
    expect_at(s, s->app, NULL, "c2", second);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(second);
}

static void test_conformance__put_new_channel_added(void **state)
{
    scene *s = *state;
    agentchat_snapshot *first = chat_of("one", NULL, "a=1"), *second = chat_of("one", "one", "a=1 b=[2]");

    put_at(s, s->app, NULL, "c1", first);
    put_at(s, s->app, NULL, "c2", second);
    expect_at(s, s->app, NULL, "c1", first);
    expect_at(s, s->app, NULL, "c2", second);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(second);
}

static void test_conformance__put_channel_removed(void **state)
{
    scene *s = *state;
    agentchat_snapshot *first = chat_of("one", "one", "a=1 b=[2]"), *second = chat_of("one", NULL, "a=1");
    agentchat_checkpoint *checkpoint;

    put_at(s, s->app, NULL, "c1", first);
    put_at(s, s->app, NULL, "c2", second);
    put_at(s, s->app, NULL, "c3", second);
    checkpoint = get_at(s, s->app, NULL, NULL); /* it does not come back from an older one */
    assert_int_equal(agentchat_snapshot_channel_count(agentchat_checkpoint_snapshot(checkpoint)), 0);
    assert_int_equal(agentchat_snapshot_value_count(agentchat_checkpoint_snapshot(checkpoint)), 1);
    agentchat_checkpoint_free(checkpoint);
    expect_at(s, s->app, NULL, "c2", second);
    expect_at(s, s->app, NULL, "c1", first);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(second);
}

static void test_conformance__put_preserves_run_id(void **state)
{
    scene *s = *state;
    agentchat_checkpoint *checkpoint;

    put_labelled(s, s->app, NULL, "c1", "run-7", NULL);
    checkpoint = get_at(s, s->app, NULL, "c1");
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->run, "run-7");
    agentchat_checkpoint_free(checkpoint);
}

int conformance_put(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_conformance__put_returns_config),
        SCENE_TEST(test_conformance__put_roundtrip),
        SCENE_TEST(test_conformance__put_preserves_channel_values),
        SCENE_TEST(test_conformance__put_preserves_metadata),
        SCENE_TEST(test_conformance__put_root_namespace),
        SCENE_TEST(test_conformance__put_child_namespace),
        SCENE_TEST(test_conformance__put_default_namespace),
        SCENE_TEST(test_conformance__put_multiple_checkpoints_same_thread),
        SCENE_TEST(test_conformance__put_multiple_threads_isolated),
        SCENE_TEST(test_conformance__put_parent_config),
        SCENE_TEST(test_conformance__put_incremental_channel_update),
        SCENE_TEST(test_conformance__put_new_channel_added),
        SCENE_TEST(test_conformance__put_channel_removed),
        SCENE_TEST(test_conformance__put_preserves_run_id),
    };

    return CONFORMANCE_GROUP("put", tests);
}

/* ---- put_writes ------------------------------------------------------------------------------------------------- */

static void test_conformance__put_writes_basic(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("task", 0, "channel", "\"value\""));
    expect_writes(s, s->app, NULL, "c1", "task/0/channel=\"value\"");
}

static void test_conformance__put_writes_multiple_writes_same_task(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    const agentchat_pending_write writes[] = {write_of("task", 0, "a", "1"), write_of("task", 1, "b", "2"),
                                              write_of("task", 2, "a", "3")};

    put_text(s, s->app, NULL, "c1");
    options.id = "c1";
    test_ok(agentchat_checkpoint_put_writes(s->store, s->app, &options, writes, 3, &s->err), &s->err);
    expect_writes(s, s->app, NULL, "c1", "task/0/a=1 task/1/b=2 task/2/a=3");
}

static void test_conformance__put_writes_multiple_tasks(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("t1", 0, "c", "1"));
    write_at(s, s->app, NULL, "c1", write_of("t2", 0, "c", "2"));
    expect_writes(s, s->app, NULL, "c1", "t1/0/c=1 t2/0/c=2");
}

static void test_conformance__put_writes_preserves_task_id(void **state)
{
    scene *s = *state;
    static const char task[] = "2f4c1e9a-6b0d-5e7f-8a1b-9c2d3e4f5a6b";
    agentchat_pending_list *list = NULL;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of(task, 0, "c", "1"));
    test_ok(agentchat_checkpoint_pending(s->store, s->app, NULL, &list, &s->err), &s->err);
    assert_string_equal(agentchat_pending_list_at(list, 0)->task, task);
    agentchat_pending_list_free(list);
}

static void test_conformance__put_writes_preserves_channel_and_value(void **state)
{
    scene *s = *state;
    agentchat_pending_write bytes = write_of("t", 1, "blob", "");
    agentchat_pending_list *list = NULL;

    bytes.media_type = AGENTCHAT_STR("application/octet-stream");
    bytes.value = (agentchat_str){"\0\x01\xff", 3};
    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("t", 0, "\xc3\xa9 channel", "{\"a\":[1.50,null]}"));
    write_at(s, s->app, NULL, "c1", bytes);
    test_ok(agentchat_checkpoint_pending(s->store, s->app, NULL, &list, &s->err), &s->err);
    assert_string_equal(agentchat_pending_list_at(list, 0)->channel, "\xc3\xa9 channel");
    assert_str(agentchat_pending_list_at(list, 0)->value, "{\"a\":[1.50,null]}");
    assert_string_equal(agentchat_pending_list_at(list, 1)->channel, "blob");
    assert_true(agentchat_str_equal(agentchat_pending_list_at(list, 1)->value, bytes.value));
    assert_true(agentchat_str_equal(agentchat_pending_list_at(list, 1)->media_type, bytes.media_type));
    agentchat_pending_list_free(list);
}

static void test_conformance__put_writes_task_path(void **state)
{
    scene *s = *state;
    agentchat_pending_write write = write_of("t", 0, "c", "1");
    agentchat_pending_list *list = NULL;

    put_text(s, s->app, NULL, "c1");
    write.path = "~__pregel_pull, node";
    write_at(s, s->app, NULL, "c1", write);
    test_ok(agentchat_checkpoint_pending(s->store, s->app, NULL, &list, &s->err), &s->err);
    assert_int_equal(agentchat_pending_list_count(list), 1);
    assert_string_equal(agentchat_pending_list_at(list, 0)->path, write.path);
    agentchat_pending_list_free(list);
}

static void test_conformance__put_writes_idempotent(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    for (size_t i = 0; i < 2; i++)
        write_at(s, s->app, NULL, "c1", write_of("task", 0, "c", "1"));
    expect_writes(s, s->app, NULL, "c1", "task/0/c=1");
}

static void test_conformance__put_writes_special_channels(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("task", -1, "__error__", "\"failed\""));
    write_at(s, s->app, NULL, "c1", write_of("task", -3, "__interrupt__", "[{\"value\":\"go on?\"}]"));
    expect_writes(s, s->app, NULL, "c1", "task/-3/__interrupt__=[{\"value\":\"go on?\"}] task/-1/__error__=\"failed\"");
}

static void test_conformance__put_writes_across_namespaces(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, "child", "c1");
    write_at(s, s->app, NULL, "c1", write_of("t", 0, "c", "1"));
    write_at(s, s->app, "child", "c1", write_of("t", 0, "c", "2"));
    expect_writes(s, s->app, NULL, "c1", "t/0/c=1");
    expect_writes(s, s->app, "child", "c1", "t/0/c=2");
}

static void test_conformance__put_writes_cleared_on_next_checkpoint(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("t", 0, "c", "1"));
    put_text(s, s->app, NULL, "c2");
    expect_writes(s, s->app, NULL, NULL, "");
    expect_writes(s, s->app, NULL, "c2", "");
}

int conformance_put_writes(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_conformance__put_writes_basic),
        SCENE_TEST(test_conformance__put_writes_multiple_writes_same_task),
        SCENE_TEST(test_conformance__put_writes_multiple_tasks),
        SCENE_TEST(test_conformance__put_writes_preserves_task_id),
        SCENE_TEST(test_conformance__put_writes_preserves_channel_and_value),
        SCENE_TEST(test_conformance__put_writes_task_path),
        SCENE_TEST(test_conformance__put_writes_idempotent),
        SCENE_TEST(test_conformance__put_writes_special_channels),
        SCENE_TEST(test_conformance__put_writes_across_namespaces),
        SCENE_TEST(test_conformance__put_writes_cleared_on_next_checkpoint),
    };

    return CONFORMANCE_GROUP("put_writes", tests);
}
