/* SPDX-License-Identifier: Apache-2.0 */
#include "reading.h"

enum { TURNS = 201, SAVED = 500 };

static void take_turn(bench_conversation *conversation)
{
    bench_prepare(conversation);
    bench_ask(conversation);
    bench_answer(conversation);
}

static void make_thread(bench_conversation *conversation, agentchat_store *store, const char *thread, size_t messages)
{
    size_t count = messages / 2 > 0 ? messages / 2 : 1;

    for (size_t i = 0; i < count; i++) {
        take_turn(conversation);
        if (i % SAVED == SAVED - 1 || i + 1 == count)
            bench_save(conversation, store, thread);
    }
}

static double catch_up(bench_conversation *conversation, agentchat_store *store)
{
    double before = bench_now_us();
    agentchat_error err;

    bench_must(agentchat_thread_catch_up(store, conversation->chat, NULL, NULL, &err), &err);
    return bench_now_us() - before;
}

void bench_catch_up(agentchat_store *store, bench_kind kind, const char *name, size_t messages)
{
    double caught[TURNS], put[TURNS];
    bench_conversation chats[2];
    agentchat_error err;

    bench_begin(&chats[0], kind, bench_long);
    bench_begin(&chats[1], kind, bench_long);
    make_thread(&chats[0], store, name, messages);
    bench_must(agentchat_thread_restore(store, name, chats[1].chat, NULL, NULL, &err), &err);
    for (size_t i = 0; i < TURNS; i++) {
        bench_conversation *one = &chats[i % 2], *other = &chats[(i + 1) % 2];
        double before;

        take_turn(one);
        before = bench_now_us();
        bench_save(one, store, name);
        put[i] = bench_now_us() - before;
        other->turn = one->turn;
        caught[i] = catch_up(other, store);
    }
    bench_end(&chats[0]);
    bench_end(&chats[1]);
    printf("catch-up\t%s\t%s\t%zu\t%.1f\t%.1f\n", name, agentchat_store_backend(store), messages,
           bench_median(caught, TURNS), bench_median(put, TURNS));
    fflush(stdout);
}
