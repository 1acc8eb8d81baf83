/* SPDX-License-Identifier: Apache-2.0 */
/* Long-term memory: JSON documents in a store, by namespace and key, found by what they say. */
#ifndef AGENTCHAT_MEMORY_H
#define AGENTCHAT_MEMORY_H

#include <agentchat/store.h>
#include <agentchat/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A namespace is written like a path: labels with a `/` between them, `~1` for a `/` inside a label, `~0` for a `~` and
 * `~2` for a `*`. A label, and a key, is 1 to 512 bytes of UTF-8 without NUL and surrogates; a namespace has at most
 * 1,024 bytes, one added for each label. "/" and NULL are the empty namespace: it is searched and listed (everything),
 * and nothing is put there.
 *
 *     agentchat_memory_put(store, "users/ana", "coffee", AGENTCHAT_STR("{\"text\": \"espresso\"}"), NULL, &err);
 *
 *     agentchat_memory_query q = AGENTCHAT_MEMORY_QUERY_INIT;
 *     q.text = AGENTCHAT_STR("what does she drink, coffee or tea");
 *     agentchat_memory_search(store, "users/ana", &q, &found, &err);
 *
 * A document is one JSON object, kept as it is spelled. An expired document exists for no call, and takes up room until
 * agentchat_memory_sweep().
 *
 * Every function that takes a store may also return E_INVALID (a name breaks the rules), E_IO, E_BUSY (others held the
 * store for longer than its wait_ms), E_CORRUPT, E_LIMIT, E_NOMEM, and E_VERSION (the store has no tables for memory,
 * or those of a newer program). Any number of OS threads may call these functions at the same time, also while an agent
 * answers.
 */

/** A time to live, and an expiry: for ever. */
#define AGENTCHAT_MEMORY_NEVER INT64_MAX

/** A document. A view that lives as long as the page it is on. */
typedef struct agentchat_memory_item {
    const char *ns;      /**< its namespace, as it is written */
    const char *key;     /**< its key */
    agentchat_str value; /**< the JSON object, as it was put */
    uint64_t revision;   /**< of this value; no two puts of a store have the same */
    int64_t created_us;  /**< when it was first put, microseconds since 1970 */
    int64_t updated_us;  /**< when it was last put; later than before */
    int64_t expires_us;  /**< when it expires; AGENTCHAT_MEMORY_NEVER: it does not */
    double score;        /**< how well it matches, higher is better, if has_score is set */
    const char *field;   /**< the field whose vector is the nearest; NULL: there was no such field or no such search */
    bool has_score;      /**< score is set: there was a query, and the document has what is compared with it */
} agentchat_memory_item;

/** A page of documents. Immutable: any number of OS threads may use it at the same time. */
typedef struct agentchat_memory_results agentchat_memory_results;
/** Number of documents on a page. @param[in] page NULL gives 0. */
AGENTCHAT_API size_t agentchat_memory_results_count(const agentchat_memory_results *page);
/** A document on a page. @param[in] page The page. @param[in] index From 0. @return A view until the page is released;
   NULL beyond the count. */
AGENTCHAT_API const agentchat_memory_item *agentchat_memory_results_at(const agentchat_memory_results *page,
                                                                       size_t index);
/** Cursor for the next page, printable ASCII; NULL on the last page. @param[in] page The page. */
AGENTCHAT_API const char *agentchat_memory_results_cursor(const agentchat_memory_results *page);
/** Releases a page. @param[in] page NULL is allowed. */
AGENTCHAT_API void agentchat_memory_results_free(agentchat_memory_results *page);

/* ---- vectors -------------------------------------------------------------------------------------------------- */

/** How near two vectors are. Fixed for a store with its first vector. Numbers are stable. */
typedef enum agentchat_memory_metric {
    AGENTCHAT_MEMORY_METRIC_ANY = 0,           /**< that of the store; at first, the cosine */
    AGENTCHAT_MEMORY_METRIC_COSINE = 1,        /**< score: the cosine; a vector of zeros counts as none */
    AGENTCHAT_MEMORY_METRIC_INNER_PRODUCT = 2, /**< score: the inner product */
    AGENTCHAT_MEMORY_METRIC_L2 = 3,            /**< score: minus the Euclidean distance */
    AGENTCHAT_MEMORY_METRIC_MAX_ = 0x7fffffff
} agentchat_memory_metric;

/** What an embedder gives: a vector for each text. */
typedef struct agentchat_memory_vectors agentchat_memory_vectors;
/**
 * Adds a vector; to be called by an embedder, once for each text, in their order.
 * @param[in] out     Where to.
 * @param[in] numbers Its numbers, copied.
 * @param[in] count   How many: 1 to 16,000, and as many as all vectors of the store have.
 * @param[out] err    Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID a number is not finite, or another vector has another length.
 */
AGENTCHAT_API agentchat_status agentchat_memory_vectors_add(agentchat_memory_vectors *out, const float *numbers,
                                                            size_t count, agentchat_error *err);

/** A function that makes vectors of texts. It is called outside of any transaction. */
typedef struct agentchat_memory_embedder {
    size_t struct_size; /**< sizeof(agentchat_memory_embedder) */
    /** Calls agentchat_memory_vectors_add() once for each text, 1 to 128 of them. Its failure is that of the call,
        which then has stored nothing. */
    agentchat_status (*embed)(void *user, const agentchat_str *texts, size_t count, agentchat_memory_vectors *out,
                              agentchat_error *err);
    void *user;        /**< for embed */
    const char *model; /**< names what it makes; vectors of another name are E_CONFLICT; NULL: any */
} agentchat_memory_embedder;
/** Initializer: none. */
#define AGENTCHAT_MEMORY_EMBEDDER_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(agentchat_memory_embedder), NULL, NULL, NULL                                                            \
    }
/**
 * AGENTCHAT_MEMORY_EMBEDDER_INIT for languages without macros.
 * @param[out] embedder The struct; NULL is allowed.
 * @param[in]  size     Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_embedder_init(agentchat_memory_embedder *embedder, size_t size);

/* ---- putting and getting -------------------------------------------------------------------------------------- */

/** Options of a put. */
typedef struct agentchat_memory_put_options {
    size_t struct_size;        /**< sizeof(agentchat_memory_put_options) */
    uint64_t expect;           /**< the revision that must be there, 0: no document, if has_expect is set */
    int64_t ttl_us;            /**< time to live in microseconds, if has_ttl is set; 0 or less: it expires at once;
                                    AGENTCHAT_MEMORY_NEVER */
    const char *const *fields; /**< what it is found by, as paths (docs/memory.md); NULL: its words are those of the
                                    whole document, and its vectors those of the store's fields */
    size_t field_count;        /**< number of fields */
    uint64_t *revision;        /**< receives the new revision; NULL: not wanted */
    const agentchat_memory_embedder *embedder; /**< makes its vectors; NULL: it has none, until a reindex */
    const float *vectors;                      /**< its vectors, one after the other, instead of an embedder's */
    size_t vector_count;                       /**< number of vectors; 0: none are given */
    size_t dimensions;                         /**< numbers of each */
    agentchat_memory_metric metric;            /**< of the store, which its first vector fixes */
    const char *const *store_fields;           /**< the same for its fields: what an embedder gets of documents that
                                                    name none; NULL: any, at first "$", the whole document */
    size_t store_field_count;                  /**< number of those */
    bool has_expect;                           /**< expect is set */
    bool has_ttl;                              /**< ttl_us is set; else it is memory_ttl_us of the store */
    bool no_index;                             /**< it is found by neither words nor an embedder's vectors */
    bool keep_expiry; /**< a document that is there keeps its time to live and its expiry, whatever has_ttl says */
    bool log; /**< its earlier value is kept (agentchat_memory_log()), also if nothing was said of its namespace */
} agentchat_memory_put_options;
/** Initializer: whatever is there, for ever, all of its words, no vectors. */
#define AGENTCHAT_MEMORY_PUT_OPTIONS_INIT                                                                              \
    {                                                                                                                  \
        sizeof(agentchat_memory_put_options), 0, 0, NULL, 0, NULL, NULL, NULL, 0, 0, AGENTCHAT_MEMORY_METRIC_ANY,      \
            NULL, 0, false, false, false, false, false                                                                 \
    }
/**
 * AGENTCHAT_MEMORY_PUT_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_put_options_init(agentchat_memory_put_options *options, size_t size);

/**
 * Puts a document, instead of the one that has the key, if there is one.
 * @param[in]  store   The store.
 * @param[in]  ns      Its namespace, not the empty one.
 * @param[in]  key     Its key; a `/` in it is a `/`.
 * @param[in]  json    One JSON object, kept as it is spelled.
 * @param[in]  options Options, or NULL.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT another revision than options->expect is there, or the store's vectors have another
 * length, metric, model or fields; the message names both. Nothing was stored.
 * @retval AGENTCHAT_E_INVALID  @p json is no JSON object; options exclude each other; a vector is none; the embedder
 * has not given one vector for each text.
 * @retval AGENTCHAT_E_UNSUPPORTED vectors on a PostgreSQL server without the extension `vector`.
 */
AGENTCHAT_API agentchat_status agentchat_memory_put(agentchat_store *store, const char *ns, const char *key,
                                                    agentchat_str json, const agentchat_memory_put_options *options,
                                                    agentchat_error *err);

/**
 * Reads a document.
 * @param[in]  store   The store; its environment must outlive the page.
 * @param[in]  ns      Its namespace.
 * @param[in]  key     Its key.
 * @param[in]  refresh The document's time to live begins anew. Not in a store that was opened for reading: then nothing
 *                     is refreshed.
 * @param[out] out     A page with the one document (agentchat_memory_results_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is no such document.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_memory_get(agentchat_store *store, const char *ns,
                                                                        const char *key, bool refresh,
                                                                        agentchat_memory_results **out,
                                                                        agentchat_error *err);

/* ---- deleting ------------------------------------------------------------------------------------------------- */

/** Options of deleting. */
typedef struct agentchat_memory_delete_options {
    size_t struct_size;    /**< sizeof(agentchat_memory_delete_options) */
    uint64_t expect;       /**< one key: the revision that must be there, if has_expect is set */
    agentchat_str filter;  /**< below a namespace: only what the filter matches (docs/memory.md); absent: all */
    int64_t older_than_us; /**< below a namespace: only what was updated so long ago or longer; 0: all */
    bool has_expect;       /**< expect is set */
    bool dry_run;          /**< below a namespace: deletes nothing, and counts what would be */
    bool purge; /**< nothing of it is left, its earlier values are cleared (agentchat_memory_log()), and it is not
                     left in a file of an SQLite store either: its free pages are cut off, and its log is emptied, after
                   waiting for who reads that. A PostgreSQL server does so in VACUUM */
} agentchat_memory_delete_options;
/** Initializer: everything, whatever its revision. */
#define AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT                                                                           \
    {                                                                                                                  \
        sizeof(agentchat_memory_delete_options), 0, {NULL, 0}, 0, false, false, false                                  \
    }
/**
 * AGENTCHAT_MEMORY_DELETE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_delete_options_init(agentchat_memory_delete_options *options, size_t size);

/**
 * Deletes a document, and all that it is found by.
 * @param[in]  store   The store.
 * @param[in]  ns      Its namespace.
 * @param[in]  key     Its key.
 * @param[in]  options Options, or NULL; what is said for a namespace is E_INVALID here.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_DONE       with options->purge: there was no such document, and nothing of one is left.
 * @retval AGENTCHAT_E_NOTFOUND there is no such document.
 * @retval AGENTCHAT_E_CONFLICT another revision than options->expect is there; the message names it.
 * @retval AGENTCHAT_E_BUSY     with options->purge: the document is deleted, but somebody reads the old log still; the
 *                              same call does the rest.
 */
AGENTCHAT_API agentchat_status agentchat_memory_delete(agentchat_store *store, const char *ns, const char *key,
                                                       const agentchat_memory_delete_options *options,
                                                       agentchat_error *err);
/**
 * Deletes the documents in and below a namespace, in one transaction. Deleting nothing is success.
 * @param[in]  store   The store.
 * @param[in]  ns      The namespace; "/" is everything, and NULL is E_INVALID: a name that is missing is no order to
 *                     forget everything.
 * @param[in]  options Options, or NULL; expect is E_INVALID here.
 * @param[out] count   Receives how many; NULL: not wanted.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_memory_delete_below(agentchat_store *store, const char *ns,
                                                             const agentchat_memory_delete_options *options,
                                                             uint64_t *count, agentchat_error *err);
/**
 * Removes what has expired.
 * @param[in]  store The store.
 * @param[out] count Receives how many documents; NULL: not wanted.
 * @param[out] err   Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_memory_sweep(agentchat_store *store, uint64_t *count, agentchat_error *err);

/* ---- earlier values ------------------------------------------------------------------------------------------- */

enum { AGENTCHAT_MEMORY_LOG_USUAL = 20 }; /**< steps that are usually kept of a key; of an undo, too */

/** A step in the life of a document, and what was there before it. A view that lives as long as the list it is on. */
typedef struct agentchat_memory_step {
    const char *ns;           /**< the namespace as it is written */
    const char *key;          /**< the key */
    uint64_t revision;        /**< the revision that it made; 0: it deleted the document */
    int64_t at_us;            /**< when, in microseconds since 1970 */
    bool is_undo;             /**< it was an undo */
    uint64_t before_revision; /**< the revision that was there before; 0: there was no document */
    agentchat_str before;     /**< that document; absent: there was none */
} agentchat_memory_step;

/** Steps, the newest first. Immutable. */
typedef struct agentchat_memory_steps agentchat_memory_steps;
/** Number of steps. @param[in] steps NULL gives 0. */
AGENTCHAT_API size_t agentchat_memory_steps_count(const agentchat_memory_steps *steps);
/** A step. @param[in] steps The list. @param[in] index From 0. @return A view until the list is released; NULL beyond
   the count. */
AGENTCHAT_API const agentchat_memory_step *agentchat_memory_steps_at(const agentchat_memory_steps *steps, size_t index);
/** Releases a list. @param[in] steps NULL is allowed. */
AGENTCHAT_API void agentchat_memory_steps_free(agentchat_memory_steps *steps);

/**
 * Has earlier values of documents kept, or no more of them: those in and below a namespace, from the next step on.
 * Where it was said of several namespaces, one in the other, the innermost counts. What is kept already stays until a
 * purge. An earlier value expires when it would have expired where it was.
 * @param[in]  store The store.
 * @param[in]  ns    The namespace; "/" is everything; NULL is E_INVALID.
 * @param[in]  steps How many are kept of each key, the newest ones (AGENTCHAT_MEMORY_LOG_USUAL); 0: nothing is said of
 *                   this namespace any more.
 * @param[out] err   Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_memory_log_keep(agentchat_store *store, const char *ns, uint32_t steps,
                                                         agentchat_error *err);
/**
 * Reads the log: the newest steps first.
 * @param[in]  store The store; its environment must outlive the list.
 * @param[in]  ns    The namespace; "/" or NULL: everything.
 * @param[in]  key   The key; NULL: all in and below the namespace.
 * @param[in]  limit So many steps at most; 0: 100.
 * @param[out] out   The steps (agentchat_memory_steps_free()); NULL on failure.
 * @param[out] err   Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_memory_log(agentchat_store *store, const char *ns,
                                                                        const char *key, size_t limit,
                                                                        agentchat_memory_steps **out,
                                                                        agentchat_error *err);
/**
 * Undoes the last step of a document, if the log has it: puts the value that was there, which makes a new revision,
 * or deletes the document if there was none. What is there keeps its expiry; what was deleted has the one that it had.
 * An undo is not undone by another one.
 * @param[in]  store   The store.
 * @param[in]  ns      The namespace.
 * @param[in]  key     The key.
 * @param[in]  options How it is put: `embedder`, `vectors`, `revision` (0: it was deleted); the rest does not count.
 *                     NULL: it has no vectors until a reindex.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there is nothing to undo: the log has no step, the last one is not in it, or was an
 * undo.
 * @retval AGENTCHAT_E_CONFLICT others kept changing the document.
 */
AGENTCHAT_API agentchat_status agentchat_memory_undo(agentchat_store *store, const char *ns, const char *key,
                                                     const agentchat_memory_put_options *options, agentchat_error *err);

/* ---- searching ------------------------------------------------------------------------------------------------ */

/** What is compared with documents. Numbers are stable. */
typedef enum agentchat_memory_mode {
    AGENTCHAT_MEMORY_MODE_AUTO = 0,   /**< vectors if there is a vector or an embedder, else words */
    AGENTCHAT_MEMORY_MODE_TEXT = 1,   /**< words */
    AGENTCHAT_MEMORY_MODE_VECTOR = 2, /**< vectors */
    AGENTCHAT_MEMORY_MODE_HYBRID = 3, /**< both: the sum of 1 / (60 + rank) over the two searches */
    AGENTCHAT_MEMORY_MODE_MAX_ = 0x7fffffff
} agentchat_memory_mode;

/** What is searched for, and how much of it is shown. */
typedef struct agentchat_memory_query {
    size_t struct_size;   /**< sizeof(agentchat_memory_query) */
    agentchat_str text;   /**< words, any of which may match, or what the embedder gets; absent or empty: no query */
    agentchat_str filter; /**< a JSON object that documents must match (docs/memory.md); absent: all do */
    const char *cursor;   /**< agentchat_memory_results_cursor() of the page before; NULL: the first page */
    size_t limit;         /**< documents on the page at most; 0: 10 */
    size_t offset;        /**< so many are passed over; not together with a cursor */
    double min_score;     /**< with a query: only documents with this score or a better one, if has_min_score is set */
    const agentchat_memory_embedder *embedder; /**< makes the query's vector of its text; NULL: none */
    const float *vector;                       /**< the query's vector; NULL: none */
    size_t dimensions;                         /**< its numbers */
    agentchat_memory_mode mode;                /**< what is compared */
    bool has_min_score;                        /**< min_score is set */
    bool exact;                                /**< in the namespace alone, not below it */
    bool refresh; /**< the time to live of what is returned begins anew, as in agentchat_memory_get() */
} agentchat_memory_query;
/** Initializer: the ten that were updated last. */
#define AGENTCHAT_MEMORY_QUERY_INIT                                                                                    \
    {                                                                                                                  \
        sizeof(agentchat_memory_query), {NULL, 0}, {NULL, 0}, NULL, 0, 0, 0, NULL, NULL, 0,                            \
            AGENTCHAT_MEMORY_MODE_AUTO, false, false, false                                                            \
    }
/**
 * AGENTCHAT_MEMORY_QUERY_INIT for languages without macros.
 * @param[out] query The struct; NULL is allowed.
 * @param[in]  size  Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_query_init(agentchat_memory_query *query, size_t size);

/**
 * Searches the documents in and below a namespace. Without a query: the last updated first, then by namespace and key.
 * By words: the documents that have one of them, ranked by BM25 over those in and below the namespace, the best first,
 * then as without. No text is query syntax; one without a word finds nothing. By vectors: the nearest first, and then,
 * without min_score, the documents without a vector. A document of several vectors has the score of the nearest.
 *
 * A page is a view of one moment. Cursors without a query give every document that does not change meanwhile exactly
 * once. With one a cursor is E_CONFLICT after any put or delete below the namespace; an offset is not.
 * @param[in]  store The store; its environment must outlive the page.
 * @param[in]  ns    The namespace; "/" or NULL: everything.
 * @param[in]  query What is searched for; NULL: the ten that were updated last.
 * @param[out] out   The page (agentchat_memory_results_free()); NULL on failure.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID  a filter or cursor that is none, a cursor of another search, min_score without a query
 *                              or with both kinds, a vector that is none or, under the cosine, has zeros only.
 * @retval AGENTCHAT_E_CONFLICT the cursor's documents have changed; the query's vector has another length or model than
 *                              the store's.
 * @retval AGENTCHAT_E_UNSUPPORTED a search by vectors without a vector and an embedder, or on a PostgreSQL server
 *                              without the extension `vector`.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_memory_search(agentchat_store *store, const char *ns,
                                                                           const agentchat_memory_query *query,
                                                                           agentchat_memory_results **out,
                                                                           agentchat_error *err);

/* ---- namespaces ----------------------------------------------------------------------------------------------- */

/** A namespace that has documents. A view that lives as long as the page it is on. */
typedef struct agentchat_memory_namespace {
    const char *ns;     /**< as it is written */
    uint64_t documents; /**< how many documents it has; where a depth was asked for, also those below it */
} agentchat_memory_namespace;

/** A page of namespaces. Immutable. */
typedef struct agentchat_memory_namespaces agentchat_memory_namespaces;

/** Which namespaces are listed. In prefix and suffix a label that is `*` is any one label. */
typedef struct agentchat_memory_namespace_options {
    size_t struct_size; /**< sizeof(agentchat_memory_namespace_options) */
    const char *prefix; /**< labels that they begin with; NULL: any */
    const char *suffix; /**< labels that they end with; NULL: any */
    const char *cursor; /**< agentchat_memory_namespaces_cursor() of the page before; NULL: the first page */
    size_t depth;       /**< so many labels of each, which makes some one; 0: all labels */
    size_t limit;       /**< namespaces on the page at most; 0: 100 */
} agentchat_memory_namespace_options;
/** Initializer: all of them. */
#define AGENTCHAT_MEMORY_NAMESPACE_OPTIONS_INIT                                                                        \
    {                                                                                                                  \
        sizeof(agentchat_memory_namespace_options), NULL, NULL, NULL, 0, 0                                             \
    }
/**
 * AGENTCHAT_MEMORY_NAMESPACE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_namespace_options_init(agentchat_memory_namespace_options *options, size_t size);

/**
 * Lists the namespaces that have documents, in their order.
 * @param[in]  store   The store; its environment must outlive the page.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The page (agentchat_memory_namespaces_free()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status
agentchat_memory_list_namespaces(agentchat_store *store, const agentchat_memory_namespace_options *options,
                                 agentchat_memory_namespaces **out, agentchat_error *err);
/** Number of namespaces on a page. @param[in] page NULL gives 0. */
AGENTCHAT_API size_t agentchat_memory_namespaces_count(const agentchat_memory_namespaces *page);
/** A namespace on a page. @param[in] page The page. @param[in] index From 0. @return A view until the page is released;
   NULL beyond the count. */
AGENTCHAT_API const agentchat_memory_namespace *agentchat_memory_namespaces_at(const agentchat_memory_namespaces *page,
                                                                               size_t index);
/** Cursor for the next page, printable ASCII; NULL on the last page. @param[in] page The page. */
AGENTCHAT_API const char *agentchat_memory_namespaces_cursor(const agentchat_memory_namespaces *page);
/** Releases a page. @param[in] page NULL is allowed. */
AGENTCHAT_API void agentchat_memory_namespaces_free(agentchat_memory_namespaces *page);

/* ---- several calls at once ------------------------------------------------------------------------------------ */

/** What an operation of a batch does. Numbers are stable. */
typedef enum agentchat_memory_op_kind {
    AGENTCHAT_MEMORY_OP_GET = 1,        /**< ns, key, refresh: results, which are empty where there is no document */
    AGENTCHAT_MEMORY_OP_SEARCH = 2,     /**< ns, query: results */
    AGENTCHAT_MEMORY_OP_NAMESPACES = 3, /**< listing: namespaces */
    AGENTCHAT_MEMORY_OP_PUT = 4,        /**< ns, key, json, put */
    AGENTCHAT_MEMORY_OP_DELETE = 5,     /**< ns, key, removing; a document that is not there is no failure */
    AGENTCHAT_MEMORY_OP_MAX_ = 0x7fffffff
} agentchat_memory_op_kind;

/** An operation of a batch: what a call of its kind takes, and what it gives. */
typedef struct agentchat_memory_op {
    size_t struct_size;                              /**< sizeof(agentchat_memory_op) */
    agentchat_memory_op_kind kind;                   /**< what is done */
    const char *ns;                                  /**< the namespace */
    const char *key;                                 /**< the key */
    agentchat_str json;                              /**< the document */
    const agentchat_memory_put_options *put;         /**< options of a put, or NULL; its embedder is the batch's */
    const agentchat_memory_delete_options *removing; /**< options of a delete, or NULL */
    const agentchat_memory_query *query;             /**< what is searched for, or NULL; its embedder is the batch's */
    const agentchat_memory_namespace_options *listing; /**< which namespaces, or NULL */
    agentchat_memory_results *results;                 /**< set: to be released by the caller; NULL on failure */
    agentchat_memory_namespaces *namespaces;           /**< set: to be released by the caller; NULL on failure */
    bool refresh;                                      /**< a get starts the time to live anew */
} agentchat_memory_op;
/** Initializer: an operation without a kind, to be filled in. */
#define AGENTCHAT_MEMORY_OP_INIT                                                                                       \
    {                                                                                                                  \
        sizeof(agentchat_memory_op), (agentchat_memory_op_kind)0, NULL, NULL, {NULL, 0}, NULL, NULL, NULL, NULL, NULL, \
            NULL, false                                                                                                \
    }
/**
 * AGENTCHAT_MEMORY_OP_INIT for languages without macros.
 * @param[out] op   The struct; NULL is allowed.
 * @param[in]  size Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_op_init(agentchat_memory_op *op, size_t size);
/**
 * Does several operations in one transaction: all or none. Reads see the state before the batch. Of two writes of one
 * key the last counts; with an expected revision a key may be written only once. All texts are given to the embedder
 * together.
 * @param[in]     store    The store; its environment must outlive the pages.
 * @param[in,out] ops      The operations, one after the other, each with the same struct_size.
 * @param[in]     count    Number of operations.
 * @param[in]     embedder Makes the vectors of puts and searches; NULL: none.
 * @param[out]    err      Detail, or NULL; the message begins with the operation, counted from 0.
 * @return AGENTCHAT_OK, or the failure of an operation, as the call of its kind reports it. Nothing was written then.
 */
AGENTCHAT_API agentchat_status agentchat_memory_batch(agentchat_store *store, agentchat_memory_op *ops, size_t count,
                                                      const agentchat_memory_embedder *embedder, agentchat_error *err);

/** What a part of the memory holds. */
typedef struct agentchat_memory_counts {
    uint64_t documents; /**< documents that exist */
    uint64_t expired;   /**< documents that have expired and were not swept */
    uint64_t waiting;   /**< documents that were put without an embedder and may be embedded: a reindex does it */
    uint64_t unseen;    /**< documents without a vector: those, and what is not to be embedded or had no text */
    uint64_t bytes;     /**< of the values of all, expired ones too */
} agentchat_memory_counts;
/**
 * Counts what is in and below a namespace.
 * @param[in]  store The store.
 * @param[in]  ns    The namespace; "/" or NULL: everything.
 * @param[out] out   The numbers.
 * @param[out] err   Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_memory_stats(agentchat_store *store, const char *ns,
                                                      agentchat_memory_counts *out, agentchat_error *err);

/* ---- making vectors anew -------------------------------------------------------------------------------------- */

/** Options of a reindex. */
typedef struct agentchat_memory_reindex_options {
    size_t struct_size;                        /**< sizeof(agentchat_memory_reindex_options) */
    const agentchat_memory_embedder *embedder; /**< makes the vectors; NULL: the metric alone may change */
    agentchat_memory_metric metric;            /**< the new metric; ANY: it stays */
    const char *const *fields;                 /**< the new fields of documents that name none; NULL: they stay */
    size_t field_count;                        /**< number of fields */
} agentchat_memory_reindex_options;
/** Initializer: nothing changes. */
#define AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT                                                                          \
    {                                                                                                                  \
        sizeof(agentchat_memory_reindex_options), NULL, AGENTCHAT_MEMORY_METRIC_ANY, NULL, 0                           \
    }
/**
 * AGENTCHAT_MEMORY_REINDEX_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_reindex_options_init(agentchat_memory_reindex_options *options, size_t size);
/**
 * Makes the vectors of the whole store: of documents that wait for an embedder, and, where the model, its dimensions or
 * the fields are other ones, of all but those with vectors of the caller's, which stay as they are. Words stay. The new
 * vectors are written beside the old ones in short transactions, and searches go on with the old ones until the last,
 * which changes all at once. What a reindex that is broken off has given to waiting documents stays; else it has
 * changed nothing, and the next one begins anew.
 * @param[in]  store   The store.
 * @param[in]  options Options, or NULL.
 * @param[out] count   Receives how many documents were given vectors; NULL: not wanted.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_E_CONFLICT the new vectors have another length than vectors of the caller's; another reindex was
 *                              faster; or others keep putting documents, and the new vectors were never complete.
 * @retval AGENTCHAT_E_INVALID  fields that are no paths, or fields without an embedder; what the embedder gave.
 */
AGENTCHAT_API agentchat_status agentchat_memory_reindex(agentchat_store *store,
                                                        const agentchat_memory_reindex_options *options,
                                                        uint64_t *count, agentchat_error *err);

/* ---- carrying to another store -------------------------------------------------------------------------------- */

/** What an import does with a key that is there with another document. Numbers are stable. */
typedef enum agentchat_memory_import_mode {
    AGENTCHAT_MEMORY_IMPORT_FAIL = 0,    /**< fails, and nothing is written */
    AGENTCHAT_MEMORY_IMPORT_SKIP = 1,    /**< keeps what is there */
    AGENTCHAT_MEMORY_IMPORT_REPLACE = 2, /**< puts the new document, with a new revision */
    AGENTCHAT_MEMORY_IMPORT_MAX_ = 0x7fffffff
} agentchat_memory_import_mode;

/**
 * Writes the documents in and below a namespace, one JSON object on each line, in the order of namespaces and keys. A
 * line has everything that agentchat_memory_import() needs to make the document again (docs/memory.md). Documents that
 * are put or deleted meanwhile may be missing; all others are written once.
 * @param[in]  store The store.
 * @param[in]  ns    The namespace; "/" or NULL: everything.
 * @param[in]  sink  Where it goes.
 * @param[out] count Receives how many documents; NULL: not wanted.
 * @param[out] err   Detail, or NULL.
 */
AGENTCHAT_API agentchat_status agentchat_memory_export(agentchat_store *store, const char *ns, agentchat_sink *sink,
                                                       uint64_t *count, agentchat_error *err);
/**
 * Puts the documents of an export, in one transaction. One that is there with the same document, fields and time to
 * live stays as it is. A key that is not there gets the revision and the times of the file, and later revisions are
 * higher.
 * @param[in]  store  The store.
 * @param[in]  source Where it comes from; it is read to its end.
 * @param[in]  mode   What is done with a key that is there with another document.
 * @param[in]  embedder Makes the vectors of documents that bring none; NULL: they wait for a reindex.
 * @param[out] count  Receives how many documents were written; NULL: not wanted.
 * @param[out] err    Detail, or NULL; err->line is the line.
 * @retval AGENTCHAT_E_CONFLICT a key is there with another document. Nothing was written.
 * @retval AGENTCHAT_E_INVALID  a line is not one of an export, or @p mode is none. Nothing was written.
 */
AGENTCHAT_API agentchat_status agentchat_memory_import(agentchat_store *store, agentchat_source *source,
                                                       agentchat_memory_import_mode mode,
                                                       const agentchat_memory_embedder *embedder, uint64_t *count,
                                                       agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
