/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: conversations kept in a store as trees of checkpoints, each of which gives the whole chat back. */
#ifndef AGENTCHAT_THREAD_H
#define AGENTCHAT_THREAD_H

#include <agentchat/snapshot.h>
#include <agentchat/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A thread is named by its id. Its checkpoints stand in namespaces, of which the one with the empty name is the usual
 * one; each has its own tree. A checkpoint has a sequence number, which grows through the whole thread and says which
 * one is the newest; clocks and ids do not. Checkpoints that continue one another stand on a line; a branch (a fork)
 * begins another one, named by the sequence number of its first checkpoint. What checkpoints have in common is stored
 * once: putting one costs what is new in it.
 *
 *     char id[AGENTCHAT_ID_SIZE];
 *
 *     agentchat_checkpoint_put(store, "thread-7", snapshot, NULL, id, &err);
 *     agentchat_checkpoint_get(store, "thread-7", NULL, &newest, &err);
 *     agentchat_chat_restore(chat, agentchat_checkpoint_snapshot(newest), NULL, NULL, &err);
 *
 * Ids of threads and checkpoints, and names of runs and sources, are 1 to 512 bytes of UTF-8 without surrogates, and so
 * are names of namespaces but the empty one.
 *
 * Errors that are possible at every function that takes a store, and not repeated: E_INVALID (a name that is missing or
 * breaks the rules), E_IO, E_BUSY (others held the store for longer than its wait_ms), E_CORRUPT, E_LIMIT, E_NOMEM,
 * E_VERSION (the store has no tables of threads, or those of a newer program). All functions may be called by any
 * number of threads at the same time.
 */

/** Room for the id of a checkpoint and a NUL. */
#define AGENTCHAT_ID_SIZE 513

/** What is known of a checkpoint without its contents. A view that lives as long as what gave it. */
typedef struct agentchat_checkpoint_info {
    const char *ns;         /**< namespace; "" for the usual one */
    const char *id;         /**< its id */
    const char *parent;     /**< id of the checkpoint that it follows, which may be gone; NULL: it follows none */
    uint64_t sequence;      /**< its position in the thread, from 1 */
    int64_t step;           /**< step of the run that made it, with has_step */
    bool has_step;          /**< step counts */
    const char *source;     /**< what made it: "input", "loop", "update", "fork" or another word; NULL: not said */
    const char *run;        /**< the run that made it; NULL: not said */
    int64_t time_us;        /**< when it was made, microseconds since 1970 by its maker's clock */
    uint64_t messages;      /**< length of its history */
    agentchat_str metadata; /**< a JSON object */
    uint64_t line;          /**< the line that it stands on: the sequence number of the line's first checkpoint */
} agentchat_checkpoint_info;

/* ---- putting -------------------------------------------------------------------------------------------------- */

/** How a checkpoint is put. */
typedef struct agentchat_checkpoint_put_options {
    size_t struct_size;     /**< sizeof(agentchat_checkpoint_put_options) */
    const char *ns;         /**< namespace; NULL: the usual one */
    const char *id;         /**< its id; NULL: one is made, a UUID of version 7 */
    const char *parent;     /**< the checkpoint that it follows; NULL: the newest of the namespace, whatever that is by
                                 then. One that is not there needs branch, unless the namespace is empty */
    const char *expect;     /**< the newest checkpoint of the namespace must be this one; NULL: any */
    const char *source;     /**< what made it; NULL: not said */
    const char *run;        /**< the run that made it; NULL: not said */
    agentchat_str metadata; /**< a JSON object; absent: {} */
    int64_t time_us;        /**< when it was made; 0: now */
    int64_t step;           /**< with has_step: the step of the run */
    bool has_step;          /**< step counts */
    bool no_parent;         /**< it follows no checkpoint: a new tree and a line begin */
    bool expect_none;       /**< the namespace must have no checkpoint yet */
    bool branch;            /**< it begins a line, whatever has followed the parent */
    bool replace; /**< one of this id is replaced, and keeps its sequence number and line; when it is gone, this
                       is a plain put */
} agentchat_checkpoint_put_options;
/** Initializer: follows the newest checkpoint, with an id that is made. */
#define AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT                                                                          \
    {                                                                                                                  \
        sizeof(agentchat_checkpoint_put_options), NULL, NULL, NULL, NULL, NULL, NULL, {NULL, 0}, 0, 0, false, false,   \
            false, false, false                                                                                        \
    }
/**
 * AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_checkpoint_put_options_init(agentchat_checkpoint_put_options *options, size_t size);

/**
 * Puts a snapshot into a thread as a checkpoint; the thread is made if there is none. Only what the parent does not
 * have is stored. A checkpoint of the same id and content is there already: that is success and stores nothing.
 * @param[in]  store    The store.
 * @param[in]  thread   The thread's id.
 * @param[in]  snapshot What is put; looking at it costs its size.
 * @param[in]  options  Options, or NULL.
 * @param[out] id       Receives the checkpoint's id; NULL: not wanted. Empty on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT the parent is not the newest of its line, or not there, and options->branch is not set;
 *                              or the newest one is not the expected one. Nothing was stored.
 * @retval AGENTCHAT_E_EXISTS   the namespace has another checkpoint of this id.
 * @retval AGENTCHAT_E_INVALID  metadata that is no JSON object; options that exclude each other.
 */
AGENTCHAT_API agentchat_status agentchat_checkpoint_put(agentchat_store *store, const char *thread,
                                                        const agentchat_snapshot *snapshot,
                                                        const agentchat_checkpoint_put_options *options,
                                                        char id[AGENTCHAT_ID_SIZE], agentchat_error *err);

/* ---- getting -------------------------------------------------------------------------------------------------- */

/** A checkpoint that was read; immutable, any number of threads may use one at the same time. */
typedef struct agentchat_checkpoint agentchat_checkpoint;

/** Which checkpoint of a thread is meant. */
typedef struct agentchat_checkpoint_options {
    size_t struct_size; /**< sizeof(agentchat_checkpoint_options) */
    const char *ns;     /**< namespace; NULL: the usual one */
    const char *id;     /**< the checkpoint; NULL: the newest of the namespace */
} agentchat_checkpoint_options;
/** Initializer: the newest one of the usual namespace. */
#define AGENTCHAT_CHECKPOINT_OPTIONS_INIT                                                                              \
    {                                                                                                                  \
        sizeof(agentchat_checkpoint_options), NULL, NULL                                                               \
    }
/**
 * AGENTCHAT_CHECKPOINT_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_checkpoint_options_init(agentchat_checkpoint_options *options, size_t size);

/**
 * Gets a checkpoint, as of one moment.
 * @param[in]  store   The store; its environment must outlive the checkpoint.
 * @param[in]  thread  The thread's id.
 * @param[in]  options Which one; NULL: the newest one of the usual namespace.
 * @param[out] out     The checkpoint (agentchat_checkpoint_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread or checkpoint.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_checkpoint_get(agentchat_store *store, const char *thread,
                                                                            const agentchat_checkpoint_options *options,
                                                                            agentchat_checkpoint **out,
                                                                            agentchat_error *err);

/** What is known of a checkpoint. @param[in] checkpoint NULL gives NULL. @return A view as long-lived as the
    checkpoint. */
AGENTCHAT_API const agentchat_checkpoint_info *agentchat_checkpoint_get_info(const agentchat_checkpoint *checkpoint);
/** The chat as it was put. @param[in] checkpoint NULL gives NULL. @return A view as long-lived as the checkpoint;
    agentchat_snapshot_ref() keeps it for longer. */
AGENTCHAT_API const agentchat_snapshot *agentchat_checkpoint_snapshot(const agentchat_checkpoint *checkpoint);
/** Releases a checkpoint. @param[in] checkpoint NULL is allowed. */
AGENTCHAT_API void agentchat_checkpoint_free(agentchat_checkpoint *checkpoint);

/**
 * The newest messages of a thread's history, without the rest of it: the cost is that of those messages.
 * @param[in]  store   The store; its environment must outlive the messages.
 * @param[in]  thread  The thread's id.
 * @param[in]  count   How many at most.
 * @param[in]  options Of which checkpoint; NULL: the newest one of the usual namespace.
 * @param[out] out     The messages, oldest first (agentchat_messages_unref()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread or checkpoint.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_thread_tail(agentchat_store *store, const char *thread,
                                                                         size_t count,
                                                                         const agentchat_checkpoint_options *options,
                                                                         agentchat_messages **out,
                                                                         agentchat_error *err);

/* ---- pending writes ------------------------------------------------------------------------------------------- */

/**
 * A result of a step that did not complete, kept with the checkpoint from which the step began. One that is named by
 * the same path, task and index replaces it.
 */
typedef struct agentchat_pending_write {
    const char *path;         /**< path of the task that made it; "" where there is none */
    const char *task;         /**< id of that task */
    const char *channel;      /**< what it is for */
    int64_t index;            /**< its position among the task's writes; negative ones have a meaning of the host's */
    agentchat_str media_type; /**< of the value; absent: it is JSON */
    agentchat_str value;      /**< JSON text, or bytes of that media type */
    const char *consumed_by;  /**< the child checkpoint that consumed it; NULL: none did. Not looked at when given */
} agentchat_pending_write;

/** Pending writes of a checkpoint; immutable. */
typedef struct agentchat_pending_list agentchat_pending_list;

/**
 * Keeps pending writes with a checkpoint, all or none. The checkpoint need not be there yet, nor the thread, which is
 * made. A write that is there already with the same channel and value stays as it is, consumed or not; another one of
 * the same name is replaced, and the new one is not consumed. A checkpoint that is put on this one consumes what is
 * there by then. Names are 1 to 512 bytes of UTF-8; that of a path may be empty.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  options Which checkpoint; its id is needed.
 * @param[in]  writes  The writes.
 * @param[in]  count   Their number; 0: nothing is done.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID a value that is no JSON and has no media type; options without an id.
 */
AGENTCHAT_API agentchat_status agentchat_checkpoint_put_writes(agentchat_store *store, const char *thread,
                                                               const agentchat_checkpoint_options *options,
                                                               const agentchat_pending_write *writes, size_t count,
                                                               agentchat_error *err);

/** Which pending writes are read. */
typedef struct agentchat_pending_options {
    size_t struct_size; /**< sizeof(agentchat_pending_options) */
    const char *ns;     /**< namespace; NULL: the usual one */
    const char *id;     /**< those of this checkpoint; NULL: of the newest of the namespace */
    bool all;           /**< those that were consumed, too */
} agentchat_pending_options;
/** Initializer: what the newest checkpoint of the usual namespace has and none consumed. */
#define AGENTCHAT_PENDING_OPTIONS_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(agentchat_pending_options), NULL, NULL, false                                                           \
    }
/**
 * AGENTCHAT_PENDING_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_pending_options_init(agentchat_pending_options *options, size_t size);

/**
 * Reads pending writes in the order of path, task and index. They are the caller's to apply. What is not there has
 * none.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  options Which ones; NULL: those that the newest checkpoint of the usual namespace has and none consumed.
 * @param[out] out     The writes (agentchat_pending_list_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_checkpoint_pending(agentchat_store *store, const char *thread, const agentchat_pending_options *options,
                             agentchat_pending_list **out, agentchat_error *err);
/** Number of pending writes. @param[in] list NULL gives 0. */
AGENTCHAT_API size_t agentchat_pending_list_count(const agentchat_pending_list *list);
/** A pending write. @param[in] list The list. @param[in] index From 0. @return A view until the list is released; NULL
   beyond the count. */
AGENTCHAT_API const agentchat_pending_write *agentchat_pending_list_at(const agentchat_pending_list *list,
                                                                       size_t index);
/** Releases a list. @param[in] list NULL is allowed. */
AGENTCHAT_API void agentchat_pending_list_free(agentchat_pending_list *list);

/* ---- listing -------------------------------------------------------------------------------------------------- */

/** A page of a list of checkpoints; immutable. */
typedef struct agentchat_checkpoint_list agentchat_checkpoint_list;

/** Which checkpoints are listed. */
typedef struct agentchat_checkpoint_list_options {
    size_t struct_size;   /**< sizeof(agentchat_checkpoint_list_options) */
    const char *ns;       /**< those of this namespace; NULL: of the usual one */
    const char *before;   /**< only those before this checkpoint; NULL: all */
    const char *run;      /**< only those of this run; NULL: of any */
    agentchat_str filter; /**< a JSON object: only those whose metadata has all its members, with equal values;
                             "source", "step" and "run" ask for the checkpoint's own where it has them. Absent: all */
    const char *cursor;   /**< agentchat_checkpoint_list_cursor() of the page before; NULL: from the newest */
    size_t limit;         /**< at most so many on the page; 0: 100 */
    bool all_namespaces;  /**< those of every namespace */
} agentchat_checkpoint_list_options;
/** Initializer: the first page of the usual namespace. */
#define AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT                                                                         \
    {                                                                                                                  \
        sizeof(agentchat_checkpoint_list_options), NULL, NULL, NULL, {NULL, 0}, NULL, 0, false                         \
    }
/**
 * AGENTCHAT_CHECKPOINT_LIST_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_checkpoint_list_options_init(agentchat_checkpoint_list_options *options, size_t size);

/**
 * Lists a thread's checkpoints, newest first. Nothing of their contents is read. Through all pages no checkpoint comes
 * twice, whatever is put meanwhile. A thread that is not there has none.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The page (agentchat_checkpoint_list_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND options->before is not there.
 * @retval AGENTCHAT_E_INVALID  a filter that is no JSON object; a cursor that is none.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_checkpoint_list_read(
    agentchat_store *store, const char *thread, const agentchat_checkpoint_list_options *options,
    agentchat_checkpoint_list **out, agentchat_error *err);
/** Number of checkpoints of a page. @param[in] list NULL gives 0. */
AGENTCHAT_API size_t agentchat_checkpoint_list_count(const agentchat_checkpoint_list *list);
/** A checkpoint of a page. @param[in] list The page. @param[in] index From 0. @return A view until the page is
   released; NULL beyond the count. */
AGENTCHAT_API const agentchat_checkpoint_info *agentchat_checkpoint_list_at(const agentchat_checkpoint_list *list,
                                                                            size_t index);
/** What to give for the next page: printable ASCII; NULL when this is the last. @param[in] list The page. */
AGENTCHAT_API const char *agentchat_checkpoint_list_cursor(const agentchat_checkpoint_list *list);
/** Releases a page. @param[in] list NULL is allowed. */
AGENTCHAT_API void agentchat_checkpoint_list_free(agentchat_checkpoint_list *list);

/** One thread of a list; a view into the list. */
typedef struct agentchat_thread_info {
    const char *id;     /**< the thread's id */
    uint64_t sequence;  /**< counts up with each checkpoint that is put or replaced, whatever the namespace; 0: it had
                             none */
    uint64_t messages;  /**< length of the history of the checkpoint that was put last and is still there */
    uint64_t bytes;     /**< of all messages, states and values that it stores */
    int64_t created_us; /**< when it was made, microseconds since 1970 */
    int64_t updated_us; /**< when a checkpoint was put last */
} agentchat_thread_info;

/** A page of a list of threads; immutable. */
typedef struct agentchat_thread_list agentchat_thread_list;

/** Which threads are listed. */
typedef struct agentchat_thread_list_options {
    size_t struct_size;   /**< sizeof(agentchat_thread_list_options) */
    const char *cursor;   /**< agentchat_thread_list_cursor() of the page before; NULL: from the beginning */
    size_t limit;         /**< at most so many on the page; 0: 100 */
    agentchat_str filter; /**< a JSON object: only threads of whose usual namespace the newest checkpoint has metadata
                               with all its members, with equal values, or the same of its source, step and run; absent:
                               all */
} agentchat_thread_list_options;
/** Initializer: the first page. */
#define AGENTCHAT_THREAD_LIST_OPTIONS_INIT                                                                             \
    {                                                                                                                  \
        sizeof(agentchat_thread_list_options), NULL, 0,                                                                \
        {                                                                                                              \
            NULL, 0                                                                                                    \
        }                                                                                                              \
    }
/**
 * AGENTCHAT_THREAD_LIST_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_list_options_init(agentchat_thread_list_options *options, size_t size);

/**
 * Lists the threads of a store, those put to last first. Through all pages no thread comes twice; one that was put to
 * since the first page may be left out. With a filter, those are looked at that are passed over, too.
 * @param[in]  store   The store.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The page (agentchat_thread_list_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID a cursor that is none; a filter that is no JSON object.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_thread_list_read(agentchat_store *store, const agentchat_thread_list_options *options,
                           agentchat_thread_list **out, agentchat_error *err);
/** Number of threads of a page. @param[in] list NULL gives 0. */
AGENTCHAT_API size_t agentchat_thread_list_count(const agentchat_thread_list *list);
/** A thread of a page. @param[in] list The page. @param[in] index From 0. @return A view until the page is released;
   NULL beyond the count. */
AGENTCHAT_API const agentchat_thread_info *agentchat_thread_list_at(const agentchat_thread_list *list, size_t index);
/** What to give for the next page: printable ASCII; NULL when this is the last. @param[in] list The page. */
AGENTCHAT_API const char *agentchat_thread_list_cursor(const agentchat_thread_list *list);
/** Releases a page. @param[in] list NULL is allowed. */
AGENTCHAT_API void agentchat_thread_list_free(agentchat_thread_list *list);

/* ---- searching ------------------------------------------------------------------------------------------------ */

/** A message that was found. A view into the page. */
typedef struct agentchat_thread_hit {
    const char *thread;                          /**< the thread's id */
    const agentchat_checkpoint_info *checkpoint; /**< the checkpoint with which the message came */
    uint64_t position;                           /**< of the message in its history, from 0 */
    const agentchat_message *message;            /**< the message, in full */
    agentchat_str excerpt; /**< what stands around the first word of the query that it has: a part of one of its texts,
                                of 240 bytes at most */
    size_t match_begin;    /**< that word: its first byte in the excerpt */
    size_t match_end;      /**< … and the byte after it */
} agentchat_thread_hit;

/** A page of what a search found; immutable. */
typedef struct agentchat_thread_hits agentchat_thread_hits;

/** What is searched. */
typedef struct agentchat_thread_search_options {
    size_t struct_size; /**< sizeof(agentchat_thread_search_options) */
    const char *ns;     /**< this namespace, "" for the usual one; NULL: all */
    const char *cursor; /**< agentchat_thread_hits_cursor() of the page before; NULL: from the beginning */
    size_t limit;       /**< at most so many on the page; 0: 100 */
} agentchat_thread_search_options;
/** Initializer: the first page of all namespaces. */
#define AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT                                                                           \
    {                                                                                                                  \
        sizeof(agentchat_thread_search_options), NULL, NULL, 0                                                         \
    }
/**
 * AGENTCHAT_THREAD_SEARCH_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_search_options_init(agentchat_thread_search_options *options, size_t size);

/**
 * Finds messages that have all words of a query, whatever the case and the accents; docs/threads.md says what a word
 * is. Looked at are texts, reasoning, actions, titles and labels, names, arguments, exceptions and results of calls,
 * and messages inside of messages; not the names of authors, metadata or binary data.
 *
 * A message is found where it was said: in the checkpoint whose history has it more often than that of the parent has.
 * So what was cut off later is found as long as a checkpoint has it, and what branches have in common is found once.
 * When the parent is gone, the checkpoint that was put before in the namespace takes its place.
 *
 * Threads that were put to last come first, namespaces by their names, in each the newest checkpoint first and its last
 * message first. A page is as of one moment. One call looks at a limited number of messages and checkpoints: a page may
 * have fewer messages than the limit, or none, and still have a cursor; a full one always has one. Through all pages no
 * message comes twice, whatever is put meanwhile; threads that are put to meanwhile may be left out where all are
 * searched. A thread that is not there has nothing.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id; NULL: all threads.
 * @param[in]  query   The words.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The page (agentchat_thread_hits_free()); NULL on failure. The store's environment must outlive
 * it.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID a query without a word; a cursor that is none, or of another thread.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_thread_search(
    agentchat_store *store, const char *thread, agentchat_str query, const agentchat_thread_search_options *options,
    agentchat_thread_hits **out, agentchat_error *err);
/** Number of messages of a page. @param[in] hits NULL gives 0. */
AGENTCHAT_API size_t agentchat_thread_hits_count(const agentchat_thread_hits *hits);
/** A message of a page. @param[in] hits The page. @param[in] index From 0. @return A view until the page is released;
   NULL beyond the count. */
AGENTCHAT_API const agentchat_thread_hit *agentchat_thread_hits_at(const agentchat_thread_hits *hits, size_t index);
/** What to give for the next page: printable ASCII; NULL when this is the last. @param[in] hits The page. */
AGENTCHAT_API const char *agentchat_thread_hits_cursor(const agentchat_thread_hits *hits);
/** Releases a page. @param[in] hits NULL is allowed. */
AGENTCHAT_API void agentchat_thread_hits_free(agentchat_thread_hits *hits);

/* ---- copying -------------------------------------------------------------------------------------------------- */

/**
 * Copies a thread as it is at one moment: all its checkpoints under their ids and sequence numbers, and their pending
 * writes. It is read without keeping anybody from writing, and written in many short transactions, so that others wait
 * for a moment only; nobody sees the copy before it is complete. When the call fails, is cancelled, or its process is
 * killed, there is no copy; what it has written is deleted by a later call that deletes, prunes or copies any thread of
 * the store, of a killed or cancelled one after ten minutes. It takes two connections of the store; one that may have
 * one only (in memory, or by max_connections) copies in one transaction, for which others wait.
 * @param[in]  store      The store.
 * @param[in]  thread     The thread's id.
 * @param[in]  new_thread The copy's id.
 * @param[out] err        Detail, or NULL.
 * @retval AGENTCHAT_E_EXISTS   there is a thread of the new id.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread.
 * @retval AGENTCHAT_E_BUSY     besides: the process stood still for so long that others have deleted the unfinished
 * copy.
 */
AGENTCHAT_API agentchat_status agentchat_thread_copy(agentchat_store *store, const char *thread, const char *new_thread,
                                                     agentchat_error *err);

/* ---- deleting ------------------------------------------------------------------------------------------------- */

/**
 * Deletes a thread with all its checkpoints. It is gone for everybody at once; what it has stored is deleted in many
 * short transactions, so that others wait for a moment only. When the call fails or is cancelled between two of them
 * (AGENTCHAT_E_CANCELLED, AGENTCHAT_E_BUSY, AGENTCHAT_E_IO), or its process is killed, the thread is gone all the same,
 * and the rest of what it has stored is deleted by the next call that deletes, prunes or copies any thread of the
 * store, this one included, which gives AGENTCHAT_E_NOTFOUND then.
 * @param[in]  store  The store.
 * @param[in]  thread The thread's id.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread.
 */
AGENTCHAT_API agentchat_status agentchat_thread_delete(agentchat_store *store, const char *thread,
                                                       agentchat_error *err);

/**
 * Gives the threads of a store an index of words, so that agentchat_thread_search() looks at those checkpoints only
 * that may have what is searched for, or takes it away. What is found, and in which order, is the same with it and
 * without. It is built for the threads that are there, and kept from then on for these and for new ones; each put
 * writes a row for each different word that it adds. The call works in short transactions, as agentchat_thread_prune()
 * does. If it is cancelled, fails or is killed, what was done stays done, and the same call does the rest; threads
 * whose index is not complete are searched without it. Calling it again also indexes threads that were copied, and
 * checkpoints that were replaced, meanwhile.
 * @param[in]  store The store.
 * @param[in]  on    Whether there is to be an index.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID   @p store is NULL, or was opened to read.
 * @retval AGENTCHAT_E_CORRUPT   What a thread has stored is damaged; threads before it are done.
 * @retval AGENTCHAT_E_CANCELLED The call was cancelled.
 */
AGENTCHAT_API agentchat_status agentchat_thread_index(agentchat_store *store, bool on, agentchat_error *err);
/**
 * Says whether the threads of a store have an index, and how many of them are searched by it. Those that are not are
 * being indexed, were left by a call that did not end, or were made or copied while others switched it:
 * agentchat_thread_index() does the rest. Counting reads the row of every thread.
 * @param[in]  store   The store.
 * @param[out] on      Whether the index is on; false on failure.
 * @param[out] threads How many threads there are; NULL: they are not counted.
 * @param[out] indexed How many of them have a complete index; NULL: they are not counted.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_thread_index_state(agentchat_store *store, bool *on, uint64_t *threads,
                                                            uint64_t *indexed, agentchat_error *err);

/**
 * Deletes the checkpoints that a run made, with their pending writes, the newest one too if it is one of them. What
 * remains reads back complete, and the names of their parents stay. What nothing needs any more is deleted with them,
 * in short transactions, as agentchat_thread_prune() does.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  run     The run.
 * @param[out] removed Receives the number of checkpoints that were deleted, of a call that failed on its way too; NULL:
 *                     not wanted.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread.
 */
AGENTCHAT_API agentchat_status agentchat_thread_delete_run(agentchat_store *store, const char *thread, const char *run,
                                                           uint64_t *removed, agentchat_error *err);

/** Which checkpoints may be deleted: those that are neither kept by `keep` nor by `before_us`. */
typedef struct agentchat_thread_prune_options {
    size_t struct_size; /**< sizeof(agentchat_thread_prune_options) */
    uint64_t keep;      /**< the newest so many of each namespace stay; 0: not asked, one stays */
    int64_t before_us;  /**< those that were made at this time or later stay, microseconds since 1970; 0: not asked */
    bool branches;      /**< the newest of other lines may go, too, be it that a chat stands on it */
} agentchat_thread_prune_options;
/** Initializer: keep or before_us is to be set. */
#define AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT                                                                            \
    {                                                                                                                  \
        sizeof(agentchat_thread_prune_options), 0, 0, false                                                            \
    }
/**
 * AGENTCHAT_THREAD_PRUNE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_thread_prune_options_init(agentchat_thread_prune_options *options, size_t size);

/**
 * Deletes older checkpoints of every namespace, with their pending writes. The newest of each namespace always stays,
 * and so does the newest of every line unless options->branches says otherwise. What remains reads back complete, and
 * the names of their parents stay. What nothing needs any more is deleted with them.
 *
 * It is done in many short transactions, so that others wait for a moment only. Which checkpoints go is decided at one
 * moment; those that are put meanwhile stay, whatever they go on from. Every reader finds each checkpoint complete or
 * not at all. When the call fails or is cancelled between two transactions (AGENTCHAT_E_CANCELLED, AGENTCHAT_E_BUSY,
 * AGENTCHAT_E_IO), or its process is killed, what was done stays done, and the next call that prunes the thread does
 * the rest, be it that no checkpoint is left to go.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  options What stays.
 * @param[out] removed Receives the number of checkpoints that were deleted, of a call that failed on its way too; NULL:
 *                     not wanted.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID  neither keep nor before_us is set.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread.
 */
AGENTCHAT_API agentchat_status agentchat_thread_prune(agentchat_store *store, const char *thread,
                                                      const agentchat_thread_prune_options *options, uint64_t *removed,
                                                      agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
