/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What chats of unusual shape cost: whether anything grows faster than what there is of it.
 *
 *     bench_shapes COUNT
 *
 * Each shape is made with a hundredth of COUNT, a tenth of it, and COUNT. Each row: the shape, the step, the number,
 * microseconds (the best of three).
 */
#include "shapes.h"

enum { ROUNDS = 3 };

/* Writes and reads a snapshot in one format, with reports; gives what was read. */
static agentchat_snapshot *pass_through(const agentchat_snapshot *snapshot, const char *format, const char *write,
                                        const char *read)
{
    agentchat_write_options writing = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *copy = NULL;
    agentchat_error err;

    writing.format = format;
    steps_start();
    bench_must(agentchat_snapshot_write_memory(snapshot, &writing, &bytes, &report, &err), &err);
    steps_end(write);
    agentchat_report_free(report);
    report = NULL;
    steps_start();
    bench_must(agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, NULL, &copy, &report, &err),
               &err);
    steps_end(read);
    agentchat_report_free(report);
    agentchat_bytes_clear(&bytes);
    return copy;
}

static void bench_snapshot(const bench_shape *shape, size_t count)
{
    agentchat_snapshot *snapshot, *copy;
    agentchat_error err;
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    bool equal;

    steps_start();
    snapshot = shape->make(count);
    steps_end("build");
    copy = pass_through(snapshot, "agentchat", "write", "read");
    steps_start();
    bench_must(agentchat_snapshot_digest(snapshot, true, digest, &err), &err);
    steps_end("digest");
    bench_must(agentchat_snapshot_diff(snapshot, copy, NULL, NULL, &equal, &err), &err);
    steps_end("compare");
    if (!equal)
        exit(1);
    agentchat_snapshot_unref(copy);
    steps_end("release");
    agentchat_snapshot_unref(bench_finish(bench_edit(snapshot)));
    steps_end("copy into a builder");
    copy = pass_through(snapshot, "semantic-kernel", "write semantic-kernel", "read semantic-kernel");
    agentchat_snapshot_unref(copy);
    agentchat_snapshot_unref(snapshot);
}

static void bench_shape_at(const bench_shape *shape, size_t count)
{
    steps_forget();
    for (int i = 0; i < ROUNDS; i++) {
        if (shape->make != NULL)
            bench_snapshot(shape, count);
        else
            shape->run(count);
    }
    steps_print(shape->name, count);
}

static void bench_list(const bench_shape *shapes, size_t count)
{
    for (; shapes->name != NULL; shapes++) {
        size_t most = shapes->most < count ? shapes->most : count;

        for (size_t part = 100; part > 0; part /= 10)
            bench_shape_at(shapes, most >= part ? most / part : 1);
    }
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 0;

    if (count < 100) {
        fprintf(stderr, "usage: bench_shapes COUNT (at least 100)\n");
        return 2;
    }
    bench_list(bench_snapshot_shapes, count);
    bench_list(bench_live_shapes, count);
    bench_list(bench_document_shapes, count);
    return 0;
}
