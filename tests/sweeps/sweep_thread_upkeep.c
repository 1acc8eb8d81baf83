/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/thread.h: pending writes, copying, pruning. The rest of it is in sweep_thread.c. */
#include "sweep_fixture.h"

#include <agentchat/thread.h>

/* A thread "t" with the checkpoints "c1" and "c2" of the run "r", each of which has large data of its own, and then
   "c3", with pending writes of "c2", which "c3" consumed, and of "c3". */
typedef struct scene {
    fixture p;
    agentchat_snapshot *chats[3];
    char before[1024]; /* what is stored, before the call */
} scene;

static const char *const ids[] = {"c1", "c2", "c3"};
static const agentchat_pending_write writes[] = {
    {"", "task", "messages", 0, {NULL, 0}, {"[1]", 3}, NULL},
    {"~path", "task", "files", 1, {"text/plain", 10}, {"text", 4}, NULL},
};

/* ---- the scene -------------------------------------------------------------------------------------------------- */

static agentchat_snapshot *finish(agentchat_snapshot_builder *builder)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    return snapshot;
}

/* The chat without its second message and with a picture; media tells pictures apart. */
static agentchat_snapshot *changed(const agentchat_env *env, const agentchat_snapshot *chat, const char *media)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, chat);
    agentchat_message_builder *said = test_message_builder(env, "user", NULL);
    agentchat_message *message = NULL;
    agentchat_error err;

    agentchat_message_builder_add_data(said, AGENTCHAT_ITEM_IMAGE, agentchat_str_from(media), sweep_long());
    test_ok(agentchat_message_builder_finish(said, &message, &err), &err);
    agentchat_snapshot_builder_replace(builder, 1, 1, NULL);
    agentchat_snapshot_builder_add_message(builder, message);
    agentchat_message_unref(message);
    return finish(builder);
}

static agentchat_status put_writes(const scene *s, const char *id, agentchat_error *err)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;

    options.id = id;
    return agentchat_checkpoint_put_writes(s->p.store, "t", &options, writes, sizeof writes / sizeof *writes, err);
}

static void put(const scene *s, size_t index)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_error err;

    options.id = ids[index];
    options.run = index < 2 ? "r" : NULL;
    options.time_us = 1000 + (int64_t)index;
    test_ok(agentchat_checkpoint_put(s->p.store, "t", s->chats[index], &options, NULL, &err), &err);
}

static int show_pending(const scene *s, const char *thread, const char *id, char *out, size_t size)
{
    agentchat_pending_options options = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_pending_list *list = NULL;
    agentchat_error err;
    int len = 0;

    options.id = id;
    options.all = true;
    test_ok(agentchat_checkpoint_pending(s->p.store, thread, &options, &list, &err), &err);
    for (size_t i = 0; i < agentchat_pending_list_count(list); i++) {
        const agentchat_pending_write *write = agentchat_pending_list_at(list, i);

        len += snprintf(out + len, size - (size_t)len, " %s.%s%s", id, write->path,
                        write->consumed_by != NULL ? write->consumed_by : "");
    }
    agentchat_pending_list_free(list);
    return len;
}

static int show_checkpoints(const scene *s, const char *thread, char *out, size_t size)
{
    agentchat_checkpoint_list *list = NULL;
    agentchat_error err;
    int len = 0;

    test_ok(agentchat_checkpoint_list_read(s->p.store, thread, NULL, &list, &err), &err);
    for (size_t i = 0; i < agentchat_checkpoint_list_count(list); i++)
        len += snprintf(out + len, size - (size_t)len, " %s", agentchat_checkpoint_list_at(list, i)->id);
    agentchat_checkpoint_list_free(list);
    return len;
}

/* "THREAD MESSAGES BYTES: checkpoints, pending writes; …" */
static void stored(const scene *s, char out[1024])
{
    agentchat_thread_list *threads = NULL;
    agentchat_error err;
    int len = 0;

    test_ok(agentchat_thread_list_read(s->p.store, NULL, &threads, &err), &err);
    for (size_t i = 0; i < agentchat_thread_list_count(threads); i++) {
        const agentchat_thread_info *thread = agentchat_thread_list_at(threads, i);

        len += snprintf(out + len, 1024 - (size_t)len, "%s %llu %llu:", thread->id,
                        (unsigned long long)thread->messages, (unsigned long long)thread->bytes);
        len += show_checkpoints(s, thread->id, out + len, 1024 - (size_t)len);
        for (size_t k = 0; k < 3; k++)
            len += show_pending(s, thread->id, ids[k], out + len, 1024 - (size_t)len);
        len += snprintf(out + len, 1024 - (size_t)len, "; ");
    }
    agentchat_thread_list_free(threads);
}

/* Odd variants: SQLite's allocations fail, too. */
static void scene_begin(scene *s, const agentchat_env *env, unsigned variant)
{
    agentchat_error err;

    fixture_begin(&s->p, env, 0, false);
    s->chats[0] = sweep_rich_snapshot(env);
    s->chats[1] = changed(env, s->chats[0], "image/png");
    s->chats[2] = changed(env, s->chats[1], "image/gif");
    put(s, 0);
    put(s, 1);
    test_ok(put_writes(s, "c2", &err), &err);
    put(s, 2);
    test_ok(put_writes(s, "c3", &err), &err);
    stored(s, s->before);
    if (variant % 2 == 1)
        sweep_may_swallow();
    sqlite_memory_count(variant % 2 == 1);
}

static void expect_chat(const scene *s, const char *thread, size_t index)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_error err;

    options.id = ids[index];
    test_ok(agentchat_checkpoint_get(s->p.store, thread, &options, &checkpoint, &err), &err);
    sweep_assert_same(agentchat_checkpoint_snapshot(checkpoint), s->chats[index]);
    agentchat_checkpoint_free(checkpoint);
}

/* After a call that failed: the store is as it was. */
static void expect_unchanged(const scene *s)
{
    char now[1024];

    sqlite_memory_count(false);
    stored(s, now);
    assert_string_equal(now, s->before);
    for (size_t i = 0; i < 3; i++)
        expect_chat(s, "t", i);
}

/* What the thread has now. */
static void expect_stored(const scene *s, const char *expected)
{
    char now[1024];

    sqlite_memory_count(false);
    stored(s, now);
    if (strstr(now, expected) == NULL)
        fail_msg("%s is not in %s", expected, now);
}

static void scene_end(scene *s)
{
    sqlite_memory_count(false);
    for (size_t i = 0; i < 3; i++)
        agentchat_snapshot_unref(s->chats[i]);
    fixture_end(&s->p);
}

/* ---- pending writes --------------------------------------------------------------------------------------------- */

static agentchat_status checkpoint_put_writes(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    const char *thread = variant < 2 ? "t" : "new"; /* one that is made */
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    options.id = "c1";
    sweep_begin();
    status = agentchat_checkpoint_put_writes(s.p.store, thread, &options, writes, 2, err);
    sweep_end();
    if (status < 0) {
        expect_unchanged(&s);
        test_ok(agentchat_checkpoint_put_writes(s.p.store, thread, &options, writes, 2, &again), &again);
    }
    expect_stored(&s, variant < 2 ? ": c3 c2 c1 c1. c1.~path c2.c3 c2.~pathc3 c3. c3.~path;" : ": c1. c1.~path;");
    scene_end(&s);
    return status;
}

static agentchat_status checkpoint_pending(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_pending_list *list = (agentchat_pending_list *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_checkpoint_pending(s.p.store, "t", NULL, &list, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(list);
        test_ok(agentchat_checkpoint_pending(s.p.store, "t", NULL, &list, &again), &again);
    }
    assert_int_equal(agentchat_pending_list_count(list), 2);
    agentchat_pending_list_free(list);
    scene_end(&s);
    return status;
}

static agentchat_status look_at_pending(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_pending_write *first, *none, *of_none;
    agentchat_pending_list *list = NULL;
    agentchat_error detail;
    size_t count, no_count;
    scene s;

    (void)variant;
    (void)err;
    scene_begin(&s, env, 0);
    test_ok(agentchat_checkpoint_pending(s.p.store, "t", NULL, &list, &detail), &detail);
    sweep_begin();
    count = agentchat_pending_list_count(list);
    no_count = agentchat_pending_list_count(NULL);
    first = agentchat_pending_list_at(list, 0);
    none = agentchat_pending_list_at(list, 2);
    of_none = agentchat_pending_list_at(NULL, 0);
    sweep_end();
    assert_int_equal(count, 2);
    assert_int_equal(no_count, 0);
    assert_string_equal(first->channel, "messages");
    assert_null(none);
    assert_null(of_none);
    sweep_begin();
    agentchat_pending_list_free(list);
    agentchat_pending_list_free(NULL);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

/* ---- upkeep ----------------------------------------------------------------------------------------------------- */

static agentchat_status thread_copy(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_may_swallow(); /* what others have left is not what it is called for */
    sweep_begin();
    status = agentchat_thread_copy(s.p.store, "t", "copy", err);
    sweep_end();
    if (status < 0) {
        expect_unchanged(&s);
        test_ok(agentchat_thread_copy(s.p.store, "t", "copy", &again), &again);
    }
    expect_stored(&s, ": c3 c2 c1 c2.c3 c2.~pathc3 c3. c3.~path;");
    for (size_t i = 0; i < 3; i++)
        expect_chat(&s, "copy", i);
    scene_end(&s);
    return status;
}

static agentchat_status thread_delete_run(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    uint64_t removed = 9, more = 9;
    scene s;

    scene_begin(&s, env, variant);
    sweep_may_swallow(); /* what others have left is not what it is called for */
    sweep_begin();
    status = agentchat_thread_delete_run(s.p.store, "t", "r", &removed, err);
    sweep_end();
    if (status < 0) {
        if (removed == 0)
            expect_unchanged(&s);
        sqlite_memory_count(false);
        test_ok(agentchat_thread_delete_run(s.p.store, "t", "r", &more, &again), &again);
        removed += more;
    }
    assert_int_equal(removed, 2);
    expect_stored(&s, ": c3 c3. c3.~path;");
    expect_chat(&s, "t", 2);
    scene_end(&s);
    return status;
}

static agentchat_status thread_prune(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_prune_options options = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;
    agentchat_error again;
    agentchat_status status;
    uint64_t removed = 9, more = 9;
    scene s;

    scene_begin(&s, env, variant);
    options.keep = 1;
    options.before_us = 1001;
    sweep_may_swallow(); /* what others have left is not what it is called for */
    sweep_begin();
    status = agentchat_thread_prune(s.p.store, "t", &options, &removed, err);
    sweep_end();
    if (status < 0) {
        if (removed == 0)
            expect_unchanged(&s);
        sqlite_memory_count(false);
        test_ok(agentchat_thread_prune(s.p.store, "t", &options, &more, &again), &again);
        removed += more;
    }
    assert_int_equal(removed, 1);
    expect_stored(&s, ": c3 c2 c2.c3 c2.~pathc3 c3. c3.~path;");
    expect_chat(&s, "t", 1);
    expect_chat(&s, "t", 2);
    scene_end(&s);
    return status;
}

static agentchat_status thread_index(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_thread_index(s.p.store, true, err);
    sweep_end();
    if (status < 0) {
        sqlite_memory_count(false);
        test_ok(agentchat_thread_index(s.p.store, true, &again), &again);
    }
    expect_unchanged(&s);
    scene_end(&s);
    return status;
}

static agentchat_status thread_index_state(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    uint64_t threads = 9, indexed = 9;
    bool on = true;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sweep_begin();
    status = agentchat_thread_index_state(s.p.store, &on, &threads, &indexed, err);
    sweep_end();
    assert_true(!on && indexed == 0 && threads == (status < 0 ? 0 : 1));
    scene_end(&s);
    return status;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_pending_options pending, pending_default = AGENTCHAT_PENDING_OPTIONS_INIT;
    agentchat_thread_prune_options pruning, pruning_default = AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_pending_options_init(&pending, sizeof pending);
    agentchat_thread_prune_options_init(&pruning, sizeof pruning);
    sweep_end();
    assert_true(pending.struct_size == pending_default.struct_size && pending.ns == NULL && pending.id == NULL &&
                !pending.all);
    assert_true(pruning.struct_size == pruning_default.struct_size && pruning.keep == 0 && pruning.before_us == 0 &&
                !pruning.branches);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_checkpoint_put_writes", checkpoint_put_writes, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW,
     2 * FIXTURE_VARIANTS},
    {"agentchat_pending_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_pending", checkpoint_pending, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_pending_list_count", look_at_pending, SWEEP_NEVER, 0},
    {"agentchat_pending_list_at", look_at_pending, SWEEP_NEVER, 0},
    {"agentchat_pending_list_free", look_at_pending, SWEEP_NEVER, 0},
    {"agentchat_thread_copy", thread_copy, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_thread_delete_run", thread_delete_run, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_thread_index", thread_index, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_thread_index_state", thread_index_state, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
    {"agentchat_thread_prune_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_thread_prune", thread_prune, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
};

int main(void)
{
    sqlite_memory_begin();
    return sweep_main("sweep.thread_upkeep", rows, sizeof rows / sizeof *rows);
}
