/* SPDX-License-Identifier: Apache-2.0 */
/* The conversations of bench_threads: what is said in them, and the chats that say it. */
#ifndef BENCH_CONVERSATION_H
#define BENCH_CONVERSATION_H

#include "../ours.h"

#include <agentchat/thread_chat.h>

/* Sizes of a turn's two messages, in bytes. */
typedef struct bench_sizes {
    size_t question, answer;
} bench_sizes;
extern const bench_sizes bench_long;  /* 1.3 KB each */
extern const bench_sizes bench_short; /* 100 and 400 characters */

/* What else happens in a turn. */
typedef enum bench_kind {
    BENCH_PLAIN,
    BENCH_WINDOW,  /* the channel keeps its newest 40 messages: two go, two come */
    BENCH_LIST,    /* a named list gets an element, by an update */
    BENCH_SUMMARY, /* a named value of 1.3 KB is replaced */
    BENCH_NESTED   /* the answer comes from a chat inside the chat */
} bench_kind;

/* The text of a message, by its number: words, always the same ones, of a size of at most 1,300 bytes. A view until the
   second next call. */
agentchat_str bench_text(size_t number, size_t size);

typedef struct bench_conversation {
    agentchat_chat *chat;
    agentchat_str question, answer;
    bench_sizes sizes;
    bench_kind kind;
    size_t turn;
} bench_conversation;

/* Two participants that share a history channel. Ends the program when something fails, as all of these do. */
void bench_begin(bench_conversation *conversation, bench_kind kind, bench_sizes sizes);
/* Makes the texts of the next turn. The other steps of the turn cost no time for that. */
void bench_prepare(bench_conversation *conversation);
void bench_ask(bench_conversation *conversation);
void bench_answer(bench_conversation *conversation);
void bench_save(bench_conversation *conversation, agentchat_store *store, const char *thread);
void bench_end(bench_conversation *conversation);

#endif
