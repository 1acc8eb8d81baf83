/* SPDX-License-Identifier: Apache-2.0 */
/* Live chats in threads: saving, restoring, and chats that keep themselves. */
#ifndef AGENTCHAT_THREAD_CHAT_H
#define AGENTCHAT_THREAD_CHAT_H

#include <agentchat/chat.h>
#include <agentchat/thread.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A chat remembers the checkpoint that it was last saved to or restored from, and stands on that one's line. The next
 * save continues the line, and costs what is new in the chat. If somebody else has continued it meanwhile, the save
 * fails with E_CONFLICT and stores nothing: agentchat_thread_catch_up() brings the chat up to date, and a save with
 * branch begins a line of its own. What happens on other lines does not touch the chat. docs/threads.md has the rules.
 *
 * A chat remembers one thread. It must not be used while one of these functions runs, and the store must live until the
 * chat is freed or agentchat_thread_detach() was called.
 *
 *     agentchat_thread_attach(store, "thread-7", chat, NULL, &report, &err);
 *     agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("Where is my order?"), &err);
 *     agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err);
 *
 * Besides the errors named at each function there are those of thread.h, and of agentchat_chat_capture() and
 * agentchat_chat_restore() where a chat is captured or restored. After an E_IO nobody knows whether a save was stored:
 * the chat keeps its id, and the next save or catch-up looks for it, so that nothing is stored twice. That ends with
 * the process.
 */

/* ---- by hand -------------------------------------------------------------------------------------------------- */

/** How a chat is saved. */
typedef struct agentchat_thread_save_options {
    size_t struct_size;                       /**< sizeof(agentchat_thread_save_options) */
    const char *ns;                           /**< namespace; NULL: the usual one */
    const char *expect;                       /**< the newest checkpoint of the namespace must be this one; NULL: any */
    const char *source;                       /**< what made it; NULL: not said */
    const char *run;                          /**< the run that made it; NULL: not said */
    agentchat_str metadata;                   /**< a JSON object; absent: {} */
    const agentchat_capture_options *capture; /**< how the chat is captured; NULL: the defaults */
    int64_t step;                             /**< with has_step: the step of the run */
    bool has_step;                            /**< step counts */
    bool branch;                              /**< begins a line, whatever has followed the remembered checkpoint */
} agentchat_thread_save_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_THREAD_SAVE_OPTIONS_INIT                                                                             \
    {                                                                                                                  \
        sizeof(agentchat_thread_save_options), NULL, NULL, NULL, NULL, {NULL, 0}, NULL, 0, false, false                \
    }
/**
 * AGENTCHAT_THREAD_SAVE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_save_options_init(agentchat_thread_save_options *options, size_t size);

/**
 * Saves a chat as a checkpoint that follows the remembered one. A chat that remembers none of this thread can only be
 * saved where there is none yet, or with branch, on the newest. If the thread was deleted, the whole chat begins it
 * again.
 * @param[in]     store   The store.
 * @param[in]     thread  The thread's id.
 * @param[in,out] chat    The chat; it remembers the new checkpoint. May be called by the chat's observer.
 * @param[in]     options Options, or NULL.
 * @param[out]    id      Receives the checkpoint's id; NULL: not wanted. Empty on failure.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT the line went on without this chat, or its newest checkpoint was replaced or deleted; or
 *                              the chat remembers none, and there is one. Nothing was stored.
 * @retval AGENTCHAT_E_NOTFOUND another thread has the name of the one that the chat remembers; with branch, also: it
 *                              was deleted. agentchat_thread_detach() lets the chat begin anew.
 * @retval AGENTCHAT_E_IN_USE   the chat is attached to another thread.
 * @retval AGENTCHAT_E_BUSY     an operation of the chat is active.
 */
AGENTCHAT_API agentchat_status agentchat_thread_save(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                                     const agentchat_thread_save_options *options,
                                                     char id[AGENTCHAT_ID_SIZE], agentchat_error *err);

/** How a chat is restored from a thread. */
typedef struct agentchat_thread_restore_options {
    size_t struct_size;                       /**< sizeof(agentchat_thread_restore_options) */
    const char *ns;                           /**< namespace; NULL: the usual one */
    const char *checkpoint;                   /**< the checkpoint; NULL: the newest */
    const agentchat_restore_options *restore; /**< how it is restored; NULL: the defaults */
    uint64_t line;                            /**< the newest of this line; 0: of the namespace */
} agentchat_thread_restore_options;
/** Initializer: the newest checkpoint of the usual namespace. */
#define AGENTCHAT_THREAD_RESTORE_OPTIONS_INIT                                                                          \
    {                                                                                                                  \
        sizeof(agentchat_thread_restore_options), NULL, NULL, NULL, 0                                                  \
    }
/**
 * AGENTCHAT_THREAD_RESTORE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_restore_options_init(agentchat_thread_restore_options *options, size_t size);

/**
 * Restores a checkpoint into an unused chat, as agentchat_chat_restore() does.
 * @param[in]     store   The store.
 * @param[in]     thread  The thread's id.
 * @param[in,out] chat    The chat; it remembers the checkpoint. Untouched on failure.
 * @param[in]     options Options, or NULL.
 * @param[out]    report  As agentchat_chat_restore(); a note says on which line the chat stands, and whether the
 *                        namespace has others. NULL: not wanted.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND  there is no such thread, checkpoint or line.
 * @retval AGENTCHAT_E_NO_AGENTS the chat has no agents.
 * @retval AGENTCHAT_E_IN_USE    the chat has been used.
 */
AGENTCHAT_API agentchat_status agentchat_thread_restore(agentchat_store *store, const char *thread,
                                                        agentchat_chat *chat,
                                                        const agentchat_thread_restore_options *options,
                                                        agentchat_report **report, agentchat_error *err);

/** How a chat is brought up to date. */
typedef struct agentchat_thread_catch_up_options {
    size_t struct_size;                       /**< sizeof(agentchat_thread_catch_up_options) */
    const agentchat_restore_options *restore; /**< how it is restored; NULL: the defaults */
    bool append; /**< messages that were not saved come after those of the others, and so do
                      elements of named lists that got nothing but more of them */
} agentchat_thread_catch_up_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT                                                                         \
    {                                                                                                                  \
        sizeof(agentchat_thread_catch_up_options), NULL, false                                                         \
    }
/**
 * AGENTCHAT_THREAD_CATCH_UP_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_catch_up_options_init(agentchat_thread_catch_up_options *options, size_t size);

/**
 * Brings a chat up to date with the newest checkpoint of its line: what is in it is replaced in one step, by what
 * agentchat_chat_restore() would make. A chat that is attached and remembers none yet goes to the newest of the
 * namespace. Before the first save of a chat that was attached with branch, nothing is newer. Only what is new in the
 * thread is read while the remembered checkpoint is there as it was; a channel type of the caller's is loaded from its
 * whole state all the same. A named value that was changed or removed in the chat since it was saved stays so.
 * @param[in]     store   The store.
 * @param[in,out] chat    The chat; it remembers that checkpoint. Untouched on failure.
 * @param[in]     options Options, or NULL.
 * @param[out]    report  As agentchat_chat_restore(); NULL: not wanted. NULL when there was nothing new.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_DONE       nothing is newer than what the chat remembers.
 * @retval AGENTCHAT_E_CONFLICT the chat has messages that were not saved, and options->append is not set; or a named
 *                              value was changed both in the chat and in the thread, other than by elements that a
 *                              list got, with options->append; or all checkpoints of the line were deleted.
 * @retval AGENTCHAT_E_NOTFOUND the thread was deleted, or another has its name; agentchat_thread_detach() lets the
 *                              chat begin anew.
 * @retval AGENTCHAT_E_INVALID  the chat remembers no checkpoint, and is not attached.
 * @retval AGENTCHAT_E_BUSY     an operation of the chat is active.
 */
AGENTCHAT_API agentchat_status agentchat_thread_catch_up(agentchat_store *store, agentchat_chat *chat,
                                                         const agentchat_thread_catch_up_options *options,
                                                         agentchat_report **report, agentchat_error *err);

/** Id of the checkpoint that a chat remembers. @param[in] chat The chat. @return A view until the chat is saved or
    restored again; NULL when it remembers none. */
AGENTCHAT_API const char *agentchat_thread_remembered(const agentchat_chat *chat);
/** The line that a chat stands on, for the option `line` of attaching and restoring. @param[in] chat The chat. @return
   The line; 0 when the chat remembers no checkpoint, and while it was attached with branch and not saved yet. */
AGENTCHAT_API uint64_t agentchat_thread_line(const agentchat_chat *chat);

/* ---- by itself ------------------------------------------------------------------------------------------------ */

/** How a chat keeps itself in a thread. */
typedef struct agentchat_thread_attach_options {
    size_t struct_size;                       /**< sizeof(agentchat_thread_attach_options) */
    const char *ns;                           /**< namespace; NULL: the usual one */
    const char *checkpoint;                   /**< restored from this one; NULL: the newest */
    const char *run;                          /**< the run that its checkpoints belong to; NULL: not said */
    agentchat_str metadata;                   /**< of its checkpoints, a JSON object; absent: {} */
    const agentchat_restore_options *restore; /**< how it is restored, now; NULL: the defaults */
    bool branch;                              /**< the first save begins a line, whatever has followed the checkpoint */
    bool at_end;                              /**< it is saved when an operation ends, and not after each step of it */
    bool no_catch_up;                         /**< it is not brought up to date by itself */
    bool append;                              /**< as agentchat_thread_catch_up_options */
    uint64_t line;                            /**< restored from the newest of this line; 0: of the namespace */
    bool keep_partial; /**< what an agent says is kept with each message, for agentchat_replies_partial() */
} agentchat_thread_attach_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT                                                                           \
    {                                                                                                                  \
        sizeof(agentchat_thread_attach_options), NULL, NULL, NULL, {NULL, 0}, NULL, false, false, false, false, 0,     \
            false                                                                                                      \
    }
/**
 * AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_attach_options_init(agentchat_thread_attach_options *options, size_t size);

/**
 * Attaches a chat to a thread: if the thread has a checkpoint the chat is restored from it, and from now on it saves
 * itself, after input (source "input"), after each completed answer (source "loop") and after agentchat_chat_edit()
 * (source "update"), with steps counted from -1. It
 * also brings itself up to date before input and before an answer, so that a conflict shows before a model is paid for.
 * A failure of that ends the operation with its error, with what was said in the chat; the chat's observer is called
 * after it was saved.
 *
 * With keep_partial each message of an answer is stored at once, as a pending write of the channel "agentchat:partial"
 * of the newest checkpoint of the line: path the agent's id, task an id of the turn. It costs a transaction a message,
 * and a look at the beginning of a turn. The answer's checkpoint consumes them; what a turn has left that failed, or
 * whose process was killed, is handed to the next turn of that agent on the line (agentchat_replies_partial()). What an
 * answer that failed has said is in the history of this chat, too: saying it again here doubles it, unless the chat
 * gives ids (agentchat_chat_set_message_ids()).
 *
 * The chat stays on the line of the checkpoint from which it was restored, whatever others put on other lines. A used
 * chat can be attached where it remembers this thread; where the namespace has no checkpoint, or with branch: then it
 * is saved at once; and with append, if it was never saved: its messages come after those of the thread, and are saved
 * with the next step.
 * @param[in]     store   The store; must live until the chat is freed or detached.
 * @param[in]     thread  The thread's id; copied.
 * @param[in,out] chat    The chat. Untouched on failure.
 * @param[in]     options Options, or NULL.
 * @param[out]    report  Of the restoring, as agentchat_thread_restore(); NULL: not wanted. NULL when nothing was
 *                        restored.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_NO_AGENTS the chat has no agents, and the thread has a checkpoint.
 * @retval AGENTCHAT_E_IN_USE    the chat has been used, and the thread has a checkpoint that it does not remember; or
 *                               options name another one than it remembers.
 * @retval AGENTCHAT_E_CONFLICT  options->checkpoint, or the remembered one, is not the newest of its line, and
 *                               options->branch is not set.
 * @retval AGENTCHAT_E_NOTFOUND  options->checkpoint or options->line is not there; or the thread that the chat
 * remembers was deleted.
 */
AGENTCHAT_API agentchat_status agentchat_thread_attach(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                                       const agentchat_thread_attach_options *options,
                                                       agentchat_report **report, agentchat_error *err);

/**
 * Ends what agentchat_thread_attach() began; the chat forgets the thread. Nothing happens when it remembers none.
 * @param[in,out] chat The chat.
 * @param[out]    err  Detail, or NULL.
 * @retval AGENTCHAT_E_BUSY an operation of the chat is active.
 */
AGENTCHAT_API agentchat_status agentchat_thread_detach(agentchat_chat *chat, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
