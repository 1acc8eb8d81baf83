/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/agent.h: making agents and looking at them. What their functions call is in sweep_callbacks.c. */
#include "sweep.h"

#include "unit/chat/chat_mock.h"

static int freed; /* calls of count_free */

static void count_free(void *user)
{
    (void)user;
    freed++;
}

/* The strings of an agent: a third variant has long ones, for which its block has no room. */
static const char *string(unsigned variant, unsigned n, const char *otherwise)
{
    return variant == n ? sweep_long().ptr : otherwise;
}

/* Whatever was made is given back; user is released once, whether an agent was made or not. */
static void check_agent(agentchat_agent *agent, const char *name)
{
    if (agent != NULL) {
        assert_int_equal(freed, 0);
        assert_str(agentchat_agent_name(agent), name);
        agentchat_agent_free(agent);
    }
    assert_int_equal(freed, 1);
    freed = 0;
}

/* 0: id generated; 1: the name is long; 2: the id is; 3: the type is. */
static agentchat_status new_agent(const agentchat_env *env, unsigned variant, agentchat_agent **out,
                                  agentchat_error *err)
{
    static const char *const keys[] = {"a", "b"};
    agentchat_agent_options options = AGENTCHAT_AGENT_OPTIONS_INIT;

    options.name = agentchat_str_from(string(variant, 1, "n"));
    options.id = agentchat_str_from(string(variant, 2, NULL));
    options.type = string(variant, 3, NULL);
    options.channel = &mock_type;
    options.keys = keys;
    options.key_count = 2;
    options.free_user = count_free;
    return agentchat_agent_new(env, &options, out, err);
}

static agentchat_status agent_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_agent *agent;
    agentchat_error again;
    agentchat_status status;

    freed = 0;
    sweep_begin();
    status = new_agent(env, variant, &agent, err);
    sweep_end();
    assert_int_equal(agent != NULL, status >= 0);
    check_agent(agent, string(variant, 1, "n"));
    if (status < 0) {
        test_ok(new_agent(env, variant, &agent, &again), &again);
        check_agent(agent, string(variant, 1, "n"));
    }
    return status;
}

static agentchat_status new_history_agent(const agentchat_env *env, unsigned variant, agentchat_agent **out,
                                          agentchat_error *err)
{
    static const char *const keys[] = {"a", "b"};
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;

    options.name = agentchat_str_from(string(variant, 1, "n"));
    options.id = agentchat_str_from(string(variant, 2, NULL));
    options.answer = say;
    options.keys = keys;
    options.key_count = 2;
    options.free_user = count_free;
    return agentchat_history_agent_new(env, &options, out, err);
}

static agentchat_status history_agent_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_agent *agent;
    agentchat_error again;
    agentchat_status status;

    freed = 0;
    sweep_begin();
    status = new_history_agent(env, variant, &agent, err);
    sweep_end();
    assert_int_equal(agent != NULL, status >= 0);
    check_agent(agent, string(variant, 1, "n"));
    if (status < 0) {
        test_ok(new_history_agent(env, variant, &agent, &again), &again);
        check_agent(agent, string(variant, 1, "n"));
    }
    return status;
}

static agentchat_status make_thread(void *user, agentchat_bytes *out_id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(out_id, AGENTCHAT_STR("thread"), err);
}

static agentchat_status post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)batch;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status new_remote_agent(const agentchat_env *env, unsigned variant, agentchat_agent **out,
                                         agentchat_error *err)
{
    static const agentchat_remote_ops ops = {sizeof ops, make_thread, post, answer, NULL};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.name = agentchat_str_from(string(variant, 1, "n"));
    options.id = agentchat_str_from(string(variant, 2, NULL));
    options.type = "t";
    options.channel_type = string(variant, 3, "c");
    options.ops = &ops;
    options.free_user = count_free;
    return agentchat_remote_agent_new(env, &options, out, err);
}

static agentchat_status remote_agent_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_agent *agent;
    agentchat_error again;
    agentchat_status status;

    freed = 0;
    sweep_begin();
    status = new_remote_agent(env, variant, &agent, err);
    sweep_end();
    assert_int_equal(agent != NULL, status >= 0);
    check_agent(agent, string(variant, 1, "n"));
    if (status < 0) {
        test_ok(new_remote_agent(env, variant, &agent, &again), &again);
        check_agent(agent, string(variant, 1, "n"));
    }
    return status;
}

static agentchat_status make_nothing(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)user;
    *out = NULL;
    return agentchat_error_set(err, AGENTCHAT_E_CALLBACK, "nobody calls this");
}

static agentchat_status new_aggregator(const agentchat_env *env, unsigned variant, agentchat_agent **out,
                                       agentchat_error *err)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;

    options.name = agentchat_str_from(string(variant, 1, "n"));
    options.id = agentchat_str_from(string(variant, 2, NULL));
    options.make = make_nothing;
    options.free_user = count_free;
    return agentchat_aggregator_new(env, &options, out, err);
}

static agentchat_status aggregator_new(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_agent *agent;
    agentchat_error again;
    agentchat_status status;

    freed = 0;
    sweep_begin();
    status = new_aggregator(env, variant, &agent, err);
    sweep_end();
    assert_int_equal(agent != NULL, status >= 0);
    check_agent(agent, string(variant, 1, "n"));
    if (status < 0) {
        test_ok(new_aggregator(env, variant, &agent, &again), &again);
        check_agent(agent, string(variant, 1, "n"));
    }
    return status;
}

/* 0: an agent whose channel's key is given; 1: one whose key is made of its id, and follows it. */
static agentchat_status agent_set_id(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_remote_ops ops = {sizeof ops, make_thread, post, answer, NULL};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;
    agentchat_agent *agent;
    agentchat_str before, key;
    char key_before[AGENTCHAT_KEY_LEN];
    agentchat_error again;
    agentchat_status status;

    options.type = "t";
    options.channel_type = "c";
    options.ops = &ops;
    if (variant == 0)
        test_ok(new_agent(env, 0, &agent, &again), &again);
    else
        agent = test_remote_agent_new(env, &options);
    assert_non_null(agent);
    before = agentchat_agent_id(agent);
    key = agentchat_agent_channel_key(agent);
    memcpy(key_before, key.ptr, sizeof key_before);
    sweep_begin();
    status = agentchat_agent_set_id(agent, sweep_long(), err);
    sweep_end();
    if (status < 0) {
        assert_ptr_equal(agentchat_agent_id(agent).ptr, before.ptr);
        assert_memory_equal(agentchat_agent_channel_key(agent).ptr, key_before, sizeof key_before);
        test_ok(agentchat_agent_set_id(agent, sweep_long(), &again), &again);
    }
    assert_true(agentchat_str_equal(agentchat_agent_id(agent), sweep_long()));
    assert_true((memcmp(agentchat_agent_channel_key(agent).ptr, key_before, sizeof key_before) != 0) == (variant == 1));
    agentchat_agent_free(agent);
    return status;
}

static agentchat_status look_at_agent(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    mock m = {.says = "m"};
    agentchat_agent *agent = mock_agent(env, "M", &m);
    agentchat_str id, name, type, key;
    void *user;

    (void)variant;
    (void)err;
    sweep_begin();
    id = agentchat_agent_id(agent);
    name = agentchat_agent_name(agent);
    type = agentchat_agent_type(agent);
    key = agentchat_agent_channel_key(agent);
    user = agentchat_agent_user(agent);
    sweep_end();
    assert_true(id.len > 0);
    assert_str(name, "M");
    assert_str(type, MOCK_TYPE);
    assert_int_equal(key.len, AGENTCHAT_KEY_LEN);
    assert_ptr_equal(user, &m);
    sweep_begin();
    agentchat_agent_free(NULL);
    agentchat_agent_free(agent);
    sweep_end();
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_channel_type type;
    agentchat_remote_ops ops;
    agentchat_agent_options agent;
    agentchat_history_agent_options history;
    agentchat_remote_agent_options remote;
    agentchat_aggregator_options aggregator;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_channel_type_init(&type, sizeof type);
    agentchat_remote_ops_init(&ops, sizeof ops);
    agentchat_agent_options_init(&agent, sizeof agent);
    agentchat_history_agent_options_init(&history, sizeof history);
    agentchat_remote_agent_options_init(&remote, sizeof remote);
    agentchat_aggregator_options_init(&aggregator, sizeof aggregator);
    sweep_end();
    assert_memory_equal(&type, &(agentchat_channel_type)AGENTCHAT_CHANNEL_TYPE_INIT, sizeof type);
    assert_memory_equal(&ops, &(agentchat_remote_ops)AGENTCHAT_REMOTE_OPS_INIT, sizeof ops);
    assert_int_equal(agent.struct_size, sizeof agent);
    assert_int_equal(history.struct_size, sizeof history);
    assert_int_equal(remote.struct_size, sizeof remote);
    assert_int_equal(aggregator.struct_size, sizeof aggregator);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_agent_new", agent_new, SWEEP_ALLOCATES, 4},
    {"agentchat_channel_type_init", inits, SWEEP_NEVER, 0},
    {"agentchat_remote_ops_init", inits, SWEEP_NEVER, 0},
    {"agentchat_agent_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_history_agent_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_remote_agent_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_aggregator_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_agent_free", look_at_agent, SWEEP_NEVER, 0},
    {"agentchat_agent_id", look_at_agent, SWEEP_NEVER, 0},
    {"agentchat_agent_name", look_at_agent, SWEEP_NEVER, 0},
    {"agentchat_agent_type", look_at_agent, SWEEP_NEVER, 0},
    {"agentchat_agent_channel_key", look_at_agent, SWEEP_NEVER, 0},
    {"agentchat_agent_user", look_at_agent, SWEEP_NEVER, 0},
    {"agentchat_agent_set_id", agent_set_id, SWEEP_ALLOCATES, 2},
    {"agentchat_history_agent_new", history_agent_new, SWEEP_ALLOCATES, 3},
    {"agentchat_remote_agent_new", remote_agent_new, SWEEP_ALLOCATES, 4},
    {"agentchat_aggregator_new", aggregator_new, SWEEP_ALLOCATES, 3},
};

int main(void)
{
    return sweep_main("sweep.agent", rows, sizeof rows / sizeof *rows);
}
