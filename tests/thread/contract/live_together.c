/* SPDX-License-Identifier: Apache-2.0 */
/* Live chats whose thread others change: what is caught up with, and what is no longer as it is remembered. */
#include "thread/contract/live.h"

#include <agentchat/list_edit.h>
#include <agentchat/store.h>
#include <agentchat/turn.h>

static void save(scene *s, agentchat_chat *chat)
{
    test_ok(agentchat_thread_save(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
}

static void restore(scene *s, agentchat_chat *chat)
{
    test_ok(agentchat_thread_restore(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
}

static void catch_up(scene *s, agentchat_chat *chat)
{
    test_ok(agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), &s->err);
}

static void catch_up_with_append(scene *s, agentchat_chat *chat)
{
    agentchat_thread_catch_up_options append = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;

    append.append = true;
    test_ok(agentchat_thread_catch_up(s->store, chat, &append, NULL, &s->err), &s->err);
}

/* A conversation in which every kind of agent has spoken. */
static agentchat_chat *spoken(scene *s)
{
    agentchat_chat *chat = fresh(true);

    say(s, chat, "1");
    invoke(s, chat, "Ann");
    invoke(s, chat, "Group");
    say(s, chat, "2");
    invoke(s, chat, "Bob");
    save(s, chat);
    return chat;
}

static const char *channel_texts(scene *s, agentchat_chat *chat)
{
    static char text[1024];
    const agentchat_messages *list = NULL;

    test_ok(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &list, &s->err), &s->err);
    text[0] = '\0';
    for (size_t i = 0; i < agentchat_messages_count(list); i++) {
        agentchat_str one = agentchat_message_text(agentchat_messages_at(list, i));

        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", i > 0 ? "|" : "", (int)one.len, one.ptr);
    }
    return text;
}

/* ---- catching up ------------------------------------------------------------------------------------------------- */

static void edit(scene *s, agentchat_chat *chat)
{
    agentchat_list_edit *list = NULL;
    agentchat_message *summary = NULL;
    size_t count = agentchat_chat_message_count(chat);

    test_ok(agentchat_message_new_text(NULL, "system", (agentchat_str){NULL, 0}, AGENTCHAT_STR("summary"), &summary,
                                       &s->err),
            &s->err);
    test_ok(agentchat_list_edit_new(NULL, count, &list, &s->err), &s->err);
    test_ok(agentchat_list_edit_remove(list, 1, 2, &s->err), &s->err);
    test_ok(agentchat_list_edit_insert(list, 1, summary, &s->err), &s->err);
    test_ok(agentchat_chat_edit(chat, list, NULL, &s->err), &s->err);
    agentchat_list_edit_free(list);
    agentchat_message_unref(summary);
}

/* The middle of the history is another one, and so are the channels. */
static void test_live__catches_up_after_an_edit_elsewhere(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = spoken(s), *other = fresh(true);

    restore(s, other);
    edit(s, other);
    save(s, other);
    catch_up(s, chat);
    assert_string_equal(texts(chat), "1|summary|2|answer 4");
    assert_string_equal(channel_texts(s, chat), "1|summary|2|answer 4");
    expect_saved(s, chat);
    invoke(s, chat, "Group");
    invoke(s, chat, "Ann");
    save(s, chat);
    expect_saved(s, chat);
    catch_up(s, other);
    expect_saved(s, other);
    assert_string_equal(texts(other), texts(chat));
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static agentchat_status last_two(void *user, const agentchat_messages *seen, agentchat_messages **out,
                                 agentchat_error *err)
{
    const agentchat_message *kept[2];
    size_t count = agentchat_messages_count(seen);

    (void)user;
    if (count <= 2)
        return AGENTCHAT_OK;
    kept[0] = agentchat_messages_at(seen, count - 2);
    kept[1] = agentchat_messages_at(seen, count - 1);
    return agentchat_messages_new(NULL, kept, 2, out, err);
}

static agentchat_status says(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)seen;
    return agentchat_replies_add_text(out, agentchat_str_from(user), err);
}

static agentchat_chat *windowed(void)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    static char text[] = "said";
    agentchat_error err;

    options.name = options.id = AGENTCHAT_STR("Ann");
    options.answer = says;
    options.reduce = last_two;
    options.user = text;
    test_ok(test_add_agent(chat, test_history_agent_new(NULL, &options), &err), &err);
    return chat;
}

/* Two chats of a channel that drops its beginning take turns. */
static void test_live__takes_turns_with_a_sliding_window(void **state)
{
    scene *s = *state;
    agentchat_chat *chats[2] = {windowed(), windowed()};
    char text[32];

    say(s, chats[0], "first");
    save(s, chats[0]);
    restore(s, chats[1]);
    for (int i = 0; i < 12; i++) {
        agentchat_chat *chat = chats[i / 2 % 2]; /* each takes two turns */

        snprintf(text, sizeof text, "%d", i);
        say(s, chat, text);
        invoke(s, chat, "Ann");
        save(s, chat);
        expect_saved(s, chat);
        if (i % 2 == 0)
            continue;
        catch_up(s, chats[(i / 2 + 1) % 2]);
        expect_saved(s, chats[(i / 2 + 1) % 2]);
    }
    agentchat_chat_free(chats[0]);
    agentchat_chat_free(chats[1]);
}

/* Two chats that fork from one checkpoint stay apart. */
static void test_live__stays_on_its_line(void **state)
{
    scene *s = *state;
    agentchat_thread_save_options branch = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_thread_restore_options which = AGENTCHAT_THREAD_RESTORE_OPTIONS_INIT;
    agentchat_chat *chat = spoken(s), *other = fresh(true), *third = fresh(true);
    char first[AGENTCHAT_ID_SIZE];

    memcpy(first, agentchat_thread_remembered(chat), sizeof first);
    say(s, chat, "left");
    save(s, chat);
    which.checkpoint = first;
    test_ok(agentchat_thread_restore(s->store, s->app, other, &which, NULL, &s->err), &s->err);
    branch.branch = true;
    say(s, other, "right");
    test_ok(agentchat_thread_save(s->store, s->app, other, &branch, NULL, &s->err), &s->err);
    assert_int_equal(agentchat_thread_line(chat), 1);
    assert_int_equal(agentchat_thread_line(other), 3);
    assert_int_equal(agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), AGENTCHAT_DONE);
    invoke(s, chat, "Group");
    save(s, chat);
    assert_int_equal(agentchat_thread_catch_up(s->store, other, NULL, NULL, &s->err), AGENTCHAT_DONE);
    assert_null(strstr(texts(other), "left"));
    assert_null(strstr(texts(chat), "right"));
    expect_saved(s, chat);
    which.checkpoint = NULL;
    which.line = 3;
    test_ok(agentchat_thread_restore(s->store, s->app, third, &which, NULL, &s->err), &s->err);
    assert_string_equal(agentchat_thread_remembered(third), agentchat_thread_remembered(other));
    say(s, third, "further");
    save(s, third);
    catch_up(s, other);
    assert_string_equal(texts(other), texts(third));
    which.line = 2;
    agentchat_chat_free(third);
    third = fresh(true);
    expect_fails(s, agentchat_thread_restore(s->store, s->app, third, &which, NULL, &s->err), AGENTCHAT_E_NOTFOUND,
                 "no line 2");
    which.checkpoint = first;
    expect_fails(s, agentchat_thread_restore(s->store, s->app, third, &which, NULL, &s->err), AGENTCHAT_E_INVALID,
                 NULL);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
    agentchat_chat_free(third);
}

/* ---- what is not as it is remembered ------------------------------------------------------------------------------
 */

/* The head was replaced under its id. */
static void test_live__catches_up_with_a_checkpoint_that_was_replaced(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options replace = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_chat *chat = spoken(s), *other = fresh(true);
    agentchat_snapshot *snapshot = NULL;

    restore(s, other);
    say(s, other, "instead");
    test_ok(agentchat_chat_capture(other, NULL, &snapshot, NULL, &s->err), &s->err);
    replace.id = agentchat_thread_remembered(chat);
    replace.replace = true;
    put_chat(s, snapshot, &replace);
    agentchat_snapshot_unref(snapshot);
    catch_up(s, chat);
    assert_non_null(strstr(texts(chat), "|instead"));
    expect_saved(s, chat);
    say(s, chat, "and on");
    save(s, chat);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* The run of the remembered checkpoint is deleted, and its positions are given to others. */
static void test_live__catches_up_when_its_checkpoint_is_gone(void **state)
{
    scene *s = *state;
    agentchat_thread_save_options mine = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_chat *chat = spoken(s), *other = fresh(true);

    restore(s, other);
    mine.run = "mine";
    say(s, chat, "a");
    say(s, chat, "b");
    say(s, chat, "c");
    test_ok(agentchat_thread_save(s->store, s->app, chat, &mine, NULL, &s->err), &s->err);
    test_ok(agentchat_thread_delete_run(s->store, s->app, "mine", NULL, &s->err), &s->err);
    say(s, other, "x");
    say(s, other, "y");
    save(s, other);
    catch_up(s, chat);
    assert_non_null(strstr(texts(chat), "|x|y"));
    assert_string_equal(texts(chat), texts(other));
    expect_saved(s, chat);
    say(s, chat, "z");
    save(s, chat);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* Under the same name there is another thread, whose checkpoint even has the same id. */
static void test_live__another_thread_of_the_same_name(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options same = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_thread_save_options branch = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = chat_of("p|q|r|t|u", "p|q|r|t|u", NULL);
    agentchat_chat *chat = spoken(s), *other = fresh(true);
    agentchat_checkpoint *newest;
    char id[AGENTCHAT_ID_SIZE];

    restore(s, other);
    memcpy(id, agentchat_thread_remembered(chat), sizeof id);
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    same.id = id;
    put_chat(s, snapshot, &same);
    agentchat_snapshot_unref(snapshot);
    say(s, chat, "on");
    for (int i = 0; i < 2; i++) {
        branch.branch = i == 1;
        expect_fails(s, agentchat_thread_save(s->store, s->app, chat, &branch, NULL, &s->err), AGENTCHAT_E_NOTFOUND,
                     "agentchat_thread_detach()");
    }
    expect_fails(s, agentchat_thread_catch_up(s->store, other, NULL, NULL, &s->err), AGENTCHAT_E_NOTFOUND,
                 "another one of its name");
    newest = get_checkpoint(s, NULL);
    assert_int_equal(agentchat_checkpoint_get_info(newest)->messages, 5);
    agentchat_checkpoint_free(newest);
    test_ok(agentchat_thread_detach(chat, &s->err), &s->err);
    expect_fails(s, agentchat_thread_save(s->store, s->app, chat, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "there should be none; save the chat with branch");
    test_ok(agentchat_thread_save(s->store, s->app, chat, &branch, NULL, &s->err), &s->err);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* Another store has none of what is remembered: there the chat begins the thread, and that is what it remembers. */
static void test_live__saved_to_another_store(void **state)
{
    scene *s = *state, there = *s;
    agentchat_chat *chat = spoken(s);

    s = &there;
    test_ok(agentchat_store_open(NULL, "memory:", NULL, &there.store, &s->err), &s->err);
    update(s, chat, "list", "[1,2]");
    save(s, chat);
    expect_saved(s, chat);
    update(s, chat, "list", "[3]");
    say(s, chat, "3");
    save(s, chat);
    expect_saved(s, chat);
    say(*state, chat, "4");
    expect_fails(s, agentchat_thread_save(((scene *)*state)->store, s->app, chat, NULL, NULL, &s->err),
                 AGENTCHAT_E_NOTFOUND, "another one of its name");
    agentchat_chat_free(chat);
    agentchat_store_close(there.store);
}

static void test_live__its_thread_was_deleted(void **state)
{
    scene *s = *state;
    agentchat_thread_save_options expecting = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_chat *chat = spoken(s);
    char id[AGENTCHAT_ID_SIZE];

    memcpy(id, agentchat_thread_remembered(chat), sizeof id);
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    expect_fails(s, agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), AGENTCHAT_E_NOTFOUND, NULL);
    expecting.expect = id;
    expect_fails(s, agentchat_thread_save(s->store, s->app, chat, &expecting, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "is expected");
    assert_string_equal(agentchat_thread_remembered(chat), id);
    save(s, chat); /* all of it */
    expect_saved(s, chat);
    assert_int_equal(thread_info(s).sequence, 1);
    agentchat_chat_free(chat);
}

static void test_live__expects_the_newest(void **state)
{
    scene *s = *state;
    agentchat_thread_save_options expecting = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_chat *chat = spoken(s);
    char first[AGENTCHAT_ID_SIZE], second[AGENTCHAT_ID_SIZE];

    memcpy(first, agentchat_thread_remembered(chat), sizeof first);
    expecting.expect = first;
    say(s, chat, "3");
    test_ok(agentchat_thread_save(s->store, s->app, chat, &expecting, second, &s->err), &s->err);
    say(s, chat, "4");
    expect_fails(s, agentchat_thread_save(s->store, s->app, chat, &expecting, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "the newest checkpoint is");
    expecting.expect = second;
    test_ok(agentchat_thread_save(s->store, s->app, chat, &expecting, NULL, &s->err), &s->err);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
}

/* ---- attached ---------------------------------------------------------------------------------------------------- */

static agentchat_status fails(void *user, agentchat_chat *chat, agentchat_error *err)
{
    (void)user;
    (void)chat;
    return agentchat_error_set(err, AGENTCHAT_E_IO, "no more room");
}

/* What was said is in the thread: the observer is called after it was saved. */
static void test_live__an_observer_that_fails(void **state)
{
    scene *s = *state;
    agentchat_chat_observer observer = AGENTCHAT_CHAT_OBSERVER_INIT;
    agentchat_chat *chat = fresh(false);

    attach(s, chat, NULL);
    observer.on_input = fails;
    test_ok(agentchat_chat_set_observer(chat, &observer, &s->err), &s->err);
    expect_fails(s, agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("1"), &s->err), AGENTCHAT_E_IO, "no more room");
    assert_string_equal(texts(chat), "1");
    expect_saved(s, chat);
    agentchat_chat_free(chat);
}

/* The question is there while the answer is made, and the answer once the turn has ended. */
static void test_live__a_turn_in_two_calls_is_kept(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = fresh(true), *other = fresh(true);
    agentchat_turn *turn = NULL;
    agentchat_checkpoint *newest;

    attach(s, chat, NULL);
    say(s, chat, "question");
    attach(s, other, NULL);
    say(s, other, "besides");
    test_ok(agentchat_turn_begin(chat, AGENTCHAT_STR("Ann"), &turn, &s->err), &s->err); /* brought up to date */
    assert_int_equal(agentchat_messages_count(agentchat_turn_history(turn)), 2);
    assert_int_equal(thread_info(s).messages, 2);
    test_ok(agentchat_turn_add_text(turn, AGENTCHAT_STR("answer"), &s->err), &s->err);
    assert_int_equal(thread_info(s).messages, 2);
    test_ok(agentchat_turn_end(turn, &s->err), &s->err);
    expect_saved(s, chat);
    newest = get_checkpoint(s, NULL);
    assert_string_equal(agentchat_checkpoint_get_info(newest)->source, "loop");
    agentchat_checkpoint_free(newest);
    say(s, other, "more");
    assert_string_equal(texts(other), "question|besides|answer|more");
    test_ok(agentchat_turn_begin(other, AGENTCHAT_STR("Group"), &turn, &s->err), &s->err);
    agentchat_turn_free(turn); /* has failed */
    assert_string_equal(texts(other), "question|besides|answer|more");
    assert_int_equal(thread_info(s).messages, 4);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

/* From an earlier checkpoint: the first save is a branch, and the next ones go on on it. */
static void test_live__attached_to_an_earlier_checkpoint(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = spoken(s), *other = fresh(true);
    char first[AGENTCHAT_ID_SIZE];

    memcpy(first, agentchat_thread_remembered(chat), sizeof first);
    say(s, chat, "left");
    save(s, chat);
    options.checkpoint = first;
    options.branch = true;
    options.no_catch_up = true;
    attach(s, other, &options);
    say(s, other, "right");
    say(s, chat, "left again");
    save(s, chat);
    invoke(s, other, "Ann");
    assert_null(strstr(texts(other), "left"));
    expect_saved(s, other);
    options.checkpoint = "no such";
    agentchat_chat_free(chat);
    chat = fresh(true);
    expect_fails(s, agentchat_thread_attach(s->store, s->app, chat, &options, NULL, &s->err), AGENTCHAT_E_NOTFOUND,
                 NULL);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static void test_live__attached_in_a_namespace_with_append(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = fresh(false), *other = fresh(false), *usual = fresh(false);

    options.ns = "inner";
    options.append = true;
    options.at_end = true;
    attach(s, chat, &options);
    say(s, chat, "1");
    attach(s, other, &options);
    attach(s, usual, NULL);
    assert_string_equal(texts(usual), "");
    say(s, usual, "elsewhere");
    say(s, other, "2");
    say(s, chat, "3");
    assert_string_equal(texts(chat), "1|2|3");
    invoke(s, other, "Ann");
    assert_string_equal(texts(other), "1|2|3|answer 3");
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
    agentchat_chat_free(usual);
}

/* Another begins the thread before a chat's first save: its messages come after that, or on a line of their own. */
static void test_live__the_loser_of_the_first_save(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options append = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT, branch = append, without = append;
    agentchat_chat *first = fresh(false), *by_hand = fresh(false), *attached = fresh(false), *detached = fresh(false);

    without.no_catch_up = append.append = branch.branch = true;
    attach(s, attached, &without);
    attach(s, detached, NULL);
    say(s, detached, "0");
    test_ok(agentchat_thread_detach(detached, &s->err), &s->err);
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    say(s, first, "1");
    save(s, first);
    expect_fails(s, agentchat_chat_add_text(attached, "user", AGENTCHAT_STR("2"), &s->err), AGENTCHAT_E_CONFLICT,
                 "agentchat_thread_catch_up() with append");
    assert_non_null(strstr(s->err.message, s->app));
    catch_up_with_append(s, attached);
    say(s, attached, "3");
    expect_saved(s, attached);
    assert_string_equal(texts(attached), "1|2|3");
    say(s, by_hand, "4");
    expect_fails(s, agentchat_thread_save(s->store, s->app, by_hand, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "agentchat_thread_attach() with append");
    expect_fails(s, agentchat_thread_attach(s->store, s->app, by_hand, &without, NULL, &s->err), AGENTCHAT_E_IN_USE,
                 "with append");
    attach(s, by_hand, &append);
    save(s, by_hand);
    assert_string_equal(texts(by_hand), "1|2|3|4");
    expect_saved(s, by_hand);
    /* What was stored before is not stored twice. */
    expect_fails(s, agentchat_thread_attach(s->store, s->app, detached, &append, NULL, &s->err), AGENTCHAT_E_IN_USE,
                 "with branch");
    attach(s, detached, &branch);
    expect_saved(s, detached);
    assert_string_equal(texts(detached), "0");
    agentchat_chat_free(first);
    agentchat_chat_free(by_hand);
    agentchat_chat_free(attached);
    agentchat_chat_free(detached);
}

/* The report says on which line a chat stands; a chat does not stand on a followed checkpoint. */
static void test_live__attached_to_a_line(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = spoken(s), *other = fresh(true), *third = fresh(true);
    agentchat_report *report = NULL;
    char first[AGENTCHAT_ID_SIZE];

    memcpy(first, agentchat_thread_remembered(chat), sizeof first);
    test_ok(agentchat_thread_attach(s->store, s->app, other, NULL, &report, &s->err), &s->err);
    assert_str(agentchat_report_at(report, 0)->text,
               "the chat stands on line 1 of its thread, which has no other lines");
    agentchat_report_free(report);
    say(s, other, "left");
    expect_fails(s, agentchat_thread_attach(s->store, s->app, chat, NULL, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "attach it with branch");
    options.checkpoint = first;
    expect_fails(s, agentchat_thread_attach(s->store, s->app, third, &options, NULL, &s->err), AGENTCHAT_E_CONFLICT,
                 "has been followed");
    options.branch = true;
    attach(s, chat, &options);
    assert_int_equal(agentchat_thread_line(chat), 0);
    assert_int_equal(agentchat_thread_catch_up(s->store, chat, NULL, NULL, &s->err), AGENTCHAT_DONE);
    say(s, chat, "right");
    assert_int_equal(agentchat_thread_line(chat), 3);
    options = (agentchat_thread_attach_options)AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    options.line = 1;
    test_ok(agentchat_thread_attach(s->store, s->app, third, &options, &report, &s->err), &s->err);
    assert_str(agentchat_report_at(report, 0)->text,
               "the chat stands on line 1 of its thread, which has other lines, too");
    agentchat_report_free(report);
    say(s, third, "further");
    say(s, other, "and on");
    assert_non_null(strstr(texts(other), "|left|further|and on"));
    expect_fails(s, agentchat_thread_attach(s->store, s->app, chat, &options, NULL, &s->err), AGENTCHAT_E_IN_USE,
                 "stands on checkpoint");
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
    agentchat_chat_free(third);
}

int contract_live_together(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_live__catches_up_after_an_edit_elsewhere),
        SCENE_TEST(test_live__takes_turns_with_a_sliding_window),
        SCENE_TEST(test_live__stays_on_its_line),
        SCENE_TEST(test_live__catches_up_with_a_checkpoint_that_was_replaced),
        SCENE_TEST(test_live__catches_up_when_its_checkpoint_is_gone),
        SCENE_TEST(test_live__another_thread_of_the_same_name),
        SCENE_TEST(test_live__saved_to_another_store),
        SCENE_TEST(test_live__its_thread_was_deleted),
        SCENE_TEST(test_live__expects_the_newest),
        SCENE_TEST(test_live__an_observer_that_fails),
        SCENE_TEST(test_live__a_turn_in_two_calls_is_kept),
        SCENE_TEST(test_live__attached_to_an_earlier_checkpoint),
        SCENE_TEST(test_live__attached_in_a_namespace_with_append),
        SCENE_TEST(test_live__the_loser_of_the_first_save),
        SCENE_TEST(test_live__attached_to_a_line),
    };

    return CONTRACT_GROUP("live_together", tests);
}
