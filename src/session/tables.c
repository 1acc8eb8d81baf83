/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of sessions. docs/stores.md describes them. Version 1 was never released.
 *
 * Every table begins its primary key with the application, and nothing refers from one application to another, so
 * that a distributed database can spread the tables by it. `num` is a session's number, drawn at random when it is
 * made: a session that is deleted and made again under the same id is another one. In `state`, an empty usr or sid
 * stands for the wider scopes. Texts compare by their bytes.
 *
 * Nothing can be changed or go missing unnoticed (sums.h): `sum` is the checksum of a row, `prev` that of the event
 * before it, `last` that of a session's last event, and `keys` is made of those of all rows of state that belong to a
 * session or a scope.
 */
#include "session/session.h"

/* What was released once stays here: a file made by it is known by these very texts. */
static const char sqlite_2[] =
    "CREATE TABLE session(app TEXT NOT NULL, usr TEXT NOT NULL, id TEXT NOT NULL, num INTEGER NOT NULL,"
    " seq INTEGER NOT NULL, rewinds INTEGER NOT NULL, created_us INTEGER NOT NULL, updated_us INTEGER NOT NULL,"
    " last INTEGER, keys INTEGER, sum INTEGER, PRIMARY KEY(app, usr, id)) STRICT, WITHOUT ROWID;\n"
    "CREATE UNIQUE INDEX session_num ON session(app, num);\n"
    "CREATE INDEX session_by_app ON session(app, updated_us, usr, id);\n"
    "CREATE INDEX session_by_user ON session(app, usr, updated_us, id);\n"
    "CREATE TABLE event(app TEXT NOT NULL, num INTEGER NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,"
    " time_ns INTEGER NOT NULL, json TEXT NOT NULL, effect TEXT NOT NULL, prev INTEGER, sum INTEGER,"
    " PRIMARY KEY(app, num, seq)) STRICT;\n"
    "CREATE UNIQUE INDEX event_id ON event(app, num, id);\n"
    "CREATE INDEX event_time ON event(app, num, time_ns);\n"
    "CREATE TABLE scope(app TEXT NOT NULL, usr TEXT NOT NULL, rev INTEGER NOT NULL, keys INTEGER, sum INTEGER,"
    " PRIMARY KEY(app, usr)) STRICT, WITHOUT ROWID;\n"
    "CREATE TABLE state(app TEXT NOT NULL, usr TEXT NOT NULL, sid TEXT NOT NULL, key TEXT NOT NULL,"
    " value TEXT NOT NULL, rev INTEGER NOT NULL, PRIMARY KEY(app, usr, sid, key)) STRICT, WITHOUT ROWID;\n";

static const char postgres_2[] =
    "CREATE TABLE session(app TEXT COLLATE \"C\" NOT NULL, usr TEXT COLLATE \"C\" NOT NULL,"
    " id TEXT COLLATE \"C\" NOT NULL, num BIGINT NOT NULL, seq BIGINT NOT NULL, rewinds BIGINT NOT NULL,"
    " created_us BIGINT NOT NULL, updated_us BIGINT NOT NULL, last BIGINT, keys BIGINT, sum BIGINT,"
    " PRIMARY KEY(app, usr, id));\n"
    "CREATE UNIQUE INDEX session_num ON session(app, num);\n"
    "CREATE INDEX session_by_app ON session(app, updated_us, usr, id);\n"
    "CREATE INDEX session_by_user ON session(app, usr, updated_us, id);\n"
    "CREATE TABLE event(app TEXT COLLATE \"C\" NOT NULL, num BIGINT NOT NULL, seq BIGINT NOT NULL,"
    " id TEXT COLLATE \"C\" NOT NULL, time_ns BIGINT NOT NULL, json TEXT COLLATE \"C\" NOT NULL,"
    " effect TEXT COLLATE \"C\" NOT NULL, prev BIGINT, sum BIGINT, PRIMARY KEY(app, num, seq));\n"
    "CREATE INDEX event_time ON event(app, num, time_ns);\n"
    "CREATE UNIQUE INDEX event_id ON event(app, num, id);\n"
    "CREATE TABLE scope(app TEXT COLLATE \"C\" NOT NULL, usr TEXT COLLATE \"C\" NOT NULL, rev BIGINT NOT NULL,"
    " keys BIGINT, sum BIGINT, PRIMARY KEY(app, usr));\n"
    "CREATE TABLE state(app TEXT COLLATE \"C\" NOT NULL, usr TEXT COLLATE \"C\" NOT NULL,"
    " sid TEXT COLLATE \"C\" NOT NULL, key TEXT COLLATE \"C\" NOT NULL, value TEXT COLLATE \"C\" NOT NULL,"
    " rev BIGINT NOT NULL, PRIMARY KEY(app, usr, sid, key));\n";

static const aci_sql_migration sqlite[] = {{0}, {2, 2, sqlite_2}};
static const aci_sql_migration postgres[] = {{0}, {2, 2, postgres_2}};

const aci_service aci_session_service = {
    {[ACI_SQL_SQLITE] = {"session", sqlite, sizeof sqlite / sizeof *sqlite},
     [ACI_SQL_POSTGRES] = {"session", postgres, sizeof postgres / sizeof *postgres}},
    ACI_SERVICE_VERSION(ACI_SESSION_SERVICE, "session"),
    aci_session_check,
};
