/* SPDX-License-Identifier: Apache-2.0 */
/* Pending writes: order, replacing, consuming, and what may come before what. */
#include "thread/contract/contract.h"

static agentchat_pending_write write_of(const char *path, const char *task, int64_t index, const char *json)
{
    return (agentchat_pending_write){path, task, "messages", index, {NULL, 0}, agentchat_str_from(json), NULL};
}

static void put_writes(scene *s, const char *id, const agentchat_pending_write *writes, size_t count)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;

    options.id = id;
    test_ok(agentchat_checkpoint_put_writes(s->store, s->app, &options, writes, count, &s->err), &s->err);
}

static void put_one(scene *s, const char *id, const char *task, const char *json)
{
    agentchat_pending_write write = write_of("", task, 0, json);

    put_writes(s, id, &write, 1);
}

static void put_child(scene *s, const char *id, const char *parent, bool branch)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);

    options.id = id;
    options.parent = parent;
    options.branch = branch;
    (void)put_chat(s, chat, &options);
    agentchat_snapshot_unref(chat);
}

static agentchat_pending_list *pending(scene *s, const char *id, bool all)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;

    options.id = id;
    options.all = all;
    test_ok(agentchat_checkpoint_pending(s->store, s->app, &options, &list, &s->err), &s->err);
    return list;
}

/* What a checkpoint has: PATH/TASK/INDEX=VALUE[<CONSUMER] for each, separated by spaces. */
static void expect_pending_at(scene *s, const char *id, bool all, const char *expected, const char *file, int line)
{
    agentchat_pending_list *list = pending(s, id, all);
    char text[2000] = "";
    size_t len = 0;

    for (size_t i = 0; i < agentchat_pending_list_count(list); i++) {
        const agentchat_pending_write *w = agentchat_pending_list_at(list, i);

        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s/%s/%lld=%.*s%s%s", i > 0 ? " " : "", w->path,
                                w->task, (long long)w->index, (int)w->value.len, w->value.ptr,
                                w->consumed_by != NULL ? "<" : "", w->consumed_by != NULL ? w->consumed_by : "");
    }
    _assert_string_equal(text, expected, file, line);
    assert_null(agentchat_pending_list_at(list, agentchat_pending_list_count(list)));
    agentchat_pending_list_free(list);
}
#define expect_pending(s, id, all, expected) expect_pending_at((s), (id), (all), (expected), __FILE__, __LINE__)

static void test_pending__order_is_path_task_index(void **state)
{
    scene *s = *state;
    const agentchat_pending_write writes[] = {
        write_of("~b", "t1", 0, "1"), write_of("", "t2", 10, "2"),  write_of("", "t2", -1, "3"),
        write_of("", "t2", 2, "4"),   write_of("~a", "t9", 0, "5"), write_of("", "t1", 0, "6"),
    };

    put_child(s, "c1", NULL, false);
    put_writes(s, "c1", writes, sizeof writes / sizeof *writes);
    expect_pending(s, NULL, false, "/t1/0=6 /t2/-1=3 /t2/2=4 /t2/10=2 ~a/t9/0=5 ~b/t1/0=1");
    put_writes(s, "c1", NULL, 0);
    expect_pending(s, "c1", false, "/t1/0=6 /t2/-1=3 /t2/2=4 /t2/10=2 ~a/t9/0=5 ~b/t1/0=1");
}

static void test_pending__values_are_json_or_bytes(void **state)
{
    scene *s = *state;
    agentchat_pending_write writes[] = {write_of("", "t", 0, " {\"a\" : 1.50} "), write_of("", "t", 1, ""),
                                        write_of("", "t", 2, "")};
    agentchat_pending_list *list;

    writes[1].media_type = AGENTCHAT_STR("image/png");
    writes[1].value = (agentchat_str){"\0\xff", 2};
    writes[2].media_type = AGENTCHAT_STR("text/plain");
    put_writes(s, "c1", writes, 3);
    list = pending(s, "c1", false);
    assert_int_equal(agentchat_pending_list_count(list), 3);
    for (size_t i = 0; i < 3; i++) {
        const agentchat_pending_write *read = agentchat_pending_list_at(list, i);

        assert_string_equal(read->channel, "messages");
        assert_true(agentchat_str_equal(read->value, writes[i].value));
        assert_true(agentchat_str_equal(read->media_type, writes[i].media_type));
        assert_int_equal(read->media_type.ptr == NULL, i == 0);
        assert_null(read->consumed_by);
    }
    agentchat_pending_list_free(list);
}

static void test_pending__what_is_wrong_is_refused(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_pending_write writes[] = {write_of("", "t", 0, "1"), write_of("", "t", 1, "{")};

    expect_fails(s, agentchat_checkpoint_put_writes(s->store, s->app, &options, writes, 1, &s->err),
                 AGENTCHAT_E_INVALID, "id of the checkpoint is needed");
    options.id = "c1";
    expect_fails(s, agentchat_checkpoint_put_writes(s->store, s->app, &options, writes, 2, &s->err),
                 AGENTCHAT_E_INVALID, "must be JSON");
    writes[1] = write_of("", "", 1, "1");
    expect_fails(s, agentchat_checkpoint_put_writes(s->store, s->app, &options, writes, 2, &s->err),
                 AGENTCHAT_E_INVALID, "task");
    writes[1] = write_of(NULL, "t", 1, "1");
    expect_fails(s, agentchat_checkpoint_put_writes(s->store, s->app, &options, writes, 2, &s->err),
                 AGENTCHAT_E_INVALID, "path");
    expect_pending(s, "c1", true, "");
}

static void test_pending__a_child_consumes(void **state)
{
    scene *s = *state;

    put_child(s, "c1", NULL, false);
    put_one(s, "c1", "a", "1");
    put_one(s, "other", "a", "7");
    put_child(s, "c2", NULL, false);
    expect_pending(s, "c1", false, "");
    expect_pending(s, "c1", true, "/a/0=1<c2");
    expect_pending(s, "other", false, "/a/0=7");
    put_one(s, "c1", "b", "2");
    put_child(s, "c3", "c1", true);
    expect_pending(s, "c1", true, "/a/0=1<c2 /b/0=2<c3");
    put_one(s, "c2", "z", "3");
    put_child(s, "c2", NULL, false); /* it is there: nothing is consumed, its own writes least of all */
    expect_pending(s, "c2", false, "/z/0=3");
    expect_pending(s, NULL, true, "");
}

static void test_pending__a_new_tree_consumes_nothing(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);

    put_child(s, "c1", NULL, false);
    put_one(s, "c1", "a", "1");
    options.no_parent = true;
    (void)put_chat(s, chat, &options);
    options.no_parent = false;
    options.ns = "sub";
    options.id = "c1";
    (void)put_chat(s, chat, &options);
    options.id = "s2";
    (void)put_chat(s, chat, &options);
    expect_pending(s, "c1", false, "/a/0=1");
    agentchat_snapshot_unref(chat);
}

static void test_pending__equal_ones_stay_others_are_replaced(void **state)
{
    scene *s = *state;
    agentchat_pending_write write = write_of("", "b", 0, "2");

    put_child(s, "c1", NULL, false);
    put_one(s, "c1", "a", "1");
    put_one(s, "c1", "b", "1");
    put_one(s, "c1", "b", "2");
    expect_pending(s, "c1", false, "/a/0=1 /b/0=2");
    put_child(s, "c2", NULL, false);
    put_one(s, "c1", "a", "1");
    expect_pending(s, "c1", true, "/a/0=1<c2 /b/0=2<c2");
    put_one(s, "c1", "a", "9");
    expect_pending(s, "c1", true, "/a/0=9 /b/0=2<c2");
    write.channel = "other";
    put_writes(s, "c1", &write, 1);
    expect_pending(s, "c1", true, "/a/0=9 /b/0=2");
    write.media_type = AGENTCHAT_STR("text/plain");
    put_child(s, "c3", "c1", true);
    expect_pending(s, "c1", true, "/a/0=9<c3 /b/0=2<c3");
    put_writes(s, "c1", &write, 1);
    expect_pending(s, "c1", true, "/a/0=9<c3 /b/0=2");
}

static void test_pending__may_come_before_checkpoint_and_thread(void **state)
{
    scene *s = *state;
    agentchat_checkpoint *none = NULL;

    put_one(s, "c1", "a", "1");
    assert_int_equal(thread_info(s).sequence, 0);
    expect_fails(s, agentchat_checkpoint_get(s->store, s->app, NULL, &none, &s->err), AGENTCHAT_E_NOTFOUND,
                 "has no checkpoint");
    expect_pending(s, "c1", false, "/a/0=1");
    expect_pending(s, NULL, false, "");
    put_child(s, "c1", NULL, false);
    expect_pending(s, NULL, false, "/a/0=1");
    put_child(s, "c2", NULL, false);
    expect_pending(s, "c1", true, "/a/0=1<c2");
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    expect_pending(s, "c1", true, "");
}

int contract_pending(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_pending__order_is_path_task_index),
        SCENE_TEST(test_pending__values_are_json_or_bytes),
        SCENE_TEST(test_pending__what_is_wrong_is_refused),
        SCENE_TEST(test_pending__a_child_consumes),
        SCENE_TEST(test_pending__a_new_tree_consumes_nothing),
        SCENE_TEST(test_pending__equal_ones_stay_others_are_replaced),
        SCENE_TEST(test_pending__may_come_before_checkpoint_and_thread),
    };

    return CONTRACT_GROUP("pending", tests);
}
