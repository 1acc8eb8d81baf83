/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of threads and checkpoints: reading them with their checksums, and writing them. */
#ifndef ACI_THREAD_ROWS_H
#define ACI_THREAD_ROWS_H

#include "base/arena.h"
#include "store/core/row_sum.h"
#include "thread/statements.h"
#include <agentchat/thread.h>

/* Numbers count up from 0 and never come near this; a larger one is not from this library. */
#define ACI_THREAD_HIGHEST (INT64_MAX / 2)

/* ---- threads ---------------------------------------------------------------------------------------------------- */

/* Whether the words of a thread's checkpoints are in its index (terms.h). */
typedef enum aci_indexed {
    ACI_INDEXED_NOT = 0,
    ACI_INDEXED_MARKING = 1, /* new checkpoints are; the others are being marked */
    ACI_INDEXED_MARKED = 2,  /* all are, or are marked; the words of those are being added */
    ACI_INDEXED = 3,         /* searches use it */
    ACI_INDEXED_LEAVING = 4  /* not any more, and rows of it are left */
} aci_indexed;

typedef struct aci_thread_row {
    int64_t num;
    int64_t seq, segments, bodies; /* the highest that were given out; seq counts what was replaced, too */
    int64_t replaced;              /* how often a checkpoint was replaced by another one of its sequence number */
    int64_t indexed;               /* aci_indexed */
    int64_t messages, bytes, created_us, updated_us;
    int64_t hour; /* of updated_us, as it is stored; set by what writes the row */
} aci_thread_row;

typedef struct aci_thread_found { /* for the statements that give a row */
    agentchat_str id;
    aci_thread_row row;
    bool found;
    int64_t wants_index; /* 1: a new thread of the store is to be indexed */
} aci_thread_found;
agentchat_status aci_rows_load_thread(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* The numbers of a row, which stand from column `first` on. */
agentchat_status aci_rows_read_thread(aci_thread_row *row, agentchat_str id, const aci_sql_value *columns, size_t count,
                                      size_t first, agentchat_error *err);
/* Queues a statement that gives threads, those put to last first: all, or those after one; after.ptr NULL: all. */
void aci_rows_ask_threads(aci_tx *tx, int64_t after_us, agentchat_str after, int64_t limit, aci_sql_row_fn row,
                          void *user);
/* The thread that comes after an id, "" before all. One whose row is damaged is found, too. */
typedef struct aci_thread_next {
    agentchat_str after;
    aci_arena *arena; /* where its id goes */
    agentchat_str id;
    aci_thread_row row;
    bool found;
    agentchat_status sound; /* of its row; if it is not, see why */
    agentchat_error why;
} aci_thread_next;
/* A transaction's work that finds it; user: the aci_thread_next. */
agentchat_status aci_rows_next_thread(aci_tx *tx, void *user, agentchat_error *err);
/* Queue a new row, or a changed one. E_NOMEM. */
agentchat_status aci_rows_insert_thread(aci_tx *tx, agentchat_str id, const aci_thread_row *row, agentchat_error *err);
agentchat_status aci_rows_advance_thread(aci_tx *tx, agentchat_str id, const aci_thread_row *row, agentchat_error *err);

/* ---- checkpoints ------------------------------------------------------------------------------------------------ */

typedef struct aci_checkpoint_row {
    int64_t num, seq, parent_seq, step, time_us, messages;
    int64_t sum;                                               /* as it was read */
    agentchat_str ns, id, parent, source, run, meta, contents; /* parent, source, run: absent when there is none */
    bool has_step;
    int64_t branch; /* 1: its parent was not the newest of the namespace any more when it was put */
    int64_t line,
        written; /* the first of its line; when it was put, or replaced, as a number of the thread's counter */
} aci_checkpoint_row;

typedef struct aci_checkpoint_found { /* for the statements that give one row */
    aci_arena *arena;                 /* where its texts go */
    aci_checkpoint_row row;
    bool found;
} aci_checkpoint_found;
agentchat_status aci_rows_load_checkpoint(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* The row that the columns hold; its texts live as long as these. */
agentchat_status aci_rows_read_checkpoint(aci_checkpoint_row *row, const aci_sql_value *columns, size_t count,
                                          agentchat_error *err);
/* Its texts are in the arena from then on. *ok is set false when out of memory. */
void aci_rows_copy_checkpoint(aci_checkpoint_row *row, aci_arena *arena, bool *ok);
agentchat_status aci_rows_insert_checkpoint(aci_tx *tx, const aci_checkpoint_row *row, agentchat_error *err);
/* A row as callers see it; texts are copied, NUL-terminated. false: out of memory. */
bool aci_rows_checkpoint_info(const aci_checkpoint_row *row, aci_arena *arena, agentchat_checkpoint_info *out);

/* For statements that give one number, of a body: null leaves it as it is. */
agentchat_status aci_rows_load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* A number for a new thread: 63 random bits. */
agentchat_status aci_rows_new_number(const agentchat_env *env, int64_t *out, agentchat_error *err);
/* The order of names in keys: that of their bytes. */
int aci_rows_compare(agentchat_str a, agentchat_str b);
/* Whether a stored text is a name that could have been given. */
bool aci_rows_is_name(agentchat_str text);
agentchat_status aci_rows_check_thread(const char *thread, agentchat_str *out, agentchat_error *err);
/* A namespace; NULL is the usual one. */
agentchat_status aci_rows_check_namespace(const char *ns, agentchat_str *out, agentchat_error *err);
/* A name that may be missing; NULL gives absent. */
agentchat_status aci_rows_check_optional(const char *name, const char *what, agentchat_str *out, agentchat_error *err);
agentchat_status aci_rows_fail_no_thread(agentchat_str thread, agentchat_error *err);
agentchat_status aci_rows_fail_no_checkpoint(agentchat_str thread, agentchat_str ns, agentchat_str id,
                                             agentchat_error *err);
/* Put what was read, and a colon, before the message of a failure, if it is E_CORRUPT. They give back the status. */
agentchat_status aci_rows_name_damage(agentchat_status status, agentchat_str thread, agentchat_str ns, agentchat_str id,
                                      agentchat_error *err); /* a checkpoint; id absent: the newest */
agentchat_status aci_rows_name_thread(agentchat_status status, agentchat_str thread, agentchat_str ns,
                                      agentchat_error *err); /* ns empty: it is not known which */
/* A checkpoint of which only is known that the one of this number comes next to it, as rows are read; INT64_MAX and
   INT64_MIN: none. */
agentchat_status aci_rows_name_before(agentchat_status status, int64_t seq, agentchat_error *err);
agentchat_status aci_rows_name_after(agentchat_status status, int64_t seq, agentchat_error *err);

#endif
