/* SPDX-License-Identifier: Apache-2.0 */
/* Agents and channels: three built-in kinds, and what to implement for a custom one. */
#ifndef AGENTCHAT_AGENT_H
#define AGENTCHAT_AGENT_H

#include <agentchat/list_edit.h>
#include <agentchat/message.h>
#include <agentchat/snapshot.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A participant of a live chat. Create it with one of the functions below, and pass it to agentchat_chat_add_agent().
 */
typedef struct agentchat_agent agentchat_agent;
/** A live chat (chat.h). */
typedef struct agentchat_chat agentchat_chat;
/** Collects the messages of an answer. Valid only during the callback that receives it. */
typedef struct agentchat_replies agentchat_replies;
/** Receives a channel's state when a chat is saved. Valid only during the callback that receives it. */
typedef struct agentchat_channel_save agentchat_channel_save;
/** A channel's stored state when a chat is restored. Valid only during the callback that receives it. */
typedef struct agentchat_channel_load agentchat_channel_load;
/** An edit of a chat's history (agentchat_chat_edit()) for a channel. Valid only during the callback that receives it.
 */
typedef struct agentchat_channel_edit agentchat_channel_edit;

/* ---- answers --------------------------------------------------------------------------------------------------- */

/**
 * Adds a text to the answer: role "assistant", author the agent's name.
 * @param[in]  out  The collector.
 * @param[in]  text UTF-8.
 * @param[out] err  Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_replies_add_text(agentchat_replies *out, agentchat_str text,
                                                          agentchat_error *err);

/**
 * Adds any message to the answer: a call, a result, an image, … It joins the chat's history at once. A message without
 * an author's name gets the agent's name.
 * @param[in]  out     The collector.
 * @param[in]  message The message; a reference is taken. Its role must not be "system".
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_replies_add(agentchat_replies *out, const agentchat_message *message,
                                                     agentchat_error *err);

/**
 * Sets a named value of the chat, as agentchat_chat_set_value(), together with the answer: an attached chat stores both
 * in one checkpoint. If the answer fails, the old values return.
 * @param[in]  out   The collector.
 * @param[in]  name  The value's name.
 * @param[in]  value JSON text; absent: the value is removed.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the name is empty, or the value is not JSON.
 */
AGENTCHAT_API agentchat_status agentchat_replies_set_value(agentchat_replies *out, agentchat_str name,
                                                           agentchat_str value, agentchat_error *err);

/** Updates a named list of the chat together with the answer, as agentchat_chat_update().
    @param[in] out The collector. @param[in] name The list's name. @param[in] update JSON text. @param[out] err Detail,
   or NULL. @retval AGENTCHAT_E_INVALID no list, or an update that its reducer does not understand. */
AGENTCHAT_API agentchat_status agentchat_replies_update(agentchat_replies *out, agentchat_str name,
                                                        agentchat_str update, agentchat_error *err);

/**
 * The messages of this agent's last turn, if that turn did not complete: the process was killed, the turn failed or was
 * dropped. Attach the chat with keep_partial to have them. Add them to the answer, unchanged and in order, so that a
 * tool that ran does not run again.
 * @param[in] out The collector.
 * @return A view until the answer ends; NULL if there are none.
 */
AGENTCHAT_API const agentchat_messages *agentchat_replies_partial(const agentchat_replies *out);

/**
 * What a history agent sees, with what it has said so far: for the next request of an agent that uses tools.
 * @param[in] out The collector.
 * @return A list that grows with each message that is added, until the answer ends; NULL for an agent with a channel of
 *         another kind.
 */
AGENTCHAT_API const agentchat_messages *agentchat_replies_seen(const agentchat_replies *out);

/** The invoked agent, for callbacks that serve several. @param[in] out The collector. */
AGENTCHAT_API const agentchat_agent *agentchat_replies_agent(const agentchat_replies *out);

/** Whether the chat was interrupted (agentchat_chat_interrupt()). If your function waits, ask from time to time, and
   return E_CANCELLED. @param[in] out The collector; NULL gives false. */
AGENTCHAT_API bool agentchat_replies_is_interrupted(const agentchat_replies *out);

/** The environment of the chat, to build messages with. @param[in] out The collector. */
AGENTCHAT_API const agentchat_env *agentchat_replies_env(const agentchat_replies *out);

/* ---- a channel's state ---------------------------------------------------------------------------------------- */

/**
 * Saves the state as text. Every format returns the same text. In a file of Semantic Kernel, a JSON text that begins
 * and ends with [ ] or { } becomes that JSON value, as .NET writes it. Any other text becomes a JSON string, including
 * "null", "17" and JSON with whitespace around it. If the channel's type is Semantic Kernel's ChatHistoryChannel or
 * AggregatorChannel, .NET expects messages or a chat there: in strict mode the text is a loss; in default mode .NET
 * gets a state made from the history, and the text is kept beside it.
 * @param[in]  out  The parameter of the channel's save function.
 * @param[in]  text UTF-8; copied.
 * @param[out] err  Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_channel_save_text(agentchat_channel_save *out, agentchat_str text,
                                                           agentchat_error *err);

/** Saves the state as bytes. @param[in] out The parameter of the channel's save function. @param[in] bytes Copied.
 * @param[out] err Detail, or NULL. */
AGENTCHAT_API agentchat_status agentchat_channel_save_bytes(agentchat_channel_save *out, agentchat_str bytes,
                                                            agentchat_error *err);

/** Saves the state as messages. @param[in] out The parameter of the channel's save function. @param[in] messages
   Shared, not copied.
    @param[out] err Detail, or NULL. */
AGENTCHAT_API agentchat_status agentchat_channel_save_messages(agentchat_channel_save *out,
                                                               const agentchat_messages *messages,
                                                               agentchat_error *err);

/** How the stored state is held; NULL @p in gives TEXT. @param[in] in The parameter of the channel's load function. */
AGENTCHAT_API agentchat_channel_kind agentchat_channel_load_kind(const agentchat_channel_load *in);

/** The stored state of kind TEXT or BYTES. @param[in] in The parameter of the channel's load function. @return A view
 * for the duration of the call. */
AGENTCHAT_API agentchat_str agentchat_channel_load_data(const agentchat_channel_load *in);

/** The stored state of kind MESSAGES. @param[in] in The parameter of the channel's load function. @return A view for
 * the duration of the call, or NULL.
 */
AGENTCHAT_API const agentchat_messages *agentchat_channel_load_messages(const agentchat_channel_load *in);

/** The stored state of kind CHAT. @param[in] in The parameter of the channel's load function. @return A view for the
 * duration of the call, or NULL. */
AGENTCHAT_API const agentchat_snapshot *agentchat_channel_load_chat(const agentchat_channel_load *in);

/** How many messages of the history the channel had been given; AGENTCHAT_SYNCED_UNKNOWN if the source does not record
   it.
    @param[in] in The parameter of the channel's load function. */
AGENTCHAT_API size_t agentchat_channel_load_synced(const agentchat_channel_load *in);

/** Number of messages in the history that is being restored. @param[in] in The parameter of the channel's load
 * function. */
AGENTCHAT_API size_t agentchat_channel_load_history_count(const agentchat_channel_load *in);

/** The environment of the chat. @param[in] in The parameter of the channel's load function. */
AGENTCHAT_API const agentchat_env *agentchat_channel_load_env(const agentchat_channel_load *in);

/* ---- an edit --------------------------------------------------------------------------------------------------- */

/**
 * Translates an edit of the history into an edit list for a channel's messages. A channel's message matches a message
 * of the history if it is the same object or has the same id. If at most one of the two has an id, they are compared by
 * content, aligned with what the channel was given, from the end. Messages that only the channel has stay. An inserted
 * message goes before the same neighbour as in the history.
 * @param[in]  in       The parameter of the channel's edit function.
 * @param[in]  messages The channel's messages.
 * @param[in]  takes    Decides whether the channel accepts an inserted or replacing message. If not, the message stays
 *                      out, and the message that it would replace is removed. NULL: accepts all.
 * @param[in]  user     Handed to @p takes.
 * @param[out] out      The edit list (agentchat_list_edit_apply(), agentchat_list_edit_free()); NULL on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID @p in, @p messages or @p out is NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_channel_edit_list(const agentchat_channel_edit *in,
                                                                               const agentchat_messages *messages,
                                                                               agentchat_message_test_fn takes,
                                                                               void *user, agentchat_list_edit **out,
                                                                               agentchat_error *err);

/** The edit list of the history. @param[in] in The parameter of the channel's edit function; NULL gives NULL. @return A
   view for the duration of the call. */
AGENTCHAT_API const agentchat_list_edit *agentchat_channel_edit_of_history(const agentchat_channel_edit *in);

/** The history before the edit. @param[in] in The parameter of the channel's edit function; NULL gives NULL. @return A
   view for the duration of the call. */
AGENTCHAT_API const agentchat_messages *agentchat_channel_edit_history(const agentchat_channel_edit *in);

/** The environment of the chat. @param[in] in The parameter of the channel's edit function; NULL gives NULL. */
AGENTCHAT_API const agentchat_env *agentchat_channel_edit_env(const agentchat_channel_edit *in);

/* ---- custom channels ------------------------------------------------------------------------------------------ */

/**
 * Functions of a channel, which connects a chat with agents of one kind. All run on the caller's OS thread, during the
 * call, without a lock. They may use other objects of the library, but not the chat that called them. `agent` is the
 * agent's user pointer (agentchat_agent_options::user). On failure, return a negative status; you may fill `err`, and
 * the chat adds the channel's name. The table is copied.
 */
typedef struct agentchat_channel_type {
    size_t struct_size; /**< sizeof(agentchat_channel_type) */
    const char *name;   /**< the channel's type in files; not NULL; static */
    /** Required. Creates an empty channel when an agent is first invoked. */
    agentchat_status (*create)(void *agent, void **out_channel, agentchat_error *err);
    /** Required. Receives messages of others. After a failure the whole batch is delivered again later. */
    agentchat_status (*receive)(void *channel, const agentchat_messages *batch, agentchat_error *err);
    /** Required. Lets @p agent answer through @p out. */
    agentchat_status (*invoke)(void *channel, void *agent, agentchat_replies *out, agentchat_error *err);
    /** Required. Saves the state. Call exactly one of the agentchat_channel_save_… functions. */
    agentchat_status (*save)(void *channel, agentchat_channel_save *out, agentchat_error *err);
    /** Required. Creates a channel from a stored state. Change nothing that others can see: the restore may still fail,
        and then free is called. To drop the state, return DONE without a channel: a new channel is created at first use
        and gets the whole history. */
    agentchat_status (*load)(void *agent, const agentchat_channel_load *in, void **out_channel, agentchat_error *err);
    /** Optional; without it, reading the channel's messages is E_UNSUPPORTED. Sets *out to the messages, oldest first:
       a view until the channel is next used. */
    agentchat_status (*history)(void *channel, const agentchat_messages **out, agentchat_error *err);
    /** Optional; without it the channel is freed and created again. Empties the channel. */
    agentchat_status (*reset)(void *channel, agentchat_error *err);
    /** Optional. Releases the channel. */
    void (*free)(void *channel);
    /** Optional; without it the channel stays unchanged, and the report of agentchat_chat_edit() names it. Called if a
        message changes that the channel was given, or if one is added at the end. Creates an edited channel beside the
       old one. Change nothing that others can see: the edit may still fail, and then free is called with the new
       channel, else with the old one. Return OK without a channel to keep the old one, or DONE without a channel to
       drop it: a new channel is created at first use and gets the whole history. */
    agentchat_status (*edit)(void *channel, void *agent, const agentchat_channel_edit *in, void **out_channel,
                             agentchat_error *err);
} agentchat_channel_type;
/** Initializer: no function set yet. */
#define AGENTCHAT_CHANNEL_TYPE_INIT                                                                                    \
    {                                                                                                                  \
        sizeof(agentchat_channel_type), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL                     \
    }

/**
 * AGENTCHAT_CHANNEL_TYPE_INIT for languages without macros.
 * @param[out] type The struct; NULL is allowed.
 * @param[in]  size Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_channel_type_init(agentchat_channel_type *type, size_t size);

/** Options of an agent with a custom channel. */
typedef struct agentchat_agent_options {
    size_t struct_size; /**< sizeof(agentchat_agent_options) */
    agentchat_str name; /**< absent: none; may repeat within a chat */
    agentchat_str id;   /**< absent: generated; unique within a chat, not empty */
    const char *type;   /**< type name in files; NULL: the channel's name */
    /** A saved participant that provides name, id and type where they are absent here; read during the call only. NULL:
        none. */
    const agentchat_participant *participant;
    const agentchat_channel_type *channel; /**< not NULL */
    /** Key strings: agents with the same ones share a channel. NULL: the channel's name alone. */
    const char *const *keys;
    size_t key_count; /**< number of keys */
    void *user;       /**< handed to the channel's functions as `agent` */
    /** Releases @p user, once, on the OS thread that frees the agent or its chat. NULL: nothing to do. */
    void (*free_user)(void *user);
} agentchat_agent_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_AGENT_OPTIONS_INIT                                                                                   \
    {                                                                                                                  \
        sizeof(agentchat_agent_options), {NULL, 0}, {NULL, 0}, NULL, NULL, NULL, NULL, 0, NULL, NULL                   \
    }

/**
 * AGENTCHAT_AGENT_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_agent_options_init(agentchat_agent_options *options, size_t size);

/**
 * Makes an agent with a custom channel.
 * @param[in]  env     Environment or NULL.
 * @param[in]  options Options; strings are copied. Their user passes to the agent, on failure too: then free_user has
 *                     been called (unless struct_size is not set, for then nothing is read).
 * @param[out] out     The agent, owned by the caller until agentchat_chat_add_agent() (agentchat_agent_free()); NULL on
 *                     failure.
 * @param[out] err     Detail, or NULL: which agent, and which member of its options is wrong.
 * @retval AGENTCHAT_E_INVALID no channel, a required function of it missing, a text that is not UTF-8, an empty id or
 *                             type, struct_size of the options or the channel type not set.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_agent_new(const agentchat_env *env,
                                                                       const agentchat_agent_options *options,
                                                                       agentchat_agent **out, agentchat_error *err);

/** Releases an agent that no chat owns. @param[in] agent NULL is allowed. */
AGENTCHAT_API void agentchat_agent_free(agentchat_agent *agent);

/** The agent's id. @param[in] agent The agent. */
AGENTCHAT_API agentchat_str agentchat_agent_id(const agentchat_agent *agent);
/** The agent's name. @param[in] agent The agent. @return Absent when it has none. */
AGENTCHAT_API agentchat_str agentchat_agent_name(const agentchat_agent *agent);
/** The agent's type name. @param[in] agent The agent. */
AGENTCHAT_API agentchat_str agentchat_agent_type(const agentchat_agent *agent);
/** Key of the agent's channel: 44 characters of base64. @param[in] agent The agent. */
AGENTCHAT_API agentchat_str agentchat_agent_channel_key(const agentchat_agent *agent);
/** The user pointer. @param[in] agent The agent. */
AGENTCHAT_API void *agentchat_agent_user(const agentchat_agent *agent);

/**
 * Replaces an agent's id. Call it before you add the agent to a chat.
 * @param[in]  agent The agent; not NULL.
 * @param[in]  id    UTF-8, not empty; copied.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the id is empty or not UTF-8, or the agent is in a chat already.
 */
AGENTCHAT_API agentchat_status agentchat_agent_set_id(agentchat_agent *agent, agentchat_str id, agentchat_error *err);

/* ---- built-in agents ------------------------------------------------------------------------------------------ */

/**
 * Answers for a history agent. Runs on the caller's OS thread during agentchat_chat_invoke(). Instructions (a system
 * prompt) belong here: put them before the messages when you call your model.
 * @param[in]  user The agent's user pointer.
 * @param[in]  seen The messages of the agent's channel, oldest first; a view for the duration of the call.
 * @param[in]  out  Receives any number of messages.
 * @param[out] err  Detail of a failure.
 */
typedef agentchat_status (*agentchat_answer_fn)(void *user, const agentchat_messages *seen, agentchat_replies *out,
                                                agentchat_error *err);

/** Options of a history agent. */
typedef struct agentchat_history_agent_options {
    size_t struct_size; /**< sizeof(agentchat_history_agent_options) */
    agentchat_str name; /**< absent: none; may repeat within a chat */
    agentchat_str id;   /**< absent: generated; unique within a chat, not empty */
    const char *type;   /**< NULL: AGENTCHAT_TYPE_HISTORY_AGENT */
    /** A saved participant that provides name, id and type where they are absent here; read during the call only. NULL:
        none. */
    const agentchat_participant *participant;
    agentchat_answer_fn answer; /**< NULL: split its turns into begin and end (turn.h); invoking it is E_UNSUPPORTED */
    /** Shortens the channel's messages before each answer, like a history reducer. Set *out to a new list
        (agentchat_messages_new()), or leave it NULL to keep all. Runs as answer does. NULL: no reducer. */
    agentchat_status (*reduce)(void *user, const agentchat_messages *seen, agentchat_messages **out,
                               agentchat_error *err);
    /** More key strings after the channel's name: agents with a reducer need their own channel. */
    const char *const *keys;
    size_t key_count; /**< number of keys */
    bool keep_all;    /**< keep every message that has an item, not only those that pass the filter */
    void *user;       /**< passed to answer and reduce */
    /** Releases @p user, once, on the OS thread that frees the agent or its chat. NULL: nothing to do. */
    void (*free_user)(void *user);
} agentchat_history_agent_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT                                                                           \
    {                                                                                                                  \
        sizeof(agentchat_history_agent_options), {NULL, 0}, {NULL, 0}, NULL, NULL, NULL, NULL, NULL, 0, false, NULL,   \
            NULL                                                                                                       \
    }

/**
 * AGENTCHAT_HISTORY_AGENT_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_history_agent_options_init(agentchat_history_agent_options *options, size_t size);

/**
 * Creates a history agent, like Semantic Kernel's ChatCompletionAgent. All history agents of a chat share one channel.
 * It keeps the messages that pass Semantic Kernel's filter: those with text, a function call or result, or an image.
 * Most programs can use agentchat_chat_add_history_agent().
 * @param[in]  env     Environment or NULL.
 * @param[in]  options Options, or NULL; strings are copied. Their user passes to the agent, on failure too: then
 * free_user has been called (unless struct_size is not set, for then nothing is read).
 * @param[out] out     The agent, owned by the caller until agentchat_chat_add_agent() (agentchat_agent_free()); NULL on
 *                     failure.
 * @param[out] err     Detail, or NULL: which agent, and which member of its options is wrong.
 * @retval AGENTCHAT_E_INVALID a text that is not UTF-8, an empty id or type, struct_size not set.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_history_agent_new(const agentchat_env *env, const agentchat_history_agent_options *options,
                            agentchat_agent **out, agentchat_error *err);

/** What to do with the stored id of a remote thread (agentchat_remote_ops::check). */
typedef enum agentchat_remote_decision {
    AGENTCHAT_REMOTE_KEEP = 1,     /**< continue the remote thread */
    AGENTCHAT_REMOTE_RECREATE = 2, /**< create a new one and give it the whole history */
    AGENTCHAT_REMOTE_MAX_ = 0x7fffffff
} agentchat_remote_decision;

/** A stored remote thread, when a chat is restored. */
typedef struct agentchat_remote_info {
    agentchat_str id;     /**< the remote thread's id */
    size_t synced;        /**< messages of the history it had been given, or AGENTCHAT_SYNCED_UNKNOWN */
    size_t history_count; /**< messages in the restored history: a remote thread with more is ahead of it */
} agentchat_remote_info;

/** Functions of an agent whose conversation a service keeps, under an id. All get the agent's user pointer, and run on
   the caller's OS thread, during the call. */
typedef struct agentchat_remote_ops {
    size_t struct_size; /**< sizeof(agentchat_remote_ops) */
    /** Required. Creates a remote thread and appends its id to @p out_id. */
    agentchat_status (*create)(void *user, agentchat_bytes *out_id, agentchat_error *err);
    /** Required. Posts messages of others. */
    agentchat_status (*post)(void *user, agentchat_str id, const agentchat_messages *batch, agentchat_error *err);
    /** Required. Runs the agent on the remote thread. */
    agentchat_status (*answer)(void *user, agentchat_str id, agentchat_replies *out, agentchat_error *err);
    /** Optional; without it a stored id is kept. Decides on restore; a failure fails the restore. */
    agentchat_status (*check)(void *user, const agentchat_remote_info *info, agentchat_remote_decision *out,
                              agentchat_error *err);
} agentchat_remote_ops;
/** Initializer: no function set yet. */
#define AGENTCHAT_REMOTE_OPS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(agentchat_remote_ops), NULL, NULL, NULL, NULL                                                           \
    }

/**
 * AGENTCHAT_REMOTE_OPS_INIT for languages without macros.
 * @param[out] ops  The struct; NULL is allowed.
 * @param[in]  size Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_remote_ops_init(agentchat_remote_ops *ops, size_t size);

/** Options of an agent whose channel is a remote thread. */
typedef struct agentchat_remote_agent_options {
    size_t struct_size; /**< sizeof(agentchat_remote_agent_options) */
    agentchat_str name; /**< absent: none; may repeat within a chat */
    agentchat_str id;   /**< absent: generated; unique within a chat, not empty */
    const char *type;   /**< type name in files; not NULL unless the participant has one */
    /** A saved participant that provides name, id and type where they are absent here; read during the call only. NULL:
        none. */
    const agentchat_participant *participant;
    const char *channel_type;        /**< the channel's type in files, not NULL */
    const agentchat_remote_ops *ops; /**< not NULL; must outlive the agent */
    /** Key strings after the channel's type. NULL: the agent's name (else its id), so that two never share a thread by
        accident. */
    const char *const *keys;
    size_t key_count; /**< number of keys */
    void *user;       /**< handed to the functions of ops */
    /** Releases @p user, once, on the OS thread that frees the agent or its chat. NULL: nothing to do. */
    void (*free_user)(void *user);
} agentchat_remote_agent_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT                                                                            \
    {                                                                                                                  \
        sizeof(agentchat_remote_agent_options), {NULL, 0}, {NULL, 0}, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL      \
    }

/**
 * AGENTCHAT_REMOTE_AGENT_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_remote_agent_options_init(agentchat_remote_agent_options *options, size_t size);

/**
 * Creates an agent whose channel is a remote thread. The channel state is the remote thread's id.
 * @param[in]  env     Environment or NULL.
 * @param[in]  options Options; strings are copied. Their user passes to the agent, on failure too: then free_user has
 *                     been called (unless struct_size is not set, for then nothing is read).
 * @param[out] out     The agent, owned by the caller until agentchat_chat_add_agent() (agentchat_agent_free()); NULL on
 *                     failure.
 * @param[out] err     Detail, or NULL: which agent, and which member of its options is wrong.
 * @retval AGENTCHAT_E_INVALID no type, channel type or ops, a required function of these missing, a text not UTF-8, an
 *                             empty id or type, struct_size of the options or of ops not set.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_remote_agent_new(const agentchat_env *env, const agentchat_remote_agent_options *options,
                           agentchat_agent **out, agentchat_error *err);

/** Which messages an aggregator passes on to the outer chat. */
typedef enum agentchat_aggregator_mode {
    AGENTCHAT_AGGREGATOR_FLAT = 0,   /**< every message of its turn, at once: both chats have it or neither */
    AGENTCHAT_AGGREGATOR_NESTED = 1, /**< only the last one, under the aggregator's name */
    AGENTCHAT_AGGREGATOR_MAX_ = 0x7fffffff
} agentchat_aggregator_mode;

/** Options of an agent that is a whole chat. */
typedef struct agentchat_aggregator_options {
    size_t struct_size; /**< sizeof(agentchat_aggregator_options) */
    agentchat_str name; /**< absent: none; then its id distinguishes its channel */
    agentchat_str id;   /**< absent: generated; unique within a chat, not empty */
    /** Takes name and id from a saved participant where they are absent here, and its type; read during the call only.
        NULL: none, and the type is AGENTCHAT_TYPE_AGGREGATOR. */
    const agentchat_participant *participant;
    agentchat_aggregator_mode mode; /**< which messages the outer chat gets */
    /** Required. Creates the inner chat, unused, with its agents; the aggregator owns it. Called when the channel is
        created, restored or reset, on the OS thread that calls the outer chat. */
    agentchat_status (*make)(void *user, agentchat_chat **out, agentchat_error *err);
    /** Optional. Runs one invocation of the inner chat, on the OS thread that calls the outer one. NULL:
        agentchat_chat_run() with one turn at most. */
    agentchat_status (*run)(void *user, agentchat_chat *inner, agentchat_error *err);
    void *user; /**< handed to make and run */
    /** Releases @p user, once, on the OS thread that frees the agent or its chat. NULL: nothing to do. */
    void (*free_user)(void *user);
} agentchat_aggregator_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_AGGREGATOR_OPTIONS_INIT                                                                              \
    {                                                                                                                  \
        sizeof(agentchat_aggregator_options), {NULL, 0}, {NULL, 0}, NULL, AGENTCHAT_AGGREGATOR_FLAT, NULL, NULL, NULL, \
            NULL                                                                                                       \
    }

/**
 * AGENTCHAT_AGGREGATOR_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_aggregator_options_init(agentchat_aggregator_options *options, size_t size);

/**
 * Creates an agent that is a whole chat, like Semantic Kernel's AggregatorAgent.
 * @param[in]  env     Environment or NULL.
 * @param[in]  options Options; strings are copied. Their user passes to the agent, on failure too: then free_user has
 *                     been called (unless struct_size is not set, for then nothing is read).
 * @param[out] out     The agent, owned by the caller until agentchat_chat_add_agent() (agentchat_agent_free()); NULL on
 *                     failure.
 * @param[out] err     Detail, or NULL: which agent, and which member of its options is wrong.
 * @retval AGENTCHAT_E_INVALID no make, a mode that is none, a text that is not UTF-8, an empty id, struct_size not set.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_aggregator_new(const agentchat_env *env,
                                                                            const agentchat_aggregator_options *options,
                                                                            agentchat_agent **out,
                                                                            agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
