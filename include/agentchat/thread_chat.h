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
 * A chat remembers the checkpoint that it was last saved to or restored from, and stays on that checkpoint's line. The
 * next save continues the line and costs only what is new in the chat. If somebody else has continued the line, the
 * save fails with E_CONFLICT and stores nothing. Then call agentchat_thread_catch_up(), or save with branch to begin a
 * new line. Checkpoints on other lines do not affect the chat. docs/threads.md has the rules.
 *
 * A chat remembers one thread. Do not use the chat while one of these functions runs. The store must live until the
 * chat is freed or detached.
 *
 *     agentchat_thread_attach(store, "thread-7", chat, NULL, &report, &err);
 *     agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("Where is my order?"), &err);
 *     agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err);
 *
 * Each function may also return the errors of thread.h, of agentchat_chat_capture() and of agentchat_chat_restore().
 * After E_IO it is unknown whether a save was stored. The chat keeps the checkpoint's id, and the next save or catch-up
 * looks for it, so that nothing is stored twice. This holds within one process.
 */

/* ---- by hand -------------------------------------------------------------------------------------------------- */

/** How a chat is saved. */
typedef struct agentchat_thread_save_options {
    size_t struct_size;                       /**< sizeof(agentchat_thread_save_options) */
    const char *ns;                           /**< namespace; NULL: the default one */
    const char *expect;                       /**< the newest checkpoint of the namespace must be this one; NULL: any */
    const char *source;                       /**< what caused the save; NULL: none */
    const char *run;                          /**< the run; NULL: none */
    agentchat_str metadata;                   /**< a JSON object; absent: {} */
    const agentchat_capture_options *capture; /**< how the chat is captured; NULL: the defaults */
    int64_t step;                             /**< the step of the run, if has_step is set */
    bool has_step;                            /**< step is set */
    bool branch;                              /**< begin a new line after the remembered checkpoint */
    const agentchat_work_request *work;       /**< as in agentchat_checkpoint_put_options */
    size_t work_count;                        /**< number of these */
} agentchat_thread_save_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_THREAD_SAVE_OPTIONS_INIT                                                                             \
    {                                                                                                                  \
        sizeof(agentchat_thread_save_options), NULL, NULL, NULL, NULL, {NULL, 0}, NULL, 0, false, false, NULL, 0       \
    }
/**
 * AGENTCHAT_THREAD_SAVE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_save_options_init(agentchat_thread_save_options *options, size_t size);

/**
 * Saves a chat as a checkpoint after the remembered one. If the chat remembers no checkpoint of this thread, the
 * namespace must be empty; with branch, the checkpoint follows the newest. If the thread was deleted, the save creates
 * it again with the whole chat.
 * @param[in]     store   The store.
 * @param[in]     thread  The thread's id.
 * @param[in,out] chat    The chat; it remembers the new checkpoint. The chat's observer may make this call.
 * @param[in]     options Options, or NULL.
 * @param[out]    id      Receives the checkpoint's id; NULL: not wanted. Empty on failure.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT somebody else continued the line, or the remembered checkpoint was replaced or deleted;
 *                              or the chat remembers no checkpoint, and the namespace has one. Nothing was stored.
 * @retval AGENTCHAT_E_NOTFOUND a new thread has the name of the remembered one; with branch also: the thread was
 *                              deleted. Call agentchat_thread_detach() to begin a new thread.
 * @retval AGENTCHAT_E_IN_USE   the chat is attached to another thread.
 * @retval AGENTCHAT_E_BUSY     an operation of the chat is active.
 */
AGENTCHAT_API agentchat_status agentchat_thread_save(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                                     const agentchat_thread_save_options *options,
                                                     char id[AGENTCHAT_ID_SIZE], agentchat_error *err);

/** How a chat is restored from a thread. */
typedef struct agentchat_thread_restore_options {
    size_t struct_size;                       /**< sizeof(agentchat_thread_restore_options) */
    const char *ns;                           /**< namespace; NULL: the default one */
    const char *checkpoint;                   /**< the checkpoint; NULL: the newest */
    const agentchat_restore_options *restore; /**< how it is restored; NULL: the defaults */
    uint64_t line;                            /**< restore the newest checkpoint of this line; 0: of the namespace */
} agentchat_thread_restore_options;
/** Initializer: the newest checkpoint of the default namespace. */
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
 * @param[in,out] chat    The chat; it remembers the checkpoint. Unchanged on failure.
 * @param[in]     options Options, or NULL.
 * @param[out]    report  As agentchat_chat_restore(). A note names the chat's line, and says whether the namespace has
 *                        others. NULL: not wanted.
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
    bool append; /**< unsaved messages move after those of the others; two named lists that only grew are merged */
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
 * Brings a chat up to date with the newest checkpoint of its line. The chat changes in one step, to what
 * agentchat_chat_restore() would make of that checkpoint. An attached chat that remembers no checkpoint goes to the
 * newest of the namespace. A chat that was attached with branch has nothing to catch up before its first save. If the
 * remembered checkpoint is still in the store, only what is new in the thread is read; custom channels are loaded from
 * their whole state. Named values that were changed or removed in the chat since the last save stay so.
 * @param[in]     store   The store.
 * @param[in,out] chat    The chat; it remembers that checkpoint. Unchanged on failure.
 * @param[in]     options Options, or NULL.
 * @param[out]    report  As agentchat_chat_restore(); NULL: not wanted. Receives NULL if there was nothing new.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_DONE       the chat is up to date.
 * @retval AGENTCHAT_E_CONFLICT the chat has unsaved messages, and options->append is not set; or a named value was
 *                              changed both in the chat and in the thread (with append, lists that only grew are merged
 *                              instead); or all checkpoints of the line were deleted.
 * @retval AGENTCHAT_E_NOTFOUND the thread was deleted, or a new thread has its name. Call agentchat_thread_detach() to
 *                              begin a new thread.
 * @retval AGENTCHAT_E_INVALID  the chat remembers no checkpoint, and is not attached.
 * @retval AGENTCHAT_E_BUSY     an operation of the chat is active.
 */
AGENTCHAT_API agentchat_status agentchat_thread_catch_up(agentchat_store *store, agentchat_chat *chat,
                                                         const agentchat_thread_catch_up_options *options,
                                                         agentchat_report **report, agentchat_error *err);

/** Id of the checkpoint that a chat remembers. @param[in] chat The chat. @return A view until the next save or restore;
    NULL if it remembers none. */
AGENTCHAT_API const char *agentchat_thread_remembered(const agentchat_chat *chat);
/** The line of a chat, for the option `line` of attach and restore. @param[in] chat The chat. @return The line; 0 if
   the chat remembers no checkpoint, or was attached with branch and not saved yet. */
AGENTCHAT_API uint64_t agentchat_thread_line(const agentchat_chat *chat);

/* ---- by itself ------------------------------------------------------------------------------------------------ */

/** How a chat keeps itself in a thread. */
typedef struct agentchat_thread_attach_options {
    size_t struct_size;                       /**< sizeof(agentchat_thread_attach_options) */
    const char *ns;                           /**< namespace; NULL: the default one */
    const char *checkpoint;                   /**< restore this checkpoint; NULL: the newest */
    const char *run;                          /**< the run of the chat's checkpoints; NULL: none */
    agentchat_str metadata;                   /**< metadata of the chat's checkpoints, a JSON object; absent: {} */
    const agentchat_restore_options *restore; /**< how the chat is restored now; NULL: the defaults */
    bool branch;                              /**< the first save begins a new line */
    bool at_end;                              /**< save at the end of an operation, not after each step of it */
    bool no_catch_up;                         /**< do not catch up before input and answers */
    bool append;                              /**< as agentchat_thread_catch_up_options */
    uint64_t line;                            /**< restore the newest checkpoint of this line; 0: of the namespace */
    bool keep_partial;                  /**< store each message of an answer at once, for agentchat_replies_partial() */
    const agentchat_work_request *work; /**< work that is queued with each of the chat's checkpoints (agentchat/work.h);
                                             copied; NULL: none */
    size_t work_count;                  /**< number of these, each of another kind */
} agentchat_thread_attach_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT                                                                           \
    {                                                                                                                  \
        sizeof(agentchat_thread_attach_options), NULL, NULL, NULL, {NULL, 0}, NULL, false, false, false, false, 0,     \
            false, NULL, 0                                                                                             \
    }
/**
 * AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_attach_options_init(agentchat_thread_attach_options *options, size_t size);

/**
 * Attaches a chat to a thread. If the thread has a checkpoint, the chat is restored from it. From then on the chat
 * saves itself: after input (source "input"), after each completed answer (source "loop") and after
 * agentchat_chat_edit() (source "update"), with steps counted from -1. It also catches up before input and before an
 * answer, so that you see a conflict before you pay for a model. If a save or a catch-up fails, the operation ends with
 * that error, and what was said stays in the chat. The chat's observer is called after the save.
 *
 * With keep_partial each message of an answer is stored at once, as a pending write of the channel "agentchat:partial"
 * of the line's newest checkpoint (path: the agent's id; task: an id of the turn). This costs one transaction for each
 * message, and one read at the beginning of a turn. The answer's checkpoint consumes the writes. If the turn fails or
 * the process is killed, the next turn of that agent on the line gets them (agentchat_replies_partial()). A failed
 * answer also stays in the history of this chat: if the agent repeats it here, it is there twice, unless the chat gives
 * ids (agentchat_chat_set_message_ids()).
 *
 * The chat stays on the line of its checkpoint. You can attach a used chat if it remembers this thread. You can also do
 * so if the namespace is empty, or with branch: then the chat is saved at once. With append, a chat that was never
 * saved gets the thread's messages in front of its own, and saves its own with the next step.
 * @param[in]     store   The store; must live until the chat is freed or detached.
 * @param[in]     thread  The thread's id; copied.
 * @param[in,out] chat    The chat. Unchanged on failure.
 * @param[in]     options Options, or NULL.
 * @param[out]    report  Report of the restore, as agentchat_thread_restore(); NULL: not wanted. Receives NULL if
 *                        nothing was restored.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_NO_AGENTS the chat has no agents, and the thread has a checkpoint.
 * @retval AGENTCHAT_E_IN_USE    the chat has been used, and does not remember this thread's checkpoint; or
 *                               options->checkpoint is not the remembered one.
 * @retval AGENTCHAT_E_CONFLICT  options->checkpoint, or the remembered checkpoint, is not the newest of its line, and
 *                               options->branch is not set.
 * @retval AGENTCHAT_E_NOTFOUND  options->checkpoint or options->line does not exist; or the remembered thread was
 *                               deleted.
 */
AGENTCHAT_API agentchat_status agentchat_thread_attach(agentchat_store *store, const char *thread, agentchat_chat *chat,
                                                       const agentchat_thread_attach_options *options,
                                                       agentchat_report **report, agentchat_error *err);

/**
 * Ends the effect of agentchat_thread_attach(). The chat forgets its thread; if it remembers none, nothing happens.
 * @param[in,out] chat The chat.
 * @param[out]    err  Detail, or NULL.
 * @retval AGENTCHAT_E_BUSY an operation of the chat is active.
 */
AGENTCHAT_API agentchat_status agentchat_thread_detach(agentchat_chat *chat, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
