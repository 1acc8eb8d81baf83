/* SPDX-License-Identifier: Apache-2.0 */
/* Live chats in threads: saved, restored, brought up to date, and chats that keep themselves. */
#include "thread/contract/live.h"

/* ---- by hand -------------------------------------------------------------------------------------------------- */

static void test_live__saved_and_restored(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(true), *other = fresh(true);
    char first[AGENTCHAT_ID_SIZE], second[AGENTCHAT_ID_SIZE];

    assert_null(agentchat_thread_remembered(chat));
    say(s, chat, "hello");
    invoke(s, chat, "Ann");
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, first, &s->err), &s->err);
    assert_string_equal(agentchat_thread_remembered(chat), first);
    expect_saved(s, chat);
    invoke(s, chat, "Group");
    say(s, chat, "more");
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, second, &s->err), &s->err);
    expect_saved(s, chat);
    test_ok(agentchat_thread_restore(s->store, s->app, other, NULL, NULL, &s->err), &s->err);
    assert_string_equal(agentchat_thread_remembered(other), second);
    expect_saved(s, other);
    invoke(s, other, "Bob");
    test_ok(agentchat_thread_save(s->store, s->app, other, NULL, NULL, &s->err), &s->err);
    expect_saved(s, other);
    say(s, chat, "too late");
    expect_fails(s, agentchat_thread_save(s->store, s->app, chat, NULL, first, &s->err), AGENTCHAT_E_CONFLICT,
                 "has been followed");
    assert_string_equal(first, "");
    assert_string_equal(agentchat_thread_remembered(chat), second);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static void test_live__a_branch_goes_on_from_an_earlier_checkpoint(void **state)
{
    scene *s = *state;
    agentchat_thread_restore_options earlier = AGENTCHAT_THREAD_RESTORE_OPTIONS_INIT;
    agentchat_thread_save_options branch = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_chat *chat = fresh(false), *other = fresh(false);
    char first[AGENTCHAT_ID_SIZE], left[AGENTCHAT_ID_SIZE], right[AGENTCHAT_ID_SIZE];
    agentchat_snapshot *one = NULL, *two = NULL;

    say(s, chat, "hello");
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, first, &s->err), &s->err);
    invoke(s, chat, "Ann");
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, left, &s->err), &s->err);
    earlier.checkpoint = first;
    test_ok(agentchat_thread_restore(s->store, s->app, other, &earlier, NULL, &s->err), &s->err);
    invoke(s, other, "Bob");
    expect_fails(s, agentchat_thread_save(s->store, s->app, other, NULL, right, &s->err), AGENTCHAT_E_CONFLICT, NULL);
    branch.branch = true;
    test_ok(agentchat_thread_save(s->store, s->app, other, &branch, right, &s->err), &s->err);
    say(s, chat, "left");
    say(s, other, "right");
    test_ok(agentchat_thread_save(s->store, s->app, other, NULL, right, &s->err), &s->err);
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, left, &s->err), &s->err);
    test_ok(agentchat_chat_capture(chat, NULL, &one, NULL, &s->err), &s->err);
    test_ok(agentchat_chat_capture(other, NULL, &two, NULL, &s->err), &s->err);
    expect_chat(s, left, one);
    expect_chat(s, right, two);
    agentchat_snapshot_unref(one);
    agentchat_snapshot_unref(two);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* What others have put after it is not hidden by pruning it. A branch stores the whole chat, and what it followed stays
   a name. */
static void test_live__saved_when_its_parent_was_pruned(void **state)
{
    scene *s = *state;
    agentchat_thread_prune_options prune = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    agentchat_thread_save_options branch = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_chat *chat = fresh(true), *other = fresh(true);
    char first[AGENTCHAT_ID_SIZE];
    agentchat_checkpoint *newest;
    uint64_t removed = 0;

    say(s, chat, "hello");
    invoke(s, chat, "Group");
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, first, &s->err), &s->err);
    test_ok(agentchat_thread_restore(s->store, s->app, other, NULL, NULL, &s->err), &s->err);
    for (int i = 0; i < 3; i++) {
        say(s, other, "more");
        test_ok(agentchat_thread_save(s->store, s->app, other, NULL, NULL, &s->err), &s->err);
    }
    prune.keep = 1;
    test_ok(agentchat_thread_prune(s->store, s->app, &prune, &removed, &s->err), &s->err);
    assert_int_equal(removed, 3);
    say(s, chat, "mine");
    expect_fails(s, agentchat_thread_save(s->store, s->app, chat, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "agentchat_thread_catch_up()");
    branch.branch = true;
    test_ok(agentchat_thread_save(s->store, s->app, chat, &branch, NULL, &s->err), &s->err);
    expect_saved(s, chat);
    newest = get_checkpoint(s, NULL);
    assert_string_equal(agentchat_checkpoint_get_info(newest)->parent, first);
    agentchat_checkpoint_free(newest);
    invoke(s, chat, "Ann");
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static void test_live__what_cannot_be_saved_or_restored(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(false), *used = fresh(false), *none = test_chat_new(NULL);

    expect_fails(s, agentchat_thread_restore(s->store, s->app, chat, NULL, NULL, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expect_fails(s, agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), AGENTCHAT_E_INVALID,
                 "remembers no checkpoint");
    say(s, chat, "hello");
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
    say(s, used, "other");
    expect_fails(s, agentchat_thread_save(s->store, s->app, used, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "there should be none");
    expect_fails(s, agentchat_thread_restore(s->store, s->app, used, NULL, NULL, &s->err), AGENTCHAT_E_IN_USE, NULL);
    expect_fails(s, agentchat_thread_restore(s->store, s->app, none, NULL, NULL, &s->err), AGENTCHAT_E_NO_AGENTS, NULL);
    expect_fails(s, agentchat_thread_attach(s->store, s->app, used, NULL, NULL, &s->err), AGENTCHAT_E_IN_USE, NULL);
    assert_null(agentchat_thread_remembered(used));
    agentchat_chat_free(chat);
    agentchat_chat_free(used);
    agentchat_chat_free(none);
}

/* ---- up to date ------------------------------------------------------------------------------------------------ */

static void test_live__catches_up(void **state)
{
    scene *s = *state;
    agentchat_thread_catch_up_options append = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_chat *chat = fresh(true), *other = fresh(true);

    say(s, chat, "1");
    invoke(s, chat, "Group");
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
    test_ok(agentchat_thread_restore(s->store, s->app, other, NULL, NULL, &s->err), &s->err);
    assert_int_equal(agentchat_thread_catch_up(s->store, other, NULL, NULL, &s->err), AGENTCHAT_DONE);
    say(s, other, "2");
    invoke(s, other, "Group");
    test_ok(agentchat_thread_save(s->store, s->app, other, NULL, NULL, &s->err), &s->err);
    test_ok(agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), &s->err);
    expect_saved(s, chat);
    say(s, other, "3");
    test_ok(agentchat_thread_save(s->store, s->app, other, NULL, NULL, &s->err), &s->err);
    say(s, chat, "mine");
    expect_fails(s, agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "1 messages that were not saved");
    assert_non_null(strstr(texts(chat), "mine"));
    append.append = true;
    test_ok(agentchat_thread_catch_up(s->store, chat, &append, NULL, &s->err), &s->err);
    assert_non_null(strstr(texts(chat), "|3|mine"));
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* ---- by itself ------------------------------------------------------------------------------------------------- */

static void test_live__attached_keeps_each_step(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_run_options run = AGENTCHAT_RUN_OPTIONS_INIT;
    agentchat_chat *chat = fresh(false);
    agentchat_checkpoint_list *list = NULL;

    options.run = "r1";
    options.metadata = AGENTCHAT_STR("{\"who\":\"test\"}");
    attach(s, chat, &options);
    assert_null(agentchat_thread_remembered(chat));
    say(s, chat, "hello");
    expect_saved(s, chat);
    run.max_turns = 2;
    test_ok(agentchat_chat_run(chat, &run, &s->err), &s->err);
    expect_saved(s, chat);
    test_ok(agentchat_checkpoint_list_read(s->store, s->app, NULL, &list, &s->err), &s->err);
    assert_int_equal(agentchat_checkpoint_list_count(list), 3);
    for (size_t i = 0; i < 3; i++) {
        const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(list, 2 - i);

        assert_int_equal(info->messages, i + 1);
        assert_int_equal(info->step, (int64_t)i - 1);
        assert_string_equal(info->source, i == 0 ? "input" : "loop");
        assert_string_equal(info->run, "r1");
        assert_str(info->metadata, "{\"who\":\"test\"}");
    }
    agentchat_checkpoint_list_free(list);
    test_ok(agentchat_thread_detach(chat, &s->err), &s->err);
    assert_null(agentchat_thread_remembered(chat));
    say(s, chat, "not kept");
    assert_int_equal(thread_info(s).sequence, 3);
    agentchat_chat_free(chat);
}

static void test_live__attached_goes_on_where_another_stopped(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(true), *other = fresh(true);
    agentchat_report *report = NULL;

    attach(s, chat, NULL);
    say(s, chat, "question"); /* what is there after a kill */
    test_ok(agentchat_thread_attach(s->store, s->app, other, NULL, &report, &s->err), &s->err);
    assert_non_null(report);
    agentchat_report_free(report);
    assert_string_equal(texts(other), "question");
    invoke(s, other, "Ann");
    say(s, chat, "next"); /* brought up to date first */
    assert_string_equal(texts(chat), "question|answer 1|next");
    invoke(s, other, "Group");
    expect_saved(s, other);
    assert_int_equal(thread_info(s).messages, 4);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static void test_live__attached_without_catching_up_meets_the_conflict(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = fresh(false), *other = fresh(false);

    options.no_catch_up = true;
    attach(s, chat, &options);
    say(s, chat, "1");
    attach(s, other, NULL);
    say(s, other, "2");
    expect_fails(s, agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("mine"), &s->err), AGENTCHAT_E_CONFLICT,
                 "has been followed");
    assert_string_equal(texts(chat), "1|mine"); /* what was said stays said */
    assert_int_equal(thread_info(s).sequence, 2);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static void test_live__a_conflict_shows_before_the_agent_is_asked(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = fresh(false), *other = fresh(false);

    options.at_end = true;
    attach(s, chat, NULL);
    say(s, chat, "1");
    attach(s, other, NULL);
    test_ok(agentchat_thread_detach(chat, &s->err), &s->err);
    say(s, chat, "2"); /* not saved */
    test_ok(agentchat_thread_detach(other, &s->err), &s->err);
    expect_fails(s, agentchat_thread_attach(s->store, s->app, chat, &options, NULL, &s->err), AGENTCHAT_E_IN_USE, NULL);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static void test_live__attached_saves_at_the_end_only(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_run_options run = AGENTCHAT_RUN_OPTIONS_INIT;
    agentchat_chat *chat = fresh(false);

    options.at_end = true;
    attach(s, chat, &options);
    say(s, chat, "hello");
    assert_int_equal(thread_info(s).sequence, 1);
    run.max_turns = 5;
    test_ok(agentchat_chat_run(chat, &run, &s->err), &s->err);
    assert_int_equal(thread_info(s).sequence, 2);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
}

static void test_live__an_agent_whose_save_fails_is_told(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(false), *other = fresh(false);

    attach(s, chat, NULL);
    say(s, chat, "1");
    attach(s, other, NULL);
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    expect_fails(s, agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("2"), &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    assert_string_equal(texts(chat), "1");
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* ---- cost ------------------------------------------------------------------------------------------------------ */

static void test_live__a_turn_stores_what_is_new(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(true);
    uint64_t before = 0, grown = 0;
    char text[32];

    attach(s, chat, NULL);
    for (int i = 0; i < 60; i++) {
        uint64_t now;

        snprintf(text, sizeof text, "text %06d", i);
        say(s, chat, text);
        invoke(s, chat, i % 3 == 0 ? "Group" : "Ann");
        now = thread_info(s).bytes;
        if (i == 10)
            grown = now - before;
        if (i > 10)
            assert_in_range(now - before, grown / 2, grown * 2);
        before = now;
    }
    expect_saved(s, chat);
    agentchat_chat_free(chat);
}

/* Random things done by two chats, each checkpoint compared with what the chat was. */
static void test_live__random_turns_read_back(void **state)
{
    scene *s = *state;
    agentchat_chat *chats[2] = {fresh(true), fresh(true)};
    size_t steps = (size_t)test_number("THREAD_CHATS", 300) / 3;
    char text[64];

    test_seed(4711);
    attach(s, chats[0], NULL);
    attach(s, chats[1], NULL);
    for (size_t i = 0; i < steps; i++) {
        agentchat_chat *chat = chats[test_pick(2)];

        snprintf(text, sizeof text, "%zu", test_pick(5));
        if (agentchat_thread_remembered(chat) != NULL)
            test_ok(agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), &s->err);
        switch (test_pick(5)) {
        case 0:
            invoke(s, chat, test_pick(2) == 0 ? "Ann" : "Bob");
            break;
        case 1:
            invoke(s, chat, "Group");
            break;
        case 2:
            test_ok(agentchat_chat_set_value(chat, chat == chats[0] ? AGENTCHAT_STR("m") : AGENTCHAT_STR("n"),
                                             (agentchat_str){NULL, 0}, agentchat_str_from(text), &s->err),
                    &s->err);
            say(s, chat, text);
            break;
        case 3:
            snprintf(text, sizeof text, test_pick(4) == 0 ? "{\"type\":\"keep\",\"from\":-%zu,\"to\":null}" : "[%zu]",
                     test_pick(9) + 1);
            update(s, chat, "list", text);
            invoke(s, chat, "Ann");
            break;
        default:
            say(s, chat, text);
            break;
        }
        expect_saved(s, chat);
    }
    agentchat_chat_free(chats[0]);
    agentchat_chat_free(chats[1]);
}

int contract_live(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_live__saved_and_restored),
        SCENE_TEST(test_live__a_branch_goes_on_from_an_earlier_checkpoint),
        SCENE_TEST(test_live__saved_when_its_parent_was_pruned),
        SCENE_TEST(test_live__what_cannot_be_saved_or_restored),
        SCENE_TEST(test_live__catches_up),
        SCENE_TEST(test_live__attached_keeps_each_step),
        SCENE_TEST(test_live__attached_goes_on_where_another_stopped),
        SCENE_TEST(test_live__attached_without_catching_up_meets_the_conflict),
        SCENE_TEST(test_live__a_conflict_shows_before_the_agent_is_asked),
        SCENE_TEST(test_live__attached_saves_at_the_end_only),
        SCENE_TEST(test_live__an_agent_whose_save_fails_is_told),
        SCENE_TEST(test_live__a_turn_stores_what_is_new),
        SCENE_TEST(test_live__random_turns_read_back),
    };

    return CONTRACT_GROUP("live", tests);
}
