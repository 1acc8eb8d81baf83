/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities get_tuple and list. */
#include "thread/conformance/conformance.h"

/* ---- get_tuple -------------------------------------------------------------------------------------------------- */

static void test_conformance__get_tuple_nonexistent_returns_none(void **state)
{
    scene *s = *state;

    expect_none(s, thread_of(s, "none"), NULL, NULL);
}

static void test_conformance__get_tuple_latest_when_no_checkpoint_id(void **state)
{
    scene *s = *state;
    agentchat_checkpoint *checkpoint;

    put_text(s, s->app, NULL, "c2"); /* the newest is what was put last, whatever the ids say */
    put_text(s, s->app, NULL, "c3");
    put_text(s, s->app, NULL, "c1");
    checkpoint = get_at(s, s->app, NULL, NULL);
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->id, "c1");
    agentchat_checkpoint_free(checkpoint);
}

static void test_conformance__get_tuple_specific_checkpoint_id(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, NULL, "c2");
    expect_text(s, s->app, NULL, "c1");
    expect_text(s, s->app, NULL, "c2");
}

static void test_conformance__get_tuple_config_structure(void **state)
{
    scene *s = *state;
    const agentchat_checkpoint_info *info;
    agentchat_checkpoint *checkpoint;

    put_text(s, s->app, "child", "c1");
    checkpoint = get_at(s, s->app, "child", NULL);
    info = agentchat_checkpoint_get_info(checkpoint);
    assert_string_equal(info->ns, "child");
    assert_string_equal(info->id, "c1");
    expect_text(s, s->app, info->ns, info->id); /* what it says of itself finds it again */
    agentchat_checkpoint_free(checkpoint);
}

static void test_conformance__get_tuple_checkpoint_fields(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one|two", "two", "v=1");
    const agentchat_checkpoint_info *info;
    agentchat_checkpoint *checkpoint;
    int64_t before = s->now_us;

    put_at(s, s->app, NULL, "c1", chat);
    checkpoint = get_at(s, s->app, NULL, "c1");
    info = agentchat_checkpoint_get_info(checkpoint);
    assert_string_equal(info->id, "c1");
    assert_int_equal(info->sequence, 1);
    assert_int_equal(info->messages, 2);
    assert_in_range(info->time_us, before, s->now_us);
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), chat);
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(chat);
}

static void test_conformance__get_tuple_metadata(void **state)
{
    scene *s = *state;
    agentchat_checkpoint *checkpoint;

    put_labelled(s, s->app, NULL, "c1", NULL, "{\"source\":\"input\",\"step\":-1}");
    put_labelled(s, s->app, NULL, "c2", NULL, "{\"source\":\"loop\",\"step\":0}");
    checkpoint = get_at(s, s->app, NULL, "c1");
    assert_str(agentchat_checkpoint_get_info(checkpoint)->metadata, "{\"source\":\"input\",\"step\":-1}");
    agentchat_checkpoint_free(checkpoint);
}

static void test_conformance__get_tuple_parent_config(void **state)
{
    scene *s = *state;
    agentchat_checkpoint *root, *child;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, NULL, "c2");
    root = get_at(s, s->app, NULL, "c1");
    child = get_at(s, s->app, NULL, "c2");
    assert_null(agentchat_checkpoint_get_info(root)->parent);
    assert_string_equal(agentchat_checkpoint_get_info(child)->parent, "c1");
    agentchat_checkpoint_free(root);
    agentchat_checkpoint_free(child);
}

static void test_conformance__get_tuple_pending_writes(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("t1", 0, "c", "1"));
    write_at(s, s->app, NULL, "c1", write_of("t2", 0, "c", "2"));
    expect_writes(s, s->app, NULL, NULL, "t1/0/c=1 t2/0/c=2"); /* of the newest */
    expect_writes(s, s->app, NULL, "c1", "t1/0/c=1 t2/0/c=2");
}

static void test_conformance__get_tuple_respects_namespace(void **state)
{
    scene *s = *state;
    agentchat_snapshot *outer = chat_of("outer", NULL, NULL), *inner = chat_of("inner", NULL, NULL);

    put_at(s, s->app, "", "c1", outer);
    put_at(s, s->app, "child:1", "c1", inner);
    expect_at(s, s->app, "", "c1", outer);
    expect_at(s, s->app, "", NULL, outer);
    expect_at(s, s->app, "child:1", "c1", inner);
    expect_at(s, s->app, "child:1", NULL, inner);
    expect_none(s, s->app, "child:2", NULL);
    agentchat_snapshot_unref(outer);
    agentchat_snapshot_unref(inner);
}

static void test_conformance__get_tuple_nonexistent_checkpoint_id(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    expect_none(s, s->app, NULL, "c2");
}

int conformance_get_tuple(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_conformance__get_tuple_nonexistent_returns_none),
        SCENE_TEST(test_conformance__get_tuple_latest_when_no_checkpoint_id),
        SCENE_TEST(test_conformance__get_tuple_specific_checkpoint_id),
        SCENE_TEST(test_conformance__get_tuple_config_structure),
        SCENE_TEST(test_conformance__get_tuple_checkpoint_fields),
        SCENE_TEST(test_conformance__get_tuple_metadata),
        SCENE_TEST(test_conformance__get_tuple_parent_config),
        SCENE_TEST(test_conformance__get_tuple_pending_writes),
        SCENE_TEST(test_conformance__get_tuple_respects_namespace),
        SCENE_TEST(test_conformance__get_tuple_nonexistent_checkpoint_id),
    };

    return CONFORMANCE_GROUP("get_tuple", tests);
}

/* ---- list ------------------------------------------------------------------------------------------------------- */

static void put_run(scene *s)
{
    put_labelled(s, s->app, NULL, "c1", NULL, "{\"source\":\"input\",\"step\":-1,\"tag\":\"a\"}");
    put_labelled(s, s->app, NULL, "c2", NULL, "{\"source\":\"loop\",\"step\":0,\"tag\":\"a\"}");
    put_labelled(s, s->app, NULL, "c3", NULL, "{\"source\":\"loop\",\"step\":1,\"tag\":\"b\"}");
    put_labelled(s, s->app, NULL, "c4", NULL, "{\"source\":\"update\",\"step\":2,\"score\":{\"x\":[1]}}");
}

static void expect_filtered_at(scene *s, const char *filter, const char *expected, const char *file, int line)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    options.filter = agentchat_str_from(filter);
    expect_list_line(s, s->app, options, expected, file, line);
}
#define expect_filtered(s, filter, expected) expect_filtered_at((s), (filter), (expected), __FILE__, __LINE__)

static void test_conformance__list_all(void **state)
{
    scene *s = *state;

    put_run(s);
    expect_filtered(s, NULL, "c4 c3 c2 c1");
}

static void test_conformance__list_by_thread(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    const char *other = thread_of(s, "other");

    put_text(s, s->app, NULL, "c1");
    put_text(s, other, NULL, "d1");
    put_text(s, s->app, NULL, "c2");
    expect_list(s, s->app, options, "c2 c1");
    expect_list(s, other, options, "d1");
}

static void test_conformance__list_by_namespace(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, "child", "d1");
    put_text(s, s->app, "child", "d2");
    expect_list(s, s->app, options, "c1");
    options.ns = "child";
    expect_list(s, s->app, options, "d2 d1");
}

static void test_conformance__list_ordering(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    put_text(s, s->app, NULL, "b");
    put_text(s, s->app, NULL, "c");
    put_text(s, s->app, NULL, "a");
    expect_list(s, s->app, options, "a c b");
}

static void test_conformance__list_metadata_filter_single_key(void **state)
{
    scene *s = *state;

    put_run(s);
    expect_filtered(s, "{\"source\":\"loop\"}", "c3 c2");
}

static void test_conformance__list_metadata_filter_step(void **state)
{
    scene *s = *state;

    put_run(s);
    expect_filtered(s, "{\"step\":1}", "c3");
}

static void test_conformance__list_metadata_filter_multiple_keys(void **state)
{
    scene *s = *state;

    put_run(s);
    expect_filtered(s, "{\"source\":\"loop\",\"tag\":\"a\"}", "c2");
}

static void test_conformance__list_metadata_filter_no_match(void **state)
{
    scene *s = *state;

    put_run(s);
    expect_filtered(s, "{\"source\":\"none\"}", "");
    expect_filtered(s, "{\"source\":\"loop\",\"step\":2}", "");
}

static void test_conformance__list_metadata_custom_keys(void **state)
{
    scene *s = *state;

    put_run(s);
    expect_filtered(s, "{\"score\":{\"x\":[1]}}", "c4");
}

static void test_conformance__list_before(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    put_run(s);
    options.before = "c3";
    expect_list(s, s->app, options, "c2 c1");
}

static void test_conformance__list_limit(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    put_run(s);
    options.limit = 2;
    expect_list(s, s->app, options, "c4 c3");
    options.limit = 1;
    expect_list(s, s->app, options, "c4");
}

static void test_conformance__list_limit_plus_before(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;

    put_run(s);
    options.before = "c4";
    options.limit = 1;
    expect_list(s, s->app, options, "c3");
}

static void test_conformance__list_combined_thread_and_filter(void **state)
{
    scene *s = *state;

    put_run(s);
    put_labelled(s, thread_of(s, "other"), NULL, "d1", NULL, "{\"source\":\"loop\"}");
    expect_filtered(s, "{\"source\":\"loop\"}", "c3 c2");
}

static void test_conformance__list_empty_result(void **state)
{
    scene *s = *state;

    expect_all(s, thread_of(s, "none"), "");
}

static void test_conformance__list_includes_pending_writes(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_list *list = NULL;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("t", 0, "c", "1"));
    test_ok(agentchat_checkpoint_list_read(s->store, s->app, NULL, &list, &s->err), &s->err);
    assert_int_equal(agentchat_checkpoint_list_count(list), 1);
    expect_writes(s, s->app, NULL, agentchat_checkpoint_list_at(list, 0)->id, "t/0/c=1"); /* a call of its own */
    agentchat_checkpoint_list_free(list);
}

static void test_conformance__list_multiple_namespaces(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, "child:1", "d1");
    put_text(s, s->app, "child:2", "e1");
    expect_all(s, s->app, "e1 d1 c1");
}

int conformance_list(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_conformance__list_all),
        SCENE_TEST(test_conformance__list_by_thread),
        SCENE_TEST(test_conformance__list_by_namespace),
        SCENE_TEST(test_conformance__list_ordering),
        SCENE_TEST(test_conformance__list_metadata_filter_single_key),
        SCENE_TEST(test_conformance__list_metadata_filter_step),
        SCENE_TEST(test_conformance__list_metadata_filter_multiple_keys),
        SCENE_TEST(test_conformance__list_metadata_filter_no_match),
        SCENE_TEST(test_conformance__list_metadata_custom_keys),
        SCENE_TEST(test_conformance__list_before),
        SCENE_TEST(test_conformance__list_limit),
        SCENE_TEST(test_conformance__list_limit_plus_before),
        SCENE_TEST(test_conformance__list_combined_thread_and_filter),
        SCENE_TEST(test_conformance__list_empty_result),
        SCENE_TEST(test_conformance__list_includes_pending_writes),
        SCENE_TEST(test_conformance__list_multiple_namespaces),
    };

    return CONFORMANCE_GROUP("list", tests);
}
