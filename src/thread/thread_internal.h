/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the thread service share. */
#ifndef ACI_THREAD_THREAD_INTERNAL_H
#define ACI_THREAD_THREAD_INTERNAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/index.h"
#include "base/result_page.h"
#include "model/model.h"
#include "model/value_list.h"
#include "snapshot/snapshot.h"
#include "store/core/sql.h"
#include "text/tokenizer.h"
#include "thread/thread.h"
#include "json/index.h"
#include <agentchat/message.h>

/* ==== tables ===================================================================================================== */

/* Each begins with the number of the thread, the owner, but for those of threads, orphans and the index. The columns of
   threads, checkpoints and pending writes are in thread.h. */
#define ACI_OWNED(C, row, columns) C(row, num, num, INTEGER) columns(C)

extern const aci_table aci_thread_table, aci_checkpoint_table, aci_pending_table, aci_segment_table, aci_item_table,
    aci_term_table, aci_orphan_table, aci_index_table;

/* ==== what a checkpoint's row says of its chat: where its lists stand and which bodies its states are ============ */

/* {"f":FRAME,"h":LIST,"t":TURN,"c":true,"k":[CHANNEL,…],"v":[VALUE,…]}

   The frame is a body: the chat as a document of format 1 whose history, states and values are empty. A LIST is
   [segment,from,to], or [] where it is empty. A CHANNEL has "l":LIST, "b":BODY or "c":{a chat, as this one}, or
   none of them; "s":SYNCED; "p":[[first,count],…] for what is queued. A VALUE has "l":LIST, of the elements of a
   JSON array, or "b":BODY. Members that say nothing are left out. Channels and values stand in the order of the
   frame. */

/* Positions [from, to) of a segment. seg 0: an empty list. */
typedef struct aci_range {
    int64_t seg, from, to;
} aci_range;
static inline int64_t aci_range_length(aci_range range)
{
    return range.to - range.from;
}

typedef struct aci_run { /* of positions in the history */
    size_t first, count;
} aci_run;

/* The beginning of a list that is held already: `count` elements of one of these, from `first` on (plan.c). The range
   is that of the others then. */
typedef struct aci_held_list {
    const agentchat_messages *messages;
    const aci_value_list *values;
    size_t first, count;
} aci_held_list;

typedef enum aci_part_kind { ACI_PART_NONE = 0, ACI_PART_LIST = 1, ACI_PART_BODY = 2, ACI_PART_CHAT = 3 } aci_part_kind;

typedef struct aci_part { /* a channel's state, or a value */
    aci_part_kind kind;
    aci_range list;
    const int64_t *numbers; /* of the bodies in the list, once they were read */
    int64_t body;
    struct aci_contents *chat;
    aci_held_list held;
    agentchat_str held_bytes;           /* a state's, which need not be read; absent: not held */
    const struct aci_value *held_value; /* which the part is; NULL: not held */
    size_t synced;                      /* AGENTCHAT_SYNCED_UNKNOWN, or a channel's */
    aci_run *pending;
    size_t pending_count;
} aci_part;

typedef struct aci_contents {
    int64_t frame;
    aci_range history;
    const int64_t *numbers; /* of the bodies in the history, once they were read */
    aci_held_list held;
    uint64_t next_turn;
    bool is_complete;
    aci_part *channels, *values;
    size_t channel_count, value_count;
} aci_contents;

/* Appends the text. false: out of memory. */
bool aci_contents_write(const aci_contents *contents, aci_buf *out);
/* Gives each body that is named another number: the one that a function makes of it. */
typedef int64_t (*aci_contents_number_fn)(const void *user, int64_t number);
void aci_contents_renumber(aci_contents *contents, aci_contents_number_fn other, const void *user);
/* Reads it; everything lives in the arena. E_CORRUPT, E_LIMIT (nested deeper than the environment allows), E_NOMEM. */
agentchat_status aci_contents_read(const agentchat_env *env, agentchat_str text, aci_arena *arena, aci_contents **out,
                                   agentchat_error *err);

/* ==== what checkpoints add to the histories of their parents: the messages that are searched in them ============= */

enum { ACI_SEARCH_TOGETHER = 64 }; /* checkpoints */

typedef struct aci_added {
    aci_checkpoint_row row;
    aci_range history;
    aci_checkpoint_found parent; /* when it was asked for, */
    aci_checkpoint_found before; /* and what comes before it in the namespace, likewise */
    /* ---- what the history has that the parent's may not have, and the other way round ---- */
    aci_range added, gone;
    int64_t *added_numbers; /* of the bodies; 0: the parent has it, too */
    int64_t *gone_numbers;  /* NULL: there are none, or they do not matter */
} aci_added;

typedef struct aci_added_list {
    const agentchat_env *env;
    aci_tx *tx;
    int64_t num;
    agentchat_str thread, ns;
    aci_arena *arena;
    int64_t below;       /* sequence number before which those are that are read; or */
    const int64_t *only; /* these, descending; NULL: all */
    size_t only_count;
    aci_added rows[ACI_SEARCH_TOGETHER + 1]; /* the last one may be the parent of one before it */
    size_t read, count;                      /* count: of those that are searched */
} aci_added_list;

/* Reads checkpoints of the namespace, newest first, into an empty list: some that are next, or those of `only` that are
   there. */
agentchat_status aci_search_added_read(aci_added_list *list, agentchat_error *err);

/* ==== the messages that checkpoints add, newest first, read in groups that are not too large ===================== */

typedef struct aci_added_message {
    const aci_added *checkpoint;
    int64_t position, number; /* in its history; of its body */
    int64_t length;
} aci_added_message;

enum { ACI_ADDED_GROUP = 256 }; /* messages that are read together */

typedef struct aci_added_messages {
    const aci_added_list *added;
    /* Called for each, without its large data. */
    agentchat_status (*each)(void *user, const aci_added_message *one, const agentchat_message *message,
                             agentchat_error *err);
    void *user;
    bool *stopped; /* set by `each`, and when nothing more may be looked at: */
    size_t *bytes; /* that may still be */
    aci_added_message group[ACI_ADDED_GROUP];
    size_t count;
} aci_added_messages;

/* Goes over those of a checkpoint before a position; the last ones may wait in the group. */
agentchat_status aci_added_messages_of(aci_added_messages *m, const aci_added *one, int64_t before,
                                       agentchat_error *err);
/* Goes over those that wait. */
agentchat_status aci_added_messages_end(aci_added_messages *m, agentchat_error *err);

/* ==== bodies ===================================================================================================== */
/*
 * What a put needs stored: messages, states, elements and values as the bytes by whose SHA-256 they are found.
 *
 * A message is its JSON of format 1. Data of 4 KiB and more is a body of its own, so that it is stored once whatever
 * becomes of the message around it; the message is then [MESSAGE,[[N,DIGEST],…]], in which data number N, counted
 * from 0 in the order of the text, is empty, and its body has that digest.
 */

enum { ACI_DIGEST_SIZE = 32, ACI_BODY_APART = 4096 };

typedef struct aci_body {
    const unsigned char *digest;
    agentchat_str bytes;
    int64_t no;  /* its number in the thread; 0: not known yet */
    bool is_new; /* the thread does not have it yet */
} aci_body;

typedef struct aci_bodies {
    const agentchat_env *env;
    aci_arena *arena;
    aci_body *list;
    size_t count, cap;
    aci_index by_digest, by_message;
    aci_buf text; /* of the message that is being encoded */
} aci_bodies;

bool aci_bodies_begin(aci_bodies *bodies, const agentchat_env *env); /* false: out of memory; clear it in any case */
void aci_bodies_clear(aci_bodies *bodies);
/* Adds bytes, which must live as long; equal ones are one body. *index: its position in the list. E_NOMEM. */
agentchat_status aci_bodies_add(aci_bodies *bodies, agentchat_str bytes, size_t *index, agentchat_error *err);
/* Adds a message, which is looked at once however often it is added, and its large data. */
agentchat_status aci_bodies_add_message(aci_bodies *bodies, const agentchat_message *message, size_t *index,
                                        agentchat_error *err);

/* ==== rows of bodies (lists.c) =================================================================================== */

typedef struct aci_body_row {
    int64_t no, length;
    int64_t num; /* of the thread */
    agentchat_str digest, bytes;
} aci_body_row;
#define ACI_BODY_COLUMNS(C)                                                                                            \
    C(aci_body_row, no, no, INTEGER)                                                                                   \
    C(aci_body_row, digest, digest, BYTES)
extern const aci_table aci_body_table;

/* Reads the columns of the table and then, where they are there, the bytes or how many they are. The texts live as long
   as the columns. E_CORRUPT when something cannot be; it is not looked whether the bytes have the digest. */
agentchat_status aci_body_row_read(aci_body_row *row, int64_t num, const aci_sql_value *columns, size_t count,
                                   agentchat_error *err);
/* Also that. */
agentchat_status aci_body_row_verify(aci_body_row *row, int64_t num, const aci_sql_value *columns, size_t count,
                                     agentchat_error *err);
/* Queues its insertion. */
void aci_body_row_insert(aci_tx *tx, const aci_body_row *row);

/* ==== sets of positions of segments ============================================================================== */

/* Added to in any order; once it is sorted, by segment and position, and no two touch. All zero: an empty one. */
typedef struct aci_intervals {
    aci_range *list;
    size_t count, cap;
} aci_intervals;

/* Adds a range to a sorted set, which stays sorted, and what of it is new to another one. false: out of memory; then
   the other one may have it already. */
bool aci_intervals_take(aci_intervals *set, const agentchat_env *env, aci_range range, aci_intervals *fresh);
void aci_intervals_clear(aci_intervals *set, const agentchat_env *env);
/* Of a sorted set: the first one that has a position of the range or a later one; count: there is none. */
size_t aci_intervals_first(const aci_intervals *set, aci_range range);
/* What interval `at` and a range have in common: false when nothing, and nor has any after it. */
bool aci_intervals_common(const aci_intervals *set, size_t at, aci_range range, aci_range *out);

/* ==== check parts ================================================================================================ */
/* What checking threads looks at: whether their checkpoints can be read, and whether their index has every word. */

/* ---- check.c: each checkpoint at the cost of what those before it do not have; a list that has been read up
   to some position is read from there on, and a body once -------------------------------------------------------------
 */

/* What of a thread could be read. All zero: nothing yet. */
typedef struct aci_readable {
    aci_intervals messages, values; /* positions, as lists of these */
    aci_index bodies;               /* by number and what it was read as */
    aci_arena *arena;               /* of the index's keys */
    bool is_large;                  /* the thread has more bytes than a checkpoint may: each is read in full */
} aci_readable;

/* ---- scan.c ----------------------------------------------------------------------------------------------------- */

/* Reports what is missing as problems of a part. E_CORRUPT where a row is damaged. */
agentchat_status aci_check_terms(aci_store_check *all, const char *part, aci_tx *tx, agentchat_str thread,
                                 agentchat_error *err);

/* ==== deleting what no checkpoint of a thread reaches any more =================================================== */

/* Deletes it in steps. Success, too, when the thread of that number is gone. */
agentchat_status aci_collect(aci_steps *steps, agentchat_str thread, int64_t num, agentchat_error *err);

/* ==== the numbers of the bodies in the lists of a checkpoint ===================================================== */

/* Every list of a chat, those of chats in its channels too. */
typedef struct aci_number_list {
    aci_range range;
    const int64_t **numbers; /* where they go, or are */
} aci_number_list;
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

/* ==== lists ====================================================================================================== */
/*
 * Lists in the store: segments, to which elements are only ever appended, and their items, each of which names some
 * bodies by number. A segment made for a branch or an edit begins with spans of others: positions that stand for
 * items there. What a span stands for is never a span itself.
 */

/* Spans of a segment; beyond it, names of bodies are copied instead. */
enum { ACI_MOST_SPANS = 64 };

typedef struct aci_span {
    int64_t pos, count; /* of the segment */
    int64_t seg, from;  /* where they stand */
} aci_span;

typedef struct aci_stored_segment {
    int64_t num, seg;
    agentchat_str spans; /* encoded */
} aci_stored_segment;
#define ACI_SEGMENT_COLUMNS(C)                                                                                         \
    C(aci_stored_segment, seg, seg, INTEGER)                                                                           \
    C(aci_stored_segment, spans, spans, BYTES)

typedef struct aci_segment_row {
    int64_t seg;
    aci_span *spans;
    size_t span_count;
} aci_segment_row;

typedef struct aci_segment_found { /* for ACI_SEGMENT_ROW */
    aci_arena *arena;
    int64_t num;
    aci_segment_row row; /* seg: that was asked for; no spans: there is no row */
} aci_segment_found;
/* The row that the columns hold, whichever it is. */
agentchat_status aci_lists_read_segment(aci_segment_found *found, const aci_sql_value *columns, size_t count,
                                        agentchat_error *err);
agentchat_status aci_lists_load_segment(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* Queues a segment's row. blob: room for its spans until the batch has run. */
agentchat_status aci_lists_put_segment(aci_tx *tx, int64_t num, const aci_segment_row *row, aci_arena *arena,
                                       agentchat_error *err);
/* Some items as a row: the bodies of positions pos to pos + count - 1. */
typedef struct aci_item_row {
    int64_t num, seg, pos, count;
    agentchat_str bodies; /* their numbers, encoded */
} aci_item_row;
#define ACI_ITEM_COLUMNS(C)                                                                                            \
    C(aci_item_row, seg, seg, INTEGER)                                                                                 \
    C(aci_item_row, pos, pos, INTEGER)                                                                                 \
    C(aci_item_row, count, count, INTEGER)                                                                             \
    C(aci_item_row, bodies, bodies, BYTES)
/* The row that the columns hold; its bytes live as long as these. */
agentchat_status aci_lists_read_item(aci_item_row *row, const aci_sql_value *columns, size_t count,
                                     agentchat_error *err);
/* The numbers of its bodies, in the arena. */
agentchat_status aci_lists_item_numbers(const aci_item_row *row, aci_arena *arena, int64_t **out, agentchat_error *err);
/* Queues items that name `count` bodies, at a position. */
agentchat_status aci_lists_insert_items(aci_tx *tx, int64_t num, int64_t seg, int64_t pos, const int64_t *bodies,
                                        size_t count, aci_arena *arena, agentchat_error *err);

/* A list whose numbers of bodies are wanted. */
typedef struct aci_list_want {
    aci_range range;
    int64_t *numbers; /* as many as the range is long; in the arena */
} aci_list_want;
/* Reads lists in at most two batches. *stored: how many positions stand in the rows that were read; NULL: not wanted.
   E_CORRUPT where something is missing, E_LIMIT where the lists together are longer than the environment allows. */
agentchat_status aci_lists_read(aci_tx *tx, int64_t num, aci_list_want *wants, size_t count, aci_arena *arena,
                                uint64_t *stored, agentchat_error *err);

/* ==== message words ============================================================================================== */
/*
 * The words by which a message is found: those of its texts, of names and JSON in calls, and of messages inside of
 * it.
 */

typedef struct aci_message_words {
    /* Called for each word of a text, however often it comes. false: no more of this message. */
    bool (*take)(void *user, agentchat_str text, const aci_token *token);
    void *user;
    aci_buf decoded;
    bool stopped, failed;
} aci_message_words;

/* ==== terms ====================================================================================================== */
/*
 * The index of a thread: for each checkpoint the words of the messages that it adds (words.c), a row each.
 *
 * Searches take from it which checkpoints to look at, and decide as without it. So it may say too much, and never too
 * little. A checkpoint whose words are not known has a row with the empty term, a mark: it is looked at whatever is
 * searched for. What makes others add more, deleting or replacing a checkpoint, marks them; that is one row each, and
 * their words are added later, in steps (index.c).
 */

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
#define ACI_TERM_COLUMNS(C)                                                                                            \
    C(aci_term_row, ns, ns, TEXT)                                                                                      \
    C(aci_term_row, term, term, TEXT)                                                                                  \
    C(aci_term_row, seq, seq, INTEGER)
/* The row that the columns hold; its texts live as long as these. E_CORRUPT. */
agentchat_status aci_terms_read(aci_term_row *row, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* Queues a row, which may be there already. */
void aci_terms_insert(aci_tx *tx, const aci_term_row *row);
void aci_terms_mark(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq);
/* Queue deleting a checkpoint's mark, or all of its rows. */
void aci_terms_unmark(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq);
void aci_terms_delete(aci_tx *tx, int64_t num, agentchat_str ns, int64_t seq);
/* Queues reading the newest rows of a term before a sequence number. */
void aci_terms_ask(aci_tx *tx, const aci_term_row *before, int64_t limit, aci_sql_row_fn row, void *user);

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
void aci_terms_mark_keys(aci_tx *tx, int64_t num, const aci_term_keys *keys);

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

/* ==== going over all rows of a thread in the order of their keys, page by page within one transaction ============ */

typedef enum aci_scan_table {
    ACI_SCAN_OF_CHECKPOINTS, /* aci_checkpoint_row */
    ACI_SCAN_OF_SEGMENTS,    /* aci_segment_row */
    ACI_SCAN_OF_ITEMS,       /* aci_item_row */
    ACI_SCAN_OF_BODIES,      /* aci_body_row without bytes */
    ACI_SCAN_OF_REFERENCES,  /* aci_body_row; those that begin with "[", as messages do that refer to data */
    ACI_SCAN_OF_PENDING,     /* aci_pending_row */
    ACI_SCAN_OF_TERMS        /* aci_term_row */
} aci_scan_table;

typedef union aci_any_row {
    aci_checkpoint_row checkpoint;
    aci_segment_row segment;
    aci_item_row item;
    aci_body_row body;
    aci_pending_row pending;
    aci_term_row term;
} aci_any_row;

/* Copies what a row has elsewhere into an arena. false: out of memory. */
bool aci_scan_keep(aci_scan_table which, aci_any_row *row, aci_arena *arena);
/* Called with each row. It may queue statements, which run after the page; row and arena live until then. */
typedef agentchat_status (*aci_scan_fn)(void *user, const void *row, aci_arena *arena, agentchat_error *err);
/* Calls `each` for all rows; their checksums were checked. each may be NULL. */
agentchat_status aci_scan(aci_tx *tx, int64_t num, aci_scan_table which, aci_scan_fn each, void *user,
                          agentchat_error *err);

/* ==== the rows of a thread as those of another one, in portions ================================================== */

typedef struct aci_copied_row aci_copied_row;

/* Where rows go. */
typedef struct aci_copier {
    const agentchat_env *env;
    aci_tx *reader; /* a transaction in which the thread is read */
    int64_t source; /* number of the thread */
    int64_t num;    /* of the new one */
    /* Where numbers of bodies are of the whole file, the copies have those from `first` on, without a gap and in the
       same order: what others have put between those of the thread would else make the numbers grow with each copy. */
    aci_number_set bodies; /* of the thread; empty: the copies keep the numbers */
    int64_t first;
    int64_t has_body;      /* a body that was copied before; 0: none */
    bool has_terms;        /* the thread is indexed */
    aci_scan_table taking; /* what is scanned */
    const size_t *most;    /* how much a portion may be */
    /* Writes the portion that was gathered, with copy_rows_queue(). */
    agentchat_status (*write)(void *user, agentchat_error *err);
    void *user;
    /* ---- the portion ---- */
    aci_arena *arena;
    aci_copied_row *list;
    size_t count, cap, cost;
} aci_copier;

/* Gathers all rows and writes them; clear it in any case. */
agentchat_status aci_copy_rows(aci_copier *rows, agentchat_error *err);

/* ==== A list whose elements are stored one by one: messages, or the elements of a JSON array ===================== */

typedef struct aci_elements {
    aci_list_cursor cursor;       /* over messages … */
    aci_value_list_cursor values; /* … or over a list of values that is held as one; list NULL: not */
    const agentchat_str *texts;   /* … or over their texts; NULL: not */
    const int64_t *numbers;       /* … or numbers of bodies, of which nothing else is known; NULL: not */
    size_t count;
} aci_elements;

/* Whether a named value is a list: a JSON array, without whitespace in an empty one. */
bool aci_elements_is_list(const aci_value *value);
void aci_elements_of_messages(aci_elements *elements, const agentchat_messages *messages);
void aci_elements_of_numbers(aci_elements *elements, const int64_t *numbers, size_t count);
void aci_elements_of_values(aci_elements *elements, const aci_value_list *list);
/* The elements of a validated JSON array, each with the whitespace around it, so that nothing of the text is lost; in
   the arena. A comma may stand for the opening bracket. false: out of memory. */
bool aci_elements_of_array(aci_elements *elements, agentchat_str array, aci_arena *arena);
/* Puts an element into the bodies. */
agentchat_status aci_elements_body(aci_elements *elements, size_t index, aci_bodies *bodies, size_t *body,
                                   agentchat_error *err);
/* Whether two elements are the same: one message, equal texts, or, where one list has only numbers, one number. bodies:
   for that. */
bool aci_elements_same(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies);
/* What b is known to have of a at no cost: its first *run elements are those of a from *skipped on. */
void aci_elements_shared(const aci_elements *a, const aci_elements *b, size_t *skipped, size_t *run);
/* How many elements are the same from i and from k on. */
size_t aci_elements_run(aci_elements *a, size_t i, aci_elements *b, size_t k, aci_bodies *bodies);

/* ==== which metadata, and which source, step and run, a list of checkpoints, or of threads, asks for ============= */

typedef struct aci_filter_member {
    agentchat_str name;  /* decoded */
    agentchat_str value; /* canonical */
} aci_filter_member;

typedef struct aci_filter {
    const agentchat_env *env;
    aci_filter_member *members;
    size_t count;
    aci_json_index index; /* of the metadata that is looked at */
} aci_filter;

/* ==== frame ====================================================================================================== */
/*
 * The frame of a chat in the store: what is left of a snapshot without its lists, states and values, and without what
 * changes from step to step; so most checkpoints of a thread share one.
 */

/* Writes a snapshot's frame, a document of format 1, into the arena. */
agentchat_status aci_frame_write(const agentchat_snapshot *snapshot, aci_arena *arena, agentchat_str *out,
                                 agentchat_error *err);
/* Reads a frame as a snapshot, which is the caller's to fill. E_CORRUPT when it is none. */
agentchat_status aci_frame_read(const agentchat_env *env, agentchat_str frame, agentchat_snapshot **out,
                                agentchat_error *err);

/* ==== large data ================================================================================================= */
/* Large data of messages, which are bodies of their own (lists.c), on their way back into the messages. */

typedef struct aci_large_use { /* data `number` of message `message` is the one with the digest */
    size_t message, number;
    size_t data;
} aci_large_use;

typedef struct aci_large_bytes {
    agentchat_str digest;
    agentchat_str bytes; /* absent: not there */
    agentchat_str kept;  /* a copy that messages have; absent: none yet */
} aci_large_bytes;

typedef struct aci_large_data_set {
    const agentchat_env *env;
    aci_arena *arena; /* of who loads */
    aci_large_use *uses;
    size_t use_count, use_cap;
    aci_large_bytes *list;
    size_t count, cap;
    aci_index by_digest;
    uint64_t *total; /* bytes that were read, while they are */
    int64_t num;     /* of the thread, likewise */
} aci_large_data_set;

bool aci_large_data_begin(aci_large_data_set *set, const agentchat_env *env, aci_arena *arena);
void aci_large_data_clear(aci_large_data_set *set);
/* Makes *body the JSON of the message alone, and remembers what data it refers to. */
agentchat_status aci_large_data_split(aci_large_data_set *set, size_t message, agentchat_str *body,
                                      agentchat_error *err);
/* Reads what is referred to. */
agentchat_status aci_large_data_read(aci_large_data_set *set, aci_tx *tx, int64_t num, uint64_t *total,
                                     agentchat_error *err);
/* Puts it into the messages, which nobody else has yet. */
agentchat_status aci_large_data_fill(aci_large_data_set *set, const agentchat_messages *messages, agentchat_error *err);

/* ==== reach ====================================================================================================== */
/*
 * What the checkpoints of a thread reach: positions of segments, by themselves and through spans, and the bodies that
 * these name, that they name themselves, and that are the data of messages.
 */

typedef struct aci_reach {
    const agentchat_env *env;
    aci_arena *arena;
    aci_intervals lists, messages; /* of all lists; of those that are lists of messages */
    aci_number_set bodies;
    aci_number_set message_bodies;
    aci_large_data_set data; /* by digest */
    int64_t segments;        /* the highest number of one that is there */
    /* ---- what came after aci_reach_follow() ---- */
    bool is_followed;
    aci_intervals fresh_lists, fresh_messages; /* not followed yet */
    aci_number_set later_bodies;
} aci_reach;

bool aci_reach_begin(aci_reach *reach, const agentchat_env *env); /* false: out of memory; clear it in any case */
void aci_reach_clear(aci_reach *reach);
/* Adds what a checkpoint names. arena: for the moment. */
agentchat_status aci_reach_add(aci_reach *reach, const aci_checkpoint_row *row, aci_arena *arena, agentchat_error *err);
/* Follows what all of them name, once, over all rows of the thread. */
agentchat_status aci_reach_follow(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err);
/* Follows what was added since, and costs what is new. After a failure it can be called again. */
agentchat_status aci_reach_follow_more(aci_reach *reach, aci_tx *tx, int64_t num, agentchat_error *err);
/* Makes later questions as quick as those about what was there first; takes as long as the thread is. */
bool aci_reach_settle(aci_reach *reach); /* false: out of memory */
/* Whether a body is reached. */
bool aci_reach_has_body(const aci_reach *reach, int64_t no, agentchat_str digest);

/* ==== rows of a thread that seemed to be needed by no checkpoint when they were looked at ======================== */

typedef struct aci_garbage_items { /* rows of items that stand next to each other */
    aci_range range;
    size_t rows;
} aci_garbage_items;

typedef struct aci_garbage_body {
    int64_t no, length;
} aci_garbage_body;

typedef struct aci_garbage { /* all zero: none */
    aci_number_set segments;
    aci_garbage_items *items;
    size_t item_count, item_cap;
    aci_garbage_body *bodies;
    size_t body_count, body_cap;
} aci_garbage;

/* Looks for it in all rows; reach: what the checkpoints reach, followed. */
agentchat_status aci_garbage_find(aci_garbage *garbage, const aci_reach *reach, aci_tx *tx, int64_t num,
                                  agentchat_error *err);
void aci_garbage_clear(aci_garbage *garbage, const agentchat_env *env);

/* ---- what of a row is needed ------------------------------------------------------------------------------------ */

typedef enum aci_need { ACI_NEED_NONE = 0, ACI_NEED_PART = 1, ACI_NEED_ALL = 2 } aci_need;
/* Changes the row to what is needed of it. */
aci_need aci_garbage_cut_segment(const aci_reach *reach, aci_segment_row *row);
aci_need aci_garbage_need_item(const aci_reach *reach, const aci_item_row *row);

/* ==== what of a checkpoint need not be read, because an earlier one that is held has it ========================== */

/*
 * Marks in the contents what the snapshot has, whose own contents are base: the beginning of a list, which is taken off
 * its range, and states and values that are the same body. What is marked lives as long as the snapshot.
 */
void aci_held_mark(aci_contents *contents, const aci_contents *base, const agentchat_snapshot *snapshot);

/* ==== whether new threads of a store are indexed: one row, as long as they are =================================== */

typedef struct aci_index_row {
    agentchat_str name;
    bool found;
    bool is_damaged;
} aci_index_row;
#define ACI_INDEX_COLUMNS(C) C(aci_index_row, name, name, TEXT)
/* For ACI_INDEX_ROW: damage is no failure. */
agentchat_status aci_index_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
#define ACI_INDEX_DAMAGED "the row that says that threads are indexed is damaged; switch the index on or off"

/* ==== making a snapshot of what the store has of a checkpoint ==================================================== */

/* Reads the chat of a checkpoint within a transaction. held: another checkpoint of the thread, whose chat is known:
   what that has is shared and not read. NULL: there is none. */
agentchat_status aci_load_chat(aci_tx *tx, const aci_checkpoint_row *row, const aci_checkpoint_row *held,
                               const agentchat_snapshot *held_chat, agentchat_snapshot **out, agentchat_error *err);
/* Bodies that were read before it was known whether they are needed; sound, by descending numbers. */
typedef struct aci_body_ahead {
    int64_t no;
    agentchat_str bytes;
} aci_body_ahead;
/* Makes the messages that are the bodies of these numbers from what was read ahead, without the store; *out as below.
 *complete: false where that does not have everything. */
agentchat_status aci_load_ahead(const agentchat_env *env, const int64_t *numbers, size_t count,
                                const aci_body_ahead *ahead, size_t ahead_count, agentchat_messages *out,
                                bool *complete, agentchat_error *err);
/* Reads the messages that are the bodies of these numbers; *out as below. */
agentchat_status aci_load_numbered(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count,
                                   agentchat_messages *out, agentchat_error *err);
/* The same without their large data, which is empty then. */
agentchat_status aci_load_without_data(aci_tx *tx, int64_t num, const int64_t *numbers, size_t count,
                                       agentchat_messages *out, agentchat_error *err);
/* Reads the messages of a part of a list; *out is to be cleared with aci_list_clear(). */
agentchat_status aci_load_messages(aci_tx *tx, int64_t num, aci_range range, agentchat_messages *out,
                                   agentchat_error *err);

/* ==== reading bodies of a thread, and making messages of them ==================================================== */

/* Each body is read once, and its digest is checked; a message that stands in several lists is one message. */

typedef struct aci_loaded_body {
    agentchat_str bytes; /* absent: it is not there */
    bool is_named;       /* by a list */
} aci_loaded_body;

typedef struct aci_loading {
    aci_tx *tx; /* NULL: only what was read ahead can be had */
    const agentchat_env *env;
    int64_t num;
    aci_arena *arena;
    aci_number_set set;      /* of the bodies that are needed */
    aci_loaded_body *bodies; /* by their positions in the set */
    const aci_body_ahead *ahead;
    size_t ahead_count;
    bool lacks;               /* something that was not read ahead */
    aci_number_set messages;  /* of those that are messages */
    agentchat_messages made;  /* the messages, in that order */
    aci_large_data_set large; /* bodies that these refer to by digest; */
    bool leaves_data;         /* they stay where they are */
    uint64_t source_bytes;    /* that what is held was read from */
    uint64_t bytes;
    uint64_t stored; /* positions of lists that were read */
    uint64_t copied; /* of them, into the snapshot: a small file could stand for much */
} aci_loading;

/* tx: NULL where only what was read ahead is to be used. false: there is no memory; to be ended all the same. */
bool aci_loading_begin(aci_loading *l, aci_tx *tx, const agentchat_env *env, int64_t num);
void aci_loading_end(aci_loading *l);
/* Reads the bodies whose numbers are in the sets. */
agentchat_status aci_loading_bodies(aci_loading *l, agentchat_error *err);
/* One of those that were read. E_CORRUPT when there is none of that number. */
agentchat_status aci_loading_find(const aci_loading *l, int64_t no, agentchat_str *out, agentchat_error *err);

/* ---- what a checkpoint's parts have to be; E_CORRUPT where they are not ------------------------------------------ */

agentchat_status aci_loading_fail_frame(agentchat_error *err);
/* Whether what a channel was given, and what is queued for it, stands in a history of that length. *pending: how many
   are queued. */
bool aci_loading_part_fits(const aci_part *part, size_t history, size_t *pending);
agentchat_status aci_loading_check_text(const agentchat_env *env, agentchat_str state, bool is_json,
                                        agentchat_error *err);
/* *text: without the whitespace around it. */
agentchat_status aci_loading_check_value(const agentchat_env *env, agentchat_str *text, bool is_element,
                                         agentchat_error *err);

/* ==== going through the namespaces of a thread, in the order of their names ====================================== */

/* Goes to the next one that has checkpoints: *ns, which the arena holds then. *found false: it was the last one.
   E_CORRUPT when none can follow so. */
agentchat_status aci_namespaces_next(aci_tx *tx, int64_t num, aci_arena *arena, agentchat_str *ns, bool *found,
                                     agentchat_error *err);

/* ==== orphans ==================================================================================================== */
/*
 * Numbers of threads whose rows nobody reads: of one that was deleted, until its rows are deleted too, and of a copy,
 * until it is complete and becomes a thread. What a killed call leaves is deleted by the next one that deletes,
 * prunes or copies anything in the store.
 *
 * A copy holds its number up to a time, and looks at each step whether it has it still. So clocks that differ cost
 * work, and nothing else.
 */

typedef struct aci_orphan_row {
    int64_t num;
    int64_t until_us; /* a copy is at work until then; 0: to be deleted */
    bool found;
    bool is_damaged;
} aci_orphan_row;
#define ACI_ORPHAN_COLUMNS(C)                                                                                          \
    C(aci_orphan_row, num, num, INTEGER)                                                                               \
    C(aci_orphan_row, until_us, until_us, INTEGER)
/* For the statements that give one, or all of them: damage is no failure. */
agentchat_status aci_orphans_load(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);

/* Queue a new row, or one that is there, with another time. */
void aci_orphans_put(aci_tx *tx, aci_thread_statement which, int64_t num, int64_t until_us);
/* Queue locking one, deleting one. */
void aci_orphans_ask(aci_tx *tx, int64_t num, aci_orphan_row *out);
void aci_orphans_remove(aci_tx *tx, int64_t num);

/* Deletes some rows of a number within a step. *is_done: there are none any more, once what is queued has run. */
agentchat_status aci_orphans_clear_some(aci_steps *steps, aci_tx *tx, int64_t num, bool *is_done, agentchat_error *err);
/* Deletes all of them in steps, then the orphan's own row. */
agentchat_status aci_orphans_clear(aci_steps *steps, int64_t num, agentchat_error *err);
/* Does that with what others have left. Whatever is in the way is left to the next call. */
void aci_orphans_clear_all(aci_steps *steps);

/* ==== plan ======================================================================================================= */
/*
 * What of a snapshot a thread has already, and what is to be stored: found by comparing it, list by list, with the
 * checkpoint that it follows. Nothing is written here, and nothing asked of the store.
 */

/* What a list becomes: elements of segments that are there, then new ones, then again such as are there. */
typedef struct aci_planned_list {
    aci_range prefix, suffix; /* seg 0: nothing of the kind */
    size_t *middle;           /* positions in the bodies */
    size_t middle_count;
    const struct aci_planned_list *along; /* it is a run of this list, from `offset` on, and nothing else; NULL: not */
    int64_t offset, count;
    bool may_append; /* to the segment of its prefix */
    aci_range *target;
    struct aci_planned_list *next;
} aci_planned_list;

typedef struct aci_body_use { /* where the number of a body goes */
    size_t body;
    int64_t *target;
    struct aci_body_use *next;
} aci_body_use;

typedef struct aci_thread_plan {
    const agentchat_env *env;
    aci_arena *arena;
    aci_bodies *bodies;
    aci_contents *contents;               /* complete but for the targets */
    aci_planned_list *lists, **last_list; /* a list before those that run along it */
    aci_body_use *uses;
} aci_thread_plan;

/*
 * Plans a snapshot. base: the contents of the checkpoint that it follows; NULL: none. held: what that checkpoint is as
 * a snapshot whose messages the new one may share; NULL: its lists are compared by the numbers of bodies that base has
 * (aci_part.numbers), for which aci_thread_plan_elements() has put everything into the bodies, and their numbers are
 * known where base has them. E_NOMEM, and what writing a frame may meet.
 */
agentchat_status aci_thread_plan_make(aci_thread_plan *plan, const agentchat_snapshot *snapshot,
                                      const aci_contents *base, const agentchat_snapshot *held, agentchat_error *err);
/* Puts every element of every list into the bodies. */
agentchat_status aci_thread_plan_elements(aci_thread_plan *plan, const agentchat_snapshot *snapshot,
                                          agentchat_error *err);

/* ==== which messages have all words of a query =================================================================== */

enum { ACI_MOST_EXCERPT = 240, ACI_QUERY_WORDS = 8 };

typedef struct aci_query {
    const agentchat_env *env;
    aci_arena *arena;
    aci_index by_word;
    uint64_t *seen; /* by word: in which message it was seen last */
    size_t count;
    agentchat_str first[ACI_QUERY_WORDS]; /* of them, as many as there are: for the index of a thread */
    /* ---- the message that is looked at ---- */
    uint64_t message; /* its number, from 1 */
    size_t found;     /* words that it has */
    aci_message_words words;
    char excerpt[ACI_MOST_EXCERPT];
    size_t excerpt_len, match_begin, match_end;
} aci_query;

/* E_INVALID when the query has no word, E_NOMEM. Clear it in any case. */
agentchat_status aci_query_begin(aci_query *query, const agentchat_env *env, agentchat_str text, agentchat_error *err);
void aci_query_clear(aci_query *query);
/* Whether a message has all words; the excerpt is set when it does. */
agentchat_status aci_query_match(aci_query *query, const agentchat_message *message, bool *matches,
                                 agentchat_error *err);

/* ==== making a plan into rows: numbers for bodies, positions for lists =========================================== */

typedef struct aci_resolving {
    aci_tx *tx;
    aci_thread_row *thread;
    aci_thread_plan *plan;
    struct aci_known_segment **segments;
    size_t segment_count, segment_cap;
    aci_index by_segment;
    int64_t highest; /* number of a body, where numbers are of the whole file */
} aci_resolving;

/* Asks the store what it needs, in one batch with what is queued already. resolving: tx, thread and plan are set; clear
   it in any case. */
agentchat_status aci_resolve_ask(aci_resolving *resolving, agentchat_error *err);
void aci_resolve_clear(aci_resolving *resolving);
/* Fills the plan's contents, and queues the rows of everything that is new; counts them in the thread's row. */
agentchat_status aci_resolve(aci_resolving *resolving, agentchat_error *err);

/* ==== searching threads: a page of what is found, from a position on ============================================= */

/* search.c goes from thread to thread, from namespace to namespace, and in these from checkpoint to checkpoint. What a
   checkpoint adds (words.c) is found from two rows, its own and that of its parent; so where a search goes on depends
   on nothing but its position. */

/* Before which a search goes on: message `before` of the history of checkpoint `seq`. */
typedef struct aci_search_position {
    agentchat_str thread;
    int64_t updated_us; /* of the thread */
    agentchat_str ns;
    int64_t seq, before;
} aci_search_position;

struct agentchat_thread_hits {
    aci_result_page page;
    int64_t *numbers; /* of the messages' bodies */
    size_t number_cap;
    agentchat_messages messages;
};

typedef struct aci_search {
    const agentchat_env *env;
    agentchat_thread_hits *hits;
    size_t limit;
    aci_query query;
    agentchat_str thread, ns; /* absent: all */
    aci_search_position start;
    bool continues; /* from start */
    /* ---- one attempt ---- */
    aci_tx *tx;
    int64_t num;            /* of the thread at */
    bool indexed;           /* it is: the index says which checkpoints to look at */
    aci_search_position at; /* how far it has come */
    size_t work, bytes;     /* what may still be looked at: checkpoints and numbers, messages */
    bool stopped;           /* the page ends here, with a cursor */
} aci_search;

/* ==== which checkpoints of a namespace the index of its thread names for a query ================================= */

typedef struct aci_term_candidates {
    int64_t seqs[ACI_SEARCH_TOGETHER]; /* descending */
    size_t count;
    int64_t reached; /* those from this sequence number on are complete; 0: all */
    size_t work;     /* that it was, as searches count it */
} aci_term_candidates;

/* ==== adding the words of checkpoints that are marked in the index of their thread =============================== */

/* Some of them are looked at together, in a transaction that reads. Their words are written in steps; who sees only
   a part of them sees the marks, too. The last of these steps looks once more at what the checkpoints add, while
   the thread is locked, and takes away the marks of those that add what they did. */

/* Does it in steps. Success, too, when the thread of that number is gone, or is not indexed any more. */
agentchat_status aci_settle(aci_steps *steps, agentchat_str thread, int64_t num, agentchat_error *err);

/* ==== deleting some of the garbage of a thread within a step that holds its lock ================================= */

typedef struct aci_swept { /* how much of the garbage was gone through */
    size_t segments, items, bodies;
} aci_swept;

/* Goes on from *at by as many rows as the step may; reads them once more, and queues what is to be done with those that
   `reach` does not reach, which must be all that there is at this moment. Counts the bytes out of the thread's row.
   Then *at == the end when all was gone through. arena: lives until the batch has run. */
agentchat_status aci_sweep(const aci_garbage *garbage, const aci_reach *reach, aci_swept *at, size_t rows, aci_tx *tx,
                           aci_thread_row *thread, aci_arena *arena, agentchat_error *err);
static inline bool aci_sweep_is_done(const aci_garbage *garbage, const aci_swept *at)
{
    return at->segments == garbage->segments.count && at->items == garbage->item_count &&
           at->bodies == garbage->body_count;
}

/* ==== tail ahead ================================================================================================= */
/*
 * Reading the newest messages of a thread in one batch, for a database that is asked over a network: with the
 * checkpoint, what its history's end is most often made of. The statements are none where that is of no use.
 */

typedef struct aci_tail_ahead {
    const aci_get *get; /* its row is known before the others are */
    aci_arena *arena;
    aci_item_row *items;
    size_t item_count, item_cap;
    aci_body_ahead *bodies;
    size_t body_count, body_cap;
    bool has_spans; /* the end of the history may stand elsewhere */
} aci_tail_ahead;

#endif
