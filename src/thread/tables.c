/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of threads. docs/stores.md describes them. Versions 1 and 2 were never released.
 *
 * A checkpoint that was put when its parent was the newest of the namespace is the next one after it; others have
 * branch set, and an index finds them by their parent. The checkpoints of a line continue one another; it is named by
 * the sequence number of its first. What was written last, by a put or by replacing, has the highest `written`.
 * Segments have a row where they have spans. In SQLite the number of a body is its row's, so that no index of numbers
 * is written.
 *
 * A checkpoint has a row of term for each word that it adds, and perhaps for more, where the thread is indexed.
 *
 * Rows of a thread carry its number, drawn at random when it is made, and nothing refers from one thread to another,
 * so that a distributed database can spread the tables by it. Every row has a checksum of its other columns; that of
 * a body covers the SHA-256 by which it is found in place of its bytes.
 */
#include "thread/thread_internal.h"

#define CHECKPOINT(C) ACI_OWNED(C, aci_checkpoint_row, ACI_CHECKPOINT_COLUMNS)
#define PENDING(C) ACI_OWNED(C, aci_pending_row, ACI_PENDING_COLUMNS)
#define SEGMENT(C) ACI_OWNED(C, aci_stored_segment, ACI_SEGMENT_COLUMNS)
#define ITEM(C) ACI_OWNED(C, aci_item_row, ACI_ITEM_COLUMNS)
#define TERM(C) ACI_OWNED(C, aci_term_row, ACI_TERM_COLUMNS)

#define INDEXES                                                                                                        \
    "CREATE INDEX thread_by_time ON thread(hour, id);\n"                                                               \
    "CREATE UNIQUE INDEX body_digest ON body(num, digest);\n"                                                          \
    "CREATE UNIQUE INDEX checkpoint_id ON checkpoint(num, ns, id);\n"                                                  \
    "CREATE INDEX checkpoint_branch ON checkpoint(num, ns, parent_seq) WHERE branch = 1;\n"                            \
    "CREATE INDEX checkpoint_line ON checkpoint(num, ns, line, seq);\n"                                                \
    "CREATE INDEX term_checkpoint ON term(num, ns, seq);\n"
#define ROWS ", WITHOUT ROWID;\n"

/* What was released once stays here: a file made by it is known by these very texts. */
static const char sqlite_3[] =
    "CREATE TABLE body(no INTEGER PRIMARY KEY, num INTEGER NOT NULL, digest BLOB NOT NULL, bytes BLOB NOT NULL,"
    " sum INTEGER NOT NULL) STRICT;\n" ACI_CREATE_SQLITE("thread", ACI_THREAD_COLUMNS, "id")
        ROWS ACI_CREATE_SQLITE("segment", SEGMENT, "num, seg") ROWS ACI_CREATE_SQLITE("item", ITEM, "num, seg, pos")
            ROWS ACI_CREATE_SQLITE("checkpoint", CHECKPOINT, "num, ns, seq")
                ROWS ACI_CREATE_SQLITE("pending", PENDING, "num, ns, checkpoint, path, task, idx")
                    ROWS ACI_CREATE_SQLITE("orphan", ACI_ORPHAN_COLUMNS, "num")
                        ROWS ACI_CREATE_SQLITE("term", TERM, "num, ns, term, seq")
                            ROWS ACI_CREATE_SQLITE("thread_index", ACI_INDEX_COLUMNS, "name") ROWS INDEXES;

static const char postgres_3[] =
    "CREATE TABLE body(num BIGINT NOT NULL, no BIGINT NOT NULL, digest BYTEA NOT NULL, bytes BYTEA NOT NULL,"
    " sum BIGINT NOT NULL, PRIMARY KEY(num, no));\n" ACI_CREATE_POSTGRES("thread", ACI_THREAD_COLUMNS, "id")
        ACI_CREATE_POSTGRES("segment", SEGMENT, "num, seg") ACI_CREATE_POSTGRES("item", ITEM, "num, seg, pos")
            ACI_CREATE_POSTGRES("checkpoint", CHECKPOINT, "num, ns, seq")
                ACI_CREATE_POSTGRES("pending", PENDING, "num, ns, checkpoint, path, task, idx")
                    ACI_CREATE_POSTGRES("orphan", ACI_ORPHAN_COLUMNS, "num")
                        ACI_CREATE_POSTGRES("term", TERM, "num, ns, term, seq")
                            ACI_CREATE_POSTGRES("thread_index", ACI_INDEX_COLUMNS, "name") INDEXES;

static const aci_sql_migration sqlite[] = {{0}, {0}, {3, 3, sqlite_3}};
static const aci_sql_migration postgres[] = {{0}, {0}, {3, 3, postgres_3}};

const aci_service aci_thread_service = {
    {[ACI_SQL_SQLITE] = {"thread", sqlite, sizeof sqlite / sizeof *sqlite},
     [ACI_SQL_POSTGRES] = {"thread", postgres, sizeof postgres / sizeof *postgres}},
    ACI_SERVICE_VERSION(ACI_THREAD_SERVICE, "thread"),
    aci_thread_check,
};
