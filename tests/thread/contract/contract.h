/* SPDX-License-Identifier: Apache-2.0 */
/* The contract of threads, in groups. Each runs on the kind of store that scene_program() was given, and returns the
   number of tests that failed. The scene's application serves as the thread's id: no other test has it. */
#ifndef THREAD_CONTRACT_H
#define THREAD_CONTRACT_H

#include "session/scene.h"

#include <agentchat/thread.h>

int contract_put(void);
int contract_branches(void);
int contract_list(void);
int contract_copy(void);
int contract_pending(void);
int contract_prune(void);
int contract_together(void);
int contract_writers(void);
int contract_others(void);
int contract_random(void);
int contract_cost(void);
int contract_live(void);
int contract_live_values(void);
int contract_live_together(void);
int contract_live_cost(void);
int contract_live_answers(void);
int contract_features(void);
int contract_search(void);
int contract_search_random(void);
int contract_index(void);

#define CONTRACT_GROUP(name, tests) cmocka_run_group_tests_name("contract." name, tests, NULL, NULL)

/* ---- chats.c -------------------------------------------------------------------------------------------------- */

/* A chat whose history are these texts, separated by "|", said by "user"; "" is an empty one. channel: the same of a
   history channel, or NULL: there is none. values: named values NAME=JSON, separated by spaces, or NULL. */
agentchat_snapshot *chat_of(const char *history, const char *channel, const char *values);
/* The same chat and `text` after its history, and after that of its channel. */
agentchat_snapshot *chat_with(const agentchat_snapshot *chat, const char *text);
/* Puts it; returns the id, which the next call overwrites. All of these must succeed. */
const char *put_chat(scene *s, const agentchat_snapshot *chat, const agentchat_checkpoint_put_options *options);
/* The same, as a branch where its parent is followed or gone, or none is given. Whether it was one. */
bool put_chat_after(scene *s, const agentchat_snapshot *chat, const agentchat_checkpoint_put_options *options);
/* A checkpoint; id NULL: the newest. */
agentchat_checkpoint *get_checkpoint(scene *s, const char *id);
/* The newest checkpoint, or one by id, reads back as this chat. */
void expect_chat_at(scene *s, const char *id, const agentchat_snapshot *expected, const char *file, int line);
#define expect_chat(s, id, expected) expect_chat_at((s), (id), (expected), __FILE__, __LINE__)
void expect_equal_at(const agentchat_snapshot *chat, const agentchat_snapshot *expected, const char *file, int line);
#define expect_equal(chat, expected) expect_equal_at((chat), (expected), __FILE__, __LINE__)
/* What the list of threads says of the scene's. */
agentchat_thread_info thread_info(scene *s);

/* ---- search.c -------------------------------------------------------------------------------------------------- */

typedef struct search { /* of the scene's thread unless all of them */
    const char *query, *ns;
    size_t limit;
    bool all;
} search;
/* Where something was found, on all pages: "ID:POSITION ID:POSITION". */
enum { FOUND_SIZE = 65536 };
const char *found(scene *s, search what);

/* ---- cost.c ---------------------------------------------------------------------------------------------------- */

/* A chat of one message with an image of so many bytes and a text. */
agentchat_snapshot *picture_chat(const char *text, size_t size, const char *media);

/* ---- random.c -------------------------------------------------------------------------------------------------- */

agentchat_snapshot *any_chat(void);
/* Some messages of one chat instead of some of another, in its channels too. */
agentchat_snapshot *changed_chat(const agentchat_snapshot *chat, const agentchat_snapshot *other);

#endif
