/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/chat.h: named lists, their updates and reducers; messages that go by ids. */
#include "sweep_world.h"

static agentchat_status doubles(void *user, agentchat_str existing, agentchat_str update, agentchat_bytes *out,
                                agentchat_error *err)
{
    agentchat_status status = agentchat_bytes_append(out, AGENTCHAT_STR("[1,"), err);

    (void)user;
    (void)existing;
    if (status >= 0)
        status = agentchat_bytes_append(out, update, err);
    return status < 0 ? status : agentchat_bytes_append(out, AGENTCHAT_STR("]"), err);
}

static agentchat_status set_reducer(agentchat_chat *chat, agentchat_error *err)
{
    agentchat_chat_reducer reducer;

    agentchat_chat_reducer_init(&reducer, sizeof reducer);
    reducer.reduce = doubles;
    return agentchat_chat_set_reducer(chat, AGENTCHAT_STR("v"), &reducer, err);
}

static const char *value_of(const world *w)
{
    static char text[64];
    agentchat_str value = agentchat_chat_value(w->chat, AGENTCHAT_STR("v"), NULL);

    snprintf(text, sizeof text, "%.*s", value.ptr != NULL ? (int)value.len : 4, value.ptr != NULL ? value.ptr : "none");
    return text;
}

/* 0: a new list; 1: a value that was set; 2: a list that was updated, which a snapshot shares; 3: by a reducer; 4: the
   whole of it replaced. */
static agentchat_status chat_update(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char *const before[] = {"none", "[1]", "[1]", "[1]", "[1]"};
    static const char *const after[] = {"[2,3]", "[1,2,3]", "[1,2,3]", "[1,[2,3]]", "[4]"};
    agentchat_str update = variant == 4 ? AGENTCHAT_STR("{\"__overwrite__\":[4]}") : AGENTCHAT_STR("[2,3]");
    agentchat_snapshot *held = NULL;
    agentchat_error again;
    agentchat_status status;
    world w;

    world_begin(&w, env, "");
    if (variant == 1 || variant == 3)
        test_ok(agentchat_chat_set_value(w.chat, AGENTCHAT_STR("v"), NONE, AGENTCHAT_STR("[1]"), &again), &again);
    if (variant == 2 || variant == 4) {
        test_ok(agentchat_chat_update(w.chat, AGENTCHAT_STR("v"), AGENTCHAT_STR("[1]"), &again), &again);
        held = capture(w.chat);
    }
    if (variant == 3)
        test_ok(set_reducer(w.chat, &again), &again);
    sweep_begin();
    status = agentchat_chat_update(w.chat, AGENTCHAT_STR("v"), update, err);
    sweep_end();
    if (status < 0) {
        assert_string_equal(value_of(&w), before[variant]);
        test_ok(agentchat_chat_update(w.chat, AGENTCHAT_STR("v"), update, &again), &again);
    }
    assert_string_equal(value_of(&w), after[variant]);
    agentchat_snapshot_unref(held);
    world_end(&w);
    return status;
}

static agentchat_status chat_set_reducer(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    world w;

    (void)variant;
    world_begin(&w, env, "");
    sweep_begin();
    status = set_reducer(w.chat, err);
    sweep_end();
    if (status < 0)
        test_ok(set_reducer(w.chat, &again), &again);
    test_ok(agentchat_chat_update(w.chat, AGENTCHAT_STR("v"), AGENTCHAT_STR("2"), &again), &again);
    assert_string_equal(value_of(&w), "[1,2]");
    world_end(&w);
    return status;
}

static agentchat_message *with_id(const char *id, const char *text)
{
    agentchat_message_builder *builder = test_message_builder(NULL, "user", NULL);
    agentchat_message *message = NULL;
    agentchat_error err;

    agentchat_message_builder_set(builder, AGENTCHAT_FIELD_ID, agentchat_str_from(id));
    agentchat_message_builder_add_text(builder, agentchat_str_from(text));
    test_ok(agentchat_message_builder_finish(builder, &message, &err), &err);
    return message;
}

static agentchat_status add_by_id(agentchat_chat *chat, const agentchat_message *message, agentchat_error *err)
{
    agentchat_status status = agentchat_chat_set_message_ids(chat, true, err);

    return status < 0 ? status : agentchat_chat_add_message(chat, message, err);
}

/* 0: a message that is new, 1: one that takes another's position. */
static agentchat_status chat_set_message_ids(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *old = with_id("1", "old"), *new = with_id(variant == 0 ? "2" : "1", "new");
    agentchat_error again;
    agentchat_status status;
    size_t count;
    world w;

    world_begin(&w, env, "");
    test_ok(add_by_id(w.chat, old, &again), &again);
    count = agentchat_chat_message_count(w.chat);
    sweep_begin();
    status = add_by_id(w.chat, new, err);
    sweep_end();
    if (status < 0) {
        assert_str(agentchat_message_text(agentchat_chat_newest(w.chat, 0)), "old");
        test_ok(add_by_id(w.chat, new, &again), &again);
    }
    assert_int_equal(agentchat_chat_message_count(w.chat), count + (variant == 0));
    assert_str(agentchat_message_text(agentchat_chat_newest(w.chat, 0)), "new");
    world_end(&w);
    agentchat_message_unref(old);
    agentchat_message_unref(new);
    return status;
}

/* The text of a list that was updated is made when it is asked for: 0 by the chat, 1 by a snapshot. */
static agentchat_status make_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot;
    agentchat_error again;
    agentchat_str text;
    world w;

    world_begin(&w, env, "");
    test_ok(agentchat_chat_update(w.chat, AGENTCHAT_STR("v"), AGENTCHAT_STR("[1]"), &again), &again);
    snapshot = capture(w.chat);
    sweep_begin();
    text = variant == 0 ? agentchat_chat_value(w.chat, AGENTCHAT_STR("v"), NULL)
                        : agentchat_snapshot_value(snapshot, AGENTCHAT_STR("v"), NULL);
    sweep_end();
    assert_string_equal(value_of(&w), "[1]");
    assert_str(agentchat_snapshot_value(snapshot, AGENTCHAT_STR("v"), NULL), "[1]");
    agentchat_snapshot_unref(snapshot);
    world_end(&w);
    return text.ptr != NULL ? AGENTCHAT_OK : agentchat_error_set(err, AGENTCHAT_E_NOMEM, "out of memory");
}

static agentchat_status init(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_chat_reducer reducer;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_chat_reducer_init(&reducer, sizeof reducer);
    sweep_end();
    assert_null(reducer.reduce);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_chat_update", chat_update, SWEEP_ALLOCATES, 5},
    {"agentchat_chat_set_reducer", chat_set_reducer, SWEEP_ALLOCATES, 1},
    {"agentchat_chat_set_message_ids", chat_set_message_ids, SWEEP_ALLOCATES, 2},
    {"agentchat_chat_reducer_init", init, SWEEP_NEVER, 0},
    {"agentchat_chat_value", make_text, SWEEP_ALLOCATES, 2},
};

int main(void)
{
    return sweep_main("sweep.chat_lists", rows, sizeof rows / sizeof *rows);
}
