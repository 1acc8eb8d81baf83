/* SPDX-License-Identifier: Apache-2.0 */
/* Sweep of agentchat/view.h: a page of a chat with everything, with each of the options, a comparison, and a thread. */
#include "sweep.h"

#include <agentchat/view.h>

enum { WITH_NO_OPTIONS, WITH_OPTIONS, WITHOUT_MEDIA, WITH_REPORT, PAGES };

/* The key of the last channel, which is text. */
static agentchat_str last_key(const agentchat_snapshot *snapshot)
{
    return agentchat_channel_state_key(
        agentchat_snapshot_channel(snapshot, agentchat_snapshot_channel_count(snapshot) - 1));
}

/* A report of a reading without failures, which has entries. */
static agentchat_report *report_of_reading(void)
{
    static const char document[] = "{\"Participants\":[],\"Channels\":[],\"History\":[null,null]}";
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot;
    agentchat_error err;

    test_ok(agentchat_snapshot_read_memory(NULL, agentchat_str_from(document), NULL, &snapshot, &report, &err), &err);
    agentchat_snapshot_unref(snapshot);
    assert_true(agentchat_report_count(report) > 0);
    return report;
}

static agentchat_status write_page(const agentchat_env *env, const agentchat_snapshot *snapshot,
                                   const agentchat_html_options *options, agentchat_bytes *bytes, bool is_swept,
                                   agentchat_error *err)
{
    agentchat_sink *sink = NULL;
    agentchat_error opening;
    agentchat_status status;

    test_ok(agentchat_sink_memory(env, bytes, &sink, &opening), &opening);
    if (is_swept) {
        sweep_begin();
        status = agentchat_snapshot_write_html(snapshot, sink, options, err);
        sweep_end();
    } else {
        status = agentchat_snapshot_write_html(snapshot, sink, options, err);
    }
    agentchat_sink_free(sink);
    return status;
}

static agentchat_status snapshot_write_html(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env), *other = sweep_rich_snapshot(NULL);
    agentchat_html_options options = AGENTCHAT_HTML_OPTIONS_INIT;
    agentchat_report *report = variant == WITH_REPORT ? report_of_reading() : NULL;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT, expected = AGENTCHAT_BYTES_INIT;
    const agentchat_html_options *given = variant == WITH_NO_OPTIONS ? NULL : &options;
    agentchat_error again;
    agentchat_status status;

    options.title = sweep_long();
    if (variant == WITH_OPTIONS)
        options.channel = last_key(snapshot);
    options.no_media = variant == WITHOUT_MEDIA;
    options.report = report;
    status = write_page(env, snapshot, given, &bytes, true, err);
    if (status < 0) {
        assert_int_equal(bytes.len, 0); /* not committed */
        test_ok(write_page(env, snapshot, given, &bytes, false, &again), &again);
    }
    test_ok(write_page(NULL, other, given, &expected, false, &again), &again);
    assert_int_equal(bytes.len, expected.len);
    assert_memory_equal(bytes.ptr, expected.ptr, expected.len);
    agentchat_bytes_clear(&bytes);
    agentchat_bytes_clear(&expected);
    agentchat_report_free(report);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(other);
    return status;
}

/* A chat with everything beside one that lacks its first message. */
static agentchat_snapshot *without_first(const agentchat_env *env, const agentchat_snapshot *from)
{
    agentchat_snapshot_builder *builder = test_snapshot_builder(env, from);
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    agentchat_snapshot_builder_replace(builder, 0, 1, NULL);
    test_ok(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    return snapshot;
}

static agentchat_status snapshot_write_html_diff(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env), *other = without_first(env, snapshot);
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_error opening;
    agentchat_status status;

    (void)variant;
    test_ok(agentchat_sink_memory(env, &bytes, &sink, &opening), &opening);
    sweep_begin();
    status = agentchat_snapshot_write_html_diff(snapshot, other, sink, NULL, err);
    sweep_end();
    agentchat_sink_free(sink);
    assert_true(status < 0 ? bytes.len == 0 : strstr(bytes.ptr, ">removed</p>") != NULL);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    agentchat_snapshot_unref(other);
    return status;
}

/* Two checkpoints, of which the older one has all but the first message. */
typedef struct chats {
    agentchat_snapshot *list[2];
} chats;

static agentchat_status get_chat(void *user, size_t index, agentchat_snapshot **out, agentchat_error *err)
{
    chats *c = user;

    (void)err;
    *out = agentchat_snapshot_ref(c->list[index]);
    return AGENTCHAT_OK;
}

static agentchat_status thread_write_html(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    static const agentchat_checkpoint_info infos[2] = {
        {.ns = "", .id = "b", .parent = "a", .sequence = 2, .metadata = {"{\"n\":1}", 7}},
        {.ns = "", .id = "a", .sequence = 1, .metadata = {"{}", 2}}};
    static const agentchat_html_checkpoint checkpoints[2] = {{&infos[0], {NULL, 0}}, {&infos[1], {"x", 1}}};
    agentchat_html_thread thread = AGENTCHAT_HTML_THREAD_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_error opening;
    agentchat_status status;
    chats c;

    (void)variant;
    c.list[0] = sweep_rich_snapshot(env);
    c.list[1] = without_first(env, c.list[0]);
    thread.checkpoints = checkpoints;
    thread.count = 2;
    thread.snapshot = get_chat;
    thread.user = &c;
    test_ok(agentchat_sink_memory(env, &bytes, &sink, &opening), &opening);
    sweep_begin();
    status = agentchat_thread_write_html(&thread, sink, NULL, err);
    sweep_end();
    agentchat_sink_free(sink);
    assert_true(status < 0 ? bytes.len == 0 : strstr(bytes.ptr, "<template class=\"checkpoint\"") != NULL);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(c.list[0]);
    agentchat_snapshot_unref(c.list[1]);
    return status;
}

static agentchat_status snapshot_write_markdown(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_snapshot *snapshot = sweep_rich_snapshot(env);
    agentchat_markdown_options options = AGENTCHAT_MARKDOWN_OPTIONS_INIT;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_sink *sink = NULL;
    agentchat_error opening;
    agentchat_status status;

    (void)variant;
    options.title = sweep_long();
    options.data = true;
    test_ok(agentchat_sink_memory(env, &bytes, &sink, &opening), &opening);
    sweep_begin();
    status = agentchat_snapshot_write_markdown(snapshot, sink, &options, err);
    sweep_end();
    agentchat_sink_free(sink);
    agentchat_bytes_clear(&bytes);
    agentchat_snapshot_unref(snapshot);
    return status;
}

static agentchat_status inits(const agentchat_env *env, unsigned variant, agentchat_error *err)
{
    agentchat_html_options options;
    agentchat_html_thread thread;
    agentchat_markdown_options markdown;

    (void)env;
    (void)variant;
    (void)err;
    sweep_begin();
    agentchat_html_options_init(&options, sizeof options);
    agentchat_html_thread_init(&thread, sizeof thread);
    agentchat_markdown_options_init(&markdown, sizeof markdown);
    sweep_end();
    assert_true(markdown.struct_size == sizeof markdown && !markdown.data);
    assert_true(thread.struct_size == sizeof thread && thread.count == 0 && thread.snapshot == NULL);
    assert_true(options.struct_size == sizeof options && options.title.ptr == NULL && !options.no_media);
    return AGENTCHAT_OK;
}

static const sweep_row rows[] = {
    {"agentchat_html_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_html_thread_init", inits, SWEEP_NEVER, 0},
    {"agentchat_markdown_options_init", inits, SWEEP_NEVER, 0},
    {"agentchat_snapshot_write_html", snapshot_write_html, SWEEP_ALLOCATES, PAGES},
    {"agentchat_snapshot_write_html_diff", snapshot_write_html_diff, SWEEP_ALLOCATES, 1},
    {"agentchat_snapshot_write_markdown", snapshot_write_markdown, SWEEP_ALLOCATES, 1},
    {"agentchat_thread_write_html", thread_write_html, SWEEP_ALLOCATES, 1},
};

int main(void)
{
    return sweep_main("sweep.view", rows, sizeof rows / sizeof *rows);
}
