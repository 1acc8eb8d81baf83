/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clauses of LangGraph's conformance suite for checkpoint savers, restated for threads, in groups. Each test has
 * the name of its clause, test_conformance__<capability>_<clause>; docs/thread-conformance.md says what each asks for
 * here, and why some do not apply. `check` compares the two.
 */
#ifndef THREAD_CONFORMANCE_H
#define THREAD_CONFORMANCE_H

#include "thread/contract/contract.h"

int conformance_put(void);
int conformance_put_writes(void);
int conformance_get_tuple(void);
int conformance_list(void);
int conformance_delete(void);
int conformance_copy_and_prune(void);

#define CONFORMANCE_GROUP(name, tests) cmocka_run_group_tests_name("conformance." name, tests, NULL, NULL)

/* ---- helpers.c: all of these must succeed ----------------------------------------------------------------------- */

/* A thread of the scene, which is kept until the next two calls. */
const char *thread_of(scene *s, const char *name);
/* Puts a chat; ns and id may be NULL. */
void put_at(scene *s, const char *thread, const char *ns, const char *id, const agentchat_snapshot *chat);
/* Puts a chat of one message, which is the id. */
void put_text(scene *s, const char *thread, const char *ns, const char *id);
/* The same with a run or metadata, which may be NULL. */
void put_labelled(scene *s, const char *thread, const char *ns, const char *id, const char *run, const char *metadata);
agentchat_checkpoint *get_at(scene *s, const char *thread, const char *ns, const char *id);
/* A checkpoint reads back as this chat; id NULL: the newest. */
void expect_at_line(scene *s, const char *thread, const char *ns, const char *id, const agentchat_snapshot *chat,
                    const char *file, int line);
#define expect_at(s, thread, ns, id, chat) expect_at_line((s), (thread), (ns), (id), (chat), __FILE__, __LINE__)
/* It reads back as put_text() has put it. */
void expect_text_line(scene *s, const char *thread, const char *ns, const char *id, const char *file, int line);
#define expect_text(s, thread, ns, id) expect_text_line((s), (thread), (ns), (id), __FILE__, __LINE__)
/* There is no such checkpoint. */
void expect_none_line(scene *s, const char *thread, const char *ns, const char *id, const char *file, int line);
#define expect_none(s, thread, ns, id) expect_none_line((s), (thread), (ns), (id), __FILE__, __LINE__)
/* Ids of a list, newest first, separated by spaces: of all pages, unless there is a limit. */
void expect_list_line(scene *s, const char *thread, agentchat_checkpoint_list_options options, const char *expected,
                      const char *file, int line);
#define expect_list(s, thread, options, expected)                                                                      \
    expect_list_line((s), (thread), (options), (expected), __FILE__, __LINE__)
/* Those of all namespaces. */
void expect_all_line(scene *s, const char *thread, const char *expected, const char *file, int line);
#define expect_all(s, thread, expected) expect_all_line((s), (thread), (expected), __FILE__, __LINE__)
/* A pending write of a task to a channel. */
void write_at(scene *s, const char *thread, const char *ns, const char *id, agentchat_pending_write write);
agentchat_pending_write write_of(const char *task, int64_t index, const char *channel, const char *json);
/* The pending writes of a checkpoint that nobody consumed: TASK/INDEX/CHANNEL=VALUE, separated by spaces. */
void expect_writes_line(scene *s, const char *thread, const char *ns, const char *id, const char *expected,
                        const char *file, int line);
#define expect_writes(s, thread, ns, id, expected)                                                                     \
    expect_writes_line((s), (thread), (ns), (id), (expected), __FILE__, __LINE__)
/* Deletes what a run has made. */
uint64_t delete_run(scene *s, const char *thread, const char *run);
/* Prunes to the newest of each namespace. */
void keep_latest(scene *s, const char *thread);

#endif
