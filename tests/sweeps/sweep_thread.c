/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/thread.h: putting, getting, listing and deleting checkpoints. */
#include "sweep_fixture.h"

#include "model/model.h"

#include <agentchat/thread.h>

/* A thread "t" with the checkpoints "c1" and "c2", the second of which has large data, and another thread. */
typedef struct scene {
    fixture p;
    agentchat_snapshot *first, *second, *edited; /* edited: the second one without its second message */
    char before[1024];                           /* what is stored, before the call */
} scene;

static const int64_t some_time = 1767225600000000;

/* ---- the scene ----------------------------------------------------------------------------------------------------
 */

static agentchat_snapshot *finish(agentchat_snapshot_builder *builder)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    return snapshot;
}

static agentchat_snapshot *with_large_data(const agentchat_env *env, const agentchat_snapshot *chat)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, chat);
    agentchat_message_builder *said = test_message_builder(env, "user", NULL);
    agentchat_message *message = NULL;
    agentchat_error err;

    agentchat_message_builder_add_data(said, AGENTCHAT_ITEM_IMAGE, AGENTCHAT_STR("image/png"), sweep_long());
    test_ok(agentchat_message_builder_finish(said, &message, &err), &err);
    agentchat_snapshot_builder_add_message(builder, message);
    agentchat_message_unref(message);
    return finish(builder);
}

static agentchat_snapshot *without_second(const agentchat_env *env, const agentchat_snapshot *chat)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, chat);

    agentchat_snapshot_builder_replace(builder, 1, 1, NULL);
    return finish(builder);
}

static void put(const scene *s, const char *thread, const char *id, const agentchat_snapshot *chat)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_error err;

    options.id = id;
    options.run = "r";
    options.metadata = AGENTCHAT_STR("{\"n\":[1]}");
    options.time_us = some_time;
    test_ok(agentchat_checkpoint_put(s->p.store, thread, chat, &options, NULL, &err), &err);
}

static agentchat_checkpoint_list *list_checkpoints(const scene *s, const char *thread)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *list = NULL;
    agentchat_error err;

    options.all_namespaces = true;
    test_ok(agentchat_checkpoint_list_read(s->p.store, thread, &options, &list, &err), &err);
    return list;
}

static agentchat_thread_list *list_threads(const scene *s)
{
    agentchat_thread_list *list = NULL;
    agentchat_error err;

    test_ok(agentchat_thread_list_read(s->p.store, NULL, &list, &err), &err);
    return list;
}

/* "THREAD SEQUENCE MESSAGES BYTES: ID<PARENT ID<PARENT …; …", the thread that was put to last first. */
static void stored(const scene *s, char out[1024])
{
    agentchat_thread_list *threads = list_threads(s);
    int len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < agentchat_thread_list_count(threads); i++) {
        const agentchat_thread_info *thread = agentchat_thread_list_at(threads, i);
        agentchat_checkpoint_list *list = list_checkpoints(s, thread->id);

        len += snprintf(out + len, 1024 - (size_t)len, "%s %llu %llu %llu:", thread->id,
                        (unsigned long long)thread->sequence, (unsigned long long)thread->messages,
                        (unsigned long long)thread->bytes);
        for (size_t k = 0; k < agentchat_checkpoint_list_count(list); k++) {
            const agentchat_checkpoint_info *info = agentchat_checkpoint_list_at(list, k);

            len += snprintf(out + len, 1024 - (size_t)len, " %s<%s", info->id, info->parent ? info->parent : "");
            assert_in_range(len, 0, 1000);
        }
        len += snprintf(out + len, 1024 - (size_t)len, "; ");
        agentchat_checkpoint_list_free(list);
    }
    agentchat_thread_list_free(threads);
}

static void expect_chat(const scene *s, const char *thread, const char *id, const agentchat_snapshot *chat)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_error err;

    options.id = id;
    test_ok(agentchat_checkpoint_get(s->p.store, thread, &options, &checkpoint, &err), &err);
    sweep_assert_same(agentchat_checkpoint_snapshot(checkpoint), chat);
    agentchat_checkpoint_free(checkpoint);
}

/* Odd variants: SQLite's allocations fail, too. */
static void scene_begin(scene *s, const agentchat_env *env, unsigned variant)
{
    fixture_begin(&s->p, env, 0, false);
    s->first = sweep_rich_snapshot(env);
    s->second = with_large_data(env, s->first);
    s->edited = without_second(env, s->second);
    put(s, "other", "o1", s->first);
    put(s, "t", "c1", s->first);
    put(s, "t", "c2", s->second);
    stored(s, s->before);
    if (variant % 2 == 1)
        sweep_may_swallow();
    sqlite_memory_count(variant % 2 == 1);
}

/* After a call that failed: the store is as it was. */
static void expect_unchanged(const scene *s)
{
    char now[1024];

    sqlite_memory_count(false);
    stored(s, now);
    assert_string_equal(now, s->before);
    expect_chat(s, "t", "c1", s->first);
    expect_chat(s, "t", NULL, s->second);
    expect_chat(s, "other", NULL, s->first);
}

static void scene_end(scene *s)
{
    sqlite_memory_count(false);
    agentchat_snapshot_unref(s->first);
    agentchat_snapshot_unref(s->second);
    agentchat_snapshot_unref(s->edited);
    fixture_end(&s->p);
}

/* ---- putting ------------------------------------------------------------------------------------------------------
 */

/* One way to put: what is given, what comes of it, and what the thread's checkpoints then are. */
typedef struct way {
    const char *thread, *id, *parent;
    enum { FIRST, SECOND, EDITED } chat;
    bool branch, replace;
    agentchat_status status;
    const char *checkpoints;
} way;

static const way ways[] = {
    {"t", "c3", NULL, EDITED, false, false, AGENTCHAT_OK, " c3<c2 c2<c1 c1<;"},
    {"t", "c3", "c1", EDITED, true, false, AGENTCHAT_OK, " c3<c1 c2<c1 c1<;"},
    {"t", "c2", NULL, SECOND, false, false, AGENTCHAT_OK, " c2<c1 c1<;"},
    {"t", "c2", NULL, EDITED, false, true, AGENTCHAT_OK, " c2<c1 c1<;"},
    {"new", "n1", NULL, SECOND, false, false, AGENTCHAT_OK, "new 1 4 "},
    {"t", "c3", "c1", EDITED, false, false, AGENTCHAT_E_CONFLICT, " c2<c1 c1<;"},
    {"t", "c2", NULL, EDITED, false, false, AGENTCHAT_E_EXISTS, " c2<c1 c1<;"},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void check_put(const scene *s, const way *w, const char *id, const agentchat_snapshot *chat)
{
    char now[1024];

    sqlite_memory_count(false);
    if (w->status < 0) {
        assert_string_equal(id, "");
        expect_unchanged(s);
        return;
    }
    assert_string_equal(id, w->id);
    stored(s, now);
    if (strstr(now, w->checkpoints) == NULL)
        fail_msg("%s is not in %s", w->checkpoints, now);
    expect_chat(s, w->thread, w->id, chat);
    expect_chat(s, "t", "c1", s->first);
}

static agentchat_status checkpoint_put(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_checkpoint_put_options options = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    const way *w = &ways[variant / 2];
    const agentchat_snapshot *chat;
    char id[AGENTCHAT_ID_SIZE] = "before";
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    chat = w->chat == FIRST ? s.first : w->chat == SECOND ? s.second : s.edited;
    options.id = w->id;
    options.parent = w->parent;
    options.branch = w->branch;
    options.replace = w->replace;
    options.run = "r";
    options.metadata = AGENTCHAT_STR("{\"n\":[1]}");
    options.time_us = some_time;
    sweep_begin();
    status = agentchat_checkpoint_put(s.p.store, w->thread, chat, &options, id, err);
    sweep_end();
    if (status == AGENTCHAT_E_NOMEM) {
        assert_string_equal(id, "");
        expect_unchanged(&s);
        assert_int_equal(agentchat_checkpoint_put(s.p.store, w->thread, chat, &options, id, &again), w->status);
    } else {
        assert_int_equal(status, w->status);
        agentchat_error_clear(err);
        status = AGENTCHAT_OK;
    }
    check_put(&s, w, id, chat);
    scene_end(&s);
    return status;
}

/* ---- getting ------------------------------------------------------------------------------------------------------
 */

static agentchat_status checkpoint_get(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_checkpoint_options options = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint *found = (agentchat_checkpoint *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    options.id = variant < 2 ? NULL : "c1";
    sweep_begin();
    status = agentchat_checkpoint_get(s.p.store, "t", &options, &found, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(found);
        expect_unchanged(&s);
        test_ok(agentchat_checkpoint_get(s.p.store, "t", &options, &found, &again), &again);
    }
    sweep_assert_same(agentchat_checkpoint_snapshot(found), variant < 2 ? s.second : s.first);
    agentchat_checkpoint_free(found);
    scene_end(&s);
    return status;
}

/* Variants 2 and 3: a list with spans, which another one stands for. */
static agentchat_status thread_tail(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_messages *found = (agentchat_messages *)(uintptr_t)1;
    const agentchat_snapshot *newest;
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    newest = variant < 2 ? s.second : s.edited;
    if (variant >= 2) {
        sqlite_memory_count(false);
        put(&s, "t", "c3", s.edited);
        sqlite_memory_count(variant % 2 == 1);
    }
    sweep_begin();
    status = agentchat_thread_tail(s.p.store, "t", 2, NULL, &found, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(found);
        test_ok(agentchat_thread_tail(s.p.store, "t", 2, NULL, &found, &again), &again);
    }
    assert_int_equal(agentchat_messages_count(found), 2);
    for (size_t i = 0; i < 2; i++) {
        const agentchat_messages *history = agentchat_snapshot_history(newest);

        assert_true(aci_message_equal(agentchat_messages_at(found, i),
                                      agentchat_messages_at(history, agentchat_messages_count(history) - 2 + i)));
    }
    agentchat_messages_unref(found);
    scene_end(&s);
    return status;
}

static agentchat_status look_at_checkpoint(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_checkpoint_info *info, *no_info;
    const agentchat_snapshot *snapshot, *no_snapshot;
    agentchat_checkpoint *checkpoint = NULL;
    agentchat_error detail;
    scene s;

    (void)variant;
    (void)err;
    scene_begin(&s, env, 0);
    test_ok(agentchat_checkpoint_get(s.p.store, "t", NULL, &checkpoint, &detail), &detail);
    sqlite_memory_count(true);
    sweep_begin();
    info = agentchat_checkpoint_get_info(checkpoint);
    no_info = agentchat_checkpoint_get_info(NULL);
    snapshot = agentchat_checkpoint_snapshot(checkpoint);
    no_snapshot = agentchat_checkpoint_snapshot(NULL);
    sweep_end();
    sqlite_memory_count(false);
    assert_string_equal(info->ns, "");
    assert_string_equal(info->id, "c2");
    assert_string_equal(info->parent, "c1");
    assert_int_equal(info->sequence, 2);
    assert_false(info->has_step);
    assert_null(info->source);
    assert_string_equal(info->run, "r");
    assert_int_equal(info->time_us, some_time);
    assert_int_equal(info->messages, 4);
    assert_str(info->metadata, "{\"n\":[1]}");
    assert_true(no_info == NULL && no_snapshot == NULL);
    sweep_assert_same(snapshot, s.second);
    sweep_begin();
    agentchat_checkpoint_free(NULL);
    agentchat_checkpoint_free(checkpoint);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

/* ---- listing ------------------------------------------------------------------------------------------------------
 */

/* Variants 2 and 3: a second page; 4 and 5: those that a filter takes. */
static agentchat_status checkpoint_list_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_checkpoint_list_options options = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_checkpoint_list *first = NULL, *list = (agentchat_checkpoint_list *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sqlite_memory_count(false);
    options.limit = 1;
    test_ok(agentchat_checkpoint_list_read(s.p.store, "t", &options, &first, &again), &again);
    if (variant / 2 == 1)
        options.cursor = agentchat_checkpoint_list_cursor(first);
    if (variant / 2 == 2) {
        options.run = "r";
        options.before = "c2";
        options.filter = AGENTCHAT_STR("{\"n\": [1.0]}");
    }
    sqlite_memory_count(variant % 2 == 1);
    sweep_begin();
    status = agentchat_checkpoint_list_read(s.p.store, "t", &options, &list, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(list);
        test_ok(agentchat_checkpoint_list_read(s.p.store, "t", &options, &list, &again), &again);
    }
    assert_int_equal(agentchat_checkpoint_list_count(list), 1);
    assert_string_equal(agentchat_checkpoint_list_at(list, 0)->id, variant < 2 ? "c2" : "c1");
    agentchat_checkpoint_list_free(list);
    agentchat_checkpoint_list_free(first);
    scene_end(&s);
    return status;
}

/* Variants 2 and 3: a second page; 4 and 5: with a filter. */
static agentchat_status thread_list_read(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_thread_list_options options = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;
    agentchat_thread_list *first = NULL, *list = (agentchat_thread_list *)(uintptr_t)1;
    agentchat_error again;
    agentchat_status status;
    scene s;

    scene_begin(&s, env, variant);
    sqlite_memory_count(false);
    options.limit = 1;
    test_ok(agentchat_thread_list_read(s.p.store, &options, &first, &again), &again);
    if (variant / 2 == 1)
        options.cursor = agentchat_thread_list_cursor(first);
    if (variant / 2 == 2)
        options.filter = AGENTCHAT_STR("{\"n\":[1.0]}");
    sqlite_memory_count(variant % 2 == 1);
    sweep_begin();
    status = agentchat_thread_list_read(s.p.store, &options, &list, err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        assert_null(list);
        test_ok(agentchat_thread_list_read(s.p.store, &options, &list, &again), &again);
    }
    assert_int_equal(agentchat_thread_list_count(list), 1);
    assert_string_equal(agentchat_thread_list_at(list, 0)->id, variant / 2 == 1 ? "other" : "t");
    agentchat_thread_list_free(list);
    agentchat_thread_list_free(first);
    scene_end(&s);
    return status;
}

static agentchat_status look_at_checkpoints(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_checkpoint_info *info, *beyond;
    agentchat_checkpoint_list *list;
    const char *cursor;
    size_t count, none;
    scene s;

    (void)variant;
    (void)err;
    scene_begin(&s, env, 0);
    list = list_checkpoints(&s, "t");
    sqlite_memory_count(true);
    sweep_begin();
    count = agentchat_checkpoint_list_count(list);
    none = agentchat_checkpoint_list_count(NULL);
    info = agentchat_checkpoint_list_at(list, 1);
    beyond = agentchat_checkpoint_list_at(list, count);
    cursor = agentchat_checkpoint_list_cursor(list);
    sweep_end();
    assert_int_equal(count, 2);
    assert_int_equal(none, 0);
    assert_string_equal(info->id, "c1");
    assert_null(info->parent);
    assert_null(beyond);
    assert_null(cursor);
    sweep_begin();
    agentchat_checkpoint_list_free(NULL);
    agentchat_checkpoint_list_free(list);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

static agentchat_status look_at_threads(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    const agentchat_thread_info *info, *beyond;
    agentchat_thread_list *list;
    const char *cursor;
    size_t count, none;
    scene s;

    (void)variant;
    (void)err;
    scene_begin(&s, env, 0);
    list = list_threads(&s);
    sqlite_memory_count(true);
    sweep_begin();
    count = agentchat_thread_list_count(list);
    none = agentchat_thread_list_count(NULL);
    info = agentchat_thread_list_at(list, 0);
    beyond = agentchat_thread_list_at(list, count);
    cursor = agentchat_thread_list_cursor(list);
    sweep_end();
    assert_int_equal(count, 2);
    assert_int_equal(none, 0);
    assert_string_equal(info->id, "t");
    assert_int_equal(info->sequence, 2);
    assert_int_equal(info->messages, 4);
    assert_true(info->updated_us >= info->created_us);
    assert_null(beyond);
    assert_null(cursor);
    sweep_begin();
    agentchat_thread_list_free(NULL);
    agentchat_thread_list_free(list);
    sweep_end();
    scene_end(&s);
    return AGENTCHAT_OK;
}

/* ---- deleting -----------------------------------------------------------------------------------------------------
 */

static agentchat_status thread_delete(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_error again;
    agentchat_status status;
    char now[1024];
    scene s;

    scene_begin(&s, env, variant);
    sweep_may_swallow(); /* what others have left is not what it is called for */
    sweep_begin();
    status = agentchat_thread_delete(s.p.store, "t", err);
    sweep_end();
    sqlite_memory_count(false);
    if (status < 0) {
        expect_unchanged(&s);
        test_ok(agentchat_thread_delete(s.p.store, "t", &again), &again);
    }
    stored(&s, now);
    assert_null(strstr(now, "c1"));
    expect_chat(&s, "other", NULL, s.first);
    scene_end(&s);
    return status;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_checkpoint_put_options putting, putting_default = AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT;
    agentchat_checkpoint_options getting, getting_default = AGENTCHAT_CHECKPOINT_OPTIONS_INIT;
    agentchat_checkpoint_list_options listing, listing_default = AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT;
    agentchat_thread_list_options threads, threads_default = AGENTCHAT_THREAD_LIST_OPTIONS_INIT;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_checkpoint_put_options_init(&putting, sizeof putting);
    agentchat_checkpoint_options_init(&getting, sizeof getting);
    agentchat_checkpoint_list_options_init(&listing, sizeof listing);
    agentchat_thread_list_options_init(&threads, sizeof threads);
    sweep_end();
    assert_true(putting.struct_size == putting_default.struct_size && putting.ns == NULL && putting.id == NULL &&
                putting.parent == NULL && putting.expect == NULL && putting.source == NULL && putting.run == NULL);
    assert_true(putting.metadata.ptr == NULL && putting.time_us == 0 && !putting.has_step && !putting.no_parent &&
                !putting.expect_none && !putting.branch && !putting.replace);
    assert_true(getting.struct_size == getting_default.struct_size && getting.ns == NULL && getting.id == NULL);
    assert_true(listing.struct_size == listing_default.struct_size && listing.ns == NULL && listing.before == NULL &&
                listing.run == NULL && listing.filter.ptr == NULL && listing.cursor == NULL && listing.limit == 0 &&
                !listing.all_namespaces);
    assert_true(threads.struct_size == threads_default.struct_size && threads.cursor == NULL && threads.limit == 0);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_checkpoint_put_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_put", checkpoint_put, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * WAYS},
    {"agentchat_checkpoint_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_get", checkpoint_get, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_checkpoint_get_info", look_at_checkpoint, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_snapshot", look_at_checkpoint, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_free", look_at_checkpoint, SWEEP_NEVER, 0},
    {"agentchat_thread_tail", thread_tail, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 2 * FIXTURE_VARIANTS},
    {"agentchat_checkpoint_list_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_list_read", checkpoint_list_read, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 3 * FIXTURE_VARIANTS},
    {"agentchat_checkpoint_list_count", look_at_checkpoints, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_list_at", look_at_checkpoints, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_list_cursor", look_at_checkpoints, SWEEP_NEVER, 0},
    {"agentchat_checkpoint_list_free", look_at_checkpoints, SWEEP_NEVER, 0},
    {"agentchat_thread_list_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_thread_list_read", thread_list_read, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 3 * FIXTURE_VARIANTS},
    {"agentchat_thread_list_count", look_at_threads, SWEEP_NEVER, 0},
    {"agentchat_thread_list_at", look_at_threads, SWEEP_NEVER, 0},
    {"agentchat_thread_list_cursor", look_at_threads, SWEEP_NEVER, 0},
    {"agentchat_thread_list_free", look_at_threads, SWEEP_NEVER, 0},
    {"agentchat_thread_delete", thread_delete, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, FIXTURE_VARIANTS},
};

int main(void)
{
    sqlite_memory_begin();
    return sweep_main("sweep.thread", rows, sizeof rows / sizeof *rows);
}
