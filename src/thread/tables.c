/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of threads. docs/stores.md describes them. Version 1 was never released.
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
#include "thread/thread.h"

/* What was released once stays here: a file made by it is known by these very texts. */
static const char sqlite_2[] =
    "CREATE TABLE thread(id TEXT NOT NULL, num INTEGER NOT NULL, seq INTEGER NOT NULL, segments INTEGER NOT NULL,"
    " bodies INTEGER NOT NULL, replaced INTEGER NOT NULL, indexed INTEGER NOT NULL, messages INTEGER NOT NULL, bytes "
    "INTEGER NOT NULL, "
    "created_us INTEGER NOT NULL,"
    " updated_us INTEGER NOT NULL, hour INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(id)) STRICT, WITHOUT "
    "ROWID;\n"
    "CREATE INDEX thread_by_time ON thread(hour, id);\n"
    "CREATE TABLE body(no INTEGER PRIMARY KEY, num INTEGER NOT NULL, digest BLOB NOT NULL, bytes BLOB NOT NULL,"
    " sum INTEGER NOT NULL) STRICT;\n"
    "CREATE UNIQUE INDEX body_digest ON body(num, digest);\n"
    "CREATE TABLE segment(num INTEGER NOT NULL, seg INTEGER NOT NULL, spans BLOB NOT NULL, sum INTEGER NOT NULL,"
    " PRIMARY KEY(num, seg)) STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE item(num INTEGER NOT NULL, seg INTEGER NOT NULL, pos INTEGER NOT NULL, count INTEGER NOT NULL,"
    " bodies BLOB NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(num, seg, pos)) STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE checkpoint(num INTEGER NOT NULL, ns TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,"
    " parent TEXT, parent_seq INTEGER NOT NULL, branch INTEGER NOT NULL, line INTEGER NOT NULL, written INTEGER NOT "
    "NULL,"
    " step INTEGER, source TEXT, run TEXT, time_us INTEGER NOT NULL,"
    " messages INTEGER NOT NULL, meta TEXT NOT NULL, contents TEXT NOT NULL, sum INTEGER NOT NULL,"
    " PRIMARY KEY(num, ns, seq)) STRICT, WITHOUT ROWID;\n"
    "CREATE UNIQUE INDEX checkpoint_id ON checkpoint(num, ns, id);\n"
    "CREATE INDEX checkpoint_branch ON checkpoint(num, ns, parent_seq) WHERE branch = 1;\n"
    "CREATE INDEX checkpoint_line ON checkpoint(num, ns, line, seq);\n"
    "CREATE TABLE pending(num INTEGER NOT NULL, ns TEXT NOT NULL, checkpoint TEXT NOT NULL, path TEXT NOT NULL,"
    " task TEXT NOT NULL, idx INTEGER NOT NULL, channel TEXT NOT NULL, media TEXT, value BLOB NOT NULL,"
    " consumed_by TEXT, sum INTEGER NOT NULL, PRIMARY KEY(num, ns, checkpoint, path, task, idx)) STRICT, WITHOUT "
    "ROWID;\n"
    "CREATE TABLE orphan(num INTEGER NOT NULL, until_us INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(num))"
    " STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE term(num INTEGER NOT NULL, ns TEXT NOT NULL, term TEXT NOT NULL, seq INTEGER NOT NULL,"
    " sum INTEGER NOT NULL, PRIMARY KEY(num, ns, term, seq)) STRICT, WITHOUT ROWID;\n"
    "CREATE INDEX term_checkpoint ON term(num, ns, seq);\n"
    "CREATE TABLE thread_index(name TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY(name)) STRICT, WITHOUT ROWID;\n";

static const char postgres_2[] =
    "CREATE TABLE thread(id TEXT COLLATE \"C\" NOT NULL, num BIGINT NOT NULL, seq BIGINT NOT NULL,"
    " segments BIGINT NOT NULL, bodies BIGINT NOT NULL, replaced BIGINT NOT NULL, indexed BIGINT NOT NULL, messages "
    "BIGINT NOT NULL,"
    " bytes BIGINT NOT NULL,"
    " created_us BIGINT NOT NULL, updated_us BIGINT NOT NULL, hour BIGINT NOT NULL, sum BIGINT NOT NULL, PRIMARY "
    "KEY(id));\n"
    "CREATE INDEX thread_by_time ON thread(hour, id);\n"
    "CREATE TABLE body(num BIGINT NOT NULL, no BIGINT NOT NULL, digest BYTEA NOT NULL, bytes BYTEA NOT NULL,"
    " sum BIGINT NOT NULL, PRIMARY KEY(num, no));\n"
    "CREATE UNIQUE INDEX body_digest ON body(num, digest);\n"
    "CREATE TABLE segment(num BIGINT NOT NULL, seg BIGINT NOT NULL, spans BYTEA NOT NULL, sum BIGINT NOT NULL,"
    " PRIMARY KEY(num, seg));\n"
    "CREATE TABLE item(num BIGINT NOT NULL, seg BIGINT NOT NULL, pos BIGINT NOT NULL, count BIGINT NOT NULL,"
    " bodies BYTEA NOT NULL, sum BIGINT NOT NULL, PRIMARY KEY(num, seg, pos));\n"
    "CREATE TABLE checkpoint(num BIGINT NOT NULL, ns TEXT COLLATE \"C\" NOT NULL, seq BIGINT NOT NULL,"
    " id TEXT COLLATE \"C\" NOT NULL, parent TEXT COLLATE \"C\", parent_seq BIGINT NOT NULL, branch BIGINT NOT NULL,"
    " line BIGINT NOT NULL, written BIGINT NOT NULL, step BIGINT,"
    " source TEXT COLLATE \"C\", run TEXT COLLATE \"C\", time_us BIGINT NOT NULL, messages BIGINT NOT NULL,"
    " meta TEXT COLLATE \"C\" NOT NULL, contents TEXT COLLATE \"C\" NOT NULL, sum BIGINT NOT NULL,"
    " PRIMARY KEY(num, ns, seq));\n"
    "CREATE UNIQUE INDEX checkpoint_id ON checkpoint(num, ns, id);\n"
    "CREATE INDEX checkpoint_branch ON checkpoint(num, ns, parent_seq) WHERE branch = 1;\n"
    "CREATE INDEX checkpoint_line ON checkpoint(num, ns, line, seq);\n"
    "CREATE TABLE pending(num BIGINT NOT NULL, ns TEXT COLLATE \"C\" NOT NULL, checkpoint TEXT COLLATE \"C\" NOT NULL,"
    " path TEXT COLLATE \"C\" NOT NULL, task TEXT COLLATE \"C\" NOT NULL, idx BIGINT NOT NULL,"
    " channel TEXT COLLATE \"C\" NOT NULL, media TEXT COLLATE \"C\", value BYTEA NOT NULL,"
    " consumed_by TEXT COLLATE \"C\", sum BIGINT NOT NULL, PRIMARY KEY(num, ns, checkpoint, path, task, idx));\n"
    "CREATE TABLE orphan(num BIGINT NOT NULL, until_us BIGINT NOT NULL, sum BIGINT NOT NULL, PRIMARY KEY(num));\n"
    "CREATE TABLE term(num BIGINT NOT NULL, ns TEXT COLLATE \"C\" NOT NULL, term TEXT COLLATE \"C\" NOT NULL,"
    " seq BIGINT NOT NULL, sum BIGINT NOT NULL, PRIMARY KEY(num, ns, term, seq));\n"
    "CREATE INDEX term_checkpoint ON term(num, ns, seq);\n"
    "CREATE TABLE thread_index(name TEXT COLLATE \"C\" NOT NULL, sum BIGINT NOT NULL, PRIMARY KEY(name));\n";

static const aci_sql_migration sqlite[] = {{0}, {2, 2, sqlite_2}};
static const aci_sql_migration postgres[] = {{0}, {2, 2, postgres_2}};

const aci_service aci_thread_service = {
    {[ACI_SQL_SQLITE] = {"thread", sqlite, sizeof sqlite / sizeof *sqlite},
     [ACI_SQL_POSTGRES] = {"thread", postgres, sizeof postgres / sizeof *postgres}},
    ACI_SERVICE_VERSION(ACI_THREAD_SERVICE, "thread"),
    aci_thread_check,
};
