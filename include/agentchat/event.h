/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a session: who said or did what, and which state it changed. Immutable, reference-counted. */
#ifndef AGENTCHAT_EVENT_H
#define AGENTCHAT_EVENT_H

#include <agentchat/message.h>
#include <agentchat/report.h>
#include <agentchat/snapshot.h>
#include <agentchat/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An immutable event. Any number of threads may read and count references to one at the same time. */
typedef struct agentchat_event agentchat_event;
/** An event being built. One thread at a time. */
typedef struct agentchat_event_builder agentchat_event_builder;

/** Fields of an event: text, or JSON text where marked (J). Numbers are stable. */
typedef enum agentchat_event_field {
    AGENTCHAT_EVENT_ID = 1,                  /**< its id, unique in its session; appending makes one when absent */
    AGENTCHAT_EVENT_INVOCATION = 2,          /**< id of the invocation that it belongs to; appending makes one */
    AGENTCHAT_EVENT_AUTHOR = 3,              /**< "user", or the name of an agent */
    AGENTCHAT_EVENT_TIME = 4,                /**< RFC 3339, kept as it is written; appending takes the time of day */
    AGENTCHAT_EVENT_BRANCH = 5,              /**< agents from the root down, joined by dots */
    AGENTCHAT_EVENT_PARTIAL = 6,             /**< (J) true or false: a piece of a stream; never stored */
    AGENTCHAT_EVENT_LONG_RUNNING = 7,        /**< (J) an array of strings: ids of calls that go on */
    AGENTCHAT_EVENT_TRANSFER = 8,            /**< action: name of the agent that goes on */
    AGENTCHAT_EVENT_ESCALATE = 9,            /**< (J) action: true or false */
    AGENTCHAT_EVENT_SKIP_SUMMARIZATION = 10, /**< (J) action: true or false */
    AGENTCHAT_EVENT_ARTIFACTS = 11,          /**< (J) action: an object, name to version of what was stored */
    AGENTCHAT_EVENT_COMPACTION = 12,         /**< (J) action: an object, a summary of earlier events */
    AGENTCHAT_EVENT_FIELD_MAX_ = 0x7fffffff
} agentchat_event_field;

/** What an event does to a key. Numbers are stable. */
typedef enum agentchat_change_kind {
    AGENTCHAT_CHANGE_SET = 1,    /**< the value replaces the old one as a whole; null is a value */
    AGENTCHAT_CHANGE_DELETE = 2, /**< the key is deleted; it need not exist */
    AGENTCHAT_CHANGE_ADD = 3,    /**< an integer is added, as agentchat_state_add() does */
    AGENTCHAT_CHANGE_MAX_ = 0x7fffffff
} agentchat_change_kind;

/** One change of state, made by the library only: later versions may add members at the end. Lives as long as its
   event. */
typedef struct agentchat_change {
    agentchat_change_kind kind; /**< what happens to the key */
    const char *key;            /**< with its prefix */
    agentchat_str value;        /**< SET: JSON text. ADD: the sum as it was stored; absent before */
    int64_t amount;             /**< ADD: what is added */
} agentchat_change;

/* ---- building ------------------------------------------------------------------------------------------------- */

/**
 * Starts an event. The functions that fill a builder copy what they are given and accept NULL; the first failure sticks
 * and is what agentchat_event_builder_finish() returns, so the calls between need no check.
 * @param[in]  env    Environment or NULL; must outlive the event.
 * @param[in]  author "user" or the name of an agent; not absent, may be empty.
 * @param[out] out    The builder, to be given to agentchat_event_builder_finish() or agentchat_event_builder_free();
 *                    NULL on failure.
 * @param[out] err    Detail, or NULL; path names the field.
 * @retval AGENTCHAT_E_INVALID @p author is absent, null or not UTF-8; @p out is NULL.
 * @retval AGENTCHAT_E_NOMEM   out of memory.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_event_builder_new(const agentchat_env *env,
                                                                               agentchat_str author,
                                                                               agentchat_event_builder **out,
                                                                               agentchat_error *err);

/**
 * Sets a field; a second time replaces it.
 * @param[in] builder The builder.
 * @param[in] field   A field.
 * @param[in] value   UTF-8 text, or JSON text where the field is marked so; absent removes it.
 */
AGENTCHAT_API void agentchat_event_builder_set(agentchat_event_builder *builder, agentchat_event_field field,
                                               agentchat_str value);

/**
 * Sets the content.
 * @param[in] builder The builder.
 * @param[in] message The message; a reference is taken. NULL: none.
 */
AGENTCHAT_API void agentchat_event_builder_set_content(agentchat_event_builder *builder,
                                                       const agentchat_message *message);

/** Adds a change: sets a key. A second change of one key replaces the first. @param[in] builder The builder.
    @param[in] key The key. @param[in] value JSON text. */
AGENTCHAT_API void agentchat_event_builder_set_state(agentchat_event_builder *builder, const char *key,
                                                     agentchat_str value);

/** Adds a change: deletes a key. @param[in] builder The builder. @param[in] key The key. */
AGENTCHAT_API void agentchat_event_builder_delete_state(agentchat_event_builder *builder, const char *key);

/** Adds a change: adds to a counter. @param[in] builder The builder. @param[in] key The key. @param[in] amount What to
    add. */
AGENTCHAT_API void agentchat_event_builder_add_state(agentchat_event_builder *builder, const char *key, int64_t amount);

/**
 * Adds an unknown property to the event itself.
 * @param[in] builder The builder.
 * @param[in] name    Its name; not absent.
 * @param[in] value   JSON text; agentchat_str_null() is `null`.
 * @param[in] from    Name of the format it came from, known or not; absent for one of the host.
 */
AGENTCHAT_API void agentchat_event_builder_add_extra(agentchat_event_builder *builder, agentchat_str name,
                                                     agentchat_str value, agentchat_str from);

/**
 * Adds an unknown property to the event's actions.
 * @param[in] builder The builder.
 * @param[in] name    Its name; not absent.
 * @param[in] value   JSON text; agentchat_str_null() is `null`.
 * @param[in] from    Name of the format it came from, known or not; absent for one of the host.
 */
AGENTCHAT_API void agentchat_event_builder_add_action_extra(agentchat_event_builder *builder, agentchat_str name,
                                                            agentchat_str value, agentchat_str from);

/**
 * Ends building and consumes the builder, also on failure.
 * @param[in]  builder The builder.
 * @param[out] out     The event with one reference (agentchat_event_unref()); NULL on failure.
 * @param[out] err     Detail of the first failure since the builder was made, or NULL.
 * @retval AGENTCHAT_E_INVALID @p builder is NULL; text that is not UTF-8 or has a NUL or surrogates where an id must
 * not, a value that is not JSON or of the wrong kind, a key that agentchat_key_check() refuses, a time that is not RFC
 * 3339.
 * @retval AGENTCHAT_E_LIMIT   a value is deeper than the environment allows.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_event_builder_finish(agentchat_event_builder *builder,
                                                                                  agentchat_event **out,
                                                                                  agentchat_error *err);

/** Releases a builder without making an event. @param[in] builder NULL is allowed. */
AGENTCHAT_API void agentchat_event_builder_free(agentchat_event_builder *builder);

/* ---- reading -------------------------------------------------------------------------------------------------- */

/** Takes a reference. @param[in] event NULL is allowed. @return @p event. @threadsafe Yes. */
AGENTCHAT_API agentchat_event *agentchat_event_ref(const agentchat_event *event);

/** Gives a reference back. @param[in] event NULL is allowed. @threadsafe Yes. */
AGENTCHAT_API void agentchat_event_unref(const agentchat_event *event);

/** A field. @param[in] event NULL gives absent. @param[in] field Any field. @return A view as long-lived as the event.
    @threadsafe Yes. */
AGENTCHAT_API agentchat_str agentchat_event_get(const agentchat_event *event, agentchat_event_field field);

/** The content. @param[in] event NULL gives NULL. @return A view, or NULL when there is none. @threadsafe Yes. */
AGENTCHAT_API const agentchat_message *agentchat_event_content(const agentchat_event *event);

/** Number of changes of state. @param[in] event NULL gives 0. @threadsafe Yes. */
AGENTCHAT_API size_t agentchat_event_change_count(const agentchat_event *event);

/** A change of state. @param[in] event The event. @param[in] index From 0. @return A view as long-lived as the event;
    NULL when there is no such change. @threadsafe Yes. */
AGENTCHAT_API const agentchat_change *agentchat_event_change(const agentchat_event *event, size_t index);

/** Number of unknown properties of the event itself. @param[in] event NULL gives 0. @threadsafe Yes. */
AGENTCHAT_API size_t agentchat_event_extra_count(const agentchat_event *event);

/** An unknown property of the event itself. @param[in] event The event. @param[in] index From 0. @return A view as
    long-lived as the event; NULL when there is no such property. @threadsafe Yes. */
AGENTCHAT_API const agentchat_extra *agentchat_event_extra(const agentchat_event *event, size_t index);

/** Number of unknown properties of the event's actions. @param[in] event NULL gives 0. @threadsafe Yes. */
AGENTCHAT_API size_t agentchat_event_action_extra_count(const agentchat_event *event);

/** An unknown property of the event's actions. @param[in] event The event. @param[in] index From 0. @return A view as
    long-lived as the event; NULL when there is no such property. @threadsafe Yes. */
AGENTCHAT_API const agentchat_extra *agentchat_event_action_extra(const agentchat_event *event, size_t index);

/** Sequence number in its session, from 1; 0 for an event that did not come from a store. @param[in] event NULL gives
    0. */
AGENTCHAT_API uint64_t agentchat_event_sequence(const agentchat_event *event);

/** Revision of the application's or the user's state that the event made; 0 when it changed none or did not come from a
    store. @param[in] event NULL gives 0. @param[in] scope APP or USER. */
AGENTCHAT_API uint64_t agentchat_event_revision(const agentchat_event *event, agentchat_scope scope);

/** Its time in nanoseconds since 1970-01-01T00:00:00Z, clamped to the type's range; 0 when it has none. @param[in]
    event NULL gives 0. */
AGENTCHAT_API int64_t agentchat_event_time_ns(const agentchat_event *event);

/**
 * Digest of an event: 64 lower-case hexadecimal digits of a SHA-256 as docs/formats/digest.md specifies it. Events of
 * the same meaning have the same digest, whatever formats they were read from; a conversion changes it exactly when it
 * reports a loss.
 * @param[in]  event The event.
 * @param[out] out   The digits and a NUL; empty on failure.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p event or @p out is NULL.
 * @retval AGENTCHAT_E_NOMEM   out of memory.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_event_digest(const agentchat_event *event,
                                                                          char out[AGENTCHAT_DIGEST_LEN + 1],
                                                                          agentchat_error *err);

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/**
 * A message as an event: the author is the message's name, else its role; id and time are the message's, where an event
 * can have them.
 * @param[in]  env        Environment or NULL; must outlive the event.
 * @param[in]  message    The message; a reference is taken.
 * @param[in]  invocation Id of the invocation; NULL: none.
 * @param[out] out        The event with one reference; NULL on failure.
 * @param[out] err        Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p message or @p out is NULL, or an invocation id that breaks the rules.
 * @retval AGENTCHAT_E_LIMIT   the message is deeper than the environment allows.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_event_from_message(const agentchat_env *env,
                                                                                const agentchat_message *message,
                                                                                const char *invocation,
                                                                                agentchat_event **out,
                                                                                agentchat_error *err);

/* ---- as text -------------------------------------------------------------------------------------------------- */

/**
 * Reads one event: in the native format (docs/formats/session.md) or in that of an ADK, in camelCase or snake_case, as
 * google-adk or ADK-Rust writes it; its properties decide which one it is.
 * @param[in]  env    Environment or NULL; must outlive the event.
 * @param[in]  text   JSON text of one object.
 * @param[in]  format "agentchat", "adk" or "adk-rust"; NULL: detect.
 * @param[out] out    The event with one reference; NULL on failure.
 * @param[out] report Receives what was noted and lost, up to where reading failed when it did, to be freed by the
 *                    caller; NULL: not wanted. It receives NULL only when the call failed before it read.
 * @param[out] err    Detail, or NULL: offset, line, column and JSON Pointer.
 * @retval AGENTCHAT_E_SYNTAX  not JSON.
 * @retval AGENTCHAT_E_SCHEMA  JSON, but no event.
 * @retval AGENTCHAT_E_INVALID @p out is NULL; a format that holds no events; a key or id that breaks the rules.
 * @retval AGENTCHAT_E_LIMIT   a limit was exceeded.
 * @threadsafe Yes; concurrent calls may share @p env.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_event_read(const agentchat_env *env, agentchat_str text,
                                                                        const char *format, agentchat_event **out,
                                                                        agentchat_report **report,
                                                                        agentchat_error *err);

/**
 * Appends an event to @p out as one line of JSON, without a line end. An unknown property of the native format that has
 * a namesake in `extras` is written there too, two levels deeper than it was read.
 * @param[in]     event  The event.
 * @param[in]     format "agentchat", "adk": camelCase as adk-python writes it, or "adk-rust". NULL: "agentchat".
 * @param[in,out] out    Started with AGENTCHAT_BYTES_INIT; unchanged on failure.
 * @param[out]    report Receives what was noted, repaired and lost, on failure too, to be freed by the caller; NULL:
 *                       not wanted. It receives NULL only when the call failed before it wrote.
 * @param[out]    err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p event or @p out is NULL; a format that holds no events;
 *                             @p out holds bytes of another environment
 *                             than the event's.
 * @retval AGENTCHAT_E_NOMEM   out of memory.
 * @threadsafe Yes, on different @p out.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_event_write(const agentchat_event *event,
                                                                         const char *format, agentchat_bytes *out,
                                                                         agentchat_report **report,
                                                                         agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
