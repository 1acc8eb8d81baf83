/* SPDX-License-Identifier: Apache-2.0 */
/* Work to be done later, in the background: rows of a store that outlive whoever does it. */
#ifndef AGENTCHAT_WORK_H
#define AGENTCHAT_WORK_H

#include <agentchat/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @file
 * An agent answers now and remembers later: what is to be done with a thread, such as making memories of it, is queued
 * together with its checkpoint, and another program, or a thread of this one, claims it when it is due.
 *
 *     agentchat_work_item_list *list;
 *     agentchat_work_claim(store, NULL, &list, &err);
 *     for (size_t i = 0; i < agentchat_work_item_list_count(list); i++) {
 *         const agentchat_work_item *item = agentchat_work_item_list_at(list, i);
 *         ...
 *         agentchat_work_done(store, item, newest_checkpoint, &err);
 *     }
 *     agentchat_work_item_list_free(list);
 *
 * A thread has one row for each kind of work. Queueing what is queued already moves the time at which it is due, so
 * that work that is queued after each message is done once the chat has come to rest. Who claims it has it for the time
 * of a lease, by the store's clock; whoever dies with it leaves it to the next one when the lease is over. So it is
 * done at least once, and perhaps twice: what it stores should have keys that say what it is of.
 *
 * All calls may be made by any number of OS threads and processes at the same time, also while an agent answers.
 */

/** So often is work claimed; then it is kept as failed, until somebody queues it or agentchat_work_retry() is called.
 */
#define AGENTCHAT_WORK_ATTEMPTS 5

/** How work stands. Numbers are stable. */
typedef enum agentchat_work_state {
    AGENTCHAT_WORK_QUEUED = 1, /**< it waits for its time, or for somebody who claims it */
    AGENTCHAT_WORK_LEASED = 2, /**< somebody does it */
    AGENTCHAT_WORK_FAILED = 3, /**< nobody will claim it any more; error says why */
    AGENTCHAT_WORK_DONE = 4,   /**< there is nothing to do */
    AGENTCHAT_WORK_STATE_MAX_ = 0x7fffffff
} agentchat_work_state;

/** Work that is queued: an element of an array. */
typedef struct agentchat_work_request {
    const char *kind;   /**< what is to be done, by a name of 1 to 512 bytes, as those of threads */
    int64_t delay_us;   /**< microseconds until it is due; 0: at once */
    agentchat_str body; /**< what whoever does it needs to know, UTF-8 without NUL; absent: nothing */
} agentchat_work_request;

/** Work of a thread. A view that lives as long as the list it is on. */
typedef struct agentchat_work_item {
    const char *thread;         /**< the thread's id */
    const char *kind;           /**< what is to be done */
    agentchat_work_state state; /**< how it stood when it was read, or LEASED where it was claimed */
    agentchat_str body;         /**< of the last queueing; absent: none */
    const char *mark;           /**< what agentchat_work_done() was told last; NULL: it never was */
    const char *error;          /**< what the last attempt failed with; NULL: it did not fail */
    int64_t due_us;             /**< when it is due, microseconds since 1970; 0: there is nothing to do */
    int64_t lease_us;           /**< until when it is leased; 0: it is not */
    uint64_t claim;             /**< which claim this is; only the last one counts */
    uint32_t attempts;          /**< how often it was claimed since it was queued */
} agentchat_work_item;

/** A list of work. Immutable: any number of OS threads may use it at the same time. */
typedef struct agentchat_work_item_list agentchat_work_item_list;
/** Number of items. @param[in] list NULL gives 0. */
AGENTCHAT_API size_t agentchat_work_item_list_count(const agentchat_work_item_list *list);
/** An item. @param[in] list The list. @param[in] index From 0. @return A view until the list is released; NULL beyond
   the count. */
AGENTCHAT_API const agentchat_work_item *agentchat_work_item_list_at(const agentchat_work_item_list *list,
                                                                     size_t index);
/** Cursor for the next page of agentchat_work_list(), printable ASCII; NULL on the last one. @param[in] list The list.
 */
AGENTCHAT_API const char *agentchat_work_item_list_cursor(const agentchat_work_item_list *list);
/** Releases a list. @param[in] list NULL is allowed. */
AGENTCHAT_API void agentchat_work_item_list_free(agentchat_work_item_list *list);

/**
 * Queues work of a thread, which need not exist. What is queued already gets the new time and body, and its attempts
 * begin anew; who has claimed it keeps it, and their agentchat_work_done() then leaves it queued. Options of
 * agentchat_checkpoint_put(), agentchat_thread_save() and agentchat_thread_attach() do this together with a checkpoint.
 * @param[in]  store   The store.
 * @param[in]  thread  The thread's id.
 * @param[in]  request What is queued.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID NULL, a name or body that is none, a negative delay.
 */
AGENTCHAT_API agentchat_status agentchat_work_queue(agentchat_store *store, const char *thread,
                                                    const agentchat_work_request *request, agentchat_error *err);

/** Which work is claimed. */
typedef struct agentchat_work_claim_options {
    size_t struct_size; /**< sizeof(agentchat_work_claim_options) */
    const char *kind;   /**< of this kind; NULL: of any */
    int64_t lease_us;   /**< for how long; 0: five minutes */
    size_t limit;       /**< so much of it at most; 0: 1 */
} agentchat_work_claim_options;
/** Initializer: one, of any kind, for five minutes. */
#define AGENTCHAT_WORK_CLAIM_OPTIONS_INIT                                                                              \
    {                                                                                                                  \
        sizeof(agentchat_work_claim_options), NULL, 0, 0                                                               \
    }
/**
 * AGENTCHAT_WORK_CLAIM_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_work_claim_options_init(agentchat_work_claim_options *options, size_t size);

/**
 * Claims work that is due, what is due longest first; nobody else gets it until the lease is over. What was claimed
 * AGENTCHAT_WORK_ATTEMPTS times by somebody who never came back is failed instead. On a distributed database this asks
 * every shard.
 * @param[in]  store   The store.
 * @param[in]  options Options, or NULL.
 * @param[out] out     What was claimed (agentchat_work_item_list_free()); empty where nothing is due. NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID NULL, a kind that is no name, a negative lease.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_work_claim(agentchat_store *store,
                                                                        const agentchat_work_claim_options *options,
                                                                        agentchat_work_item_list **out,
                                                                        agentchat_error *err);

/**
 * Lets a lease begin anew, for work that takes long.
 * @param[in]  store    The store.
 * @param[in]  item     What was claimed.
 * @param[in]  lease_us For how long from now on; 0: five minutes.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT the claim does not count any more: its lease was over and somebody else has claimed it,
 * it was done, or its thread was deleted. Stop working on it.
 * @retval AGENTCHAT_E_INVALID  NULL, a negative lease.
 */
AGENTCHAT_API agentchat_status agentchat_work_extend(agentchat_store *store, const agentchat_work_item *item,
                                                     int64_t lease_us, agentchat_error *err);

/**
 * Says that claimed work is done. If it was queued again since it was claimed, it stays queued.
 * @param[in]  store The store.
 * @param[in]  item  What was claimed.
 * @param[in]  mark  How far it has got, such as the id of the last checkpoint that was looked at, for whoever claims
 * this kind of work of this thread next; NULL: what it was before.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT as of agentchat_work_extend().
 * @retval AGENTCHAT_E_INVALID  NULL, a mark that is no UTF-8.
 */
AGENTCHAT_API agentchat_status agentchat_work_done(agentchat_store *store, const agentchat_work_item *item,
                                                   const char *mark, agentchat_error *err);

/**
 * Says that claimed work has failed. It is due again later, or kept as failed after AGENTCHAT_WORK_ATTEMPTS attempts.
 * @param[in]  store    The store.
 * @param[in]  item     What was claimed.
 * @param[in]  error    What it failed with, for people; NULL: nothing is said.
 * @param[in]  delay_us Microseconds until it is due again; 0: 10 seconds after the first attempt, twice as long after
 * each next one; negative: never, it is failed at once.
 * @param[out] err      Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT as of agentchat_work_extend().
 * @retval AGENTCHAT_E_INVALID  NULL, an error that is no UTF-8.
 */
AGENTCHAT_API agentchat_status agentchat_work_fail(agentchat_store *store, const agentchat_work_item *item,
                                                   const char *error, int64_t delay_us, agentchat_error *err);

/**
 * Makes work that has failed, or that waits, due at once; its attempts begin anew.
 * @param[in]  store  The store.
 * @param[in]  thread The thread's id.
 * @param[in]  kind   The kind of work.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND the thread has no such work, or it is done.
 * @retval AGENTCHAT_E_CONFLICT somebody has claimed it.
 */
AGENTCHAT_API agentchat_status agentchat_work_retry(agentchat_store *store, const char *thread, const char *kind,
                                                    agentchat_error *err);

/** Which work is listed. */
typedef struct agentchat_work_list_options {
    size_t struct_size;         /**< sizeof(agentchat_work_list_options) */
    const char *thread;         /**< of this thread; NULL: of all */
    const char *kind;           /**< of this kind; NULL: of any */
    const char *cursor;         /**< agentchat_work_item_list_cursor() of the page before; NULL: the first page */
    size_t limit;               /**< items on the page at most; 0: 100 */
    agentchat_work_state state; /**< only what stands so; 0: all */
} agentchat_work_list_options;
/** Initializer: all of it. */
#define AGENTCHAT_WORK_LIST_OPTIONS_INIT                                                                               \
    {                                                                                                                  \
        sizeof(agentchat_work_list_options), NULL, NULL, NULL, 0, (agentchat_work_state)0                              \
    }
/**
 * AGENTCHAT_WORK_LIST_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_work_list_options_init(agentchat_work_list_options *options, size_t size);

/**
 * Lists work, by threads and kinds in the order of their bytes. Nothing is claimed by that.
 * @param[in]  store   The store.
 * @param[in]  options Options, or NULL.
 * @param[out] out     A page (agentchat_work_item_list_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID NULL, a name that is none, a cursor of something else.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_work_list(agentchat_store *store,
                                                                       const agentchat_work_list_options *options,
                                                                       agentchat_work_item_list **out,
                                                                       agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
