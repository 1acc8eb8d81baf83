/* SPDX-License-Identifier: Apache-2.0 */
/* Every SQL statement of threads. Both databases use the same text but for locks. */
#include "thread/thread_internal.h"

#define CHECKPOINT_ROW(C) ACI_OWNED(C, aci_checkpoint_row, ACI_CHECKPOINT_COLUMNS)
#define PENDING_ROW(C) ACI_OWNED(C, aci_pending_row, ACI_PENDING_COLUMNS)
#define SEGMENT_ROW(C) ACI_OWNED(C, aci_stored_segment, ACI_SEGMENT_COLUMNS)
#define ITEM_ROW(C) ACI_OWNED(C, aci_item_row, ACI_ITEM_COLUMNS)
#define TERM_ROW(C) ACI_OWNED(C, aci_term_row, ACI_TERM_COLUMNS)

static const aci_column thread_columns[] = {ACI_THREAD_COLUMNS(ACI_COLUMN)};
static const aci_column checkpoint_columns[] = {CHECKPOINT_ROW(ACI_COLUMN)};
static const aci_column pending_columns[] = {PENDING_ROW(ACI_COLUMN)};
static const aci_column segment_columns[] = {SEGMENT_ROW(ACI_COLUMN)};
static const aci_column item_columns[] = {ITEM_ROW(ACI_COLUMN)};
static const aci_column term_columns[] = {TERM_ROW(ACI_COLUMN)};
static const aci_column orphan_columns[] = {ACI_ORPHAN_COLUMNS(ACI_COLUMN)};
static const aci_column body_columns[] = {ACI_BODY_COLUMNS(ACI_COLUMN)};
static const aci_column index_columns[] = {ACI_INDEX_COLUMNS(ACI_COLUMN)};

const aci_table aci_thread_table = ACI_TABLE("a stored thread", thread_columns, 0, 1);
const aci_table aci_checkpoint_table = ACI_TABLE("a stored checkpoint", checkpoint_columns, 1, 2);
const aci_table aci_pending_table = ACI_TABLE("a stored pending write", pending_columns, 1, 5);
const aci_table aci_segment_table = ACI_TABLE("a stored segment", segment_columns, 1, 1);
const aci_table aci_item_table = ACI_TABLE("a stored item", item_columns, 1, 2);
const aci_table aci_term_table = ACI_TABLE("a stored term", term_columns, 1, 3);
const aci_table aci_orphan_table = ACI_TABLE("a stored orphan", orphan_columns, 0, 1);
const aci_table aci_index_table = ACI_TABLE("the row of the index", index_columns, 0, 1);
/* The columns but the bytes, which have the digest. */
const aci_table aci_body_table = ACI_SALTED_TABLE("a stored body", body_columns, 0, 0, offsetof(aci_body_row, num));

#define OWN(which, text)                                                                                               \
    {                                                                                                                  \
        ACI_THREAD_SERVICE, which, text                                                                                \
    }
#define SAME(which, text) [which] = {{OWN(which, text), OWN(which, text)}}
/* PostgreSQL locks rows; SQLite's transactions that write are alone. */
#define LOCKS(which, text) [which] = {{OWN(which, text), OWN(which, text " FOR UPDATE")}}

/* Rows that belong to no thread. */
#define LOST(which, table)                                                                                             \
    SAME(which, "SELECT CAST('" table "' AS TEXT), num, COUNT(*) FROM " table " WHERE num NOT IN"                      \
                " (SELECT thread.num FROM thread) AND num NOT IN (SELECT orphan.num FROM orphan) GROUP BY num")
/* Some rows of a number. */
#define CLEAR(which, table, key)                                                                                       \
    SAME(which, "DELETE FROM " table " WHERE num = $1 AND (" key ") IN (SELECT " key " FROM " table " WHERE num = $1"  \
                " LIMIT $2)")

#define THREAD_ROW                                                                                                     \
    "SELECT " ACI_THREAD_COLUMNS(ACI_NAME) "sum, (SELECT COUNT(*) FROM thread_index) FROM thread WHERE id = $1"
#define ADVANCE                                                                                                        \
    "UPDATE thread SET seq = $1, segments = $2, bodies = $3, replaced = $4, indexed = $5, messages = $6,"              \
    " bytes = $7, updated_us = $8, "
#define THREAD_LIST "SELECT " ACI_THREAD_COLUMNS(ACI_NAME) "sum FROM thread"
#define CHECKPOINT_VIA(index)                                                                                          \
    "SELECT " CHECKPOINT_ROW(ACI_NAME) "sum FROM checkpoint" index                                                     \
                                       " WHERE num = (SELECT thread.num FROM thread WHERE thread.id = $1)"
#define CHECKPOINT CHECKPOINT_VIA("")
/* Those of a line. Without statistics SQLite would go through all of the namespace. */
#define ON_LINE(which, after)                                                                                          \
    [which] = {{OWN(which, CHECKPOINT_VIA(" INDEXED BY checkpoint_line") after), OWN(which, CHECKPOINT after)}}
#define LINE "SELECT line FROM checkpoint WHERE num = (SELECT thread.num FROM thread WHERE thread.id = $1) AND ns = $2"
#define BRANCHES " WHERE num = $1 AND ns = $2 AND branch = 1 AND parent_seq = $3"
/* The newest checkpoint, and the segment of its history up to `last`. */
#define NEWEST                                                                                                         \
    "WITH newest AS MATERIALIZED (SELECT held.num, CAST(CAST(held.contents AS JSON) -> 'h' ->> 0 AS BIGINT) AS seg,"   \
    " CAST(CAST(held.contents AS JSON) -> 'h' ->> 2 AS BIGINT) AS last FROM checkpoint AS held WHERE held.num ="       \
    " (SELECT thread.num FROM thread WHERE thread.id = $1) AND held.ns = $2 ORDER BY held.seq DESC LIMIT 1) "
#define PENDING                                                                                                        \
    "SELECT " PENDING_ROW(ACI_NAME) "sum FROM pending"                                                                 \
                                    " WHERE num = (SELECT thread.num FROM thread WHERE thread.id = $1) AND ns = $2"
/* The namespaces of a thread, one look into the index each. */
#define NAMESPACES                                                                                                     \
    "WITH RECURSIVE space(ns) AS (SELECT MIN(least.ns) FROM checkpoint AS least WHERE least.num = $1 UNION ALL"        \
    " SELECT (SELECT MIN(held.ns) FROM checkpoint AS held WHERE held.num = $1 AND held.ns > space.ns) FROM space"      \
    " WHERE space.ns IS NOT NULL) "
#define CHECKPOINT_COLUMNS "SELECT checkpoint.num, " ACI_CHECKPOINT_COLUMNS(IN_CHECKPOINT) "checkpoint.sum"
#define IN_CHECKPOINT(row, member, name, kind) "checkpoint." #name ", "
#define ITEM "SELECT " ITEM_ROW(ACI_NAME) "sum FROM item "
#define TERM "SELECT " TERM_ROW(ACI_NAME) "sum FROM term "
#define TERMS_OF " WHERE num = $1 AND ns = $2 AND seq = $3"
#define BODY_OF "FROM body WHERE num = $1"
/* Rows of bodies by their numbers, which in SQLite are those of the rows; else it would take the index of digests. */
#define BY_NUMBER(which, before, after)                                                                                \
    [which] = {{OWN(which, before " FROM body NOT INDEXED WHERE num = $1 AND " after),                                 \
                OWN(which, before " FROM body WHERE num = $1 AND " after)}}

static const aci_statement statements[ACI_THREAD_STATEMENT_COUNT_] = {
    /* id */
    SAME(ACI_THREAD_ROW, THREAD_ROW),
    LOCKS(ACI_THREAD_LOCK, THREAD_ROW),
    /* all columns */
    SAME(ACI_THREAD_INSERT, ACI_INSERT("thread", ACI_THREAD_COLUMNS, ACI_VALUES_13) " ON CONFLICT DO NOTHING"),
    /* seq, segments, bodies, replaced, indexed, messages, bytes, updated, sum, id */
    SAME(ACI_THREAD_ADVANCE, ADVANCE "sum = $9 WHERE id = $10"),
    /* the same, with the hour before the sum: what is in an index is written to the index, changed or not */
    SAME(ACI_THREAD_ADVANCE_HOUR, ADVANCE "hour = $9, sum = $10 WHERE id = $11"),
    /* id */
    SAME(ACI_THREAD_DELETE, "DELETE FROM thread WHERE id = $1"),
    /* limit */
    SAME(ACI_THREADS, THREAD_LIST " ORDER BY hour DESC, updated_us DESC, id DESC LIMIT $1"),
    /* hour, updated, id, limit */
    SAME(ACI_THREADS_AFTER, THREAD_LIST " WHERE hour <= $1 AND (updated_us, id) < ($2, $3)"
                                        " ORDER BY hour DESC, updated_us DESC, id DESC LIMIT $4"),
    /* thread's id, ns, id */
    SAME(ACI_CHECKPOINT_BY_ID, CHECKPOINT " AND ns = $2 AND id = $3"),
    /* thread's id, ns */
    SAME(ACI_CHECKPOINT_NEWEST, CHECKPOINT " AND ns = $2 ORDER BY seq DESC LIMIT 1"),
    /* thread's id, ns, line: its newest */
    ON_LINE(ACI_CHECKPOINT_LINE_NEWEST, " AND ns = $2 AND line = $3 ORDER BY seq DESC LIMIT 1"),
    /* thread's id, ns, id: the newest of its line */
    ON_LINE(ACI_CHECKPOINT_LINE_NEWEST_OF,
            " AND ns = $2 AND line = (SELECT held.line FROM checkpoint AS held WHERE held.num = (SELECT thread.num FROM"
            " thread WHERE thread.id = $1) AND held.ns = $2 AND held.id = $3) ORDER BY seq DESC LIMIT 1"),
    /* thread's id, ns, line, seq: the one after it on the line */
    ON_LINE(ACI_CHECKPOINT_LINE_NEXT, " AND ns = $2 AND line = $3 AND seq > $4 ORDER BY seq LIMIT 1"),
    /* thread's id, ns: the first of the namespace */
    SAME(ACI_CHECKPOINT_FIRST, CHECKPOINT " AND ns = $2 ORDER BY seq LIMIT 1"),
    /* thread's id, ns: its first and its last line */
    SAME(ACI_CHECKPOINT_LINES, "SELECT (" LINE " ORDER BY line LIMIT 1), (" LINE " ORDER BY line DESC LIMIT 1)"),
    /* thread's id, ns, the sequence number before which, limit */
    SAME(ACI_CHECKPOINT_HEADERS, CHECKPOINT " AND ns = $2 AND seq < $3 ORDER BY seq DESC LIMIT $4"),
    /* num, the sequence number from which, that before which, limit */
    SAME(ACI_CHECKPOINT_HEADERS_ALL, NAMESPACES CHECKPOINT_COLUMNS
         " FROM space CROSS JOIN checkpoint WHERE checkpoint.num = $1 AND checkpoint.ns = space.ns AND"
         " checkpoint.seq >= $2 AND checkpoint.seq < $3 ORDER BY checkpoint.seq DESC LIMIT $4"),
    /* thread's id, ns, seq */
    SAME(ACI_CHECKPOINT_BY_SEQ, CHECKPOINT " AND ns = $2 AND seq = $3"),
    /* num, the namespace before it */
    SAME(ACI_NAMESPACE_NEXT, "SELECT ns FROM checkpoint WHERE num = $1 AND ns > $2 ORDER BY ns LIMIT 1"),
    /* all columns */
    SAME(ACI_CHECKPOINT_INSERT, ACI_INSERT("checkpoint", CHECKPOINT_ROW, ACI_VALUES_17)),
    /* num, ns, seq */
    SAME(ACI_CHECKPOINT_DELETE, "DELETE FROM checkpoint WHERE num = $1 AND ns = $2 AND seq = $3"),
    /* num, ns, seq, sum */
    SAME(ACI_CHECKPOINT_DELETE_AS_IT_IS, "DELETE FROM checkpoint WHERE num = $1 AND ns = $2 AND seq = $3 AND sum = $4"),
    /* num, sequence number after which they come, limit */
    SAME(ACI_CHECKPOINTS_SINCE, NAMESPACES CHECKPOINT_COLUMNS
         " FROM space CROSS JOIN checkpoint WHERE checkpoint.num = $1 AND checkpoint.ns = space.ns AND"
         " checkpoint.seq > $2 LIMIT $3"),
    /* num */
    SAME(ACI_CHECKPOINT_LAST, NAMESPACES CHECKPOINT_COLUMNS
         " FROM space CROSS JOIN checkpoint WHERE checkpoint.num = $1 AND checkpoint.ns = space.ns AND checkpoint.seq ="
         " (SELECT MAX(held.seq) FROM checkpoint AS held WHERE held.num = $1 AND held.ns = space.ns)"
         " ORDER BY checkpoint.seq DESC LIMIT 1"),
    /* num, seg */
    SAME(ACI_SEGMENT_ROW, "SELECT " SEGMENT_ROW(ACI_NAME) "sum FROM segment WHERE num = $1 AND seg = $2"),
    /* all columns */
    SAME(ACI_SEGMENT_PUT,
         ACI_INSERT("segment", SEGMENT_ROW, ACI_VALUES_4) " ON CONFLICT(num, seg)"
                                                          " DO UPDATE SET spans = excluded.spans, sum = excluded.sum"),
    /* num, seg */
    SAME(ACI_ITEM_LAST, ITEM "WHERE num = $1 AND seg = $2 ORDER BY pos DESC LIMIT 1"),
    /* num, seg, first position, the position after the last */
    SAME(ACI_ITEM_ROWS,
         ITEM "WHERE num = $1 AND seg = $2 AND"
              " pos >= COALESCE((SELECT MAX(held.pos) FROM item AS held WHERE held.num = $1 AND held.seg = $2"
              " AND held.pos <= $3), 0) AND pos < $4 ORDER BY pos"),
    /* all columns */
    SAME(ACI_ITEM_INSERT, ACI_INSERT("item", ITEM_ROW, ACI_VALUES_6)),
    /* SQLite's numbers are of the whole file */
    [ACI_BODY_HIGHEST] = {{OWN(ACI_BODY_HIGHEST, "SELECT COALESCE(MAX(no), 0) FROM body"),
                           OWN(ACI_BODY_HIGHEST, NULL)}},
    /* num */
    [ACI_BODY_TOP] = {{OWN(ACI_BODY_TOP, "SELECT MAX(no) " BODY_OF), OWN(ACI_BODY_TOP, NULL)}},
    /* num, digest */
    SAME(ACI_BODY_FIND, "SELECT " ACI_BODY_COLUMNS(ACI_NAME) "sum " BODY_OF " AND digest = $2"),
    /* num, first number, last one */
    BY_NUMBER(ACI_BODY_DIGESTS, "SELECT " ACI_BODY_COLUMNS(ACI_NAME) "sum", "no >= $2 AND no <= $3 ORDER BY no"),
    BY_NUMBER(ACI_BODY_ROWS, "SELECT " ACI_BODY_COLUMNS(ACI_NAME) "sum, bytes", "no >= $2 AND no <= $3 ORDER BY no"),
    BY_NUMBER(ACI_BODY_LENGTHS, "SELECT no, CAST(LENGTH(bytes) AS BIGINT)", "no >= $2 AND no <= $3 ORDER BY no"),
    /* num, digest */
    SAME(ACI_BODY_BY_DIGEST, "SELECT " ACI_BODY_COLUMNS(ACI_NAME) "sum, bytes " BODY_OF " AND digest = $2"),
    /* num, bytes, the row */
    SAME(ACI_BODY_INSERT, "INSERT INTO body(num, bytes, " ACI_BODY_COLUMNS(ACI_NAME) "sum) VALUES(" ACI_VALUES_5 ")"),
    /* For who waits for each batch: what the newest messages of a history are most often made of, before it is known.
       thread's id, ns; thread's id, ns, number of messages; thread's id, number of bodies */
    [ACI_TAIL_SEGMENT] = {{OWN(ACI_TAIL_SEGMENT, NULL),
                           OWN(ACI_TAIL_SEGMENT,
                               NEWEST "SELECT found.num, found.seg, found.spans, found.sum FROM newest"
                                      " JOIN segment AS found ON found.num = newest.num AND"
                                      " found.seg = newest.seg")}},
    [ACI_TAIL_ITEMS] = {{OWN(ACI_TAIL_ITEMS, NULL),
                         OWN(ACI_TAIL_ITEMS, NEWEST
                             "SELECT found.num, found.seg, found.pos, found.count, found.bodies, found.sum FROM newest"
                             " JOIN item AS found ON found.num = newest.num AND found.seg = newest.seg WHERE found.pos"
                             " < newest.last AND found.pos >= COALESCE((SELECT MAX(held.pos) FROM item AS held WHERE"
                             " held.num = newest.num AND held.seg = newest.seg AND held.pos <= newest.last - $3), 0)"
                             " ORDER BY found.pos")}},
    [ACI_TAIL_BODIES] = {{OWN(ACI_TAIL_BODIES, NULL),
                          OWN(ACI_TAIL_BODIES,
                              "SELECT " ACI_BODY_COLUMNS(
                                  ACI_NAME) "sum, bytes FROM body WHERE num = (SELECT thread.num"
                                            " FROM thread WHERE thread.id = $1) ORDER BY no DESC LIMIT $2")}},
    /* all columns; what was consumed stays so unless
       it is another write */
    SAME(ACI_PENDING_PUT,
         ACI_INSERT(
             "pending", PENDING_ROW,
             ACI_VALUES_11) " ON CONFLICT(num, ns, checkpoint, path, task, idx)"
                            " DO UPDATE SET channel = excluded.channel, media = excluded.media, value = excluded.value,"
                            " consumed_by = excluded.consumed_by, sum = excluded.sum WHERE pending.consumed_by IS NULL"
                            " OR pending.channel <> excluded.channel OR pending.value <> excluded.value"
                            " OR COALESCE(pending.media, '') <> COALESCE(excluded.media, '')"),
    /* thread's id, ns, checkpoint */
    SAME(ACI_PENDING_ROWS, PENDING " AND checkpoint = $3 ORDER BY path, task, idx"),
    /* thread's id, ns */
    SAME(ACI_PENDING_NEWEST,
         PENDING " AND checkpoint = (SELECT held.id FROM checkpoint AS held WHERE held.num = (SELECT thread.num FROM"
                 " thread WHERE thread.id = $1) AND held.ns = $2 ORDER BY held.seq DESC LIMIT 1)"
                 " ORDER BY path, task, idx"),
    /* consumed_by, sum, num, ns, checkpoint, path, task, idx */
    SAME(ACI_PENDING_CONSUME, "UPDATE pending SET consumed_by = $1, sum = $2 WHERE num = $3 AND ns = $4"
                              " AND checkpoint = $5 AND path = $6 AND task = $7 AND idx = $8"),
    /* the checkpoint that it goes to, then the same */
    SAME(ACI_PENDING_MOVE, "UPDATE pending SET checkpoint = $1, sum = $2 WHERE num = $3 AND ns = $4"
                           " AND checkpoint = $5 AND path = $6 AND task = $7 AND idx = $8"),
    /* the id before it */
    SAME(ACI_THREAD_NEXT, THREAD_LIST " WHERE id > $1 ORDER BY id LIMIT 1"),
    LOST(ACI_LOST_CHECKPOINTS, "checkpoint"),
    LOST(ACI_LOST_SEGMENTS, "segment"),
    LOST(ACI_LOST_ITEMS, "item"),
    LOST(ACI_LOST_BODIES, "body"),
    LOST(ACI_LOST_TERMS, "term"),
    LOST(ACI_LOST_PENDING, "pending"),
    /* num, ns, checkpoint */
    SAME(ACI_PENDING_DELETE, "DELETE FROM pending WHERE num = $1 AND ns = $2 AND checkpoint = $3"),
    /* num, seg */
    SAME(ACI_SEGMENT_DELETE, "DELETE FROM segment WHERE num = $1 AND seg = $2"),
    /* num, seg, pos */
    SAME(ACI_ITEM_DELETE, "DELETE FROM item WHERE num = $1 AND seg = $2 AND pos = $3"),
    /* num, seg, first position, the position after the last */
    SAME(ACI_ITEMS_WITHIN, ITEM "WHERE num = $1 AND seg = $2 AND pos >= $3 AND pos < $4 ORDER BY pos"),
    /* num, no */
    BY_NUMBER(ACI_BODY_SIZE, "SELECT " ACI_BODY_COLUMNS(ACI_NAME) "sum, CAST(LENGTH(bytes) AS BIGINT)", "no = $2"),
    BY_NUMBER(ACI_BODY_DELETE, "DELETE", "no = $2"),
    /* num, the key of the row after which they begin, limit */
    SAME(ACI_SCAN_CHECKPOINTS,
         "SELECT " CHECKPOINT_ROW(
             ACI_NAME) "sum FROM checkpoint WHERE num = $1 AND (ns, seq) > ($2, $3) ORDER BY ns, seq LIMIT $4"),
    SAME(ACI_SCAN_SEGMENTS,
         "SELECT " SEGMENT_ROW(ACI_NAME) "sum FROM segment WHERE num = $1 AND seg > $2 ORDER BY seg LIMIT $3"),
    SAME(ACI_SCAN_ITEMS, ITEM "WHERE num = $1 AND (seg, pos) > ($2, $3)"
                              " ORDER BY seg, pos LIMIT $4"),
    SAME(ACI_SCAN_BODIES, "SELECT " ACI_BODY_COLUMNS(ACI_NAME) "sum, CAST(LENGTH(bytes) AS BIGINT) " BODY_OF
                                                               " AND digest > $2 ORDER BY digest LIMIT $3"),
    SAME(ACI_SCAN_PENDING,
         "SELECT " PENDING_ROW(
             ACI_NAME) "sum FROM pending WHERE num = $1 AND (ns, checkpoint, path, task, idx) > ($2, $3, $4, $5, $6)"
                       " ORDER BY ns, checkpoint, path, task, idx LIMIT $7"),
    /* num, the digest after which they begin, what they begin with, limit */
    SAME(ACI_SCAN_REFERENCES,
         "SELECT " ACI_BODY_COLUMNS(ACI_NAME) "sum, bytes " BODY_OF " AND digest > $2 AND SUBSTR(bytes, 1, 1) = $3"
                                              " ORDER BY digest LIMIT $4"),
    SAME(ACI_SCAN_TERMS, TERM "WHERE num = $1 AND (ns, term, seq) > ($2, $3, $4) ORDER BY ns, term, seq LIMIT $5"),
    /* num, limit */
    CLEAR(ACI_CLEAR_CHECKPOINTS, "checkpoint", "ns, seq"),
    CLEAR(ACI_CLEAR_PENDING, "pending", "ns, checkpoint, path, task, idx"),
    CLEAR(ACI_CLEAR_ITEMS, "item", "seg, pos"),
    CLEAR(ACI_CLEAR_SEGMENTS, "segment", "seg"),
    CLEAR(ACI_CLEAR_TERMS, "term", "ns, term, seq"),
    SAME(ACI_CLEAR_SIZES, "SELECT no, CAST(LENGTH(bytes) AS BIGINT) " BODY_OF " LIMIT $2"),
    /* num, until, sum */
    SAME(ACI_ORPHAN_INSERT, ACI_INSERT("orphan", ACI_ORPHAN_COLUMNS, ACI_VALUES_3)),
    SAME(ACI_ORPHAN_ADVANCE, "UPDATE orphan SET num = $1, until_us = $2, sum = $3 WHERE num = $1"),
    /* num */
    LOCKS(ACI_ORPHAN_LOCK, "SELECT " ACI_ORPHAN_COLUMNS(ACI_NAME) "sum FROM orphan WHERE num = $1"),
    SAME(ACI_ORPHAN_DELETE, "DELETE FROM orphan WHERE num = $1"),
    /* the number before it, a time */
    SAME(ACI_ORPHAN_NEXT, "SELECT " ACI_ORPHAN_COLUMNS(
                              ACI_NAME) "sum FROM orphan WHERE num > $1 AND until_us < $2 ORDER BY num LIMIT 1"),
    SAME(ACI_ORPHANS, "SELECT " ACI_ORPHAN_COLUMNS(ACI_NAME) "sum FROM orphan ORDER BY num"),
    /* num, ns, term, seq, sum */
    SAME(ACI_TERM_INSERT, ACI_INSERT("term", TERM_ROW, ACI_VALUES_5) " ON CONFLICT DO NOTHING"),
    /* num, ns, term, seq */
    SAME(ACI_TERM_DELETE, "DELETE FROM term WHERE num = $1 AND ns = $2 AND term = $3 AND seq = $4"),
    /* num, ns, term, the sequence number before which, limit */
    SAME(ACI_TERM_CHECKPOINTS, TERM "WHERE num = $1 AND ns = $2 AND term = $3 AND seq < $4 ORDER BY seq DESC LIMIT $5"),
    /* num, ns, seq */
    [ACI_TERMS_OF_CHECKPOINT] = {{OWN(ACI_TERMS_OF_CHECKPOINT,
                                      "SELECT " TERM_ROW(ACI_NAME) "sum FROM term INDEXED BY"
                                                                   " term_checkpoint" TERMS_OF),
                                  OWN(ACI_TERMS_OF_CHECKPOINT, "SELECT " TERM_ROW(ACI_NAME) "sum FROM term" TERMS_OF)}},
    [ACI_TERMS_DELETE] = {{OWN(ACI_TERMS_DELETE, "DELETE FROM term INDEXED BY term_checkpoint" TERMS_OF),
                           OWN(ACI_TERMS_DELETE, "DELETE FROM term" TERMS_OF)}},
    /* num, ns, seq: the one after it; branches that began with it */
    SAME(ACI_CHECKPOINT_AFTER,
         "SELECT ns, seq FROM checkpoint WHERE num = $1 AND ns = $2 AND seq > $3 ORDER BY seq LIMIT 1"),
    [ACI_CHECKPOINT_BRANCHES] = {{OWN(ACI_CHECKPOINT_BRANCHES,
                                      "SELECT ns, seq FROM checkpoint INDEXED BY checkpoint_branch" BRANCHES),
                                  OWN(ACI_CHECKPOINT_BRANCHES, "SELECT ns, seq FROM checkpoint" BRANCHES)}},
    /* num, ns, seq of the one before, limit */
    SAME(ACI_CHECKPOINT_KEYS,
         "SELECT ns, seq FROM checkpoint WHERE num = $1 AND (ns, seq) > ($2, $3) ORDER BY ns, seq LIMIT $4"),
    SAME(ACI_INDEX_ROW, "SELECT " ACI_INDEX_COLUMNS(ACI_NAME) "sum FROM thread_index"),
    /* name, sum */
    SAME(ACI_INDEX_INSERT, ACI_INSERT("thread_index", ACI_INDEX_COLUMNS, ACI_VALUES_2) " ON CONFLICT DO NOTHING"),
    SAME(ACI_INDEX_DELETE, "DELETE FROM thread_index"),
    /* aci_indexed */
    SAME(ACI_INDEX_COUNTS, "SELECT COUNT(*), COUNT(CASE WHEN indexed = $1 THEN 1 END) FROM thread"),
};

void aci_thread_statement_add(aci_tx *tx, aci_thread_statement which, aci_sql_row_fn row, void *user)
{
    aci_transact_add(tx, &statements[which], row, user);
}
