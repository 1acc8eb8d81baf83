/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of agentchat/chat.h: saving a chat and restoring it, with agents of every kind. */
#include "sweep_world.h"

/* ---- saving ----------------------------------------------------------------------------------------------------- */

/* 0: as by default; 1: without delivery; 2: with the channels of all agents; 3: with a report. Something is queued. */
static agentchat_capture_options begin_capture(world *w, const agentchat_env *env, unsigned variant)
{
    agentchat_capture_options options = AGENTCHAT_CAPTURE_OPTIONS_INIT;

    world_begin_used(w, env, WORLD_ALL);
    w->m.fail_receive = -1;
    add_text(w->chat, "queued for M");
    if (variant == 2) { /* T and N have no channel yet */
        world_end(w);
        world_begin(w, env, WORLD_ALL);
        add_text(w->chat, "first");
        invoke(w->chat, "H");
    }
    if (variant != 1)
        sweep_may_swallow();
    options.no_delivery = variant == 1;
    options.all_channels = variant == 2;
    return options;
}

static agentchat_status chat_capture(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = NULL, *expected;
    agentchat_report *report = NULL, **wanted = variant == 3 ? &report : NULL;
    agentchat_error again;
    agentchat_status status;
    agentchat_capture_options options;
    world w;

    options = begin_capture(&w, env, variant);
    sweep_begin();
    status = agentchat_chat_capture(w.chat, &options, &snapshot, wanted, err);
    sweep_end();
    world_check(&w);
    if (status < 0) {
        assert_null(snapshot);
        agentchat_report_free(report);
        test_ok(agentchat_chat_capture(w.chat, &options, &snapshot, wanted, &again), &again);
    }
    assert_true((report != NULL) == (variant == 3));
    agentchat_report_free(report);
    expected = capture(w.chat);
    sweep_assert_same(snapshot, expected);
    assert_int_equal(agentchat_snapshot_channel_count(snapshot), 5);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(expected);
    world_end(&w);
    return status;
}

/* 0, 1, 2: the formats; 3: Semantic Kernel's, strictly. */
enum { WRITINGS = 4 };

static agentchat_write_options writing_options(unsigned variant)
{
    static const char *const formats[WRITINGS] = {NULL, "agentchat-encoded", "semantic-kernel", "semantic-kernel"};
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    options.format = formats[variant];
    options.strict = variant == 3;
    return options;
}

/* What saving the chat gives without failures. */
static agentchat_bytes expected_bytes(world *w, unsigned variant)
{
    agentchat_write_options options = writing_options(variant);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *snapshot = capture(w->chat);
    agentchat_error err;

    test_ok(agentchat_snapshot_write_memory(snapshot, &options, &bytes, NULL, &err), &err);
    agentchat_snapshot_unref(snapshot);
    return bytes;
}

static agentchat_status chat_save(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_write_options options = writing_options(variant);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT, expected;
    agentchat_sink *sink = sweep_sink(env, &bytes);
    agentchat_error again;
    agentchat_status status;
    world w;

    world_begin_used(&w, env, WORLD_ALL);
    sweep_begin();
    status = agentchat_chat_save(w.chat, sink, &options, NULL, err);
    sweep_end();
    agentchat_sink_free(sink);
    world_check(&w);
    if (status < 0) {
        assert_null(bytes.ptr);
        sink = sweep_sink(env, &bytes);
        test_ok(agentchat_chat_save(w.chat, sink, &options, NULL, &again), &again);
        agentchat_sink_free(sink);
    }
    expected = expected_bytes(&w, variant);
    assert_string_equal(bytes.ptr, expected.ptr);
    agentchat_bytes_clear(&expected);
    agentchat_bytes_clear(&bytes);
    world_end(&w);
    return status;
}

static void assert_file(const char *path, const char *expected)
{
    char *text = test_file_read(path, NULL);

    assert_string_equal(text, expected);
    free(text);
}

/* The formats are swept with the function above; each file that is written has to wait for the disk. */
static agentchat_status chat_save_file(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_write_options options = writing_options(variant);
    char *dir = test_dir_make(), *path = test_path(dir, "file");
    agentchat_bytes expected;
    agentchat_error again;
    agentchat_status status;
    world w;

    test_file_write(path, "old", 3);
    world_begin_used(&w, env, WORLD_ALL);
    sweep_begin();
    status = agentchat_chat_save_file(w.chat, path, &options, NULL, err);
    sweep_end();
    world_check(&w);
    assert_int_equal(test_each_file(dir, "", NULL, NULL), 1); /* no temporary file stays */
    if (status < 0) {
        assert_file(path, "old");
        test_ok(agentchat_chat_save_file(w.chat, path, &options, NULL, &again), &again);
    }
    expected = expected_bytes(&w, variant);
    assert_file(path, expected.ptr);
    agentchat_bytes_clear(&expected);
    world_end(&w);
    test_dir_remove(dir);
    free(path);
    return status;
}

/* ---- restoring -------------------------------------------------------------------------------------------------- */

/* Into a chat of: 0: all agents; 1: all, with a report, messages pending and named values; 2: some agents, so that
   states and participants are kept; 3: the same with a report; 4: an agent whose state a resolver finds; 5: all agents,
   and a document of Semantic Kernel; 6: as 0, and nothing matched by type. */
enum { RESTORINGS = 7 };

static agentchat_status resolve(void *user, const agentchat_snapshot *snapshot, const agentchat_agent *agent,
                                agentchat_str *out_key, agentchat_error *err)
{
    (void)err;
    (void)agent;
    (void)snapshot;
    *out_key = agentchat_str_from(user);
    return AGENTCHAT_OK;
}

#define FOREIGN_KEY "made-by-another-process"

/* The state of a chat that was used, as another process would read it; with the key of M's channel changed for 4. */
static agentchat_snapshot *used_state(unsigned variant)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_bytes document;
    agentchat_error err;
    world w;

    world_begin_used(&w, NULL, variant == 4 ? "" : WORLD_ALL);
    w.m.fail_receive = variant == 1 ? -1 : 0;
    add_text(w.chat, "last");
    test_ok(agentchat_chat_set_value(w.chat, AGENTCHAT_STR("v"), NONE, AGENTCHAT_STR("[1]"), &err), &err);
    if (variant == 4) {
        agentchat_snapshot *from = capture(w.chat);
        agentchat_snapshot_builder *builder = test_snapshot_builder(NULL, from);

        agentchat_snapshot_builder_set_channel(builder, AGENTCHAT_STR(FOREIGN_KEY), AGENTCHAT_STR("of another name"),
                                               AGENTCHAT_CHANNEL_TEXT, AGENTCHAT_STR("first;"), 1);
        agentchat_snapshot_unref(from);
        test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    } else {
        snapshot = capture(w.chat);
    }
    document = sweep_document(snapshot, variant == 5 ? "semantic-kernel" : "agentchat");
    agentchat_snapshot_unref(snapshot);
    test_ok(
        agentchat_snapshot_read_memory(NULL, (agentchat_str){document.ptr, document.len}, NULL, &snapshot, NULL, &err),
        &err);
    agentchat_bytes_clear(&document);
    world_end(&w);
    return snapshot;
}

/* What a chat becomes by a restore without failures. free() it. */
static char *restored_picture(const agentchat_snapshot *snapshot, const agentchat_restore_options *options,
                              const char *agents)
{
    agentchat_error err;
    char *image;
    world w;

    world_begin(&w, NULL, agents);
    test_ok(agentchat_chat_restore(w.chat, snapshot, options, NULL, &err), &err);
    image = picture(w.chat);
    world_end(&w);
    return image;
}

static void assert_picture(world *w, const char *expected)
{
    char *image = picture(w->chat);

    assert_string_equal(image, expected);
    free(image);
}

static agentchat_status chat_restore(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const char *const agents[RESTORINGS] = {WORLD_ALL, WORLD_ALL, "HN", "F", "M", WORLD_ALL, WORLD_ALL};
    agentchat_restore_options options = AGENTCHAT_RESTORE_OPTIONS_INIT;
    agentchat_snapshot *snapshot = used_state(variant);
    agentchat_report *report = NULL, **wanted = variant == 1 || variant == 3 ? &report : NULL;
    char *expected, *before;
    agentchat_error again;
    agentchat_status status;
    world w;

    if (variant == 4)
        options.resolve = resolve;
    options.user = (void *)(uintptr_t)FOREIGN_KEY;
    options.no_type_match = variant == 6;
    expected = restored_picture(snapshot, &options, agents[variant]);
    world_begin(&w, env, agents[variant]);
    before = picture(w.chat);
    sweep_begin();
    status = agentchat_chat_restore(w.chat, snapshot, &options, wanted, err);
    sweep_end();
    if (status < 0) {
        agentchat_report_free(report);
        assert_int_equal(agentchat_chat_kept_count(w.chat), 0);
        assert_picture(&w, before);
        test_ok(agentchat_chat_restore(w.chat, snapshot, &options, wanted, &again), &again);
    }
    assert_true((report != NULL) == (wanted != NULL));
    assert_picture(&w, expected);
    free(before);
    free(expected);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    world_end(&w);
    return status;
}

static agentchat_status look_at_kept(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = used_state(2);
    const agentchat_channel_state *kept, *beyond;
    size_t count;
    world w;

    (void)variant;
    world_begin(&w, env, "HN");
    test_ok(agentchat_chat_restore(w.chat, snapshot, NULL, NULL, err), err);
    sweep_begin();
    count = agentchat_chat_kept_count(w.chat) + agentchat_chat_kept_count(NULL);
    kept = agentchat_chat_kept(w.chat, 0);
    beyond = agentchat_chat_kept(w.chat, count);
    sweep_end();
    assert_int_equal(count, 3);
    assert_non_null(kept);
    assert_null(beyond);
    agentchat_snapshot_unref(snapshot);
    world_end(&w);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    /* May swallow: the delivery that goes before; what is not delivered is captured as queued. */
    {"agentchat_chat_capture", chat_capture, SWEEP_ALLOCATES | SWEEP_MAY_SWALLOW, 4},
    {"agentchat_chat_save", chat_save, SWEEP_ALLOCATES, WRITINGS},
    {"agentchat_chat_save_file", chat_save_file, SWEEP_ALLOCATES, 0},
    {"agentchat_chat_restore", chat_restore, SWEEP_ALLOCATES, RESTORINGS},
    {"agentchat_chat_kept_count", look_at_kept, SWEEP_NEVER, 0},
    {"agentchat_chat_kept", look_at_kept, SWEEP_NEVER, 0},
};

int main(void)
{
    return sweep_main("sweep.chat_state", rows, sizeof rows / sizeof *rows);
}
