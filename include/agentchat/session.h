/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions: events and scoped state of one user's conversation with an application, kept in a store. */
#ifndef AGENTCHAT_SESSION_H
#define AGENTCHAT_SESSION_H

#include <agentchat/event.h>
#include <agentchat/snapshot.h>
#include <agentchat/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A session is named by application, user and id. What is about one session takes an agentchat_session_id; what is
 * about all of a user or of an application takes their names.
 *
 * State has three scopes: the application's, the user's and the session's. A session shows all three, with `app:` and
 * `user:` in front of the keys of the two wider ones. Every change of state is an event. `temp:` keys live in a
 * handle's invocation; nothing of them reaches the store: not from initial state, changes, or unknown properties of
 * events, where every member whose name begins with `temp:` is left out. The content of an event is what somebody said;
 * it is stored as it is.
 *
 * Errors that are possible at every function that takes a store or a handle, and not repeated: E_IO, E_BUSY (others
 * held the store for longer than its wait_ms), E_CORRUPT, E_LIMIT (what is to be stored or is stored is beyond a limit
 * of the environment or of the database), E_VERSION (a newer program has changed the store so that this one must not
 * write to it any more).
 */

/** A session as it was at the last call on this handle. One thread at a time uses a handle; any number of handles, in
    any number of threads and processes, may belong to one session. */
typedef struct agentchat_session agentchat_session;

/** What a session is named by: each 1 to 512 bytes of UTF-8 without surrogates, anything but that. Equal ids of other
    users or applications are other sessions. The struct never grows. */
typedef struct agentchat_session_id {
    const char *app;  /**< the application */
    const char *user; /**< the user */
    const char *id;   /**< the session's id among those of this user */
} agentchat_session_id;

/**
 * Checks whether a session can have this name: what every call does that takes one, for those who have to say before
 * that what is wrong. Thread-safe.
 * @param[in]  who The session; an id that is missing is not looked at.
 * @param[out] err Detail, or NULL: which of them, and which rule it breaks.
 * @retval AGENTCHAT_E_INVALID a name that is missing or breaks the rules.
 */
AGENTCHAT_API agentchat_status agentchat_session_id_check(const agentchat_session_id *who, agentchat_error *err);

/* ---- making and finding --------------------------------------------------------------------------------------- */

/**
 * Makes a session.
 * @param[in]  store   The store; must outlive the handle.
 * @param[in]  who     The session, copied. Without an id one is made (a UUID).
 * @param[in]  initial Initial state: `app:` and `user:` keys go to their scopes, `temp:` keys are left out. NULL: none.
 * @param[out] out     The handle (agentchat_session_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_EXISTS  there is such a session; nothing was changed.
 * @retval AGENTCHAT_E_INVALID a name that is missing or breaks the rules.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_create(agentchat_store *store,
                                                                            const agentchat_session_id *who,
                                                                            const agentchat_state *initial,
                                                                            agentchat_session **out,
                                                                            agentchat_error *err);

/** Which events a handle gets: the last N of those that match by sequence number and time. */
typedef struct agentchat_session_get_options {
    size_t struct_size;      /**< sizeof(agentchat_session_get_options) */
    size_t last;             /**< the last so many; 0: all */
    uint64_t after_sequence; /**< only those after this sequence number; 0: all */
    int64_t since_ns;        /**< with has_since: only those of this time or later, ns since 1970 */
    bool has_since;          /**< since_ns counts */
    bool no_events;          /**< none: the state only */
} agentchat_session_get_options;
/** Initializer: all events. */
#define AGENTCHAT_SESSION_GET_OPTIONS_INIT                                                                             \
    {                                                                                                                  \
        sizeof(agentchat_session_get_options), 0, 0, 0, false, false                                                   \
    }

/**
 * AGENTCHAT_SESSION_GET_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_session_get_options_init(agentchat_session_get_options *options, size_t size);

/**
 * Gets a session: its state, merged from all three scopes, and its events, all as of one moment. The cost grows with
 * what is given back, not with the history; with options->has_since it grows with all events since then, also where
 * options->last gives back fewer. A handle that was made with options->no_events does not collect those that it appends
 * either.
 * @param[in]  store   The store; must outlive the handle.
 * @param[in]  who     The session, copied; all three names are needed.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The handle (agentchat_session_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such session.
 * @retval AGENTCHAT_E_INVALID  a name that is missing or breaks the rules.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_get(agentchat_store *store,
                                                                         const agentchat_session_id *who,
                                                                         const agentchat_session_get_options *options,
                                                                         agentchat_session **out, agentchat_error *err);

/**
 * Brings a handle up to date: state, and the events that came since. The cost grows with the state and those events. A
 * handle whose events were rewound by somebody else loses them.
 * @param[in,out] session The handle; unchanged on failure.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND it was deleted.
 */
AGENTCHAT_API agentchat_status agentchat_session_refresh(agentchat_session *session, agentchat_error *err);

/** Releases a handle. @param[in] session NULL is allowed. */
AGENTCHAT_API void agentchat_session_free(agentchat_session *session);

/** What the session is named by, all three names. @param[in] session The handle; NULL gives NULL. @return A view until
   the handle is released. */
AGENTCHAT_API const agentchat_session_id *agentchat_session_get_id(const agentchat_session *session);

/** The last sequence number that was assigned, as of the last call; 0 before the first. An appended event gets one, and
    so does a rewind that removes events. Numbers are never reused, so a rewind leaves a gap. @param[in] session The
    handle. */
AGENTCHAT_API uint64_t agentchat_session_sequence(const agentchat_session *session);

/** When the store was last written to for this session, in microseconds since 1970-01-01T00:00:00Z, as of the last
   call.
    @param[in] session The handle. */
AGENTCHAT_API int64_t agentchat_session_updated_us(const agentchat_session *session);

/** Number of events that the handle holds. @param[in] session NULL gives 0. */
AGENTCHAT_API size_t agentchat_session_event_count(const agentchat_session *session);

/** An event that the handle holds, in the order of their sequence numbers. @param[in] session The handle. @param[in]
    index From 0. @return A view until the handle is next used for anything but reading, or NULL. */
AGENTCHAT_API const agentchat_event *agentchat_session_event(const agentchat_session *session, size_t index);

/** The state of all scopes, keys with their prefixes, `temp:` keys of the invocation under way among them. @param[in]
    session The handle. @return A view until the handle is next used for anything but reading. */
AGENTCHAT_API const agentchat_state *agentchat_session_state(const agentchat_session *session);

/**
 * Revision of a key, as of the last call: it grows with each change of the key, and is not used again for that key
 * while its owner is there. After agentchat_user_delete() the revisions of a user's keys begin anew, like those of a
 * session that was deleted and made again.
 * @param[in] session The handle.
 * @param[in] key     The key, with its prefix.
 * @return 0 when there is no such key.
 */
AGENTCHAT_API uint64_t agentchat_session_revision(const agentchat_session *session, const char *key);

/* ---- changing ------------------------------------------------------------------------------------------------- */

/** What an append expects. */
typedef struct agentchat_append_options {
    size_t struct_size;       /**< sizeof(agentchat_append_options) */
    uint64_t expect_sequence; /**< with has_expect_sequence: agentchat_session_sequence() must be this */
    const char *expect_key;   /**< a key that must be at expect_revision; NULL: none */
    uint64_t expect_revision; /**< as agentchat_session_revision(); 0: it must not be there */
    bool has_expect_sequence; /**< expect_sequence counts */
} agentchat_append_options;
/** Initializer: nothing is expected. */
#define AGENTCHAT_APPEND_OPTIONS_INIT                                                                                  \
    {                                                                                                                  \
        sizeof(agentchat_append_options), 0, NULL, 0, false                                                            \
    }

/**
 * AGENTCHAT_APPEND_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_append_options_init(agentchat_append_options *options, size_t size);

/**
 * Appends an event and carries out its changes of state, in one step; the cost does not grow with the history. Id,
 * invocation and time are made where the event has none. An event that is there already, with the same id and content,
 * is not appended again: that is success, with its sequence number, and changes nothing, not even a `temp:` key.
 * @param[in,out] session  The handle: it shows the event, its changes and what others did before it. On E_CONFLICT it
 *                         shows what others did; after any other failure it is unchanged.
 * @param[in]     event    The event. `temp:` changes go to the invocation under way and are not stored; without one
 * they are dropped. A partial event is not stored at all: the outcome is AGENTCHAT_DONE.
 * @param[in]     options  Options, or NULL.
 * @param[out]    sequence Its sequence number; NULL: not wanted.
 * @param[out]    err      Detail, or NULL.
 * @retval AGENTCHAT_DONE       the event is partial and was not stored.
 * @retval AGENTCHAT_E_CONFLICT something else is there than the options expect, or the event's id belongs to an event
 * of other content. Nothing was stored.
 * @retval AGENTCHAT_E_NOTFOUND the session was deleted.
 * @retval AGENTCHAT_E_INVALID  a number is added to a value that is none.
 * @retval AGENTCHAT_E_LIMIT    a sum is beyond 64 bits.
 */
AGENTCHAT_API agentchat_status agentchat_session_append(agentchat_session *session, const agentchat_event *event,
                                                        const agentchat_append_options *options, uint64_t *sequence,
                                                        agentchat_error *err);

/**
 * Sets a key: appends an event by author "system" that does so; a `temp:` key is set in the invocation under way.
 * @param[in,out] session The handle.
 * @param[in]     key     The key.
 * @param[in]     value   JSON text; for a text there is agentchat_session_set_text().
 * @param[out]    err     Detail, or NULL; errors as agentchat_session_append().
 * @retval AGENTCHAT_E_INVALID a `temp:` key outside an invocation; a value that is not JSON.
 */
AGENTCHAT_API agentchat_status agentchat_session_set(agentchat_session *session, const char *key, agentchat_str value,
                                                     agentchat_error *err);

/**
 * Sets a key to a text: agentchat_session_set() with the text in quotes.
 * @param[in,out] session The handle.
 * @param[in]     key     The key.
 * @param[in]     text    UTF-8; absent is an empty text.
 * @param[out]    err     Detail, or NULL; errors as agentchat_session_set().
 */
AGENTCHAT_API agentchat_status agentchat_session_set_text(agentchat_session *session, const char *key,
                                                          agentchat_str text, agentchat_error *err);

/** Adds to a counter, as agentchat_session_set(): every amount counts, whoever adds at the same time.
    @param[in,out] session The handle. @param[in] key The key. @param[in] amount What to add. @param[out] result The
   sum, or NULL. @param[out] err Detail, or NULL. */
AGENTCHAT_API agentchat_status agentchat_session_add(agentchat_session *session, const char *key, int64_t amount,
                                                     int64_t *result, agentchat_error *err);

/** Deletes a key, as agentchat_session_set(). @param[in,out] session The handle. @param[in] key The key. @param[out]
   err Detail, or NULL. @retval AGENTCHAT_E_NOTFOUND there is no such key; nothing was appended. */
AGENTCHAT_API agentchat_status agentchat_session_delete_key(agentchat_session *session, const char *key,
                                                            agentchat_error *err);

/**
 * Makes the session's own keys what @p wanted has, by one event with the difference; other scopes stay as they are.
 * None is appended when there is no difference.
 * @param[in,out] session  The handle.
 * @param[in]     wanted   The state; its keys of other scopes are passed over.
 * @param[out]    sequence Sequence number of the event, 0 for none; NULL: not wanted.
 * @param[out]    err      Detail, or NULL; errors as agentchat_session_append().
 */
AGENTCHAT_API agentchat_status agentchat_session_apply_state(agentchat_session *session, const agentchat_state *wanted,
                                                             uint64_t *sequence, agentchat_error *err);

/**
 * Begins an invocation: from here on `temp:` keys may be set, and events without an invocation belong to it.
 * @param[in,out] session The handle.
 * @param[in]     id      Its id; NULL: one is made.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_BUSY one is under way on this handle.
 */
AGENTCHAT_API agentchat_status agentchat_invocation_begin(agentchat_session *session, const char *id,
                                                          agentchat_error *err);

/** Ends an invocation: its `temp:` keys are gone. Nothing happens when none is under way. @param[in,out] session The
    handle. */
AGENTCHAT_API void agentchat_invocation_end(agentchat_session *session);

/** Id of the invocation under way; NUL-terminated. @param[in] session The handle. @return NULL when there is none. */
AGENTCHAT_API const char *agentchat_invocation_id(const agentchat_session *session);

/**
 * Rewinds: removes the events after one, and gives the session's own keys the values that they had then, also those of
 * the initial state. State of the application and of the user stays as it is.
 * @param[in,out] session  The handle.
 * @param[in]     event_id The event that becomes the last; NULL: all events go.
 * @param[out]    removed  How many events went; NULL: not wanted.
 * @param[out]    err      Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such event, or the session was deleted.
 * @retval AGENTCHAT_E_INVALID  an id that no event can have.
 */
AGENTCHAT_API agentchat_status agentchat_session_rewind(agentchat_session *session, const char *event_id,
                                                        uint64_t *removed, agentchat_error *err);

/* ---- by name -------------------------------------------------------------------------------------------------- */

/**
 * Copies a session, its events with their sequence numbers and its own state, to another id of the same user.
 * @param[in]  store  The store.
 * @param[in]  who    The session; all three names are needed.
 * @param[in]  new_id The copy's id; NULL: one is made.
 * @param[out] made   Receives the copy's id, appended to bytes started with AGENTCHAT_BYTES_INIT; NULL: not wanted.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such session.
 * @retval AGENTCHAT_E_EXISTS   there is one of the new id.
 * @retval AGENTCHAT_E_INVALID  a name that is missing or breaks the rules.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_copy(agentchat_store *store,
                                                                          const agentchat_session_id *who,
                                                                          const char *new_id, agentchat_bytes *made,
                                                                          agentchat_error *err);

/**
 * Deletes a session with its events and its own state; state of the application and of the user stays.
 * @param[in]  store The store.
 * @param[in]  who   The session; all three names are needed.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such session.
 * @retval AGENTCHAT_E_INVALID  a name that is missing or breaks the rules.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_delete(agentchat_store *store,
                                                                            const agentchat_session_id *who,
                                                                            agentchat_error *err);

/**
 * Deletes all that an application holds of a user: sessions, events, their state, and the user's state.
 * @param[in]  store    The store.
 * @param[in]  app      The application.
 * @param[in]  user     The user.
 * @param[out] sessions How many sessions went; NULL: not wanted.
 * @param[out] err      Detail, or NULL. Success when there was nothing.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_user_delete(agentchat_store *store, const char *app,
                                                                         const char *user, uint64_t *sessions,
                                                                         agentchat_error *err);

/** One session of a list; a view into the list. */
typedef struct agentchat_session_info {
    const char *user;   /**< the user */
    const char *id;     /**< the session's id */
    uint64_t sequence;  /**< as agentchat_session_sequence() */
    int64_t created_us; /**< when it was made, microseconds since 1970 by the clock of its maker */
    int64_t updated_us; /**< as agentchat_session_updated_us() */
} agentchat_session_info;

/** A page of a list of sessions; immutable. */
typedef struct agentchat_session_list agentchat_session_list;

/** Which sessions are listed. */
typedef struct agentchat_session_list_options {
    size_t struct_size; /**< sizeof(agentchat_session_list_options) */
    const char *user;   /**< those of this user; NULL: of all users */
    const char *cursor; /**< agentchat_session_list_cursor() of the page before; NULL: from the beginning */
    size_t limit;       /**< at most so many on the page; 0: 100 */
} agentchat_session_list_options;
/** Initializer: the first page of the sessions of all users. */
#define AGENTCHAT_SESSION_LIST_OPTIONS_INIT                                                                            \
    {                                                                                                                  \
        sizeof(agentchat_session_list_options), NULL, NULL, 0                                                          \
    }

/**
 * AGENTCHAT_SESSION_LIST_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_session_list_options_init(agentchat_session_list_options *options, size_t size);

/**
 * Lists an application's sessions, those written to last first. Through all pages no session comes twice, whatever is
 * written meanwhile; one that was written to since the first page may be left out.
 * @param[in]  store   The store.
 * @param[in]  app     The application.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The page (agentchat_session_list_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID a name that is missing or breaks the rules; a cursor that is none, or of another list.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_session_list_read(agentchat_store *store, const char *app, const agentchat_session_list_options *options,
                            agentchat_session_list **out, agentchat_error *err);

/** Number of sessions of a page. @param[in] list NULL gives 0. */
AGENTCHAT_API size_t agentchat_session_list_count(const agentchat_session_list *list);

/** A session of a page. @param[in] list The page. @param[in] index From 0. @return A view until the page is released;
    NULL beyond the count. */
AGENTCHAT_API const agentchat_session_info *agentchat_session_list_at(const agentchat_session_list *list, size_t index);

/** What to give for the next page: printable ASCII; NULL when this is the last. @param[in] list The page. */
AGENTCHAT_API const char *agentchat_session_list_cursor(const agentchat_session_list *list);

/** Releases a page. @param[in] list NULL is allowed. */
AGENTCHAT_API void agentchat_session_list_free(agentchat_session_list *list);

/**
 * Reads state of an application or of a user without a session.
 * @param[in]  store The store.
 * @param[in]  app   The application.
 * @param[in]  user  The user; NULL: the application's state alone.
 * @param[out] out   The map, keys with their prefixes (agentchat_state_free()); NULL on failure.
 * @param[out] err   Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_scope_state(agentchat_store *store, const char *app,
                                                                         const char *user, agentchat_state **out,
                                                                         agentchat_error *err);

/* ---- sessions and chats --------------------------------------------------------------------------------------- */

/**
 * The events that a handle holds as a chat. Each content that is not null becomes a message of the history: with its
 * event's id and time, and the event's author as name, where it has none of its own. The author is not repeated as
 * name where the role says the same (`user`); a content without a role gets `user` when the user is its author, else
 * `assistant`. The authors that are names of messages are the participants, but for `user`. The chat has all of the
 * events that were said, those too that a compaction has summed up for a model. It has no channels: an agent that joins
 * it is given the whole history.
 * @param[in]  session    The handle; not changed.
 * @param[in]  state_name Name of a named value that receives a copy of the merged state, without `temp:`, where there
 *                        is any; absent: none.
 * @param[out] out        The snapshot with one reference (agentchat_snapshot_unref()); NULL on failure.
 * @param[out] report     Receives what a chat does not hold of a session, to be freed by the caller; NULL: not wanted.
 *                        Locations are those of the native form of a session (docs/formats/session.md).
 * @param[out] err        Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p session or @p out is NULL; a name that is empty.
 * @retval AGENTCHAT_E_LIMIT   the state as one value is deeper than the environment allows.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_snapshot(const agentchat_session *session,
                                                                              agentchat_str state_name,
                                                                              agentchat_snapshot **out,
                                                                              agentchat_report **report,
                                                                              agentchat_error *err);

/* ---- exchange ------------------------------------------------------------------------------------------------- */

/** How a session's file is written and read. */
typedef struct agentchat_session_file_options {
    size_t struct_size;      /**< sizeof(agentchat_session_file_options) */
    const char *format;      /**< writing: "agentchat", "adk" (`*.session.json` of adk-python) or "adk-rust"; NULL:
                                  "agentchat" */
    bool fail_on_loss;       /**< E_LOSS instead of a LOSS entry; then nothing is written or imported */
    bool keep_times;         /**< writing ADK: times of events stay as they are. Otherwise one that is not after that of
                                  the event before is raised by the least that a double can hold (a repair), because
                                  services of google-adk put events in the order of their times */
    agentchat_session_id as; /**< reading: names that count instead of the file's, each of them; NULL: the file's. A
                                file without an id gets a made one */
    bool lines;              /**< writing: JSON lines, the events alone, each on a line of its own */
} agentchat_session_file_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_SESSION_FILE_OPTIONS_INIT                                                                            \
    {                                                                                                                  \
        sizeof(agentchat_session_file_options), NULL, false, false, {NULL, NULL, NULL}, false                          \
    }

/**
 * AGENTCHAT_SESSION_FILE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_session_file_options_init(agentchat_session_file_options *options, size_t size);

/**
 * Writes the session that a handle shows, with the events that it holds, to a stream, and commits the stream. What the
 * session's own keys had before the first of these events becomes the initial state of the file in the native format.
 * @param[in]  session The handle.
 * @param[in]  sink    The stream; borrowed.
 * @param[in]  options Options, or NULL.
 * @param[out] report  Receives what was noted, repaired and lost, up to where writing failed when it did, to be freed
 * by the caller; NULL: not wanted. It receives NULL only when the call failed before it wrote.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_LOSS    only with options->fail_on_loss.
 * @retval AGENTCHAT_E_INVALID native format, and a handle that was made with has_since and leaves out events between
 *                             those that it holds, because their times do not grow with their sequence numbers.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_export(
    const agentchat_session *session, agentchat_sink *sink, const agentchat_session_file_options *options,
    agentchat_report **report, agentchat_error *err);

/**
 * Reads a session's file (native format, `*.session.json`, or an answer of an ADK's REST interface) into a store, as
 * one transaction: all of it or nothing. The state in the file becomes the session's state; `app:` and `user:` keys are
 * set in their scopes. The events keep their order and do not change the state again.
 * @param[in]  store   The store.
 * @param[in]  source  The stream; borrowed.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The handle, without events; NULL on failure.
 * @param[out] report  As agentchat_session_export(): what was noted, repaired and lost, up to where reading failed when
 *                     it did; NULL: not wanted.
 * @param[out] err     Detail, or NULL: offset, line, column and JSON Pointer of what is wrong in the file.
 * @retval AGENTCHAT_E_SYNTAX  not JSON.
 * @retval AGENTCHAT_E_SCHEMA  no session, or neither file nor options name application and user.
 * @retval AGENTCHAT_E_EXISTS  there is such a session.
 * @retval AGENTCHAT_E_LOSS    only with options->fail_on_loss.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_import(
    agentchat_store *store, agentchat_source *source, const agentchat_session_file_options *options,
    agentchat_session **out, agentchat_report **report, agentchat_error *err);

/**
 * Digest of the session that a handle shows, with the events that it holds: as agentchat_session_file_digest() of what
 * agentchat_session_export() writes.
 * @param[in]  session The handle.
 * @param[out] out     The digits and a NUL; empty on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p session or @p out is NULL; or as agentchat_session_export(), native format.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_digest(const agentchat_session *session,
                                                                            char out[AGENTCHAT_DIGEST_LEN + 1],
                                                                            agentchat_error *err);

/* ---- files without a store -------------------------------------------------------------------------------------- */

/** What a session's file holds, read without a store. Immutable: any number of threads may read one. */
typedef struct agentchat_session_file agentchat_session_file;

/**
 * Reads a session's file as agentchat_session_import() does, into memory instead of a store: nothing is made up, so
 * names, ids and times that the file does not have are absent.
 * @param[in]  env     Environment or NULL; must outlive the file.
 * @param[in]  source  The stream; borrowed.
 * @param[in]  options Options, or NULL; only fail_on_loss counts.
 * @param[out] out     The file (agentchat_session_file_free()); NULL on failure.
 * @param[out] report  As agentchat_session_import(); NULL: not wanted.
 * @param[out] err     Detail, or NULL: offset, line, column and JSON Pointer of what is wrong in the file.
 * @retval AGENTCHAT_E_SYNTAX  not JSON.
 * @retval AGENTCHAT_E_SCHEMA  no session.
 * @retval AGENTCHAT_E_INVALID @p source or @p out is NULL; a name or key that breaks the rules.
 * @retval AGENTCHAT_E_LIMIT   a limit of the environment was exceeded.
 * @retval AGENTCHAT_E_LOSS    only with options->fail_on_loss.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_file_read(
    const agentchat_env *env, agentchat_source *source, const agentchat_session_file_options *options,
    agentchat_session_file **out, agentchat_report **report, agentchat_error *err);

/** Releases what was read. @param[in] file NULL is allowed. */
AGENTCHAT_API void agentchat_session_file_free(agentchat_session_file *file);

/** Name of the format that the file had, a static text. @param[in] file NULL gives NULL. */
AGENTCHAT_API const char *agentchat_session_file_format(const agentchat_session_file *file);

/** What the file calls the session; NULL for each name that it does not give. @param[in] file NULL gives NULL. @return
   A view as long-lived as the file. */
AGENTCHAT_API const agentchat_session_id *agentchat_session_file_id(const agentchat_session_file *file);

/** Number of events. @param[in] file NULL gives 0. */
AGENTCHAT_API size_t agentchat_session_file_event_count(const agentchat_session_file *file);

/** An event. @param[in] file The file. @param[in] index From 0. @return A view as long-lived as the file; NULL beyond
    the last. */
AGENTCHAT_API const agentchat_event *agentchat_session_file_event(const agentchat_session_file *file, size_t index);

/** The state of all scopes. @param[in] file The file. @return A view as long-lived as the file; NULL: empty. */
AGENTCHAT_API const agentchat_state *agentchat_session_file_state(const agentchat_session_file *file);

/**
 * The events of a file as a chat, as agentchat_session_snapshot() makes one of a handle's: the same one as that of a
 * session into which the file is imported, but for ids and times that the import makes.
 * @param[in]  file       The file.
 * @param[in]  state_name As agentchat_session_snapshot(); absent: none.
 * @param[out] out        The snapshot with one reference (agentchat_snapshot_unref()); NULL on failure.
 * @param[out] report     As agentchat_session_snapshot(); NULL: not wanted.
 * @param[out] err        Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p file or @p out is NULL; a name that is empty.
 * @retval AGENTCHAT_E_LIMIT   the state as one value is deeper than the environment allows.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_file_snapshot(const agentchat_session_file *file,
                                                                                   agentchat_str state_name,
                                                                                   agentchat_snapshot **out,
                                                                                   agentchat_report **report,
                                                                                   agentchat_error *err);

/**
 * Writes what was read, as agentchat_session_export() writes a handle's session.
 * @param[in]  file    The file.
 * @param[in]  sink    The stream; borrowed; committed.
 * @param[in]  options Options, or NULL; fail_on_loss writes to memory first.
 * @param[out] report  As agentchat_session_export(); NULL: not wanted.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p file or @p sink is NULL; a format that has no sessions.
 * @retval AGENTCHAT_E_LOSS    only with options->fail_on_loss.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_file_write(
    const agentchat_session_file *file, agentchat_sink *sink, const agentchat_session_file_options *options,
    agentchat_report **report, agentchat_error *err);

/**
 * Digest of a session: 64 lower-case hexadecimal digits of a SHA-256 as docs/formats/digest.md specifies it. A
 * conversion changes it exactly when it reports a loss.
 * @param[in]  file The file.
 * @param[out] out  The digits and a NUL; empty on failure.
 * @param[out] err  Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p file or @p out is NULL.
 * @retval AGENTCHAT_E_NOMEM   out of memory.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_session_file_digest(const agentchat_session_file *file,
                                                                                 char out[AGENTCHAT_DIGEST_LEN + 1],
                                                                                 agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
