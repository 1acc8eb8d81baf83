/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times agentchat on files: bytes to a snapshot, snapshot to bytes, and for a small chat also capture and restore.
 *
 *     bench_agentchat FILE...
 *
 * Reading copies the file's bytes into the library's own buffer, as any program that has them in memory would; writing
 * goes to a sink that copies the bytes. Peak memory is counted by an allocator around malloc.
 */
#include "measure.h"
#include <agentchat/agentchat.h>

typedef struct counted {
    size_t live, peak;
} counted;

static void *count_alloc(void *user, size_t size)
{
    counted *c = user;

    c->live += size;
    if (c->live > c->peak)
        c->peak = c->live;
    return malloc(size);
}

static void *count_realloc(void *user, void *block, size_t old_size, size_t new_size)
{
    counted *c = user;

    c->live += new_size - old_size;
    if (c->live > c->peak)
        c->peak = c->live;
    return realloc(block, new_size);
}

static void count_free(void *user, void *block, size_t size)
{
    ((counted *)user)->live -= size;
    free(block);
}

static agentchat_status take(void *self, const void *bytes, size_t len, agentchat_error *err)
{
    (void)err;
    bench_take(self, bytes, len);
    return AGENTCHAT_OK;
}

static agentchat_status silent(void *user, const agentchat_messages *seen, agentchat_replies *out, agentchat_error *err)
{
    (void)user;
    (void)seen;
    (void)out;
    (void)err;
    return AGENTCHAT_OK;
}

static void fail(const agentchat_error *err)
{
    agentchat_error_print(err, stderr);
    exit(1);
}

static double write_once(const agentchat_snapshot *snapshot, const agentchat_write_options *options)
{
    static const agentchat_sink_ops ops = {sizeof ops, take, NULL, NULL};
    size_t total = 0;
    agentchat_sink *sink = NULL;
    agentchat_error err;
    double start = bench_now_us();

    if (agentchat_sink_new(NULL, &ops, &total, &sink, &err) < 0 ||
        agentchat_snapshot_write(snapshot, sink, options, &err) < 0)
        fail(&err);
    agentchat_sink_free(sink);
    return bench_now_us() - start;
}

static agentchat_chat *restore(const agentchat_snapshot *snapshot)
{
    agentchat_error err;
    agentchat_chat *chat = agentchat_chat_new(NULL);

    if (agentchat_chat_add_agent(chat, agentchat_history_agent_new(NULL, "Desk", silent, NULL), &err) < 0 ||
        agentchat_chat_restore(chat, snapshot, NULL, NULL, &err) < 0)
        fail(&err);
    return chat;
}

static void bench(const char *path)
{
    size_t len, rounds;
    char *data = bench_read_file(path, &len);
    counted memory = {0, 0};
    const agentchat_allocator allocator = {count_alloc, count_realloc, count_free, &memory};
    agentchat_env_options env_options = AGENTCHAT_ENV_OPTIONS_INIT;
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;
    agentchat_env *env;
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;
    double *reads, *writes, *restores, *captures, peak;

    rounds = bench_rounds(len);
    reads = malloc(rounds * sizeof *reads);
    writes = malloc(rounds * sizeof *writes);
    restores = malloc(rounds * sizeof *restores);
    captures = malloc(rounds * sizeof *captures);
    env_options.allocator = &allocator;
    env = agentchat_env_new(&env_options);
    if (env == NULL || reads == NULL || writes == NULL || restores == NULL || captures == NULL)
        exit(1);
    if (agentchat_snapshot_read_memory(env, (agentchat_str){data, len}, NULL, &snapshot, &err) < 0)
        fail(&err);
    peak = (double)memory.peak - (double)len;
    options.format = agentchat_snapshot_format(snapshot);
    options.strict = true;
    agentchat_snapshot_unref(snapshot);
    for (size_t i = 0; i < rounds; i++) {
        double start = bench_now_us();
        agentchat_chat *chat;

        if (agentchat_snapshot_read_memory(NULL, (agentchat_str){data, len}, NULL, &snapshot, &err) < 0)
            fail(&err);
        reads[i] = bench_now_us() - start;
        chat = restore(snapshot);
        restores[i] = bench_now_us() - start;
        writes[i] = write_once(snapshot, &options);
        agentchat_snapshot_unref(snapshot);
        start = bench_now_us();
        if (agentchat_chat_capture(chat, NULL, &snapshot, &err) < 0)
            fail(&err);
        captures[i] = bench_now_us() - start + write_once(snapshot, &options);
        agentchat_snapshot_unref(snapshot);
        agentchat_chat_free(chat);
    }
    bench_row("agentchat", path, len, bench_median(reads, rounds), bench_median(writes, rounds), peak);
    bench_row("agentchat, with restore and capture", path, len, bench_median(restores, rounds),
              bench_median(captures, rounds), -1);
    agentchat_env_free(env);
    free(reads);
    free(writes);
    free(restores);
    free(captures);
    free(data);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        bench(argv[i]);
    return 0;
}
