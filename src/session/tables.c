/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of sessions. docs/stores.md describes them. Versions 1 and 2 were never released.
 *
 * Every table begins its primary key with the application, and nothing refers from one application to another, so
 * that a distributed database can spread the tables by it. `num` is a session's number, drawn at random when it is
 * made: a session that is deleted and made again under the same id is another one. In `state`, an empty usr or sid
 * stands for the wider scopes. Texts compare by their bytes.
 */
#include "session/session_internal.h"

#define STATE(C) ACI_STATE_OWNER(C) ACI_STATE_COLUMNS(C)
#define EVENT(C) ACI_EVENT_OWNER(C) ACI_EVENT_COLUMNS(C)

#define INDEXES                                                                                                        \
    "CREATE UNIQUE INDEX session_num ON session(app, num);\n"                                                          \
    "CREATE INDEX session_by_app ON session(app, updated_us, usr, id);\n"                                              \
    "CREATE INDEX session_by_user ON session(app, usr, updated_us, id);\n"                                             \
    "CREATE UNIQUE INDEX event_id ON event(app, num, id);\n"                                                           \
    "CREATE INDEX event_time ON event(app, num, time_ns);\n"

/* What was released once stays here: a file made by it is known by these very texts. */
static const char sqlite_3[] =
    ACI_CREATE_SQLITE("session", ACI_SESSION_COLUMNS, "app, usr, id") ", WITHOUT ROWID;\n" ACI_CREATE_SQLITE(
        "event", EVENT,
        "app, num, seq") ";\n" ACI_CREATE_SQLITE("scope", ACI_SCOPE_COLUMNS,
                                                 "app, usr") ", WITHOUT ROWID;\n" ACI_CREATE_SQLITE("state", STATE,
                                                                                                    "app, usr, sid, "
                                                                                                    "key") ", WITHOUT "
                                                                                                           "ROWID;"
                                                                                                           "\n" INDEXES;

static const char postgres_3[] = ACI_CREATE_POSTGRES("session", ACI_SESSION_COLUMNS, "app, usr, id")
    ACI_CREATE_POSTGRES("event", EVENT, "app, num, seq") ACI_CREATE_POSTGRES("scope", ACI_SCOPE_COLUMNS, "app, usr")
        ACI_CREATE_POSTGRES("state", STATE, "app, usr, sid, key") INDEXES;

static const aci_sql_migration sqlite[] = {{0}, {0}, {3, 3, sqlite_3}};
static const aci_sql_migration postgres[] = {{0}, {0}, {3, 3, postgres_3}};

const aci_service aci_session_service = {
    {[ACI_SQL_SQLITE] = {"session", sqlite, sizeof sqlite / sizeof *sqlite},
     [ACI_SQL_POSTGRES] = {"session", postgres, sizeof postgres / sizeof *postgres}},
    ACI_SERVICE_VERSION(ACI_SESSION_SERVICE, "session"),
    aci_session_check,
};
