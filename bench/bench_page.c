/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Web pages of chats: writes each file's page to where bytes are copied and dropped.
 *
 *     bench_page FILE...
 *
 * Each row: the file, messages, bytes of the page, microseconds (the median).
 */
#include "ours.h"

#include <agentchat/view.h>
#include <libgen.h>

enum { ROUNDS = 11 };

static size_t write_page(const agentchat_snapshot *snapshot)
{
    static const agentchat_sink_ops ops = {sizeof ops, bench_sink_write, NULL, NULL};
    size_t total = 0;
    agentchat_sink *sink = NULL;
    agentchat_error err;

    bench_must(agentchat_sink_new(NULL, &ops, &total, &sink, &err), &err);
    bench_must(agentchat_snapshot_write_html(snapshot, sink, NULL, &err), &err);
    agentchat_sink_free(sink);
    return total;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        agentchat_snapshot *snapshot = NULL;
        double times[ROUNDS];
        size_t bytes = 0;
        agentchat_error err;

        bench_must(agentchat_snapshot_read_file(NULL, argv[i], NULL, &snapshot, NULL, &err), &err);
        for (size_t round = 0; round < ROUNDS; round++) {
            double start = bench_now_us();

            bytes = write_page(snapshot);
            times[round] = bench_now_us() - start;
        }
        printf("%s\t%zu\t%zu\t%.0f\n", basename(argv[i]),
               agentchat_messages_count(agentchat_snapshot_history(snapshot)), bytes, bench_median(times, ROUNDS));
        agentchat_snapshot_unref(snapshot);
    }
    return 0;
}
