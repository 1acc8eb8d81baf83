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
 * A chat remembers the checkpoint that it was last saved to or restored from. The next one is put on that, and costs
 * what is new in the chat; when somebody else has put one meanwhile, it is E_CONFLICT, and agentchat_thread_catch_up()
 * brings the chat up to date. A chat remembers one thread; it must not be used while one of these functions runs, and
 * the store must live until the chat is freed or agentchat_thread_detach() was called.
 *
 *     agentchat_thread_attach(store, "thread-7", chat, NULL, &report, &err);
 *     agentchat_chat_add_text(chat, "user", AGENTCHAT_STR("Where is my order?"), &err);
 *     agentchat_chat_invoke(chat, AGENTCHAT_STR("Desk"), &err);
 *
 * Besides the errors named at each function there are those of thread.h, and of agentchat_chat_capture() and
 * agentchat_chat_restore() where a chat is captured or restored.
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
    bool branch;                              /**< the remembered checkpoint may have been followed by another */
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
 * saved where there is none yet, or as a branch of the newest.
 * @param[in]     store   The store.
 * @param[in]     thread  The thread's id.
 * @param[in,out] chat    The chat; it remembers the new checkpoint. May be called by the chat's observer.
 * @param[in]     options Options, or NULL.
 * @param[out]    id      Receives the checkpoint's id; NULL: not wanted. Empty on failure.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT the thread went on without this chat; nothing was stored.
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
} agentchat_thread_restore_options;
/** Initializer: the newest checkpoint of the usual namespace. */
#define AGENTCHAT_THREAD_RESTORE_OPTIONS_INIT                                                                          \
    {                                                                                                                  \
        sizeof(agentchat_thread_restore_options), NULL, NULL, NULL                                                     \
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
 * @param[out]    report  As agentchat_chat_restore(); NULL: not wanted.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND  there is no such thread or checkpoint.
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
 * Brings a chat up to date with the newest checkpoint of the thread and namespace that it remembers: what is in it is
 * replaced in one step, by what agentchat_chat_restore() would make. Only what is new in the thread is read while the
 * remembered checkpoint is there as it was; a channel type of the caller's is loaded from its whole state all the same.
 * A named value that was changed or removed in the chat since it was saved stays so.
 * @param[in]     store   The store.
 * @param[in,out] chat    The chat; it remembers that checkpoint. Untouched on failure.
 * @param[in]     options Options, or NULL.
 * @param[out]    report  As agentchat_chat_restore(); NULL: not wanted. NULL when there was nothing new.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_DONE       nothing is newer than what the chat remembers.
 * @retval AGENTCHAT_E_CONFLICT the chat has messages that were not saved, and options->append is not set; or a named
 *                              value was changed both in the chat and in the thread, other than by elements that a
 *                              list got, with options->append.
 * @retval AGENTCHAT_E_INVALID  the chat remembers no checkpoint.
 * @retval AGENTCHAT_E_BUSY     an operation of the chat is active.
 */
AGENTCHAT_API agentchat_status agentchat_thread_catch_up(agentchat_store *store, agentchat_chat *chat,
                                                         const agentchat_thread_catch_up_options *options,
                                                         agentchat_report **report, agentchat_error *err);

/** Id of the checkpoint that a chat remembers. @param[in] chat The chat. @return A view until the chat is saved or
    restored again; NULL when it remembers none. */
AGENTCHAT_API const char *agentchat_thread_remembered(const agentchat_chat *chat);

/* ---- by itself ------------------------------------------------------------------------------------------------ */

/** How a chat keeps itself in a thread. */
typedef struct agentchat_thread_attach_options {
    size_t struct_size;                       /**< sizeof(agentchat_thread_attach_options) */
    const char *ns;                           /**< namespace; NULL: the usual one */
    const char *checkpoint;                   /**< restored from this one; NULL: the newest */
    const char *run;                          /**< the run that its checkpoints belong to; NULL: not said */
    agentchat_str metadata;                   /**< of its checkpoints, a JSON object; absent: {} */
    const agentchat_restore_options *restore; /**< how it is restored, now; NULL: the defaults */
    bool branch;      /**< the remembered checkpoint may have been followed by another, when the chat saves first */
    bool at_end;      /**< it is saved when an operation ends, and not after each step of it */
    bool no_catch_up; /**< it is not brought up to date by itself */
    bool append;      /**< as agentchat_thread_catch_up_options */
} agentchat_thread_attach_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_THREAD_ATTACH_OPTIONS_INIT                                                                           \
    {                                                                                                                  \
        sizeof(agentchat_thread_attach_options), NULL, NULL, NULL, {NULL, 0}, NULL, false, false, false, false         \
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
 * after it was saved. A used chat can be attached where it remembers this thread, or the thread has no checkpoint: then
 * it is saved at once.
 * @param[in]     store   The store; must live until the chat is freed or detached.
 * @param[in]     thread  The thread's id; copied.
 * @param[in,out] chat    The chat. Untouched on failure.
 * @param[in]     options Options, or NULL.
 * @param[out]    report  Of the restoring, as agentchat_chat_restore(); NULL: not wanted. NULL when nothing was
 * restored.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_NO_AGENTS the chat has no agents, and the thread has a checkpoint.
 * @retval AGENTCHAT_E_IN_USE    the chat has been used, and the thread has a checkpoint that it does not remember.
 * @retval AGENTCHAT_E_NOTFOUND  options->checkpoint is not there.
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
