/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/agent.h: what an agent's functions call to answer, to save and to restore. The failures begin
   inside those functions; there the call is made again, so that the chat goes on. */
#include "sweep.h"

#include <agentchat/provider.h>

#include "unit/chat/chat_mock.h"

/* What a function of an agent is to do, and what came of it. */
typedef struct play {
    agentchat_status (*act)(agentchat_replies *out, agentchat_error *err);
    agentchat_status (*save)(agentchat_channel_save *out, agentchat_error *err);
    void (*look)(const agentchat_channel_load *in);
    void (*edit)(const agentchat_channel_edit *in);
    agentchat_status status; /* of the swept call */
    agentchat_error *err;
    const agentchat_env *env;
} play;

static play now;
static agentchat_message *to_say;

/* ---- answering -------------------------------------------------------------------------------------------------- */

static agentchat_status act(mock *m, agentchat_replies *out, agentchat_error *err)
{
    (void)m;
    return now.act(out, err);
}

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return now.act(out, err);
}

static agentchat_status add_text_reply(agentchat_replies *out, agentchat_error *err)
{
    sweep_begin();
    now.status = agentchat_replies_add_text(out, AGENTCHAT_STR("said"), now.err);
    sweep_end();
    return now.status < 0 ? agentchat_replies_add_text(out, AGENTCHAT_STR("said"), err) : AGENTCHAT_OK;
}

static agentchat_status add_reply(agentchat_replies *out, agentchat_error *err)
{
    sweep_begin();
    now.status = agentchat_replies_add(out, to_say, now.err);
    sweep_end();
    return now.status < 0 ? agentchat_replies_add(out, to_say, err) : AGENTCHAT_OK;
}

/* Read as a whole, so that a failure says nothing. */
static agentchat_status add_document(agentchat_replies *out, agentchat_error *err)
{
    const agentchat_str document = AGENTCHAT_STR("[{\"role\":\"assistant\",\"content\":\"said\",\"refusal\":null}]");

    sweep_begin();
    now.status = agentchat_replies_add_document(out, "openai-chat", document, NULL, now.err);
    sweep_end();
    return now.status < 0 ? agentchat_replies_add_document(out, NULL, document, NULL, err) : AGENTCHAT_OK;
}

static agentchat_status set_in_reply(agentchat_replies *out, agentchat_error *err)
{
    sweep_begin();
    now.status = agentchat_replies_set_value(out, AGENTCHAT_STR("v"), AGENTCHAT_STR("[1]"), now.err);
    sweep_end();
    if (now.status < 0)
        test_ok(agentchat_replies_set_value(out, AGENTCHAT_STR("v"), AGENTCHAT_STR("[1]"), err), err);
    return agentchat_replies_add_text(out, AGENTCHAT_STR("said"), err);
}

static agentchat_status update_in_reply(agentchat_replies *out, agentchat_error *err)
{
    sweep_begin();
    now.status = agentchat_replies_update(out, AGENTCHAT_STR("v"), AGENTCHAT_STR("[1]"), now.err);
    sweep_end();
    if (now.status < 0)
        test_ok(agentchat_replies_update(out, AGENTCHAT_STR("v"), AGENTCHAT_STR("[1]"), err), err);
    return agentchat_replies_add_text(out, AGENTCHAT_STR("said"), err);
}

static agentchat_status look_at_replies(agentchat_replies *out, agentchat_error *err)
{
    const agentchat_agent *agent;
    const agentchat_env *env;

    (void)err;
    sweep_begin();
    agent = agentchat_replies_agent(out);
    env = agentchat_replies_env(out);
    assert_false(agentchat_replies_is_interrupted(out));
    assert_null(agentchat_replies_partial(out));
    (void)agentchat_replies_seen(out);
    sweep_end();
    assert_str(agentchat_agent_name(agent), "A");
    assert_ptr_equal(env, now.env);
    return agentchat_replies_add_text(out, AGENTCHAT_STR("said"), err);
}

/* 0: an agent with a channel of its own kind; 1: a history agent, whose channel gets the answer as well. */
static agentchat_status play_answer(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    mock m = {.during = act};
    agentchat_chat *chat = test_chat_new(env);

    now.env = env;
    now.err = err;
    add_agent(chat, variant == 0 ? mock_agent(env, "A", &m) : test_speaker_new(env, "A", answer, NULL));
    invoke(chat, "A");
    assert_texts(agentchat_chat_history(chat), "said;"); /* once */
    if (variant == 1)
        assert_channel_texts(chat, 0, "said;");
    agentchat_chat_free(chat);
    return now.status;
}

static agentchat_status replies_add_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    now = (play){.act = add_text_reply};
    return play_answer(env, variant, err);
}

static agentchat_status replies_add_document(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    now = (play){.act = add_document};
    return play_answer(env, variant, err);
}

static agentchat_status replies_add(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;

    to_say = sweep_message(env, "said");
    now = (play){.act = add_reply};
    status = play_answer(env, variant, err);
    agentchat_message_unref(to_say);
    return status;
}

static agentchat_status replies_set_value(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    now = (play){.act = set_in_reply};
    return play_answer(env, variant, err);
}

static agentchat_status replies_update(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    now = (play){.act = update_in_reply};
    return play_answer(env, variant, err);
}

static agentchat_status look_while_answering(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    now = (play){.act = look_at_replies};
    return play_answer(env, variant, err);
}

/* ---- saving and restoring --------------------------------------------------------------------------------------- */

static agentchat_status save(void *channel, agentchat_channel_save *out, agentchat_error *err)
{
    (void)channel;
    return now.save(out, err);
}

static agentchat_status load(void *agent, const agentchat_channel_load *in, void **out_channel, agentchat_error *err)
{
    (void)out_channel;
    (void)agent;
    (void)err;
    if (now.look != NULL)
        now.look(in);
    return AGENTCHAT_DONE;
}

static agentchat_status edit(void *channel, void *agent, const agentchat_channel_edit *in, void **out_channel,
                             agentchat_error *err)
{
    (void)channel;
    (void)agent;
    (void)out_channel;
    (void)err;
    now.edit(in);
    return AGENTCHAT_OK;
}

static agentchat_agent *actor(const agentchat_env *env, mock *m)
{
    static agentchat_channel_type type;
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;

    type = mock_type;
    type.save = save;
    type.load = load;
    type.edit = edit;
    options.name = AGENTCHAT_STR("A");
    options.channel = &type;
    options.user = m;
    return test_agent_new(env, &options);
}

/* A chat whose one channel is saved as now.save says. */
static agentchat_snapshot *save_once(const agentchat_env *env)
{
    mock m = {.says = "m"};
    agentchat_chat *chat = test_chat_new(env);
    agentchat_snapshot *snapshot;

    add_agent(chat, actor(env, &m));
    invoke(chat, "A");
    snapshot = capture(chat);
    agentchat_chat_free(chat);
    return snapshot;
}

static agentchat_status play_save(const agentchat_env *env, agentchat_error *err, agentchat_channel_kind kind)
{
    agentchat_snapshot *snapshot;

    now.err = err;
    snapshot = save_once(env);
    assert_int_equal(agentchat_channel_state_kind(agentchat_snapshot_channel(snapshot, 0)), kind);
    if (kind != AGENTCHAT_CHANNEL_MESSAGES)
        assert_int_equal(agentchat_channel_state_data(agentchat_snapshot_channel(snapshot, 0)).len, sweep_long().len);
    agentchat_snapshot_unref(snapshot);
    return now.status;
}

static agentchat_status save_text(agentchat_channel_save *out, agentchat_error *err)
{
    sweep_begin();
    now.status = agentchat_channel_save_text(out, sweep_long(), now.err);
    sweep_end();
    return now.status < 0 ? agentchat_channel_save_text(out, sweep_long(), err) : AGENTCHAT_OK;
}

static agentchat_status state_set_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    now = (play){.save = save_text};
    return play_save(env, err, AGENTCHAT_CHANNEL_TEXT);
}

static agentchat_status save_bytes(agentchat_channel_save *out, agentchat_error *err)
{
    sweep_begin();
    now.status = agentchat_channel_save_bytes(out, sweep_long(), now.err);
    sweep_end();
    return now.status < 0 ? agentchat_channel_save_bytes(out, sweep_long(), err) : AGENTCHAT_OK;
}

static agentchat_status state_set_bytes(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    now = (play){.save = save_bytes};
    return play_save(env, err, AGENTCHAT_CHANNEL_BYTES);
}

static agentchat_status save_messages(agentchat_channel_save *out, agentchat_error *err)
{
    agentchat_messages *list = NULL;
    agentchat_status status = agentchat_messages_new(now.env, (const agentchat_message *const *)&to_say, 1, &list, err);

    assert_int_equal(status, AGENTCHAT_OK);
    sweep_begin();
    now.status = agentchat_channel_save_messages(out, list, now.err);
    sweep_end();
    agentchat_messages_unref(list);
    return now.status;
}

static agentchat_status state_set_messages(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;

    (void)variant;
    to_say = sweep_message(env, "kept");
    now = (play){.save = save_messages, .env = env};
    status = play_save(env, err, AGENTCHAT_CHANNEL_MESSAGES);
    agentchat_message_unref(to_say);
    return status;
}

static void look_at_state(const agentchat_channel_load *in)
{
    agentchat_channel_kind kind;
    agentchat_str data;
    const agentchat_messages *messages;
    const agentchat_snapshot *chat;
    const agentchat_env *env;
    size_t synced, count;

    sweep_begin();
    kind = agentchat_channel_load_kind(in);
    data = agentchat_channel_load_data(in);
    messages = agentchat_channel_load_messages(in);
    chat = agentchat_channel_load_chat(in);
    synced = agentchat_channel_load_synced(in);
    count = agentchat_channel_load_history_count(in);
    env = agentchat_channel_load_env(in);
    sweep_end();
    assert_int_equal(kind, AGENTCHAT_CHANNEL_TEXT);
    assert_int_equal(data.len, sweep_long().len);
    assert_null(messages);
    assert_null(chat);
    assert_int_equal(synced, 1);
    assert_int_equal(count, 1);
    assert_ptr_equal(env, now.env);
}

static agentchat_status save_quietly(agentchat_channel_save *out, agentchat_error *err)
{
    return agentchat_channel_save_text(out, sweep_long(), err);
}

static agentchat_status look_while_restoring(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_chat *chat = test_chat_new(env);
    agentchat_snapshot *snapshot;
    mock m = {.says = "m"};

    (void)variant;
    now = (play){.save = save_quietly, .look = look_at_state, .env = env};
    snapshot = save_once(env);
    add_agent(chat, actor(env, &m));
    test_ok(agentchat_chat_restore(chat, snapshot, NULL, NULL, err), err);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    return AGENTCHAT_OK;
}

/* ---- editing ---------------------------------------------------------------------------------------------------- */

static void look_at_edit(const agentchat_channel_edit *in)
{
    const agentchat_list_edit *of_history;
    const agentchat_messages *history;
    const agentchat_env *env;

    sweep_begin();
    of_history = agentchat_channel_edit_of_history(in);
    history = agentchat_channel_edit_history(in);
    env = agentchat_channel_edit_env(in);
    sweep_end();
    assert_int_equal(agentchat_list_edit_result_length(of_history), 1);
    assert_texts(history, "first;m;");
    assert_ptr_equal(env, now.env);
}

/* The history's messages in another list, and a copy of one, which is found by what it says. */
static void list_edit(const agentchat_channel_edit *in)
{
    const agentchat_messages *history = agentchat_channel_edit_history(in);
    agentchat_message *copy = sweep_message(NULL, "first");
    const agentchat_message *held[2] = {copy, agentchat_messages_at(history, 1)};
    agentchat_messages *list = NULL, *edited = NULL;
    agentchat_list_edit *made = NULL;
    agentchat_error err;

    test_ok(agentchat_messages_new(NULL, held, 2, &list, &err), &err);
    sweep_begin();
    now.status = agentchat_channel_edit_list(in, list, NULL, NULL, &made, now.err);
    sweep_end();
    if (now.status < 0)
        test_ok(agentchat_channel_edit_list(in, list, NULL, NULL, &made, &err), &err);
    test_ok(agentchat_list_edit_apply(made, list, &edited, &err), &err);
    assert_texts(edited, "m;");
    agentchat_list_edit_free(made);
    agentchat_messages_unref(edited);
    agentchat_messages_unref(list);
    agentchat_message_unref(copy);
}

/* An edit that removes the first of two messages. */
static agentchat_status play_edit(const agentchat_env *env, agentchat_error *err,
                                  void (*do_edit)(const agentchat_channel_edit *in))
{
    agentchat_chat *chat = test_chat_new(env);
    agentchat_list_edit *removal = NULL;
    agentchat_error other;
    mock m = {.says = "m"};

    now = (play){.save = save_quietly, .edit = do_edit, .env = env, .err = err};
    add_agent(chat, actor(env, &m));
    add_text(chat, "first");
    invoke(chat, "A");
    test_ok(agentchat_list_edit_new(NULL, 2, &removal, &other), &other);
    test_ok(agentchat_list_edit_remove(removal, 0, 1, &other), &other);
    test_ok(agentchat_chat_edit(chat, removal, NULL, &other), &other);
    agentchat_list_edit_free(removal);
    agentchat_chat_free(chat);
    return now.status;
}

static agentchat_status look_while_editing(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return play_edit(env, err, look_at_edit);
}

static agentchat_status channel_edit_list(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return play_edit(env, err, list_edit);
}

static const sweep_row rows[] = {
    {"agentchat_replies_seen", look_while_answering, SWEEP_NEVER, 2},
    {"agentchat_replies_add_document", replies_add_document, SWEEP_ALLOCATES, 2},
    {"agentchat_replies_add_text", replies_add_text, SWEEP_ALLOCATES, 2},
    {"agentchat_replies_add", replies_add, SWEEP_ALLOCATES, 2},
    {"agentchat_replies_set_value", replies_set_value, SWEEP_ALLOCATES, 2},
    {"agentchat_replies_update", replies_update, SWEEP_ALLOCATES, 2},
    {"agentchat_replies_partial", look_while_answering, SWEEP_NEVER, 2},
    {"agentchat_replies_agent", look_while_answering, SWEEP_NEVER, 2},
    {"agentchat_replies_env", look_while_answering, SWEEP_NEVER, 2},
    {"agentchat_replies_is_interrupted", look_while_answering, SWEEP_NEVER, 2},
    {"agentchat_channel_save_text", state_set_text, SWEEP_ALLOCATES, 0},
    {"agentchat_channel_save_bytes", state_set_bytes, SWEEP_ALLOCATES, 0},
    {"agentchat_channel_save_messages", state_set_messages, SWEEP_NEVER, 0},
    {"agentchat_channel_load_kind", look_while_restoring, SWEEP_NEVER, 0},
    {"agentchat_channel_load_data", look_while_restoring, SWEEP_NEVER, 0},
    {"agentchat_channel_load_messages", look_while_restoring, SWEEP_NEVER, 0},
    {"agentchat_channel_load_chat", look_while_restoring, SWEEP_NEVER, 0},
    {"agentchat_channel_load_synced", look_while_restoring, SWEEP_NEVER, 0},
    {"agentchat_channel_load_history_count", look_while_restoring, SWEEP_NEVER, 0},
    {"agentchat_channel_load_env", look_while_restoring, SWEEP_NEVER, 0},
    {"agentchat_channel_edit_list", channel_edit_list, SWEEP_ALLOCATES, 0},
    {"agentchat_channel_edit_of_history", look_while_editing, SWEEP_NEVER, 0},
    {"agentchat_channel_edit_history", look_while_editing, SWEEP_NEVER, 0},
    {"agentchat_channel_edit_env", look_while_editing, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.callbacks", rows, sizeof rows / sizeof *rows);
}
