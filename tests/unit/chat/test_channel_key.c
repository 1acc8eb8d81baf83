/* SPDX-License-Identifier: Apache-2.0 */
/* Channel keys against the values that Semantic Kernel computes, and which key strings each kind of agent has. */
#include "chat_mock.h"

static void expect(const char *const *strings, size_t count, const char *key)
{
    agentchat_str keys[4] = {{NULL, 0}};
    char out[AGENTCHAT_KEY_LEN + 1];

    for (size_t i = 0; i < count; i++)
        keys[i] = agentchat_str_from(strings[i]);
    assert_int_equal(agentchat_channel_key(keys, count, out), AGENTCHAT_OK);
    assert_string_equal(out, key);
}
#define EXPECT(key, ...)                                                                                               \
    do {                                                                                                               \
        const char *strings_[] = {__VA_ARGS__};                                                                        \
        expect(strings_, sizeof strings_ / sizeof *strings_, key);                                                     \
    } while (0)

static void test_channel_key__known_values(void **state)
{
    (void)state;
    expect(NULL, 0, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    EXPECT("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "");
    EXPECT("56wHhmaOD/DwK2K9BPRf9jb9gttjsRBGAcl13ABfOmc=", "", "");
    EXPECT("Z4OjHqv2jMwGYPk1wIJigr3SJB86gKny0Q1Zrqnrtdg=", "a", "b");
    EXPECT("Z4OjHqv2jMwGYPk1wIJigr3SJB86gKny0Q1Zrqnrtdg=", "a:b");
    EXPECT("f9Q53g62DYA0FAUytV2GgZNxd/c3pLLMOnCLmJgS0b0=", "KeyEncoderTests");
    EXPECT("AW/I9kddUARoeBgUGSFYcEkjnNnXRb97kdcwCdw7aMU=", "KeyEncoderTests", "another");
    EXPECT("j6F/q4FRh3/lsp13Ua5fP+TMngXf41mSoJtRCc1mXaU=", "KeyEncoderTests", "http://localhost", "zoo");
    EXPECT("2fSQ47gjrp9jSTNMyKe6rgsKhAO+sYp7jjLpfgssDnM=", AGENTCHAT_TYPE_AGGREGATOR_CHANNEL, "\xC3\x89quipe");
    EXPECT("0Lr4GqQqpAFaYf0md7hJqY+K3ODjHcJucKiZcSio5L4=",
           "Microsoft.SemanticKernel.Agents.Bedrock.BedrockAgentChannel");
}

static void test_channel_key__of_history_agents(void **state)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    const char *keys[] = {"Microsoft.SemanticKernel.ChatCompletion.ChatHistoryTruncationReducer", "-1234567890"};
    agentchat_agent *plain = speaker(NULL, "A", "x"), *other = speaker(NULL, "B", "y"), *reducing;

    (void)state;
    options.answer = say;
    options.keys = keys;
    options.key_count = 2;
    reducing = test_history_agent_new(NULL, &options);
    assert_str(agentchat_agent_channel_key(plain), "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=");
    assert_str(agentchat_agent_channel_key(other), "Vdx37EnWT9BS+kkCkEgFCg9uHvHNw1+hXMA4sgNMKs4=");
    assert_str(agentchat_agent_channel_key(reducing), "Q10cMLNwrkL8Rl1qvYbO7TKwKfI7vCq1CCtW1CER3GA=");
    assert_str(agentchat_agent_type(plain), AGENTCHAT_TYPE_HISTORY_AGENT);
    assert_null(agentchat_agent_name(reducing).ptr);
    agentchat_agent_free(plain);
    agentchat_agent_free(other);
    agentchat_agent_free(reducing);
}

static agentchat_status make_nothing(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    (void)out;
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "not here");
}

static void test_channel_key__of_aggregators(void **state)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_agent *named, *unnamed;
    agentchat_error err;

    (void)state;
    options.make = make_nothing;
    unnamed = test_aggregator_new(NULL, &options);
    options.name = AGENTCHAT_STR("Group");
    named = test_aggregator_new(NULL, &options);
    assert_str(agentchat_agent_channel_key(named), "9hOXB1TWUj8A6pLqF+fndaYZCnCNRGd+sUAClZEUBrc=");
    /* Without a name the id counts, also one that is set later. */
    test_ok(agentchat_agent_set_id(unnamed, AGENTCHAT_STR("01b6a120-7fef-45e2-aafb-81cf4a90d931"), &err), &err);
    assert_str(agentchat_agent_channel_key(unnamed), "IgiikkV8jhi0ZrwOvsi5OoOgb7zgOHZuLDp+Os3WPQ8=");
    test_ok(agentchat_agent_set_id(named, AGENTCHAT_STR("01b6a120-7fef-45e2-aafb-81cf4a90d931"), &err), &err);
    assert_str(agentchat_agent_channel_key(named), "9hOXB1TWUj8A6pLqF+fndaYZCnCNRGd+sUAClZEUBrc=");
    agentchat_agent_free(named);
    agentchat_agent_free(unnamed);
}

static void test_channel_key__of_own_agents(void **state)
{
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;
    mock m = {.says = NULL};
    char key[AGENTCHAT_KEY_LEN + 1];
    agentchat_str name = AGENTCHAT_STR(MOCK_TYPE);
    agentchat_agent *agent;

    (void)state;
    options.channel = &mock_type;
    options.user = &m;
    agent = test_agent_new(NULL, &options);
    assert_int_equal(agentchat_channel_key(&name, 1, key), AGENTCHAT_OK);
    assert_str(agentchat_agent_channel_key(agent), key);
    assert_str(agentchat_agent_type(agent), MOCK_TYPE);
    assert_int_equal(agentchat_agent_id(agent).len, 36);
    assert_ptr_equal(agentchat_agent_user(agent), &m);
    agentchat_agent_free(agent);
    options.keys = (const char *const[]){"a", "b"};
    options.key_count = 2;
    agent = test_agent_new(NULL, &options);
    assert_str(agentchat_agent_channel_key(agent), "Z4OjHqv2jMwGYPk1wIJigr3SJB86gKny0Q1Zrqnrtdg=");
    agentchat_agent_free(agent);
}

static void test_agent__set_id_refusals(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_agent *agent = speaker(NULL, "A", "x");
    agentchat_error err;

    (void)state;
    test_fails(agentchat_agent_set_id(agent, AGENTCHAT_STR(""), &err), &err, AGENTCHAT_E_INVALID, "", "not empty");
    test_fails(agentchat_agent_set_id(agent, AGENTCHAT_STR("\xFF"), &err), &err, AGENTCHAT_E_INVALID, "", "UTF-8");
    test_fails(agentchat_agent_set_id(agent, (agentchat_str){NULL, 0}, &err), &err, AGENTCHAT_E_INVALID, "", "id");
    add_agent(chat, agent);
    test_fails(agentchat_agent_set_id(agent, AGENTCHAT_STR("x"), &err), &err, AGENTCHAT_E_INVALID, "", "in a chat");
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channel_key__known_values),   cmocka_unit_test(test_channel_key__of_history_agents),
        cmocka_unit_test(test_channel_key__of_aggregators), cmocka_unit_test(test_channel_key__of_own_agents),
        cmocka_unit_test(test_agent__set_id_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
