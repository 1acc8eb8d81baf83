/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the calls on a chat cost as its history grows: histories of 10, 100, 1000, … messages up to LARGEST.
 *
 *     bench_growth LARGEST [--check]
 *
 * Each row: the call, the number of messages in the history, microseconds (the median), bytes that the call asked the
 * allocator for, or wrote. What is measured on a live chat adds some messages while it measures. With --check the
 * program fails unless a capture asks for as many bytes whatever the length of the history: a capture shares it.
 */
#include "ours.h"

enum { ROUNDS = 101 };

/* Bytes asked for so far. */
static size_t asked;

static void *count_alloc(void *user, size_t size)
{
    (void)user;
    asked += size;
    return malloc(size);
}

static void *count_realloc(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    asked += new_size > old_size ? new_size - old_size : 0;
    return realloc(block, new_size);
}

static void count_free(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

static void row(const char *what, size_t messages, double *times, size_t rounds, size_t bytes)
{
    printf("%s\t%zu\t%.3f\t%zu\n", what, messages, bench_median(times, rounds), bytes);
    fflush(stdout);
}

/* Fewer rounds of what is proportional to the history. */
static size_t rounds_for(size_t messages)
{
    size_t rounds = 300000 / messages;

    return rounds < 3 ? 3 : rounds > ROUNDS ? ROUNDS : rounds;
}

static void add(agentchat_chat *chat, size_t count)
{
    static const char text[] = "The parcel left the warehouse on Tuesday and should reach you by the end of the week. "
                               "包裹已于周二离开仓库，预计本周末之前送达。";
    agentchat_error err;

    for (size_t i = 0; i < count; i++)
        bench_must(agentchat_chat_add_text(chat, "user", agentchat_str_from(text), &err), &err);
}

static agentchat_snapshot *capture(agentchat_chat *chat)
{
    agentchat_snapshot *snapshot = NULL;
    agentchat_error err;

    bench_must(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err);
    return snapshot;
}

/* ---- what costs the new part only ----------------------------------------------------------------------------- */

/* Returns the bytes that one capture asked for. */
static size_t bench_adding(agentchat_chat *chat, size_t messages)
{
    double adds[ROUNDS], captures[ROUNDS], tens[ROUNDS];
    size_t bytes = 0, before;

    for (size_t i = 0; i < ROUNDS; i++) {
        double start = bench_now_us();
        agentchat_snapshot *snapshot;

        add(chat, 1);
        adds[i] = bench_now_us() - start;
        before = asked;
        start = bench_now_us();
        snapshot = capture(chat);
        captures[i] = bench_now_us() - start;
        bytes = asked - before;
        agentchat_snapshot_unref(snapshot);
    }
    row("add a message", messages, adds, ROUNDS, 0);
    row("capture after it", messages, captures, ROUNDS, bytes);
    for (size_t i = 0; i < ROUNDS; i++) {
        double start = bench_now_us();

        add(chat, 10);
        agentchat_snapshot_unref(capture(chat));
        tens[i] = bench_now_us() - start;
    }
    row("add 10 messages, capture, release", messages, tens, ROUNDS, bytes);
    return bytes;
}

static void bench_sharing(const agentchat_snapshot *snapshot, size_t messages)
{
    enum { EACH = 1000 };
    double refs[ROUNDS], lookups[ROUNDS];
    size_t count = agentchat_messages_count(agentchat_snapshot_history(snapshot)), index = 1;

    for (size_t i = 0; i < ROUNDS; i++) {
        double start = bench_now_us();

        for (size_t k = 0; k < EACH; k++)
            agentchat_snapshot_unref(agentchat_snapshot_ref(snapshot));
        refs[i] = (bench_now_us() - start) / EACH;
        start = bench_now_us();
        for (size_t k = 0; k < EACH; k++) {
            index = (index * 48271 + 11) % 2147483647;
            if (agentchat_messages_at(agentchat_snapshot_history(snapshot), index % count) == NULL)
                exit(1);
        }
        lookups[i] = (bench_now_us() - start) / EACH;
    }
    row("take a reference and give it back", messages, refs, ROUNDS, 0);
    row("look at any message", messages, lookups, ROUNDS, 0);
}

static void bench_restore(const agentchat_env *env, const agentchat_snapshot *snapshot, size_t messages)
{
    double restores[ROUNDS], firsts[ROUNDS];
    size_t bytes = 0, before;
    agentchat_error err;

    for (size_t i = 0; i < ROUNDS; i++) {
        agentchat_chat *chat = bench_chat(env);
        double start = bench_now_us();

        before = asked;
        bench_must(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
        restores[i] = bench_now_us() - start;
        bytes = asked - before;
        start = bench_now_us();
        add(chat, 1);
        agentchat_snapshot_unref(capture(chat));
        firsts[i] = bench_now_us() - start;
        agentchat_chat_free(chat);
    }
    row("restore", messages, restores, ROUNDS, bytes);
    row("first message after it, capture, release", messages, firsts, ROUNDS, 0);
}

/* ---- what costs the whole history ----------------------------------------------------------------------------- */

static void bench_saving(agentchat_chat *chat, const char *path, size_t messages)
{
    double memory[ROUNDS], file[ROUNDS];
    size_t rounds = rounds_for(messages), bytes = 0;
    agentchat_error err;

    for (size_t i = 0; i < rounds; i++) {
        double start = bench_now_us();
        agentchat_snapshot *snapshot = capture(chat);

        bytes = bench_write(snapshot, NULL);
        agentchat_snapshot_unref(snapshot);
        memory[i] = bench_now_us() - start;
        start = bench_now_us();
        bench_must(agentchat_chat_save_file(chat, path, NULL, NULL, &err), &err);
        file[i] = bench_now_us() - start;
    }
    row("save to a stream", messages, memory, rounds, bytes);
    row("save to a file, on the disk", messages, file, rounds, bytes);
}

static void bench_comparing(const agentchat_snapshot *left, const agentchat_snapshot *right, size_t messages)
{
    double digests[ROUNDS], diffs[ROUNDS], shared[ROUNDS];
    size_t rounds = rounds_for(messages);
    char digest[AGENTCHAT_DIGEST_LEN + 1];
    agentchat_error err;
    bool equal;

    for (size_t i = 0; i < rounds; i++) {
        double start = bench_now_us();

        bench_must(agentchat_snapshot_digest(left, true, digest, &err), &err);
        digests[i] = bench_now_us() - start;
        start = bench_now_us();
        bench_must(agentchat_snapshot_diff(left, right, NULL, NULL, &equal, &err), &err);
        diffs[i] = bench_now_us() - start;
        if (!equal)
            exit(1);
        start = bench_now_us();
        bench_must(agentchat_snapshot_diff(left, left, NULL, NULL, &equal, &err), &err);
        shared[i] = bench_now_us() - start;
    }
    row("digest of history and channels", messages, digests, rounds, 0);
    row("compare with a copy", messages, diffs, rounds, 0);
    row("compare with itself", messages, shared, rounds, 0);
}

/* Returns the bytes that a capture asked for. */
static size_t bench(const agentchat_env *env, const char *path, size_t messages)
{
    agentchat_chat *chat = bench_chat(env);
    agentchat_snapshot *snapshot, *copy = NULL;
    agentchat_error err;
    size_t bytes;

    bench_must(agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err),
               &err); /* the agent has its channel from the start */
    add(chat, messages);
    bench_saving(chat, path, messages);
    snapshot = capture(chat);
    bench_must(agentchat_snapshot_read_file(NULL, path, NULL, &copy, NULL, &err), &err);
    bench_comparing(snapshot, copy, messages);
    bench_restore(env, copy, messages);
    agentchat_snapshot_unref(copy);
    bench_sharing(snapshot, messages);
    agentchat_snapshot_unref(snapshot);
    bytes = bench_adding(chat, messages);
    agentchat_chat_free(chat);
    return bytes;
}

int main(int argc, char **argv)
{
    static const agentchat_allocator allocator = {
        .struct_size = sizeof allocator, .alloc = count_alloc, .realloc = count_realloc, .free = count_free};
    size_t largest = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 0, first = 0;
    bool check = argc > 2 && strcmp(argv[2], "--check") == 0, grows = false;
    agentchat_env_options options = AGENTCHAT_ENV_OPTIONS_INIT;
    char path[] = "/tmp/agentchat-bench-XXXXXX";
    agentchat_env *env;
    int fd;

    if (largest < 10) {
        fprintf(stderr, "usage: bench_growth LARGEST [--check]\n");
        return 2;
    }
    options.allocator = &allocator;
    fd = mkstemp(path);
    if (fd < 0 || agentchat_env_new(&options, &env, NULL) < 0) {
        perror(path);
        return 1;
    }
    close(fd);
    for (size_t messages = 10; messages <= largest; messages *= 10) {
        size_t bytes = bench(env, path, messages);

        first = first == 0 ? bytes : first;
        grows |= bytes != first;
    }
    remove(path);
    agentchat_env_free(env);
    if (check && grows) {
        fprintf(stderr, "bench_growth: a capture asks for more memory when the history is longer\n");
        return 1;
    }
    return 0;
}
