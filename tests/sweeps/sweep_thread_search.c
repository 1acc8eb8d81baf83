/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/thread.h: searching. */
#include "sweep_fixture.h"

#include <agentchat/thread.h>

/* Two threads "t" and "other" with two checkpoints, of which the second one, of a branch, has another message, with
   large data and a call. */
typedef struct scene {
    fixture p;
    agentchat_snapshot *first, *second;
} scene;

static agentchat_snapshot *with_message(const agentchat_env *env, const agentchat_snapshot *chat)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, chat);
    agentchat_message_builder *said = test_message_builder(env, "user", NULL);
    agentchat_message *message = NULL;
    agentchat_snapshot *made = NULL;
    agentchat_error err;

    agentchat_message_builder_add_text(said, AGENTCHAT_STR("a N\u00E9edle in it"));
    agentchat_message_builder_add_data(said, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"), sweep_long());
    agentchat_message_builder_add_call(said, AGENTCHAT_STR("c"), (agentchat_str){NULL, 0}, AGENTCHAT_STR("find"),
                                       AGENTCHAT_STR("{\"what\":\"h\\u00e4y\"}"));
    test_ok(agentchat_message_builder_finish(said, &message, &err), &err);
    agentchat_snapshot_builder_add_message(builder, message);
    agentchat_message_unref(message);
    test_ok(agentchat_snapshot_builder_finish(builder, &made, &err), &err);
    return made;
}

static void put(const scene *s, const char *thread, const char *id, const agentchat_snapshot *chat)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_error err;

    options.id = id;
    test_ok(agentchat_checkpoint_put(s->p.store, thread, chat, &options, NULL, &err), &err);
}

static void scene_begin(scene *s, const agentchat_env *env, unsigned variant)
{
    fixture_begin(&s->p, env, 0, false);
    s->first = sweep_rich_snapshot(env);
    s->second = with_message(env, s->first);
    for (int i = 0; i < 2; i++) {
        put(s, i == 0 ? "other" : "t", "c1", s->first);
        put(s, i == 0 ? "other" : "t", "c2", s->second);
    }
    if (variant % 2 == 1)
        sweep_may_swallow();
    sqlite_memory_count(variant % 2 == 1);
}

static void scene_end(scene *s)
{
    sqlite_memory_count(false);
    agentchat_snapshot_unref(s->first);
    agentchat_snapshot_unref(s->second);
    fixture_end(&s->p);
}

/* Variants 0 and 1: one thread; 2 and 3: the second page of all. */
static agentchat_status thread_search(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_search_options options = AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT;
    agentchat_thread_hits *first = NULL, *hits = (agentchat_thread_hits *)(uintptr_t)1;
    const agentchat_str query = AGENTCHAT_STR("needle find hay");
    const char *thread = variant < 2 ? "t" : NULL;
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sqlite_memory_count(false);
    options.limit = 1;
    if (thread == NULL) {
        test_ok(agentchat_thread_search(s.p.store, thread, query, &options, &first, &again), &again);
        options.cursor = agentchat_thread_hits_cursor(first);
    }
    sqlite_memory_count(variant % 2 == 1);
    sweep_begin();
    status = agentchat_thread_search(s.p.store, thread, query, &options, &hits, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(hits);
        test_ok(agentchat_thread_search(s.p.store, thread, query, &options, &hits, &again), &again);
    }
    assert_int_equal(agentchat_thread_hits_count(hits), 1);
    assert_string_equal(agentchat_thread_hits_at(hits, 0)->thread, variant < 2 ? "t" : "other");
    assert_string_equal(agentchat_thread_hits_at(hits, 0)->checkpoint->id, "c2");
    agentchat_thread_hits_free(hits);
    agentchat_thread_hits_free(first);
    scene_end(&s);
    return status;
}

static agentchat_status look_at_hits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_thread_hit *hit, *beyond;
    agentchat_thread_hits *hits = NULL;
    agentchat_error again;
    const char *cursor;
    size_t count, none;
    scene s;

    (void)variant;
    (void)err;
    scene_begin(&s, env, 0);
    test_ok(agentchat_thread_search(s.p.store, NULL, AGENTCHAT_STR("needle"), NULL, &hits, &again), &again);
    sqlite_memory_count(true);
    sweep_begin();
    count = agentchat_thread_hits_count(hits);
    none = agentchat_thread_hits_count(NULL);
    hit = agentchat_thread_hits_at(hits, 0);
    beyond = agentchat_thread_hits_at(hits, count);
    cursor = agentchat_thread_hits_cursor(hits);
    sweep_end();
    assert_int_equal(count, 2);
    assert_int_equal(none, 0);
    assert_str(hit->excerpt, "a N\u00E9edle in it");
    assert_null(beyond);
    assert_null(cursor);
    sweep_begin();
    agentchat_thread_hits_free(NULL);
    agentchat_thread_hits_free(hits);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_search_options searching, searching_default = AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_thread_search_options_init(&searching, sizeof searching);
    sweep_end();
    assert_true(searching.struct_size == searching_default.struct_size && searching.ns == NULL &&
                searching.cursor == NULL && searching.limit == 0);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_thread_search_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_thread_search", thread_search, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_thread_hits_count", look_at_hits, SWEEP_NEVER, 0},
    {"agentchat_thread_hits_at", look_at_hits, SWEEP_NEVER, 0},
    {"agentchat_thread_hits_cursor", look_at_hits, SWEEP_NEVER, 0},
    {"agentchat_thread_hits_free", look_at_hits, SWEEP_NEVER, 0},
};

int main(void)
{
    sqlite_memory_begin();
    return sweep_main("sweep.thread_search", rows, sizeof rows / sizeof *rows);
}
