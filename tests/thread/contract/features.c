/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What LangGraph's page on memory promises of short-term memory, S1 to S8 of its list of features: each once, from one
 * end to the other, over a store.
 */
#include "thread/contract/contract.h"

#include <agentchat/list_edit.h>
#include <agentchat/thread_chat.h>

static const agentchat_str absent = {NULL, 0};

/* Answers with the number of the messages that it was shown. */
static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    char text[32];

    (void)user;
    snprintf(text, sizeof text, "seen %zu", agentchat_messages_count(seen));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

/* A chat of one agent that keeps itself in the scene's thread. */
static agentchat_chat *attached(scene *s)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);

    options.name = options.id = AGENTCHAT_STR("Desk");
    options.answer = answer;
    test_ok(test_add_agent(chat, test_history_agent_new(NULL, &options), &s->err), &s->err);
    test_ok(agentchat_thread_attach(s->store, s->app, chat, NULL, NULL, &s->err), &s->err);
    return chat;
}

static void turn(scene *s, agentchat_chat *chat, const char *question)
{
    test_ok(agentchat_chat_add_text(chat, "user", agentchat_str_from(question), &s->err), &s->err);
    test_ok(agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &s->err), &s->err);
}

static void expect_newest(const agentchat_chat *chat, const char *text)
{
    assert_true(agentchat_str_equal(agentchat_message_text(agentchat_chat_newest(chat, 0)), agentchat_str_from(text)));
}

static void edit(scene *s, agentchat_chat *chat, agentchat_list_edit *list)
{
    test_ok(agentchat_chat_edit(chat, list, NULL, &s->err), &s->err);
    agentchat_list_edit_free(list);
}

static void test_features__S1_state_of_a_thread_is_resumed(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = attached(s);

    turn(s, chat, "I am Bob");
    agentchat_chat_free(chat);
    chat = attached(s);
    turn(s, chat, "Who am I?");
    assert_int_equal(agentchat_chat_message_count(chat), 4);
    expect_newest(chat, "seen 3");
    assert_int_equal(thread_info(s).sequence, 4); /* after each input and each step */
    agentchat_chat_free(chat);
}

static void test_features__S2_state_is_more_than_messages(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = attached(s);
    agentchat_str media;

    test_ok(
        agentchat_chat_set_value(chat, AGENTCHAT_STR("documents"), absent, AGENTCHAT_STR("[{\"page\":1}]"), &s->err),
        &s->err);
    test_ok(agentchat_chat_set_value(chat, AGENTCHAT_STR("upload"), AGENTCHAT_STR("application/pdf"),
                                     (agentchat_str){"a\0b", 3}, &s->err),
            &s->err);
    turn(s, chat, "hello");
    agentchat_chat_free(chat);
    chat = attached(s);
    assert_str(agentchat_chat_value(chat, AGENTCHAT_STR("documents"), NULL), "[{\"page\":1}]");
    assert_true(
        agentchat_str_equal(agentchat_chat_value(chat, AGENTCHAT_STR("upload"), &media), (agentchat_str){"a\0b", 3}));
    assert_str(media, "application/pdf");
    agentchat_chat_free(chat);
}

static void test_features__S3_a_long_history_is_shown_shorter(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = attached(s);
    agentchat_trim_options trim = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_list_edit *list = NULL;
    agentchat_checkpoint *before;
    char id[AGENTCHAT_ID_SIZE];

    for (int i = 0; i < 10; i++)
        turn(s, chat, "hello");
    strcpy(id, agentchat_thread_remembered(chat));
    trim.max_tokens = 4;
    trim.counter = agentchat_count_messages;
    trim.start_on = "user";
    test_ok(agentchat_messages_trim(NULL, agentchat_chat_history(chat), &trim, &list, &s->err), &s->err);
    edit(s, chat, list);
    turn(s, chat, "and now?");
    expect_newest(chat, "seen 5");
    before = get_checkpoint(s, id); /* nothing of what was is lost */
    assert_int_equal(agentchat_checkpoint_get_info(before)->messages, 20);
    agentchat_checkpoint_free(before);
    agentchat_chat_free(chat);
}

/* A named list of the chat, updated. */
static void reduce(scene *s, agentchat_chat *chat, const char *update)
{
    agentchat_str name = AGENTCHAT_STR("my_list");
    agentchat_bytes list = AGENTCHAT_BYTES_INIT;

    test_ok(agentchat_json_list_reduce(NULL, agentchat_chat_value(chat, name, NULL), agentchat_str_from(update), NULL,
                                       NULL, &list, &s->err),
            &s->err);
    test_ok(agentchat_chat_set_value(chat, name, absent, (agentchat_str){list.ptr, list.len}, &s->err), &s->err);
    agentchat_bytes_clear(&list);
}

static void test_features__S4_a_list_is_edited_by_a_reducer(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = attached(s);

    reduce(s, chat, "[\"a\",\"b\",\"c\",\"d\"]");
    turn(s, chat, "1");
    reduce(s, chat, "{\"type\":\"keep\",\"from\":-2,\"to\":null}");
    turn(s, chat, "2");
    agentchat_chat_free(chat);
    chat = attached(s);
    assert_str(agentchat_chat_value(chat, AGENTCHAT_STR("my_list"), NULL), "[\"c\",\"d\"]");
    agentchat_chat_free(chat);
}

static void test_features__S5_messages_are_removed_by_id(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = attached(s);
    agentchat_message_builder *builder = test_message_builder(NULL, "user", NULL);
    agentchat_message_update gone = {NULL, AGENTCHAT_STR("m1")};
    agentchat_message *message = NULL;
    agentchat_list_edit *list = NULL;

    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("m1"));
    agentchat_message_builder_add_text(builder, AGENTCHAT_STR("forget this"));
    test_ok(agentchat_message_builder_finish(builder, &message, &s->err), &s->err);
    test_ok(agentchat_chat_add_message(chat, message, &s->err), &s->err);
    agentchat_message_unref(message);
    turn(s, chat, "hello");
    test_ok(agentchat_messages_add(NULL, agentchat_chat_history(chat), &gone, 1, &list, &s->err), &s->err);
    edit(s, chat, list);
    agentchat_chat_free(chat);
    chat = attached(s);
    assert_int_equal(agentchat_chat_message_count(chat), 2);
    assert_false(agentchat_messages_find_id(agentchat_chat_history(chat), AGENTCHAT_STR("m1"), NULL));
    turn(s, chat, "again");
    expect_newest(chat, "seen 3");
    agentchat_chat_free(chat);
}

static void test_features__S6_all_but_the_last_two_are_deleted(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = attached(s);
    agentchat_list_edit *list = NULL;

    turn(s, chat, "1");
    turn(s, chat, "2");
    test_ok(agentchat_messages_keep_last(NULL, agentchat_chat_history(chat), 2, &list, &s->err), &s->err);
    edit(s, chat, list);
    agentchat_chat_free(chat);
    chat = attached(s);
    assert_int_equal(agentchat_chat_message_count(chat), 2);
    expect_newest(chat, "seen 3");
    agentchat_chat_free(chat);
}

/* In place of a model: says what it was asked for. */
static agentchat_status summarize(void *user, const agentchat_messages *messages, agentchat_bytes *out,
                                  agentchat_error *err)
{
    size_t last = agentchat_messages_count(messages) - 1;

    (void)user;
    return agentchat_bytes_append(out, agentchat_message_text(agentchat_messages_at(messages, last)), err);
}

static void summarize_thread(scene *s, agentchat_chat *chat)
{
    agentchat_str name = AGENTCHAT_STR("summary");
    agentchat_bytes summary = AGENTCHAT_BYTES_INIT;
    agentchat_list_edit *list = NULL;

    test_ok(agentchat_messages_summarize(NULL, agentchat_chat_history(chat), agentchat_chat_value(chat, name, NULL),
                                         summarize, NULL, NULL, &summary, &list, &s->err),
            &s->err);
    test_ok(agentchat_chat_set_value(chat, name, absent, (agentchat_str){summary.ptr, summary.len}, &s->err), &s->err);
    edit(s, chat, list);
    agentchat_bytes_clear(&summary);
}

static void expect_summary(const agentchat_chat *chat, const char *part)
{
    agentchat_str value = agentchat_chat_value(chat, AGENTCHAT_STR("summary"), NULL);
    char text[1024];

    snprintf(text, sizeof text, AGENTCHAT_STR_FMT, AGENTCHAT_STR_ARG(value));
    if (strstr(text, part) == NULL)
        fail_msg("%s has no %s", text, part);
}

static void test_features__S7_a_running_summary_is_made_and_extended(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = attached(s);

    turn(s, chat, "1");
    turn(s, chat, "2");
    summarize_thread(s, chat);
    assert_int_equal(agentchat_chat_message_count(chat), 2);
    expect_summary(chat, "Create a summary");
    agentchat_chat_free(chat);
    chat = attached(s);
    expect_summary(chat, "Create a summary");
    turn(s, chat, "3");
    summarize_thread(s, chat);
    assert_int_equal(agentchat_chat_message_count(chat), 2);
    expect_summary(chat, "This is a summary of the conversation to date");
    agentchat_chat_free(chat);
}

static void test_features__S8_tokens_say_when_to_cut(void **state)
{
    scene *s = *state;
    agentchat_chat *chat = attached(s);
    agentchat_trim_options trim = AGENTCHAT_TRIM_OPTIONS_INIT;
    agentchat_list_edit *list = NULL;
    agentchat_message *system = NULL;
    uint64_t before, after;

    turn(s, chat, "one");
    turn(s, chat, "two");
    test_ok(agentchat_message_new_text(NULL, "system", absent, AGENTCHAT_STR("Be kind."), &system, &s->err), &s->err);
    test_ok(agentchat_list_edit_new(NULL, 4, &list, &s->err), &s->err);
    test_ok(agentchat_list_edit_insert(list, 0, system, &s->err), &s->err);
    edit(s, chat, list);
    test_ok(agentchat_messages_count_tokens(agentchat_chat_history(chat), NULL, NULL, &before, &s->err), &s->err);
    trim.max_tokens = before / 2;
    trim.start_on = "user";
    trim.end_on = "user,tool";
    trim.include_system = true;
    test_ok(agentchat_messages_trim(NULL, agentchat_chat_history(chat), &trim, &list, &s->err), &s->err);
    edit(s, chat, list);
    test_ok(agentchat_messages_count_tokens(agentchat_chat_history(chat), NULL, NULL, &after, &s->err), &s->err);
    assert_true(after < before);
    assert_int_equal(agentchat_chat_message_count(chat), 2); /* the system message, and the last question */
    expect_newest(chat, "two");
    agentchat_message_unref(system);
    agentchat_chat_free(chat);
}

int contract_features(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_features__S1_state_of_a_thread_is_resumed),
        SCENE_TEST(test_features__S2_state_is_more_than_messages),
        SCENE_TEST(test_features__S3_a_long_history_is_shown_shorter),
        SCENE_TEST(test_features__S4_a_list_is_edited_by_a_reducer),
        SCENE_TEST(test_features__S5_messages_are_removed_by_id),
        SCENE_TEST(test_features__S6_all_but_the_last_two_are_deleted),
        SCENE_TEST(test_features__S7_a_running_summary_is_made_and_extended),
        SCENE_TEST(test_features__S8_tokens_say_when_to_cut),
    };

    return CONTRACT_GROUP("features", tests);
}
