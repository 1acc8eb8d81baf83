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

#ifdef __cplusplus
}
#endif

#endif
