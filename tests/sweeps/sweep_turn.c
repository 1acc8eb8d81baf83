/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/turn.h and of what watches and interrupts a chat. */
#include "sweep_world.h"

#include <agentchat/provider.h>

enum { KINDS = 5 };

/* A chat in which every channel is to be made (the first five variants) or has been used (the next five). */
static agentchat_str begin_world(world *w, const agentchat_env *env, unsigned variant)
{
    if (variant < KINDS) {
        world_begin(w, env, WORLD_ALL);
        add_text(w->chat, "first");
    } else {
        world_begin_used(w, env, WORLD_ALL);
    }
    sweep_may_swallow(); /* what another channel has no memory for stays queued */
    return (agentchat_str){&WORLD_ALL[variant % KINDS], 1};
}

/* What the host says for an agent, and what it tells the channels that have to be told. */
static agentchat_status give_answer(world *w, agentchat_turn *turn, agentchat_error *err)
{
    agentchat_str name = agentchat_agent_name(agentchat_turn_agent(turn));

    if (*name.ptr == 'F' || *name.ptr == 'N') {
        agentchat_chat *inner = agentchat_chat_inner(w->chat, agentchat_turn_agent(turn));

        return agentchat_chat_invoke_next(inner, err);
    }
    if (*name.ptr == 'M')
        mock_note(w->m.channel->seen, sizeof w->m.channel->seen, AGENTCHAT_STR("said"));
    if (*name.ptr == 'T')
        mock_note(w->thread, sizeof w->thread, AGENTCHAT_STR("said"));
    return agentchat_turn_add_text(turn, AGENTCHAT_STR("said"), err);
}

static agentchat_status turn_begin(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_turn *turn = NULL;
    agentchat_error again;
    agentchat_status status;
    agentchat_str name;
    world w;

    name = begin_world(&w, env, variant);
    sweep_begin();
    status = agentchat_turn_begin(w.chat, name, &turn, err);
    sweep_end();
    assert_int_equal(turn != NULL, status >= 0);
    if (status < 0)
        test_ok(agentchat_turn_begin(w.chat, name, &turn, &again), &again);
    test_ok(give_answer(&w, turn, &again), &again);
    test_ok(agentchat_turn_end(turn, &again), &again);
    world_check(&w);
    world_end(&w);
    return status;
}

/* Of a history agent: the channel's list and the history take what is said, or neither does. */
static agentchat_status say_first(const agentchat_env *env, bool as_text, agentchat_error *err)
{
    agentchat_message *message = NULL;
    agentchat_turn *turn = NULL;
    agentchat_error again;
    agentchat_status status;
    size_t before;
    world w;

    world_begin(&w, env, "H"); /* empty lists have no room yet */
    before = agentchat_chat_message_count(w.chat);
    test_ok(
        agentchat_message_new_text(env, "assistant", (agentchat_str){"H", 1}, AGENTCHAT_STR("said"), &message, &again),
        &again);
    test_ok(agentchat_turn_begin(w.chat, AGENTCHAT_STR("H"), &turn, &again), &again);
    sweep_begin();
    status =
        as_text ? agentchat_turn_add_text(turn, AGENTCHAT_STR("said"), err) : agentchat_turn_add(turn, message, err);
    sweep_end();
    assert_int_equal(agentchat_chat_message_count(w.chat), before + (status >= 0));
    test_ok(agentchat_turn_end(turn, &again), &again);
    world_check(&w);
    agentchat_message_unref(message);
    world_end(&w);
    return status;
}

static agentchat_status turn_add(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return say_first(env, false, err);
}

static agentchat_status turn_add_text(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return say_first(env, true, err);
}

#define ANSWER                                                                                                         \
    AGENTCHAT_STR("{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"said\"}]}")

/* The answer of a provider is said, or nothing of it. */
static agentchat_status turn_add_document(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_report *report = NULL;
    agentchat_turn *turn = NULL;
    agentchat_error again;
    agentchat_status status;
    size_t before;
    world w;

    world_begin(&w, env, "H");
    before = agentchat_chat_message_count(w.chat);
    test_ok(agentchat_turn_begin(w.chat, AGENTCHAT_STR("H"), &turn, &again), &again);
    sweep_begin();
    status = agentchat_turn_add_document(turn, variant == 0 ? "anthropic" : NULL, ANSWER, variant == 0 ? &report : NULL,
                                         err);
    sweep_end();
    assert_int_equal(agentchat_chat_message_count(w.chat), before + (status >= 0));
    test_ok(agentchat_turn_end(turn, &again), &again);
    world_check(&w);
    agentchat_report_free(report);
    world_end(&w);
    return status;
}

static agentchat_status format_options_init(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages_format_options options;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_messages_format_options_init(&options, sizeof options);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status messages_format(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages_format_options options;
    agentchat_bytes out = AGENTCHAT_BYTES_INIT;
    agentchat_report *report = NULL;
    agentchat_status status;
    world w;

    agentchat_messages_format_options_init(&options, sizeof options);
    options.instructions = AGENTCHAT_STR("Be brief.");
    world_begin(&w, env, "H");
    add_text(w.chat, "first");
    sweep_begin();
    status = agentchat_messages_format(agentchat_chat_history(w.chat), variant == 0 ? "anthropic" : "openai-chat",
                                       variant == 2 ? (agentchat_str){NULL, 0} : AGENTCHAT_STR("{\"model\":\"m\"}"),
                                       variant == 1 ? NULL : &options, &out, &report, err);
    sweep_end();
    assert_int_equal(out.len > 0, status >= 0);
    agentchat_report_free(report);
    agentchat_bytes_clear(&out);
    world_end(&w);
    return status;
}

/* A turn that is dropped leaves the values as they were. */
static agentchat_status change_value(const agentchat_env *env, bool updates, agentchat_error *err)
{
    agentchat_str name = AGENTCHAT_STR("v"), value = AGENTCHAT_STR("[2]");
    agentchat_turn *turn = NULL;
    agentchat_error again;
    agentchat_status status;
    world w;

    world_begin(&w, env, "H");
    test_ok(agentchat_chat_set_value(w.chat, name, (agentchat_str){NULL, 0}, AGENTCHAT_STR("[1]"), &again), &again);
    test_ok(agentchat_turn_begin(w.chat, AGENTCHAT_STR("H"), &turn, &again), &again);
    sweep_begin();
    status = updates ? agentchat_turn_update(turn, name, value, err) : agentchat_turn_set_value(turn, name, value, err);
    sweep_end();
    agentchat_turn_free(turn);
    assert_str(agentchat_chat_value(w.chat, name, NULL), "[1]");
    world_end(&w);
    return status;
}

static agentchat_status turn_set_value(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return change_value(env, false, err);
}

static agentchat_status turn_update(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    (void)variant;
    return change_value(env, true, err);
}

static agentchat_status turn_end(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_turn *turn = NULL;
    agentchat_error again;
    agentchat_status status;
    agentchat_str name;
    world w;

    name = begin_world(&w, env, KINDS + variant); /* all have channels, which are given what was said */
    test_ok(agentchat_turn_begin(w.chat, name, &turn, &again), &again);
    test_ok(give_answer(&w, turn, &again), &again);
    sweep_begin();
    status = agentchat_turn_end(turn, err);
    sweep_end();
    add_text(w.chat, "the chat is free again");
    world_check(&w);
    world_end(&w);
    return status;
}

static agentchat_status watch(void *user, agentchat_chat *chat, agentchat_error *err)
{
    (void)user;
    (void)chat;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status look(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_chat_observer observer;
    const agentchat_messages *history;
    const agentchat_agent *agent;
    size_t count;
    agentchat_turn *turn = NULL;
    agentchat_status status;
    agentchat_str remote;
    void *channel;
    world w;

    (void)variant;
    world_begin_used(&w, env, "H");
    test_ok(agentchat_turn_begin(w.chat, AGENTCHAT_STR("H"), &turn, err), err);
    sweep_begin();
    agent = agentchat_turn_agent(turn);
    history = agentchat_turn_history(turn);
    count = agentchat_messages_count(history);
    channel = agentchat_turn_channel(turn);
    remote = agentchat_turn_remote_id(turn);
    assert_null(agentchat_turn_partial(turn));
    agentchat_turn_free(turn);
    agentchat_chat_observer_init(&observer, sizeof observer);
    observer.on_input = watch;
    status = agentchat_chat_set_observer(w.chat, &observer, err);
    agentchat_chat_interrupt(w.chat);
    sweep_end();
    test_ok(status, err);
    assert_ptr_equal(agent, agentchat_chat_agent(w.chat, 0));
    assert_int_equal(count, 3);
    assert_null(channel);
    assert_null(remote.ptr);
    world_end(&w);
    return status;
}

static const sweep_row rows[] = {
    {"agentchat_turn_begin", turn_begin, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * KINDS},
    {"agentchat_turn_add", turn_add, SWEEP_ALLOCATES, 1},
    {"agentchat_turn_add_document", turn_add_document, SWEEP_ALLOCATES, 2},
    {"agentchat_messages_format", messages_format, SWEEP_ALLOCATES, 3},
    {"agentchat_messages_format_options_init", format_options_init, SWEEP_NEVER, 0},
    {"agentchat_turn_add_text", turn_add_text, SWEEP_ALLOCATES, 1},
    {"agentchat_turn_set_value", turn_set_value, SWEEP_ALLOCATES, 1},
    {"agentchat_turn_update", turn_update, SWEEP_ALLOCATES, 1},
    {"agentchat_turn_partial", look, SWEEP_NEVER, 0},
    {"agentchat_turn_end", turn_end, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, KINDS},
    {"agentchat_turn_free", look, SWEEP_NEVER, 0},
    {"agentchat_turn_agent", look, SWEEP_NEVER, 0},
    {"agentchat_turn_history", look, SWEEP_NEVER, 0},
    {"agentchat_turn_channel", look, SWEEP_NEVER, 0},
    {"agentchat_turn_remote_id", look, SWEEP_NEVER, 0},
    {"agentchat_chat_observer_init", look, SWEEP_NEVER, 0},
    {"agentchat_chat_set_observer", look, SWEEP_NEVER, 0},
    {"agentchat_chat_interrupt", look, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.turn", rows, sizeof rows / sizeof *rows);
}
