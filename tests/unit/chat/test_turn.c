/* SPDX-License-Identifier: Apache-2.0 */
/* Turns in two calls: the same as a turn by the agent's function, for every kind of agent, however they end. */
#include "chat_mock.h"

static const agentchat_str NOBODY = {NULL, 0};

/* ---- a chat with an agent of every kind ---------------------------------------------------------------------------
 */

static agentchat_agent *with_id(agentchat_agent *agent, const char *id)
{
    agentchat_error err;

    test_ok(agentchat_agent_set_id(agent, agentchat_str_from(id), &err), &err);
    return agent;
}

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, with_id(speaker(NULL, "inner", "from inside"), "id-inner"));
    return AGENTCHAT_OK;
}

static agentchat_agent *group_agent(const char *name, agentchat_aggregator_mode mode)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = options.id = agentchat_str_from(name);
    options.mode = mode;
    options.make = make_inner;
    return test_aggregator_new(NULL, &options);
}

/* H and I, history agents; M, with a channel of its own; F and N, aggregators. Each has spoken once. */
static agentchat_chat *full_chat(mock *m)
{
    static const char *const names[] = {"H", "I", "M", "F", "N"};
    agentchat_chat *chat = test_chat_new(NULL);

    add_agent(chat, with_id(speaker(NULL, "H", "h"), "id-H"));
    add_agent(chat, with_id(speaker(NULL, "I", "i"), "id-I"));
    add_agent(chat, with_id(mock_agent(NULL, "M", m), "id-M"));
    add_agent(chat, group_agent("F", AGENTCHAT_AGGREGATOR_FLAT));
    add_agent(chat, group_agent("N", AGENTCHAT_AGGREGATOR_NESTED));
    add_text(chat, "question");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        invoke(chat, names[i]);
    add_text(chat, "another");
    return chat;
}

static agentchat_turn *begin(agentchat_chat *chat, agentchat_str name)
{
    agentchat_turn *turn = NULL;
    agentchat_error err;

    test_ok(agentchat_turn_begin(chat, name, &turn, &err), &err);
    assert_non_null(turn);
    return turn;
}

static void say_in(agentchat_turn *turn, const char *text)
{
    agentchat_error err;

    test_ok(agentchat_turn_add_text(turn, agentchat_str_from(text), &err), &err);
}

static void end(agentchat_turn *turn)
{
    agentchat_error err;

    test_ok(agentchat_turn_end(turn, &err), &err);
}

static void assert_same_picture(agentchat_chat *left, agentchat_chat *right)
{
    char *a = picture(left), *b = picture(right);

    assert_string_equal(a, b);
    free(a);
    free(b);
}

/* ---- as by the function -------------------------------------------------------------------------------------------
 */

/* What the host does between the two calls, in place of the agent's function. */
static void answer(agentchat_chat *chat, agentchat_turn *turn, mock *m, const char *name)
{
    switch (*name) {
    case 'H':
        say_in(turn, "h");
        break;
    case 'I':
        say_in(turn, "i");
        break;
    case 'M':
        assert_ptr_equal(agentchat_turn_channel(turn), m->channel);
        say_in(turn, "m");
        mock_note(m->channel->seen, sizeof m->channel->seen, AGENTCHAT_STR("m"));
        break;
    default:
        invoke(agentchat_chat_inner(chat, agentchat_turn_agent(turn)), "inner");
    }
}

static void test_turn__equals_the_function(void **state)
{
    static const char *const names[] = {"H", "I", "M", "F", "N"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mock m = {.says = "m"}, n = {.says = "m"};
        agentchat_chat *by_function = full_chat(&m), *in_two = full_chat(&n);
        int before = n.invokes;
        agentchat_turn *turn;

        invoke(by_function, names[i]);
        turn = begin(in_two, agentchat_str_from(names[i]));
        assert_str(agentchat_agent_name(agentchat_turn_agent(turn)), names[i]);
        answer(in_two, turn, &n, names[i]);
        end(turn);
        assert_int_equal(n.invokes, before); /* the host answered, not the function */
        assert_same_picture(by_function, in_two);
        invoke(by_function, "I"); /* all channels have what was said */
        invoke(in_two, "I");
        assert_same_picture(by_function, in_two);
        agentchat_chat_free(by_function);
        agentchat_chat_free(in_two);
    }
}

static void test_turn__history_is_that_of_its_beginning(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m"};
    agentchat_turn *turn;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_text(chat, "a");
    turn = begin(chat, AGENTCHAT_STR("H"));
    assert_null(agentchat_turn_channel(turn));
    assert_texts(agentchat_turn_history(turn), "a;");
    say_in(turn, "b");
    say_in(turn, "c");
    assert_texts(agentchat_turn_history(turn), "a;");
    assert_texts(agentchat_chat_history(chat), "a;b;c;");
    end(turn);
    assert_channel_texts(chat, 0, "a;b;c;");
    turn = begin(chat, AGENTCHAT_STR("M")); /* a channel without a view */
    assert_null(agentchat_turn_history(turn));
    assert_string_equal(m.given, "a;b;c;");
    agentchat_turn_free(turn);
    agentchat_chat_free(chat);
}

/* ---- agents that answer in two calls only, and remote ones ---------------------------------------------------------
 */

static void test_turn__of_an_agent_without_a_function(void **state)
{
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_turn *turn;
    agentchat_error err;

    (void)state;
    options.name = AGENTCHAT_STR("H");
    add_agent(chat, test_history_agent_new(NULL, &options));
    assert_int_equal(agentchat_chat_invoke(chat, AGENTCHAT_STR("H"), &err), AGENTCHAT_E_UNSUPPORTED);
    assert_non_null(strstr(err.message, "agentchat_turn_begin"));
    turn = begin(chat, AGENTCHAT_STR("H"));
    say_in(turn, "h");
    end(turn);
    assert_texts(agentchat_chat_history(chat), "h;");
    agentchat_chat_free(chat);
}

static agentchat_status make_thread(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("thread-7"), err);
}

static agentchat_status post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)err;
    assert_str(id, "thread-7");
    *(size_t *)user += agentchat_messages_count(batch);
    return AGENTCHAT_OK;
}

static agentchat_status never(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)out;
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "the host was to answer");
}

static void test_turn__of_a_remote_agent(void **state)
{
    static const agentchat_remote_ops ops = {sizeof ops, make_thread, post, never, NULL};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    size_t posted = 0;
    agentchat_turn *turn;

    (void)state;
    options.name = AGENTCHAT_STR("R");
    options.type = "test.Remote";
    options.channel_type = "test.RemoteChannel";
    options.ops = &ops;
    options.user = &posted;
    add_agent(chat, test_remote_agent_new(NULL, &options));
    add_agent(chat, speaker(NULL, "H", "h"));
    add_text(chat, "q");
    turn = begin(chat, AGENTCHAT_STR("R"));
    assert_str(agentchat_turn_remote_id(turn), "thread-7");
    assert_null(agentchat_turn_channel(turn));
    assert_int_equal(posted, 1);
    say_in(turn, "from afar");
    end(turn);
    invoke(chat, "H");
    turn = begin(chat, AGENTCHAT_STR("R"));
    assert_int_equal(posted, 2); /* what H said, not its own words */
    end(turn);
    turn = begin(chat, AGENTCHAT_STR("H"));
    assert_null(agentchat_turn_remote_id(turn).ptr);
    end(turn);
    agentchat_chat_free(chat);
}

static void test_turn__round_robin(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_error err;
    agentchat_turn *turn;

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, speaker(NULL, "B", "b"));
    turn = begin(chat, NOBODY);
    assert_str(agentchat_agent_name(agentchat_turn_agent(turn)), "A");
    agentchat_turn_free(turn); /* failed: A is to speak still */
    turn = begin(chat, NOBODY);
    assert_str(agentchat_agent_name(agentchat_turn_agent(turn)), "A");
    say_in(turn, "a");
    end(turn);
    turn = begin(chat, AGENTCHAT_STR("A")); /* by name: the round robin stays where it is */
    end(turn);
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    turn = begin(chat, NOBODY);
    assert_str(agentchat_agent_name(agentchat_turn_agent(turn)), "A");
    end(turn);
    assert_texts(agentchat_chat_history(chat), "a;b;");
    agentchat_chat_free(chat);
}

/* ---- how it ends --------------------------------------------------------------------------------------------------
 */

static void test_turn__dropped_has_failed(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m"};
    agentchat_turn *turn;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "M");
    turn = begin(chat, AGENTCHAT_STR("H"));
    say_in(turn, "half an answer");
    agentchat_turn_free(turn);
    assert_string_equal(m.given, "half an answer;");
    assert_texts(agentchat_chat_history(chat), "m;half an answer;");
    invoke(chat, "H");
    assert_texts(agentchat_chat_history(chat), "m;half an answer;h;");
    agentchat_turn_free(NULL);
    agentchat_chat_free(chat);
}

static void test_turn__chat_is_busy(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_snapshot *snapshot = NULL;
    agentchat_turn *turn, *second = NULL;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    turn = begin(chat, AGENTCHAT_STR("H"));
    assert_int_equal(agentchat_turn_begin(chat, AGENTCHAT_STR("H"), &second, &err), AGENTCHAT_E_BUSY);
    assert_null(second);
    assert_int_equal(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("x"), &err), AGENTCHAT_E_BUSY);
    assert_int_equal(agentchat_chat_invoke(chat, AGENTCHAT_STR("H"), &err), AGENTCHAT_E_BUSY);
    assert_int_equal(agentchat_chat_invoke_next(chat, &err), AGENTCHAT_E_BUSY);
    assert_int_equal(agentchat_chat_reset(chat, &err), AGENTCHAT_E_BUSY);
    assert_int_equal(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), AGENTCHAT_E_BUSY);
    assert_int_equal(agentchat_chat_add_agent(chat, speaker(NULL, "I", "i"), &err), AGENTCHAT_E_BUSY);
    say_in(turn, "h");
    end(turn);
    add_text(chat, "x");
    assert_texts(agentchat_chat_history(chat), "h;x;");
    agentchat_chat_free(chat);
}

static void test_turn__chat_freed_meanwhile(void **state)
{
    static const char *const names[] = {"H", "M", "F", "N"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mock m = {.says = "m"};
        agentchat_chat *chat = full_chat(&m);

        (void)begin(chat, agentchat_str_from(names[i]));
        agentchat_chat_free(chat);
        assert_int_equal(m.frees, m.creates);
    }
}

/* ---- refusals -----------------------------------------------------------------------------------------------------
 */

static void test_turn__refusals(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    mock m = {.says = "m", .fail_create = 1};
    agentchat_message *rule = NULL;
    agentchat_turn *turn = NULL;
    agentchat_error err;

    (void)state;
    assert_int_equal(agentchat_turn_begin(chat, NOBODY, &turn, &err), AGENTCHAT_E_NO_AGENTS);
    add_agent(chat, mock_agent(NULL, "M", &m));
    add_agent(chat, speaker(NULL, "H", "h"));
    assert_int_equal(agentchat_turn_begin(chat, AGENTCHAT_STR("X"), &turn, &err), AGENTCHAT_E_NOTFOUND);
    assert_int_equal(agentchat_turn_begin(chat, AGENTCHAT_STR("M"), &turn, &err), AGENTCHAT_E_CALLBACK);
    assert_non_null(strstr(err.message, "create is down"));
    assert_null(turn);
    test_ok(agentchat_message_new_text(NULL, "system", NOBODY, AGENTCHAT_STR("rule"), &rule, &err), &err);
    turn = begin(chat, AGENTCHAT_STR("H")); /* the failures left the chat free */
    assert_int_equal(agentchat_turn_add(turn, rule, &err), AGENTCHAT_E_INVALID);
    assert_int_equal(agentchat_turn_add(turn, NULL, &err), AGENTCHAT_E_INVALID);
    end(turn);
    assert_int_equal(agentchat_chat_message_count(chat), 0);
    agentchat_chat_set_complete(chat, true);
    assert_int_equal(agentchat_turn_begin(chat, NOBODY, &turn, &err), AGENTCHAT_E_INVALID);
    turn = begin(chat, AGENTCHAT_STR("H")); /* named, as invoking it would */
    agentchat_turn_free(turn);
    agentchat_message_unref(rule);
    agentchat_chat_free(chat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turn__equals_the_function),
        cmocka_unit_test(test_turn__history_is_that_of_its_beginning),
        cmocka_unit_test(test_turn__of_an_agent_without_a_function),
        cmocka_unit_test(test_turn__of_a_remote_agent),
        cmocka_unit_test(test_turn__round_robin),
        cmocka_unit_test(test_turn__dropped_has_failed),
        cmocka_unit_test(test_turn__chat_is_busy),
        cmocka_unit_test(test_turn__chat_freed_meanwhile),
        cmocka_unit_test(test_turn__refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
