/* SPDX-License-Identifier: Apache-2.0 */
/* Where bytes come from and go to: memory, file descriptor, FILE, path, or the caller's own functions. */
#ifndef AGENTCHAT_STREAM_H
#define AGENTCHAT_STREAM_H

#include <agentchat/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Functions of a custom source. The table is copied. Each is called on the thread that reads, or releases, the source.
 */
typedef struct agentchat_source_ops {
    size_t struct_size; /**< sizeof(agentchat_source_ops) */
    /** Required. Fills at most @p cap bytes (cap > 0): OK with *out_len > 0, or DONE with 0 at the end, or an error.
        Short reads are normal. */
    agentchat_status (*read)(void *self, void *buffer, size_t cap, size_t *out_len, agentchat_error *err);
    /** Optional. Releases @p self; called exactly once. */
    void (*free)(void *self);
} agentchat_source_ops;
/** Initializer: no function set yet; read is required. */
#define AGENTCHAT_SOURCE_OPS_INIT                                                                                      \
    {                                                                                                                  \
        sizeof(agentchat_source_ops), NULL, NULL                                                                       \
    }

/**
 * AGENTCHAT_SOURCE_OPS_INIT for languages without macros.
 * @param[out] ops  The struct; NULL is allowed.
 * @param[in]  size Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_source_ops_init(agentchat_source_ops *ops, size_t size);

/** Functions of a custom sink. The table is copied. Each is called on the thread that writes to, or releases, the sink.
 */
typedef struct agentchat_sink_ops {
    size_t struct_size; /**< sizeof(agentchat_sink_ops) */
    /** Required. Takes all @p len bytes or fails. */
    agentchat_status (*write)(void *self, const void *bytes, size_t len, agentchat_error *err);
    /** Optional. Makes the data durable or visible; called at most once, and only after every write succeeded. */
    agentchat_status (*commit)(void *self, agentchat_error *err);
    /** Optional. Releases @p self; called exactly once, with or without a commit before. */
    void (*free)(void *self);
} agentchat_sink_ops;
/** Initializer: no function set yet; write is required. */
#define AGENTCHAT_SINK_OPS_INIT                                                                                        \
    {                                                                                                                  \
        sizeof(agentchat_sink_ops), NULL, NULL, NULL                                                                   \
    }

/**
 * AGENTCHAT_SINK_OPS_INIT for languages without macros.
 * @param[out] ops  The struct; NULL is allowed.
 * @param[in]  size Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_sink_ops_init(agentchat_sink_ops *ops, size_t size);

/** A stream of bytes to read. One thread at a time. */
typedef struct agentchat_source agentchat_source;
/** A stream of bytes to write. One thread at a time. */
typedef struct agentchat_sink agentchat_sink;

/**
 * Makes a source from the caller's functions.
 * @param[in]  env  Environment or NULL.
 * @param[in]  ops  The functions; copied.
 * @param[in]  self Handed to each of them; the function takes ownership: on failure too, ops->free is called.
 * @param[out] out  The source, to be released with agentchat_source_free(); NULL on failure.
 * @param[out] err  Detail of a failure, or NULL.
 * @retval AGENTCHAT_E_INVALID @p ops lacks read, or its struct_size is unset.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_source_new(const agentchat_env *env,
                                                                        const agentchat_source_ops *ops, void *self,
                                                                        agentchat_source **out, agentchat_error *err);

/**
 * Source over bytes in memory, which must stay unchanged until the source is released.
 * @param[in]  env   Environment or NULL.
 * @param[in]  bytes The bytes; borrowed.
 * @param[out] out   The source; NULL on failure.
 * @param[out] err   Detail of a failure, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_source_memory(const agentchat_env *env,
                                                                           agentchat_str bytes, agentchat_source **out,
                                                                           agentchat_error *err);

/**
 * Source over a file descriptor, read from where it stands to its end; never closed by the library.
 * @param[in]  env Environment or NULL.
 * @param[in]  fd  The descriptor; EINTR is retried.
 * @param[out] out The source; NULL on failure.
 * @param[out] err Detail of a failure, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_source_fd(const agentchat_env *env, int fd,
                                                                       agentchat_source **out, agentchat_error *err);

/**
 * Source over a FILE, read from where it stands to its end; never closed by the library.
 * @param[in]  env  Environment or NULL.
 * @param[in]  file The stream; borrowed.
 * @param[out] out  The source; NULL on failure.
 * @param[out] err  Detail of a failure, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_source_file(const agentchat_env *env, FILE *file,
                                                                         agentchat_source **out, agentchat_error *err);

/**
 * Source over a named file.
 * @param[in]  env  Environment or NULL.
 * @param[in]  path The name; copied. It becomes agentchat_error::source of whatever fails while reading.
 * @param[out] out  The source; NULL on failure.
 * @param[out] err  Detail of a failure, or NULL.
 * @retval AGENTCHAT_E_NOTFOUND no such file.
 * @retval AGENTCHAT_E_IO       it cannot be opened; err->native is errno.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_source_path(const agentchat_env *env, const char *path,
                                                                         agentchat_source **out, agentchat_error *err);

/** Releases a source. @param[in] source NULL is allowed. */
AGENTCHAT_API void agentchat_source_free(agentchat_source *source);

/**
 * Makes a sink from the caller's functions.
 * @param[in]  env  Environment or NULL.
 * @param[in]  ops  The functions; copied.
 * @param[in]  self Handed to each of them; the function takes ownership: on failure too, ops->free is called.
 * @param[out] out  The sink, to be released with agentchat_sink_free(); NULL on failure.
 * @param[out] err  Detail of a failure, or NULL.
 * @retval AGENTCHAT_E_INVALID @p ops lacks write, or its struct_size is unset.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_sink_new(const agentchat_env *env,
                                                                      const agentchat_sink_ops *ops, void *self,
                                                                      agentchat_sink **out, agentchat_error *err);

/**
 * Sink that appends to @p bytes, which must outlive it. What it held before stays in front. A sink that is released
 * without a commit takes its part away again.
 * @param[in]     env   Environment or NULL; it must be the one of @p bytes, or @p bytes be empty.
 * @param[in,out] bytes Where to.
 * @param[out]    out   The sink; NULL on failure.
 * @param[out]    err   Detail of a failure, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_sink_memory(const agentchat_env *env,
                                                                         agentchat_bytes *bytes, agentchat_sink **out,
                                                                         agentchat_error *err);

/**
 * Sink over a file descriptor; EINTR and short writes are handled; never closed by the library. Like every sink of the
 * library it gives AGENTCHAT_E_IO where nobody reads any more, and raises no SIGPIPE.
 * @param[in]  env Environment or NULL.
 * @param[in]  fd  The descriptor.
 * @param[out] out The sink; NULL on failure.
 * @param[out] err Detail of a failure, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_sink_fd(const agentchat_env *env, int fd,
                                                                     agentchat_sink **out, agentchat_error *err);

/**
 * Sink over a FILE; commit flushes it; never closed by the library.
 * @param[in]  env  Environment or NULL.
 * @param[in]  file The stream; borrowed.
 * @param[out] out  The sink; NULL on failure.
 * @param[out] err  Detail of a failure, or NULL.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_sink_file(const agentchat_env *env, FILE *file,
                                                                       agentchat_sink **out, agentchat_error *err);

/** How agentchat_sink_path() saves. */
typedef struct agentchat_sink_path_options {
    size_t struct_size; /**< sizeof(agentchat_sink_path_options) */
    /** Optional. Asked before each write, and a last time when all is on the disk and before it replaces the old file:
        a failure ends the save with that status, and the old file stays. A program that a signal may end asks there
        whether one has come; the temporary file goes when the sink is released. Called on the thread that writes. */
    agentchat_status (*go_on)(void *user, agentchat_error *err);
    void *user; /**< handed to go_on */
    /** Optional. Releases @p user, once: when the sink goes, on the thread that releases it. */
    void (*free_user)(void *user);
} agentchat_sink_path_options;
/** Initializer: every member at its default. */
#define AGENTCHAT_SINK_PATH_OPTIONS_INIT                                                                               \
    {                                                                                                                  \
        sizeof(agentchat_sink_path_options), NULL, NULL, NULL                                                          \
    }

/**
 * AGENTCHAT_SINK_PATH_OPTIONS_INIT for languages without macros.
 * @param[out] options The struct; NULL is allowed.
 * @param[in]  size    Its size as the caller knows it.
 */
AGENTCHAT_API void agentchat_sink_path_options_init(agentchat_sink_path_options *options, size_t size);

/**
 * Sink that replaces a file atomically: it writes a temporary file beside it; commit flushes that to the disk, renames
 * it over @p path and flushes the directory. Without a commit the old file stays as it was. A symbolic link is
 * followed. What is no regular file (a FIFO, a terminal) is written where it stands, and so is a descriptor's name such
 * as /dev/stdout, through the descriptor: a file that a shell has opened for appending is appended to.
 *
 * A new file gets mode 0600. An existing file's owner, group, mode (without set-id bits) and POSIX access control list
 * are kept as far as the system allows; where it does not, rights are left out so that nobody gets one that the old
 * file did not give: without the group, group and others get what both had; without the list, only the owner has any.
 * At no moment has the new file more rights than it ends with. Other kinds of lists and extended attributes are not
 * kept.
 *
 * One failure comes too late for the old file: when the directory cannot be flushed after the rename, commit gives
 * AGENTCHAT_E_IO and says that the new file is in place; only a loss of power could still bring the old one back. A
 * directory that may be written but not read cannot be flushed, and is not. A process that is killed while it writes
 * leaves the temporary file (docs/limits.md has its name); the next sink for the same file removes it.
 * @param[in]  env     Environment or NULL.
 * @param[in]  path    The name; copied. It becomes agentchat_error::source of whatever fails while writing.
 * @param[in]  options Options, or NULL for the defaults. Its `user` passes to the sink, on failure too: then the
 *                     function that releases it has been called (unless struct_size is not set).
 * @param[out] out     The sink; NULL on failure.
 * @param[out] err     Detail of a failure, or NULL.
 * @retval AGENTCHAT_E_IO the temporary file cannot be made; err->native is errno.
 */
AGENTCHAT_API AGENTCHAT_NODISCARD agentchat_status agentchat_sink_path(const agentchat_env *env, const char *path,
                                                                       const agentchat_sink_path_options *options,
                                                                       agentchat_sink **out, agentchat_error *err);

/** Releases a sink; what was not committed is dropped where that is possible. @param[in] sink NULL is allowed. */
AGENTCHAT_API void agentchat_sink_free(agentchat_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
