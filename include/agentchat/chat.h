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
 * Adds an agent. It may join at any time; its channel is given the whole history when it is first invoked.
 * @param[in]  chat  The chat.
 * @param[in]  agent The agent; the chat takes ownership, also on failure.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p chat or @p agent is NULL; as everywhere below for what must not be.
 * @retval AGENTCHAT_E_EXISTS  an agent of that id is in the chat already, or this agent in a chat (which keeps it).
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_add_agent(agentchat_chat *chat,
                                                                            agentchat_agent *agent,
                                                                            agentchat_error *err);

/**
 * Makes a history agent and adds it: agentchat_history_agent_new() with a name and an answer only. Errors of both.
 * @param[in]  chat   The chat.
 * @param[in]  name   The agent's name; copied; absent for none.
 * @param[in]  answer Gives the agent's answers; NULL: its turns are taken in two calls only (turn.h).
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
 * Adds a message.
 * @param[in]  chat    The chat.
 * @param[in]  message The message; a reference is taken.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID its role is "system" in any letter case; nothing is changed.
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_add_message(agentchat_chat *chat,
                                                                              const agentchat_message *message,
                                                                              agentchat_error *err);

/**
 * Adds several messages as one batch.
 * @param[in]  chat     The chat.
 * @param[in]  messages The messages; references are taken.
 * @param[in]  count    Their number; 0 is delivered to the channels too.
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
 * Lets one agent answer. What it says joins the history as it comes and is then given to the other channels, also
 * when the agent fails half-way.
 * @param[in]  chat       The chat.
 * @param[in]  name_or_id Name or id of an agent of the chat. An id goes first; a name that several agents have is
 *                        refused.
 * @param[out] err        Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND no agent has it.
 * @retval AGENTCHAT_E_INVALID  several agents have it; the message names their ids. Or it is absent.
 * @retval AGENTCHAT_E_BUSY     an operation is active.
 * @retval AGENTCHAT_E_CALLBACK or whatever the channel returned, from its making, its receiving of what was said
 *                              before, or its answer.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_invoke(agentchat_chat *chat, agentchat_str name_or_id,
                                                                         agentchat_error *err);

/**
 * Lets one agent answer, given by its pointer; one that is not in the chat is E_NOTFOUND.
 * @param[in]  chat  The chat.
 * @param[in]  agent An agent of the chat.
 * @param[out] err   As agentchat_chat_invoke().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_invoke_agent(agentchat_chat *chat,
                                                                               const agentchat_agent *agent,
                                                                               agentchat_error *err);

/** How a chat runs by itself. All functions get user and the chat, on the thread that calls agentchat_chat_run() and
    during that call; they may look at the chat, and get E_BUSY if they try more. */
typedef struct agentchat_run_options {
    size_t struct_size; /**< sizeof(agentchat_run_options) */
    uint32_t max_turns; /**< 0: 99 */
    /** Who speaks next: OK with *out, DONE for nobody (the run ends), an error. NULL: round robin. */
    agentchat_status (*select)(void *user, const agentchat_chat *chat, const agentchat_agent **out,
                               agentchat_error *err);
    /** After each turn: whether the conversation is complete. NULL: never. */
    agentchat_status (*is_complete)(void *user, const agentchat_chat *chat, const agentchat_agent *spoke, bool *out,
                                    agentchat_error *err);
    bool reset_complete; /**< start although the chat is complete, clearing the mark */
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
 * @retval AGENTCHAT_OK          the turns are used up, or nobody was to speak.
 * @retval AGENTCHAT_DONE        the conversation is complete.
 * @retval AGENTCHAT_E_NO_AGENTS there is no agent.
 * @retval AGENTCHAT_E_INVALID   the chat is complete already, and options->reset_complete is not set.
 * @retval AGENTCHAT_E_BUSY      an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_run(agentchat_chat *chat,
                                                                      const agentchat_run_options *options,
                                                                      agentchat_error *err);

/** Lets the next agent of the round robin answer. @param[in] chat The chat. @param[out] err As agentchat_chat_run(). */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_invoke_next(agentchat_chat *chat,
                                                                              agentchat_error *err);

/**
 * Ends what the chat is doing, with E_CANCELLED, before the next turn of a run, the delivery that a turn begins with,
 * or the next channel to be restored or edited. Nothing is half done: what was said stays said, and a call that had
 * done what it is for succeeds; messages that other channels were not given yet stay queued for their next use. Turns
 * of chats inside the chat end with it. An answering function that waits asks agentchat_replies_is_interrupted().
 * Without an operation that is active nothing happens: the next one is not affected.
 * @param[in] chat NULL is allowed.
 * @threadsafe Yes; safe in a signal handler, too.
 */
AGENTCHAT_API void agentchat_chat_interrupt(agentchat_chat *chat);

/** Functions that watch a chat. Each runs on the thread of the operation that calls it, when the chat is consistent:
    capturing and saving it are allowed, everything else that needs the chat is E_BUSY. One that fails ends the
   operation (the run, too) with its status; what was said stays said. */
typedef struct agentchat_chat_observer {
    size_t struct_size; /**< sizeof(agentchat_chat_observer) */
    /** Optional. After messages were added. */
    agentchat_status (*on_input)(void *user, agentchat_chat *chat, agentchat_error *err);
    /** Optional. After each answer that was completed: by agentchat_chat_invoke() and its kin, in a run, or in two
     * calls. */
    agentchat_status (*on_answer)(void *user, agentchat_chat *chat, const agentchat_agent *agent, agentchat_error *err);
    void *user;                    /**< handed to all of them */
    void (*free_user)(void *user); /**< called once when the observer goes; NULL: nothing to do */
    /** Optional. After an edit (agentchat_chat_edit()), which a failure does not undo. In a chat inside an aggregator
     * with what the edit of the outer chat is there. The edit list is a view for the duration of the call. */
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
 * Sets the functions that watch a chat, in place of those before.
 * @param[in]  chat     The chat. One inside an aggregator has an observer of its own; when that fails after input, or
 * an edit, that the outer chat hands on, nothing ends, since the input is there.
 * @param[in]  observer The functions, copied, with ownership of user: on failure too, free_user is called. NULL: none.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the chat is NULL, or the struct's size is not valid.
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API agentchat_status agentchat_chat_set_observer(agentchat_chat *chat,
                                                           const agentchat_chat_observer *observer,
                                                           agentchat_error *err);

/** Whether the conversation is complete. @param[in] chat The chat. */
AGENTCHAT_API bool agentchat_chat_is_complete(const agentchat_chat *chat);

/** Marks the conversation. @param[in] chat The chat. @param[in] complete The mark. */
AGENTCHAT_API void agentchat_chat_set_complete(agentchat_chat *chat, bool complete);

/** The history, oldest first: a view that lives until the chat is next changed. @param[in] chat The chat. */
AGENTCHAT_API const agentchat_messages *agentchat_chat_history(const agentchat_chat *chat);

/** Number of messages of the history. @param[in] chat NULL gives 0. */
AGENTCHAT_API size_t agentchat_chat_message_count(const agentchat_chat *chat);

/** A message of the history, newest first. @param[in] chat The chat. @param[in] index 0 is the newest. @return Or NULL.
 */
AGENTCHAT_API const agentchat_message *agentchat_chat_newest(const agentchat_chat *chat, size_t index);

/**
 * What an agent's channel holds, oldest first, brought up to date before.
 * @param[in]  chat  The chat.
 * @param[in]  agent An agent of the chat.
 * @param[out] out   A view that lives until the chat is next used; an empty list while the agent has no channel.
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
 * Empties a chat: history, queues, kept states, what else was kept of a restored document (see
 * agentchat_chat_restore()), the completion mark, the position of the round robin and every channel.
 * The agents and the named values stay. When a channel cannot be emptied, the chat keeps its history, and channels that
 * are empty by then are given all of it again.
 * @param[in]  chat The chat.
 * @param[out] err  Detail, or NULL.
 * @retval AGENTCHAT_E_BUSY an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_reset(agentchat_chat *chat, agentchat_error *err);

/**
 * Edits a chat in one step, all or nothing: the history and, so that what was removed is not seen by any agent either,
 * every channel that holds messages of it, the chats inside channels, what is queued, and the states that the chat
 * keeps. agentchat_snapshot_edit() says which message of a channel is which of the history; the chat is then as one
 * restored from what that gives. An edit may bring messages of any role, "system" and "developer" too: a summary is
 * one. Custom channels take part by their edit function (agentchat_channel_type::edit). One that has none, and one that
 * is kept elsewhere, as a remote thread is, stays as it is: when it was given what changes, the report names it
 * (AGENTCHAT_REPORT_CHANNEL_UNEDITED); what is added at the end of the history is delivered to it at its next use.
 * After a failure the chat is exactly as before, but when it is its observer that failed: then the edit is done.
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
 * Makes a chat give every message an id, as LangGraph's MessagesState does. From then on a message that joins without
 * one gets a random UUID, and one whose id the history has takes the place of that message, in the history and in the
 * channels, as agentchat_chat_edit() would have it: it is not at the end then. That holds for input and for answers; in
 * an answer that happens when the answer ends, and not if it fails. Messages that were there without an id get
 * one at the next input or with the next replacement. Ids are part of what is saved and of digests. The setting belongs
 * to the chat: it is not saved, and a restore or a reset leaves it.
 * @param[in]  chat The chat.
 * @param[in]  on   Whether it does; false is how a chat begins.
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

/** How updates of a named list are understood. */
typedef struct agentchat_chat_reducer {
    size_t struct_size; /**< sizeof(agentchat_chat_reducer) */
    /** Is asked first, with the whole list as text: such an update costs what the list is long. It runs on the thread
     * of agentchat_chat_update(), while the chat is busy. An update of which it returns AGENTCHAT_DONE is the library's
     * to understand. NULL: no reducer of the caller's. */
    agentchat_json_reducer_fn reduce;
    void *user;                    /**< handed to it */
    void (*free_user)(void *user); /**< called once when the reducer goes; NULL: nothing to do */
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
 * Registers a reducer for a named list, which need not be there yet, in place of the one before. Reducers belong to the
 * chat: they are not saved, and a restore leaves them.
 * @param[in]  chat    The chat.
 * @param[in]  name    Name of the value; copied.
 * @param[in]  reducer The reducer, copied, with ownership of user: on failure too, free_user is called. NULL: the
 *                     library's alone; so does one without a function.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the chat is NULL, the name is empty or not UTF-8, or the struct's size is not valid.
 * @retval AGENTCHAT_E_BUSY    an operation is active.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_chat_set_reducer(agentchat_chat *chat, agentchat_str name,
                                                                              const agentchat_chat_reducer *reducer,
                                                                              agentchat_error *err);

/**
 * Updates a named value that is a list, a JSON array: by its reducer, and else as agentchat_json_list_reduce() does it,
 * which appends, keeps a range, clears or replaces. The chat holds such a list element by element: but for a reducer of
 * the caller's, an update costs what is new, and so does saving the chat in a thread afterwards. The first update of a
 * value that was set or read as a text costs what the list is long.
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
    bool no_delivery;   /**< store what is queued as pending; by default it is delivered first, and only what fails is
                             stored */
    bool all_channels;  /**< create the channels of agents that have not spoken; may contact services */
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
 * Captures the state of a chat. Costs the new part only: messages are shared.
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
    /** Finds the stored channel for an agent whose key is in no stored channel: OK with *out_key, DONE for none, an
        error. For keys that the other side made from hash codes of its own process. Runs on the thread that calls
        agentchat_chat_restore(), during that call. NULL: none. */
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
 * What the chat has no use for is saved with it again: unknown properties of the document, of participants and of
 * channels, and, unlike with Semantic Kernel, participants that are no agent of the chat, after those that are, until
 * an agent joins that matches them by id, or by name and type.
 * A channel whose position in the history is not known (agentchat_channel_state_synced()): a list of messages is
 * compared with the history, and gets what it lacks at its next use; any other state is taken as up to date. A note in
 * the report says so.
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

/** Number of stored states that belong to no agent of the chat. @param[in] chat NULL gives 0. */
AGENTCHAT_API size_t agentchat_chat_kept_count(const agentchat_chat *chat);

/** A kept state: a view until the chat is next changed. @param[in] chat The chat. @param[in] index From 0.
    @return Or NULL. */
AGENTCHAT_API const agentchat_channel_state *agentchat_chat_kept(const agentchat_chat *chat, size_t index);

#ifdef __cplusplus
}
#endif

#endif
