/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chat with an agent of every kind, to sweep with: H, a history agent; M, one with a channel of its own kind, which
 * records what it sees; T, one with a remote thread, which records as well; F and N, aggregators, flat and nested.
 */
#ifndef SWEEP_WORLD_H
#define SWEEP_WORLD_H

#include "sweep.h"

#include "unit/chat/chat_mock.h"

#define WORLD_ALL "HMTFN"

typedef struct world {
    const agentchat_env *env;
    agentchat_chat *chat;
    mock m;
    char thread[8192]; /* what the thread of T knows: "text;text;" */
} world;

/* ---- agents ----------------------------------------------------------------------------------------------------- */

static inline agentchat_status world_thread_create(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    world *w = user;

    w->thread[0] = '\0';
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("thread-of-the-agent-T"), err);
}

static inline agentchat_status world_thread_post(void *user, agentchat_str id, const agentchat_messages *batch,
                                                 agentchat_error *err)
{
    world *w = user;

    (void)err;
    assert_str(id, "thread-of-the-agent-T");
    for (size_t i = 0; i < agentchat_messages_count(batch); i++)
        mock_note(w->thread, sizeof w->thread, agentchat_message_text(agentchat_messages_at(batch, i)));
    return AGENTCHAT_OK;
}

static inline agentchat_status world_thread_answer(void *user, agentchat_str id, agentchat_replies *out,
                                                   agentchat_error *err)
{
    world *w = user;
    agentchat_status status = agentchat_replies_add_text(out, AGENTCHAT_STR("t"), err);

    (void)id;
    if (status >= 0)
        mock_note(w->thread, sizeof w->thread, AGENTCHAT_STR("t"));
    return status;
}

static inline agentchat_agent *world_thread(world *w)
{
    static const agentchat_remote_ops ops = {sizeof ops, world_thread_create, world_thread_post, world_thread_answer,
                                             NULL};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.name = AGENTCHAT_STR("T");
    options.id = AGENTCHAT_STR("id-T");
    options.type = "test.ThreadAgent";
    options.channel_type = "test.ThreadChannel";
    options.ops = &ops;
    options.user = w;
    return test_remote_agent_new(w->env, &options);
}

static inline agentchat_agent *world_speaker(const agentchat_env *env, const char *name, const char *id,
                                             const char *text)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.name = agentchat_str_from(name);
    options.id = agentchat_str_from(id);
    options.answer = say;
    options.user = (void *)(uintptr_t)text;
    return test_history_agent_new(env, &options);
}

static inline agentchat_status world_make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    const world *w = user;
    agentchat_chat *chat = test_chat_new(w->env);
    agentchat_status status = test_add_agent(chat, world_speaker(w->env, "I", "id-I", "i"), err);

    if (status < 0) {
        agentchat_chat_free(chat);
        chat = NULL;
    }
    *out = chat;
    return status;
}

static inline agentchat_agent *world_group(world *w, agentchat_aggregator_mode mode)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = mode == AGENTCHAT_AGGREGATOR_FLAT ? AGENTCHAT_STR("F") : AGENTCHAT_STR("N");
    options.id = mode == AGENTCHAT_AGGREGATOR_FLAT ? AGENTCHAT_STR("id-F") : AGENTCHAT_STR("id-N");
    options.mode = mode;
    options.make = world_make_inner;
    options.user = w;
    return test_aggregator_new(w->env, &options);
}

static inline agentchat_agent *world_recorder(world *w)
{
    static const char *const keys[] = {MOCK_TYPE, "M"};
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;

    options.name = AGENTCHAT_STR("M");
    options.id = AGENTCHAT_STR("id-M");
    options.channel = &mock_type;
    options.keys = keys;
    options.key_count = 2;
    options.user = &w->m;
    return test_agent_new(w->env, &options);
}

static inline agentchat_agent *world_agent(world *w, char which)
{
    switch (which) {
    case 'H':
        return world_speaker(w->env, "H", "id-H", "h");
    case 'M':
        return world_recorder(w);
    case 'T':
        return world_thread(w);
    case 'F':
        return world_group(w, AGENTCHAT_AGGREGATOR_FLAT);
    default:
        return world_group(w, AGENTCHAT_AGGREGATOR_NESTED);
    }
}

/* ---- the chat --------------------------------------------------------------------------------------------------- */

/* A chat of some of the agents, such as "HM". */
static inline void world_begin(world *w, const agentchat_env *env, const char *agents)
{
    *w = (world){.env = env, .m = {.says = "m"}};
    w->chat = test_chat_new(env);
    for (; *agents != '\0'; agents++)
        add_agent(w->chat, world_agent(w, *agents));
}

/* The same after a message and a turn of each agent, and another message. */
static inline void world_begin_used(world *w, const agentchat_env *env, const char *agents)
{
    world_begin(w, env, agents);
    add_text(w->chat, "first");
    for (; *agents != '\0'; agents++)
        invoke(w->chat, (char[2]){*agents, '\0'});
    add_text(w->chat, "then");
}

static inline void world_end(world *w)
{
    agentchat_chat_free(w->chat);
    assert_int_equal(w->m.frees, w->m.creates + w->m.restores);
}

/* Every channel knows what the chat's history holds: nothing was missed, nothing came twice. N is left out, whose inner
   chat has a history of its own. */
static inline void world_check(world *w)
{
    char expected[8192], seen[8192];

    texts(agentchat_chat_history(w->chat), expected);
    for (size_t i = 0; i < agentchat_chat_agent_count(w->chat); i++) {
        agentchat_agent *agent = agentchat_chat_agent(w->chat, i);
        char which = agentchat_agent_name(agent).ptr[0];
        const agentchat_messages *list = NULL;
        agentchat_status status = agentchat_chat_channel_history(w->chat, agent, &list, NULL); /* delivers, too */

        if ((which == 'H' || which == 'F') && agentchat_messages_count(list) > 0)
            assert_string_equal(texts(list, seen), expected);
        if (which == 'M' && w->m.channel != NULL && w->m.fail_receive == 0)
            assert_string_equal(w->m.channel->seen, expected);
        if (which == 'T' && w->thread[0] != '\0')
            assert_string_equal(w->thread, expected);
        assert_true(status >= 0 || which == 'M' || which == 'T');
    }
}

#endif
