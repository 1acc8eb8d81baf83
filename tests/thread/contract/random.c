/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random chats in threads, and random changes of them: every checkpoint reads back as what was put, however much it
 * shares with others. THREAD_CHATS says how many.
 */
#include "thread/contract/contract.h"

#include "format/random_chat.h"

static size_t pick(void *user, size_t below)
{
    (void)user;
    return test_pick(below);
}

agentchat_snapshot *any_chat(void)
{
    const random_source random = {pick, NULL};
    agentchat_snapshot *chat = random_chat(&random, NULL);

    assert_non_null(chat);
    return chat;
}

static void test_random__chats_read_back(void **state)
{
    scene *s = *state;
    size_t count = (size_t)test_number("THREAD_CHATS", 300);

    for (size_t i = 0; i < count; i++) {
        agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
        agentchat_snapshot *chat;

        test_seed((uint32_t)i + 1);
        chat = any_chat();
        options.no_parent = test_pick(3) == 0;
        (void)put_chat(s, chat, &options);
        expect_chat(s, NULL, chat);
        agentchat_snapshot_unref(chat);
    }
}

agentchat_snapshot *changed_chat(const agentchat_snapshot *chat, const agentchat_snapshot *other)
{
    size_t count = agentchat_messages_count(agentchat_snapshot_history(chat));
    size_t first = test_pick(count + 1), length = test_pick(count - first + 1);
    agentchat_snapshot_builder *builder = test_snapshot_builder(NULL, chat);
    agentchat_snapshot *made = NULL;
    agentchat_error err;

    switch (test_pick(4)) {
    case 0: /* appended */
        first = count;
        length = 0;
        break;
    case 1: /* dropped at the beginning */
        first = 0;
        other = NULL;
        break;
    default:
        break;
    }
    agentchat_snapshot_builder_replace(builder, first, length, agentchat_snapshot_history(other));
    for (size_t i = 0; i < agentchat_snapshot_channel_count(chat) && test_pick(2) == 0; i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(chat, i);

        if (agentchat_channel_state_kind(channel) == AGENTCHAT_CHANNEL_MESSAGES && test_pick(2) == 0)
            agentchat_snapshot_builder_set_channel_messages(
                builder, agentchat_channel_state_key(channel), agentchat_channel_state_type(channel),
                agentchat_snapshot_history(test_pick(2) == 0 || other == NULL ? chat : other),
                AGENTCHAT_SYNCED_UNKNOWN);
    }
    test_ok(agentchat_snapshot_builder_finish(builder, &made, &err), &err);
    return made;
}

static void test_random__trees_of_changes_read_back(void **state)
{
    scene *s = *state;
    enum { NODES = 40 };
    size_t trees = (size_t)test_number("THREAD_CHATS", 300) / 60 + 1;

    for (size_t tree = 0; tree < trees; tree++) {
        agentchat_snapshot *chats[NODES];
        char ids[NODES][48];

        test_seed((uint32_t)(tree + 77));
        for (size_t i = 0; i < NODES; i++) {
            agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
            agentchat_snapshot *other = any_chat();
            size_t parent = i > 0 ? test_pick(3) == 0 ? test_pick(i) : i - 1 : 0;

            snprintf(ids[i], sizeof ids[i], "t%zu-%zu", tree, i);
            chats[i] = i > 0 ? changed_chat(chats[parent], other) : agentchat_snapshot_ref(other);
            options.id = ids[i];
            options.parent = i > 0 ? ids[parent] : NULL;
            options.no_parent = i == 0;
            options.branch = true;
            (void)put_chat(s, chats[i], &options);
            expect_chat(s, ids[i], chats[i]);
            agentchat_snapshot_unref(other);
        }
        for (size_t i = 0; i < NODES; i++) {
            expect_chat(s, ids[i], chats[i]);
            agentchat_snapshot_unref(chats[i]);
        }
    }
}

int contract_random(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(test_random__chats_read_back),
        SCENE_TEST(test_random__trees_of_changes_read_back),
    };

    return CONTRACT_GROUP("random", tests);
}
