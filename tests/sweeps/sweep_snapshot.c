/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/snapshot.h: keys, names, inspecting, comparing. Reading and writing are in sweep_snapshot_io.c,
   building in sweep_snapshot_builder.c. */
#include "sweep.h"

/* SHA-256 is libcrypto's, whose own memory is not swept. */
static agentchat_status keys_and_names(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_str keys[2] = {sweep_long(), AGENTCHAT_STR("k")};
    char key[AGENTCHAT_KEY_LEN + 1];
    const agentchat_format *format, *first, *no_format;
    size_t count;
    agentchat_status status;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    status = agentchat_channel_key(keys, 2, key);
    count = agentchat_format_count();
    first = agentchat_format_at(0);
    format = agentchat_format_find("agentchat");
    no_format = agentchat_format_find("another");
    sweep_end();
    assert_int_equal(status, AGENTCHAT_OK);
    assert_int_equal(strlen(key), AGENTCHAT_KEY_LEN);
    assert_true(count > 0 && format == first);
    assert_null(no_format);
    return AGENTCHAT_OK;
}

static agentchat_status look_at_snapshot(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env), *again;
    agentchat_str name, value, media_type, form;
    const agentchat_message *message;
    const agentchat_messages *history;
    size_t messages, participants, channels, values, turn, none;
    const char *format;
    bool complete;

    (void)variant;
    (void)err;
    sweep_begin();
    again = agentchat_snapshot_ref(snapshot);
    agentchat_snapshot_unref(again);
    format = agentchat_snapshot_format(snapshot);
    history = agentchat_snapshot_history(snapshot);
    messages = agentchat_messages_count(agentchat_snapshot_history(snapshot));
    message = agentchat_messages_at(agentchat_snapshot_history(snapshot), 2);
    participants = agentchat_snapshot_participant_count(snapshot);
    channels = agentchat_snapshot_channel_count(snapshot);
    values = agentchat_snapshot_value_count(snapshot);
    none = agentchat_messages_count(agentchat_snapshot_history(NULL)) + agentchat_snapshot_value_count(NULL);
    name = agentchat_snapshot_value_name(snapshot, 1);
    value = agentchat_snapshot_value(snapshot, name, &media_type);
    turn = agentchat_snapshot_next_turn(snapshot);
    form = agentchat_snapshot_form(snapshot);
    complete = agentchat_snapshot_is_complete(snapshot);
    sweep_end();
    assert_null(format);
    assert_int_equal(messages + agentchat_messages_count(history), 6);
    assert_str(agentchat_message_text(message), "last");
    assert_int_equal(participants, 2);
    assert_int_equal(channels, 4);
    assert_int_equal(values, 2);
    assert_int_equal(none, 0);
    assert_str(value, "\x89PNG");
    assert_str(media_type, "image/png");
    assert_true(turn == 1 && complete);
    assert_str(form, "{\"from\":\"a\",\"value\":\"body\"}");
    sweep_begin();
    agentchat_snapshot_unref(NULL);
    agentchat_snapshot_unref(snapshot); /* the last reference, and a chat inside goes with it */
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status look_at_participant(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env);
    const agentchat_participant *participant, *beyond;
    agentchat_str id, name, type;

    (void)variant;
    (void)err;
    sweep_begin();
    participant = agentchat_snapshot_participant(snapshot, 0);
    beyond = agentchat_snapshot_participant(snapshot, 2);
    id = agentchat_participant_id(participant);
    name = agentchat_participant_name(participant);
    type = agentchat_participant_type(participant);
    sweep_end();
    assert_str(id, "a");
    assert_str(name, "A");
    assert_str(type, "T");
    assert_null(beyond);
    agentchat_snapshot_unref(snapshot);
    return AGENTCHAT_OK;
}

static agentchat_status look_at_channels(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env);
    size_t kinds = 0, data = 0, lists = 0, chats = 0, synced = 0, pending = 0, strings = 0;

    (void)variant;
    (void)err;
    sweep_begin();
    for (size_t i = 0; i < 4; i++) {
        const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, i);

        strings += agentchat_channel_state_key(channel).len + agentchat_channel_state_type(channel).len;
        kinds += (size_t)agentchat_channel_state_kind(channel);
        data += agentchat_channel_state_data(channel).len;
        lists += agentchat_messages_count(agentchat_channel_state_messages(channel));
        chats += agentchat_channel_state_chat(channel) != NULL;
        synced += agentchat_channel_state_synced(channel) == AGENTCHAT_SYNCED_UNKNOWN;
        for (size_t j = 0; j < agentchat_channel_state_pending_count(channel); j++)
            pending += agentchat_channel_state_pending(channel, j);
    }
    sweep_end();
    assert_int_equal(kinds, 1 + 2 + 3 + 4);
    assert_int_equal(data, strlen("thread-1") + 2);
    assert_true(lists == 1 && chats == 1 && synced == 1 && pending == 3 && strings > 12);
    agentchat_snapshot_unref(snapshot);
    return AGENTCHAT_OK;
}

static agentchat_status look_at_extras(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env);
    const agentchat_participant *participant = agentchat_snapshot_participant(snapshot, 0);
    const agentchat_channel_state *channel = agentchat_snapshot_channel(snapshot, 0);
    const agentchat_extra *of_snapshot, *of_participant, *of_channel, *none;
    size_t count;

    (void)variant;
    (void)err;
    sweep_begin();
    count = agentchat_snapshot_extra_count(snapshot) + agentchat_participant_extra_count(participant) +
            agentchat_channel_state_extra_count(channel);
    of_snapshot = agentchat_snapshot_extra(snapshot, 0);
    of_participant = agentchat_participant_extra(participant, 0);
    of_channel = agentchat_channel_state_extra(channel, 0);
    none = agentchat_snapshot_extra(snapshot, 1);
    sweep_end();
    assert_int_equal(count, 3);
    assert_str(of_snapshot->value, "1");
    assert_str(of_participant->value, "2");
    assert_str(of_channel->value, "3");
    assert_null(none);
    agentchat_snapshot_unref(snapshot);
    return AGENTCHAT_OK;
}

/* All messages go but the last, and one comes. */
static agentchat_status snapshot_edit(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(NULL), *edited = NULL, *expected = NULL;
    size_t count = agentchat_messages_count(agentchat_snapshot_history(snapshot));
    agentchat_message *summary = sweep_message(NULL, "summary");
    agentchat_list_edit *edit = NULL;
    agentchat_report *report = NULL;
    agentchat_error again;
    agentchat_status status;

    (void)variant;
    test_ok(agentchat_list_edit_new(NULL, count, &edit, &again), &again);
    test_ok(agentchat_list_edit_remove(edit, 0, count - 1, &again), &again);
    test_ok(agentchat_list_edit_insert(edit, 0, summary, &again), &again);
    test_ok(agentchat_snapshot_edit(NULL, snapshot, edit, &expected, NULL, &again), &again);
    sweep_begin();
    status = agentchat_snapshot_edit(env, snapshot, edit, &edited, &report, err);
    sweep_end();
    agentchat_report_free(report);
    if (status < 0)
        test_ok(agentchat_snapshot_edit(env, snapshot, edit, &edited, NULL, &again), &again);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(edited)), 2);
    sweep_assert_same(edited, expected);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(edited);
    agentchat_snapshot_unref(expected);
    agentchat_message_unref(summary);
    agentchat_list_edit_free(edit);
    return status;
}

/* 0: of the history; 1: of all. */
static agentchat_status snapshot_digest(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env), *other = sweep_rich_snapshot(NULL);
    char digest[AGENTCHAT_DIGEST_LEN + 1], expected[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error again;
    agentchat_status status;

    test_ok(agentchat_snapshot_digest(other, variant == 1, expected, &again), &again);
    sweep_begin();
    status = agentchat_snapshot_digest(snapshot, variant == 1, digest, err);
    sweep_end();
    if (status < 0)
        test_ok(agentchat_snapshot_digest(snapshot, variant == 1, digest, &again), &again);
    assert_string_equal(digest, expected);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(other);
    return status;
}

static agentchat_status count_difference(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                         agentchat_error *err)
{
    size_t *count = user;

    (void)left;
    (void)right;
    (void)err;
    assert_true(path.len > 0);
    ++*count;
    return AGENTCHAT_OK;
}

static agentchat_snapshot *changed(const agentchat_env *env)
{
    agentchat_snapshot *from = sweep_rich_snapshot(env), *snapshot = NULL;
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_message *message = sweep_message(env, "another");
    agentchat_error err;

    agentchat_snapshot_builder_add_message(builder, message);
    agentchat_snapshot_builder_remove_channel(builder, AGENTCHAT_STR("k2"));
    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    agentchat_message_unref(message);
    agentchat_snapshot_unref(from);
    return snapshot;
}

/* 0: equal ones; 1: different ones, each difference reported; 2: different ones, stopping at the first. */
static agentchat_status snapshot_diff(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *left = sweep_rich_snapshot(env),
                       *right = variant == 0 ? sweep_rich_snapshot(env) : changed(env);
    agentchat_diff_fn each = variant == 2 ? NULL : count_difference;
    agentchat_error again;
    agentchat_status status;
    size_t count = 0;
    bool equal = false;

    sweep_begin();
    status = agentchat_snapshot_diff(left, right, each, &count, &equal, err);
    sweep_end();
    if (status < 0) {
        count = 0;
        test_ok(agentchat_snapshot_diff(left, right, each, &count, &equal, &again), &again);
    }
    assert_true(equal == (variant == 0));
    assert_true(variant == 1 ? count >= 2 : count == 0);
    agentchat_snapshot_unref(left);
    agentchat_snapshot_unref(right);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_channel_key", keys_and_names, SWEEP_NEVER, 0},
    {"agentchat_format_count", keys_and_names, SWEEP_NEVER, 0},
    {"agentchat_format_at", keys_and_names, SWEEP_NEVER, 0},
    {"agentchat_format_find", keys_and_names, SWEEP_NEVER, 0},
    {"agentchat_snapshot_ref", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_unref", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_format", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_history", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_participant_count", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_participant", look_at_participant, SWEEP_NEVER, 0},
    {"agentchat_snapshot_channel_count", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_channel", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_snapshot_value_count", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_value_name", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_value", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_form", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_next_turn", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_snapshot_is_complete", look_at_snapshot, SWEEP_NEVER, 0},
    {"agentchat_participant_id", look_at_participant, SWEEP_NEVER, 0},
    {"agentchat_participant_name", look_at_participant, SWEEP_NEVER, 0},
    {"agentchat_participant_type", look_at_participant, SWEEP_NEVER, 0},
    {"agentchat_channel_state_key", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_channel_state_type", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_channel_state_kind", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_channel_state_data", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_channel_state_messages", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_channel_state_chat", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_channel_state_synced", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_channel_state_pending_count", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_channel_state_pending", look_at_channels, SWEEP_NEVER, 0},
    {"agentchat_snapshot_extra_count", look_at_extras, SWEEP_NEVER, 0},
    {"agentchat_snapshot_extra", look_at_extras, SWEEP_NEVER, 0},
    {"agentchat_participant_extra_count", look_at_extras, SWEEP_NEVER, 0},
    {"agentchat_participant_extra", look_at_extras, SWEEP_NEVER, 0},
    {"agentchat_channel_state_extra_count", look_at_extras, SWEEP_NEVER, 0},
    {"agentchat_channel_state_extra", look_at_extras, SWEEP_NEVER, 0},
    {"agentchat_snapshot_edit", snapshot_edit, SWEEP_ALLOCATES, 0},
    {"agentchat_snapshot_digest", snapshot_digest, SWEEP_ALLOCATES, 2},
    {"agentchat_snapshot_diff", snapshot_diff, SWEEP_ALLOCATES, 3},
};

int main(void)
{
    return sweep_main("sweep.snapshot", rows, sizeof rows / sizeof *rows);
}
