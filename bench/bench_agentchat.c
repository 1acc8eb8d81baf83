/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times agentchat on files: bytes to a snapshot, snapshot to bytes, and for a small chat also capture and restore.
 *
 *     bench_agentchat FILE...
 *
 * Reading copies the file's bytes into the library's own buffer, as any program that has them in memory would; writing
 * goes to a sink that copies the bytes. Semantic Kernel's format is written as .NET writes it, and in a row of its own
 * with the repairs, as a save does when nothing else is asked for.
 */
#include "ours.h"

static double write_once(const agentchat_snapshot *snapshot, const agentchat_write_options *options)
{
    double start = bench_now_us();

    bench_write(snapshot, options);
    return bench_now_us() - start;
}

static double *times_new(size_t rounds)
{
    double *times = malloc(rounds * sizeof *times);

    if (times == NULL)
        exit(1);
    return times;
}

static void bench(const char *path)
{
    size_t len;
    char *data = bench_read_file(path, &len);
    size_t rounds = bench_rounds(len);
    double *reads = times_new(rounds), *writes = times_new(rounds), *repairs = times_new(rounds);
    double *restores = times_new(rounds), *captures = times_new(rounds);
    double before = bench_peak(), peak = 0;
    agentchat_write_options options = AGENTCHAT_WRITE_OPTIONS_INIT;

    for (size_t i = 0; i < rounds; i++) {
        agentchat_snapshot *snapshot = NULL;
        agentchat_chat *chat;
        agentchat_error err;
        double start = bench_now_us();

        bench_must(agentchat_snapshot_read_memory(NULL, (agentchat_str){data, len}, NULL, &snapshot, NULL, &err), &err);
        reads[i] = bench_now_us() - start;
        if (i == 0)
            peak = bench_peak() - before;
        chat = bench_chat(NULL);
        bench_must(agentchat_chat_restore(chat, snapshot, NULL, NULL, &err), &err);
        restores[i] = bench_now_us() - start;
        options.format = agentchat_snapshot_format(snapshot);
        options.strict = false;
        repairs[i] = write_once(snapshot, &options);
        options.strict = true;
        writes[i] = write_once(snapshot, &options);
        agentchat_snapshot_unref(snapshot);
        start = bench_now_us();
        bench_must(agentchat_chat_capture(chat, NULL, &snapshot, NULL, &err), &err);
        captures[i] = bench_now_us() - start + write_once(snapshot, &options);
        agentchat_snapshot_unref(snapshot);
        agentchat_chat_free(chat);
    }
    bench_row("agentchat", path, len, bench_median(reads, rounds), bench_median(writes, rounds), peak);
    bench_row("agentchat, with restore and capture", path, len, bench_median(restores, rounds),
              bench_median(captures, rounds), -1);
    if (strcmp(options.format, "semantic-kernel") == 0)
        bench_row("agentchat, with repairs", path, len, -1, bench_median(repairs, rounds), -1);
    free(reads);
    free(writes);
    free(repairs);
    free(restores);
    free(captures);
    free(data);
}

int main(int argc, char **argv)
{
    return bench_each(argc, argv, bench);
}
