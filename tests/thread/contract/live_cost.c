/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a put and a catch-up from live chats cost: counted in allocations and in bytes that are needed at a time, on a
 * thread that is short and on one that is long. Time is not measured.
 */
#include "thread/contract/live.h"

#include <agentchat/store.h>

enum { SHORT = 50, LONG = 3000, SEEN = 40, SAMPLES = 9 };

typedef enum chat_kind { PLAIN, LIST, WINDOW_OF_LIST, NESTED, SLIDING, KINDS } chat_kind;

typedef struct cost {
    uint64_t calls, bytes;
} cost;

typedef struct world {
    test_oom oom;
    agentchat_env *env;
    agentchat_store *store;
    agentchat_chat *chats[2];
    agentchat_error err;
    chat_kind kind;
} world;

/* ---- chats ------------------------------------------------------------------------------------------------------- */

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("answer"), err);
}

static agentchat_status newest(void *user, const agentchat_messages *seen, agentchat_messages **out,
                               agentchat_error *err)
{
    const agentchat_message *kept[SEEN];
    size_t count = agentchat_messages_count(seen);

    if (count <= SEEN)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < SEEN; i++)
        kept[i] = agentchat_messages_at(seen, count - SEEN + i);
    return agentchat_messages_new(((world *)user)->env, kept, SEEN, out, err);
}

static agentchat_agent *history_agent(world *w, const char *name)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.name = options.id = agentchat_str_from(name);
    options.answer = answer;
    options.reduce = w->kind == SLIDING ? newest : NULL;
    options.user = w;
    return test_history_agent_new(w->env, &options);
}

static agentchat_status make_inside(void *user, agentchat_chat **out, agentchat_error *err)
{
    world *w = user;

    *out = test_chat_new(w->env);
    return test_add_agent(*out, history_agent(w, "Inside"), err);
}

static agentchat_chat *make_chat(world *w)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(w->env);

    options.name = options.id = AGENTCHAT_STR("Ann");
    options.make = make_inside;
    options.user = w;
    test_ok(test_add_agent(chat, w->kind == NESTED ? test_aggregator_new(w->env, &options) : history_agent(w, "Ann"),
                           &w->err),
            &w->err);
    return chat;
}

static void take_turn(world *w, agentchat_chat *chat)
{
    static const char two[] = "[{\"n\":1},{\"n\":2}]", cut[] = "{\"type\":\"keep\",\"from\":-40,\"to\":null}";

    test_ok(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("question"), &w->err), &w->err);
    test_ok(agentchat_chat_invoke(chat, AGENTCHAT_STR("Ann"), &w->err), &w->err);
    if (w->kind == LIST || w->kind == WINDOW_OF_LIST)
        test_ok(agentchat_chat_update(chat, AGENTCHAT_STR("list"), agentchat_str_from(two), &w->err), &w->err);
    if (w->kind == WINDOW_OF_LIST)
        test_ok(agentchat_chat_update(chat, AGENTCHAT_STR("list"), agentchat_str_from(cut), &w->err), &w->err);
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static uint64_t began_calls, began_bytes;

static void count(world *w)
{
    began_calls = w->oom.calls;
    began_bytes = w->oom.peak_bytes = w->oom.live_bytes;
}

/* Keeps the least of all samples: now and then a list or the store makes room for more. */
static void counted(const world *w, cost *least)
{
    uint64_t calls = w->oom.calls - began_calls, bytes = w->oom.peak_bytes - began_bytes;

    least->calls = calls < least->calls ? calls : least->calls;
    least->bytes = bytes < least->bytes ? bytes : least->bytes;
}

static void save(world *w, agentchat_chat *chat)
{
    test_ok(agentchat_thread_save(w->store, "thread", chat, NULL, NULL, &w->err), &w->err);
}

/* Two chats take turns on a thread of so many turns; *put and *caught: what one save and one catch-up cost. */
static void measure(chat_kind kind, size_t turns, cost *put, cost *caught)
{
    world w = {.oom = {.fail_at = UINT64_MAX}, .kind = kind};

    w.env = test_oom_env(&w.oom);
    test_ok(agentchat_store_open(w.env, "memory:", NULL, &w.store, &w.err), &w.err);
    w.chats[0] = make_chat(&w);
    w.chats[1] = make_chat(&w);
    for (size_t i = 0; i < turns; i++) {
        take_turn(&w, w.chats[0]);
        if (i % 100 == 99 || i + 1 == turns)
            save(&w, w.chats[0]);
    }
    test_ok(agentchat_thread_restore(w.store, "thread", w.chats[1], NULL, NULL, &w.err), &w.err);
    *put = *caught = (cost){UINT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < SAMPLES; i++) {
        agentchat_chat *one = w.chats[i % 2], *other = w.chats[(i + 1) % 2];

        take_turn(&w, one);
        count(&w);
        save(&w, one);
        counted(&w, put);
        count(&w);
        test_ok(agentchat_thread_catch_up(w.store, other, NULL, NULL, &w.err), &w.err);
        counted(&w, caught);
    }
    agentchat_chat_free(w.chats[0]);
    agentchat_chat_free(w.chats[1]);
    agentchat_store_close(w.store);
    agentchat_env_free(w.env);
}

static void expect_flat(const char *what, chat_kind kind, cost small, cost large)
{
    print_message("%s %d: %lu allocations, %lu bytes; %lu, %lu on the long thread\n", what, (int)kind,
                  (unsigned long)small.calls, (unsigned long)small.bytes, (unsigned long)large.calls,
                  (unsigned long)large.bytes);
    assert_true(large.calls <= small.calls + small.calls / 4 + 8);
    assert_true(large.bytes <= small.bytes + small.bytes / 4 + 1024);
}

static void test_live__a_turn_costs_the_same_on_a_long_thread(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        cost put[2], caught[2];

        measure((chat_kind)i, SHORT, &put[0], &caught[0]);
        measure((chat_kind)i, LONG, &put[1], &caught[1]);
        expect_flat("put", (chat_kind)i, put[0], put[1]);
        expect_flat("catch-up", (chat_kind)i, caught[0], caught[1]);
    }
}

int contract_live_cost(void)
{
    const struct CMUnitTest tests[] = {SCENE_TEST(test_live__a_turn_costs_the_same_on_a_long_thread)};

    return CONTRACT_GROUP("live_cost", tests);
}
