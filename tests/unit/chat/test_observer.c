/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that watch a chat: when they run, what they may do, and what their failure ends. */
#include "chat_mock.h"

#include <unistd.h>

typedef struct watcher {
    char log[512];            /* "input;H;…" */
    char saved[8192];         /* texts of the history at the last call, as a capture has them */
    agentchat_status changes; /* what a change from inside got */
    agentchat_status returns; /* what the next calls return */
    int frees;
} watcher;

static void look(watcher *w, agentchat_chat *chat, agentchat_str what)
{
    agentchat_snapshot *snapshot = capture(chat);

    mock_note(w->log, sizeof w->log, what);
    (void)texts(agentchat_snapshot_history(snapshot), w->saved);
    agentchat_snapshot_unref(snapshot);
    w->changes = agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("from inside"), NULL);
}

static agentchat_status on_input(void *user, agentchat_chat *chat, agentchat_error *err)
{
    watcher *w = user;

    look(w, chat, AGENTCHAT_STR("input"));
    return w->returns < 0 ? agentchat_error_set(err, w->returns, "the disk is full") : AGENTCHAT_OK;
}

static agentchat_status on_answer(void *user, agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err)
{
    watcher *w = user;

    look(w, chat, agentchat_agent_name(agent));
    return w->returns < 0 ? agentchat_error_set(err, w->returns, "the disk is full") : AGENTCHAT_OK;
}

static void count_free(void *user)
{
    ((watcher *)user)->frees++;
}

static void watch(agentchat_chat *chat, watcher *w)
{
    agentchat_chat_observer observer = AGENTCHAT_CHAT_OBSERVER_INIT;
    agentchat_error err;

    observer.on_input = on_input;
    observer.on_answer = on_answer;
    observer.user = w;
    observer.free_user = count_free;
    test_ok(agentchat_chat_set_observer(chat, &observer, &err), &err);
}

static agentchat_chat *two_speakers(watcher *w)
{
    agentchat_chat *chat = test_chat_new(NULL);

    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, speaker(NULL, "B", "b"));
    watch(chat, w);
    return chat;
}

static void test_observer__is_called_after_each_step(void **state)
{
    watcher w = {.returns = AGENTCHAT_OK};
    agentchat_chat *chat = two_speakers(&w);
    agentchat_run_options options = AGENTCHAT_RUN_OPTIONS_INIT;
    agentchat_turn *turn = NULL;
    agentchat_error err;

    (void)state;
    add_text(chat, "q");
    assert_string_equal(w.log, "input;");
    assert_string_equal(w.saved, "q;");
    assert_int_equal(w.changes, AGENTCHAT_E_BUSY);
    invoke(chat, "B");
    assert_string_equal(w.saved, "q;b;");
    options.max_turns = 3;
    test_ok(agentchat_chat_run(chat, &options, &err), &err);
    assert_string_equal(w.log, "input;B;A;B;A;");
    assert_string_equal(w.saved, "q;b;a;b;a;");
    test_ok(agentchat_turn_begin(chat, AGENTCHAT_STR("B"), &turn, &err), &err);
    test_ok(agentchat_turn_add_text(turn, AGENTCHAT_STR("in two calls"), &err), &err);
    assert_string_equal(w.log, "input;B;A;B;A;");
    test_ok(agentchat_turn_end(turn, &err), &err);
    assert_string_equal(w.log, "input;B;A;B;A;B;");
    assert_string_equal(w.saved, "q;b;a;b;a;in two calls;");
    test_ok(agentchat_turn_begin(chat, AGENTCHAT_STR("B"), &turn, &err), &err);
    agentchat_turn_free(turn); /* no answer was completed */
    assert_string_equal(w.log, "input;B;A;B;A;B;");
    agentchat_chat_free(chat);
    assert_int_equal(w.frees, 1);
}

static agentchat_status next_turn(void *user, agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err)
{
    agentchat_snapshot *snapshot = capture(chat);

    (void)agent;
    (void)err;
    *(uint64_t *)user = agentchat_snapshot_next_turn(snapshot);
    agentchat_snapshot_unref(snapshot);
    return AGENTCHAT_OK;
}

/* What is saved after an answer goes on with the agent after it. */
static void test_observer__sees_the_position_of_the_round_robin(void **state)
{
    agentchat_chat_observer observer = AGENTCHAT_CHAT_OBSERVER_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    uint64_t position = 7;
    agentchat_error err;

    (void)state;
    add_agent(chat, speaker(NULL, "A", "a"));
    add_agent(chat, speaker(NULL, "B", "b"));
    observer.on_answer = next_turn;
    observer.user = &position;
    test_ok(agentchat_chat_set_observer(chat, &observer, &err), &err);
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_int_equal(position, 1);
    agentchat_chat_free(chat);
}

static agentchat_status save_to_file(void *user, agentchat_chat *chat, const agentchat_agent *agent,
                                     agentchat_error *err)
{
    (void)agent;
    return agentchat_chat_save_file(chat, user, NULL, NULL, err);
}

static void test_observer__saves_to_a_file(void **state)
{
    agentchat_chat_observer observer = AGENTCHAT_CHAT_OBSERVER_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    char path[] = "/tmp/agentchat-observer-XXXXXX";
    agentchat_snapshot *saved = NULL;
    int fd = mkstemp(path);
    agentchat_error err;

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    add_agent(chat, speaker(NULL, "A", "a"));
    observer.on_answer = save_to_file;
    observer.user = path;
    test_ok(agentchat_chat_set_observer(chat, &observer, &err), &err);
    invoke(chat, "A");
    test_ok(agentchat_snapshot_read_file(NULL, path, NULL, &saved, NULL, &err), &err);
    assert_texts(agentchat_snapshot_history(saved), "a;");
    agentchat_snapshot_unref(saved);
    unlink(path);
    agentchat_chat_free(chat);
}

/* ---- failures -----------------------------------------------------------------------------------------------------
 */

static agentchat_status make_watched(void *user, agentchat_chat **out, agentchat_error *err)
{
    (void)err;
    *out = test_chat_new(NULL);
    add_agent(*out, speaker(NULL, "I", "i"));
    watch(*out, user);
    return AGENTCHAT_OK;
}

/* What the outer chat hands on comes once, although the inner chat's observer fails. */
static void test_observer__of_a_chat_inside(void **state)
{
    agentchat_aggregator_options options = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(NULL);
    watcher w = {.returns = AGENTCHAT_OK};

    (void)state;
    options.name = AGENTCHAT_STR("G");
    options.make = make_watched;
    options.user = &w;
    add_agent(chat, test_aggregator_new(NULL, &options));
    add_text(chat, "q");
    invoke(chat, "G");
    w.returns = AGENTCHAT_E_IO;
    add_text(chat, "r");
    w.returns = AGENTCHAT_OK;
    invoke(chat, "G");
    assert_texts(agentchat_chat_history(chat), "q;i;r;i;");
    assert_texts(agentchat_chat_history(agentchat_chat_inner(chat, agentchat_chat_agent(chat, 0))), "q;i;r;i;");
    assert_string_equal(w.log, "input;I;input;I;");
    agentchat_chat_free(chat);
}

static void test_observer__failure_ends_the_run(void **state)
{
    watcher w = {.returns = AGENTCHAT_OK};
    agentchat_chat *chat = two_speakers(&w);
    agentchat_error err;

    (void)state;
    w.returns = AGENTCHAT_E_IO;
    assert_int_equal(agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("q"), &err), AGENTCHAT_E_IO);
    assert_string_equal(err.message, "the chat's observer failed: the disk is full");
    assert_int_equal(agentchat_chat_run(chat, NULL, &err), AGENTCHAT_E_IO);
    assert_texts(agentchat_chat_history(chat), "q;a;"); /* said is said */
    w.returns = AGENTCHAT_OK;
    test_ok(agentchat_chat_invoke_next(chat, &err), &err);
    assert_texts(agentchat_chat_history(chat), "q;a;b;"); /* A had its turn */
    agentchat_chat_free(chat);
}

static void test_observer__replaced_and_refused(void **state)
{
    watcher first = {.returns = AGENTCHAT_OK}, second = first, third = first;
    agentchat_chat_observer wrong = AGENTCHAT_CHAT_OBSERVER_INIT;
    agentchat_chat *chat = two_speakers(&first);
    agentchat_turn *turn = NULL;
    agentchat_error err;

    (void)state;
    watch(chat, &second);
    assert_int_equal(first.frees, 1);
    wrong.user = &third;
    wrong.free_user = count_free;
    test_ok(agentchat_turn_begin(chat, AGENTCHAT_STR("A"), &turn, &err), &err);
    assert_int_equal(agentchat_chat_set_observer(chat, &wrong, &err), AGENTCHAT_E_BUSY);
    assert_int_equal(third.frees, 1);
    agentchat_turn_free(turn);
    test_ok(agentchat_chat_set_observer(chat, NULL, &err), &err);
    assert_int_equal(second.frees, 1);
    add_text(chat, "q");
    assert_string_equal(second.log, "");
    agentchat_chat_free(chat);
    assert_int_equal(first.frees + second.frees + third.frees, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_observer__is_called_after_each_step),
        cmocka_unit_test(test_observer__sees_the_position_of_the_round_robin),
        cmocka_unit_test(test_observer__saves_to_a_file),
        cmocka_unit_test(test_observer__of_a_chat_inside),
        cmocka_unit_test(test_observer__failure_ends_the_run),
        cmocka_unit_test(test_observer__replaced_and_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
