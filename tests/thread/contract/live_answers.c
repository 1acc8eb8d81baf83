/* SPDX-License-Identifier: Apache-2.0 */
/* What belongs to an answer: values that it changes, and messages of one that does not end. */
#include "thread/contract/live.h"

#include <agentchat/turn.h>

/* What the agent "Tool" does: it calls and runs a tool, unless that is known from a turn before, and then ends. */
typedef struct tool {
    int runs;
    bool fails, deviates;
    const char *value;   /* of "state"; NULL: not set */
    size_t partial;      /* messages that it was handed */
    const char *instead; /* of the first message of these; NULL: they are said again */
} tool;

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    tool *t = user;
    const agentchat_messages *partial = agentchat_replies_partial(out);
    agentchat_status status = AGENTCHAT_OK;

    (void)seen;
    t->partial = agentchat_messages_count(partial);
    if (t->value != NULL)
        status = agentchat_replies_set_value(out, AGENTCHAT_STR("state"), agentchat_str_from(t->value), err);
    for (size_t i = 0; i < t->partial && status >= 0 && t->instead == NULL; i++)
        status = agentchat_replies_add(out, agentchat_messages_at(partial, i), err);
    if (status >= 0 && (t->partial == 0 || t->instead != NULL)) {
        t->runs++;
        status = agentchat_replies_add_text(out, agentchat_str_from(t->instead != NULL ? t->instead : "ran"), err);
    }
    if (status >= 0 && t->deviates)
        status = agentchat_replies_add_text(out, AGENTCHAT_STR("more"), err);
    if (status >= 0 && t->fails)
        return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "overloaded");
    return status < 0 ? status : agentchat_replies_add_text(out, AGENTCHAT_STR("done"), err);
}

static agentchat_chat *with_tool(tool *t)
{
    agentchat_chat *chat = fresh(false);
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_error err;

    options.name = options.id = AGENTCHAT_STR("Tool");
    options.answer = answer;
    options.user = t;
    test_ok(test_add_agent(chat, test_history_agent_new(NULL, &options), &err), &err);
    return chat;
}

static agentchat_chat *attached(scene *s, tool *t, bool at_end)
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = with_tool(t);

    options.keep_partial = true;
    options.at_end = at_end;
    attach(s, chat, &options);
    return chat;
}

static size_t pending(scene *s)
{
    agentchat_pending_list *list = NULL;
    size_t count;

    test_ok(agentchat_checkpoint_pending(s->store, s->app, NULL, &list, &s->err), &s->err);
    count = agentchat_pending_list_count(list);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(agentchat_pending_list_at(list, i)->channel, "agentchat:partial");
        assert_string_equal(agentchat_pending_list_at(list, i)->path, "Tool");
    }
    agentchat_pending_list_free(list);
    return count;
}

static void fail_once(scene *s, agentchat_chat *chat, tool *t)
{
    t->fails = true;
    expect_fails(s, agentchat_chat_invoke(chat, AGENTCHAT_STR("Tool"), &s->err), AGENTCHAT_E_CALLBACK, "overloaded");
    t->fails = false;
}

/* A chat that is freed in the middle of a turn, as if its process had been killed. */
static void begin_and_leave(scene *s, agentchat_chat *chat, const char *text)
{
    agentchat_turn *turn = NULL;

    test_ok(agentchat_turn_begin(chat, AGENTCHAT_STR("Tool"), &turn, &s->err), &s->err);
    for (size_t i = 0; i < agentchat_messages_count(agentchat_turn_partial(turn)); i++)
        test_ok(agentchat_turn_add(turn, agentchat_messages_at(agentchat_turn_partial(turn), i), &s->err), &s->err);
    test_ok(agentchat_turn_add_text(turn, agentchat_str_from(text), &s->err), &s->err);
    agentchat_turn_free(turn);
    agentchat_chat_free(chat);
}

static void test_answer__values_are_stored_with_it(void **state)
{
    scene *s = *state;
    tool t = {.value = "{\"a\":1}"};
    agentchat_chat *chat = with_tool(&t);
    agentchat_turn *turn = NULL;
    agentchat_checkpoint *newest;

    attach(s, chat, NULL);
    say(s, chat, "1");
    invoke(s, chat, "Tool");
    assert_int_equal(thread_info(s).sequence, 2);
    newest = get_checkpoint(s, NULL);
    assert_str(agentchat_snapshot_value(agentchat_checkpoint_snapshot(newest), AGENTCHAT_STR("state"), NULL),
               "{\"a\":1}");
    agentchat_checkpoint_free(newest);
    t.value = "2";
    fail_once(s, chat, &t);
    assert_str(agentchat_chat_value(chat, AGENTCHAT_STR("state"), NULL), "{\"a\":1}");
    t.value = "{";
    expect_fails(s, agentchat_chat_invoke(chat, AGENTCHAT_STR("Tool"), &s->err), AGENTCHAT_E_INVALID,
                 "could not answer");
    test_ok(agentchat_turn_begin(chat, AGENTCHAT_STR("Ann"), &turn, &s->err), &s->err);
    test_ok(agentchat_turn_update(turn, AGENTCHAT_STR("list"), AGENTCHAT_STR("[1]"), &s->err), &s->err);
    test_ok(agentchat_turn_update(turn, AGENTCHAT_STR("list"), AGENTCHAT_STR("[2]"), &s->err), &s->err);
    test_ok(agentchat_turn_set_value(turn, AGENTCHAT_STR("state"), (agentchat_str){NULL, 0}, &s->err), &s->err);
    test_ok(agentchat_turn_add_text(turn, AGENTCHAT_STR("said"), &s->err), &s->err);
    test_ok(agentchat_turn_end(turn, &s->err), &s->err);
    assert_str(agentchat_chat_value(chat, AGENTCHAT_STR("list"), NULL), "[1,2]");
    assert_null(agentchat_chat_value(chat, AGENTCHAT_STR("state"), NULL).ptr);
    expect_saved(s, chat);
    agentchat_chat_free(chat);
}

static void test_answer__what_did_not_end_is_handed_on(void **state)
{
    scene *s = *state;

    for (int at_end = 0; at_end < 2; at_end++) {
        tool t = {.runs = 0};
        agentchat_chat *chat = attached(s, &t, at_end);

        say(s, chat, "pay");
        fail_once(s, chat, &t);
        assert_int_equal(pending(s), 1);
        agentchat_chat_free(chat);
        chat = attached(s, &t, at_end);
        say(s, chat, "well?"); /* takes them along */
        assert_int_equal(pending(s), 1);
        invoke(s, chat, "Ann"); /* another's answer does so, too */
        assert_int_equal(pending(s), 1);
        begin_and_leave(s, chat, "ran further");
        assert_int_equal(pending(s), 2);
        chat = attached(s, &t, at_end);
        invoke(s, chat, "Tool");
        assert_int_equal(t.runs, 1);
        assert_int_equal(t.partial, 2);
        assert_int_equal(pending(s), 0);
        assert_non_null(strstr(texts(chat), "|ran|ran further|done"));
        expect_saved(s, chat);
        invoke(s, chat, "Tool");
        assert_int_equal(t.partial, 0);
        agentchat_chat_free(chat);
        test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    }
}

/* A turn that says something else has writes of its own, with what it has said so far. */
static void test_answer__what_is_said_instead(void **state)
{
    scene *s = *state;
    tool t = {.deviates = true};
    agentchat_chat *chat = attached(s, &t, false);

    fail_once(s, chat, &t); /* ran, more; the thread begins with this chat */
    agentchat_chat_free(chat);
    chat = attached(s, &t, false);
    t.instead = "otherwise";
    t.deviates = false;
    fail_once(s, chat, &t);
    assert_int_equal(pending(s), 3);
    agentchat_chat_free(chat);
    chat = attached(s, &t, false);
    t.instead = NULL;
    invoke(s, chat, "Tool");
    assert_int_equal(t.partial, 1);  /* of the newest turn */
    assert_int_equal(pending(s), 0); /* all of them are over */
    assert_string_equal(texts(chat), "otherwise|done");
    agentchat_chat_free(chat);
}

/* They stay on their line; and a thread that is gone does not come back. */
static void test_answer__of_a_branch_and_of_a_thread_that_is_gone(void **state)
{
    scene *s = *state;
    agentchat_thread_attach_options branch = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_turn *turn = NULL;
    tool t = {.runs = 0}, u = t;
    agentchat_chat *chat = attached(s, &t, false), *other = with_tool(&u);

    say(s, chat, "pay");
    fail_once(s, chat, &t);
    branch.branch = branch.keep_partial = true;
    attach(s, other, &branch);
    invoke(s, other, "Tool");
    assert_int_equal(u.partial, 0);
    say(s, chat, "well?");
    invoke(s, chat, "Tool");
    assert_int_equal(t.partial, 1);
    test_ok(agentchat_turn_begin(chat, AGENTCHAT_STR("Tool"), &turn, &s->err), &s->err);
    test_ok(agentchat_thread_delete(s->store, s->app, &s->err), &s->err);
    expect_fails(s, agentchat_turn_add_text(turn, AGENTCHAT_STR("ran"), &s->err), AGENTCHAT_E_NOTFOUND,
                 "agentchat_thread_detach()");
    agentchat_turn_free(turn);
    assert_int_equal(pending(s), 0);
    agentchat_chat_free(chat);
    agentchat_chat_free(other);
}

static agentchat_chat *with_ids(scene *s, tool *t)
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = with_tool(t);

    options.keep_partial = true;
    test_ok(agentchat_chat_set_message_ids(chat, true, &s->err), &s->err);
    attach(s, chat, &options);
    return chat;
}

/* The chat has these messages, each with an id, and the thread has them too. */
static void expect_messages(scene *s, agentchat_chat *chat, size_t count, size_t position, const char *text)
{
    const agentchat_messages *history = agentchat_chat_history(chat);

    assert_int_equal(agentchat_messages_count(history), count);
    for (size_t i = 0; i < count; i++)
        assert_true(agentchat_message_get(agentchat_messages_at(history, i), AGENTCHAT_FIELD_ID).len > 0);
    assert_str(agentchat_message_text(agentchat_messages_at(history, position)), text);
    expect_saved(s, chat);
}

/* What is said again has its id, and so is in the history once. */
static void test_answer__ids_are_stored_with_it(void **state)
{
    scene *s = *state;
    tool t = {.runs = 0};
    agentchat_chat *chat = with_ids(s, &t);
    agentchat_message_builder *builder = NULL;
    agentchat_message *corrected = NULL;

    say(s, chat, "pay");
    fail_once(s, chat, &t);
    agentchat_chat_free(chat);
    chat = with_ids(s, &t);
    invoke(s, chat, "Tool");
    assert_int_equal(t.runs, 1);
    expect_messages(s, chat, 3, 1, "ran");
    test_ok(
        agentchat_message_builder_from(NULL, agentchat_messages_at(agentchat_chat_history(chat), 0), &builder, &s->err),
        &s->err);
    agentchat_message_builder_remove_items(builder, 0, 1);
    agentchat_message_builder_add_text(builder, AGENTCHAT_STR("pay less"));
    test_ok(agentchat_message_builder_finish(builder, &corrected, &s->err), &s->err);
    test_ok(agentchat_chat_add_message(chat, corrected, &s->err), &s->err);
    agentchat_message_unref(corrected);
    expect_messages(s, chat, 3, 0, "pay less");
    invoke(s, chat, "Ann");
    expect_saved(s, chat);
    agentchat_chat_free(chat);
}

int contract_live_answers(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_answer__values_are_stored_with_it),
        SCENE_TEST(test_answer__what_did_not_end_is_handed_on),
        SCENE_TEST(test_answer__what_is_said_instead),
        SCENE_TEST(test_answer__ids_are_stored_with_it),
        SCENE_TEST(test_answer__of_a_branch_and_of_a_thread_that_is_gone),
    };

    return CONTRACT_GROUP("live_answers", tests);
}
