/* SPDX-License-Identifier: Apache-2.0 */
/* A random life of a chat beside a model of it. The model is one string: the history. Whatever happens (failing
   channels, saving and restoring with fewer agents, agents that come back, resets), each channel must hold the
   beginning of that string, and all of it once it takes what it is given: every message exactly once, in order. */
#include "unit/chat/chat_mock.h"

enum { MOCKS = 3, STEPS = 60, LIVES = 150 };

typedef struct world {
    agentchat_chat *chat;
    mock mocks[MOCKS], inner;
    bool present[MOCKS + 2]; /* the mocks, the history agent, the aggregator */
    char word[16];           /* what is said next */
    unsigned counter;
    char history[8192]; /* the model */
} world;

static uint32_t seed;

static uint32_t random_below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

static const char *const names[MOCKS + 2] = {"M0", "M1", "M2", "H", "G"};

static void next_word(world *w)
{
    snprintf(w->word, sizeof w->word, "%u", ++w->counter);
}

static agentchat_status make(void *user, agentchat_chat **out, agentchat_error *err)
{
    world *w = user;

    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, speaker(NULL, "I", w->word));
    add_agent(*out, mock_agent(NULL, "J", &w->inner));
    return AGENTCHAT_OK;
}

static void join(world *w, size_t which)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = agentchat_str_from(names[which]);
    options.make = make;
    options.user = w;
    if (which < MOCKS)
        add_agent(w->chat, mock_agent(NULL, names[which], &w->mocks[which]));
    else if (which == MOCKS)
        add_agent(w->chat, speaker(NULL, names[which], w->word));
    else
        add_agent(w->chat, test_aggregator_new(NULL, &options));
    w->present[which] = true;
}

static void begin(world *w)
{
    memset(w, 0, sizeof *w);
    w->chat = test_chat_new(NULL);
    for (size_t i = 0; i < MOCKS; i++)
        w->mocks[i].says = w->word;
    w->inner.says = w->word;
}

static void add(world *w)
{
    agentchat_message *batch[3] = {NULL};
    size_t count = random_below(4);
    agentchat_error err;

    for (size_t i = 0; i < count; i++) {
        next_word(w);
        test_ok(agentchat_message_new_text(NULL, "user", (agentchat_str){NULL, 0}, agentchat_str_from(w->word),
                                           &batch[i], &err),
                &err);
        mock_note(w->history, sizeof w->history, agentchat_str_from(w->word));
    }
    test_ok(agentchat_chat_add_messages(w->chat, (const agentchat_message *const *)batch, count, &err), &err);
    for (size_t i = 0; i < count; i++)
        agentchat_message_unref(batch[i]);
}

static void speak(world *w, size_t which)
{
    size_t before = agentchat_chat_message_count(w->chat);
    agentchat_status status;

    next_word(w);
    status = agentchat_chat_invoke(w->chat, agentchat_str_from(names[which]),
                                   NULL); /* may fail before or after it has said its word */
    assert_true(status >= 0 || status == AGENTCHAT_E_CALLBACK);
    if (agentchat_chat_message_count(w->chat) > before)
        mock_note(w->history, sizeof w->history, agentchat_str_from(w->word));
}

static void let_fail(world *w)
{
    mock *m = random_below(4) == 0 ? &w->inner : &w->mocks[random_below(MOCKS)];

    switch (random_below(3)) {
    case 0:
        m->fail_receive = (int)random_below(4);
        break;
    case 1:
        m->fail_invoke = 1;
        break;
    default:
        m->fail_create = 1;
        break;
    }
}

/* Saves the chat and goes on with a restored one, in which some agents may be missing. */
static void save_and_restore(world *w)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = NULL;
    world next;
    size_t joined = 0;
    agentchat_error err;

    options.no_delivery = random_below(2) == 0;
    test_ok(agentchat_chat_capture(w->chat, &options, &snapshot, NULL, &err), &err);
    snapshot = through_bytes(snapshot);
    begin(&next);
    memcpy(next.history, w->history, sizeof next.history);
    next.counter = w->counter;
    agentchat_chat_free(w->chat);
    *w = next;
    for (size_t i = 0; i < MOCKS; i++)
        w->mocks[i].says = w->word;
    w->inner.says = w->word;
    for (size_t i = 0; i < MOCKS + 2; i++)
        if (random_below(4) != 0) {
            join(w, i);
            joined++;
        }
    if (joined == 0)
        join(w, MOCKS);
    test_ok(agentchat_chat_restore(w->chat, snapshot, NULL, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
}

static void check(world *w)
{
    char buffer[8192];

    assert_string_equal(texts(agentchat_chat_history(w->chat), buffer), w->history);
    for (size_t i = 0; i < MOCKS; i++)
        if (w->mocks[i].channel != NULL)
            assert_memory_equal(w->mocks[i].channel->seen, w->history, strlen(w->mocks[i].channel->seen));
}

/* Nothing fails any more: every channel that is there catches up. */
static void check_all_caught_up(world *w)
{
    agentchat_snapshot *snapshot;

    for (size_t i = 0; i < MOCKS; i++)
        w->mocks[i].fail_receive = w->mocks[i].fail_create = w->mocks[i].fail_invoke = 0;
    w->inner.fail_receive = w->inner.fail_create = w->inner.fail_invoke = 0;
    snapshot = capture(w->chat);
    agentchat_snapshot_unref(snapshot);
    for (size_t i = 0; i < MOCKS; i++)
        if (w->mocks[i].channel != NULL)
            assert_string_equal(w->mocks[i].channel->seen, w->history);
    if (w->inner.channel != NULL)
        assert_string_equal(w->inner.channel->seen, w->history);
    for (size_t i = 0; i < agentchat_chat_agent_count(w->chat); i++) {
        const agentchat_messages *list = NULL;
        agentchat_agent *agent = agentchat_chat_agent(w->chat, i);
        agentchat_status status = agentchat_chat_channel_history(w->chat, agent, &list, NULL);

        if (status >= 0 && agentchat_messages_count(list) > 0)
            assert_texts(list, w->history);
    }
}

static void step(world *w)
{
    size_t which = random_below(MOCKS + 2);
    agentchat_error err;

    switch (random_below(10)) {
    case 0:
    case 1:
    case 2:
        add(w);
        break;
    case 3:
    case 4:
    case 5:
        if (w->present[which])
            speak(w, which);
        break;
    case 6:
        let_fail(w);
        break;
    case 7:
        if (!w->present[which])
            join(w, which);
        break;
    case 8:
        save_and_restore(w);
        break;
    default:
        if (random_below(8) == 0) {
            test_ok(agentchat_chat_reset(w->chat, &err), &err);
            w->history[0] = '\0';
        }
        break;
    }
}

static void test_model__every_message_exactly_once_in_order(void **state)
{
    (void)state;
    for (uint32_t life = 0; life < LIVES; life++) {
        world *w = malloc(sizeof *w);

        assert_non_null(w);
        seed = life;
        begin(w);
        join(w, MOCKS);
        for (int i = 0; i < STEPS; i++) {
            step(w);
            check(w);
            if (random_below(10) == 0)
                check_all_caught_up(w);
        }
        check_all_caught_up(w);
        agentchat_chat_free(w->chat);
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model__every_message_exactly_once_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
