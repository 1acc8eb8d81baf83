/* SPDX-License-Identifier: Apache-2.0 */
/* Allocator, limits, the environment that everything is made with, and bytes that the caller owns. */
#ifndef AGENTCHAT_BASE_H
#define AGENTCHAT_BASE_H

#include <agentchat/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Memory functions of a host. Sizes are always known and given. `alloc` is never called with 0, `free` never with NULL.
 * Returned memory is aligned for any type. They are called on whichever threads use what was made with the environment,
 * at the same time where those do, and must allow it.
 */
typedef struct agentchat_allocator {
    size_t struct_size;                                                          /**< sizeof(agentchat_allocator) */
    void *(*alloc)(void *user, size_t size);                                     /**< NULL when out of memory */
    void *(*realloc)(void *user, void *block, size_t old_size, size_t new_size); /**< may be NULL: emulated */
    void (*free)(void *user, void *block, size_t size);                          /**< gives memory back */
    void *user;                                                                  /**< handed to each of them */
    /** Optional. Releases @p user, once: the last thing that agentchat_env_free() does, on its thread. */
    void (*free_user)(void *user);
} agentchat_allocator;
/** Initializer: no function set yet; alloc and free are required. */
#define AGENTCHAT_ALLOCATOR_INIT                                                                                       \
    {                                                                                                                  \
        sizeof(agentchat_allocator), NULL, NULL, NULL, NULL, NULL                                                      \
    }

/**
 * AGENTCHAT_ALLOCATOR_INIT for languages without macros.
 * @param[out] allocator The struct; NULL is allowed.
 * @param[in]  size      Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_allocator_init(agentchat_allocator *allocator, size_t size);

/** Budgets for everything that comes from outside. A member of 0 means the default named beside it. */
typedef struct agentchat_limits {
    size_t struct_size;    /**< sizeof(agentchat_limits) */
    uint64_t max_bytes;    /**< bytes of one input, nested encodings included; 1 GiB */
    uint64_t max_messages; /**< messages of one input, nested ones included; 10,000,000 */
    uint32_t max_depth;    /**< nesting of containers in one document; 128; at most 10,000 */
    /** How many times over its size a document may be repeated in what is made of it, beyond 1 MiB; 16. What repeats
       are messages that channels name from the history, and what the writer of semantic-kernel completes:
       docs/limits.md. */
    uint32_t max_copies;
} agentchat_limits;
/** Initializer: every member at its default. */
#define AGENTCHAT_LIMITS_INIT                                                                                          \
    {                                                                                                                  \
        sizeof(agentchat_limits), 0, 0, 0, 0                                                                           \
    }

/**
 * AGENTCHAT_LIMITS_INIT for languages without macros.
 * @param[out] limits The struct; NULL is allowed.
 * @param[in]  size   Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_limits_init(agentchat_limits *limits, size_t size);

/**
 * An environment: allocator, limits, clock and source of random bytes. Immutable after construction, so any number of
 * threads may share it. Wherever a function takes one, NULL means the default environment: malloc, the default limits,
 * the system's clock and random bytes. It must outlive everything that was made with it.
 */
typedef struct agentchat_env agentchat_env;

/** What an environment is made of. */
typedef struct agentchat_env_options {
    size_t struct_size;                   /**< sizeof(agentchat_env_options) */
    const agentchat_allocator *allocator; /**< copied; NULL: malloc and free */
    const agentchat_limits *limits;       /**< copied; NULL: the defaults */
    /** Microseconds since 1970-01-01T00:00:00Z; NULL: the system's clock. Called as the allocator's functions are, on
        whichever threads use the environment. */
    int64_t (*now_us)(void *user);
    /** Fills @p size random bytes and returns 0, or nonzero on failure; NULL: the system's. Ids are made from them.
        Called on the threads that now_us is called on. */
    int (*random)(void *user, void *bytes, size_t size);
    void *user; /**< handed to now_us and random */
    /** Optional. Releases @p user, once: when the environment goes, on the thread that calls agentchat_env_free(). */
    void (*free_user)(void *user);
} agentchat_env_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_ENV_OPTIONS_INIT                                                                                     \
    {                                                                                                                  \
        sizeof(agentchat_env_options), NULL, NULL, NULL, NULL, NULL, NULL                                              \
    }

/**
 * AGENTCHAT_ENV_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_env_options_init(agentchat_env_options *options, size_t size);

/**
 * Makes an environment.
 * @param[in]  options Options, or NULL for the defaults. Its two `user` pass to the environment, on failure too: then
 *                     the functions that release them have been called (unless struct_size is not set, for then nothing
 *                     is read).
 * @param[out] out     The environment, to be released with agentchat_env_free(); NULL on failure.
 * @param[out] err     Detail of a failure, or NULL.
 * @retval AGENTCHAT_E_INVALID struct_size of a struct is not set, a limit is out of range, the allocator lacks alloc or
 *                             free.
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_env_new(const agentchat_env_options *options,
                                                                     agentchat_env **out, agentchat_error *err);

/**
 * Releases an environment, and the `user` of its allocator, its clock and its random bytes.
 * @param[in] env The environment; NULL is allowed. Nothing made with it may still be in use.
 */
AGENTCHAT_API void agentchat_env_free(agentchat_env *env);

/**
 * Bytes that the library returns and the caller owns. A NUL always follows the `len` bytes, so text can be printed.
 * Start with AGENTCHAT_BYTES_INIT and release with agentchat_bytes_clear().
 */
typedef struct agentchat_bytes {
    char *ptr;                /**< NULL when empty and never filled */
    size_t len;               /**< without the terminating NUL */
    size_t cap;               /**< private */
    const agentchat_env *env; /**< private */
} agentchat_bytes;
/** Initializer: empty. */
#define AGENTCHAT_BYTES_INIT                                                                                           \
    {                                                                                                                  \
        NULL, 0, 0, NULL                                                                                               \
    }

/**
 * Appends to @p bytes: for callbacks that hand bytes to the library.
 * @param[in,out] bytes The bytes; unchanged on failure.
 * @param[in]     text  What to append; copied.
 * @param[out]    err   Detail, or NULL. Only E_NOMEM is possible.
 */
AGENTCHAT_API agentchat_status agentchat_bytes_append(agentchat_bytes *bytes, agentchat_str text, agentchat_error *err);

/**
 * Releases what is in @p bytes and empties it.
 * @param[in,out] bytes The bytes; NULL is allowed.
 */
AGENTCHAT_API void agentchat_bytes_clear(agentchat_bytes *bytes);

/** The bytes as a text. @param[in] bytes NULL is empty. @return A view until they change; never absent. @threadsafe
 * Yes. */
AGENTCHAT_API agentchat_str agentchat_bytes_str(const agentchat_bytes *bytes);

#ifdef __cplusplus
}
#endif

#endif
