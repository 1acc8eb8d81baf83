/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists that a reader of semantic-kernel puts together from two sources: what stands there, and what the sidecar says
 * stood between. Each element is moved once however many there are, which hostile_growth measures; here is what must
 * come out.
 */
#include "support/test_support.h"

#include "model/model.h"
#include <stdio.h>

static agentchat_snapshot *read_text(const char *text)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(text), NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

static void assert_extras(const agentchat_message *message, const char *const *names, size_t count)
{
    assert_int_equal(agentchat_message_extra_count(message), count);
    for (size_t i = 0; i < count; i++)
        assert_str(agentchat_message_extra(message, i)->name, names[i]);
}

#define CHAT(history, rest) "{\"Participants\":[],\"History\":[" history "],\"Channels\":[]" rest "}"

static void test_positions__a_later_property_replaces_the_type_mismatch(void **state)
{
    static const char *const names[] = {"x", "y", "ModelId"};
    agentchat_snapshot *snapshot = read_text(CHAT(
        "{\"ModelId\":1,\"x\":2,\"ModelId\":[],\"y\":3,\"ModelId\":4},"
        "{\"ModelId\":1,\"x\":2,\"ModelId\":[],\"y\":3,\"ModelId\":\"m\"},{\"modelid\":1,\"x\":2,\"ModelId\":\"m\"}",
        ""));
    static const char *const other_case[] = {"modelid", "x"};

    (void)state;
    assert_extras(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0), names, 3);
    assert_extras(agentchat_messages_at(agentchat_snapshot_history(snapshot), 1), names, 2);
    assert_str(
        agentchat_message_get(agentchat_messages_at(agentchat_snapshot_history(snapshot), 1), AGENTCHAT_FIELD_MODEL_ID),
        "m");
    assert_extras(agentchat_messages_at(agentchat_snapshot_history(snapshot), 2), other_case, 2);
    agentchat_snapshot_unref(snapshot);
}

static void test_positions__null_messages_return_to_their_positions(void **state)
{
    agentchat_snapshot *snapshot =
        read_text(CHAT("{\"Role\":\"a\"},{\"Role\":\"b\"},{\"Role\":\"c\"}", ",\"agentchat\":{\"nulls\":[0,2,3,6,9]}"));
    static const char *const roles[] = {NULL, "a", NULL, NULL, "b", "c", NULL};

    (void)state;
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 7); /* there is no position 9 */
    for (size_t i = 0; i < 7; i++) {
        const agentchat_message *message = agentchat_messages_at(agentchat_snapshot_history(snapshot), i);

        assert_int_equal((message->flags & ACI_MESSAGE_IS_NULL) != 0, roles[i] == NULL);
        if (roles[i] != NULL)
            assert_str(agentchat_message_role(message), roles[i]);
    }
    agentchat_snapshot_unref(snapshot);
}

static void test_positions__null_items_return_to_their_positions(void **state)
{
    agentchat_snapshot *snapshot = read_text(
        CHAT("{\"Items\":[{\"$type\":\"TextContent\",\"Text\":\"a\"},{\"$type\":\"TextContent\",\"Text\":\"b\"}],"
             "\"agentchat\":{\"nulls\":[0,2,8]}}",
             ""));
    const agentchat_message *message = agentchat_messages_at(agentchat_snapshot_history(snapshot), 0);

    (void)state;
    assert_int_equal(agentchat_message_item_count(message), 4);
    assert_true(agentchat_message_item(message, 0)->is_null);
    assert_str(agentchat_item_get(agentchat_message_item(message, 1), AGENTCHAT_FIELD_TEXT), "a");
    assert_true(agentchat_message_item(message, 2)->is_null);
    assert_str(agentchat_item_get(agentchat_message_item(message, 3), AGENTCHAT_FIELD_TEXT), "b");
    agentchat_snapshot_unref(snapshot);
}

static void test_positions__extras_return_to_their_positions(void **state)
{
    static const char *const names[] = {"p", "x", "q", "y", "r", "s"};
    agentchat_snapshot *snapshot = read_text(CHAT("{\"x\":1,\"y\":2,\"agentchat\":{\"extras\":["
                                                  "{\"at\":0,\"name\":\"p\",\"value\":1},{\"name\":\"r\",\"value\":1},"
                                                  "{\"at\":2,\"name\":\"q\",\"value\":1},"
                                                  "{\"at\":77,\"name\":\"s\",\"value\":1}]}}",
                                                  ""));

    (void)state;
    assert_extras(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0), names, 6);
    agentchat_snapshot_unref(snapshot);
}

static void test_positions__channels_return_to_their_positions(void **state)
{
    static const char *const keys[] = {"l", "k", "k", "l", "l"}; /* those of no other channel are not left out */
    static const char *const states[] = {"p", "s", "q", "s", "r"};
    agentchat_snapshot *snapshot =
        read_text("{\"Participants\":[],\"History\":[],\"Channels\":[{\"ChannelKey\":\"k\",\"ChannelState\":\"s\"},"
                  "{\"ChannelKey\":\"l\",\"ChannelState\":\"s\"}],\"agentchat\":{\"channels\":["
                  "{\"at\":0,\"channel\":{\"ChannelKey\":\"l\",\"ChannelState\":\"p\"}},"
                  "{\"at\":2,\"channel\":{\"ChannelKey\":\"k\",\"ChannelState\":\"q\"}},"
                  "{\"at\":9,\"channel\":{\"ChannelKey\":\"l\",\"ChannelState\":\"r\"}}]}}");

    (void)state;
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 5);
    for (size_t i = 0; i < 5; i++) {
        assert_str(agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, i)), keys[i]);
        assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, i)), states[i]);
    }
    agentchat_snapshot_unref(snapshot);
}

/* Not what our writer writes: it is somebody else's property and stays as it is. */
static void test_positions__that_do_not_ascend_are_not_ours(void **state)
{
    static const char *const histories[] = {
        "{\"Role\":{\"Label\":\"user\"},\"agentchat\":{\"nulls\":[1,1]}}",
        "{\"Role\":{\"Label\":\"user\"},\"agentchat\":{\"extras\":[{\"at\":1,\"name\":\"p\",\"value\":1},{\"at\":1,"
        "\"name\":\"q\",\"value\":1}]}}",
        "{\"Role\":{\"Label\":\"user\"},\"agentchat\":{\"extras\":[{\"name\":\"p\",\"value\":1}],\"extras\":[{\"name\":"
        "\"q\",\"value\":1}]}}",
    };
    static const char *const names[] = {"agentchat"};

    (void)state;
    for (size_t i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
        char text[512];
        agentchat_snapshot *snapshot;

        snprintf(text, sizeof(text), "[{\"Role\":{\"Label\":\"user\"}},%s]", histories[i]);
        snapshot = read_text(text);
        assert_extras(agentchat_messages_at(agentchat_snapshot_history(snapshot), 1), names, 1);
        agentchat_snapshot_unref(snapshot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions__a_later_property_replaces_the_type_mismatch),
        cmocka_unit_test(test_positions__null_messages_return_to_their_positions),
        cmocka_unit_test(test_positions__null_items_return_to_their_positions),
        cmocka_unit_test(test_positions__extras_return_to_their_positions),
        cmocka_unit_test(test_positions__channels_return_to_their_positions),
        cmocka_unit_test(test_positions__that_do_not_ascend_are_not_ours),
    };

    return cmocka_run_group_tests_name("hostile_positions", tests, NULL, NULL);
}
