/* SPDX-License-Identifier: Apache-2.0 */
/* Out of memory at every allocation of a chat's life, with a chat inside a chat: nothing leaks, each call does all or
   nothing, and can be had again. */
#include "unit/chat/chat_mock.h"

/* Tries a call a second time when memory was short: alone failing it must work then, as if nothing had been. */
#define TWICE(status, call, err)                                                                                       \
    do {                                                                                                               \
        if ((status) >= 0) {                                                                                           \
            (status) = (call);                                                                                         \
            if ((status) == AGENTCHAT_E_NOMEM)                                                                         \
                (status) = (call);                                                                                     \
            if ((status) >= 0)                                                                                         \
                agentchat_error_clear(err);                                                                            \
        }                                                                                                              \
    } while (0)

typedef struct world {
    const agentchat_env *env;
    mock m, inner;
    bool with_group;
} world;

static agentchat_status make(void *user, agentchat_chat **out, agentchat_error *err)
{
    world *w = user;
    agentchat_chat *chat = test_chat_new(w->env);
    agentchat_status status = test_add_agent(chat, speaker(w->env, "I", "i"), err);

    if (status >= 0)
        status = test_add_agent(chat, mock_agent(w->env, "J", &w->inner), err);
    if (status < 0) {
        agentchat_chat_free(chat);
        chat = NULL;
    }
    *out = chat;
    return status;
}

static agentchat_status build(world *w, agentchat_chat **out, agentchat_error *err)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_chat *chat = NULL;
    agentchat_status status;

    options.name = AGENTCHAT_STR("G");
    options.mode = AGENTCHAT_AGGREGATOR_NESTED;
    options.make = make;
    options.user = w;
    chat = test_chat_new(w->env);
    status = test_add_agent(chat, speaker(w->env, "H", "h"), err);
    if (status >= 0)
        status = test_add_agent(chat, mock_agent(w->env, "M", &w->m), err);
    if (status >= 0 && w->with_group)
        status = test_add_agent(chat, test_aggregator_new(w->env, &options), err);
    if (status >= 0)
        *out = chat;
    else
        agentchat_chat_free(chat);
    return status;
}

/* The history channel holds what the chat's history holds: nothing was missed, nothing came twice. */
static agentchat_status verify(agentchat_chat *chat, agentchat_error *err)
{
    const agentchat_messages *list = NULL;
    agentchat_status status = AGENTCHAT_OK;
    char a[8192], b[8192];

    TWICE(status, agentchat_chat_channel_history(chat, agentchat_chat_agent(chat, 0), &list, err), err);
    if (status >= 0 && agentchat_messages_count(list) > 0)
        assert_string_equal(texts(list, a), texts(agentchat_chat_history(chat), b));
    return status;
}

/* Adds a text: it is there afterwards, or nothing is. */
static agentchat_status add(agentchat_chat *chat, agentchat_error *err)
{
    size_t before = agentchat_chat_message_count(chat);
    agentchat_status status = agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("t"), err);

    assert_int_equal(agentchat_chat_message_count(chat), before + (status >= 0));
    return status;
}

static agentchat_status live(world *w, agentchat_chat *chat, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;

    TWICE(status, add(chat, err), err);
    TWICE(status, agentchat_chat_invoke(chat, AGENTCHAT_STR("H"), err), err);
    TWICE(status, agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), err), err);
    if (w->with_group)
        TWICE(status, agentchat_chat_invoke(chat, AGENTCHAT_STR("G"), err), err);
    TWICE(status, add(chat, err), err);
    TWICE(status, agentchat_chat_invoke_next(chat, err), err);
    TWICE(status,
          agentchat_chat_set_value(chat, AGENTCHAT_STR("v"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("[1]"), err), err);
    return status >= 0 ? verify(chat, err) : status;
}

static agentchat_status use_and_reset(const agentchat_env *env, void *user, agentchat_error *err)
{
    world w = {.env = env, .m = {.says = "m"}, .inner = {.says = "j"}, .with_group = true};
    agentchat_chat *chat = NULL;
    agentchat_status status = build(&w, &chat, err);

    (void)user;
    if (status >= 0)
        status = live(&w, chat, err);
    TWICE(status, agentchat_chat_reset(chat, err), err);
    if (status >= 0)
        status = live(&w, chat, err);
    agentchat_chat_free(chat);
    assert_int_equal(w.m.frees, w.m.creates);
    return status;
}

static agentchat_status restored(const agentchat_snapshot *snapshot, agentchat_chat *chat, agentchat_error *err)
{
    agentchat_report *report = NULL;
    agentchat_status status = agentchat_chat_restore(chat, snapshot, NULL, &report, err);

    if (status < 0) {
        assert_int_equal(agentchat_chat_message_count(chat), 0);
        assert_int_equal(agentchat_chat_kept_count(chat), 0);
    } else {
        assert_non_null(report);
    }
    agentchat_report_free(report);
    return status;
}

static agentchat_status capture_in_full(agentchat_chat *chat, agentchat_snapshot **out, agentchat_error *err)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_status status;

    options.all_channels = true;
    status = agentchat_chat_capture(chat, &options, out, &report, err);
    assert_true((status < 0) == (*out == NULL));
    agentchat_report_free(report);
    return status;
}

static agentchat_status capture_and_restore(const agentchat_env *env, void *user, agentchat_error *err)
{
    world w = {.env = env, .m = {.says = "m"}, .inner = {.says = "j"}, .with_group = true};
    world next = w, reduced = w;
    agentchat_chat *chat = NULL, *second = NULL, *third = NULL;
    agentchat_snapshot *snapshot = NULL, *again = NULL;
    agentchat_status status = build(&w, &chat, err);

    (void)user;
    reduced.with_group = false;
    if (status >= 0)
        status = live(&w, chat, err);
    w.m.fail_receive = 1; /* something is pending */
    TWICE(status, add(chat, err), err);
    w.m.fail_receive = 1;
    TWICE(status, capture_in_full(chat, &snapshot, err), err);
    if (status >= 0)
        status = build(&next, &second, err);
    TWICE(status, restored(snapshot, second, err), err);
    if (status >= 0)
        status = live(&next, second, err);
    if (status >= 0)
        status = build(&reduced, &third, err);
    TWICE(status, restored(snapshot, third, err), err); /* keeps the group's state */
    TWICE(status, agentchat_chat_invoke(third, AGENTCHAT_STR("M"), err), err);
    TWICE(status, capture_in_full(third, &again, err), err);
    if (status >= 0)
        assert_int_equal(agentchat_snapshot_channel_count(again), 3);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(again);
    agentchat_chat_free(chat);
    agentchat_chat_free(second);
    agentchat_chat_free(third);
    assert_int_equal(next.m.frees, next.m.creates + next.m.restores);
    return status;
}

/* A kept state is claimed, pending messages and all. */
static agentchat_status claim(const agentchat_env *env, void *user, agentchat_error *err)
{
    world w = {.env = env, .m = {.says = "m"}};
    agentchat_snapshot *snapshot = user;
    agentchat_chat *chat = test_chat_new(env);
    agentchat_status status = test_add_agent(chat, speaker(env, "H", "h"), err);

    TWICE(status, restored(snapshot, chat, err), err);
    TWICE(status, add(chat, err), err);
    if (status >= 0)
        status = test_add_agent(chat, mock_agent(env, "M", &w.m), err);
    TWICE(status, agentchat_chat_invoke(chat, AGENTCHAT_STR("M"), err), err);
    if (status >= 0) {
        assert_string_equal(w.m.given, "t;h;t;");
        status = verify(chat, err);
    }
    agentchat_chat_free(chat);
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
    (void)batch;
    (void)err;
    assert_str(id, "thread");
    return AGENTCHAT_OK;
}

static agentchat_status answer(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)id;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("r"), err);
}

static agentchat_agent *remote(const agentchat_env *env)
{
    static const agentchat_remote_ops ops = {sizeof ops, make_thread, post, answer, NULL};
    agentchat_remote_agent_options options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;

    options.name = AGENTCHAT_STR("R");
    options.type = "t";
    options.channel_type = "c";
    options.ops = &ops;
    return test_remote_agent_new(env, &options);
}

static agentchat_status threads(const agentchat_env *env, void *user, agentchat_error *err)
{
    agentchat_chat *chat = test_chat_new(env), *next = test_chat_new(env);
    agentchat_snapshot *snapshot = NULL;
    agentchat_status status = test_add_agent(chat, remote(env), err);

    (void)user;
    if (status >= 0)
        status = test_add_agent(next, remote(env), err);
    TWICE(status, add(chat, err), err);
    TWICE(status, agentchat_chat_invoke(chat, AGENTCHAT_STR("R"), err), err);
    TWICE(status, agentchat_chat_capture(chat, NULL, &snapshot, NULL, err), err);
    TWICE(status, restored(snapshot, next, err), err);
    TWICE(status, agentchat_chat_invoke(next, AGENTCHAT_STR("R"), err), err);
    agentchat_snapshot_unref(snapshot);
    agentchat_chat_free(chat);
    agentchat_chat_free(next);
    return status;
}

static void test_oom__use_and_reset(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(use_and_reset, NULL) > 50);
}

static void test_oom__capture_and_restore(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(capture_and_restore, NULL) > 100);
}

static void test_oom__claim_of_a_kept_state(void **state)
{
    agentchat_chat *chat = test_chat_new(NULL);
    agentchat_snapshot *snapshot;
    mock m = {.says = "m"};

    (void)state;
    add_agent(chat, speaker(NULL, "H", "h"));
    add_agent(chat, mock_agent(NULL, "M", &m));
    invoke(chat, "H");
    invoke(chat, "M");
    m.fail_receive = -1; /* what follows stays pending */
    add_text(chat, "t");
    invoke(chat, "H");
    snapshot = capture(chat);
    agentchat_chat_free(chat);
    assert_true(test_oom_sweep(claim, snapshot) > 20);
    agentchat_snapshot_unref(snapshot);
}

static void test_oom__remote_agents(void **state)
{
    (void)state;
    assert_true(test_oom_sweep(threads, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oom__use_and_reset),
        cmocka_unit_test(test_oom__capture_and_restore),
        cmocka_unit_test(test_oom__claim_of_a_kept_state),
        cmocka_unit_test(test_oom__remote_agents),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
