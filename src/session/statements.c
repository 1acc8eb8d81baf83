/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of sessions, and the checksums of their rows. */
#include "session/session_internal.h"

#include "base/error.h"
#include "store/core/sql.h"
#include <inttypes.h>

/* ==== checksums of sessions, by which damage and what is missing are noticed ===================================== */

/* ---- rows ----------------------------------------------------------------------------------------------------- */

agentchat_status aci_sums_of_session(const aci_session_name *name, const aci_session_row *row, int64_t *out,
                                     agentchat_error *err)
{
    const int64_t numbers[] = {row->num,        row->seq,  row->rewinds, row->created_us,
                               row->updated_us, row->last, row->keys};
    aci_row_sum sum;

    aci_row_sum_begin(&sum);
    aci_row_sum_text(&sum, name->app);
    aci_row_sum_text(&sum, name->user);
    aci_row_sum_text(&sum, name->id);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        aci_row_sum_integer(&sum, numbers[i]);
    return aci_row_sum_end(&sum, out, err);
}

static agentchat_status sums_of_scope(const aci_scope_row *row, int64_t *out, agentchat_error *err)
{
    aci_row_sum sum;

    aci_row_sum_begin(&sum);
    aci_row_sum_text(&sum, row->app);
    aci_row_sum_text(&sum, row->user);
    aci_row_sum_integer(&sum, row->revision);
    aci_row_sum_integer(&sum, row->keys);
    return aci_row_sum_end(&sum, out, err);
}

static agentchat_status sums_of_event(const aci_event_row *row, int64_t *out, agentchat_error *err)
{
    aci_row_sum sum;

    aci_row_sum_begin(&sum);
    aci_row_sum_integer(&sum, row->seq);
    aci_row_sum_text(&sum, row->id);
    aci_row_sum_integer(&sum, row->time_ns);
    aci_row_sum_text(&sum, row->json);
    aci_row_sum_text(&sum, row->effect);
    aci_row_sum_integer(&sum, row->sums.is_linked);
    aci_row_sum_integer(&sum, row->sums.previous);
    return aci_row_sum_end(&sum, out, err);
}

static bool is_there(const aci_sql_value *columns, size_t count, size_t index)
{
    return index < count && columns[index].type != ACI_SQL_NULL;
}

/* So many columns of sums: all of them, or *are_there is false and none of them. */
static agentchat_status read_all(const aci_sql_value *columns, size_t count, size_t first, int64_t *const *out,
                                 size_t wanted, bool *are_there, agentchat_error *err)
{
    agentchat_status status = AGENTCHAT_OK;
    size_t found = 0;

    for (size_t i = 0; i < wanted; i++)
        found += is_there(columns, count, first + i);
    *are_there = found > 0;
    for (size_t i = 0; i < wanted && status >= 0 && found > 0; i++)
        status = aci_transact_column_integer(columns, count, first + i, out[i], err);
    return status;
}

static agentchat_status compare(int64_t stored, int64_t computed, const char *what, agentchat_error *err)
{
    if (stored == computed)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "%s is damaged: its checksum is not that of its columns", what);
}

agentchat_status aci_sums_read_session(const aci_session_name *name, aci_session_row *row, const aci_sql_value *columns,
                                       size_t count, size_t first, agentchat_error *err)
{
    int64_t stored = 0, computed = 0;
    int64_t *const sums[] = {&row->last, &row->keys, &stored};
    agentchat_status status;

    row->last = row->keys = 0;
    status = read_all(columns, count, first, sums, sizeof sums / sizeof *sums, &row->is_summed, err);
    if (status >= 0 && row->is_summed)
        status = aci_sums_of_session(name, row, &computed, err);
    return status < 0 ? status : compare(stored, computed, "its row", err);
}

agentchat_status aci_sums_read_scope(aci_scope_row *row, const aci_sql_value *columns, size_t count, size_t first,
                                     agentchat_error *err)
{
    int64_t stored = 0, computed = 0;
    int64_t *const sums[] = {&row->keys, &stored};
    agentchat_status status;

    row->keys = 0;
    status = read_all(columns, count, first, sums, sizeof sums / sizeof *sums, &row->is_summed, err);
    if (status >= 0 && row->is_summed)
        status = sums_of_scope(row, &computed, err);
    if (status >= 0)
        status = compare(stored, computed, "the row of its state", err);
    row->is_summed = row->is_summed || row->revision == 0; /* made to be locked: it has had no keys yet */
    return status;
}

agentchat_status aci_sums_read_event(aci_event_row *row, const aci_sql_value *columns, size_t count, size_t first,
                                     agentchat_error *err)
{
    aci_event_sums *sums = &row->sums;
    int64_t *const linked[] = {&sums->previous, &sums->sum};

    *sums = (aci_event_sums){.is_linked = is_there(columns, count, first)};
    return sums->is_linked ? read_all(columns, count, first, linked, 2, &sums->is_summed, err)
                           : read_all(columns, count, first + 1, &linked[1], 1, &sums->is_summed, err);
}

agentchat_status aci_sums_check_event(const aci_event_row *row, agentchat_error *err)
{
    int64_t computed = 0;
    agentchat_status status = row->sums.is_summed ? sums_of_event(row, &computed, err) : AGENTCHAT_OK;

    if (status < 0 || computed == row->sums.sum)
        return status;
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "event %" PRId64 " is damaged: its checksum is not that of its columns",
                    row->seq);
}

/* ---- keys ----------------------------------------------------------------------------------------------------- */

agentchat_status aci_sums_toggle_key(int64_t *keys, agentchat_str rest, agentchat_str value, int64_t revision,
                                     agentchat_error *err)
{
    aci_row_sum sum;
    int64_t one = 0;
    agentchat_status status;

    if (value.ptr == NULL)
        return AGENTCHAT_OK;
    aci_row_sum_begin(&sum);
    aci_row_sum_text(&sum, rest);
    aci_row_sum_text(&sum, value);
    aci_row_sum_integer(&sum, revision);
    status = aci_row_sum_end(&sum, &one, err);
    *keys = (int64_t)((uint64_t)*keys ^ (uint64_t)one);
    return status;
}

agentchat_status aci_sums_check_keys(int64_t read, int64_t stored, agentchat_scope scope, agentchat_error *err)
{
    static const char *const whose[] = {
        [AGENTCHAT_SCOPE_SESSION] = "session", [AGENTCHAT_SCOPE_USER] = "user", [AGENTCHAT_SCOPE_APP] = "application"};

    if (read == stored)
        return AGENTCHAT_OK;
    return aci_fail(err, AGENTCHAT_E_CORRUPT,
                    "the stored state of the %s is damaged: its keys are not those of its checksum", whose[scope]);
}

/* ---- events --------------------------------------------------------------------------------------------------- */

static agentchat_status fail_chain(agentchat_error *err)
{
    return aci_fail(err, AGENTCHAT_E_CORRUPT, "the stored events are not all there, or not where they belong");
}

agentchat_status aci_sums_check_chain(const aci_event_array *events, bool newest_first, const int64_t *before,
                                      const aci_session_row *row, agentchat_error *err)
{
    bool is_known = before != NULL;
    int64_t previous = before != NULL ? *before : 0;
    uint64_t sequence = 0;

    if (!row->is_summed)
        return AGENTCHAT_OK;
    for (size_t i = 0; i < events->count; i++) {
        const agentchat_event *event = events->list[newest_first ? events->count - 1 - i : i];

        if (!event->sums.is_summed || !event->sums.is_linked || event->sequence <= sequence ||
            (is_known && event->sums.previous != previous))
            return fail_chain(err);
        previous = event->sums.sum;
        sequence = event->sequence;
        is_known = true;
    }
    return is_known && previous != row->last ? fail_chain(err) : AGENTCHAT_OK;
}

/* ==== every SQL statement of the session service ================================================================= */

/* Both databases use the same text but for locks. */

#define OWN(which, text)                                                                                               \
    {                                                                                                                  \
        ACI_SESSION_SERVICE, which, text                                                                               \
    }
#define SAME(which, text) [which] = {{OWN(which, text), OWN(which, text)}}
/* PostgreSQL locks rows; SQLite's transactions that write are alone. */
#define LOCKS(which, text) [which] = {{OWN(which, text), OWN(which, text " FOR UPDATE")}}

#define NUMBERS "num, seq, rewinds, created_us, updated_us, last, keys, sum"
#define SESSION_ROW "SELECT " NUMBERS " FROM session WHERE app = $1 AND usr = $2 AND id = $3"
#define LIST "SELECT usr, id, " NUMBERS " FROM session WHERE app = $1"
#define SCOPE_ROW "SELECT rev, keys, sum FROM scope WHERE app = $1 AND usr = $2"
#define STATE "SELECT key, value, rev FROM state WHERE app = $1 AND usr = $2 AND sid = $3"
#define EVENT "SELECT seq, id, time_ns, json, effect, prev, sum FROM event WHERE app = $1"
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
#define ALL_SESSIONS                                                                                                   \
    "SELECT app, usr, id, " NUMBERS " FROM session WHERE (app, usr, id) > ($1, $2, $3)"                                \
    " ORDER BY app, usr, id LIMIT $4 OFFSET $5"
/* app, usr of the last one, limit, how many after it are skipped */
#define ALL_SCOPES                                                                                                     \
    "SELECT app, usr, rev, keys, sum FROM scope WHERE (app, usr) > ($1, $2) ORDER BY app, usr LIMIT $3 OFFSET $4"
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
    /* app, usr, id, num, seq, rewinds, created, updated, last, keys, sum */
    SAME(ACI_STATEMENT_SESSION_INSERT,
         "INSERT INTO session(app, usr, id, num, seq, rewinds, created_us, updated_us, last, keys, sum)"
         " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING"),
    /* seq, rewinds, updated, last, keys, sum, app, usr, id */
    SAME(ACI_STATEMENT_SESSION_ADVANCE, "UPDATE session SET seq = $1, rewinds = $2, updated_us = $3, last = $4,"
                                        " keys = $5, sum = $6 WHERE app = $7 AND usr = $8 AND id = $9"),
    /* app, usr, id */
    SAME(ACI_STATEMENT_SESSION_DELETE, "DELETE FROM session WHERE app = $1 AND usr = $2 AND id = $3"),
    /* app, usr */
    LOCKS(ACI_STATEMENT_SESSION_NUMBERS, "SELECT id, num FROM session WHERE app = $1 AND usr = $2 ORDER BY id"),
    /* app, usr: the row as it is, and it stays so until the transaction ends. PostgreSQL locks it, so it has to be
       there. */
    [ACI_STATEMENT_SCOPE_HOLD] = {{OWN(ACI_STATEMENT_SCOPE_HOLD, SCOPE_ROW),
                                   OWN(ACI_STATEMENT_SCOPE_HOLD,
                                       "INSERT INTO scope(app, usr, rev) VALUES($1, $2, 0) ON CONFLICT(app, usr)"
                                       " DO UPDATE SET rev = scope.rev RETURNING rev, keys, sum")}},
    /* app, usr, rev, keys, sum */
    SAME(ACI_STATEMENT_SCOPE_PUT, "INSERT INTO scope(app, usr, rev, keys, sum) VALUES($1, $2, $3, $4, $5)"
                                  " ON CONFLICT(app, usr) DO UPDATE SET rev = excluded.rev, keys = excluded.keys,"
                                  " sum = excluded.sum"),
    SAME(ACI_STATEMENT_SCOPE_DELETE, "DELETE FROM scope WHERE app = $1 AND usr = $2"),
    /* app, usr, sid */
    SAME(ACI_STATEMENT_STATE, STATE " ORDER BY key"),
    /* app, usr, sid, key of the last one, limit */
    SAME(ACI_STATEMENT_STATE_AFTER, STATE " AND key > $4 ORDER BY key LIMIT $5"),
    /* app, usr, sid, the sequence that is known: nothing when it is still that */
    SAME(ACI_STATEMENT_STATE_IF_SEQUENCE,
         STATE " AND (SELECT seq FROM session WHERE app = $1 AND usr = $2 AND id = $3) <> $4 ORDER BY key"),
    /* app, usr, sid (''), the revision that is known: nothing when it is still that */
    SAME(ACI_STATEMENT_STATE_IF_REVISION,
         STATE " AND COALESCE((SELECT scope.rev FROM scope WHERE app = $1 AND usr = $2), 0) <> $4 ORDER BY key"),
    /* app, usr, sid, key */
    SAME(ACI_STATEMENT_STATE_VALUE,
         "SELECT value, rev FROM state WHERE app = $1 AND usr = $2 AND sid = $3 AND key = $4"),
    /* app, usr, sid, key, value, rev */
    SAME(ACI_STATEMENT_STATE_PUT, "INSERT INTO state(app, usr, sid, key, value, rev) VALUES($1, $2, $3, $4, $5, $6)"
                                  " ON CONFLICT(app, usr, sid, key) DO UPDATE SET value = excluded.value,"
                                  " rev = excluded.rev"),
    /* app, usr, sid, key */
    SAME(ACI_STATEMENT_STATE_DELETE, "DELETE FROM state WHERE app = $1 AND usr = $2 AND sid = $3 AND key = $4"),
    /* app, usr, sid */
    SAME(ACI_STATEMENT_STATE_CLEAR, "DELETE FROM state WHERE app = $1 AND usr = $2 AND sid = $3"),
    /* new sid, app, usr, old sid */
    SAME(ACI_STATEMENT_STATE_COPY, "INSERT INTO state(app, usr, sid, key, value, rev)"
                                   " SELECT app, usr, CAST($1 AS TEXT), key, value, rev FROM state"
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
    /* app, num, seq, id, time, json, effect, prev, sum */
    SAME(ACI_STATEMENT_EVENT_INSERT, "INSERT INTO event(app, num, seq, id, time_ns, json, effect, prev, sum)"
                                     " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9)"),
    /* app, num, the sequence number after which */
    SAME(ACI_STATEMENT_EVENT_UNDO, EVENT " AND num = $2 AND seq > $3 ORDER BY seq DESC"),
    SAME(ACI_STATEMENT_EVENTS_CUT, "DELETE FROM event WHERE app = $1 AND num = $2 AND seq > $3"),
    /* app, num */
    SAME(ACI_STATEMENT_EVENTS_CLEAR, "DELETE FROM event WHERE app = $1 AND num = $2"),
    /* new num, app, old num */
    SAME(ACI_STATEMENT_EVENTS_COPY,
         "INSERT INTO event(app, num, seq, id, time_ns, json, effect, prev, sum)"
         " SELECT app, CAST($1 AS BIGINT), seq, id, time_ns, json, effect, prev, sum FROM event"
         " WHERE app = $2 AND num = $3"),
    /* app, usr, sid, key of the last one, limit, how many after it are skipped */
    SAME(ACI_STATEMENT_ALL_STATE,
         "SELECT app, usr, sid, key, value, rev,"
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

void aci_statement_optional(aci_tx *tx, bool is_there, int64_t number)
{
    if (is_there)
        aci_transact_integer(tx, number);
    else
        aci_transact_text(tx, (agentchat_str){NULL, 0});
}

void aci_statement_name(aci_tx *tx, const aci_session_name *name)
{
    aci_transact_text(tx, name->app);
    aci_transact_text(tx, name->user);
    aci_transact_text(tx, name->id);
}

void aci_statement_scope(aci_tx *tx, const aci_session_name *name, agentchat_scope scope)
{
    aci_transact_text(tx, name->app);
    aci_transact_text(tx, scope == AGENTCHAT_SCOPE_APP ? AGENTCHAT_STR("") : name->user);
    aci_transact_text(tx, scope == AGENTCHAT_SCOPE_SESSION ? name->id : AGENTCHAT_STR(""));
}

void aci_statement_add_put(aci_tx *tx, const aci_session_name *name, agentchat_scope scope, agentchat_str rest,
                           agentchat_str value, int64_t revision)
{
    aci_statement_add(tx, value.ptr != NULL ? ACI_STATEMENT_STATE_PUT : ACI_STATEMENT_STATE_DELETE, NULL, NULL);
    aci_statement_scope(tx, name, scope);
    aci_transact_text(tx, rest);
    if (value.ptr == NULL)
        return;
    aci_transact_text(tx, value);
    aci_transact_integer(tx, revision);
}

void aci_statement_owner(aci_tx *tx, const aci_session_name *name, agentchat_scope scope)
{
    aci_transact_text(tx, name->app);
    aci_transact_text(tx, scope == AGENTCHAT_SCOPE_APP ? AGENTCHAT_STR("") : name->user);
}

agentchat_status aci_statement_add_scope(aci_tx *tx, const aci_scope_row *row, agentchat_error *err)
{
    int64_t sum = 0;
    agentchat_status status = row->is_summed ? sums_of_scope(row, &sum, err) : AGENTCHAT_OK;

    aci_statement_add(tx, ACI_STATEMENT_SCOPE_PUT, NULL, NULL);
    aci_transact_text(tx, row->app);
    aci_transact_text(tx, row->user);
    aci_transact_integer(tx, row->revision);
    aci_statement_optional(tx, row->is_summed, row->keys);
    aci_statement_optional(tx, row->is_summed, sum);
    return status;
}

agentchat_status aci_statement_add_advance(aci_tx *tx, const aci_session_name *name, const aci_session_row *row,
                                           agentchat_error *err)
{
    int64_t sum = 0;
    agentchat_status status = row->is_summed ? aci_sums_of_session(name, row, &sum, err) : AGENTCHAT_OK;

    aci_statement_add(tx, ACI_STATEMENT_SESSION_ADVANCE, NULL, NULL);
    aci_transact_integer(tx, row->seq);
    aci_transact_integer(tx, row->rewinds);
    aci_transact_integer(tx, row->updated_us);
    aci_statement_optional(tx, row->is_summed, row->last);
    aci_statement_optional(tx, row->is_summed, row->keys);
    aci_statement_optional(tx, row->is_summed, sum);
    aci_statement_name(tx, name);
    return status;
}

agentchat_status aci_statement_add_event(aci_tx *tx, const aci_session_name *name, int64_t num, aci_event_row *row,
                                         agentchat_error *err)
{
    agentchat_status status = sums_of_event(row, &row->sums.sum, err);

    row->sums.is_summed = true;
    aci_statement_add(tx, ACI_STATEMENT_EVENT_INSERT, NULL, NULL);
    aci_transact_text(tx, name->app);
    aci_transact_integer(tx, num);
    aci_transact_integer(tx, row->seq);
    aci_transact_text(tx, row->id);
    aci_transact_integer(tx, row->time_ns);
    aci_transact_text(tx, row->json);
    aci_transact_text(tx, row->effect);
    aci_statement_optional(tx, row->sums.is_linked, row->sums.previous);
    aci_transact_integer(tx, row->sums.sum);
    return status;
}
