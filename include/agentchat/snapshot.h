/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a chat as an immutable value: read from bytes, captured from a live chat or built; written, inspected,
   compared. */
#ifndef AGENTCHAT_SNAPSHOT_H
#define AGENTCHAT_SNAPSHOT_H

#include <agentchat/list_edit.h>
#include <agentchat/message.h>
#include <agentchat/report.h>
#include <agentchat/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An immutable, reference-counted state of a chat; any number of threads may use one at the same time. */
typedef struct agentchat_snapshot agentchat_snapshot;
/** Who took part: id, name, type. A view that lives as long as the snapshot. */
typedef struct agentchat_participant agentchat_participant;
/** State of one channel. A view that lives as long as the snapshot. */
typedef struct agentchat_channel_state agentchat_channel_state;
/** A snapshot being built. One thread at a time. */
typedef struct agentchat_snapshot_builder agentchat_snapshot_builder;

/** How a channel's state is held. Numbers are stable. */
typedef enum agentchat_channel_kind {
    AGENTCHAT_CHANNEL_TEXT = 1,     /**< text, of which the library knows nothing: a thread id, JSON, … */
    AGENTCHAT_CHANNEL_BYTES = 2,    /**< bytes */
    AGENTCHAT_CHANNEL_MESSAGES = 3, /**< a list of messages (history channels) */
    AGENTCHAT_CHANNEL_CHAT = 4,     /**< a whole chat (aggregators) */
    AGENTCHAT_CHANNEL_MAX_ = 0x7fffffff
} agentchat_channel_kind;

/* Type names and channel types under which Semantic Kernel knows the built-in agents. */
/** Type of a history agent. */
#define AGENTCHAT_TYPE_HISTORY_AGENT "Microsoft.SemanticKernel.Agents.ChatCompletionAgent"
/** Type of the channel of history agents. */
#define AGENTCHAT_TYPE_HISTORY_CHANNEL "Microsoft.SemanticKernel.Agents.ChatHistoryChannel"
/** Type of an aggregator. */
#define AGENTCHAT_TYPE_AGGREGATOR "Microsoft.SemanticKernel.Agents.AggregatorAgent"
/** Type of an aggregator's channel. */
#define AGENTCHAT_TYPE_AGGREGATOR_CHANNEL "Microsoft.SemanticKernel.Agents.AggregatorChannel"

/** Value of agentchat_channel_state_synced() when the source did not say. */
#define AGENTCHAT_SYNCED_UNKNOWN SIZE_MAX

/** Number of bytes of a channel key as text, without the terminating NUL. */
#define AGENTCHAT_KEY_LEN 44

/**
 * Key of a channel: base64(SHA-256(the key strings as UTF-8, joined with ":")), as Semantic Kernel's KeyEncoder.
 * @param[in]  keys  The key strings.
 * @param[in]  count Their number.
 * @param[out] out   The key and a NUL.
 * @return OK; E_NOMEM.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_channel_key(const agentchat_str *keys, size_t count,
                                                                         char out[AGENTCHAT_KEY_LEN + 1]);

/* ---- reading -------------------------------------------------------------------------------------------------- */

/** How a snapshot is read. */
typedef struct agentchat_read_options {
    size_t struct_size;             /**< sizeof(agentchat_read_options) */
    const char *format;             /**< its name (format.h); NULL: detect by its marks */
    bool fail_on_loss;              /**< E_LOSS where anything is lost */
    const agentchat_limits *limits; /**< NULL: those of the environment */
    bool sessions;                  /**< without a format: the file of a session, which is no chat, is not refused but
                                         read as the chat of its events, as agentchat_session_file_snapshot() makes it,
                                         with its state as the value "state". How deep it may be is said by the
                                         environment's limits */
} agentchat_read_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_READ_OPTIONS_INIT                                                                                    \
    {                                                                                                                  \
        sizeof(agentchat_read_options), NULL, false, NULL, false                                                       \
    }

/**
 * AGENTCHAT_READ_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_read_options_init(agentchat_read_options *options, size_t size);

/**
 * Reads a snapshot from a stream, to its end.
 * @param[in]  env     Environment or NULL; must outlive the snapshot.
 * @param[in]  source  The stream; borrowed.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The snapshot with one reference (agentchat_snapshot_unref()); NULL on failure.
 * @param[out] report  Receives what was noted and lost, up to where reading failed when it did, to be freed by the
 *                     caller; NULL: not wanted. It receives NULL only when the call failed before it read.
 * @param[out] err     Detail, or NULL: offset, line, column and JSON Pointer of what is wrong, and the stream's name.
 * @retval AGENTCHAT_E_INVALID options->format names no format that chats are read in; the message lists those.
 * @retval AGENTCHAT_E_SYNTAX  not JSON (RFC 8259), not UTF-8, or data after the document.
 * @retval AGENTCHAT_E_SCHEMA  JSON, but no state of a chat in a known format. Where no format is named: nothing shows
 *                             which one it is in, or it may be in several that read it differently; the message
 *                             names them.
 * @retval AGENTCHAT_E_VERSION written in a newer major version of the format; err->native is its number.
 * @retval AGENTCHAT_E_LIMIT   a limit was exceeded.
 * @retval AGENTCHAT_E_LOSS    only with options->fail_on_loss.
 * @retval AGENTCHAT_E_IO      the stream failed.
 * @threadsafe Yes; concurrent calls may share @p env.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_snapshot_read(const agentchat_env *env, agentchat_source *source, const agentchat_read_options *options,
                        agentchat_snapshot **out, agentchat_report **report, agentchat_error *err);

/**
 * Reads a snapshot from bytes, which are copied. Parameters and errors as agentchat_snapshot_read().
 * @param[in]  env     Environment or NULL.
 * @param[in]  bytes   The complete document.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The snapshot; NULL on failure.
 * @param[out] report  As agentchat_snapshot_read(); NULL: not wanted.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_snapshot_read_memory(const agentchat_env *env, agentchat_str bytes, const agentchat_read_options *options,
                               agentchat_snapshot **out, agentchat_report **report, agentchat_error *err);

/**
 * Reads a snapshot from a file. Parameters and errors as agentchat_snapshot_read(), and E_NOTFOUND.
 * @param[in]  env     Environment or NULL.
 * @param[in]  path    Name of the file.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The snapshot; NULL on failure.
 * @param[out] report  As agentchat_snapshot_read(); NULL: not wanted.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_snapshot_read_file(const agentchat_env *env, const char *path, const agentchat_read_options *options,
                             agentchat_snapshot **out, agentchat_report **report, agentchat_error *err);

/* ---- writing -------------------------------------------------------------------------------------------------- */

/** How a snapshot is written. */
typedef struct agentchat_write_options {
    size_t struct_size;  /**< sizeof(agentchat_write_options) */
    const char *format;  /**< its name; NULL: "agentchat" */
    bool strict;         /**< formats of providers: as it stands, not repaired for the provider (agentchat_repair());
                              semantic-kernel: exactly what .NET writes, nothing added, nothing repaired */
    bool fail_on_loss;   /**< E_LOSS, and nothing written, where anything would be lost */
    uint32_t max_copies; /**< as agentchat_limits.max_copies; 0: that of the snapshot's environment */
    bool lines; /**< JSON lines: the messages alone, each on a line of its own; E_INVALID for agentchat-encoded */
} agentchat_write_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_WRITE_OPTIONS_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(agentchat_write_options), NULL, false, false, 0, false                                                  \
    }

/**
 * AGENTCHAT_WRITE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_write_options_init(agentchat_write_options *options, size_t size);

/**
 * Writes a snapshot to a stream and commits the stream. The same snapshot always gives the same bytes. Nothing in a
 * chat makes it fail but channels that repeat its history too often: what the format cannot hold becomes a LOSS entry
 * of the report. The document ends with a line feed, except in semantic-kernel with options->strict.
 * @param[in]  snapshot The snapshot.
 * @param[in]  sink     The stream; borrowed. After a failure it is not committed.
 * @param[in]  options  Options, or NULL.
 * @param[out] report   Receives what was noted, repaired and lost, to be freed by the caller: of E_LOSS, every loss;
 *                      of another failure, what came before it. NULL: not wanted. It receives NULL only when the call
 *                      failed before it wrote.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID options->format names no format that chats are written in; the message lists those.
 * @retval AGENTCHAT_E_IO   the stream failed.
 * @retval AGENTCHAT_E_LOSS only with options->fail_on_loss; err->path is the first loss.
 * @retval AGENTCHAT_E_LIMIT semantic-kernel: channels name more of the history than max_copies allows (docs/limits.md).
 * @threadsafe Yes, on different sinks.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_snapshot_write(const agentchat_snapshot *snapshot,
                                                                            agentchat_sink *sink,
                                                                            const agentchat_write_options *options,
                                                                            agentchat_report **report,
                                                                            agentchat_error *err);

/**
 * Writes a snapshot to a file, atomically as agentchat_sink_path() does.
 * @param[in]  snapshot The snapshot.
 * @param[in]  path     Name of the file.
 * @param[in]  options  Options, or NULL.
 * @param[out] report   As agentchat_snapshot_write(); NULL: not wanted.
 * @param[out] err      Detail, or NULL; errors as agentchat_snapshot_write(). A failure leaves the old file
 *                      (agentchat_sink_path() names an exception).
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_snapshot_write_file(const agentchat_snapshot *snapshot,
                                                                                 const char *path,
                                                                                 const agentchat_write_options *options,
                                                                                 agentchat_report **report,
                                                                                 agentchat_error *err);

/**
 * Appends a snapshot's document to @p out.
 * @param[in]     snapshot The snapshot.
 * @param[in]     options  Options, or NULL.
 * @param[in,out] out      Started with AGENTCHAT_BYTES_INIT; unchanged on failure.
 * @param[out]    report   As agentchat_snapshot_write(); NULL: not wanted.
 * @param[out]    err      Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_snapshot_write_memory(const agentchat_snapshot *snapshot, const agentchat_write_options *options,
                                agentchat_bytes *out, agentchat_report **report, agentchat_error *err);

/* ---- inspecting ----------------------------------------------------------------------------------------------- */

/** Takes a reference. @param[in] snapshot NULL is allowed. @return @p snapshot. @threadsafe Yes. */
AGENTCHAT_API agentchat_snapshot *agentchat_snapshot_ref(const agentchat_snapshot *snapshot);

/** Gives a reference back. @param[in] snapshot NULL is allowed. @threadsafe Yes. */
AGENTCHAT_API void agentchat_snapshot_unref(const agentchat_snapshot *snapshot);

/** Name of the format it was read from; NULL when it was captured or built. @param[in] snapshot The snapshot. */
AGENTCHAT_API const char *agentchat_snapshot_format(const agentchat_snapshot *snapshot);

/** The history, oldest first; a view. @param[in] snapshot NULL gives NULL, a list of none. */
AGENTCHAT_API const agentchat_messages *agentchat_snapshot_history(const agentchat_snapshot *snapshot);

/** Number of participants. @param[in] snapshot NULL gives 0. */
AGENTCHAT_API size_t agentchat_snapshot_participant_count(const agentchat_snapshot *snapshot);

/** A participant. @param[in] snapshot The snapshot. @param[in] index From 0. @return A view or NULL. */
AGENTCHAT_API const agentchat_participant *agentchat_snapshot_participant(const agentchat_snapshot *snapshot,
                                                                          size_t index);

/** Number of unknown properties of the chat itself. @param[in] snapshot NULL gives 0. */
AGENTCHAT_API size_t agentchat_snapshot_extra_count(const agentchat_snapshot *snapshot);

/** An unknown property of the chat itself. @param[in] snapshot The snapshot. @param[in] index From 0. @return A view or
    NULL. */
AGENTCHAT_API const agentchat_extra *agentchat_snapshot_extra(const agentchat_snapshot *snapshot, size_t index);

/** Number of channels. @param[in] snapshot NULL gives 0. */
AGENTCHAT_API size_t agentchat_snapshot_channel_count(const agentchat_snapshot *snapshot);

/** A channel's state. @param[in] snapshot The snapshot. @param[in] index From 0. @return A view or NULL. */
AGENTCHAT_API const agentchat_channel_state *agentchat_snapshot_channel(const agentchat_snapshot *snapshot,
                                                                        size_t index);

/** A participant's id. @param[in] participant The participant. @return Absent when the source has none. */
AGENTCHAT_API agentchat_str agentchat_participant_id(const agentchat_participant *participant);

/** A participant's name. @param[in] participant The participant. @return Absent when it has none. */
AGENTCHAT_API agentchat_str agentchat_participant_name(const agentchat_participant *participant);

/** A participant's type as its file spells it: text for a factory, nothing that is ever loaded or run.
    @param[in] participant The participant. */
AGENTCHAT_API agentchat_str agentchat_participant_type(const agentchat_participant *participant);

/** Number of unknown properties of a participant. @param[in] participant NULL gives 0. */
AGENTCHAT_API size_t agentchat_participant_extra_count(const agentchat_participant *participant);

/** An unknown property of a participant. @param[in] participant The participant. @param[in] index From 0. @return A
   view that lives as long as the participant, or NULL. */
AGENTCHAT_API const agentchat_extra *agentchat_participant_extra(const agentchat_participant *participant,
                                                                 size_t index);

/** The channel's key. @param[in] channel The channel. */
AGENTCHAT_API agentchat_str agentchat_channel_state_key(const agentchat_channel_state *channel);

/** The channel's type as its file spells it. @param[in] channel The channel. @return Absent when there is none. */
AGENTCHAT_API agentchat_str agentchat_channel_state_type(const agentchat_channel_state *channel);

/** How the state is held. @param[in] channel The channel. */
AGENTCHAT_API agentchat_channel_kind agentchat_channel_state_kind(const agentchat_channel_state *channel);

/** The state of a TEXT or BYTES channel. @param[in] channel The channel. @return Absent for the other kinds. */
AGENTCHAT_API agentchat_str agentchat_channel_state_data(const agentchat_channel_state *channel);

/** The state of a MESSAGES channel. @param[in] channel The channel. @return A view; NULL for the other kinds. */
AGENTCHAT_API const agentchat_messages *agentchat_channel_state_messages(const agentchat_channel_state *channel);

/** The state of a CHAT channel. @param[in] channel The channel. @return A view; NULL for the other kinds. */
AGENTCHAT_API const agentchat_snapshot *agentchat_channel_state_chat(const agentchat_channel_state *channel);

/**
 * How far into the history the channel has been given messages: it knows, or has pending, those before this position.
 * @param[in] channel The channel.
 * @return A position, or AGENTCHAT_SYNCED_UNKNOWN.
 */
AGENTCHAT_API size_t agentchat_channel_state_synced(const agentchat_channel_state *channel);

/** Number of messages queued for the channel and not delivered. @param[in] channel The channel. */
AGENTCHAT_API size_t agentchat_channel_state_pending_count(const agentchat_channel_state *channel);

/** Position in the history of a queued message. @param[in] channel The channel. @param[in] index From 0. */
AGENTCHAT_API size_t agentchat_channel_state_pending(const agentchat_channel_state *channel, size_t index);

/** Number of unknown properties of a channel. @param[in] channel NULL gives 0. */
AGENTCHAT_API size_t agentchat_channel_state_extra_count(const agentchat_channel_state *channel);

/** An unknown property of a channel. @param[in] channel The channel. @param[in] index From 0. @return A view that lives
    as long as the channel, or NULL. */
AGENTCHAT_API const agentchat_extra *agentchat_channel_state_extra(const agentchat_channel_state *channel,
                                                                   size_t index);

/** Number of named values. @param[in] snapshot NULL gives 0. */
AGENTCHAT_API size_t agentchat_snapshot_value_count(const agentchat_snapshot *snapshot);

/** Name of a named value. @param[in] snapshot The snapshot. @param[in] index From 0; beyond the count: absent. */
AGENTCHAT_API agentchat_str agentchat_snapshot_value_name(const agentchat_snapshot *snapshot, size_t index);

/**
 * A named value: something that the host keeps with the chat.
 * @param[in]  snapshot   The snapshot.
 * @param[in]  name       Its name.
 * @param[out] media_type Absent for a JSON value, else the media type of bytes; NULL: not wanted.
 * @return JSON text or bytes; absent when there is no value of that name. The text of a list that a live chat holds
 *         element by element (agentchat_chat_update()) is made by the first call, whatever thread it is on; absent also
 *         when there is no memory for that.
 */
AGENTCHAT_API agentchat_str agentchat_snapshot_value(const agentchat_snapshot *snapshot, agentchat_str name,
                                                     agentchat_str *media_type);

/**
 * Position of the round robin: index of the participant that speaks next. One that no participant has counts as 0.
 * @param[in] snapshot The snapshot.
 * @return At most 2^53 - 1.
 */
AGENTCHAT_API uint64_t agentchat_snapshot_next_turn(const agentchat_snapshot *snapshot);

/** The chat's form mark (AGENTCHAT_FIELD_FORM): how its source spelled what means the same. @param[in] snapshot NULL
   gives absent. @return JSON text, a view as long-lived as the snapshot; absent when there is none. */
AGENTCHAT_API agentchat_str agentchat_snapshot_form(const agentchat_snapshot *snapshot);

/** Whether the chat had been completed. @param[in] snapshot The snapshot. */
AGENTCHAT_API bool agentchat_snapshot_is_complete(const agentchat_snapshot *snapshot);

/* ---- building without a chat ---------------------------------------------------------------------------------- */

/**
 * Starts a snapshot. All calls on a builder copy what they are given; the first failure sticks.
 * @param[in]  env  Environment or NULL.
 * @param[in]  from A snapshot to start from, or NULL for an empty one.
 * @param[out] out  The builder, to be given to agentchat_snapshot_builder_finish() or _free(); NULL on failure.
 * @param[out] err  Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_snapshot_builder_new(const agentchat_env *env,
                                                                                  const agentchat_snapshot *from,
                                                                                  agentchat_snapshot_builder **out,
                                                                                  agentchat_error *err);

/** Appends a message; a reference is taken. @param[in] builder The builder. @param[in] message The message. */
AGENTCHAT_API void agentchat_snapshot_builder_add_message(agentchat_snapshot_builder *builder,
                                                          const agentchat_message *message);

/**
 * Replaces the range of @p count messages from @p first by @p with (NULL: by nothing). Positions that channels hold
 * (synced, pending) follow; a pending message that is removed is no longer pending.
 * @param[in] builder The builder.
 * @param[in] first   From 0.
 * @param[in] count   Number of messages to take out.
 * @param[in] with    Messages to put in, or NULL.
 */
AGENTCHAT_API void agentchat_snapshot_builder_replace(agentchat_snapshot_builder *builder, size_t first, size_t count,
                                                      const agentchat_messages *with);

/**
 * Adds a participant.
 * @param[in] builder The builder.
 * @param[in] id      Its id, not yet in the snapshot.
 * @param[in] name    Its name; absent for none.
 * @param[in] type    Its type.
 */
AGENTCHAT_API void agentchat_snapshot_builder_add_participant(agentchat_snapshot_builder *builder, agentchat_str id,
                                                              agentchat_str name, agentchat_str type);

/**
 * Adds a channel with a state of text or bytes, or replaces the one of the same key.
 * @param[in] builder The builder.
 * @param[in] key     The channel's key (agentchat_channel_key()).
 * @param[in] type    The channel's type; absent for none.
 * @param[in] kind    TEXT or BYTES.
 * @param[in] data    The state.
 * @param[in] synced  As agentchat_channel_state_synced().
 */
AGENTCHAT_API void agentchat_snapshot_builder_set_channel(agentchat_snapshot_builder *builder, agentchat_str key,
                                                          agentchat_str type, agentchat_channel_kind kind,
                                                          agentchat_str data, size_t synced);

/**
 * Adds a channel whose state is a list of messages, or replaces the one of the same key.
 * @param[in] builder  The builder.
 * @param[in] key      The channel's key.
 * @param[in] type     The channel's type; absent for none.
 * @param[in] messages The state; shared, not copied.
 * @param[in] synced   As agentchat_channel_state_synced().
 */
AGENTCHAT_API void agentchat_snapshot_builder_set_channel_messages(agentchat_snapshot_builder *builder,
                                                                   agentchat_str key, agentchat_str type,
                                                                   const agentchat_messages *messages, size_t synced);

/**
 * Adds a channel whose state is a chat, or replaces the one of the same key.
 * @param[in] builder The builder.
 * @param[in] key     The channel's key.
 * @param[in] type    The channel's type; absent for none.
 * @param[in] chat    The state; a reference is taken.
 * @param[in] synced  As agentchat_channel_state_synced().
 */
AGENTCHAT_API void agentchat_snapshot_builder_set_channel_chat(agentchat_snapshot_builder *builder, agentchat_str key,
                                                               agentchat_str type, const agentchat_snapshot *chat,
                                                               size_t synced);

/**
 * Sets what is queued for a channel and not delivered.
 * @param[in] builder   The builder.
 * @param[in] key       Key of a channel that is in the builder.
 * @param[in] positions Positions in the history, ascending; copied.
 * @param[in] count     Their number; 0: nothing is queued.
 */
AGENTCHAT_API void agentchat_snapshot_builder_set_pending(agentchat_snapshot_builder *builder, agentchat_str key,
                                                          const size_t *positions, size_t count);

/**
 * Sets how far a run of the chat has come.
 * @param[in] builder   The builder.
 * @param[in] next_turn As agentchat_snapshot_next_turn(); above 2^53 - 1 finish fails with AGENTCHAT_E_INVALID.
 * @param[in] complete  As agentchat_snapshot_is_complete().
 */
AGENTCHAT_API void agentchat_snapshot_builder_set_progress(agentchat_snapshot_builder *builder, uint64_t next_turn,
                                                           bool complete);

/**
 * Sets the chat's form mark.
 * @param[in] builder The builder.
 * @param[in] form    JSON text as AGENTCHAT_FIELD_FORM describes it; absent or null removes it.
 */
AGENTCHAT_API void agentchat_snapshot_builder_set_form(agentchat_snapshot_builder *builder, agentchat_str form);

/** Takes a channel out; nothing happens when there is none. @param[in] builder The builder. @param[in] key Its key. */
AGENTCHAT_API void agentchat_snapshot_builder_remove_channel(agentchat_snapshot_builder *builder, agentchat_str key);

/**
 * Sets a named value.
 * @param[in] builder    The builder.
 * @param[in] name       Its name; not empty.
 * @param[in] media_type Absent: @p value is JSON text; else the media type of bytes.
 * @param[in] value      The value; absent removes it.
 */
AGENTCHAT_API void agentchat_snapshot_builder_set_value(agentchat_snapshot_builder *builder, agentchat_str name,
                                                        agentchat_str media_type, agentchat_str value);

/**
 * Adds an unknown property to the chat itself.
 * @param[in] builder The builder.
 * @param[in] name    Its name; not absent.
 * @param[in] value   JSON text; agentchat_str_null() is `null`.
 * @param[in] from    Name of the format it came from, known or not; absent for one of the host.
 */
AGENTCHAT_API void agentchat_snapshot_builder_add_extra(agentchat_snapshot_builder *builder, agentchat_str name,
                                                        agentchat_str value, agentchat_str from);

/** Takes the unknown properties of a name out of the chat itself; nothing happens when there is none. @param[in]
   builder The builder. @param[in] name The name. */
AGENTCHAT_API void agentchat_snapshot_builder_remove_extra(agentchat_snapshot_builder *builder, agentchat_str name);

/**
 * Adds an unknown property to a participant.
 * @param[in] builder The builder.
 * @param[in] id      Id of a participant that is in the builder; of several of one id the first is meant.
 * @param[in] name    The property's name; not absent.
 * @param[in] value   JSON text; agentchat_str_null() is `null`.
 * @param[in] from    Name of the format it came from, known or not; absent for one of the host.
 */
AGENTCHAT_API void agentchat_snapshot_builder_add_participant_extra(agentchat_snapshot_builder *builder,
                                                                    agentchat_str id, agentchat_str name,
                                                                    agentchat_str value, agentchat_str from);

/** Takes the unknown properties of a name out of a participant; nothing happens when there is none. @param[in] builder
    The builder. @param[in] id Id of a participant that is in the builder. @param[in] name The name. */
AGENTCHAT_API void agentchat_snapshot_builder_remove_participant_extra(agentchat_snapshot_builder *builder,
                                                                       agentchat_str id, agentchat_str name);

/**
 * Adds an unknown property to a channel; setting the channel again takes its unknown properties away.
 * @param[in] builder The builder.
 * @param[in] key     Key of a channel that is in the builder; of several of one key the first is meant.
 * @param[in] name    The property's name; not absent.
 * @param[in] value   JSON text; agentchat_str_null() is `null`.
 * @param[in] from    Name of the format it came from, known or not; absent for one of the host.
 */
AGENTCHAT_API void agentchat_snapshot_builder_add_channel_extra(agentchat_snapshot_builder *builder, agentchat_str key,
                                                                agentchat_str name, agentchat_str value,
                                                                agentchat_str from);

/** Takes the unknown properties of a name out of a channel; nothing happens when there is none. @param[in] builder The
    builder. @param[in] key Key of a channel that is in the builder. @param[in] name The name. */
AGENTCHAT_API void agentchat_snapshot_builder_remove_channel_extra(agentchat_snapshot_builder *builder,
                                                                   agentchat_str key, agentchat_str name);

/**
 * Ends building and consumes the builder, also on failure.
 * @param[in]  builder The builder.
 * @param[out] out     The snapshot with one reference; NULL on failure.
 * @param[out] err     Detail of the first failure since the builder was made, or NULL.
 * @retval AGENTCHAT_E_INVALID text that is not UTF-8, a value that is not JSON, a position beyond the history, a
 *                             participant or channel that is not there.
 * @retval AGENTCHAT_E_EXISTS  a participant's id is there already.
 * @retval AGENTCHAT_E_LIMIT   a JSON value or nested chat is deeper than the environment's limit.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_snapshot_builder_finish(agentchat_snapshot_builder *builder, agentchat_snapshot **out, agentchat_error *err);

/** Releases a builder without making a snapshot. @param[in] builder NULL is allowed. */
AGENTCHAT_API void agentchat_snapshot_builder_free(agentchat_snapshot_builder *builder);

/* ---- editing --------------------------------------------------------------------------------------------------- */

/**
 * Edits a snapshot: its history, and every channel that holds messages of it, so that what was removed is not seen by
 * any agent either. The snapshot stays as it is; what results shares messages with it.
 *
 * A message of a channel is one of the history's if it is that very message or has its id, else if the two are equal
 * and at most one of them has an id, found by aligning the channel with what it was given, from the end; so are
 * messages of an id that repeats. What only the channel has stays. A message that is inserted comes before the same
 * neighbour as in the history, also in what is pending; after the last message it is given to channels that were given
 * all of the history. Semantic Kernel's history channels leave out what their filter would not let through. Chats
 * inside channels are edited the same way, at every depth. Of a channel whose state is text or bytes only the positions
 * follow: when it was given what changes, the report names it (AGENTCHAT_REPORT_CHANNEL_UNEDITED), and what is added at
 * the end of the history becomes pending.
 *
 * The cost is that of the snapshot, and for each channel that of what is inserted.
 * @param[in]  env      Environment or NULL; must outlive what results.
 * @param[in]  snapshot The snapshot.
 * @param[in]  edit     An edit list for its history.
 * @param[out] out      The new snapshot with one reference; NULL on failure.
 * @param[out] report   Receives the channels that could not follow, to be freed by the caller; NULL: not wanted. It
 *                      receives NULL only when the call failed before it began.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID an argument is NULL, or the edit list was made for a list of another length.
 * @retval AGENTCHAT_E_SCHEMA  a channel's positions are not in the history; err->path names it.
 * @retval AGENTCHAT_E_LIMIT   chats are nested deeper than the environment's max_depth.
 * @threadsafe Yes, on different edit lists.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_snapshot_edit(const agentchat_env *env, const agentchat_snapshot *snapshot, const agentchat_list_edit *edit,
                        agentchat_snapshot **out, agentchat_report **report, agentchat_error *err);

/* ---- comparing ------------------------------------------------------------------------------------------------ */

/** Characters of a digest as text, without the terminating NUL. */
#define AGENTCHAT_DIGEST_LEN 64

/**
 * Digest of a snapshot: 64 lower-case hexadecimal digits of a SHA-256 as docs/formats/digest.md specifies it. Two
 * histories with the same meaning have the same digest, whatever formats they were read from.
 * @param[in]  snapshot The snapshot.
 * @param[in]  all      false: of the history; true: of history, participants and channels.
 * @param[out] out      The digits and a NUL.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_NOMEM out of memory.
 * @retval AGENTCHAT_E_LIMIT only with @p all: channels name more of the history than the environment's max_copies
 * allows.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_snapshot_digest(const agentchat_snapshot *snapshot,
                                                                             bool all,
                                                                             char out[AGENTCHAT_DIGEST_LEN + 1],
                                                                             agentchat_error *err);

/**
 * Called for each difference of two snapshots.
 * @param[in] user   As given.
 * @param[in] path   JSON Pointer, in terms of format 1; a view for the duration of the call.
 * @param[in] left   JSON text of what stands there in the left one; absent when nothing does.
 * @param[in] right  The same of the right one.
 * @param[out] err   Detail of a failure.
 * @return OK to go on, DONE to stop, an error to stop with it.
 */
typedef agentchat_status (*agentchat_diff_fn)(void *user, agentchat_str path, agentchat_str left, agentchat_str right,
                                              agentchat_error *err);

/**
 * Compares two snapshots by meaning, as the digest does: equal digests (all) give no difference.
 * @param[in]  left  One.
 * @param[in]  right The other.
 * @param[in]  each  Called for each difference, in the order of format 1; NULL: stop at the first.
 * @param[in]  user  Handed to @p each.
 * @param[out] equal Whether there was none.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_CALLBACK or whatever @p each returned.
 * @retval AGENTCHAT_E_LIMIT channels name more of the histories than the environment's max_copies allows.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_snapshot_diff(const agentchat_snapshot *left,
                                                                           const agentchat_snapshot *right,
                                                                           agentchat_diff_fn each, void *user,
                                                                           bool *equal, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
