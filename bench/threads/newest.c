/* SPDX-License-Identifier: Apache-2.0 */
#include "reading.h"

enum { READS = 201, NEWEST = 50, SAVED = 500 };

static void make_thread(agentchat_store *store, const char *thread, size_t messages)
{
    bench_conversation conversation;

    bench_begin(&conversation, BENCH_PLAIN, bench_long);
    for (size_t i = 0; i < messages / 2; i++) {
        bench_prepare(&conversation);
        bench_ask(&conversation);
        bench_answer(&conversation);
        if (i % SAVED == SAVED - 1 || i + 1 == messages / 2)
            bench_save(&conversation, store, thread);
    }
    bench_end(&conversation);
}

static void read_newest(agentchat_store *store, const char *thread, size_t messages)
{
    agentchat_messages *list = NULL;
    agentchat_error err;

    bench_must(agentchat_thread_tail(store, thread, NEWEST, NULL, &list, &err), &err);
    if (agentchat_messages_count(list) != (messages < NEWEST ? messages : NEWEST)) {
        fprintf(stderr, "bench_threads: the end of the thread is not all there\n");
        exit(1);
    }
    agentchat_messages_unref(list);
}

void bench_newest(agentchat_store *store, agentchat_store *(*reopen)(void), size_t messages)
{
    double open[READS], fresh[READS];
    char thread[64];

    snprintf(thread, sizeof thread, "thread of %zu", messages);
    make_thread(store, thread, messages);
    for (size_t i = 0; i < READS; i++) {
        double before = bench_now_us();
        agentchat_store *another = reopen();

        read_newest(another, thread, messages);
        fresh[i] = bench_now_us() - before;
        agentchat_store_close(another);
        before = bench_now_us();
        read_newest(store, thread, messages);
        open[i] = bench_now_us() - before;
    }
    printf("newest\topen\t%s\t%zu\t%.1f\n", agentchat_store_backend(store), messages, bench_median(open, READS));
    printf("newest\tfresh\t%s\t%zu\t%.1f\n", agentchat_store_backend(store), messages, bench_median(fresh, READS));
    fflush(stdout);
}
