/* SPDX-License-Identifier: Apache-2.0 */
/* Byte slices, allocator, limits and the environment that everything hangs off. */
#ifndef AGENTCHAT_BASE_H
#define AGENTCHAT_BASE_H

#include <agentchat/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A view of bytes, passed by value; not NUL-terminated; NUL bytes inside are data.
 *
 * A view also tells three things apart that formats tell apart: *absent* (ptr is NULL), *null* (agentchat_str_null())
 * and *present*, which may be empty (len is 0, ptr is not NULL). The length of absent and null is 0, so code that does
 * not care may use any view as it is.
 */
typedef struct agentchat_str {
    const char *ptr; /**< bytes; NULL means absent */
    size_t len;      /**< number of bytes */
} agentchat_str;

#ifdef __cplusplus
/** View of a string literal. */
#define AGENTCHAT_STR(literal) (agentchat_str{("" literal), sizeof(literal) - 1})
#else
/** View of a string literal. */
#define AGENTCHAT_STR(literal) ((agentchat_str){("" literal), sizeof(literal) - 1})
#endif
/** For printf: `printf("name " AGENTCHAT_STR_FMT "\n", AGENTCHAT_STR_ARG(name))`. */
#define AGENTCHAT_STR_FMT "%.*s"
/** The two arguments that AGENTCHAT_STR_FMT wants. */
#define AGENTCHAT_STR_ARG(s) (int)((s).len > 0x7fffffffu ? 0x7fffffffu : (s).len), ((s).ptr ? (s).ptr : "")

/**
 * View of a NUL-terminated string.
 * @param[in] text The string; NULL gives an absent view. The view lives as long as @p text.
 * @threadsafe Yes.
 */
AGENTCHAT_API agentchat_str agentchat_str_from(const char *text);

/** The view that stands for an explicit null. @threadsafe Yes. */
AGENTCHAT_API agentchat_str agentchat_str_null(void);

/** Whether @p text is the explicit null of agentchat_str_null(). @threadsafe Yes. */
AGENTCHAT_API bool agentchat_str_is_null(agentchat_str text);

/** Whether two views hold the same bytes in the same state (absent, null, present). @threadsafe Yes. */
AGENTCHAT_API bool agentchat_str_equal(agentchat_str a, agentchat_str b);

/**
 * Memory functions of a host. Sizes are always known and given. `alloc` is never called with 0, `free` never with NULL.
 * Returned memory is aligned for any type. If objects are shared between threads, the functions are called from those
 * threads and must allow it.
 */
typedef struct agentchat_allocator {
    void *(*alloc)(void *user, size_t size);                                     /**< NULL when out of memory */
    void *(*realloc)(void *user, void *block, size_t old_size, size_t new_size); /**< may be NULL: emulated */
    void (*free)(void *user, void *block, size_t size);                          /**< gives memory back */
    void *user;                                                                  /**< handed to each of them */
} agentchat_allocator;

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
    /** Microseconds since 1970-01-01T00:00:00Z; NULL: the system's clock. */
    int64_t (*now_us)(void *user);
    /** Fills @p size random bytes and returns 0, or nonzero on failure; NULL: the system's. Ids are made from them. */
    int (*random)(void *user, void *bytes, size_t size);
    void *user; /**< handed to now_us and random */
} agentchat_env_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_ENV_OPTIONS_INIT                                                                                     \
    {                                                                                                                  \
        sizeof(agentchat_env_options), NULL, NULL, NULL, NULL, NULL                                                    \
    }

/**
 * Makes an environment.
 * @param[in] options Options, or NULL for the defaults.
 * @return The environment, to be released with agentchat_env_free(); NULL when out of memory or when @p options are
 *         not valid (struct_size unset, a limit out of range, alloc or free missing).
 * @threadsafe Yes.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_env *agentchat_env_new(const agentchat_env_options *options);

/**
 * Releases an environment.
 * @param[in] env The environment; NULL is allowed. Nothing made with it may still be in use.
 */
AGENTCHAT_API void agentchat_env_free(agentchat_env *env);

/**
 * Bytes that the library hands over to the caller. Always NUL-terminated behind `len`, so text can be printed.
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

#ifdef __cplusplus
}
#endif

#endif
