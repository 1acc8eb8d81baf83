/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the semantic-kernel format: what tests/format/semantic-kernel cannot show: shared messages and limits. */
#include "sk_test.h"

#define USER(items) "{\"Role\":{\"Label\":\"user\"},\"Items\":[" items "]}"
#define TEXT(text) "{\"$type\":\"TextContent\",\"Text\":\"" text "\"}"
#define HISTORY_KEY "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4="

static void test_sk_read__a_channel_before_the_history_shares_its_messages(void **state)
{
    agentchat_snapshot *snapshot = sk_read("{\"Channels\":[{\"ChannelState\":[" USER(
        TEXT("hi")) "],\"ChannelType\":\"T\",\"ChannelKey\":"
                    "\"" HISTORY_KEY "\"}],\"History\":[" USER(TEXT("hi")) "],\"Participants\":[]}");
    const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, 0);

    (void)state;
    assert_int_equal(agentchat_channel_state_kind(channel), AGENTCHAT_CHANNEL_MESSAGES);
    assert_ptr_equal(agentchat_messages_at(agentchat_channel_state_messages(channel), 0),
                     agentchat_messages_at(agentchat_snapshot_history(snapshot), 0));
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__nested_chats_share_the_outer_messages(void **state)
{
    agentchat_snapshot *snapshot = sk_read("{\"Participants\":[],\"History\":[" USER(TEXT("a")) "," USER(
        TEXT("b")) "],\"Channels\":[{"
                   "\"ChannelKey\":\"k\",\"ChannelType\":\"Microsoft.SemanticKernel.Agents.AggregatorChannel\","
                   "\"ChannelState\":{\"Participants\":[],\"History\":[" USER(TEXT("b")) "," USER(
                       TEXT("c")) "],"
                                  "\"Channels\":[{\"ChannelKey\":\"" HISTORY_KEY
                                  "\",\"ChannelType\":\"T\",\"ChannelState\":[" USER(TEXT("c")) "]}]}}]}");
    const agentchat_snapshot *inner = agentchat_channel_state_chat(agentchat_snapshot_channel(snapshot, 0));

    (void)state;
    assert_non_null(inner);
    assert_ptr_equal(agentchat_messages_at(agentchat_snapshot_history(inner), 0),
                     agentchat_messages_at(agentchat_snapshot_history(snapshot), 1));
    assert_ptr_equal(agentchat_messages_at(&inner->channels[0].messages, 0),
                     agentchat_messages_at(agentchat_snapshot_history(inner), 1));
    agentchat_snapshot_unref(snapshot);
}

static void test_sk_read__limits(void **state)
{
    agentchat_limits limits = AGENTCHAT_LIMITS_INIT;
    agentchat_read_options options = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    options.limits = &limits;
    options.format = "semantic-kernel";
    limits.max_messages = 2;
    test_fails(agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR("[null,null,null]"), &options, &snapshot, NULL, &err),
               &err, AGENTCHAT_E_LIMIT, NULL, "more than 2 messages");
    limits.max_messages = 0;
    limits.max_depth = 4;
    test_ok(
        agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR("[" USER(TEXT("a")) "]"), &options, &snapshot, NULL, &err),
        &err);
    agentchat_snapshot_unref(snapshot);
    limits.max_depth = 3;
    test_fails(
        agentchat_snapshot_read_memory(NULL, AGENTCHAT_STR("[" USER(TEXT("a")) "]"), &options, &snapshot, NULL, &err),
        &err, AGENTCHAT_E_LIMIT, NULL, "nested deeper than 3 levels");
    limits.max_depth = 5; /* the string's own levels count on */
    test_fails(agentchat_snapshot_read_memory(NULL,
                                              AGENTCHAT_STR("{\"History\":\"[{\\\"Metadata\\\":{\\\"a\\\":[[1]]}}]\"}"),
                                              &options, &snapshot, NULL, &err),
               &err, AGENTCHAT_E_LIMIT, "/History/0/Metadata/a/0", "nested deeper than 5 levels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sk_read__a_channel_before_the_history_shares_its_messages),
        cmocka_unit_test(test_sk_read__nested_chats_share_the_outer_messages),
        cmocka_unit_test(test_sk_read__limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
