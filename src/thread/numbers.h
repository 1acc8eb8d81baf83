/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the bodies in the lists of a checkpoint. */
#ifndef ACI_THREAD_NUMBERS_H
#define ACI_THREAD_NUMBERS_H

#include "thread/bodies.h"
#include "thread/contents.h"
#include "thread/rows.h"

/* Every list of a chat, those of chats in its channels too. */
typedef struct aci_number_list {
    aci_range range;
    const int64_t **numbers; /* where they go, or are */
} aci_number_list;
/* Collects them in the arena. */
agentchat_status aci_numbers_collect(const aci_contents *contents, aci_arena *arena, aci_number_list **out,
                                     size_t *count, agentchat_error *err);
/* Reads the lists of a chat: aci_part.numbers and aci_contents.numbers are set. stored: as aci_lists_read(). */
agentchat_status aci_numbers_read_lists(aci_tx *tx, int64_t num, aci_contents *contents, aci_arena *arena,
                                        uint64_t *stored, agentchat_error *err);
/* Gives those of the bodies their numbers that are in the lists. */
agentchat_status aci_numbers_match(aci_tx *tx, int64_t num, const aci_contents *contents, aci_bodies *bodies,
                                   agentchat_error *err);

/* Some numbers, each once, ascending. */
typedef struct aci_number_set {
    int64_t *list;
    size_t count, cap;
} aci_number_set;
bool aci_numbers_add(aci_number_set *set, const agentchat_env *env, const int64_t *numbers, size_t count);
void aci_numbers_sort(aci_number_set *set);
size_t aci_numbers_find(const aci_number_set *set, int64_t number); /* its position; count: it is not there */
void aci_numbers_clear(aci_number_set *set, const agentchat_env *env);
/* Queues a statement that takes a first and a last number, for each run of numbers that stand close together. */
void aci_numbers_ask(const aci_number_set *set, aci_tx *tx, int64_t num, aci_thread_statement which, aci_sql_row_fn row,
                     void *user);

#endif
