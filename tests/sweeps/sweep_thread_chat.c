/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/thread_chat.h: live chats saved, restored, brought up to date, attached. */
#include "sweep_fixture.h"

#include <agentchat/thread_chat.h>

/* A thread "t", and a chat that remembers its checkpoint unless it is fresh. */
typedef struct scene {
    fixture p;
    agentchat_chat *chat;
    char id[AGENTCHAT_ID_SIZE];
} scene;

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("answer"), err);
}

static agentchat_chat *fresh(const agentchat_env *env)
{
    agentchat_chat *chat = test_chat_new(env);
    agentchat_history_agent_options options = AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT;
    agentchat_error err;

    options.name = options.id = AGENTCHAT_STR("Ann");
    options.answer = answer;
    test_ok(test_add_agent(chat, test_history_agent_new(env, &options), &err), &err);
    return chat;
}

static void say(agentchat_chat *chat, const char *text)
{
    agentchat_error err;

    test_ok(agentchat_chat_add_text(chat, "user", agentchat_str_from(text), &err), &err);
}

static void update(agentchat_chat *chat, const char *elements)
{
    agentchat_error err;

    test_ok(agentchat_chat_update(chat, AGENTCHAT_STR("list"), agentchat_str_from(elements), &err), &err);
}

static void save(const scene *s, agentchat_chat *chat, char id[AGENTCHAT_ID_SIZE])
{
    agentchat_error err;

    test_ok(agentchat_thread_save(s->p.store, "t", chat, NULL, id, &err), &err);
}

/* Odd variants: SQLite's allocations fail, too. A message that could not be delivered is saved as pending, and
   delivered later. */
static void scene_begin(scene *s, const agentchat_env *env, unsigned variant)
{
    agentchat_error err;

    fixture_begin(&s->p, env, 0, false);
    s->chat = fresh(env);
    update(s->chat, "[1]");
    test_ok(agentchat_chat_set_value(s->chat, AGENTCHAT_STR("v"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("1"), &err),
            &err);
    say(s->chat, "question");
    test_ok(agentchat_chat_invoke(s->chat, AGENTCHAT_STR("Ann"), &err), &err);
    save(s, s->chat, s->id);
    sqlite_memory_count(variant % 2 == 1);
}

static void scene_end(scene *s)
{
    sqlite_memory_count(false);
    agentchat_chat_free(s->chat);
    fixture_end(&s->p);
}

static void expect_saved(const scene *s, agentchat_chat *chat)
{
    agentchat_checkpoint *newest = NULL;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    sqlite_memory_count(false);
    test_ok(agentchat_checkpoint_get(s->p.store, "t", NULL, &newest, &err), &err);
    test_ok(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err);
    assert_string_equal(agentchat_checkpoint_get_info(newest)->id, agentchat_thread_remembered(chat));
    sweep_assert_same(agentchat_checkpoint_snapshot(newest), snapshot);
    agentchat_snapshot_unref(snapshot);
    agentchat_checkpoint_free(newest);
}

static agentchat_status thread_save(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_save_options options = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    char id[AGENTCHAT_ID_SIZE] = "before";
    agentchat_status status;
    agentchat_error again;
    scene s;

    scene_begin(&s, env, variant);
    say(s.chat, "more");
    options.source = "update";
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_thread_save(s.p.store, "t", s.chat, &options, id, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_string_equal(id, "");
        assert_string_equal(agentchat_thread_remembered(s.chat), s.id);
        test_ok(agentchat_thread_save(s.p.store, "t", s.chat, &options, id, &again), &again);
    }
    assert_string_equal(agentchat_thread_remembered(s.chat), id);
    expect_saved(&s, s.chat);
    scene_end(&s);
    return status;
}

static agentchat_status thread_restore(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_report *report = NULL;
    agentchat_chat *chat = fresh(env);
    agentchat_status status;
    agentchat_error again;
    scene s;

    scene_begin(&s, env, variant);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_thread_restore(s.p.store, "t", chat, NULL, &report, err);
    sweep_end();
    sqlite_memory_count(false);
    agentchat_report_free(report);
    if (status < 0) {
        assert_null(agentchat_thread_remembered(chat));
        assert_int_equal(agentchat_chat_message_count(chat), 0);
        test_ok(agentchat_thread_restore(s.p.store, "t", chat, NULL, NULL, &again), &again);
    }
    expect_saved(&s, chat);
    agentchat_chat_free(chat);
    scene_end(&s);
    return status;
}

/* 0, 1: a list grew there; 2, 3: and here, and something was said that is not saved. */
static agentchat_status thread_catch_up(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_catch_up_options options = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_chat *chat = fresh(env);
    agentchat_report *report = NULL;
    agentchat_status status;
    agentchat_error again;
    scene s;

    scene_begin(&s, env, 0);
    test_ok(agentchat_thread_restore(s.p.store, "t", chat, NULL, NULL, &again), &again);
    say(s.chat, "more");
    update(s.chat, "[2]");
    save(&s, s.chat, s.id);
    options.append = variant >= 2;
    if (options.append) {
        update(chat, "[3]");
        say(chat, "mine");
    }
    sqlite_memory_count(variant % 2 == 1);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_thread_catch_up(s.p.store, chat, &options, &report, err);
    sweep_end();
    sqlite_memory_count(false);
    agentchat_report_free(report);
    if (status < 0) {
        assert_int_equal(agentchat_chat_message_count(chat), options.append ? 3 : 2);
        test_ok(agentchat_thread_catch_up(s.p.store, chat, &options, NULL, &again), &again);
    }
    assert_str(agentchat_chat_value(chat, AGENTCHAT_STR("list"), NULL), options.append ? "[1,2,3]" : "[1,2]");
    if (options.append)
        save(&s, chat, s.id);
    expect_saved(&s, chat);
    agentchat_chat_free(chat);
    scene_end(&s);
    return status;
}

static agentchat_status thread_attach(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = fresh(env);
    agentchat_report *report = NULL;
    agentchat_status status;
    agentchat_error again;
    scene s;

    options.run = "r";
    options.metadata = AGENTCHAT_STR("{\"a\":1}");
    scene_begin(&s, env, variant);
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_thread_attach(s.p.store, "t", chat, &options, &report, err);
    sweep_end();
    sqlite_memory_count(false);
    agentchat_report_free(report);
    if (status < 0) {
        assert_null(agentchat_thread_remembered(chat));
        test_ok(agentchat_thread_attach(s.p.store, "t", chat, &options, NULL, &again), &again);
    }
    say(chat, "kept");
    expect_saved(&s, chat);
    agentchat_chat_free(chat);
    scene_end(&s);
    return status;
}

/* An answer whose messages are kept one by one. */
static agentchat_status answer_is_kept(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_attach_options options = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;
    agentchat_chat *chat = fresh(env);
    agentchat_status status;
    agentchat_error again;
    scene s;

    options.keep_partial = true;
    scene_begin(&s, env, variant);
    test_ok(agentchat_thread_attach(s.p.store, "t", chat, &options, NULL, &again), &again);
    say(chat, "question");
    sweep_may_swallow();
    sweep_begin();
    status = agentchat_chat_invoke(chat, AGENTCHAT_STR("Ann"), err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0)
        test_ok(agentchat_chat_invoke(chat, AGENTCHAT_STR("Ann"), &again), &again);
    expect_saved(&s, chat);
    agentchat_chat_free(chat);
    scene_end(&s);
    return status;
}

static agentchat_status attach_or_answer(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    return variant < FIXTURE_VARIANTS ? thread_attach(env, variant, err)
                                      : answer_is_kept(env, variant - FIXTURE_VARIANTS, err);
}

static agentchat_status forget(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    scene s;

    (void)variant;
    scene_begin(&s, env, 0);
    sweep_begin();
    assert_string_equal(agentchat_thread_remembered(s.chat), s.id);
    assert_int_equal(agentchat_thread_line(s.chat), 1);
    test_ok(agentchat_thread_detach(s.chat, err), err);
    assert_null(agentchat_thread_remembered(s.chat));
    assert_int_equal(agentchat_thread_line(s.chat), 0);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_save_options saving, saving_default = AGENTCHAT_THREAD_SAVE_OPTIONS_INIT;
    agentchat_thread_restore_options restoring, restoring_default = AGENTCHAT_THREAD_RESTORE_OPTIONS_INIT;
    agentchat_thread_catch_up_options catching, catching_default = AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT;
    agentchat_thread_attach_options attaching, attaching_default = AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_thread_save_options_init(&saving, sizeof saving);
    agentchat_thread_restore_options_init(&restoring, sizeof restoring);
    agentchat_thread_catch_up_options_init(&catching, sizeof catching);
    agentchat_thread_attach_options_init(&attaching, sizeof attaching);
    sweep_end();
    assert_true(saving.struct_size == saving_default.struct_size && saving.ns == NULL && saving.capture == NULL &&
                !saving.has_step && !saving.branch && saving.metadata.ptr == NULL);
    assert_true(restoring.struct_size == restoring_default.struct_size && restoring.checkpoint == NULL);
    assert_true(catching.struct_size == catching_default.struct_size && !catching.append);
    assert_true(attaching.struct_size == attaching_default.struct_size && attaching.run == NULL && !attaching.at_end &&
                !attaching.no_catch_up && !attaching.append && !attaching.branch);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_thread_save_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_thread_save", thread_save, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_thread_restore_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_thread_restore", thread_restore, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_thread_catch_up_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_thread_catch_up", thread_catch_up, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_thread_remembered", forget, SWEEP_NEVER, 0},
    {"agentchat_thread_line", forget, SWEEP_NEVER, 0},
    {"agentchat_thread_attach_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_thread_attach", attach_or_answer, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_thread_detach", forget, SWEEP_NEVER, 0},
};

int main(void)
{
    sqlite_memory_begin();
    return sweep_main("sweep.thread_chat", rows, sizeof rows / sizeof *rows);
}
