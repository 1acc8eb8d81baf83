/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of checkpoints in a store, as the public calls and live chats use them. */
#ifndef ACI_THREAD_THREAD_H
#define ACI_THREAD_THREAD_H

#include "base/arena.h"
#include "base/buf.h"
#include "store/core/sql.h"
#include <agentchat/message.h>
#include <agentchat/thread.h>

/* ==== the tables of threads, and the service that they are of ==================================================== */

enum { ACI_THREAD_SERVICE = 2 }; /* whose statements those of threads are */
extern const aci_service aci_thread_service;
/* Looks through the tables; in check.c. */
agentchat_status aci_thread_check(aci_store_check *all, agentchat_error *err);

/* ==== the SQL statements of threads ============================================================================== */

/* Which parameters they take is said in statements.c. */

typedef enum aci_thread_statement {
    ACI_THREAD_ROW,
    ACI_THREAD_LOCK,
    ACI_THREAD_INSERT,
    ACI_THREAD_ADVANCE,
    ACI_THREAD_ADVANCE_HOUR,
    ACI_THREAD_DELETE,
    ACI_THREADS,
    ACI_THREADS_AFTER,
    ACI_CHECKPOINT_BY_ID,
    ACI_CHECKPOINT_NEWEST,
    ACI_CHECKPOINT_LINE_NEWEST,
    ACI_CHECKPOINT_LINE_NEWEST_OF,
    ACI_CHECKPOINT_LINE_NEXT,
    ACI_CHECKPOINT_FIRST,
    ACI_CHECKPOINT_LINES,
    ACI_CHECKPOINT_HEADERS,
    ACI_CHECKPOINT_HEADERS_ALL,
    ACI_CHECKPOINT_BY_SEQ,
    ACI_NAMESPACE_NEXT,
    ACI_CHECKPOINT_INSERT,
    ACI_CHECKPOINT_DELETE,
    ACI_CHECKPOINT_DELETE_AS_IT_IS,
    ACI_CHECKPOINTS_SINCE,
    ACI_CHECKPOINT_LAST,
    ACI_SEGMENT_ROW,
    ACI_SEGMENT_PUT,
    ACI_ITEM_LAST,
    ACI_ITEM_ROWS,
    ACI_ITEM_INSERT,
    ACI_BODY_HIGHEST,
    ACI_BODY_TOP,
    ACI_BODY_FIND,
    ACI_BODY_DIGESTS,
    ACI_BODY_LENGTHS,
    ACI_BODY_ROWS,
    ACI_BODY_BY_DIGEST,
    ACI_BODY_INSERT,
    ACI_TAIL_SEGMENT,
    ACI_TAIL_ITEMS,
    ACI_TAIL_BODIES,
    ACI_PENDING_PUT,
    ACI_PENDING_ROWS,
    ACI_PENDING_NEWEST,
    ACI_PENDING_CONSUME,
    ACI_PENDING_MOVE,
    ACI_THREAD_NEXT,
    ACI_LOST_CHECKPOINTS,
    ACI_LOST_SEGMENTS,
    ACI_LOST_ITEMS,
    ACI_LOST_BODIES,
    ACI_LOST_TERMS,
    ACI_LOST_PENDING,
    ACI_PENDING_DELETE,
    ACI_SEGMENT_DELETE,
    ACI_ITEM_DELETE,
    ACI_ITEMS_WITHIN,
    ACI_BODY_SIZE,
    ACI_BODY_DELETE,
    ACI_SCAN_CHECKPOINTS,
    ACI_SCAN_SEGMENTS,
    ACI_SCAN_ITEMS,
    ACI_SCAN_BODIES,
    ACI_SCAN_PENDING,
    ACI_SCAN_REFERENCES,
    ACI_SCAN_TERMS,
    ACI_CLEAR_CHECKPOINTS,
    ACI_CLEAR_PENDING,
    ACI_CLEAR_ITEMS,
    ACI_CLEAR_SEGMENTS,
    ACI_CLEAR_TERMS,
    ACI_CLEAR_SIZES,
    ACI_ORPHAN_INSERT,
    ACI_ORPHAN_ADVANCE,
    ACI_ORPHAN_LOCK,
    ACI_ORPHAN_DELETE,
    ACI_ORPHAN_NEXT,
    ACI_ORPHANS,
    ACI_TERM_INSERT,
    ACI_TERM_DELETE,
    ACI_TERM_CHECKPOINTS,
    ACI_TERMS_OF_CHECKPOINT,
    ACI_TERMS_DELETE,
    ACI_CHECKPOINT_AFTER,
    ACI_CHECKPOINT_BRANCHES,
    ACI_CHECKPOINT_KEYS,
    ACI_INDEX_ROW,
    ACI_INDEX_INSERT,
    ACI_INDEX_DELETE,
    ACI_INDEX_COUNTS,
    ACI_THREAD_STATEMENT_COUNT_
} aci_thread_statement;

/* Queues one of them. */
void aci_thread_statement_add(aci_tx *tx, aci_thread_statement which, aci_sql_row_fn row, void *user);
/* With its parameters. */
#define ACI_THREAD_ASK(tx, which, row, user, ...)                                                                      \
    (aci_thread_statement_add(tx, which, row, user), ACI_BIND(tx, __VA_ARGS__))

/* ==== rows of threads and checkpoints: reading them with their checksums, and writing them ======================= */

/* Numbers count up from 0 and never come near this; a larger one is not from this library. */
#define ACI_THREAD_HIGHEST (INT64_MAX / 2)

/* ---- threads ---------------------------------------------------------------------------------------------------- */

/* Whether the words of a thread's checkpoints are in its index (words.c). */
typedef enum aci_indexed {
    ACI_INDEXED_NOT = 0,
    ACI_INDEXED_MARKING = 1, /* new checkpoints are; the others are being marked */
    ACI_INDEXED_MARKED = 2,  /* all are, or are marked; the words of those are being added */
    ACI_INDEXED = 3,         /* searches use it */
    ACI_INDEXED_LEAVING = 4  /* not any more, and rows of it are left */
} aci_indexed;

typedef struct aci_thread_row {
    agentchat_str id; /* lives as long as the columns that it was read from */
    int64_t num;
    int64_t seq, segments, bodies; /* the highest that were given out; seq counts what was replaced, too */
    int64_t replaced;              /* how often a checkpoint was replaced by another one of its sequence number */
    int64_t indexed;               /* aci_indexed */
    int64_t messages, bytes, created_us, updated_us;
    int64_t hour; /* of updated_us, as it is stored; set by what writes the row */
} aci_thread_row;
#define ACI_THREAD_COLUMNS(C)                                                                                          \
    C(aci_thread_row, id, id, TEXT)                                                                                    \
    C(aci_thread_row, num, num, INTEGER)                                                                               \
    C(aci_thread_row, seq, seq, INTEGER)                                                                               \
    C(aci_thread_row, segments, segments, INTEGER)                                                                     \
    C(aci_thread_row, bodies, bodies, INTEGER)                                                                         \
    C(aci_thread_row, replaced, replaced, INTEGER)                                                                     \
    C(aci_thread_row, indexed, indexed, INTEGER)                                                                       \
    C(aci_thread_row, messages, messages, INTEGER)                                                                     \
    C(aci_thread_row, bytes, bytes, INTEGER)                                                                           \
    C(aci_thread_row, created_us, created_us, INTEGER)                                                                 \
    C(aci_thread_row, updated_us, updated_us, INTEGER)                                                                 \
    C(aci_thread_row, hour, hour, INTEGER)

typedef struct aci_thread_found { /* for the statements that give a row */
    agentchat_str id;
    aci_thread_row row;
    bool found;
    int64_t wants_index; /* 1: a new thread of the store is to be indexed */
} aci_thread_found;
agentchat_status aci_rows_load_thread(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
agentchat_status aci_rows_read_thread(aci_thread_row *row, const aci_sql_value *columns, size_t count,
                                      agentchat_error *err);
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
/* Queue a new row, or a changed one. */
void aci_rows_insert_thread(aci_tx *tx, agentchat_str id, const aci_thread_row *row);
void aci_rows_advance_thread(aci_tx *tx, agentchat_str id, const aci_thread_row *row);

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
#define ACI_CHECKPOINT_COLUMNS(C)                                                                                      \
    C(aci_checkpoint_row, ns, ns, TEXT)                                                                                \
    C(aci_checkpoint_row, seq, seq, INTEGER)                                                                           \
    C(aci_checkpoint_row, id, id, TEXT)                                                                                \
    C(aci_checkpoint_row, parent, parent, MAYBE_TEXT)                                                                  \
    C(aci_checkpoint_row, parent_seq, parent_seq, INTEGER)                                                             \
    C(aci_checkpoint_row, branch, branch, INTEGER)                                                                     \
    C(aci_checkpoint_row, line, line, INTEGER)                                                                         \
    C(aci_checkpoint_row, written, written, INTEGER)                                                                   \
    C(aci_checkpoint_row, step, step, MAYBE_INTEGER)                                                                   \
    C(aci_checkpoint_row, source, source, MAYBE_TEXT)                                                                  \
    C(aci_checkpoint_row, run, run, MAYBE_TEXT)                                                                        \
    C(aci_checkpoint_row, time_us, time_us, INTEGER)                                                                   \
    C(aci_checkpoint_row, messages, messages, INTEGER)                                                                 \
    C(aci_checkpoint_row, meta, meta, TEXT)                                                                            \
    C(aci_checkpoint_row, contents, contents, TEXT)

typedef struct aci_checkpoint_found { /* for the statements that give one row */
    aci_arena *arena;                 /* where its texts go */
    aci_checkpoint_row row;
    bool found;
} aci_checkpoint_found;
agentchat_status aci_rows_load_checkpoint(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* The row that the columns hold; its texts live as long as these. */
agentchat_status aci_rows_read_checkpoint(aci_checkpoint_row *row, const aci_sql_value *columns, size_t count,
                                          agentchat_error *err);
void aci_rows_insert_checkpoint(aci_tx *tx, const aci_checkpoint_row *row);
/* A row as callers see it; texts are copied, NUL-terminated. false: out of memory. */
bool aci_rows_checkpoint_info(const aci_checkpoint_row *row, aci_arena *arena, agentchat_checkpoint_info *out);

/* For statements that give one number, of a body: null leaves it as it is. */
agentchat_status aci_rows_load_number(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* A number for a new thread: 63 random bits. */
agentchat_status aci_rows_new_number(const agentchat_env *env, int64_t *out, agentchat_error *err);
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

/* ==== memory ===================================================================================================== */
/* What somebody remembers of a checkpoint: where the store still has it as it was, only what is new is looked at. */

typedef struct aci_memory {
    const agentchat_snapshot *snapshot;
    agentchat_str id;
    int64_t num, seq, written, line; /* of the thread, and in it */
} aci_memory;

/* Whether a row is that of the checkpoint, and has not been replaced. While it is there nothing goes that its lists and
   states are made of, and neither their positions nor the numbers of their bodies come to mean anything else. */
static inline bool aci_thread_memory_fits(const aci_memory *memory, const aci_checkpoint_row *row)
{
    return memory->num == row->num && memory->seq == row->seq && memory->written == row->written &&
           agentchat_str_equal(memory->id, row->id);
}

/* E_NOTFOUND: the thread is gone; is_other: and another has its name. */
agentchat_status aci_thread_memory_fail_gone(agentchat_str thread, bool is_other, agentchat_error *err);

/* A put whose outcome is not known. */
typedef struct aci_lost {
    agentchat_snapshot *snapshot;
    char id[AGENTCHAT_ID_SIZE];
    bool branch; /* it was to begin a line */
} aci_lost;

/* What is known of it after a look. */
typedef struct aci_found_lost {
    enum { ACI_LOST_UNKNOWN, ACI_LOST_NOT_PUT, ACI_LOST_PUT } outcome;
    aci_memory
        memory; /* ACI_LOST_PUT: what was put, be it replaced since; its texts and snapshot are those of the lost */
} aci_found_lost;

/* Decides what became of a lost put. row: the checkpoint of its id, NULL: there is none. base: what the chat remembers,
   NULL: nothing. next: the next checkpoint of that one's line, or the first of the namespace; NULL: there is none.
   locked: nobody can put one now. E_CONFLICT: nobody can know. */
agentchat_status aci_thread_memory_decide_lost(const aci_lost *lost, const aci_checkpoint_row *row,
                                               const aci_memory *base, const aci_checkpoint_row *next, bool locked,
                                               aci_found_lost *out, agentchat_error *err);

/* ==== getting a checkpoint, as the public calls and the live chats do it ========================================= */

typedef struct aci_get {
    agentchat_store *store;
    agentchat_str thread, ns, id; /* id absent: the newest */
    int64_t line;                 /* … of this line; 0: of the namespace */
    bool about_lines;             /* the next three are wanted */
    aci_checkpoint_found line_newest;
    int64_t first_line, last_line; /* of the namespace */
    aci_checkpoint_found found;
    const aci_memory *memory;     /* what need not be read if it is there as it was; NULL: nothing is remembered */
    aci_checkpoint_found held;    /* its row */
    agentchat_snapshot *snapshot; /* after aci_get_run(): one reference, the caller's */
} aci_get;

/* Takes over and checks what the caller gave; clear it in any case. */
agentchat_status aci_get_begin(aci_get *get, agentchat_store *store, const char *thread,
                               const agentchat_checkpoint_options *options, agentchat_error *err);
/* Finds it and reads its chat. */
agentchat_status aci_get_run(aci_get *get, agentchat_error *err);
void aci_get_clear(aci_get *get);

/* ==== putting a checkpoint, as the public call and the live chats do it ========================================== */

/* The first batch locks the thread and reads the checkpoint that is followed; the second one asks which of the new
   bodies are there already, how the segments stand that are continued, and, where the checkpoint is not the newest
   of the thread, which is the newest of its line; the third one writes and commits. */

typedef struct aci_put {
    agentchat_store *store;
    agentchat_str thread, ns, id, parent, expect, source, run, metadata; /* absent where not given; id never is */
    const agentchat_snapshot *snapshot;
    agentchat_checkpoint_put_options options;
    /* ---- of a live chat; set by the caller after aci_put_begin() ---- */
    const aci_memory *memory; /* the checkpoint that it stands on, its parent; NULL: none */
    const aci_lost *lost;     /* an earlier put whose outcome is not known; NULL: none */
    const char *advice;       /* what a conflict ends with; NULL: of no live chat */
    bool may_begin;           /* the thread that it remembers may be gone: it begins it anew */
    agentchat_str answered;   /* as aci_consumption */
    /* ---- set by aci_put_run() ---- */
    aci_found_lost found;   /* what became of the lost one */
    bool is_uncertain;      /* on failure: it may have been put all the same */
    aci_checkpoint_row row; /* its texts are those above but contents, which are: */
    aci_buf contents;
    char made[AGENTCHAT_ID_SIZE];
} aci_put;

/* Takes over and checks what the caller gave; clear it in any case. */
agentchat_status aci_put_begin(aci_put *put, agentchat_store *store, const char *thread,
                               const agentchat_snapshot *snapshot, const agentchat_checkpoint_put_options *options,
                               agentchat_error *err);
agentchat_status aci_put_run(aci_put *put, agentchat_error *err);
void aci_put_clear(aci_put *put);

/* ==== rows of pending writes, and what a put does with those of the checkpoint that it follows =================== */

typedef struct aci_pending_row {
    int64_t num, index;
    agentchat_str ns, checkpoint, path, task, channel, media, value,
        consumed_by; /* media, consumed_by: may be absent */
} aci_pending_row;
#define ACI_PENDING_COLUMNS(C)                                                                                         \
    C(aci_pending_row, ns, ns, TEXT)                                                                                   \
    C(aci_pending_row, checkpoint, checkpoint, TEXT)                                                                   \
    C(aci_pending_row, path, path, TEXT)                                                                               \
    C(aci_pending_row, task, task, TEXT)                                                                               \
    C(aci_pending_row, index, idx, INTEGER)                                                                            \
    C(aci_pending_row, channel, channel, TEXT)                                                                         \
    C(aci_pending_row, media, media, MAYBE_TEXT)                                                                       \
    C(aci_pending_row, value, value, BYTES)                                                                            \
    C(aci_pending_row, consumed_by, consumed_by, MAYBE_TEXT)

/* The row that the columns hold; its texts live as long as these. */
agentchat_status aci_pending_read_row(aci_pending_row *row, const aci_sql_value *columns, size_t count,
                                      agentchat_error *err);
/* Queues a row, which replaces another write of its name. */
void aci_pending_put_row(aci_tx *tx, const aci_pending_row *row);

/* The channel of the writes of an answer that did not end, each a message in format 1; their path is the agent's id,
   their task the turn. The checkpoint of an answer of that agent consumes them; others on the line take them along. */
#define ACI_PENDING_PARTIAL AGENTCHAT_STR("agentchat:partial")
agentchat_status aci_pending_write_message(const agentchat_env *env, const agentchat_message *message, aci_buf *out,
                                           agentchat_error *err);
agentchat_status aci_pending_read_message(const agentchat_env *env, agentchat_str value, agentchat_message **out,
                                          agentchat_error *err);

/* What a checkpoint that is put may consume: found together with the checkpoint that it follows, recorded with it. */
typedef struct aci_consumption {
    aci_arena *arena;
    agentchat_str consumer;
    agentchat_str answered;            /* ids of the agents whose answers it has, each ended by a NUL */
    struct aci_consumed *first, *last; /* in the arena */
} aci_consumption;
/* For the statements that give rows; those that were consumed are passed over. */
agentchat_status aci_pending_load_consumed(void *user, const aci_sql_value *columns, size_t count,
                                           agentchat_error *err);
/* Queues the changes of the rows that are of the checkpoint `parent`. continues: the consumer does so on its line. */
void aci_pending_consume(const aci_consumption *consumption, aci_tx *tx, agentchat_str parent, bool continues);

/* ==== a thread while a call works on it =========================================================================== */

/* Queues a statement that locks a thread's row; aci_rows_has() says afterwards whether it is still that thread. */
void aci_rows_ask_thread(aci_tx *tx, aci_thread_statement which, agentchat_str id, aci_thread_found *found);
static inline bool aci_rows_has(const aci_thread_found *found, int64_t num)
{
    return found->found && found->row.num == num;
}

/* What a body counts as, beside the rows of a step. */
static inline size_t aci_rows_cost(int64_t length)
{
    return 1 + (length > 0 ? (size_t)(length / 2048) : 0);
}

#endif
