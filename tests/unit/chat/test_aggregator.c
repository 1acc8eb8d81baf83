/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregators: AggregatorAgentTests of Semantic Kernel, and an inner chat that is busy, fails, or is in use. */
#include "chat_mock.h"

typedef struct group {
    const char *says[3]; /* of the inner agents */
    int makes;
    agentchat_status fails;
    agentchat_chat *shared; /* given out instead of a new one */
    mock *inner_mock;       /* another inner agent */
    bool makes_nothing;     /* OK without a chat */
} group;

static agentchat_status make_group(void *user, agentchat_chat **out, agentchat_error *err)
{
    group *g = user;
    agentchat_chat *chat;

    g->makes++;
    *out = NULL;
    if (g->makes_nothing)
        return AGENTCHAT_OK;
    if (g->fails < 0)
        return agentchat_error_set(err, g->fails, "no group today");
    if (g->shared != NULL) {
        *out = g->shared;
        return AGENTCHAT_OK;
    }
    chat = test_chat_new(NULL);
    for (int i = 0; i < 3; i++)
        if (g->says[i] != NULL)
            add_agent(chat, speaker(NULL, g->says[i], g->says[i]));
    if (g->inner_mock != NULL)
        add_agent(chat, mock_agent(NULL, "M", g->inner_mock));
    *out = chat;
    return AGENTCHAT_OK;
}

static agentchat_status run_three(void *user, agentchat_chat *inner, agentchat_error *err)
{
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;

    (void)user;
    options.max_turns = 3;
    return agentchat_chat_run(inner, &options, err);
}

static agentchat_agent *aggregator(const char *name, agentchat_aggregator_mode mode, group *g, bool three)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = agentchat_str_from(name);
    options.mode = mode;
    options.make = make_group;
    options.run = three ? run_three : NULL;
    options.user = g;
    return test_aggregator_new(NULL, &options);
}

static void usage(agentchat_aggregator_mode mode, const char *outer)
{
    agentchat_chat *chat = test_chat_new(NULL), *inner;
    group g = {.says = {"x", "y", "z"}};

    add_agent(chat, aggregator("Group", mode, &g, true));
    add_text(chat, "hello");
    assert_channel_texts(chat, 0, "");
    assert_null(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0)));
    invoke(chat, "Group");
    inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
    assert_texts(agentchat_chat_history(chat), outer);
    assert_texts(agentchat_chat_history(inner), "hello;x;y;z;");
    add_text(inner, "inside");
    assert_texts(agentchat_chat_history(chat), outer); /* does not show outside */
    assert_channel_texts(chat, 0, "hello;x;y;z;inside;");
    agentchat_chat_free(chat);
    assert_int_equal(g.makes, 1);
}

static void test_aggregator_agent__usage(void **state)
{
    (void)state;
    usage(AGENTCHAT_AGGREGATOR_FLAT, "hello;x;y;z;");
    usage(AGENTCHAT_AGGREGATOR_NESTED, "hello;z;");
}

static void test_aggregator_agent__several_do_not_share_a_channel(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    group first = {.says = {"x"}}, second = {.says = {"y"}};
    const agentchat_messages *history = agentchat_chat_history(chat);

    (void)state;
    add_agent(chat, aggregator("First", AGENTCHAT_AGGREGATOR_NESTED, &first, false));
    add_agent(chat, aggregator("Second", AGENTCHAT_AGGREGATOR_NESTED, &second, false));
    add_text(chat, "1");
    invoke(chat, "First");
    add_text(chat, "2");
    invoke(chat, "Second");
    assert_texts(history, "1;x;2;y;");
    assert_str(agentchat_message_name(agentchat_messages_at(history, 1)), "First");
    assert_str(agentchat_message_name(agentchat_messages_at(history, 3)), "Second");
    assert_channel_texts(chat, 0, "1;x;2;y;");
    agentchat_chat_free(chat);
}

/* Says a message with everything on it. */
static agentchat_status rich(mock *m, agentchat_replies *out, agentchat_error *err)
{
    agentchat_message_builder *b = test_message_builder(agentchat_replies_env(out), "tool", "Inner");
    agentchat_message *message = NULL;
    agentchat_status status;

    (void)m;
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("model-1"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"k\": 1.50}"));
    agentchat_message_builder_set(b, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("m-1"));
    agentchat_message_builder_add_extra(b, AGENTCHAT_STR("e"), AGENTCHAT_STR("1"), (agentchat_str){NULL, 0});
    agentchat_message_builder_add_text(b, AGENTCHAT_STR("rich"));
    agentchat_message_builder_add_data(b, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"), AGENTCHAT_STR("\x89PNG"));
    agentchat_message_builder_add_result(b, AGENTCHAT_STR("c"), AGENTCHAT_STR("P"), AGENTCHAT_STR("f"),
                                         AGENTCHAT_STR("[1]"));
    status = agentchat_message_builder_finish(b, &message, err);
    if (status >= 0)
        status = agentchat_replies_add(out, message, err);
    agentchat_message_unref(message);
    return status;
}

static void test_aggregator_agent__nested_keeps_role_items_model_and_metadata(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.during = rich};
    group g = {.inner_mock = &m};
    const agentchat_message *said;
    agentchat_str bytes;
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator("Outer", AGENTCHAT_AGGREGATOR_NESTED, &g, false));
    invoke(chat, "Outer");
    said = agentchat_chat_newest(chat, 0);
    assert_str(agentchat_message_role(said), "tool");
    assert_str(agentchat_message_name(said), "Outer");
    assert_str(agentchat_message_get(said, AGENTCHAT_FIELD_MODEL_ID), "model-1");
    assert_str(agentchat_message_get(said, AGENTCHAT_FIELD_METADATA), "{\"k\": 1.50}");
    assert_null(agentchat_message_get(said, AGENTCHAT_FIELD_ID).ptr);
    assert_int_equal(agentchat_message_extra_count(said), 0);
    assert_int_equal(agentchat_message_item_count(said), 3);
    assert_str(agentchat_message_text(said), "rich");
    test_ok(agentchat_item_bytes(agentchat_message_item(said, 1), &bytes, &err), &err);
    assert_str(bytes, "\x89PNG");
    assert_str(agentchat_item_get(agentchat_message_item(said, 2), AGENTCHAT_FIELD_RESULT), "[1]");
    /* The inner chat's own message is another one and has not changed. */
    assert_str(
        agentchat_message_name(agentchat_chat_newest(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0)), 0)),
        "Inner");
    agentchat_chat_free(chat);
}

static void test_aggregator_agent__failing_inner_agent(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL), *inner;
    mock m = {.says = "part", .fail_invoke = 1};
    group g = {.says = {"x"}, .inner_mock = &m};
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, true));
    add_text(chat, "1");
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "agent Group could not answer: agent M could not answer: invoke is down");
    inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
    assert_texts(agentchat_chat_history(inner), "1;x;part;");
    assert_texts(agentchat_chat_history(chat), "1;x;part;"); /* what was said was said */
    invoke(chat, "Group");
    assert_texts(agentchat_chat_history(chat), "1;x;part;part;x;part;");
    agentchat_chat_free(chat);
}

static void test_aggregator_agent__complete_inner_chat_fails(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    group g = {.says = {"x"}};
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, false));
    invoke(chat, "Group");
    agentchat_chat_set_complete(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0)), true);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_INVALID, "", "complete");
    agentchat_chat_free(chat);
}

static void test_aggregator_agent__make_fails_or_gives_a_used_chat(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    group g = {.says = {"x"}, .fails = AGENTCHAT_E_IO}, second = {.makes = 0};
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, false));
    add_agent(chat, aggregator("Thief", AGENTCHAT_AGGREGATOR_FLAT, &second, false));
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_IO, "", "no group today");
    g.fails = AGENTCHAT_OK;
    g.makes_nothing = true;
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_CALLBACK, "",
               "make gave no chat");
    g.makes_nothing = false;
    invoke(chat, "Group");
    second.shared = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Thief"), &err), &err, AGENTCHAT_E_IN_USE, "",
               "in use elsewhere");
    second.shared = chat; /* the outer one itself */
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Thief"), &err), &err, AGENTCHAT_E_IN_USE, "",
               "in use elsewhere");
    agentchat_chat_free(chat);
}

/* An agent inside uses the outer chat, which is idle: it was the inner one that was run. */
static agentchat_status use_outer(mock *m, agentchat_replies *out, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error e;

    (void)out;
    (void)err;
    test_fails(agentchat_chat_reset(m->chat, &e), &e, AGENTCHAT_E_BUSY, "", "inside channel");
    test_fails(agentchat_chat_capture(m->chat, NULL, &snapshot, NULL, &e), &e, AGENTCHAT_E_BUSY,
               "/channels/0/channelstate", NULL);
    assert_null(snapshot);
    test_fails(agentchat_chat_invoke(m->chat, AGENTCHAT_STR("Group"), &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    add_text(m->chat, "meanwhile"); /* cannot be delivered now, is not lost */
    return AGENTCHAT_OK;
}

static void test_aggregator_agent__busy_inner_chat(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL), *inner;
    mock m = {.says = "m", .chat = chat};
    group g = {.inner_mock = &m};

    (void)state;
    add_agent(chat, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, false));
    invoke(chat, "Group");
    inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
    m.during = use_outer;
    invoke(inner, "M");
    assert_texts(agentchat_chat_history(inner), "m;m;");
    assert_channel_texts(chat, 0, "m;m;meanwhile;");
    m.during = NULL;
    invoke(chat, "Group");
    assert_texts(agentchat_chat_history(chat), "m;meanwhile;m;");
    agentchat_chat_free(chat);
}

static void test_aggregator_agent__reset_makes_a_new_inner_chat(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    group g = {.says = {"x"}};
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, false));
    invoke(chat, "Group");
    test_ok(agentchat_chat_reset(chat, &err), &err);
    assert_null(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0)));
    invoke(chat, "Group");
    assert_texts(agentchat_chat_history(chat), "x;");
    assert_int_equal(g.makes, 2);
    agentchat_chat_free(chat);
}

/* ---- flat: a message is in both chats or in neither ------------------------------------------------------------- */

enum { FULL = 8 }; /* messages for which a history has room; one more needs memory */

/* A chat whose memory can be used up, with a group of "x" that has spoken until the history is full. */
static agentchat_chat *full_chat(const agentchat_env *env, agentchat_aggregator_mode mode, group *g)
{
    agentchat_chat *chat = test_chat_new(env);

    add_agent(chat, aggregator("Group", mode, g, false));
    add_text(chat, "1");
    for (int i = 1; i < FULL; i++)
        invoke(chat, "Group");
    return chat;
}

static void no_more_memory(test_oom *oom)
{
    oom->fail_at = oom->calls;
    oom->all_after = true;
}

static void memory_again(test_oom *oom)
{
    assert_true(oom->failures > 0);
    *oom = (test_oom){.fail_at = UINT64_MAX, .live_blocks = oom->live_blocks, .live_bytes = oom->live_bytes};
}

static void assert_chats(agentchat_chat *chat, const char *outer, const char *inner)
{
    assert_texts(agentchat_chat_history(chat), outer);
    assert_texts(agentchat_chat_history(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0))), inner);
}

#define SEVEN "1;x;x;x;x;x;x;x;"

static void test_aggregator_agent__flat_says_nothing_that_the_outer_chat_cannot_hold(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    group g = {.says = {"x"}};
    agentchat_chat *chat = full_chat(env, AGENTCHAT_AGGREGATOR_FLAT, &g);
    agentchat_error err;

    (void)state;
    no_more_memory(&oom);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_NOMEM, "", NULL);
    assert_chats(chat, SEVEN, SEVEN);
    memory_again(&oom);
    add_text(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0)), "inside"); /* does not show outside */
    add_text(chat, "2");
    assert_chats(chat, SEVEN "2;", SEVEN "inside;2;");
    invoke(chat, "Group");
    assert_chats(chat, SEVEN "2;x;", SEVEN "inside;2;x;");
    agentchat_chat_free(chat);
    agentchat_env_free(env);
}

/* What is restored is what was saved: nothing is owed to anybody. */
static void test_aggregator_agent__a_flat_turn_without_memory_leaves_a_state_to_save(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    group g = {.says = {"x"}};
    agentchat_chat *chat = full_chat(env, AGENTCHAT_AGGREGATOR_FLAT, &g), *restored = test_chat_new(NULL);
    agentchat_snapshot *snapshot;
    agentchat_error err;

    (void)state;
    no_more_memory(&oom);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_NOMEM, "", NULL);
    memory_again(&oom);
    snapshot = through_bytes(capture(chat));
    add_agent(restored, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, false));
    test_ok(agentchat_chat_restore(restored, snapshot, NULL, NULL, &err), &err);
    invoke(restored, "Group");
    assert_chats(restored, SEVEN "x;", SEVEN "x;");
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(restored);
    agentchat_chat_free(chat);
    agentchat_env_free(env);
}

static void test_aggregator_agent__nested_has_its_result_when_the_turn_is_had_again(void **state)
{
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    group g = {.says = {"x"}};
    agentchat_chat *chat = full_chat(env, AGENTCHAT_AGGREGATOR_NESTED, &g);
    agentchat_error err;

    (void)state;
    no_more_memory(&oom);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_NOMEM, "", NULL);
    assert_chats(chat, SEVEN, SEVEN "x;"); /* the conversation inside goes on by itself */
    memory_again(&oom);
    invoke(chat, "Group");
    assert_chats(chat, SEVEN "x;", SEVEN "x;x;");
    agentchat_chat_free(chat);
    agentchat_env_free(env);
}

/* An aggregator inside: all three chats or none. */
static agentchat_status make_outer_group(void *user, agentchat_chat **out, agentchat_error *err)
{
    group *g = user;

    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, aggregator("Inner", AGENTCHAT_AGGREGATOR_FLAT, g, false));
    return AGENTCHAT_OK;
}

static void test_aggregator_agent__flat_in_flat(void **state)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    group g = {.says = {"x"}};
    agentchat_chat *chat = test_chat_new(env), *middle;
    agentchat_error err;

    (void)state;
    options.name = AGENTCHAT_STR("Outer");
    options.make = make_outer_group;
    options.user = &g;
    add_agent(chat, test_aggregator_new(NULL, &options));
    add_text(chat, "1");
    for (int i = 1; i < FULL; i++)
        invoke(chat, "Outer");
    middle = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
    no_more_memory(&oom);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Outer"), &err), &err, AGENTCHAT_E_NOMEM, "", NULL);
    assert_chats(chat, SEVEN, SEVEN);
    assert_chats(middle, SEVEN, SEVEN);
    memory_again(&oom);
    invoke(chat, "Outer");
    assert_chats(chat, SEVEN "x;", SEVEN "x;");
    assert_chats(middle, SEVEN "x;", SEVEN "x;");
    agentchat_chat_free(chat);
    agentchat_env_free(env);
}

/* A run of an inner chat in which the host speaks, too, and then fails. */
static agentchat_status run_with_words(void *user, agentchat_chat *inner, agentchat_error *err)
{
    const agentchat_status *end = user;
    agentchat_status status = agentchat_chat_add_text(inner, "user", AGENTCHAT_STR("go"), err);

    if (status >= 0)
        status = agentchat_chat_invoke_next(inner, err);
    return status < 0 ? status : agentchat_error_set(err, *end, "the host has had enough");
}

static agentchat_status make_speaker(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, speaker(NULL, "x", "x"));
    return AGENTCHAT_OK;
}

static void test_aggregator_agent__flat_with_a_host_that_speaks_and_fails(void **state)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_status end = AGENTCHAT_E_CALLBACK;
    agentchat_chat *chat = test_chat_new(env);
    agentchat_error err;

    (void)state;
    options.name = AGENTCHAT_STR("Group");
    options.make = make_speaker;
    options.run = run_with_words;
    options.user = &end;
    add_agent(chat, test_aggregator_new(NULL, &options));
    for (int i = 0; i < FULL / 2; i++)
        test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_CALLBACK, "",
                   "had enough");
    assert_chats(chat, "go;x;go;x;go;x;go;x;", "go;x;go;x;go;x;go;x;"); /* what was said was said */
    no_more_memory(&oom);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_NOMEM, "", NULL);
    assert_chats(chat, "go;x;go;x;go;x;go;x;", "go;x;go;x;go;x;go;x;");
    memory_again(&oom);
    test_fails(agentchat_chat_invoke(chat, AGENTCHAT_STR("Group"), &err), &err, AGENTCHAT_E_CALLBACK, "", "had enough");
    assert_chats(chat, "go;x;go;x;go;x;go;x;go;x;", "go;x;go;x;go;x;go;x;go;x;");
    agentchat_chat_free(chat);
    agentchat_env_free(env);
}

/* A history agent inside that goes on although a message of its was not accepted. */
static agentchat_status say_twice(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                  agentchat_error *err)
{
    test_oom *oom = user;
    agentchat_status first = agentchat_replies_add_text(out, AGENTCHAT_STR("lost"), err);

    (void)seen;
    if (oom->failures > 0)
        memory_again(oom);
    return agentchat_replies_add_text(out, first < 0 ? AGENTCHAT_STR("y") : AGENTCHAT_STR("z"), err);
}

static agentchat_status make_say_twice(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, test_speaker_new(NULL, "y", say_twice, user));
    return AGENTCHAT_OK;
}

static void test_aggregator_agent__what_the_outer_chat_cannot_hold_is_in_no_channel(void **state)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    test_oom oom = {.fail_at = UINT64_MAX};
    agentchat_env *env = test_oom_env(&oom);
    agentchat_chat *chat = test_chat_new(env), *inner;

    (void)state;
    options.name = AGENTCHAT_STR("Group");
    options.make = make_say_twice;
    options.user = &oom;
    add_agent(chat, test_aggregator_new(NULL, &options));
    for (int i = 0; i < FULL / 2; i++)
        invoke(chat, "Group");
    inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
    no_more_memory(&oom);
    invoke(chat, "Group");
    assert_chats(chat, "lost;z;lost;z;lost;z;lost;z;y;", "lost;z;lost;z;lost;z;lost;z;y;");
    assert_channel_texts(inner, 0, "lost;z;lost;z;lost;z;lost;z;y;");
    agentchat_chat_free(chat);
    agentchat_env_free(env);
}

static void test_aggregator__invalid_options(void **state)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_agent *agent;
    agentchat_error err;

    (void)state;
    options.name = AGENTCHAT_STR("Group");
    test_fails(agentchat_aggregator_new(NULL, &options, &agent, &err), &err, AGENTCHAT_E_INVALID, "",
               "the options of agent Group lack make");
    assert_null(agent);
    options.make = make_group;
    options.mode = (agentchat_aggregator_mode)7;
    test_fails(agentchat_aggregator_new(NULL, &options, &agent, &err), &err, AGENTCHAT_E_INVALID, "",
               "the options of agent Group have a mode that there is not");
    test_fails(agentchat_aggregator_new(NULL, NULL, &agent, &err), &err, AGENTCHAT_E_INVALID, "",
               "the options of the agent lack make");
    options.mode = AGENTCHAT_AGGREGATOR_FLAT;
    test_fails(agentchat_aggregator_new(NULL, &options, NULL, &err), &err, AGENTCHAT_E_INVALID, "",
               "out must not be NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aggregator_agent__usage),
        cmocka_unit_test(test_aggregator_agent__several_do_not_share_a_channel),
        cmocka_unit_test(test_aggregator_agent__nested_keeps_role_items_model_and_metadata),
        cmocka_unit_test(test_aggregator_agent__failing_inner_agent),
        cmocka_unit_test(test_aggregator_agent__complete_inner_chat_fails),
        cmocka_unit_test(test_aggregator_agent__make_fails_or_gives_a_used_chat),
        cmocka_unit_test(test_aggregator_agent__busy_inner_chat),
        cmocka_unit_test(test_aggregator_agent__reset_makes_a_new_inner_chat),
        cmocka_unit_test(test_aggregator_agent__flat_says_nothing_that_the_outer_chat_cannot_hold),
        cmocka_unit_test(test_aggregator_agent__a_flat_turn_without_memory_leaves_a_state_to_save),
        cmocka_unit_test(test_aggregator_agent__nested_has_its_result_when_the_turn_is_had_again),
        cmocka_unit_test(test_aggregator_agent__flat_in_flat),
        cmocka_unit_test(test_aggregator_agent__flat_with_a_host_that_speaks_and_fails),
        cmocka_unit_test(test_aggregator_agent__what_the_outer_chat_cannot_hold_is_in_no_channel),
        cmocka_unit_test(test_aggregator__invalid_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
