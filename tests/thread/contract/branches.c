/* SPDX-License-Identifier: Apache-2.0 */
/* Conflicts and branches. */
#include "thread/contract/contract.h"

static uint64_t line_of(scene *s, const char *id)
{
    agentchat_checkpoint *checkpoint = get_checkpoint(s, id);
    uint64_t line = agentchat_checkpoint_get_info(checkpoint)->line;

    agentchat_checkpoint_free(checkpoint);
    return line;
}

static void test_branch__a_parent_with_a_child_is_a_conflict(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *root = chat_of("one|two", "one|two", NULL), *left = chat_with(root, "left"),
                       *right = chat_with(root, "right"), *longer = chat_with(left, "more"),
                       *other = chat_with(right, "other");

    options.id = "root";
    (void)put_chat(s, root, &options);
    options.id = "left";
    options.parent = "root";
    (void)put_chat(s, left, &options);
    options.id = "right";
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, right, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "root has been followed");
    options.branch = true;
    (void)put_chat(s, right, &options);
    options.branch = false;
    options.id = "left2";
    options.parent = "left"; /* the branches do not disturb each other */
    (void)put_chat(s, longer, &options);
    options.id = "right2";
    options.parent = "right";
    (void)put_chat(s, other, &options);
    expect_chat(s, "root", root);
    expect_chat(s, "left", left);
    expect_chat(s, "right", right);
    expect_chat(s, "left2", longer);
    expect_chat(s, "right2", other);
    agentchat_snapshot_unref(root);
    agentchat_snapshot_unref(left);
    agentchat_snapshot_unref(right);
    agentchat_snapshot_unref(longer);
    agentchat_snapshot_unref(other);
}

static void test_branch__expected_head(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);

    options.expect = "c0";
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, chat, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "there is no checkpoint");
    options.expect = NULL;
    options.expect_none = true;
    options.id = "c1";
    (void)put_chat(s, chat, &options);
    options.id = "c2";
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, chat, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "there should be none");
    options.expect_none = false;
    options.expect = "c0";
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, chat, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "is c1, not c0");
    options.expect = "c1";
    (void)put_chat(s, chat, &options);
    assert_int_equal(thread_info(s).sequence, 2);
    agentchat_snapshot_unref(chat);
}

static void test_branch__a_parent_that_is_not_there_stays_a_name(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);
    agentchat_checkpoint *checkpoint;

    options.parent = "gone"; /* the first of a namespace may follow what is not there, later ones as branches alone */
    (void)put_chat(s, chat, &options);
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, chat, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "gone is not there any more");
    options.branch = true;
    (void)put_chat(s, chat, &options);
    checkpoint = get_checkpoint(s, NULL);
    assert_int_equal(agentchat_checkpoint_get_info(checkpoint)->line, 2);
    assert_string_equal(agentchat_checkpoint_get_info(checkpoint)->parent, "gone");
    expect_equal(agentchat_checkpoint_snapshot(checkpoint), chat);
    agentchat_checkpoint_free(checkpoint);
    agentchat_snapshot_unref(chat);
}

static void test_branch__more_spans_than_a_segment_may_have(void **state)
{
    scene *s = *state;
    enum { DEPTH = 150 };
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL), *chats[DEPTH];
    char ids[DEPTH][16];

    /* Each follows the one before its parent's newest: every segment stands on another one. */
    options.branch = true;
    for (int i = 0; i < DEPTH; i++) {
        agentchat_snapshot *other;

        snprintf(ids[i], sizeof ids[i], "c%d", i);
        options.id = ids[i];
        options.parent = i > 0 ? ids[i - 1] : NULL;
        chats[i] = chat;
        (void)put_chat(s, chat, &options);
        other = chat_with(chat, "branch");
        options.id = "";
        options.parent = ids[i];
        options.id = NULL;
        (void)put_chat(s, other, &options); /* takes the place after it in the segment */
        agentchat_snapshot_unref(other);
        chat = chat_with(chat, ids[i]);
    }
    for (int i = 0; i < DEPTH; i++) {
        expect_chat(s, ids[i], chats[i]);
        agentchat_snapshot_unref(chats[i]);
    }
    agentchat_snapshot_unref(chat);
}

/* A checkpoint that was replaced keeps its line, wherever its new parent stands. */
static void test_branch__a_checkpoint_that_was_replaced_keeps_its_line(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL), *longer = chat_with(chat, "two");

    options.no_parent = true; /* each begins a line */
    for (const char *const *id = (const char *const[]){"a", "b", "c", NULL}; *id != NULL; id++) {
        options.id = *id;
        (void)put_chat(s, chat, &options);
    }
    options = (agentchat_checkpoint_put_options)AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    options.id = "c";
    options.parent = "a";
    options.replace = true;
    (void)put_chat(s, longer, &options);
    assert_int_equal(line_of(s, "c"), 3);
    options.id = "d";
    options.replace = false;
    (void)put_chat(s, longer, &options); /* a is the newest of its line all the same */
    assert_int_equal(line_of(s, "d"), 1);
    options.id = "e";
    expect_fails(s, agentchat_checkpoint_put(s->store, s->app, longer, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "a has been followed");
    agentchat_snapshot_unref(chat);
    agentchat_snapshot_unref(longer);
}

static void test_branch__lines(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_snapshot *chat = chat_of("one", NULL, NULL);

    options.id = "1";
    (void)put_chat(s, chat, &options);
    options.id = "2";
    options.parent = "1";
    options.branch = true; /* on the newest, too */
    (void)put_chat(s, chat, &options);
    options.id = "3";
    options.branch = false; /* a branch is none that follows */
    (void)put_chat(s, chat, &options);
    options.id = "4";
    options.parent = NULL; /* whatever is newest */
    (void)put_chat(s, chat, &options);
    options.id = "5";
    options.parent = "2";
    (void)put_chat(s, chat, &options);
    options.id = "6";
    options.parent = NULL;
    (void)put_chat(s, chat, &options);
    options.id = "7";
    options.no_parent = true;
    (void)put_chat(s, chat, &options);
    for (const char *const *id = (const char *const[]){"1 1", "2 2", "3 1", "4 1", "5 2", "6 2", "7 7", NULL};
         *id != NULL; id++) {
        char name[2] = {(*id)[0]};

        assert_int_equal(line_of(s, name), (*id)[2] - '0');
    }
    agentchat_snapshot_unref(chat);
}

int contract_branches(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_branch__a_parent_with_a_child_is_a_conflict),
        SCENE_TEST(test_branch__a_checkpoint_that_was_replaced_keeps_its_line),
        SCENE_TEST(test_branch__lines),
        SCENE_TEST(test_branch__expected_head),
        SCENE_TEST(test_branch__a_parent_that_is_not_there_stays_a_name),
        SCENE_TEST(test_branch__more_spans_than_a_segment_may_have),
    };

    return CONTRACT_GROUP("branches", tests);
}
