/* SPDX-License-Identifier: Apache-2.0 */
/* Capturing and saving: what is in a snapshot, what it shares, and what happens when a channel cannot be saved. */
#include "unit/chat/chat_mock.h"

#include <sys/stat.h>

static void test_capture__shares_messages_and_stays_as_it_is(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_snapshot *snapshot;
    const agentchat_channel_state *channel;

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_text(chat, "1");
    invoke(chat, "A");
    snapshot = capture(chat);
    channel = agentchat_snapshot_channel(snapshot, 0);
    for (size_t i = 0; i < 2; i++) {
        assert_ptr_equal(agentchat_messages_at(agentchat_snapshot_history(snapshot), i),
                         agentchat_messages_at(agentchat_chat_history(chat), i));
        assert_ptr_equal(agentchat_messages_at(agentchat_channel_state_messages(channel), i),
                         agentchat_messages_at(agentchat_snapshot_history(snapshot), i));
    }
    assert_null(agentchat_snapshot_format(snapshot));
    assert_str(agentchat_channel_state_type(channel), AGENTCHAT_TYPE_HISTORY_CHANNEL);
    assert_int_equal(agentchat_channel_state_kind(channel), AGENTCHAT_CHANNEL_MESSAGES);
    assert_int_equal(agentchat_channel_state_synced(channel), 2);
    assert_str(agentchat_participant_name(agentchat_snapshot_participant(snapshot, 0)), "A");
    invoke(chat, "A");
    agentchat_chat_free(chat);
    assert_texts(agentchat_snapshot_history(snapshot), "1;a;");
    assert_texts(agentchat_channel_state_messages(channel), "1;a;");
    agentchat_snapshot_unref(snapshot);
}

static void test_capture__channels_in_the_order_of_their_making(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m[3] = {{.says = "x"}, {.says = "y"}, {.says = "z"}};
    agentchat_snapshot *snapshot;

    (void)state;
    add_agent(chat, mock_agent(NULL, "X", &m[0]));
    add_agent(chat, mock_agent(NULL, "Y", &m[1]));
    add_agent(chat, mock_agent(NULL, "Z", &m[2]));
    invoke(chat, "Z");
    invoke(chat, "X");
    snapshot = capture(chat);
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 2);
    assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 0)), "z;x;");
    assert_str(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 1)), "z;x;");
    assert_true(agentchat_str_equal(agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, 0)),
                                    agentchat_agent_channel_key(agentchat_chat_agent(chat, 2))));
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_capture__all_channels(void **state)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .fail_create = 1};
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    snapshot = capture(chat);
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 0);
    assert_int_equal(m.creates, 0);
    agentchat_snapshot_unref(snapshot);
    options.all_channels = true;
    test_fails(agentchat_chat_capture(chat, &options, &snapshot, NULL, &err), &err, AGENTCHAT_E_CALLBACK, "",
               "could not be made: create is down");
    assert_null(snapshot);
    test_ok(agentchat_chat_capture(chat, &options, &snapshot, NULL, &err), &err);
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 2);
    assert_string_equal(m.given, "1;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static void test_capture__delivers_first_unless_asked_not_to(void **state)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = NULL};
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "M");
    m.fail_receive = 1;
    add_text(chat, "1");
    options.no_delivery = true;
    test_ok(agentchat_chat_capture(chat, &options, &snapshot, NULL, &err), &err);
    assert_int_equal(m.receives, 1);
    assert_int_equal(agentchat_channel_state_pending_count(agentchat_snapshot_channel(snapshot, 0)), 1);
    agentchat_snapshot_unref(snapshot);
    snapshot = capture(chat);
    assert_string_equal(m.given, "1;");
    assert_int_equal(agentchat_channel_state_pending_count(agentchat_snapshot_channel(snapshot, 0)), 0);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
}

static agentchat_status save_nothing(void *self, agentchat_channel_save *out, agentchat_error *err)
{
    (void)self;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status save_twice(void *self, agentchat_channel_save *out, agentchat_error *err)
{
    agentchat_error e;

    (void)self;
    test_ok(agentchat_channel_save_text(out, AGENTCHAT_STR(""), &e), &e);
    return agentchat_channel_save_bytes(out, AGENTCHAT_STR("x"), err);
}

static agentchat_status save_bytes(void *self, agentchat_channel_save *out, agentchat_error *err)
{
    agentchat_error e;

    (void)self;
    assert_int_equal(agentchat_channel_save_text(out, AGENTCHAT_STR("\xFF"), &e), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_channel_save_text(out, (agentchat_str){NULL, 0}, &e), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_channel_save_messages(out, NULL, &e), AGENTCHAT_E_INVALID);
    return agentchat_channel_save_bytes(out, AGENTCHAT_STR("\xFF\0\x01"), err);
}

static agentchat_status capture_with(agentchat_status (*save)(void *, agentchat_channel_save *, agentchat_error *),
                                     agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_channel_type type = mock_type;
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = NULL};
    agentchat_status status;

    type.save = save;
    options.channel = &type;
    options.name = AGENTCHAT_STR("M");
    options.user = &m;
    add_agent(chat, test_agent_new(NULL, &options));
    invoke(chat, "M");
    status = agentchat_chat_capture(chat, NULL, out, NULL, err);
    agentchat_chat_free(chat);
    return status;
}

static void test_capture__state_must_be_set_exactly_once(void **state)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    (void)state;
    test_fails(capture_with(save_nothing, &snapshot, &err), &err, AGENTCHAT_E_INVALID, "/channels/0", "set no state");
    test_fails(capture_with(save_twice, &snapshot, &err), &err, AGENTCHAT_E_INVALID, "/channels/0", "once only");
    assert_null(snapshot);
    test_ok(capture_with(save_bytes, &snapshot, &err), &err);
    assert_int_equal(agentchat_channel_state_kind(agentchat_snapshot_channel(snapshot, 0)), AGENTCHAT_CHANNEL_BYTES);
    assert_int_equal(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 0)).len, 3);
    agentchat_snapshot_unref(snapshot);
}

static void test_capture__failing_save_names_the_channel(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .fail_save = 1};
    agentchat_snapshot *snapshot = NULL;
    char *before, *after;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    m.fail_save = 0;
    invoke(chat, "A");
    invoke(chat, "M");
    before = picture(chat);
    m.fail_save = 1;
    test_fails(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err, AGENTCHAT_E_CALLBACK, "/channels/1",
               "could not be saved: save is down");
    assert_non_null(strstr(err.message, MOCK_TYPE));
    assert_non_null(strstr(err.message, agentchat_agent_channel_key(agentchat_chat_agent(chat, 1)).ptr));
    after = picture(chat);
    assert_string_equal(before, after);
    test_fails(agentchat_chat_capture(chat, NULL, NULL, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
    free(before);
    free(after);
    agentchat_chat_free(chat);
}

static void test_save__to_a_file_and_a_stream(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL, *failing;
    char *dir = test_dir_make(), *path = test_path(dir, "chat.json"), *content;
    mock m = {.says = "m"};
    struct stat info;
    size_t len;
    agentchat_error err;

    (void)state;
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "1");
    invoke(chat, "M");
    test_ok(agentchat_chat_save_file(chat, path, NULL, NULL, &err), &err);
    test_ok(agentchat_sink_memory(NULL, &bytes, &sink, &err), &err);
    test_ok(agentchat_chat_save(chat, sink, NULL, NULL, &err), &err);
    agentchat_sink_free(sink);
    content = test_file_read(path, &len);
    assert_int_equal(len, bytes.len);
    assert_memory_equal(content, bytes.ptr, len);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    /* A save that fails leaves the old file. */
    m.fail_save = 1;
    add_text(chat, "2");
    test_fails(agentchat_chat_save_file(chat, path, NULL, NULL, &err), &err, AGENTCHAT_E_CALLBACK, "/channels/0",
               "save is down");
    failing = test_sink_failing(0, false);
    test_fails(agentchat_chat_save(chat, failing, NULL, NULL, &err), &err, AGENTCHAT_E_IO, NULL, NULL);
    agentchat_sink_free(failing);
    free(content);
    content = test_file_read(path, &len);
    assert_memory_equal(content, bytes.ptr, len);
    invoke(chat, "M");
    free(content);
    free(path);
    test_dir_remove(dir);
    agentchat_bytes_clear(&bytes);
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_capture__shares_messages_and_stays_as_it_is),
        cmocka_unit_test(test_capture__channels_in_the_order_of_their_making),
        cmocka_unit_test(test_capture__all_channels),
        cmocka_unit_test(test_capture__delivers_first_unless_asked_not_to),
        cmocka_unit_test(test_capture__state_must_be_set_exactly_once),
        cmocka_unit_test(test_capture__failing_save_names_the_channel),
        cmocka_unit_test(test_save__to_a_file_and_a_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
