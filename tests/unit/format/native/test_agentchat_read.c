/* SPDX-License-Identifier: Apache-2.0 */
/* Reading format 1: what golden files say. */
#include "unit/format/document_test.h"

static void test_agentchat_read__gives_what_the_document_says(void **state)
{
    char *path = data_path("data/golden/format-1/text.json");
    agentchat_snapshot *snapshot;
    const agentchat_message *message;
    const agentchat_channel_state *channel;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, NULL, &err), &err);
    assert_string_equal(agentchat_snapshot_format(snapshot), "agentchat");
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), 2);
    assert_str(agentchat_message_text(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0)),
               "Where is my order 1234?");
    message = agentchat_messages_at(agentchat_snapshot_history(snapshot), 1);
    assert_str(agentchat_message_role(message), "assistant");
    assert_str(agentchat_message_name(message), "Desk");
    assert_str(agentchat_message_get(message, AGENTCHAT_FIELD_MODEL_ID), "gpt-x");
    assert_str(agentchat_message_get(message, AGENTCHAT_FIELD_ID), "m2");
    assert_str(agentchat_message_get(message, AGENTCHAT_FIELD_METADATA),
               "{\"Usage\":{\"in\":12,\"out\":34},\"0.10\":1.50}");
    assert_int_equal(agentchat_snapshot_participant_count(snapshot), 1);
    assert_str(agentchat_participant_name(agentchat_snapshot_participant(snapshot, 0)), "Desk");
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 1);
    channel = agentchat_snapshot_channel(snapshot, 0);
    assert_int_equal(agentchat_channel_state_kind(channel), AGENTCHAT_CHANNEL_MESSAGES);
    assert_int_equal(agentchat_channel_state_synced(channel), 2);
    assert_ptr_equal(agentchat_messages_at(agentchat_channel_state_messages(channel), 1), message);
    agentchat_snapshot_unref(snapshot);
    free(path);
}

static void test_agentchat_read__runs_share_the_messages_of_the_history(void **state)
{
    char *path = data_path("data/golden/format-1/channels.json");
    const agentchat_messages *own;
    const agentchat_channel_state *thread;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, NULL, &err), &err);
    own = agentchat_channel_state_messages(agentchat_snapshot_channel(snapshot, 2));
    assert_int_equal(agentchat_messages_count(own), 5);
    assert_str(agentchat_message_role(agentchat_messages_at(own, 0)), "system");
    for (size_t i = 1; i <= 3; i++)
        assert_ptr_equal(agentchat_messages_at(own, i),
                         agentchat_messages_at(agentchat_snapshot_history(snapshot), i + 1));
    thread = agentchat_snapshot_channel(snapshot, 5);
    assert_str(agentchat_channel_state_data(thread), "thread_abc");
    assert_int_equal(agentchat_channel_state_pending_count(thread), 2);
    assert_int_equal(agentchat_channel_state_pending(thread, 1), 2);
    assert_int_equal(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 8)).len, 4);
    assert_memory_equal(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 8)).ptr, "\0\1\2\xff", 4);
    agentchat_snapshot_unref(snapshot);
    free(path);
}

static void test_agentchat_read__keeps_absent_null_and_empty_apart(void **state)
{
    char *path = data_path("data/golden/format-1/absent-null-empty.json");
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &snapshot, NULL, &err), &err);
    assert_null(agentchat_message_role(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0)).ptr);
    assert_true(
        agentchat_str_is_null(agentchat_message_role(agentchat_messages_at(agentchat_snapshot_history(snapshot), 2))));
    assert_str(agentchat_message_role(agentchat_messages_at(agentchat_snapshot_history(snapshot), 3)), "");
    assert_true(agentchat_str_is_null(agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, 1))));
    assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 5)), "");
    agentchat_snapshot_unref(snapshot);
    free(path);
}

static void test_agentchat_read__outlives_its_snapshot_by_its_messages(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_message *message;
    agentchat_error err;

    (void)state;
    test_ok(try_read("{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[{\"role\":\"\\u0075ser\"}],"
                     "\"participants\":[],\"channels\":[]}",
                     &snapshot, &err),
            &err);
    message = agentchat_message_ref(agentchat_messages_at(agentchat_snapshot_history(snapshot), 0));
    agentchat_snapshot_unref(snapshot);
    assert_str(agentchat_message_role(message), "user");
    agentchat_message_unref(message);
}

static void test_agentchat_read__names_the_version_it_would_need(void **state)
{
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    test_fails(try_read("{\"agentchat\":{\"format\":4,\"reader\":3}}", &snapshot, &err), &err, AGENTCHAT_E_VERSION,
               "/agentchat", "format 3");
    assert_int_equal(err.native, 3);
    test_fails(try_read("{\"agentchat\":{\"format\":1e2,\"reader\":3}}", &snapshot, &err), &err, AGENTCHAT_E_SCHEMA,
               "/agentchat/format", "integer");
    test_fails(try_read("{\"agentchat\":{\"format\":1,\"reader\":9007199254740992}}", &snapshot, &err), &err,
               AGENTCHAT_E_SCHEMA, "/agentchat/reader", "9007199254740991");
    test_fails(try_read("{\"agentchat\":{\"format\":9007199254740991,\"reader\":9007199254740991}}", &snapshot, &err),
               &err, AGENTCHAT_E_VERSION, "/agentchat", "9007199254740991");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agentchat_read__gives_what_the_document_says),
        cmocka_unit_test(test_agentchat_read__runs_share_the_messages_of_the_history),
        cmocka_unit_test(test_agentchat_read__keeps_absent_null_and_empty_apart),
        cmocka_unit_test(test_agentchat_read__outlives_its_snapshot_by_its_messages),
        cmocka_unit_test(test_agentchat_read__names_the_version_it_would_need),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
