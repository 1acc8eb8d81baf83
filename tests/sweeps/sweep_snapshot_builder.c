/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/snapshot.h, building: each call of a builder, whose failure comes out of finish. What is set is
   longer than the room that a builder begins with, so that each call has to allocate. */
#include "sweep.h"

/* Ends a snapshot whose builder may have failed: a call after a failure changes nothing, and the failure is
   reported. */
static agentchat_status finish(agentchat_snapshot_builder *builder, agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_status status;

    agentchat_snapshot_builder_set_progress(builder, 7, true);
    status = agentchat_snapshot_builder_finish(builder, out, err);
    assert_true((status < 0) == (*out == NULL));
    if (status >= 0)
        assert_int_equal(agentchat_snapshot_next_turn(*out), 7);
    return status;
}

/* The same where only the number of messages matters. */
static agentchat_status finish_messages(agentchat_snapshot_builder *builder, size_t count, agentchat_error *err)
{
    agentchat_snapshot *snapshot;
    agentchat_status status = finish(builder, &snapshot, err);

    if (status >= 0)
        assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(snapshot)), count);
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* The same for a snapshot whose last channel has that key. */
static agentchat_status finish_channel(agentchat_snapshot_builder *builder, agentchat_str key, size_t synced,
                                       agentchat_error *err)
{
    agentchat_snapshot *snapshot;
    agentchat_status status = finish(builder, &snapshot, err);

    if (status >= 0) {
        const agentchat_channel_state *channel =
            agentchat_snapshot_channel(snapshot, agentchat_snapshot_channel_count(snapshot) - 1);

        assert_true(agentchat_str_equal(agentchat_channel_state_key(channel), key));
        assert_int_equal(agentchat_channel_state_synced(channel), synced);
    }
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* 0: from nothing; 1: from a snapshot, which stays as it is. */
static agentchat_status builder_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *from = variant == 1 ? sweep_rich_snapshot(env) : NULL;
    agentchat_snapshot_builder *builder;
    agentchat_error again;
    agentchat_status status;

    sweep_begin();
    status = agentchat_snapshot_builder_new(env, from, &builder, err);
    sweep_end();
    assert_true((builder != NULL) == (status >= 0));
    if (status < 0)
        builder = test_snapshot_builder(env, from);
    test_ok(finish_messages(builder, agentchat_messages_count(agentchat_snapshot_history(from)), &again), &again);
    if (from != NULL) {
        agentchat_snapshot *expected = sweep_rich_snapshot(NULL);

        sweep_assert_same(from, expected);
        agentchat_snapshot_unref(expected);
    }
    agentchat_snapshot_unref(from);
    return status;
}

static agentchat_status add_message(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, NULL);
    agentchat_message *message = sweep_message(env, "t");

    (void)variant;
    sweep_begin();
    for (int i = 0; i < 100; i++)
        agentchat_snapshot_builder_add_message(builder, message);
    sweep_end();
    agentchat_message_unref(message);
    return finish_messages(builder, 100, err);
}

/* 0: taking out; 1: putting in; in the middle of what another snapshot has as well. */
static agentchat_status replace(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *from = sweep_rich_snapshot(env);
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_status status;

    sweep_begin();
    agentchat_snapshot_builder_replace(builder, 1, 1, variant == 1 ? agentchat_snapshot_history(from) : NULL);
    sweep_end();
    status = finish_messages(builder, variant == 1 ? 5 : 2, err);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(from)), 3);
    agentchat_snapshot_unref(from);
    return status;
}

static agentchat_status add_participant(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, NULL);
    agentchat_snapshot *snapshot;
    agentchat_status status;

    sweep_begin();
    agentchat_snapshot_builder_add_participant(builder, sweep_nth(variant, 0), sweep_nth(variant, 1),
                                               sweep_nth(variant, 2));
    sweep_end();
    status = finish(builder, &snapshot, err);
    if (status >= 0) {
        const agentchat_participant *participant = agentchat_snapshot_participant(snapshot, 0);

        assert_true(agentchat_str_equal(agentchat_participant_id(participant), sweep_nth(variant, 0)));
        assert_true(agentchat_str_equal(agentchat_participant_name(participant), sweep_nth(variant, 1)));
        assert_true(agentchat_str_equal(agentchat_participant_type(participant), sweep_nth(variant, 2)));
    }
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* 0 to 2: text, one of the strings long; 3: bytes; 4: in place of a channel that is there. */
static agentchat_status set_channel(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *from = variant == 4 ? sweep_rich_snapshot(env) : NULL;
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_str key = variant == 4 ? AGENTCHAT_STR("k4") : sweep_nth(variant, 0);
    agentchat_str data = variant >= 2 ? sweep_long() : AGENTCHAT_STR("d");

    agentchat_snapshot_unref(from);
    sweep_begin();
    agentchat_snapshot_builder_set_channel(builder, key, sweep_nth(variant, 1),
                                           variant == 3 ? AGENTCHAT_CHANNEL_BYTES : AGENTCHAT_CHANNEL_TEXT, data, 0);
    sweep_end();
    return finish_channel(builder, key, 0, err);
}

/* 0: the key is long; 1: the type is. */
static agentchat_status set_channel_messages(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *from = sweep_rich_snapshot(env);
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_status status;

    sweep_begin();
    agentchat_snapshot_builder_set_channel_messages(builder, sweep_nth(variant, 0), sweep_nth(variant, 1),
                                                    agentchat_snapshot_history(from), 2);
    sweep_end();
    status = finish_channel(builder, sweep_nth(variant, 0), 2, err);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(from)), 3);
    agentchat_snapshot_unref(from);
    return status;
}

/* 0: the key is long; 1: the type is. */
static agentchat_status set_channel_chat(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *chat = sweep_rich_snapshot(env);
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, chat);
    agentchat_status status;

    sweep_begin();
    agentchat_snapshot_builder_set_channel_chat(builder, sweep_nth(variant, 0), sweep_nth(variant, 1), chat, 1);
    sweep_end();
    status = finish_channel(builder, sweep_nth(variant, 0), 1, err);
    assert_int_equal(agentchat_messages_count(agentchat_snapshot_history(chat)), 3);
    agentchat_snapshot_unref(chat);
    return status;
}

static agentchat_status set_pending(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    enum { COUNT = 4000 }; /* more than a block of the arena has room for, with 32-bit numbers too */
    static size_t positions[COUNT];
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, NULL);
    agentchat_message *message = sweep_message(env, "t");
    agentchat_snapshot *snapshot;
    agentchat_status status;

    (void)variant;
    for (size_t i = 0; i < COUNT; i++) {
        positions[i] = i;
        agentchat_snapshot_builder_add_message(builder, message);
    }
    agentchat_message_unref(message);
    agentchat_snapshot_builder_set_channel(builder, AGENTCHAT_STR("k"), NONE, AGENTCHAT_CHANNEL_TEXT,
                                           AGENTCHAT_STR("d"), COUNT);
    sweep_begin();
    agentchat_snapshot_builder_set_pending(builder, AGENTCHAT_STR("k"), positions, COUNT);
    sweep_end();
    status = finish(builder, &snapshot, err);
    if (status >= 0)
        assert_int_equal(agentchat_channel_state_pending_count(agentchat_snapshot_channel(snapshot, 0)), COUNT);
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* Taking away, setting numbers, releasing. */
static agentchat_status plain_calls(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *from = sweep_rich_snapshot(env), *snapshot = NULL;
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_snapshot_builder *unused = test_snapshot_builder(env, from);

    (void)variant;
    agentchat_snapshot_unref(from);
    sweep_begin();
    agentchat_snapshot_builder_remove_channel(builder, AGENTCHAT_STR("k4"));
    agentchat_snapshot_builder_set_progress(builder, 3, false);
    agentchat_snapshot_builder_free(unused);
    agentchat_snapshot_builder_free(NULL);
    sweep_end();
    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, err), err);
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 3);
    assert_int_equal(agentchat_snapshot_next_turn(snapshot), 3);
    agentchat_snapshot_unref(snapshot);
    return AGENTCHAT_OK;
}

static agentchat_status set_form(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, NULL);
    static char mark[70000];
    agentchat_snapshot *snapshot;
    agentchat_status status;

    (void)variant;
    memset(mark, ' ', sizeof mark);
    memcpy(mark, "{\"from\":\"a\",\"value\":[", 21);
    memcpy(mark + sizeof mark - 2, "]}", 2);
    sweep_begin();
    agentchat_snapshot_builder_set_form(builder, (agentchat_str){mark, sizeof mark});
    sweep_end();
    status = finish(builder, &snapshot, err);
    assert_int_equal(agentchat_snapshot_form(snapshot).len, status >= 0 ? sizeof mark : 0);
    agentchat_snapshot_unref(snapshot);
    return status;
}

/* 0: the name is long; 1: the media type; 2: the bytes; 3: JSON; 4: in place of a value that is there. */
static agentchat_status set_value(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *from = sweep_rich_snapshot(env), *snapshot;
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, variant == 4 ? from : NULL);
    agentchat_str name = variant == 4 ? AGENTCHAT_STR("json") : sweep_nth(variant, 0);
    agentchat_str media_type = variant >= 3 ? NONE : sweep_nth(variant, 1), value = variant >= 2 ? sweep_long() : NONE;
    agentchat_status status;

    if (value.ptr == NULL)
        value = AGENTCHAT_STR("v");
    sweep_begin();
    agentchat_snapshot_builder_set_value(builder, name, media_type, value);
    sweep_end();
    status = finish(builder, &snapshot, err);
    if (status >= 0)
        assert_true(agentchat_str_equal(agentchat_snapshot_value(snapshot, name, NULL), value));
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(from);
    return status;
}

/* Adds 20 extras to the snapshot, a participant or a channel, each longer than the room of an arena. */
static agentchat_status add_extras(const agentchat_env *env, int to, agentchat_error *err)
{
    agentchat_snapshot *from = sweep_rich_snapshot(env), *snapshot;
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_str name = AGENTCHAT_STR("x"), value = sweep_long();
    agentchat_status status;
    size_t count;

    sweep_begin();
    for (int i = 0; i < 20; i++)
        if (to == 0)
            agentchat_snapshot_builder_add_extra(builder, name, value, (agentchat_str){NULL, 0});
        else if (to == 1)
            agentchat_snapshot_builder_add_participant_extra(builder, AGENTCHAT_STR("b"), name, value,
                                                             (agentchat_str){NULL, 0});
        else
            agentchat_snapshot_builder_add_channel_extra(builder, AGENTCHAT_STR("k2"), name, value,
                                                         (agentchat_str){NULL, 0});
    sweep_end();
    status = finish(builder, &snapshot, err);
    if (status >= 0) {
        count = to == 0   ? agentchat_snapshot_extra_count(snapshot)
                : to == 1 ? agentchat_participant_extra_count(agentchat_snapshot_participant(snapshot, 1))
                          : agentchat_channel_state_extra_count(agentchat_snapshot_channel(snapshot, 1));
        assert_int_equal(count, to == 0 ? 21 : 20);
    }
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(from);
    return status;
}

static agentchat_status add_extra(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return add_extras(env, 0, err);
}

static agentchat_status add_participant_extra(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return add_extras(env, 1, err);
}

static agentchat_status add_channel_extra(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return add_extras(env, 2, err);
}

static agentchat_status remove_extras(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *from = sweep_rich_snapshot(env), *snapshot;
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_status status;

    (void)variant;
    sweep_begin();
    agentchat_snapshot_builder_remove_extra(builder, AGENTCHAT_STR("mine"));
    agentchat_snapshot_builder_remove_participant_extra(builder, AGENTCHAT_STR("a"), AGENTCHAT_STR("mine"));
    agentchat_snapshot_builder_remove_channel_extra(builder, AGENTCHAT_STR("k1"), AGENTCHAT_STR("mine"));
    sweep_end();
    status = finish(builder, &snapshot, err);
    assert_int_equal(agentchat_snapshot_extra_count(snapshot), 0);
    assert_int_equal(agentchat_participant_extra_count(agentchat_snapshot_participant(snapshot, 0)), 0);
    assert_int_equal(agentchat_channel_state_extra_count(agentchat_snapshot_channel(snapshot, 0)), 0);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(from);
    return status;
}

/* 0: nothing in it; 1: one of everything; 2: so much of everything that the arrays need memory of their own. */
static agentchat_status builder_finish(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *from = variant > 0 ? sweep_rich_snapshot(env) : NULL, *snapshot = NULL;
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_status status;
    char id[8];

    for (int i = 0; variant == 2 && i < 300; i++) {
        agentchat_str view = {id, (size_t)snprintf(id, sizeof id, "#%d", i)};

        agentchat_snapshot_builder_add_participant(builder, view, view, view);
        agentchat_snapshot_builder_set_channel(builder, view, view, AGENTCHAT_CHANNEL_TEXT, view, 0);
        agentchat_snapshot_builder_set_value(builder, view, NONE, AGENTCHAT_STR("1"));
    }
    sweep_begin();
    status = agentchat_snapshot_builder_finish(builder, &snapshot, err);
    sweep_end();
    assert_true((status < 0) == (snapshot == NULL));
    if (status >= 0)
        assert_int_equal(agentchat_snapshot_participant_count(snapshot), variant == 0 ? 0 : variant == 1 ? 2 : 302);
    agentchat_snapshot_unref(snapshot);
    assert_int_equal(agentchat_snapshot_channel_count(from), variant > 0 ? 4 : 0);
    agentchat_snapshot_unref(from);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_snapshot_builder_new", builder_new, SWEEP_ALLOCATES, 2},
    {"agentchat_snapshot_builder_add_message", add_message, SWEEP_ALLOCATES, 0},
    {"agentchat_snapshot_builder_replace", replace, SWEEP_ALLOCATES, 2},
    {"agentchat_snapshot_builder_add_participant", add_participant, SWEEP_ALLOCATES, 3},
    {"agentchat_snapshot_builder_set_channel", set_channel, SWEEP_ALLOCATES, 5},
    {"agentchat_snapshot_builder_set_channel_messages", set_channel_messages, SWEEP_ALLOCATES, 2},
    {"agentchat_snapshot_builder_set_channel_chat", set_channel_chat, SWEEP_ALLOCATES, 2},
    {"agentchat_snapshot_builder_set_pending", set_pending, SWEEP_ALLOCATES, 0},
    {"agentchat_snapshot_builder_set_progress", plain_calls, SWEEP_NEVER, 0},
    {"agentchat_snapshot_builder_set_form", set_form, SWEEP_ALLOCATES, 0},
    {"agentchat_snapshot_builder_remove_channel", plain_calls, SWEEP_NEVER, 0},
    {"agentchat_snapshot_builder_set_value", set_value, SWEEP_ALLOCATES, 5},
    {"agentchat_snapshot_builder_add_extra", add_extra, SWEEP_ALLOCATES, 0},
    {"agentchat_snapshot_builder_add_participant_extra", add_participant_extra, SWEEP_ALLOCATES, 0},
    {"agentchat_snapshot_builder_add_channel_extra", add_channel_extra, SWEEP_ALLOCATES, 0},
    {"agentchat_snapshot_builder_remove_extra", remove_extras, SWEEP_NEVER, 0},
    {"agentchat_snapshot_builder_remove_participant_extra", remove_extras, SWEEP_NEVER, 0},
    {"agentchat_snapshot_builder_remove_channel_extra", remove_extras, SWEEP_NEVER, 0},
    {"agentchat_snapshot_builder_finish", builder_finish, SWEEP_ALLOCATES, 3},
    {"agentchat_snapshot_builder_free", plain_calls, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.snapshot_builder", rows, sizeof rows / sizeof *rows);
}
