/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread stores: each body once, and of a put only what is new. */
#include "thread/contract/contract.h"

agentchat_snapshot *picture_chat(const char *text, size_t size, const char *media)
{
    agentchat_message_builder *message = test_message_builder(NULL, "user", NULL);
    agentchat_snapshot_builder *builder = test_snapshot_builder(NULL, NULL);
    agentchat_message *made = NULL;
    agentchat_snapshot *chat = NULL;
    char *bytes = malloc(size);
    agentchat_error err;

    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(i * 7 + i / 251);
    agentchat_message_builder_add_text(message, agentchat_str_from(text));
    agentchat_message_builder_add_data(message, AGENTCHAT_ITEM_IMAGE, agentchat_str_from(media),
                                       (agentchat_str){bytes, size});
    agentchat_message_builder_add_data(message, AGENTCHAT_ITEM_IMAGE, agentchat_str_from(media), AGENTCHAT_STR("abc"));
    test_ok(agentchat_message_builder_finish(message, &made, &err), &err);
    agentchat_snapshot_builder_add_message(builder, made);
    test_ok(agentchat_snapshot_builder_finish(builder, &chat, &err), &err);
    agentchat_message_unref(made);
    free(bytes);
    return chat;
}

static void test_cost__large_data_is_stored_once(void **state)
{
    scene *s = *state;
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    enum { SIZE = 1000000 };
    agentchat_snapshot *first = picture_chat("a", SIZE, "image/png"), *other = picture_chat("b", SIZE, "image/png"),
                       *branch = picture_chat("c", SIZE, "image/gif");
    uint64_t bytes;

    options.id = "c1";
    (void)put_chat(s, first, &options);
    bytes = thread_info(s).bytes;
    assert_in_range(bytes, SIZE, SIZE + 2000);
    options.id = "c2";
    (void)put_chat(s, other, &options);
    options.id = "c3";
    options.parent = "c1";
    options.branch = true;
    (void)put_chat(s, branch, &options);
    assert_in_range(thread_info(s).bytes, bytes, bytes + 2000);
    expect_chat(s, "c1", first);
    expect_chat(s, "c2", other);
    expect_chat(s, "c3", branch);
    agentchat_snapshot_unref(first);
    agentchat_snapshot_unref(other);
    agentchat_snapshot_unref(branch);
}

static void test_cost__a_put_stores_what_is_new(void **state)
{
    scene *s = *state;
    agentchat_snapshot *chat = chat_of("one", "one", "l=[]");
    uint64_t before = 0, grown = 0;

    for (int i = 0; i < 60; i++) {
        agentchat_snapshot *next;
        uint64_t now;
        char text[32];

        (void)put_chat(s, chat, NULL);
        now = thread_info(s).bytes;
        if (i == 2)
            grown = now - before;
        if (i > 2)
            assert_in_range(now - before, grown, grown);
        before = now;
        snprintf(text, sizeof text, "message %09d", i);
        next = chat_with(chat, text);
        agentchat_snapshot_unref(chat);
        chat = next;
    }
    agentchat_snapshot_unref(chat);
}

static void test_cost__equal_messages_are_one_body(void **state)
{
    scene *s = *state;
    agentchat_snapshot *once = chat_of("same", NULL, NULL), *often = chat_of("same|same|same|same", NULL, NULL);
    uint64_t bytes;

    (void)put_chat(s, once, NULL);
    bytes = thread_info(s).bytes;
    (void)put_chat(s, often, NULL);
    assert_int_equal(thread_info(s).bytes, bytes);
    expect_chat(s, NULL, often);
    agentchat_snapshot_unref(once);
    agentchat_snapshot_unref(often);
}

int contract_cost(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_cost__large_data_is_stored_once),
        SCENE_TEST(test_cost__a_put_stores_what_is_new),
        SCENE_TEST(test_cost__equal_messages_are_one_body),
    };

    return CONTRACT_GROUP("cost", tests);
}
