/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregators: AggregatorAgentTests of Semantic Kernel, and an inner chat that is busy, fails, or is in use. */
#include "chat_mock.h"

typedef struct group {
    const char *says[3]; /* of the inner agents */
    int makes;
    agentchat_status fails;
    agentchat_chat *shared; /* given out instead of a new one */
    mock *inner_mock;       /* another inner agent */
} group;

static agentchat_status make_group(void *user, agentchat_chat **out, agentchat_error *err)
{
    group *g = user;
    agentchat_chat *chat;

    g->makes++;
    if (g->fails < 0)
        return agentchat_error_set(err, g->fails, "no group today");
    if (g->shared != NULL) {
        *out = g->shared;
        return AGENTCHAT_OK;
    }
    chat = agentchat_chat_new(NULL);
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

    options.name = name;
    options.mode = mode;
    options.make = make_group;
    options.run = three ? run_three : NULL;
    options.user = g;
    return agentchat_aggregator_new(NULL, &options);
}

static void usage(agentchat_aggregator_mode mode, const char *outer)
{
    agentchat_chat *chat = agentchat_chat_new(NULL), *inner;
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
    agentchat_chat *chat = agentchat_chat_new(NULL);
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
    agentchat_builder *b = agentchat_builder_new(agentchat_replies_env(out), "tool", "Inner");
    agentchat_message *message = NULL;
    agentchat_status status;

    (void)m;
    agentchat_builder_set(b, AGENTCHAT_FIELD_MODEL_ID, AGENTCHAT_STR("model-1"));
    agentchat_builder_set(b, AGENTCHAT_FIELD_METADATA, AGENTCHAT_STR("{\"k\": 1.50}"));
    agentchat_builder_set(b, AGENTCHAT_FIELD_ID, AGENTCHAT_STR("m-1"));
    agentchat_builder_add_extra(b, (agentchat_extra){AGENTCHAT_STR("e"), AGENTCHAT_STR("1"), AGENTCHAT_FORMAT_NONE});
    agentchat_builder_add_text(b, AGENTCHAT_STR("rich"));
    agentchat_builder_add_data(b, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"), AGENTCHAT_STR("\x89PNG"));
    agentchat_builder_add_result(b, AGENTCHAT_STR("c"), AGENTCHAT_STR("P"), AGENTCHAT_STR("f"), AGENTCHAT_STR("[1]"));
    status = agentchat_builder_finish(b, &message, err);
    if (status >= 0)
        status = agentchat_replies_add(out, message, err);
    agentchat_message_unref(message);
    return status;
}

static void test_aggregator_agent__nested_keeps_role_items_model_and_metadata(void **state)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);
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
    agentchat_chat *chat = agentchat_chat_new(NULL), *inner;
    mock m = {.says = "part", .fail_invoke = 1};
    group g = {.says = {"x"}, .inner_mock = &m};
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, true));
    add_text(chat, "1");
    test_fails(agentchat_chat_invoke(chat, "Group", &err), &err, AGENTCHAT_E_CALLBACK, "",
               "channel " MOCK_TYPE); /* the innermost channel is the one to name */
    assert_non_null(strstr(err.message, "invoke is down"));
    inner = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
    assert_texts(agentchat_chat_history(inner), "1;x;part;");
    assert_texts(agentchat_chat_history(chat), "1;x;part;"); /* what was said was said */
    invoke(chat, "Group");
    assert_texts(agentchat_chat_history(chat), "1;x;part;part;x;part;");
    agentchat_chat_free(chat);
}

static void test_aggregator_agent__complete_inner_chat_fails(void **state)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);
    group g = {.says = {"x"}};
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, false));
    invoke(chat, "Group");
    agentchat_chat_set_complete(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0)), true);
    test_fails(agentchat_chat_invoke(chat, "Group", &err), &err, AGENTCHAT_E_INVALID, "", "complete");
    agentchat_chat_free(chat);
}

static void test_aggregator_agent__make_fails_or_gives_a_used_chat(void **state)
{
    agentchat_chat *chat = agentchat_chat_new(NULL);
    group g = {.says = {"x"}, .fails = AGENTCHAT_E_IO}, second = {.makes = 0};
    agentchat_error err;

    (void)state;
    add_agent(chat, aggregator("Group", AGENTCHAT_AGGREGATOR_FLAT, &g, false));
    add_agent(chat, aggregator("Thief", AGENTCHAT_AGGREGATOR_FLAT, &second, false));
    test_fails(agentchat_chat_invoke(chat, "Group", &err), &err, AGENTCHAT_E_IO, "", "no group today");
    g.fails = AGENTCHAT_OK;
    invoke(chat, "Group");
    second.shared = agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0));
    test_fails(agentchat_chat_invoke(chat, "Thief", &err), &err, AGENTCHAT_E_IN_USE, "", "in use elsewhere");
    second.shared = chat; /* the outer one itself */
    test_fails(agentchat_chat_invoke(chat, "Thief", &err), &err, AGENTCHAT_E_IN_USE, "", "in use elsewhere");
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
    test_fails(agentchat_chat_capture(m->chat, NULL, &snapshot, &e), &e, AGENTCHAT_E_BUSY, "/channels/0/channelstate",
               NULL);
    assert_null(snapshot);
    test_fails(agentchat_chat_invoke(m->chat, "Group", &e), &e, AGENTCHAT_E_BUSY, "", NULL);
    add_text(m->chat, "meanwhile"); /* cannot be delivered now, is not lost */
    return AGENTCHAT_OK;
}

static void test_aggregator_agent__busy_inner_chat(void **state)
{
    agentchat_chat *chat = agentchat_chat_new(NULL), *inner;
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
    agentchat_chat *chat = agentchat_chat_new(NULL);
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

static void test_aggregator__invalid_options(void **state)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    (void)state;
    assert_null(agentchat_aggregator_new(NULL, &options)); /* no make */
    options.make = make_group;
    options.mode = (agentchat_aggregator_mode)7;
    assert_null(agentchat_aggregator_new(NULL, &options));
    assert_null(agentchat_aggregator_new(NULL, NULL));
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
        cmocka_unit_test(test_aggregator__invalid_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
