/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of memory: profiles, each of which is one document that is kept up to date, and collections of many small ones.
 */
#ifndef AGENTCHAT_MEMORY_KINDS_H
#define AGENTCHAT_MEMORY_KINDS_H

#include <agentchat/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @file
 * What agents do with the documents of agentchat/memory.h, as functions over it. Facts about somebody are one document
 * that is written anew, a **profile**, or many, a **collection**. What is to be remembered is decided by functions of
 * the caller's, which usually ask a model; what they decide is checked before it is stored. They are called outside of
 * any transaction.
 */

/** Looks at a document before it is stored. @param user The caller's. @param document The document. @param err Why it
   is refused, for whoever makes the next one. @return E_INVALID refuses it; any other failure ends the call. */
typedef agentchat_status (*agentchat_memory_validate_fn)(void *user, agentchat_str document, agentchat_error *err);

/* ---- a profile ------------------------------------------------------------------------------------------------ */

/** How a maker changes a profile. Numbers are stable. */
typedef enum agentchat_profile_change {
    AGENTCHAT_PROFILE_KEEP = 0,        /**< not at all */
    AGENTCHAT_PROFILE_REPLACE = 1,     /**< by a new document */
    AGENTCHAT_PROFILE_PATCH = 2,       /**< by a JSON Patch (RFC 6902) of the document */
    AGENTCHAT_PROFILE_MERGE_PATCH = 3, /**< by a JSON Merge Patch (RFC 7396) */
    AGENTCHAT_PROFILE_CHANGE_MAX_ = 0x7fffffff
} agentchat_profile_change;

/** What a maker of a profile is given, and what it gives. The library makes it. */
typedef struct agentchat_profile_draft {
    agentchat_str current; /**< the profile as it is; absent: there is none. PATCH and MERGE_PATCH then change {} */
    const char *refusal; /**< why what was made before it was refused, or that somebody else was faster; NULL: it is the
                              first attempt */
    uint32_t attempt;    /**< which attempt this is, from 1 */
    agentchat_profile_change change; /**< to be set: how it changes */
    agentchat_bytes text;            /**< to be filled: the document or patch, by agentchat_bytes_append() */
} agentchat_profile_draft;

/** Makes a profile, or a change of one. @param user The caller's. @param draft What is known, and what it makes.
    @param err Detail of a failure, which ends the call. */
typedef agentchat_status (*agentchat_profile_make_fn)(void *user, agentchat_profile_draft *draft, agentchat_error *err);

/** Options of updating a profile. */
typedef struct agentchat_profile_options {
    size_t struct_size;                      /**< sizeof(agentchat_profile_options) */
    const agentchat_memory_put_options *put; /**< how it is put. `expect` does not count, and a profile that is there
                                                  keeps its expiry unless has_ttl is set; NULL: the defaults */
    agentchat_memory_validate_fn validate;   /**< looks at what is made; NULL: any object will do */
    void *user;                              /**< for validate */
    agentchat_bytes *lost; /**< receives the names of members that were there and that a new document (REPLACE) lacks,
                              as a JSON array; started with AGENTCHAT_BYTES_INIT; NULL: not wanted */
    uint32_t attempts;     /**< so many attempts; 0: 3 */
    bool keep_members;     /**< such members stay as they were */
} agentchat_profile_options;
/** Initializer: three attempts, any object. */
#define AGENTCHAT_PROFILE_OPTIONS_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(agentchat_profile_options), NULL, NULL, NULL, NULL, 0, false                                            \
    }
/**
 * AGENTCHAT_PROFILE_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_profile_options_init(agentchat_profile_options *options, size_t size);

/**
 * Updates a profile: reads it, has it changed, checks what was made, and writes it only if nobody else has written
 * meanwhile. What is refused, or too late, is made again, and the maker is told why.
 * @param[in]  store   The store.
 * @param[in]  ns      The namespace.
 * @param[in]  key     The key.
 * @param[in]  make    Makes the change.
 * @param[in]  user    For @p make.
 * @param[in]  options Options, or NULL.
 * @param[out] err     Detail, or NULL.
 * @retval AGENTCHAT_OK         it was written, or the maker kept it.
 * @retval AGENTCHAT_E_INVALID  what was made was refused each time: the last reason; NULL; a namespace or key that is
 * none.
 * @retval AGENTCHAT_E_CONFLICT somebody else was faster each time.
 * @retval other                what @p make or the validation failed with; as agentchat_memory_put().
 */
AGENTCHAT_API agentchat_status agentchat_profile_update(agentchat_store *store, const char *ns, const char *key,
                                                        agentchat_profile_make_fn make, void *user,
                                                        const agentchat_profile_options *options, agentchat_error *err);

/* ---- a collection ----------------------------------------------------------------------------------------------- */

/** What is to be done with a document of a collection. The numbers are bits, and stable. */
typedef enum agentchat_collection_decision {
    AGENTCHAT_COLLECTION_ADD = 1,    /**< a new document */
    AGENTCHAT_COLLECTION_UPDATE = 2, /**< another value of one that is there */
    AGENTCHAT_COLLECTION_DELETE = 4, /**< delete one that is there */
    AGENTCHAT_COLLECTION_NONE = 8,   /**< nothing: it is known already */
    AGENTCHAT_COLLECTION_DECISION_MAX_ = 0x7fffffff
} agentchat_collection_decision;

/** A decision: an element of an array. */
typedef struct agentchat_collection_change {
    agentchat_collection_decision decision; /**< what is to be done */
    const char *key;                        /**< with which document; NULL with ADD: a new key is made */
    agentchat_str value;                    /**< ADD, UPDATE: the document */
    uint64_t expect;                        /**< UPDATE, DELETE: the revision that was seen; 0: any */
    bool insists;                           /**< ADD, UPDATE: also if it says nearly what another one says */
} agentchat_collection_change;

/** What has become of a decision. A view that lives as long as the list it is on. */
typedef struct agentchat_collection_outcome {
    agentchat_status
        status;               /**< OK: done. E_EXISTS: another document says nearly the same. E_INVALID, E_SYNTAX: not
                                   allowed, or refused. E_NOTFOUND, E_CONFLICT: it is not there, or another revision is */
    const char *key;          /**< of the document; NULL: there is none */
    uint64_t revision;        /**< after ADD and UPDATE; else 0 */
    const char *why;          /**< why it was not done; NULL: it was */
    const char *near_key;     /**< E_EXISTS: the key of the other one; NULL: there is none */
    agentchat_str near_value; /**< E_EXISTS: that document */
    double score;             /**< E_EXISTS: how near they are; 1: they are equal */
} agentchat_collection_outcome;

/** What has become of each decision, in their order. Immutable. */
typedef struct agentchat_collection_outcomes agentchat_collection_outcomes;
/** Number of outcomes. @param[in] outcomes NULL gives 0. */
AGENTCHAT_API size_t agentchat_collection_outcomes_count(const agentchat_collection_outcomes *outcomes);
/** An outcome. @param[in] outcomes The list. @param[in] index From 0. @return A view until the list is released; NULL
   beyond the count. */
AGENTCHAT_API const agentchat_collection_outcome *agentchat_collection_outcomes_at(
    const agentchat_collection_outcomes *outcomes, size_t index);
/** Releases a list. @param[in] outcomes NULL is allowed. */
AGENTCHAT_API void agentchat_collection_outcomes_free(agentchat_collection_outcomes *outcomes);

/** How often what was decided and done: many more ADDs than documents that are found again mean that too much is
   stored, many UPDATEs that it is written over and over. */
typedef struct agentchat_collection_counts {
    uint64_t decided[4]; /**< ADD, UPDATE, DELETE, NONE */
    uint64_t done[4];    /**< of these */
    uint64_t refused;    /**< not allowed, not valid, not there, or another revision */
    uint64_t near;       /**< ADD and UPDATE that say nearly what is there */
} agentchat_collection_counts;

/** Options of applying decisions. */
typedef struct agentchat_collection_options {
    size_t struct_size;                      /**< sizeof(agentchat_collection_options) */
    const agentchat_memory_put_options *put; /**< how documents are put, with an embedder where near ones are to be
                                                found. `expect` and `revision` do not count; an UPDATE keeps the expiry
                                                unless has_ttl is set; NULL: the defaults */
    agentchat_memory_validate_fn validate;   /**< looks at values; NULL: any object will do */
    void *user;                              /**< for validate */
    double nearest;   /**< the cosine from which two documents say the same; 0: 0.95; above 1: none do */
    uint32_t allowed; /**< bits of the decisions that are allowed; 0: all */
} agentchat_collection_options;
/** Initializer: all decisions, a cosine of 0.95. */
#define AGENTCHAT_COLLECTION_OPTIONS_INIT                                                                              \
    {                                                                                                                  \
        sizeof(agentchat_collection_options), NULL, NULL, NULL, 0, 0                                                   \
    }
/**
 * AGENTCHAT_COLLECTION_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_collection_options_init(agentchat_collection_options *options, size_t size);

/**
 * Applies decisions to a collection, which is a namespace: one after the other, each in a transaction of its own. What
 * is refused is an outcome; the others are done all the same. An ADD or UPDATE is refused if another document in the
 * namespace says nearly the same: if the cosine of their vectors is high, where they have some and the store compares
 * by the cosine, and the digits in both are the same, among the 500 nearest; else if they are equal, for which all
 * documents of the namespace are read. Two writers cannot store it at the same time.
 * @param[in]     store    The store.
 * @param[in]     ns       The namespace; not what is below it.
 * @param[in]     changes  The decisions.
 * @param[in]     count    How many.
 * @param[in]     options  Options, or NULL.
 * @param[out]    out      Their outcomes (agentchat_collection_outcomes_free()); NULL: not wanted. NULL on failure.
 * @param[in,out] counts   Added to, also on failure; NULL: not wanted.
 * @param[out]    err      Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID NULL, a namespace that is none, a decision that is none.
 * @retval other               as agentchat_memory_put() and agentchat_memory_delete(); what was done before stands.
 */
AGENTCHAT_API agentchat_status agentchat_collection_apply(agentchat_store *store, const char *ns,
                                                          const agentchat_collection_change *changes, size_t count,
                                                          const agentchat_collection_options *options,
                                                          agentchat_collection_outcomes **out,
                                                          agentchat_collection_counts *counts, agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
