/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What hostile documents cost as they grow. Everything that the library does with a document it was given is done with
 * documents of one family and of several sizes, and for each a line is printed:
 *
 *     hostile_growth FAMILY SIZE...       operation, size of the document, peak of memory, allocator calls, status
 *     hostile_growth                      the names of the families
 *
 * Nothing is timed here. growth.py runs this program under callgrind, which counts the instructions inside operate()
 * and writes one count for each call of it, in the order of the lines.
 */
#include "families.h"
#include "support/test_support.h"

#include <agentchat/view.h>
#include <stdio.h>

typedef enum operation {
    READ,
    DIGEST,
    WRITE_AGENTCHAT,
    WRITE_ENCODED,
    READ_ENCODED,
    WRITE_STRICT,
    WRITE_DEFAULT,
    READ_DEFAULT,
    DIFF_SAME,
    DIFF_OTHER,
    DIFF_SHIFTED,
    EDIT,
    RESTORE,
    CAPTURE,
    VIEW,
    OPERATIONS
} operation;

static const char *const names[OPERATIONS] = {
    "read",         "digest",        "write-agentchat", "write-encoded", "read-encoded",
    "write-strict", "write-default", "read-default",    "diff-same",     "diff-other",
    "diff-shifted", "edit",          "restore",         "capture",       "view",
};

/* What the operations on one document share. */
typedef struct work {
    agentchat_env *env;
    agentchat_snapshot *snapshot, *same, *other, *shifted;
    agentchat_list_edit *edit;
    agentchat_chat *chat;
    agentchat_bytes encoded, foreign;
    size_t output; /* bytes that the operation made */
    agentchat_error err;
} work;

/* ---- a chat to restore into ---------------------------------------------------------------------------------------
 */

static agentchat_status answer(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user, (void)seen;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("no"), err);
}

static agentchat_status make_inner(void *user, agentchat_chat **out, agentchat_error *err)
{
    *out = test_chat_new(user);
    return test_add_agent(*out, test_speaker_new(user, "inner", answer, NULL), err);
}

static agentchat_status create_thread(void *user, agentchat_bytes *id, agentchat_error *err)
{
    (void)user;
    return agentchat_bytes_append(id, AGENTCHAT_STR("thread"), err);
}

static agentchat_status post(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err)
{
    (void)user, (void)id, (void)batch, (void)err;
    return AGENTCHAT_OK;
}

static agentchat_status answer_on_thread(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err)
{
    (void)user, (void)id;
    return agentchat_replies_add_text(out, AGENTCHAT_STR("no"), err);
}

static agentchat_chat *make_chat(agentchat_env *env)
{
    static const agentchat_remote_ops thread = {sizeof(thread), create_thread, post, answer_on_thread, NULL};
    agentchat_remote_agent_options thread_options = AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT;
    agentchat_aggregator_options aggregator = AGENTCHAT_AGGREGATOR_OPTIONS_INIT;
    agentchat_chat *chat = test_chat_new(env);
    agentchat_error err;

    thread_options.name = AGENTCHAT_STR("thread");
    thread_options.type = "t";
    thread_options.channel_type = "t";
    thread_options.ops = &thread;
    aggregator.name = AGENTCHAT_STR("n");
    aggregator.make = make_inner;
    aggregator.user = env;
    test_ok(test_add_agent(chat, test_speaker_new(env, "n0", answer, NULL), &err), &err);
    test_ok(test_add_agent(chat, test_aggregator_new(env, &aggregator), &err), &err);
    test_ok(test_add_agent(chat, test_remote_agent_new(env, &thread_options), &err), &err);
    return chat;
}

/* ---- the operations ------------------------------------------------------------------------------------------------
 */

static agentchat_status read_bytes(work *w, const char *bytes, size_t len, agentchat_snapshot **out)
{
    agentchat_report *report = NULL;
    agentchat_status status;

    status = agentchat_snapshot_read_memory(w->env, (agentchat_str){bytes, len}, NULL, out, &report, &w->err);
    agentchat_report_free(report);
    return status;
}

/* Counts what would be written, so that the output's own memory is not part of the measure. */
static agentchat_status count_bytes(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    (void)bytes, (void)err;
    *(size_t *)self += len;
    return AGENTCHAT_OK;
}

static const agentchat_sink_ops counting = {sizeof(counting), count_bytes, NULL, NULL};

static agentchat_status write_as(work *w, const char *format, bool strict)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_new(w->env, &counting, &w->output, &sink, &w->err);

    options.format = format;
    options.strict = strict;
    if (status >= 0)
        status = agentchat_snapshot_write(w->snapshot, sink, &options, &report, &w->err);
    agentchat_sink_free(sink);
    agentchat_report_free(report);
    return status;
}

static agentchat_status count_difference(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                         agentchat_error *err)
{
    (void)err;
    *(size_t *)user += path.len + left.len + right.len;
    return AGENTCHAT_OK;
}

static agentchat_status diff(work *w, const agentchat_snapshot *with)
{
    bool equal;

    return agentchat_snapshot_diff(w->snapshot, with, count_difference, &w->output, &equal, &w->err);
}

static agentchat_status restore(work *w)
{
    agentchat_report *report = NULL;
    agentchat_status status = agentchat_chat_restore(w->chat, w->snapshot, NULL, &report, &w->err);

    agentchat_report_free(report);
    return status;
}

static agentchat_status capture(work *w)
{
    agentchat_snapshot *snapshot;
    agentchat_status status = agentchat_chat_capture(w->chat, NULL, &snapshot, NULL, &w->err);

    agentchat_snapshot_unref(snapshot);
    return status;
}

/* A page is longer than what it shows, so its bytes are not counted: those of the documents are what its cost is held
   against. */
static agentchat_status view(work *w)
{
    size_t ignored = 0;
    agentchat_sink *sink;
    agentchat_status status = agentchat_sink_new(w->env, &counting, &ignored, &sink, &w->err);

    if (status >= 0)
        status = agentchat_snapshot_write_html(w->snapshot, sink, NULL, &w->err);
    agentchat_sink_free(sink);
    return status;
}

/* The one function that callgrind counts. */
__attribute__((noinline)) agentchat_status operate(work *w, operation what, const char *text, size_t len);

agentchat_status operate(work *w, operation what, const char *text, size_t len)
{
    agentchat_snapshot *again = NULL;
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_status status = AGENTCHAT_E_INTERNAL;

    switch (what) {
    case READ:
        return read_bytes(w, text, len, &w->snapshot);
    case DIGEST:
        return agentchat_snapshot_digest(w->snapshot, true, digest, &w->err);
    case WRITE_AGENTCHAT:
        return write_as(w, "agentchat", false);
    case WRITE_ENCODED:
        return write_as(w, "agentchat-encoded", false);
    case READ_ENCODED:
        status = read_bytes(w, w->encoded.ptr, w->encoded.len, &again);
        break;
    case WRITE_STRICT:
        return write_as(w, "semantic-kernel", true);
    case WRITE_DEFAULT:
        return write_as(w, "semantic-kernel", false);
    case READ_DEFAULT:
        status = read_bytes(w, w->foreign.ptr, w->foreign.len, &again);
        break;
    case DIFF_SAME:
        return diff(w, w->same);
    case DIFF_OTHER:
        return diff(w, w->other);
    case DIFF_SHIFTED:
        return diff(w, w->shifted);
    case EDIT:
        status = agentchat_snapshot_edit(w->env, w->snapshot, w->edit, &again, NULL, &w->err);
        break;
    case RESTORE:
        return restore(w);
    case CAPTURE:
        return capture(w);
    case VIEW:
        return view(w);
    case OPERATIONS:
        break;
    }
    agentchat_snapshot_unref(again);
    return status;
}

/* ---- one document -------------------------------------------------------------------------------------------------
 */

/* An edit that puts one message in place of the first half of the history. */
static agentchat_list_edit *summary_of(const work *w)
{
    size_t count = agentchat_messages_count(agentchat_snapshot_history(w->snapshot));
    agentchat_message *summary = NULL;
    agentchat_list_edit *edit = NULL;
    agentchat_error err;

    test_ok(agentchat_message_new_text(w->env, "system", (agentchat_str){NULL, 0}, AGENTCHAT_STR("s"), &summary, &err),
            &err);
    test_ok(agentchat_list_edit_new(w->env, count, &edit, &err), &err);
    test_ok(agentchat_list_edit_remove(edit, 0, count / 2, &err), &err);
    test_ok(agentchat_list_edit_insert(edit, 0, summary, &err), &err);
    agentchat_message_unref(summary);
    return edit;
}

/* What an operation needs, made before it is measured. Whether there is anything to do. */
static bool prepare(work *w, const family *f, operation what, size_t size)
{
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_snapshot_builder *builder;
    agentchat_bytes *out = &w->encoded;
    agentchat_error err;
    char *text;
    size_t len;

    switch (what) {
    case DIFF_SAME:
    case DIFF_OTHER:
        text = family_make(f, size, what == DIFF_SAME ? 'a' : 'b', &len);
        assert_non_null(text);
        test_ok(agentchat_snapshot_read_memory(w->env, (agentchat_str){text, len}, NULL,
                                               what == DIFF_SAME ? &w->same : &w->other, NULL, &err),
                &err);
        free(text);
        return true;
    case DIFF_SHIFTED:
        builder = test_snapshot_builder(w->env, w->snapshot);
        agentchat_snapshot_builder_replace(
            builder, 0, agentchat_messages_count(agentchat_snapshot_history(w->snapshot)) > 0 ? 1 : 0, NULL);
        /* Some chats that can be read cannot be built: participants of one id, for instance. */
        return agentchat_snapshot_builder_finish(builder, &w->shifted, &err) >= 0;
    case EDIT:
        w->edit = summary_of(w);
        return true;
    case WRITE_ENCODED:
    case WRITE_DEFAULT:
        options.format = what == WRITE_ENCODED ? "agentchat-encoded" : "semantic-kernel";
        out = what == WRITE_ENCODED ? &w->encoded : &w->foreign;
        if (!f->repeats || agentchat_snapshot_write_memory(w->snapshot, &options, out, NULL, &err) != AGENTCHAT_E_LIMIT)
            test_ok(out->ptr != NULL ? AGENTCHAT_OK
                                     : agentchat_snapshot_write_memory(w->snapshot, &options, out, NULL, &err),
                    &err);
        return true;
    case RESTORE:
        w->chat = make_chat(w->env);
        return true;
    case READ:
    case DIGEST:
    case WRITE_AGENTCHAT:
    case READ_ENCODED:
    case WRITE_STRICT:
    case READ_DEFAULT:
    case CAPTURE:
    case VIEW:
    case OPERATIONS:
        break;
    }
    return true;
}

static void release(work *w)
{
    agentchat_chat_free(w->chat);
    agentchat_list_edit_free(w->edit);
    agentchat_snapshot_unref(w->snapshot);
    agentchat_snapshot_unref(w->same);
    agentchat_snapshot_unref(w->other);
    agentchat_snapshot_unref(w->shifted);
    agentchat_bytes_clear(&w->encoded);
    agentchat_bytes_clear(&w->foreign);
    agentchat_env_free(w->env);
}

static void measure(const family *f, size_t size)
{
    test_oom memory = {.fail_at = UINT64_MAX};
    work w = {.env = test_oom_env(&memory)};
    bool restored = false;
    size_t len;
    char *text = family_make(f, size, 'a', &len);

    assert_non_null(text);
    for (operation what = READ; what < OPERATIONS; what++) {
        uint64_t live, calls;
        agentchat_status status;

        if ((what != READ && w.snapshot == NULL) || (what == CAPTURE && !restored) || !prepare(&w, f, what, size))
            continue;
        live = memory.peak_bytes = memory.live_bytes;
        calls = memory.calls;
        w.output = 0;
        status = operate(&w, what, text, len);
        restored = what == RESTORE && status >= 0;
        printf("%s %s %zu %llu %llu %zu %s\n", f->name, names[what], len,
               (unsigned long long)(memory.peak_bytes - live), (unsigned long long)(memory.calls - calls), w.output,
               agentchat_status_name(status));
        if (status < 0 && what == READ && !f->refused)
            fprintf(stderr, "%s: %s at %llu %s\n", f->name, w.err.message, (unsigned long long)w.err.offset,
                    w.err.path);
    }
    free(text);
    release(&w);
    if (memory.live_blocks != 0) {
        fprintf(stderr, "%s: %llu blocks leaked\n", f->name, (unsigned long long)memory.live_blocks);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    const family *f = argc > 1 ? family_find(argv[1]) : NULL;

    if (argc > 1 && f == NULL) {
        fprintf(stderr, "hostile_growth: there is no family %s\n", argv[1]);
        return 2;
    }
    for (size_t i = 0; f == NULL && i < family_count; i++)
        printf("%s%s\n", families[i].name, families[i].repeats ? " repeats" : "");
    for (int i = 2; f != NULL && i < argc; i++)
        measure(f, strtoull(argv[i], NULL, 10));
    return 0;
}
