/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of memory: profiles, each of which is one document that is kept up to date, collections of many small ones,
   episodes, instructions; and how a model is shown them. */
#ifndef AGENTCHAT_MEMORY_KINDS_H
#define AGENTCHAT_MEMORY_KINDS_H

#include <agentchat/list_edit.h>
#include <agentchat/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @file
 * What agents do with the documents of agentchat/memory.h, as functions over it. Facts about somebody are one document
 * that is written anew, a **profile**, or many, a **collection**. What was done once is an **episode**, and how an
 * agent is to behave its **instructions**. What is to be remembered is decided by functions of the caller's, which
 * usually ask a model; what they decide is checked before it is stored. They are called outside of any transaction.
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

/* ---- showing memories to a model -------------------------------------------------------------------------------- */

/** Options of rendering memories. */
typedef struct agentchat_memory_render_options {
    size_t struct_size;                 /**< sizeof(agentchat_memory_render_options) */
    uint64_t max_tokens;                /**< of all that comes out, as the counter counts it; 0: any number */
    agentchat_token_counter_fn counter; /**< called once for each memory; NULL: agentchat_count_approximately() */
    void *counter_user;                 /**< handed to it */
    agentchat_bytes *keys; /**< receives the keys of the memories that are shown, in their order, as a JSON array of
                                strings; started with AGENTCHAT_BYTES_INIT; NULL: not wanted */
} agentchat_memory_render_options;
/** Initializer: all of them. */
#define AGENTCHAT_MEMORY_RENDER_OPTIONS_INIT                                                                           \
    {                                                                                                                  \
        sizeof(agentchat_memory_render_options), 0, NULL, NULL, NULL                                                   \
    }
/**
 * AGENTCHAT_MEMORY_RENDER_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_memory_render_options_init(agentchat_memory_render_options *options, size_t size);

/**
 * Makes a text of memories, for a prompt: a list, each entry of which begins with "- ". A document of one text is that
 * text, an episode what was said, each message with its role in front, any other document is JSON. A memory that does
 * not fit into what is left of the tokens is left out whole, and the next ones are tried.
 * @param[in]     pages   Memories, as they were read or found, in the order in which they are shown.
 * @param[in]     count   Number of pages.
 * @param[in]     options Options, or NULL.
 * @param[in,out] out     Started with AGENTCHAT_BYTES_INIT; the text is appended; unchanged on failure.
 * @param[out]    err     Detail, or NULL.
 * @retval AGENTCHAT_E_INVALID NULL; and what the counter returns.
 * @threadsafe Yes, as far as the counter is.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_memory_render_text(
    const agentchat_memory_results *const *pages, size_t count, const agentchat_memory_render_options *options,
    agentchat_bytes *out, agentchat_error *err);
/**
 * The same as messages: of an episode its own, of any other memory one with the role `system`.
 * @param[in]  pages   Memories.
 * @param[in]  count   Number of pages.
 * @param[in]  options Options, or NULL.
 * @param[out] out     The messages (agentchat_messages_unref()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_memory_render_messages(
    const agentchat_memory_results *const *pages, size_t count, const agentchat_memory_render_options *options,
    agentchat_messages **out, agentchat_error *err);

/* ---- episodes --------------------------------------------------------------------------------------------------- */

/**
 * Puts an episode: a situation, by which it is found, and the messages that show what was done. Its document is
 * {"situation": …, "messages": […]}.
 * @param[in]  store     The store.
 * @param[in]  ns        The namespace.
 * @param[in]  key       The key; NULL: a new one is made.
 * @param[in]  situation What it is about, UTF-8.
 * @param[in]  messages  What was said and done.
 * @param[in]  options   How it is put, or NULL. Without fields it is found by its situation alone.
 * @param[out] err       Detail, or NULL.
 * @return As agentchat_memory_put().
 */
AGENTCHAT_API agentchat_status agentchat_episode_put(agentchat_store *store, const char *ns, const char *key,
                                                     agentchat_str situation, const agentchat_messages *messages,
                                                     const agentchat_memory_put_options *options, agentchat_error *err);
/**
 * Finds episodes and gives them as examples for a model: their messages, in the order in which they were found. An
 * episode is also a document {"input": …, "output": …}, of which the user said the one and the assistant the other, or
 * one whose messages are in a format that agentchat reads. Other documents are passed over.
 * @param[in]  store   The store.
 * @param[in]  ns      The namespace; "/" or NULL: everything.
 * @param[in]  query   What is searched for, and how many; NULL: the ten that were updated last.
 * @param[in]  options How they are rendered, or NULL.
 * @param[out] out     The messages (agentchat_messages_unref()); NULL on failure.
 * @param[out] err     Detail, or NULL.
 * @return As agentchat_memory_search() and agentchat_memory_render_messages().
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_episodes_recall(
    agentchat_store *store, const char *ns, const agentchat_memory_query *query,
    const agentchat_memory_render_options *options, agentchat_messages **out, agentchat_error *err);

/* ---- instructions ----------------------------------------------------------------------------------------------- */

/** What a maker of instructions is given, and what it gives. The library makes it. */
typedef struct agentchat_instructions_draft {
    agentchat_str current;                        /**< the instructions as they are; absent: there are none */
    const agentchat_memory_item *const *feedback; /**< the feedback since they were revised, the oldest first: documents
                                                      {"messages": […], "feedback": TEXT} */
    size_t feedback_count;                        /**< how many */
    uint32_t attempt;     /**< which attempt this is, from 1; a later one: somebody else was faster */
    bool keep;            /**< to be set: nothing changes, and the feedback stays */
    agentchat_bytes text; /**< to be filled: the new instructions, by agentchat_bytes_append() */
} agentchat_instructions_draft;

/** Makes instructions of feedback. @param user The caller's. @param draft What is known, and what it makes.
    @param err Detail of a failure, which ends the call. */
typedef agentchat_status (*agentchat_instructions_make_fn)(void *user, agentchat_instructions_draft *draft,
                                                           agentchat_error *err);

/**
 * Reads instructions: the member `text` of their document, so that the first ones can be put by hand.
 * @param[in]     store The store.
 * @param[in]     ns    The namespace.
 * @param[in]     key   The key.
 * @param[in,out] out   Started with AGENTCHAT_BYTES_INIT; the text is appended; unchanged on failure.
 * @param[out]    err   Detail, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND there are none.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_instructions_get(agentchat_store *store, const char *ns,
                                                                              const char *key, agentchat_bytes *out,
                                                                              agentchat_error *err);
/**
 * Records a conversation and what was said about it, until the instructions are revised. It is kept in the namespace
 * below that of the instructions that has their key as its name.
 * @param[in]  store    The store.
 * @param[in]  ns       The namespace of the instructions.
 * @param[in]  key      Their key.
 * @param[in]  messages The conversation; NULL: none.
 * @param[in]  text     What was said about it, UTF-8.
 * @param[out] err      Detail, or NULL.
 * @return As agentchat_memory_put().
 */
AGENTCHAT_API agentchat_status agentchat_instructions_feedback(agentchat_store *store, const char *ns, const char *key,
                                                               const agentchat_messages *messages, agentchat_str text,
                                                               agentchat_error *err);
/**
 * Revises instructions: gives a function of the caller's what they are and all feedback since the last time, and
 * writes what it makes if nobody else has written meanwhile; else once more, three times at most. In the same
 * transaction that feedback is deleted. The log keeps the earlier instructions (agentchat_memory_log()), whatever it
 * keeps of their namespace.
 * @param[in]  store The store.
 * @param[in]  ns    The namespace.
 * @param[in]  key   The key.
 * @param[in]  make  Makes the new instructions.
 * @param[in]  user  For @p make.
 * @param[out] err   Detail, or NULL.
 * @retval AGENTCHAT_DONE       there is no feedback: @p make was not called.
 * @retval AGENTCHAT_E_CONFLICT somebody else was faster each time.
 * @retval AGENTCHAT_E_INVALID  NULL, a namespace or key that is none, new instructions that are not UTF-8.
 * @retval other                what @p make fails with; as agentchat_memory_batch().
 */
AGENTCHAT_API agentchat_status agentchat_instructions_revise(agentchat_store *store, const char *ns, const char *key,
                                                             agentchat_instructions_make_fn make, void *user,
                                                             agentchat_error *err);

#ifdef __cplusplus
}
#endif

#endif
