/* SPDX-License-Identifier: Apache-2.0 */
/* A live chat: run it, save it, restore it. */
#ifndef AGENTCHAT_CHAT_H
#define AGENTCHAT_CHAT_H

#include <agentchat/agent.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes an empty chat.
 * @param[in]  env Environment or NULL.
 * @param[out] out The chat (agentchat_chat_free()); NULL on failure.
 * @param[out] err Detail, or NULL. Only E_NOMEM is possible, and E_INVALID for a NULL @p out.
 * @threadsafe Yes; concurrent calls may share @p env.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_new(const agentchat_env *env, agentchat_chat **out,
                                                                      agentchat_error *err);

/** Releases a chat, its agents and its channels. @param[in] chat NULL is allowed. */
AGENTCHAT_API void agentchat_chat_free(agentchat_chat *chat);

/**
 * Adds an agent, at any time. Its channel gets the whole history when the agent is first invoked.
 * @param[in]  chat  The chat.
 * @param[in]  agent The agent; the chat takes ownership, also on failure.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p chat or @p agent is NULL. Below, too, NULL is refused unless it is said to be allowed.
 * @retval AGENTCHAT_E_EXISTS  the chat has an agent with this id, or the agent is in a chat (which keeps it).
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_add_agent(agentchat_chat *chat,
                                                                            agentchat_agent *agent,
                                                                            agentchat_error *err);

/**
 * Creates a history agent with a name and an answer function, and adds it. Errors as agentchat_history_agent_new() and
 * agentchat_chat_add_agent().
 * @param[in]  chat   The chat.
 * @param[in]  name   The agent's name; copied; absent for none.
 * @param[in]  answer Answers for the agent; NULL: split its turns into begin and end (turn.h).
 * @param[in]  user   Handed to @p answer; borrowed: it must outlive the chat, which never releases it.
 * @param[out] err    Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_add_history_agent(agentchat_chat *chat,
                                                                                    agentchat_str name,
                                                                                    agentchat_answer_fn answer,
                                                                                    void *user, agentchat_error *err);

/** Number of agents. @param[in] chat NULL gives 0. */
AGENTCHAT_API size_t agentchat_chat_agent_count(const agentchat_chat *chat);

/** An agent, in the order in which they joined. @param[in] chat The chat. @param[in] index From 0. @return Or NULL. */
AGENTCHAT_API agentchat_agent *agentchat_chat_agent(const agentchat_chat *chat, size_t index);

/**
 * Adds a message. Instructions (a system prompt) are no message of a chat: they belong to the agent, whose answer
 * function puts them before the messages when it calls its model.
 * @param[in]  chat    The chat; unchanged on failure.
 * @param[in]  message The message; a reference is taken.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID its role is "system", in any letter case.
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_add_message(agentchat_chat *chat,
                                                                              const agentchat_message *message,
                                                                              agentchat_error *err);

/**
 * Adds several messages as one batch.
 * @param[in]  chat     The chat.
 * @param[in]  messages The messages; references are taken.
 * @param[in]  count    Their number; with 0 the channels get an empty batch.
 * @param[out] err      As agentchat_chat_add_message().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_add_messages(agentchat_chat *chat,
                                                                               const agentchat_message *const *messages,
                                                                               size_t count, agentchat_error *err);

/**
 * Adds a message with one text item.
 * @param[in]  chat The chat.
 * @param[in]  role The role.
 * @param[in]  text UTF-8.
 * @param[out] err  As agentchat_chat_add_message().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_add_text(agentchat_chat *chat, const char *role,
                                                                           agentchat_str text, agentchat_error *err);

/**
 * Invokes one agent. Each message of its answer joins the history at once, and then goes to the other channels, even if
 * the agent fails half-way.
 * @param[in]  chat       The chat.
 * @param[in]  name_or_id Name or id of an agent. An id takes precedence; a name must be unique.
 * @param[out] err        Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND no agent has this name or id.
 * @retval AGENTCHAT_E_INVALID  several agents have this name (the message lists their ids), or it is absent.
 * @retval AGENTCHAT_E_BUSY     an operation is active.
 * @retval AGENTCHAT_E_CALLBACK or the status that the channel returned when it was created, received earlier messages,
 * or answered.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_invoke(agentchat_chat *chat, agentchat_str name_or_id,
                                                                         agentchat_error *err);

/**
 * Invokes one agent by its pointer. If the agent is not in the chat, the error is E_NOTFOUND.
 * @param[in]  chat  The chat.
 * @param[in]  agent An agent of the chat.
 * @param[out] err   As agentchat_chat_invoke().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_invoke_agent(agentchat_chat *chat,
                                                                               const agentchat_agent *agent,
                                                                               agentchat_error *err);

/** How a chat runs by itself. The callbacks run during agentchat_chat_run(), on its OS thread. They may read the chat;
    calls that change it return E_BUSY. */
typedef struct agentchat_run_options {
    size_t struct_size; /**< sizeof(agentchat_run_options) */
    uint32_t max_turns; /**< 0: 99 */
    /** Selects the next agent: OK with *out, DONE to end the run, or an error. NULL: round robin. */
    agentchat_status (*select)(void *user, const agentchat_chat *chat, const agentchat_agent **out,
                               agentchat_error *err);
    /** Decides after each turn whether the conversation is complete. NULL: never. */
    agentchat_status (*is_complete)(void *user, const agentchat_chat *chat, const agentchat_agent *spoke, bool *out,
                                    agentchat_error *err);
    bool reset_complete; /**< clear the completion mark and run */
    void *user;          /**< handed to select and is_complete; used during the call only */
} agentchat_run_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_RUN_OPTIONS_INIT                                                                                     \
    {                                                                                                                  \
        sizeof(agentchat_run_options), 0, NULL, NULL, false, NULL                                                      \
    }

/**
 * AGENTCHAT_RUN_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_run_options_init(agentchat_run_options *options, size_t size);

/**
 * Runs a chat for some turns.
 * @param[in]  chat    The chat.
 * @param[in]  options Options, or NULL: 99 turns of round robin.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_OK          all turns were taken, or select ended the run.
 * @retval AGENTCHAT_DONE        the conversation is complete.
 * @retval AGENTCHAT_E_NO_AGENTS there is no agent.
 * @retval AGENTCHAT_E_INVALID   the chat is complete already, and options->reset_complete is not set.
 * @retval AGENTCHAT_E_BUSY      an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_run(agentchat_chat *chat,
                                                                      const agentchat_run_options *options,
                                                                      agentchat_error *err);

/** Invokes the next agent of the round robin. @param[in] chat The chat. @param[out] err As agentchat_chat_run(). */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_invoke_next(agentchat_chat *chat,
                                                                              agentchat_error *err);

/**
 * Ends the active operation with E_CANCELLED: before the next turn of a run, before the delivery at the beginning of a
 * turn, or before the next channel is restored or edited. No step is left half done. What was said stays, undelivered
 * messages stay queued, and a call that has finished its work succeeds. Turns of inner chats end too. An answer
 * function that waits should ask agentchat_replies_is_interrupted(). If no operation is active, nothing happens.
 * @param[in] chat NULL is allowed.
 * @threadsafe Yes; safe in a signal handler, too.
 */
AGENTCHAT_API void agentchat_chat_interrupt(agentchat_chat *chat);

/** Callbacks that observe a chat. Each runs on the operation's OS thread, when the chat is consistent. It may capture
   and save the chat; other calls that change the chat return E_BUSY. If it fails, the operation (or the run) ends with
    its status, and what was said stays. */
typedef struct agentchat_chat_observer {
    size_t struct_size; /**< sizeof(agentchat_chat_observer) */
    /** Optional. After messages were added. */
    agentchat_status (*on_input)(void *user, agentchat_chat *chat, agentchat_error *err);
    /** Optional. After each completed answer: of an invocation, in a run, or of a turn in two calls. */
    agentchat_status (*on_answer)(void *user, agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err);
    void *user; /**< passed to all of them */
    void (*free_user)(
        void *user); /**< called once, when the observer is replaced or the chat freed; NULL: nothing to do */
    /** Optional. After an edit (agentchat_chat_edit()); a failure does not undo the edit. An inner chat's observer gets
     * the part of the outer edit that concerns it. The edit list is a view for the duration of the call. */
    agentchat_status (*on_edit)(void *user, agentchat_chat *chat, const agentchat_list_edit *edit,
                                agentchat_error *err);
} agentchat_chat_observer;
/** Initializer: every member at its default. */
#define AGENTCHAT_CHAT_OBSERVER_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(agentchat_chat_observer), NULL, NULL, NULL, NULL, NULL                                                  \
    }

/** AGENTCHAT_CHAT_OBSERVER_INIT for languages without macros. @param[out] observer The struct; NULL is allowed.
    @param[in] size Its size as the caller knows it. */
AGENTCHAT_API void agentchat_chat_observer_init(agentchat_chat_observer *observer, size_t size);

/**
 * Sets the observer of a chat, in place of the previous one.
 * @param[in]  chat     The chat. An inner chat has its own observer. If that fails after input or an edit that the
 * outer chat passed on, nothing ends, because the input is already there.
 * @param[in]  observer The functions, copied, with ownership of user: on failure too, free_user is called. NULL: none.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the chat is NULL, or the struct's size is not valid.
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API agentchat_status agentchat_chat_set_observer(agentchat_chat *chat,
                                                           const agentchat_chat_observer *observer,
                                                           agentchat_error *err);

/** Whether the conversation is marked complete. @param[in] chat The chat. */
AGENTCHAT_API bool agentchat_chat_is_complete(const agentchat_chat *chat);

/** Sets or clears the completion mark. @param[in] chat The chat. @param[in] complete The mark. */
AGENTCHAT_API void agentchat_chat_set_complete(agentchat_chat *chat, bool complete);

/** The history, oldest first: a view that lives until the chat is next changed. @param[in] chat The chat. */
AGENTCHAT_API const agentchat_messages *agentchat_chat_history(const agentchat_chat *chat);

/** Number of messages of the history. @param[in] chat NULL gives 0. */
AGENTCHAT_API size_t agentchat_chat_message_count(const agentchat_chat *chat);

/** A message of the history, newest first. @param[in] chat The chat. @param[in] index 0 is the newest. @return Or NULL.
 */
AGENTCHAT_API const agentchat_message *agentchat_chat_newest(const agentchat_chat *chat, size_t index);

/**
 * The messages of an agent's channel, oldest first. Queued messages are delivered first.
 * @param[in]  chat  The chat.
 * @param[in]  agent An agent of the chat.
 * @param[out] out   A view until the chat is next used; an empty list if the agent has no channel yet.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_UNSUPPORTED the channel has no view.
 * @retval AGENTCHAT_E_BUSY        an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_channel_history(agentchat_chat *chat,
                                                                                  const agentchat_agent *agent,
                                                                                  const agentchat_messages **out,
                                                                                  agentchat_error *err);

/** The chat inside an aggregator, once its channel exists. @param[in] chat The outer chat. @param[in] agent An agent.
    @return A view, or NULL. */
AGENTCHAT_API agentchat_chat *agentchat_chat_inner(const agentchat_chat *chat, const agentchat_agent *agent);

/**
 * Empties a chat: history, queues, channels, kept states and properties (see agentchat_chat_restore()), completion mark
 * and position of the round robin. The agents and the named values stay. If a channel cannot be emptied, the chat keeps
 * its history, and channels that are already empty get all of it again.
 * @param[in]  chat The chat.
 * @param[out] err  Detail, or NULL.
 * @retval AGENTCHAT_E_BUSY an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_reset(agentchat_chat *chat, agentchat_error *err);

/**
 * Edits a chat in one step, all or nothing: the history, every channel that holds messages of it, inner chats, queues
 * and kept states, so that no agent sees a removed message. The result is the same as restoring what
 * agentchat_snapshot_edit() makes; see there how messages of channels are matched with the history. An edit may add
 * messages of any role, "system" and "developer" included, such as a summary. Custom channels take part with their edit
 * function (agentchat_channel_type::edit). A channel without one, and a remote thread, stay unchanged: if they were
 * given what changes, the report names them (AGENTCHAT_REPORT_CHANNEL_UNEDITED), and messages that the edit adds at the
 * end are delivered at their next use. After a failure the chat is exactly as before, unless the observer failed: then
 * the edit is done.
 * @param[in]  chat   The chat.
 * @param[in]  edit   An edit list for its history.
 * @param[out] report Receives the channels that could not follow, to be freed by the caller; NULL: not wanted. It
 *                    receives NULL only when the call failed before it began.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID   @p chat or @p edit is NULL, or the edit list was made for a list of another length.
 * @retval AGENTCHAT_E_BUSY      an operation is active, here or in a chat inside a channel that is to be edited.
 * @retval AGENTCHAT_E_CANCELLED the chat was interrupted.
 * @retval AGENTCHAT_E_LIMIT     chats are nested deeper than the environment's max_depth.
 * @retval AGENTCHAT_E_CALLBACK  or whatever a channel's edit, or the observer, returned; the message names it.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_edit(agentchat_chat *chat,
                                                                       const agentchat_list_edit *edit,
                                                                       agentchat_report **report, agentchat_error *err);

/**
 * Makes a chat give every message an id, as LangGraph's MessagesState does. From then on a message without an id gets a
 * random UUID. A message with an id that the history has replaces that message in the history and in the channels, as
 * agentchat_chat_edit() does. This holds for input, and for answers when they end successfully. Messages that are
 * already there without an id get one at the next input or replacement. Ids are saved, and count in digests. The
 * setting is not saved; restore and reset do not change it.
 * @param[in]  chat The chat.
 * @param[in]  on   Whether to give ids; false at first.
 * @param[out] err  Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the chat is NULL.
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API agentchat_status agentchat_chat_set_message_ids(agentchat_chat *chat, bool on, agentchat_error *err);

/** Sets a named value that is saved with the chat; parameters as agentchat_snapshot_builder_set_value(), errors of its
    finish, and E_BUSY while an operation is active.
    @param[in] chat The chat. @param[in] name Its name. @param[in] media_type Absent for JSON. @param[in] value Absent
    removes it. @param[out] err Detail, or NULL. */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_set_value(agentchat_chat *chat, agentchat_str name,
                                                                            agentchat_str media_type,
                                                                            agentchat_str value, agentchat_error *err);

/**
 * Sets a named value to a text: agentchat_chat_set_value() with the text in quotes, as JSON.
 * @param[in]  chat The chat.
 * @param[in]  name Its name.
 * @param[in]  text UTF-8; absent removes the value.
 * @param[out] err  Detail, or NULL; errors as agentchat_chat_set_value().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_set_value_text(agentchat_chat *chat,
                                                                                 agentchat_str name, agentchat_str text,
                                                                                 agentchat_error *err);

/** A named value. @param[in] chat The chat. @param[in] name Its name. @param[out] media_type NULL: not wanted.
    @return A view until the value is changed; absent when there is none. The text of a list that was updated is made
    by the first call; absent also when there is no memory for that. */
AGENTCHAT_API agentchat_str agentchat_chat_value(const agentchat_chat *chat, agentchat_str name,
                                                 agentchat_str *media_type);

/** How a named list is updated. */
typedef struct agentchat_chat_reducer {
    size_t struct_size; /**< sizeof(agentchat_chat_reducer) */
    /** Called first, with the whole list as text, so the update costs the length of the list. Runs on the OS thread of
     * agentchat_chat_update(), while the chat is busy. If it returns AGENTCHAT_DONE, the library handles the update.
     * NULL: the library handles all updates. */
    agentchat_json_reducer_fn reduce;
    void *user; /**< passed to it */
    void (*free_user)(
        void *user); /**< called once, when the reducer is replaced or the chat freed; NULL: nothing to do */
} agentchat_chat_reducer;
/** Initializer: every member at its default. */
#define AGENTCHAT_CHAT_REDUCER_INIT                                                                                    \
    {                                                                                                                  \
        sizeof(agentchat_chat_reducer), NULL, NULL, NULL                                                               \
    }
/** AGENTCHAT_CHAT_REDUCER_INIT for languages without macros. @param[out] reducer The struct; NULL is allowed.
    @param[in] size Its size as the caller knows it. */
AGENTCHAT_API void agentchat_chat_reducer_init(agentchat_chat_reducer *reducer, size_t size);

/**
 * Registers a reducer for a named list, in place of the previous one. The list need not exist yet. Reducers are not
 * saved, and restore does not change them.
 * @param[in]  chat    The chat.
 * @param[in]  name    Name of the value; copied.
 * @param[in]  reducer The reducer; copied. The chat takes ownership of user, and calls free_user on failure too. NULL:
 *                     the library handles all updates, as with one that has no function.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the chat is NULL, the name is empty or not UTF-8, or the struct's size is not valid.
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_set_reducer(agentchat_chat *chat, agentchat_str name,
                                                                              const agentchat_chat_reducer *reducer,
                                                                              agentchat_error *err);

/**
 * Updates a named value that is a JSON array, with its reducer or else as agentchat_json_list_reduce(): append, keep a
 * range, clear or replace. The chat holds such a list element by element. Unless you registered a reducer, an update
 * costs what is new, and so does saving the chat in a thread. The first update of a value that was set or read as text
 * costs the length of the list.
 * @param[in]  chat   The chat; unchanged on failure.
 * @param[in]  name   Name of the value; one that is not there is an empty list.
 * @param[in]  update The update, one JSON value. What is appended keeps its spelling.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the chat is NULL, the name is empty or not UTF-8, the value is no list, no reducer
 *                             understands the update, or what the caller's made is no array.
 * @retval AGENTCHAT_E_SYNTAX  the update, or what the caller's reducer made, is not JSON.
 * @retval AGENTCHAT_E_LIMIT   one of them is deeper than the environment allows.
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 * @retval AGENTCHAT_E_CALLBACK or whatever the caller's reducer returned; the message names the list.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_update(agentchat_chat *chat, agentchat_str name,
                                                                         agentchat_str update, agentchat_error *err);

/* ---- save ----------------------------------------------------------------------------------------------------- */

/** How agentchat_chat_capture() works. */
typedef struct agentchat_capture_options {
    size_t struct_size; /**< sizeof(agentchat_capture_options) */
    bool no_delivery;  /**< do not deliver queued messages first, but store them as pending; by default only those whose
                            delivery fails are stored so */
    bool all_channels; /**< create the channels of agents that have not spoken; this may contact services */
} agentchat_capture_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_CAPTURE_OPTIONS_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(agentchat_capture_options), false, false                                                                \
    }

/**
 * AGENTCHAT_CAPTURE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_capture_options_init(agentchat_capture_options *options, size_t size);

/**
 * Captures the state of a chat. The snapshot shares the messages, so this costs what the channels cost.
 * @param[in]  chat    The chat.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The snapshot with one reference; NULL on failure.
 * @param[out] report  Receives what was noted, up to where the capture failed when it did, to be freed by the caller;
 *                     NULL: not wanted. It receives NULL only when the call failed before it began.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_BUSY     an operation is active, here or in a nested chat.
 * @retval AGENTCHAT_E_CALLBACK or whatever a channel's save returned; the message names agent and channel.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_capture(agentchat_chat *chat,
                                                                          const agentchat_capture_options *options,
                                                                          agentchat_snapshot **out,
                                                                          agentchat_report **report,
                                                                          agentchat_error *err);

/**
 * Captures a chat and writes it to a stream.
 * @param[in]  chat    The chat.
 * @param[in]  sink    The stream; borrowed; committed on success.
 * @param[in]  options As agentchat_snapshot_write(), or NULL.
 * @param[out] report  That of the writing, or that of the capture when this failed, to be freed by the caller; NULL:
 *                     not wanted.
 * @param[out] err     Errors of agentchat_chat_capture() and agentchat_snapshot_write().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_save(agentchat_chat *chat, agentchat_sink *sink,
                                                                       const agentchat_write_options *options,
                                                                       agentchat_report **report, agentchat_error *err);

/**
 * Captures a chat and writes it to a file, atomically.
 * @param[in]  chat    The chat.
 * @param[in]  path    Name of the file.
 * @param[in]  options As agentchat_snapshot_write(), or NULL.
 * @param[out] report  That of the writing, or that of the capture when this failed, to be freed by the caller; NULL:
 *                     not wanted.
 * @param[out] err     Errors of agentchat_chat_capture() and agentchat_snapshot_write_file().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_save_file(agentchat_chat *chat, const char *path,
                                                                            const agentchat_write_options *options,
                                                                            agentchat_report **report,
                                                                            agentchat_error *err);

/* ---- restore -------------------------------------------------------------------------------------------------- */

/** How agentchat_chat_restore() works. */
typedef struct agentchat_restore_options {
    size_t struct_size; /**< sizeof(agentchat_restore_options) */
    /** Finds the stored channel of an agent whose key no stored channel has: OK with *out_key, DONE for none, or an
       error. Use it for keys that the other side made from hash codes of its own process. Runs during
        agentchat_chat_restore(), on its OS thread. NULL: none. */
    agentchat_status (*resolve)(void *user, const agentchat_snapshot *snapshot, const agentchat_agent *agent,
                                agentchat_str *out_key, agentchat_error *err);
    void *user;         /**< handed to resolve; used during the call only */
    bool no_type_match; /**< do not match a channel by its type where that is unambiguous */
} agentchat_restore_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_RESTORE_OPTIONS_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(agentchat_restore_options), NULL, NULL, false                                                           \
    }

/**
 * AGENTCHAT_RESTORE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_restore_options_init(agentchat_restore_options *options, size_t size);

/**
 * Restores a snapshot into a chat that the caller has built with its agents. All or nothing: after a failure the chat
 * is exactly as before, nested chats included. (The five cases of Semantic Kernel's decision record 0048.)
 * The chat keeps what it has no use for, and saves it again: unknown properties of the document, of participants and of
 * channels, and, unlike Semantic Kernel, participants without an agent, until an agent joins that matches them by id,
 * or by name and type. If a channel's position in the history is unknown (agentchat_channel_state_synced()), a list of
 * messages is compared with the history and gets what it lacks at its next use; any other state is taken as up to date.
 * A note in the report says so.
 * @param[in]  chat     The chat: with agents, without history and channels.
 * @param[in]  snapshot The snapshot; messages are shared with it.
 * @param[in]  options  Options, or NULL.
 * @param[out] report   Receives what was matched and what was not, up to where the restore failed when it did, to be
 *                      freed by the caller; NULL: not wanted. It receives NULL only when the call failed before it
 * began.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_NO_AGENTS the chat has no agents; add them and call again.
 * @retval AGENTCHAT_E_IN_USE    the chat has history or channels.
 * @retval AGENTCHAT_E_BUSY      an operation is active.
 * @retval AGENTCHAT_E_SCHEMA    a state does not fit the agent that it belongs to.
 * @retval AGENTCHAT_E_CALLBACK  or whatever a channel's load returned; the message names agent and channel.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_restore(agentchat_chat *chat,
                                                                          const agentchat_snapshot *snapshot,
                                                                          const agentchat_restore_options *options,
                                                                          agentchat_report **report,
                                                                          agentchat_error *err);

/** Number of kept channel states: those that belong to no agent of the chat. @param[in] chat NULL gives 0. */
AGENTCHAT_API size_t agentchat_chat_kept_count(const agentchat_chat *chat);

/** A kept state: a view until the chat is next changed. @param[in] chat The chat. @param[in] index From 0.
    @return Or NULL. */
AGENTCHAT_API const agentchat_channel_state *agentchat_chat_kept(const agentchat_chat *chat, size_t index);

#ifdef __cplusplus
}
#endif

#endif
