/* SPDX-License-Identifier: Apache-2.0 */
/* Capabilities delete_thread, delete_for_runs, copy_thread and prune. */
#include "thread/conformance/conformance.h"

/* ---- delete_thread ---------------------------------------------------------------------------------------------- */

static void delete_thread(scene *s, const char *thread)
{
    test_ok(agentchat_thread_delete(s->store, thread, &s->err), &s->err);
}

static void test_conformance__delete_thread_removes_checkpoints(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, NULL, "c2");
    delete_thread(s, s->app);
    expect_none(s, s->app, NULL, "c1");
    expect_none(s, s->app, NULL, NULL);
    expect_all(s, s->app, "");
}

static void test_conformance__delete_thread_removes_writes(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("t", 0, "c", "1"));
    delete_thread(s, s->app);
    put_text(s, s->app, NULL, "c1");
    expect_writes(s, s->app, NULL, "c1", "");
}

static void test_conformance__delete_thread_removes_all_namespaces(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, "child", "c1");
    delete_thread(s, s->app);
    expect_none(s, s->app, NULL, NULL);
    expect_none(s, s->app, "child", NULL);
}

static void test_conformance__delete_thread_preserves_other_threads(void **state)
{
    scene *s = *state;
    const char *other = thread_of(s, "other");

    put_text(s, s->app, NULL, "c1");
    put_text(s, other, NULL, "c1");
    write_at(s, other, NULL, "c1", write_of("t", 0, "c", "1"));
    delete_thread(s, s->app);
    expect_text(s, other, NULL, "c1");
    expect_writes(s, other, NULL, "c1", "t/0/c=1");
}

static void test_conformance__delete_thread_nonexistent_noop(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    expect_fails(s, agentchat_thread_delete(s->store, thread_of(s, "none"), &s->err), AGENTCHAT_E_NOTFOUND,
                 "there is no thread");
    expect_text(s, s->app, NULL, "c1");
}

/* ---- delete_for_runs -------------------------------------------------------------------------------------------- */

static void put_runs(scene *s)
{
    put_labelled(s, s->app, NULL, "c1", "r1", NULL);
    put_labelled(s, s->app, NULL, "c2", "r2", NULL);
    put_labelled(s, s->app, NULL, "c3", "r3", NULL);
}

static void test_conformance__delete_for_runs_single(void **state)
{
    scene *s = *state;

    put_runs(s);
    assert_int_equal(delete_run(s, s->app, "r2"), 1);
    expect_all(s, s->app, "c3 c1");
}

static void test_conformance__delete_for_runs_multiple(void **state)
{
    scene *s = *state;

    put_runs(s);
    assert_int_equal(delete_run(s, s->app, "r3"), 1); /* a call for each run */
    assert_int_equal(delete_run(s, s->app, "r1"), 1);
    expect_all(s, s->app, "c2");
}

static void test_conformance__delete_for_runs_preserves_other_runs(void **state)
{
    scene *s = *state;

    put_runs(s);
    put_text(s, s->app, NULL, "c4"); /* of no run */
    assert_int_equal(delete_run(s, s->app, "r1"), 1);
    expect_text(s, s->app, NULL, "c2");
    expect_text(s, s->app, NULL, "c3");
    expect_text(s, s->app, NULL, "c4");
}

static void test_conformance__delete_for_runs_removes_writes(void **state)
{
    scene *s = *state;

    put_runs(s);
    write_at(s, s->app, NULL, "c3", write_of("t", 0, "c", "3"));
    write_at(s, s->app, NULL, "c2", write_of("t", 0, "c", "2"));
    assert_int_equal(delete_run(s, s->app, "r3"), 1);
    expect_writes(s, s->app, NULL, "c3", "");
    expect_writes(s, s->app, NULL, "c2", "t/0/c=2");
}

static void test_conformance__delete_for_runs_empty_list_noop(void **state)
{
    scene *s = *state;

    put_runs(s);
    expect_fails(s, agentchat_thread_delete_run(s->store, s->app, NULL, NULL, &s->err), AGENTCHAT_E_INVALID, "run");
    expect_all(s, s->app, "c3 c2 c1");
}

static void test_conformance__delete_for_runs_nonexistent_noop(void **state)
{
    scene *s = *state;

    put_runs(s);
    assert_int_equal(delete_run(s, s->app, "none"), 0);
    expect_all(s, s->app, "c3 c2 c1");
}

static void test_conformance__delete_for_runs_across_namespaces(void **state)
{
    scene *s = *state;

    put_runs(s);
    put_labelled(s, s->app, "child", "d1", "r1", NULL);
    put_labelled(s, s->app, "child", "d2", "r2", NULL);
    assert_int_equal(delete_run(s, s->app, "r1"), 2);
    expect_all(s, s->app, "d2 c3 c2");
}

int conformance_delete(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_conformance__delete_thread_removes_checkpoints),
        SCENE_TEST(test_conformance__delete_thread_removes_writes),
        SCENE_TEST(test_conformance__delete_thread_removes_all_namespaces),
        SCENE_TEST(test_conformance__delete_thread_preserves_other_threads),
        SCENE_TEST(test_conformance__delete_thread_nonexistent_noop),
        SCENE_TEST(test_conformance__delete_for_runs_single),
        SCENE_TEST(test_conformance__delete_for_runs_multiple),
        SCENE_TEST(test_conformance__delete_for_runs_preserves_other_runs),
        SCENE_TEST(test_conformance__delete_for_runs_removes_writes),
        SCENE_TEST(test_conformance__delete_for_runs_empty_list_noop),
        SCENE_TEST(test_conformance__delete_for_runs_nonexistent_noop),
        SCENE_TEST(test_conformance__delete_for_runs_across_namespaces),
    };

    return CONFORMANCE_GROUP("delete", tests);
}

/* ---- copy_thread ------------------------------------------------------------------------------------------------ */

static const char *copy_of(scene *s)
{
    const char *copy = thread_of(s, "copy");

    test_ok(agentchat_thread_copy(s->store, s->app, copy, &s->err), &s->err);
    return copy;
}

static void test_conformance__copy_thread_basic(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    expect_text(s, copy_of(s), NULL, "c1");
}

static void test_conformance__copy_thread_all_checkpoints(void **state)
{
    scene *s = *state;
    static const char *const ids[] = {"c1", "c2", "c3"};
    const char *copy;

    for (size_t i = 0; i < 3; i++)
        put_text(s, s->app, NULL, ids[i]);
    copy = copy_of(s);
    for (size_t i = 0; i < 3; i++)
        expect_text(s, copy, NULL, ids[i]);
}

static void test_conformance__copy_thread_preserves_metadata(void **state)
{
    scene *s = *state;
    agentchat_checkpoint *checkpoint;

    put_labelled(s, s->app, NULL, "c1", "r1", "{\"own\":[1,\"x\"]}");
    checkpoint = get_at(s, copy_of(s), NULL, "c1");
    assert_str(agentchat_checkpoint_get_info(checkpoint)->metadata, "{\"own\":[1,\"x\"]}");
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->run, "r1");
    agentchat_checkpoint_free(checkpoint);
}

static void test_conformance__copy_thread_preserves_namespaces(void **state)
{
    scene *s = *state;
    const char *copy;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, "child", "d1");
    copy = copy_of(s);
    expect_text(s, copy, NULL, "c1");
    expect_text(s, copy, "child", "d1");
    expect_none(s, copy, NULL, "d1");
}

static void test_conformance__copy_thread_preserves_writes(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("t", 0, "c", "1"));
    expect_writes(s, copy_of(s), NULL, "c1", "t/0/c=1");
}

static void test_conformance__copy_thread_preserves_ordering(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "b");
    put_text(s, s->app, "child", "c");
    put_text(s, s->app, NULL, "a");
    expect_all(s, copy_of(s), "a c b");
}

static void test_conformance__copy_thread_source_unchanged(void **state)
{
    scene *s = *state;
    agentchat_thread_info before, after;

    put_text(s, s->app, NULL, "c1");
    write_at(s, s->app, NULL, "c1", write_of("t", 0, "c", "1"));
    before = thread_info(s);
    put_text(s, copy_of(s), NULL, "c2");
    after = thread_info(s);
    assert_int_equal(after.sequence, before.sequence);
    assert_int_equal(after.bytes, before.bytes);
    expect_all(s, s->app, "c1");
    expect_text(s, s->app, NULL, "c1");
    expect_writes(s, s->app, NULL, "c1", "t/0/c=1");
}

static void test_conformance__copy_thread_nonexistent_source(void **state)
{
    scene *s = *state;
    const char *copy = thread_of(s, "copy");

    expect_fails(s, agentchat_thread_copy(s->store, thread_of(s, "none"), copy, &s->err), AGENTCHAT_E_NOTFOUND,
                 "there is no thread");
    expect_all(s, copy, "");
}

/* ---- prune ------------------------------------------------------------------------------------------------------ */

static void test_conformance__prune_keep_latest_single_thread(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, NULL, "c2");
    put_text(s, s->app, NULL, "c3");
    keep_latest(s, s->app);
    expect_all(s, s->app, "c3");
    expect_text(s, s->app, NULL, "c3");
}

static void test_conformance__prune_keep_latest_multiple_threads(void **state)
{
    scene *s = *state;
    const char *const threads[] = {thread_of(s, "a"), thread_of(s, "b")};

    for (size_t i = 0; i < 2; i++) { /* a call for each thread */
        put_text(s, threads[i], NULL, "c1");
        put_text(s, threads[i], NULL, "c2");
        keep_latest(s, threads[i]);
    }
    for (size_t i = 0; i < 2; i++)
        expect_all(s, threads[i], "c2");
}

static void test_conformance__prune_keep_latest_across_namespaces(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, "child", "d1");
    put_text(s, s->app, NULL, "c2");
    put_text(s, s->app, "child", "d2");
    keep_latest(s, s->app);
    expect_all(s, s->app, "d2 c2");
}

static void test_conformance__prune_keep_latest_preserves_writes(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, NULL, "c2");
    write_at(s, s->app, NULL, "c2", write_of("t", 0, "c", "1"));
    keep_latest(s, s->app);
    expect_all(s, s->app, "c2");
    expect_writes(s, s->app, NULL, "c2", "t/0/c=1");
}

static void test_conformance__prune_delete_all(void **state)
{
    scene *s = *state;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, "child", "d1");
    delete_thread(s, s->app);
    expect_all(s, s->app, "");
}

static void test_conformance__prune_preserves_other_threads(void **state)
{
    scene *s = *state;
    const char *other = thread_of(s, "other");

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, NULL, "c2");
    put_text(s, other, NULL, "c1");
    put_text(s, other, NULL, "c2");
    keep_latest(s, s->app);
    expect_all(s, other, "c2 c1");
    expect_text(s, other, NULL, "c1");
}

static void test_conformance__prune_nonexistent_noop(void **state)
{
    scene *s = *state;
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    put_text(s, s->app, NULL, "c1");
    put_text(s, s->app, NULL, "c2");
    options.keep = 1;
    expect_fails(s, agentchat_thread_prune(s->store, thread_of(s, "none"), &options, NULL, &s->err),
                 AGENTCHAT_E_NOTFOUND, "there is no thread");
    expect_all(s, s->app, "c2 c1");
}

/* ---- delta_channel_history -------------------------------------------------------------------------------------- */

static void test_conformance__delta_channel_history_returns_writes_oldest_first(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one", NULL, "l=[1]"), *second = chat_of("one|two", NULL, "l=[1,2]"),
                       *third = chat_of("one|two|three", NULL, "l=[1,2,3]");

    put_at(s, s->app, NULL, "c1", chat);
    put_at(s, s->app, NULL, "c2", second);
    put_at(s, s->app, NULL, "c3", third);
    expect_at(s, s->app, NULL, "c3", third);
    agentchat_snapshot_unref(chat);
    agentchat_snapshot_unref(second);
    agentchat_snapshot_unref(third);
}

static void test_conformance__delta_channel_history_excludes_target_pending_writes(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one", NULL, "l=[1]");

    put_at(s, s->app, NULL, "c1", chat);
    write_at(s, s->app, NULL, "c1", write_of("t", 0, "l", "[2]"));
    expect_at(s, s->app, NULL, "c1", chat);
    agentchat_snapshot_unref(chat);
}

static void test_conformance__delta_channel_history_multi_channel(void **state)
{
    scene *s = *state;
    agentchat_snapshot *first = chat_of("one", NULL, "a=[1] b=[9]"), *second = chat_of("one", NULL, "a=[1,2] b=[9]"),
                       *third = chat_of("one", NULL, "a=[1,2] b=[9,8]");

    put_at(s, s->app, NULL, "c1", first); /* each list goes on from where it grew last */
    put_at(s, s->app, NULL, "c2", second);
    put_at(s, s->app, NULL, "c3", third);
    expect_at(s, s->app, NULL, "c1", first);
    expect_at(s, s->app, NULL, "c2", second);
    expect_at(s, s->app, NULL, "c3", third);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(second);
    agentchat_snapshot_unref(third);
}

int conformance_copy_and_prune(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_conformance__copy_thread_basic),
        SCENE_TEST(test_conformance__copy_thread_all_checkpoints),
        SCENE_TEST(test_conformance__copy_thread_preserves_metadata),
        SCENE_TEST(test_conformance__copy_thread_preserves_namespaces),
        SCENE_TEST(test_conformance__copy_thread_preserves_writes),
        SCENE_TEST(test_conformance__copy_thread_preserves_ordering),
        SCENE_TEST(test_conformance__copy_thread_source_unchanged),
        SCENE_TEST(test_conformance__copy_thread_nonexistent_source),
        SCENE_TEST(test_conformance__prune_keep_latest_single_thread),
        SCENE_TEST(test_conformance__prune_keep_latest_multiple_threads),
        SCENE_TEST(test_conformance__prune_keep_latest_across_namespaces),
        SCENE_TEST(test_conformance__prune_keep_latest_preserves_writes),
        SCENE_TEST(test_conformance__prune_delete_all),
        SCENE_TEST(test_conformance__prune_preserves_other_threads),
        SCENE_TEST(test_conformance__prune_nonexistent_noop),
        SCENE_TEST(test_conformance__delta_channel_history_returns_writes_oldest_first),
        SCENE_TEST(test_conformance__delta_channel_history_excludes_target_pending_writes),
        SCENE_TEST(test_conformance__delta_channel_history_multi_channel),
    };

    return CONFORMANCE_GROUP("copy_and_prune", tests);
}
