/* SPDX-License-Identifier: Apache-2.0 */
/* The history channel: ChatHistoryChannelTests of Semantic Kernel, the reducer, and replies into its own list. */
#include "chat_mock.h"

/* Adds a message of up to two items to a chat whose one history agent has a channel, and says how many it then holds.
 */
static size_t held_after(agentchat_message_builder *builder, bool keep_all)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    const agentchat_messages *list = NULL;
    agentchat_message *message = NULL;
    agentchat_error err;
    size_t count, items;

    options.answer = say;
    options.keep_all = keep_all;
    options.name = AGENTCHAT_STR("A");
    add_agent(chat, test_history_agent_new(NULL, &options));
    invoke(chat, "A");
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    items = agentchat_message_item_count(message);
    test_ok(agentchat_chat_add_message(chat, message, &err), &err);
    test_ok(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &list, &err), &err);
    count = agentchat_messages_count(list);
    if (count > 0)
        assert_int_equal(agentchat_message_item_count(agentchat_messages_at(list, 0)), items); /* items stay */
    agentchat_message_unref(message);
    agentchat_chat_free(chat);
    return count;
}

static agentchat_message_builder *with_text(const char *text)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);

    agentchat_message_builder_add_text(b, agentchat_str_from(text));
    return b;
}

static agentchat_message_builder *with_item(agentchat_item_kind kind)
{
    agentchat_message_builder *b = test_message_builder(NULL, "user", NULL);

    agentchat_message_builder_add_item(b, kind);
    if (kind == AGENTCHAT_ITEM_FILE)
        agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FILE_ID, AGENTCHAT_STR("f"));
    return b;
}

static void test_receive__filters_empty_content(void **state)
{
    agentchat_message_builder *b = with_text("");

    (void)state;
    assert_int_equal(held_after(with_text(""), false), 0);
    assert_int_equal(held_after(with_text(" "), false), 1); /* whitespace is content */
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("second"));
    assert_int_equal(held_after(b, false), 0); /* only the first text item counts */
    assert_int_equal(held_after(test_message_builder(NULL, "user", NULL), false), 0);
    b = test_message_builder(NULL, "user", NULL);
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_TEXT);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_TEXT, agentchat_str_null());
    assert_int_equal(held_after(b, false), 0);
}

static void test_receive__filters_file_content(void **state)
{
    agentchat_message_builder *b = with_text("look");

    (void)state;
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_FILE), false), 0);
    agentchat_message_builder_add_item(b, AGENTCHAT_ITEM_FILE);
    agentchat_message_builder_set_item(b, AGENTCHAT_FIELD_FILE_ID, AGENTCHAT_STR("f"));
    assert_int_equal(held_after(b, false), 1);
}

static void test_receive__accepts_function_and_image_content(void **state)
{
    (void)state;
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_CALL), false), 1);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_RESULT), false), 1);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_IMAGE), false), 1);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_AUDIO), false), 0);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_BINARY), false), 0);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_ANNOTATION), false), 0);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_REASONING), false), 0);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_ACTION), false), 0);
}

static void test_receive__keep_all_keeps_what_has_an_item(void **state)
{
    (void)state;
    assert_int_equal(held_after(with_text(""), true), 1);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_FILE), true), 1);
    assert_int_equal(held_after(with_item(AGENTCHAT_ITEM_AUDIO), true), 1);
    assert_int_equal(held_after(test_message_builder(NULL, "user", NULL), true), 0);
}

typedef struct tool_user {
    size_t seen;
    int free_calls;
} tool_user;

/* Says a call, its result and a text, and sees in between that `seen` stays as it was. */
static agentchat_status use_a_tool(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                   agentchat_error *err)
{
    tool_user *tool = user;
    agentchat_message_builder *b = test_message_builder(agentchat_replies_env(out), "assistant", "T");
    agentchat_message *message = NULL;

    tool->seen = agentchat_messages_count(seen);
    agentchat_message_builder_add_call(b, AGENTCHAT_STR("1"), AGENTCHAT_STR("P"), AGENTCHAT_STR("f"),
                                       AGENTCHAT_STR("{}"));
    test_ok(agentchat_message_builder_finish(b, &message, err), err);
    test_ok(agentchat_replies_add(out, message, err), err);
    agentchat_message_unref(message);
    b = test_message_builder(agentchat_replies_env(out), "tool", "T");
    agentchat_message_builder_add_result(b, AGENTCHAT_STR("1"), AGENTCHAT_STR("P"), AGENTCHAT_STR("f"),
                                         AGENTCHAT_STR("1"));
    test_ok(agentchat_message_builder_finish(b, &message, err), err);
    test_ok(agentchat_replies_add(out, message, err), err);
    agentchat_message_unref(message);
    assert_int_equal(agentchat_messages_count(seen), tool->seen);
    assert_int_equal(agentchat_replies_add(out, NULL, err), AGENTCHAT_E_INVALID);
    agentchat_error_clear(err);
    return agentchat_replies_add_text(out, AGENTCHAT_STR(""), err); /* own messages pass no filter */
}

static void count_free(void *user)
{
    ((tool_user *)user)->free_calls++;
}

static void test_invoke__several_messages_join_both_lists(void **state)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    const agentchat_messages *list = NULL;
    agentchat_error err;
    tool_user tool = {0, 0};

    (void)state;
    options.answer = use_a_tool;
    options.name = AGENTCHAT_STR("T");
    options.type = "my.Type";
    options.id = AGENTCHAT_STR("tool-1");
    options.user = &tool;
    options.free_user = count_free;
    add_agent(chat, test_history_agent_new(NULL, &options));
    assert_str(agentchat_agent_type(agentchat_chat_agent(chat, 0)), "my.Type");
    add_text(chat, "go");
    invoke(chat, "tool-1");
    assert_int_equal(tool.seen, 1);
    test_ok(agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &list, &err), &err);
    assert_int_equal(agentchat_messages_count(list), 4);
    assert_int_equal(agentchat_chat_message_count(chat), 4);
    for (size_t i = 0; i < 4; i++) /* the very same messages */
        assert_ptr_equal(agentchat_messages_at(list, i), agentchat_messages_at(agentchat_chat_history(chat), i));
    invoke(chat, "T");
    assert_int_equal(tool.seen, 4);
    agentchat_chat_free(chat);
    assert_int_equal(tool.free_calls, 1);
}

typedef struct reducer {
    int calls;
    agentchat_status fails;
} reducer;

static agentchat_status keep_last(void *user, const agentchat_messages *seen, agentchat_messages **out,
                                  agentchat_error *err)
{
    reducer *r = user;
    size_t count = agentchat_messages_count(seen);
    const agentchat_message *last = agentchat_messages_at(seen, count - 1);

    r->calls++;
    if (r->fails < 0)
        return agentchat_error_set(err, r->fails, "no reduction");
    return count > 1 ? agentchat_messages_new(NULL, &last, 1, out, err) : AGENTCHAT_OK;
}

static agentchat_status say_count(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                  agentchat_error *err)
{
    char text[16];

    (void)user;
    snprintf(text, sizeof text, "saw %zu", agentchat_messages_count(seen));
    return agentchat_replies_add_text(out, agentchat_str_from(text), err);
}

static void test_invoke__reducer_shortens_the_channel_only(void **state)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    reducer r = {0, AGENTCHAT_OK};
    agentchat_error err;

    (void)state;
    options.answer = say_count;
    options.reduce = keep_last;
    options.name = AGENTCHAT_STR("R");
    options.user = &r;
    add_agent(chat, test_history_agent_new(NULL, &options));
    add_text(chat, "1");
    add_text(chat, "2");
    add_text(chat, "3");
    invoke(chat, "R");
    assert_channel_texts(chat, 0, "3;saw 1;");
    assert_texts(agentchat_chat_history(chat), "1;2;3;saw 1;");
    invoke(chat, "R");
    assert_channel_texts(chat, 0, "saw 1;saw 1;");
    r.fails = AGENTCHAT_E_LIMIT;
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("R"), &err), &err, AGENTCHAT_E_LIMIT, "", "no reduction");
    assert_channel_texts(chat, 0, "saw 1;saw 1;");
    assert_int_equal(r.calls, 3);
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_receive__filters_empty_content),
        cmocka_unit_test(test_receive__filters_file_content),
        cmocka_unit_test(test_receive__accepts_function_and_image_content),
        cmocka_unit_test(test_receive__keep_all_keeps_what_has_an_item),
        cmocka_unit_test(test_invoke__several_messages_join_both_lists),
        cmocka_unit_test(test_invoke__reducer_shortens_the_channel_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
