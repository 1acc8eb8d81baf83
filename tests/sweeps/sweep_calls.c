/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/calls.h. */
#include "sweep.h"

#include <agentchat/calls.h>

static agentchat_status find_and_look(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_message *message = sweep_rich_message(NULL); /* which has one call and one result */
    agentchat_messages *list = NULL;
    agentchat_calls *calls = NULL;
    agentchat_error again;
    agentchat_status status;
    const agentchat_call *first, *beyond;
    size_t count;

    test_ok(agentchat_messages_new(NULL, &message, variant, &list, &again), &again);
    sweep_begin();
    status = agentchat_calls_find(env, list, &calls, err);
    sweep_end();
    if (status < 0) {
        assert_null(calls);
        test_ok(agentchat_calls_find(env, list, &calls, &again), &again);
    }
    count = agentchat_calls_count(calls);
    first = agentchat_calls_at(calls, 0);
    beyond = agentchat_calls_at(calls, count);
    assert_int_equal(count, 2 * variant);
    assert_int_equal(first != NULL, variant == 1);
    assert_null(beyond);
    agentchat_calls_free(calls);
    agentchat_messages_unref(list);
    agentchat_message_unref(message);
    return status;
}

static agentchat_status look(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_message *message = sweep_rich_message(NULL);
    agentchat_messages *list = NULL;
    agentchat_calls *calls = NULL;
    size_t count;

    (void)variant;
    test_ok(agentchat_messages_new(NULL, &message, 1, &list, err), err);
    test_ok(agentchat_calls_find(env, list, &calls, err), err);
    sweep_begin();
    count = agentchat_calls_count(calls) + agentchat_calls_count(NULL);
    (void)agentchat_calls_at(calls, 0);
    (void)agentchat_calls_at(NULL, 0);
    agentchat_calls_free(calls);
    agentchat_calls_free(NULL);
    sweep_end();
    assert_int_equal(count, 2);
    agentchat_messages_unref(list);
    agentchat_message_unref(message);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_calls_find", find_and_look, SWEEP_ALLOCATES, 2},
    {"agentchat_calls_count", look, SWEEP_NEVER, 0},
    {"agentchat_calls_at", look, SWEEP_NEVER, 0},
    {"agentchat_calls_free", look, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.calls", rows, sizeof rows / sizeof *rows);
}
