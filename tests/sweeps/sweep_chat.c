/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/chat.h: making a chat and running it. Saving and restoring are in sweep_chat_state.c. */
#include "sweep_world.h"

static int freed; /* calls of count_free */

static void count_free(void *user)
{
    (void)user;
    freed++;
}

static agentchat_status chat_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_chat *chat;
    agentchat_status status;

    (void)variant;
    sweep_begin();
    status = agentchat_chat_new(env, &chat, err);
    sweep_end();
    assert_int_equal(chat != NULL, status >= 0);
    agentchat_chat_free(chat);
    return status;
}

/* 0: the first agent; 1: one for which the list of agents has to grow. */
static agentchat_status chat_add_agent(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    size_t before = variant == 0 ? 0 : 8;
    agentchat_agent *agent;
    agentchat_status status;
    world w;

    world_begin(&w, env, "");
    for (size_t i = 0; i < before; i++)
        add_agent(w.chat, speaker(env, "S", "s"));
    options.answer = say;
    options.free_user = count_free;
    agent = test_history_agent_new(env, &options);
    assert_non_null(agent);
    freed = 0;
    sweep_begin();
    status = agentchat_chat_add_agent(w.chat, agent, err);
    sweep_end();
    assert_int_equal(freed, status < 0); /* ownership passes, on failure too */
    assert_int_equal(agentchat_chat_agent_count(w.chat), before + (status >= 0));
    if (status < 0)
        add_agent(w.chat, speaker(env, "S", "s"));
    world_end(&w);
    return status;
}

/* As chat_add_agent; of a failure nothing is left. */
static agentchat_status chat_add_history_agent(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    size_t before = variant == 0 ? 0 : 8;
    agentchat_status status;
    world w;

    world_begin(&w, env, "");
    for (size_t i = 0; i < before; i++)
        add_agent(w.chat, speaker(env, "S", "s"));
    sweep_begin();
    status = agentchat_chat_add_history_agent(w.chat, AGENTCHAT_STR("H"), say, NULL, err);
    sweep_end();
    assert_int_equal(agentchat_chat_agent_count(w.chat), before + (status >= 0));
    if (status < 0)
        add_agent(w.chat, speaker(env, "S", "s"));
    world_end(&w);
    return status;
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

/* 0: to a chat without channels; 1: to one with channels of every kind. A message that a channel has no memory for
   stays queued, and is not lost. */
static void begin_adding(world *w, const agentchat_env *env, unsigned variant)
{
    if (variant == 0) {
        world_begin(w, env, "");
    } else {
        world_begin_used(w, env, WORLD_ALL);
        sweep_may_swallow();
    }
}

/* All or nothing; then all. */
static void check_added(world *w, agentchat_status status, size_t before, size_t added)
{
    assert_int_equal(agentchat_chat_message_count(w->chat), before + (status >= 0 ? added : 0));
    world_check(w);
}

static agentchat_status chat_add_message(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_rich_message(env);
    agentchat_error again;
    agentchat_status status;
    size_t before;
    world w;

    begin_adding(&w, env, variant);
    before = agentchat_chat_message_count(w.chat);
    sweep_begin();
    status = agentchat_chat_add_message(w.chat, message, err);
    sweep_end();
    check_added(&w, status, before, 1);
    if (status < 0)
        test_ok(agentchat_chat_add_message(w.chat, message, &again), &again);
    check_added(&w, AGENTCHAT_OK, before, 1);
    agentchat_message_unref(message);
    world_end(&w);
    return status;
}

enum { MANY = 40 };

static agentchat_status chat_add_messages(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *message = sweep_message(env, "one of many");
    const agentchat_message *messages[MANY];
    agentchat_error again;
    agentchat_status status;
    size_t before;
    world w;

    for (size_t i = 0; i < MANY; i++)
        messages[i] = message;
    begin_adding(&w, env, variant);
    before = agentchat_chat_message_count(w.chat);
    sweep_begin();
    status = agentchat_chat_add_messages(w.chat, messages, MANY, err);
    sweep_end();
    check_added(&w, status, before, MANY);
    if (status < 0)
        test_ok(agentchat_chat_add_messages(w.chat, messages, MANY, &again), &again);
    check_added(&w, AGENTCHAT_OK, before, MANY);
    agentchat_message_unref(message);
    world_end(&w);
    return status;
}

static agentchat_status chat_add_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    size_t before;
    world w;

    begin_adding(&w, env, variant);
    before = agentchat_chat_message_count(w.chat);
    sweep_begin();
    status = agentchat_chat_add_text(w.chat, "user", AGENTCHAT_STR("new"), err);
    sweep_end();
    check_added(&w, status, before, 1);
    if (status < 0)
        test_ok(agentchat_chat_add_text(w.chat, "user", AGENTCHAT_STR("new"), &again), &again);
    check_added(&w, AGENTCHAT_OK, before, 1);
    world_end(&w);
    return status;
}

/* ---- turns ------------------------------------------------------------------------------------------------------ */

/* A turn of each of the agents of WORLD_ALL. 0 to 4: with the channel to be made, while nobody else has one; 5 to 9:
   with all channels there, which receive what was said; 10 to 14: with a state that a restore has kept. */
enum { TURNS = 15 };

static const char *begin_turn(world *w, const agentchat_env *env, unsigned variant)
{
    static char name[2];
    agentchat_error err;

    name[0] = WORLD_ALL[variant % 5];
    if (variant < 5) {
        world_begin(w, env, WORLD_ALL);
        add_text(w->chat, "first");
    } else if (variant < 10) {
        world_begin_used(w, env, WORLD_ALL);
        sweep_may_swallow(); /* what another channel has no memory for stays queued */
    } else {
        world first;
        agentchat_snapshot *snapshot;

        world_begin_used(&first, NULL, name);
        snapshot = through_bytes(capture(first.chat));
        world_begin(w, env, "");
        add_agent(w->chat, world_speaker(env, "another", "id-another", "a"));
        if (name[0] == 'H') /* all history agents share a channel, which another one would take */
            add_agent(w->chat, world_agent(w, name[0]));
        test_ok(agentchat_chat_restore(w->chat, snapshot, NULL, NULL, &err), &err);
        if (name[0] != 'H') {
            assert_int_equal(agentchat_chat_kept_count(w->chat), 1);
            add_agent(w->chat, world_agent(w, name[0]));
        }
        memcpy(w->thread, first.thread, sizeof w->thread); /* the remote thread goes on */
        agentchat_snapshot_unref(snapshot);
        world_end(&first);
    }
    return name;
}

/* After a turn that failed everybody knows the same, and what was said before the failure was said; one that was had
   again says it. */
static void check_turn(world *w, agentchat_status status, size_t before)
{
    size_t now = agentchat_chat_message_count(w->chat);

    assert_true(status >= 0 ? now > before : now <= before + 1);
    world_check(w);
}

static agentchat_status chat_invoke(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    const char *name;
    size_t before;
    world w;

    name = begin_turn(&w, env, variant);
    before = agentchat_chat_message_count(w.chat);
    sweep_begin();
    status = agentchat_chat_invoke(w.chat, agentchat_str_from(name), err);
    sweep_end();
    check_turn(&w, status, before);
    if (status < 0)
        test_ok(agentchat_chat_invoke(w.chat, agentchat_str_from(name), &again), &again);
    check_turn(&w, AGENTCHAT_OK, before);
    world_end(&w);
    return status;
}

static agentchat_status chat_invoke_agent(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_agent *agent = NULL;
    agentchat_error again;
    agentchat_status status;
    const char *name;
    size_t before;
    world w;

    name = begin_turn(&w, env, variant);
    for (size_t i = 0; i < agentchat_chat_agent_count(w.chat); i++)
        if (agentchat_str_equal(agentchat_agent_name(agentchat_chat_agent(w.chat, i)), agentchat_str_from(name)))
            agent = agentchat_chat_agent(w.chat, i);
    before = agentchat_chat_message_count(w.chat);
    sweep_begin();
    status = agentchat_chat_invoke_agent(w.chat, agent, err);
    sweep_end();
    check_turn(&w, status, before);
    if (status < 0)
        test_ok(agentchat_chat_invoke_agent(w.chat, agent, &again), &again);
    check_turn(&w, AGENTCHAT_OK, before);
    world_end(&w);
    return status;
}

static agentchat_status select_fourth(void *user, const agentchat_chat *chat, const agentchat_agent **out,
                                      agentchat_error *err)
{
    (void)user;
    (void)err;
    *out = agentchat_chat_agent(chat, 3);
    return AGENTCHAT_OK;
}

static agentchat_status never_complete(void *user, const agentchat_chat *chat, const agentchat_agent *spoke, bool *out,
                                       agentchat_error *err)
{
    (void)user;
    (void)chat;
    (void)spoke;
    (void)err;
    *out = false;
    return AGENTCHAT_OK;
}

/* 0: a turn of each; 1: turns of an agent that is selected. */
static agentchat_status chat_run(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;
    agentchat_error again;
    agentchat_status status;
    world w;

    options.max_turns = 5;
    if (variant == 1) {
        options.select = select_fourth;
        options.is_complete = never_complete;
    }
    world_begin(&w, env, WORLD_ALL);
    add_text(w.chat, "first");
    sweep_may_swallow(); /* what another channel has no memory for stays queued */
    sweep_begin();
    status = agentchat_chat_run(w.chat, &options, err);
    sweep_end();
    world_check(&w);
    assert_true(status < 0 || agentchat_chat_message_count(w.chat) == 6);
    if (status < 0)
        test_ok(agentchat_chat_run(w.chat, &options, &again), &again);
    world_check(&w);
    world_end(&w);
    return status;
}

/* 0: the first of the agents; 1: the second, when the first has its channel. A turn that failed can be had again. */
static agentchat_status chat_invoke_next(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    world w;

    world_begin(&w, env, "HM");
    if (variant == 1) {
        test_ok(agentchat_chat_invoke_next(w.chat, &again), &again);
        sweep_may_swallow(); /* what another channel has no memory for stays queued */
    }
    sweep_begin();
    status = agentchat_chat_invoke_next(w.chat, err);
    sweep_end();
    world_check(&w);
    if (status < 0)
        test_ok(agentchat_chat_invoke_next(w.chat, &again), &again);
    assert_str(agentchat_message_text(agentchat_chat_newest(w.chat, 0)), variant == 0 ? "h" : "m");
    world_check(&w);
    world_end(&w);
    return status;
}

/* ---- the rest --------------------------------------------------------------------------------------------------- */

/* A chat whose channels have messages to get: restored from a state that says so. */
static void begin_queued(world *w, const agentchat_env *env, const char *agents)
{
    size_t positions[20];
    agentchat_snapshot_builder *builder;
    agentchat_message *message = sweep_message(env, "p");
    agentchat_snapshot *snapshot;
    agentchat_error err;
    world first;
    size_t count;

    world_begin_used(&first, env, agents);
    snapshot = capture(first.chat);
    count = agentchat_messages_count(agentchat_snapshot_history(snapshot));
    builder = test_snapshot_builder(env, snapshot);
    for (size_t i = 0; i < 20; i++) {
        agentchat_snapshot_builder_add_message(builder, message);
        positions[i] = count + i;
    }
    for (size_t i = 0; i < agentchat_snapshot_channel_count(snapshot); i++)
        agentchat_snapshot_builder_set_pending(
            builder, agentchat_channel_state_key(agentchat_snapshot_channel(snapshot, i)), positions, 20);
    agentchat_message_unref(message);
    agentchat_snapshot_unref(snapshot);
    world_end(&first);
    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    world_begin(w, env, agents);
    test_ok(agentchat_chat_restore(w->chat, snapshot, NULL, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
}

/* 0: a history channel; 1: a chat inside. */
static agentchat_status chat_channel_history(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_messages *list = NULL;
    agentchat_agent *agent;
    agentchat_error again;
    agentchat_status status;
    world w;

    begin_queued(&w, env, variant == 0 ? "H" : "F");
    if (variant == 1)
        sweep_may_swallow(); /* what a channel of the chat inside has no memory for stays queued there */
    agent = agentchat_chat_agent(w.chat, 0);
    sweep_begin();
    status = agentchat_chat_channel_history(w.chat, agent, &list, err);
    sweep_end();
    if (status < 0) {
        assert_null(list);
        test_ok(agentchat_chat_channel_history(w.chat, agent, &list, &again), &again);
    }
    assert_int_equal(agentchat_messages_count(list), agentchat_chat_message_count(w.chat));
    world_check(&w);
    world_end(&w);
    return status;
}

/* Channels of every kind: some are emptied, the others are released and made anew at their next use. */
static agentchat_status chat_reset(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_status status;
    world w;

    (void)variant;
    world_begin_used(&w, env, WORLD_ALL);
    sweep_begin();
    status = agentchat_chat_reset(w.chat, err);
    sweep_end();
    assert_int_equal(agentchat_chat_message_count(w.chat), 0);
    w.thread[0] = '\0';
    add_text(w.chat, "new");
    invoke(w.chat, "F");
    world_check(&w);
    world_end(&w);
    return status;
}

/* An edit that concerns every channel; the last message is the only one that M and T have not been given. */
static agentchat_status chat_edit(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_message *summary = sweep_message(NULL, "summary");
    agentchat_list_edit *edit = NULL;
    agentchat_report *report = NULL;
    agentchat_error again;
    agentchat_status status;
    world w;

    world_begin_used(&w, env, WORLD_ALL);
    test_ok(agentchat_list_edit_new(NULL, agentchat_chat_message_count(w.chat), &edit, &again), &again);
    test_ok(agentchat_list_edit_insert(edit, agentchat_chat_message_count(w.chat), summary, &again), &again);
    if (variant == 1)
        test_ok(agentchat_list_edit_remove(edit, 0, 1, &again), &again);
    sweep_begin();
    status = agentchat_chat_edit(w.chat, edit, variant == 1 ? &report : NULL, err);
    sweep_end();
    agentchat_report_free(report);
    if (status < 0) {
        world_check(&w);
        test_ok(agentchat_chat_edit(w.chat, edit, NULL, &again), &again);
    }
    if (variant == 0)
        world_check(&w);
    assert_str(agentchat_message_text(agentchat_chat_newest(w.chat, 0)), "summary");
    agentchat_message_unref(summary);
    agentchat_list_edit_free(edit);
    world_end(&w);
    return status;
}

/* 0: JSON; 1: bytes; 2: in place of a value that is there. */
static agentchat_status chat_set_value_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_str text = AGENTCHAT_STR("a \"b\"");
    agentchat_error again;
    agentchat_status status;
    world w;

    (void)variant;
    world_begin(&w, env, "");
    test_ok(agentchat_chat_set_value(w.chat, AGENTCHAT_STR("v"), NONE, AGENTCHAT_STR("[0]"), &again), &again);
    sweep_begin();
    status = agentchat_chat_set_value_text(w.chat, AGENTCHAT_STR("v"), text, err);
    sweep_end();
    if (status < 0) {
        assert_str(agentchat_chat_value(w.chat, AGENTCHAT_STR("v"), NULL), "[0]");
        test_ok(agentchat_chat_set_value_text(w.chat, AGENTCHAT_STR("v"), text, &again), &again);
    }
    assert_str(agentchat_chat_value(w.chat, AGENTCHAT_STR("v"), NULL), "\"a \\\"b\\\"\"");
    test_ok(agentchat_chat_set_value_text(w.chat, AGENTCHAT_STR("v"), NONE, &again), &again);
    assert_null(agentchat_chat_value(w.chat, AGENTCHAT_STR("v"), NULL).ptr);
    world_end(&w);
    return status;
}

static agentchat_status chat_set_value(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_str media_type = variant == 1 ? AGENTCHAT_STR("image/png") : NONE, value;
    agentchat_error again;
    agentchat_status status;
    world w;

    world_begin(&w, env, "");
    if (variant == 2)
        test_ok(agentchat_chat_set_value(w.chat, AGENTCHAT_STR("v"), NONE, AGENTCHAT_STR("[0]"), &again), &again);
    sweep_begin();
    status = agentchat_chat_set_value(w.chat, AGENTCHAT_STR("v"), media_type, sweep_long(), err);
    sweep_end();
    if (status < 0) {
        value = agentchat_chat_value(w.chat, AGENTCHAT_STR("v"), NULL);
        assert_true(agentchat_str_equal(value, variant == 2 ? AGENTCHAT_STR("[0]") : NONE));
        test_ok(agentchat_chat_set_value(w.chat, AGENTCHAT_STR("v"), media_type, sweep_long(), &again), &again);
    }
    assert_true(agentchat_str_equal(agentchat_chat_value(w.chat, AGENTCHAT_STR("v"), NULL), sweep_long()));
    world_end(&w);
    return status;
}

static agentchat_status look_at_chat(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_str value, media_type;
    const agentchat_messages *history;
    const agentchat_message *newest;
    agentchat_chat *inner, *no_inner;
    agentchat_agent *agent;
    size_t agents, messages, none;
    bool complete;
    world w;

    (void)variant;
    world_begin_used(&w, env, WORLD_ALL);
    test_ok(agentchat_chat_set_value(w.chat, AGENTCHAT_STR("v"), NONE, AGENTCHAT_STR("[0]"), err), err);
    sweep_begin();
    agents = agentchat_chat_agent_count(w.chat);
    agent = agentchat_chat_agent(w.chat, 4);
    inner = agentchat_chat_inner(w.chat, agent);
    no_inner = agentchat_chat_inner(w.chat, agentchat_chat_agent(w.chat, 0));
    messages = agentchat_chat_message_count(w.chat);
    none = agentchat_chat_message_count(NULL) + agentchat_chat_agent_count(NULL);
    newest = agentchat_chat_newest(w.chat, 0);
    history = agentchat_chat_history(w.chat);
    agentchat_chat_set_complete(w.chat, true);
    complete = agentchat_chat_is_complete(w.chat);
    value = agentchat_chat_value(w.chat, AGENTCHAT_STR("v"), &media_type);
    sweep_end();
    assert_int_equal(agents + none, 5);
    assert_int_equal(messages, 7);
    assert_int_equal(agentchat_messages_count(history), 7);
    assert_str(agentchat_message_text(newest), "then");
    assert_true(inner != NULL && no_inner == NULL && complete);
    assert_str(value, "[0]");
    sweep_begin();
    agentchat_chat_free(NULL);
    agentchat_chat_free(w.chat);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_run_options run;
    agentchat_capture_options capturing;
    agentchat_restore_options restoring;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_run_options_init(&run, sizeof run);
    agentchat_capture_options_init(&capturing, sizeof capturing);
    agentchat_restore_options_init(&restoring, sizeof restoring);
    sweep_end();
    assert_int_equal(run.struct_size, sizeof run);
    assert_int_equal(capturing.struct_size, sizeof capturing);
    assert_int_equal(restoring.struct_size, sizeof restoring);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_chat_new", chat_new, SWEEP_ALLOCATES, 0},
    {"agentchat_chat_free", look_at_chat, SWEEP_NEVER, 0},
    {"agentchat_chat_add_agent", chat_add_agent, SWEEP_ALLOCATES, 2},
    {"agentchat_chat_add_history_agent", chat_add_history_agent, SWEEP_ALLOCATES, 2},
    {"agentchat_run_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_capture_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_restore_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_chat_agent_count", look_at_chat, SWEEP_NEVER, 0},
    {"agentchat_chat_agent", look_at_chat, SWEEP_NEVER, 0},
    /* May swallow, here and with turns: the delivery to a channel, which then happens at the channel's next use. */
    {"agentchat_chat_add_message", chat_add_message, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2},
    {"agentchat_chat_add_messages", chat_add_messages, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2},
    {"agentchat_chat_add_text", chat_add_text, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2},
    {"agentchat_chat_invoke", chat_invoke, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, TURNS},
    {"agentchat_chat_invoke_agent", chat_invoke_agent, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, TURNS},
    {"agentchat_chat_run", chat_run, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2},
    {"agentchat_chat_invoke_next", chat_invoke_next, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2},
    {"agentchat_chat_is_complete", look_at_chat, SWEEP_NEVER, 0},
    {"agentchat_chat_set_complete", look_at_chat, SWEEP_NEVER, 0},
    {"agentchat_chat_history", look_at_chat, SWEEP_NEVER, 0},
    {"agentchat_chat_message_count", look_at_chat, SWEEP_NEVER, 0},
    {"agentchat_chat_newest", look_at_chat, SWEEP_NEVER, 0},
    {"agentchat_chat_channel_history", chat_channel_history, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2},
    {"agentchat_chat_inner", look_at_chat, SWEEP_NEVER, 0},
    {"agentchat_chat_reset", chat_reset, SWEEP_NEVER, 0},
    {"agentchat_chat_edit", chat_edit, SWEEP_ALLOCATES, 2},
    {"agentchat_chat_set_value", chat_set_value, SWEEP_ALLOCATES, 3},
    {"agentchat_chat_set_value_text", chat_set_value_text, SWEEP_ALLOCATES, 0},
};

int main(void)
{
    return sweep_main("sweep.chat", rows, sizeof rows / sizeof *rows);
}
