/* SPDX-License-Identifier: Apache-2.0 */
/* Making agents: what is refused of their options, and what they take from a saved participant. */
#include "chat_mock.h"

static void count_free(void *user)
{
    ++*(int *)user;
}

/* What agentchat_agent_new() says of options that are wrong. */
static void refuses(const agentchat_agent_options *options, const char *message)
{
    agentchat_agent *agent = (agentchat_agent *)(uintptr_t)1;
    agentchat_error err;

    test_fails(agentchat_agent_new(NULL, options, &agent, &err), &err, AGENTCHAT_E_INVALID, "", message);
    assert_null(agent);
}

static void test_agent__invalid_options_release_the_user(void **state)
{
    static const char *const keys[] = {"a", NULL}, *const not_utf8[] = {"\xFF"};
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    agentchat_channel_type broken = mock_type;
    agentchat_error err;
    int freed = 0;

    (void)state;
    options.user = &freed;
    options.free_user = count_free;
    refuses(&options, "the options of the agent lack channel");
    options.name = AGENTCHAT_STR("Ann");
    broken.receive = NULL;
    options.channel = &broken;
    refuses(&options, "the options of agent Ann lack channel->receive");
    broken = mock_type;
    broken.struct_size = 0;
    refuses(&options, "struct_size of the channel type is not set");
    broken = mock_type;
    broken.name = "\xFF";
    refuses(&options, "the channel type of agent Ann must be UTF-8");
    options.channel = &mock_type;
    options.name = AGENTCHAT_STR("\xFF");
    refuses(&options, "the name of agent \\xff is not UTF-8");
    options.name = AGENTCHAT_STR("Ann");
    options.id = AGENTCHAT_STR("");
    refuses(&options, "the id of agent Ann must be UTF-8 and not empty");
    options.id = AGENTCHAT_STR("x");
    options.type = "\xFF";
    refuses(&options, "the type of agent Ann must be UTF-8");
    options.type = NULL;
    options.keys = keys;
    options.key_count = 2;
    refuses(&options, "key string 1 of agent Ann is NULL");
    options.keys = not_utf8;
    options.key_count = 1;
    refuses(&options, "key string 0 of agent Ann is not UTF-8");
    options.keys = NULL;
    test_fails(agentchat_agent_new(NULL, &options, NULL, &err), &err, AGENTCHAT_E_INVALID, "", "out must not be NULL");
    assert_int_equal(freed, 10);
    agentchat_agent_free(test_agent_new(NULL, &options));
    assert_int_equal(freed, 11);
    options.struct_size = 0;
    refuses(&options, "struct_size of the options is not set");
    assert_int_equal(freed, 11); /* nothing was read */
    refuses(NULL, "the options of the agent lack channel");
    agentchat_agent_free(NULL);
}

static void test_agent__history_agents_need_an_answer(void **state)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent *agent;
    agentchat_error err;
    int freed = 0;

    (void)state;
    options.id = AGENTCHAT_STR("a-1");
    options.user = &freed;
    options.free_user = count_free;
    test_fails(agentchat_history_agent_new(NULL, &options, &agent, &err), &err, AGENTCHAT_E_INVALID, "",
               "the options of agent a-1 lack answer");
    assert_null(agent);
    assert_int_equal(freed, 1);
    test_fails(agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("Ann"), NULL, NULL, &err), &err,
               AGENTCHAT_E_INVALID, "", "the options of agent Ann lack answer");
    test_fails(agentchat_chat_add_history_agent(NULL, AGENTCHAT_STR("Ann"), say, NULL, &err), &err, AGENTCHAT_E_INVALID,
               "", "chat must not be NULL");
    assert_int_equal(agentchat_chat_agent_count(chat), 0);
    test_ok(agentchat_chat_add_history_agent(chat, (agentchat_str){NULL, 0}, say, NULL, &err), &err);
    assert_null(agentchat_agent_name(agentchat_chat_agent(chat, 0)).ptr);
    test_ok(agentchat_chat_add_history_agent(chat, AGENTCHAT_STR("A\0nn"), say, NULL, &err), &err);
    assert_int_equal(agentchat_agent_name(agentchat_chat_agent(chat, 1)).len, 4);
    agentchat_chat_free(chat);
}

/* ---- agents that were there ------------------------------------------------------------------------------------- */

static agentchat_status create_thread(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("thread"), err);
}

static agentchat_status post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user, (void)id, (void)batch, (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status answer_on_thread(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user, (void)id;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("t"), err);
}

static agentchat_status make_nothing(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    *out = NULL;
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "nobody calls this");
}

/* An agent of each kind, by name, id and type where these are given, else by the participant. */
static agentchat_agent *agent_of_kind(size_t kind, const agentchat_participant *who, agentchat_str name,
                                      agentchat_str id, const char *type)
{
    static const agentchat_remote_ops ops = {sizeof ops, create_thread, post, answer_on_thread, NULL};
    agentchat_agent_options custom = AGENTCHAT_AGENT_OPTIONS_INIT;
    agentchat_history_agent_options history = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_remote_agent_options remote = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;
    agentchat_aggregator_options aggregator = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    custom.participant = history.participant = remote.participant = aggregator.participant = who;
    custom.name = history.name = remote.name = aggregator.name = name;
    custom.id = history.id = remote.id = aggregator.id = id;
    custom.type = history.type = remote.type = type;
    custom.channel = &mock_type;
    history.answer = say;
    remote.channel_type = "test.Thread";
    remote.ops = &ops;
    aggregator.make = make_nothing;
    switch (kind) {
    case 0:
        return test_agent_new(NULL, &custom);
    case 1:
        return test_history_agent_new(NULL, &history);
    case 2:
        return test_remote_agent_new(NULL, &remote);
    default:
        return test_aggregator_new(NULL, &aggregator);
    }
}

static agentchat_snapshot *with_participants(void)
{
    agentchat_str document = AGENTCHAT_STR(
        "{\"agentchat\":{\"format\":1,\"reader\":1},\"history\":[],\"participants\":["
        "{\"id\":\"id-1\",\"name\":\"Ann\",\"type\":\"saved.Type\"},{\"id\":\"id-2\",\"name\":null,\"type\":\"\"}],"
        "\"channels\":[]}");
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, document, NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

static void test_agent__takes_what_it_is_from_a_participant(void **state)
{
    const agentchat_str none = {NULL, 0};
    agentchat_snapshot *snapshot = with_participants();
    const agentchat_participant *ann = agentchat_snapshot_participant(snapshot, 0);
    const agentchat_participant *unnamed = agentchat_snapshot_participant(snapshot, 1);

    (void)state;
    for (size_t kind = 0; kind < 4; kind++) {
        agentchat_agent *agent = agent_of_kind(kind, ann, none, none, NULL);

        assert_str(agentchat_agent_name(agent), "Ann");
        assert_str(agentchat_agent_id(agent), "id-1");
        assert_str(agentchat_agent_type(agent), "saved.Type");
        agentchat_agent_free(agent);

        agent = agent_of_kind(kind, ann, AGENTCHAT_STR("Bob"), AGENTCHAT_STR("id-9"), "own.Type");
        assert_str(agentchat_agent_name(agent), "Bob");
        assert_str(agentchat_agent_id(agent), "id-9");
        assert_str(agentchat_agent_type(agent), kind == 3 ? "saved.Type" : "own.Type");
        agentchat_agent_free(agent);

        agent = agent_of_kind(kind, unnamed, none, none, kind == 2 ? "own.Type" : NULL);
        assert_null(agentchat_agent_name(agent).ptr);
        assert_str(agentchat_agent_id(agent), "id-2");
        assert_true(agentchat_agent_type(agent).len > 0); /* that of the kind */
        agentchat_agent_free(agent);
    }
    agentchat_snapshot_unref(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agent__invalid_options_release_the_user),
        cmocka_unit_test(test_agent__history_agents_need_an_answer),
        cmocka_unit_test(test_agent__takes_what_it_is_from_a_participant),
    };

    return cmocka_run_group_tests_name("chat.agent_options", tests, NULL, NULL);
}
