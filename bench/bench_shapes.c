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

enum { ROUNDS = 3, MOST_STEPS = 24 };

static struct {
    const char *name;
    double best;
} steps[MOST_STEPS];
static size_t step_count;
static double last;

void bench_start(void)
{
    last = bench_now_us();
}

void bench_step(const char *name)
{
    double time = bench_now_us() - last;
    size_t i = 0;

    while (i < step_count && strcmp(steps[i].name, name) != 0)
        i++;
    if (i == MOST_STEPS)
        exit(1);
    if (i == step_count) {
        steps[i].name = name;
        steps[i].best = time;
        step_count++;
    }
    if (time < steps[i].best)
        steps[i].best = time;
    bench_start();
}

agentchat_str bench_text(const char *format, size_t number)
{
    static char text[8][64];
    static size_t next;
    char *at = text[next++ % 8];

    return (agentchat_str){at, (size_t)snprintf(at, sizeof text[0], format, number)};
}

agentchat_message *bench_message(size_t number)
{
    agentchat_message *message = NULL;
    agentchat_error err;

    bench_must(agentchat_message_new_text(NULL, "user", NULL, bench_text("This is message number %zu.", number),
                                          &message, &err),
               &err);
    return message;
}

agentchat_snapshot_builder *bench_builder(size_t messages)
{
    agentchat_snapshot_builder *builder = agentchat_snapshot_builder_new(NULL, NULL);

    for (size_t i = 0; i < messages; i++) {
        agentchat_message *message = bench_message(i);

        agentchat_snapshot_builder_add_message(builder, message);
        agentchat_message_unref(message);
    }
    return builder;
}

agentchat_snapshot *bench_finish(agentchat_snapshot_builder *builder)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    bench_must(agentchat_snapshot_builder_finish(builder, &snapshot, &err), &err);
    return snapshot;
}

/* Writes and reads a snapshot in one format, with reports; gives what was read. */
static agentchat_snapshot *pass_through(const agentchat_snapshot *snapshot, agentchat_format format, const char *write,
                                        const char *read)
{
    agentchat_write_options writing = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_read_options reading = AGENTCHAT_READ_OPTIONS_INIT;
    agentchat_report *report = NULL;
    agentchat_bytes bytes = AGENTCHAT_BYTES_INIT;
    agentchat_snapshot *copy = NULL;
    agentchat_error err;

    writing.format = format;
    writing.report = &report;
    bench_start();
    bench_must(agentchat_snapshot_write_memory(snapshot, &writing, &bytes, &err), &err);
    bench_step(write);
    agentchat_report_free(report);
    report = NULL;
    reading.report = &report;
    bench_start();
    bench_must(agentchat_snapshot_read_memory(NULL, (agentchat_str){bytes.ptr, bytes.len}, &reading, &copy, &err),
               &err);
    bench_step(read);
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

    bench_start();
    snapshot = shape->make(count);
    bench_step("build");
    copy = pass_through(snapshot, AGENTCHAT_FORMAT_AGENTCHAT, "write", "read");
    bench_start();
    bench_must(agentchat_snapshot_digest(snapshot, true, digest, &err), &err);
    bench_step("digest");
    bench_must(agentchat_snapshot_diff(snapshot, copy, NULL, NULL, &equal, &err), &err);
    bench_step("compare");
    if (!equal)
        exit(1);
    agentchat_snapshot_unref(copy);
    bench_step("release");
    agentchat_snapshot_unref(bench_finish(agentchat_snapshot_builder_new(NULL, snapshot)));
    bench_step("copy into a builder");
    copy = pass_through(snapshot, AGENTCHAT_FORMAT_SEMANTIC_KERNEL, "write semantic-kernel", "read semantic-kernel");
    agentchat_snapshot_unref(copy);
    agentchat_snapshot_unref(snapshot);
}

static void bench_shape_at(const bench_shape *shape, size_t count)
{
    step_count = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (shape->make != NULL)
            bench_snapshot(shape, count);
        else
            shape->run(count);
    }
    for (size_t i = 0; i < step_count; i++)
        printf("%s\t%s\t%zu\t%.2f\n", shape->name, steps[i].name, count, steps[i].best);
    fflush(stdout);
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
