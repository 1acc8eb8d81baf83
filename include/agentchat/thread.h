/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: conversations in a store, as trees of checkpoints. Each checkpoint restores the whole chat. */
#ifndef AGENTCHAT_THREAD_H
#define AGENTCHAT_THREAD_H

#include <agentchat/snapshot.h>
#include <agentchat/store.h>
#include <agentchat/work.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A thread is named by its id. Its checkpoints are in namespaces, and each namespace has its own tree. The default
 * namespace has the empty name. Sequence numbers grow through the whole thread and decide which checkpoint is the
 * newest; clocks and ids do not. Checkpoints that continue one another are on a line. A branch (a fork) begins a new
 * line, named by the sequence number of its first checkpoint. What checkpoints share is stored once: a put costs what
 * is new.
 *
 *     char id[AGENTCHAT_ID_SIZE];
 *
 *     agentchat_checkpoint_put(store, "thread-7", snapshot, NULL, id, &err);
 *     agentchat_checkpoint_get(store, "thread-7", NULL, &newest, &err);
 *     agentchat_chat_restore(chat, agentchat_checkpoint_snapshot(newest), NULL, NULL, &err);
 *
 * Ids of threads and checkpoints, and names of runs, sources and namespaces, are 1 to 512 bytes of UTF-8 without
 * surrogates. The name of a namespace may also be empty.
 *
 * Every function that takes a store may also return E_INVALID (a name is missing or breaks the rules), E_IO, E_BUSY
 * (others held the store for longer than its wait_ms), E_CORRUPT, E_LIMIT, E_NOMEM, and E_VERSION (the store has no
 * tables for threads, or those of a newer program). Any number of OS threads may call these functions at the same time.
 */

/** Room for the id of a checkpoint and a NUL. */
#define AGENTCHAT_ID_SIZE 513

/** A checkpoint without its chat. A view that lives as long as its source. */
typedef struct agentchat_checkpoint_info {
    const char *ns;         /**< namespace; "" for the default one */
    const char *id;         /**< its id */
    const char *parent;     /**< id of its parent, which may have been deleted; NULL: it has none */
    uint64_t sequence;      /**< its position in the thread, from 1 */
    int64_t step;           /**< step of the run, if has_step is set */
    bool has_step;          /**< step is set */
    const char *source;     /**< what caused it: "input", "loop", "update", "fork" or another word; NULL: none */
    const char *run;        /**< the run; NULL: none */
    int64_t time_us;        /**< time of creation, microseconds since 1970 by the creator's clock */
    uint64_t messages;      /**< length of its history */
    agentchat_str metadata; /**< a JSON object */
    uint64_t line;          /**< its line: the sequence number of the line's first checkpoint */
} agentchat_checkpoint_info;

/* ---- putting -------------------------------------------------------------------------------------------------- */

/** Options of a put. */
typedef struct agentchat_checkpoint_put_options {
    size_t struct_size; /**< sizeof(agentchat_checkpoint_put_options) */
    const char *ns;     /**< namespace; NULL: the default one */
    const char *id;     /**< its id; NULL: a new UUID of version 7 */
    const char *parent; /**< its parent; NULL: the namespace's newest checkpoint at that moment. If the parent does not
                             exist, set branch, unless the namespace is empty */
    const char *expect; /**< the newest checkpoint of the namespace must be this one; NULL: any */
    const char *source; /**< what caused it; NULL: none */
    const char *run;    /**< the run; NULL: none */
    agentchat_str metadata; /**< a JSON object; absent: {} */
    int64_t time_us;        /**< time of creation; 0: now */
    int64_t step;           /**< the step of the run, if has_step is set */
    bool has_step;          /**< step is set */
    bool no_parent;         /**< begin a new tree and a new line */
    bool expect_none;       /**< the namespace must be empty */
    bool branch;            /**< begin a new line after the parent */
    bool replace; /**< replace the checkpoint with this id, which keeps its sequence number and line; if it is gone,
                     this is a plain put */
    const agentchat_work_request *work; /**< work of the thread that is queued with it (agentchat/work.h); what a put
                                             finds stored already queues none; NULL: none */
    size_t work_count;                  /**< number of these, each of another kind */
} agentchat_checkpoint_put_options;
/** Initializer: after the newest checkpoint, with a new id. */
#define AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT                                                                          \
    {                                                                                                                  \
        sizeof(agentchat_checkpoint_put_options), NULL, NULL, NULL, NULL, NULL, NULL, {NULL, 0}, 0, 0, false, false,   \
            false, false, false, NULL, 0                                                                               \
    }
/**
 * AGENTCHAT_CHECKPOINT_PUT_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_checkpoint_put_options_init(agentchat_checkpoint_put_options *options, size_t size);

/**
 * Puts a snapshot into a thread as a checkpoint, and creates the thread if necessary. Only what the parent does not
 * have is stored. If the same checkpoint exists already, with the same id and content, the call succeeds and stores
 * nothing.
 * @param[in]  store    The store.
 * @param[in]  thread   The thread's id.
 * @param[in]  snapshot The snapshot; the call reads all of it.
 * @param[in]  options  Options, or NULL.
 * @param[out] id       Receives the checkpoint's id; NULL: not wanted. Empty on failure.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT the parent is not the newest of its line, or does not exist, and options->branch is not
 *                              set; or the newest checkpoint is not the expected one. Nothing was stored.
 * @retval AGENTCHAT_E_EXISTS   the namespace has a different checkpoint with this id.
 * @retval AGENTCHAT_E_INVALID  the metadata is not a JSON object; options that exclude each other.
 */
AGENTCHAT_API agentchat_status agentchat_checkpoint_put(agentchat_store *store, const char *thread,
                                                        const agentchat_snapshot *snapshot,
                                                        const agentchat_checkpoint_put_options *options,
                                                        char id[AGENTCHAT_ID_SIZE], agentchat_error *err);

/* ---- getting -------------------------------------------------------------------------------------------------- */

/** A checkpoint that was read. Immutable: any number of OS threads may use it at the same time. */
typedef struct agentchat_checkpoint agentchat_checkpoint;

/** Selects a checkpoint of a thread. */
typedef struct agentchat_checkpoint_options {
    size_t struct_size; /**< sizeof(agentchat_checkpoint_options) */
    const char *ns;     /**< namespace; NULL: the default one */
    const char *id;     /**< the checkpoint; NULL: the newest of the namespace */
} agentchat_checkpoint_options;
/** Initializer: the newest checkpoint of the default namespace. */
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
 * Reads a checkpoint, as it is at one moment.
 * @param[in]  store   The store; its environment must outlive the checkpoint.
 * @param[in]  thread  The thread's id.
 * @param[in]  options Which one; NULL: the newest of the default namespace.
 * @param[out] out     The checkpoint (agentchat_checkpoint_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread or checkpoint.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_checkpoint_get(agentchat_store *store, const char *thread,
                                                                            const agentchat_checkpoint_options *options,
                                                                            agentchat_checkpoint **out,
                                                                            agentchat_error *err);

/** Describes a checkpoint. @param[in] checkpoint NULL gives NULL. @return A view as long-lived as the
    checkpoint. */
AGENTCHAT_API const agentchat_checkpoint_info *agentchat_checkpoint_get_info(const agentchat_checkpoint *checkpoint);
/** The chat of a checkpoint. @param[in] checkpoint NULL gives NULL. @return A view as long-lived as the checkpoint;
    agentchat_snapshot_ref() keeps it longer. */
AGENTCHAT_API const agentchat_snapshot *agentchat_checkpoint_snapshot(const agentchat_checkpoint *checkpoint);
/** Releases a checkpoint. @param[in] checkpoint NULL is allowed. */
AGENTCHAT_API void agentchat_checkpoint_free(agentchat_checkpoint *checkpoint);

/**
 * Reads the newest messages of a thread's history, and costs only those.
 * @param[in]  store   The store; its environment must outlive the messages.
 * @param[in]  thread  The thread's id.
 * @param[in]  count   How many at most.
 * @param[in]  options Of which checkpoint; NULL: the newest of the default namespace.
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
 * A result of a step that did not complete, stored with the checkpoint from which the step began. Path, task and index
 * are its name.
 */
typedef struct agentchat_pending_write {
    const char *path;    /**< path of the task; "" for none */
    const char *task;    /**< id of the task */
    const char *channel; /**< the channel that it is for */
    int64_t index;       /**< its position among the task's writes; your host defines the meaning of negative ones */
    agentchat_str media_type; /**< media type of the value; absent: JSON */
    agentchat_str value;      /**< JSON text, or bytes of that media type */
    const char *consumed_by;  /**< the child checkpoint that consumed it; NULL: none. Ignored in a put */
} agentchat_pending_write;

/** Pending writes of a checkpoint; immutable. */
typedef struct agentchat_pending_list agentchat_pending_list;

/**
 * Stores pending writes with a checkpoint, all or none. Neither the checkpoint nor the thread need exist; the thread is
 * created. A write that exists already, with the same channel and value, stays as it is, consumed or not. A write with
 * the same name and other content is replaced, and is then not consumed. The next checkpoint that is put on this one
 * consumes the writes that exist at that moment. Names are 1 to 512 bytes of UTF-8; a path may be empty.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  options The checkpoint; its id is required.
 * @param[in]  writes  The writes.
 * @param[in]  count   Their number; with 0 nothing happens.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID a value is not JSON and has no media type; options without an id.
 */
AGENTCHAT_API agentchat_status agentchat_checkpoint_put_writes(agentchat_store *store, const char *thread,
                                                               const agentchat_checkpoint_options *options,
                                                               const agentchat_pending_write *writes, size_t count,
                                                               agentchat_error *err);

/** Selects pending writes. */
typedef struct agentchat_pending_options {
    size_t struct_size; /**< sizeof(agentchat_pending_options) */
    const char *ns;     /**< namespace; NULL: the default one */
    const char *id;     /**< the checkpoint; NULL: the newest of the namespace */
    bool all;           /**< consumed ones, too */
} agentchat_pending_options;
/** Initializer: the unconsumed writes of the default namespace's newest checkpoint. */
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
 * Reads pending writes in the order of path, task and index. Your program applies them. A checkpoint or thread that
 * does not exist has none.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  options Options; NULL: the unconsumed writes of the default namespace's newest checkpoint.
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

/** Selects the checkpoints of a list. */
typedef struct agentchat_checkpoint_list_options {
    size_t struct_size;   /**< sizeof(agentchat_checkpoint_list_options) */
    const char *ns;       /**< namespace; NULL: the default one */
    const char *before;   /**< only those before this checkpoint; NULL: all */
    const char *run;      /**< only those of this run; NULL: all */
    agentchat_str filter; /**< a JSON object: only checkpoints whose metadata has all its members, with equal values.
                             "source", "step" and "run" also mean the checkpoint's own. Absent: all */
    const char *cursor;   /**< agentchat_checkpoint_list_cursor() of the previous page; NULL: the first page */
    size_t limit;         /**< entries on the page at most; 0: 100 */
    bool all_namespaces;  /**< every namespace */
} agentchat_checkpoint_list_options;
/** Initializer: the first page of the default namespace. */
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
 * Lists a thread's checkpoints, newest first, without reading their chats. No checkpoint is on two pages, whatever is
 * put meanwhile. A thread that does not exist has none.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The page (agentchat_checkpoint_list_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND options->before does not exist.
 * @retval AGENTCHAT_E_INVALID  the filter is not a JSON object; the cursor is not valid.
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
/** Cursor for the next page, printable ASCII; NULL on the last page. @param[in] list The page. */
AGENTCHAT_API const char *agentchat_checkpoint_list_cursor(const agentchat_checkpoint_list *list);
/** Releases a page. @param[in] list NULL is allowed. */
AGENTCHAT_API void agentchat_checkpoint_list_free(agentchat_checkpoint_list *list);

/** One thread of a list; a view into the list. */
typedef struct agentchat_thread_info {
    const char *id; /**< the thread's id */
    uint64_t
        sequence; /**< increases with each checkpoint that is put or replaced, in any namespace; 0: there was none */
    uint64_t messages;  /**< length of the history of the last checkpoint that still exists */
    uint64_t bytes;     /**< size of all stored messages, states and values */
    int64_t created_us; /**< time of creation, microseconds since 1970 */
    int64_t updated_us; /**< time of the last put */
} agentchat_thread_info;

/** A page of a list of threads; immutable. */
typedef struct agentchat_thread_list agentchat_thread_list;

/** Selects the threads of a list. */
typedef struct agentchat_thread_list_options {
    size_t struct_size;   /**< sizeof(agentchat_thread_list_options) */
    const char *cursor;   /**< agentchat_thread_list_cursor() of the previous page; NULL: the first page */
    size_t limit;         /**< entries on the page at most; 0: 100 */
    agentchat_str filter; /**< as agentchat_checkpoint_list_options, applied to the newest checkpoint of each thread's
                               default namespace; absent: all */
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
 * Lists the threads of a store, the most recently used first. No thread is on two pages. A thread that is put to after
 * the first page may be missing. A filter also reads the threads that do not match.
 * @param[in]  store   The store.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The page (agentchat_thread_list_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the cursor is not valid; the filter is not a JSON object.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_thread_list_read(agentchat_store *store, const agentchat_thread_list_options *options,
                           agentchat_thread_list **out, agentchat_error *err);
/** Number of threads of a page. @param[in] list NULL gives 0. */
AGENTCHAT_API size_t agentchat_thread_list_count(const agentchat_thread_list *list);
/** A thread of a page. @param[in] list The page. @param[in] index From 0. @return A view until the page is released;
   NULL beyond the count. */
AGENTCHAT_API const agentchat_thread_info *agentchat_thread_list_at(const agentchat_thread_list *list, size_t index);
/** Cursor for the next page, printable ASCII; NULL on the last page. @param[in] list The page. */
AGENTCHAT_API const char *agentchat_thread_list_cursor(const agentchat_thread_list *list);
/** Releases a page. @param[in] list NULL is allowed. */
AGENTCHAT_API void agentchat_thread_list_free(agentchat_thread_list *list);

/* ---- searching ------------------------------------------------------------------------------------------------ */

/** A hit of a search. A view into the page. */
typedef struct agentchat_thread_hit {
    const char *thread;                          /**< the thread's id */
    const agentchat_checkpoint_info *checkpoint; /**< the checkpoint that added the message */
    uint64_t position;                           /**< the message's position in the history, from 0 */
    const agentchat_message *message;            /**< the whole message */
    agentchat_str excerpt;                       /**< the text around the first matching word, 240 bytes at most */
    size_t match_begin;                          /**< first byte of that word in the excerpt */
    size_t match_end;                            /**< the byte after that word */
} agentchat_thread_hit;

/** A page of hits; immutable. */
typedef struct agentchat_thread_hits agentchat_thread_hits;

/** Options of a search. */
typedef struct agentchat_thread_search_options {
    size_t struct_size; /**< sizeof(agentchat_thread_search_options) */
    const char *ns;     /**< namespace, "" for the default one; NULL: all */
    const char *cursor; /**< agentchat_thread_hits_cursor() of the previous page; NULL: the first page */
    size_t limit;       /**< hits on the page at most; 0: 100 */
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
 * Finds messages that contain all words of a query, in any case and with any accents; docs/threads.md defines words.
 * The search covers texts, reasoning, actions, titles and labels, names, arguments, exceptions and results of calls,
 * and nested messages. It does not cover author names, metadata and binary data.
 *
 * A message is found in the checkpoint that added it: its history has the message more often than its parent's. So a
 * message that was cut off later is found as long as a checkpoint has it, and the common part of branches is found
 * once. If the parent is gone, the previous checkpoint of the namespace takes its place.
 *
 * Order: the most recently used threads first, namespaces by name, the newest checkpoint first, its last message first.
 * A page is a view of one moment. A call reads a limited number of messages and checkpoints, so a page may have fewer
 * hits than the limit, or none, and still a cursor. A full page always has one. No hit is on two pages, whatever is put
 * meanwhile. If all threads are searched, threads that are put to meanwhile may be missing. A thread that does not
 * exist has no hits.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id; NULL: all threads.
 * @param[in]  query   The words.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The page (agentchat_thread_hits_free()); NULL on failure. The store's environment must outlive
 *                     it.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID the query has no word; the cursor is not valid, or of another thread.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_thread_search(
    agentchat_store *store, const char *thread, agentchat_str query, const agentchat_thread_search_options *options,
    agentchat_thread_hits **out, agentchat_error *err);
/** Number of hits on a page. @param[in] hits NULL gives 0. */
AGENTCHAT_API size_t agentchat_thread_hits_count(const agentchat_thread_hits *hits);
/** A hit on a page. @param[in] hits The page. @param[in] index From 0. @return A view until the page is released;
   NULL beyond the count. */
AGENTCHAT_API const agentchat_thread_hit *agentchat_thread_hits_at(const agentchat_thread_hits *hits, size_t index);
/** Cursor for the next page, printable ASCII; NULL on the last page. @param[in] hits The page. */
AGENTCHAT_API const char *agentchat_thread_hits_cursor(const agentchat_thread_hits *hits);
/** Releases a page. @param[in] hits NULL is allowed. */
AGENTCHAT_API void agentchat_thread_hits_free(agentchat_thread_hits *hits);

/* ---- copying -------------------------------------------------------------------------------------------------- */

/**
 * Copies a thread as it is at one moment: all checkpoints with their ids, sequence numbers and pending writes. Reading
 * does not block writers, and writing takes many short transactions. Nobody sees the copy before it is complete. If the
 * call fails, is cancelled or its process is killed, there is no copy. A later call that deletes, prunes or copies any
 * thread of the store removes what it left, after ten minutes if the process was killed or the call cancelled. The call
 * needs two connections; a store that has only one (in memory, or by max_connections) copies in one transaction, and
 * others wait for it.
 * @param[in]  store      The store.
 * @param[in]  thread     The thread's id.
 * @param[in]  new_thread The copy's id.
 * @param[out] err        Detail, or NULL.
 * @retval AGENTCHAT_E_EXISTS   a thread with the new id exists.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread.
 * @retval AGENTCHAT_E_BUSY     also if the process was stopped for so long that others deleted the unfinished copy.
 */
AGENTCHAT_API agentchat_status agentchat_thread_copy(agentchat_store *store, const char *thread, const char *new_thread,
                                                     agentchat_error *err);

/* ---- deleting ------------------------------------------------------------------------------------------------- */

/**
 * Deletes a thread with all its checkpoints. It is gone for everybody at once. Its rows are deleted in many short
 * transactions. If the call fails or is cancelled between two of them (AGENTCHAT_E_CANCELLED, AGENTCHAT_E_BUSY,
 * AGENTCHAT_E_IO), or its process is killed, the thread is gone all the same. The next call that deletes, prunes or
 * copies any thread of the store deletes the remaining rows; so does the same call again, which then returns
 * AGENTCHAT_E_NOTFOUND.
 * @param[in]  store  The store.
 * @param[in]  thread The thread's id.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread.
 */
AGENTCHAT_API agentchat_status agentchat_thread_delete(agentchat_store *store, const char *thread,
                                                       agentchat_error *err);

/**
 * Creates or deletes an index of the words in a store's threads. With it, agentchat_thread_search() reads only
 * checkpoints that may match; hits and order are the same. The call indexes existing threads. From then on each put,
 * also to new threads, writes one row for each different word that it adds. The call works in short transactions, as
 * agentchat_thread_prune() does. If it is cancelled, fails or is killed, call it again to continue. Threads whose index
 * is not complete are searched without it. Calling it again also indexes threads that were copied, and checkpoints that
 * were replaced.
 * @param[in]  store The store.
 * @param[in]  on    true to create the index, false to delete it.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID   @p store is NULL, or was opened with read_only.
 * @retval AGENTCHAT_E_CORRUPT   a thread is damaged; the threads before it are indexed.
 * @retval AGENTCHAT_E_CANCELLED the call was cancelled.
 */
AGENTCHAT_API agentchat_status agentchat_thread_index(agentchat_store *store, bool on, agentchat_error *err);
/**
 * Reports whether the index is on, and how many threads have a complete one. The others are being indexed, were left by
 * a call that did not finish, or were created or copied while the index was switched on: call agentchat_thread_index()
 * again. Counting reads one row of every thread.
 * @param[in]  store   The store.
 * @param[out] on      Whether the index is on; false on failure.
 * @param[out] threads Number of threads; NULL: do not count.
 * @param[out] indexed Number of threads with a complete index; NULL: do not count.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_thread_index_state(agentchat_store *store, bool *on, uint64_t *threads,
                                                            uint64_t *indexed, agentchat_error *err);

/**
 * Deletes the checkpoints of a run with their pending writes, even the newest checkpoint. The remaining checkpoints
 * read back complete, and keep the ids of deleted parents. Content that nothing else needs is deleted too, in short
 * transactions, as agentchat_thread_prune() does.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  run     The run.
 * @param[out] removed Receives the number of deleted checkpoints, on failure too; NULL: not wanted.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such thread.
 */
AGENTCHAT_API agentchat_status agentchat_thread_delete_run(agentchat_store *store, const char *thread, const char *run,
                                                           uint64_t *removed, agentchat_error *err);

/** Selects the checkpoints that stay: those that `keep` or `before_us` keeps. */
typedef struct agentchat_thread_prune_options {
    size_t struct_size; /**< sizeof(agentchat_thread_prune_options) */
    uint64_t keep;      /**< number of newest checkpoints of each namespace that stay; 0: unset, one stays */
    int64_t before_us;  /**< checkpoints of this time or later stay, microseconds since 1970; 0: unset */
    bool branches;      /**< the newest checkpoint of other lines may go, even if a chat is on it */
} agentchat_thread_prune_options;
/** Initializer: set keep or before_us. */
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
 * Deletes older checkpoints of every namespace, with their pending writes. The newest checkpoint of each namespace
 * always stays, and the newest of every line too unless options->branches is set. The remaining checkpoints read back
 * complete, and keep the ids of deleted parents. Content that nothing else needs is deleted too.
 *
 * The call works in many short transactions, so others wait only a moment. It decides at one moment which checkpoints
 * go; those that are put meanwhile stay. A reader finds each checkpoint complete or not at all. If the call fails or is
 * cancelled between two transactions (AGENTCHAT_E_CANCELLED, AGENTCHAT_E_BUSY, AGENTCHAT_E_IO), or its process is
 * killed, completed transactions stay, and the next prune of this thread does the rest.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  options Which checkpoints stay.
 * @param[out] removed Receives the number of deleted checkpoints, on failure too; NULL: not wanted.
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
