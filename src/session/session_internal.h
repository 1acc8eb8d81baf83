/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the session service share.
 *
 * A handle shows a view. Every call on a handle that reaches the store asks, in its first batch, whether something
 * has changed there since. What has is put together outside the view (aci_view_update_finish()) and applied in one
 * step that cannot fail (aci_view_update_apply()), so that a call that fails leaves the view as it was.
 */
#ifndef ACI_SESSION_SESSION_INTERNAL_H
#define ACI_SESSION_SESSION_INTERNAL_H

#include "base/arena.h"
#include "base/buf.h"
#include "event/event.h"
#include "format/kit/session_data.h"
#include "session/session.h"
#include "snapshot/report.h"
#include "state/state.h"
#include "store/core/sql.h"
#include <agentchat/session.h>

/* ==== rows =======================================================================================================

   The columns of each table: member of the struct, column, kind. An owner's columns say whose row it is. */

typedef struct aci_session_name {
    agentchat_str app, user, id;
} aci_session_name;

typedef struct aci_session_row {
    agentchat_str app, user, id; /* absent once the row has been read */
    int64_t num;
    int64_t origin; /* the number of the session that it is a copy of, by however many steps; else its own */
    int64_t seq, rewinds, created_us, updated_us;
} aci_session_row;
#define ACI_SESSION_COLUMNS(C)                                                                                         \
    C(aci_session_row, app, app, TEXT)                                                                                 \
    C(aci_session_row, user, usr, TEXT)                                                                                \
    C(aci_session_row, id, id, TEXT)                                                                                   \
    C(aci_session_row, num, num, INTEGER)                                                                              \
    C(aci_session_row, origin, origin, INTEGER)                                                                        \
    C(aci_session_row, seq, seq, INTEGER)                                                                              \
    C(aci_session_row, rewinds, rewinds, INTEGER)                                                                      \
    C(aci_session_row, created_us, created_us, INTEGER)                                                                \
    C(aci_session_row, updated_us, updated_us, INTEGER)

typedef struct aci_scope_row { /* one that is not there has revision 0 and no keys */
    agentchat_str app, user;   /* user: empty for the application's */
    int64_t revision;
} aci_scope_row;
#define ACI_SCOPE_COLUMNS(C)                                                                                           \
    C(aci_scope_row, app, app, TEXT)                                                                                   \
    C(aci_scope_row, user, usr, TEXT)                                                                                  \
    C(aci_scope_row, revision, rev, INTEGER)

typedef struct aci_state_row {
    agentchat_str app, user, id; /* user, id: empty for the wider scopes */
    agentchat_str key, value;    /* key: without the scope's prefix */
    int64_t revision;
} aci_state_row;
#define ACI_STATE_OWNER(C)                                                                                             \
    C(aci_state_row, app, app, TEXT)                                                                                   \
    C(aci_state_row, user, usr, TEXT)                                                                                  \
    C(aci_state_row, id, sid, TEXT)
#define ACI_STATE_COLUMNS(C)                                                                                           \
    C(aci_state_row, key, key, TEXT)                                                                                   \
    C(aci_state_row, value, value, TEXT)                                                                               \
    C(aci_state_row, revision, rev, INTEGER)

typedef struct aci_event_row {
    agentchat_str app;
    int64_t num, seq, time_ns;
    agentchat_str id, json, effect;
    int64_t
        origin; /* the session's, which the checksum covers: else an event of another session could stand in for it */
} aci_event_row;
#define ACI_EVENT_OWNER(C)                                                                                             \
    C(aci_event_row, app, app, TEXT)                                                                                   \
    C(aci_event_row, num, num, INTEGER)
#define ACI_EVENT_COLUMNS(C)                                                                                           \
    C(aci_event_row, seq, seq, INTEGER)                                                                                \
    C(aci_event_row, id, id, TEXT)                                                                                     \
    C(aci_event_row, time_ns, time_ns, INTEGER)                                                                        \
    C(aci_event_row, json, json, TEXT)                                                                                 \
    C(aci_event_row, effect, effect, TEXT)

extern const aci_table aci_session_table, aci_scope_table, aci_state_table, aci_event_table;

typedef struct aci_event_array {
    agentchat_event **list; /* one reference each */
    size_t count, cap;
} aci_event_array;

/* ==== what the files of the session service share ================================================================ */

/* A handle shows a view. Every call on a handle that reaches the store asks, in its first batch, whether something
   has changed there since. What has is put together outside the view (aci_view_update_finish()) and applied in one
   step that cannot fail (aci_view_update_apply()), so that a call that fails leaves the view as it was. */

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
/* With its parameters, which may begin with ACI_NAMES: app, usr and id. */
#define ACI_SESSION_ASK(tx, which, row, user, ...) (aci_statement_add(tx, which, row, user), ACI_BIND(tx, __VA_ARGS__))
#define ACI_NAMES(name) ACI_TEXT((name)->app), ACI_TEXT((name)->user), ACI_TEXT((name)->id)

/* ---- loading -------------------------------------------------------------------------------------------------- */

typedef struct aci_loaded_row {
    aci_session_name name;
    aci_session_row row;
    bool found;
} aci_loaded_row;
/* Queues SESSION or SESSION_LOCK. *loaded: where the row goes. */
void aci_load_ask_session(aci_tx *tx, aci_session_statement which, const aci_session_name *name,
                          aci_loaded_row *loaded);
/* E_CORRUPT when its numbers cannot be. Its texts live as long as `columns`. */
agentchat_status aci_load_row_read(aci_session_row *row, const aci_sql_value *columns, size_t count,
                                   agentchat_error *err);
/* Queues SCOPE or SCOPE_HOLD. *row: where the row goes; NULL: it is not wanted. */
void aci_load_ask_scope(aci_tx *tx, aci_session_statement which, const aci_session_name *name, agentchat_scope scope,
                        aci_scope_row *row);

typedef struct aci_scope_loader { /* key, value, rev: of one scope, into maps of all scopes */
    agentchat_scope scope;
    agentchat_state *state, *revisions;
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
    const int64_t *origin; /* the session's, which is read before its events */
} aci_event_loader;
agentchat_status aci_load_event(void *user, const aci_sql_value *columns, size_t count, agentchat_error *err);
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
   before it in its batch. */
void aci_name_claim_add(aci_name_claim *claim, aci_tx *tx, const aci_session_row *row);
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
/* Queues SCOPE_PUT, the row of a scope as it is from then on, or SCOPE_HOLD. */
void aci_statement_add_scope(aci_tx *tx, aci_session_statement which, const aci_scope_row *row, aci_sql_row_fn load,
                             void *user);
/* Queues the row of a session as it is from then on. */
void aci_statement_add_advance(aci_tx *tx, const aci_session_name *name, const aci_session_row *row);
void aci_statement_add_event(aci_tx *tx, const aci_event_row *row);
/* Which of the wider scopes have keys in a state. */
void aci_scope_note(const agentchat_state *state, bool *has_app, bool *has_user);
/* The one of three revisions that a scope's keys get; 0 for `temp:`. */
int64_t aci_scope_revision_of(agentchat_scope scope, int64_t app, int64_t user, int64_t own);
/* A copy of what a handle shows that is stored: all scopes, or the session's own keys. NULL: out of memory. */
agentchat_state *aci_scope_copy_stored(const agentchat_session *session, bool own_only);
/* Time of a write: the clock's, but never before `last`. */
int64_t aci_name_write_time(const agentchat_env *env, int64_t last);

/* ==== one append under way, for the calls that are one: of an event, or of a change of state ===================== */

typedef struct aci_old_value {
    aci_arena *arena; /* where value is copied to */
    agentchat_str key;
    agentchat_str value; /* absent: there was none */
    int64_t revision;
} aci_old_value;

typedef struct aci_shown { /* a change that a map of the handle shows already, so that it can be undone */
    bool is_shown;
    aci_state_value old; /* what it no longer shows; NULL: the key is new */
} aci_shown;

typedef struct aci_change_work {
    agentchat_change change; /* of the event as it was given */
    agentchat_str key;       /* its key */
    agentchat_scope scope;
    aci_old_value old;         /* in the store */
    aci_shown value, revision; /* in the handle's state and revisions */
    int64_t sum;               /* ADD */
    char digits[24];           /* the sum as text */
} aci_change_work;

typedef struct aci_append {
    agentchat_session *session;
    agentchat_event *event; /* as it is stored */
    unsigned made;          /* ACI_EVENT_MADE_… */
    agentchat_append_options options;
    bool must_be_there; /* every changed key, else E_NOTFOUND */
    aci_arena *arena;
    aci_change_work *changes; /* `temp:` among them only during an invocation */
    size_t count, cap;
    bool raises_app, raises_user;
    bool shows_temporary; /* the handle shows the changes of `temp:` keys already; they last when the append does */
    bool repeated;        /* an attempt whose answer was lost may have appended the event */
    /* ---- of one attempt ---- */
    aci_update stage;
    aci_event_array duplicates; /* the event of the same id, if there is one */
    aci_event_loader duplicate_loader;
    aci_old_value expected; /* of options.expect_key */
    aci_buf text, effect, undo;
    bool duplicate, conflict;
    bool is_known; /* it was appended, and all that the handle is to show was read */
    /* ---- the result ---- */
    uint64_t sequence;
} aci_append;

/* To be ended in any case. */
agentchat_status aci_append_begin(aci_append *a, agentchat_session *session, const agentchat_event *event,
                                  agentchat_error *err);
agentchat_status aci_append_run(aci_append *a, agentchat_error *err);
void aci_append_end(aci_append *a);

typedef struct aci_condition { /* on which an event is appended */
    bool must_be_there;        /* every changed key */
    bool has_sequence;
    uint64_t sequence; /* with has_sequence: the session's last */
} aci_condition;

/* ---- parts of it ---------------------------------------------------------------------------------------------- */

/* The revision that keys of a scope get, and the value that a key gets; absent: it goes. */
int64_t aci_append_revision(const aci_append *a, agentchat_scope scope);

/* ==== what the files that check the sessions of a store share: the walk ========================================== */

/* Rows of a page; unreadable rows in succession after which no more of them are read. */
enum { ACI_CHECK_PAGE = 500, ACI_CHECK_MOST_UNREADABLE = 1000 };

typedef struct aci_check_position {
    agentchat_str app, usr, id, key;
    int64_t seq;
} aci_check_position;

typedef struct aci_check {
    aci_store_check *all;
    const agentchat_env *env;
    /* ---- where the walk is; texts in `arena` ---- */
    aci_arena *arena;
    aci_check_position at;   /* where the page begins that is read, or read once more */
    aci_check_position last; /* its last row */
    aci_loaded_row session;  /* the session whose events are looked at, as of the moment of the page */
    int64_t num;             /* its number when the walk came to it */
    /* ---- the page ---- */
    int64_t limit;   /* its rows at most */
    int64_t skipped; /* rows after `at` that cannot be read and are passed over */
    bool unreadable; /* some row of it cannot be read; the others can */
    uint64_t rows;   /* those that were read */
} aci_check;

/* ==== sessions as files, both ways =============================================================================== */

/* One event of a file as a store holds it. */
typedef struct aci_import_event {
    agentchat_event *event; /* without its sequence number */
    int64_t sequence;
    agentchat_str text, effect;
} aci_import_event;

/* The events of a file and what they did to the session's own keys, put together before anything is stored. */
typedef struct aci_replay {
    const agentchat_env *env;
    aci_arena *arena; /* texts of the events */
    aci_import_event *events;
    size_t count, cap;
    agentchat_state *own, *revisions; /* the session's own keys as they go along */
    int64_t sequence;
} aci_replay;

/* Replays the events of a file: each gets its sequence number, its id where it has none, and what it replaced. E_SCHEMA
   for an id that occurs twice. To be cleared in any case. */
agentchat_status aci_replay_run(aci_replay *replay, const agentchat_env *env, const aci_session_data *data,
                                agentchat_report *report, agentchat_error *err);
void aci_replay_clear(aci_replay *replay);

/* ==== what a store keeps of an event, and events out of a store ================================================== */

/* Which fields were filled in, so that a retry may differ in them, and whether something temporary was left out. */
enum { ACI_EVENT_MADE_ID = 1, ACI_EVENT_MADE_INVOCATION = 2, ACI_EVENT_MADE_TIME = 4, ACI_EVENT_TRIMMED = 8 };

/* What is stored of an event: a copy without changes of `temp:` keys and without members whose decoded name begins with
   `temp:`, at any depth, in unknown properties, artifacts and the compaction; the content stays as it is. Id,
   invocation (NULL: one is made) and time (now, in microseconds) are filled in where it has none; *made: what was
   done. */
agentchat_status aci_stored_event_of(const agentchat_env *env, const agentchat_event *event, const char *invocation,
                                     unsigned *made, agentchat_event **out, agentchat_error *err);
/* The same event with the given id, invocation and time instead (absent: as it is), which are not checked: to compare a
   retry with what is stored. */
agentchat_status aci_stored_event_with(const agentchat_event *event, agentchat_str id, agentchat_str invocation,
                                       agentchat_str time, agentchat_event **out, agentchat_error *err);
/* The same of an event that is to be stored: E_LIMIT when the text is deeper than the event's environment allows, so
   that it could not be read back. out is unchanged on failure. */
agentchat_status aci_stored_event_text(const agentchat_event *event, aci_buf *out, agentchat_error *err);
/* An event out of a store: what aci_event_text() wrote, and what appending it did:
       {"app":REVISION,"user":REVISION,"sums":{KEY:INTEGER,…},"undo":[[KEY,REVISION,VALUE?],…]}
   All members are optional, effect may be absent. E_CORRUPT with a message when one of the texts is not what it should
   be; E_LIMIT when the environment allows less than the store holds. */
agentchat_status aci_stored_event_read(const agentchat_env *env, uint64_t sequence, agentchat_str json,
                                       agentchat_str effect, agentchat_event **out, agentchat_error *err);

/* ==== what must not reach a store: members whose name begins with `temp:` ======================================== */

/* Whether a name (decoded) begins with `temp:`. */
bool aci_is_temporary(agentchat_str name);

/* Appends validated JSON text without the members, at any depth, whose decoded name begins with `temp:`, and without
   whitespace between tokens; *any: whether there was one. Nothing is appended when there was none. false: out of
   memory. Linear, without recursion. */
bool aci_temporary_strip(agentchat_str json, aci_buf *out, bool *any);

#endif
