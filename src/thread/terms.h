/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a thread: for each checkpoint the words of the messages that it adds (search_added.h), a row each.
 *
 * Searches take from it which checkpoints to look at, and decide as without it. So it may say too much, and never too
 * little. A checkpoint whose words are not known has a row with the empty term, a mark: it is looked at whatever is
 * searched for. What makes others add more, deleting or replacing a checkpoint, marks them; that is one row each, and
 * their words are added later, in steps (settle.h).
 */
#ifndef ACI_THREAD_TERMS_H
#define ACI_THREAD_TERMS_H

#include "base/index.h"
#include "thread/message_words.h"
#include "thread/rows.h"

/* Whether new checkpoints get their terms, and changes their marks. */
static inline bool aci_terms_are_kept(const aci_thread_row *thread)
{
    return thread->indexed >= ACI_INDEXED_MARKING && thread->indexed <= ACI_INDEXED;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

typedef struct aci_term_row {
    int64_t num, seq;
    agentchat_str ns, term; /* term empty: a mark */
} aci_term_row;
/* The row that the columns hold; its texts live as long as these. E_CORRUPT. */
agentchat_status aci_terms_read(aci_term_row *row, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* Queues a row, which may be there already. E_NOMEM. */
agentchat_status aci_terms_insert(aci_tx *tx, const aci_term_row *row, agentchat_error *err);
agentchat_status aci_terms_mark(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq, agentchat_error *err);
/* Queue deleting a checkpoint's mark, or all of its rows. */
void aci_terms_unmark(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq);
void aci_terms_delete(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq);
/* Queues reading the newest rows of a term before a sequence number. */
void aci_terms_ask(aci_tx *tx, const aci_term_row *before, int64_t limit, aci_sql_row_fn row, void *user);
/*
 * Queues reading what stands beside those of them that were found, the oldest of which is `oldest` (none: that of
 * `before`). In SQLite a row with a damaged key stands where it stood, and is not found there; but the way to where it
 * belongs ends beside it. So when these rows are intact, no row with a damaged column is missing between them. What the
 * pages themselves have lost it cannot tell; agentchat_store_check() can. PostgreSQL is not asked: its rows are not in
 * the order of their keys.
 */
void aci_terms_ask_beside(aci_tx *tx, const aci_term_row *before, int64_t oldest);

/* ---- checkpoints that add more ---------------------------------------------------------------------------------- */

typedef struct aci_term_key {
    agentchat_str ns;
    int64_t seq;
    struct aci_term_key *next;
} aci_term_key;

typedef struct aci_term_keys { /* arena: where they go; else all zero */
    aci_arena *arena;
    aci_term_key *first, **last;
    size_t count;
} aci_term_keys;
/* For statements that give ns and seq. */
agentchat_status aci_terms_load_key(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* Queues reading what is compared with a checkpoint that goes, or becomes another one: the next one of its namespace,
   and the branches that began with it. */
void aci_terms_ask_followers(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq, aci_term_keys *out);
agentchat_status aci_terms_mark_keys(aci_tx *tx, int64_t num, const aci_term_keys *keys, agentchat_error *err);

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* The different words of some messages. */
typedef struct aci_term_set {
    const agentchat_env *env;
    aci_arena *arena;
    aci_index by_text;
    agentchat_str *list;
    size_t count, cap;
    aci_message_words words;
    bool ok;
} aci_term_set;
/* false: out of memory; clear it in any case. */
bool aci_term_set_begin(aci_term_set *set, const agentchat_env *env);
void aci_term_set_clear(aci_term_set *set);
bool aci_term_set_add(aci_term_set *set, const agentchat_message *message);

#endif
