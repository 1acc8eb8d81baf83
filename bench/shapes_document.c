/* SPDX-License-Identifier: Apache-2.0 */
/* Histories that are edited and compared, and documents with more of something than a program would write. */
#include "shapes.h"

static void replacing(size_t count)
{
    agentchat_snapshot *snapshot = bench_finish(bench_builder(count)), *edited;
    agentchat_snapshot_builder *builder;
    agentchat_message *message = bench_message(0);
    const agentchat_message *one = message;
    agentchat_messages *list = NULL;
    agentchat_error err;
    bool equal;

    bench_must(agentchat_messages_new(NULL, &one, 1, &list, &err), &err);
    steps_start();
    builder = bench_edit(snapshot);
    agentchat_snapshot_builder_replace(builder, count / 2, 1, list);
    edited = bench_finish(builder);
    steps_end("one in the middle");
    bench_must(agentchat_snapshot_diff(snapshot, edited, NULL, NULL, &equal, &err), &err);
    steps_end("compare");
    agentchat_snapshot_unref(edited);
    steps_start();
    builder = bench_edit(snapshot);
    agentchat_snapshot_builder_replace(builder, 0, 1, NULL);
    edited = bench_finish(builder);
    steps_end("the first taken out");
    bench_must(agentchat_snapshot_diff(snapshot, edited, NULL, NULL, &equal, &err), &err);
    steps_end("compare, moved by one");
    agentchat_snapshot_unref(edited);
    steps_start();
    builder = bench_edit(snapshot);
    for (size_t i = 0; i < count; i++)
        agentchat_snapshot_builder_replace(builder, count - 1, 1, list);
    edited = bench_finish(builder);
    steps_end("the last, each time");
    agentchat_snapshot_unref(edited);
    agentchat_messages_unref(list);
    agentchat_message_unref(message);
    agentchat_snapshot_unref(snapshot);
}

static agentchat_status ignore(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                               agentchat_error *err)
{
    (void)user;
    (void)path;
    (void)left;
    (void)right;
    (void)err;
    return AGENTCHAT_OK;
}

/* Two histories that have nothing in common. */
static void strangers(size_t count)
{
    agentchat_snapshot *left = bench_finish(bench_builder(count)), *right;
    agentchat_snapshot_builder *builder = bench_edit(NULL);
    agentchat_error err;
    bool equal;

    for (size_t i = 0; i < count; i++) {
        agentchat_message *message = bench_message(i + count);

        agentchat_snapshot_builder_add_message(builder, message);
        agentchat_message_unref(message);
    }
    right = bench_finish(builder);
    steps_start();
    bench_must(agentchat_snapshot_diff(left, right, ignore, NULL, &equal, &err), &err);
    steps_end("compare, all differences reported");
    agentchat_snapshot_unref(left);
    agentchat_snapshot_unref(right);
}

/* A document of Semantic Kernel's shape with count members of that format after its known ones; then written in both
   formats. */
static void foreign(const char *opening, const char *member, const char *closing, size_t count)
{
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_write_options writing = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    bench_must(agentchat_bytes_append(&bytes, agentchat_str_from(opening), &err), &err);
    for (size_t i = 0; i < count; i++) {
        bench_must(agentchat_bytes_append(&bytes, bench_text(member, i), &err), &err);
    }
    bench_must(agentchat_bytes_append(&bytes, agentchat_str_from(closing), &err), &err);
    steps_start();
    bench_must(
        agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, NULL, &snapshot, &report, &err),
        &err);
    steps_end("read semantic-kernel");
    agentchat_report_free(report);
    steps_start();
    bench_write(snapshot, NULL);
    steps_end("write");
    writing.format = "semantic-kernel";
    bench_write(snapshot, &writing);
    steps_end("write semantic-kernel");
    agentchat_snapshot_unref(snapshot);
    agentchat_bytes_clear(&bytes);
}

static void unknown_members(size_t count)
{
    foreign("{\"Participants\":[],\"History\":[],\"Channels\":[]", ",\"x%zu\":1", "}", count);
}

static void repeated_members(size_t count)
{
    foreign("{\"Participants\":[],\"Channels\":[],\"History\":[{\"Role\":{\"Label\":\"user\"},\"Items\":[]",
            ",\"AuthorName\":\"%zu\"", "}]}", count);
}

static void null_messages(size_t count)
{
    foreign("{\"Participants\":[],\"Channels\":[],\"History\":[null", ",null", "]}", count);
}

const bench_shape bench_document_shapes[] = {
    {"messages of a history that is edited", 100000, NULL, replacing},
    {"messages that differ", 100000, NULL, strangers},
    {"unknown members of a document", 100000, NULL, unknown_members},
    {"one member again and again", 100000, NULL, repeated_members},
    {"nulls in a history", 100000, NULL, null_messages},
    {NULL, 0, NULL, NULL},
};
