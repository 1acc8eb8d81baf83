/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checksums of sessions, by which damage and what is missing are noticed.
 *
 * The row of a session, of a scope and of an event has a checksum of its columns. Each event also has that of the event
 * before it, and the session that of its last one, so that events are a chain which nothing drops out of. The session
 * and each scope have the checksums of all their keys in one number, as their exclusive or, so that a change of some
 * keys costs those keys and no more. An event's checksum leaves out the number of its session: a copy of a session has
 * the same events.
 */
#ifndef ACI_SESSION_SUMS_H
#define ACI_SESSION_SUMS_H

#include "event/event.h"
#include "store/core/sql.h"

typedef struct aci_session_name {
    agentchat_str app, user, id;
} aci_session_name;

typedef struct aci_session_row { /* of the table session */
    int64_t num, seq, rewinds, created_us, updated_us;
    int64_t last; /* checksum of the last event; 0: there is none */
    int64_t keys; /* of all its own keys */
    bool is_summed;
} aci_session_row;

typedef struct aci_scope_row { /* of the table scope; one that is not there has revision 0 and no keys */
    agentchat_str app, user;   /* user: empty for the application's */
    int64_t revision;
    int64_t keys;
    bool is_summed;
} aci_scope_row;

typedef struct aci_event_row { /* of the table event */
    int64_t seq, time_ns;
    agentchat_str id, json, effect;
    aci_event_sums sums;
} aci_event_row;

typedef struct aci_event_array {
    agentchat_event **list; /* one reference each */
    size_t count, cap;
} aci_event_array;

/* The checksums of rows. E_NOMEM. */
agentchat_status aci_sums_of_session(const aci_session_name *name, const aci_session_row *row, int64_t *out,
                                     agentchat_error *err);
agentchat_status aci_sums_of_scope(const aci_scope_row *row, int64_t *out, agentchat_error *err);
agentchat_status aci_sums_of_event(const aci_event_row *row, int64_t *out, agentchat_error *err);

/* The sums that stand in a row from column `first` on: of a session (last, keys, sum) and a scope (keys, sum), whose
   other columns have been read, and of an event (prev, sum). Rows of older tables have no such columns. E_CORRUPT when
   the row is damaged; an event is compared by aci_sums_check_event(). */
agentchat_status aci_sums_read_session(const aci_session_name *name, aci_session_row *row, const aci_sql_value *columns,
                                       size_t count, size_t first, agentchat_error *err);
agentchat_status aci_sums_read_scope(aci_scope_row *row, const aci_sql_value *columns, size_t count, size_t first,
                                     agentchat_error *err);
agentchat_status aci_sums_read_event(aci_event_row *row, const aci_sql_value *columns, size_t count, size_t first,
                                     agentchat_error *err);
agentchat_status aci_sums_check_event(const aci_event_row *row, agentchat_error *err);

/* Takes a key with its value and revision out of *keys, or puts it in, which is the same. rest: without the scope's
   prefix; value: absent when there is no such key. E_NOMEM. */
agentchat_status aci_sums_toggle_key(int64_t *keys, agentchat_str rest, agentchat_str value, int64_t revision,
                                     agentchat_error *err);
/* Whether the keys that were read are those of their owner: E_CORRUPT. */
agentchat_status aci_sums_check_keys(int64_t read, int64_t stored, agentchat_scope scope, agentchat_error *err);

/* Whether events, up to the session's last one, are a chain: E_CORRUPT. before: the checksum of the event before the
   first one, 0 where that is the session's first; NULL: not known. newest_first: their order. */
agentchat_status aci_sums_check_chain(const aci_event_array *events, bool newest_first, const int64_t *before,
                                      const aci_session_row *row, agentchat_error *err);

#endif
