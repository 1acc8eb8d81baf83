/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the session service share.
 *
 * A handle shows a view. Every call on a handle that reaches the store asks, in its first batch, whether something has
 * changed there since. What has is put together outside the view (aci_view_update_finish()) and applied in one step
 * that cannot fail (aci_view_update_apply()), so that a call that fails leaves the view as it was.
 */
#ifndef ACI_SESSION_SESSION_H
#define ACI_SESSION_SESSION_H

#include "base/arena.h"
#include "base/buf.h"
#include "session/sums.h"
#include "session/tables.h"
#include "state/state.h"
#include <agentchat/session.h>

typedef struct aci_view {
    aci_session_row row;
    int64_t app_revision, user_revision;
    agentchat_state *state;     /* all scopes, keys with their prefixes */
    agentchat_state *revisions; /* of the stored keys: the number as text */
    aci_event_array events;     /* in the order of their sequence numbers */
} aci_view;

struct agentchat_session {
    const agentchat_env *env;
    agentchat_store *store;
    aci_session_name name;   /* NUL-terminated */
    agentchat_session_id id; /* the same, for callers */
    bool collects;           /* events that are appended or come from others are kept */
    bool has_holes;          /* it holds events chosen by time, and others lie between them */
    bool is_unloaded;        /* nothing of the view was loaded yet: the next update loads all of it */
    char *invocation;        /* id, NUL-terminated; NULL: none is under way */
    size_t invocation_len;
    aci_view view;
};

/* ---- names ---------------------------------------------------------------------------------------------------- */

/* Checks a session's name as the calls get it. needs_id: who->id may not be NULL. */
agentchat_status aci_session_name_load(const agentchat_session_id *who, bool needs_id, aci_session_name *out,
                                       agentchat_error *err);
/* A number for a new session: 63 random bits. */
agentchat_status aci_session_number(const agentchat_env *env, int64_t *out, agentchat_error *err);
agentchat_status aci_name_fail_no_session(const aci_session_name *name, agentchat_error *err); /* E_NOTFOUND */
/* Puts the session's name before the message of a failure, if it is E_CORRUPT. Gives back the status. */
agentchat_status aci_name_damage(agentchat_status status, const aci_session_name *name, agentchat_error *err);

/* ---- statements ----------------------------------------------------------------------------------------------- */

/* Of the statements: which parameters they take is said in src/session/statements.c. */
typedef enum aci_session_statement {
    ACI_STATEMENT_SESSION,
    ACI_STATEMENT_LIST_APP,
    ACI_STATEMENT_LIST_APP_AFTER,
    ACI_STATEMENT_LIST_USER,
    ACI_STATEMENT_LIST_USER_AFTER,
    ACI_STATEMENT_SCOPE,
    ACI_STATEMENT_EVENTS_LAST,
    ACI_STATEMENT_EVENTS_LAST_SINCE,
    ACI_STATEMENT_EVENTS_AFTER,
    ACI_STATEMENT_ALL_SESSIONS,
    ACI_STATEMENT_ALL_SCOPES,
    ACI_STATEMENT_ALL_EVENTS,
    ACI_STATEMENT_SESSION_LOCK,
    ACI_STATEMENT_SESSION_INSERT,
    ACI_STATEMENT_SESSION_ADVANCE,
    ACI_STATEMENT_SESSION_DELETE,
    ACI_STATEMENT_SESSION_NUMBERS,
    ACI_STATEMENT_SCOPE_HOLD,
    ACI_STATEMENT_SCOPE_PUT,
    ACI_STATEMENT_SCOPE_DELETE,
    ACI_STATEMENT_STATE,
    ACI_STATEMENT_STATE_AFTER,
    ACI_STATEMENT_STATE_IF_SEQUENCE,
    ACI_STATEMENT_STATE_IF_REVISION,
    ACI_STATEMENT_STATE_VALUE,
    ACI_STATEMENT_STATE_PUT,
    ACI_STATEMENT_STATE_DELETE,
    ACI_STATEMENT_STATE_CLEAR,
    ACI_STATEMENT_STATE_COPY,
    ACI_STATEMENT_EVENTS_SPANNED,
    ACI_STATEMENT_EVENTS_LEFT,
    ACI_STATEMENT_EVENT_BY_ID,
    ACI_STATEMENT_EVENT_INSERT,
    ACI_STATEMENT_EVENT_UNDO,
    ACI_STATEMENT_EVENTS_CUT,
    ACI_STATEMENT_EVENTS_CLEAR,
    ACI_STATEMENT_EVENTS_COPY,
    ACI_STATEMENT_ALL_STATE,
    ACI_STATEMENT_LOST_EVENTS,
    ACI_STATEMENT_COUNT_
} aci_session_statement;
extern const aci_statement aci_session_statements[ACI_STATEMENT_COUNT_];
/* Queues one of them. */
void aci_statement_add(aci_tx *tx, aci_session_statement which, aci_sql_row_fn row, void *user);
/* The parameters app, usr and id. */
void aci_statement_name(aci_tx *tx, const aci_session_name *name);
/* A number that may be null. */
void aci_statement_optional(aci_tx *tx, bool is_there, int64_t number);

/* ---- loading -------------------------------------------------------------------------------------------------- */

typedef struct aci_loaded_row {
    aci_session_name name;
    aci_session_row row;
    bool found;
} aci_loaded_row;
/* Queues SESSION or SESSION_LOCK. *loaded: where the row goes. */
void aci_load_ask_session(aci_tx *tx, aci_session_statement which, const aci_session_name *name,
                          aci_loaded_row *loaded);
/* The numbers of a row, which stand from column `first` on. E_CORRUPT when they cannot be. */
agentchat_status aci_load_row_read(aci_session_row *row, const aci_session_name *name, const aci_sql_value *columns,
                                   size_t count, size_t first, agentchat_error *err);
/* Queues SCOPE or SCOPE_HOLD. *row: where the row goes; NULL: it is not wanted. */
void aci_load_ask_scope(aci_tx *tx, aci_session_statement which, const aci_session_name *name, agentchat_scope scope,
                        aci_scope_row *row);
/* The same from column `first` on. */
agentchat_status aci_load_scope_read(aci_scope_row *row, const aci_sql_value *columns, size_t count, size_t first,
                                     agentchat_error *err);

typedef struct aci_scope_loader { /* key, value, rev: of one scope, into maps of all scopes */
    agentchat_scope scope;
    agentchat_state *state, *revisions;
    int64_t keys; /* checksum of those that were read */
} aci_scope_loader;
/* Whether a stored value and its revision are what they should be; removes the whitespace around the value.
   E_CORRUPT. */
agentchat_status aci_load_check_stored(const agentchat_env *env, agentchat_str key, agentchat_str *value,
                                       int64_t revision, agentchat_error *err);
agentchat_status aci_load_state(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* Digits of an integer; room for all of them and a NUL. Returns their number. */
size_t aci_load_print_integer(int64_t value, char out[24]);
bool aci_load_revision_put(agentchat_state *revisions, agentchat_str key, int64_t revision);
int64_t aci_load_revision_find(const agentchat_state *revisions, agentchat_str key); /* 0: there is none */
/* prefix + rest, in *buffer, which is emptied before. false: out of memory. */
bool aci_load_full_key(agentchat_scope scope, agentchat_str rest, aci_buf *buffer);

typedef struct aci_event_loader { /* the columns of an event */
    const agentchat_env *env;
    aci_event_array *events;
} aci_event_loader;
agentchat_status aci_load_event(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
/* The columns of an event as they are, which live as long as `columns`. E_CORRUPT. */
agentchat_status aci_load_event_columns(aci_event_row *row, const aci_sql_value *columns, size_t count,
                                        agentchat_error *err);
bool aci_load_events_reserve(const agentchat_env *env, aci_event_array *events, size_t more);
void aci_load_events_clear(const agentchat_env *env, aci_event_array *events);

/* ---- names for new sessions ------------------------------------------------------------------------------------- */

typedef struct aci_name_claim {
    aci_session_name name;
    int64_t num;          /* of the new session */
    aci_loaded_row there; /* the session that has the name */
    unsigned vanished;    /* how often somebody had it who was gone when it was looked who that is */
} aci_name_claim;
/* Queues the new session's row, whose number is the claim's, and the question who has the name then. Nothing may stand
   before it in its batch. E_NOMEM. */
agentchat_status aci_name_claim_add(aci_name_claim *claim, aci_tx *tx, const aci_session_row *row,
                                    agentchat_error *err);
/* Queues that question alone. */
void aci_name_claim_look(aci_name_claim *claim, aci_tx *tx);
/* After such a batch: whether an attempt whose answer was lost has made the session. */
bool aci_name_claim_was_made(const aci_name_claim *claim, const aci_tx *tx);
/* After the batch of aci_name_claim_add(): whether the name is the new session's. DONE: it is already, by such an
   attempt; E_EXISTS: it is another one's. */
agentchat_status aci_name_claim_check(aci_name_claim *claim, aci_tx *tx, agentchat_error *err);

/* ---- views ---------------------------------------------------------------------------------------------------- */

bool aci_view_init(aci_view *view, const agentchat_env *env); /* false: out of memory, nothing to clear */
void aci_view_clear(aci_view *view, const agentchat_env *env);

/* A handle for a session without a view; takes ownership of the contents of `view`. NULL: out of memory, view
   untouched. */
agentchat_session *aci_session_new(agentchat_store *store, const aci_session_name *name, bool collects, aci_view *view);

/* What changed in the store since the view of a handle. */
typedef struct aci_update {
    agentchat_session *session;
    bool raises_app, raises_user; /* this transaction raises the revisions itself */
    bool holds_app, holds_user;   /* it does not, but nobody else may until it is committed */
    bool sees_one_moment;         /* whatever is not held stays as it is, too */
    aci_loaded_row now;
    aci_scope_row app_row, user_row;
    aci_session_row was;                 /* now.row as it was read, and: */
    int64_t app_revision, user_revision; /* with what this transaction raises; after aci_view_update_compare() */
    bool app_changed, user_changed, own_changed;   /* by others; after aci_view_update_compare() */
    agentchat_state *app, *user, *own, *revisions; /* as loaded; keys with prefixes */
    aci_scope_loader loaders[3];
    aci_event_array events; /* after those of the view */
    aci_event_loader event_loader;
    int64_t *left; /* sequence numbers of the view's events that are still there, when some may have gone */
    size_t left_count, left_cap;
    agentchat_state *state; /* the new merged state; NULL: nothing changed, or not put together yet */
} aci_update;

bool aci_view_update_begin(aci_update *stage,
                           agentchat_session *session); /* false: out of memory; clear it in any case */
void aci_view_update_clear(aci_update *stage);
/* Queues the questions whether something has changed. lock: the session's row, for a transaction that writes. */
void aci_view_update_ask(aci_update *stage, aci_tx *tx, bool lock);
/* The same, and what it is, in one batch: the database answers with nothing where nothing has. For reading. */
void aci_view_update_ask_all(aci_update *stage, aci_tx *tx);
/* After the batch: E_NOTFOUND when the session is gone; else what has changed. */
agentchat_status aci_view_update_compare(aci_update *stage, agentchat_error *err);
/* Queues the questions what it is that has changed. false: nothing has. */
bool aci_view_update_ask_changed(aci_update *stage, aci_tx *tx);
/* With all answers: puts the new state together, and makes room for the events and one more. E_CORRUPT when what was
   loaded has other checksums than it should have; else E_NOMEM only. */
agentchat_status aci_view_update_finish(aci_update *stage, agentchat_error *err);
/* Near the end of a transaction that has written: reads what the handle shows when it is committed, so that nothing can
   fail after the commit. update->session is set. */
agentchat_status aci_view_update_prefetch(aci_update *update, aci_tx *tx, agentchat_error *err);
/* Applies everything to the view, and cannot fail; after its events there is room for one more. committed: whether the
   transaction was, so that the revisions that it raised count. */
void aci_view_update_apply(aci_update *stage, bool committed);

/* ---- effects ---------------------------------------------------------------------------------------------------- */

/* Appends an entry of an undo list: that the key had this value (absent: none) at this revision. */
bool aci_effect_undo_add(aci_buf *out, bool first, agentchat_str key, int64_t revision, agentchat_str value);
/* Appends an entry of a list of sums. */
bool aci_effect_sum_add(aci_buf *out, agentchat_str key, agentchat_str sum);
/* {"app":REVISION,"user":REVISION,"sums":{KEY:SUM,…},"undo":[[KEY,REVISION,VALUE],…]}, of each what there is: 0 and
   empty lists are left out. Empties out first. */
bool aci_effect_write(aci_buf *out, int64_t app, int64_t user, agentchat_str sums, agentchat_str undo);
/* Puts back into `state` what an event replaced in it, and notes the keys in `touched`, which may be NULL. E_CORRUPT
   when what was written down cannot be read. */
agentchat_status aci_effect_undo(const agentchat_event *event, agentchat_state *state, agentchat_state *touched,
                                 agentchat_error *err);

/* ---- writing -------------------------------------------------------------------------------------------------- */

/* Queues the statements that set (value present) or delete (absent) a key of a scope. rest: without the prefix. */
void aci_statement_add_put(aci_tx *tx, const aci_session_name *name, agentchat_scope scope, agentchat_str rest,
                           agentchat_str value, int64_t revision);
/* The usr and sid under which a scope's keys stand. */
void aci_statement_scope(aci_tx *tx, const aci_session_name *name, agentchat_scope scope);
/* The app and usr of a scope. */
void aci_statement_owner(aci_tx *tx, const aci_session_name *name, agentchat_scope scope);
/* Queues the row of a scope as it is from then on. E_NOMEM. */
agentchat_status aci_statement_add_scope(aci_tx *tx, const aci_scope_row *row, agentchat_error *err);
/* Queues the row of a session as it is from then on. E_NOMEM. */
agentchat_status aci_statement_add_advance(aci_tx *tx, const aci_session_name *name, const aci_session_row *row,
                                           agentchat_error *err);
/* Queues a new event. E_NOMEM. */
agentchat_status aci_statement_add_event(aci_tx *tx, const aci_session_name *name, int64_t num, aci_event_row *row,
                                         agentchat_error *err);
/* Which of the wider scopes have keys in a state. */
void aci_scope_note(const agentchat_state *state, bool *has_app, bool *has_user);
/* The one of three revisions that a scope's keys get; 0 for `temp:`. */
int64_t aci_scope_revision_of(agentchat_scope scope, int64_t app, int64_t user, int64_t own);
/* Whether the keys of a scope that were read are those of its row, read at the same moment: E_CORRUPT. */
agentchat_status aci_scope_check_keys(const aci_scope_loader *read, const aci_scope_row *row, agentchat_error *err);
/* A copy of what a handle shows that is stored: all scopes, or the session's own keys. NULL: out of memory. */
agentchat_state *aci_scope_copy_stored(const agentchat_session *session, bool own_only);
/* Time of a write: the clock's, but never before `last`. */
int64_t aci_name_write_time(const agentchat_env *env, int64_t last);

#endif
