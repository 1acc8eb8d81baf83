/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of sessions, and their tables as rows are read and written. */
#include "session/session_internal.h"

#include "base/error.h"
#include "store/core/sql.h"
#include <inttypes.h>

#define STATE_COLUMNS(C) ACI_STATE_OWNER(C) ACI_STATE_COLUMNS(C)
#define EVENT_COLUMNS(C) ACI_EVENT_OWNER(C) ACI_EVENT_COLUMNS(C)

static const aci_column session_columns[] = {ACI_SESSION_COLUMNS(ACI_COLUMN)};
static const aci_column scope_columns[] = {ACI_SCOPE_COLUMNS(ACI_COLUMN)};
static const aci_column state_columns[] = {STATE_COLUMNS(ACI_COLUMN)};
static const aci_column event_columns[] = {EVENT_COLUMNS(ACI_COLUMN)};

const aci_table aci_session_table = ACI_TABLE("its row", session_columns, 0, 3);
const aci_table aci_scope_table = ACI_TABLE("the row of its state", scope_columns, 0, 2);
const aci_table aci_state_table = ACI_TABLE("key", state_columns, 3, 1);
const aci_table aci_event_table = ACI_SALTED_TABLE("event", event_columns, 2, 1, offsetof(aci_event_row, origin));

/* Both databases use the same text but for locks. */
#define OWN(which, text)                                                                                               \
    {                                                                                                                  \
        ACI_SESSION_SERVICE, which, text                                                                               \
    }
#define SAME(which, text) [which] = {{OWN(which, text), OWN(which, text)}}
/* PostgreSQL locks rows; SQLite's transactions that write are alone. */
#define LOCKS(which, text) [which] = {{OWN(which, text), OWN(which, text " FOR UPDATE")}}

#define SESSION "SELECT " ACI_SESSION_COLUMNS(ACI_NAME) "sum FROM session"
#define SESSION_ROW SESSION " WHERE app = $1 AND usr = $2 AND id = $3"
#define LIST SESSION " WHERE app = $1"
#define SCOPE "SELECT " ACI_SCOPE_COLUMNS(ACI_NAME) "sum FROM scope"
#define SCOPE_ROW SCOPE " WHERE app = $1 AND usr = $2"
#define STATE "SELECT " ACI_STATE_COLUMNS(ACI_NAME) "sum FROM state WHERE app = $1 AND usr = $2 AND sid = $3"
#define EVENT "SELECT " ACI_EVENT_COLUMNS(ACI_NAME) "sum FROM event WHERE app = $1"
#define OF_SESSION " AND num = (SELECT session.num FROM session WHERE app = $1 AND usr = $2 AND id = $3)"

/* app, limit */
#define LIST_APP LIST " ORDER BY updated_us DESC, usr DESC, id DESC LIMIT $2"
/* app, updated, usr, id, limit */
#define LIST_APP_AFTER                                                                                                 \
    LIST " AND (updated_us, usr, id) < ($2, $3, $4) ORDER BY updated_us DESC, usr DESC, id DESC LIMIT $5"
/* app, usr, limit */
#define LIST_USER LIST " AND usr = $2 ORDER BY updated_us DESC, id DESC LIMIT $3"
/* app, usr, updated, id, limit */
#define LIST_USER_AFTER LIST " AND usr = $2 AND (updated_us, id) < ($3, $4) ORDER BY updated_us DESC, id DESC LIMIT $5"
/* app, usr, id, the sequence number after which, limit */
#define EVENTS_LAST EVENT OF_SESSION " AND seq > $4 ORDER BY seq DESC LIMIT $5"
/* app, usr, id, the sequence number after which, the time since which, limit; `+ 0`: found by time, not by sequence
   number */
#define EVENTS_LAST_SINCE EVENT OF_SESSION " AND seq + 0 > $4 AND time_ns >= $5 ORDER BY seq + 0 DESC LIMIT $6"
/* app, num, the sequence number after which */
#define EVENTS_AFTER EVENT " AND num = $2 AND seq > $3 ORDER BY seq"
/* app, usr, id of the last one, limit, how many after it are skipped */
#define ALL_SESSIONS SESSION " WHERE (app, usr, id) > ($1, $2, $3) ORDER BY app, usr, id LIMIT $4 OFFSET $5"
/* app, usr of the last one, limit, how many after it are skipped */
#define ALL_SCOPES SCOPE " WHERE (app, usr) > ($1, $2) ORDER BY app, usr LIMIT $3 OFFSET $4"
/* app, num, the sequence number after which, limit, how many after it are skipped */
#define ALL_EVENTS EVENT " AND num = $2 AND seq > $3 ORDER BY seq LIMIT $4 OFFSET $5"

const aci_statement aci_session_statements[ACI_STATEMENT_COUNT_] = {
    /* app, usr, id */
    SAME(ACI_STATEMENT_SESSION, SESSION_ROW),
    SAME(ACI_STATEMENT_LIST_APP, LIST_APP),
    SAME(ACI_STATEMENT_LIST_APP_AFTER, LIST_APP_AFTER),
    SAME(ACI_STATEMENT_LIST_USER, LIST_USER),
    SAME(ACI_STATEMENT_LIST_USER_AFTER, LIST_USER_AFTER),
    /* app, usr ('' for the application) */
    SAME(ACI_STATEMENT_SCOPE, SCOPE_ROW),
    SAME(ACI_STATEMENT_EVENTS_LAST, EVENTS_LAST),
    SAME(ACI_STATEMENT_EVENTS_LAST_SINCE, EVENTS_LAST_SINCE),
    SAME(ACI_STATEMENT_EVENTS_AFTER, EVENTS_AFTER),
    SAME(ACI_STATEMENT_ALL_SESSIONS, ALL_SESSIONS),
    SAME(ACI_STATEMENT_ALL_SCOPES, ALL_SCOPES),
    SAME(ACI_STATEMENT_ALL_EVENTS, ALL_EVENTS),
    /* app, usr, id */
    LOCKS(ACI_STATEMENT_SESSION_LOCK, SESSION_ROW),
    /* all columns */
    SAME(ACI_STATEMENT_SESSION_INSERT,
         ACI_INSERT("session", ACI_SESSION_COLUMNS, ACI_VALUES_10) " ON CONFLICT DO NOTHING"),
    /* seq, rewinds, updated, sum, app, usr, id */
    SAME(ACI_STATEMENT_SESSION_ADVANCE, "UPDATE session SET seq = $1, rewinds = $2, updated_us = $3, sum = $4"
                                        " WHERE app = $5 AND usr = $6 AND id = $7"),
    /* app, usr, id */
    SAME(ACI_STATEMENT_SESSION_DELETE, "DELETE FROM session WHERE app = $1 AND usr = $2 AND id = $3"),
    /* app, usr */
    LOCKS(ACI_STATEMENT_SESSION_NUMBERS, "SELECT id, num FROM session WHERE app = $1 AND usr = $2 ORDER BY id"),
    /* all columns, of a scope without keys: the row as it is, and it stays so until the transaction ends. PostgreSQL
       locks it, so it has to be there. */
    [ACI_STATEMENT_SCOPE_HOLD] = {{OWN(ACI_STATEMENT_SCOPE_HOLD, NULL),
                                   OWN(ACI_STATEMENT_SCOPE_HOLD,
                                       ACI_INSERT("scope", ACI_SCOPE_COLUMNS,
                                                  ACI_VALUES_4) " ON CONFLICT(app, usr) DO UPDATE SET rev = scope.rev "
                                                                "RETURNING " ACI_SCOPE_COLUMNS(ACI_NAME) "sum")}},
    /* all columns */
    SAME(ACI_STATEMENT_SCOPE_PUT,
         ACI_INSERT("scope", ACI_SCOPE_COLUMNS,
                    ACI_VALUES_4) " ON CONFLICT(app, usr) DO UPDATE SET rev = excluded.rev, sum = excluded.sum"),
    SAME(ACI_STATEMENT_SCOPE_DELETE, "DELETE FROM scope WHERE app = $1 AND usr = $2"),
    /* app, usr, sid */
    SAME(ACI_STATEMENT_STATE, STATE " ORDER BY key"),
    /* app, usr, sid, the sequence that is known: nothing when it is still that */
    SAME(ACI_STATEMENT_STATE_IF_SEQUENCE,
         STATE " AND (SELECT seq FROM session WHERE app = $1 AND usr = $2 AND id = $3) <> $4 ORDER BY key"),
    /* app, usr, sid (''), the revision that is known: nothing when it is still that */
    SAME(ACI_STATEMENT_STATE_IF_REVISION,
         STATE " AND COALESCE((SELECT scope.rev FROM scope WHERE app = $1 AND usr = $2), 0) <> $4 ORDER BY key"),
    /* app, usr, sid, key */
    SAME(ACI_STATEMENT_STATE_VALUE, STATE " AND key = $4"),
    /* all columns */
    SAME(ACI_STATEMENT_STATE_PUT,
         ACI_INSERT("state", STATE_COLUMNS,
                    ACI_VALUES_7) " ON CONFLICT(app, usr, sid, key) DO UPDATE SET value = excluded.value,"
                                  " rev = excluded.rev, sum = excluded.sum"),
    /* app, usr, sid, key */
    SAME(ACI_STATEMENT_STATE_DELETE, "DELETE FROM state WHERE app = $1 AND usr = $2 AND sid = $3 AND key = $4"),
    /* app, usr, sid */
    SAME(ACI_STATEMENT_STATE_CLEAR, "DELETE FROM state WHERE app = $1 AND usr = $2 AND sid = $3"),
    /* new sid, app, usr, old sid */
    SAME(ACI_STATEMENT_STATE_COPY, "INSERT INTO state(app, usr, sid, " ACI_STATE_COLUMNS(
                                       ACI_NAME) "sum)"
                                                 " SELECT app, usr, CAST($1 AS TEXT), " ACI_STATE_COLUMNS(
                                                     ACI_NAME) "sum FROM state"
                                                               " WHERE app = $2 AND usr = $3 AND sid = $4"),
    /* as EVENTS_LAST_SINCE: how many events there are from the first of those on */
    SAME(ACI_STATEMENT_EVENTS_SPANNED,
         "SELECT COUNT(*) FROM event WHERE app = $1" OF_SESSION
         " AND seq >= (SELECT MIN(held.seq) FROM (SELECT seq FROM event WHERE app = $1" OF_SESSION
         " AND seq + 0 > $4 AND time_ns >= $5 ORDER BY seq + 0 DESC"
         " LIMIT $6) AS held)"),
    /* app, num, first sequence number, last one, the number of rewinds that is known: nothing when it is still that */
    SAME(ACI_STATEMENT_EVENTS_LEFT,
         "SELECT seq FROM event WHERE app = $1 AND num = $2 AND seq >= $3 AND seq <= $4"
         " AND (SELECT rewinds FROM session WHERE app = $1 AND num = $2) <> $5 ORDER BY seq"),
    /* app, num, id */
    SAME(ACI_STATEMENT_EVENT_BY_ID, EVENT " AND num = $2 AND id = $3"),
    /* all columns */
    SAME(ACI_STATEMENT_EVENT_INSERT, ACI_INSERT("event", EVENT_COLUMNS, ACI_VALUES_8)),
    /* app, num, the sequence number after which */
    SAME(ACI_STATEMENT_EVENT_UNDO, EVENT " AND num = $2 AND seq > $3 ORDER BY seq DESC"),
    SAME(ACI_STATEMENT_EVENTS_CUT, "DELETE FROM event WHERE app = $1 AND num = $2 AND seq > $3"),
    /* app, num */
    SAME(ACI_STATEMENT_EVENTS_CLEAR, "DELETE FROM event WHERE app = $1 AND num = $2"),
    /* new num, app, old num */
    SAME(ACI_STATEMENT_EVENTS_COPY,
         "INSERT INTO event(app, num, " ACI_EVENT_COLUMNS(
             ACI_NAME) "sum)"
                       " SELECT app, CAST($1 AS BIGINT), " ACI_EVENT_COLUMNS(ACI_NAME) "sum FROM event"
                                                                                       " WHERE app = $2 AND num = $3"),
    /* app, usr, sid, key of the last one, limit, how many after it are skipped */
    SAME(ACI_STATEMENT_ALL_STATE,
         "SELECT " STATE_COLUMNS(
             ACI_NAME) "sum,"
                       " CASE WHEN sid = '' THEN (SELECT scope.rev FROM scope WHERE scope.app = state.app AND"
                       " scope.usr = state.usr) ELSE (SELECT seq + 1 FROM session WHERE"
                       " session.app = state.app AND session.usr = state.usr AND session.id = state.sid) END"
                       " FROM state WHERE (app, usr, sid, key) > ($1, $2, $3, $4)"
                       " ORDER BY app, usr, sid, key LIMIT $5 OFFSET $6"),
    SAME(ACI_STATEMENT_LOST_EVENTS, "SELECT app, num, COUNT(*) FROM event WHERE NOT EXISTS (SELECT 1 FROM session WHERE"
                                    " session.app = event.app AND session.num = event.num) GROUP BY app, num"
                                    " ORDER BY app, num"),
};

void aci_statement_add(aci_tx *tx, aci_session_statement which, aci_sql_row_fn row, void *user)
{
    aci_transact_add(tx, &aci_session_statements[which], row, user);
}

void aci_statement_scope(aci_tx *tx, const aci_session_name *name, agentchat_scope scope)
{
    ACI_BIND(tx, ACI_TEXT(name->app), ACI_TEXT(scope == AGENTCHAT_SCOPE_APP ? AGENTCHAT_STR("") : name->user),
             ACI_TEXT(scope == AGENTCHAT_SCOPE_SESSION ? name->id : AGENTCHAT_STR("")));
}

void aci_statement_add_put(aci_tx *tx, const aci_session_name *name, agentchat_scope scope, agentchat_str rest,
                           agentchat_str value, int64_t revision)
{
    const aci_state_row row = {.app = name->app,
                               .user = scope == AGENTCHAT_SCOPE_APP ? AGENTCHAT_STR("") : name->user,
                               .id = scope == AGENTCHAT_SCOPE_SESSION ? name->id : AGENTCHAT_STR(""),
                               .key = rest,
                               .value = value,
                               .revision = revision};

    if (value.ptr != NULL) {
        aci_statement_add(tx, ACI_STATEMENT_STATE_PUT, NULL, NULL);
        aci_table_bind(tx, &aci_state_table, &row);
        return;
    }
    aci_statement_add(tx, ACI_STATEMENT_STATE_DELETE, NULL, NULL);
    aci_statement_scope(tx, name, scope);
    aci_transact_text(tx, rest);
}

void aci_statement_add_scope(aci_tx *tx, aci_session_statement which, const aci_scope_row *row, aci_sql_row_fn load,
                             void *user)
{
    aci_statement_add(tx, which, load, user);
    aci_table_bind(tx, &aci_scope_table, row);
}

void aci_statement_add_advance(aci_tx *tx, const aci_session_name *name, const aci_session_row *row)
{
    aci_session_row full = *row;

    full.app = name->app;
    full.user = name->user;
    full.id = name->id;
    ACI_SESSION_ASK(tx, ACI_STATEMENT_SESSION_ADVANCE, NULL, NULL, ACI_INT(row->seq), ACI_INT(row->rewinds),
                    ACI_INT(row->updated_us));
    aci_table_bind_sum(tx, &aci_session_table, &full);
    ACI_BIND(tx, ACI_NAMES(name));
}

void aci_statement_add_event(aci_tx *tx, const aci_event_row *row)
{
    aci_statement_add(tx, ACI_STATEMENT_EVENT_INSERT, NULL, NULL);
    aci_table_bind(tx, &aci_event_table, row);
}
